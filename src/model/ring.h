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

/* Per call site: the start of the present slice, which one it is, the window's sums, then the slices. */
enum { ST_RING_START, ST_RING_AT, ST_RING_SUMS };

/* How many int64_t a call site needs. */
static inline size_t st_ring_words(const struct st_ring *r)
{
	return ST_RING_SUMS + (size_t)r->width * (r->n + 1);
}

/* A window of `span` in n slices of `width` sums each. */
static inline struct st_ring st_ring_of(st_time span, uint32_t n, uint32_t width)
{
	return (struct st_ring){span / n > 0 ? span / n : 1, n, width};
}

/* Internal: the present slice is over. */
void st_ring_turn(const struct st_ring *r, int64_t *site, st_time now);

/* The window's sums now. */
static inline const int64_t *st_ring_sums(const struct st_ring *r, int64_t *site, st_time now)
{
	if (now - site[ST_RING_START] >= r->slice)
		st_ring_turn(r, site, now);
	return site + ST_RING_SUMS;
}

/* Internal: the sums of the present slice. */
static inline int64_t *st_ring_present(const struct st_ring *r, int64_t *site)
{
	return site + ST_RING_SUMS + (size_t)r->width * (1 + (size_t)site[ST_RING_AT]);
}

/* Add to one sum of the present slice. */
static inline void st_ring_add(const struct st_ring *r, int64_t *site, st_time now, uint32_t which, int64_t x)
{
	st_ring_sums(r, site, now);
	site[ST_RING_SUMS + which] += x;
	st_ring_present(r, site)[which] += x;
}

/* Forget all. */
void st_ring_clear(const struct st_ring *r, int64_t *site, st_time now);

#endif
