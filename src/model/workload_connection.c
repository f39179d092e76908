#include <config.h>

#include "base/mem.h"
#include "model/caller.h"
#include "model/event.h"
#include "model/workload.h"

/*
 * Clients that keep a connection. Connecting is the operation; between two of them a client is connected, and its caller's
 * fields say since when (begun) and after how many attempts (attempt). The end of a lifetime goes by the number of the operation
 * that will follow: a connection that was lost before its time has a successor with another.
 */

/* The client has a connection now, whose lifetime begins at `from`. */
static void connect(struct st_callers *cs, struct st_group *g, uint32_t who, st_time from)
{
	struct st_caller *c = &cs->caller[who];
	struct st_rng r = st_rng_open(cs->random, c->client, c->operation, 0, ST_RNG_THINK);
	st_time life = st_dist_draw(&g->cfg->workload.lifetime, &r);

	g->connected[who - g->first_caller] = true;
	c->begun = from;
	if (life != ST_NEVER)
		st_sim_put(cs->sim, from + life, ST_EVENT_TIMER, who, ST_TIMER_CLOSE | c->operation << ST_TIMER_BITS);
}

/* The connection is no more; the client opens the next one, if it may. */
static void reconnect(struct st_callers *cs, struct st_group *g, uint32_t who, bool is_lost)
{
	struct st_caller *c = &cs->caller[who];
	st_time enough = g->cfg->retry.backoff.reset;

	g->connected[who - g->first_caller] = false;
	if (c->operation < g->cfg->workload.operations)
		st_caller_begin_again(cs, who, enough == ST_NEVER || cs->sim->now - c->begun >= enough, is_lost);
}

void st_workload_close(struct st_callers *cs, uint32_t who, uint32_t data)
{
	struct st_group *g = st_caller_group(cs, who);

	if (g->connected[who - g->first_caller] && data == (ST_TIMER_CLOSE | cs->caller[who].operation << ST_TIMER_BITS))
		reconnect(cs, g, who, g->cfg->workload.at_end == ST_AT_END_BACKOFF);
}

static void connection_lost(struct st_callers *cs, struct st_group *g)
{
	for (uint32_t i = 0; i < g->cfg->count; i++)
		if (g->connected[i])
			reconnect(cs, g, g->first_caller + i, true);
}

/* A client that gave up stays away. */
static void connection_ended(struct st_callers *cs, struct st_group *g, uint32_t who, bool succeeded)
{
	cs->caller[who].operation++;
	if (succeeded)
		connect(cs, g, who, cs->sim->now);
}

static void connection_seed(struct st_callers *cs, struct st_group *g)
{
	const struct st_workload_cfg *w = &g->cfg->workload;

	g->connected = st_calloc(g->cfg->count, sizeof *g->connected);
	for (uint32_t i = 0; i < g->cfg->count; i++) {
		uint32_t who = g->first_caller + i;
		st_time at = w->at + st_workload_start(g, i) + st_workload_spread(cs, g, i, 0);

		if (w->begin == ST_BEGIN_CONNECT) {
			st_sim_put(cs->sim, at, ST_EVENT_TIMER, who, ST_TIMER_BEGIN);
		} else {
			cs->caller[who].attempt = 1; /* as after a success at once */
			connect(cs, g, who, at);
		}
	}
}

const struct st_workload_kind st_workload_connection = {
    {"connection", "every client keeps a connection: to connect is the operation, and to do so again when it ends or is lost"},
    .closed = true, .seed = connection_seed, .ended = connection_ended, .lost = connection_lost};
