#include <config.h>

#include "evq_valid.h"

#include "engine/evq_parts.h"

/* Count a chain's events, each with from <= key <= to, and in order if `sorted`; SIZE_MAX if one is wrong. */
static size_t count(const struct st_evq_fifo *f, uint64_t from, uint64_t to, bool sorted)
{
	struct st_evq_fifo g = *f;
	size_t n = 0;

	while (g.read != g.end) {
		if (g.read == g.read_stop) {
			g.read = st_evq_chunk_of(g.read_stop)->next->ev;
			g.read_stop = g.read + ST_EVQ_CHUNK_EVENTS;
		}
		if (g.read->key < from || g.read->key > to)
			return SIZE_MAX;
		if (sorted)
			from = g.read->key;
		g.read++;
		n++;
	}
	return g.read_stop == g.end_stop ? n : SIZE_MAX;
}

static bool lanes_valid(const struct st_evq *q, size_t *len)
{
	uint64_t min = UINT64_MAX;

	for (unsigned c = 0; c < ST_EVQ_CLASSES; c++) {
		const struct st_evq_fifo *f = &q->lane[c];
		size_t n = count(f, q->now << ST_EVQ_CLASS_BITS, q->lane_last[c], true);
		if (n == SIZE_MAX || q->lane_head[c] != (n ? f->read->key : UINT64_MAX))
			return false;
		min = st_evq_min(min, q->lane_head[c]);
		*len += n;
	}
	return min == q->lane_min;
}

static bool buckets_valid(const struct st_evq *q, size_t *len)
{
	for (unsigned level = 0; level < ST_EVQ_LEVELS; level++) {
		if ((q->levels >> level & 1) != (q->used[level] != 0))
			return false;
		for (unsigned digit = 0; digit < 64; digit++) {
			uint64_t start = st_evq_bucket_start(q, level, digit),
				 last = start + ((uint64_t)1 << 6 * level) - 1;
			uint64_t from = start > q->limit ? start : q->limit;
			size_t n =
			    count(&q->bucket[level][digit], from > q->low ? from : q->low, last, level == 0);
			if (n == SIZE_MAX || (q->used[level] >> digit & 1) != (n != 0))
				return false;
			if (n && level && digit <= (q->origin >> 6 * level & 63))
				return false; /* what agrees with the origin here belongs to a lower level */
			*len += n;
		}
	}
	return true;
}

bool evq_valid(const struct st_evq *q)
{
	size_t len = q->tail - q->head;

	for (uint32_t i = q->head; i < q->tail; i++)
		if (q->run[i].key >= q->limit || (i > q->head && q->run[i - 1].key > q->run[i].key))
			return false;
	size_t mass = count(&q->mass, q->mass_key, q->mass_key, true);
	if (mass == SIZE_MAX || (mass != 0) != (q->mass_key != UINT64_MAX))
		return false;
	if (mass && (q->limit != q->mass_key + 1 || (len && q->run[q->tail - 1].key >= q->mass_key)))
		return false;
	len += mass;
	return q->origin <= q->now << ST_EVQ_CLASS_BITS && q->origin % ST_EVQ_CLASSES == 0 &&
	       lanes_valid(q, &len) && buckets_valid(q, &len) && len == q->len;
}
