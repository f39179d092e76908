#include <config.h>

#include "engine/evq.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

/*
 * A monotone radix heap (Ahuja, Mehlhorn, Orlin and Tarjan, Faster algorithms for the shortest path problem,
 * J. ACM 37, 1990) of 64 ways, with a short sorted front, and a FIFO lane a class beside it. The file is long
 * because it is one structure: lanes, front and buckets share one order, and the self-check knows them all.
 *
 * Lanes    A put that is not earlier than the latest its class's lane ever had is appended to the lane:
 *          constant delays never reach the heap. A heap event at t was put when the lane's latest was after
 * t, so every lane event at t had been put before it: at equal keys the lane goes first, and ties stay in
 *          order. (When a lane runs empty its latest has been taken; nothing of the class before that can be
 *          left in the heap.)
 * Buckets  An event lies at the level of the highest 6-bit digit in which its key differs from the origin, in
 *          the bucket of that digit. The lowest bucket is opened when the front is empty: it goes into the
 * front if it is small or of a single key, else the origin moves to its start and its events fall to lower
 *          levels. Each event falls at most ten times, in practice twice or thrice, from sequential memory to
 *          sequential memory.
 * Origin   It must be no later than any event to come, so a bucket is opened only when its start is before
 * every lane's head; and it moves only when a bucket is opened. A spill so finds the origin at or below all
 *          that it puts back, and no equal key in the buckets before it: ties stay in order.
 * Front    Keys below the limit. The run is a sorted array into which late comers are inserted; when they
 * have made it too long its upper half goes back into the buckets and the limit comes down to it: a herd
 *          scheduled close ahead costs O(1) each instead of O(n). A run of mere ties becomes the mass, a FIFO
 * of one key, as does a bucket of one key. Memory   All FIFOs are chains of chunks from one pool, the chunk
 * freed last used first: a small simulation stays in the cache, and what one bucket frees another fills.
 *
 * Measured by bench/hold (exponential increments, CPU time, one core of a virtual EPYC shared with others):
 *
 *    pending           1e2    1e3    1e4    1e5    1e6    1e7
 *    this, ns           43     23     29     28     39     64    constant delays (a lane): 15 at every size
 *    4-ary heap, ns     44     63     88    158    488   1182    one herd, in the heap: 8 to 19
 *
 * Rejected: a 4-ary heap (the table; and it needs a sequence number for ties); radix down to 96 events a
 * bucket (43 at 1e3: two events in each bucket after that, all overhead and mispredicted branches; 256,
 * scattered to cells, need 24).
 */

/*
 * Events a chunk: 67 make 17 cache lines. 63, 255 and 259 are as fast; a small chunk keeps a small queue
 * small, and the chain still costs only 1.5 % of an event.
 */
#define CHUNK_EVENTS 67
/* Chunks in the first slab, and in the largest: slabs double, so that small queues are small and large ones
 * few. */
#define SLAB_FIRST 16
#define SLAB_MOST  8192
/* A bucket of at most this many events is sorted straight into the run. */
#define SMALL 256
/* Opening goes on with the next buckets while the run has no more than this. */
#define GATHER 48
/*
 * Late comers may lengthen the run by RUN_LATE and its RUN_SHARE-th part; then its upper half is spilled,
 * which these puts pay for. A herd close ahead so meets a short run.
 */
#define RUN_LATE  24
#define RUN_SHARE 4
/* Sorting few events is insertion alone; more are first scattered to cells. */
#define FEW       12
#define CELL_BITS 8
#define CELLS     (1 << CELL_BITS)
/* Where an opened run begins: room on both sides, for insertion moves the shorter side. */
#define RUN_START 64

struct st_evq_chunk {
	struct st_ev ev[CHUNK_EVENTS];
	struct st_evq_chunk *next;
	void *pad; /* to whole cache lines */
};

struct st_evq_slab {
	struct st_evq_slab *next;
	size_t chunks;
};

_Static_assert(sizeof(struct st_evq_chunk) % 64 == 0, "a chunk is whole cache lines");
_Static_assert(GATHER <= SMALL && RUN_START + SMALL < ST_EVQ_RUN_SLOTS, "an opened run has room");
_Static_assert(SMALL + SMALL / RUN_SHARE + RUN_LATE + 2 <= ST_EVQ_RUN_SLOTS, "a full run has room");

/* --- chunks and chains ---------------------------------------------------- */

/* The chunk whose events end at stop. */
static struct st_evq_chunk *chunk_of(struct st_ev *stop)
{
	return (struct st_evq_chunk *)(void *)(stop - CHUNK_EVENTS);
}

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

static void free_chunk(struct st_evq *q, struct st_evq_chunk *c)
{
	c->next = q->free;
	q->free = c;
}

void st_evq_extend(struct st_evq *q, struct st_evq_fifo *f)
{
	struct st_evq_chunk *c = get_chunk(q);

	c->next = NULL;
	if (f->end_stop) {
		chunk_of(f->end_stop)->next = c;
	} else {
		f->read = c->ev;
		f->read_stop = c->ev + CHUNK_EVENTS;
	}
	f->end = c->ev;
	f->end_stop = c->ev + CHUNK_EVENTS;
}

/* A bucket without a chunk is an empty one. */
void st_evq_extend_bucket(struct st_evq *q, unsigned level, unsigned digit)
{
	q->used[level] |= (uint64_t)1 << digit;
	q->levels |= 1u << level;
	st_evq_extend(q, &q->bucket[level][digit]);
}

static struct st_evq_fifo detach_bucket(struct st_evq *q, unsigned level, unsigned digit)
{
	struct st_evq_fifo f = q->bucket[level][digit];

	q->bucket[level][digit] = (struct st_evq_fifo){0};
	q->used[level] &= ~((uint64_t)1 << digit);
	if (!q->used[level])
		q->levels &= ~(1u << level);
	return f;
}

/* The events of the first chunk end here. */
static struct st_ev *first_end(const struct st_evq_fifo *f)
{
	return f->read_stop == f->end_stop ? f->end : f->read_stop;
}

/* Drop the first chunk, all of which was read. Leaves {0} after the last. */
static void next_chunk(struct st_evq *q, struct st_evq_fifo *f)
{
	struct st_evq_chunk *c = chunk_of(f->read_stop);

	if (f->read_stop == f->end_stop) {
		*f = (struct st_evq_fifo){0};
	} else {
		f->read = c->next->ev;
		f->read_stop = f->read + CHUNK_EVENTS;
	}
	free_chunk(q, c);
}

/*
 * Put every event of a detached chain into the buckets, in order. They all agree with the origin above the
 * digit at `level`, and most differ in it.
 */
static void to_buckets(struct st_evq *q, struct st_evq_fifo *f, unsigned level)
{
	struct st_evq_fifo *bucket = q->bucket[level];
	unsigned shift = 6 * level, own = q->origin >> shift & 63;

	while (f->read_stop) {
		struct st_ev *end = first_end(f);
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
		next_chunk(q, f);
	}
}

/* --- the front -------------------------------------------------------------- */

/* The mass goes back into its bucket: as a whole, unless it grew out of a run and the bucket is in use. */
static void mass_back(struct st_evq *q)
{
	unsigned level = (63 - (unsigned)__builtin_clzll((q->mass_key ^ q->origin) | 1)) / 6;
	unsigned digit = q->mass_key >> 6 * level & 63;

	if (q->mass_key < q->low)
		q->low = q->mass_key;
	if (q->used[level] >> digit & 1) {
		to_buckets(q, &q->mass, level);
	} else {
		q->used[level] |= (uint64_t)1 << digit;
		q->levels |= 1u << level;
		q->bucket[level][digit] = q->mass;
	}
	q->mass = (struct st_evq_fifo){0};
	q->mass_key = UINT64_MAX;
}

/* Late comers may make the run this much longer than it is now. */
static void set_run_most(struct st_evq *q)
{
	uint32_t n = q->tail - q->head;

	q->run_most = n + n / RUN_SHARE + RUN_LATE;
}

/*
 * The run is full: its upper half goes back into the buckets, cut between two keys so that ties stay
 * together. If the lower half is one key there is no such place: those ties become the mass. Either way at
 * most half stays in the run, so that spills are paid for by the puts between them.
 */
static void spill(struct st_evq *q)
{
	struct st_ev *run = q->run;
	uint32_t half = q->head + (q->tail - q->head) / 2, cut = half;

	while (cut > q->head && run[cut - 1].key == run[half].key)
		cut--;
	bool ties = cut == q->head;
	if (ties)
		for (cut = half; cut < q->tail && run[cut].key == run[half].key; cut++)
			;
	if (q->mass_key != UINT64_MAX)
		mass_back(q);
	q->limit = ties ? run[q->head].key + 1 : run[cut].key;
	for (uint32_t i = cut; i < q->tail; i++)
		st_evq_put_heap(q, run[i]);
	q->moved += q->tail - cut;
	q->tail = cut;
	set_run_most(q);
	if (!ties)
		return;
	q->mass_key = run[q->head].key;
	q->moved += cut - q->head;
	for (uint32_t i = q->head; i < cut; i++) {
		if (q->mass.end == q->mass.end_stop)
			st_evq_extend(q, &q->mass);
		*q->mass.end++ = run[i];
	}
	q->head = q->tail = RUN_START;
	set_run_most(q);
}

/* Move the run to where both sides have room. */
static void centre(struct st_evq *q)
{
	uint32_t n = q->tail - q->head, head = (ST_EVQ_RUN_SLOTS - n) / 2;

	memmove(q->run + head, q->run + q->head, n * sizeof *q->run);
	q->head = head;
	q->tail = head + n;
	q->moved += n;
}

/*
 * Store an event at one stroke. Stored in halves and moved soon after as a whole, it would have to wait until
 * the halves have left the store buffer, a good part of an insertion's time; hence the three scalars, too.
 */
static void store(struct st_ev *to, uint64_t key, uint32_t who, uint32_t data)
{
	typedef uint64_t both __attribute__((vector_size(sizeof(struct st_ev)), may_alias));
	const uint32_t pair[2] = {who, data};
	uint64_t rest;

	memcpy(&rest, pair, sizeof rest);
	*(both *)(void *)to = (both){key, rest};
}

/* The run is full: make room, and put the event where it now belongs. Apart: insertion is to be lean. */
static __attribute__((noinline)) void insert_full(struct st_evq *q, uint64_t key, uint32_t who, uint32_t data)
{
	spill(q);
	st_evq_put_heap(q, (struct st_ev){key, who, data});
}

static __attribute__((noinline)) void insert_mass(struct st_evq *q, uint64_t key, uint32_t who, uint32_t data)
{
	if (q->mass.end == q->mass.end_stop)
		st_evq_extend(q, &q->mass);
	store(q->mass.end++, key, who, data);
}

/* Insert into the run, which has a slot to spare on both sides, moving the shorter side. */
static inline void insert_run(struct st_evq *q, uint64_t key, uint32_t who, uint32_t data)
{
	struct st_ev *head = q->run + q->head, *tail = q->run + q->tail, *mid = head + (tail - head) / 2, *p;

	if (mid < tail && key < mid->key) {
		for (p = head; p->key <= key; p++)
			p[-1] = p[0];
		store(p - 1, key, who, data);
		q->moved += (uint64_t)(p - head);
		q->head--;
	} else {
		for (p = tail; p > mid && p[-1].key > key; p--)
			p[0] = p[-1];
		store(p, key, who, data);
		q->moved += (uint64_t)(tail - p);
		q->tail++;
	}
}

static __attribute__((noinline)) void insert_edge(struct st_evq *q, uint64_t key, uint32_t who, uint32_t data)
{
	centre(q);
	insert_run(q, key, who, data);
}

/* Put an event below the limit into the front, behind its equals. */
void st_evq_insert(struct st_evq *q, uint64_t key, uint32_t who, uint32_t data)
{
	if (key >= q->mass_key)
		insert_mass(q, key, who, data);
	else if (q->tail - q->head >= q->run_most)
		insert_full(q, key, who, data);
	else if (q->head == 0 || q->tail == ST_EVQ_RUN_SLOTS)
		insert_edge(q, key, who, data);
	else
		insert_run(q, key, who, data);
}

/* --- opening a bucket --------------------------------------------------------- */

/* The smallest key that belongs to the bucket. */
static uint64_t bucket_start(const struct st_evq *q, unsigned level, unsigned digit)
{
	uint64_t above = level + 1 < ST_EVQ_LEVELS ? q->origin >> 6 * (level + 1) << 6 * (level + 1) : 0;

	return above | (uint64_t)digit << 6 * level;
}

/* How many events there are, if no more than `most`; else some number above it. */
static size_t count_to(const struct st_evq_fifo *f, size_t most)
{
	const struct st_ev *read = f->read;
	struct st_ev *stop = f->read_stop;
	size_t n = 0;

	while (stop != f->end_stop && n <= most) {
		n += (size_t)(stop - read);
		read = chunk_of(stop)->next->ev;
		stop = chunk_of(stop)->next->ev + CHUNK_EVENTS;
	}
	return stop == f->end_stop ? n + (size_t)(f->end - read) : n;
}

/* Sort n events stably, where few are far from their place. */
static void insertion_sort(struct st_ev *base, size_t n)
{
	for (size_t i = 1; i < n; i++) {
		struct st_ev ev = base[i];
		size_t k = i;
		for (; k > 0 && base[k - 1].key > ev.key; k--)
			base[k] = base[k - 1];
		base[k] = ev;
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
		for (const struct st_ev *ev = f->read, *end = first_end(f); ev < end; ev++) {
			bits |= ev->key ^ first;
			*at++ = *ev;
		}
		next_chunk(q, f);
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
	q->head = q->tail = RUN_START;
	do {
		struct st_evq_fifo f = detach_bucket(q, level, digit);
		sort_into_run(q, &f, n);
		q->limit = bucket_start(q, level, digit) + ((uint64_t)1 << 6 * level);
		if (!q->levels) {
			q->limit = UINT64_MAX;
			break;
		}
		level = (unsigned)__builtin_ctz(q->levels);
		digit = (unsigned)__builtin_ctzll(q->used[level]);
		n = count_to(&q->bucket[level][digit], GATHER);
	} while (q->tail - q->head + n <= GATHER);
	set_run_most(q);
}

/*
 * In which bits the keys of the bucket differ. Stops at the first difference in the digit below the bucket's
 * own: then there is nothing to gain from knowing more.
 */
static uint64_t spread(const struct st_evq_fifo *f, unsigned level)
{
	uint64_t first = f->read->key, bits = 0;
	const struct st_ev *ev = f->read, *end = first_end(f);
	struct st_ev *stop = f->read_stop;

	for (;;) {
		for (; ev < end; ev++)
			if ((bits |= ev->key ^ first) >> 6 * (level - 1))
				return bits;
		if (stop == f->end_stop)
			return bits;
		ev = chunk_of(stop)->next->ev;
		stop = chunk_of(stop)->next->ev + CHUNK_EVENTS;
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

/*
 * The front is empty: fill it from the lowest bucket, unless a lane comes before all there is in the buckets;
 * then `low` says so. Opening earlier than that would move the origin past what the lanes' events may yet
 * put.
 */
static void open_front(struct st_evq *q)
{
	for (;;) {
		unsigned from = (unsigned)__builtin_ctz(q->levels), level = from; /* level: where they fall to */
		unsigned digit = (unsigned)__builtin_ctzll(q->used[from]);
		struct st_evq_fifo *f = &q->bucket[level][digit];
		uint64_t start = bucket_start(q, level, digit), key = f->read->key, bits = 0;

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
		to_buckets(q, &all, level);
	}
}

/* --- taking ----------------------------------------------------------------------- */

/* The lane's chunk, or the lane, is used up: find its head again. */
void st_evq_turn(struct st_evq *q, unsigned class)
{
	struct st_evq_fifo *f = &q->lane[class];

	if (f->read == f->end) {
		f->read = f->end = chunk_of(f->end_stop)->ev; /* a lane keeps its chunk */
		q->lane_head[class] = UINT64_MAX;
	} else {
		next_chunk(q, f);
		q->lane_head[class] = f->read->key;
	}
}

static void take_mass(struct st_evq *q, struct st_ev *out)
{
	struct st_evq_fifo *f = &q->mass;

	*out = *f->read++;
	q->from = ST_EVQ_FROM_MASS;
	if (f->read == first_end(f))
		next_chunk(q, f);
	if (f->read == f->end)
		q->mass_key = UINT64_MAX;
}

bool st_evq_take_other(struct st_evq *q, struct st_ev *out)
{
	if (q->len == 0)
		return false;
	if (q->mass_key == UINT64_MAX && q->levels && q->low < q->lane_min)
		open_front(q);
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
	size_t here = (size_t)(first_end(f) - f->read);

	if (i < here)
		return f->read + i;
	if (f->read_stop == f->end_stop)
		return NULL;
	const struct st_ev *next = chunk_of(f->read_stop)->next->ev;
	const struct st_ev *end = next + CHUNK_EVENTS == f->end_stop ? f->end : next + CHUNK_EVENTS;
	return (size_t)(end - next) > i - here ? next + (i - here) : NULL;
}

/* --- life and checks ----------------------------------------------------------------- */

void st_evq_init(struct st_evq *q)
{
	memset(q, 0, sizeof *q);
	q->head = q->tail = RUN_START;
	q->run_most = RUN_LATE;
	q->lane_min = q->low = q->mass_key = UINT64_MAX;
	q->from = ST_EVQ_FROM_RUN;
	for (unsigned c = 0; c < ST_EVQ_CLASSES; c++)
		q->lane_head[c] = UINT64_MAX;
}

void st_evq_release(struct st_evq *q)
{
	while (q->slabs) {
		struct st_evq_slab *next = q->slabs->next;
		free(q->slabs);
		q->slabs = next;
	}
	st_evq_init(q);
}

/* Count a chain's events, each with from <= key <= to, and in order if `sorted`; SIZE_MAX if one is wrong. */
static size_t count(const struct st_evq_fifo *f, uint64_t from, uint64_t to, bool sorted)
{
	struct st_evq_fifo g = *f;
	size_t n = 0;

	while (g.read != g.end) {
		if (g.read == g.read_stop) {
			g.read = chunk_of(g.read_stop)->next->ev;
			g.read_stop = g.read + CHUNK_EVENTS;
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
			uint64_t start = bucket_start(q, level, digit),
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

bool st_evq_valid(const struct st_evq *q)
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
