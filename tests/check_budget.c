#include <config.h>

#include <math.h>

#include "build.h"
#include "tap_main.h"

static struct st_budget_cfg bucket(const char *rate, const char *burst)
{
	struct st_budget_cfg c = {0};

	for (const struct st_param *p = st_budget_params; p->name; p++)
		if (p->dflt)
			st_param_default(p, &c);
	build_set(st_budget_params, &c, "kind", "token-bucket");
	build_set(st_budget_params, &c, "rate", rate);
	build_set(st_budget_params, &c, "burst", burst);
	return c;
}

static struct st_budget ready(const struct st_budget_cfg *c, uint64_t clients)
{
	struct st_budget b;

	st_budget_init(&b, c, clients);
	return b;
}

static bool ask(struct st_budget *b, uint64_t client, st_time now, int *turned)
{
	uint8_t note = 0;

	return st_budget_take(b, client, &(struct st_budget_news){.now = now, .attempt = 1, .note = &note}, turned);
}

static bool take(struct st_budget *b, uint64_t client, st_time now)
{
	int turned;

	return ask(b, client, now, &turned);
}

/* An operation that went well at once. */
static void succeed(struct st_budget *b, uint64_t client, st_time now)
{
	st_budget_succeeded(b, client, &(struct st_budget_news){.now = now, .attempt = 1});
}

/* All that are there now. */
static uint64_t drain(struct st_budget *b, st_time now)
{
	uint64_t n = 0;

	while (take(b, 0, now))
		n++;
	return n;
}

/* --- a bucket --------------------------------------------------------------------------------------------------------- */

START_TEST(ten_deposits_of_a_tenth_make_one_token)
{
	struct st_budget_cfg c = bucket("0/s", "3");
	build_set(st_budget_params, &c, "deposit", "0.1");
	struct st_budget b = ready(&c, 5);

	ck_assert_uint_eq(drain(&b, 0), 3);
	for (int token = 0; token < 1000; token++) {
		for (int i = 0; i < 10; i++) {
			ck_assert(!take(&b, 0, token));
			succeed(&b, 4, token);
		}
		ck_assert(take(&b, 0, token));
	}
	ck_assert(!take(&b, 0, ST_TIME_MAX));
	for (int i = 0; i < 1000; i++)
		succeed(&b, 4, ST_TIME_MAX);
	ck_assert_uint_eq(drain(&b, ST_TIME_MAX), 3); /* it holds no more */
	st_budget_release(&b);
}
END_TEST

/* Rates whose tokens come at whole nanoseconds, bursts in halves: the bound is one of whole numbers. */
static const struct {
	const char *rate, *burst;
	int64_t rate_per_s, burst_halves;
	st_time step; /* of the demand: short enough that the bucket never fills up */
} exact[] = {{"1/s", "1.5", 1, 3, 299 * ST_USEC}, {"10/s", "2.5", 10, 5, 100 * ST_USEC}, {"500/s", "40", 500, 80, 77 * ST_USEC},
    {"1M/s", "2", 1000000, 4, 997}, {"0/s", "100", 0, 200, ST_SEC}, {"8k/s", "1.5", 8000, 3, 20 * ST_USEC}};

START_TEST(under_saturating_demand_exactly_burst_and_rate_are_granted)
{
	struct st_budget_cfg c = bucket(exact[_i].rate, exact[_i].burst);
	struct st_budget b = ready(&c, 1);
	int64_t granted = 0;

	for (st_time t = 0; t <= 10000 * exact[_i].step; t += exact[_i].step) {
		/* Ask before and after as well: no look at the bucket may cost it anything. */
		granted += (int64_t)drain(&b, t > 0 ? t - 1 : 0);
		granted += (int64_t)drain(&b, t);
		int64_t want = (exact[_i].burst_halves * ST_SEC + 2 * exact[_i].rate_per_s * t) / (2 * ST_SEC);
		if (granted != want) /* Check's own asserts are too slow for so many */
			ck_abort_msg("%lld granted by %lld ns, want %lld", (long long)granted, (long long)t, (long long)want);
	}
	st_budget_release(&b);
}
END_TEST

/* Over any stretch, not just from the start: grants i to j lie at least as far apart as the bucket needs. */
START_TEST(over_any_stretch_at_most_burst_and_rate_are_granted)
{
	struct st_budget_cfg c = bucket(exact[_i].rate, exact[_i].burst);
	struct st_rng_family family = st_rng_family(31, (uint32_t)_i);
	struct st_rng r = st_rng_open(&family, 0, 0, 0, ST_RNG_ARRIVAL);
	struct st_budget b = ready(&c, 1);
	st_time at[600];
	int n = 0;

	for (st_time t = 0; n < 600 && t < 1000 * ST_SEC; t += 1 + (st_time)(st_rng_exponential(&r) * (st_rng_below(&r, 50) ? 1e6 : 1e9)))
		if (take(&b, 0, t))
			at[n++] = t;
	ck_assert_int_ge(n, (int)exact[_i].burst_halves / 2);
	for (int i = 0; i < n; i++)
		for (int j = i; j < n; j++)
			if (2 * (j - i + 1) * ST_SEC > exact[_i].burst_halves * ST_SEC + 2 * exact[_i].rate_per_s * (at[j] - at[i]))
				ck_abort_msg("grants %d to %d lie within %lld ns", i, j, (long long)(at[j] - at[i]));
	st_budget_release(&b);
}
END_TEST

/* A unit of 1e-12 token in 3.6 ns: what is lost by rounding at each of 3.6 million looks would be 10 ms. */
START_TEST(one_an_hour_comes_on_the_hour_however_often_it_is_asked_for)
{
	struct st_budget_cfg c = bucket("1/h", "1");
	struct st_budget b = ready(&c, 1);
	int early = 0;

	ck_assert(take(&b, 0, 0));
	for (st_time t = 1; t < 3600 * ST_SEC - ST_MSEC; t += ST_MSEC)
		early += take(&b, 0, t);
	ck_assert_int_eq(early, 0);
	ck_assert(!take(&b, 0, 3600 * ST_SEC - 10 * ST_USEC));
	ck_assert(take(&b, 0, 3600 * ST_SEC + 10 * ST_USEC));
	st_budget_release(&b);
}
END_TEST

START_TEST(neither_a_huge_rate_nor_a_long_pause_overflows)
{
	struct st_budget_cfg c = bucket("1M/s", "1000000");
	struct st_budget b = ready(&c, 1);

	ck_assert_uint_eq(drain(&b, 0), 1000000);
	ck_assert_uint_eq(drain(&b, ST_SEC / 4), 250000);
	ck_assert_uint_eq(drain(&b, ST_SEC / 4 + 999), 0);
	ck_assert_uint_eq(drain(&b, ST_SEC / 4 + 1000), 1);
	ck_assert_uint_eq(drain(&b, ST_TIME_MAX), 1000000);
	st_budget_release(&b);
}
END_TEST

/* --- call sites ------------------------------------------------------------------------------------------------------- */

static uint64_t granted_in_turn(const char *scope, const char *site, uint64_t clients)
{
	struct st_budget_cfg c = bucket("0/s", "2");
	uint64_t n = 0;

	build_set(st_budget_params, &c, "scope", scope);
	build_set(st_budget_params, &c, "site", site);
	struct st_budget b = ready(&c, clients);
	for (int round = 0; round < 30; round++)
		for (uint64_t i = 0; i < clients; i++)
			n += take(&b, i, round);
	st_budget_release(&b);
	return n;
}

START_TEST(a_scope_says_who_shares_a_bucket)
{
	ck_assert_uint_eq(granted_in_turn("client", "4", 10), 20);
	ck_assert_uint_eq(granted_in_turn("site", "4", 10), 6); /* 4, 4 and 2 clients */
	ck_assert_uint_eq(granted_in_turn("site", "5", 10), 4);
	ck_assert_uint_eq(granted_in_turn("site", "100", 10), 2);
	ck_assert_uint_eq(granted_in_turn("group", "4", 10), 2);
}
END_TEST

START_TEST(one_client_does_not_spend_what_is_anothers)
{
	struct st_budget_cfg c = bucket("0/s", "2");

	build_set(st_budget_params, &c, "scope", "site");
	build_set(st_budget_params, &c, "site", "3");
	struct st_budget b = ready(&c, 7);
	ck_assert(take(&b, 2, 0) && take(&b, 0, 0) && !take(&b, 1, 0));
	ck_assert(take(&b, 3, 0) && take(&b, 5, 0) && !take(&b, 4, 0));
	ck_assert(take(&b, 6, 0) && take(&b, 6, 0) && !take(&b, 6, 0));
	st_budget_release(&b);
}
END_TEST

START_TEST(off_is_off)
{
	struct st_budget_cfg c = bucket("0/s", "1");

	build_set(st_budget_params, &c, "kind", "off");
	struct st_budget b = ready(&c, 3);
	ck_assert(!st_budget_is_on(&b));
	st_budget_release(&b);
}
END_TEST

/* --- the circuit ------------------------------------------------------------------------------------------------------ */

static struct st_budget circuit(const char *on_empty)
{
	struct st_budget_cfg c = bucket("2/s", "1");

	build_set(st_budget_params, &c, "on_empty", on_empty);
	build_set(st_budget_params, &c, "deposit", "0.5");
	return ready(&c, 1);
}

START_TEST(a_refusal_opens_the_circuit_until_a_whole_token_is_back)
{
	struct st_budget b = circuit("open");
	int opened, closed;

	ck_assert(st_budget_admits(&b, 0, 0, &closed) && !closed);
	ck_assert(ask(&b, 0, 0, &opened) && !opened);
	ck_assert(st_budget_admits(&b, 0, 1, &closed) && !closed); /* empty, but nobody was refused */
	ck_assert(!ask(&b, 0, 1, &opened) && opened == 1);
	ck_assert(!ask(&b, 0, 2, &opened) && !opened);
	ck_assert(!st_budget_admits(&b, 0, ST_SEC / 2 - 1, &closed) && !closed);
	ck_assert(st_budget_admits(&b, 0, ST_SEC / 2, &closed) && closed == -1);
	ck_assert(st_budget_admits(&b, 0, ST_SEC / 2, &closed) && !closed);
	st_budget_release(&b);
}
END_TEST

/* The token was back, so the circuit was closed, though a retry has the token now. */
START_TEST(a_retry_that_finds_a_token_closes_the_circuit)
{
	struct st_budget b = circuit("open");
	int turned, closed;

	ck_assert(take(&b, 0, 0));
	ck_assert(!ask(&b, 0, 0, &turned) && turned == 1);
	ck_assert(ask(&b, 0, ST_SEC / 2, &turned) && turned == -1);
	ck_assert(st_budget_admits(&b, 0, ST_SEC / 2, &closed) && !closed);
	ck_assert(!ask(&b, 0, ST_SEC / 2, &turned) && turned == 1);
	ck_assert(!st_budget_admits(&b, 0, ST_SEC / 2, &closed));
	st_budget_release(&b);
}
END_TEST

START_TEST(a_deposit_closes_the_circuit_too)
{
	struct st_budget b = circuit("open");
	int opened, closed;

	ck_assert(take(&b, 0, 0));
	ck_assert(!ask(&b, 0, 0, &opened) && opened == 1);
	succeed(&b, 0, 0);
	ck_assert(!st_budget_admits(&b, 0, 0, &closed));
	succeed(&b, 0, 0);
	ck_assert(st_budget_admits(&b, 0, 0, &closed) && closed == -1);
	st_budget_release(&b);
}
END_TEST

START_TEST(a_budget_that_fails_never_opens)
{
	struct st_budget b = circuit("fail");
	int opened, closed;

	ck_assert(take(&b, 0, 0));
	ck_assert(!ask(&b, 0, 0, &opened) && !opened);
	ck_assert(st_budget_admits(&b, 0, 0, &closed) && !closed);
	st_budget_release(&b);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("budget");
	TCase *tc = tcase_create("bucket");
	const int n = (int)(sizeof exact / sizeof *exact);

	tcase_set_timeout(tc, 300);
	tcase_add_test(tc, ten_deposits_of_a_tenth_make_one_token);
	tcase_add_loop_test(tc, under_saturating_demand_exactly_burst_and_rate_are_granted, 0, n);
	tcase_add_loop_test(tc, over_any_stretch_at_most_burst_and_rate_are_granted, 0, n);
	tcase_add_test(tc, one_an_hour_comes_on_the_hour_however_often_it_is_asked_for);
	tcase_add_test(tc, neither_a_huge_rate_nor_a_long_pause_overflows);
	suite_add_tcase(s, tc);
	tc = tcase_create("sites");
	tcase_add_test(tc, a_scope_says_who_shares_a_bucket);
	tcase_add_test(tc, one_client_does_not_spend_what_is_anothers);
	tcase_add_test(tc, off_is_off);
	suite_add_tcase(s, tc);
	tc = tcase_create("circuit");
	tcase_add_test(tc, a_refusal_opens_the_circuit_until_a_whole_token_is_back);
	tcase_add_test(tc, a_retry_that_finds_a_token_closes_the_circuit);
	tcase_add_test(tc, a_deposit_closes_the_circuit_too);
	tcase_add_test(tc, a_budget_that_fails_never_opens);
	suite_add_tcase(s, tc);
	return tap_main(s);
}
