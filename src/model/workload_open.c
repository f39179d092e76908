#include <config.h>

#include "model/caller.h"
#include "model/event.h"
#include "model/workload.h"

/* Streams of operations of a whole group: each takes a caller while it is under way. */

static void put_after(struct st_callers *cs, const struct st_group *g, st_time delay)
{
	st_sim_after(cs->sim, delay, ST_EVENT_TIMER, g->index, ST_TIMER_ARRIVAL);
}

/* The random number of the stream's next arrival. */
static struct st_rng draw_arrival(const struct st_callers *cs, const struct st_group *g)
{
	return st_rng_open(cs->random, st_group_entity(g), (uint32_t)g->begun, 0, ST_RNG_ARRIVAL);
}

static void poisson_next(struct st_callers *cs, struct st_group *g)
{
	const struct st_workload_cfg *w = &g->cfg->workload;

	if (!(w->rate_per_s > 0.0) || (w->operations != ST_UNLIMITED && g->begun >= w->operations * g->cfg->count))
		return;
	struct st_rng r = draw_arrival(cs, g);
	st_time gap = st_time_from_ns(st_rng_exponential(&r) * 1e9 / w->rate_per_s);

	put_after(cs, g, st_surge_delay(&w->surge, cs->sim->now, gap));
}

void st_workload_arrival(struct st_callers *cs, struct st_group *g)
{
	struct st_rng r = st_rng_open(cs->random, st_group_entity(g), (uint32_t)g->begun, 0, ST_RNG_CLIENT);
	uint32_t who = st_callers_take(cs, g);
	struct st_caller *c = &cs->caller[who];

	c->client = g->first_client + (uint32_t)st_rng_below(&r, g->cfg->count);
	c->operation = (uint32_t)g->begun++;
	g->workload->seed(cs, g); /* each arrival puts the next one */
	st_caller_begin(cs, who);
}

static void open_ended(struct st_callers *cs, struct st_group *g, uint32_t who, bool succeeded)
{
	(void)succeeded;
	st_callers_give_back(cs, g, who);
}

const struct st_workload_kind st_workload_poisson = {
    {"poisson", "an open loop: operations of the group come at random, whatever becomes of the earlier ones"},
    .seed = poisson_next, .ended = open_ended};
