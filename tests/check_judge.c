#include <config.h>

#include "experiment/judge.h"

#include <math.h>

#include "tap_main.h"

#define NEVER INFINITY

/* Means and intervals by hand: 1, 2, 3, 4 has 2.5 +- 3.1824 x sqrt(5 / 3) / 2 = 2.5 +- 2.0543. */
static const struct {
	const char *text;
	double value[8];
	size_t n;
	enum st_judge_verdict verdict;
} rows[] = {
    {"amplification <= 4.6", {1, 2, 3, 4}, 4, ST_JUDGE_HOLDS},
    {"amplification <= 4.5", {1, 2, 3, 4}, 4, ST_JUDGE_OPEN},
    {"amplification < 0.5", {1, 2, 3, 4}, 4, ST_JUDGE_OPEN},
    {"amplification < 0.4", {1, 2, 3, 4}, 4, ST_JUDGE_FAILS},
    {"amplification >= 0.4", {1, 2, 3, 4}, 4, ST_JUDGE_HOLDS},
    {"amplification > 4.6", {1, 2, 3, 4}, 4, ST_JUDGE_FAILS},
    {"amplification == 2.5", {1, 2, 3, 4}, 4, ST_JUDGE_OPEN},
    {"amplification == 4.6", {1, 2, 3, 4}, 4, ST_JUDGE_FAILS},
    {"amplification <= 100", {1}, 1, ST_JUDGE_OPEN},
    {"amplification <= 100", {0}, 0, ST_JUDGE_OPEN},
    {"amplification <= 3", {3, 3}, 2, ST_JUDGE_HOLDS},
    {"amplification < 3", {3, 3}, 2, ST_JUDGE_FAILS},
    {"amplification == 3", {3, 3}, 2, ST_JUDGE_HOLDS},
    {"amplification <= 3", {1, NAN, 1}, 3, ST_JUDGE_FAILS},
    {"amplification >= 0 in 10% of runs", {1, NAN, 1}, 3, ST_JUDGE_FAILS},
    {"recovery_time <= 60s", {1, NEVER, 1}, 3, ST_JUDGE_FAILS},
    {"recovery_time <= 60s", {NEVER}, 1, ST_JUDGE_FAILS},
    {"recovery_time > 60s", {1, NEVER, 1}, 3, ST_JUDGE_HOLDS},
    {"recovery_time == never", {NEVER, NEVER}, 2, ST_JUDGE_HOLDS},
    {"recovery_time == never", {1, 2}, 2, ST_JUDGE_FAILS},
    {"recovery_time < never", {1, 2, 900}, 3, ST_JUDGE_HOLDS},
    {"recovery_time < never", {1, 2, NEVER}, 3, ST_JUDGE_FAILS},
    /* 7 of 8: Wilson's interval is 52.9 to 97.8 %. */
    {"recovery_time <= 10s in 52% of runs", {1, 2, 3, 4, 5, 6, 7, NEVER}, 8, ST_JUDGE_HOLDS},
    {"recovery_time <= 10s in 53% of runs", {1, 2, 3, 4, 5, 6, 7, NEVER}, 8, ST_JUDGE_OPEN},
    {"recovery_time <= 10s in 97% of runs", {1, 2, 3, 4, 5, 6, 7, NEVER}, 8, ST_JUDGE_OPEN},
    {"recovery_time <= 10s in 98% of runs", {1, 2, 3, 4, 5, 6, 7, NEVER}, 8, ST_JUDGE_FAILS},
    {"recovery_time <= 10s in 100% of runs", {1, 2, 3, 4, 5, 6, 7, NEVER}, 8, ST_JUDGE_FAILS},
    {"recovery_time <= 10s in 100% of runs", {1, 2, 3, 4, 5, 6, 7, 8}, 8, ST_JUDGE_HOLDS},
    {"recovery_time <= 10s in 95% of runs", {1, 2, 3, 4, 5, 6, 7, 8}, 8, ST_JUDGE_OPEN},
    {"recovery_time <= 10s in 95% of runs", {0, 0, 0}, 3, ST_JUDGE_HOLDS},
    {"recovery_time <= 10s in 5% of runs", {NEVER, NEVER}, 2, ST_JUDGE_FAILS},
};

static struct st_judgement judge(const char *text, const double *value, size_t n)
{
	const struct st_place place = {"x.yaml", 1, 1};
	struct st_mistakes m = ST_MISTAKES_INIT;
	struct st_expect x;

	ck_assert_int_eq(st_expect_read("expect: ", text, &place, &(struct st_expect_names){.subject = NULL}, &x, &m), 0);
	struct st_judgement j = st_judge(&x, value, n);
	st_expect_release(&x);
	return j;
}

START_TEST(holds_or_not_or_nobody_can_tell)
{
	ck_assert_msg(judge(rows[_i].text, rows[_i].value, rows[_i].n).verdict == rows[_i].verdict, "%s", rows[_i].text);
}
END_TEST

/* A mean of 2.5 with a deviation of 1.291 is 1.5 from 4: 1.96 x 1.291 / sqrt(n) = 1.5 at n = 2.85; 0.01 away, at 64,000. */
START_TEST(says_how_many_runs_would_tell)
{
	const double x[] = {1, 2, 3, 4}, y[] = {1, 2, 3, 4, 5, 6, 7, 8};
	struct st_judgement j = judge("amplification <= 2.51", x, 4);

	ck_assert_double_eq_tol(j.needed, 1.959964 * 1.959964 * (5.0 / 3) / 1e-4, 10);
	ck_assert(isinf(judge("amplification <= 2.5", x, 4).needed));
	ck_assert(isinf(judge("amplification == 2.4", x, 4).needed));
	/* All of n satisfy it: Wilson's lower end is n / (n + 3.8415), which is 0.95 at n = 72.99. */
	ck_assert_double_eq_tol(judge("recovery_time <= 10s in 95% of runs", y, 8).needed, 72.99, 0.01);
}
END_TEST

START_TEST(says_how_far_it_is_from_the_bound)
{
	const double x[] = {1, 2, 3, 4}, y[] = {1, 2, 3, 4, 5, 6, 7, NEVER}, same[] = {3, 3};

	ck_assert_double_eq_tol(judge("amplification <= 5", x, 4).spare, 2.5 - 2.0543, 1e-4);
	ck_assert_double_eq_tol(judge("amplification >= 0.4", x, 4).spare, 2.1 - 2.0543, 1e-4);
	ck_assert_double_eq(judge("amplification <= 5", same, 2).spare, 2.0);
	ck_assert_double_eq_tol(judge("recovery_time <= 10s in 52% of runs", y, 8).spare, 0.529 - 0.52, 1e-3);
	ck_assert(isinf(judge("recovery_time > 60s", y, 8).spare));
	ck_assert(isinf(judge("recovery_time < never", x, 4).spare));
	ck_assert(isnan(judge("amplification <= 4.5", x, 4).spare));
}
END_TEST

int main(void)
{
	Suite *s = suite_create("judge");
	TCase *tc = tcase_create("verdicts");

	tcase_add_loop_test(tc, holds_or_not_or_nobody_can_tell, 0, sizeof rows / sizeof *rows);
	tcase_add_test(tc, says_how_many_runs_would_tell);
	tcase_add_test(tc, says_how_far_it_is_from_the_bound);
	suite_add_tcase(s, tc);
	return tap_main(s);
}
