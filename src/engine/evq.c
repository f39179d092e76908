#include <config.h>

#include "engine/evq_parts.h"

#include <string.h>

/*
 * A monotone radix heap (Ahuja, Mehlhorn, Orlin and Tarjan, Faster algorithms for the shortest path problem,
 * J. ACM 37, 1990) of 64 ways, with a short sorted front, and a FIFO lane a class beside it. Here the parts meet: life, and
 * taking from whichever comes first. engine/evq_parts.h says which file has what.
 *
 * Lanes    A put that is not earlier than the latest its class's lane ever had is appended to the lane: constant delays
 *          never reach the heap. A heap event at t was put when the lane's latest was after t, so every lane event at t had
 *          been put before it: at equal keys the lane goes first, and ties stay in order. (When a lane runs empty its
 *          latest has been taken; nothing of the class before that can be left in the heap.)
 * Buckets  An event lies at the level of the highest 6-bit digit in which its key differs from the origin, in the bucket of
 *          that digit. The lowest bucket is opened when the front is empty: it goes into the front if it is small or of a
 *          single key, else the origin moves to its start and its events fall to lower levels. Each event falls at most ten
 *          times, in practice twice or thrice, from sequential memory to sequential memory.
 * Origin   It must be no later than any event to come, so a bucket is opened only when its start is before every lane's
 *          head; and it moves only when a bucket is opened. A spill so finds the origin at or below all that it puts back,
 *          and no equal key in the buckets before it: ties stay in order.
 * Front    Keys below the limit. The run is a sorted array into which late comers are inserted; when they have made it too
 *          long its upper half goes back into the buckets and the limit comes down to it: a herd scheduled close ahead costs
 *          O(1) each instead of O(n). A run of mere ties becomes the mass, a FIFO of one key, as does a bucket of one key.
 * Memory   All FIFOs are chains of chunks from one pool, the chunk freed last used first: a small simulation stays in the
 *          cache, and what one bucket frees another fills.
 *
 * Measured by bench/hold (exponential increments, CPU time, one core of a virtual EPYC shared with others):
 *
 *    pending           1e2    1e3    1e4    1e5    1e6    1e7
 *    this, ns           43     23     29     28     39     64    constant delays (a lane): 15 at every size
 *    4-ary heap, ns     44     63     88    158    488   1182    one herd, in the heap: 8 to 19
 *
 * Rejected: a 4-ary heap (the table; and it needs a sequence number for ties); radix down to 96 events a bucket (43 at 1e3:
 * two events in each bucket after that, all overhead and mispredicted branches; 256, scattered to cells, need 24).
 */

void st_evq_init(struct st_evq *q)
{
	memset(q, 0, sizeof *q);
	q->head = q->tail = ST_EVQ_RUN_START;
	q->run_most = ST_EVQ_RUN_LATE;
	q->lane_min = q->low = q->mass_key = UINT64_MAX;
	q->from = ST_EVQ_FROM_RUN;
	for (unsigned c = 0; c < ST_EVQ_CLASSES; c++)
		q->lane_head[c] = UINT64_MAX;
}

void st_evq_release(struct st_evq *q)
{
	st_evq_free_slabs(q);
	st_evq_init(q);
}

/* The lane's chunk, or the lane, is used up: find its head again. */
void st_evq_turn(struct st_evq *q, unsigned class)
{
	struct st_evq_fifo *f = &q->lane[class];

	if (f->read == f->end) {
		f->read = f->end = st_evq_chunk_of(f->end_stop)->ev; /* a lane keeps its chunk */
		q->lane_head[class] = UINT64_MAX;
	} else {
		st_evq_next_chunk(q, f);
		q->lane_head[class] = f->read->key;
	}
}

static void take_mass(struct st_evq *q, struct st_ev *out)
{
	struct st_evq_fifo *f = &q->mass;

	*out = *f->read++;
	q->from = ST_EVQ_FROM_MASS;
	if (f->read == st_evq_first_end(f))
		st_evq_next_chunk(q, f);
	if (f->read == f->end)
		q->mass_key = UINT64_MAX;
}

bool st_evq_take_other(struct st_evq *q, struct st_ev *out)
{
	if (q->len == 0)
		return false;
	if (q->mass_key == UINT64_MAX && q->levels && q->low < q->lane_min)
		st_evq_open(q);
	if (q->head != q->tail)
		return st_evq_take(q, out);
	if (q->mass_key < q->lane_min)
		take_mass(q, out);
	else
		st_evq_take_lane(q, out);
	q->len--;
	q->now = out->key >> ST_EVQ_CLASS_BITS;
	return true;
}

const struct st_ev *st_evq_ahead_other(const struct st_evq *q, unsigned i)
{
	const struct st_evq_fifo *f = q->from == ST_EVQ_FROM_MASS ? &q->mass : &q->lane[q->from];
	size_t here = (size_t)(st_evq_first_end(f) - f->read);

	if (i < here)
		return f->read + i;
	if (f->read_stop == f->end_stop)
		return NULL;
	const struct st_ev *next = st_evq_chunk_of(f->read_stop)->next->ev;
	const struct st_ev *end = next + ST_EVQ_CHUNK_EVENTS == f->end_stop ? f->end : next + ST_EVQ_CHUNK_EVENTS;
	return (size_t)(end - next) > i - here ? next + (i - here) : NULL;
}
