#include <config.h>

#include "model/backoff.h"

#include <math.h>
#include <string.h>

#include "base/err.h"

/* --- shapes: the un-jittered delay ------------------------------------------------------------------------------- */

static double exponential_delay(const struct st_backoff *b, const struct st_delays *c, uint32_t k)
{
	/* No wait stays none: 0 times a power beyond every number would not be one. */
	return c->base > 0.0 ? c->base * pow(c->factor, (double)(k - 1) + (double)b->cfg.first_exponent) : 0.0;
}

static double constant_delay(const struct st_backoff *b, const struct st_delays *c, uint32_t k)
{
	(void)b;
	(void)k;
	return c->base;
}

static double linear_delay(const struct st_backoff *b, const struct st_delays *c, uint32_t k)
{
	double step = b->cfg.step == ST_NEVER ? c->base : (double)b->cfg.step;

	return c->base + step * (double)(k - 1);
}

static double quadratic_delay(const struct st_backoff *b, const struct st_delays *c, uint32_t k)
{
	(void)b;
	return c->base * (double)k * (double)k;
}

static double late_quadratic_delay(const struct st_backoff *b, const struct st_delays *c, uint32_t k)
{
	double n = (double)(k - 1);

	(void)b;
	return c->base * (1.0 + n * n);
}

/* base (1 + factor + ... + factor^(k-1)): with factor 2 the 2^k - 1 of those who double a counter and add one. */
static double geometric_sum_delay(const struct st_backoff *b, const struct st_delays *c, uint32_t k)
{
	double sum = c->factor > 1.0 ? (pow(c->factor, (double)k) - 1.0) / (c->factor - 1.0) : (double)k;

	(void)b;
	return c->base > 0.0 ? c->base * sum : 0.0;
}

static double table_delay(const struct st_backoff *b, const struct st_delays *c, uint32_t k)
{
	const struct st_times *t = &b->cfg.delays;

	(void)c;
	return t->n > 0 ? (double)t->at[k <= t->n ? k - 1 : t->n - 1] : 0.0;
}

static double immediate_delay(const struct st_backoff *b, const struct st_delays *c, uint32_t k)
{
	(void)b;
	(void)c;
	(void)k;
	return 0.0;
}

/* --- the table --------------------------------------------------------------------------------------------------- */

static const struct st_backoff_shape shapes[] = {
    {{"exponential", "base x factor^(k-1)"}, exponential_delay},
    {{"constant", "base each time"}, constant_delay},
    {{"immediate", "no delay at all"}, immediate_delay},
    {{"linear", "base + step x (k-1)"}, linear_delay},
    {{"quadratic", "base x k^2"}, quadratic_delay},
    {{"late-quadratic", "base x (1 + (k-1)^2): quadratic from the second retry on"}, late_quadratic_delay},
    {{"geometric-sum", "base x (1 + factor + ... + factor^(k-1)); with factor 2, base x (2^k - 1)"}, geometric_sum_delay},
    {{"table", "the k-th of `delays`; the last for all that follow"}, table_delay},
};

const struct st_backoff_shape *st_shape_at(size_t i)
{
	return i < sizeof shapes / sizeof *shapes ? &shapes[i] : NULL;
}

/* --- the policy made ready ---------------------------------------------------------------------------------------- */

/* Longer than every duration, and yet 0 times it is 0. */
#define LONGEST 1e30

static double delay(const struct st_backoff *b, const struct st_delays *c, uint32_t k)
{
	return k - 1 < ST_BACKOFF_TABLE ? c->d[k - 1] : fmin(b->shape->delay(b, c, k), b->top);
}

static void delays_init(const struct st_backoff *b, struct st_delays *c, st_time base, double factor)
{
	c->base = (double)base;
	c->factor = factor;
	for (uint32_t k = 1; k <= ST_BACKOFF_TABLE; k++)
		c->d[k - 1] = fmin(b->shape->delay(b, c, k), b->top);
}

static bool is_empty(const struct st_conditions *on)
{
	uint64_t any = 0;

	for (size_t i = 0; i < sizeof on->bit / sizeof *on->bit; i++)
		any |= on->bit[i];
	return any == 0;
}

void st_backoff_init(struct st_backoff *b, const struct st_backoff_cfg *cfg)
{
	double cap = cfg->cap == ST_NEVER ? LONGEST : (double)cfg->cap;
	b->cfg = *cfg;
	b->shape = &shapes[cfg->shape];
	b->jitter = st_jitter_at(cfg->jitter.kind);
	st_jitter_init(&b->law, &cfg->jitter);
	b->top = cfg->cap_at == ST_CAP_AFTER ? LONGEST : cap;
	b->most = cfg->cap_at == ST_CAP_BEFORE && !b->jitter->is_capped ? LONGEST : cap;
	b->is_plain = b->most >= LONGEST && cfg->floor == 0 && cfg->head.n == 0 && cfg->tail_from == ST_UNLIMITED &&
	    cfg->quantum.time == 0 && cfg->quantum.share <= 0.0 && is_empty(&cfg->throttle.on) && !st_backoff_carries(b);
	delays_init(b, &b->usual, cfg->base, cfg->factor);
	if (is_empty(&cfg->throttle.on))
		return;
	delays_init(b, &b->throttled, cfg->throttle.base == ST_NEVER ? cfg->base : cfg->throttle.base,
	    isinf(cfg->throttle.factor) ? cfg->factor : cfg->throttle.factor);
}

st_time st_backoff_first(const struct st_backoff *b)
{
	return b->jitter->carry == ST_CARRY_WAIT ? b->cfg.base : 0;
}

/* --- one wait ------------------------------------------------------------------------------------------------------- */

/* The floor has the last word. */
static double cut(const struct st_backoff *b, double ns)
{
	return fmax(fmin(ns, b->most), (double)b->cfg.floor);
}

/* Of the interval that the jitter would draw from, only what lies within floor and cap: no wait piles up at its ends. */
static double truncated(const struct st_backoff *b, const struct st_delays *c, uint32_t k, double d, st_time previous, double u)
{
	double lo = cut(b, b->jitter->quantile(&b->law, k, c->base, d, previous, 0.0));
	double hi = cut(b, b->jitter->quantile(&b->law, k, c->base, d, previous, 1.0));

	return lo + (hi - lo) * u;
}

/* Down to the next multiple. The quotient of a multiple may be a hair too small. */
static double quantised(const struct st_quantum_cfg *q, double ns, double d)
{
	double unit = q->time > 0 ? (double)q->time : q->share * d;

	return unit > 0.0 ? floor(ns / unit * (1.0 + 1e-12)) * unit : ns;
}

/* A wait with everything that most policies do without. */
static double any_wait(const struct st_backoff *b, const struct st_delays *c, uint32_t k, st_time *previous, struct st_rng *r)
{
	double d = delay(b, c, k), ns;

	if (k >= b->cfg.tail_from)
		return cut(b, fmin(d, (double)b->cfg.cap));
	if (b->cfg.cap_at == ST_CAP_TRUNCATE && b->jitter->is_uniform)
		ns = truncated(b, c, k, d, *previous, st_rng_uniform(r));
	else
		ns = b->law.wait(&b->law, k, c->base, d, previous, r);
	return cut(b, quantised(&b->cfg.quantum, ns, d));
}

st_time st_backoff_wait(const struct st_backoff *b, uint32_t k, st_outcome outcome, st_time *previous, struct st_rng *r)
{
	if (b->is_plain && k - 1 < ST_BACKOFF_TABLE)
		return st_time_from_ns(b->law.wait(&b->law, k, b->usual.base, b->usual.d[k - 1], previous, r));
	const struct st_delays *c = st_conditions_has(&b->cfg.throttle.on, outcome) ? &b->throttled : &b->usual;
	st_time wait = k <= b->cfg.head.n ? b->cfg.head.at[k - 1] : st_time_from_ns(any_wait(b, c, k, previous, r));

	st_assert(k >= 1);
	if (b->jitter->carry == ST_CARRY_WAIT)
		*previous = wait;
	return wait;
}

/* --- what may come out -------------------------------------------------------------------------------------------- */

bool st_backoff_is_throttled(const struct st_backoff *b)
{
	return !is_empty(&b->cfg.throttle.on);
}

double st_backoff_quantile(const struct st_backoff *b, uint32_t k, bool throttled, st_time *previous, double u)
{
	const struct st_delays *c = throttled ? &b->throttled : &b->usual;
	double d = delay(b, c, k), drawn = 0.0, ns;

	st_assert(k >= 1 && (!throttled || st_backoff_is_throttled(b)));
	if (k <= b->cfg.head.n) {
		ns = (double)b->cfg.head.at[k - 1];
	} else if (k >= b->cfg.tail_from) {
		ns = cut(b, fmin(d, (double)b->cfg.cap));
	} else {
		drawn = b->jitter->quantile(&b->law, k, c->base, d, *previous, u);
		ns = b->cfg.cap_at == ST_CAP_TRUNCATE && b->jitter->is_uniform ? truncated(b, c, k, d, *previous, u) : drawn;
		ns = cut(b, quantised(&b->cfg.quantum, ns, d));
	}
	if (b->jitter->carry == ST_CARRY_WAIT)
		*previous = st_time_from_ns(ns);
	else if (b->jitter->carry == ST_CARRY_SUM)
		*previous = st_time_from_ns((double)*previous + drawn);
	return ns < LONGEST ? ns : (double)INFINITY;
}

/* --- parameters --------------------------------------------------------------------------------------------------- */

static const struct st_choice *shape_choice(size_t i)
{
	const struct st_backoff_shape *s = st_shape_at(i);

	return s ? &s->choice : NULL;
}

static const struct st_choice cap_ats[] = {
    [ST_CAP_BEFORE] = {"before", "the jitter is applied to the capped delay"},
    [ST_CAP_AFTER] = {"after", "what the jitter gave is cut: a share of the waits is exactly the cap"},
    [ST_CAP_BOTH] = {"both", "the delay is cut before the jitter, and what that gave once more"},
    [ST_CAP_TRUNCATE] = {"truncate", "the jitter draws from what of its interval lies within floor and cap"},
};

static const struct st_choice *cap_at_choice(size_t i)
{
	return i < sizeof cap_ats / sizeof *cap_ats ? &cap_ats[i] : NULL;
}

/* "off", a duration or a share of the delay. */
static int quantum_read(const struct st_param *p, const struct st_value *v, void *field, struct st_err *e)
{
	const char *text = st_param_scalar(p, v, e);
	struct st_quantum_cfg q = {0, 0.0};

	if (!text)
		return -1;
	if (strchr(text, '%')) {
		if (st_param_share.read(p, v, &q.share, e))
			return -1;
	} else if (strcmp(text, "off") != 0) {
		const char *why = st_time_parse(text, &q.time);

		if (why)
			return st_param_expects_word(p, v, 0, &(const char *){"off"}, 1, why, e);
	}
	*(struct st_quantum_cfg *)field = q;
	return 0;
}

static void quantum_print(const struct st_param *p, const void *field, struct st_text *out)
{
	const struct st_quantum_cfg *q = field;

	if (q->time > 0)
		st_param_time.print(p, &q->time, out);
	else if (q->share > 0.0)
		st_param_share.print(p, &q->share, out);
	else
		st_text_add(out, "off");
}

static const struct st_param_type quantum = {
    .name = "quantum",
    .expects = "off, a duration such as 1ms or a share of the delay such as 1%",
    .size = sizeof(struct st_quantum_cfg),
    .read = quantum_read,
    .print = quantum_print,
};

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
        .kinds_of = "shape", .help = "the longest delay"},
    {.name = "cap_at", .type = &st_param_choice, .offset = FIELD(cap_at), .dflt = "before", .choices = cap_at_choice,
        .kinds = PACED, .kinds_of = "shape", .help = "where the cap stands to the jitter"},
    {.name = "floor", .type = &st_param_time, .offset = FIELD(floor), .dflt = "0s", .kinds = PACED, .kinds_of = "shape",
        .help = "the shortest delay, after the jitter and the cap"},
    {.name = "head", .type = &st_param_times, .offset = FIELD(head), .dflt = "[]", .kinds = PACED, .kinds_of = "shape",
        .help = "the first waits, exactly; k counts on under the shape behind them"},
    {.name = "tail_from", .type = &st_param_count, .offset = FIELD(tail_from), .dflt = "never", .word = "never", .min = 1,
        .max = 16e6, .kinds = PACED, .kinds_of = "shape", .help = "the retry from which on waits have no jitter"},
    {.name = "quantum", .type = &quantum, .offset = FIELD(quantum), .dflt = "off", .kinds = PACED, .kinds_of = "shape",
        .help = "waits are cut down to multiples of it, before cap and floor"},
    {.name = "jitter", .type = &st_param_jitter, .offset = FIELD(jitter), .dflt = "full", .kinds = PACED,
        .kinds_of = "shape", .choices = st_jitter_choice, .help = "the randomness in the delay"},
    {.name = "reset", .type = &st_param_time, .offset = FIELD(reset), .dflt = "success", .word = "success", .kinds = PACED,
        .kinds_of = "shape", .help = "how long a connection must have lived for the count of retries to start again; success: any"},
    {.name = "throttle.on", .type = &st_param_conditions, .offset = FIELD(throttle.on), .dflt = "[]", .kinds = PACED,
        .kinds_of = "shape", .help = "failures that have a base and a factor of their own"},
    {.name = "throttle.base", .type = &st_param_time, .offset = FIELD(throttle.base), .dflt = "base", .word = "base",
        .kinds = PACED, .kinds_of = "shape", .help = "base after such a failure"},
    {.name = "throttle.factor", .type = &st_param_number, .offset = FIELD(throttle.factor), .dflt = "factor", .word = "factor",
        .min = 1, .max = 1000, .kinds = "exponential geometric-sum", .kinds_of = "shape", .help = "factor after such a failure"},
    {.name = NULL},
};
