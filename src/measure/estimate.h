#ifndef ST_MEASURE_ESTIMATE_H
#define ST_MEASURE_ESTIMATE_H
/*
 * estimate.h - means with their intervals: the only place with a quantile of Student's t.
 */
#include <stddef.h>

struct st_estimate {
	size_t n;             /* values used */
	double mean, sd;      /* sd: sample deviation (n - 1); NAN for n < 2 */
	double half;          /* half-width of the 95 % interval, t(0.975, n - 1) sd / sqrt(n); NAN for n < 2 */
};

/*
 * Mean and 95 % interval of x[0..n). If any value is NAN or infinite (absent, never), all but n is NAN: a mean over
 * `never` is not a number. n == 0 gives NAN throughout. Equal values give exactly that value, and sd and half 0.
 */
struct st_estimate st_estimate_mean(const double *x, size_t n);

/* The same of the differences a[i] - b[i]: pairs share their random numbers. */
struct st_estimate st_estimate_paired(const double *a, const double *b, size_t n);

/*
 * Mean and half-width from integer sums, as kept for series: n values, their sum and the sum of their squares, each
 * value divided by `scale`. The deviation does not suffer from cancellation, however large the mean.
 */
struct st_estimate st_estimate_sums(size_t n, __int128 sum, unsigned __int128 squares, double scale);

/*
 * How many pairs of runs with seeds of their own would give the difference the same interval: n (var a + var b) / var (a - b). n where
 * neither varies; INFINITY where they vary, and their difference does not; NAN where there is no interval.
 */
double st_estimate_independent(const double *a, const double *b, size_t n);

/* The least of x[0..n) that a share p of them does not exceed, INFINITY being the largest of all; NAN if any is. */
double st_estimate_quantile(const double *x, size_t n, double p);

/* A share, and Wilson's 95 % interval of it, which has sense at 0 and 1 too (E. B. Wilson, JASA 22, 1927). */
struct st_share {
	size_t k, n;
	double share, lo, hi; /* NAN for n == 0 */
};

struct st_share st_estimate_share(size_t k, size_t n);

/*
 * Roughly how many values in all would take the half-width of a mean down to this; of a share, how many would take its
 * interval off this bound (in (0, 1), on the side on which it is). INFINITY: no number would.
 */
double st_estimate_needed(const struct st_estimate *e, double half);
double st_estimate_share_needed(const struct st_share *s, double bound);

#endif
