#include <config.h>

#include "model/ring.h"

#include <string.h>

static int64_t *slice_at(const struct st_ring *r, int64_t *site, st_time start)
{
	return site + 1 + (size_t)r->width * (1 + (uint64_t)(start / r->slice) % r->n);
}

void st_ring_clear(const struct st_ring *r, int64_t *site, st_time now)
{
	memset(site, 0, st_ring_words(r) * sizeof *site);
	site[0] = now - now % r->slice;
}

void st_ring_turn(const struct st_ring *r, int64_t *site, st_time now)
{
	if (now - site[0] >= r->slice * (st_time)r->n) {
		st_ring_clear(r, site, now);
		return;
	}
	while (now - site[0] >= r->slice) {
		site[0] += r->slice;
		int64_t *oldest = slice_at(r, site, site[0]);

		for (uint32_t i = 0; i < r->width; i++) {
			site[1 + i] -= oldest[i];
			oldest[i] = 0;
		}
	}
}

void st_ring_add(const struct st_ring *r, int64_t *site, st_time now, uint32_t which, int64_t x)
{
	st_ring_sums(r, site, now);
	site[1 + which] += x;
	slice_at(r, site, site[0])[which] += x;
}
