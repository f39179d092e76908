#ifndef ST_MEASURE_DELAY_H
#define ST_MEASURE_DELAY_H
/*
 * delay.h - what is known of a delay: its moments, its ends, and where it is not spread at all.
 *
 * Measured on equally likely values of it, its quantiles (model/schedule.h makes them).
 *
 * Units    nanoseconds, as double; INFINITY: without a bound.
 */
#include <stddef.h>

enum { ST_DELAY_ATOMS = 100 };

/* A value that is taken exactly, with more than 1 % of the mass. */
struct st_atom {
	double at, share;
};

struct st_delay {
	double min, mean, sd, p99, max;
	double window;          /* how long it would be if all of it were as dense as its densest tenth: max - min if uniform */
	double at_cap, at_floor; /* shares exactly there; NAN: there is no cap or floor */
	struct st_atom atom[ST_DELAY_ATOMS]; /* ascending */
	size_t natoms;
	/* Since the first failure, if all failures come at once: when the next attempt is sent. */
	double earliest, average, latest;
};

/* From n >= 10 equally likely values in ascending order: mean, sd, p99, window and atoms. */
void st_delay_measure(const double *value, size_t n, struct st_delay *d);

/* The share of the values at or above x. */
double st_delay_share_from(const double *value, size_t n, double x);

/*
 * The share of the values in each of `bins` intervals of this width from `from` on. A run of equal values that is an atom of d is
 * left out.
 */
void st_delay_bins(const double *value, size_t n, const struct st_delay *d, double from, double width, size_t bins, double *share);

#endif
