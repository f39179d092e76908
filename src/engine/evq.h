#ifndef ST_ENGINE_EVQ_H
#define ST_ENGINE_EVQ_H
/*
 * evq.h - the event queue: what happens next.
 *
 * Order    (time, class): equal times leave by class, then in the order they were put in.
 * Units    st_time, nanoseconds of simulated time, 0 <= time < 2^60.
 * Owns     its memory, in chunks of its own that are reused and given back by release; no allocation per event.
 * Cost     put, take amortised O(1), ties by the million included; 16.3 bytes an event. Classes whose delays are constant
 *          never touch the heap (a FIFO lane each), and nobody has to say which they are.
 * Errors   none: memory exhaustion ends the program (base/mem.h).
 * Threads  a queue belongs to one thread; any number of queues may live at once.
 *
 * Advice   a lane takes what is not earlier than the latest event its class ever had. One event of the far future (a
 *          sentinel at the end of the run) sends its class to the heap until then: give such events a class of their own.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/time.h"

enum {
	ST_EVQ_CLASSES = 8,
	ST_EVQ_CLASS_BITS = 3,
	ST_EVQ_LEVELS = 11,   /* of 6 bits each: the 63 bits of a key */
	ST_EVQ_RUN_SLOTS = 512,
};

/* who and data are the caller's. */
struct st_ev {
	_Alignas(16) uint64_t key; /* time << 3 | class */
	uint32_t who, data;
};

/* Events in the order they came, in a chain of chunks of which all but the last are full. Empty: read == end. */
struct st_evq_fifo {
	struct st_ev *read, *read_stop; /* the first event; the end of its chunk */
	struct st_ev *end, *end_stop;   /* the first free slot; the end of its chunk */
};

struct st_evq {
	/* the front run: sorted, all below the limit, taken from run[head] */
	uint32_t head, tail;
	uint32_t run_most;  /* when it is that long a put spills its upper half */
	uint64_t lane_min;  /* the smallest of lane_head */
	uint64_t limit;     /* keys below it belong to the front, the others to the buckets */
	uint64_t origin;    /* of the buckets; <= every event here or to come; a multiple of 8 */
	uint64_t low;       /* no event in the buckets has a smaller key */
	uint64_t now;       /* the time last taken */
	uint64_t mass_key;  /* of all events in mass; UINT64_MAX when there are none */
	size_t len;
	unsigned from;      /* where the last event was taken from: a class's lane, or one of enum st_evq_from */
	uint32_t levels;    /* bit i: some bucket of level i holds events */
	uint64_t lane_last[ST_EVQ_CLASSES]; /* the largest key ever put into the lane; never goes back */
	uint64_t lane_head[ST_EVQ_CLASSES]; /* the first key in the lane; UINT64_MAX when it is empty */
	struct st_evq_fifo lane[ST_EVQ_CLASSES];
	struct st_evq_fifo mass; /* ties by the million at the end of the front, served when the run is empty */
	uint64_t used[ST_EVQ_LEVELS]; /* bit i: bucket i of the level holds events */
	struct st_evq_fifo bucket[ST_EVQ_LEVELS][64];
	struct st_ev run[ST_EVQ_RUN_SLOTS];
	struct st_evq_chunk *free; /* chunks to use again, the one freed last first */
	struct st_evq_chunk *fresh, *fresh_end; /* what is left of the newest slab */
	struct st_evq_slab *slabs;
	uint64_t moved; /* events moved after they were put in: the work that must stay proportional */
};

enum st_evq_from { ST_EVQ_FROM_RUN = ST_EVQ_CLASSES, ST_EVQ_FROM_MASS };

void st_evq_init(struct st_evq *q);
void st_evq_release(struct st_evq *q);

static inline st_time st_ev_time(const struct st_ev *ev)
{
	return (st_time)(ev->key >> ST_EVQ_CLASS_BITS);
}

static inline unsigned st_ev_class(const struct st_ev *ev)
{
	return (unsigned)ev->key & (ST_EVQ_CLASSES - 1);
}

static inline size_t st_evq_len(const struct st_evq *q)
{
	return q->len;
}

/* The rare parts of put, take and ahead; not for callers. */
void st_evq_extend(struct st_evq *q, struct st_evq_fifo *f);
void st_evq_extend_bucket(struct st_evq *q, unsigned level, unsigned digit);
void st_evq_insert(struct st_evq *q, uint64_t key, uint32_t who, uint32_t data);
void st_evq_turn(struct st_evq *q, unsigned class);
bool st_evq_take_other(struct st_evq *q, struct st_ev *out);
const struct st_ev *st_evq_ahead_other(const struct st_evq *q, unsigned i);

static inline void st_evq_put_bucket(struct st_evq *q, struct st_ev ev)
{
	unsigned level = (63 - (unsigned)__builtin_clzll((ev.key ^ q->origin) | 1)) / 6;
	unsigned digit = ev.key >> 6 * level & 63;
	struct st_evq_fifo *f = &q->bucket[level][digit];

	if (f->end == f->end_stop)
		st_evq_extend_bucket(q, level, digit);
	*f->end++ = ev;
}

static inline void st_evq_put_lane(struct st_evq *q, unsigned class, struct st_ev ev)
{
	struct st_evq_fifo *f = &q->lane[class];

	q->lane_last[class] = ev.key;
	if (f->read == f->end) {
		q->lane_head[class] = ev.key;
		if (ev.key < q->lane_min)
			q->lane_min = ev.key;
	}
	if (f->end == f->end_stop)
		st_evq_extend(q, f);
	*f->end++ = ev;
}

static inline void st_evq_put_heap(struct st_evq *q, struct st_ev ev)
{
	if (ev.key < q->limit) {
		st_evq_insert(q, ev.key, ev.who, ev.data);
		return;
	}
	if (ev.key < q->low)
		q->low = ev.key;
	st_evq_put_bucket(q, ev);
}

/*
 * Schedule an event. time must not be before the time of the event last taken; at that very time a class lower than that
 * event's is allowed, and comes next.
 */
static inline void st_evq_put(struct st_evq *q, st_time time, unsigned class, uint32_t who, uint32_t data)
{
	struct st_ev ev = {(uint64_t)time << ST_EVQ_CLASS_BITS | class, who, data};

	st_assert_slow(class < ST_EVQ_CLASSES);
	st_assert_slow(time >= (st_time)q->now && time < (st_time)1 << 60);
	q->len++;
	if (ev.key >= q->lane_last[class])
		st_evq_put_lane(q, class, ev);
	else
		st_evq_put_heap(q, ev);
}

static inline uint64_t st_evq_min(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static inline void st_evq_take_lane(struct st_evq *q, struct st_ev *out)
{
	unsigned class = (unsigned)q->lane_min % ST_EVQ_CLASSES;
	struct st_evq_fifo *f = &q->lane[class];
	uint64_t *head = q->lane_head;

	*out = *f->read++;
	q->from = class;
	if (f->read == f->end || f->read == f->read_stop)
		st_evq_turn(q, class);
	else
		head[class] = f->read->key;
	q->lane_min = st_evq_min(st_evq_min(st_evq_min(head[0], head[1]), st_evq_min(head[2], head[3])),
	    st_evq_min(st_evq_min(head[4], head[5]), st_evq_min(head[6], head[7])));
}

/* Whether every event comes after those of this time and class; may say no when it is not cheaply known. */
static inline bool st_evq_all_after(const struct st_evq *q, st_time time, unsigned class)
{
	uint64_t key = (uint64_t)time << ST_EVQ_CLASS_BITS | class;

	return q->lane_min > key && q->head != q->tail && q->run[q->head].key > key;
}

/* Take the first event; false when there is none. */
static inline bool st_evq_take(struct st_evq *q, struct st_ev *out)
{
	if (q->head == q->tail)
		return st_evq_take_other(q, out);
	if (q->run[q->head].key < q->lane_min) {
		*out = q->run[q->head++];
		q->from = ST_EVQ_FROM_RUN;
	} else {
		st_evq_take_lane(q, out);
	}
	q->len--;
	q->now = out->key >> ST_EVQ_CLASS_BITS;
	return true;
}

/*
 * The event i places behind the one taken last in the part of the queue that one came from (0 is the next), or NULL if
 * that is not cheaply known. A hint: asking for a fixed i after each take shows nearly every event once, i takes of
 * its kind before its turn, in time to prefetch what it needs. Valid until the next put or take.
 */
static inline const struct st_ev *st_evq_ahead(const struct st_evq *q, unsigned i)
{
	if (q->from != ST_EVQ_FROM_RUN)
		return st_evq_ahead_other(q, i);
	return q->tail - q->head > i ? &q->run[q->head + i] : NULL;
}

#endif
