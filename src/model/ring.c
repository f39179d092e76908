#include <config.h>

#include "model/ring.h"

#include <string.h>

void st_ring_clear(const struct st_ring *r, int64_t *site, st_time now)
{
	memset(site, 0, st_ring_words(r) * sizeof *site);
	site[ST_RING_START] = now - now % r->slice;
}

/* The oldest slice's place is that of the new one. */
static void turn_once(const struct st_ring *r, int64_t *site)
{
	int64_t *sums = site + ST_RING_SUMS;

	site[ST_RING_START] += r->slice;
	site[ST_RING_AT] = site[ST_RING_AT] + 1 < r->n ? site[ST_RING_AT] + 1 : 0;
	int64_t *oldest = st_ring_present(r, site);

	for (uint32_t i = 0; i < r->width; i++) {
		sums[i] -= oldest[i];
		oldest[i] = 0;
	}
}

void st_ring_turn(const struct st_ring *r, int64_t *site, st_time now)
{
	if (now - site[ST_RING_START] >= r->slice * (st_time)r->n) {
		st_ring_clear(r, site, now);
		return;
	}
	while (now - site[ST_RING_START] >= r->slice)
		turn_once(r, site);
}
