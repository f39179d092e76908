#include <config.h>

#include <string.h>

#include "measure/counts.h"
#include "tap_main.h"

/* Every member has a value of its own, so that one left out of a loop shows. */
static struct st_counts filled(uint64_t first, uint64_t step)
{
	uint64_t at[ST_COUNTS_N];
	struct st_counts c;

	for (size_t i = 0; i < ST_COUNTS_N; i++)
		at[i] = first + i * step;
	memcpy(&c, at, sizeof c);
	return c;
}

START_TEST(sums_and_differences_take_every_member)
{
	struct st_counts a = filled(2385, 17), b = filled(611, 5), sum = a, want = filled(2996, 22);

	st_counts_add(&sum, &b);
	ck_assert_mem_eq(&sum, &want, sizeof sum);
	struct st_counts back = st_counts_minus(&sum, &a);
	ck_assert_mem_eq(&back, &b, sizeof back);
}
END_TEST

START_TEST(failures_and_answers_are_summed_over_their_kinds)
{
	struct st_counts c = {.failures = {3, 1, 4, 1, 5, 9}, .answered = {2, 6, 5, 3, 58}};

	ck_assert_uint_eq(st_counts_failed(&c), 23);
	ck_assert_uint_eq(st_counts_answered(&c), 74);
}
END_TEST

START_TEST(balance_notices_a_lost_operation_or_attempt)
{
	struct st_counts c = {
	    .operations = 104,
	    .successes = 61,
	    .failures = {[ST_REASON_DEADLINE] = 7, [ST_REASON_BUDGET] = 13},
	    .attempts = 187,
	    .answered = {61, 5, 40, 0, 2},
	    .timed_out = 50,
	};

	ck_assert(st_counts_balance(&c, 23, 29));
	ck_assert(!st_counts_balance(&c, 22, 29));
	ck_assert(!st_counts_balance(&c, 23, 30));
}
END_TEST

START_TEST(a_gauge_keeps_its_integral)
{
	struct st_gauge g = {0};

	st_gauge_add(&g, 7, 3);    /* 0 until 7 */
	st_gauge_add(&g, 20, 8);   /* 3 until 20 */
	st_gauge_add(&g, 20, -10); /* 11 for no time */
	st_gauge_add(&g, 31, 4);   /* 1 until 31 */
	ck_assert_int_eq((int64_t)st_gauge_read(&g, 41), 3 * 13 + 1 * 11 + 5 * 10);
	ck_assert_int_eq(g.value, 5);
	ck_assert_int_eq(g.max, 11);
	st_gauge_rebase(&g);
	ck_assert_int_eq(g.max, 5);
	st_gauge_add(&g, 43, -2);
	ck_assert_int_eq(g.max, 5);
	ck_assert_int_eq((int64_t)st_gauge_read(&g, 43), 39 + 11 + 50 + 10);
}
END_TEST

START_TEST(an_integral_may_pass_64_bits)
{
	struct st_gauge g = {0};
	const st_time year = (st_time)366 * 86400 * ST_SEC;

	st_gauge_add(&g, 0, 100000000);
	ck_assert(st_gauge_read(&g, 30 * year) == (__int128)100000000 * 30 * year);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("counts");
	TCase *tc = tcase_create("counts");

	tcase_add_test(tc, sums_and_differences_take_every_member);
	tcase_add_test(tc, failures_and_answers_are_summed_over_their_kinds);
	tcase_add_test(tc, balance_notices_a_lost_operation_or_attempt);
	tcase_add_test(tc, a_gauge_keeps_its_integral);
	tcase_add_test(tc, an_integral_may_pass_64_bits);
	suite_add_tcase(s, tc);
	return tap_main(s);
}
