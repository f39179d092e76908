#include <config.h>

#include <math.h>
#include <stdlib.h>

#include "base/rng.h"
#include "measure/hist.h"
#include "tap_main.h"

static struct st_hist h;

static void fresh(void)
{
	st_hist_init(&h);
}

START_TEST(empty_has_no_quantile_and_no_mean)
{
	ck_assert_int_eq(st_hist_quantile(&h, 0.0), -1);
	ck_assert_int_eq(st_hist_quantile(&h, 0.5), -1);
	ck_assert_int_eq(st_hist_quantile(&h, 1.0), -1);
	ck_assert(isnan(st_hist_mean_ns(&h)));
}
END_TEST

START_TEST(one_value_is_every_quantile)
{
	st_hist_add(&h, 0);
	for (int i = 0; i <= 10; i++)
		ck_assert_int_eq(st_hist_quantile(&h, i / 10.0), 0);
	ck_assert_double_eq(st_hist_mean_ns(&h), 0.0);
}
END_TEST

START_TEST(two_values_change_over_at_one_half)
{
	st_hist_add(&h, 113);
	st_hist_add(&h, 17);
	ck_assert_int_eq(st_hist_quantile(&h, 0.0), 17);
	ck_assert_int_eq(st_hist_quantile(&h, 0.5), 17);
	ck_assert_int_eq(st_hist_quantile(&h, 0.500001), 113);
	ck_assert_int_eq(st_hist_quantile(&h, 1.0), 113);
	ck_assert_double_eq(st_hist_mean_ns(&h), 65.0);
}
END_TEST

/* Of 1..100 the p-quantile is 100 p, also where 100 p is not whole in doubles: 0.07, 0.14, 0.28, 0.29. */
START_TEST(percentiles_of_a_hundred_are_themselves)
{
	for (st_time t = 100; t >= 1; t--)
		st_hist_add(&h, t);
	for (int p = 1; p <= 100; p++)
		ck_assert_int_eq(st_hist_quantile(&h, p / 100.0), p);
}
END_TEST

/* Every bucket's edges, up to the largest time there is. */
START_TEST(buckets_are_contiguous_and_in_range)
{
	size_t last = 0;

	for (st_time t = 1; t < 128; t++)
		ck_assert_uint_eq(st_hist_bucket(t), ++last);
	for (int shift = 1; shift <= 56; shift++)
		for (st_time top = 64; top < 128; top++) {
			ck_assert_uint_eq(st_hist_bucket(top << shift), ++last);
			ck_assert_uint_eq(st_hist_bucket((top << shift) + (((st_time)1 << shift) - 1)), last);
		}
	ck_assert_uint_eq(st_hist_bucket(INT64_MAX), last);
	ck_assert_uint_eq(last, ST_HIST_BUCKETS - 1);
}
END_TEST

START_TEST(huge_values_stay_exact_in_count_mean_and_maximum)
{
	st_hist_add(&h, INT64_MAX);
	st_hist_add(&h, INT64_MAX - 2);
	st_hist_add(&h, INT64_MAX - 4);
	ck_assert_uint_eq(h.n, 3);
	ck_assert(h.sum == (__int128)3 * INT64_MAX - 6);
	ck_assert_int_eq(st_hist_quantile(&h, 1.0), INT64_MAX);
	ck_assert_double_eq_tol(st_hist_mean_ns(&h) / 0x1p63, 1.0, 1e-15);
	ck_assert(st_hist_quantile(&h, 0.5) > INT64_MAX - INT64_MAX / 128);
}
END_TEST

static int by_time(const void *a, const void *b)
{
	st_time x = *(const st_time *)a, y = *(const st_time *)b;

	return (x > y) - (x < y);
}

enum { NSAMPLE = 20011 };
static st_time sample[NSAMPLE];
static const double probe[] = {0.0, 1e-5, 0.01, 0.25, 0.5, 0.9, 0.99, 0.999, 0.9999, 0.99999};

/* _i decimal digits: exponential times of that magnitude, against the sorted sample. */
START_TEST(quantiles_are_within_a_128th_of_the_order_statistic)
{
	struct st_rng_family f = st_rng_family(2385, 0);
	struct st_rng r = st_rng_open(&f, (uint32_t)_i, 0, 0, ST_RNG_SERVICE);
	__int128 sum = 0;

	for (int i = 0; i < NSAMPLE; i++) {
		sample[i] = (st_time)(st_rng_exponential(&r) * pow(10.0, _i));
		sum += sample[i];
		st_hist_add(&h, sample[i]);
	}
	qsort(sample, NSAMPLE, sizeof *sample, by_time);
	for (size_t p = 0; p < sizeof probe / sizeof *probe; p++) {
		int rank = (int)ceil(probe[p] * NSAMPLE);
		st_time want = sample[rank > 0 ? rank - 1 : 0], got = st_hist_quantile(&h, probe[p]);

		ck_assert_msg(llabs(got - want) <= want / 128, "p %g: %lld, want %lld", probe[p],
		    (long long)got, (long long)want);
	}
	ck_assert_int_eq(st_hist_quantile(&h, 1.0), sample[NSAMPLE - 1]);
	ck_assert(h.sum == sum);
}
END_TEST

START_TEST(merging_is_adding_and_clearing_leaves_nothing)
{
	static struct st_hist parts[3];
	const double ask[] = {0.0, 0.3, 0.5, 0.97, 1.0};

	for (int i = 0; i < 3; i++)
		st_hist_init(&parts[i]);
	for (st_time t = 5; t < 40 * ST_SEC; t += t / 3) {
		st_hist_add(&parts[t % 2], t);
		st_hist_add(&h, t);
	}
	st_hist_merge(&parts[2], &parts[0]);
	st_hist_merge(&parts[2], &parts[1]);
	ck_assert_mem_eq(&parts[2].count, &h.count, sizeof h.count);
	ck_assert_uint_eq(parts[2].n, h.n);
	ck_assert(parts[2].sum == h.sum);
	for (size_t i = 0; i < sizeof ask / sizeof *ask; i++)
		ck_assert_int_eq(st_hist_quantile(&parts[2], ask[i]), st_hist_quantile(&h, ask[i]));

	st_hist_clear(&h);
	st_hist_init(&parts[0]);
	ck_assert_mem_eq(&parts[0].count, &h.count, sizeof h.count);
	ck_assert_int_eq(st_hist_quantile(&h, 0.5), -1);
	st_hist_merge(&h, &parts[0]);
	ck_assert_int_eq(st_hist_quantile(&h, 1.0), -1);
	st_hist_add(&h, 97);
	ck_assert_int_eq(st_hist_quantile(&h, 0.0), 97);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("hist");
	TCase *tc = tcase_create("hist");

	tcase_add_checked_fixture(tc, fresh, NULL);
	tcase_add_test(tc, empty_has_no_quantile_and_no_mean);
	tcase_add_test(tc, one_value_is_every_quantile);
	tcase_add_test(tc, two_values_change_over_at_one_half);
	tcase_add_test(tc, percentiles_of_a_hundred_are_themselves);
	tcase_add_test(tc, buckets_are_contiguous_and_in_range);
	tcase_add_test(tc, huge_values_stay_exact_in_count_mean_and_maximum);
	tcase_add_loop_test(tc, quantiles_are_within_a_128th_of_the_order_statistic, 0, 17);
	tcase_add_test(tc, merging_is_adding_and_clearing_leaves_nothing);
	suite_add_tcase(s, tc);
	return tap_main(s);
}
