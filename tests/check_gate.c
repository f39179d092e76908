#include <config.h>

#include <math.h>

#include "build.h"
#include "tap_main.h"

static struct st_gate_cfg config(const char *keys)
{
	struct st_gate_cfg c = {0};
	char key[32], value[32];
	int used;

	for (const struct st_param *p = st_gate_params; p->name; p++)
		if (p->dflt)
			st_param_default(p, &c);
	for (; sscanf(keys, " %31s %31[^,]%n", key, value, &used) == 2; keys += *keys == ',') {
		build_set(st_gate_params, &c, key, value);
		keys += used;
	}
	return c;
}

static struct st_gate gate(const char *keys)
{
	struct st_gate_cfg c = config(keys);
	struct st_gate g;

	st_gate_init(&g, &c, 1);
	return g;
}

static const st_outcome throttled = ST_OUTCOME_STATUS + 329, overloaded = ST_OUTCOME_STATUS + 403;

#define NEAR(got, want, within) ck_assert_msg(fabs((got) - (want)) <= (within), "%s is %g, want %g", #got, got, want)

/* --- SRE -------------------------------------------------------------------------------------------------------------------- */

/* How many of n sends are rejected, at a window of so many requests and accepts (sums are not changed by them). */
static double rejected(int requests, int accepts, const char *keys)
{
	const int n = 20000;
	struct st_rng_family family = st_rng_family(5, 0);
	int no = 0;

	for (int i = 0; i < n; i++) {
		struct st_gate g = gate(keys);
		struct st_rng r = st_rng_open(&family, (uint32_t)i, 0, 0, ST_RNG_GATE);

		for (int k = 0; k < requests; k++)
			st_ring_add(&g.ring, (int64_t *)(void *)g.sites, 0, 0, 1);
		for (int k = 0; k < accepts; k++)
			st_gate_ended(&g, 0, 0, ST_OUTCOME_OK, true);
		no += st_gate_ask(&g, 0, 0, &r) < 0;
		st_gate_release(&g);
	}
	return (double)no / n;
}

/* A deviation is at most 0.0036. */
START_TEST(sre_rejects_by_its_formula)
{
	ck_assert_double_eq(rejected(10, 5, "kind sre"), 0.0);
	ck_assert_double_eq(rejected(10, 9, "kind sre"), 0.0);
	ck_assert_double_eq(rejected(0, 0, "kind sre"), 0.0);
	NEAR(rejected(10, 0, "kind sre"), 10.0 / 11, 0.016);
	NEAR(rejected(40, 10, "kind sre"), 20.0 / 41, 0.016);
	NEAR(rejected(40, 10, "kind sre, k 1.5"), 25.0 / 41, 0.016);
	NEAR(rejected(40, 10, "kind sre, min_requests 40"), 20.0 / 41, 0.016);
	ck_assert_double_eq(rejected(40, 10, "kind sre, min_requests 41"), 0.0);
}
END_TEST

/* Final failures are accepted ones; what the window has forgotten does not count. */
START_TEST(sre_counts_what_was_accepted_within_its_span)
{
	struct st_gate g = gate("kind sre, span 10s");
	struct st_rng_family family = st_rng_family(6, 0);
	int no = 0;

	for (uint32_t i = 0; i < 1000; i++) {
		struct st_rng r = st_rng_open(&family, i, 0, 0, ST_RNG_GATE);

		ck_assert_int_eq(st_gate_ask(&g, 0, i, &r), 0);
		st_gate_ended(&g, 0, i, i % 2 ? overloaded : ST_OUTCOME_OK, i % 2 == 0);
	}
	for (uint32_t i = 0; i < 1000; i++) {
		struct st_rng r = st_rng_open(&family, i, 1, 0, ST_RNG_GATE);

		no += st_gate_ask(&g, 0, 9 * ST_SEC, &r) < 0;
	}
	ck_assert_int_ge(no, 150); /* p rises from 0 to 1/2 */
	struct st_rng r = st_rng_open(&family, 0, 2, 0, ST_RNG_GATE);
	ck_assert_int_eq(st_gate_ask(&g, 0, 19 * ST_SEC, &r), 0);
	st_gate_release(&g);
}
END_TEST

/* Of r requests in the window q are sent, and a = q (1 - f) accepted: 1 - p = (1 + K a) / (r + 1) gives
 * 1 - p = 1 / (1 + r (1 - K (1 - f))). A window of ten slices is 0.95 of its span in the mean. */
START_TEST(sre_settles_at_its_fixed_point)
{
	struct st_gate g = gate("kind sre, span 1s");
	struct st_rng_family family = st_rng_family(7, 0);
	const uint32_t n = 2000000;
	const double f = 0.8;
	uint32_t sent = 0;

	for (uint32_t i = 0; i < n; i++) {
		struct st_rng r = st_rng_open(&family, i, 0, 0, ST_RNG_GATE);
		st_time now = (st_time)i * 10 * ST_MSEC;

		if (st_gate_ask(&g, 0, now, &r) < 0)
			continue;
		sent++;
		bool accepted = st_rng_uniform(&r) >= f;
		st_gate_ended(&g, 0, now, accepted ? ST_OUTCOME_OK : overloaded, accepted);
	}
	NEAR((double)sent / n, 1.0 / (1.0 + 95 * (1.0 - 2.0 * (1.0 - f))), 0.0008);
	st_gate_release(&g);
}
END_TEST

/* --- CUBIC ------------------------------------------------------------------------------------------------------------------ */

/* 20 ends a second until `until`; the last throttled if said so. */
static void steady(struct st_gate *g, st_time *now, st_time until, bool then_throttled)
{
	for (; *now <= until; *now += 50 * ST_MSEC)
		st_gate_ended(g, 0, *now, then_throttled && *now == until ? throttled : ST_OUTCOME_OK, true);
}

/* Sends granted at once from a full bucket say its size, which is the rate (at least 1). */
static st_time wait_of(struct st_gate *g, st_time now)
{
	return st_gate_ask(g, 0, now, NULL);
}

START_TEST(cubic_is_off_until_the_first_throttling_answer)
{
	struct st_gate g = gate("kind cubic");
	st_time now = 0;

	steady(&g, &now, 10 * ST_SEC, false);
	for (int i = 0; i < 1000; i++)
		ck_assert_int_eq(wait_of(&g, now), 0);
	st_gate_ended(&g, 0, now, overloaded, false);
	ck_assert_int_eq(wait_of(&g, now), 0);
	st_gate_ended(&g, 0, now, throttled, false);
	ck_assert_int_gt(wait_of(&g, now), 0);
	st_gate_release(&g);
}
END_TEST

/* Measured at 20/s, a throttling answer leaves 14/s: the bucket is empty, so the n-th of those that ask at once waits n / 14 s. */
START_TEST(a_throttling_answer_leaves_seven_tenths)
{
	struct st_gate g = gate("kind cubic");
	st_time now = 0;

	steady(&g, &now, 30 * ST_SEC, true);
	now = 30 * ST_SEC;
	for (int n = 1; n <= 5; n++)
		NEAR(st_time_to_s(wait_of(&g, now)), n / 14.0, 0.001);
	st_gate_release(&g);
}
END_TEST

/* w = 20: the cubic is back at 20/s after cbrt(0.75 x 20) = 2.466 s, and no further than twice what is measured. */
START_TEST(the_rate_is_back_after_the_cube_root)
{
	struct st_gate g = gate("kind cubic");
	st_time now = 0;
	const st_time back = 30 * ST_SEC + st_time_from_s(cbrt(15.0));

	steady(&g, &now, 30 * ST_SEC, true);
	steady(&g, &now, back - 50 * ST_MSEC, false);
	st_gate_ended(&g, 0, back, ST_OUTCOME_OK, true);
	for (int i = 0; i < 100; i++)
		wait_of(&g, back);
	st_time a = wait_of(&g, back), b = wait_of(&g, back);
	NEAR(1.0 / st_time_to_s(b - a), 20.0, 0.01);
	steady(&g, &now, 60 * ST_SEC, false); /* by the cubic it would be 8000/s */
	for (int i = 0; i < 100; i++)
		wait_of(&g, now);
	a = wait_of(&g, now), b = wait_of(&g, now);
	NEAR(1.0 / st_time_to_s(b - a), 40.0, 0.5);
	st_gate_release(&g);
}
END_TEST

START_TEST(cubic_never_falls_below_one_in_two_seconds)
{
	struct st_gate g = gate("kind cubic");

	for (int i = 0; i < 100; i++)
		st_gate_ended(&g, 0, i * ST_SEC, throttled, false);
	st_time a = wait_of(&g, 100 * ST_SEC), b = wait_of(&g, 100 * ST_SEC);
	ck_assert_int_eq(b - a, 2 * ST_SEC);
	st_gate_release(&g);
}
END_TEST

/* --- in a run ---------------------------------------------------------------------------------------------------------------- */

static struct st_counts run_with(const char *keys, const char *fault, const char *deadline, struct st_run *run)
{
	struct st_config c;

	build_init(&c, 60 * ST_SEC);
	c.service->workers = 1000;
	struct st_group_cfg *g = build_group(&c, "fleet", 10);
	build_set(st_workload_params, &g->workload, "kind", "poisson");
	build_set(st_workload_params, &g->workload, "rate", "100/s");
	build_set(st_group_params, g, "deadline", deadline);
	g->retry.gate = config(keys);
	build_fault(&c, 10 * ST_SEC, 20 * ST_SEC, fault);
	build_run(&c, run);
	struct st_counts n = run->meter->counts[0];
	build_release(&c);
	return n;
}

START_TEST(a_rejected_first_attempt_fails_here_for_the_budget)
{
	struct st_run run;
	struct st_counts n = run_with("kind sre, scope group, span 5s", "503", "off", &run);

	ck_assert_uint_eq(n.operations, n.attempts + n.failures[ST_REASON_BUDGET]);
	ck_assert_uint_eq(n.denied, 0); /* of retries there are none */
	ck_assert_uint_ge(n.failures[ST_REASON_BUDGET], 1300); /* of 2000 in the outage */
	ck_assert_uint_eq(run.meter->group[0].ended_with[0], n.failures[ST_REASON_BUDGET]);
	ck_assert_int_ge(run.meter->series.row[590][ST_CELL_OK], 1);
	st_run_release(&run);
}
END_TEST

START_TEST(a_delayed_send_waits_and_may_come_too_late)
{
	struct st_run run;
	struct st_counts n = run_with("kind cubic, scope group", "429", "off", &run);

	ck_assert_int_ge(run.meter->series.row[250][ST_CELL_WAITING], 100 * INT64_C(1000000));
	ck_assert_uint_le(n.errors, 400); /* of 2000 without the gate */
	ck_assert_uint_eq(n.failures[ST_REASON_BUDGET], 0);
	st_run_release(&run);
	n = run_with("kind cubic, scope group", "429", "1s", &run);
	ck_assert_uint_ge(n.failures[ST_REASON_DEADLINE], 1000);
	st_run_release(&run);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("gate");
	TCase *tc = tcase_create("gate");

	tcase_set_timeout(tc, 60);
	tcase_add_test(tc, sre_rejects_by_its_formula);
	tcase_add_test(tc, sre_counts_what_was_accepted_within_its_span);
	tcase_add_test(tc, sre_settles_at_its_fixed_point);
	tcase_add_test(tc, cubic_is_off_until_the_first_throttling_answer);
	tcase_add_test(tc, a_throttling_answer_leaves_seven_tenths);
	tcase_add_test(tc, the_rate_is_back_after_the_cube_root);
	tcase_add_test(tc, cubic_never_falls_below_one_in_two_seconds);
	tcase_add_test(tc, a_rejected_first_attempt_fails_here_for_the_budget);
	tcase_add_test(tc, a_delayed_send_waits_and_may_come_too_late);
	suite_add_tcase(s, tc);
	return tap_main(s);
}
