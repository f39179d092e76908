#include <config.h>

#include "engine/evq_parts.h"

#include <stdlib.h>

#include "base/mem.h"

/* All FIFOs of the queue are chains of chunks from one pool, the chunk freed last used first. */

/* Chunks in the first slab, and in the largest: slabs double, so that small queues are small and large ones few. */
#define SLAB_FIRST 16
#define SLAB_MOST  8192

struct st_evq_slab {
	struct st_evq_slab *next;
	size_t chunks;
};

static void new_slab(struct st_evq *q)
{
	size_t chunks = q->slabs ? q->slabs->chunks * 2 : SLAB_FIRST;

	if (chunks > SLAB_MOST)
		chunks = SLAB_MOST;
	struct st_evq_slab *slab = st_malloc_huge(sizeof *slab + 63 + chunks * sizeof(struct st_evq_chunk));
	slab->next = q->slabs;
	slab->chunks = chunks;
	q->slabs = slab;
	q->fresh = (struct st_evq_chunk *)(((uintptr_t)(slab + 1) + 63) & ~(uintptr_t)63);
	q->fresh_end = q->fresh + chunks;
}

static struct st_evq_chunk *get_chunk(struct st_evq *q)
{
	struct st_evq_chunk *c = q->free;

	if (c) {
		q->free = c->next;
		return c;
	}
	if (q->fresh == q->fresh_end)
		new_slab(q);
	return q->fresh++;
}

void st_evq_extend(struct st_evq *q, struct st_evq_fifo *f)
{
	struct st_evq_chunk *c = get_chunk(q);

	c->next = NULL;
	if (f->end_stop) {
		st_evq_chunk_of(f->end_stop)->next = c;
	} else {
		f->read = c->ev;
		f->read_stop = c->ev + ST_EVQ_CHUNK_EVENTS;
	}
	f->end = c->ev;
	f->end_stop = c->ev + ST_EVQ_CHUNK_EVENTS;
}

/* A bucket without a chunk is an empty one. */
void st_evq_extend_bucket(struct st_evq *q, unsigned level, unsigned digit)
{
	q->used[level] |= (uint64_t)1 << digit;
	q->levels |= 1u << level;
	st_evq_extend(q, &q->bucket[level][digit]);
}

void st_evq_to_buckets(struct st_evq *q, struct st_evq_fifo *f, unsigned level)
{
	struct st_evq_fifo *bucket = q->bucket[level];
	unsigned shift = 6 * level, own = q->origin >> shift & 63;

	while (f->read_stop) {
		struct st_ev *end = st_evq_first_end(f);
		q->moved += (uint64_t)(end - f->read);
		for (struct st_ev *ev = f->read; ev < end; ev++) {
			unsigned digit = ev->key >> shift & 63;
			if (digit == own) {
				st_evq_put_bucket(q, *ev);
				continue;
			}
			if (bucket[digit].end == bucket[digit].end_stop)
				st_evq_extend_bucket(q, level, digit);
			*bucket[digit].end++ = *ev;
		}
		st_evq_next_chunk(q, f);
	}
}

void st_evq_free_slabs(struct st_evq *q)
{
	while (q->slabs) {
		struct st_evq_slab *next = q->slabs->next;
		free(q->slabs);
		q->slabs = next;
	}
}
