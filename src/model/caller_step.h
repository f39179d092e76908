#ifndef ST_MODEL_CALLER_STEP_H
#define ST_MODEL_CALLER_STEP_H
/*
 * caller_step.h - what the steps of a caller share: the files caller, callers, caller_hedge and caller_hint, and nobody else.
 *
 * Cost     O(1), and no allocation, for each; what only hedging groups need is kept apart from the plain path, which pays a test.
 */
#include "model/caller.h"

/* The present tag as requests and answers have it. */
static inline uint32_t st_caller_low_tag(const struct st_caller *c)
{
	return c->tag & ST_CALLER_TAG_MASK;
}

static inline void st_caller_gauge(const struct st_callers *cs, const struct st_group *g, enum st_gauge_name name, int64_t change)
{
	st_gauge_add(&g->meter->gauge[name], cs->sim->now, change);
}

/* Internal to st_caller_show(). */
__attribute__((cold)) void st_caller_tell_witness(const struct st_callers *cs, const struct st_caller *c, struct st_sight *s);

/* A step of the caller's present attempt, of which s has what the caller does not know. */
static inline void st_caller_show(const struct st_callers *cs, const struct st_caller *c, struct st_sight s)
{
	if (__builtin_expect(cs->witness != NULL, 0))
		st_caller_tell_witness(cs, c, &s);
}

/* The random numbers of the present attempt for this purpose; and a delay drawn of them. */
static inline struct st_rng st_caller_draw(const struct st_callers *cs, const struct st_caller *c, enum st_purpose purpose)
{
	return st_rng_open(cs->random, c->client, c->operation, c->attempt, purpose);
}

static inline st_time st_caller_draw_delay(const struct st_callers *cs, const struct st_caller *c, const struct st_dist *d,
    enum st_purpose purpose)
{
	if (d->fixed >= 0)
		return d->fixed;
	struct st_rng r = st_caller_draw(cs, c, purpose);
	return st_dist_draw(d, &r);
}

/* The next wait is the first of its kind. */
static inline void st_caller_begin_backoff(struct st_callers *cs, const struct st_group *g, uint32_t who)
{
	if (cs->previous)
		cs->previous[who] = st_backoff_first(&g->retry.backoff);
	if (cs->restarted)
		cs->restarted[who] = 0;
}

/* --- caller_hint: at the present attempt's answer ---------------------------------------------------------------------- */

/* The server writes the hint on it. */
void st_caller_write_hint(struct st_callers *cs, uint32_t who, st_outcome outcome);

/* The hint on it (or its absence), as far as this client listens to hints. */
st_time st_caller_obeyed_hint(const struct st_callers *cs, const struct st_group *g, uint32_t who, st_outcome outcome);

/* --- caller_hedge: several attempts under way, of hedging groups ------------------------------------------------------- */

/* The caller stands at the last attempt sent, whichever it was at. */
void st_caller_turn_to_last(struct st_callers *cs, uint32_t who);

/* An attempt is sent beside what is under way; when its delay is over st_caller_hedge() asks whether another one is to go. */
void st_caller_begin_flight(struct st_callers *cs, struct st_group *g, uint32_t who);

/* What is still under way for an operation that ends is not waited for. */
void st_caller_leave_behind(struct st_callers *cs, struct st_group *g, uint32_t who);

/* An operation succeeds: the attempt that was answered counts for its budget, all for the operation. */
void st_caller_land(struct st_callers *cs, struct st_group *g, uint32_t who);

/* Whether the attempt named is the last one sent, something is still under way, there is a place beside it, and time. */
bool st_caller_is_hedge_due(const struct st_callers *cs, const struct st_group *g, uint32_t who, uint32_t tag);

#endif
