#include <config.h>

#include "model/workload.h"

#include "model/caller.h"
#include "model/event.h"

/* --- the kinds ---------------------------------------------------------------------------------------------------------- */

static void once_seed(struct st_callers *cs, struct st_group *g)
{
	const struct st_workload_cfg *w = &g->cfg->workload;

	for (uint32_t i = 0; i < g->cfg->count; i++) {
		st_time at = w->at;

		if (w->spread > 0) {
			struct st_rng r = st_rng_open(cs->random, g->first_client + i, 0, 0, ST_RNG_ARRIVAL);

			at += st_time_from_ns((double)w->spread * st_rng_uniform(&r));
		}
		st_sim_put(cs->sim, at, ST_EVENT_TIMER, g->first_caller + i, ST_TIMER_BEGIN);
	}
}

static void once_ended(struct st_callers *cs, struct st_group *g, uint32_t who)
{
	(void)cs;
	(void)g;
	(void)who;
}

/* A thinking client begins with one drawn think time, so that a group does not start as a herd. */
static void think_next(struct st_callers *cs, struct st_group *g, uint32_t who)
{
	struct st_caller *c = &cs->caller[who];

	if (c->operation >= g->cfg->workload.operations)
		return;
	struct st_rng r = st_rng_open(cs->random, c->client, c->operation, 0, ST_RNG_THINK);
	st_time think = st_dist_draw(&g->cfg->workload.think, &r);

	if (think > 0)
		c->at_once = 0;
	st_sim_after(cs->sim, think, ST_EVENT_TIMER, who, ST_TIMER_BEGIN);
}

static void think_ended(struct st_callers *cs, struct st_group *g, uint32_t who)
{
	cs->caller[who].operation++;
	think_next(cs, g, who);
}

static void think_seed(struct st_callers *cs, struct st_group *g)
{
	for (uint32_t i = 0; i < g->cfg->count; i++)
		think_next(cs, g, g->first_caller + i);
}

static void poisson_next(struct st_callers *cs, struct st_group *g)
{
	const struct st_workload_cfg *w = &g->cfg->workload;

	if (!(w->rate_per_s > 0.0) || (w->operations != ST_UNLIMITED && g->begun >= w->operations * g->cfg->count))
		return;
	struct st_rng r = st_rng_open(cs->random, st_group_entity(g), (uint32_t)g->begun, 0, ST_RNG_ARRIVAL);
	st_time gap = st_time_from_ns(st_rng_exponential(&r) * 1e9 / w->rate_per_s);

	st_sim_after(cs->sim, gap, ST_EVENT_TIMER, g->index, ST_TIMER_ARRIVAL);
}

void st_workload_arrival(struct st_callers *cs, struct st_group *g)
{
	struct st_rng r = st_rng_open(cs->random, st_group_entity(g), (uint32_t)g->begun, 0, ST_RNG_CLIENT);
	uint32_t who = st_callers_take(cs, g);
	struct st_caller *c = &cs->caller[who];

	c->client = g->first_client + (uint32_t)st_rng_below(&r, g->cfg->count);
	c->operation = (uint32_t)g->begun++;
	poisson_next(cs, g);
	st_caller_begin(cs, who);
}

static void poisson_ended(struct st_callers *cs, struct st_group *g, uint32_t who)
{
	st_callers_give_back(cs, g, who);
}

static const struct st_workload_kind kinds[] = {
    {{"once", "every client has one operation, at an instant plus a spread"}, true, once_seed, once_ended},
    {{"think", "a closed loop: a client thinks, then has its next operation"}, true, think_seed, think_ended},
    {{"poisson", "an open loop: operations of the group come at random, whatever becomes of the earlier ones"}, false,
        poisson_next, poisson_ended},
};

const struct st_workload_kind *st_workload_kind_at(size_t i)
{
	return i < sizeof kinds / sizeof *kinds ? &kinds[i] : NULL;
}

/* --- parameters --------------------------------------------------------------------------------------------------------- */

static const struct st_choice *kind_choice(size_t i)
{
	const struct st_workload_kind *k = st_workload_kind_at(i);

	return k ? &k->choice : NULL;
}

#define FIELD(f) offsetof(struct st_workload_cfg, f)

const struct st_param st_workload_params[] = {
    {.name = "kind", .type = &st_param_choice, .offset = FIELD(kind), .choices = kind_choice, .tells = true,
        .help = "when clients want something done"},
    {.name = "at", .type = &st_param_time, .offset = FIELD(at), .dflt = "0s", .kinds = "once",
        .help = "the instant that wakes them all"},
    {.name = "spread", .type = &st_param_time, .offset = FIELD(spread), .dflt = "0s", .kinds = "once",
        .help = "each client comes up to this much later, uniformly"},
    {.name = "think", .type = &st_param_dist, .offset = FIELD(think), .kinds = "think",
        .help = "from the end of an operation to the next; a constant keeps all clients in step, 'exponential 30s' spreads "
                "them"},
    {.name = "rate", .type = &st_param_rate, .offset = FIELD(rate_per_s), .max = 1e9, .kinds = "poisson",
        .help = "operations a second of the whole group"},
    {.name = "operations", .type = &st_param_count, .offset = FIELD(operations), .dflt = "unlimited", .min = 1,
        .max = 4e9, .word = "unlimited", .kinds = "think poisson", .help = "operations a client (poisson: on average)"},
    {.name = NULL},
};
