#include <config.h>

#include "twin_run.h"

#include <math.h>
#include <string.h>

/* What is broken, asked by the clock; and what is lost as a service goes down. */

static bool holds(const struct run *r, const struct st_fault_cfg *f)
{
	return f->at <= r->now && r->now < f->at + f->length;
}

/* Without a name it is of the first service. */
static bool is_of(const struct server *s, const struct st_fault_cfg *f)
{
	return f->service ? strcmp(f->service, s->cfg->name) == 0 : s->number == 0;
}

/* The i-th fault, if it is one of this kind, of this service, and in force now; else NULL. */
static const struct st_fault_cfg *holding(const struct run *r, const struct server *s, size_t i, enum st_effect_kind kind)
{
	const struct st_fault_cfg *f = &r->c->fault[i];

	return f->effect.kind == kind && is_of(s, f) && holds(r, f) ? f : NULL;
}

/* The i-th fault, which has the i-th number of its stream. */
static bool hits(const struct run *r, size_t i, const struct attempt *a, bool is_back)
{
	const struct st_fault_cfg *f = &r->c->fault[i];
	struct st_rng x = f->of == ST_FAULT_OF_CLIENTS ? st_rng_open(&r->random, whose(a), 0, 0, ST_RNG_FAULT) : named(r, a, is_back, ST_RNG_FAULT);
	double u = 0;

	for (size_t k = 0; k <= i; k++)
		u = st_rng_uniform(&x);
	return u < f->share && (!f->group || strcmp(f->group, a->op->group->cfg->name) == 0);
}

const struct st_fault_cfg *fault(const struct run *r, const struct attempt *a, enum st_effect_kind kind)
{
	for (size_t i = 0; i < r->c->nfaults; i++)
		if (holding(r, a->op->group->server, i, kind) && hits(r, i, a, false))
			return &r->c->fault[i];
	return NULL;
}

bool is_any(const struct run *r, const struct server *s, enum st_effect_kind kind)
{
	for (size_t i = 0; i < r->c->nfaults; i++)
		if (holding(r, s, i, kind))
			return true;
	return false;
}

/* What the faults make of a leg that begins now. */
st_time detour(const struct run *r, const struct attempt *a, bool is_back)
{
	st_time t = 0;

	for (size_t i = 0; i < r->c->nfaults; i++)
		if (holding(r, a->op->group->server, i, ST_EFFECT_DELAY) && hits(r, i, a, is_back))
			t += r->c->fault[i].delay;
	return t;
}

/* --- how many may work, and how fast */

bool is_down(const struct run *r, const struct server *s)
{
	return is_any(r, s, ST_EFFECT_RESTART) || r->now < s->down_until;
}

size_t in_force(const struct run *r, const struct server *s)
{
	double share = 0, gone = 0, workers = (double)s->cfg->workers;
	const struct st_fault_cfg *f;

	for (size_t i = 0; i < r->c->nfaults; i++) {
		if (!(f = holding(r, s, i, ST_EFFECT_WORKERS)))
			continue;
		share += f->gone.share;
		gone += (double)f->gone.count;
	}
	gone += floor(share * workers + 0.5);
	return is_down(r, s) || gone > workers ? 0 : (size_t)(workers - gone);
}

/* How many times as long a service takes that starts now. */
double slowed(const struct run *r, const struct server *s)
{
	double times = 1.0;

	for (size_t i = 0; i < r->c->nfaults; i++)
		if (holding(r, s, i, ST_EFFECT_SLOW))
			times *= r->c->fault[i].factor;
	return times;
}

/* --- it goes down and comes back */

static void lose(struct run *r, struct attempt *a)
{
	a->lost = true;
	if (!a->op)
		return;
	counts(a)->lost++;
	answer(r, a, ST_ANSWER_RESET, ST_OUTCOME_RESET);
}

static void go_down(struct run *r, struct server *s)
{
	s->owed = 0;
	while (s->busy > 0) {
		struct attempt *a = s->serving[0];

		stops_work(r, s, 0);
		lose(r, a);
	}
	while (s->waiting > 0) {
		struct attempt *a = s->queue[0];

		leaves_queue(r, s, a);
		lose(r, a);
	}
	if (s->number == 0)
		connections_are_lost(r);
}

static bool is_outage(const struct st_fault_cfg *f)
{
	enum st_effect_kind kind = f->effect.kind;

	return kind == ST_EFFECT_RESTART ||
	    ((kind == ST_EFFECT_STATUS || kind == ST_EFFECT_REFUSE || kind == ST_EFFECT_BLACKHOLE) && f->share >= 1 && !f->group);
}

static void outage_ends(struct run *r, struct server *s)
{
	if (r->now < s->down_until)
		return;
	for (size_t i = 0; i < r->c->nfaults; i++)
		if (is_of(s, &r->c->fault[i]) && holds(r, &r->c->fault[i]) && is_outage(&r->c->fault[i]))
			return;
	s->cold_at = r->now;
}

/* One more than the scenario's stands for the crash. */
void crash(struct run *r, struct server *s)
{
	s->told->crashes++;
	s->down_until = r->now + s->cfg->crash_down;
	go_down(r, s);
	plan(r, s->cfg->crash_down, (struct event){.class = FAULT_ENDS, .server = s, .fault = r->c->nfaults});
}

void fault_begins(struct run *r, struct server *s, size_t fault)
{
	if (r->c->fault[fault].effect.kind == ST_EFFECT_RESTART)
		go_down(r, s);
	plan(r, 0, (struct event){.class = ALL_IS_SETTLED, .server = s});
}

void fault_ends(struct run *r, struct server *s, size_t fault)
{
	if (fault == r->c->nfaults || is_outage(&r->c->fault[fault]))
		outage_ends(r, s);
	plan(r, 0, (struct event){.class = ALL_IS_SETTLED, .server = s});
}

/* Service by service. */
void plan_faults(struct run *r)
{
	for (size_t k = 0; k < r->t->nservices; k++)
		for (size_t i = 0; i < r->c->nfaults; i++) {
			const struct st_fault_cfg *f = &r->c->fault[i];

			if (!is_of(&r->server[k], f))
				continue;
			plan(r, f->at, (struct event){.class = FAULT_BEGINS, .server = &r->server[k], .fault = i});
			plan(r, f->at + f->length, (struct event){.class = FAULT_ENDS, .server = &r->server[k], .fault = i});
		}
}
