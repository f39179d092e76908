#include <config.h>

#include "model/caller.h"
#include "model/event.h"
#include "model/workload.h"

/* The calls of a service: an operation each time one of its workers has done its own part, for which the worker waits. */

static void none(struct st_callers *cs, struct st_group *g)
{
	(void)cs;
	(void)g;
}

static void call_ended(struct st_callers *cs, struct st_group *g, uint32_t who, bool succeeded)
{
	uint32_t slot = cs->slot[who];

	st_callers_give_back(cs, g, who);
	st_service_called(g->holder, slot, succeeded);
}

static struct st_group *calls_of(struct st_callers *cs, const struct st_service *s)
{
	struct st_group *g = cs->group;

	while (g->holder != s)
		g++;
	return g;
}

/* The random numbers of an operation are named by a draw of the request that it is for: so they do not hang on the others. */
static uint32_t draw_name(struct st_callers *cs, const struct st_serving *r)
{
	const struct st_caller *c = &cs->caller[r->who];
	bool is_present = st_caller_waits(cs, r->who, r->tag);

	st_caller_turn_to(cs, r->who, r->tag);
	struct st_rng name = is_present ? st_rng_open(cs->random, c->client, c->operation, c->attempt, ST_RNG_CALL)
					: st_rng_open(cs->random, st_caller_late(cs, r->who), UINT32_MAX - r->tag, 0, ST_RNG_CALL);

	return st_rng_u32(&name);
}

void st_callers_call(void *callers, struct st_service *s, uint32_t slot)
{
	struct st_callers *cs = callers;
	struct st_group *g = calls_of(cs, s);
	uint32_t name = draw_name(cs, &s->in_service[slot]), who = st_callers_take(cs, g);

	cs->caller[who].client = g->first_client;
	cs->caller[who].operation = name;
	cs->slot[who] = slot;
	st_sim_after(cs->sim, 0, ST_EVENT_TIMER, who, ST_TIMER_BEGIN);
}

const struct st_workload_kind st_workload_calls = {
    {"calls", "a call for each request that a worker has done its own part for"},
    .seed = none, .ended = call_ended};
