#include <config.h>

#include "base/dist.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_roots.h>
#include <gsl/gsl_sf_gamma.h>

#include "base/mem.h"

/*
 * Ten kinds, each its reading, its draw and its two moments, in the order of the table at the end; then what
 * all share. The file is long because it is one list: to add a kind, nothing else need be opened. GSL draws what takes a rejection loop (gamma) and what is a formula of its own (weibull,
 * pareto); the frequent ones are inline in base/rng.h.
 */

/* Below it a distribution is a constant in all but name; above it no run is long enough to see its mean. */
#define CV_MIN 0.001
#define CV_MAX 100.0

#define BLANKS " \t"

enum { WORDS_MAX = 8 };

/* Reading */

struct st_dist_words {
	const struct st_place *place;
	struct st_err *e;
	const char *rest; /* what follows the name, blanks trimmed: a file name may hold blanks */
	const char *word[WORDS_MAX];
	size_t n, next;
	struct st_text why; /* what is wrong, if not told already */
};

static bool __attribute__((format(printf, 2, 3))) wrong(struct st_dist_words *w, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	st_text_addv(&w->why, fmt, ap);
	va_end(ap);
	return false;
}

static bool take_time(struct st_dist_words *w, const char *what, st_time min, st_time *out)
{
	if (w->next == w->n)
		return wrong(w, "%s is missing", what);
	const char *why = st_time_parse(w->word[w->next++], out);
	if (why)
		return wrong(w, "%s: %s", what, why);
	if (*out < min)
		return wrong(w, "%s must be above 0", what);
	return true;
}

static bool take_word(struct st_dist_words *w, const char *word)
{
	if (w->next == w->n)
		return wrong(w, "'%s' is missing", word);
	if (strcmp(w->word[w->next], word) != 0)
		return wrong(w, "'%s' stands where '%s' belongs", w->word[w->next], word);
	w->next++;
	return true;
}

static bool take_cv(struct st_dist_words *w, double *cv)
{
	if (w->next == w->n)
		return wrong(w, "CV is missing");
	const char *end = st_text_read_double(w->word[w->next++], cv);
	if (!end || *end)
		return wrong(w, "CV, the deviation / mean, is a number such as 0.5");
	if (!(*cv >= CV_MIN && *cv <= CV_MAX))
		return wrong(w, "CV must be between %g and %g", CV_MIN, CV_MAX);
	return true;
}

static bool take_mean_cv(struct st_dist *d, struct st_dist_words *w)
{
	return take_time(w, "MEAN", 1, &d->first) && take_word(w, "cv") && take_cv(w, &d->written_cv);
}

/* constant: fixed */

static bool constant_read(struct st_dist *d, struct st_dist_words *w)
{
	if (!take_time(w, "VALUE", 0, &d->first))
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

static double constant_cv(const struct st_dist *d)
{
	(void)d;
	return 0.0;
}

/* exponential: a mean */

static bool exponential_read(struct st_dist *d, struct st_dist_words *w)
{
	if (!take_time(w, "MEAN", 1, &d->first))
		return false;
	d->mean_if_exponential = (double)d->first;
	return true;
}

static double exponential_draw(const struct st_dist *d, struct st_rng *r)
{
	return d->mean_if_exponential * st_rng_exponential(r);
}

static double exponential_cv(const struct st_dist *d)
{
	(void)d;
	return 1.0;
}

/* What was written is what is drawn. */

static double written_mean(const struct st_dist *d)
{
	return (double)d->first;
}

static double written_cv(const struct st_dist *d)
{
	return d->written_cv;
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

	/* Shapes 0.1 and 2000 have the cv 429 and 0.00064: beyond CV_MAX and CV_MIN. */
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
	if (!take_time(w, "LOW", 0, &d->first) || !take_time(w, "HIGH", 0, &d->second))
		return false;
	if (d->first > d->second)
		return wrong(w, "LOW is above HIGH");
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

static double uniform_cv(const struct st_dist *d)
{
	return d->b > 0.0 ? d->b / sqrt(12.0) / uniform_mean(d) : 0.0;
}

/* normal, abs-normal: a, b mean and deviation before clipping or folding */

static bool normal_read(struct st_dist *d, struct st_dist_words *w)
{
	if (!take_time(w, "MEAN", 0, &d->first))
		return false;
	d->a = (double)d->first;
	if (w->next < w->n && strcmp(w->word[w->next], "cv") == 0) {
		w->next++;
		if (d->first == 0)
			return wrong(w, "MEAN must be above 0 where a cv is given");
		if (!take_cv(w, &d->written_cv))
			return false;
		d->b = d->a * d->written_cv;
		return true;
	}
	if (!take_word(w, "sd") || !take_time(w, "SD", 1, &d->second))
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

/* E[X^2] - E[X]^2, with z^2 taken out: for a narrow normal the plain difference loses every digit. */
static double normal_cv(const struct st_dist *d)
{
	struct zero o = at_zero(d);
	double variance = o.above + o.z * o.density * (o.below - o.above) + o.z * o.z * o.above * o.below -
			  o.density * o.density;

	return d->b * sqrt(variance) / normal_mean(d);
}

static double abs_normal_mean(const struct st_dist *d)
{
	struct zero o = at_zero(d);

	return d->b * (2.0 * o.density + o.z * (o.above - o.below));
}

static double abs_normal_cv(const struct st_dist *d)
{
	struct zero o = at_zero(d);
	double variance = 1.0 - 4.0 * o.density * (o.density + o.z * (o.above - o.below)) +
			  4.0 * o.z * o.z * o.above * o.below;

	return d->b * sqrt(variance) / abs_normal_mean(d);
}

/* empirical: values; a mean, b cv */

static int by_value(const void *pa, const void *pb)
{
	const st_time *a = pa, *b = pb;

	return (*a > *b) - (*a < *b);
}

static void summarise(struct st_dist *d)
{
	double n = (double)d->values.n, sum = 0.0, squares = 0.0;

	for (size_t i = 0; i < d->values.n; i++)
		sum += (double)d->values.at[i];
	d->a = sum / n;
	for (size_t i = 0; i < d->values.n; i++) {
		double off = (double)d->values.at[i] - d->a;

		squares += off * off;
	}
	d->b = d->a > 0.0 ? sqrt(squares / n) / d->a : 0.0;
}

/* Sorted, so that a draw grows with its uniform number: two tables then keep their common random numbers in
 * step. */
static bool empirical_read(struct st_dist *d, struct st_dist_words *w)
{
	if (w->n == 0)
		return wrong(w, "FILE is missing");
	w->next = w->n;
	d->file = st_strdup(w->rest);
	if (st_values_read(d->file, w->place, &d->values, w->e))
		return false;
	qsort(d->values.at, d->values.n, sizeof *d->values.at, by_value);
	summarise(d);
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

static double empirical_cv(const struct st_dist *d)
{
	return d->b;
}

/* The table of kinds is at the end. */

static const struct st_dist_kind *find(const char *name)
{
	for (size_t i = 0; st_dist_kind_at(i); i++)
		if (strcmp(st_dist_kind_at(i)->name, name) == 0)
			return st_dist_kind_at(i);
	return NULL;
}

static int unknown(const char *name, const struct st_place *place, struct st_err *e)
{
	struct st_text all = ST_TEXT_INIT;
	const char *names[32];
	size_t n = 0;

	for (; st_dist_kind_at(n); n++) {
		names[n] = st_dist_kind_at(n)->name;
		st_text_addf(&all, "%s%s", n ? ", " : "", names[n]);
	}
	const char *near = st_text_nearest(name, names, n);
	if (near)
		st_err_add(
		    e, ST_EXIT_USER, place, "unknown distribution '%s'; did you mean '%s'?", name, near);
	else
		st_err_add(e, ST_EXIT_USER, place, "unknown distribution '%s'; there are %s", name, all.s);
	st_text_release(&all);
	return -1;
}

/* Read the words after the name; w->n words from w->rest. */
static int read_as(
    const struct st_dist_kind *kind, struct st_dist_words *w, const char *text, struct st_dist *d)
{
	bool good;

	*d = (struct st_dist){.kind = kind, .fixed = -1};
	good = kind->read(d, w);
	if (good && w->next < w->n)
		good = wrong(w, "'%s' is too much", w->word[w->next]);
	if (w->why.s)
		st_err_add(w->e, ST_EXIT_USER, w->place, "expects '%s %s'; got '%s' (%s)", kind->name,
		    kind->syntax, text, w->why.s);
	st_text_release(&w->why);
	if (good)
		return 0;
	st_dist_release(d);
	return -1;
}

static int read_duration(
    const char *text, const struct st_place *place, struct st_dist *out, struct st_err *e)
{
	st_time t = 0;
	const char *why = st_time_parse(text, &t);

	*out = st_dist_constant(t);
	if (!why)
		return 0;
	return st_err_add(e, ST_EXIT_USER, place,
	    "expects a duration such as 20ms, or a distribution such as 'exponential 20ms'; got '%s' (%s)",
	    text, why);
}

static void split(struct st_dist_words *w, char *text)
{
	char *save = NULL;

	for (char *s = strtok_r(text, BLANKS, &save); s && w->n < WORDS_MAX;
	     s = strtok_r(NULL, BLANKS, &save))
		w->word[w->n++] = s;
}

static size_t trimmed(const char *s)
{
	size_t n = strlen(s);

	while (n > 0 && strchr(BLANKS, s[n - 1]))
		n--;
	return n;
}

int st_dist_parse(const char *text, const struct st_place *place, struct st_dist *out, struct st_err *e)
{
	text += strspn(text, BLANKS);
	char *whole = st_strndup(text, trimmed(text));
	char *name = st_strndup(whole, strcspn(whole, BLANKS));
	char *words = st_strdup(whole + strlen(name));
	const char *rest = whole + strlen(name);
	struct st_dist_words w = {.place = place, .e = e, .rest = rest + strspn(rest, BLANKS)};
	const struct st_dist_kind *kind = find(name);
	int failed;

	*out = st_dist_constant(0);
	split(&w, words);
	if (kind)
		failed = read_as(kind, &w, whole, out);
	else if (strspn(name, "+-.0123456789") > 0 || *name == '\0')
		failed = read_duration(whole, place, out, e);
	else
		failed = unknown(name, place, e);
	free(words);
	free(name);
	free(whole);
	return failed;
}

struct st_dist st_dist_constant(st_time t)
{
	return (struct st_dist){.kind = st_dist_kind_at(0), .first = t, .fixed = t};
}

void st_dist_print(const struct st_dist *d, struct st_text *out)
{
	char buf[ST_TIME_TEXT];

	if (d->fixed >= 0) {
		st_text_add(out, st_time_format(d->fixed, buf));
		return;
	}
	st_text_addf(out, "%s %s", d->kind->name, d->file ? d->file : st_time_format(d->first, buf));
	if (d->written_cv > 0.0) {
		st_text_add(out, " cv ");
		st_text_add_double(out, d->written_cv);
	} else if (d->kind->between) {
		st_text_addf(out, "%s%s", d->kind->between, st_time_format(d->second, buf));
	}
}

double st_dist_mean_s(const struct st_dist *d)
{
	return d->kind->mean(d) / 1e9;
}

double st_dist_cv(const struct st_dist *d)
{
	return d->kind->cv(d);
}

void st_dist_release(struct st_dist *d)
{
	free(d->file);
	st_values_release(&d->values);
	*d = st_dist_constant(0);
}

st_time st_dist_draw_slow(const struct st_dist *d, struct st_rng *r)
{
	return st_time_from_ns(d->kind->draw(d, r));
}

/* clang-format off */
static const struct st_dist_kind table[] = {
	{"constant", "always the same; the word may be left out", "VALUE", NULL,
	 constant_read, constant_draw, constant_mean, constant_cv},
	{"exponential", "without memory; its cv is 1", "MEAN", NULL,
	 exponential_read, exponential_draw, written_mean, exponential_cv},
	{"lognormal", "the exponential of a normal; most service times look like it", "MEAN cv CV", NULL,
	 lognormal_read, lognormal_draw, written_mean, written_cv},
	{"gamma", "a sum of exponentials where the cv is below 1", "MEAN cv CV", NULL,
	 gamma_read, gamma_draw, written_mean, written_cv},
	{"weibull", "a stretched exponential", "MEAN cv CV", NULL,
	 weibull_read, weibull_draw, written_mean, written_cv},
	{"pareto", "a power-law tail above a least value", "MEAN cv CV", NULL,
	 pareto_read, pareto_draw, written_mean, written_cv},
	{"uniform", "every value from LOW to HIGH alike", "LOW HIGH", " ",
	 uniform_read, uniform_draw, uniform_mean, uniform_cv},
	{"normal", "a normal whose values below 0 are 0", "MEAN sd SD | MEAN cv CV", " sd ",
	 normal_read, normal_draw, normal_mean, normal_cv},
	{"abs-normal", "a normal without its sign", "MEAN sd SD | MEAN cv CV", " sd ",
	 normal_read, abs_normal_draw, abs_normal_mean, abs_normal_cv},
	{"empirical", "the lines of a file, in seconds, each equally likely", "FILE", NULL,
	 empirical_read, empirical_draw, empirical_mean, empirical_cv},
};
/* clang-format on */

const struct st_dist_kind *st_dist_kind_at(size_t i)
{
	return i < sizeof table / sizeof *table ? &table[i] : NULL;
}
