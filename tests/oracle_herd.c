/*
 * oracle_herd.c - herds whose arrivals are known exactly, or whose law is.
 */
#include <config.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "oracle.h"
#include "tap_main.h"

/* --- full jitter is binomial --- */

enum { CLIENTS = 1000, BINS = 100, SEEDS = 200 };

/* Retries that arrived in each bin. */
static void read_retries(const struct st_config *c, const struct st_run *run, double *out)
{
	(void)c;
	for (size_t i = 0; i < BINS; i++)
		out[i] = (double)run->meter->series.row[i][ST_CELL_RETRIES];
}

/* CLIENTS fail at time 0 and retry once, uniformly over the ten seconds of BINS bins. */
static double *run_one_retry_each(void)
{
	double *out = calloc((size_t)SEEDS * BINS, sizeof *out);
	struct st_config c = oracle_config(
	    "duration: 11s\n"
	    "bin: 100ms\n"
	    "service: {workers: 1000, service_time: constant 1ms}\n"
	    "clients:\n"
	    "  herd:\n"
	    "    count: %d\n"
	    "    workload: {kind: once}\n"
	    "    retry: {attempts: 2, backoff: {base: 10s, jitter: full}}\n"
	    "faults: [{at: 0s, for: 1ms, effect: 503}]\n", CLIENTS);

	oracle_run(&c, SEEDS, BINS, read_retries, out);
	st_config_release(&c);
	return out;
}

/* Each bin's mean over the seeds is N p; a bin 15 % too high or low would be seen (4.5 sd of the mean are
 * 1.0 of 10), and so would a window cut short by a bin. */
START_TEST(full_jitter_fills_every_bin_alike)
{
	double *out = run_one_retry_each(), expected = (double)CLIENTS / BINS;
	double sd = sqrt(expected * (1.0 - 1.0 / BINS) / SEEDS);

	for (size_t i = 0; i < BINS; i++) {
		struct st_estimate e = oracle_column(out, SEEDS, BINS, i);

		ck_assert_msg(fabs(e.mean - expected) <= ORACLE_SE * sd,
		    "bin %zu: mean %.3f, not %.3f +- %.3f", i, e.mean, expected, ORACLE_SE * sd);
	}
	free(out);
}
END_TEST

/* Pearson's statistic over all bins of all seeds is chi-squared, each seed's total being fixed: a
 * variance 7 % off (clients that copy each other, or avoid each other) would be seen. */
START_TEST(full_jitter_has_the_binomial_variance)
{
	double *out = run_one_retry_each(), expected = (double)CLIENTS / BINS, pearson = 0.0;
	double freedom = (double)SEEDS * (BINS - 1);

	for (size_t r = 0; r < SEEDS; r++) {
		double all = 0.0;

		for (size_t i = 0; i < BINS; i++) {
			double x = out[r * BINS + i];

			all += x;
			pearson += (x - expected) * (x - expected) / expected;
		}
		ck_assert_double_eq(all, CLIENTS);
	}
	ck_assert_double_eq_tol(pearson, freedom, ORACLE_SE * sqrt(2.0 * freedom));
	free(out);
}
END_TEST

/* --- lockstep --- */

static const struct {
	const char *name, *backoff;
	double wave_s[10]; /* when the attempts of a client that began at 10 s are due */
} lockstep[] = {
    {"exponential", "{base: 500ms, factor: 2, cap: 30s, jitter: none}",
        {10.0, 10.5, 11.5, 13.5, 17.5, 25.5, 41.5, 71.5, 101.5, 131.5}},
    {"fixed", "{shape: constant, base: 2s, jitter: none}", {10, 12, 14, 16, 18, 20, 22, 24, 26, 28}},
};

/* A total outage: every wave is every client in one bin of a millisecond, and there is nothing in between. */
START_TEST(without_jitter_all_arrive_at_the_instants_of_the_formula)
{
	struct st_run run;
	struct st_err e = ST_ERR_INIT;
	struct st_config c = oracle_config(
	    "duration: 140s\n"
	    "bin: 1ms\n"
	    "service: {workers: 10, service_time: constant 50ms}\n"
	    "clients:\n"
	    "  herd: {count: %d, workload: {kind: once, at: 10s}, retry: {attempts: 10, backoff: %s}}\n"
	    "faults: [{at: 0s, for: 140s, effect: refuse}]\n", CLIENTS, lockstep[_i].backoff);

	ck_assert_int_eq(st_world_run(&c, 1, 0, NULL, &run, &e), 0);
	for (size_t k = 0; k < 10; k++) {
		size_t bin = (size_t)lround(lockstep[_i].wave_s[k] * 1000.0);

		ck_assert_int_eq(run.meter->series.row[bin][ST_CELL_OFFERED], CLIENTS);
	}
	ck_assert_uint_eq(oracle_offered(&run, 0, 140 * ST_SEC), 10 * CLIENTS);
	st_run_release(&run);
	st_config_release(&c);
}
END_TEST

/* --- total outage --- */

static const struct {
	const char *effect, *timeout;
	int attempts;
	const char *jitter;
} outages[] = {
    {"503", "off", 1, "full"},
    {"503", "off", 3, "full"},
    {"429", "off", 7, "decorrelated"},
    {"refuse", "off", 4, "equal"},
    {"refuse", "1s", 10, "none"},
    {"blackhole", "200ms", 1, "full"},
    {"blackhole", "200ms", 5, "full"},
};

/* All attempts allowed are made, of every operation, and none more. */
START_TEST(total_outage_multiplies_by_the_attempts_allowed)
{
	struct st_run run;
	struct st_err e = ST_ERR_INIT;
	int attempts = outages[_i].attempts;
	struct st_config c = oracle_config(
	    "duration: 10m\n"
	    "service: {workers: 10, service_time: exponential 50ms}\n"
	    "clients:\n"
	    "  all:\n"
	    "    count: %d\n"
	    "    workload: {kind: once, at: 1s, spread: 5s}\n"
	    "    timeout: %s\n"
	    "    retry: {attempts: %d, backoff: {base: 500ms, cap: 10s, jitter: %s}}\n"
	    "faults: [{at: 0s, for: 10m, effect: %s}]\n",
	    CLIENTS, outages[_i].timeout, attempts, outages[_i].jitter, outages[_i].effect);

	ck_assert_int_eq(st_world_run(&c, 1, 0, NULL, &run, &e), 0);
	ck_assert_double_eq(oracle_figure(&c, &run, "amplification"), attempts);
	ck_assert_double_eq(oracle_figure(&c, &run, "failures_by_reason.attempts"), CLIENTS);
	ck_assert_uint_eq(oracle_offered(&run, 0, 600 * ST_SEC), (uint64_t)attempts * CLIENTS);
	st_run_release(&run);
	st_config_release(&c);
}
END_TEST

/* --- token bucket --- */

enum { BURST = 50, RATE = 20, STRETCH_S = 30 };

static const int bin_ms[] = {7, 50, 333};

/* The most that any stretch of bins has of retries beyond the rate, in thousandths. */
static int64_t most_beyond_rate(const struct st_series *s, int64_t ms)
{
	int64_t most = 0, here = 0;

	/* The stretch that ends here and has the most either goes on or begins here. */
	for (size_t i = 0; i < s->n; i++) {
		here = (here > 0 ? here : 0) + 1000 * s->row[i][ST_CELL_RETRIES] - ms * RATE;
		most = here > most ? here : most;
	}
	return most;
}

/*
 * Operations fail at random instants, hundreds a second, and want to retry at once. Over every stretch of
 * bins, however it lies, no more than B + r T retries; and the bucket holds back none that it may grant:
 * over the whole run it is emptied.
 */
START_TEST(token_bucket_grants_its_burst_and_rate_and_no_more)
{
	for (uint32_t replication = 0; replication < 5; replication++) {
		struct st_run run;
		struct st_err e = ST_ERR_INIT;
		struct st_config c = oracle_config(
		    "duration: %ds\n"
		    "bin: %dms\n"
		    "service: {workers: 10, service_time: exponential 50ms}\n"
		    "clients:\n"
		    "  all:\n"
		    "    count: 100\n"
		    "    workload: {kind: poisson, rate: 500/s}\n"
		    "    retry:\n"
		    "      attempts: 4\n"
		    "      backoff: {shape: immediate}\n"
		    "      budget: {kind: token-bucket, burst: %d, rate: %d/s}\n"
		    "faults: [{at: 0s, for: %ds, effect: 503}]\n",
		    STRETCH_S, bin_ms[_i], BURST, RATE, STRETCH_S);

		ck_assert_int_eq(st_world_run(&c, 1, replication, NULL, &run, &e), 0);
		ck_assert_int_le(most_beyond_rate(&run.meter->series, bin_ms[_i]), BURST * 1000);
		double all = oracle_figure(&c, &run, "retries");
		ck_assert_double_ge(all, BURST + RATE * STRETCH_S - 2);
		ck_assert_double_eq(oracle_figure(&c, &run, "denied"),
		    oracle_figure(&c, &run, "failures_by_reason.budget"));
		st_run_release(&run);
		st_config_release(&c);
	}
}
END_TEST

/* --- repeatability --- */

static struct st_config configure_mixture(void)
{
	return oracle_config(
	    "duration: 60s\n"
	    "warmup: 1s\n"
	    "service:\n"
	    "  {workers: 10, service_time: lognormal 50ms cv 1, queue: {limit: 100}, hint: {value: 3s}}\n"
	    "clients:\n"
	    "  fleet:\n"
	    "    count: 500\n"
	    "    workload: {kind: once, at: 10s, spread: 100ms}\n"
	    "    network: exponential 2ms\n"
	    "    timeout: 800ms\n"
	    "    retry:\n"
	    "      attempts: 8\n"
	    "      backoff: {base: 300ms, cap: 8s, jitter: decorrelated}\n"
	    "      hint: {obey: 50%%, jitter: 50%%}\n"
	    "      budget: {kind: token-bucket, rate: 50/s, burst: 100}\n"
	    "  thinkers:\n"
	    "    count: 200\n"
	    "    workload: {kind: think, think: exponential 3s}\n"
	    "    timeout: 1s\n"
	    "    deadline: 10s\n"
	    "    retry: {attempts: 4, backoff: {base: 200ms, jitter: full}}\n"
	    "  others: {count: 50, workload: {kind: poisson, rate: 60/s}, retry: {attempts: 2}}\n"
	    "faults:\n"
	    "  - {at: 10s, for: 5s, effect: 503, share: 70%%}\n"
	    "  - {at: 12s, for: 2s, effect: slow, factor: 3}\n");
}

enum { SAME = 8 };

static void read_fingerprint(const struct st_config *c, const struct st_run *run, double *out)
{
	(void)c;
	memcpy(out, &run->fingerprint, sizeof *out);
}

static void same_bytes(const struct st_config *c, const struct st_run *a, const struct st_run *b)
{
	ck_assert_uint_eq(a->fingerprint, b->fingerprint);
	ck_assert_uint_eq(a->events, b->events);
	for (size_t i = 0; i < st_figure_count(); i++) {
		const char *name = st_figure_at(i)->name;
		double x = oracle_figure(c, a, name), y = oracle_figure(c, b, name);

		ck_assert_msg(x == y || (isnan(x) && isnan(y)), "%s: %.17g and %.17g", name, x, y);
	}
	ck_assert_uint_eq(a->meter->series.n, b->meter->series.n);
	ck_assert_mem_eq(a->meter->series.row, b->meter->series.row,
	    a->meter->series.n * sizeof *a->meter->series.row);
}

/* Run one after the other by one thread, and together by several: nothing differs; other replications do. */
START_TEST(same_seed_same_bytes)
{
	struct st_config c = configure_mixture();
	double together[SAME];
	uint64_t before = 0;

	oracle_run(&c, SAME, 1, read_fingerprint, together);
	for (uint32_t r = 0; r < SAME; r++) {
		struct st_run once, again;
		struct st_err e = ST_ERR_INIT;

		ck_assert_int_eq(st_world_run(&c, c.seed, r, NULL, &once, &e), 0);
		ck_assert_int_eq(st_world_run(&c, c.seed, r, NULL, &again, &e), 0);
		same_bytes(&c, &once, &again);
		ck_assert_mem_eq(&together[r], &once.fingerprint, sizeof once.fingerprint);
		ck_assert_uint_ne(once.fingerprint, before);
		before = once.fingerprint;
		st_run_release(&once);
		st_run_release(&again);
	}
	st_config_release(&c);
}
END_TEST

#define ROWS(table) ((int)(sizeof(table) / sizeof *(table)))

int main(void)
{
	Suite *s = suite_create("herd");
	TCase *tc = tcase_create("arrivals");

	tcase_set_timeout(tc, ORACLE_TIMEOUT_S);
	tcase_add_test(tc, full_jitter_fills_every_bin_alike);
	tcase_add_test(tc, full_jitter_has_the_binomial_variance);
	tcase_add_loop_test(tc, without_jitter_all_arrive_at_the_instants_of_the_formula, 0,
	    ROWS(lockstep));
	tcase_add_loop_test(tc, total_outage_multiplies_by_the_attempts_allowed, 0, ROWS(outages));
	tcase_add_loop_test(tc, token_bucket_grants_its_burst_and_rate_and_no_more, 0, ROWS(bin_ms));
	tcase_add_test(tc, same_seed_same_bytes);
	suite_add_tcase(s, tc);
	return tap_main(s);
}
