/*
 * hold.c - what a queue costs: the hold model, the event queue beside a 4-ary heap.
 *
 * The hold model (Jones, An empirical comparison of priority-queue and event-set implementations, CACM 29,
 * 1986): n events are pending; take the first, put it back a random while later, and again. The increments
 * are drawn beforehand, the same for both queues; nothing is subtracted for the loop. Both run in turns on
 * one core; the medians of CPU time count.
 *
 *   hold [most pending events, 1e7] [repetitions, 5] [factor between sizes, 10] [first size, 100]
 *
 * Columns: exponential increments for both queues and their ratio; all increments equal (timeouts); a herd
 * (all n events at one instant, each put back at the next: ties without end).
 */
#include <config.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/mem.h"
#include "base/rng.h"
#include "engine/evq.h"

enum { DRAWN = 1 << 16, REPETITIONS_MOST = 99 }; /* 512 KiB of increments, read in order */

static st_time increment[DRAWN];

/* --- the yardstick: an implicit 4-ary heap, children of a node in one cache line, a hole sifted instead of
 * swaps --- */

struct heap {
	struct st_ev *ev; /* the root is ev[3], so that siblings share a line */
	size_t n;
	void *memory;
};

static void heap_init(struct heap *h, size_t cap)
{
	h->memory = st_malloc((cap + 8) * sizeof *h->ev + 64);
	h->ev = (struct st_ev *)(((uintptr_t)h->memory + 63) & ~(uintptr_t)63);
	h->n = 0;
}

/* Node i (from 0) lies in slot i + 3; its children are 4i + 1 ... 4i + 4, slots 4(i + 1) ... */
static inline void heap_put(struct heap *h, uint64_t key, uint32_t who, uint32_t data)
{
	struct st_ev *node = h->ev + 3;
	size_t i = h->n++;

	for (; i > 0 && node[(i - 1) / 4].key > key; i = (i - 1) / 4)
		node[i] = node[(i - 1) / 4];
	node[i] = (struct st_ev){key, who, data};
}

static inline struct st_ev heap_take(struct heap *h)
{
	struct st_ev *node = h->ev + 3, first = node[0], last = node[--h->n];
	size_t i = 0, child;

	for (; (child = 4 * i + 1) + 3 < h->n; i = child) {
		size_t a = child + (node[child + 1].key < node[child].key);
		size_t b = child + 2 + (node[child + 3].key < node[child + 2].key);
		child = node[b].key < node[a].key ? b : a;
		if (last.key <= node[child].key)
			goto place;
		node[i] = node[child];
	}
	if (child < h->n) {
		size_t least = child;
		for (size_t k = child + 1; k < h->n; k++)
			if (node[k].key < node[least].key)
				least = k;
		if (node[least].key < last.key) {
			node[i] = node[least];
			i = least;
		}
	}
place:
	node[i] = last;
	return first;
}

/* --- measuring ------------------------------------------------------------------- */

static double now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/* ns per hold over `holds`, after as many as `warm` not counted. *check makes the work observable, and
 * comparable. */
static double hold_evq(struct st_evq *q, size_t holds, uint64_t *check)
{
	double start = now_ns();
	uint64_t sum = 0;
	struct st_ev ev;

	for (size_t i = 0; i < holds; i++) {
		st_evq_take(q, &ev);
		sum += ev.key;
		st_evq_put(q, st_ev_time(&ev) + increment[i % DRAWN], 1, ev.who, ev.data);
	}
	*check = sum;
	return (now_ns() - start) / (double)holds;
}

static double hold_heap(struct heap *h, size_t holds, uint64_t *check)
{
	double start = now_ns();
	uint64_t sum = 0;

	for (size_t i = 0; i < holds; i++) {
		struct st_ev ev = heap_take(h);
		sum += ev.key;
		heap_put(h, (uint64_t)(st_ev_time(&ev) + increment[i % DRAWN]) << 3 | 1, ev.who, ev.data);
	}
	*check = sum;
	return (now_ns() - start) / (double)holds;
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double median(double *x, size_t n)
{
	qsort(x, n, sizeof *x, by_value);
	return n % 2 ? x[n / 2] : (x[n / 2 - 1] + x[n / 2]) / 2;
}

/* Fill the table of increments. */
static void draw(double mean_ns, bool constant)
{
	struct st_rng_family f = st_rng_family(2385, 0);
	struct st_rng r = st_rng_open(&f, 0, 0, 0, ST_RNG_THINK);

	for (size_t i = 0; i < DRAWN; i++)
		increment[i] =
		    constant ? st_time_from_ns(mean_ns) : st_time_from_ns(mean_ns * st_rng_exponential(&r));
}

static void fill_random(size_t n, struct st_evq *q, struct heap *h)
{
	struct st_rng_family f = st_rng_family(2385, 1);
	struct st_rng r = st_rng_open(&f, 0, 0, 0, ST_RNG_THINK);

	for (size_t i = 0; i < n; i++) {
		st_time t = st_time_from_ns(1e9 * st_rng_exponential(&r));
		st_evq_put(q, t, 1, (uint32_t)i, 0);
		heap_put(h, (uint64_t)t << 3 | 1, (uint32_t)i, 0);
	}
}

/* Holds in each measurement; twice as many before the first bring the steady state. */
static size_t holds_of(size_t n)
{
	return n < 1000000 ? 1000000 : n;
}

static void exponential(size_t n, size_t reps, double *evq_ns, double *heap_ns)
{
	double a[REPETITIONS_MOST], b[REPETITIONS_MOST];
	struct st_evq *q = st_malloc(sizeof *q);
	struct heap h;
	uint64_t check_q, check_h;

	draw(1e9, false);
	st_evq_init(q);
	heap_init(&h, n);
	fill_random(n, q, &h);
	hold_evq(q, 2 * holds_of(n), &check_q);
	hold_heap(&h, 2 * holds_of(n), &check_h);
	for (size_t i = 0; i < reps; i++) {
		a[i] = hold_evq(q, holds_of(n), &check_q);
		b[i] = hold_heap(&h, holds_of(n), &check_h);
		if (check_q != check_h)
			fprintf(stderr, "hold: the two queues disagree at %zu\n", n);
	}
	*evq_ns = median(a, reps);
	*heap_ns = median(b, reps);
	st_evq_release(q);
	free(q);
	free(h.memory);
}

/* All increments equal: with spread the n events start at random times, else as one herd. */
static double constant(size_t n, size_t reps, bool spread)
{
	double a[REPETITIONS_MOST];
	struct st_evq *q = st_malloc(sizeof *q);
	uint64_t check;

	draw(1e9, true);
	st_evq_init(q);
	for (size_t i = 0; i < n; i++)
		st_evq_put(q, spread ? (st_time)(i * 1000000000 / n) : 1, 1, (uint32_t)i, 0);
	hold_evq(q, holds_of(n), &check);
	for (size_t i = 0; i < reps; i++)
		a[i] = hold_evq(q, holds_of(n), &check);
	st_evq_release(q);
	free(q);
	return median(a, reps);
}

/* A herd in the heap: a far event has sent the class there. */
static double herd(size_t n, size_t reps)
{
	double a[REPETITIONS_MOST];
	struct st_evq *q = st_malloc(sizeof *q);
	uint64_t check;

	draw(1e9, true);
	st_evq_init(q);
	st_evq_put(q, (st_time)1 << 59, 1, 0, 0);
	for (size_t i = 0; i < n; i++)
		st_evq_put(q, 1, 1, (uint32_t)i, 0);
	hold_evq(q, holds_of(n), &check);
	for (size_t i = 0; i < reps; i++)
		a[i] = hold_evq(q, holds_of(n), &check);
	st_evq_release(q);
	free(q);
	return median(a, reps);
}

int main(int argc, char **argv)
{
	double most = argc > 1 ? atof(argv[1]) : 1e7;
	long reps = argc > 2 ? atol(argv[2]) : 5;
	double step = argc > 3 ? atof(argv[3]) : 10.0;
	double from = argc > 4 ? atof(argv[4]) : 100.0;

	if (reps < 1 || reps > REPETITIONS_MOST || !(step > 1.0))
		return 2;
	printf("          ns per hold, exponential    |  equal increments |  one herd\n");
	printf(" pending     evq   4-ary heap   ratio |   evq (its lane)  |  evq (its heap)\n");
	for (double pending = from; pending <= most * 1.001; pending *= step) {
		size_t n = (size_t)(pending + 0.5);
		double evq_ns, heap_ns;
		exponential(n, (size_t)reps, &evq_ns, &heap_ns);
		printf("%8zu  %6.1f       %6.1f  %6.2f |  %6.1f           |  %6.1f\n", n, evq_ns, heap_ns,
		    heap_ns / evq_ns, constant(n, (size_t)reps, true), herd(n, (size_t)reps));
		fflush(stdout);
	}
	return 0;
}
