#include <config.h>

#include <math.h>
#include <string.h>

#include "build.h"
#include "tap_main.h"

/*
 * Every test of the tables visits each row of shapes with each row of jitters: a new row is tested with no line added here. Rows
 * that take bounds are given these.
 */
static const double lo = 0.8, hi = 1.3;
enum { DRAWS = 40000 };

static struct st_backoff_cfg defaults(void)
{
	struct st_backoff_cfg c = {0};

	for (const struct st_param *p = st_backoff_params; p->name; p++)
		st_param_default(p, &c);
	return c;
}

static void release(struct st_backoff_cfg *c)
{
	for (const struct st_param *p = st_backoff_params; p->name; p++)
		st_param_release(p, c);
}

static struct st_jitter_cfg jitter_of(size_t row)
{
	const struct st_jitter *j = st_jitter_at(row);
	bool is_time = j->arg[0] == &st_param_time;

	return (struct st_jitter_cfg){.kind = (unsigned)row, .arg = {j->usual > 0.0 ? j->usual : is_time ? 50e6 : lo, hi}};
}

static struct st_backoff policy(size_t shape, size_t jitter, st_time base, st_time cap)
{
	struct st_backoff_cfg c = defaults();
	struct st_backoff b;

	c.shape = (unsigned)shape;
	c.jitter = jitter_of(jitter);
	c.base = base;
	c.cap = cap;
	c.delays.at[0] = base; /* a table of one line, which is the default */
	st_backoff_init(&b, &c);
	return b;
}

static struct st_rng stream(uint32_t client, uint32_t k)
{
	struct st_rng_family family = st_rng_family(11, 0);

	return st_rng_open(&family, client, 0, k, ST_RNG_BACKOFF);
}

static size_t count_shapes(void)
{
	size_t n = 0;

	while (st_shape_at(n))
		n++;
	return n;
}

static size_t count_jitters(void)
{
	size_t n = 0;

	while (st_jitter_at(n))
		n++;
	return n;
}

/* 500 clients of 60 retries: a row that leaves its bounds one time in a thousand is caught but for 1e-13. */
START_TEST(a_wait_keeps_its_bounds)
{
	size_t jitter = (size_t)_i % count_jitters();
	struct st_backoff b = policy((size_t)_i / count_jitters(), jitter, 37 * ST_MSEC, 2 * ST_SEC);

	for (uint32_t client = 0; client < 500; client++) {
		st_time previous = st_backoff_first(&b);

		for (uint32_t k = 1; k <= 60; k++) {
			st_time past[2] = {previous, previous};
			struct st_rng r = stream(client, k);
			double least = st_backoff_quantile(&b, k, false, &past[0], 0.0), most = st_backoff_quantile(&b, k, false, &past[1], 1.0);

			st_time w = st_backoff_wait(&b, k, ST_OUTCOME_TIMEOUT, &previous, &r);
			if (w < (st_time)least || (double)w > most + 1)
				ck_abort_msg("%s %s: retry %u: %lld", b.shape->choice.name, b.jitter->choice.name, k, (long long)w);
		}
	}
	release(&b.cfg);
}
END_TEST

/* --- shapes ----------------------------------------------------------------------------------------------------------- */

/* The delay before retry k: the longest wait of a policy without jitter, or with full jitter. */
static double unjittered(const struct st_backoff *b, uint32_t k)
{
	st_time previous = st_backoff_first(b);

	return st_backoff_quantile(b, k, false, &previous, 1.0);
}

/* base is the wait before the first retry; 200 ms reach 25.6 s at the eighth and a cap of 30 s at the ninth. */
START_TEST(an_exponential_delay_doubles_up_to_the_cap)
{
	struct st_backoff b = policy(0, 0, 200 * ST_MSEC, 30 * ST_SEC);

	ck_assert_str_eq(b.shape->choice.name, "exponential");
	for (uint32_t k = 1; k <= 8; k++)
		ck_assert_double_eq(unjittered(&b, k), 100e6 * (double)(1 << k));
	ck_assert_double_eq(unjittered(&b, 8), 25.6e9);
	ck_assert_double_eq(unjittered(&b, 9), 30e9);
	ck_assert_double_eq(unjittered(&b, 1000000), 30e9);
	release(&b.cfg);
}
END_TEST

START_TEST(a_factor_of_its_own)
{
	struct st_backoff_cfg c = defaults();
	struct st_backoff b;

	c.factor = 1.6;
	st_backoff_init(&b, &c);
	ck_assert_double_eq_tol(unjittered(&b, 3), 256e6, 1.0);
	/* beyond the table as within it */
	ck_assert_double_eq_tol(unjittered(&b, ST_BACKOFF_TABLE + 1) / unjittered(&b, ST_BACKOFF_TABLE), 1.6, 1e-12);
	c.factor = 1.01;
	st_backoff_init(&b, &c);
	ck_assert_double_eq_tol(unjittered(&b, ST_BACKOFF_TABLE + 1) / unjittered(&b, ST_BACKOFF_TABLE), 1.01, 1e-12);
	release(&c);
}
END_TEST

START_TEST(without_jitter_the_wait_is_exact)
{
	struct st_backoff b = policy(0, 0, 123456789, ST_NEVER);

	for (uint32_t k = 1; k <= 20; k++) {
		struct st_rng r = stream(0, k);
		st_time previous = st_backoff_first(&b);

		ck_assert_int_eq(st_backoff_wait(&b, k, ST_OUTCOME_TIMEOUT, &previous, &r), (st_time)123456789 << (k - 1));
	}
	release(&b.cfg);
}
END_TEST

/* Every shape and jitter, without a cap, at retries beyond every number. */
START_TEST(without_a_cap_nothing_overflows)
{
	static const uint32_t huge[] = {40, 64, 65, 1024, 1025, 4000000000, UINT32_MAX};
	struct st_backoff b = policy((size_t)_i / count_jitters(), (size_t)_i % count_jitters(), 10 * ST_SEC, ST_NEVER);
	st_time previous = st_backoff_first(&b);

	for (size_t i = 0; i < sizeof huge / sizeof *huge; i++) {
		struct st_rng r = stream(0, 1);
		st_time w = st_backoff_wait(&b, huge[i], ST_OUTCOME_TIMEOUT, &previous, &r);

		ck_assert_int_ge(w, 0);
		ck_assert_int_le(w, ST_TIME_MAX);
	}
	release(&b.cfg);
}
END_TEST

START_TEST(a_base_of_zero_stays_zero)
{
	if (st_jitter_at((size_t)_i % count_jitters())->arg[0] == &st_param_time)
		return; /* something is added to it */
	struct st_backoff b = policy((size_t)_i / count_jitters(), (size_t)_i % count_jitters(), 0, ST_NEVER);
	st_time previous = st_backoff_first(&b);

	for (uint32_t k = 1; k < 3000; k++) {
		struct st_rng r = stream(0, k);

		ck_assert_int_eq(st_backoff_wait(&b, k, ST_OUTCOME_TIMEOUT, &previous, &r), 0);
	}
	release(&b.cfg);
}
END_TEST

START_TEST(immediate_does_not_wait)
{
	struct st_backoff_cfg c = defaults();
	struct st_backoff b;

	build_set(st_backoff_params, &c, "shape", "immediate");
	st_backoff_init(&b, &c);
	ck_assert_double_eq(unjittered(&b, 1), 0.0);
	ck_assert_double_eq(unjittered(&b, 70), 0.0);
	release(&c);
}
END_TEST

/* The delays of retry 1, 2, 3, 4 and 5 with base 100 ms, in ms, of the formulas in the manual, and one far beyond the table. */
static const struct {
	const char *shape, *key, *value;
	double want[5], at_100;
} formula[] = {
    {"constant", NULL, NULL, {100, 100, 100, 100, 100}, 100},
    {"exponential", NULL, NULL, {100, 200, 400, 800, 1600}, 0x1p99 * 100},
    {"exponential", "first_exponent", "1", {200, 400, 800, 1600, 3200}, 0x1p100 * 100},
    {"exponential", "factor", "1", {100, 100, 100, 100, 100}, 100},
    {"linear", NULL, NULL, {100, 200, 300, 400, 500}, 10000},
    {"linear", "step", "2ms", {100, 102, 104, 106, 108}, 298},
    {"linear", "step", "0s", {100, 100, 100, 100, 100}, 100},
    {"quadratic", NULL, NULL, {100, 400, 900, 1600, 2500}, 1e6},
    {"late-quadratic", NULL, NULL, {100, 200, 500, 1000, 1700}, 980200},
    {"geometric-sum", NULL, NULL, {100, 300, 700, 1500, 3100}, (0x1p100 - 1) * 100},
    {"geometric-sum", "factor", "1.5", {100, 250, 475, 812.5, 1318.75}, NAN},
    {"geometric-sum", "factor", "1", {100, 200, 300, 400, 500}, 10000},
    {"table", "delays", "[3s, 1s, 7ms, 0s]", {3000, 1000, 7, 0, 0}, 0},
    {"table", "delays", "2385ms", {2385, 2385, 2385, 2385, 2385}, 2385},
    {"table", "delays", "[]", {0, 0, 0, 0, 0}, 0},
    {"immediate", NULL, NULL, {0, 0, 0, 0, 0}, 0},
};

START_TEST(a_shape_follows_its_formula)
{
	struct st_backoff_cfg c = defaults();
	struct st_backoff b;

	build_set(st_backoff_params, &c, "shape", formula[_i].shape);
	if (formula[_i].key)
		build_set(st_backoff_params, &c, formula[_i].key, formula[_i].value);
	for (int capped = 0; capped < 2; capped++) {
		double cap = capped ? 450e6 : 1e30;

		c.cap = capped ? 450 * ST_MSEC : ST_NEVER;
		st_backoff_init(&b, &c);
		for (uint32_t k = 1; k <= 5; k++)
			ck_assert_double_eq_tol(unjittered(&b, k), fmin(formula[_i].want[k - 1] * 1e6, cap), 1e-3);
		double want = fmin(formula[_i].at_100 * 1e6, cap), got = unjittered(&b, 100);
		if (want < (double)ST_TIME_MAX)
			ck_assert_double_eq_tol(got, want, 1e-9 * want + 1e-9);
		else if (!isnan(formula[_i].at_100))
			ck_assert_double_eq(got, INFINITY);
	}
	release(&c);
}
END_TEST

/* Every row of the table of shapes has a line in the formulas above. */
START_TEST(every_shape_has_a_formula)
{
	for (size_t i = 0; st_shape_at(i); i++) {
		size_t k = 0;

		while (k < sizeof formula / sizeof *formula && strcmp(formula[k].shape, st_shape_at(i)->choice.name) != 0)
			k++;
		ck_assert_msg(k < sizeof formula / sizeof *formula, "%s", st_shape_at(i)->choice.name);
	}
}
END_TEST

/* --- decorrelated ------------------------------------------------------------------------------------------------------- */

/* Mean of retry k given that the one before waited x (in units of the base), by the midpoint rule over what
 * retry 1, 2, ... may draw: each is uniform on [1, 3 x], cut at the cap. */
static double mean_after(double x, int k, double cap)
{
	enum { STEPS = 400 };
	double sum = 0.0;

	if (k == 0)
		return x;
	for (int i = 0; i < STEPS; i++)
		sum += mean_after(fmin(cap, 1.0 + (3.0 * x - 1.0) * (i + 0.5) / STEPS), k - 1, cap);
	return sum / STEPS;
}

/* One chain a client; with a cap of 4 bases. The deviation of a wait is at most its mean, of 160000 of them 0.25 %. */
START_TEST(decorrelated_waits_have_the_means_of_quadrature)
{
	enum { CHAINS = 160000 };
	struct st_backoff_cfg c = defaults();
	struct st_backoff b;
	double sum[4] = {0.0};

	c.cap = _i ? 400 * ST_MSEC : ST_NEVER;
	c.jitter = build_jitter("decorrelated");
	st_backoff_init(&b, &c);
	for (uint32_t client = 0; client < CHAINS; client++) {
		st_time previous = st_backoff_first(&b);

		for (uint32_t k = 1; k <= 3; k++) {
			struct st_rng r = stream(client, k);

			sum[k] += (double)st_backoff_wait(&b, k, ST_OUTCOME_TIMEOUT, &previous, &r);
		}
	}
	for (int k = 1; k <= 3; k++) {
		double want = 100e6 * mean_after(1.0, k, _i ? 4.0 : 1e9);

		ck_assert_msg(fabs(sum[k] / CHAINS - want) < 0.01 * want, "retry %d: %g, want %g", k, sum[k] / CHAINS, want);
	}
	release(&c);
}
END_TEST

/* The cap cuts what was drawn: after a wait at the cap, U(base, 3 cap) is above it in 2 cap of 3 cap - base. */
START_TEST(decorrelated_waits_pile_up_at_the_cap)
{
	struct st_backoff_cfg c = defaults();
	struct st_backoff b;
	int at_cap = 0;

	c.cap = 400 * ST_MSEC;
	c.jitter = build_jitter("decorrelated");
	st_backoff_init(&b, &c);
	for (uint32_t client = 0; client < DRAWS; client++) {
		struct st_rng r = stream(client, 1);
		st_time previous = c.cap;

		at_cap += st_backoff_wait(&b, 7, ST_OUTCOME_TIMEOUT, &previous, &r) == c.cap;
	}
	/* 8/11, with a deviation of 0.22 % */
	ck_assert_double_eq_tol(at_cap / (double)DRAWS, 8.0 / 11.0, 0.01);
	release(&c);
}
END_TEST

/* Before the jitter the cap leaves no atom: hardly two full waits beyond it are equal. */
START_TEST(full_waits_do_not_pile_up_at_the_cap)
{
	struct st_backoff b = policy(0, 1, 100 * ST_MSEC, 400 * ST_MSEC);
	int at_cap = 0;

	ck_assert_str_eq(b.jitter->choice.name, "full");
	for (uint32_t client = 0; client < DRAWS; client++) {
		struct st_rng r = stream(client, 1);
		st_time previous = 0;

		at_cap += st_backoff_wait(&b, 9, ST_OUTCOME_TIMEOUT, &previous, &r) == 400 * ST_MSEC;
	}
	ck_assert_int_le(at_cap, 2);
	release(&b.cfg);
}
END_TEST

/* --- what real libraries do ------------------------------------------------------------------------------------------- */

/*
 * Retry k of a library: which share of the waits is exactly `at`, and their mean (ms; NAN: not asked). 40000 draws: a share has
 * a deviation of at most 0.25 %, a mean of at most 0.29 % of the delay.
 */
static const struct {
	const char *whose, *set[8][2];
	uint32_t k;
	double at, share, mean;
} known[] = {
#define STRIPE "stripe", {{"base", "500ms"}, {"cap", "5s"}, {"floor", "500ms"}, {"jitter", "equal"}}
    {STRIPE, 1, 500, 1.0, 500},
    {STRIPE, 2, 500, 0.0, 750},
    {STRIPE, 9, 5000, 0.0, 3750},
#define KAFKA "kafka", {{"base", "100ms"}, {"cap", "1s"}, {"cap_at", "both"}, {"jitter", "proportional 20%"}}
    {KAFKA, 1, 100, 0.0, 100},
    {KAFKA, 4, 1000, 0.0, 800},
    {KAFKA, 5, 1000, 0.5, 950},
    {KAFKA, 50, 1000, 0.5, 950},
#define UP_TO_30S {"base", "1s"}, {"cap", "30s"}, {"jitter", "proportional 20%"}
    {"clamped after the jitter too", {UP_TO_30S, {"cap_at", "both"}}, 9, 30000, 0.5, 28500},
    {"jitter after the cap", {UP_TO_30S}, 9, 30000, 0.0, 30000},
#define CASSANDRA "cassandra", {{"base", "1s"}, {"cap", "60s"}, {"cap_at", "both"}, {"floor", "1s"}, {"jitter", "range 0.85 1.16"}, \
    {"quantum", "1%"}}
    {CASSANDRA, 1, 1000, 16.0 / 31.0, 1000 + 1200.0 / 31.0},
    {CASSANDRA, 1, 1150, 1.0 / 31.0, NAN},
    {CASSANDRA, 2, 1700, 1.0 / 31.0, 2000},
    {CASSANDRA, 8, 60000, 16.0 / 31.0, 60000 - 600.0 * 120.0 / 31.0},
#define GO_V2 "aws-sdk-go-v2", {{"base", "2s"}, {"cap", "20s"}, {"tail_from", "5"}}
    {GO_V2, 1, 20000, 0.0, 1000},
    {GO_V2, 4, 20000, 0.0, 8000},
    {GO_V2, 5, 20000, 1.0, 20000},
    {GO_V2, 99, 20000, 1.0, 20000},
#define REACTOR "reactor", {{"base", "100ms"}, {"cap", "1s"}, {"cap_at", "truncate"}, {"floor", "100ms"}, {"jitter", "proportional 50%"}}
    {REACTOR, 1, 100, 0.0, 125},
    {REACTOR, 2, 100, 0.0, 200},
    {REACTOR, 4, 1000, 0.0, 700},
    {REACTOR, 9, 1000, 0.0, 750},
#define AZCORE "azcore", {{"shape", "geometric-sum"}, {"base", "800ms"}, {"cap", "60s"}, {"cap_at", "after"}, {"jitter", "range 0.8 1.3"}}
    {AZCORE, 1, 60000, 0.0, 840},
    {AZCORE, 2, 60000, 0.0, 2520},
    {AZCORE, 6, 60000, (1.3 - 60.0 / 50.4) / 0.5, NAN},
    {AZCORE, 7, 60000, 1.0, 60000},
#define TAILSCALE "tailscale", {{"shape", "quadratic"}, {"base", "10ms"}, {"cap", "30s"}, {"jitter", "proportional 50%"}}
    {TAILSCALE, 7, 490, 0.0, 490},
    {TAILSCALE, 100, 30000, 0.0, 30000},
#define URLLIB3 "urllib3", {{"base", "100ms"}, {"cap", "120s"}, {"cap_at", "after"}, {"head", "[0s]"}, {"jitter", "additive 1s"}}
    {URLLIB3, 1, 0, 1.0, 0},
    {URLLIB3, 2, 200, 0.0, 700},
    {URLLIB3, 12, 120000, 1.0, 120000},
#define REDIS_PY "redis-py", {{"base", "10ms"}, {"first_exponent", "1"}, {"cap", "1s"}, {"cap_at", "after"}}
    {REDIS_PY, 1, 1000, 0.0, 10},
    {REDIS_PY, 8, 1000, 1.0 - 1.0 / 2.56, NAN},
    {REDIS_PY, 10, 1000, 1.0 - 1.0 / 10.24, NAN},
#define IOREDIS "ioredis", {{"base", "50ms"}, {"cap", "5s"}, {"jitter", "additive 200ms"}, {"quantum", "1ms"}}
    {IOREDIS, 1, 50, 1.0 / 200.0, 149.5},
    {IOREDIS, 9, 5000, 1.0 / 200.0, 5099.5},
#define GRPC "grpc-go reconnect", {{"base", "1s"}, {"factor", "1.6"}, {"cap", "120s"}, {"head", "[1s]"}, {"jitter", "proportional 20%"}}
    {GRPC, 1, 1000, 1.0, 1000},
    {GRPC, 2, 1600, 0.0, 1600},
    {GRPC, 99, 120000, 0.0, 120000},
#define FINAGLE "finagle equalJittered", {{"base", "500ms"}, {"cap", "8s"}, {"head", "1s"}, {"jitter", "range 1 2"}, {"tail_from", "6"}}
    {FINAGLE, 1, 1000, 1.0, 1000},
    {FINAGLE, 2, 1000, 0.0, 1500},
    {FINAGLE, 6, 8000, 1.0, 8000},
#define TENACITY "tenacity", {{"base", "1s"}, {"cap", "10s"}, {"floor", "500ms"}, {"cap_at", "truncate"}}
    {TENACITY, 1, 500, 0.0, 750},
    {TENACITY, 9, 500, 0.0, 5250},
};

START_TEST(a_library_waits_as_it_does)
{
	struct st_backoff_cfg c = defaults();
	struct st_backoff b;
	double sum = 0.0;
	int n = 0;

	for (size_t i = 0; known[_i].set[i][0]; i++)
		build_set(st_backoff_params, &c, known[_i].set[i][0], known[_i].set[i][1]);
	st_backoff_init(&b, &c);
	for (uint32_t i = 0; i < DRAWS; i++) {
		struct st_rng r = stream(i, known[_i].k);
		st_time previous = 0, w = st_backoff_wait(&b, known[_i].k, ST_OUTCOME_TIMEOUT, &previous, &r);

		sum += (double)w / 1e6 / DRAWS;
		n += w == st_time_from_ns(known[_i].at * 1e6);
	}
	double rare = known[_i].share > 0.0 && known[_i].share < 1.0 ? 0.01 : 0.0;
	ck_assert_msg(fabs(n / (double)DRAWS - known[_i].share) <= rare, "%s, retry %u: %g of the waits are %g ms, want %g",
	    known[_i].whose, known[_i].k, n / (double)DRAWS, known[_i].at, known[_i].share);
	if (!isnan(known[_i].mean))
		ck_assert_msg(fabs(sum - known[_i].mean) <= 0.008 * known[_i].mean, "%s, retry %u: mean %g ms, want %g",
		    known[_i].whose, known[_i].k, sum, known[_i].mean);
	release(&c);
}
END_TEST

/* A table as the head, under a shape that goes on behind it. */
START_TEST(a_head_comes_first_and_is_exact)
{
	static const double want[] = {7, 0, 2385};
	struct st_backoff_cfg c = defaults();
	struct st_backoff b;

	build_set(st_backoff_params, &c, "head", "[7ms, 0s, 2385ms]");
	build_set(st_backoff_params, &c, "jitter", "decorrelated");
	build_set(st_backoff_params, &c, "cap", "1s");
	build_set(st_backoff_params, &c, "floor", "100ms");
	st_backoff_init(&b, &c);
	for (uint32_t k = 1; k <= 3; k++) {
		struct st_rng r = stream(0, k);
		st_time previous = 0;

		ck_assert_int_eq(st_backoff_wait(&b, k, ST_OUTCOME_TIMEOUT, &previous, &r), st_time_from_ns(want[k - 1] * 1e6));
		/* What is decorrelated goes on from there. */
		ck_assert_int_eq(previous, st_time_from_ns(want[k - 1] * 1e6));
	}
	release(&c);
}
END_TEST

/* The 2026 policy of the AWS SDKs: 50 ms, but 1 s after throttling. */
START_TEST(throttling_has_a_base_of_its_own)
{
	static const struct {
		unsigned status;
		uint32_t k;
		double own_base, own_factor; /* want, ms: with the base alone, and with a factor of 3 too */
	} want[] = {{503, 1, 50, 50}, {503, 3, 200, 200}, {429, 1, 1000, 1000}, {429, 3, 4000, 9000}, {429, 5, 16000, 20000},
	    {429, 70, 20000, 20000}, {503, 70, 20000, 20000}, {429, 6, 20000, 20000}};
	struct st_backoff_cfg c = defaults();
	struct st_backoff b;

	build_set(st_backoff_params, &c, "base", "50ms");
	build_set(st_backoff_params, &c, "cap", "20s");
	build_set(st_backoff_params, &c, "jitter", "none");
	build_set(st_backoff_params, &c, "throttle.on", "[429]");
	build_set(st_backoff_params, &c, "throttle.base", "1s");
	for (int own = 0; own < 2; own++) {
		if (own)
			build_set(st_backoff_params, &c, "throttle.factor", "3");
		st_backoff_init(&b, &c);
		for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
			struct st_rng r = stream(0, 1);
			st_time previous = 0, w = st_backoff_wait(&b, want[i].k, st_outcome_status(want[i].status), &previous, &r);

			ck_assert_int_eq(w, st_time_from_ns(1e6 * (own ? want[i].own_factor : want[i].own_base)));
		}
	}
	release(&c);
}
END_TEST

START_TEST(a_quantum_is_read_and_printed)
{
	static const char *const text[] = {"off", "1ms", "2.385ms", "1%", "12.5%"}, *const bad[] = {"none", "1", "-1ms", "120%", "%"};
	const struct st_param *p = st_backoff_params;

	while (strcmp(p->name, "quantum") != 0)
		p++;
	for (size_t i = 0; i < sizeof text / sizeof *text; i++) {
		struct st_backoff_cfg c = {0};
		struct st_text t = ST_TEXT_INIT;
		struct st_err e = ST_ERR_INIT;

		build_set(st_backoff_params, &c, "quantum", text[i]);
		st_param_print(p, &c, &t);
		ck_assert_str_eq(t.s, text[i]);
		st_text_release(&t);
		ck_assert_int_eq(st_param_read_text(p, bad[i], NULL, &c, &e), -1);
		st_err_release(&e);
	}
}
END_TEST

/* --- how it is written -------------------------------------------------------------------------------------------------- */

static const struct st_param row = {.name = "jitter", .type = &st_param_jitter};

START_TEST(a_jitter_is_read_and_printed)
{
	static const char *const text[] = {"none", "full", "equal", "decorrelated", "range 0.8 1.2", "range 0 0",
	    "proportional 12.5%", "additive 100ms", "decorrelated 2.5", "rising", "rising 1", "exponential", "polly"};

	for (size_t i = 0; i < sizeof text / sizeof *text; i++) {
		struct st_jitter_cfg j = build_jitter(text[i]);
		struct st_text t = ST_TEXT_INIT;

		st_param_print(&row, &j, &t);
		ck_assert_str_eq(t.s, text[i]);
		st_text_release(&t);
	}
	struct st_jitter_cfg j = build_jitter("range   0.5\t2 ");
	ck_assert_double_eq(j.arg[0], 0.5);
	ck_assert_double_eq(j.arg[1], 2.0);
	j = build_jitter("decorrelated 3");
	ck_assert_double_eq(j.arg[0], build_jitter("decorrelated").arg[0]);
}
END_TEST

START_TEST(a_jitter_that_is_none_is_told)
{
	static const struct {
		const char *text, *part;
	} bad[] = {{"ful", "did you mean 'full'"}, {"gaussian", "expects"}, {"range", "'range LO HI'"}, {"range 1", "'range LO HI'"},
	    {"range 1 2 3", "'3' is too much"}, {"full 3", "'3' is too much"}, {"range 2 1", "0 <= LO <= HI"},
	    {"range -1 1", "0 <= LO <= HI"}, {"range 0 inf", "'range LO HI'"}, {"range 0 nan", "'range LO HI'"},
	    {"range 0 101", "0 <= LO <= HI"}, {"proportional", "'proportional SHARE'"}, {"proportional 120%", "'proportional SHARE'"},
	    {"additive", "'additive TIME'"}, {"additive 5", "'additive TIME'"}, {"additive 1s 2s", "'2s' is too much"},
	    {"decorrelated 0.5", "between 1 and 100"}, {"rising 3s", "'rising [GROWTH]'"}, {"polly 2", "'2' is too much"}};

	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		struct st_jitter_cfg j = {.kind = 77};
		struct st_err e = ST_ERR_INIT;

		ck_assert_msg(st_param_read_text(&row, bad[i].text, NULL, &j, &e) == -1, "'%s' is read", bad[i].text);
		ck_assert_msg(strstr(e.message[0], bad[i].part) != NULL, "'%s': %s", bad[i].text, e.message[0]);
		ck_assert_uint_eq(j.kind, 77);
		st_err_release(&e);
	}
}
END_TEST

int main(void)
{
	Suite *s = suite_create("backoff");
	TCase *tc = tcase_create("table");
	const int rows = (int)(count_shapes() * count_jitters());

	tcase_set_timeout(tc, 300);
	tcase_add_loop_test(tc, a_wait_keeps_its_bounds, 0, rows);
	tcase_add_loop_test(tc, without_a_cap_nothing_overflows, 0, rows);
	tcase_add_loop_test(tc, a_base_of_zero_stays_zero, 0, rows);
	suite_add_tcase(s, tc);
	tc = tcase_create("shapes");
	tcase_add_loop_test(tc, a_shape_follows_its_formula, 0, sizeof formula / sizeof *formula);
	tcase_add_test(tc, every_shape_has_a_formula);
	tcase_add_test(tc, an_exponential_delay_doubles_up_to_the_cap);
	tcase_add_test(tc, a_factor_of_its_own);
	tcase_add_test(tc, without_jitter_the_wait_is_exact);
	tcase_add_test(tc, immediate_does_not_wait);
	suite_add_tcase(s, tc);
	tc = tcase_create("cap");
	tcase_set_timeout(tc, 300);
	tcase_add_loop_test(tc, decorrelated_waits_have_the_means_of_quadrature, 0, 2);
	tcase_add_test(tc, decorrelated_waits_pile_up_at_the_cap);
	tcase_add_test(tc, full_waits_do_not_pile_up_at_the_cap);
	suite_add_tcase(s, tc);
	tc = tcase_create("libraries");
	tcase_set_timeout(tc, 60);
	tcase_add_loop_test(tc, a_library_waits_as_it_does, 0, sizeof known / sizeof *known);
	tcase_add_test(tc, a_head_comes_first_and_is_exact);
	tcase_add_test(tc, throttling_has_a_base_of_its_own);
	suite_add_tcase(s, tc);
	tc = tcase_create("words");
	tcase_add_test(tc, a_quantum_is_read_and_printed);
	tcase_add_test(tc, a_jitter_is_read_and_printed);
	tcase_add_test(tc, a_jitter_that_is_none_is_told);
	suite_add_tcase(s, tc);
	return tap_main(s);
}
