#include <config.h>

#include "engine/evq_parts.h"

/* The lowest bucket is opened: into the run if it is small, into the mass if it is one key, else to lower levels. */

/* A bucket of at most this many events is sorted straight into the run. */
#define SMALL 256
/* Opening goes on with the next buckets while the run has no more than this. */
#define GATHER 48
/* Sorting few events is insertion alone; more are first scattered to cells. */
#define FEW       12
#define CELL_BITS 8
#define CELLS     (1 << CELL_BITS)

_Static_assert(GATHER <= SMALL && ST_EVQ_RUN_START + SMALL < ST_EVQ_RUN_SLOTS, "an opened run has room");
_Static_assert(SMALL + SMALL / ST_EVQ_RUN_SHARE + ST_EVQ_RUN_LATE + 2 <= ST_EVQ_RUN_SLOTS, "a full run has room");

/* Take a bucket's chain out of it. */
static struct st_evq_fifo detach_bucket(struct st_evq *q, unsigned level, unsigned digit)
{
	struct st_evq_fifo f = q->bucket[level][digit];

	q->bucket[level][digit] = (struct st_evq_fifo){0};
	q->used[level] &= ~((uint64_t)1 << digit);
	if (!q->used[level])
		q->levels &= ~(1u << level);
	return f;
}

/* How many events there are, if no more than `most`; else some number above it. */
static size_t count_to(const struct st_evq_fifo *f, size_t most)
{
	const struct st_ev *read = f->read;
	struct st_ev *stop = f->read_stop;
	size_t n = 0;

	while (stop != f->end_stop && n <= most) {
		n += (size_t)(stop - read);
		read = st_evq_chunk_of(stop)->next->ev;
		stop = st_evq_chunk_of(stop)->next->ev + ST_EVQ_CHUNK_EVENTS;
	}
	return stop == f->end_stop ? n + (size_t)(f->end - read) : n;
}

/* Sort n events stably, where few are far from their place. */
static void insertion_sort(struct st_ev *base, size_t n)
{
	for (struct st_ev *next = base + 1; next < base + n; next++) {
		struct st_ev ev = *next, *p = next;
		for (; p > base && p[-1].key > ev.key; p--)
			p[0] = p[-1];
		*p = ev;
	}
}

/*
 * Write n events to `to`, stably ordered by the highest of `bits`, those in which they differ: one counting
 * pass into about twice as many cells as events leaves little for the insertion sort, and nothing to
 * mispredict.
 */
static void scatter(const struct st_ev *from, size_t n, uint64_t bits, struct st_ev *to)
{
	uint16_t place[CELLS] = {0};
	unsigned width = n < CELLS / 4 ? CELL_BITS - 2 : CELL_BITS, cells = 1u << width;

	unsigned top = 64 - (unsigned)__builtin_clzll(bits | 1), shift = top > width ? top - width : 0;
	for (size_t i = 0; i < n; i++)
		place[from[i].key >> shift & (cells - 1)]++;
	for (unsigned c = 0, sum = 0; c < cells; c++) {
		unsigned here = place[c];
		place[c] = (uint16_t)sum;
		sum += here;
	}
	for (size_t i = 0; i < n; i++)
		to[place[from[i].key >> shift & (cells - 1)]++] = from[i];
}

/* Sort the n events of a small chain, stably, to the end of the run. Frees the chain. */
static void sort_into_run(struct st_evq *q, struct st_evq_fifo *f, size_t n)
{
	struct st_ev buffer[SMALL], *to = q->run + q->tail, *at = n <= FEW ? to : buffer;
	uint64_t bits = 0, first = f->read->key;

	while (f->read_stop) {
		for (const struct st_ev *ev = f->read, *end = st_evq_first_end(f); ev < end; ev++) {
			bits |= ev->key ^ first;
			*at++ = *ev;
		}
		st_evq_next_chunk(q, f);
	}
	if (n > FEW)
		scatter(buffer, n, bits, to);
	insertion_sort(to, n);
	q->moved += n;
	q->tail += (uint32_t)n;
}

/* Fill the run from the lowest bucket, of n events, and from those behind it while few are in the run. */
static void fill_run(struct st_evq *q, unsigned level, unsigned digit, size_t n)
{
	q->head = q->tail = ST_EVQ_RUN_START;
	do {
		struct st_evq_fifo f = detach_bucket(q, level, digit);
		sort_into_run(q, &f, n);
		q->limit = st_evq_bucket_start(q, level, digit) + ((uint64_t)1 << 6 * level);
		if (!q->levels) {
			q->limit = UINT64_MAX;
			break;
		}
		level = (unsigned)__builtin_ctz(q->levels);
		digit = (unsigned)__builtin_ctzll(q->used[level]);
		n = count_to(&q->bucket[level][digit], GATHER);
	} while (q->tail - q->head + n <= GATHER);
	st_evq_set_run_most(q);
}

/*
 * In which bits the keys of the bucket differ. Stops at the first difference in the digit below the bucket's
 * own: then there is nothing to gain from knowing more.
 */
static uint64_t spread(const struct st_evq_fifo *f, unsigned level)
{
	uint64_t first = f->read->key, bits = 0;
	const struct st_ev *ev = f->read, *end = st_evq_first_end(f);
	struct st_ev *stop = f->read_stop;

	for (;;) {
		for (; ev < end; ev++)
			if ((bits |= ev->key ^ first) >> 6 * (level - 1))
				return bits;
		if (stop == f->end_stop)
			return bits;
		ev = st_evq_chunk_of(stop)->next->ev;
		stop = st_evq_chunk_of(stop)->next->ev + ST_EVQ_CHUNK_EVENTS;
		end = stop == f->end_stop ? f->end : stop;
	}
}

/* Everything in the bucket is one key. */
static void bucket_to_mass(struct st_evq *q, unsigned level, unsigned digit, uint64_t key)
{
	q->mass = detach_bucket(q, level, digit);
	q->mass_key = key;
	q->limit = key + 1;
	q->origin = key & ~(uint64_t)63; /* it is taken next, so what is to come is at its time or later */
}

void st_evq_open(struct st_evq *q)
{
	for (;;) {
		unsigned from = (unsigned)__builtin_ctz(q->levels), level = from; /* level: where they fall to */
		unsigned digit = (unsigned)__builtin_ctzll(q->used[from]);
		struct st_evq_fifo *f = &q->bucket[level][digit];
		uint64_t start = st_evq_bucket_start(q, level, digit), key = f->read->key, bits = 0;

		if (start > q->low)
			q->low = start;
		if (q->low >= q->lane_min)
			return;
		size_t n = count_to(f, SMALL);
		if (n <= SMALL) {
			if (level > 0)
				q->origin = start;
			fill_run(q, level, digit, n);
			return;
		}
		if (level > 0)
			bits = spread(f, level--);
		if (bits >> 6 * level == 0) {
			level = (63 - (unsigned)__builtin_clzll(bits | 1)) / 6;
			start = bits ? key >> 6 * (level + 1) << 6 * (level + 1) : key;
			if (start > q->low)
				q->low = start;
			if (q->low >= q->lane_min)
				return;
		}
		if (bits == 0) {
			bucket_to_mass(q, from, digit, key);
			return;
		}
		q->origin = start;
		struct st_evq_fifo all = detach_bucket(q, from, digit);
		st_evq_to_buckets(q, &all, level);
	}
}
