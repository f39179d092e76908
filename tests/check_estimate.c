#include <config.h>

#include <math.h>
#include <stdint.h>

#include "base/rng.h"
#include "measure/estimate.h"
#include "tap_main.h"

/* 0.975-quantiles of Student's t, from the tables. */
static const double t1 = 12.706204736, t3 = 3.182446305, t9 = 2.262157163;
static const double tiny = 1e-9; /* relative: the tables' digits */

static void about(double got, double want)
{
	ck_assert_msg(fabs(got - want) <= tiny * fabs(want), "%.17g, want %.17g", got, want);
}

static void all_absent(struct st_estimate e, size_t n)
{
	ck_assert_uint_eq(e.n, n);
	ck_assert(isnan(e.mean) && isnan(e.sd) && isnan(e.half));
}

START_TEST(nothing_has_no_mean)
{
	double x = 2.385;

	all_absent(st_estimate_mean(&x, 0), 0);
	all_absent(st_estimate_sums(0, 0, 0, 1.0), 0);
}
END_TEST

START_TEST(one_value_has_a_mean_and_no_interval)
{
	double x = 2.385;
	struct st_estimate e[2] = {st_estimate_mean(&x, 1), st_estimate_sums(1, 2385, 2385 * 2385, 1000.0)};

	for (int i = 0; i < 2; i++) {
		ck_assert_uint_eq(e[i].n, 1);
		ck_assert_double_eq(e[i].mean, 2.385);
		ck_assert(isnan(e[i].sd) && isnan(e[i].half));
	}
}
END_TEST

START_TEST(two_values_have_a_wide_interval)
{
	const double x[] = {1.31, 4.57}; /* deviation 3.26 / sqrt(2), over sqrt(2) */
	struct st_estimate e[2] = {
	    st_estimate_mean(x, 2), st_estimate_sums(2, 131 + 457, 131 * 131 + 457 * 457, 100.0)};

	for (int i = 0; i < 2; i++) {
		about(e[i].mean, 2.94);
		about(e[i].half, t1 * 1.63);
	}
}
END_TEST

START_TEST(four_values_by_hand)
{
	const double x[] = {2.385, 1.17, 4.9, 3.31};
	struct st_estimate e = st_estimate_mean(x, 4);

	ck_assert_uint_eq(e.n, 4);
	about(e.mean, 2.94125);
	about(e.sd,
	    sqrt((0.55625 * 0.55625 + 1.77125 * 1.77125 + 1.95875 * 1.95875 + 0.36875 * 0.36875) / 3.0));
	about(e.half, t3 * e.sd / 2.0);
}
END_TEST

START_TEST(equal_values_leave_no_doubt)
{
	double x[30];

	for (size_t n = 2; n <= 30; n++) {
		for (size_t i = 0; i < n; i++)
			x[i] = 0.1;
		struct st_estimate e = st_estimate_mean(x, n);
		ck_assert_double_eq(e.mean, 0.1);
		ck_assert_double_eq(e.sd, 0.0);
		ck_assert_double_eq(e.half, 0.0);
		e = st_estimate_sums(n, (__int128)n * 2385, (unsigned __int128)n * 2385 * 2385, 1000.0);
		ck_assert_double_eq(e.mean, 2.385);
		ck_assert_double_eq(e.half, 0.0);
	}
}
END_TEST

START_TEST(never_and_absent_make_the_mean_absent)
{
	const double never[] = {2.385, (double)INFINITY, 3.1}, absent[] = {(double)NAN, 2.385, 1.7};
	const double fine[] = {1.0, 2.0, 4.0};

	all_absent(st_estimate_mean(never, 3), 3);
	all_absent(st_estimate_mean(absent, 3), 3);
	all_absent(st_estimate_paired(fine, never, 3), 3);
	all_absent(st_estimate_paired(never, never, 3), 3);
}
END_TEST

START_TEST(pairs_take_out_what_they_share)
{
	double a[10], b[10];
	static const double apart[] = {0.5, 0.7, 0.4, 0.6, 0.8, 0.5, 0.6, 0.9, 0.3, 0.7};
	double squares = 0.0;

	for (int i = 0; i < 10; i++) {
		b[i] = 1000.0 * i;
		a[i] = b[i] + apart[i];
		squares += (apart[i] - 0.6) * (apart[i] - 0.6);
	}
	struct st_estimate e = st_estimate_paired(a, b, 10);
	about(e.mean, 0.6);
	about(e.half, t9 * sqrt(squares / 9.0 / 10.0));
	ck_assert_double_eq_tol(st_estimate_paired(b, a, 10).mean, -e.mean, 1e-12);
}
END_TEST

/* Values that differ in their last digits only; in doubles, squares - sum^2 / n is noise here. */
START_TEST(big_sums_keep_their_deviation)
{
	static const int64_t off[] = {0, 1, 5, 3, 1, 7, 2, 2, 9, 4}; /* sum 34, squares 190 */
	__int128 sum = 0;
	unsigned __int128 squares = 0;
	int64_t big = (int64_t)1 << _i;

	for (int i = 0; i < 10; i++) {
		__int128 x = big + off[i];

		sum += x;
		squares += (unsigned __int128)(x * x);
	}
	struct st_estimate e = st_estimate_sums(10, sum, squares, 1.0);
	about(e.mean, (double)big + 3.4);
	about(e.sd, sqrt((190.0 - 34.0 * 34.0 / 10.0) / 9.0));
	about(e.half, t9 * e.sd / sqrt(10.0));
}
END_TEST

START_TEST(negative_sums_are_sums)
{
	struct st_estimate e = st_estimate_sums(4, -3 - 8 + 1 - 7, 9 + 64 + 1 + 49, 1.0);
	const double x[] = {-3.0, -8.0, 1.0, -7.0};
	struct st_estimate want = st_estimate_mean(x, 4);

	about(e.mean, -4.25);
	about(e.sd, want.sd);
}
END_TEST

/* n D does not fit in 128 bits: the deviation is that of +-2^62 about 0. */
START_TEST(huge_deviations_do_not_overflow)
{
	unsigned __int128 one = (unsigned __int128)1 << 124;
	struct st_estimate e = st_estimate_sums(8, 0, 8 * one, 1.0);

	about(e.sd, 0x1p62 * sqrt(8.0 / 7.0));
	ck_assert_double_eq(e.mean, 0.0);
}
END_TEST

START_TEST(both_ways_agree_on_random_values)
{
	struct st_rng_family f = st_rng_family(97, 0);
	double x[200];

	for (uint32_t k = 0; k < 300; k++) {
		struct st_rng r = st_rng_open(&f, k, 0, 0, ST_RNG_THINK);
		size_t n = 2 + st_rng_below(&r, 198);
		int64_t bound = (int64_t)1 << st_rng_below(&r, 40);
		__int128 sum = 0;
		unsigned __int128 squares = 0;
		for (size_t i = 0; i < n; i++) {
			int64_t v = (int64_t)st_rng_below(&r, (uint64_t)bound + 2) - bound / 2;

			x[i] = (double)v / 1e6;
			sum += v;
			squares += (unsigned __int128)((__int128)v * v);
		}
		struct st_estimate a = st_estimate_mean(x, n), b = st_estimate_sums(n, sum, squares, 1e6);
		ck_assert_double_eq_tol(a.mean, b.mean, 1e-9 * (a.sd + fabs(a.mean)));
		ck_assert_double_eq_tol(a.half, b.half, 1e-9 * a.half);
	}
}
END_TEST

/* Wilson's interval of 12 of 30 is 24.59 to 57.68 % (Newcombe, Statistics in Medicine 17, 1998, method 3); of 0 and all, by hand. */
START_TEST(shares_have_wilsons_interval)
{
	struct st_share s = st_estimate_share(12, 30), none = st_estimate_share(0, 20), all = st_estimate_share(20, 20);

	ck_assert_double_eq(s.share, 0.4);
	ck_assert_double_eq_tol(s.lo, 0.2459, 5e-5);
	ck_assert_double_eq_tol(s.hi, 0.5768, 5e-5);
	ck_assert_double_eq(none.lo, 0);
	ck_assert_double_eq_tol(none.hi, 3.8414588 / (20 + 3.8414588), 1e-8);
	ck_assert_double_eq(all.hi, 1);
	ck_assert_double_eq_tol(all.lo, 20 / (20 + 3.8414588), 1e-8);
	ck_assert(isnan(st_estimate_share(0, 0).lo));
}
END_TEST

START_TEST(never_is_the_largest_of_all)
{
	const double x[] = {INFINITY, 4, 1, 3, 2}, absent[] = {1, NAN, 2};

	ck_assert_double_eq(st_estimate_quantile(x, 5, 0.5), 3);
	ck_assert_double_eq(st_estimate_quantile(x, 5, 0.8), 4);
	ck_assert(isinf(st_estimate_quantile(x, 5, 0.81)));
	ck_assert_double_eq(st_estimate_quantile(x + 1, 1, 0.9), 4);
	ck_assert(isnan(st_estimate_quantile(absent, 3, 0.5)) && isnan(st_estimate_quantile(x, 0, 0.5)));
}
END_TEST

/* a has a variance of 1, b of 4, their difference of 1: five times as many. */
START_TEST(pairs_save_what_they_share)
{
	const double a[] = {1, 2, 3}, b[] = {2, 4, 6}, c[] = {5, 6, 7}, flat[] = {7, 7, 7};

	ck_assert_double_eq_tol(st_estimate_independent(a, b, 3), 15, 1e-9);
	ck_assert(isinf(st_estimate_independent(a, c, 3)));
	ck_assert_double_eq(st_estimate_independent(flat, flat, 3), 3);
	ck_assert_double_eq(st_estimate_independent(a, flat, 3), 3);
	ck_assert(isnan(st_estimate_independent(a, b, 1)));
}
END_TEST

/* t = sqrt(3) on one degree of freedom leaves 1/3 outside (Cauchy); at the 0.975-quantile it is 0.05. */
START_TEST(a_difference_has_a_p_value)
{
	const struct st_estimate cauchy = {2, sqrt(3.0) / sqrt(2.0), 1, 1}, at_the_end = {10, t9 / sqrt(10.0), 1, t9 / sqrt(10.0)};
	const double same[] = {2, 2}, other[] = {3, 3}, zero[] = {0, 0};
	struct st_estimate sure = st_estimate_paired(other, same, 2), none = st_estimate_mean(zero, 2), one = st_estimate_mean(same, 1);

	about(st_estimate_p(&cauchy), 1.0 / 3);
	about(st_estimate_p(&at_the_end), 0.05);
	ck_assert_double_eq(st_estimate_p(&sure), 0);
	ck_assert_double_eq(st_estimate_p(&none), 1);
	ck_assert(isnan(st_estimate_p(&one)));
}
END_TEST

START_TEST(the_sign_test_is_a_fair_coin)
{
	about(st_estimate_sign_p(0, 10), 2.0 / 1024);
	about(st_estimate_sign_p(9, 1), 22.0 / 1024);
	ck_assert_double_eq(st_estimate_sign_p(5, 5), 1);
	ck_assert(isnan(st_estimate_sign_p(0, 0)));
}
END_TEST

START_TEST(holm_by_hand)
{
	double p[] = {0.04, NAN, 0.01, 0.03, 0.5}, small[] = {0.9, 0.8};

	st_estimate_holm(p, 5);
	about(p[2], 0.04);
	about(p[3], 0.09);
	about(p[0], 0.09); /* 2 x 0.04, but not less than the one before */
	about(p[4], 0.5);
	ck_assert(isnan(p[1]));
	st_estimate_holm(small, 2);
	ck_assert(small[0] == 1 && small[1] == 1);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("estimate");
	TCase *tc = tcase_create("mean"), *sums = tcase_create("sums");

	tcase_add_test(tc, nothing_has_no_mean);
	tcase_add_test(tc, one_value_has_a_mean_and_no_interval);
	tcase_add_test(tc, two_values_have_a_wide_interval);
	tcase_add_test(tc, four_values_by_hand);
	tcase_add_test(tc, equal_values_leave_no_doubt);
	tcase_add_test(tc, never_and_absent_make_the_mean_absent);
	tcase_add_test(tc, pairs_take_out_what_they_share);
	tcase_add_test(tc, shares_have_wilsons_interval);
	tcase_add_test(tc, never_is_the_largest_of_all);
	tcase_add_test(tc, pairs_save_what_they_share);
	tcase_add_test(tc, a_difference_has_a_p_value);
	tcase_add_test(tc, the_sign_test_is_a_fair_coin);
	tcase_add_test(tc, holm_by_hand);
	suite_add_tcase(s, tc);
	tcase_add_loop_test(sums, big_sums_keep_their_deviation, 0, 61);
	tcase_add_test(sums, negative_sums_are_sums);
	tcase_add_test(sums, huge_deviations_do_not_overflow);
	tcase_add_test(sums, both_ways_agree_on_random_values);
	suite_add_tcase(s, sums);
	return tap_main(s);
}
