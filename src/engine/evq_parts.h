#ifndef ST_ENGINE_EVQ_PARTS_H
#define ST_ENGINE_EVQ_PARTS_H
/*
 * evq_parts.h - what the parts of the event queue (engine/evq.h) know of each other. Not for callers.
 *
 * evq_chain.c has the memory: chunks from slabs, chains of them, buckets. evq_front.c keeps the front sorted and spills it,
 * evq_open.c fills it from the buckets. How they play together is told in evq.c.
 *
 * Owns, units, cost: as in engine/evq.h. What is asked for once an event or a chunk is inline.
 */
#include <stdint.h>

#include "engine/evq.h"

/* --- chunks and chains ------------------------------------------------------------------------------------------------- */

/*
 * Events a chunk: 67 make 17 cache lines. 63, 255 and 259 are as fast; a small chunk keeps a small queue
 * small, and the chain still costs only 1.5 % of an event.
 */
#define ST_EVQ_CHUNK_EVENTS 67

struct st_evq_chunk {
	struct st_ev ev[ST_EVQ_CHUNK_EVENTS];
	struct st_evq_chunk *next;
	void *pad; /* to whole cache lines */
};

_Static_assert(sizeof(struct st_evq_chunk) % 64 == 0, "a chunk is whole cache lines");

/* The chunk whose events end at stop. */
static inline struct st_evq_chunk *st_evq_chunk_of(struct st_ev *stop)
{
	return (struct st_evq_chunk *)(void *)(stop - ST_EVQ_CHUNK_EVENTS);
}

/* The events of the first chunk end here. */
static inline struct st_ev *st_evq_first_end(const struct st_evq_fifo *f)
{
	return f->read_stop == f->end_stop ? f->end : f->read_stop;
}

/* Drop the first chunk, all of which was read. Leaves {0} after the last. */
static inline void st_evq_next_chunk(struct st_evq *q, struct st_evq_fifo *f)
{
	struct st_evq_chunk *c = st_evq_chunk_of(f->read_stop);

	if (f->read_stop == f->end_stop) {
		*f = (struct st_evq_fifo){0};
	} else {
		f->read = c->next->ev;
		f->read_stop = f->read + ST_EVQ_CHUNK_EVENTS;
	}
	c->next = q->free;
	q->free = c;
}

/* Give all memory back. */
void st_evq_free_slabs(struct st_evq *q);

/* --- buckets ------------------------------------------------------------------------------------------------------------- */

/* The smallest key that belongs to the bucket. */
static inline uint64_t st_evq_bucket_start(const struct st_evq *q, unsigned level, unsigned digit)
{
	uint64_t above = level + 1 < ST_EVQ_LEVELS ? q->origin >> 6 * (level + 1) << 6 * (level + 1) : 0;

	return above | (uint64_t)digit << 6 * level;
}

/*
 * Put every event of a detached chain into the buckets, in order. They all agree with the origin above the
 * digit at `level`, and most differ in it.
 */
void st_evq_to_buckets(struct st_evq *q, struct st_evq_fifo *f, unsigned level);

/* --- the front ------------------------------------------------------------------------------------------------------------ */

/*
 * Late comers may lengthen the run by ST_EVQ_RUN_LATE and its ST_EVQ_RUN_SHARE-th part; then its upper half is spilled,
 * which these puts pay for. A herd close ahead so meets a short run.
 */
#define ST_EVQ_RUN_LATE  24
#define ST_EVQ_RUN_SHARE 4
/* Where an opened run begins: room on both sides, for insertion moves the shorter side. */
#define ST_EVQ_RUN_START 64

/* Late comers may make the run this much longer than it is now. */
static inline void st_evq_set_run_most(struct st_evq *q)
{
	uint32_t n = q->tail - q->head;

	q->run_most = n + n / ST_EVQ_RUN_SHARE + ST_EVQ_RUN_LATE;
}

/*
 * The front is empty: fill it from the lowest bucket, unless a lane comes before all there is in the buckets;
 * then `low` says so. Opening earlier than that would move the origin past what the lanes' events may yet
 * put.
 */
void st_evq_open(struct st_evq *q);

#endif
