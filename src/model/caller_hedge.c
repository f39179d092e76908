#include <config.h>

#include "model/caller_step.h"
#include "model/event.h"

/*
 * The plain caller has one attempt at a time, and its tag says whether an event is about it. Of a hedging group any of those under
 * way is made the present one first; if it is over, the caller stands at the one that is to come, whose tag nobody has.
 */
void st_caller_find(struct st_callers *cs, uint32_t who, uint32_t tag, uint32_t mask, bool ends)
{
	struct st_caller *c = &cs->caller[who];
	struct st_flight *f;

	if (!st_caller_group(cs, who)->hedges)
		return;
	f = st_flights_find(&cs->flights, who, tag, mask);
	if (!f) {
		c->tag = cs->flights.of[who].tags;
		return;
	}
	c->tag = f->tag;
	c->attempt = f->attempt;
	c->era = f->era;
	if (cs->hint)
		cs->hint[who] = f->hint;
	if (ends)
		st_flights_end(&cs->flights, who, f);
}

void st_caller_turn_to_last(struct st_callers *cs, uint32_t who)
{
	cs->caller[who].attempt = cs->flights.of[who].attempts;
}

void st_caller_begin_flight(struct st_callers *cs, struct st_group *g, uint32_t who)
{
	struct st_caller *c = &cs->caller[who];
	struct st_flight *f = st_flights_begin(&cs->flights, who, c->attempt, cs->sim->now);

	f->era = c->era;
	c->tag = f->tag;
	if (c->attempt < g->retry.cfg.attempts)
		st_sim_after(cs->sim, st_hedge_delay(&g->retry.hedge), ST_EVENT_HEDGE, who, f->tag);
}

void st_caller_leave_behind(struct st_callers *cs, struct st_group *g, uint32_t who)
{
	const struct st_caller *c = &cs->caller[who];
	struct st_flight *f;

	while ((f = st_flights_any(&cs->flights, who)) != NULL) {
		st_retry_outrun(&g->retry, c->client - g->first_client,
		    &(struct st_budget_news){.now = cs->sim->now, .attempt = f->attempt}, f->era);
		g->counts->outrun++;
		g->meter->in_flight--;
		st_flights_end(&cs->flights, who, f);
	}
}

void st_caller_land(struct st_callers *cs, struct st_group *g, uint32_t who)
{
	st_hedge_saw(&g->retry.hedge, cs->sim->now - cs->flights.of[who].since);
	st_caller_leave_behind(cs, g, who);
	st_caller_turn_to_last(cs, who);
}

bool st_caller_is_hedge_due(const struct st_callers *cs, const struct st_group *g, uint32_t who, uint32_t tag)
{
	const struct st_airspace *a = &cs->flights.of[who];

	return tag == a->tags - 1 && a->n > 0 && a->n < g->cfg->retry.hedge.in_flight &&
	    (g->cfg->deadline == ST_NEVER || cs->sim->now - cs->caller[who].begun < g->cfg->deadline);
}
