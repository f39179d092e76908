#include <config.h>

#include "model/caller_step.h"

void st_caller_write_hint(struct st_callers *cs, uint32_t who, st_outcome outcome)
{
	struct st_service *s = st_caller_group(cs, who)->service;
	const struct st_hint_cfg *h = &s->cfg->hint;
	const struct st_hint_state state = st_service_hint_state(s);
	struct st_rng r = st_caller_draw(cs, &cs->caller[who], ST_RNG_SPREAD);

	if (!st_hint_goes_with(h, outcome))
		return;
	cs->hint[who] = st_hint_write(h, &state, &r);
	if (st_caller_group(cs, who)->hedges)
		st_flights_find(&cs->flights, who, cs->caller[who].tag, ST_CALLER_TAG_MASK)->hint = cs->hint[who];
}

/* As the client reads it. */
static st_time read_hint(const struct st_callers *cs, const struct st_group *g, uint32_t who)
{
	const struct st_hint_cfg *h = &g->service->cfg->hint;
	const struct st_dist *clock = &g->cfg->clock_skew;
	st_time skew = 0;

	if (st_hint_is_constant(h))
		return g->constant_hint;
	if (clock->fixed != 0 && st_hint_is_dated(h)) {
		struct st_rng r = st_rng_open(cs->random, cs->caller[who].client, 0, 0, ST_RNG_CLOCK);

		skew = st_hint_draw_skew(clock, &r);
	}
	return st_hint_read(h, cs->hint[who], cs->sim->now, skew);
}

st_time st_caller_obeyed_hint(const struct st_callers *cs, const struct st_group *g, uint32_t who, st_outcome outcome)
{
	const struct st_caller *c = &cs->caller[who];
	double share = g->cfg->retry.hint.obey;
	st_time hint = ST_HINT_NONE;

	if (st_hint_goes_with(&g->service->cfg->hint, outcome))
		hint = read_hint(cs, g, who);

	if (share >= 1.0 || (hint == ST_HINT_NONE && !st_hint_is_required(&g->cfg->retry.hint)))
		return hint;
	struct st_rng r = st_rng_open(cs->random, c->client, 0, 0, ST_RNG_OBEY);
	return st_rng_uniform(&r) < share ? hint : ST_HINT_UNHEARD;
}
