#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "build.h"
#include "model/event.h"
#include "tap_main.h"

/* A service alone: requests come as the test says, answers are written down. */
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

static void reply(void *owner, uint32_t who, uint32_t tag, enum st_answer kind, st_outcome outcome)
{
	struct bench *b = owner;

	ck_assert_uint_eq(tag, who % 1000 + 17); /* handed back as it came */
	b->answer = st_grow(b->answer, &b->cap, b->n + 1, sizeof *b->answer);
	b->answer[b->n++] = (struct answer){b->sim.now, who, kind, outcome};
}

/* Workers, queue limit and faults are set in b->c before ready(). */
static struct bench *bench(const char *workers, const char *limit)
{
	struct bench *b = st_calloc(1, sizeof *b);

	build_init(&b->c, ST_SEC);
	build_set(st_service_params, &b->c.service, "workers", workers);
	build_set(st_queue_params, &b->c.service.queue, "limit", limit);
	return b;
}

static void ready(struct bench *b)
{
	st_sim_init(&b->sim, b->c.duration);
	st_meter_init(&b->meter, &(struct st_meter_cfg){.duration = b->c.duration, .bin = ST_SEC, .to = b->c.duration, .ngroups = 1});
	b->random = st_rng_family(1, 0);
	st_service_init(&b->service, &b->c.service, b->c.fault, b->c.nfaults, &b->sim, &b->meter, &b->random, reply, NULL, b);
}

/* Request `who` comes at t. */
static void at(struct bench *b, st_time t, uint32_t who)
{
	st_sim_put(&b->sim, t, ST_EVENT_ARRIVAL, who, 1);
}

static void go(struct bench *b)
{
	struct st_ev ev;

	while (st_sim_next(&b->sim, &ev)) {
		st_meter_clock(&b->meter, b->sim.now);
		switch (st_ev_class(&ev)) {
		case ST_EVENT_FAULT:
			st_service_fault_edge(&b->service, ev.who, ev.data == 1);
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

static void release(struct bench *b)
{
	st_service_release(&b->service);
	st_meter_release(&b->meter);
	st_sim_release(&b->sim);
	build_release(&b->c);
	free(b->answer);
	free(b);
}

static void answered(const struct bench *b, size_t i, st_time t, uint32_t who, enum st_answer kind, st_outcome outcome)
{
	ck_assert_uint_lt(i, b->n);
	ck_assert_int_eq(b->answer[i].at, t);
	ck_assert_uint_eq(b->answer[i].who, who);
	ck_assert_int_eq(b->answer[i].kind, kind);
	ck_assert_uint_eq(b->answer[i].outcome, outcome);
}

static void served(const struct bench *b, size_t i, st_time t, uint32_t who)
{
	answered(b, i, t, who, ST_ANSWER_OK, ST_OUTCOME_OK);
}

/* --- the order of the tests on arrival --------------------------------------------------------------------------------- */

/* Each set of faults, written in the scenario in the opposite order, each state of workers and queue. */
START_TEST(the_first_test_that_applies_decides)
{
	static const char *const effect[] = {"429", "blackhole", "refuse"};

	for (unsigned faults = 0; faults < 8; faults++) {
		for (unsigned before = 0; before <= 2; before++) { /* 0: a free worker, 1: room in the queue, 2: none */
			struct bench *b = bench("1", "1");

			for (int i = 0; i < 3; i++)
				if (faults >> i & 1)
					build_fault(&b->c, 5 * ST_MSEC, ST_SEC, effect[i]);
			ready(b);
			for (uint32_t i = 0; i < before; i++)
				at(b, 0, i);
			at(b, 6 * ST_MSEC, 9);
			go(b);
			const struct st_counts *n = &b->meter.counts[0];
			ck_assert_uint_eq(n->first, before + 1);
			ck_assert_uint_eq(n->refused, faults >= 4);
			ck_assert_uint_eq(n->swallowed, faults == 2 || faults == 3);
			ck_assert_uint_eq(n->errors, faults == 1);
			ck_assert_uint_eq(n->admitted, before + (faults == 0 && before < 2));
			ck_assert_uint_eq(n->rejected, faults == 0 && before == 2);
			if (faults >= 4)
				answered(b, 0, 6 * ST_MSEC, 9, ST_ANSWER_REFUSED, ST_OUTCOME_REFUSED);
			else if (faults == 1)
				answered(b, 0, 6 * ST_MSEC, 9, ST_ANSWER_ERROR, st_outcome_status(429));
			else if (faults == 0 && before == 2)
				answered(b, 0, 6 * ST_MSEC, 9, ST_ANSWER_REJECTED, st_outcome_status(503));
			ck_assert_uint_eq(b->n, before + 1 - n->swallowed);
			release(b);
		}
	}
}
END_TEST

/* --- workers and queue --------------------------------------------------------------------------------------------------- */

START_TEST(the_limit_counts_waiting_requests_only)
{
	static const struct {
		const char *workers, *limit;
		unsigned admitted;
	} of_ten[] = {{"2", "3", 5}, {"2", "0", 2}, {"1", "1", 2}, {"20", "0", 10}, {"1", "unlimited", 10}};

	for (size_t i = 0; i < sizeof of_ten / sizeof *of_ten; i++) {
		struct bench *b = bench(of_ten[i].workers, of_ten[i].limit);

		ready(b);
		for (uint32_t who = 0; who < 10; who++)
			at(b, ST_MSEC, who);
		go(b);
		ck_assert_uint_eq(b->meter.counts[0].admitted, of_ten[i].admitted);
		ck_assert_uint_eq(b->meter.counts[0].rejected, 10 - of_ten[i].admitted);
		ck_assert_uint_eq(b->meter.counts[0].started, of_ten[i].admitted);
		release(b);
	}
}
END_TEST

START_TEST(a_worker_freed_now_serves_an_arrival_now)
{
	struct bench *b = bench("1", "0");

	ready(b);
	at(b, 0, 0);
	at(b, 10 * ST_MSEC - 1, 1);
	at(b, 10 * ST_MSEC, 2);
	go(b);
	ck_assert_uint_eq(b->n, 3);
	answered(b, 0, 10 * ST_MSEC - 1, 1, ST_ANSWER_REJECTED, st_outcome_status(503));
	served(b, 1, 10 * ST_MSEC, 0);
	served(b, 2, 20 * ST_MSEC, 2);
	ck_assert_uint_eq(b->meter.counts[0].queued_first, 0);
	release(b);
}
END_TEST

START_TEST(what_waits_is_served_in_the_order_it_came)
{
	struct bench *b = bench("2", "unlimited");

	ready(b);
	for (uint32_t who = 0; who < 6; who++)
		at(b, who / 3 * ST_MSEC, 5 - who);
	go(b);
	for (uint32_t i = 0; i < 6; i++)
		served(b, i, (st_time)(1 + i / 2) * 10 * ST_MSEC, 5 - i);
	ck_assert_uint_eq(b->meter.counts[0].queued_first, 4);
	ck_assert_int_eq((int64_t)b->meter.wait.sum, (10 + 9 + 2 * 19) * ST_MSEC);
	release(b);
}
END_TEST

/* The queue grows while its slots are not in the order of those that wait. */
START_TEST(a_long_queue_keeps_its_order)
{
	struct bench *b = bench("1", "unlimited");
	uint32_t who = 0;

	b->c.service.service_time = st_dist_constant(ST_MSEC);
	ready(b);
	for (int burst = 0; burst < 4; burst++)
		for (int i = 0; i < 50 << burst; i++)
			at(b, burst * 37 * ST_MSEC, who++);
	go(b);
	ck_assert_uint_eq(b->n, who);
	for (uint32_t i = 0; i < who; i++)
		served(b, i, (i + 1) * ST_MSEC, i);
	release(b);
}
END_TEST

START_TEST(a_service_takes_at_least_the_clocks_grain)
{
	struct bench *b = bench("1", "0");

	b->c.service.service_time = st_dist_constant(0);
	ready(b);
	at(b, 5, 0);
	at(b, 5, 1);
	go(b);
	answered(b, 0, 5, 1, ST_ANSWER_REJECTED, st_outcome_status(503));
	served(b, 1, 6, 0);
	release(b);
}
END_TEST

START_TEST(capacity_is_workers_over_service_time)
{
	struct bench *b = bench("10", "0");

	b->c.service.service_time = build_dist("exponential 50ms");
	ck_assert_double_eq_tol(st_service_capacity_per_s(&b->c.service), 200.0, 1e-9);
	ready(b);
	go(b);
	release(b);
}
END_TEST

/* --- when both are full ---------------------------------------------------------------------------------------------------- */

START_TEST(the_overload_answer_is_as_configured)
{
	static const struct {
		const char *text;
		enum st_answer kind;
		unsigned status;
	} how[] = {{"503", ST_ANSWER_REJECTED, 503}, {"429", ST_ANSWER_REJECTED, 429}, {"refuse", ST_ANSWER_REFUSED, 0}, {"drop", ST_ANSWER_N, 0}};

	for (size_t i = 0; i < sizeof how / sizeof *how; i++) {
		struct bench *b = bench("1", "0");

		build_set(st_service_params, &b->c.service, "overload", how[i].text);
		ready(b);
		at(b, 0, 0);
		at(b, 1, 1);
		go(b);
		const struct st_counts *n = &b->meter.counts[0];
		ck_assert_uint_eq(n->rejected, how[i].kind == ST_ANSWER_REJECTED);
		ck_assert_uint_eq(n->refused, how[i].kind == ST_ANSWER_REFUSED);
		ck_assert_uint_eq(n->swallowed, how[i].kind == ST_ANSWER_N);
		ck_assert_uint_eq(b->n, how[i].kind == ST_ANSWER_N ? 1 : 2);
		if (how[i].kind != ST_ANSWER_N)
			answered(b, 0, 1, 1, how[i].kind, how[i].status ? st_outcome_status(how[i].status) : ST_OUTCOME_REFUSED);
		release(b);
	}
}
END_TEST

/* Each of the five rejections costs 4 ms, before the one that waits is served. */
START_TEST(a_rejection_costs_a_worker_its_time)
{
	struct bench *b = bench("1", "1");

	build_set(st_service_params, &b->c.service, "reject_cost", "4ms");
	ready(b);
	for (uint32_t who = 0; who < 7; who++)
		at(b, ST_MSEC, who);
	at(b, 35 * ST_MSEC, 9); /* in the queue: the other is served from 31 on */
	go(b);
	for (uint32_t i = 0; i < 5; i++)
		answered(b, i, ST_MSEC, i + 2, ST_ANSWER_REJECTED, st_outcome_status(503));
	served(b, 5, 11 * ST_MSEC, 0);
	served(b, 6, 41 * ST_MSEC, 1);
	served(b, 7, 51 * ST_MSEC, 9);
	ck_assert_int_eq((int64_t)st_gauge_read(&b->meter.gauge[ST_GAUGE_BUSY], b->sim.now), 50 * ST_MSEC);
	ck_assert_uint_eq(b->meter.counts[0].started, 3);
	release(b);
}
END_TEST

/* Two workers reject side by side; a refusal is free. */
START_TEST(only_an_overload_status_costs)
{
	static const char *const overload[] = {"429", "refuse", "drop"};

	for (int i = 0; i < 3; i++) {
		struct bench *b = bench("2", "0");

		build_set(st_service_params, &b->c.service, "overload", overload[i]);
		build_set(st_service_params, &b->c.service, "reject_cost", "30ms");
		ready(b);
		for (uint32_t who = 0; who < 4; who++)
			at(b, 0, who);
		at(b, 10 * ST_MSEC, 8);
		at(b, 40 * ST_MSEC, 9);
		go(b);
		ck_assert_uint_eq(b->meter.counts[0].started, i == 0 ? 3 : 4);
		ck_assert_uint_eq(b->meter.counts[0].rejected, i == 0 ? 3 : 0);
		release(b);
	}
}
END_TEST

/* What CoDel drops is answered before the worker goes on, and paid for by the worker that is free next. */
START_TEST(what_the_queue_drops_gets_the_overload_answer)
{
	struct bench *b = bench("1", "unlimited");

	build_set(st_queue_params, &b->c.service.queue, "discipline", "codel");
	build_set(st_queue_params, &b->c.service.queue, "interval", "20ms");
	build_set(st_service_params, &b->c.service, "reject_cost", "1ms");
	ready(b);
	for (uint32_t who = 0; who < 10; who++)
		at(b, 0, who);
	go(b);
	served(b, 0, 10 * ST_MSEC, 0);
	served(b, 1, 20 * ST_MSEC, 1); /* late from 30 on */
	answered(b, 2, 30 * ST_MSEC, 3, ST_ANSWER_REJECTED, st_outcome_status(503));
	served(b, 3, 30 * ST_MSEC, 2);
	served(b, 4, 40 * ST_MSEC, 4); /* then the rejection, until 41 */
	answered(b, 5, 51 * ST_MSEC, 6, ST_ANSWER_REJECTED, st_outcome_status(503));
	served(b, 6, 51 * ST_MSEC, 5);
	ck_assert_uint_eq(b->meter.counts[0].dropped, 2);
	ck_assert_uint_eq(b->meter.counts[0].rejected, 2);
	release(b);
}
END_TEST

/* --- faults ---------------------------------------------------------------------------------------------------------------- */

START_TEST(a_fault_holds_from_its_beginning_to_before_its_end)
{
	struct bench *b = bench("9", "0");

	build_fault(&b->c, 10, 10, "500");
	build_fault(&b->c, 20, 0, "refuse"); /* never */
	build_fault(&b->c, 30, 10, "501");
	build_fault(&b->c, 40, 10, "502");
	ready(b);
	at(b, 9, 0);
	at(b, 10, 1);
	at(b, 19, 2);
	at(b, 20, 3);
	at(b, 39, 4);
	at(b, 40, 5);
	go(b);
	ck_assert_uint_eq(b->meter.counts[0].admitted, 2);
	answered(b, 0, 10, 1, ST_ANSWER_ERROR, st_outcome_status(500));
	answered(b, 1, 19, 2, ST_ANSWER_ERROR, st_outcome_status(500));
	answered(b, 2, 39, 4, ST_ANSWER_ERROR, st_outcome_status(501));
	answered(b, 3, 40, 5, ST_ANSWER_ERROR, st_outcome_status(502));
	release(b);
}
END_TEST

START_TEST(of_two_statuses_the_first_in_the_scenario_answers)
{
	struct bench *b = bench("9", "0");

	build_fault(&b->c, 10, 10, "500");
	build_fault(&b->c, 5, 10, "501");
	ready(b);
	at(b, 9, 0);
	at(b, 12, 1);
	at(b, 17, 2);
	go(b);
	answered(b, 0, 9, 0, ST_ANSWER_ERROR, st_outcome_status(501));
	answered(b, 1, 12, 1, ST_ANSWER_ERROR, st_outcome_status(500));
	answered(b, 2, 17, 2, ST_ANSWER_ERROR, st_outcome_status(500));
	release(b);
}
END_TEST

START_TEST(a_fault_costs_no_worker_and_no_place)
{
	struct bench *b = bench("1", "1");

	build_fault(&b->c, 5, 10, "500");
	ready(b);
	at(b, 0, 0);
	for (uint32_t who = 1; who < 8; who++)
		at(b, 5 + who, who);
	at(b, 15, 8);
	go(b);
	ck_assert_uint_eq(b->meter.counts[0].errors, 7);
	served(b, 7, 10 * ST_MSEC, 0);
	served(b, 8, 20 * ST_MSEC, 8);
	release(b);
}
END_TEST

/* Services that start take longer; one under way does not. */
START_TEST(slow_is_for_services_that_start)
{
	struct bench *b = bench("1", "unlimited");

	build_fault(&b->c, 5 * ST_MSEC, 15 * ST_MSEC, "slow")->factor = 3;
	ready(b);
	for (uint32_t who = 0; who < 4; who++)
		at(b, 0, who);
	go(b);
	served(b, 0, 10 * ST_MSEC, 0);
	served(b, 1, 40 * ST_MSEC, 1); /* started at 10 */
	served(b, 2, 50 * ST_MSEC, 2);
	served(b, 3, 60 * ST_MSEC, 3);
	release(b);
}
END_TEST

START_TEST(factors_of_overlapping_faults_multiply)
{
	struct bench *b = bench("9", "0");

	build_fault(&b->c, 10, 20, "slow")->factor = 3;
	build_fault(&b->c, 20, 20, "slow")->factor = 0.5;
	ready(b);
	at(b, 0, 0);
	at(b, 10, 1);
	at(b, 20, 2);
	at(b, 30, 3);
	at(b, 40, 4);
	go(b);
	served(b, 0, 30 + 5 * ST_MSEC, 3);
	served(b, 1, 10 * ST_MSEC, 0);
	served(b, 2, 40 + 10 * ST_MSEC, 4);
	served(b, 3, 20 + 15 * ST_MSEC, 2);
	served(b, 4, 10 + 30 * ST_MSEC, 1);
	release(b);
}
END_TEST

/* 20000 requests, half hit by the first, half of the others by the second: a deviation of 71 and 61. */
START_TEST(shares_of_two_faults_are_independent)
{
	struct bench *b = bench("100000", "0");
	unsigned hit[2] = {0};

	build_fault(&b->c, 0, ST_SEC, "500")->share = 0.5;
	build_fault(&b->c, 0, ST_SEC, "501")->share = 0.5;
	ready(b);
	for (uint32_t who = 0; who < 20000; who++)
		at(b, 1, who);
	go(b);
	for (size_t i = 0; i < b->n; i++)
		if (b->answer[i].kind == ST_ANSWER_ERROR)
			hit[b->answer[i].outcome - st_outcome_status(500)]++;
	ck_assert_int_le(abs((int)hit[0] - 10000), 320);
	ck_assert_int_le(abs((int)hit[1] - 5000), 280);
	ck_assert_uint_eq(b->meter.counts[0].admitted, 20000 - hit[0] - hit[1]);
	release(b);
}
END_TEST

/* Another fault beside it does not change whom a fault hits. */
START_TEST(whom_a_fault_hits_depends_on_the_request_alone)
{
	bool first[500] = {false};

	for (int other = 0; other < 2; other++) {
		struct bench *b = bench("1000", "0");

		build_fault(&b->c, 0, ST_SEC, "500")->share = 0.3;
		if (other)
			build_fault(&b->c, 0, ST_SEC, "slow")->factor = 2;
		ready(b);
		for (uint32_t who = 0; who < 500; who++)
			at(b, other ? who + 1 : 1000 - who, who);
		go(b);
		for (size_t i = 0; i < b->n; i++) {
			bool hit = b->answer[i].kind == ST_ANSWER_ERROR;

			if (other)
				ck_assert_int_eq(hit, first[b->answer[i].who]);
			first[b->answer[i].who] = hit;
		}
		release(b);
	}
}
END_TEST

START_TEST(the_last_end_of_all_faults)
{
	struct st_config c;

	build_init(&c, ST_SEC);
	ck_assert_int_eq(st_config_fault_end(&c), -1);
	build_fault(&c, 5, 30, "503");
	build_fault(&c, 10, 10, "503");
	ck_assert_int_eq(st_config_fault_end(&c), 35);
	build_release(&c);
}
END_TEST

START_TEST(an_effect_is_read_and_printed)
{
	static const char *const good[] = {"503", "400", "refuse", "blackhole", "slow"};
	static const char *const bad[] = {"200", "600", "slows", "black hole", "STATUS", "", "[503]"};
	struct st_effect f;
	static const struct st_param row = {.name = "effect", .type = &st_param_effect};

	for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
		struct st_text t = ST_TEXT_INIT;

		build_set(&row, &f, "effect", good[i]);
		st_param_print(&row, &f, &t);
		ck_assert_str_eq(t.s, good[i]);
		st_text_release(&t);
	}
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		struct st_err e = ST_ERR_INIT;

		ck_assert_msg(st_param_read_text(&row, bad[i], NULL, &f, &e) == -1, "'%s' is read", bad[i]);
		ck_assert_msg(strstr(e.message[0], "did you mean 'STATUS'") == NULL, "%s", e.message[0]);
		st_err_release(&e);
	}
}
END_TEST

int main(void)
{
	Suite *s = suite_create("service");
	TCase *tc = tcase_create("workers");

	tcase_add_test(tc, the_first_test_that_applies_decides);
	tcase_add_test(tc, the_limit_counts_waiting_requests_only);
	tcase_add_test(tc, a_worker_freed_now_serves_an_arrival_now);
	tcase_add_test(tc, what_waits_is_served_in_the_order_it_came);
	tcase_add_test(tc, a_long_queue_keeps_its_order);
	tcase_add_test(tc, a_service_takes_at_least_the_clocks_grain);
	tcase_add_test(tc, capacity_is_workers_over_service_time);
	tcase_add_test(tc, the_overload_answer_is_as_configured);
	tcase_add_test(tc, a_rejection_costs_a_worker_its_time);
	tcase_add_test(tc, only_an_overload_status_costs);
	tcase_add_test(tc, what_the_queue_drops_gets_the_overload_answer);
	suite_add_tcase(s, tc);
	tc = tcase_create("faults");
	tcase_add_test(tc, a_fault_holds_from_its_beginning_to_before_its_end);
	tcase_add_test(tc, of_two_statuses_the_first_in_the_scenario_answers);
	tcase_add_test(tc, a_fault_costs_no_worker_and_no_place);
	tcase_add_test(tc, slow_is_for_services_that_start);
	tcase_add_test(tc, factors_of_overlapping_faults_multiply);
	tcase_add_test(tc, shares_of_two_faults_are_independent);
	tcase_add_test(tc, whom_a_fault_hits_depends_on_the_request_alone);
	tcase_add_test(tc, the_last_end_of_all_faults);
	tcase_add_test(tc, an_effect_is_read_and_printed);
	suite_add_tcase(s, tc);
	return tap_main(s);
}
