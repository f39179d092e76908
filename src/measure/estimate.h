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

/*
 * How likely a mean at least so far from 0 is by chance alone, if it is 0: Student's two-sided test; p <= 0.05 where the interval
 * excludes 0. Values that do not vary are not by chance: 0, or 1 where they are 0. NAN where there is no interval.
 */
double st_estimate_p(const struct st_estimate *difference);

/* The same of pairs of which only the order is known: of them `less` one way and `more` the other, by the sign test. NAN without pairs. */
double st_estimate_sign_p(size_t less, size_t more);

/*
 * From n values p to what they are worth together, in place: the smallest times n, the next times n - 1, ..., none less than one
 * before it and none above 1. Of all that is then <= 0.05 none is by chance, with 95 % confidence (S. Holm, Scand. J. Statist. 6,
 * 1979). NAN are passed over.
 */
void st_estimate_holm(double *p, size_t n);

/* The least of x[0..n) that a share p of them does not exceed, INFINITY being the largest of all; NAN if any is. */
double st_estimate_quantile(const double *x, size_t n, double p);

/* A share, and Wilson's 95 % interval of it, which has sense at 0 and 1 too (E. B. Wilson, JASA 22, 1927). */
struct st_share {
	size_t k, n;
	double share, lo, hi; /* NAN for n == 0 */
};

/* Of n things k are so. */
struct st_share st_estimate_share(size_t k, size_t n);

/*
 * Roughly how many values in all would take the half-width of a mean down to this; of a share, how many would take its
 * interval off this bound (in (0, 1), on the side on which it is). INFINITY: no number would.
 */
double st_estimate_needed(const struct st_estimate *e, double half);
double st_estimate_share_needed(const struct st_share *s, double bound);

#endif
