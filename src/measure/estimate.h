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

#endif
