#ifndef ST_MODEL_HEDGE_H
#define ST_MODEL_HEDGE_H
/*
 * hedge.h - when a second attempt is sent beside one that is slow to be answered, and which attempts are then under way.
 *
 * The delay is fixed, or a quantile of what the group has seen: of its successes, the time from the send before which nothing
 * of the operation was under way to the first good answer. What is hedged takes longer than the delay, so hedging does not move
 * the quantile that it is based on.
 *
 * Cost     nothing where it is off. Else 24 bytes a caller and 24 for each of its `in_flight`; a quantile 30 KB a group,
 *          O(1) a success.
 */
#include "base/param.h"
#include "measure/hist.h"

/* A duration or, if quantile > 0, that of the latencies; ST_NEVER: off. */
struct st_hedge_after {
	st_time delay;
	double quantile;
};

struct st_hedge_cfg {
	struct st_hedge_after after;
	uint64_t in_flight; /* attempts at a time, with the first */
	uint64_t min_seen;  /* with fewer successes seen a quantile is not known */
};

extern const struct st_param st_hedge_params[];

static inline bool st_hedge_is_on(const struct st_hedge_cfg *c)
{
	return c->after.quantile > 0.0 || c->after.delay != ST_NEVER;
}

/* --- when ------------------------------------------------------------------------------------------------------------- */

/* A policy made ready for one group. */
struct st_hedge {
	struct st_hedge_cfg cfg;
	struct st_hist *seen; /* NULL unless a quantile is asked for */
	size_t bucket;        /* of seen: where the quantile lies */
	uint64_t below;       /* so many lie in the buckets before it */
};

void st_hedge_init(struct st_hedge *h, const struct st_hedge_cfg *cfg);
void st_hedge_release(struct st_hedge *h);

/*
 * How long after a send the next attempt goes out beside it; ST_NEVER while a quantile is not known. A quantile is the end of
 * its histogram's bucket, so at most 1.6 % too long, and what always takes the same time is never hedged.
 */
st_time st_hedge_delay(const struct st_hedge *h);

/* A success came so long after the send that began it. */
void st_hedge_saw(struct st_hedge *h, st_time latency);

/* --- attempts under way ------------------------------------------------------------------------------------------------- */

struct st_flight {
	st_time hint;         /* on its answer, once that is decided */
	uint32_t tag, attempt;
	uint8_t era;          /* the breaker's */
};

/* Those of one caller. */
struct st_airspace {
	st_time since;        /* the send before which nothing was under way */
	uint32_t n;           /* under way */
	uint32_t attempts;    /* of the present operation, sent so far */
	uint32_t tags;        /* sent by the caller so far: the next one's tag */
};

/* Those of all callers; all zero, with no place, where no group hedges. */
struct st_flights {
	struct st_airspace *of;   /* one a caller */
	struct st_flight *flight; /* `width` a caller */
	size_t n, of_cap, flight_cap, width;
};

/* Room for so many callers; new ones have nothing under way. */
void st_flights_make_room(struct st_flights *f, size_t callers);
void st_flights_release(struct st_flights *f);

/* An attempt is sent now; returns what is kept of it, with its tag. */
struct st_flight *st_flights_begin(struct st_flights *f, uint32_t who, uint32_t attempt, st_time now);

/* The caller's attempt whose tag has these bits of `mask`, or NULL: it is over. */
struct st_flight *st_flights_find(const struct st_flights *f, uint32_t who, uint32_t tag, uint32_t mask);

/* An attempt that is under way is over. */
void st_flights_end(struct st_flights *f, uint32_t who, struct st_flight *flight);

/* Any attempt of the caller that is under way, or NULL. */
static inline struct st_flight *st_flights_any(const struct st_flights *f, uint32_t who)
{
	return f->of[who].n > 0 ? &f->flight[who * f->width] : NULL;
}

#endif
