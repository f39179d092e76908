/*
 * oracle_cases.c - situations that people met, as worked examples: what each must show, in every seed.
 *
 * The bounds leave room for what differs between simulators (ties, bins); they are far from what a wrong
 * model would give.
 */
#include <config.h>

#include <math.h>
#include <stdio.h>

#include "oracle.h"
#include "tap_main.h"

enum { SEEDS = 24 };

/* --- a retry storm that feeds itself --- */

/*
 * Four workers of 25 ms (160/s) and 50 requests a second, given up after 200 ms; for a while from 10 s on
 * services take four times as long. With four attempts each, what clients send once the queue is longer than
 * their patience (200/s) is more than can be served: the trigger passes, the storm does not.
 */
static struct st_config configure_storm(const char *retry, const char *queue, int trigger_ms)
{
	return oracle_config(
	    "duration: 60s\n"
	    "window: [30s, 60s]\n"
	    "service: {workers: 4, service_time: constant 25ms, queue: %s}\n"
	    "clients:\n"
	    "  users: {count: 1000, workload: {kind: poisson, rate: 50/s}, timeout: 200ms, retry: %s}\n"
	    "faults: [{at: 10s, for: %dms, effect: slow, factor: 4}]\n", queue, retry, trigger_ms);
}

enum { GOODPUT, ARRIVALS, QUEUE_AT_END, P50, STORM_FIGURES };

static void read_storm(const struct st_config *c, const struct st_run *run, double *out)
{
	const struct st_series *s = &run->meter->series;

	out[GOODPUT] = oracle_figure(c, run, "goodput_per_s");
	out[ARRIVALS] = (double)oracle_offered(run, run->meter->from, run->meter->to) /
	    st_time_to_s(run->meter->to - run->meter->from);
	out[QUEUE_AT_END] = st_series_value(s, s->n - 1, ST_CELL_QUEUE_MEAN);
	out[P50] = oracle_figure(c, run, "latency_s.p50");
}

#define AT_ONCE "shape: immediate"
#define GROWING "base: 100ms, factor: 2, cap: 1s"

static const struct {
	const char *name, *retry, *queue;
	bool recovers;
} storms[] = {
    {"one attempt", "{attempts: 1}", "unlimited", true},
    {"four attempts at once", "{attempts: 4, backoff: {" AT_ONCE "}}", "unlimited", false},
    {"four, backoff without jitter", "{attempts: 4, backoff: {" GROWING ", jitter: none}}",
        "unlimited", false},
    {"four, backoff with full jitter", "{attempts: 4, backoff: {" GROWING ", jitter: full}}",
        "unlimited", false},
    {"two attempts", "{attempts: 2, backoff: {" AT_ONCE "}}", "unlimited", true},
    {"four with a budget",
        "{attempts: 4, backoff: {" AT_ONCE "},"
        " budget: {kind: token-bucket, rate: 0/s, burst: 10, deposit: 0.1}}",
        "unlimited", true},
    {"four, queue of 20", "{attempts: 4, backoff: {" AT_ONCE "}}", "20", true},
    {"four, last come first served", "{attempts: 4, backoff: {" AT_ONCE "}}", "{discipline: lifo}", true},
};

START_TEST(storm_feeds_itself_unless_attempts_are_bounded)
{
	double out[SEEDS][STORM_FIGURES];
	struct st_config c = configure_storm(storms[_i].retry, storms[_i].queue, 3000);

	oracle_run(&c, SEEDS, STORM_FIGURES, read_storm, out[0]);
	for (int r = 0; r < SEEDS; r++) {
		double goodput = out[r][GOODPUT];

		ck_assert_msg(storms[_i].recovers ? goodput >= 45.0 : goodput <= 2.5, "%s: goodput %.1f",
		    storms[_i].name, goodput);
	}
	st_config_release(&c);
}
END_TEST

/* Long after the trigger: the service is offered more than it can serve, and the queue is thousands. */
START_TEST(storm_lasts_when_its_trigger_is_gone)
{
	double out[SEEDS][STORM_FIGURES];
	struct st_config c = configure_storm("{attempts: 4, backoff: {" AT_ONCE "}}", "unlimited", 3000);

	oracle_run(&c, SEEDS, STORM_FIGURES, read_storm, out[0]);
	for (int r = 0; r < SEEDS; r++) {
		ck_assert_double_ge(out[r][ARRIVALS], 175.0);
		ck_assert_double_ge(out[r][QUEUE_AT_END], 1500.0);
	}
	st_config_release(&c);
}
END_TEST

/* Share of the seeds that end in the storm, by the length of the trigger: it tips within a second. */
START_TEST(storm_tips_with_the_length_of_its_trigger)
{
	enum { MANY = 60 };
	static const char at_once[] = "{attempts: 4, backoff: {" AT_ONCE "}}";
	static const int trigger_ms[] = {300, 500, 700, 1000, 2000, 3000};
	double share[6], before = 0.0;

	for (int i = 0; i < 6; i++) {
		double out[MANY][STORM_FIGURES];
		struct st_config c = configure_storm(at_once, "unlimited", trigger_ms[i]);

		oracle_run(&c, MANY, STORM_FIGURES, read_storm, out[0]);
		share[i] = 0.0;
		for (int r = 0; r < MANY; r++)
			share[i] += (out[r][GOODPUT] <= 2.5) / (double)MANY;
		/* Pairs share their arrivals; two seeds' worth of noise. */
		ck_assert_double_ge(share[i], before - 2.0 / MANY);
		before = share[i];
		st_config_release(&c);
	}
	ck_assert_double_le(share[0], 0.10);
	ck_assert_double_ge(share[4], 0.85);
	ck_assert_double_eq_tol(share[5], 1.0, 1e-9);
}
END_TEST

/* --- everybody obeys the same Retry-After --- */

enum { LAST, AMPLIFICATION, CROWD_FIGURES };

static void read_crowd(const struct st_config *c, const struct st_run *run, double *out)
{
	out[LAST] = oracle_figure(c, run, "last_success_s");
	out[AMPLIFICATION] = oracle_figure(c, run, "amplification");
}

static const struct {
	const char *name, *hint, *mode, *jitter;
	double last_from, last_to, amplification_from, amplification_to;
} crowds[] = {
    {"60 s for everybody", "60s", "floor", "none", 1000.0, 1300.0, 10.0, 10.6},
    {"60 s and up to as much again", "60s", "floor", "60s", 60.0, 125.0, 1.0, 2.0},
    {"60 s and up to 6 s", "60s", "floor", "6s", 150.0, 250.0, 1.0, 1000.0},
    {"no hint", "off", "floor", "none", 20.0, 60.0, 4.0, 6.0},
    /* The hint alone lets 50 in each second; with the larger of both, the last wait for their own backoff. */
    {"1 s for everybody", "1s", "replace", "none", 19.0, 25.0, 9.0, 11.0},
    {"1 s at least", "1s", "floor", "none", 30.0, 60.0, 4.0, 6.0},
};

/* A thousand clients at once, 50 served a second, a queue of 50: each round of the herd gets 51 of them
 * in. */
START_TEST(one_hint_for_all_serves_one_queue_a_round)
{
	double out[SEEDS][CROWD_FIGURES];
	struct st_config c = oracle_config(
	    "duration: 1300s\n"
	    "service: {workers: 1, service_time: constant 20ms, queue: {limit: 50}, hint: {value: %s}}\n"
	    "clients:\n"
	    "  crowd:\n"
	    "    count: 1000\n"
	    "    workload: {kind: once}\n"
	    "    retry:\n"
	    "      attempts: unlimited\n"
	    "      backoff: {base: 1s, cap: 32s, jitter: full}\n"
	    "      hint: {obey: 100%%, mode: %s, jitter: %s}\n",
	    crowds[_i].hint, crowds[_i].mode, crowds[_i].jitter);

	oracle_run(&c, SEEDS, CROWD_FIGURES, read_crowd, out[0]);
	for (int r = 0; r < SEEDS; r++) {
		double last = out[r][LAST], amplification = out[r][AMPLIFICATION];

		ck_assert_msg(last >= crowds[_i].last_from && last <= crowds[_i].last_to,
		    "%s: last success at %.1f s", crowds[_i].name, last);
		ck_assert_msg(amplification >= crowds[_i].amplification_from &&
		    amplification <= crowds[_i].amplification_to, "%s: amplification %.2f", crowds[_i].name,
		    amplification);
	}
	st_config_release(&c);
}
END_TEST

/* --- a retry quota and short processes --- */

static const struct {
	int clients, operations;
	const char *scope;
	double attempts;
} quotas[] = {
    {1000, 2, "client", 6000},
    {20, 100, "client", 4000},
    {20, 100, "group", 2100},
};

/* 2000 operations that always fail, three attempts each, a hundred tokens that never come back: per
 * process they bound nothing if processes are short. */
START_TEST(a_quota_bounds_the_retries_of_those_who_share_it)
{
	struct st_run run;
	struct st_err e = ST_ERR_INIT;
	struct st_config c = oracle_config(
	    "duration: 1h\n"
	    "bin: 1s\n"
	    "service: {workers: 1, service_time: constant 1ms}\n"
	    "clients:\n"
	    "  processes:\n"
	    "    count: %d\n"
	    "    workload: {kind: think, think: constant 1s, operations: %d}\n"
	    "    retry:\n"
	    "      attempts: 3\n"
	    "      backoff: {shape: immediate}\n"
	    "      budget: {kind: token-bucket, scope: %s, rate: 0/s, burst: 100}\n"
	    "faults: [{at: 0s, for: 1h, effect: 503}]\n",
	    quotas[_i].clients, quotas[_i].operations, quotas[_i].scope);

	ck_assert_int_eq(st_world_run(&c, 1, 0, NULL, &run, &e), 0);
	ck_assert_double_eq(oracle_figure(&c, &run, "operations"), 2000);
	ck_assert_double_eq(oracle_figure(&c, &run, "attempts"), quotas[_i].attempts);
	st_run_release(&run);
	st_config_release(&c);
}
END_TEST

/* --- a ten-minute outage of 200 shards --- */

enum { SHARD_RATE, SHARD_PEAK, SHARD_LAST, SHARD_FIGURES };

static void read_shards(const struct st_config *c, const struct st_run *run, double *out)
{
	out[SHARD_RATE] = (double)oracle_offered(run, 60 * ST_SEC, 600 * ST_SEC) / 540.0;
	out[SHARD_PEAK] = (double)oracle_peak(run, 60 * ST_SEC, 600 * ST_SEC);
	out[SHARD_LAST] = oracle_figure(c, run, "last_success_s") - 600.0;
}

static const struct {
	const char *cap, *jitter;
	uint32_t seeds; /* few where nothing is random but the start */
	double rate, tolerance, peak_from, peak_to, last_to;
} shards[] = {
    {"100ms", "none", 2, 2000.0, 0.02, 190.0, 200.0, 0.2},
    {"5s", "none", 2, 40.0, 0.05, 190.0, 200.0, 5.1},
    {"5s", "full", SEEDS, 80.0, 0.10, 1.0, 40.0, 5.1},
    {"5s", "range 0.5 1.5", SEEDS, 40.0, 0.10, 1.0, 30.0, 7.6},
};

/* Attempts a second at the cap: N / mean delay. Full jitter halves the delay, so it doubles them. */
START_TEST(clients_at_the_cap_knock_at_the_rate_of_the_formula)
{
	double out[SEEDS][SHARD_FIGURES];
	struct st_config c = oracle_config(
	    "duration: 610s\n"
	    "service: {workers: 1000, service_time: constant 1ms}\n"
	    "clients:\n"
	    "  shards:\n"
	    "    count: 200\n"
	    "    workload: {kind: once, spread: 30ms}\n"
	    "    retry: {attempts: unlimited, backoff: {base: 30ms, cap: %s, jitter: %s}}\n"
	    "faults: [{at: 0s, for: 600s, effect: refuse}]\n", shards[_i].cap, shards[_i].jitter);

	oracle_run(&c, shards[_i].seeds, SHARD_FIGURES, read_shards, out[0]);
	for (uint32_t r = 0; r < shards[_i].seeds; r++) {
		ck_assert_double_eq_tol(out[r][SHARD_RATE], shards[_i].rate,
		    shards[_i].tolerance * shards[_i].rate);
		ck_assert_double_ge(out[r][SHARD_PEAK], shards[_i].peak_from);
		ck_assert_double_le(out[r][SHARD_PEAK], shards[_i].peak_to);
		ck_assert_double_le(out[r][SHARD_LAST], shards[_i].last_to);
	}
	st_config_release(&c);
}
END_TEST

/* --- permanent overload --- */

#define THREE "{attempts: 3, backoff: {base: 100ms, cap: 1s, jitter: full}}"

static const struct {
	const char *name, *service, *retry;
	double goodput_from, goodput_to, p50_to_s, queue_from;
} overloads[] = {
    {"unlimited queue", "queue: unlimited", "{attempts: 1}", 0.0, 2.0, (double)INFINITY, 1000.0},
    {"last come first served", "queue: {discipline: lifo}", "{attempts: 1}", 90.0, 101.0, 0.1, 1000.0},
    {"queue of 50", "queue: 50", "{attempts: 1}", 95.0, 101.0, 0.6, 0.0},
    {"expired are skipped", "queue: unlimited, abandoned: skip", "{attempts: 1}", 50.0, 85.0, 1.0, 0.0},
    {"expired leave", "queue: unlimited, abandoned: leave", "{attempts: 1}", 50.0, 85.0, 1.0, 0.0},
    {"unlimited queue, three attempts", "queue: unlimited", THREE, 0.0, 2.0, (double)INFINITY, 20000.0},
};

/* 120 requests a second on a service of 100/s, given up after a second: a queue without a limit serves
 * nobody in time, unless it serves the newest first. Half of those in time are served within p50. */
START_TEST(a_queue_longer_than_patience_serves_nobody)
{
	double out[SEEDS][STORM_FIGURES];
	struct st_config c = oracle_config(
	    "duration: 120s\n"
	    "window: [60s, 120s]\n"
	    "service: {workers: 1, service_time: constant 10ms, %s}\n"
	    "clients:\n"
	    "  users: {count: 1000, workload: {kind: poisson, rate: 120/s}, timeout: 1s, retry: %s}\n",
	    overloads[_i].service, overloads[_i].retry);

	oracle_run(&c, SEEDS, STORM_FIGURES, read_storm, out[0]);
	for (int r = 0; r < SEEDS; r++) {
		double goodput = out[r][GOODPUT];

		ck_assert_msg(goodput >= overloads[_i].goodput_from && goodput <= overloads[_i].goodput_to,
		    "%s: goodput %.1f", overloads[_i].name, goodput);
		ck_assert_double_ge(out[r][QUEUE_AT_END], overloads[_i].queue_from);
		if (goodput > 10.0)
			ck_assert_double_le(out[r][P50], overloads[_i].p50_to_s);
	}
	st_config_release(&c);
}
END_TEST

/* --- patience and lag: exact --- */

static const struct {
	const char *backoff;
	const char *attempts;
	const char *outage;
	double success_s; /* when the client succeeds; NAN: it gives up */
} patience[] = {
    {"{base: 250ms, factor: 2, jitter: none}", "4", "53s", (double)NAN},
    {"{base: 1s, factor: 2, cap: 8s, jitter: none}", "6", "53s", (double)NAN},
    {"{base: 10s, factor: 6, jitter: none}", "3", "53s", 70.0},
    {"{base: 10m, factor: 5, jitter: none}", "unlimited", "26.5h", 7810.0 * 60.0},
    {"{base: 10m, factor: 5, cap: 24h, jitter: none}", "unlimited", "26.5h", 50.0 * 3600.0},
    {"{base: 10s, factor: 6, jitter: none}", "3", "70s", 70.0}, /* a fault holds on [at, at + for) */
    {"{base: 10s, factor: 6, jitter: none}", "3", "70.000000001s", (double)NAN},
};

START_TEST(a_client_succeeds_at_its_first_attempt_after_the_outage)
{
	struct st_run run;
	struct st_err e = ST_ERR_INIT;
	struct st_config c = oracle_config(
	    "duration: 10d\n"
	    "bin: 1h\n"
	    "service: {workers: 1, service_time: constant 1ms}\n"
	    "clients:\n"
	    "  one: {count: 1, workload: {kind: once}, retry: {attempts: %s, backoff: %s}}\n"
	    "faults: [{at: 0s, for: %s, effect: refuse}]\n",
	    patience[_i].attempts, patience[_i].backoff, patience[_i].outage);

	ck_assert_int_eq(st_world_run(&c, 1, 0, NULL, &run, &e), 0);
	if (isnan(patience[_i].success_s)) {
		ck_assert_double_eq(oracle_figure(&c, &run, "failures_by_reason.attempts"), 1);
	} else {
		ck_assert_double_eq(oracle_figure(&c, &run, "successes"), 1);
		ck_assert_double_eq_tol(oracle_figure(&c, &run, "last_success_s"),
		    patience[_i].success_s + 0.001, 1e-9);
	}
	st_run_release(&run);
	st_config_release(&c);
}
END_TEST

static const char *const outages[] = {"2s", "53s", "5m", "6m", "7m", "26.5h"};

/* As gRPC connects, but without its jitter: the next attempt is at most a cap away, however long the outage was. */
START_TEST(a_cap_bounds_the_lag_after_any_outage)
{
	struct st_run run;
	struct st_err e = ST_ERR_INIT;
	struct st_config c = oracle_config(
	    "duration: 2d\n"
	    "bin: 1h\n"
	    "service: {workers: 1, service_time: constant 1ms}\n"
	    "clients:\n"
	    "  one:\n"
	    "    count: 1\n"
	    "    workload: {kind: once}\n"
	    "    retry: {attempts: unlimited, backoff: {base: 1s, factor: 1.6, cap: 120s, jitter: none}}\n"
	    "faults: [{at: 0s, for: %s, effect: refuse}]\n", outages[_i]);

	ck_assert_int_eq(st_world_run(&c, 1, 0, NULL, &run, &e), 0);
	ck_assert_double_ge(oracle_figure(&c, &run, "last_success_after_fault_s"), 0.001);
	ck_assert_double_le(oracle_figure(&c, &run, "last_success_after_fault_s"), 120.001);
	st_run_release(&run);
	st_config_release(&c);
}
END_TEST

/* --- hedging: cheap on a good day, twice the load on a bad one --- */

/*
 * A service with workers enough takes 20 to 60 ms, 58 ms at the 95th percentile; for nine of 300 seconds everything takes six times as
 * long, 120 ms at least and 200 ms more in the mean. Hedged at that percentile, as a duration or as what was seen so far:
 * by then no more than a thirtieth of all successes were slow, so that this has not moved that percentile.
 */
enum { GOOD, BAD, HEDGE_FIGURES };

static void read_hedged(const struct st_config *c, const struct st_run *run, double *out)
{
	const struct st_series *s = &run->meter->series;

	(void)c;
	for (int bad = 0; bad < HEDGE_FIGURES; bad++) {
		double offered = 0.0, first = 0.0;

		for (size_t i = bad ? 2901 : 100; i < (bad ? 2990U : 2899U); i++) {
			offered += st_series_value(s, i, ST_CELL_OFFERED);
			first += st_series_value(s, i, ST_CELL_FIRST);
		}
		out[bad] = offered / first;
	}
}

static const struct {
	const char *after, *budget;
	double bad_from, bad_to;
} hedges[] = {
    {"58ms", "off", 1.9, 2.05},
    {"p95", "off", 1.9, 2.05},
    {"p95", "{kind: window, ttl: 10s, min_rate: 0/s, ratio: 10%}", 1.07, 1.2},
};

START_TEST(hedging_doubles_the_load_of_a_slow_service_unless_bounded)
{
	double out[SEEDS][HEDGE_FIGURES];
	struct st_config c = oracle_config(
	    "duration: 300s\n"
	    "service: {workers: 1000, service_time: uniform 20ms 60ms}\n"
	    "clients:\n"
	    "  users:\n"
	    "    count: 1000\n"
	    "    workload: {kind: poisson, rate: 200/s}\n"
	    "    retry: {attempts: 2, hedge: %s, budget: %s}\n"
	    "faults: [{at: 290s, for: 9s, effect: slow, factor: 6}]\n", hedges[_i].after, hedges[_i].budget);

	oracle_run(&c, SEEDS, HEDGE_FIGURES, read_hedged, out[0]);
	for (int r = 0; r < SEEDS; r++) {
		ck_assert_msg(out[r][GOOD] >= 1.03 && out[r][GOOD] <= 1.07, "good: %.3f", out[r][GOOD]);
		ck_assert_msg(out[r][BAD] >= hedges[_i].bad_from && out[r][BAD] <= hedges[_i].bad_to, "bad: %.3f", out[r][BAD]);
	}
	st_config_release(&c);
}
END_TEST

#define ROWS(table) ((int)(sizeof(table) / sizeof *(table)))

int main(void)
{
	Suite *s = suite_create("cases");
	TCase *tc = tcase_create("worked");

	tcase_set_timeout(tc, ORACLE_TIMEOUT_S);
	tcase_add_loop_test(tc, storm_feeds_itself_unless_attempts_are_bounded, 0, ROWS(storms));
	tcase_add_test(tc, storm_lasts_when_its_trigger_is_gone);
	tcase_add_test(tc, storm_tips_with_the_length_of_its_trigger);
	tcase_add_loop_test(tc, one_hint_for_all_serves_one_queue_a_round, 0, ROWS(crowds));
	tcase_add_loop_test(tc, a_quota_bounds_the_retries_of_those_who_share_it, 0, ROWS(quotas));
	tcase_add_loop_test(tc, clients_at_the_cap_knock_at_the_rate_of_the_formula, 0, ROWS(shards));
	tcase_add_loop_test(tc, a_queue_longer_than_patience_serves_nobody, 0, ROWS(overloads));
	tcase_add_loop_test(tc, a_client_succeeds_at_its_first_attempt_after_the_outage, 0, ROWS(patience));
	tcase_add_loop_test(tc, a_cap_bounds_the_lag_after_any_outage, 0, ROWS(outages));
	tcase_add_loop_test(tc, hedging_doubles_the_load_of_a_slow_service_unless_bounded, 0, ROWS(hedges));
	suite_add_tcase(s, tc);
	return tap_main(s);
}
