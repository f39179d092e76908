#include <config.h>

#include "model/service.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "model/event.h"

double st_service_capacity_per_s(const struct st_service_cfg *c)
{
	if (c->kind == ST_SERVICE_OCC)
		return (double)NAN;
	return (double)c->workers / st_dist_mean_s(&c->service_time);
}

/* --- the overload answer ---------------------------------------------------------------------------------------------- */

static void answer_overload(struct st_service *s, uint32_t who, uint32_t tag, uint32_t group)
{
	struct st_counts *n = &s->meter->counts[group];

	switch (s->cfg->overload) {
	case ST_OUTCOME_SILENCE:
		n->swallowed++;
		return;
	case ST_OUTCOME_REFUSED:
		n->refused++;
		s->reply(s->owner, who, tag, ST_ANSWER_REFUSED, ST_OUTCOME_REFUSED);
		return;
	default:
		n->rejected++;
		s->owed += s->cfg->reject_cost > 0;
		s->reply(s->owner, who, tag, ST_ANSWER_REJECTED, s->cfg->overload);
	}
}

/* An st_queue_drop. */
static void drop(void *service, const struct st_request *r)
{
	answer_overload(service, r->who, r->tag, r->group);
}

/* --- setting up ------------------------------------------------------------------------------------------------------- */

void st_service_init(struct st_service *s, const struct st_service_cfg *cfg, const struct st_fault_cfg *fault, size_t nfaults,
    struct st_sim *sim, struct st_meter *meter, const struct st_rng_family *random, st_service_reply reply,
    st_queue_waits waits, void *owner)
{
	*s = (struct st_service){.cfg = cfg, .fault = fault, .nfaults = nfaults, .sim = sim, .meter = meter, .random = random,
	    .reply = reply, .owner = owner, .slow = 1.0, .workers = cfg->kind == ST_SERVICE_OCC ? ST_UNLIMITED : cfg->workers,
	    .capacity_per_s = st_service_capacity_per_s(cfg)};
	st_queue_init(&s->queue, &cfg->queue, &(struct st_queue_host){.sim = sim, .meter = meter, .abandoned = cfg->abandoned,
	    .waits = waits, .waits_owner = owner, .drop = drop, .drop_owner = s});
	s->active = st_calloc(nfaults, sizeof *s->active);
	st_gauge_add(&meter->gauge[ST_GAUGE_WORKERS], 0, cfg->kind == ST_SERVICE_OCC ? 0 : (int64_t)cfg->workers);
	for (size_t i = 0; i < nfaults; i++) {
		st_sim_put(sim, fault[i].at, ST_EVENT_FAULT, (uint32_t)i, 1);
		st_sim_put(sim, fault[i].at + fault[i].length, ST_EVENT_FAULT, (uint32_t)i, 0);
	}
}

void st_service_release(struct st_service *s)
{
	free(s->active);
	free(s->in_service);
	free(s->idle);
	st_occ_release(&s->row);
	st_queue_release(&s->queue);
}

/* --- the workers ----------------------------------------------------------------------------------------------------- */

/* This and occupy() are inlined since they are on the way of every request. */
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
	st_time work = s->slow == 1.0 ? r->work : st_time_from_ns((double)r->work * s->slow);

	s->in_service[slot] = *r;
	if (s->cfg->kind == ST_SERVICE_OCC)
		st_occ_read(&s->row, slot);
	s->busy++;
	if (work == 0) /* a service takes at least the clock's grain: time must go on */
		work = 1;
	st_sim_after(s->sim, work, ST_EVENT_SERVED, r->who, slot);
	return s->sim->now + work;
}

static st_time start(struct st_service *s, const struct st_request *r)
{
	struct st_counts *c = &s->meter->counts[r->group];

	c->started++;
	c->queued_first += r->arrival < s->sim->now;
	st_meter_wait(s->meter, r->arrival, s->sim->now);
	return occupy(s, r);
}

/* Stands in a worker's hands for the work of a rejection, whose answer has gone already. */
#define NOBODY UINT32_MAX

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
		return c->round_trip;
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

void st_service_end(struct st_service *s, uint32_t slot)
{
	const struct st_request r = s->in_service[slot];

	s->idle[s->nidle++] = slot;
	s->busy--;
	st_meter_stay(s->meter, r.arrival, s->sim->now);
	if (!next_work(s))
		st_gauge_add(&s->meter->gauge[ST_GAUGE_BUSY], s->sim->now, -1);
	if (s->cfg->kind == ST_SERVICE_OCC && !st_occ_write(&s->row, slot))
		s->reply(s->owner, r.who, r.tag, ST_ANSWER_ERROR, st_outcome_status(ST_OCC_LOST));
	else if (r.who != NOBODY)
		s->reply(s->owner, r.who, r.tag, ST_ANSWER_OK, ST_OUTCOME_OK);
}

/* --- arrivals ------------------------------------------------------------------------------------------------------- */

/* Whether fault i, which is in force, hits this request: its own number, named by the request. */
static bool hits(const struct st_service *s, const struct st_call *c, size_t i)
{
	if (s->fault[i].share >= 1.0)
		return true;
	struct st_rng r = st_rng_open(s->random, c->client, c->operation, c->attempt, ST_RNG_FAULT);
	double u = st_rng_uniform(&r);

	for (size_t j = 0; j < i; j++)
		u = st_rng_uniform(&r);
	return u < s->fault[i].share;
}

/* The fault of this kind that decides about the request, or NULL. */
static const struct st_fault_cfg *struck_by(const struct st_service *s, const struct st_call *c, enum st_effect_kind kind)
{
	for (size_t i = 0; i < s->nfaults; i++)
		if (s->active[i] && s->fault[i].effect.kind == kind && hits(s, c, i))
			return &s->fault[i];
	return NULL;
}

/* Whether a fault answers (or swallows) the request. */
static bool strike(struct st_service *s, const struct st_call *c)
{
	struct st_counts *n = &s->meter->counts[c->group];
	const struct st_fault_cfg *f;

	if (struck_by(s, c, ST_EFFECT_REFUSE)) {
		n->refused++;
		s->reply(s->owner, c->who, c->tag, ST_ANSWER_REFUSED, ST_OUTCOME_REFUSED);
		return true;
	}
	if (struck_by(s, c, ST_EFFECT_BLACKHOLE)) {
		n->swallowed++;
		return true;
	}
	f = struck_by(s, c, ST_EFFECT_STATUS);
	if (f) {
		n->errors++;
		s->reply(s->owner, c->who, c->tag, ST_ANSWER_ERROR, f->effect.status);
	}
	return f != NULL;
}

static st_time admit(struct st_service *s, const struct st_call *c)
{
	struct st_request r = {.arrival = s->sim->now, .work = draw_work(s, c), .who = c->who,
	    .tag = c->tag & ((1U << ST_REQUEST_TAG_BITS) - 1), .group = c->group & ((1U << ST_REQUEST_GROUP_BITS) - 1)};

	s->meter->counts[c->group].admitted++;
	if (s->busy < s->workers) {
		st_gauge_add(&s->meter->gauge[ST_GAUGE_BUSY], s->sim->now, 1);
		return start(s, &r);
	}
	st_time patience = s->cfg->queue.deadline.fixed;

	st_queue_add(&s->queue, &r, patience >= 0 ? patience : draw_patience(s, c));
	return ST_NEVER;
}

st_time st_service_arrive(struct st_service *s, const struct st_call *c)
{
	struct st_counts *n = &s->meter->counts[c->group];

	if (c->attempt == 1)
		n->first++;
	else
		n->retries++;
	if (s->nactive > 0 && strike(s, c))
		return ST_NEVER;
	if (s->cfg->abandoned != ST_ABANDONED_SERVE && !s->queue.host.waits(s->owner, c->who, c->tag)) {
		n->admitted++;
		n->abandoned++;
		return ST_NEVER;
	}
	if (s->busy < s->workers || st_queue_has_room(&s->queue))
		return admit(s, c);
	answer_overload(s, c->who, c->tag, c->group);
	return ST_NEVER;
}

/* --- faults and the end ----------------------------------------------------------------------------------------------- */

void st_service_fault_edge(struct st_service *s, uint32_t fault, bool begins)
{
	s->active[fault] = begins;
	s->nactive += begins ? 1 : (size_t)-1;
	s->slow = 1.0;
	for (size_t i = 0; i < s->nfaults; i++)
		if (s->active[i] && s->fault[i].effect.kind == ST_EFFECT_SLOW)
			s->slow *= s->fault[i].factor;
}

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
    {.name = NULL},
};
