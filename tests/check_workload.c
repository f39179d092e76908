#include <config.h>

#include <math.h>

#include "build.h"
#include "tap_main.h"

/* --- what a test looks at --------------------------------------------------------------------------------------------- */

static void set(struct st_group_cfg *g, const char *name, const char *value)
{
	build_set(st_workload_params, &g->workload, name, value);
}

/* So many clients of this kind at a service that has a worker for each and takes 10 ms. */
static struct st_group_cfg *group(struct st_config *c, st_time duration, uint64_t count, const char *kind)
{
	build_init(c, duration);
	c->service->workers = count;
	struct st_group_cfg *g = build_group(c, "all", count);
	set(g, "kind", kind);
	return g;
}

/* First attempts that came in [from, to), in whole bins. */
static int64_t came(const struct st_run *run, st_time from, st_time to)
{
	const struct st_series *s = &run->meter->series;
	int64_t n = 0;

	for (st_time i = from / s->bin; i < to / s->bin; i++)
		n += s->row[i][ST_CELL_FIRST];
	return n;
}

/* First attempts by bin must be these, and none in the bins that follow. */
static void first_by_bin(const struct st_config *c, const int *want, size_t n)
{
	struct st_run run;

	build_run(c, &run);
	for (size_t i = 0; i < run.meter->series.n; i++)
		ck_assert_msg(run.meter->series.row[i][ST_CELL_FIRST] == (i < n ? want[i] : 0), "bin %zu: %lld", i,
		    (long long)run.meter->series.row[i][ST_CELL_FIRST]);
	st_run_release(&run);
}
#define FIRST_BY_BIN(c, ...) first_by_bin(c, (const int[]){__VA_ARGS__}, sizeof((const int[]){__VA_ARGS__}) / sizeof(int))

/* --- periodic --------------------------------------------------------------------------------------------------------- */

START_TEST(a_periodic_client_comes_at_each_tick)
{
	struct st_config c;
	struct st_group_cfg *g = group(&c, 2500 * ST_MSEC, 3, "periodic");

	c.bin = 500 * ST_MSEC;
	set(g, "period", "1s");
	set(g, "offset", "500ms");
	FIRST_BY_BIN(&c, 0, 3, 0, 3);
	build_release(&c);
}
END_TEST

START_TEST(ticks_that_find_the_client_busy_are_let_pass)
{
	struct st_config c;
	struct st_group_cfg *g = group(&c, 8 * ST_SEC, 1, "periodic");

	c.bin = ST_SEC;
	set(g, "period", "1s");
	c.service->service_time = st_dist_constant(2500 * ST_MSEC);
	FIRST_BY_BIN(&c, 1, 0, 0, 1, 0, 0, 1);
	/* An operation that ends at a tick is over by then: answers go before timers. */
	c.service->service_time = st_dist_constant(2 * ST_SEC);
	FIRST_BY_BIN(&c, 1, 0, 1, 0, 1, 0, 1);
	c.service->service_time = st_dist_constant(2 * ST_SEC + 1);
	FIRST_BY_BIN(&c, 1, 0, 0, 1, 0, 0, 1);
	/* The limit is one of ticks. */
	set(g, "operations", "5");
	FIRST_BY_BIN(&c, 1, 0, 0, 1);
	build_release(&c);
}
END_TEST

START_TEST(a_place_within_the_period_is_kept_or_drawn_anew)
{
	for (int redraw = 0; redraw < 2; redraw++) {
		struct st_config c;
		struct st_run run;
		struct st_group_cfg *g = group(&c, 40 * ST_SEC, 1000, "periodic");
		int same = 0, low = 1000, high = 0;

		set(g, "period", "10s");
		set(g, "spread", "10s");
		set(g, "redraw", redraw ? "tick" : "once");
		c.bin = ST_SEC;
		build_run(&c, &run);
		for (int i = 0; i < 10; i++) {
			int64_t n = came(&run, i * ST_SEC, (i + 1) * ST_SEC);

			same += n == came(&run, (10 + i) * ST_SEC, (11 + i) * ST_SEC);
			low = n < low ? (int)n : low;
			high = n > high ? (int)n : high;
		}
		/* Once: every period is the first one's copy. */
		ck_assert_int_eq(same == 10, redraw == 0);
		/* Binomial(1000, 1/10): 5 deviations. */
		ck_assert_int_ge(low, 100 - 48);
		ck_assert_int_le(high, 100 + 48);
		ck_assert_int_eq(came(&run, 0, 10 * ST_SEC), 1000);
		st_run_release(&run);
		build_release(&c);
	}
}
END_TEST

/* --- connections ------------------------------------------------------------------------------------------------------ */

static void backs_off(struct st_group_cfg *g, const char *delays, const char *reset)
{
	build_set(st_retry_params, &g->retry, "attempts", "unlimited");
	build_set(st_backoff_params, &g->retry.backoff, "shape", "table");
	build_set(st_backoff_params, &g->retry.backoff, "delays", delays);
	build_set(st_backoff_params, &g->retry.backoff, "jitter", "none");
	build_set(st_backoff_params, &g->retry.backoff, "reset", reset);
}

/* Attempts, first and further, by bin of a second. */
static void attempts_by_bin(const struct st_config *c, const int *want, size_t n)
{
	struct st_run run;

	build_run(c, &run);
	for (size_t i = 0; i < run.meter->series.n; i++)
		ck_assert_msg(run.meter->series.row[i][ST_CELL_OFFERED] == (i < n ? want[i] : 0), "second %zu: %lld", i,
		    (long long)run.meter->series.row[i][ST_CELL_OFFERED]);
	st_run_release(&run);
}
#define ATTEMPTS_BY_BIN(c, ...) attempts_by_bin(c, (const int[]){__VA_ARGS__}, sizeof((const int[]){__VA_ARGS__}) / sizeof(int))

START_TEST(a_connection_is_opened_again_when_it_ends)
{
	struct st_config c;
	struct st_group_cfg *g = group(&c, 10 * ST_SEC, 3, "connection");

	c.bin = ST_SEC;
	c.service->service_time = st_dist_constant(500 * ST_MSEC);
	set(g, "lifetime", "2s");
	FIRST_BY_BIN(&c, 0, 0, 3, 0, 3, 0, 0, 3, 0, 3); /* at 2, 4.5, 7 and 9.5 s */
	set(g, "operations", "2");
	FIRST_BY_BIN(&c, 0, 0, 3, 0, 3);
	set(g, "begin", "connect");
	set(g, "at", "1s");
	FIRST_BY_BIN(&c, 0, 3, 0, 3);
	set(g, "begin", "connected");
	FIRST_BY_BIN(&c, 0, 0, 0, 3, 0, 3);
	set(g, "lifetime", "unlimited");
	FIRST_BY_BIN(&c, 0);
	build_release(&c);
}
END_TEST

/* The service is down for five seconds: who was dropped waits first. Who has given up stays away. */
START_TEST(a_dropped_client_waits_before_its_first_attempt)
{
	struct st_config c;
	struct st_group_cfg *g = group(&c, 20 * ST_SEC, 3, "connection");

	c.bin = ST_SEC;
	build_fault(&c, 0, 5 * ST_SEC, "refuse");
	set(g, "lifetime", "0s");
	set(g, "at_end", "backoff");
	set(g, "operations", "1");
	backs_off(g, "[1s, 2s, 4s]", "success");
	ATTEMPTS_BY_BIN(&c, 0, 3, 0, 3, 0, 0, 0, 3);
	build_set(st_group_params, g, "deadline", "1500ms");
	ATTEMPTS_BY_BIN(&c, 0, 3);
	build_set(st_group_params, g, "deadline", "1s");
	ATTEMPTS_BY_BIN(&c, 0);
	build_set(st_group_params, g, "deadline", "off");
	set(g, "operations", "unlimited");
	set(g, "at_end", "reopen");
	build_set(st_retry_params, &g->retry, "attempts", "2");
	ATTEMPTS_BY_BIN(&c, 3, 3);
	build_release(&c);
}
END_TEST

/* A service that accepts and drops 100 ms later: with every success the count begins anew, or goes on until one lasts. */
START_TEST(the_backoff_goes_on_until_a_connection_lasts)
{
	struct st_config c;
	struct st_group_cfg *g = group(&c, 16 * ST_SEC, 1, "connection");

	c.bin = ST_SEC;
	c.service->service_time = st_dist_constant(1);
	set(g, "lifetime", "100ms");
	set(g, "at_end", "backoff");
	backs_off(g, "[1s, 2s, 4s, 9s]", "success");
	ATTEMPTS_BY_BIN(&c, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 1, 1, 1, 1, 1); /* every 1.1 s */
	backs_off(g, "[1s, 2s, 4s, 9s]", "100ms");
	ATTEMPTS_BY_BIN(&c, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 1, 1, 1, 1, 1);
	backs_off(g, "[1s, 2s, 4s, 9s]", "101ms");
	ATTEMPTS_BY_BIN(&c, 0, 1, 0, 1, 0, 0, 0, 1); /* at 1.1, 3.2, 7.3 and, too late, 16.4 s */
	/* An attempt in between that fails counts too: 1.1 refused, 3.1 in; 7.2 s refused, 16.2 s too late. */
	build_fault(&c, 1 * ST_SEC, 1 * ST_SEC, "refuse");
	build_fault(&c, 7 * ST_SEC, 1 * ST_SEC, "refuse");
	ATTEMPTS_BY_BIN(&c, 0, 1, 0, 1, 0, 0, 0, 1);
	build_release(&c);
}
END_TEST

/* --- the start in parts ----------------------------------------------------------------------------------------------- */

START_TEST(clients_start_in_parts_of_equal_size)
{
	struct st_config c;
	struct st_group_cfg *g = group(&c, 10 * ST_SEC, 10, "once");

	c.bin = ST_SEC;
	set(g, "at", "1s");
	set(g, "start.groups", "5");
	set(g, "start.every", "2s");
	FIRST_BY_BIN(&c, 0, 2, 0, 2, 0, 2, 0, 2, 0, 2);
	set(g, "start.groups", "4"); /* 10 clients: one more or less */
	FIRST_BY_BIN(&c, 0, 3, 0, 2, 0, 3, 0, 2);
	set(g, "start.groups", "100"); /* more parts than clients */
	set(g, "start.every", "100ms");
	FIRST_BY_BIN(&c, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1);
	set(g, "start.groups", "1M"); /* so late that 64 bits would be back at the beginning */
	set(g, "start.every", "184467440737096ns");
	FIRST_BY_BIN(&c, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0);
	set(g, "kind", "periodic");
	set(g, "period", "1h");
	set(g, "start.groups", "2");
	set(g, "start.every", "3s");
	FIRST_BY_BIN(&c, 5, 0, 0, 5);
	set(g, "kind", "think");
	set(g, "think", "1500ms");
	set(g, "operations", "1");
	FIRST_BY_BIN(&c, 0, 5, 0, 0, 5);
	build_release(&c);
}
END_TEST

/* --- surges ----------------------------------------------------------------------------------------------------------- */

START_TEST(a_surge_bends_the_clock)
{
	struct st_surge_cfg s = {10 * ST_SEC, 10 * ST_SEC, 4.0};

	ck_assert_int_eq(st_surge_delay(&s, 0, 10 * ST_SEC), 10 * ST_SEC);
	ck_assert_int_eq(st_surge_delay(&s, 0, 14 * ST_SEC), 11 * ST_SEC);
	ck_assert_int_eq(st_surge_delay(&s, 0, 50 * ST_SEC), 20 * ST_SEC);
	ck_assert_int_eq(st_surge_delay(&s, 0, 55 * ST_SEC), 25 * ST_SEC);
	ck_assert_int_eq(st_surge_delay(&s, 15 * ST_SEC, 10 * ST_SEC), 2500 * ST_MSEC);
	ck_assert_int_eq(st_surge_delay(&s, 15 * ST_SEC, 30 * ST_SEC), 15 * ST_SEC);
	ck_assert_int_eq(st_surge_delay(&s, 20 * ST_SEC, 3), 3);
	ck_assert_double_eq(st_surge_amount(&s, 5 * ST_SEC, 25 * ST_SEC), 50e9);
	s.factor = 0.0;
	ck_assert_int_eq(st_surge_delay(&s, 9 * ST_SEC, 2 * ST_SEC), 12 * ST_SEC);
	ck_assert_int_eq(st_surge_delay(&s, 12 * ST_SEC, 0), 0);
	ck_assert_int_eq(st_surge_delay(&s, 12 * ST_SEC, 1), 8 * ST_SEC + 1);
	s.length = 0;
	ck_assert_int_eq(st_surge_delay(&s, 9 * ST_SEC, 2 * ST_SEC), 2 * ST_SEC);
	ck_assert_double_eq(st_surge_amount(&s, 5 * ST_SEC, 25 * ST_SEC), 20e9);
}
END_TEST

/* What a surge does to a stream of 1000/s, and to 1000 clients who think for a second: factor times as many from its first instant to its last. */
START_TEST(a_surge_multiplies_what_clients_want)
{
	static const struct {
		const char *kind, *factor;
		double times;
	} row[] = {{"poisson", "3", 3.0}, {"poisson", "0", 0.0}, {"poisson", "0.25", 0.25}, {"think", "3", 3.0}, {"think", "0", 0.0}};
	struct st_config c;
	struct st_run run;
	struct st_group_cfg *g = group(&c, 30 * ST_SEC, 1000, row[_i].kind);

	c.service->service_time = st_dist_constant(1);
	set(g, "rate", "1000/s");
	set(g, "think", "exponential 1s");
	set(g, "surge.at", "10s");
	set(g, "surge.for", "10s");
	set(g, "surge.factor", row[_i].factor);
	build_run(&c, &run);
	for (int i = 0; i < 30; i++) {
		double want = i / 10 == 1 ? 1000.0 * row[_i].times : 1000.0;

		ck_assert_double_eq_tol((double)came(&run, i * ST_SEC, (i + 1) * ST_SEC), want, 4.5 * sqrt(want) + 0.5);
	}
	st_run_release(&run);
	build_release(&c);
}
END_TEST

/* --- calls ------------------------------------------------------------------------------------------------------------ */

/*
 * Ten requests at once call `middle`, and wait to call it again when it has called `last` for each of the ten that they have given up.
 * Those calls have luck of their own, each its own service time.
 */
START_TEST(calls_for_requests_given_up_have_numbers_of_their_own)
{
	struct st_config c;
	struct st_run run;

	build_init(&c, ST_SEC);
	struct st_service_cfg *middle = build_service(&c, "middle"), *last = build_service(&c, "last");
	c.service->workers = middle->workers = last->workers = 10;
	struct st_group_cfg *calls = &build_calls(c.service, "middle")->group;
	build_set(st_group_params, calls, "timeout", "1ms");
	build_set(st_retry_params, &calls->retry, "attempts", "2");
	build_set(st_backoff_params, &calls->retry.backoff, "base", "10s");
	build_set(st_backoff_params, &calls->retry.backoff, "jitter", "none");
	build_calls(middle, "last");
	last->service_time = build_dist("uniform 1ms 900ms");
	build_group(&c, "all", 10);
	build_run(&c, &run);
	const struct st_hist *h = &run.meter[2].group[0].latency;
	ck_assert_uint_eq(run.meter[1].counts[0].timed_out, 10);
	ck_assert_uint_eq(h->n, 10);
	ck_assert_int_lt((int64_t)h->sum, 10 * h->max);
	st_run_release(&run);
	build_release(&c);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("workload");
	TCase *tc = tcase_create("kinds");

	tcase_add_test(tc, a_periodic_client_comes_at_each_tick);
	tcase_add_test(tc, ticks_that_find_the_client_busy_are_let_pass);
	tcase_add_test(tc, a_place_within_the_period_is_kept_or_drawn_anew);
	tcase_add_test(tc, a_connection_is_opened_again_when_it_ends);
	tcase_add_test(tc, a_dropped_client_waits_before_its_first_attempt);
	tcase_add_test(tc, the_backoff_goes_on_until_a_connection_lasts);
	tcase_add_test(tc, clients_start_in_parts_of_equal_size);
	tcase_add_test(tc, a_surge_bends_the_clock);
	tcase_add_loop_test(tc, a_surge_multiplies_what_clients_want, 0, 5);
	tcase_add_test(tc, calls_for_requests_given_up_have_numbers_of_their_own);
	suite_add_tcase(s, tc);
	return tap_main(s);
}
