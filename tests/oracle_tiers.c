#include <config.h>

#include "oracle.h"
#include "tap_main.h"

/* Services that call others: retries multiply, a worker is held as long as its call lasts, and what nobody waits for goes on. */

static void run_once(const struct st_config *c, struct st_run *run)
{
	struct st_err e = ST_ERR_INIT;

	ck_assert_int_eq(st_world_run(c, 1, 0, NULL, run, &e), 0);
}

/* --- amplification ---------------------------------------------------------------------------------------------------- */

enum { CALLS = 25000 };

static const struct {
	int clients, middle, last; /* attempts of each layer; last 0: there are two */
	const char *share;
	double want;               /* (1 - p^M) / (1 - p), M their product */
} layers[] = {
    {4, 3, 0, "100%", 12},
    {4, 3, 0, "50%", 2.00},
    {4, 3, 0, "90%", 7.18},
    {12, 3, 0, "100%", 36},
    {12, 3, 0, "50%", 2.00},
    {12, 3, 0, "90%", 9.78},
    {3, 3, 3, "100%", 27},
    {3, 3, 3, "50%", 2.00},
    {3, 3, 3, "90%", 9.42},
    {3, 4, 0, "90%", 7.18}, /* the order does not matter */
};

START_TEST(retries_of_layers_multiply)
{
	char middle[200] = "";
	struct st_run run;

	if (layers[_i].last)
		snprintf(middle, sizeof middle, "  logic: {workers: 1M, service_time: 1ms, calls: {to: db, retry: {attempts: %d, on: [5xx], "
		    "backoff: {shape: constant, base: 10ms, jitter: none}}}}\n", layers[_i].last);
	struct st_config c = oracle_config(
	    "duration: 10m\n"
	    "services:\n"
	    "  api: {workers: 1M, service_time: 1ms, calls: {to: %s, retry: {attempts: %d, on: [5xx], "
	    "backoff: {shape: constant, base: 10ms, jitter: none}}}}\n"
	    "%s"
	    "  db: {workers: 1M, service_time: 1ms}\n"
	    "clients:\n"
	    "  users: {count: %d, workload: once, retry: {attempts: %d, on: [5xx], backoff: {shape: constant, base: 1s, jitter: none}}}\n"
	    "faults: [{at: 0s, for: 10m, effect: 503, service: db, share: %s}]\n",
	    layers[_i].last ? "logic" : "db", layers[_i].middle, middle, CALLS, layers[_i].clients, layers[_i].share);

	run_once(&c, &run);
	const struct st_counts *n = &run.meter[run.nmeters - 1].counts[0];
	double mean = (double)n->attempts / (double)run.meter->counts[0].operations;

	ck_assert_uint_eq(run.meter->counts[0].operations, CALLS);
	ck_assert_int_eq(run.meter->open, 0);
	if (n->successes == 0)
		ck_assert_double_eq(mean, layers[_i].want);
	else
		ck_assert_double_eq_tol(mean, layers[_i].want, 0.02 * layers[_i].want);
	st_run_release(&run);
	st_config_release(&c);
}
END_TEST

/* --- holding a worker ------------------------------------------------------------------------------------------------- */

/*
 * Three requests on two workers. Both call at 1 ms; the first call is over at 101 ms, when the third request gets its worker; it
 * calls at 102 ms, and waits there until the second one is over at 201 ms.
 */
START_TEST(a_worker_is_held_as_long_as_its_call_lasts)
{
	struct st_run run;
	struct st_config c = oracle_config(
	    "duration: 1s\n"
	    "services:\n"
	    "  api: {workers: 2, service_time: 1ms, calls: db}\n"
	    "  db: {workers: 1, service_time: 100ms}\n"
	    "clients: {users: {count: 3, workload: once}}\n");

	run_once(&c, &run);
	ck_assert_int_eq((int64_t)run.meter[0].wait.sum, 101 * ST_MSEC);
	ck_assert_int_eq((int64_t)run.meter[1].wait.sum, (100 + 99) * ST_MSEC);
	ck_assert_int_eq((int64_t)run.meter[0].latency.sum, (101 + 201 + 301) * ST_MSEC);
	ck_assert_int_eq((int64_t)run.meter[1].latency.sum, (100 + 200 + 199) * ST_MSEC);
	ck_assert_uint_eq(run.meter[0].counts[0].successes, 3);
	ck_assert_uint_eq(run.meter[1].counts[0].operations, 3);
	ck_assert_int_eq(run.meter[0].series.row[0][ST_CELL_BUSY_MEAN], 2 * ST_SERIES_MILLION);
	st_run_release(&run);
	st_config_release(&c);
}
END_TEST

/* A database that is slow for a while makes the queue grow before the tier in front of it. */
START_TEST(a_slow_tier_exhausts_the_workers_before_it)
{
	struct st_run run;
	struct st_config c = oracle_config(
	    "duration: 60s\n"
	    "bin: 1s\n"
	    "services:\n"
	    "  api: {workers: 20, service_time: 1ms, calls: db}\n"
	    "  db: {workers: 10, service_time: 10ms}\n"
	    "clients: {users: {count: 1000, workload: {kind: poisson, rate: 200/s}}}\n"
	    "faults: [{at: 20s, for: 20s, effect: slow, factor: 10, service: db}]\n");

	run_once(&c, &run);
	ck_assert_int_eq(run.meter[0].series.row[15][ST_CELL_QUEUE_MAX], 0);
	ck_assert_int_ge(run.meter[0].series.row[39][ST_CELL_QUEUE_MAX], 1500); /* it gains 100 a second */
	ck_assert_int_le(run.meter[1].series.row[39][ST_CELL_QUEUE_MAX], 10);
	ck_assert_int_eq(run.meter[0].series.row[39][ST_CELL_BUSY_MEAN], 20 * ST_SERIES_MILLION);
	st_run_release(&run);
	st_config_release(&c);
}
END_TEST

/* The call is given up at 60 ms and the request answered; the work goes on until 210 ms, for nobody. */
START_TEST(work_goes_on_for_a_call_that_is_given_up)
{
	struct st_run run;
	struct st_config c = oracle_config(
	    "duration: 1s\n"
	    "services:\n"
	    "  api: {workers: 1, service_time: 10ms, calls: {to: db, timeout: 50ms, status: 504, retry: {attempts: 1}}}\n"
	    "  db: {workers: 1, service_time: 200ms}\n"
	    "clients: {users: {count: 1, workload: once, retry: {attempts: 1}}}\n");

	run_once(&c, &run);
	ck_assert_uint_eq(run.meter[0].counts[0].errors, 1);
	ck_assert_uint_eq(run.meter[0].counts[0].answered[ST_ANSWER_ERROR], 1);
	ck_assert_uint_eq(st_counts_failed(&run.meter[0].counts[0]), 1);
	ck_assert_uint_eq(run.meter[1].counts[0].timed_out, 1);
	ck_assert_uint_eq(run.meter[1].counts[0].wasted, 1);
	ck_assert_int_eq((int64_t)run.meter[0].residence, 60 * ST_MSEC);
	ck_assert_int_eq((int64_t)run.meter[1].residence, 200 * ST_MSEC);
	st_run_release(&run);
	st_config_release(&c);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("tiers");
	TCase *tc = tcase_create("amplification");

	tcase_set_timeout(tc, ORACLE_TIMEOUT_S);
	tcase_add_loop_test(tc, retries_of_layers_multiply, 0, sizeof layers / sizeof *layers);
	suite_add_tcase(s, tc);
	tc = tcase_create("holding");
	tcase_add_test(tc, a_worker_is_held_as_long_as_its_call_lasts);
	tcase_add_test(tc, a_slow_tier_exhausts_the_workers_before_it);
	tcase_add_test(tc, work_goes_on_for_a_call_that_is_given_up);
	suite_add_tcase(s, tc);
	return tap_main(s);
}
