#include <config.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "build.h"
#include "model/schedule.h"
#include "tap_main.h"

/*
 * Schedules against the policies that they tell of: delays as the simulator draws them, and formulas. Every row of the tables of shapes
 * and jitters is visited.
 */
enum { DRAWS = 20000, RETRIES = 10 };

static void defaults(struct st_backoff_cfg *c)
{
	*c = (struct st_backoff_cfg){0};
	for (const struct st_param *p = st_backoff_params; p->name; p++)
		st_param_default(p, c);
}

static void release(struct st_backoff_cfg *c)
{
	for (const struct st_param *p = st_backoff_params; p->name; p++)
		st_param_release(p, c);
}

/* The first n delays of a policy: "base 1s; jitter full". */
static void schedule(const char *policy, bool throttled, size_t n, struct st_delay *d)
{
	struct st_backoff_cfg c;
	struct st_backoff b;
	struct st_schedule s;
	char *text = st_strdup(policy), *rest = text;

	defaults(&c);
	for (char *item; (item = strtok_r(rest, ";", &rest));) {
		item += strspn(item, " ");
		char *value = strchr(item, ' ');
		*value++ = '\0';
		build_set(st_backoff_params, &c, item, value);
	}
	st_backoff_init(&b, &c);
	st_schedule_init(&s, &b, throttled);
	for (size_t k = 0; k < n; k++)
		st_schedule_next(&s, &d[k]);
	st_schedule_release(&s);
	release(&c);
	free(text);
}

/* got is within `tolerance` of want, relatively. */
static void near(const char *what, size_t k, double got, double want, double tolerance)
{
	ck_assert_msg(fabs(got - want) <= tolerance * fabs(want) + 1.0, "%s, retry %zu: %.9g, want %.9g", what, k, got, want);
}

/* --- against what is drawn ------------------------------------------------------------------------------------------------ */

static const char *const cuts[][3] = {
    {"off", "before", "0s"}, {"1s", "before", "150ms"}, {"1s", "after", "0s"}, {"1s", "both", "150ms"}, {"1s", "truncate", "150ms"}};
enum { CUTS = sizeof cuts / sizeof *cuts };

struct drawn {
	double wait[DRAWS], since[DRAWS];
	st_time previous[DRAWS];
};

static void draw(const struct st_backoff *b, uint32_t k, struct drawn *x)
{
	struct st_rng_family family = st_rng_family(23, 0);

	for (uint32_t i = 0; i < DRAWS; i++) {
		struct st_rng r = st_rng_open(&family, i, 0, k, ST_RNG_BACKOFF);

		x->wait[i] = (double)st_backoff_wait(b, k, ST_OUTCOME_TIMEOUT, &x->previous[i], &r);
		x->since[i] += x->wait[i];
	}
}

/* Mean and variance within 4.5 of their deviations, and slack for the schedule's own accuracy. */
static void compare_moments(const char *what, const double *x, double mean, double sd)
{
	double m = 0.0, square = 0.0, fourth = 0.0;

	for (int i = 0; i < DRAWS; i++)
		m += x[i] / DRAWS;
	for (int i = 0; i < DRAWS; i++) {
		double s = (x[i] - m) * (x[i] - m);

		square += s / DRAWS;
		fourth += s * s / DRAWS;
	}
	ck_assert_msg(fabs(m - mean) <= 4.5 * sqrt(square / DRAWS) + 2e-3 * mean + 1.0, "%s: mean %g, want %g", what, mean, m);
	if (!isnan(sd))
		ck_assert_msg(fabs(square - sd * sd) <= 4.5 * sqrt((fourth - square * square) / DRAWS) + 4e-3 * square + 1.0,
		    "%s: sd %g, want %g", what, sd, sqrt(square));
}

static double share(const double *x, double from, double to)
{
	int n = 0;

	for (int i = 0; i < DRAWS; i++)
		n += x[i] >= from && x[i] <= to;
	return n / (double)DRAWS;
}

static void compare_share(const char *what, double got, double want)
{
	ck_assert_msg(fabs(got - want) <= 4.5 * sqrt(fmax(want * (1.0 - want), 1e-4) / DRAWS) + 2e-3, "%s: %g, want %g", what, got, want);
}

static void compare(const char *what, const struct st_backoff *b, const struct st_delay *d, const struct drawn *x)
{
	compare_moments(what, x->wait, d->mean, d->sd);
	compare_moments(what, x->since, d->average, (double)NAN);
	ck_assert_msg(share(x->wait, d->min - 1.0, d->max + 1.0) >= 1.0, "%s: not within [%g, %g]", what, d->min, d->max);
	ck_assert_msg(share(x->since, d->earliest - 11.0, d->latest + 11.0) >= 1.0, "%s: not within [%g, %g]", what, d->earliest, d->latest);
	ck_assert_msg(share(x->wait, 0.0, d->p99 + 1.0) >= 0.99 - 0.006, "%s: p99 %g", what, d->p99);
	ck_assert_msg(share(x->wait, 0.0, d->p99 - 1.0) <= 0.99 + 0.006, "%s: p99 %g", what, d->p99);
	if (!isnan(d->at_cap))
		compare_share(what, d->at_cap, share(x->wait, (double)b->cfg.cap, (double)b->cfg.cap));
	if (!isnan(d->at_floor))
		compare_share(what, d->at_floor, share(x->wait, 0.0, (double)b->cfg.floor));
}

static size_t count_jitters(void)
{
	size_t n = 0;

	while (st_jitter_at(n))
		n++;
	return n;
}

static size_t count_shapes(void)
{
	size_t n = 0;

	while (st_shape_at(n))
		n++;
	return n;
}

/* Of the first shape every way to cut, of the others one each. */
START_TEST(a_schedule_is_that_of_the_draws)
{
	size_t shape = (size_t)_i / count_jitters(), cut = shape % CUTS;
	const struct st_jitter *j = st_jitter_at((size_t)_i % count_jitters());
	struct drawn *x = st_calloc(1, sizeof *x);
	struct st_backoff_cfg c;

	if (shape >= count_shapes()) {
		cut = shape - count_shapes() + 1;
		shape = 0;
	}
	defaults(&c);
	c.shape = (unsigned)shape;
	c.jitter = (struct st_jitter_cfg){.kind = (unsigned)((size_t)_i % count_jitters()),
	    .arg = {j->usual > 0.0 ? j->usual : j->arg[0] == &st_param_time ? 300e6 : 0.8, 1.3}};
	build_set(st_backoff_params, &c, "cap", cuts[cut][0]);
	build_set(st_backoff_params, &c, "cap_at", cuts[cut][1]);
	build_set(st_backoff_params, &c, "floor", cuts[cut][2]);
	struct st_backoff b;
	struct st_schedule s;
	st_backoff_init(&b, &c);
	st_schedule_init(&s, &b, false);
	for (int i = 0; i < DRAWS; i++)
		x->previous[i] = st_backoff_first(&b);
	/* A chain without a cap soon has no fourth moment to speak of. */
	for (uint32_t k = 1; k <= (st_backoff_carries(&b) && cut == 0 ? 3 : RETRIES); k++) {
		struct st_delay d;
		char what[100];

		snprintf(what, sizeof what, "%s %s, cut %zu, retry %u", st_shape_at(shape)->choice.name, j->choice.name, cut, k);
		st_schedule_next(&s, &d);
		draw(&b, k, x);
		compare(what, &b, &d, x);
	}
	st_schedule_release(&s);
	release(&c);
	free(x);
}
END_TEST

/* --- against formulas --------------------------------------------------------------------------------------------------------- */

/* In units of d = 100 ms x 2^(k-1): mean, deviation, ends. */
static const struct {
	const char *policy;
	double mean, sd, min, max;
} multiplied[] = {
    {"jitter none", 1.0, 0.0, 1.0, 1.0},
    {"jitter full", 0.5, 0.2886751346, 0.0, 1.0},
    {"jitter equal", 0.75, 0.1443375673, 0.5, 1.0},
    {"jitter range 0.8 1.3", 1.05, 0.1443375673, 0.8, 1.3},
    {"jitter proportional 20%", 1.0, 0.1154700538, 0.8, 1.2},
    {"jitter exponential", 1.0, 1.0, 0.0, INFINITY},
};

START_TEST(multiplied_delays_have_the_moments_of_their_formulas)
{
	struct st_delay d[RETRIES];

	schedule(multiplied[_i].policy, false, RETRIES, d);
	for (size_t k = 1; k <= RETRIES; k++) {
		double unit = 100e6 * exp2((double)k - 1.0), sum = 100e6 * (exp2((double)k) - 1.0);

		near("mean", k, d[k - 1].mean, multiplied[_i].mean * unit, 2e-5);
		near("deviation", k, d[k - 1].sd, multiplied[_i].sd * unit, 2e-4);
		near("least", k, d[k - 1].min, multiplied[_i].min * unit, 1e-12);
		near("earliest", k, d[k - 1].earliest, multiplied[_i].min * sum, 1e-12);
		near("average", k, d[k - 1].average, multiplied[_i].mean * sum, 2e-5);
		ck_assert(isnan(d[k - 1].at_cap));
		if (isinf(multiplied[_i].max)) {
			ck_assert(isinf(d[k - 1].max) && isinf(d[k - 1].latest));
			near("p99", k, d[k - 1].p99, log(100.0) * unit, 1e-3);
			continue;
		}
		near("most", k, d[k - 1].max, multiplied[_i].max * unit, 1e-12);
		near("latest", k, d[k - 1].latest, multiplied[_i].max * sum, 1e-12);
		near("p99", k, d[k - 1].p99, (0.01 * multiplied[_i].min + 0.99 * multiplied[_i].max) * unit, 1e-4);
		near("window", k, d[k - 1].window, (multiplied[_i].max - multiplied[_i].min) * unit, 1e-3);
	}
}
END_TEST

START_TEST(an_additive_jitter_is_as_wide_at_every_retry)
{
	struct st_delay d[RETRIES];

	schedule("jitter additive 1s", false, RETRIES, d);
	for (size_t k = 1; k <= RETRIES; k++) {
		near("mean", k, d[k - 1].mean, 100e6 * exp2((double)k - 1.0) + 0.5e9, 1e-9);
		near("deviation", k, d[k - 1].sd, 1e9 / sqrt(12.0), 1e-6);
		near("window", k, d[k - 1].window, 1e9, 1e-3);
	}
}
END_TEST

/* U(1, 3x): E = (1 + 3x) / 2, E of the square = (1 + 3x + 9x^2) / 3. U(x, 3x): 2x and 13/3 x^2. In units of the base. */
START_TEST(chains_have_the_moments_of_their_recursions)
{
	struct st_delay d[RETRIES], r[RETRIES];
	double mean = 1.0, square = 1.0;

	schedule("jitter decorrelated", false, RETRIES, d);
	schedule("jitter rising", false, RETRIES, r);
	for (size_t k = 1; k <= RETRIES; k++) {
		square = (1.0 + 3.0 * mean + 9.0 * square) / 3.0;
		mean = (1.0 + 3.0 * mean) / 2.0;
		near("decorrelated mean", k, d[k - 1].mean, 100e6 * mean, 2e-3);
		near("rising mean", k, r[k - 1].mean, 100e6 * exp2((double)k), 2e-3);
		near("decorrelated earliest", k, d[k - 1].earliest, 100e6 * (double)k, 1e-9);
		near("decorrelated most", k, d[k - 1].max, 100e6 * pow(3.0, (double)k), 1e-9);
		near("decorrelated latest", k, d[k - 1].latest, 100e6 * 1.5 * (pow(3.0, (double)k) - 1.0), 1e-9);
		near("rising least", k, r[k - 1].min, 100e6, 1e-9);
		/* The tail outgrows the grid: from the fifth retry on the deviation is told too small by some per cent. */
		near("decorrelated deviation", k, d[k - 1].sd, 100e6 * sqrt(square - mean * mean), k <= 4 ? 0.01 : 0.1);
		near("rising deviation", k, r[k - 1].sd, 100e6 * sqrt(pow(13.0 / 3.0, (double)k) - pow(4.0, (double)k)), k <= 4 ? 0.01 : 0.1);
	}
}
END_TEST

/* However it steps, Polly's client is between F(k-1) and F(k) after k waits. */
START_TEST(polly_walks_along_its_curve)
{
	struct st_delay d[RETRIES];
	double before = 0.0;

	schedule("jitter polly; base 1s", false, RETRIES, d);
	for (size_t k = 1; k <= RETRIES; k++) {
		double here = 1e9 / 1.4 * exp2((double)k) * tanh(sqrt(4.0 * (double)k)), sum = 0.0;

		for (int i = 0; i < 20000; i++) {
			double t = (double)k - 1.0 + (i + 0.5) / 20000.0;

			sum += 1e9 / 1.4 * exp2(t) * tanh(sqrt(4.0 * t)) / 20000.0;
		}
		near("earliest", k, d[k - 1].earliest, before, 1e-3);
		near("latest", k, d[k - 1].latest, here, 1e-3);
		near("average", k, d[k - 1].average, sum, 1e-3);
		before = here;
	}
}
END_TEST

/* --- where delays pile up ------------------------------------------------------------------------------------------------------ */

static const struct {
	const char *policy;
	size_t k;
	double at_cap, at_floor; /* NAN: there is none */
} piles[] = {
    /* Kafka: a fifth either way, clamped: half of the saturated delays are the cap itself. */
    {"base 100ms; cap 1s; jitter proportional 20%; cap_at both", 6, 0.5, NAN},
    {"base 100ms; cap 1s; jitter proportional 20%; cap_at before", 6, 0.0, NAN},
    {"base 100ms; cap 1s; jitter proportional 20%; cap_at truncate", 6, 0.0, NAN},
    {"base 100ms; cap 1s; jitter none", 5, 1.0, NAN},
    {"base 100ms; cap 1s; jitter none", 4, 0.0, NAN},
    /* redis-py: 8 ms x 2^k, full, cut at 1 s after it. */
    {"base 8ms; first_exponent 1; cap 1s; jitter full; cap_at after", 10, 1.0 - 1.0 / 8.192, NAN},
    {"base 1s; cap 2s; jitter exponential", 1, 0.1353352832, NAN},
    /* Stripe: half to whole of 500 ms, and 500 ms at least. */
    {"base 500ms; floor 500ms; jitter equal", 1, NAN, 1.0},
    {"base 500ms; floor 500ms; jitter equal", 2, NAN, 0.0},
    {"base 1s; floor 250ms; jitter full", 1, NAN, 0.25},
    /* In the long run, by a simulation of two million chains. */
    {"base 1ms; cap 1s; jitter decorrelated", 40, 0.2422, NAN},
    {"base 1s; cap 20s; jitter full; tail_from 5", 5, 0.0, NAN},
    {"base 1s; cap 10s; jitter full; tail_from 5", 5, 1.0, NAN},
    {"base 1s; cap 10s; jitter full; head [10s]", 1, 1.0, NAN},
};

START_TEST(the_mass_at_the_ends)
{
	struct st_delay d[40];

	schedule(piles[_i].policy, false, piles[_i].k, d);
	const struct st_delay *last = &d[piles[_i].k - 1];
	if (isnan(piles[_i].at_cap))
		ck_assert(isnan(last->at_cap));
	else
		ck_assert_double_eq_tol(last->at_cap, piles[_i].at_cap, strstr(piles[_i].policy, "decorr") ? 1e-3 : 1e-4);
	if (isnan(piles[_i].at_floor))
		ck_assert(isnan(last->at_floor));
	else
		ck_assert_double_eq_tol(last->at_floor, piles[_i].at_floor, 1e-4);
}
END_TEST

START_TEST(atoms_are_found)
{
	struct st_delay d[2];

	schedule("base 100ms; jitter full; quantum 25ms", false, 2, d);
	ck_assert_uint_eq(d[0].natoms, 4);
	for (size_t i = 0; i < 4; i++) {
		ck_assert_double_eq(d[0].atom[i].at, 25e6 * (double)i);
		ck_assert_double_eq_tol(d[0].atom[i].share, 0.25, 1e-4);
	}
	ck_assert_double_eq(d[0].window, 0.0);
	schedule("base 100ms; jitter full", false, 2, d);
	ck_assert_uint_eq(d[0].natoms, 0);
}
END_TEST

/* --- patience ----------------------------------------------------------------------------------------------------------------- */

static const struct {
	const char *policy;
	size_t retries;
	double seconds;
} patience[] = {
    /* An outage of 53 s outlasts the first two of these, not the third. */
    {"base 250ms; jitter none", 3, 1.75},
    {"shape table; delays [1s, 2s, 4s, 8s, 8s]; jitter none", 5, 23.0},
    {"shape table; delays [10s, 60s]; jitter none", 2, 70.0},
    /* Five times longer each time: after 26.5 h the next try is due after 130.2 h; with a cap of 24 h after 50 h. */
    {"base 10m; factor 5; jitter none", 5, 7810.0 * 60.0},
    {"base 10m; factor 5; cap 24h; jitter none", 5, (10.0 + 50.0 + 250.0 + 1250.0 + 1440.0) * 60.0},
    {"head [0s, 1s]; base 1s; jitter none", 3, 5.0},
    {"shape immediate", 3, 0.0},
};

START_TEST(patience_is_the_sum)
{
	struct st_delay d[RETRIES];

	schedule(patience[_i].policy, false, patience[_i].retries, d);
	const struct st_delay *last = &d[patience[_i].retries - 1];
	ck_assert_double_eq(last->earliest, patience[_i].seconds * 1e9);
	ck_assert_double_eq_tol(last->average, patience[_i].seconds * 1e9, 1.0);
	ck_assert_double_eq(last->latest, patience[_i].seconds * 1e9);
}
END_TEST

START_TEST(throttling_has_a_schedule_of_its_own)
{
	const char *policy = "base 50ms; cap 20s; jitter full; throttle.on [429]; throttle.base 1s";
	struct st_delay d[2];

	schedule(policy, false, 2, d);
	near("usual", 2, d[1].max, 100e6, 1e-9);
	schedule(policy, true, 2, d);
	near("throttled", 2, d[1].max, 2e9, 1e-9);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("schedule");
	TCase *tc = tcase_create("all");

	tcase_set_timeout(tc, 120);
	tcase_add_loop_test(tc, a_schedule_is_that_of_the_draws, 0, (int)(count_jitters() * (count_shapes() + CUTS - 1)));
	tcase_add_loop_test(tc, multiplied_delays_have_the_moments_of_their_formulas, 0, sizeof multiplied / sizeof *multiplied);
	tcase_add_test(tc, an_additive_jitter_is_as_wide_at_every_retry);
	tcase_add_test(tc, chains_have_the_moments_of_their_recursions);
	tcase_add_test(tc, polly_walks_along_its_curve);
	tcase_add_loop_test(tc, the_mass_at_the_ends, 0, sizeof piles / sizeof *piles);
	tcase_add_test(tc, atoms_are_found);
	tcase_add_loop_test(tc, patience_is_the_sum, 0, sizeof patience / sizeof *patience);
	tcase_add_test(tc, throttling_has_a_schedule_of_its_own);
	suite_add_tcase(s, tc);
	return tap_main(s);
}
