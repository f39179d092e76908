/*
 * oracle_coverage.c - intervals of 95 % that contain the truth in 95 % of sweeps.
 *
 * A thousand small sweeps of an M/M/1 queue in its steady state, ten replications each, whose means are known: the load a, the number
 * waiting a^2 / (1 - a). In how many is the truth within the interval? By chance alone the share is off by 0.7 % (one
 * standard deviation), so that of right intervals 93 to 97 % are asked. Too narrow ones, of the normal distribution (1.96 for
 * t = 2.26), would have 91.8 %. Sweep k has the replications 10 k ... 10 k + 9. The paired difference is that to a service
 * which is a tenth faster, with the same random numbers; and Wilson's intervals are held to a share that is known.
 */
#include <config.h>

#include <math.h>
#include <stdio.h>

#include "base/rng.h"
#include "oracle.h"
#include "tap_main.h"

enum { SWEEPS = 1000, RUNS = 10, UTILISATION = 0, WAITING, FIGURES };

static const double arrivals_per_s = 30, slow_s = 0.010, fast_s = 0.009;
static const double least = 0.93, most = 0.97;

static double results[2][SWEEPS * RUNS * FIGURES]; /* of the slow and the fast service */

static void read_figures(const struct st_config *c, const struct st_run *run, double *out)
{
	out[UTILISATION] = oracle_figure(c, run, "utilisation");
	out[WAITING] = oracle_figure(c, run, "queue_mean");
}

static void run_service(const char *service_time, double *out)
{
	struct st_config c = oracle_config("{duration: 13s, warmup: 1s, bin: 1s, service: {workers: 1, service_time: exponential %s},"
					   " clients: {users: {count: 100, workload: {kind: poisson, rate: 30/s}}}}",
	    service_time);

	oracle_run(&c, SWEEPS * RUNS, FIGURES, read_figures, out);
	st_config_release(&c);
}

static double truth(double service_s, int figure)
{
	double a = arrivals_per_s * service_s;

	return figure == UTILISATION ? a : a * a / (1 - a);
}

static struct st_estimate of_sweep(int sweep, int figure, bool paired)
{
	double a[RUNS], b[RUNS];

	for (int r = 0; r < RUNS; r++) {
		a[r] = results[0][(sweep * RUNS + r) * FIGURES + figure];
		b[r] = results[1][(sweep * RUNS + r) * FIGURES + figure];
	}
	return paired ? st_estimate_paired(a, b, RUNS) : st_estimate_mean(a, RUNS);
}

static void check_coverage(const char *name, int figure, bool paired)
{
	double want = truth(slow_s, figure) - (paired ? truth(fast_s, figure) : 0);
	int within = 0;

	for (int k = 0; k < SWEEPS; k++) {
		struct st_estimate e = of_sweep(k, figure, paired);
		within += fabs(e.mean - want) <= e.half;
	}
	printf("# %s: %.1f %%\n", name, 100.0 * within / SWEEPS);
	ck_assert_msg(within >= least * SWEEPS && within <= most * SWEEPS, "%s: the truth is within %d of %d intervals", name, within, SWEEPS);
}

START_TEST(intervals_of_means_and_of_differences)
{
	run_service("10ms", results[0]);
	run_service("9ms", results[1]);
	check_coverage("utilisation", UTILISATION, false);
	check_coverage("number waiting", WAITING, false);
	check_coverage("difference of utilisations", UTILISATION, true);
	check_coverage("difference of numbers waiting", WAITING, true);
}
END_TEST

/* k of 60 runs collapse, each with a probability of 0.4: the coverage of Wilson's interval jumps with both, and is 95.3 % there. */
START_TEST(intervals_of_shares)
{
	const double p = 0.4;
	int within = 0;

	for (uint32_t sweep = 0; sweep < SWEEPS; sweep++) {
		struct st_rng_family family = st_rng_family(1, sweep);
		struct st_rng rng = st_rng_open(&family, 0, 0, 0, ST_RNG_ARRIVAL);
		size_t k = 0;

		for (int i = 0; i < 60; i++)
			k += st_rng_uniform(&rng) < p;
		struct st_share s = st_estimate_share(k, 60);
		within += s.lo <= p && p <= s.hi;
	}
	printf("# share: %.1f %%\n", 100.0 * within / SWEEPS);
	ck_assert_int_ge(within, (int)(least * SWEEPS));
	ck_assert_int_le(within, (int)(most * SWEEPS));
}
END_TEST

int main(void)
{
	Suite *s = suite_create("coverage");
	TCase *tc = tcase_create("intervals");

	tcase_set_timeout(tc, ORACLE_TIMEOUT_S);
	tcase_add_test(tc, intervals_of_means_and_of_differences);
	tcase_add_test(tc, intervals_of_shares);
	suite_add_tcase(s, tc);
	return tap_main(s);
}
