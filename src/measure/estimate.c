#include <config.h>

#include "measure/estimate.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include <gsl/gsl_cdf.h>

#include "base/mem.h"

typedef unsigned __int128 u128;

static const double nothing = (double)NAN;

static struct st_estimate unknown(size_t n)
{
	return (struct st_estimate){.n = n, .mean = nothing, .sd = nothing, .half = nothing};
}

/* GSL needs 2 us for it, and a band asks for the same one in each of its cells. */
static double t_quantile(size_t n)
{
	static _Thread_local size_t last_n;
	static _Thread_local double last;

	if (n != last_n) {
		last = gsl_cdf_tdist_Pinv(0.975, (double)(n - 1));
		last_n = n;
	}
	return last;
}

/* n values of this mean, whose squared deviations from it sum up to `squares`. */
static struct st_estimate from_squares(size_t n, double mean, double squares)
{
	struct st_estimate e = {.n = n, .mean = mean, .sd = nothing, .half = nothing};

	if (n >= 2) {
		e.sd = sqrt(squares / (double)(n - 1));
		e.half = e.sd > 0.0 ? t_quantile(n) * e.sd / sqrt((double)n) : 0.0;
	}
	return e;
}

/* a[i] - b[i], or a[i] if b is NULL. */
static double value_at(const double *a, const double *b, size_t i)
{
	return b ? a[i] - b[i] : a[i];
}

/*
 * Two passes, and the mean as what is to be added to the first value: equal values then deviate by exactly
 * nothing, which a sum divided by n does not promise (three times 0.1).
 */
static struct st_estimate estimate(const double *a, const double *b, size_t n)
{
	double first, more = 0.0, squares = 0.0;

	if (n == 0)
		return unknown(0);
	first = value_at(a, b, 0);
	for (size_t i = 0; i < n; i++) {
		double x = value_at(a, b, i);

		if (!isfinite(x))
			return unknown(n);
		more += x - first;
	}
	double mean = first + more / (double)n;
	for (size_t i = 0; i < n; i++) {
		double d = value_at(a, b, i) - mean;

		squares += d * d;
	}
	return from_squares(n, mean, squares);
}

struct st_estimate st_estimate_mean(const double *x, size_t n)
{
	return estimate(x, NULL, n);
}

struct st_estimate st_estimate_paired(const double *a, const double *b, size_t n)
{
	return estimate(a, b, n);
}

/*
 * With the whole number q = sum / n and the rest r = sum - q n, the squared deviations from q sum up to the
 * integer squares - q (sum + r), and those from the mean to r^2 / n less. The integer is exact in unsigned
 * arithmetic even if a product wraps, since it lies between 0 and `squares`. So nothing cancels in doubles
 * but r^2 / n, and that is taken off as n D - r^2 in integers where it fits.
 */
struct st_estimate st_estimate_sums(size_t n, __int128 sum, unsigned __int128 squares, double scale)
{
	if (n == 0)
		return unknown(0);
	__int128 q = sum / (__int128)n, r = sum % (__int128)n;
	u128 around_q = squares - (u128)q * (u128)(sum + r), product;
	double deviations;

	if (n <= UINT32_MAX && !__builtin_mul_overflow(around_q, (u128)n, &product))
		deviations = (double)(product - (u128)r * (u128)r) / (double)n;
	else
		deviations = (double)around_q - (double)r / (double)n * (double)r;
	return from_squares(n, ((double)q + (double)r / (double)n) / scale, deviations / (scale * scale));
}

double st_estimate_independent(const double *a, const double *b, size_t n)
{
	double sa = st_estimate_mean(a, n).sd, sb = st_estimate_mean(b, n).sd, sd = st_estimate_paired(a, b, n).sd;

	if (sa == 0 && sb == 0)
		return (double)n;
	return (double)n * (sa * sa + sb * sb) / (sd * sd);
}

static int by_size(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static int by_value_at(const void *a, const void *b)
{
	return by_size(*(double *const *)a, *(double *const *)b);
}

double st_estimate_p(const struct st_estimate *difference)
{
	double error = difference->sd / sqrt((double)difference->n);

	if (isnan(difference->half))
		return nothing;
	if (error == 0.0)
		return difference->mean == 0.0 ? 1.0 : 0.0;
	return 2 * gsl_cdf_tdist_Q(fabs(difference->mean) / error, (double)(difference->n - 1));
}

double st_estimate_sign_p(size_t less, size_t more)
{
	size_t fewer = less < more ? less : more;

	if (less + more == 0)
		return nothing;
	return fmin(1.0, 2 * gsl_cdf_binomial_P((unsigned)fewer, 0.5, (unsigned)(less + more)));
}

void st_estimate_holm(double *p, size_t n)
{
	double **sorted = st_calloc(n, sizeof *sorted), least = 0.0;
	size_t left = 0;

	for (size_t i = 0; i < n; i++)
		if (!isnan(p[i]))
			sorted[left++] = &p[i];
	if (left > 0)
		qsort(sorted, left, sizeof *sorted, by_value_at);
	for (double **at = sorted; left > 0; left--, at++) {
		least = fmax(least, fmin(1.0, **at * (double)left));
		**at = least;
	}
	free(sorted);
}

double st_estimate_quantile(const double *x, size_t n, double p)
{
	double *sorted = st_calloc(n, sizeof *sorted), found = nothing;
	size_t rank = (size_t)ceil(p * (double)n);

	for (size_t i = 0; i < n; i++) {
		sorted[i] = x[i];
		rank = isnan(x[i]) ? 0 : rank;
	}
	if (n > 0)
		qsort(sorted, n, sizeof *sorted, by_size);
	if (rank > 0)
		found = sorted[rank - 1];
	free(sorted);
	return found;
}

static const double z = 1.959963984540054; /* the 0.975-quantile of the normal distribution */

struct st_share st_estimate_share(size_t k, size_t n)
{
	struct st_share s = {.k = k, .n = n, .share = nothing, .lo = nothing, .hi = nothing};

	if (n == 0)
		return s;
	double m = (double)n, p = (double)k / m, q = z * z / m;
	double middle = (p + q / 2) / (1 + q), half = z * sqrt(p * (1 - p) / m + q / (4 * m)) / (1 + q);

	s.share = p;
	s.lo = k == 0 ? 0.0 : middle - half;
	s.hi = k == n ? 1.0 : middle + half;
	return s;
}

double st_estimate_needed(const struct st_estimate *e, double half)
{
	double ratio = z * e->sd / half;

	return half > 0 ? ratio * ratio : (double)INFINITY;
}

/* Wilson's interval ends at the bound where (share - bound)^2 = z^2 bound (1 - bound) / n. */
double st_estimate_share_needed(const struct st_share *s, double bound)
{
	double d = s->share - bound;

	return z * z * bound * (1 - bound) / (d * d);
}
