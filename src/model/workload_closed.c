#include <config.h>

#include "model/caller.h"
#include "model/event.h"
#include "model/workload.h"

/* Clients that have one operation at a time: each is a caller for good. */

/* --- once ------------------------------------------------------------------------------------------------------------- */

static void once_seed(struct st_callers *cs, struct st_group *g)
{
	const struct st_workload_cfg *w = &g->cfg->workload;

	for (uint32_t i = 0; i < g->cfg->count; i++)
		st_sim_put(cs->sim, w->at + st_workload_start(g, i) + st_workload_spread(cs, g, i, 0), ST_EVENT_TIMER,
		    g->first_caller + i, ST_TIMER_BEGIN);
}

static void once_ended(struct st_callers *cs, struct st_group *g, uint32_t who, bool succeeded)
{
	(void)cs;
	(void)g;
	(void)who;
	(void)succeeded;
}

/* --- think ------------------------------------------------------------------------------------------------------------ */

/* A thinking client begins with one drawn think time, so that a group does not start as a herd. */
static void think_next(struct st_callers *cs, struct st_group *g, uint32_t who, st_time start)
{
	const struct st_workload_cfg *w = &g->cfg->workload;
	struct st_caller *c = &cs->caller[who];

	if (c->operation >= w->operations)
		return;
	struct st_rng r = st_rng_open(cs->random, c->client, c->operation, 0, ST_RNG_THINK);
	st_time delay = start - cs->sim->now + st_surge_delay(&w->surge, start, st_dist_draw(&w->think, &r));

	if (delay > 0)
		c->at_once = 0;
	st_sim_after(cs->sim, delay, ST_EVENT_TIMER, who, ST_TIMER_BEGIN);
}

static void think_ended(struct st_callers *cs, struct st_group *g, uint32_t who, bool succeeded)
{
	(void)succeeded;
	cs->caller[who].operation++;
	think_next(cs, g, who, cs->sim->now);
}

static void think_seed(struct st_callers *cs, struct st_group *g)
{
	for (uint32_t i = 0; i < g->cfg->count; i++)
		think_next(cs, g, g->first_caller + i, st_workload_start(g, i));
}

/* --- periodic --------------------------------------------------------------------------------------------------------- */

static st_time tick(const struct st_callers *cs, const struct st_group *g, const struct st_caller *c, uint64_t n)
{
	const struct st_workload_cfg *w = &g->cfg->workload;
	uint32_t client = c->client - g->first_client;

	return w->offset + st_workload_start(g, client) + (st_time)n * w->period +
	    st_workload_spread(cs, g, client, w->redraw == ST_REDRAW_TICK ? (uint32_t)n : 0);
}

/*
 * The next tick that is not in the past, the n-th or a later one: those that came while the client was still at an
 * operation are let pass. An operation has its tick's number, so it meets the same luck whatever became of those before.
 */
static void periodic_next(struct st_callers *cs, struct st_group *g, uint32_t who, uint64_t n)
{
	const struct st_workload_cfg *w = &g->cfg->workload;
	struct st_caller *c = &cs->caller[who];
	st_time now = cs->sim->now;
	st_time gone = now - w->spread - w->offset - st_workload_start(g, c->client - g->first_client);

	if (gone / w->period > (st_time)n)
		n = (uint64_t)(gone / w->period);
	st_time at = tick(cs, g, c, n);
	while (at < now)
		at = tick(cs, g, c, ++n);
	if (n >= w->operations)
		return;
	c->operation = (uint32_t)n;
	if (at > now)
		c->at_once = 0;
	st_sim_put(cs->sim, at, ST_EVENT_TIMER, who, ST_TIMER_BEGIN);
}

static void periodic_ended(struct st_callers *cs, struct st_group *g, uint32_t who, bool succeeded)
{
	(void)succeeded;
	periodic_next(cs, g, who, (uint64_t)cs->caller[who].operation + 1);
}

static void periodic_seed(struct st_callers *cs, struct st_group *g)
{
	for (uint32_t i = 0; i < g->cfg->count; i++)
		periodic_next(cs, g, g->first_caller + i, 0);
}

static const char *periodic_wrong(const struct st_workload_cfg *w, st_time duration, const char **key)
{
	*key = "spread";
	if (w->spread > w->period)
		return "must not be longer than the period";
	*key = "period";
	return duration / w->period > 4000000000 ? "makes more than 4 billion ticks of this duration" : NULL;
}

/* --- the rows --------------------------------------------------------------------------------------------------------- */

const struct st_workload_kind st_workload_once = {{"once", "every client has one operation, at an instant plus a spread"},
    .closed = true, .seed = once_seed, .ended = once_ended};

const struct st_workload_kind st_workload_think = {{"think", "a closed loop: a client thinks, then has its next operation"},
    .closed = true, .seed = think_seed, .ended = think_ended};

const struct st_workload_kind st_workload_periodic = {
    {"periodic", "every client has one operation at each tick of its clock, as cron jobs and monitors do"},
    .closed = true, .seed = periodic_seed, .ended = periodic_ended, .wrong = periodic_wrong};
