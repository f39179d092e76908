#include <config.h>

#include "model/backoff.h"

#include <math.h>

#include "base/err.h"

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

/* --- the table --------------------------------------------------------------------------------------------------- */

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

/* Longer than every duration, and yet 0 times it is 0. */
#define LONGEST 1e30

void st_backoff_init(struct st_backoff *b, const struct st_backoff_cfg *cfg)
{
	b->cfg = *cfg;
	b->shape = &shapes[cfg->shape];
	b->jitter = st_jitter_at(cfg->jitter.kind);
	st_jitter_init(&b->law, &cfg->jitter);
	b->base = (double)cfg->base;
	b->most = b->jitter->is_capped ? (double)cfg->cap : LONGEST;
	b->is_plain = !b->jitter->is_capped && b->jitter->carry == ST_CARRY_NOTHING;
	for (uint32_t k = 1; k <= ST_BACKOFF_TABLE; k++)
		b->d[k - 1] = fmin(b->shape->delay(b, k), (double)cfg->cap);
}

double st_backoff_unjittered(const struct st_backoff *b, uint32_t k)
{
	st_assert(k >= 1);
	return k <= ST_BACKOFF_TABLE ? b->d[k - 1] : fmin(b->shape->delay(b, k), (double)b->cfg.cap);
}

st_time st_backoff_first(const struct st_backoff *b)
{
	return b->jitter->carry == ST_CARRY_WAIT ? b->cfg.base : 0;
}

st_time st_backoff_wait(const struct st_backoff *b, uint32_t k, st_time *previous, struct st_rng *r)
{
	if (b->is_plain && k - 1 < ST_BACKOFF_TABLE)
		return st_time_from_ns(b->law.wait(&b->law, k, b->base, b->d[k - 1], previous, r));
	st_time wait = st_time_from_ns(fmin(b->law.wait(&b->law, k, b->base, st_backoff_unjittered(b, k), previous, r), b->most));

	if (b->jitter->carry == ST_CARRY_WAIT)
		*previous = wait;
	return wait;
}

/* --- what may come out -------------------------------------------------------------------------------------------- */

void st_backoff_span(const struct st_backoff *b, uint32_t k, st_time previous, double *lo, double *hi)
{
	b->jitter->span(&b->law, k, b->base, st_backoff_unjittered(b, k), previous, lo, hi);
	*lo = fmin(*lo, b->most);
	*hi = fmin(*hi, b->most);
}

/* Of U(lo, hi) cut at `most`. */
static double uniform_mean(double lo, double hi, double most)
{
	if (lo >= most)
		return most;
	double top = fmin(hi, most), middle = (lo + top) / 2.0;

	return hi > top ? (middle * (top - lo) + most * (hi - top)) / (hi - lo) : middle;
}

double st_backoff_mean(const struct st_backoff *b, uint32_t k)
{
	double d = st_backoff_unjittered(b, k), lo, hi;

	if (b->jitter->carry != ST_CARRY_NOTHING)
		return (double)NAN;
	if (!b->jitter->is_uniform)
		return d > 0.0 ? d * -expm1(-b->most / d) : 0.0;
	b->jitter->span(&b->law, k, b->base, d, 0, &lo, &hi);
	return uniform_mean(lo, hi, b->most);
}

/* --- parameters --------------------------------------------------------------------------------------------------- */

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
        .kinds_of = "shape", .choices = st_jitter_choice, .help = "the randomness in the delay"},
    {.name = NULL},
};
