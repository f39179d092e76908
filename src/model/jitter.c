#include <config.h>

#include "model/jitter.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"

/* A function that takes no part in something still has its arguments. */
#define UNUSED(x) ((void)(x))

/* --- multiplicative: none, full, equal, proportional, range and most libraries ------------------------------------- */

/* d x U(lo, hi). One number is drawn whatever the bounds, so that the multiplicative jitters are paired under
 * common random numbers. */
static double multiplied_wait(const struct st_jitter_law *j, uint32_t k, double base, double d, st_time *previous,
    struct st_rng *r)
{
	UNUSED(k), UNUSED(base), UNUSED(previous);
	return d * (j->lo + (j->hi - j->lo) * st_rng_uniform(r));
}

static double multiplied_quantile(const struct st_jitter_law *j, uint32_t k, double base, double d, st_time previous, double u)
{
	UNUSED(k), UNUSED(base), UNUSED(previous);
	return d * (j->lo + (j->hi - j->lo) * u);
}

static double none_wait(const struct st_jitter_law *j, uint32_t k, double base, double d, st_time *previous, struct st_rng *r)
{
	UNUSED(j), UNUSED(k), UNUSED(base), UNUSED(previous), UNUSED(r);
	return d;
}

static void range_bounds(const double *arg, double *lo, double *hi)
{
	*lo = arg[0];
	*hi = arg[1];
}

static const char *range_wrong(const double *arg)
{
	return arg[0] < 0.0 || arg[1] < arg[0] || arg[1] > 100.0 ? "the bounds must be 0 <= LO <= HI <= 100" : NULL;
}

static void proportional_bounds(const double *arg, double *lo, double *hi)
{
	*lo = 1.0 - arg[0];
	*hi = 1.0 + arg[0];
}

/* At a uniform number: how all are drawn that know no faster way. */
static double drawn_wait(const struct st_jitter_law *j, uint32_t k, double base, double d, st_time *previous, struct st_rng *r)
{
	return j->row->quantile(j, k, base, d, *previous, st_rng_uniform(r));
}

/* --- uniform on other intervals ------------------------------------------------------------------------------------- */

static double between(double lo, double hi, double u)
{
	return lo + (hi - lo) * u;
}

static double additive_quantile(const struct st_jitter_law *j, uint32_t k, double base, double d, st_time previous, double u)
{
	UNUSED(k), UNUSED(base), UNUSED(previous);
	return between(d, d + j->arg, u);
}

/* The shape has no part in it. */
static double decorrelated_quantile(const struct st_jitter_law *j, uint32_t k, double base, double d, st_time previous, double u)
{
	UNUSED(k), UNUSED(d);
	return between(base, fmax(j->arg * (double)previous, base), u);
}

static double rising_quantile(const struct st_jitter_law *j, uint32_t k, double base, double d, st_time previous, double u)
{
	UNUSED(k), UNUSED(base), UNUSED(d);
	return between((double)previous, j->arg * (double)previous, u);
}

static const char *growth_wrong(const double *arg)
{
	return arg[0] < 1.0 || arg[0] > 100.0 ? "the growth must be between 1 and 100" : NULL;
}

/* --- exponential ------------------------------------------------------------------------------------------------------ */

static double exponential_wait(const struct st_jitter_law *j, uint32_t k, double base, double d, st_time *previous,
    struct st_rng *r)
{
	UNUSED(j), UNUSED(k), UNUSED(base), UNUSED(previous);
	return d * st_rng_exponential(r);
}

static double exponential_quantile(const struct st_jitter_law *j, uint32_t k, double base, double d, st_time previous, double u)
{
	UNUSED(j), UNUSED(k), UNUSED(base), UNUSED(previous);
	return d > 0.0 ? -d * log1p(-u) : 0.0;
}

/* --- Polly's DecorrelatedJitterBackoffV2 ------------------------------------------------------------------------------- */

/* Where a client is after the waits of t retries, in units of the base: its curve is smooth, and a wait is the step on it from
 * one random t to the next. */
static double polly_curve(double base, double t)
{
	return base > 0.0 ? base / 1.4 * exp2(t) * tanh(sqrt(4.0 * t)) : 0.0;
}

/* *previous is the place on the curve that the last wait led to. */
static double polly_wait(const struct st_jitter_law *j, uint32_t k, double base, double d, st_time *previous, struct st_rng *r)
{
	double here = polly_curve(base, (double)(k - 1) + st_rng_uniform(r)), wait = here - (double)*previous;

	UNUSED(j), UNUSED(d);
	*previous = st_time_from_ns(here);
	return wait;
}

static double polly_quantile(const struct st_jitter_law *j, uint32_t k, double base, double d, st_time previous, double u)
{
	UNUSED(j), UNUSED(d);
	return polly_curve(base, (double)(k - 1) + u) - (double)previous;
}

/* --- the table -------------------------------------------------------------------------------------------------------- */

static const struct st_jitter jitters[] = {
    {{"none", "the delay itself: everybody in step"}, .syntax = "", .lo = 1.0, .hi = 1.0, .wait = none_wait,
        .quantile = multiplied_quantile, .is_uniform = true},
    {{"full", "uniform on [0, d]"}, .syntax = "", .lo = 0.0, .hi = 1.0, .wait = multiplied_wait, .quantile = multiplied_quantile,
        .is_uniform = true},
    {{"equal", "half of d, half uniform: uniform on [d/2, d]"}, .syntax = "", .lo = 0.5, .hi = 1.0, .wait = multiplied_wait,
        .quantile = multiplied_quantile, .is_uniform = true},
    {{"decorrelated", "uniform on [base, 3 x previous delay], cut at the cap; GROWTH instead of 3"}, .syntax = "[GROWTH]",
        .arg = {&st_param_number}, .usual = 3.0, .wrong = growth_wrong, .wait = drawn_wait, .quantile = decorrelated_quantile,
        .is_uniform = true, .is_capped = true, .carry = ST_CARRY_WAIT},
    {{"range", "d times uniform on [LO, HI]"}, .syntax = "LO HI", .arg = {&st_param_number, &st_param_number},
        .bounds = range_bounds, .wrong = range_wrong, .wait = multiplied_wait, .quantile = multiplied_quantile, .is_uniform = true},
    {{"proportional", "d times uniform on [1 - SHARE, 1 + SHARE]"}, .syntax = "SHARE", .arg = {&st_param_share},
        .bounds = proportional_bounds, .wait = multiplied_wait, .quantile = multiplied_quantile, .is_uniform = true},
    {{"additive", "d + uniform on [0, TIME]"}, .syntax = "TIME", .arg = {&st_param_time}, .wait = drawn_wait,
        .quantile = additive_quantile, .is_uniform = true},
    {{"rising", "uniform on [previous delay, 3 x previous delay], cut at the cap; GROWTH instead of 3"}, .syntax = "[GROWTH]",
        .arg = {&st_param_number}, .usual = 3.0, .wrong = growth_wrong, .wait = drawn_wait, .quantile = rising_quantile,
        .is_uniform = true, .is_capped = true, .carry = ST_CARRY_WAIT},
    {{"exponential", "exponential with mean d, cut at the cap"}, .syntax = "", .wait = exponential_wait,
        .quantile = exponential_quantile, .is_capped = true},
    {{"polly", "Polly's DecorrelatedJitterBackoffV2: steps on a smooth curve, cut at the cap"}, .syntax = "", .wait = polly_wait,
        .quantile = polly_quantile, .is_capped = true, .carry = ST_CARRY_SUM},
};

const struct st_jitter *st_jitter_at(size_t i)
{
	return i < sizeof jitters / sizeof *jitters ? &jitters[i] : NULL;
}

const struct st_choice *st_jitter_choice(size_t i)
{
	const struct st_jitter *j = st_jitter_at(i);

	return j ? &j->choice : NULL;
}

void st_jitter_init(struct st_jitter_law *law, const struct st_jitter_cfg *cfg)
{
	const struct st_jitter *row = &jitters[cfg->kind];

	*law = (struct st_jitter_law){.row = row, .wait = row->wait, .lo = row->lo, .hi = row->hi, .arg = cfg->arg[0]};
	if (row->bounds)
		row->bounds(cfg->arg, &law->lo, &law->hi);
}

/* --- the parameter ------------------------------------------------------------------------------------------------------ */

/* One argument, as the type reads it. What it has to say if it cannot is left unsaid: read_arguments() says it better. */
static bool read_argument(const struct st_param_type *type, const char *word, double *out)
{
	const struct st_param argument = {.name = "jitter", .type = type};
	union {
		double real;
		st_time time;
	} field = {0.0};
	struct st_value v = {&word, NULL, 1, false};
	struct st_err unsaid = ST_ERR_INIT;
	bool is_read = type->read(&argument, &v, &field, &unsaid) == 0;

	st_err_release(&unsaid);
	*out = type == &st_param_time ? (double)field.time : field.real;
	return is_read;
}

static void print_argument(const struct st_param_type *type, double x, struct st_text *out)
{
	const struct st_param argument = {.name = "jitter", .type = type};
	st_time t = st_time_from_ns(x);

	type->print(&argument, type == &st_param_time ? (const void *)&t : &x, out);
}

/* The next word at *s, which is moved behind it; NULL if there is none. The caller frees. */
static char *next_word(const char **s)
{
	const char *word = *s + strspn(*s, " \t");
	size_t n = strcspn(word, " \t");

	*s = word + n;
	return n > 0 ? st_strndup(word, n) : NULL;
}

/* What follows the name. */
static int read_arguments(const struct st_value *v, const struct st_jitter *j, const char *s, double *arg, struct st_err *e)
{
	bool is_written = true;
	char *word;

	arg[0] = j->usual;
	for (unsigned i = 0; i < 2 && j->arg[i] && is_written; i++) {
		word = next_word(&s);
		is_written = word ? read_argument(j->arg[i], word, &arg[i]) : j->usual > 0.0;
		free(word);
	}
	if (!is_written)
		return st_err_add(e, ST_EXIT_USER, v->place, "jitter '%s' is written '%s %s'", j->choice.name, j->choice.name,
		    j->syntax);
	s += strspn(s, " \t");
	if (*s)
		return st_err_add(e, ST_EXIT_USER, v->place, "'%s' is too much after '%s'", s, j->choice.name);
	const char *wrong = j->wrong ? j->wrong(arg) : NULL;
	return wrong ? st_err_add(e, ST_EXIT_USER, v->place, "%s", wrong) : 0;
}

static int jitter_read(const struct st_param *p, const struct st_value *v, void *field, struct st_err *e)
{
	const char *text = st_param_scalar(p, v, e), *near = NULL;

	if (!text)
		return -1;
	char *name = next_word(&text);
	int kind = name ? st_choice_find(st_jitter_choice, name, &near) : -1;
	int rc = -1;

	if (kind >= 0) {
		struct st_jitter_cfg cfg = {.kind = (unsigned)kind};

		rc = read_arguments(v, &jitters[kind], text, cfg.arg, e);
		if (rc == 0)
			*(struct st_jitter_cfg *)field = cfg;
	} else if (near) {
		st_err_add(e, ST_EXIT_USER, v->place, "unknown jitter '%s'; did you mean '%s'?", name, near);
	} else {
		st_param_expects(p, v, 0, NULL, e);
	}
	free(name);
	return rc;
}

static void jitter_print(const struct st_param *p, const void *field, struct st_text *out)
{
	const struct st_jitter_cfg *cfg = field;
	const struct st_jitter *j = &jitters[cfg->kind];

	(void)p;
	st_text_add(out, j->choice.name);
	if (j->usual > 0.0 && !(cfg->arg[0] < j->usual || cfg->arg[0] > j->usual))
		return;
	for (unsigned i = 0; i < 2 && j->arg[i]; i++) {
		st_text_add(out, " ");
		print_argument(j->arg[i], cfg->arg[i], out);
	}
}

const struct st_param_type st_param_jitter = {
    .name = "jitter",
    .expects = "none, full, equal, decorrelated, proportional SHARE, range LO HI, additive TIME, rising, exponential or polly",
    .size = sizeof(struct st_jitter_cfg),
    .read = jitter_read,
    .print = jitter_print,
};
