#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "engine/evq.h"
#include "evq_valid.h"
#include "tap_main.h"

/* As ck_assert, which writes to a file each time it holds: too slow by the million. */
#define must(what)                                                                                           \
	do {                                                                                                 \
		if (!(what))                                                                                 \
			ck_abort_msg("%s does not hold", #what);                                             \
	} while (0)

/* --- the slow, obvious twin: an array sorted by (key, order of put) ----------- */

struct twin {
	struct st_ev *ev; /* descending: the first to leave is the last */
	size_t n, cap;
};

static void twin_put(struct twin *w, struct st_ev ev)
{
	size_t i = w->n++;

	if (w->n > w->cap) {
		w->cap = 2 * w->n;
		w->ev = realloc(w->ev, w->cap * sizeof *w->ev);
	}
	for (; i > 0 && w->ev[i - 1].key <= ev.key; i--)
		w->ev[i] = w->ev[i - 1];
	w->ev[i] = ev;
}

/* A queue and its twin; who numbers the puts, so that a swapped tie shows. */
struct pair {
	struct st_evq q;
	struct twin w;
	st_time now;
	uint32_t puts;
};

static struct pair *pair_new(void)
{
	struct pair *p = calloc(1, sizeof *p);

	st_evq_init(&p->q);
	return p;
}

static void pair_free(struct pair *p)
{
	st_evq_release(&p->q);
	free(p->w.ev);
	free(p);
}

static void put(struct pair *p, st_time time, unsigned class)
{
	uint32_t who = p->puts++, data = who * 2654435761u;

	twin_put(&p->w, (struct st_ev){(uint64_t)time << 3 | class, who, data});
	st_evq_put(&p->q, time, class, who, data);
}

/* Take from both; they must agree. False when empty. */
static bool take(struct pair *p, struct st_ev *ev)
{
	must(st_evq_len(&p->q) == p->w.n);
	if (!st_evq_take(&p->q, ev)) {
		ck_assert_uint_eq(p->w.n, 0);
		return false;
	}
	must(p->w.n > 0);
	struct st_ev want = p->w.ev[--p->w.n];
	must(ev->key == want.key);
	must(ev->who == want.who);
	must(ev->data == want.data);
	p->now = st_ev_time(ev);
	return true;
}

static void drain(struct pair *p)
{
	struct st_ev ev;

	must(evq_valid(&p->q));
	while (take(p, &ev))
		;
	must(evq_valid(&p->q));
}

/* Send a class to the heap for good: its lane has seen the far future. */
static void poison(struct pair *p, unsigned class, st_time far)
{
	put(p, far, class);
}

/* --- random mixes ------------------------------------------------------------------ */

static st_time delay(struct st_rng *r, unsigned kind, unsigned class)
{
	switch (kind) {
	case 0:
		return 0;
	case 1:
		return (st_time)(1000 * (class + 1));
	case 2:
		return st_time_from_ns(st_rng_exponential(r) * 1e9);
	case 3:
		return st_time_from_ns(st_rng_exponential(r) * (st_rng_below(r, 2) ? 20.0 : 5e15));
	case 4:
		return (st_time)st_rng_below(r, 4);
	case 5:
		return (st_time)(st_rng_below(r, 20) * 100);
	case 6:
		return (st_time)1 << st_rng_below(r, 58);
	case 7:
		return (st_time)st_rng_below(r, 100000);
	default:
		return delay(r, (unsigned)st_rng_below(r, 8), class);
	}
}

enum { KINDS = 9, SIZES = 4, CLASSES = 3 };

/*
 * _i is a mix of delay distribution, pending events and classes. Clusters of puts grow the queue to the size,
 * clusters of takes shrink it again, so that the run spills and is refilled in every state.
 */
START_TEST(agrees_with_the_sorted_array)
{
	static const size_t sizes[SIZES] = {5, 90, 700, 5000};
	static const unsigned classes[CLASSES] = {1, 3, 8};
	unsigned kind = (unsigned)_i % KINDS, of = classes[_i / KINDS / SIZES];
	size_t size = sizes[_i / KINDS % SIZES];
	struct st_rng_family f = st_rng_family(2385, (uint32_t)_i);
	struct st_rng r = st_rng_open(&f, 0, 0, 0, ST_RNG_THINK);
	struct pair *p = pair_new();
	struct st_ev ev;

	for (unsigned step = 0; step < 9000; step++) {
		unsigned class = (unsigned)st_rng_below(&r, of);
		if (p->now > (st_time)1 << 59)
			break;
		if (p->w.n < st_rng_below(&r, 2 * size)) {
			uint64_t burst = st_rng_below(&r, 50) ? 1 + st_rng_below(&r, 3) : 150;
			st_time at = p->now + delay(&r, kind, class);
			for (uint64_t i = 0; i < burst; i++)
				put(p, burst == 150 && _i % 2 ? p->now + delay(&r, kind, class) : at, class);
		}
		take(p, &ev);
		if (step % 97 == 0)
			must(evq_valid(&p->q));
	}
	drain(p);
	pair_free(p);
}
END_TEST

START_TEST(two_queues_do_not_meet)
{
	struct pair *a = pair_new(), *b = pair_new();
	struct st_ev ev;

	for (int i = 0; i < 3000; i++) {
		put(a, a->now + i * 7919 % 1000, 2);
		put(b, b->now + i * 104729 % 5000, (unsigned)i % 8);
		if (i % 3)
			take(i % 2 ? a : b, &ev);
	}
	drain(a);
	pair_free(a);
	drain(b);
	pair_free(b);
}
END_TEST

/* --- order ------------------------------------------------------------------------------ */

START_TEST(equal_times_leave_by_class_then_in_order)
{
	struct pair *p = pair_new();
	struct st_ev ev;

	for (unsigned i = 0; i < 400; i++)
		put(p, 2385, i * 5 % 8);
	for (unsigned i = 0; i < 400; i++) {
		must(take(p, &ev));
		must(st_ev_class(&ev) == i / 50);
		must(st_ev_time(&ev) == 2385);
	}
	must(!take(p, &ev));
	pair_free(p);
}
END_TEST

START_TEST(a_lower_class_at_the_present_instant_is_next)
{
	for (unsigned in_heap = 0; in_heap < 2; in_heap++) {
		struct pair *p = pair_new();
		struct st_ev ev;
		for (unsigned c = 0; c < 8 && in_heap; c++)
			poison(p, c, ST_SEC);
		for (unsigned i = 0; i < 500; i++)
			put(p, 777, 5);
		for (unsigned i = 0; i < 300; i++) {
			must(take(p, &ev));
			must(st_ev_class(&ev) == 5);
			for (unsigned c = 0; c < 5; c++)
				put(p, 777, 4 - c);
			for (unsigned c = 0; c < 5; c++) {
				must(take(p, &ev));
				must(st_ev_class(&ev) == c);
			}
		}
		drain(p);
		pair_free(p);
	}
}
END_TEST

/* A lane's latest bounds the heap's events of its class, also while the lane is drained and filled again. */
START_TEST(a_lane_that_ran_empty_keeps_order)
{
	struct pair *p = pair_new();
	struct st_ev ev;

	for (unsigned round = 0; round < 200; round++) {
		st_time t = p->now;
		put(p, t + 100, 1);
		put(p, t + 90, 1); /* the heap's: before the lane's latest */
		put(p, t + 90, 1);
		must(take(p, &ev));
		put(p, t + 100, 1); /* the lane's again */
		put(p, t + 95, 1);
		put(p, t + 90, 1);
		put(p, t + 100, 1);
		while (take(p, &ev))
			;
		must(p->now == t + 100);
		put(p, t + 100, 1); /* at the latest of an empty lane */
		put(p, t + 100, 1);
		if (round % 2)
			drain(p);
	}
	drain(p);
	pair_free(p);
}
END_TEST

START_TEST(ties_across_lane_heap_and_spill)
{
	struct pair *p = pair_new();
	struct st_ev ev;

	/* Ties at 1000 in lane 3, then the lane runs ahead, then ties at 1000 in the heap, half of them via
	 * spills. */
	for (unsigned i = 0; i < 300; i++)
		put(p, 1000, 3);
	put(p, 5000, 3);
	poison(p, 4, 9000);
	for (unsigned i = 0; i < 900; i++) {
		put(p, 1000 + i % 3, 3);
		put(p, 990 + i % 30, 4);
		if (i % 5 == 0)
			must(evq_valid(&p->q));
		if (i % 7 == 0 && i < 200)
			put(p, 1, 2);
		if (i % 7 == 0 && i < 200)
			must(take(p, &ev));
	}
	drain(p);
	pair_free(p);
}
END_TEST

/* --- herds: no work that is not proportional, no order lost ------------------------------ */

enum { HERD = 1000000 };

/* Takes everything; time never goes back, and equal keys leave in the order of who. */
static void drain_in_order(struct st_evq *q, size_t n)
{
	struct st_ev ev, before = {0};
	size_t i = 0;

	for (; st_evq_take(q, &ev); i++) {
		must(ev.key > before.key || (ev.key == before.key && (i == 0 || ev.who > before.who)));
		before = ev;
	}
	ck_assert_uint_eq(i, n);
	ck_assert_uint_eq(st_evq_len(q), 0);
}

/* A heap-only class 1, a limit far ahead, a million puts just before it: each would shift the run without the
 * spill. */
START_TEST(a_herd_close_ahead_is_not_quadratic)
{
	struct st_evq *q = malloc(sizeof *q);
	struct st_ev ev;
	struct st_rng_family f = st_rng_family(2385, 1);
	struct st_rng r = st_rng_open(&f, 0, 0, 0, ST_RNG_BACKOFF);

	st_evq_init(q);
	st_evq_put(q, (st_time)1 << 50, 1, 0, 0);
	st_evq_put(q, 100 * ST_SEC, 1, 1, 0); /* the heap: the front opens, and all below is the front's */
	st_evq_put(q, 1, 1, 2, 0);
	must(st_evq_take(q, &ev));
	ck_assert_uint_gt(q->limit, 100 * ST_SEC << 3);
	for (uint32_t i = 0; i < HERD; i++) {
		st_time near = _i == 0   ? (st_time)st_rng_below(&r, 50 * ST_SEC) /* spread */
			       : _i == 1 ? 10 * ST_SEC - i                        /* ever earlier */
			       : _i == 2 ? 10 * ST_SEC + i                        /* ever later */
			       : _i == 3 ? (st_time)st_rng_below(&r, 3) + 7       /* three instants */
					 : 10 * ST_SEC - (st_time)i / 100 * 100;  /* ties, ever earlier */
		st_evq_put(q, near + 1, 1, i + 3, 0);
	}
	must(evq_valid(q));
	drain_in_order(q, HERD + 2);
	ck_assert_uint_lt(q->moved, (uint64_t)60 * HERD);
	st_evq_release(q);
	free(q);
}
END_TEST

/* Ties are appended: in a lane, in a bucket, in the front, and while they are taken. */
START_TEST(ties_by_the_million_move_little)
{
	struct st_evq *q = malloc(sizeof *q);
	struct st_ev ev;
	bool front = _i & 1, heap = _i & 2;
	uint32_t who = 0;

	st_evq_init(q);
	if (heap)
		st_evq_put(q, (st_time)1 << 50, 1, who++, 0);
	st_evq_put(q, 1, 1, who++, 0);
	if (front)
		must(st_evq_take(q, &ev));
	for (int i = 0; i < HERD; i++)
		st_evq_put(q, 2385 * ST_MSEC, 1, who++, 0);
	must(evq_valid(q));
	if (!front)
		must(st_evq_take(q, &ev));
	for (int i = 0; i < HERD; i++) { /* each puts one more at its own instant */
		must(st_evq_take(q, &ev));
		must(st_ev_time(&ev) == 2385 * ST_MSEC);
		st_evq_put(q, 2385 * ST_MSEC, 1, who++, 0);
	}
	must(evq_valid(q));
	drain_in_order(q, HERD + (heap ? 1 : 0));
	ck_assert_uint_lt(q->moved, (uint64_t)12 * HERD);
	st_evq_release(q);
	free(q);
}
END_TEST

/*
 * The mass in front while each of its events puts earlier classes of the same instant, enough of them to
 * spill: it is hung back into its bucket and out again as a whole, not event by event.
 */
START_TEST(a_mass_is_spilled_as_a_whole)
{
	struct st_evq *q = malloc(sizeof *q);
	struct st_ev ev;
	uint32_t who = 0;
	size_t puts = HERD;

	st_evq_init(q);
	for (unsigned c = 0; c < 8; c++)
		st_evq_put(q, (st_time)1 << 50, c, who++, 0);
	for (int i = 0; i < HERD; i++)
		st_evq_put(q, 10 * ST_SEC, 7, who++, 0);
	for (int i = 0; i < 3000; i++) {
		must(st_evq_take(q, &ev));
		must(st_ev_class(&ev) == 7);
		for (unsigned k = 0; k < 140; k++, puts++)
			st_evq_put(q, 10 * ST_SEC, k % 6, who++, 0);
		for (unsigned k = 0, last = 0; k < 140; k++) {
			must(st_evq_take(q, &ev));
			must(st_ev_class(&ev) < 7);
			must(st_ev_class(&ev) >= last);
			last = st_ev_class(&ev);
		}
	}
	must(evq_valid(q));
	drain_in_order(q, HERD - 3000 + 8);
	ck_assert_uint_lt(q->moved, (uint64_t)60 * puts);
	st_evq_release(q);
	free(q);
}
END_TEST

/* --- the traps of the origin --------------------------------------------------------------- */

/*
 * One far event in the heap, a lane of near ones, each of which puts a mass into the heap close ahead. Had
 * the far bucket been opened early, the origin would lie past all of these puts and a spill could not put
 * them back.
 */
START_TEST(lanes_before_a_far_bucket_leave_it_shut)
{
	struct st_rng_family f = st_rng_family(2385, 2 + (uint32_t)_i);
	struct st_rng r = st_rng_open(&f, 0, 0, 0, ST_RNG_BACKOFF);
	struct pair *p = pair_new();
	struct st_ev ev;
	st_time far = (st_time)1 << (25 + _i);

	poison(p, 1, far + 1000);
	for (int i = 0; i < 1 + _i % 2 * 60; i++)
		put(p, far + i, 1); /* the heap's */
	for (int i = 0; i < 40; i++)
		put(p, 1000 + i * 5000, 0);
	for (int i = 0; i < 9000 && take(p, &ev); i++) {
		if (st_ev_class(&ev) == 0 && p->puts < 30000)
			for (int k = 0; k < 300; k++)
				put(p, p->now + 1 + (st_time)st_rng_below(&r, 8000), 1);
		if (i % 100 == 0)
			must(evq_valid(&p->q));
	}
	drain(p);
	pair_free(p);
}
END_TEST

/* Put through [from, to), again and again, until the front's limit comes down: a spill. */
static void put_until_spill(struct pair *p, st_time from, st_time to, st_time step)
{
	uint64_t limit = p->q.limit;

	for (int i = 0; i < 1000 && p->q.limit >= limit; i++)
		put(p, from + i * step % (to - from), 1);
	must(p->q.limit < limit);
	must(evq_valid(&p->q));
}

/*
 * Between two spills the time passes from one 6-bit block into the next, which already holds what the first
 * one spilled. An origin that followed the time would now put later events into lower, and so earlier,
 * buckets than those.
 */
START_TEST(a_spill_leaves_the_origin_alone)
{
	struct pair *p = pair_new();
	st_time u = (st_time)1 << _i, block = 10 * 512 * u;
	struct st_ev ev;

	poison(p, 1, (st_time)1 << 50);
	put(p, 1, 1);
	must(take(p, &ev));
	for (int i = 0; i < 5; i++)
		put(p, block - (20 - i) * u, 1);
	put_until_spill(p, block + 50 * u, block + 300 * u, 2 * u);
	st_time first = (st_time)(p->q.limit >> 3);
	for (int i = 0; i < 7; i++)
		must(take(p, &ev));
	must(p->now > block);
	put_until_spill(p, p->now, first, u / 3 + 1);
	for (int i = -4; i < 100; i++)
		put(p, first + i * u, 1);
	must(evq_valid(&p->q));
	drain(p);
	pair_free(p);
}
END_TEST

/* Spill upon spill, each below the last, with ties on both sides of every limit. */
START_TEST(two_spills_in_a_row_keep_order)
{
	struct pair *p = pair_new();
	struct st_ev ev;

	poison(p, 1, (st_time)1 << 40);
	for (st_time t = 1; t < 5; t++)
		put(p, t * 1000000 + _i * 37, 1);
	must(take(p, &ev));
	for (int spills = 0; spills < 6; spills++) {
		uint64_t limit = p->q.limit;
		for (int i = 0; p->q.limit == limit && i < 1000; i++)
			put(p, p->now + 1 + i * 7919 % (1000000 >> spills), 1);
		ck_assert_uint_lt(p->q.limit, limit);
		must(evq_valid(&p->q));
		if (spills % 2 == 0)
			must(take(p, &ev));
		for (int i = -2; i < 3; i++) {
			st_time at = (st_time)(p->q.limit >> 3) + i;
			put(p, at > p->now ? at : p->now, 1);
		}
	}
	drain(p);
	pair_free(p);
}
END_TEST

/* --- memory and looking ahead ----------------------------------------------------------------- */

/* What one bucket frees another uses: holding n events takes the same memory for ever. */
START_TEST(memory_is_reused)
{
	struct st_evq *q = malloc(sizeof *q);
	struct st_rng_family f = st_rng_family(2385, 9);
	struct st_rng r = st_rng_open(&f, 0, 0, 0, ST_RNG_BACKOFF);
	struct st_ev ev;

	st_evq_init(q);
	for (uint32_t i = 0; i < 20000; i++)
		st_evq_put(q, st_time_from_ns(st_rng_exponential(&r) * 1e9), 1, i, 0);
	for (uint32_t i = 0; i < 60000; i++) {
		must(st_evq_take(q, &ev));
		st_evq_put(q, st_ev_time(&ev) + st_time_from_ns(st_rng_exponential(&r) * 1e9), 1, ev.who, 0);
	}
	struct st_evq_slab *slabs = q->slabs;
	for (uint32_t i = 0; i < 300000; i++) {
		must(st_evq_take(q, &ev));
		st_evq_put(q, st_ev_time(&ev) + st_time_from_ns(st_rng_exponential(&r) * 1e9), 1, ev.who, 0);
	}
	ck_assert_ptr_eq(q->slabs, slabs);
	st_evq_release(q);
	free(q);
}
END_TEST

START_TEST(looks_ahead_in_run_lane_and_mass)
{
	enum { AHEAD = 8, N = 2000 };
	for (int where = 0; where < 3; where++) {
		struct st_evq *q = malloc(sizeof *q);
		bool seen[N + AHEAD + 1] = {false};
		struct st_ev ev;
		unsigned n = 0;
		st_evq_init(q);
		ck_assert_ptr_null(st_evq_ahead(q, 0));
		if (where)
			st_evq_put(q, 1000000, 1, N, 0);
		for (uint32_t i = 0; i < N; i++)
			st_evq_put(q, where == 2 ? 500 : 10 + i, 1, i, 0);
		for (uint32_t i = 0; i < N; i++) {
			must(st_evq_take(q, &ev));
			ck_assert_uint_eq(ev.who, i);
			const struct st_ev *next = st_evq_ahead(q, AHEAD - 1);
			if (next) {
				ck_assert_uint_eq(next->who, i + AHEAD);
				seen[next->who] = true;
			}
		}
		for (uint32_t i = 0; i < N; i++)
			n += seen[i];
		ck_assert_uint_ge(n, N * 7 / 10);
		st_evq_release(q);
		free(q);
	}
}
END_TEST

int main(void)
{
	Suite *s = suite_create("evq");
	TCase *mix = tcase_create("mixes"), *order = tcase_create("order"), *herd = tcase_create("herds"),
	      *trap = tcase_create("origin"), *rest = tcase_create("memory");

	tcase_set_timeout(mix, 300);
	tcase_set_timeout(herd, 300);
	tcase_add_loop_test(mix, agrees_with_the_sorted_array, 0, KINDS * SIZES * CLASSES);
	tcase_add_test(mix, two_queues_do_not_meet);
	tcase_add_test(order, equal_times_leave_by_class_then_in_order);
	tcase_add_test(order, a_lower_class_at_the_present_instant_is_next);
	tcase_add_test(order, a_lane_that_ran_empty_keeps_order);
	tcase_add_test(order, ties_across_lane_heap_and_spill);
	tcase_add_loop_test(herd, a_herd_close_ahead_is_not_quadratic, 0, 5);
	tcase_add_loop_test(herd, ties_by_the_million_move_little, 0, 4);
	tcase_add_test(herd, a_mass_is_spilled_as_a_whole);
	tcase_add_loop_test(trap, lanes_before_a_far_bucket_leave_it_shut, 0, 20);
	tcase_add_loop_test(trap, a_spill_leaves_the_origin_alone, 0, 20);
	tcase_add_loop_test(trap, two_spills_in_a_row_keep_order, 0, 40);
	tcase_add_test(rest, memory_is_reused);
	tcase_add_test(rest, looks_ahead_in_run_lane_and_mass);
	suite_add_tcase(s, mix);
	suite_add_tcase(s, order);
	suite_add_tcase(s, herd);
	suite_add_tcase(s, trap);
	suite_add_tcase(s, rest);
	return tap_main(s);
}
