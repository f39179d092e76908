#include <config.h>

#include "model/world.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/pace.h"
#include "model/caller.h"
#include "model/event.h"
#include "model/workload.h"

_Static_assert(ST_SERVICES_MAX <= 1 << ST_SERVICE_BITS, "the number of a service fits an event");

/* One run under way. */
struct world {
	struct st_sim sim;
	struct st_rng_family random;
	struct st_service *service;
	size_t nservices;
	struct st_callers callers;
};

/* Whose worker has come to an end: that of the service which the caller calls; nobody's are told apart by their number. */
static struct st_service *server_of(struct world *w, uint32_t who)
{
	if (w->nservices == 1)
		return w->service;
	if (UINT32_MAX - who < w->nservices)
		return &w->service[UINT32_MAX - who];
	return st_caller_group(&w->callers, who)->service;
}

static void dispatch(struct world *w, const struct st_ev *ev)
{
	switch ((enum st_event_class)st_ev_class(ev)) {
	case ST_EVENT_FAULT:
		st_service_fault(&w->service[ev->data >> ST_FAULT_BITS], ev->who, ev->data & ((1U << ST_FAULT_BITS) - 1));
		break;
	case ST_EVENT_SERVED:
		st_service_end(server_of(w, ev->who), ev->data);
		break;
	case ST_EVENT_ANSWER:
		st_caller_turn_to_answered(&w->callers, ev->who, ev->data);
		st_caller_answer(&w->callers, ev->who, ev->data);
		break;
	case ST_EVENT_ARRIVAL:
		st_caller_turn_to(&w->callers, ev->who, ev->data);
		st_caller_arrive(&w->callers, ev->who, ev->data);
		break;
	case ST_EVENT_TIMER:
		if (ev->data == ST_TIMER_RETRY)
			st_caller_retry(&w->callers, ev->who);
		else if (ev->data == ST_TIMER_BEGIN)
			st_caller_begin(&w->callers, ev->who);
		else if (ev->data == ST_TIMER_SEND)
			st_caller_send(&w->callers, ev->who);
		else if (ev->data == ST_TIMER_ARRIVAL)
			st_workload_arrival(&w->callers, &w->callers.group[ev->who]);
		else if ((ev->data & ((1U << ST_TIMER_BITS) - 1)) == ST_TIMER_WAITED)
			st_queue_expire(&w->service[ev->data >> ST_TIMER_BITS & ((1U << ST_SERVICE_BITS) - 1)].queue, ev->who,
			    ev->data >> (32 - ST_WAITED_BITS));
		else
			st_workload_close(&w->callers, ev->who, ev->data);
		break;
	case ST_EVENT_HEDGE:
		st_caller_hedge(&w->callers, ev->who, ev->data);
		break;
	case ST_EVENT_TIMEOUT:
		st_caller_turn_to_overdue(&w->callers, ev->who, ev->data);
		st_caller_timeout(&w->callers, ev->who, ev->data);
		break;
	}
}

enum {
	AHEAD = 8,           /* events; the memory's latency is that of a few of them */
	FAR_CALLERS = 8192,  /* as many lie beyond the nearest caches, where fetching ahead pays */
};

/* Fetch what a coming event will touch. Its `who` is a caller's, but for the few classes for which fetching is in vain. */
static inline void prefetch(const struct world *w)
{
	const struct st_ev *ev = st_evq_ahead(&w->sim.queue, AHEAD);

	if (!ev)
		return;
	__builtin_prefetch(&w->callers.caller[ev->who], 1);
	if (st_ev_class(ev) == ST_EVENT_SERVED)
		__builtin_prefetch(&w->service->in_service[ev->data], 0);
}

enum { LOOK_EVERY = 4096 }; /* events between two looks at what could end a run early, and two words of how far it is */

static __attribute__((noinline)) void clock_meters(struct st_run *run, st_time now)
{
	for (size_t i = 0; i < run->nmeters; i++)
		st_meter_clock(&run->meter[i], now);
}

/* 0 when the end is reached, -1 if stopped or stuck. */
static int loop(struct world *w, struct st_run *run, const volatile int *stop)
{
	const bool far = w->callers.n >= FAR_CALLERS;
	uint64_t look = LOOK_EVERY;
	struct st_ev ev;

	while (st_sim_next(&w->sim, &ev)) {
		if (far)
			prefetch(w);
		/* They have the same edges. */
		if (w->sim.now >= run->meter->next_edge)
			clock_meters(run, w->sim.now);
		dispatch(w, &ev);
		if (w->sim.events < look) /* one turn may count several */
			continue;
		look = w->sim.events + LOOK_EVERY;
		st_pace_tell(w->sim.now, w->sim.events);
		if ((stop && __atomic_load_n(stop, __ATOMIC_RELAXED)) || w->callers.stuck)
			return -1;
	}
	return w->callers.stuck ? -1 : 0;
}

static void connections_lost(void *callers)
{
	st_callers_connections_lost(callers);
}

static void world_init(struct world *w, const struct st_config *c, uint64_t seed, uint32_t replication,
    const struct st_witness *witness, struct st_run *run)
{
	st_sim_init(&w->sim, c->duration);
	w->random = st_rng_family(seed, replication);
	w->service = st_calloc(c->nservices, sizeof *w->service);
	w->nservices = c->nservices;
	for (uint32_t k = 0; k < c->nservices; k++)
		st_service_init(&w->service[k], &c->service[k], k, c->fault, c->nfaults, &w->sim, &run->meter[k], &w->random,
		    &(struct st_service_callers){.reply = st_caller_reply, .waits = st_caller_waits, .lost = k == 0 ? connections_lost : NULL,
			.round_trip = st_caller_round_trip, .call = c->service[k].calls.to ? st_callers_call : NULL, .owner = &w->callers});
	for (size_t i = 0; i < c->nfaults; i++)
		if (c->fault[i].group)
			w->service->faults.group[i] = st_config_find_group(c, c->fault[i].group);
	st_callers_init(&w->callers, c->group, c->ngroups, w->service, w->nservices, &w->sim, &w->random, witness);
	for (size_t i = 0; i < w->callers.ngroups; i++)
		w->callers.group[i].workload->seed(&w->callers, &w->callers.group[i]);
}

static void world_release(struct world *w)
{
	st_callers_release(&w->callers);
	for (size_t k = 0; k < w->nservices; k++)
		st_service_release(&w->service[k]);
	free(w->service);
	st_sim_release(&w->sim);
}

/* The laws of conservation hold at the end of every run, for each group and for the whole. */
static void check_laws(const struct st_meter *m)
{
	struct st_counts sum = {0};

	for (size_t g = 0; g < m->ngroups; g++)
		st_counts_add(&sum, &m->counts[g]);
	st_assert(st_counts_balance(&sum, (uint64_t)m->open, (uint64_t)m->in_flight));
	st_assert(st_meter_littles_law(m));
}

/* How many groups call the service. */
static size_t count_callers(const struct st_config *c, size_t service)
{
	size_t n = service == 0 ? c->ngroups : 0;

	for (size_t i = 0; i < c->nservices; i++)
		n += c->service[i].calls.to && strcmp(c->service[i].calls.to, c->service[service].name) == 0;
	return n;
}

static void meters_init(struct st_run *run, const struct st_config *c)
{
	run->nmeters = c->nservices;
	run->meter = st_calloc(run->nmeters, sizeof *run->meter);
	for (size_t i = 0; i < run->nmeters; i++)
		st_meter_init(&run->meter[i], &(struct st_meter_cfg){
		    .duration = c->duration,
		    .bin = c->bin,
		    .from = c->window.n == 2 ? c->window.at[0] : c->warmup,
		    .to = c->window.n == 2 ? c->window.at[1] : c->duration,
		    .ngroups = count_callers(c, i),
		});
}

static void tell_stuck(const struct world *w, struct st_err *e)
{
	const struct st_group *g = w->callers.stuck;

	st_err_add(e, ST_EXIT_USER, NULL,
	    "%s.%s%s: a %s made %d attempts at one instant (%.9g s): retries or "
	    "operations that follow each other at once against instant failures never end; give the backoff or the "
	    "think time a delay, or limit their number",
	    g->holder ? "services" : "clients", g->holder ? g->holder->cfg->name : g->cfg->name, g->holder ? ".calls" : "",
	    g->holder ? "request" : "client", ST_CALLER_AT_ONCE_MAX, st_time_to_s(w->sim.now));
}

int st_world_run(const struct st_config *c, uint64_t seed, uint32_t replication, const volatile int *stop, struct st_run *run,
    struct st_err *e)
{
	return st_world_show(c, seed, replication, stop, NULL, run, e);
}

int st_world_show(const struct st_config *c, uint64_t seed, uint32_t replication, const volatile int *stop, const struct st_witness *witness,
    struct st_run *run, struct st_err *e)
{
	struct world w;

	meters_init(run, c);
	world_init(&w, c, seed, replication, witness, run);
	st_where = (struct st_where){.now_ns = &w.sim.now, .seed = seed, .replication = replication};
	int rc = loop(&w, run, stop);

	if (w.callers.stuck)
		tell_stuck(&w, e);
	for (size_t i = 0; i < run->nmeters; i++) {
		st_service_finish(&w.service[i]);
		st_meter_finish(&run->meter[i]);
		if (rc == 0)
			check_laws(&run->meter[i]);
	}
	st_where = (struct st_where){.now_ns = NULL};
	st_pace_tell(0, 0);
	run->events = w.sim.events;
	run->fingerprint = w.sim.fingerprint;
	world_release(&w);
	return rc;
}

void st_run_release(struct st_run *r)
{
	for (size_t i = 0; i < r->nmeters; i++)
		st_meter_release(&r->meter[i]);
	free(r->meter);
}
