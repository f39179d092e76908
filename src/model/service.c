#include <config.h>

#include "model/service.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

#define LOST UINT64_MAX /* the order of a request that will not be served any more */

double st_service_capacity_per_s(const struct st_service_cfg *c)
{
	if (c->kind == ST_SERVICE_OCC)
		return (double)NAN;
	return (double)c->workers / st_dist_mean_s(&c->service_time);
}

static inline void reply(struct st_service *s, uint32_t who, uint32_t tag, enum st_answer kind, st_outcome outcome)
{
	s->callers.reply(s->callers.owner, who, tag, kind, outcome, true);
}

/* --- the overload answer ---------------------------------------------------------------------------------------------- */

static void answer_overload(struct st_service *s, uint32_t who, uint32_t tag, uint32_t group, bool is_last)
{
	struct st_counts *n = &s->meter->counts[group];

	switch (s->cfg->overload) {
	case ST_OUTCOME_SILENCE:
		n->swallowed++;
		return;
	case ST_OUTCOME_REFUSED:
		n->refused++;
		s->callers.reply(s->callers.owner, who, tag, ST_ANSWER_REFUSED, ST_OUTCOME_REFUSED, is_last);
		return;
	default:
		n->rejected++;
		s->owed += s->cfg->reject_cost > 0;
		s->callers.reply(s->callers.owner, who, tag, ST_ANSWER_REJECTED, s->cfg->overload, is_last);
	}
}

/* An st_queue_drop: the queue may be about to drop others, or to let one go to a worker. */
static void drop(void *service, const struct st_request *r)
{
	answer_overload(service, r->who, r->tag, r->group, false);
}

/* --- setting up ------------------------------------------------------------------------------------------------------- */

/* Those in force; one that is gone is there until it has done what it is at. Where a request needs no worker there are none. */
static void show_workers(struct st_service *s)
{
	struct st_gauge *g = &s->meter->gauge[ST_GAUGE_WORKERS];
	uint64_t n = s->busy > s->capacity.in_force ? s->busy : s->capacity.in_force;

	if (s->cfg->kind != ST_SERVICE_OCC)
		st_gauge_add(g, s->sim->now, (int64_t)n - g->value);
}

static bool is_mine(const struct st_service *s, const struct st_fault_cfg *f)
{
	return f->service ? strcmp(f->service, s->cfg->name) == 0 : s->number == 0;
}

/* Whether requests in service may go with a restart. */
static bool may_lose(const struct st_service *s, const struct st_fault_cfg *fault, size_t nfaults)
{
	bool may = s->cfg->crash_at != ST_UNLIMITED;

	for (size_t i = 0; i < nfaults; i++)
		may |= is_mine(s, &fault[i]) && st_faults_loses(&s->faults, (uint32_t)i);
	return may;
}

void st_service_init(struct st_service *s, const struct st_service_cfg *cfg, uint32_t number, const struct st_fault_cfg *fault,
    size_t nfaults, struct st_sim *sim, struct st_meter *meter, const struct st_rng_family *random, const struct st_service_callers *callers)
{
	*s = (struct st_service){.cfg = cfg, .number = number, .sim = sim, .meter = meter, .random = random, .callers = *callers,
	    .capacity_per_s = st_service_capacity_per_s(cfg)};
	st_queue_init(&s->queue, &cfg->queue, &(struct st_queue_host){.sim = sim, .meter = meter, .service = number, .abandoned = cfg->abandoned,
	    .waits = callers->waits, .waits_owner = callers->owner, .drop = drop, .drop_owner = s});
	st_faults_init(&s->faults, fault, nfaults, random);
	st_admission_init(&s->admission, &cfg->admission, random);
	st_capacity_init(&s->capacity, &cfg->capacity, cfg->kind == ST_SERVICE_OCC ? ST_UNLIMITED : cfg->workers);
	show_workers(s);
	s->ends_otherwise = callers->call || cfg->kind == ST_SERVICE_OCC || cfg->reject_cost > 0 || may_lose(s, fault, nfaults);
	/* Where one begins as another ends there is no gap between them. */
	for (size_t i = 0; i < nfaults; i++)
		if (is_mine(s, &fault[i]))
			st_sim_put(sim, fault[i].at, ST_EVENT_FAULT, (uint32_t)i, number << ST_FAULT_BITS | ST_FAULT_BEGINS);
	for (size_t i = 0; i < nfaults; i++)
		if (is_mine(s, &fault[i]))
			st_sim_put(sim, fault[i].at + fault[i].length, ST_EVENT_FAULT, (uint32_t)i, number << ST_FAULT_BITS | ST_FAULT_ENDS);
}

void st_service_release(struct st_service *s)
{
	st_faults_release(&s->faults);
	free(s->in_service);
	free(s->idle);
	st_occ_release(&s->row);
	st_queue_release(&s->queue);
}

/* --- the workers ----------------------------------------------------------------------------------------------------- */

/* This, occupy() and start() are inlined since they are on the way of every request. */
static inline __attribute__((always_inline)) uint32_t take_slot(struct st_service *s)
{
	if (s->nidle > 0)
		return s->idle[--s->nidle];
	s->in_service = st_grow_huge(s->in_service, &s->slots_cap, s->nslots + 1, sizeof *s->in_service);
	s->idle = st_grow(s->idle, &s->idle_cap, s->nslots + 1, sizeof *s->idle);
	return s->nslots++;
}

/* A free worker takes the request, or a rejection, now; returns when it will have done the work. */
static inline __attribute__((always_inline)) st_time occupy(struct st_service *s, const struct st_request *r)
{
	uint32_t slot = take_slot(s);

	if (s->cfg->kind == ST_SERVICE_OCC)
		st_occ_read(&s->row, slot);
	s->busy++;
	st_time length = st_capacity_length(&s->capacity, r->work, s->sim->now, s->busy + s->queue.len);
	s->in_service[slot] = (struct st_serving){.arrival = r->arrival, .order = s->starts++, .who = r->who, .tag = r->tag, .group = r->group};
	st_sim_after(s->sim, length, ST_EVENT_SERVED, r->who, slot);
	return s->sim->now + length;
}

static inline __attribute__((always_inline)) st_time start(struct st_service *s, const struct st_request *r)
{
	struct st_counts *c = &s->meter->counts[r->group];

	c->started++;
	c->queued_first += r->arrival < s->sim->now;
	st_meter_wait(s->meter, r->arrival, s->sim->now);
	st_time served = occupy(s, r);

	return s->callers.call ? ST_NEVER : served;
}

/* Stands in a worker's hands for the work of a rejection, whose answer has gone already; the next ones below it in those of other services. */
#define NOBODY (UINT32_MAX - s->number)

static __attribute__((noinline)) void spend_on_rejection(struct st_service *s)
{
	s->owed--;
	occupy(s, &(struct st_request){.arrival = s->sim->now, .work = s->cfg->reject_cost, .who = NOBODY});
}

/* The worker that has become free finds something to do: a rejection first, so that rejecting can starve serving. */
static bool next_work(struct st_service *s)
{
	struct st_request r;

	if (s->owed == 0 && s->queue.len > 0 && st_queue_take(&s->queue, &r)) {
		start(s, &r);
		return true;
	}
	if (s->owed == 0) /* what the queue has just dropped is owed too */
		return false;
	spend_on_rejection(s);
	return true;
}

/* Under OCC nobody works: between its read and its write a request waits for two messages, whatever the network needs for them. */
static st_time draw_work(const struct st_service *s, const struct st_call *c)
{
	const struct st_dist *d = &s->cfg->service_time;

	if (s->cfg->kind == ST_SERVICE_OCC)
		return s->callers.round_trip(s->callers.owner, c);
	if (d->fixed >= 0)
		return d->fixed;
	struct st_rng r = st_rng_open(s->random, c->client, c->operation, c->attempt, ST_RNG_SERVICE);
	return st_dist_draw(d, &r);
}

static __attribute__((noinline)) st_time draw_patience(const struct st_service *s, const struct st_call *c)
{
	struct st_rng r = st_rng_open(s->random, c->client, c->operation, c->attempt, ST_RNG_QUEUE);

	return st_dist_draw(&s->cfg->queue.deadline, &r);
}

/* The worker in the slot is free again, and finds something to do; before the request, which is not lost, is answered. */
static inline __attribute__((always_inline)) struct st_serving set_free(struct st_service *s, uint32_t slot)
{
	const struct st_serving r = s->in_service[slot];

	s->idle[s->nidle++] = slot;
	s->busy--;
	st_meter_stay(s->meter, r.arrival, s->sim->now);
	if ((s->queue.len | s->owed) == 0 || s->busy >= s->capacity.startable || !next_work(s)) {
		st_gauge_add(&s->meter->gauge[ST_GAUGE_BUSY], s->sim->now, -1);
		if (s->busy >= s->capacity.in_force) /* a worker that is gone had still this to do */
			st_gauge_add(&s->meter->gauge[ST_GAUGE_WORKERS], s->sim->now, -1);
	}
	return r;
}

/* Whether the slot's request went with a restart, and has been told so: then the slot is idle from now on, and that is all. */
static bool put_away_lost(struct st_service *s, uint32_t slot)
{
	if (s->in_service[slot].order != LOST)
		return false;
	s->idle[s->nidle++] = slot;
	return true;
}

/* Where a worker's end may be something else than an answer. */
static __attribute__((noinline)) void end_otherwise(struct st_service *s, uint32_t slot)
{
	if (put_away_lost(s, slot))
		return;
	if (s->callers.call && s->in_service[slot].who != NOBODY) {
		s->callers.call(s->callers.owner, s, slot);
		return;
	}
	struct st_serving r = set_free(s, slot);

	if (s->cfg->kind == ST_SERVICE_OCC && !st_occ_write(&s->row, slot))
		reply(s, r.who, r.tag, ST_ANSWER_ERROR, st_outcome_status(ST_OCC_LOST));
	else if (r.who != NOBODY)
		reply(s, r.who, r.tag, ST_ANSWER_OK, ST_OUTCOME_OK);
}

void st_service_end(struct st_service *s, uint32_t slot)
{
	if (s->ends_otherwise) {
		end_otherwise(s, slot);
		return;
	}
	struct st_serving r = set_free(s, slot);

	reply(s, r.who, r.tag, ST_ANSWER_OK, ST_OUTCOME_OK);
}

void st_service_called(struct st_service *s, uint32_t slot, bool succeeded)
{
	if (put_away_lost(s, slot))
		return;
	struct st_serving r = set_free(s, slot);

	if (succeeded) {
		reply(s, r.who, r.tag, ST_ANSWER_OK, ST_OUTCOME_OK);
	} else {
		s->meter->counts[r.group].errors++;
		reply(s, r.who, r.tag, ST_ANSWER_ERROR, st_outcome_status((unsigned)s->cfg->calls.status));
	}
}

/* --- faults ---------------------------------------------------------------------------------------------------------- */

static int by_order(const void *a, const void *b)
{
	const struct st_serving *x = a, *y = b;

	return (x->order > y->order) - (x->order < y->order);
}

/* Copies of those in service, in the order in which they started; their slots are theirs until the event that was to end them. */
static struct st_serving *take_all_serving(struct st_service *s, size_t *n)
{
	struct st_serving *all = st_calloc(s->busy, sizeof *all);

	*n = 0;
	for (uint32_t i = 0; i < s->nidle; i++)
		s->in_service[s->idle[i]].order = LOST;
	for (uint32_t i = 0; i < s->nslots; i++) {
		if (s->in_service[i].order == LOST)
			continue;
		all[(*n)++] = s->in_service[i];
		s->in_service[i].order = LOST;
		s->in_service[i].arrival = s->sim->end;
	}
	st_assert(*n == s->busy);
	if (*n > 0)
		qsort(all, *n, sizeof *all, by_order);
	return all;
}

static void lose(struct st_service *s, st_time arrival, uint32_t who, uint32_t tag, uint32_t group)
{
	st_meter_stay(s->meter, arrival, s->sim->now);
	if (who == NOBODY)
		return;
	s->meter->counts[group].lost++;
	s->callers.reply(s->callers.owner, who, tag, ST_ANSWER_RESET, ST_OUTCOME_RESET, false);
}

/* The service is empty now: the connections of those in service are lost, those of the waiting ones, and all others. */
static void lose_all(struct st_service *s)
{
	size_t n;
	struct st_serving *serving = take_all_serving(s, &n);

	st_gauge_add(&s->meter->gauge[ST_GAUGE_BUSY], s->sim->now, -(int64_t)n);
	s->busy = 0;
	s->owed = 0;
	for (size_t i = 0; i < n; i++)
		lose(s, serving[i].arrival, serving[i].who, serving[i].tag, serving[i].group);
	while (s->queue.len > 0) {
		struct st_request r = st_queue_oldest(&s->queue);

		lose(s, r.arrival, r.who, r.tag, r.group);
	}
	free(serving);
	if (s->callers.lost)
		s->callers.lost(s->callers.owner);
}

/* As much as waits and may start now. */
static void start_waiting(struct st_service *s)
{
	while (s->busy < s->capacity.startable && next_work(s))
		st_gauge_add(&s->meter->gauge[ST_GAUGE_BUSY], s->sim->now, 1);
}

/* What is different now that other faults are in force. Services start when all that begins or ends at this instant has. */
static void adapt(struct st_service *s)
{
	st_capacity_adapt(&s->capacity, &s->faults.damage);
	show_workers(s);
	if ((s->queue.len > 0 || s->owed > 0) && s->busy < s->capacity.startable)
		st_sim_put(s->sim, s->sim->now, ST_EVENT_FAULT, 0, s->number << ST_FAULT_BITS | ST_FAULT_SETTLED);
}

static void turn(struct st_service *s, uint32_t fault, bool begins)
{
	bool was_out = s->faults.damage.outages > 0;

	st_faults_turn(&s->faults, fault, begins);
	if (begins && st_faults_loses(&s->faults, fault))
		lose_all(s);
	if (was_out && s->faults.damage.outages == 0)
		st_capacity_chill(&s->capacity, s->sim->now);
	adapt(s);
}

void st_service_fault(struct st_service *s, uint32_t fault, enum st_fault_turn what)
{
	if (what == ST_FAULT_SETTLED)
		start_waiting(s);
	else
		turn(s, fault, what == ST_FAULT_BEGINS);
}

/* --- arrivals ------------------------------------------------------------------------------------------------------- */

/* Whether a fault answers (or swallows) the request. */
static bool strike(struct st_service *s, const struct st_call *c)
{
	struct st_counts *n = &s->meter->counts[c->group];
	const struct st_fault_cfg *f;

	if (s->faults.damage.down || st_faults_strike(&s->faults, c, ST_EFFECT_REFUSE)) {
		n->refused++;
		reply(s, c->who, c->tag, ST_ANSWER_REFUSED, ST_OUTCOME_REFUSED);
		return true;
	}
	if (st_faults_strike(&s->faults, c, ST_EFFECT_BLACKHOLE)) {
		n->swallowed++;
		return true;
	}
	f = st_faults_strike(&s->faults, c, ST_EFFECT_STATUS);
	if (f) {
		n->errors++;
		reply(s, c->who, c->tag, ST_ANSWER_ERROR, f->effect.status);
	}
	return f != NULL;
}

/* It falls over: a restart that no scenario has planned. */
static __attribute__((noinline)) void crash(struct st_service *s)
{
	uint32_t fault = st_faults_crash(&s->faults);

	s->meter->crashes++;
	turn(s, fault, true);
	st_sim_after(s->sim, s->cfg->crash_down, ST_EVENT_FAULT, fault, s->number << ST_FAULT_BITS | ST_FAULT_ENDS);
}

static st_time admit(struct st_service *s, const struct st_call *c)
{
	struct st_request r = {.arrival = s->sim->now, .work = draw_work(s, c), .who = c->who,
	    .tag = c->tag & ((1U << ST_REQUEST_TAG_BITS) - 1), .group = c->group & ((1U << ST_REQUEST_GROUP_BITS) - 1)};
	st_time served = ST_NEVER;

	s->meter->counts[c->group].admitted++;
	if (s->busy < s->capacity.startable) {
		st_gauge_add(&s->meter->gauge[ST_GAUGE_BUSY], s->sim->now, 1);
		served = start(s, &r);
	} else {
		st_time patience = s->cfg->queue.deadline.fixed;

		st_queue_add(&s->queue, &r, patience >= 0 ? patience : draw_patience(s, c));
	}
	if (s->busy + s->queue.len >= s->cfg->crash_at)
		crash(s);
	return served;
}

/* Whether the rate limit or a background error answers the request. */
static __attribute__((noinline)) bool turned_away(struct st_service *s, const struct st_call *c)
{
	struct st_counts *n = &s->meter->counts[c->group];
	st_outcome status;
	enum st_answer answer = st_admission_decide(&s->admission, c, s->sim->now, &status);

	if (answer == ST_ANSWER_OK)
		return false;
	n->limited += answer == ST_ANSWER_LIMITED;
	n->errors += answer == ST_ANSWER_ERROR;
	reply(s, c->who, c->tag, answer, status);
	return true;
}

st_time st_service_arrive(struct st_service *s, const struct st_call *c)
{
	struct st_counts *n = &s->meter->counts[c->group];

	if (c->attempt == 1)
		n->first++;
	else
		n->retries++;
	if (s->faults.damage.strikes > 0 && strike(s, c))
		return ST_NEVER;
	if (s->admission.is_on && turned_away(s, c))
		return ST_NEVER;
	if (s->cfg->abandoned != ST_ABANDONED_SERVE && !s->callers.waits(s->callers.owner, c->who, c->tag)) {
		n->admitted++;
		n->abandoned++;
		return ST_NEVER;
	}
	if (s->busy < s->capacity.startable || st_queue_has_room(&s->queue))
		return admit(s, c);
	answer_overload(s, c->who, c->tag, c->group, true);
	return ST_NEVER;
}

/* --- the end ----------------------------------------------------------------------------------------------------------- */

void st_service_finish(struct st_service *s)
{
	/* A slot is in use unless it is on the stack of idle ones. */
	for (uint32_t i = 0; i < s->nidle; i++)
		s->in_service[s->idle[i]].arrival = s->sim->end;
	for (uint32_t i = 0; i < s->nslots; i++)
		st_meter_stay(s->meter, s->in_service[i].arrival, s->sim->end);
	st_queue_finish(&s->queue);
}

/* --- parameters --------------------------------------------------------------------------------------------------------- */

static const struct st_choice *abandoned_at(size_t i)
{
	static const struct st_choice choices[] = {
	    [ST_ABANDONED_SERVE] = {"serve", "it is served all the same"},
	    [ST_ABANDONED_SKIP] = {"skip", "it is discarded at no cost when its turn comes"},
	    [ST_ABANDONED_LEAVE] = {"leave", "it is discarded at once, and leaves its place to another"},
	};

	return i < sizeof choices / sizeof *choices ? &choices[i] : NULL;
}

static const struct st_choice *kind_at(size_t i)
{
	static const struct st_choice kinds[] = {
	    [ST_SERVICE_POOL] = {"pool", "workers behind a queue"},
	    [ST_SERVICE_OCC] = {"occ", "one row under optimistic concurrency control: an attempt reads its version, then writes it on condition"},
	};

	return i < sizeof kinds / sizeof *kinds ? &kinds[i] : NULL;
}

#define FIELD(f) offsetof(struct st_service_cfg, f)

const struct st_param st_service_params[] = {
    {.name = "kind", .type = &st_param_choice, .offset = FIELD(kind), .dflt = "pool", .choices = kind_at, .tells = true,
        .help = "what answers"},
    {.name = "workers", .type = &st_param_count, .offset = FIELD(workers), .min = 1, .max = 1e9, .kinds = "pool",
        .help = "requests served at the same time"},
    {.name = "service_time", .type = &st_param_dist, .offset = FIELD(service_time), .min = 1e-9, .kinds = "pool",
        .help = "how long a worker takes for a request"},
    {.name = "overload", .type = &st_param_overload, .offset = FIELD(overload), .dflt = "503", .kinds = "pool",
        .help = "what is answered when the queue is full"},
    {.name = "reject_cost", .type = &st_param_time, .offset = FIELD(reject_cost), .dflt = "0s", .kinds = "pool",
        .help = "time that a worker loses on each request answered with an overload status"},
    {.name = "abandoned", .type = &st_param_choice, .offset = FIELD(abandoned), .dflt = "serve", .choices = abandoned_at, .tells = true, .kinds = "pool",
        .help = "what becomes of a waiting request whose client has given up"},
    {.name = "crash.at", .type = &st_param_count, .offset = FIELD(crash_at), .dflt = "off", .word = "off", .min = 1, .max = 1e12,
        .kinds = "pool", .help = "requests in the service, waiting ones too, at which it falls over and loses them all"},
    {.name = "crash.down", .type = &st_param_time, .offset = FIELD(crash_down), .dflt = "10s", .kinds = "pool",
        .help = "how long it refuses everybody then, before it begins empty"},
    {.name = NULL},
};

#undef FIELD
#define FIELD(f) offsetof(struct st_calls_cfg, f)

const struct st_param st_calls_params[] = {
    {.name = "to", .type = &st_param_service_name, .offset = FIELD(to),
        .help = "the service that a request calls when a worker has done its own part; the worker is held until the call ends"},
    {.name = "status", .type = &st_param_count, .offset = FIELD(status), .dflt = "503", .min = 400, .max = 599,
        .help = "the status that a request is answered with when its call has failed, after all retries"},
    {.name = NULL},
};
