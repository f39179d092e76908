#include <config.h>

#include <math.h>
#include <stdlib.h>

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>

#include "base/rng.h"
#include "tap_main.h"

enum { N = 200000, BINS = 100 };

/* The published vectors of Random123 (kat_vectors, philox 4x32 10). */
static const struct {
	philox4x32_ctr_t ctr;
	philox4x32_key_t key;
	uint32_t want[4];
} known[] = {
    {{{0, 0, 0, 0}}, {{0, 0}}, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
    {{{0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff}}, {{0xffffffff, 0xffffffff}},
        {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
    {{{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}}, {{0xa4093822, 0x299f31d0}},
        {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}},
};

START_TEST(philox_gives_its_published_numbers)
{
	philox4x32_ctr_t got = philox4x32(known[_i].ctr, known[_i].key);

	for (int i = 0; i < 4; i++)
		ck_assert_uint_eq(got.v[i], known[_i].want[i]);
}
END_TEST

/* Pins the order in which a stream hands out words and blocks: every fingerprint hangs on it. */
START_TEST(a_stream_is_the_words_of_its_blocks)
{
	struct st_rng_family f = {.key = {{0, 0}}};
	struct st_rng r = st_rng_open(&f, 0, 0, 0, (enum st_purpose)0);

	for (int i = 3; i >= 0; i--)
		ck_assert_uint_eq(st_rng_u32(&r), known[0].want[i]);
	philox4x32_ctr_t second = {{0, 0, 0, 1}}, next = philox4x32(second, f.key);
	ck_assert_uint_eq(st_rng_u32(&r), next.v[3]);
}
END_TEST

static uint32_t first(uint64_t seed, uint32_t replication, uint32_t entity, uint32_t operation,
    uint32_t attempt, enum st_purpose purpose)
{
	struct st_rng_family f = st_rng_family(seed, replication);
	struct st_rng r = st_rng_open(&f, entity, operation, attempt, purpose);

	return st_rng_u32(&r);
}

START_TEST(every_part_of_the_name_changes_the_number)
{
	uint32_t got[] = {
	    first(1, 0, 2, 3, 4, ST_RNG_SERVICE), first(2, 0, 2, 3, 4, ST_RNG_SERVICE),
	    first(1, 1, 2, 3, 4, ST_RNG_SERVICE), first(1, 0, 3, 3, 4, ST_RNG_SERVICE),
	    first(1, 0, 2, 4, 4, ST_RNG_SERVICE), first(1, 0, 2, 3, 5, ST_RNG_SERVICE),
	    first(1, 0, 2, 3, 4, ST_RNG_BACKOFF), first(0, 1, 2, 3, 4, ST_RNG_SERVICE),
	    first(1, 0, 3, 2, 4, ST_RNG_SERVICE), first(1, 0, 2, 3, (1 << 24) - 1, ST_RNG_SERVICE),
	};
	const int n = sizeof got / sizeof *got;

	for (int i = 0; i < n; i++)
		for (int j = 0; j < i; j++)
			ck_assert_msg(got[i] != got[j], "names %d and %d", i, j);
	ck_assert_uint_eq(got[0], first(1, 0, 2, 3, 4, ST_RNG_SERVICE));
}
END_TEST

/* Draw N numbers the two ways the model does: from one stream, or the first of N streams of neighbouring names. */
enum way { ONE_STREAM, BY_ENTITY, BY_OPERATION, BY_ATTEMPT, BY_REPLICATION, WAYS };

static double *draw(enum way way, double (*one)(struct st_rng *))
{
	struct st_rng_family f = st_rng_family(2385, 0);
	struct st_rng r = st_rng_open(&f, 7, 0, 0, ST_RNG_THINK);
	double *x = malloc(N * sizeof *x);

	for (uint32_t i = 0; i < N; i++) {
		if (way == BY_REPLICATION)
			f = st_rng_family(2385, i);
		if (way != ONE_STREAM)
			r = st_rng_open(&f, way == BY_ENTITY ? i : 7, way == BY_OPERATION ? i : 0,
			    way == BY_ATTEMPT ? i : 0, ST_RNG_THINK);
		x[i] = one(&r);
	}
	return x;
}

static double moment(const double *x, double centre, int power)
{
	double sum = 0.0;

	for (int i = 0; i < N; i++)
		sum += pow(x[i] - centre, power);
	return sum / N;
}

/* Mean, variance and correlation of neighbours within `limit` standard errors; kurtosis = m4 / variance^2. */
static void agrees(const double *x, double mean, double variance, double kurtosis)
{
	const double limit = 4.0, root = sqrt((double)N);
	double m = moment(x, 0.0, 1), v = moment(x, mean, 2), together = 0.0;

	for (int i = 1; i < N; i++)
		together += (x[i] - mean) * (x[i - 1] - mean);
	ck_assert_double_le(fabs(m - mean), limit * sqrt(variance) / root);
	ck_assert_double_le(fabs(v - variance), limit * variance * sqrt(kurtosis - 1.0) / root);
	ck_assert_double_le(fabs(together / variance), limit * root);
}

static int by_value(const void *pa, const void *pb)
{
	const double *a = pa, *b = pb;

	return (*a > *b) - (*a < *b);
}

/* The greatest distance of x from its cdf, times the root of N: above 1.95 in one of 1000 samples. */
static double kolmogorov(double *x, double (*cdf)(double))
{
	double d = 0.0;

	qsort(x, N, sizeof *x, by_value);
	for (int i = 0; i < N; i++)
		d = fmax(d, fmax((i + 1.0) / N - cdf(x[i]), cdf(x[i]) - (double)i / N));
	return d * sqrt((double)N);
}

static const double ks_limit = 1.95;

START_TEST(uniforms_are_uniform)
{
	double *x = draw((enum way)_i, st_rng_uniform), chi = 0.0;
	int count[BINS] = {0}, outside = 0;

	agrees(x, 0.5, 1.0 / 12.0, 1.8);
	for (int i = 0; i < N; i++) {
		outside += !(x[i] >= 0.0 && x[i] < 1.0);
		count[(int)(x[i] * BINS) % BINS]++;
	}
	ck_assert_int_eq(outside, 0);
	for (int i = 0; i < BINS; i++)
		chi += pow(count[i] - (double)N / BINS, 2) * BINS / N;
	ck_assert_double_le(chi, gsl_cdf_chisq_Qinv(0.001, BINS - 1));
	ck_assert_double_ge(chi, gsl_cdf_chisq_Pinv(0.001, BINS - 1));
	free(x);
}
END_TEST

static double exponential_cdf(double x)
{
	return gsl_cdf_exponential_P(x, 1.0);
}

START_TEST(exponentials_are_exponential)
{
	double *x = draw((enum way)_i, st_rng_exponential);

	agrees(x, 1.0, 1.0, 9.0);
	ck_assert_double_le(kolmogorov(x, exponential_cdf), ks_limit);
	free(x);
}
END_TEST

START_TEST(normals_are_normal)
{
	double *x = draw((enum way)_i, st_rng_normal);

	agrees(x, 0.0, 1.0, 3.0);
	ck_assert_double_le(kolmogorov(x, gsl_cdf_ugaussian_P), ks_limit);
	free(x);
}
END_TEST

/* Two purposes of one name, as the service time and the jitter of one attempt. */
START_TEST(purposes_do_not_correlate)
{
	struct st_rng_family f = st_rng_family(2385, 1);
	double together = 0.0;

	for (uint32_t i = 0; i < N; i++) {
		struct st_rng a = st_rng_open(&f, i, 0, 1, ST_RNG_SERVICE);
		struct st_rng b = st_rng_open(&f, i, 0, 1, ST_RNG_BACKOFF);

		together += (st_rng_uniform(&a) - 0.5) * (st_rng_uniform(&b) - 0.5) * 12.0;
	}
	ck_assert_double_le(fabs(together), 4.0 * sqrt((double)N));
}
END_TEST

START_TEST(below_is_below_and_reaches_all)
{
	struct st_rng_family f = st_rng_family(3, 0);
	struct st_rng r = st_rng_open(&f, 0, 0, 0, ST_RNG_CLIENT);
	int count[7] = {0}, above = 0;
	double chi = 0.0;

	for (int i = 0; i < N; i++) {
		uint64_t k = st_rng_below(&r, 7);

		above += k >= 7;
		count[k % 7]++;
	}
	ck_assert_int_eq(above, 0);
	for (int i = 0; i < 7; i++)
		chi += pow(count[i] - N / 7.0, 2) * 7.0 / N;
	ck_assert_double_le(chi, gsl_cdf_chisq_Qinv(0.001, 6));
	ck_assert_uint_eq(st_rng_below(&r, 1), 0);
	for (int i = 0; i < 100; i++)
		ck_assert_uint_lt(st_rng_below(&r, UINT64_MAX), UINT64_MAX);
}
END_TEST

START_TEST(gsl_draws_from_the_same_stream)
{
	struct st_rng_family f = st_rng_family(3, 0);
	struct st_rng a = st_rng_open(&f, 0, 0, 0, ST_RNG_CLIENT), b = a;
	gsl_rng g = st_rng_gsl(&b);

	for (int i = 0; i < 100; i++) {
		ck_assert_uint_eq(gsl_rng_get(&g), st_rng_u32(&a));
		ck_assert_double_eq(gsl_rng_uniform(&g), st_rng_uniform(&a));
		ck_assert_double_eq(gsl_ran_flat(&g, 0.0, 1.0), st_rng_uniform(&a));
	}
}
END_TEST

int main(void)
{
	Suite *s = suite_create("rng");
	TCase *name = tcase_create("name"), *numbers = tcase_create("numbers");

	tcase_add_loop_test(name, philox_gives_its_published_numbers, 0, sizeof known / sizeof *known);
	tcase_add_test(name, a_stream_is_the_words_of_its_blocks);
	tcase_add_test(name, every_part_of_the_name_changes_the_number);
	tcase_add_loop_test(numbers, uniforms_are_uniform, 0, WAYS);
	tcase_add_loop_test(numbers, exponentials_are_exponential, 0, WAYS);
	tcase_add_loop_test(numbers, normals_are_normal, 0, WAYS);
	tcase_add_test(numbers, purposes_do_not_correlate);
	tcase_add_test(numbers, below_is_below_and_reaches_all);
	tcase_add_test(numbers, gsl_draws_from_the_same_stream);
	tcase_set_timeout(numbers, 300);
	suite_add_tcase(s, name);
	suite_add_tcase(s, numbers);
	return tap_main(s);
}
