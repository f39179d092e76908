#include <config.h>

#include "measure/delay.h"

#include <math.h>

static const double atom_least = 0.01;

static void find_atoms(const double *value, size_t n, struct st_delay *d)
{
	d->natoms = 0;
	for (size_t i = 0, end; i < n && d->natoms < ST_DELAY_ATOMS; i = end) {
		for (end = i + 1; end < n && value[end] <= value[i];)
			end++;
		if ((double)(end - i) > atom_least * (double)n)
			d->atom[d->natoms++] = (struct st_atom){value[i], (double)(end - i) / (double)n};
	}
}

void st_delay_measure(const double *value, size_t n, struct st_delay *d)
{
	double sum = 0.0, squares = 0.0;
	size_t tenth = n / 10;

	for (size_t i = 0; i < n; i++)
		sum += value[i];
	d->mean = sum / (double)n;
	for (size_t i = 0; i < n; i++)
		squares += (value[i] - d->mean) * (value[i] - d->mean);
	d->sd = sqrt(squares / (double)n);
	d->p99 = value[n * 99 / 100];
	d->window = (double)INFINITY;
	for (size_t i = 0; i + tenth < n; i++)
		d->window = fmin(d->window, (value[i + tenth] - value[i]) / (double)tenth * (double)n);
	find_atoms(value, n, d);
}

double st_delay_share_from(const double *value, size_t n, double x)
{
	size_t below = 0, end = n;

	while (below < end) {
		size_t middle = below + (end - below) / 2;

		if (value[middle] < x)
			below = middle + 1;
		else
			end = middle;
	}
	return (double)(n - below) / (double)n;
}

static int is_atom(const struct st_delay *d, double x)
{
	for (size_t i = 0; i < d->natoms; i++)
		if (x >= d->atom[i].at && x <= d->atom[i].at)
			return 1;
	return 0;
}

void st_delay_bins(const double *value, size_t n, const struct st_delay *d, double from, double width, size_t bins, double *share)
{
	for (size_t i = 0; i < bins; i++)
		share[i] = 0.0;
	for (size_t i = 0; i < n; i++) {
		double place = (value[i] - from) / width;

		if (place >= 0.0 && place < (double)bins && !is_atom(d, value[i]))
			share[(size_t)place] += 1.0 / (double)n;
	}
}
