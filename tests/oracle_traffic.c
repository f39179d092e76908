/*
 * oracle_traffic.c - when clients come, as worked examples and against theory: what each must show, in every seed.
 *
 * The bounds leave room for what differs between simulators (ties, bins); they are far from what a wrong model would
 * give.
 */
#include <config.h>

#include <math.h>
#include <stdio.h>

#include "oracle.h"
#include "tap_main.h"
#include "theory.h"

enum { SEEDS = 12 };

/* The most attempts in any `bins` neighbouring bins that lie within [from, to). */
static double sliding_peak(const struct st_run *run, st_time from, st_time to, size_t bins)
{
	const struct st_series *s = &run->meter->series;
	int64_t sum = 0, peak = 0;
	size_t first = (size_t)(from / s->bin), end = (size_t)(to / s->bin);

	for (size_t i = first; i < end && i < s->n; i++) {
		sum += s->row[i][ST_CELL_OFFERED];
		if (i >= first + bins)
			sum -= s->row[i - bins][ST_CELL_OFFERED];
		if (sum > peak)
			peak = sum;
	}
	return (double)peak;
}

/* --- a restart and a table of delays ---------------------------------------------------------------------------------- */

enum { RC_LAST, RC_ATTEMPTS, RC_REJECTED, RC_PEAK_100MS, RC_PEAK_1S, RC_FIGURES };

static void read_reconnect(const struct st_config *c, const struct st_run *run, double *out)
{
	out[RC_LAST] = oracle_figure(c, run, "last_success_s");
	out[RC_ATTEMPTS] = oracle_figure(c, run, "attempts");
	out[RC_REJECTED] = (double)run->meter->counts[0].rejected;
	out[RC_PEAK_100MS] = sliding_peak(run, 5 * ST_SEC, c->duration, 1);
	out[RC_PEAK_1S] = sliding_peak(run, 5 * ST_SEC, c->duration, 10);
}

static const struct {
	const char *backoff;
	double low[RC_FIGURES], high[RC_FIGURES];
} reconnects[] = {
    {"{shape: table, delays: [1s, 2s, 4s, 8s, 16s, 32s, 60s], jitter: none}", {120, 4000, 1000, 1000, 1000},
        {130, 6000, 6000, 1000, 1000}},
    {"{shape: table, delays: [1s, 2s, 4s, 8s, 16s, 32s, 60s], jitter: proportional 50%}", {15, 2500, 0, 10, 200},
        {45, 5000, 2000, 100, 400}},
    {"{shape: table, delays: [1s, 2s, 4s, 8s, 16s, 32s, 60s], jitter: range 5 35}", {34, 1000, 0, 1, 20}, {36, 1000, 0, 30, 70}},
};

/* A thousand clients lose their connections at 0; the service is down for 5 s, then takes 100 a second. */
START_TEST(a_table_without_jitter_brings_the_herd_back_whole)
{
	double out[SEEDS][RC_FIGURES];
	struct st_config c = oracle_config(
	    "duration: 200s\n"
	    "service: {workers: 1, service_time: 10ms, queue: {limit: 200}}\n"
	    "clients:\n"
	    "  agents:\n"
	    "    count: 1000\n"
	    "    timeout: 10s\n"
	    "    workload: {kind: connection, lifetime: 0s, at_end: backoff, operations: 1}\n"
	    "    retry: {attempts: unlimited, backoff: %s}\n"
	    "faults: [{at: 0s, for: 5s, effect: refuse}]\n", reconnects[_i].backoff);

	oracle_run(&c, SEEDS, RC_FIGURES, read_reconnect, out[0]);
	for (int r = 0; r < SEEDS; r++)
		for (int k = 0; k < RC_FIGURES; k++)
			ck_assert_msg(out[r][k] >= reconnects[_i].low[k] && out[r][k] <= reconnects[_i].high[k], "%s: figure %d is %g",
			    reconnects[_i].backoff, k, out[r][k]);
	st_config_release(&c);
}
END_TEST

/* --- cron at midnight --------------------------------------------------------------------------------------------------- */

enum { CRON_SUCCESS, CRON_AMPLIFICATION, CRON_PEAK, CRON_FIGURES };

static void read_cron(const struct st_config *c, const struct st_run *run, double *out)
{
	out[CRON_SUCCESS] = 100.0 * oracle_figure(c, run, "success_share");
	out[CRON_AMPLIFICATION] = oracle_figure(c, run, "amplification");
	out[CRON_PEAK] = sliding_peak(run, 0, c->duration, 10);
}

static const struct {
	const char *sleep, *attempts;
	double success_from, success_to, amplification, peak;
} crons[] = {
    {"0s", "1", 0.0, 12.0, 1.0, 1e9},
    {"30s", "1", 45.0, 60.0, 1.0, 1e9},
    {"60s", "1", 95.0, 99.0, 1.0, 1e9},
    {"66s", "1", 99.9, 100.0, 1.0, 1e9},
    {"480s", "1", 100.0, 100.0, 1.0, 130.0},
    {"0s", "3", 0.0, 35.0, 2.5, 1e9},
};

/* 33,000 jobs at midnight by clocks that differ by up to 2 s, at a service of 500/s. A random sleep is worth what it is long. */
START_TEST(a_random_sleep_flattens_midnight)
{
	double out[SEEDS][CRON_FIGURES];
	struct st_config c = oracle_config(
	    "duration: 10m\n"
	    "service: {workers: 5, service_time: 10ms, queue: {limit: 2000}}\n"
	    "clients:\n"
	    "  jobs:\n"
	    "    count: 33k\n"
	    "    timeout: 10s\n"
	    "    workload: {kind: once, spread: %s, start: {groups: 2000, every: 1ms}}\n"
	    "    retry: {attempts: %s, backoff: {shape: table, delays: [5s, 10s], jitter: none}}\n", crons[_i].sleep, crons[_i].attempts);

	oracle_run(&c, SEEDS, CRON_FIGURES, read_cron, out[0]);
	for (int r = 0; r < SEEDS; r++) {
		ck_assert_double_ge(out[r][CRON_SUCCESS], crons[_i].success_from);
		ck_assert_double_le(out[r][CRON_SUCCESS], crons[_i].success_to);
		ck_assert_double_ge(out[r][CRON_AMPLIFICATION], crons[_i].amplification);
		ck_assert_double_le(out[r][CRON_PEAK], crons[_i].peak);
	}
	st_config_release(&c);
}
END_TEST

/* --- aligned monitors --------------------------------------------------------------------------------------------------- */

enum { MON_P50, MON_P95, MON_FIGURES };

static void read_monitors(const struct st_config *c, const struct st_run *run, double *out)
{
	(void)c;
	out[MON_P50] = st_time_to_s(st_hist_quantile(&run->meter->latency, 0.5));
	out[MON_P95] = st_time_to_s(st_hist_quantile(&run->meter->latency, 0.95));
}

static const struct {
	const char *spread;
	double p50_from, p50_to, p95_from, p95_to;
} monitors[] = {{"50ms", 2.3, 2.9, 4.5, 5.0}, {"10s", 0.19, 0.5, 0.2, 1.0}};

/* 25 monitors with a period of 10 s at a service that needs 200 ms for each: what they do to each other lasts for ever. */
START_TEST(aligned_monitors_stay_aligned)
{
	for (int minute = 0; minute < 10; minute += 9) {
		double out[SEEDS][MON_FIGURES];
		struct st_config c = oracle_config(
		    "duration: 600s\n"
		    "window: [%ds, %ds]\n"
		    "service: {workers: 1, service_time: 200ms}\n"
		    "clients:\n"
		    "  monitors: {count: 25, workload: {kind: periodic, period: 10s, spread: %s}}\n",
		    60 * minute, 60 * minute + 60, monitors[_i].spread);

		oracle_run(&c, SEEDS, MON_FIGURES, read_monitors, out[0]);
		for (int r = 0; r < SEEDS; r++) {
			ck_assert_double_ge(out[r][MON_P50], monitors[_i].p50_from);
			ck_assert_double_le(out[r][MON_P50], monitors[_i].p50_to);
			ck_assert_double_ge(out[r][MON_P95], monitors[_i].p95_from);
			ck_assert_double_le(out[r][MON_P95], monitors[_i].p95_to);
		}
		st_config_release(&c);
	}
}
END_TEST

/* --- the lifetimes of connections ----------------------------------------------------------------------------------------- */

enum { CYCLES = 12 };

/* The peak of a minute in each cycle, over the mean of a minute. */
static void read_cycles(const struct st_config *c, const struct st_run *run, double *out)
{
	(void)c;
	for (int i = 1; i <= CYCLES; i++)
		out[i - 1] = sliding_peak(run, (600 * i - 300) * ST_SEC, (600 * i + 300) * ST_SEC, 60) / 150.0;
}

static const struct {
	const char *lifetime;
	double first_from, first_to, sixth_to, last_from, last_to;
} lifetimes[] = {
    {"600s", 9.8, 10.2, 10.2, 9.8, 10.2},
    {"uniform 540s 660s", 4.0, 6.5, 3.3, 1.0, 2.5},
    {"uniform 300s 900s", 1.0, 2.0, 2.0, 1.0, 2.0},
};

START_TEST(jitter_on_lifetimes_dissolves_a_deploy)
{
	double out[SEEDS][CYCLES];
	struct st_config c = oracle_config(
	    "duration: 7500s\n"
	    "bin: 1s\n"
	    "service: {workers: 1000, service_time: 1ms}\n"
	    "clients:\n"
	    "  streams:\n"
	    "    count: 1500\n"
	    "    workload: {kind: connection, lifetime: %s, begin: connect, spread: 1s}\n", lifetimes[_i].lifetime);

	oracle_run(&c, SEEDS, CYCLES, read_cycles, out[0]);
	for (int r = 0; r < SEEDS; r++) {
		ck_assert_double_ge(out[r][0], lifetimes[_i].first_from);
		ck_assert_double_le(out[r][0], lifetimes[_i].first_to);
		ck_assert_double_le(out[r][5], lifetimes[_i].sixth_to);
		ck_assert_double_ge(out[r][CYCLES - 1], lifetimes[_i].last_from);
		ck_assert_double_le(out[r][CYCLES - 1], lifetimes[_i].last_to);
		for (int i = 0; i < CYCLES; i++)
			ck_assert_double_le(out[r][i], lifetimes[_i].first_to);
	}
	st_config_release(&c);
}
END_TEST

/* --- accepted, then dropped ------------------------------------------------------------------------------------------------ */

static void read_attempts(const struct st_config *c, const struct st_run *run, double *out)
{
	*out = oracle_figure(c, run, "attempts");
}

/* A service that accepts after 0.3 s and drops after 1 s: a backoff that begins anew with every success is none. */
START_TEST(a_reset_on_open_makes_the_backoff_void)
{
	static const char *const reset[] = {"success", "30s"};
	double out[2][SEEDS];

	for (int i = 0; i < 2; i++) {
		struct st_config c = oracle_config(
		    "duration: 40m\n"
		    "bin: 1s\n"
		    "service: {workers: 1, service_time: 300ms}\n"
		    "clients:\n"
		    "  one:\n"
		    "    count: 1\n"
		    "    workload: {kind: connection, lifetime: 1s, at_end: backoff, begin: connect}\n"
		    "    retry: {attempts: unlimited, backoff: {base: 1s, cap: 300s, jitter: proportional 20%%, reset: %s}}\n", reset[i]);

		oracle_run(&c, SEEDS, 1, read_attempts, out[i]);
		st_config_release(&c);
	}
	for (int r = 0; r < SEEDS; r++) {
		ck_assert_double_ge(out[0][r], 700.0);
		ck_assert_double_le(out[0][r], 1300.0);
		ck_assert_double_le(out[1][r], 30.0);
		ck_assert_double_ge(out[0][r], 25.0 * out[1][r]);
	}
}
END_TEST

/* --- a closed loop against theory -------------------------------------------------------------------------------------------- */

enum { REPLICATIONS = 30 };
enum { REPAIR_UTILISATION, REPAIR_WAIT, REPAIR_FIGURES };

static void read_repair(const struct st_config *c, const struct st_run *run, double *out)
{
	out[REPAIR_UTILISATION] = oracle_figure(c, run, "utilisation");
	out[REPAIR_WAIT] = oracle_figure(c, run, "wait_s.mean");
}

/* M/M/c//N, the machine repair model. Of the think times only the mean matters. */
static const struct {
	unsigned workers, clients;
	const char *think;
} repairs[] = {
    {1, 5, "exponential 500ms"},
    {1, 20, "exponential 1s"},
    {4, 50, "exponential 1s"},
    {4, 30, "lognormal 1s cv 2"},
    {4, 50, "uniform 0s 2s"},
};

START_TEST(a_closed_loop_is_a_machine_shop)
{
	double out[REPLICATIONS * REPAIR_FIGURES], expected[REPAIR_FIGURES], busy, waiting;
	double think_s = _i == 0 ? 0.5 : 1.0;
	struct st_config c = oracle_config(
	    "duration: 1000s\n"
	    "warmup: 100s\n"
	    "bin: 100s\n"
	    "service: {workers: %u, service_time: exponential 100ms}\n"
	    "clients:\n"
	    "  all: {count: %u, workload: {kind: think, think: %s}}\n",
	    repairs[_i].workers, repairs[_i].clients, repairs[_i].think);

	theory_repair(repairs[_i].workers, repairs[_i].clients, 0.1 / think_s, &busy, &waiting);
	expected[REPAIR_UTILISATION] = busy / repairs[_i].workers;
	expected[REPAIR_WAIT] = 0.1 * waiting / busy;
	oracle_run(&c, REPLICATIONS, REPAIR_FIGURES, read_repair, out);
	for (size_t i = 0; i < REPAIR_FIGURES; i++) {
		struct st_estimate e = oracle_column(out, REPLICATIONS, REPAIR_FIGURES, i);
		double noise = ORACLE_SE * oracle_standard_error(&e);

		ck_assert_msg(fabs(e.mean - expected[i]) <= noise, "%s: figure %zu is %.6g, theory says %.6g +- %.3g", repairs[_i].think, i,
		    e.mean, expected[i], noise);
		ck_assert_double_le(noise, 0.06 * expected[i]); /* fine enough to catch 6 % */
	}
	st_config_release(&c);
}
END_TEST

/* By hand: two clients, one worker, a service as long as a thought: p = 1/5, 2/5, 2/5. */
START_TEST(the_formula_gives_what_is_computed_by_hand)
{
	double busy, waiting;

	theory_repair(1, 2, 1.0, &busy, &waiting);
	ck_assert_double_eq_tol(busy, 0.8, 1e-12);
	ck_assert_double_eq_tol(waiting, 0.4, 1e-12);
	theory_repair(3, 3, 0.5, &busy, &waiting); /* nobody waits: each is busy a third of its time */
	ck_assert_double_eq_tol(busy, 1.0, 1e-12);
	ck_assert_double_eq_tol(waiting, 0.0, 1e-12);
}
END_TEST

#define ROWS(table) ((int)(sizeof(table) / sizeof *(table)))

int main(void)
{
	Suite *s = suite_create("traffic");
	TCase *tc = tcase_create("worked");

	tcase_set_timeout(tc, ORACLE_TIMEOUT_S);
	tcase_add_loop_test(tc, a_table_without_jitter_brings_the_herd_back_whole, 0, ROWS(reconnects));
	tcase_add_loop_test(tc, a_random_sleep_flattens_midnight, 0, ROWS(crons));
	tcase_add_loop_test(tc, aligned_monitors_stay_aligned, 0, ROWS(monitors));
	tcase_add_loop_test(tc, jitter_on_lifetimes_dissolves_a_deploy, 0, ROWS(lifetimes));
	tcase_add_test(tc, a_reset_on_open_makes_the_backoff_void);
	tcase_add_test(tc, the_formula_gives_what_is_computed_by_hand);
	tcase_add_loop_test(tc, a_closed_loop_is_a_machine_shop, 0, ROWS(repairs));
	suite_add_tcase(s, tc);
	return tap_main(s);
}
