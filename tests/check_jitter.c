#include <config.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "build.h"
#include "tap_main.h"

/*
 * The law of the k-th delay, k = 1 ... 10: mean, variance, mass at the cap and support of what is drawn, against the
 * formulas of the manual, integrated numerically over the uniform numbers that they consume.
 *
 * 90000 operations: four deviations of a mean are then 1.3 % of an exponential's, 0.8 % of a full one's.
 */
enum { DRAWS = 90000, RETRIES = 10, SIDE = 1 << 7, NODES = SIDE * SIDE };
static const double base = 100e6;

/* How delays are cut: settings, and the same in numbers for the formulas. */
enum cut { CUT_BEFORE, CUT_AFTER, CUT_BOTH, CUT_TRUNCATE };
struct mode {
	const char *cap, *cap_at, *floor;
	double most, least;
	enum cut cut;
};

static const struct mode modes[] = {
    {"off", "before", "0s", 1e30, 0.0, CUT_BEFORE},
    {"1s", "before", "150ms", 1e9, 150e6, CUT_BEFORE},
    {"1s", "after", "0s", 1e9, 0.0, CUT_AFTER},
    {"1s", "both", "150ms", 1e9, 150e6, CUT_BOTH},
    {"1s", "truncate", "150ms", 1e9, 150e6, CUT_TRUNCATE},
};
enum { MODES = sizeof modes / sizeof *modes };

static double clip(double x, double least, double most)
{
	return fmax(fmin(x, most), least);
}

/* Uniform on [lo, hi] at its quantile u, cut as the mode says. */
static double uniform(const struct mode *m, double lo, double hi, double u, bool is_capped)
{
	if (m->cut == CUT_TRUNCATE) {
		lo = clip(lo, m->least, m->most);
		hi = clip(hi, m->least, m->most);
	}
	return clip(lo + (hi - lo) * u, m->least, m->cut == CUT_BEFORE && !is_capped ? 1e30 : m->most);
}

/*
 * The manual's formulas, as functions of the un-jittered delay d, of a uniform number u and of what came before: x is the last
 * delay for those that say so.
 */
static double full(const struct mode *m, double d, double u, double x)
{
	(void)x;
	return uniform(m, 0.0, d, u, false);
}

static double none(const struct mode *m, double d, double u, double x)
{
	(void)x;
	return uniform(m, d, d, u, false);
}

static double equal(const struct mode *m, double d, double u, double x)
{
	(void)x;
	return uniform(m, d / 2.0, d, u, false);
}

static double range(const struct mode *m, double d, double u, double x)
{
	(void)x;
	return uniform(m, 0.8 * d, 1.3 * d, u, false);
}

static double proportional(const struct mode *m, double d, double u, double x)
{
	(void)x;
	return uniform(m, 0.75 * d, 1.25 * d, u, false);
}

static double additive(const struct mode *m, double d, double u, double x)
{
	(void)x;
	return uniform(m, d, d + 300e6, u, false);
}

static double exponential(const struct mode *m, double d, double u, double x)
{
	(void)x;
	return clip(-d * log1p(-u), m->least, m->most);
}

static double decorrelated(const struct mode *m, double d, double u, double x)
{
	(void)d;
	return uniform(m, base, fmax(3.0 * x, base), u, true);
}

static double decorrelated2(const struct mode *m, double d, double u, double x)
{
	(void)d;
	return uniform(m, base, fmax(2.0 * x, base), u, true);
}

static double rising(const struct mode *m, double d, double u, double x)
{
	(void)d;
	return uniform(m, x, 3.0 * x, u, true);
}

struct law {
	const char *jitter;
	double (*wait)(const struct mode *, double d, double u, double x);
	bool is_chain;
};

static const struct law laws[] = {
    {"none", none, false},
    {"full", full, false},
    {"equal", equal, false},
    {"range 0.8 1.3", range, false},
    {"proportional 25%", proportional, false},
    {"additive 300ms", additive, false},
    {"exponential", exponential, false},
    {"decorrelated", decorrelated, true},
    {"decorrelated 2", decorrelated2, true},
    {"rising", rising, true},
    {"polly", NULL, false},
};
enum { LAWS = sizeof laws / sizeof *laws };

/* --- distributions by quadrature: NODES values of equal weight ----------------------------------------------------------- */

static double polly_curve(double t)
{
	return base / 1.4 * pow(2.0, t) * tanh(2.0 * sqrt(t));
}

static void polly_nodes(const struct mode *m, uint32_t k, double *x)
{
	for (int i = 0; i < SIDE; i++)
		for (int j = 0; j < SIDE; j++) {
			double before = k > 1 ? polly_curve(k - 2 + (i + 0.5) / SIDE) : 0.0;

			x[i * SIDE + j] = clip(polly_curve(k - 1 + (j + 0.5) / SIDE) - before, m->least, m->most);
		}
}

static int ascending(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* The next delay of a chain: SIDE representatives of the sorted last one's nodes, each with SIDE quantiles. */
static void chain_nodes(const struct law *l, const struct mode *m, uint32_t k, double *x)
{
	static double last[SIDE];

	if (k > 1)
		qsort(x, NODES, sizeof *x, ascending);
	for (int i = 0; i < SIDE; i++) {
		last[i] = k > 1 ? 0.0 : base;
		for (int j = 0; k > 1 && j < SIDE; j++)
			last[i] += x[i * SIDE + j] / SIDE;
	}
	for (int i = 0; i < SIDE; i++)
		for (int j = 0; j < SIDE; j++)
			x[i * SIDE + j] = l->wait(m, 0.0, (j + 0.5) / SIDE, last[i]);
}

static void nodes(const struct law *l, const struct mode *m, uint32_t k, double *x)
{
	double d = base * pow(2.0, k - 1.0);

	if (!l->wait) {
		polly_nodes(m, k, x);
	} else if (l->is_chain) {
		chain_nodes(l, m, k, x);
	} else {
		for (int i = 0; i < NODES; i++)
			x[i] = l->wait(m, m->cut == CUT_AFTER ? d : fmin(d, m->most), (i + 0.5) / NODES, 0.0);
	}
}

struct moments {
	double mean, variance, fourth, at_cap, at_floor;
};

static struct moments moments(const double *x, size_t n, const struct mode *m)
{
	struct moments r = {.mean = 0.0};

	for (size_t i = 0; i < n; i++) {
		r.mean += x[i] / (double)n;
		r.at_cap += x[i] >= m->most - 1.0;
		r.at_floor += x[i] <= m->least;
	}
	for (size_t i = 0; i < n; i++) {
		double square = (x[i] - r.mean) * (x[i] - r.mean);

		r.variance += square / (double)n;
		r.fourth += square * square / (double)n;
	}
	r.at_cap /= (double)n;
	r.at_floor /= (double)n;
	return r;
}

/* --- the tests ------------------------------------------------------------------------------------------------------------- */

static void configure(struct st_backoff_cfg *c, const struct mode *m, const char *jitter)
{
	*c = (struct st_backoff_cfg){0};
	for (const struct st_param *p = st_backoff_params; p->name; p++)
		st_param_default(p, c);
	build_set(st_backoff_params, c, "cap", m->cap);
	build_set(st_backoff_params, c, "cap_at", m->cap_at);
	build_set(st_backoff_params, c, "floor", m->floor);
	c->jitter = build_jitter(jitter);
}

static void release(struct st_backoff_cfg *c)
{
	for (const struct st_param *p = st_backoff_params; p->name; p++)
		st_param_release(p, c);
}

static struct st_rng stream(uint32_t client, uint32_t k)
{
	struct st_rng_family family = st_rng_family(17, 0);

	return st_rng_open(&family, client, 0, k, ST_RNG_BACKOFF);
}

static st_time draw(const struct st_backoff *b, uint32_t client, uint32_t k, st_time *previous)
{
	struct st_rng r = stream(client, k);

	return st_backoff_wait(b, k, ST_OUTCOME_TIMEOUT, previous, &r);
}

/* Draw retry k of every operation into x; each must be within the row's ends given its own past. */
static void draw_all(const struct st_backoff *b, uint32_t k, st_time *previous, double *x)
{
	for (uint32_t i = 0; i < DRAWS; i++) {
		st_time past[2] = {previous[i], previous[i]};
		double lo = st_backoff_quantile(b, k, false, &past[0], 0.0), hi = st_backoff_quantile(b, k, false, &past[1], 1.0);

		x[i] = (double)draw(b, i, k, &previous[i]);
		if (x[i] < lo - 1.0 || x[i] > hi + 1.0)
			ck_abort_msg("%s: retry %u: %g is not in [%g, %g]", b->jitter->choice.name, k, x[i], lo, hi);
	}
}

static void compare(const char *what, double got, double want, double variance, double slack)
{
	double most = 4.0 * sqrt(variance / DRAWS) + slack;

	ck_assert_msg(fabs(got - want) <= most, "%s: %g, want %g within %g", what, got, want, most);
}

START_TEST(the_kth_delay_has_its_law)
{
	const struct law *l = &laws[_i / MODES];
	const struct mode *m = &modes[_i % MODES];
	struct st_backoff_cfg c;
	struct st_backoff b;
	double *x = st_calloc(DRAWS, sizeof *x), *node = st_calloc(NODES, sizeof *node);
	st_time *previous = st_calloc(DRAWS, sizeof *previous);

	configure(&c, m, l->jitter);
	st_backoff_init(&b, &c);
	for (uint32_t i = 0; i < DRAWS; i++)
		previous[i] = st_backoff_first(&b);
	/* A chain without a cap soon has no fourth moment to speak of: check_backoff.c has its means. */
	for (uint32_t k = 1; k <= (l->is_chain && m->most > 1e20 ? 1 : RETRIES); k++) {
		char what[80];

		nodes(l, m, k, node);
		draw_all(&b, k, previous, x);
		struct moments want = moments(node, NODES, m), got = moments(x, DRAWS, m);
		snprintf(what, sizeof what, "%s, %s %s %s, retry %u", l->jitter, m->cap, m->cap_at, m->floor, k);
		compare(what, got.mean, want.mean, want.variance, 1e-3 * want.mean);
		compare(what, got.variance, want.variance, want.fourth - want.variance * want.variance,
		    3e-3 * want.variance + 2e-4 * want.mean * want.mean);
		compare(what, got.at_cap, want.at_cap, want.at_cap * (1.0 - want.at_cap), 3e-3);
		compare(what, got.at_floor, want.at_floor, want.at_floor * (1.0 - want.at_floor), 3e-3);
	}
	release(&c);
	free(x);
	free(node);
	free(previous);
}
END_TEST

START_TEST(every_jitter_has_a_law)
{
	for (size_t i = 0; st_jitter_at(i); i++) {
		const char *name = st_jitter_at(i)->choice.name;
		size_t k = 0;

		while (k < LAWS && strncmp(laws[k].jitter, name, strlen(name)) != 0)
			k++;
		ck_assert_msg(k < LAWS, "%s", name);
	}
}
END_TEST

/* --- figures that are known ------------------------------------------------------------------------------------------------- */

/* The share of draws of retry k that hold. */
static double share_below(const struct st_backoff *b, uint32_t k, double most)
{
	int n = 0;

	for (uint32_t i = 0; i < DRAWS; i++) {
		st_time previous = st_backoff_first(b), w = 0;

		for (uint32_t a = b->jitter->carry == ST_CARRY_NOTHING ? k : 1; a <= k; a++)
			w = draw(b, i, a, &previous);
		n += (double)w <= most;
	}
	return n / (double)DRAWS;
}

/* In units of the base: the medians and longest delays that a simulation of Polly's own code has. */
START_TEST(polly_has_the_medians_of_polly)
{
	static const double median[] = {0.90, 1.14, 2.02, 4.00}, longest[] = {1.38, 2.84, 4.35, 8.64};
	struct st_backoff_cfg c;
	struct st_backoff b;

	configure(&c, &modes[0], "polly");
	st_backoff_init(&b, &c);
	for (uint32_t k = 1; k <= 4; k++) {
		ck_assert_double_eq_tol(share_below(&b, k, median[k - 1] * base), 0.5, 0.01);
		ck_assert_double_eq(share_below(&b, k, longest[k - 1] * base), 1.0);
		ck_assert_double_gt(1.0 - share_below(&b, k, 0.9 * longest[k - 1] * base), 0.0);
	}
	release(&c);
}
END_TEST

/* Finagle's decorrelated backoff never falls. */
START_TEST(rising_never_falls)
{
	struct st_backoff_cfg c;
	struct st_backoff b;

	configure(&c, &modes[1], "rising");
	st_backoff_init(&b, &c);
	for (uint32_t i = 0; i < 2000; i++) {
		st_time previous = st_backoff_first(&b), last = 0;

		for (uint32_t k = 1; k <= 20; k++) {
			st_time w = draw(&b, i, k, &previous);

			ck_assert_int_ge(w, last);
			last = w;
		}
		ck_assert_int_eq(last, ST_SEC);
	}
	release(&c);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("jitter");
	TCase *tc = tcase_create("laws");

	tcase_set_timeout(tc, 60);
	tcase_add_loop_test(tc, the_kth_delay_has_its_law, 0, LAWS * MODES);
	tcase_add_test(tc, every_jitter_has_a_law);
	tcase_add_test(tc, polly_has_the_medians_of_polly);
	tcase_add_test(tc, rising_never_falls);
	suite_add_tcase(s, tc);
	return tap_main(s);
}
