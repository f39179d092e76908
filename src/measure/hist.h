#ifndef ST_MEASURE_HIST_H
#define ST_MEASURE_HIST_H
/*
 * hist.h - a histogram of durations, log-linear: 64 buckets an octave.
 *
 * A quantile is the middle of its bucket, so it is within 1/128 (0.8 %) of the true order statistic; below 128 ns it
 * is exact. Count, mean and maximum are exact.
 *
 * Cost     adding O(1), no allocation; 30 KB. Clearing, merging and asking cost only what was touched.
 */
#include <stddef.h>
#include <stdint.h>

#include "base/time.h"

enum { ST_HIST_SUB = 64, ST_HIST_BUCKETS = 64 * 58 /* up to 2^63 - 1 */ };

struct st_hist {
	uint64_t n;
	__int128 sum; /* ns */
	st_time max;
	size_t lowest, highest; /* buckets touched; lowest > highest while empty */
	uint64_t count[ST_HIST_BUCKETS];
};

void st_hist_init(struct st_hist *h);
void st_hist_clear(struct st_hist *h);
void st_hist_merge(struct st_hist *into, const struct st_hist *from);

/* The bucket of a duration t >= 0. */
static inline size_t st_hist_bucket(st_time t)
{
	uint64_t v = (uint64_t)t;

	if (v < 2 * ST_HIST_SUB)
		return (size_t)v;
	int shift = 57 - __builtin_clzll(v); /* leaves v >> shift in [64, 128) */
	return (size_t)shift * ST_HIST_SUB + (size_t)(v >> shift);
}

/* t >= 0 */
static inline void st_hist_add(struct st_hist *h, st_time t)
{
	size_t b = st_hist_bucket(t);

	h->count[b]++;
	h->n++;
	h->sum += t;
	if (t > h->max)
		h->max = t;
	if (b < h->lowest)
		h->lowest = b;
	if (b > h->highest)
		h->highest = b;
}

/*
 * The p-quantile, 0 <= p <= 1: the smallest recorded value such that at least p x n values are not above it (p = 0:
 * the least value), as its bucket's middle, at most the maximum; p = 1 is the maximum, exactly. -1 if empty.
 */
st_time st_hist_quantile(const struct st_hist *h, double p);

/*
 * Of n values in order, the number of the one that is the p-quantile: ceil(p n), but not one more because p is not exactly the
 * decimal that was meant (0.07 x 100 is a little above 7 in doubles). 0 asks for the least value, as 1 does.
 */
uint64_t st_hist_rank(double p, uint64_t n);

/* The greatest value that falls into a bucket. */
st_time st_hist_last(size_t bucket);

/* ns; NAN if empty. */
double st_hist_mean_ns(const struct st_hist *h);

#endif
