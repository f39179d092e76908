/*
 * oracle_disciplines.c - the queue's disciplines, deadlines and the cost of rejecting, against theory.
 *
 * Poisson arrivals, exponential services of 10 ms in the mean, one attempt each. Each row is run 30 times; a mean over the
 * replications must be within 4.5 of its standard errors of the closed form, and these must be small enough to catch a fault
 * of the size that the row names.
 */
#include <config.h>

#include <math.h>

#include "oracle.h"
#include "tap_main.h"
#include "theory.h"

enum { REPLICATIONS = 30, FIGURES = 4 };

#define MEAN_S 0.01

static void agrees(const double *out, size_t column, double expected, double instrument, double catches, const char *what)
{
	struct st_estimate e = oracle_column(out, REPLICATIONS, FIGURES, column);
	double noise = ORACLE_SE * oracle_standard_error(&e);

	ck_assert_msg(fabs(e.mean - expected) <= noise + instrument * expected,
	    "%s is %.6g, theory says %.6g; 4.5 standard errors are %.3g", what, e.mean, expected, noise);
	ck_assert_msg(noise <= catches * expected, "%s is %.6g +- %.3g, too coarse to catch %g %%", what, e.mean, noise,
	    100.0 * catches);
}

/* --- those who wait give up --- */

static const struct {
	unsigned workers;
	double load, patience; /* of the workers; in mean service times */
	double requests;
} patiences[] = {
    {1, 0.8, 5.0, 2e4},
    {1, 1.2, 5.0, 2e4},
    {4, 0.9, 1.0, 4e4},
    {10, 1.1, 2.0, 4e4},
    {4, 2.0, 10.0, 4e4}, /* half of them must go */
};

static void read_erlang_a(const struct st_config *c, const struct st_run *run, double *out)
{
	out[0] = oracle_figure(c, run, "reject_share");
	out[1] = oracle_figure(c, run, "queue_mean");
	out[2] = oracle_figure(c, run, "wait_s.mean");
	out[3] = oracle_figure(c, run, "utilisation");
}

START_TEST(exponential_deadlines_make_erlang_a)
{
	unsigned workers = patiences[_i].workers;
	double a = patiences[_i].load * workers, t = 1.0 / patiences[_i].patience, rate = a / MEAN_S;
	static double out[REPLICATIONS * FIGURES];
	struct st_config c = oracle_config(
	    "duration: %.0fms\n"
	    "warmup: 5s\n"
	    "service: {workers: %u, service_time: exponential 10ms, queue: {deadline: exponential %.0fms}}\n"
	    "clients:\n"
	    "  all: {count: 1, workload: {kind: poisson, rate: %.6f/s}}\n",
	    patiences[_i].requests / rate * 1e3 + 5e3, workers, patiences[_i].patience * 10.0, rate);
	double dropped = theory_erlang_a_dropped(workers, a, t);

	oracle_run(&c, REPLICATIONS, FIGURES, read_erlang_a, out);
	agrees(out, 0, dropped, 0.0, 0.06, "the share dropped");
	agrees(out, 1, theory_erlang_a_waiting(workers, a, t), 0.0, 0.06, "the queue");
	agrees(out, 2, theory_erlang_a_wait(workers, a, t) * MEAN_S, 0.0, 0.06, "the wait of those served");
	agrees(out, 3, patiences[_i].load * (1.0 - dropped), 1e-6, 0.02, "the utilisation");
	st_config_release(&c);
}
END_TEST

/* --- the newest first --- */

/* By the middles of the buckets: each is within 0.8 %. */
static double second_moment(const struct st_hist *h)
{
	double sum = 0.0, before = 0.0;

	for (size_t b = h->lowest; b <= h->highest; b++) {
		if (h->count[b] == 0)
			continue;
		before += (double)h->count[b];
		double s = st_time_to_s(st_hist_quantile(h, (before - 0.5) / (double)h->n));
		sum += (double)h->count[b] * s * s;
	}
	return sum / (double)h->n;
}

static void read_waits(const struct st_config *c, const struct st_run *run, double *out)
{
	out[0] = oracle_figure(c, run, "wait_s.mean");
	out[1] = second_moment(&run->meter->wait);
	out[2] = oracle_figure(c, run, "wait_share");
	out[3] = oracle_figure(c, run, "queue_mean");
}

static const struct {
	const char *discipline;
	double (*square)(double a);
} orders[] = {{"fifo", theory_mm1_wait_square}, {"lifo", theory_mm1_lifo_wait_square}};

/* The order of service changes nobody's mean wait, only who bears it. */
START_TEST(lifo_waits_as_long_in_the_mean_and_varies_more)
{
	const double a = 0.6;
	static double out[REPLICATIONS * FIGURES];
	struct st_config c = oracle_config(
	    "duration: 1000s\n"
	    "warmup: 10s\n"
	    "bin: 10s\n"
	    "service: {workers: 1, service_time: exponential 10ms, queue: {discipline: %s}}\n"
	    "clients:\n"
	    "  all: {count: 1, workload: {kind: poisson, rate: %.6f/s}}\n", orders[_i].discipline, a / MEAN_S);

	oracle_run(&c, REPLICATIONS, FIGURES, read_waits, out);
	agrees(out, 0, theory_mmc_wait(1, a) * MEAN_S, 0.0, 0.03, "the mean wait");
	agrees(out, 1, orders[_i].square(a) * MEAN_S * MEAN_S, 0.01, 0.1, "its second moment");
	agrees(out, 2, a, 0.0, 0.02, "the share that waits");
	agrees(out, 3, a * theory_mmc_wait(1, a), 0.0, 0.04, "the queue");
	st_config_release(&c);
}
END_TEST

/* --- in each other's way --- */

static const struct {
	unsigned workers, limit;
	double load;
	unsigned knee;
	double slope;
} crowds[] = {
    {1, 10, 0.6, 2, 0.1},
    {1, 10, 0.9, 0, 0.1},
    {2, 8, 0.6, 2, 0.2},
    {2, 8, 1.0, 4, 1.0}, /* the more there are, the less it does */
};

static void read_crowd(const struct st_config *c, const struct st_run *run, double *out)
{
	out[0] = oracle_figure(c, run, "reject_share");
	out[1] = oracle_figure(c, run, "utilisation");
	out[2] = oracle_figure(c, run, "queue_mean");
	out[3] = oracle_figure(c, run, "goodput_per_s");
}

START_TEST(a_crowd_beyond_the_knee_is_served_as_its_chain_says)
{
	unsigned workers = crowds[_i].workers, limit = crowds[_i].limit;
	double a = crowds[_i].load * workers, rate = a / MEAN_S;
	struct theory_slowed t = theory_slowdown(workers, workers + limit, a, crowds[_i].knee, crowds[_i].slope);
	static double out[REPLICATIONS * FIGURES];
	struct st_config c = oracle_config(
	    "duration: %.0fms\n"
	    "warmup: 5s\n"
	    "bin: 10s\n"
	    "service: {workers: %u, service_time: exponential 10ms, queue: %u, slowdown: {knee: %u, slope: %g}}\n"
	    "clients:\n"
	    "  all: {count: 1, workload: {kind: poisson, rate: %.6f/s}}\n",
	    4e4 / rate * 1e3 + 5e3, workers, limit, crowds[_i].knee, crowds[_i].slope, rate);

	oracle_run(&c, REPLICATIONS, FIGURES, read_crowd, out);
	agrees(out, 0, t.rejected, 0.0, 0.1, "the share rejected");
	agrees(out, 1, t.busy / workers, 1e-6, 0.02, "the utilisation");
	agrees(out, 2, t.waiting, 0.0, 0.05, "the queue");
	agrees(out, 3, rate * (1.0 - t.rejected), 0.0, 0.02, "the goodput");
	st_config_release(&c);
}
END_TEST

/* --- rejecting --- */

static const double offered[] = {1.5, 1.8, 2.5}; /* of the capacity; a rejection costs half a service */

static void read_goodput(const struct st_config *c, const struct st_run *run, double *out)
{
	out[0] = oracle_figure(c, run, "goodput_per_s");
	out[1] = out[2] = out[3] = oracle_figure(c, run, "utilisation");
}

START_TEST(a_service_that_pays_for_rejecting_serves_less)
{
	double served = theory_rejecting_served(offered[_i], 0.5) / MEAN_S;
	static double out[REPLICATIONS * FIGURES];
	struct st_config c = oracle_config(
	    "duration: 200s\n"
	    "warmup: 20s\n"
	    "service: {workers: 1, service_time: exponential 10ms, queue: 20, reject_cost: 5ms}\n"
	    "clients:\n"
	    "  all: {count: 1, workload: {kind: poisson, rate: %.6f/s}}\n", offered[_i] / MEAN_S);

	oracle_run(&c, REPLICATIONS, FIGURES, read_goodput, out);
	agrees(out, 1, 1.0, 1e-9, 0.001, "the utilisation");
	if (served > 0.0)
		agrees(out, 0, served, 0.0, 0.08, "the goodput");
	else
		ck_assert_double_le(oracle_column(out, REPLICATIONS, FIGURES, 0).mean, 0.5);
	st_config_release(&c);
}
END_TEST

/* By hand, so that the formulas are not only compared with the model. */
START_TEST(formulas_give_known_values)
{
	/* patience as long as a service: those who wait leave as fast as they are served, so the number there is Poisson(a) */
	ck_assert_double_eq_tol(theory_erlang_a_waiting(1, 0.8, 1.0), 0.8 - (1.0 - exp(-0.8)), 1e-12);
	ck_assert_double_eq_tol(theory_erlang_a_dropped(1, 0.8, 1.0), 1.0 - (1.0 - exp(-0.8)) / 0.8, 1e-12);
	/* patience without end */
	ck_assert_double_eq_tol(theory_erlang_a_wait(4, 3.2, 1e-9), theory_mmc_wait(4, 3.2), 1e-6);
	/* flow balance: those who drop are those who wait, times the rate at which they do */
	ck_assert_double_eq_tol(theory_erlang_a_dropped(10, 11.0, 0.5), 0.5 * theory_erlang_a_waiting(10, 11.0, 0.5) / 11.0, 1e-12);
	ck_assert_double_eq_tol(theory_mm1_wait_square(0.5), 4.0, 1e-12);
	ck_assert_double_eq_tol(theory_mm1_lifo_wait_square(0.5), 8.0, 1e-12);
	ck_assert_double_eq_tol(theory_rejecting_served(1.5, 0.5), 0.5, 1e-12);
	ck_assert_double_eq_tol(theory_rejecting_served(1.5, 0.0), 1.0, 1e-12);
	/* a knee that is never reached; services that are all slower alike; no service begins with two there, so none is slower */
	ck_assert_double_eq_tol(theory_slowdown(1, 11, 0.9, 11, 5.0).rejected, theory_mmck_rejected(1, 11, 0.9), 1e-12);
	ck_assert_double_eq_tol(theory_slowdown(2, 10, 1.8, 10, 5.0).waiting, theory_mmck_wait(2, 10, 1.8) * 1.8 *
	    (1.0 - theory_mmck_rejected(2, 10, 1.8)), 1e-12);
	ck_assert_double_eq_tol(theory_slowdown(1, 1, 0.5, 0, 1.0).rejected, theory_erlang_b(1, 1.0), 1e-12);
	ck_assert_double_eq_tol(theory_slowdown(1, 2, 0.7, 1, 3.0).rejected, theory_mmck_rejected(1, 2, 0.7), 1e-12);
	/* two workers, no place, a = 1: who comes second takes twice as long. One there, begun alone: 1; not: 4/3; two: 2/3 and 4/3; nobody: 5/3 */
	ck_assert_double_eq_tol(theory_slowdown(2, 2, 1.0, 1, 1.0).rejected, 2.0 / 6.0, 1e-12);
	ck_assert_double_eq_tol(theory_slowdown(2, 2, 1.0, 1, 1.0).busy, 19.0 / 18.0, 1e-12);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("disciplines");
	TCase *tc = tcase_create("theory");

	tcase_set_timeout(tc, ORACLE_TIMEOUT_S);
	tcase_add_test(tc, formulas_give_known_values);
	tcase_add_loop_test(tc, exponential_deadlines_make_erlang_a, 0, sizeof patiences / sizeof *patiences);
	tcase_add_loop_test(tc, lifo_waits_as_long_in_the_mean_and_varies_more, 0, sizeof orders / sizeof *orders);
	tcase_add_loop_test(tc, a_crowd_beyond_the_knee_is_served_as_its_chain_says, 0, sizeof crowds / sizeof *crowds);
	tcase_add_loop_test(tc, a_service_that_pays_for_rejecting_serves_less, 0, sizeof offered / sizeof *offered);
	suite_add_tcase(s, tc);
	return tap_main(s);
}
