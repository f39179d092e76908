#include <config.h>

#include "model/backoff.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"

/* --- shapes: the un-jittered delay ------------------------------------------------------------------------------- */

static double exponential_delay(const struct st_backoff *b, uint32_t k)
{
	/* No wait stays none: 0 times a power beyond every number would not be one. */
	return b->cfg.base > 0 ? (double)b->cfg.base * pow(b->cfg.factor, (double)(k - 1) + (double)b->cfg.first_exponent) : 0.0;
}

static double constant_delay(const struct st_backoff *b, uint32_t k)
{
	(void)k;
	return (double)b->cfg.base;
}

static double linear_delay(const struct st_backoff *b, uint32_t k)
{
	st_time step = b->cfg.step == ST_NEVER ? b->cfg.base : b->cfg.step;

	return (double)b->cfg.base + (double)step * (double)(k - 1);
}

static double quadratic_delay(const struct st_backoff *b, uint32_t k)
{
	return (double)b->cfg.base * (double)k * (double)k;
}

static double late_quadratic_delay(const struct st_backoff *b, uint32_t k)
{
	double n = (double)(k - 1);

	return (double)b->cfg.base * (1.0 + n * n);
}

/* base (1 + factor + ... + factor^(k-1)): with factor 2 the 2^k - 1 of those who double a counter and add one. */
static double geometric_sum_delay(const struct st_backoff *b, uint32_t k)
{
	double factor = b->cfg.factor, sum = factor > 1.0 ? (pow(factor, (double)k) - 1.0) / (factor - 1.0) : (double)k;

	return b->cfg.base > 0 ? (double)b->cfg.base * sum : 0.0;
}

static double table_delay(const struct st_backoff *b, uint32_t k)
{
	const struct st_times *t = &b->cfg.delays;

	return t->n > 0 ? (double)t->at[k <= t->n ? k - 1 : t->n - 1] : 0.0;
}

static double immediate_delay(const struct st_backoff *b, uint32_t k)
{
	(void)b;
	(void)k;
	return 0.0;
}

/* --- jitters ------------------------------------------------------------------------------------------------------ */

/* d x U(lo, hi): none, full, equal, range and most libraries. One number is drawn whatever the bounds, so that the
 * multiplicative jitters are paired under common random numbers. */
static double multiplied_wait(const struct st_backoff *b, double d, st_time *previous, struct st_rng *r)
{
	const struct st_jitter_cfg *j = &b->cfg.jitter;

	(void)previous;
	return d * (j->lo + (j->hi - j->lo) * st_rng_uniform(r));
}

static double multiplied_mean(const struct st_backoff *b, double d)
{
	return d * (b->cfg.jitter.lo + b->cfg.jitter.hi) / 2.0;
}

static double none_wait(const struct st_backoff *b, double d, st_time *previous, struct st_rng *r)
{
	(void)b;
	(void)previous;
	(void)r;
	return d;
}

/* min(cap, U(base, 3 x previous)); the shape has no part in it. */
static double decorrelated_wait(const struct st_backoff *b, double d, st_time *previous, struct st_rng *r)
{
	double base = (double)b->cfg.base, top = 3.0 * (double)*previous;

	(void)d;
	return fmin(base + (fmax(top, base) - base) * st_rng_uniform(r), (double)b->cfg.cap);
}

/* --- the tables --------------------------------------------------------------------------------------------------- */

static const struct st_jitter jitters[] = {
    {{"none", "the delay itself: everybody in step"}, "", 0, 1.0, 1.0, none_wait, multiplied_mean, false},
    {{"full", "uniform on [0, d]"}, "", 0, 0.0, 1.0, multiplied_wait, multiplied_mean, false},
    {{"equal", "half of d, half uniform: uniform on [d/2, d]"}, "", 0, 0.5, 1.0, multiplied_wait, multiplied_mean, false},
    {{"decorrelated", "min(cap, uniform on [base, 3 x previous delay])"}, "", 0, 0.0, 0.0, decorrelated_wait, NULL, true},
    {{"range", "d times uniform on [LO, HI]"}, "LO HI", 2, 0.0, 0.0, multiplied_wait, multiplied_mean, false},
};

const struct st_jitter *st_jitter_at(size_t i)
{
	return i < sizeof jitters / sizeof *jitters ? &jitters[i] : NULL;
}

static const struct st_shape shapes[] = {
    {{"exponential", "base x factor^(k-1)"}, exponential_delay},
    {{"constant", "base each time"}, constant_delay},
    {{"immediate", "no delay at all"}, immediate_delay},
    {{"linear", "base + step x (k-1)"}, linear_delay},
    {{"quadratic", "base x k^2"}, quadratic_delay},
    {{"late-quadratic", "base x (1 + (k-1)^2): quadratic from the second retry on"}, late_quadratic_delay},
    {{"geometric-sum", "base x (1 + factor + ... + factor^(k-1)); with factor 2, base x (2^k - 1)"}, geometric_sum_delay},
    {{"table", "the k-th of `delays`; the last for all that follow"}, table_delay},
};

const struct st_shape *st_shape_at(size_t i)
{
	return i < sizeof shapes / sizeof *shapes ? &shapes[i] : NULL;
}

/* --- the policy made ready ---------------------------------------------------------------------------------------- */

void st_backoff_init(struct st_backoff *b, const struct st_backoff_cfg *cfg)
{
	b->cfg = *cfg;
	b->shape = &shapes[cfg->shape];
	b->jitter = &jitters[cfg->jitter.kind];
	for (uint32_t k = 1; k <= ST_BACKOFF_TABLE; k++)
		b->d[k - 1] = fmin(b->shape->delay(b, k), (double)cfg->cap);
}

double st_backoff_unjittered(const struct st_backoff *b, uint32_t k)
{
	st_assert(k >= 1);
	return k <= ST_BACKOFF_TABLE ? b->d[k - 1] : fmin(b->shape->delay(b, k), (double)b->cfg.cap);
}

st_time st_backoff_wait(const struct st_backoff *b, uint32_t k, st_time *previous, struct st_rng *r)
{
	st_time wait = st_time_from_ns(b->jitter->wait(b, st_backoff_unjittered(b, k), previous, r));

	if (b->jitter->uses_previous)
		*previous = wait;
	return wait;
}

double st_backoff_mean(const struct st_backoff *b, uint32_t k)
{
	return b->jitter->mean ? b->jitter->mean(b, st_backoff_unjittered(b, k)) : (double)NAN;
}

/* --- the parameter "jitter" --------------------------------------------------------------------------------------- */

static const struct st_choice *jitter_choice(size_t i)
{
	const struct st_jitter *j = st_jitter_at(i);

	return j ? &j->choice : NULL;
}

/* The numbers after the name: "range 0.8 1.2". */
static int read_bounds(const struct st_value *v, const struct st_jitter *j, const char *args,
    struct st_jitter_cfg *out, struct st_err *e)
{
	double *const arg[] = {&out->lo, &out->hi};
	const char *s = args;
	char *end;

	for (unsigned i = 0; i < j->nargs; i++, s = end) {
		*arg[i] = strtod(s, &end);
		if (end == s || !isfinite(*arg[i]))
			return st_err_add(e, ST_EXIT_USER, v->place, "jitter '%s' is written '%s %s'", j->choice.name,
			    j->choice.name, j->syntax);
	}
	if (s[strspn(s, " \t")])
		return st_err_add(e, ST_EXIT_USER, v->place, "'%s' is too much after '%s'", s + strspn(s, " \t"),
		    j->choice.name);
	if (out->lo < 0.0 || out->hi < out->lo || out->hi > 100.0)
		return st_err_add(e, ST_EXIT_USER, v->place, "the bounds must be 0 <= LO <= HI <= 100");
	return 0;
}

static int jitter_read(const struct st_param *p, const struct st_value *v, void *field, struct st_err *e)
{
	const char *text = st_param_scalar(p, v, e), *near;

	if (!text)
		return -1;
	size_t word = strcspn(text, " \t");
	char *name = st_strndup(text, word);
	int kind = st_choice_find(jitter_choice, name, &near);
	int rc = -1;

	if (kind >= 0) {
		const struct st_jitter *j = &jitters[kind];
		struct st_jitter_cfg cfg = {.kind = (unsigned)kind, .lo = j->lo, .hi = j->hi};

		rc = read_bounds(v, j, text + word, &cfg, e);
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
	const double arg[] = {cfg->lo, cfg->hi};

	(void)p;
	st_text_add(out, j->choice.name);
	for (unsigned i = 0; i < j->nargs; i++) {
		st_text_add(out, " ");
		st_text_add_double(out, arg[i]);
	}
}

const struct st_param_type st_param_jitter = {
    .name = "jitter",
    .expects = "none, full, equal, decorrelated or range LO HI",
    .read = jitter_read,
    .print = jitter_print,
};

static const struct st_choice *shape_choice(size_t i)
{
	const struct st_shape *s = st_shape_at(i);

	return s ? &s->choice : NULL;
}

#define FIELD(f) offsetof(struct st_backoff_cfg, f)

/* All but immediate. */
#define PACED "exponential constant linear quadratic late-quadratic geometric-sum table"

const struct st_param st_backoff_params[] = {
    {.name = "shape", .type = &st_param_choice, .offset = FIELD(shape), .dflt = "exponential", .choices = shape_choice,
        .help = "how the delay grows with each retry k = 1, 2, ..."},
    {.name = "base", .type = &st_param_time, .offset = FIELD(base), .dflt = "100ms", .kinds = PACED, .kinds_of = "shape",
        .help = "the un-jittered wait before the first retry (of a table: only for jitters that speak of it)"},
    {.name = "factor", .type = &st_param_number, .offset = FIELD(factor), .dflt = "2", .min = 1, .max = 1000,
        .kinds = "exponential geometric-sum", .kinds_of = "shape", .help = "growth from one retry to the next"},
    {.name = "first_exponent", .type = &st_param_count, .offset = FIELD(first_exponent), .dflt = "0", .min = 0, .max = 64,
        .kinds = "exponential", .kinds_of = "shape", .help = "exponent of the factor before the first retry"},
    {.name = "step", .type = &st_param_time, .offset = FIELD(step), .dflt = "base", .word = "base",
        .kinds = "linear", .kinds_of = "shape", .help = "what each further retry adds"},
    {.name = "delays", .type = &st_param_times, .offset = FIELD(delays), .dflt = "1s", .kinds = "table",
        .kinds_of = "shape", .help = "the un-jittered waits, one a retry"},
    {.name = "cap", .type = &st_param_time, .offset = FIELD(cap), .dflt = "off", .word = "off", .kinds = PACED,
        .kinds_of = "shape", .help = "the longest delay, applied before the jitter"},
    {.name = "jitter", .type = &st_param_jitter, .offset = FIELD(jitter), .dflt = "full", .kinds = PACED,
        .kinds_of = "shape", .choices = jitter_choice, .help = "the randomness in the delay"},
    {.name = NULL},
};
