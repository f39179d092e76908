/*
 * oracle_outage.c - what scenarios/outage.yaml is shipped to show: a fleet in step against a fleet with
 * jitter.
 *
 * A thousand clients meet a thirty-second outage of a service of 200 requests a second. Replications of
 * different policies share their random numbers, so inequalities between policies are asserted pair by pair,
 * in each of 30 replications.
 */
#include <config.h>

#include <math.h>
#include <stdio.h>

#include "oracle.h"
#include "tap_main.h"

enum { REPLICATIONS = 30 };

#define FAULT_END_S 40.0

enum { PEAK, SERVED, LAST, FIGURES };

struct outage {
	double of[REPLICATIONS][FIGURES];
};

static void read_outage(const struct st_config *c, const struct st_run *run, double *out)
{
	out[PEAK] = oracle_figure(c, run, "after_fault_peak_x_capacity");
	out[SERVED] = oracle_group_figure(c, run, "fleet", "successes") /
	    oracle_group_figure(c, run, "fleet", "operations");
	out[LAST] = oracle_group_figure(c, run, "fleet", "last_success_s") - FAULT_END_S;
}

/* The shipped scenario with a word or two changed; the users in the background do not know what a hint is. */
static void run_outage(const char *jitter, const char *more, struct outage *o)
{
	char with_jitter[64];

	snprintf(with_jitter, sizeof with_jitter, "fleet.retry.backoff.jitter=%s", jitter);
	const char *set[] = {"background.retry.hint.obey=0%", with_jitter, more};
	struct st_config c = oracle_config_file("scenarios/outage.yaml", set, more ? 3 : 2);

	oracle_run(&c, REPLICATIONS, FIGURES, read_outage, o->of[0]);
	st_config_release(&c);
}

/* Run before the tests, once for all of them. */
static struct outage none, full;

static void run_both(void)
{
	run_outage("none", NULL, &none);
	run_outage("full", NULL, &full);
}

/* Without jitter every retry of the fleet is one instant: 1000 in a bin of 20 requests' capacity, and the
 * background's. */
START_TEST(without_jitter_the_fleet_comes_back_as_one)
{
	for (int r = 0; r < REPLICATIONS; r++) {
		ck_assert_double_ge(none.of[r][PEAK], 50.0);
		ck_assert_double_le(none.of[r][PEAK], 52.0);
		ck_assert_double_ge(none.of[r][PEAK], 10.0 * full.of[r][PEAK]);
	}
}
END_TEST

/* Four waves reach the healthy service (at 41.5, 71.5, 101.5 and 131.5 s), each fills the ten workers and
 * what is free of the hundred places in the queue. */
START_TEST(without_jitter_half_the_fleet_is_lost)
{
	for (int r = 0; r < REPLICATIONS; r++) {
		ck_assert_double_ge(none.of[r][SERVED], 0.36);
		ck_assert_double_le(none.of[r][SERVED], 0.50);
		ck_assert_double_ge(full.of[r][SERVED], 0.95);
	}
}
END_TEST

START_TEST(without_jitter_recovery_takes_twice_as_long)
{
	for (int r = 0; r < REPLICATIONS; r++)
		ck_assert_double_ge(none.of[r][LAST], 2.0 * full.of[r][LAST]);
}
END_TEST

/* The hint of 5 s is longer than the first delays: it puts a jittered fleet back in step. */
START_TEST(obeying_a_hint_to_the_letter_undoes_jitter)
{
	static struct outage obeys;

	run_outage("full", "fleet.retry.hint.obey=100%", &obeys);
	for (int r = 0; r < REPLICATIONS; r++)
		ck_assert_double_ge(obeys.of[r][PEAK], 4.0 * full.of[r][PEAK]);
}
END_TEST

/*
 * One run of an independent simulator of the same model, written apart from this one: its figures must look
 * like one more replication of ours, within 4.5 of their standard deviations and its rounding.
 */
static const struct {
	const char *jitter, *more;
	double peak, served, last;
} independent[] = {
    {"none", NULL, 50.5, 0.42, 92.0},
    {"full", NULL, 1.6, 0.98, 29.0},
    {"equal", NULL, 1.8, 1.0, (double)NAN},
    {"decorrelated", NULL, 2.0, 0.65, (double)NAN},
    {"full", "fleet.retry.budget={kind: token-bucket, rate: 10/s, burst: 100}", 1.4, (double)NAN,
        (double)NAN},
};

static void compare(const struct outage *o, size_t figure, double other, double rounding)
{
	struct st_estimate e = oracle_column(o->of[0], REPLICATIONS, FIGURES, figure);

	if (!isnan(other))
		ck_assert_msg(fabs(e.mean - other) <= ORACLE_SE * e.sd + rounding,
		    "figure %zu: %.3f, sd %.3f; the other's is %.3f", figure, e.mean, e.sd, other);
}

START_TEST(an_independent_simulator_agrees)
{
	static struct outage o;

	run_outage(independent[_i].jitter, independent[_i].more, &o);
	compare(&o, PEAK, independent[_i].peak, 0.05);
	compare(&o, SERVED, independent[_i].served, 0.005);
	compare(&o, LAST, independent[_i].last, 0.5);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("outage");
	TCase *tc = tcase_create("scenario");

	tcase_set_timeout(tc, ORACLE_TIMEOUT_S);
	tcase_add_unchecked_fixture(tc, run_both, NULL);
	tcase_add_test(tc, without_jitter_the_fleet_comes_back_as_one);
	tcase_add_test(tc, without_jitter_half_the_fleet_is_lost);
	tcase_add_test(tc, without_jitter_recovery_takes_twice_as_long);
	tcase_add_test(tc, obeying_a_hint_to_the_letter_undoes_jitter);
	tcase_add_loop_test(tc, an_independent_simulator_agrees, 0,
	    (int)(sizeof independent / sizeof *independent));
	suite_add_tcase(s, tc);
	return tap_main(s);
}
