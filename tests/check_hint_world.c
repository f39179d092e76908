#include <config.h>

#include <stdlib.h>

#include "build.h"
#include "tap_main.h"

/*
 * Hints in whole runs: a fleet that meets an outage, and the instants at which it comes back. Bins of the series tell the
 * instants; where a nanosecond matters, the bins of a single client's run are chosen so that it shows.
 */

/* A fleet of clients that obey, all at `at`, with a second attempt after exactly 100 ms if nothing is said. */
static struct st_group_cfg *fleet(struct st_config *c, st_time duration, uint64_t count, st_time at)
{
	build_init(c, duration);
	struct st_group_cfg *g = build_group(c, "fleet", count);
	g->workload.at = at;
	build_set(st_retry_params, &g->retry, "attempts", "2");
	build_set(st_backoff_params, &g->retry.backoff, "jitter", "none");
	build_set(st_obedience_params, &g->retry.hint, "obey", "100%");
	build_set(st_obedience_params, &g->retry.hint, "mode", "replace");
	return g;
}

static void hint(struct st_config *c, const char *name, const char *value)
{
	build_set(st_hint_params, &c->service->hint, name, value);
}

static void obedience(struct st_group_cfg *g, const char *name, const char *value)
{
	build_set(st_obedience_params, &g->retry.hint, name, value);
}

/* --- the clients' modes ----------------------------------------------------------------------------------------------- */

static struct st_counts outage(const char *mode, const char *effect, const char *obey, uint64_t count)
{
	struct st_config c;
	struct st_run run;
	struct st_group_cfg *g = fleet(&c, 10 * ST_SEC, count, ST_SEC);

	hint(&c, "value", "2s");
	obedience(g, "mode", mode);
	obedience(g, "obey", obey);
	build_fault(&c, 0, 10 * ST_SEC, effect);
	build_run(&c, &run);
	struct st_counts n = run.meter->counts[0];
	st_run_release(&run);
	build_release(&c);
	return n;
}

START_TEST(who_requires_a_hint_retries_with_one_only)
{
	struct st_counts n = outage("require", "503", "100%", 7);

	ck_assert_uint_eq(n.retried, 7);
	ck_assert_uint_eq(n.failures[ST_REASON_ATTEMPTS], 7);
	static const char *const without[] = {"500", "refuse"};
	for (size_t i = 0; i < 2; i++) {
		n = outage("require", without[i], "100%", 7);
		ck_assert_uint_eq(n.retried, 0);
		ck_assert_uint_eq(n.failures[ST_REASON_HINT], 7);
		n = outage("require", without[i], "0%", 7);
		ck_assert_uint_eq(n.retried, 7);
		n = outage("floor", without[i], "100%", 7);
		ck_assert_uint_eq(n.retried, 7);
	}
	/* A status that is final is so before anything is asked of the hint. */
	n = outage("require", "400", "100%", 7);
	ck_assert_uint_eq(n.failures[ST_REASON_NOT_RETRYABLE], 7);
	/* 30 % of 2000 require: a deviation of 20.5; 4.5 of them are 92. */
	n = outage("require", "500", "30%", 2000);
	ck_assert_uint_ge(n.failures[ST_REASON_HINT], 600 - 92);
	ck_assert_uint_le(n.failures[ST_REASON_HINT], 600 + 92);
	ck_assert_uint_eq(n.retried, 2000 - n.failures[ST_REASON_HINT]);
}
END_TEST

/* --- what the server computes ------------------------------------------------------------------------------------------ */

/*
 * One worker, 100 ms each, three places: of 10 clients at 1 s, one is served, three wait, six are told 3 / (10/s) = 300 ms. At 1.3 s the
 * third service has just ended and the last of those who waited is taken: three of the six find a place, three are told the same again.
 */
START_TEST(the_hint_is_the_backlog_when_the_answer_is_decided)
{
	struct st_config c;
	struct st_run run;
	struct st_group_cfg *g = fleet(&c, 4 * ST_SEC, 10, ST_SEC);

	build_set(st_retry_params, &g->retry, "attempts", "10");
	c.service->service_time = st_dist_constant(100 * ST_MSEC);
	c.service->queue.limit = 3;
	hint(&c, "value", "backlog");
	hint(&c, "form", "ms");
	build_run(&c, &run);
	for (size_t i = 0; i < run.meter->series.n; i++) {
		int64_t want = i == 13 ? 6 : i == 16 ? 3 : 0;

		ck_assert_msg(run.meter->series.row[i][ST_CELL_RETRIES] == want, "bin %zu: %lld", i,
		    (long long)run.meter->series.row[i][ST_CELL_RETRIES]);
	}
	ck_assert_uint_eq(run.meter->counts[0].successes, 10);
	st_run_release(&run);

	hint(&c, "form", "seconds"); /* 300 ms are a second: all that were turned away find room at 2 s, but for one each second */
	build_run(&c, &run);
	ck_assert_int_eq(run.meter->series.row[20][ST_CELL_RETRIES], 6);
	ck_assert_int_eq(run.meter->series.row[30][ST_CELL_RETRIES], 2);
	st_run_release(&run);
	build_release(&c);
}
END_TEST

/* A hint is of the answer's instant, not of the arrival of the answer: by then, 500 ms later, the queue is empty. */
START_TEST(a_hint_travels_with_its_answer)
{
	struct st_config c;
	struct st_run run;
	struct st_group_cfg *g = fleet(&c, 4 * ST_SEC, 5, ST_SEC);

	g->network = st_dist_constant(500 * ST_MSEC);
	c.service->service_time = st_dist_constant(100 * ST_MSEC);
	c.service->queue.limit = 3;
	hint(&c, "value", "backlog");
	hint(&c, "form", "ms");
	build_run(&c, &run);
	/* Sent at 1 s, there at 1.5 s, back at 2 s with 300 ms, sent again at 2.3 s, there at 2.8 s. */
	for (size_t i = 0; i < run.meter->series.n; i++)
		ck_assert_int_eq(run.meter->series.row[i][ST_CELL_RETRIES], i == 28);
	st_run_release(&run);
	build_release(&c);
}
END_TEST

/*
 * A client whose patience ends before the answer to its first attempt is there has that answer's hint come too late: what
 * counts is the answer to the attempt it is at.
 */
START_TEST(the_hint_of_a_late_answer_is_not_heard)
{
	struct st_config c;
	struct st_run run;
	struct st_group_cfg *g = fleet(&c, 6 * ST_SEC, 1, ST_SEC);

	g->network = st_dist_constant(300 * ST_MSEC);
	g->timeout = st_dist_constant(650 * ST_MSEC);
	build_set(st_retry_params, &g->retry, "attempts", "3");
	build_set(st_backoff_params, &g->retry.backoff, "base", "10ms");
	build_set(st_backoff_params, &g->retry.backoff, "shape", "constant");
	c.service->service_time = st_dist_constant(100 * ST_MSEC);
	hint(&c, "value", "1s");
	hint(&c, "form", "ms");
	hint(&c, "spread", "1ns"); /* 1001 ms exactly, but not constant */
	build_fault(&c, 0, 6 * ST_SEC, "503");
	build_run(&c, &run);
	/* There at 1.3 s; back at 1.6 s, in time; sent at 2.601 s, there at 2.901 s. */
	ck_assert_int_eq(run.meter->series.row[29][ST_CELL_RETRIES], 1);
	st_run_release(&run);

	g->timeout = st_dist_constant(500 * ST_MSEC);
	build_run(&c, &run);
	/* Given up at 1.5 s, sent at 1.51 s, there at 1.81 s, given up at 2.01 s, though a hint had come at 1.6 s; there at 2.32 s. */
	ck_assert_int_eq(run.meter->series.row[18][ST_CELL_RETRIES], 1);
	ck_assert_int_eq(run.meter->series.row[23][ST_CELL_RETRIES], 1);
	st_run_release(&run);
	build_release(&c);
}
END_TEST

/* 2000 clients told 1 s + U(0, 4 s): of the second attempts, 500 in each second; a deviation of 19.4, 4.5 of them are 87. */
START_TEST(a_spread_by_the_server_spreads_the_herd)
{
	struct st_config c;
	struct st_run run;

	fleet(&c, 10 * ST_SEC, 2000, ST_SEC);
	c.bin = ST_SEC;
	hint(&c, "value", "1s");
	hint(&c, "form", "ms");
	hint(&c, "spread", "4s");
	build_fault(&c, 0, 10 * ST_SEC, "503");
	build_run(&c, &run);
	for (int i = 2; i < 6; i++)
		ck_assert_int_le(llabs(run.meter->series.row[i][ST_CELL_RETRIES] - 500), 87);
	st_run_release(&run);

	hint(&c, "form", "seconds"); /* in whole seconds they are four herds */
	c.bin = ST_MSEC;
	build_run(&c, &run);
	for (int i = 0; i < 10000; i++)
		ck_assert_int_eq(run.meter->series.row[i][ST_CELL_RETRIES] > 0, i >= 3000 && i <= 6000 && i % 1000 == 0);
	ck_assert_int_le(llabs(run.meter->series.row[3000][ST_CELL_RETRIES] - 500), 87);
	st_run_release(&run);
	build_release(&c);
}
END_TEST

/* --- dates ------------------------------------------------------------------------------------------------------------- */

/* Bins of a millisecond: the only one with retries, its retries in *n; -1 if there are several. */
static int only_bin(const struct st_run *run, int64_t *n)
{
	int found = -1;

	for (size_t i = 0; i < run->meter->series.n; i++) {
		if (run->meter->series.row[i][ST_CELL_RETRIES] == 0)
			continue;
		if (found >= 0)
			return -1;
		found = (int)i;
		*n = run->meter->series.row[i][ST_CELL_RETRIES];
	}
	return found;
}

/* 1000 clients that begin within a second, with all the jitter there is: a date makes one instant of them, to the nanosecond. */
START_TEST(a_date_is_one_instant_for_all)
{
	struct st_config c;
	struct st_run run;
	struct st_group_cfg *g = fleet(&c, 10 * ST_SEC, 1000, ST_SEC + 1);
	int64_t n = 0;

	g->workload.spread = ST_SEC - 2;
	build_set(st_backoff_params, &g->retry.backoff, "jitter", "full");
	c.bin = ST_MSEC;
	hint(&c, "value", "3s");
	hint(&c, "form", "date");
	build_fault(&c, 0, 10 * ST_SEC, "503");
	build_run(&c, &run);
	ck_assert_int_eq(only_bin(&run, &n), 5000);
	ck_assert_int_eq(n, 1000);
	st_run_release(&run);

	/* As seconds, the same hint leaves them as they were. */
	hint(&c, "form", "seconds");
	build_run(&c, &run);
	ck_assert_int_eq(only_bin(&run, &n), -1);
	st_run_release(&run);
	build_release(&c);

	/* Whoever is turned away in another second is told another one; a network delay is no part of the instant. */
	g = fleet(&c, 10 * ST_SEC, 1, 2 * ST_SEC);
	c.bin = ST_MSEC;
	g->network = st_dist_constant(10 * ST_MSEC);
	hint(&c, "value", "3s");
	hint(&c, "form", "date");
	build_fault(&c, 0, 10 * ST_SEC, "503");
	build_run(&c, &run);
	ck_assert_int_eq(only_bin(&run, &n), 6010); /* told 5.01 s: 6 s */
	st_run_release(&run);
	build_release(&c);
}
END_TEST

/* 2000 clocks off by +-U(0, 2 s) around 5 s: 500 retries a second in [3, 7); a deviation of 19.4, 4.5 of them are 87. */
START_TEST(skewed_clocks_spread_a_date)
{
	struct st_config c;
	struct st_run run;
	struct st_group_cfg *g = fleet(&c, 10 * ST_SEC, 2000, ST_SEC);

	g->clock_skew = build_dist("uniform 0s 2s");
	c.bin = ST_SEC;
	hint(&c, "value", "4s");
	hint(&c, "form", "date");
	build_fault(&c, 0, 10 * ST_SEC, "503");
	build_run(&c, &run);
	for (int i = 0; i < 10; i++)
		ck_assert_int_le(llabs(run.meter->series.row[i][ST_CELL_RETRIES] - (i >= 3 && i < 7 ? 500 : 0)), 87);
	ck_assert_uint_eq(run.meter->counts[0].retried, 2000);
	st_run_release(&run);

	/* A clock that is ahead by more than the wait makes it none; one that is behind, longer. */
	g->clock_skew = st_dist_constant(6 * ST_SEC);
	build_set(st_retry_params, &g->retry, "attempts", "2");
	c.duration = 20 * ST_SEC;
	build_run(&c, &run);
	ck_assert_int_le(llabs(run.meter->series.row[1][ST_CELL_RETRIES] - 1000), 101);
	ck_assert_int_eq(run.meter->series.row[1][ST_CELL_RETRIES] + run.meter->series.row[11][ST_CELL_RETRIES], 2000);
	st_run_release(&run);
	build_release(&c);
}
END_TEST

/* A client's clock is off by the same at every date: two retries to whole seconds lie a whole number of seconds apart. */
START_TEST(a_clock_is_off_for_good)
{
	struct st_config c;
	struct st_run run;
	struct st_group_cfg *g = fleet(&c, 20 * ST_SEC, 1, ST_SEC);
	int first = -1;

	g->clock_skew = build_dist("uniform 0s 900ms");
	build_set(st_retry_params, &g->retry, "attempts", "5");
	c.bin = ST_MSEC;
	hint(&c, "value", "3s");
	hint(&c, "form", "date");
	build_fault(&c, 0, 20 * ST_SEC, "503");
	build_run(&c, &run);
	ck_assert_uint_eq(run.meter->counts[0].retried, 4);
	for (int i = 0; i < 20000; i++) {
		if (run.meter->series.row[i][ST_CELL_RETRIES] == 0)
			continue;
		first = first < 0 ? i : first;
		ck_assert_int_eq(i % 1000, first % 1000);
	}
	ck_assert_int_ne(first % 1000, 0);
	st_run_release(&run);
	build_release(&c);
}
END_TEST

/* --- pushback ---------------------------------------------------------------------------------------------------------- */

static void retries_in(const struct st_config *c, const int *bins)
{
	struct st_run run;

	build_run(c, &run);
	for (int i = 0; i < (int)run.meter->series.n; i++) {
		int64_t want = i == *bins;

		bins += want;
		ck_assert_msg(run.meter->series.row[i][ST_CELL_RETRIES] == want, "bin %d: %lld, want %lld", i,
		    (long long)run.meter->series.row[i][ST_CELL_RETRIES], (long long)want);
	}
	ck_assert_int_eq(*bins, -1);
	st_run_release(&run);
}
#define RETRIES_IN(c, ...) retries_in(c, (const int[]){__VA_ARGS__, -1})

/* Three attempts are answered with 503 and a hint of 700 ms, then come errors without one: 100, 200, 400 ms after each other. */
START_TEST(a_pushback_restarts_the_backoff)
{
	struct st_config c;
	struct st_group_cfg *g = fleet(&c, 6 * ST_SEC, 1, ST_SEC);

	build_set(st_retry_params, &g->retry, "attempts", "7");
	hint(&c, "value", "700ms");
	hint(&c, "form", "pushback-ms");
	build_fault(&c, 0, 2500 * ST_MSEC, "503"); /* attempts at 1.0, 1.7, 2.4 */
	build_fault(&c, 2500 * ST_MSEC, 6 * ST_SEC, "500");
	RETRIES_IN(&c, 17, 24, 31, 32, 34, 38);
	obedience(g, "mode", "add"); /* the hint, then 100 ms each time */
	RETRIES_IN(&c, 18, 26, 27, 29, 33, 41);
	obedience(g, "mode", "replace");

	hint(&c, "form", "ms"); /* any other hint lets it grow: 800 ms, 1.6 s after the third */
	RETRIES_IN(&c, 17, 24, 31, 39, 55);
	hint(&c, "form", "pushback-ms");

	obedience(g, "obey", "0%"); /* who does not listen is not restarted */
	RETRIES_IN(&c, 11, 13, 17, 25, 41);
	obedience(g, "obey", "100%");
	obedience(g, "limit", "600ms"); /* nor is who ignores it for its length */
	obedience(g, "over", "ignore");
	RETRIES_IN(&c, 11, 13, 17, 25, 41);
	build_release(&c);
}
END_TEST

/* An operation's count is its own: the next one of the same client begins at its first attempt. */
START_TEST(a_restart_ends_with_its_operation)
{
	struct st_config c;
	struct st_group_cfg *g = fleet(&c, 6 * ST_SEC, 1, 0);

	build_set(st_workload_params, &g->workload, "kind", "think");
	build_set(st_workload_params, &g->workload, "operations", "2");
	g->workload.think = st_dist_constant(ST_SEC);
	build_set(st_retry_params, &g->retry, "attempts", "3");
	hint(&c, "value", "700ms");
	hint(&c, "form", "pushback-ms");
	build_fault(&c, 0, 2 * ST_SEC, "503"); /* 1.0, 1.7, then one more at 2.4 */
	build_fault(&c, 2 * ST_SEC, 6 * ST_SEC, "500");
	/* Failed at 2.4; the second operation at 3.4, retried 100 and 300 ms later. */
	RETRIES_IN(&c, 17, 24, 35, 37);
	build_release(&c);
}
END_TEST

START_TEST(a_pushback_below_0_ends_the_operation)
{
	struct st_config c;
	struct st_run run;
	struct st_group_cfg *g = fleet(&c, 6 * ST_SEC, 2000, ST_SEC);

	hint(&c, "value", "stop");
	hint(&c, "form", "pushback-ms");
	obedience(g, "obey", "30%"); /* a deviation of 20.5; 4.5 of them are 92 */
	build_fault(&c, 0, 6 * ST_SEC, "503");
	build_run(&c, &run);
	uint64_t stopped = run.meter->counts[0].failures[ST_REASON_HINT];
	ck_assert_uint_ge(stopped, 600 - 92);
	ck_assert_uint_le(stopped, 600 + 92);
	ck_assert_uint_eq(run.meter->counts[0].retried, 2000 - stopped);
	st_run_release(&run);
	build_release(&c);
}
END_TEST

/*
 * A request has the low 20 bits of its attempt's tag: after so many attempts an answer must still find its own. A failure that is
 * not retried every microsecond, then, at 1.2 s, one that is: its date is 3 s.
 */
START_TEST(a_hint_is_heard_after_a_million_attempts)
{
	struct st_config c;
	struct st_run run;
	struct st_group_cfg *g = fleet(&c, 3500 * ST_MSEC, 1, 0);

	build_set(st_workload_params, &g->workload, "kind", "think");
	build_set(st_workload_params, &g->workload, "think", "1us");
	hint(&c, "value", "1s");
	hint(&c, "form", "date");
	build_fault(&c, 0, 1200 * ST_MSEC, "400");
	build_fault(&c, 1200 * ST_MSEC, ST_SEC, "503");
	build_run(&c, &run);
	ck_assert_uint_gt(run.meter->counts[0].attempts, 1U << ST_REQUEST_TAG_BITS);
	for (size_t i = 0; i < 30; i++)
		ck_assert_int_eq(run.meter->series.row[i][ST_CELL_RETRIES], 0);
	ck_assert_int_eq(run.meter->series.row[30][ST_CELL_RETRIES], 1);
	st_run_release(&run);
	build_release(&c);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("hint_world");
	TCase *tc = tcase_create("hints");

	tcase_set_timeout(tc, 60);
	tcase_add_test(tc, who_requires_a_hint_retries_with_one_only);
	tcase_add_test(tc, the_hint_is_the_backlog_when_the_answer_is_decided);
	tcase_add_test(tc, a_hint_travels_with_its_answer);
	tcase_add_test(tc, the_hint_of_a_late_answer_is_not_heard);
	tcase_add_test(tc, a_spread_by_the_server_spreads_the_herd);
	tcase_add_test(tc, a_date_is_one_instant_for_all);
	tcase_add_test(tc, skewed_clocks_spread_a_date);
	tcase_add_test(tc, a_clock_is_off_for_good);
	tcase_add_test(tc, a_pushback_restarts_the_backoff);
	tcase_add_test(tc, a_restart_ends_with_its_operation);
	tcase_add_test(tc, a_pushback_below_0_ends_the_operation);
	tcase_add_test(tc, a_hint_is_heard_after_a_million_attempts);
	suite_add_tcase(s, tc);
	return tap_main(s);
}
