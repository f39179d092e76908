#include <config.h>

#include "base/dist.h"

#include <math.h>
#include <stdlib.h>

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_roots.h>
#include <gsl/gsl_sf_gamma.h>

#include "base/dist_words.h"
#include "base/mem.h"

/*
 * Ten kinds, each its reading, its draw and its mean, in the order of the table at the end: to add a kind, nothing else
 * need be opened. GSL draws what takes a rejection loop (gamma) and what is a formula of its own (weibull, pareto); the frequent
 * ones are inline in base/rng.h.
 */

/* constant: fixed */

static bool constant_read(struct st_dist *d, struct st_dist_words *w)
{
	if (!st_dist_words_take_time(w, "VALUE", 0, &d->first))
		return false;
	d->fixed = d->first;
	return true;
}

static double constant_mean(const struct st_dist *d)
{
	return (double)d->fixed;
}

static double constant_draw(const struct st_dist *d, struct st_rng *r)
{
	(void)r;
	return (double)d->fixed;
}

/* exponential: a mean */

static bool exponential_read(struct st_dist *d, struct st_dist_words *w)
{
	if (!st_dist_words_take_time(w, "MEAN", 1, &d->first))
		return false;
	d->mean_if_exponential = (double)d->first;
	return true;
}

static double exponential_draw(const struct st_dist *d, struct st_rng *r)
{
	return d->mean_if_exponential * st_rng_exponential(r);
}

/* Those whose mean is written: what was written is what is drawn. */

static bool take_mean_cv(struct st_dist *d, struct st_dist_words *w)
{
	return st_dist_words_take_time(w, "MEAN", 1, &d->first) && st_dist_words_take(w, "cv") &&
	    st_dist_words_take_cv(w, &d->written_cv);
}

static double written_mean(const struct st_dist *d)
{
	return (double)d->first;
}

/* lognormal: a, b mean and deviation of the logarithm */

static bool lognormal_read(struct st_dist *d, struct st_dist_words *w)
{
	if (!take_mean_cv(d, w))
		return false;
	double variance = log1p(d->written_cv * d->written_cv);
	d->a = log((double)d->first) - variance / 2.0;
	d->b = sqrt(variance);
	return true;
}

static double lognormal_draw(const struct st_dist *d, struct st_rng *r)
{
	return exp(d->a + d->b * st_rng_normal(r));
}

/* gamma: a shape, b scale */

static bool gamma_read(struct st_dist *d, struct st_dist_words *w)
{
	if (!take_mean_cv(d, w))
		return false;
	double cv2 = d->written_cv * d->written_cv;
	d->a = 1.0 / cv2;
	d->b = (double)d->first * cv2;
	return true;
}

static double gamma_draw(const struct st_dist *d, struct st_rng *r)
{
	gsl_rng g = st_rng_gsl(r);

	return gsl_ran_gamma(&g, d->a, d->b);
}

/* weibull: a scale, b shape */

/* log(1 + cv^2) of the shape exp(x), less the one that is sought; falls as x grows. */
static double weibull_excess(double x, void *sought)
{
	double inverse = exp(-x);

	return gsl_sf_lngamma(1.0 + 2.0 * inverse) - 2.0 * gsl_sf_lngamma(1.0 + inverse) - *(double *)sought;
}

static double weibull_shape(double cv)
{
	double sought = log1p(cv * cv);
	gsl_function f = {.function = weibull_excess, .params = &sought};
	gsl_root_fsolver *solver = gsl_root_fsolver_alloc(gsl_root_fsolver_brent);

	/* Shapes 0.1 and 2000 have the cv 429 and 0.00064: beyond what is read. */
	gsl_root_fsolver_set(solver, &f, log(0.1), log(2000.0));
	for (int i = 0; i < 100; i++) {
		gsl_root_fsolver_iterate(solver);
		if (gsl_root_test_interval(gsl_root_fsolver_x_lower(solver), gsl_root_fsolver_x_upper(solver),
			1e-13, 0.0) == GSL_SUCCESS)
			break;
	}
	double shape = exp(gsl_root_fsolver_root(solver));
	gsl_root_fsolver_free(solver);
	return shape;
}

static bool weibull_read(struct st_dist *d, struct st_dist_words *w)
{
	if (!take_mean_cv(d, w))
		return false;
	d->b = weibull_shape(d->written_cv);
	d->a = (double)d->first / gsl_sf_gamma(1.0 + 1.0 / d->b);
	return true;
}

static double weibull_draw(const struct st_dist *d, struct st_rng *r)
{
	gsl_rng g = st_rng_gsl(r);

	return gsl_ran_weibull(&g, d->a, d->b);
}

/* pareto (type I): a exponent, above 2 so that there is a deviation; b least value */

static bool pareto_read(struct st_dist *d, struct st_dist_words *w)
{
	if (!take_mean_cv(d, w))
		return false;
	d->a = 1.0 + sqrt(1.0 + 1.0 / (d->written_cv * d->written_cv));
	d->b = (double)d->first * (d->a - 1.0) / d->a;
	return true;
}

static double pareto_draw(const struct st_dist *d, struct st_rng *r)
{
	gsl_rng g = st_rng_gsl(r);

	return gsl_ran_pareto(&g, d->a, d->b);
}

/* uniform: a low, b width */

static bool uniform_read(struct st_dist *d, struct st_dist_words *w)
{
	if (!st_dist_words_take_time(w, "LOW", 0, &d->first) || !st_dist_words_take_time(w, "HIGH", 0, &d->second))
		return false;
	if (d->first > d->second)
		return st_dist_words_wrong(w, "LOW is above HIGH");
	d->a = (double)d->first;
	d->b = (double)(d->second - d->first);
	return true;
}

static double uniform_draw(const struct st_dist *d, struct st_rng *r)
{
	return d->a + d->b * st_rng_uniform(r);
}

static double uniform_mean(const struct st_dist *d)
{
	return d->a + d->b / 2.0;
}

/* normal, abs-normal: a, b mean and deviation before clipping or folding */

static bool normal_read(struct st_dist *d, struct st_dist_words *w)
{
	if (!st_dist_words_take_time(w, "MEAN", 0, &d->first))
		return false;
	d->a = (double)d->first;
	if (st_dist_words_next_is(w, "cv")) {
		w->next++;
		if (d->first == 0)
			return st_dist_words_wrong(w, "MEAN must be above 0 where a cv is given");
		if (!st_dist_words_take_cv(w, &d->written_cv))
			return false;
		d->b = d->a * d->written_cv;
		return true;
	}
	if (!st_dist_words_take(w, "sd") || !st_dist_words_take_time(w, "SD", 1, &d->second))
		return false;
	d->b = (double)d->second;
	return true;
}

static double normal_draw(const struct st_dist *d, struct st_rng *r)
{
	return d->a + d->b * st_rng_normal(r);
}

static double abs_normal_draw(const struct st_dist *d, struct st_rng *r)
{
	return fabs(normal_draw(d, r));
}

/* The normal's density and its two tails at zero, in deviations from the mean. */
struct zero {
	double z, density, above, below;
};

static struct zero at_zero(const struct st_dist *d)
{
	double z = d->a / d->b;

	return (struct zero){z, gsl_ran_ugaussian_pdf(z), gsl_cdf_ugaussian_P(z), gsl_cdf_ugaussian_Q(z)};
}

static double normal_mean(const struct st_dist *d)
{
	struct zero o = at_zero(d);

	return d->b * (o.z * o.above + o.density);
}

static double abs_normal_mean(const struct st_dist *d)
{
	struct zero o = at_zero(d);

	return d->b * (2.0 * o.density + o.z * (o.above - o.below));
}

/* empirical: values; a mean */

static int by_value(const void *pa, const void *pb)
{
	const st_time *a = pa, *b = pb;

	return (*a > *b) - (*a < *b);
}

static double mean_of(const struct st_values *v)
{
	double sum = 0.0;

	for (size_t i = 0; i < v->n; i++)
		sum += (double)v->at[i];
	return sum / (double)v->n;
}

/* Sorted, so that a draw grows with its uniform number: two tables then keep their common random numbers in step. */
static bool empirical_read(struct st_dist *d, struct st_dist_words *w)
{
	if (w->n == 0)
		return st_dist_words_wrong(w, "FILE is missing");
	w->next = w->n;
	d->file = st_strdup(w->rest);
	if (st_values_read(d->file, w->place, &d->values, w->e))
		return false;
	qsort(d->values.at, d->values.n, sizeof *d->values.at, by_value);
	d->a = mean_of(&d->values);
	return true;
}

static double empirical_draw(const struct st_dist *d, struct st_rng *r)
{
	return (double)d->values.at[st_rng_below(r, d->values.n)];
}

static double empirical_mean(const struct st_dist *d)
{
	return d->a;
}

/* clang-format off */
static const struct st_dist_kind table[] = {
	{"constant", "always the same; the word may be left out", "VALUE", NULL,
	 constant_read, constant_draw, constant_mean},
	{"exponential", "without memory; its cv is 1", "MEAN", NULL,
	 exponential_read, exponential_draw, written_mean},
	{"lognormal", "the exponential of a normal; most service times look like it", "MEAN cv CV", NULL,
	 lognormal_read, lognormal_draw, written_mean},
	{"gamma", "a sum of exponentials where the cv is below 1", "MEAN cv CV", NULL,
	 gamma_read, gamma_draw, written_mean},
	{"weibull", "a stretched exponential", "MEAN cv CV", NULL,
	 weibull_read, weibull_draw, written_mean},
	{"pareto", "a power-law tail above a least value", "MEAN cv CV", NULL,
	 pareto_read, pareto_draw, written_mean},
	{"uniform", "every value from LOW to HIGH alike", "LOW HIGH", " ",
	 uniform_read, uniform_draw, uniform_mean},
	{"normal", "a normal whose values below 0 are 0", "MEAN sd SD | MEAN cv CV", " sd ",
	 normal_read, normal_draw, normal_mean},
	{"abs-normal", "a normal without its sign", "MEAN sd SD | MEAN cv CV", " sd ",
	 normal_read, abs_normal_draw, abs_normal_mean},
	{"empirical", "the lines of a file, in seconds, each equally likely", "FILE", NULL,
	 empirical_read, empirical_draw, empirical_mean},
};
/* clang-format on */

const struct st_dist_kind *st_dist_kind_at(size_t i)
{
	return i < sizeof table / sizeof *table ? &table[i] : NULL;
}
