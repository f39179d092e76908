#include <config.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "experiment/grid.h"
#include "experiment/preset.h"
#include "experiment/scenario.h"
#include "tap_main.h"

/*
 * Every preset against its library: the first ten waits against the library's own formula, written here once more as the library
 * writes it, and what it retries, how often, what it makes of a Retry-After, and what its budget does in a run.
 */
enum { DRAWS = 10000, SIDE = 100, NODES = SIDE * SIDE, RETRIES = 10 };

/* By Dvoretzky, Kiefer and Wolfowitz a sample of this size strays so far from its distribution with odds of 3e-8. */
static const double stray = 0.03;

/* --- the libraries' formulas -------------------------------------------------------------------------------------------- */

/* Seconds before retry n = 1, 2, ...; u is the uniform number drawn for it, v the one of the retry before. */
typedef double (*waits)(int n, double u, double v);

static double doubled(double base, int n, double most)
{
	return fmin(base * pow(2.0, n - 1), most);
}

static double whole_ms(double s)
{
	return floor(s * 1000.0 + 1e-9) / 1000.0;
}

#define WAITS(library) static double library(int n, double u, double v)
#define UNUSED(x) ((void)(x))

WAITS(aws_legacy) { UNUSED(v); return u * pow(2.0, n - 1); }
WAITS(aws_dynamodb) { UNUSED(u), UNUSED(v); return 0.05 * pow(2.0, n - 1); }
WAITS(aws_standard) { UNUSED(v); return u * fmin(pow(2.0, n - 1), 20.0); }
WAITS(aws_2026) { UNUSED(v); return u * doubled(0.05, n, 20.0); }
WAITS(aws_2026_throttled) { UNUSED(v); return u * doubled(1.0, n, 20.0); }
WAITS(aws_js) { UNUSED(v); return whole_ms(u * doubled(0.1, n, 20.0)); }
WAITS(aws_js_throttled) { UNUSED(v); return whole_ms(u * doubled(0.5, n, 20.0)); }
WAITS(aws_go) { UNUSED(v); return n > 4 ? 20.0 : u * pow(2.0, n); }
WAITS(grpc) { UNUSED(v); return doubled(0.1, n, 1.0) * (0.8 + 0.4 * u); }
WAITS(grpc_connect) { UNUSED(v); return n == 1 ? 1.0 : fmin(pow(1.6, n - 1), 120.0) * (1.0 + 0.2 * (2.0 * u - 1.0)); }
WAITS(envoy) { UNUSED(v); return floor(u * doubled(25.0, n, 250.0)) / 1000.0; }
WAITS(at_once) { UNUSED(n), UNUSED(u), UNUSED(v); return 0.0; }
WAITS(google) { UNUSED(v); return u * doubled(1.0, n, 60.0); }
WAITS(one_second) { UNUSED(n), UNUSED(u), UNUSED(v); return 1.0; }
WAITS(half_a_second) { UNUSED(n), UNUSED(u), UNUSED(v); return 0.5; }
WAITS(two_seconds) { UNUSED(n), UNUSED(u), UNUSED(v); return 2.0; }
WAITS(retryablehttp) { UNUSED(u), UNUSED(v); return doubled(1.0, n, 30.0); }
WAITS(openai) { UNUSED(v); return doubled(0.5, n, 8.0) * (1.0 - 0.25 * u); }
WAITS(stripe) { UNUSED(v); return fmax(0.5, doubled(0.5, n, 5.0) * 0.5 * (1.0 + u)); }
WAITS(stripe_node) { UNUSED(v); return fmax(0.5, fmin(0.5 * pow(2.0, n - 2), 5.0) * 0.5 * (1.0 + u)); }
WAITS(stripe_go) { UNUSED(v); return fmax(0.5, fmin(0.5 + 0.5 * (n - 1) * (n - 1), 5.0) * (0.75 + 0.25 * u)); }
WAITS(azcore) { UNUSED(v); return fmin((pow(2.0, n) - 1.0) * 0.8 * (u / 2.0 + 0.8), 60.0); }
WAITS(got) { UNUSED(v); return pow(2.0, n - 1) + 0.1 * u; }
WAITS(node_retry) { UNUSED(u), UNUSED(v); return pow(2.0, n - 1); }
WAITS(async_retry) { UNUSED(v); return (1.0 + u) * pow(2.0, n - 1); }
WAITS(cenkalti) { UNUSED(v); return fmin(0.5 * pow(1.5, n - 1), 60.0) * (0.5 + u); }
WAITS(redis) { UNUSED(v); return fmin(1.0, u * 0.01 * pow(2.0, n)); }
WAITS(ioredis_5) { UNUSED(u), UNUSED(v); return fmin(50.0 * n, 2000.0) / 1000.0; }
WAITS(ioredis) { UNUSED(v); return (1000.0 * doubled(0.05, n, 5.0) + floor(200.0 * u)) / 1000.0; }
WAITS(lettuce) { UNUSED(u), UNUSED(v); return doubled(0.001, n, 30.0); }
WAITS(k8s_conflict) { UNUSED(n), UNUSED(v); return 0.01 + u * 0.1 * 0.01; }
WAITS(systemd) { UNUSED(n), UNUSED(u), UNUSED(v); return 0.1; }

/* The exponent stops growing where the interval has reached its maximum. */
WAITS(kafka)
{
	double exponent = fmin(n - 1, log(1000.0 / 100.0) / log(2.0));

	UNUSED(v);
	return fmin(floor((0.8 + 0.4 * u) * 100.0 * pow(2.0, exponent) + 1e-9), 1000.0) / 1000.0;
}

/* 31 whole numbers of per cent. */
WAITS(cassandra)
{
	double jitter = floor(u * 31.0) + 85.0;

	UNUSED(v);
	return fmin(fmax(jitter / 100.0 * doubled(1.0, n, 60.0), 1.0), 60.0);
}

static double polly_curve(double t)
{
	return pow(2.0, t) * tanh(sqrt(4.0 * t));
}

WAITS(polly)
{
	double before = n > 1 ? polly_curve(n - 2 + v) : 0.0;

	return (polly_curve(n - 1 + u) - before) * 2.0 / 1.4;
}

/* --- and what they make of a Retry-After -------------------------------------------------------------------------------- */

#define GIVES_UP (-1.0)

/* Seconds, from their own backoff and what the server asks for; u is uniform. */
typedef double (*hears)(double own, double hint, double u);

#define HEARS(library) static double library(double own, double hint, double u)
HEARS(deaf) { UNUSED(hint), UNUSED(u); return own; }
HEARS(within_5s) { UNUSED(u); return fmax(own, fmin(hint, own + 5.0)); }
HEARS(exactly) { UNUSED(own), UNUSED(u); return hint; }
HEARS(envoys) { return hint > 300.0 ? own : hint * (1.0 + 0.5 * u); }
HEARS(openais) { UNUSED(u); return hint > 120.0 ? GIVES_UP : hint > 0.0 ? hint : own; }
HEARS(anthropics) { UNUSED(u); return hint > 0.0 && hint <= 60.0 ? hint : own; }
HEARS(azcores) { UNUSED(u); return hint > 60.0 ? GIVES_UP : hint > 0.0 ? hint : own; }

/* --- the table ----------------------------------------------------------------------------------------------------------- */

#define TRANSPORT "timeout, refused, reset"
#define AWS "[" TRANSPORT ", 429, 500, 502, 503, 504]"
#define AWS_LEGACY "[" TRANSPORT ", 429, 500, 502, 503, 504, 509]"

static const struct law {
	const char *preset, *on;
	uint64_t attempts;
	waits wait, throttled; /* throttled: NULL if it is the same */
	hears hint;
} laws[] = {
    {"aws-legacy", AWS_LEGACY, 5, aws_legacy, NULL, deaf},
    {"aws-legacy-dynamodb", AWS_LEGACY, 10, aws_dynamodb, NULL, deaf},
    {"aws-standard", AWS, 3, aws_standard, NULL, deaf},
    {"aws-2026", AWS, 3, aws_2026, aws_2026_throttled, within_5s},
    {"aws-js", AWS, 3, aws_js, aws_js_throttled, within_5s},
    {"aws-go", AWS, 3, aws_go, NULL, deaf},
    {"aws-adaptive", AWS, 3, aws_standard, NULL, deaf},
    {"grpc-a6", "[refused, reset, 503]", 4, grpc, NULL, exactly},
    {"grpc-connect", "[" TRANSPORT "]", ST_UNLIMITED, grpc_connect, NULL, deaf},
    {"envoy", "[5xx, " TRANSPORT "]", 2, envoy, NULL, deaf},
    {"envoy-budget", "[5xx, " TRANSPORT "]", 2, envoy, NULL, envoys},
    {"istio", "[refused, 503]", 3, envoy, NULL, deaf},
    {"finagle", "[refused, 503]", ST_UNLIMITED, at_once, NULL, deaf},
    {"linkerd-profile", "[5xx]", ST_UNLIMITED, at_once, NULL, deaf},
    {"google-python", "[refused, reset, 429, 500, 503]", ST_UNLIMITED, google, NULL, deaf},
    {"dotnet-http", "[5xx, " TRANSPORT ", 408, 429]", 4, polly, NULL, exactly},
    {"fixed-1s", "[any]", 3, one_second, NULL, deaf},
    {"resilience4j", "[any]", 3, half_a_second, NULL, deaf},
    {"polly", "[any]", 4, two_seconds, NULL, deaf},
    {"retryablehttp", "[5xx, -501, " TRANSPORT ", 429]", 5, retryablehttp, NULL, exactly},
    {"openai", "[5xx, " TRANSPORT ", 408, 409, 429]", 3, openai, NULL, openais},
    {"anthropic", "[5xx, " TRANSPORT ", 408, 409, 429]", 3, openai, NULL, anthropics},
    {"stripe", "[5xx, " TRANSPORT ", 409]", 3, stripe, NULL, deaf},
    {"stripe-node", "[5xx, " TRANSPORT ", 409]", 3, stripe_node, NULL, deaf},
    {"stripe-go", "[5xx, " TRANSPORT ", 409]", 3, stripe_go, NULL, deaf},
    {"kafka", "[5xx, " TRANSPORT "]", ST_UNLIMITED, kafka, NULL, deaf},
    {"azcore-go", "[" TRANSPORT ", 408, 429, 500, 502, 503, 504]", 4, azcore, NULL, azcores},
    {"axios-retry", "[5xx, refused, reset, 429]", 4, at_once, NULL, exactly},
    {"got", "[" TRANSPORT ", 408, 413, 429, 500, 502, 503, 504, 521, 522, 524]", 3, got, NULL, exactly},
    {"node-retry", "[any]", 11, node_retry, NULL, deaf},
    {"async-retry", "[any]", 11, async_retry, NULL, deaf},
    {"cenkalti", "[any]", ST_UNLIMITED, cenkalti, NULL, deaf},
    {"redis-py", "[" TRANSPORT "]", 11, redis, NULL, deaf},
    {"ioredis-5", "[" TRANSPORT "]", ST_UNLIMITED, ioredis_5, NULL, deaf},
    {"ioredis", "[" TRANSPORT "]", ST_UNLIMITED, ioredis, NULL, deaf},
    {"lettuce", "[" TRANSPORT "]", ST_UNLIMITED, lettuce, NULL, deaf},
    {"cassandra-reconnect", "[" TRANSPORT "]", ST_UNLIMITED, cassandra, NULL, deaf},
    {"k8s-conflict", "[409]", 5, k8s_conflict, NULL, deaf},
    {"systemd", "[any]", ST_UNLIMITED, systemd, NULL, deaf},
};
enum { LAWS = sizeof laws / sizeof *laws };

START_TEST(every_preset_has_a_law)
{
	for (size_t i = 0; st_preset_at(i); i++) {
		const char *name = st_preset_at(i)->choice.name;
		size_t k = 0;

		while (k < LAWS && strcmp(laws[k].preset, name) != 0)
			k++;
		ck_assert_msg(k < LAWS, "%s", name);
	}
	for (size_t k = 0; k < LAWS; k++)
		ck_assert_msg(st_preset_find(laws[k].preset, NULL), "%s", laws[k].preset);
}
END_TEST

/* --- configurations ------------------------------------------------------------------------------------------------------ */

/* Clients that fail: `retry` is a policy, `rest` the scenario's other lines. */
static void configure(const char *retry, const char *clients, const char *rest, struct st_config *c)
{
	char *text = st_format("duration: 1000s\nservice: {workers: 1000, service_time: 1ms}\n"
			       "clients:\n  all: {%s, retry: %s}\n%s",
	    clients, retry, rest);
	struct st_mistakes m = ST_MISTAKES_INIT;
	struct st_err e = ST_ERR_INIT;
	struct st_node *tree = st_tree_parse(text, "test", &m);

	ck_assert_msg(tree && m.n == 0, "%s", text);
	if (st_scenario_resolve(tree, c, &e))
		ck_abort_msg("%s", e.message[0]);
	st_tree_free(tree);
	free(text);
}

static void configure_preset(const char *name, struct st_config *c)
{
	configure(name, "count: 1, workload: once", "", c);
}

START_TEST(the_rest_is_the_librarys)
{
	const struct law *l = &laws[_i];
	static const struct st_param on = {.name = "on", .type = &st_param_conditions};
	struct st_text t = ST_TEXT_INIT;
	struct st_config c;

	configure_preset(l->preset, &c);
	st_param_print(&on, &c.group[0].retry.on, &t);
	ck_assert_msg(strcmp(t.s, l->on) == 0, "%s: %s, want %s", l->preset, t.s, l->on);
	ck_assert_uint_eq(c.group[0].retry.attempts, l->attempts);
	st_text_release(&t);
	st_config_release(&c);
}
END_TEST

/* --- the waits ------------------------------------------------------------------------------------------------------------ */

static int ascending(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* The quantiles of wait n: values of equal weight, in order. */
static void nodes(waits wait, int n, double *node)
{
	for (int i = 0; i < NODES; i++)
		node[i] = wait(n, (i % SIDE + (i / SIDE + 0.5) / SIDE) / SIDE, (i / SIDE + 0.5) / SIDE);
	qsort(node, NODES, sizeof *node, ascending);
}

static double quantile(const double *node, double p)
{
	double i = floor(p * NODES);

	return node[i < 0.0 ? 0 : i >= NODES ? NODES - 1 : (int)i];
}

/* Sorted draws, in seconds, against the law. */
static void compare(const char *preset, int n, const double *x, const double *node)
{
	double slack = 2e-9 + 1e-12 * node[NODES - 1];

	/* Beyond the outermost nodes there is what one step of the grid may hide. */
	double lo = node[0] - (node[NODES / 100] - node[0]) - slack;
	double hi = node[NODES - 1] + (node[NODES - 1] - node[NODES - NODES / 100]) + slack;

	for (int i = 0; i < DRAWS; i++) {
		double p = (i + 0.5) / DRAWS;
		double least = p > stray ? quantile(node, p - stray) - slack : lo;
		double most = p < 1.0 - stray ? quantile(node, p + stray) + slack : hi;

		if (x[i] < least || x[i] > most)
			ck_abort_msg("%s: retry %d: quantile %g is %.9g, want %.9g to %.9g", preset, n, p, x[i], least, most);
	}
}

static void draw_and_compare(const struct law *l, waits wait, st_outcome outcome)
{
	double *x = st_calloc(DRAWS, sizeof *x), *node = st_calloc(NODES, sizeof *node);
	st_time *previous = st_calloc(DRAWS, sizeof *previous);
	struct st_rng_family family = st_rng_family(17, 0);
	struct st_backoff b;
	struct st_config c;

	configure_preset(l->preset, &c);
	st_backoff_init(&b, &c.group[0].retry.backoff);
	for (int i = 0; i < DRAWS; i++)
		previous[i] = st_backoff_first(&b);
	for (int n = 1; n <= RETRIES; n++) {
		for (uint32_t i = 0; i < DRAWS; i++) {
			struct st_rng r = st_rng_open(&family, i, 0, (uint32_t)n, ST_RNG_BACKOFF);

			x[i] = (double)st_backoff_wait(&b, (uint32_t)n, outcome, &previous[i], &r) / (double)ST_SEC;
		}
		qsort(x, DRAWS, sizeof *x, ascending);
		nodes(wait, n, node);
		compare(l->preset, n, x, node);
	}
	st_config_release(&c);
	free(previous);
	free(node);
	free(x);
}

START_TEST(the_first_ten_waits_are_the_librarys)
{
	const struct law *l = &laws[_i];

	draw_and_compare(l, l->wait, st_outcome_status(500));
	draw_and_compare(l, l->throttled ? l->throttled : l->wait, st_outcome_status(429));
}
END_TEST

/* The share of waits before retry n that are exactly so long. */
static double share_exactly(const char *preset, uint32_t n, st_time wait)
{
	struct st_rng_family family = st_rng_family(18, 0);
	struct st_backoff b;
	struct st_config c;
	int found = 0;

	configure_preset(preset, &c);
	st_backoff_init(&b, &c.group[0].retry.backoff);
	for (uint32_t i = 0; i < DRAWS; i++) {
		struct st_rng r = st_rng_open(&family, i, 0, n, ST_RNG_BACKOFF);
		st_time previous = 0;

		found += st_backoff_wait(&b, n, ST_OUTCOME_TIMEOUT, &previous, &r) == wait;
	}
	st_config_release(&c);
	return (double)found / DRAWS;
}

/* Where jitter is lost: [n, so long, share]. The shares are the libraries' arithmetic, by hand. */
static const struct {
	const char *preset;
	uint32_t n;
	st_time wait;
	double share;
} atoms[] = {
    {"stripe", 1, ST_SEC / 2, 1.0},
    {"stripe", 2, ST_SEC / 2, 0.0},
    {"stripe-go", 1, ST_SEC / 2, 1.0},
    {"stripe-node", 1, ST_SEC / 2, 1.0},
    {"stripe-node", 2, ST_SEC / 2, 1.0},
    {"grpc-connect", 1, ST_SEC, 1.0},
    {"grpc-connect", 2, 1600 * ST_MSEC, 0.0},
    {"aws-go", 4, 16 * ST_SEC, 0.0},
    {"aws-go", 5, 20 * ST_SEC, 1.0},
    {"aws-go", 10, 20 * ST_SEC, 1.0},
    {"kafka", 4, ST_SEC, 0.0},
    {"kafka", 5, ST_SEC, 0.5},
    {"kafka", 10, ST_SEC, 0.5},
    {"redis-py", 8, ST_SEC, 1.0 - 1.0 / 2.56},
    {"redis-py", 9, ST_SEC, 1.0 - 1.0 / 5.12},
    {"redis-py", 10, ST_SEC, 1.0 - 1.0 / 10.24},
    {"cassandra-reconnect", 1, ST_SEC, 16.0 / 31.0},
    {"cassandra-reconnect", 7, 60 * ST_SEC, 16.0 / 31.0},
    {"azcore-go", 6, 60 * ST_SEC, (1.3 - 60.0 / 50.4) / 0.5},
    {"azcore-go", 7, 60 * ST_SEC, 1.0},
    {"envoy", 1, 0, 1.0 / 25.0},
    {"fixed-1s", 7, ST_SEC, 1.0},
};

START_TEST(jitter_is_lost_where_the_library_loses_it)
{
	double got = share_exactly(atoms[_i].preset, atoms[_i].n, atoms[_i].wait), want = atoms[_i].share;

	/* Five deviations; none where it is all or nothing. */
	ck_assert_msg(fabs(got - want) <= 5.0 * sqrt(want * (1.0 - want) / DRAWS), "%s, retry %u: %g, want %g", atoms[_i].preset,
	    atoms[_i].n, got, want);
}
END_TEST

/* --- hints ---------------------------------------------------------------------------------------------------------------- */

START_TEST(hints_are_taken_as_the_library_takes_them)
{
	static const double hints[] = {0.0, 0.002, 2.0, 59.0, 61.0, 119.0, 121.0, 299.0, 301.0};
	const double own = 0.3;
	const struct law *l = &laws[_i];
	struct st_rng_family family = st_rng_family(19, 0);
	struct st_config c;

	configure_preset(l->preset, &c);
	const struct st_obedience_cfg *o = &c.group[0].retry.hint;
	ck_assert_msg(l->hint == deaf || o->obey >= 1.0, "%s", l->preset);
	for (size_t i = 0; i < sizeof hints / sizeof *hints; i++) {
		struct st_rng r = st_rng_open(&family, 1, 0, 1, ST_RNG_CLIENT), same = r;
		st_time hint = st_hint_accepted(o, st_time_from_s(hints[i]));
		double u = st_rng_uniform(&same), want = l->hint(own, hints[i], u);
		double got = hint == ST_HINT_STOP ? GIVES_UP
		    : hint < 0 ? own : st_time_to_s(st_hint_combine(o, st_time_from_s(own), hint, &r));

		ck_assert_msg(fabs(got - want) < 1e-6, "%s, told %g s: %g, want %g", l->preset, hints[i], got, want);
	}
	st_config_release(&c);
}
END_TEST

/* --- budgets, in runs ------------------------------------------------------------------------------------------------------- */

#define FAILING(effect) "faults: [{at: 0s, for: 1000s, effect: " effect "}]\n"
#define ONE_BY_ONE "count: 1, workload: {kind: think, think: 1ms}"

static const struct {
	const char *retry, *clients, *rest;
	uint64_t retries; /* in all */
} runs[] = {
    /* A full quota: 100 retries at cost 5, 50 at 10, 35 at 14. */
    {"aws-standard", ONE_BY_ONE, FAILING("500"), 100},
    {"aws-standard", ONE_BY_ONE, FAILING("429"), 100},
    {"aws-standard", "count: 1, timeout: 1ms, workload: {kind: think, think: 1ms}", FAILING("blackhole"), 50},
    {"aws-go", ONE_BY_ONE, FAILING("500"), 100},
    {"aws-js", ONE_BY_ONE, FAILING("503"), 50},
    {"aws-js", ONE_BY_ONE, FAILING("429"), 100},
    {"aws-2026", ONE_BY_ONE, FAILING("503"), 35},
    {"aws-2026", ONE_BY_ONE, FAILING("429"), 100},
    /* Each client has its own. */
    {"aws-2026", "count: 3, workload: {kind: think, think: 1ms}", FAILING("503"), 105},
    /* The fifth straight failure is not retried, be it of one operation or the first attempt of the next. */
    {"{preset: grpc-a6, attempts: 9}", ONE_BY_ONE, FAILING("503"), 4},
    {"grpc-a6", ONE_BY_ONE, FAILING("503"), 3},
    /* What is not retryable takes no token. */
    {"grpc-a6", ONE_BY_ONE, FAILING("500"), 0},
    /* Three at a time, of a hundred that fail as one. */
    {"envoy", "count: 100, workload: once", FAILING("503"), 3},
    {"envoy-budget", "count: 1, workload: once", FAILING("503"), 1},
    /* No limit to their sum. */
    {"istio", "count: 100, workload: once", FAILING("503"), 200},
    {"aws-legacy", "count: 100, workload: once", FAILING("503"), 400},
    /* A fifth of the reserve of 100 in one operation; the reserve. */
    {"finagle", "count: 1, workload: once", FAILING("503"), 20},
    {"linkerd-profile", "count: 1, workload: once", FAILING("503"), 100},
    /* Five starts within ten seconds, the first among them. */
    {"systemd", "count: 1, workload: once", FAILING("refuse"), 4},
    {"openai", "count: 1, workload: once", FAILING("503"), 2},
    {"fixed-1s", "count: 1, workload: once", FAILING("404"), 2},
    {"retryablehttp", "count: 1, workload: once", FAILING("501"), 0},
    {"retryablehttp", "count: 1, workload: once", FAILING("502"), 4},
    {"axios-retry", "count: 1, workload: once", FAILING("502"), 3},
    {"axios-retry", "count: 1, timeout: 1ms, workload: once", FAILING("blackhole"), 0},
};

START_TEST(budgets_bound_what_the_library_bounds)
{
	struct st_err e = ST_ERR_INIT;
	struct st_config c;
	struct st_run run;

	configure(runs[_i].retry, runs[_i].clients, runs[_i].rest, &c);
	/* An operation every few ms for a while: the rest of the time changes nothing. */
	c.duration = 200 * ST_SEC;
	if (st_world_run(&c, 1, 0, NULL, &run, &e))
		ck_abort_msg("%s", e.message[0]);
	ck_assert_msg(run.meter->counts[0].retried == runs[_i].retries, "%s, %s: %llu retries, want %llu", runs[_i].retry, runs[_i].rest,
	    (unsigned long long)run.meter->counts[0].retried, (unsigned long long)runs[_i].retries);
	st_run_release(&run);
	st_config_release(&c);
}
END_TEST

/* --- what is written over a preset --------------------------------------------------------------------------------------- */

static char *resolved(const char *retry)
{
	struct st_text t = ST_TEXT_INIT;
	struct st_config c;

	configure(retry, "count: 1, workload: once", "", &c);
	st_scenario_print(&c, NULL, &t);
	st_config_release(&c);
	return t.s;
}

/* Two ways to write a policy that must come to the same. */
static const struct {
	const char *over, *plain;
} overrides[] = {
    {"none", "{}"},
    {"{preset: none}", "{}"},
    {"{preset: fixed-1s}", "fixed-1s"},
    {"{preset: fixed-1s, attempts: 5}", "{on: any, attempts: 5, backoff: {shape: constant, base: 1s, jitter: none}, hint: {mode: ignore}}"},
    /* A key in a mapping is that key alone. */
    {"{preset: fixed-1s, backoff: {base: 2s}}", "{on: any, attempts: 3, backoff: {shape: constant, base: 2s, jitter: none}, hint: {mode: ignore}}"},
    {"{preset: envoy, budget: {max_retries: 5}}", "{preset: envoy, budget: {kind: concurrency, max_retries: 5}}"},
    /* Another shape: what does not belong to it is forgotten, what does stays. */
    {"{preset: fixed-1s, backoff: {shape: immediate}}", "{on: any, attempts: 3, backoff: {shape: immediate}, hint: {mode: ignore}}"},
    {"{preset: aws-2026, hint: {mode: floor}}", "{preset: aws-2026, hint: {obey: 100%, mode: floor}}"},
    /* Another kind of budget is wholly what is written. */
    {"{preset: envoy, budget: off}", "{preset: istio, on: [5xx, timeout, refused, reset], attempts: 2}"},
    {"{preset: aws-standard, budget: {kind: token-bucket, burst: 9}}",
        "{preset: aws-legacy, on: [500, 502, 503, 504, 429, timeout, refused, reset], attempts: 3, backoff: {cap: 20s}, "
        "budget: {kind: token-bucket, burst: 9}}"},
    {"{preset: aws-adaptive, gate: off}", "aws-standard"},
    /* Nothing written changes nothing. */
    {"{preset: envoy, backoff: , budget: }", "envoy"},
};

START_TEST(what_is_written_lies_over_the_preset)
{
	char *over = resolved(overrides[_i].over), *plain = resolved(overrides[_i].plain);

	ck_assert_str_eq(over, plain);
	free(over);
	free(plain);
}
END_TEST

/* The keys of a preset, pasted in the place of its name. */
START_TEST(pasted_it_is_the_same)
{
	const struct st_preset *p = st_preset_at((size_t)_i);
	struct st_node *tree = st_preset_tree(p);
	struct st_text t = ST_TEXT_INIT;

	st_tree_print(tree, &t);
	char *pasted = resolved(t.s), *named = resolved(p->choice.name);
	ck_assert_str_eq(pasted, named);
	free(pasted);
	free(named);
	st_text_release(&t);
	st_tree_free(tree);
}
END_TEST

/* --- presets and the axes of a sweep -------------------------------------------------------------------------------------- */

#define X "check_preset.yaml"

/* Every point of a scenario's text, and its canonical text behind them. */
static char *points(const char *text)
{
	FILE *f = fopen(X, "wb");
	struct st_text t = ST_TEXT_INIT;
	struct st_err e = ST_ERR_INIT;
	struct st_scenario s;
	struct st_config c;
	struct st_grid g;

	ck_assert(f && fputs(text, f) >= 0 && fclose(f) == 0);
	if (st_scenario_read(X, NULL, 0, NULL, 0, &s, &e) || st_grid_init(&g, &s, &e))
		ck_abort_msg("%s", e.message[0]);
	remove(X);
	for (size_t i = 0; i < g.n; i++)
		st_scenario_print(&g.point[i].config, NULL, &t);
	ck_assert_int_eq(st_scenario_resolve(s.tree, &c, &e), 0);
	st_text_add(&t, "---\n");
	st_scenario_print(&c, &s, &t);
	st_config_release(&c);
	st_grid_release(&g);
	st_scenario_release(&s);
	return t.s;
}

static const char *const swept[] = {
    "retry: envoy",
    "retry: {preset: envoy, attempts: 5}\nsweep: {axes: {a.count: [1, 2]}}",
    "retry: {attempts: 5}\nsweep: {axes: {a.retry.preset: [none, envoy, grpc-a6]}}",
    "\nsweep: {axes: {a.retry.preset: [aws-standard, envoy, grpc-a6], a.retry.attempts: [2, 3]}}",
    "retry: fixed-1s\nsweep: {axes: {a.retry.backoff: [{base: 2s}, {shape: exponential}]}}",
    "retry: envoy\nsweep: {axes: {a.retry.budget: [off, {max_retries: 9}, {kind: token-bucket, burst: 5}]}}",
    "retry: envoy\nsweep: {axes: {who: {as it is: {}, patient: {a.retry.attempts: 5, a.retry.backoff: {cap: 1s}}, other: {a.retry: istio}}}}",
    "retry: envoy\nsweep: {axes: {a.retry: [istio, {preset: stripe, attempts: 4}, {attempts: 2}]}}",
};

/* A canonical scenario runs to the same results: its points are the same, and it prints as the same text. */
START_TEST(a_canonical_sweep_has_the_same_points)
{
	char *text = st_format("duration: 10s\nservice: {workers: 1, service_time: 1ms}\nclients:\n  a:\n    count: 1\n    workload: once\n    %s\n",
	    swept[_i]);
	char *first = points(text), *canonical = strstr(first, "---\n") + 4, *again = points(canonical);

	ck_assert_str_eq(again, first);
	free(again);
	free(first);
	free(text);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("preset");
	TCase *tc = tcase_create("table");

	tcase_add_test(tc, every_preset_has_a_law);
	tcase_add_loop_test(tc, the_rest_is_the_librarys, 0, LAWS);
	tcase_add_loop_test(tc, the_first_ten_waits_are_the_librarys, 0, LAWS);
	tcase_add_loop_test(tc, jitter_is_lost_where_the_library_loses_it, 0, sizeof atoms / sizeof *atoms);
	tcase_add_loop_test(tc, hints_are_taken_as_the_library_takes_them, 0, LAWS);
	tcase_add_loop_test(tc, budgets_bound_what_the_library_bounds, 0, sizeof runs / sizeof *runs);
	tcase_add_loop_test(tc, what_is_written_lies_over_the_preset, 0, sizeof overrides / sizeof *overrides);
	tcase_add_loop_test(tc, a_canonical_sweep_has_the_same_points, 0, sizeof swept / sizeof *swept);
	tcase_add_loop_test(tc, pasted_it_is_the_same, 0, LAWS);
	suite_add_tcase(s, tc);
	return tap_main(s);
}
