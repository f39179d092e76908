/*
 * oracle_queues.c - the service against queueing theory: who waits, how long, and who is turned away.
 *
 * Poisson arrivals, one attempt each, nobody gives up: then the model is a textbook queue, whose steady
 * state is known. Each row is run 30 times; the mean over the replications must be within 4.5 of its
 * standard errors of the closed form (quantiles: and 1 % for the histogram). A tenth of each run is left out
 * as warm-up. The relaxation time of a queue grows as 1 / (1 - load)^2 service times, and so do the numbers
 * of requests below. That a test is sharp enough is tested too: 4.5 standard errors must be no more than the
 * row's `catches`, the smallest relative fault it is for.
 *
 * Compiled twice: `make check` has runs of an eighth of the length and so catches faults three times as
 * large; the whole, with the loads of 95 %, takes a minute and is oracle_long_queues.slow.
 */
#include <config.h>

#include <math.h>
#include <stdio.h>

#include "oracle.h"
#include "tap_main.h"
#include "theory.h"

enum { REPLICATIONS = 30 };

/* Service times have a mean of 10 ms. */
#define MEAN_S 0.01

enum model { M_M_C, M_M_C_K, M_G_1, M_G_C_C };

static const struct row {
	const char *name;
	enum model model;
	unsigned workers;
	double load;         /* of the workers */
	const char *service;
	double cv;
	int limit;           /* waiting requests; -1: no limit */
	double requests;     /* a replication */
	double catches;      /* relative fault; both are those of the slow test */
} rows[] = {
    {"M/M/1 50 %", M_M_C, 1, 0.50, "exponential 10ms", 1.0, -1, 5e4, 0.05},
    {"M/M/1 80 %", M_M_C, 1, 0.80, "exponential 10ms", 1.0, -1, 3e5, 0.05},
    {"M/M/4 50 %", M_M_C, 4, 0.50, "exponential 10ms", 1.0, -1, 8e4, 0.05},
    {"M/M/4 80 %", M_M_C, 4, 0.80, "exponential 10ms", 1.0, -1, 4e5, 0.05},
    {"M/M/16 50 %", M_M_C, 16, 0.50, "exponential 10ms", 1.0, -1, 1e6, 0.06},
    {"M/M/16 80 %", M_M_C, 16, 0.80, "exponential 10ms", 1.0, -1, 4e5, 0.05},
    {"M/D/1 50 %", M_G_1, 1, 0.50, "constant 10ms", 0.0, -1, 4e4, 0.03},
    {"M/D/1 80 %", M_G_1, 1, 0.80, "constant 10ms", 0.0, -1, 1e5, 0.05},
    {"M/G/1 50 % cv 0.5", M_G_1, 1, 0.50, "lognormal 10ms cv 0.5", 0.5, -1, 3e4, 0.05},
    {"M/G/1 80 % cv 0.5", M_G_1, 1, 0.80, "lognormal 10ms cv 0.5", 0.5, -1, 1e5, 0.05},
    {"M/G/1 50 % cv 1", M_G_1, 1, 0.50, "lognormal 10ms cv 1", 1.0, -1, 1e5, 0.05},
    {"M/G/1 80 % cv 1", M_G_1, 1, 0.80, "lognormal 10ms cv 1", 1.0, -1, 2e5, 0.05},
    {"M/G/1 50 % cv 2", M_G_1, 1, 0.50, "lognormal 10ms cv 2", 2.0, -1, 4e5, 0.08},
    {"M/M/4/4 75 %", M_M_C_K, 4, 0.75, "exponential 10ms", 1.0, 0, 5e4, 0.03},
    {"M/M/16/16 95 %", M_M_C_K, 16, 0.95, "exponential 10ms", 1.0, 0, 8e4, 0.03},
    {"M/D/4/4 75 %", M_G_C_C, 4, 0.75, "constant 10ms", 0.0, 0, 5e4, 0.03},
    {"M/G/4/4 75 % cv 2", M_G_C_C, 4, 0.75, "lognormal 10ms cv 2", 2.0, 0, 1e5, 0.03},
    {"M/M/1/11 120 %", M_M_C_K, 1, 1.20, "exponential 10ms", 1.0, 10, 1e5, 0.03},
    {"M/M/4/8 90 %", M_M_C_K, 4, 0.90, "exponential 10ms", 1.0, 4, 1e5, 0.03},
    {"M/M/4/24 150 %", M_M_C_K, 4, 1.50, "exponential 10ms", 1.0, 20, 5e4, 0.03},
    {"M/M/16/32 95 %", M_M_C_K, 16, 0.95, "exponential 10ms", 1.0, 16, 4e5, 0.05},
#ifdef SLOW
    {"M/M/1 95 %", M_M_C, 1, 0.95, "exponential 10ms", 1.0, -1, 2e6, 0.06},
    {"M/M/4 95 %", M_M_C, 4, 0.95, "exponential 10ms", 1.0, -1, 2e6, 0.06},
    {"M/M/16 95 %", M_M_C, 16, 0.95, "exponential 10ms", 1.0, -1, 2e6, 0.06},
    {"M/D/1 95 %", M_G_1, 1, 0.95, "constant 10ms", 0.0, -1, 1e6, 0.05},
    {"M/G/1 95 % cv 0.5", M_G_1, 1, 0.95, "lognormal 10ms cv 0.5", 0.5, -1, 1e6, 0.05},
    {"M/G/1 95 % cv 1", M_G_1, 1, 0.95, "lognormal 10ms cv 1", 1.0, -1, 2e6, 0.06},
    {"M/G/1 80 % cv 2", M_G_1, 1, 0.80, "lognormal 10ms cv 2", 2.0, -1, 1e6, 0.06},
    {"M/G/1 95 % cv 2", M_G_1, 1, 0.95, "lognormal 10ms cv 2", 2.0, -1, 4e6, 0.1},
#endif
};

#ifdef SLOW
static const double shorter = 1.0, coarser = 1.0;
#else
static const double shorter = 8.0, coarser = 3.0; /* coarser: the root of shorter, and a little for luck */
#endif

enum { WAIT_SHARE, WAIT_MEAN, WAIT_P50, WAIT_P99, REJECT_SHARE, UTILISATION, FIGURES };

static const struct {
	const char *name;
	double unit;     /* of theory's value, in the figure's */
	double histogram; /* relative error of the instrument itself */
} figures[FIGURES] = {
    [WAIT_SHARE] = {"wait_share", 1.0, 0.0},
    [WAIT_MEAN] = {"wait_s.mean", MEAN_S, 0.0},
    [WAIT_P50] = {"wait_s.p50", MEAN_S, 0.01},
    [WAIT_P99] = {"wait_s.p99", MEAN_S, 0.01},
    [REJECT_SHARE] = {"reject_share", 1.0, 0.0},
    [UTILISATION] = {"utilisation", 1.0, 0.0},
};

/* Where about 1 - p of the requests wait at all, it is chance whether the p-quantile is 0. */
static double quantile(unsigned workers, double a, double p)
{
	double waiting = theory_erlang_c(workers, a) / (1.0 - p);

	return fabs(waiting - 1.0) > 0.2 ? theory_mmc_wait_quantile(workers, a, p) : (double)NAN;
}

/* What theory says of the row, NAN where it says nothing here. */
static void predict(const struct row *r, double theory[FIGURES])
{
	double a = r->load * r->workers;
	unsigned k = r->workers + (r->limit > 0 ? (unsigned)r->limit : 0);

	for (int i = 0; i < FIGURES; i++)
		theory[i] = (double)NAN;
	theory[REJECT_SHARE] = 0.0;
	switch (r->model) {
	case M_M_C:
		theory[WAIT_SHARE] = theory_erlang_c(r->workers, a);
		theory[WAIT_MEAN] = theory_mmc_wait(r->workers, a);
		theory[WAIT_P50] = quantile(r->workers, a, 0.5);
		theory[WAIT_P99] = quantile(r->workers, a, 0.99);
		break;
	case M_M_C_K:
		theory[REJECT_SHARE] = theory_mmck_rejected(r->workers, k, a);
		theory[WAIT_MEAN] = theory_mmck_wait(r->workers, k, a);
		break;
	case M_G_1:
		theory[WAIT_SHARE] = r->load;
		theory[WAIT_MEAN] = theory_mg1_wait(r->load, r->cv);
		break;
	case M_G_C_C:
		theory[REJECT_SHARE] = theory_erlang_b(r->workers, a);
		break;
	}
	theory[UTILISATION] = r->load * (1.0 - theory[REJECT_SHARE]);
}

static void read_figures(const struct st_config *c, const struct st_run *run, double *out)
{
	for (int i = 0; i < FIGURES; i++)
		out[i] = oracle_figure(c, run, figures[i].name);
}

static struct st_config configure(const struct row *r)
{
	double rate = r->load * r->workers / MEAN_S, seconds = r->requests / shorter / rate;
	char limit[24] = "unlimited";

	if (r->limit >= 0)
		snprintf(limit, sizeof limit, "%d", r->limit);
	return oracle_config(
	    "duration: %.0fms\n"
	    "warmup: %.0fms\n"
	    "bin: %.0fms\n"
	    "service: {workers: %u, service_time: %s, queue: {limit: %s}}\n"
	    "clients:\n"
	    "  all: {count: 1, workload: {kind: poisson, rate: %.6f/s}}\n",
	    seconds * 1e3, seconds * 100.0, seconds * 10.0, r->workers, r->service, limit, rate);
}

START_TEST(steady_state_is_that_of_theory)
{
	const struct row *r = &rows[_i];
	static double out[REPLICATIONS * FIGURES];
	double theory[FIGURES];
	struct st_config c = configure(r);

	predict(r, theory);
	oracle_run(&c, REPLICATIONS, FIGURES, read_figures, out);
	for (size_t i = 0; i < FIGURES; i++) {
		double expected = theory[i] * figures[i].unit;

		if (isnan(expected))
			continue;
		struct st_estimate e = oracle_column(out, REPLICATIONS, FIGURES, i);
		double noise = ORACLE_SE * oracle_standard_error(&e);

		ck_assert_msg(fabs(e.mean - expected) <= noise + figures[i].histogram * expected,
		    "%s: %s is %.6g, theory says %.6g; 4.5 standard errors are %.3g", r->name, figures[i].name,
		    e.mean, expected, noise);
		ck_assert_msg(noise <= coarser * r->catches * expected,
		    "%s: %s is %.6g +- %.3g, too coarse to catch %g %%", r->name, figures[i].name, e.mean,
		    noise, 100.0 * coarser * r->catches);
	}
	st_config_release(&c);
}
END_TEST

#ifndef SLOW
/* Values from tables and by hand, so that the formulas are not only compared with the model. */
START_TEST(formulas_give_published_values)
{
	ck_assert_double_eq_tol(theory_erlang_b(2, 1.0), 0.2, 1e-12);
	ck_assert_double_eq_tol(theory_erlang_b(10, 5.0), 0.018385, 5e-7);
	ck_assert_double_eq_tol(theory_erlang_c(1, 0.8), 0.8, 1e-12);
	ck_assert_double_eq_tol(theory_erlang_c(2, 1.0), 1.0 / 3.0, 1e-12);
	ck_assert_double_eq_tol(theory_mmc_wait(1, 0.8), 4.0, 1e-12);
	ck_assert_double_eq_tol(theory_mmc_wait_quantile(1, 0.8, 0.99), log(80.0) / 0.2, 1e-9);
	ck_assert_double_eq(theory_mmc_wait_quantile(1, 0.4, 0.5), 0.0);
	ck_assert_double_eq_tol(theory_mmck_rejected(4, 4, 3.0), theory_erlang_b(4, 3.0), 1e-12);
	ck_assert_double_eq_tol(theory_mmck_rejected(1, 3, 1.0), 0.25, 1e-12);
	ck_assert_double_eq_tol(theory_mmck_wait(1, 3, 1.0), 1.0, 1e-12);
	ck_assert_double_eq_tol(theory_mmck_wait(4, 400, 3.2), theory_mmc_wait(4, 3.2), 1e-9);
	ck_assert_double_eq_tol(theory_mg1_wait(0.8, 1.0), 4.0, 1e-12);
	ck_assert_double_eq_tol(theory_mg1_wait(0.8, 0.0), 2.0, 1e-12);
}
END_TEST
#endif

int main(void)
{
	Suite *s = suite_create("queues");
	TCase *tc = tcase_create("theory");

	tcase_set_timeout(tc, ORACLE_TIMEOUT_S);
#ifndef SLOW
	tcase_add_test(tc, formulas_give_published_values);
#endif
	tcase_add_loop_test(tc, steady_state_is_that_of_theory, 0, sizeof rows / sizeof *rows);
	suite_add_tcase(s, tc);
	return tap_main(s);
}
