#ifndef ST_MODEL_RING_H
#define ST_MODEL_RING_H
/*
 * ring.h - sums over a moving window of time, kept as a ring of slices.
 *
 * A window of `span` is the present slice and the n - 1 before it, each span / n long and aligned to multiples of that, as
 * the libraries do it: it covers between (n - 1) / n of the span and the whole of it. A slice holds `width` sums.
 * What a call site needs is so many int64_t, all zero at time 0; they are the caller's.
 *
 * Cost     O(1), and O(n) once a slice at most.
 */
#include <stddef.h>
#include <stdint.h>

#include "base/time.h"

struct st_ring {
	st_time slice;
	uint32_t n, width;
};

/* Per call site: the start of the present slice, the window's sums, then the slices. */
static inline size_t st_ring_words(const struct st_ring *r)
{
	return 1 + (size_t)r->width * (r->n + 1);
}

static inline struct st_ring st_ring_of(st_time span, uint32_t n, uint32_t width)
{
	return (struct st_ring){span / n > 0 ? span / n : 1, n, width};
}

/* Internal: the present slice is over. */
void st_ring_turn(const struct st_ring *r, int64_t *site, st_time now);

/* The window's sums now. */
static inline const int64_t *st_ring_sums(const struct st_ring *r, int64_t *site, st_time now)
{
	if (now - site[0] >= r->slice)
		st_ring_turn(r, site, now);
	return site + 1;
}

/* Add to one sum of the present slice. */
void st_ring_add(const struct st_ring *r, int64_t *site, st_time now, uint32_t which, int64_t x);

/* Forget all. */
void st_ring_clear(const struct st_ring *r, int64_t *site, st_time now);

#endif
