#ifndef ST_MODEL_SURGE_H
#define ST_MODEL_SURGE_H
/*
 * surge.h - a stretch of time in which demand is `factor` times what it is otherwise.
 *
 * Within [at, at + for) a group's own clock runs `factor` times as fast: the gaps of a stream and the think times of clients
 * pass on that clock, also those that began before. So the rate of a stream is exactly `factor` times its own, from the
 * first instant to the last; with factor 0 it stands still.
 */
#include "base/time.h"

struct st_surge_cfg {
	st_time at, length; /* length 0: none */
	double factor;
};

/* Internal to st_surge_delay(): where there is a surge. */
st_time st_surge_bent(const struct st_surge_cfg *s, st_time now, st_time amount);

/* How long from `now` until the group's clock has gone on by `amount`; ST_TIME_MAX if that is beyond it. Within 1 ns. */
static inline st_time st_surge_delay(const struct st_surge_cfg *s, st_time now, st_time amount)
{
	return s->length == 0 ? amount : st_surge_bent(s, now, amount);
}

/* By how much the group's clock goes on in [from, to), ns. */
double st_surge_amount(const struct st_surge_cfg *s, st_time from, st_time to);

#endif
