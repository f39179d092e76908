#ifndef ST_TESTS_SERVICE_BENCH_H
#define ST_TESTS_SERVICE_BENCH_H
/*
 * service_bench.h - a service alone: requests come as the test says, answers are written down.
 */
#include <stdlib.h>

#include "base/mem.h"
#include "build.h"
#include "model/event.h"
#include "tap_main.h"

struct bench {
	struct st_config c;
	struct st_sim sim;
	struct st_meter meter;
	struct st_rng_family random;
	struct st_service service;
	struct answer {
		st_time at;
		uint32_t who;
		enum st_answer kind;
		st_outcome outcome;
	} *answer;
	size_t n, cap;
};

static inline void reply(void *owner, uint32_t who, uint32_t tag, enum st_answer kind, st_outcome outcome, bool is_last)
{
	struct bench *b = owner;

	(void)is_last;
	ck_assert_uint_eq(tag, who % 1000 + 17); /* handed back as it came */
	b->answer = st_grow(b->answer, &b->cap, b->n + 1, sizeof *b->answer);
	b->answer[b->n++] = (struct answer){b->sim.now, who, kind, outcome};
}

/* Workers, queue limit and faults are set in b->c before ready(). */
static inline struct bench *bench(const char *workers, const char *limit)
{
	struct bench *b = st_calloc(1, sizeof *b);

	build_init(&b->c, ST_SEC);
	build_set(st_service_params, b->c.service, "workers", workers);
	build_set(st_queue_params, &b->c.service->queue, "limit", limit);
	return b;
}

static inline void ready(struct bench *b)
{
	st_sim_init(&b->sim, b->c.duration);
	st_meter_init(&b->meter, &(struct st_meter_cfg){.duration = b->c.duration, .bin = b->c.bin, .to = b->c.duration, .ngroups = 1});
	b->random = st_rng_family(1, 0);
	st_service_init(&b->service, b->c.service, 0, b->c.fault, b->c.nfaults, &b->sim, &b->meter, &b->random,
	    &(struct st_service_callers){.reply = reply, .owner = b});
}

/* Request `who` comes at t. */
static inline void at(struct bench *b, st_time t, uint32_t who)
{
	st_sim_put(&b->sim, t, ST_EVENT_ARRIVAL, who, 1);
}

static inline void go(struct bench *b)
{
	struct st_ev ev;

	while (st_sim_next(&b->sim, &ev)) {
		st_meter_clock(&b->meter, b->sim.now);
		switch (st_ev_class(&ev)) {
		case ST_EVENT_FAULT:
			st_service_fault(&b->service, ev.who, ev.data);
			break;
		case ST_EVENT_SERVED:
			st_service_end(&b->service, ev.data);
			break;
		default:
			st_service_arrive(&b->service, &(struct st_call){.who = ev.who, .tag = ev.who % 1000 + 17, .client = ev.who, .attempt = ev.data});
		}
	}
	st_service_finish(&b->service);
	st_meter_finish(&b->meter);
	ck_assert(st_meter_littles_law(&b->meter));
}

static inline void release(struct bench *b)
{
	st_service_release(&b->service);
	st_meter_release(&b->meter);
	st_sim_release(&b->sim);
	build_release(&b->c);
	free(b->answer);
	free(b);
}

static inline void answered(const struct bench *b, size_t i, st_time t, uint32_t who, enum st_answer kind, st_outcome outcome)
{
	ck_assert_uint_lt(i, b->n);
	ck_assert_int_eq(b->answer[i].at, t);
	ck_assert_uint_eq(b->answer[i].who, who);
	ck_assert_int_eq(b->answer[i].kind, kind);
	ck_assert_uint_eq(b->answer[i].outcome, outcome);
}

static inline void served(const struct bench *b, size_t i, st_time t, uint32_t who)
{
	answered(b, i, t, who, ST_ANSWER_OK, ST_OUTCOME_OK);
}

#endif
