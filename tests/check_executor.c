#include <config.h>

#include "experiment/executor.h"

#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "experiment/pool.h"
#include "tap_main.h"

static const char yaml[] = "duration: 5s\n"
			   "service: {workers: 2, service_time: exponential 20ms, queue: {limit: 10}}\n"
			   "clients:\n"
			   "  fleet:\n"
			   "    count: 60\n"
			   "    workload: {kind: once, at: 1s}\n"
			   "    retry: {attempts: 5, backoff: {base: 100ms, cap: 2s}}\n"
			   "  users: {count: 10, workload: {kind: poisson, rate: 40/s}}\n"
			   "faults: [{at: 2s, for: 1s, effect: 503}, {at: 1s, for: 500ms, effect: refuse}]\n";

enum { POINTS = 3, REPLICATIONS = 4, JOBS = POINTS * REPLICATIONS };

static struct st_scenario scenario;
static struct st_grid grid;
static struct st_job job[JOBS];

static void read_scenario(void)
{
	static const char *const axes[] = {"backoff.jitter=none,full,decorrelated"};
	struct st_err e = ST_ERR_INIT;
	char name[] = "/tmp/check_executor.XXXXXX";
	int fd = mkstemp(name);

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(write(fd, yaml, sizeof yaml - 1), (ssize_t)sizeof yaml - 1);
	close(fd);
	int rc = st_scenario_read(name, NULL, 0, axes, 1, &scenario, &e);
	unlink(name);
	ck_assert_msg(rc == 0, "%s", e.n ? e.message[0] : "no message");
	ck_assert_int_eq(st_grid_init(&grid, &scenario, &e), 0);
	ck_assert_uint_eq(grid.n, POINTS);
	for (uint32_t i = 0; i < JOBS; i++)
		job[i] = (struct st_job){i / REPLICATIONS, i % REPLICATIONS};
}

static void release_scenario(void)
{
	st_grid_release(&grid);
	st_scenario_release(&scenario);
}

/* What came of each job, in the job's place. */
struct kept {
	struct st_result result[JOBS];
	size_t n, fail_at; /* done() fails at the fail_at-th; 0: never */
	volatile int *stop;
	size_t stop_at;
};

static int keep(void *to, const struct st_job *j, struct st_result *r, struct st_err *e)
{
	struct kept *k = to;
	struct st_result *slot = &k->result[j->point * REPLICATIONS + j->replication];

	ck_assert_ptr_null(slot->figure); /* no job is done twice */
	*slot = *r;
	k->n++;
	if (k->n == k->stop_at)
		*k->stop = 1;
	return k->n == k->fail_at ? st_err_add(e, ST_EXIT_MACHINE, NULL, "the disk is full") : 0;
}

static void release(struct kept *k)
{
	for (size_t i = 0; i < JOBS; i++)
		st_result_release(&k->result[i]);
}

static int run(struct kept *k, unsigned threads, struct st_err *e)
{
	static volatile int stop;

	stop = 0;
	k->stop = &stop;
	return st_executor_run(
	    &(struct st_executor_cfg){
		.grid = &grid, .job = job, .njobs = JOBS, .threads = threads, .stop = &stop, .done = keep, .to = k},
	    e);
}

static void same(const struct st_result *a, const struct st_result *b)
{
	ck_assert_uint_eq(a->fingerprint, b->fingerprint);
	ck_assert_uint_eq(a->events, b->events);
	ck_assert_uint_eq(a->replication, b->replication);
	ck_assert_int_eq(memcmp(a->figure, b->figure, st_figure_count() * sizeof *a->figure), 0);
	ck_assert_uint_eq(a->nsubjects, b->nsubjects);
	for (size_t g = 0; g < a->nsubjects; g++) {
		ck_assert_str_eq(a->subject[g].name, b->subject[g].name);
		ck_assert_int_eq(memcmp(a->subject[g].figure, b->subject[g].figure, st_figure_count() * sizeof(double)), 0);
	}
	ck_assert_uint_eq(a->series.n, b->series.n);
	ck_assert_int_eq(memcmp(a->series.row, b->series.row, a->series.n * sizeof *a->series.row), 0);
	ck_assert_uint_eq(a->nended, b->nended);
	ck_assert_int_eq(memcmp(a->ended_with, b->ended_with, a->nended * sizeof *a->ended_with), 0);
}

static const unsigned threads[] = {1, 2, 8, 50};

START_TEST(any_number_of_threads_gives_the_same_results)
{
	struct st_err e = ST_ERR_INIT;
	struct kept one = {0}, many = {0};

	ck_assert_int_eq(run(&one, 1, &e), 0);
	ck_assert_uint_eq(one.n, JOBS);
	ck_assert_int_eq(run(&many, threads[_i], &e), 0);
	ck_assert_uint_eq(many.n, JOBS);
	for (size_t i = 0; i < JOBS; i++)
		same(&one.result[i], &many.result[i]);
	release(&one);
	release(&many);
}
END_TEST

START_TEST(replications_and_points_differ)
{
	struct st_err e = ST_ERR_INIT;
	struct kept k = {0};

	ck_assert_int_eq(run(&k, 2, &e), 0);
	for (size_t i = 0; i < JOBS; i++) {
		for (size_t j = 0; j < i; j++)
			ck_assert_uint_ne(k.result[i].fingerprint, k.result[j].fingerprint);
	}
	release(&k);
}
END_TEST

START_TEST(a_trial_is_whole)
{
	struct st_err e = ST_ERR_INIT;
	struct kept k = {0};

	ck_assert_int_eq(run(&k, 1, &e), 0);
	const struct st_result *r = &k.result[0];
	double operations = r->figure[st_figure_find("operations")];
	uint64_t ended = 0;

	ck_assert_uint_eq(r->nsubjects, 2);
	ck_assert_str_eq(r->subject[0].name, "fleet");
	ck_assert_double_eq(r->subject[0].figure[st_figure_find("operations")], 60);
	ck_assert_double_eq(r->subject[0].figure[st_figure_find("operations")] +
		r->subject[1].figure[st_figure_find("operations")], operations);
	for (size_t i = 0; i < r->nended; i++)
		ended += r->ended_with[i];
	ck_assert_double_eq((double)ended + r->figure[st_figure_find("open_at_end")], operations);
	ck_assert_uint_gt(r->ended_with[r->nended - 1], 0);
	ck_assert_double_eq_tol(r->capacity_per_s, 100, 1e-9);
	ck_assert_uint_eq(r->series.n, 50);
	ck_assert_uint_eq(r->nfaults, 2);
	ck_assert_int_eq(r->fault[0].from, 1 * ST_SEC); /* sorted, not as written */
	ck_assert_int_eq(r->fault[0].to, 1500 * ST_MSEC);
	ck_assert_int_eq(r->fault[1].from, 2 * ST_SEC);
	ck_assert_double_gt(r->wall_s, 0);
	ck_assert_double_gt(r->cpu_s, 0);
	ck_assert_uint_gt(r->peak_rss_bytes, 100000);
	release(&k);
}
END_TEST

START_TEST(a_failure_stops_everything_and_is_told_once)
{
	struct st_err e = ST_ERR_INIT;
	struct kept k = {.fail_at = 3};

	ck_assert_int_eq(run(&k, threads[_i], &e), -1);
	ck_assert_uint_eq(k.n, 3);
	ck_assert_uint_eq(e.n, 1);
	ck_assert_int_eq(e.code, ST_EXIT_MACHINE);
	ck_assert_str_eq(e.message[0], "the disk is full");
	st_err_release(&e);
	release(&k);
}
END_TEST

/* Threads that are at a trial when the stop comes may still finish it, and what waits is handed over. */
START_TEST(a_stop_from_outside_is_no_failure)
{
	struct st_err e = ST_ERR_INIT;
	struct kept k = {.stop_at = 3};

	ck_assert_int_eq(run(&k, threads[_i], &e), 0);
	ck_assert(!st_err_any(&e));
	ck_assert_uint_ge(k.n, 3);
	ck_assert_uint_le(k.n, threads[_i] == 1 ? 3 : JOBS);
	release(&k);
}
END_TEST

/* The first result is held up until the others are through. */
struct desk {
	sem_t held, others_are_through;
	pthread_t of[JOBS]; /* who handed over which */
	size_t n;
};

static int hand_over(void *to, const struct st_job *j, struct st_result *r, struct st_err *e)
{
	struct desk *d = to;

	(void)r, (void)e;
	ck_assert_ptr_eq(j, &job[d->n]);
	d->of[d->n++] = pthread_self();
	if (j == job) {
		sem_post(&d->held);
		sem_wait(&d->others_are_through);
	}
	return 0;
}

static void *give_first(void *pool)
{
	struct st_result r = {0};
	struct st_err e = ST_ERR_INIT;

	st_pool_give(pool, &job[0], 0, &r, &e);
	return NULL;
}

START_TEST(nobody_waits_for_who_hands_over)
{
	struct desk d = {.n = 0};
	const struct st_executor_cfg cfg = {.njobs = JOBS, .done = hand_over, .to = &d};
	struct st_err e = ST_ERR_INIT;
	struct st_pool p;
	pthread_t first;

	sem_init(&d.held, 0, 0);
	sem_init(&d.others_are_through, 0, 0);
	st_pool_init(&p, &cfg, &e);
	ck_assert_int_eq(pthread_create(&first, NULL, give_first, &p), 0);
	sem_wait(&d.held);
	for (size_t i = 1; i < JOBS; i++) {
		struct st_result r = {0};
		struct st_err none = ST_ERR_INIT;

		st_pool_give(&p, &job[i], 0, &r, &none); /* returns, though the first is not through */
	}
	sem_post(&d.others_are_through);
	pthread_join(first, NULL);
	ck_assert_int_eq(st_pool_release(&p), 0);
	ck_assert_uint_eq(d.n, JOBS);
	for (size_t i = 0; i < JOBS; i++)
		ck_assert(pthread_equal(d.of[i], d.of[0]) != 0);
	sem_destroy(&d.held);
	sem_destroy(&d.others_are_through);
}
END_TEST

START_TEST(series_come_packed_if_asked_for)
{
	struct st_err e = ST_ERR_INIT;
	volatile int stop = 0;
	struct kept plain = {0}, packed = {0};
	struct st_tally a, b;

	ck_assert_int_eq(run(&plain, 1, &e), 0);
	ck_assert_int_eq(st_executor_run(&(struct st_executor_cfg){.grid = &grid, .job = job, .njobs = JOBS, .threads = 2,
	    .packs = true, .stop = &stop, .done = keep, .to = &packed}, &e), 0);
	st_tally_init(&a, plain.result[0].series.bin, plain.result[0].series.duration);
	st_tally_init(&b, packed.result[0].series.bin, packed.result[0].series.duration);
	for (size_t i = 0; i < JOBS; i++) {
		const struct st_result *r = &packed.result[i];

		ck_assert_uint_eq(r->series.n, 0);
		st_tally_add(&a, &plain.result[i].series);
		ck_assert_int_eq(st_tally_add_packed(&b, r->packed, r->npacked), 0);
	}
	ck_assert_uint_eq(a.rows, b.rows);
	ck_assert_int_eq(memcmp(a.sum, b.sum, a.rows * sizeof *a.sum), 0);
	st_tally_release(&a);
	st_tally_release(&b);
	release(&plain);
	release(&packed);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("executor");
	TCase *tc = tcase_create("trials");

	tcase_add_checked_fixture(tc, read_scenario, release_scenario);
	tcase_add_loop_test(tc, any_number_of_threads_gives_the_same_results, 0, sizeof threads / sizeof *threads);
	tcase_add_test(tc, replications_and_points_differ);
	tcase_add_test(tc, a_trial_is_whole);
	tcase_add_loop_test(tc, a_failure_stops_everything_and_is_told_once, 0, sizeof threads / sizeof *threads);
	tcase_add_loop_test(tc, a_stop_from_outside_is_no_failure, 0, sizeof threads / sizeof *threads);
	tcase_add_test(tc, nobody_waits_for_who_hands_over);
	tcase_add_test(tc, series_come_packed_if_asked_for);
	suite_add_tcase(s, tc);
	return tap_main(s);
}
