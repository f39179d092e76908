#include <config.h>

#include <math.h>

#include "build.h"
#include "tap_main.h"

/* Budgets as "key value, key value", on their defaults. */
static struct st_budget_cfg config(const char *keys)
{
	struct st_budget_cfg c = {0};
	char key[32], value[32];
	int used;

	for (const struct st_param *p = st_budget_params; p->name; p++)
		if (p->dflt)
			st_param_default(p, &c);
	for (; sscanf(keys, " %31s %31[^,]%n", key, value, &used) == 2; keys += *keys == ',') {
		build_set(st_budget_params, &c, key, value);
		keys += used;
	}
	return c;
}

static struct st_budget budget(const char *keys)
{
	struct st_budget_cfg c = config(keys);
	struct st_budget b;

	st_budget_init(&b, &c, 1);
	return b;
}

/* One operation after the other at one call site: what is known of the present one. */
static struct st_budget_news op;
static uint8_t note;

static void begin(struct st_budget *b, st_time now)
{
	op = (struct st_budget_news){.now = now, .attempt = 1, .note = &note};
	st_budget_sent(b, 0, &op);
}

/* The attempt failed with this; whether it is tried again. */
static bool retried(struct st_budget *b, st_outcome outcome)
{
	int turned;

	op.outcome = outcome;
	op.retryable = true;
	st_budget_failed(b, 0, &op);
	if (!st_budget_take(b, 0, &op, &turned))
		return false;
	op.attempt++;
	op.now += op.delay;
	st_budget_sent(b, 0, &op);
	return true;
}

static void succeeded(struct st_budget *b)
{
	st_budget_succeeded(b, 0, &op);
}

static void succeed(struct st_budget *b, int times)
{
	for (int i = 0; i < times; i++) {
		begin(b, 0);
		succeeded(b);
	}
}

/* So many retries of operations that have two attempts are granted before the first that is not. */
static int granted(struct st_budget *b, st_outcome outcome)
{
	for (int n = 0;; n++) {
		begin(b, 0);
		if (!retried(b, outcome))
			return n;
		op.outcome = outcome;
		st_budget_failed(b, 0, &op);
	}
}

enum { E503 = ST_OUTCOME_STATUS + 403, E429 = ST_OUTCOME_STATUS + 329 };

/* --- runs ----------------------------------------------------------------------------------------------------------- */

/* 200/s for 500 s on a service without limits, of whose answers a share is 503; two attempts or more without delay. */
static struct st_counts run_with(const char *keys, double f, const char *attempts)
{
	struct st_config c;
	struct st_run run;

	build_init(&c, 500 * ST_SEC);
	c.service->workers = 10000;
	c.service->service_time = st_dist_constant(ST_MSEC);
	struct st_group_cfg *g = build_group(&c, "fleet", 1000);
	build_set(st_workload_params, &g->workload, "kind", "poisson");
	build_set(st_workload_params, &g->workload, "rate", "200/s");
	build_set(st_retry_params, &g->retry, "attempts", attempts);
	build_set(st_backoff_params, &g->retry.backoff, "shape", "constant");
	build_set(st_backoff_params, &g->retry.backoff, "jitter", "none");
	build_set(st_backoff_params, &g->retry.backoff, "base", "1ms");
	g->retry.budget = config(keys);
	build_fault(&c, 0, 500 * ST_SEC, "503")->share = f;
	build_run(&c, &run);
	struct st_counts n = run.meter->counts[0];
	st_run_release(&run);
	build_release(&c);
	return n;
}

#define NEAR(got, want, within) ck_assert_msg(fabs((got) - (want)) <= (within), "%s is %g, want %g", #got, got, want)

/* --- AWS quota -------------------------------------------------------------------------------------------------------- */

START_TEST(a_full_quota_pays_so_many_retries)
{
	static const struct {
		const char *keys;
		st_outcome outcome;
		int granted;
	} full[] = {{"kind aws-quota", E503, 100}, {"kind aws-quota", ST_OUTCOME_TIMEOUT, 50}, {"kind aws-quota, cost 14", E503, 35},
	    {"kind aws-quota, cost 14", E429, 100}, {"kind aws-quota, cost 10", E503, 50},
	    {"kind aws-quota, throttle_on [503], throttle_cost 20", E503, 25}, {"kind aws-quota, capacity 4", E503, 0}};

	for (size_t i = 0; i < sizeof full / sizeof *full; i++) {
		struct st_budget b = budget(full[i].keys);

		ck_assert_int_eq(granted(&b, full[i].outcome), full[i].granted);
		st_budget_release(&b);
	}
}
END_TEST

/* A timeout, then a 503, then success: 10 and 5 are taken, 5 comes back. */
START_TEST(a_success_gives_the_last_cost_back)
{
	struct st_budget b = budget("kind aws-quota, capacity 15");

	begin(&b, 0);
	ck_assert(retried(&b, ST_OUTCOME_TIMEOUT) && retried(&b, E503) && !retried(&b, E503));
	succeeded(&b);
	ck_assert_int_eq(granted(&b, E503), 1);
	begin(&b, 0);
	ck_assert(!retried(&b, E503));
	succeed(&b, 4);
	ck_assert_int_eq(granted(&b, E503), 0);
	succeed(&b, 1);
	ck_assert_int_eq(granted(&b, E503), 1);
	succeed(&b, 1000); /* it holds no more than 15 */
	ck_assert_int_eq(granted(&b, E503), 3);
	st_budget_release(&b);
}
END_TEST

/* Two attempts more for each of 2000 operations of which none succeeds: quotas of 500 tokens, 5 a retry. */
static uint64_t attempts_of(const char *count, const char *operations)
{
	struct st_config c;
	struct st_run run;

	build_init(&c, 1000 * ST_SEC);
	struct st_group_cfg *g = build_group(&c, "fleet", 1);
	build_set(st_clients_params, g, "count", count);
	build_set(st_workload_params, &g->workload, "kind", "think");
	build_set(st_workload_params, &g->workload, "think", "exponential 100ms");
	build_set(st_workload_params, &g->workload, "operations", operations);
	build_set(st_retry_params, &g->retry, "attempts", "3");
	build_set(st_backoff_params, &g->retry.backoff, "shape", "immediate");
	g->retry.budget = config("kind aws-quota, scope client");
	build_fault(&c, 0, 1000 * ST_SEC, "503");
	build_run(&c, &run);
	uint64_t n = run.meter->counts[0].attempts;
	ck_assert_uint_eq(run.meter->counts[0].operations, 2000);
	st_run_release(&run);
	build_release(&c);
	return n;
}

START_TEST(short_processes_never_feel_a_quota)
{
	ck_assert_uint_eq(attempts_of("1000", "2"), 6000);
	ck_assert_uint_eq(attempts_of("20", "100"), 4000);
	ck_assert_uint_eq(attempts_of("1", "2000"), 2100);
}
END_TEST

/* A failed retry loses 5, a success at the first attempt brings 1: (1 - f) / 5f retries an operation. */
START_TEST(a_quota_settles_where_failed_retries_cost_what_successes_bring)
{
	static const double share[] = {0.4, 0.5, 0.8};

	for (int i = 0; i < 3; i++) {
		double f = share[i];
		struct st_counts n = run_with("kind aws-quota", f, "3");

		NEAR((double)n.retried / (double)n.operations, (1 - f) / (5 * f), 0.02 * (1 - f) / (5 * f) + 0.0015);
	}
	struct st_counts n = run_with("kind aws-quota", 0.2, "3"); /* 0.24 are wanted, 0.8 would be paid */
	NEAR((double)n.retried / (double)n.operations, 0.24, 0.01);
	ck_assert_uint_eq(n.denied, 0);
}
END_TEST

/* d = 0.1 a success, 2 tokens a second on 200 operations a second. */
START_TEST(a_token_bucket_settles_where_it_takes_what_comes_in)
{
	struct st_counts n = run_with("kind token-bucket, burst 10, deposit 0.1, rate 2/s", 0.5, "3");

	NEAR((double)n.retried / (double)n.operations, (0.1 * 0.5 + 0.01) / (1 - 0.1 * 0.5), 0.001);
}
END_TEST

/* --- gRPC throttling -------------------------------------------------------------------------------------------------- */

static bool fails(struct st_budget *b)
{
	begin(b, 0);
	return retried(b, E503);
}

START_TEST(the_fifth_failure_in_a_row_is_not_retried)
{
	struct st_budget b = budget("kind grpc-throttle, max_tokens 10, token_ratio 0.1");

	begin(&b, 0);
	for (int i = 0; i < 4; i++)
		ck_assert(retried(&b, E503));
	ck_assert(!retried(&b, E503));
	ck_assert(!fails(&b));
	st_budget_release(&b);
}
END_TEST

START_TEST(from_nothing_it_takes_61_successes_until_a_failure_is_retried)
{
	for (int successes = 59; successes <= 63; successes++) {
		struct st_budget b = budget("kind grpc-throttle, max_tokens 10, token_ratio 0.1");

		for (int i = 0; i < 20; i++)
			fails(&b);
		succeed(&b, successes);
		ck_assert_int_eq(fails(&b), successes >= 61);
		st_budget_release(&b);
	}
}
END_TEST

START_TEST(a_final_failure_is_no_sign_of_overload)
{
	struct st_budget b = budget("kind grpc-throttle");

	for (int i = 0; i < 20; i++) {
		begin(&b, 0);
		st_budget_failed(&b, 0, &op);
	}
	ck_assert(fails(&b));
	succeed(&b, 1000); /* it holds no more than 10 */
	for (int i = 0; i < 4; i++)
		ck_assert(fails(&b));
	ck_assert(!fails(&b));
	st_budget_release(&b);
}
END_TEST

/* The level rises by r (1 - f) - f an attempt: a switch at f = r / (1 + r) = 0.0909. */
START_TEST(grpc_throttling_is_a_switch)
{
	static const char *const keys = "kind grpc-throttle, max_tokens 100, token_ratio 0.1";
	struct st_counts n = run_with(keys, 0.05, "2");

	NEAR((double)n.retried / (double)n.operations, 0.05, 0.003);
	ck_assert_uint_eq(n.denied, 0);
	n = run_with(keys, 0.15, "2");
	ck_assert_uint_le(n.retried, 200); /* of 15000 failures: those until the switch, and few later ones */
	ck_assert_uint_ge(n.denied, 14000);
}
END_TEST

/* --- window ratio ------------------------------------------------------------------------------------------------------ */

/* As many as are granted at an instant. */
static int drain(struct st_budget *b, st_time now)
{
	struct st_budget_news ask = {.now = now, .attempt = 1, .note = &note};
	int n = 0, turned;

	while (st_budget_take(b, 0, &ask, &turned))
		n++;
	return n;
}

START_TEST(an_idle_client_has_a_reserve)
{
	struct st_budget b = budget("kind window, ttl 10s, min_rate 10/s, ratio 20%");

	ck_assert_int_eq(drain(&b, 0), 100);
	ck_assert_int_eq(drain(&b, 10 * ST_SEC - 1), 0);
	ck_assert_int_eq(drain(&b, 10 * ST_SEC), 100); /* what was withdrawn has left the window */
	st_budget_release(&b);
}
END_TEST

static int retries_at_once(struct st_budget *b)
{
	int n = 0;

	for (begin(b, 0); retried(b, E503); n++)
		continue;
	return n;
}

/* Finagle: a fifth of the balance, rounded up, for each. */
START_TEST(an_operation_may_have_a_share_of_the_reserve)
{
	struct st_budget b = budget("kind window, ttl 10s, min_rate 10/s, ratio 20%, deposit_on success, operation_share 20%");

	ck_assert_int_eq(retries_at_once(&b), 20);
	ck_assert_int_eq(retries_at_once(&b), 16);
	ck_assert_int_eq(retries_at_once(&b), 13); /* of 64 */
	st_budget_release(&b);
}
END_TEST

START_TEST(deposits_and_withdrawals_leave_the_window_with_their_slice)
{
	struct st_budget b = budget("kind window, ttl 10s, min_rate 0/s, ratio 20%");

	ck_assert_int_eq(drain(&b, 0), 0);
	for (int i = 0; i < 14; i++)
		begin(&b, 3500 * ST_MSEC);
	ck_assert_int_eq(drain(&b, 3500 * ST_MSEC), 2); /* 2.8 */
	begin(&b, 5 * ST_SEC);
	ck_assert_int_eq(drain(&b, 5 * ST_SEC), 1); /* exactly 3 */
	for (int i = 0; i < 5; i++)
		begin(&b, 12 * ST_SEC);
	ck_assert_int_eq(drain(&b, 13 * ST_SEC - 1), 1);
	for (int i = 0; i < 5; i++)
		begin(&b, 13 * ST_SEC); /* 14 deposits and 2 withdrawals are gone: 11 x 0.2 - 2 are left, */
	ck_assert_int_eq(drain(&b, 13 * ST_SEC), 0);
	for (int i = 0; i < 4; i++)
		begin(&b, 13 * ST_SEC);
	ck_assert_int_eq(drain(&b, 13 * ST_SEC), 1); /* 15 x 0.2 - 2 */
	ck_assert_int_eq(drain(&b, 1000 * ST_SEC), 0);
	st_budget_release(&b);
}
END_TEST

START_TEST(a_deposit_is_made_when_deposit_on_says)
{
	static const struct {
		const char *keys;
		int granted; /* of five operations that succeed, five that fail for good, and five that fail otherwise */
	} on[] = {{"kind window, min_rate 0/s, deposit_on start", 3}, {"kind window, min_rate 0/s, deposit_on success", 1},
	    {"kind window, min_rate 0/s, deposit_on nonretryable", 2}};

	for (size_t k = 0; k < sizeof on / sizeof *on; k++) {
		struct st_budget b = budget(on[k].keys);

		for (int i = 0; i < 15; i++) {
			begin(&b, 0);
			op.retryable = i < 5;
			if (i < 10)
				st_budget_failed(&b, 0, &op);
			else
				succeeded(&b);
		}
		ck_assert_int_eq(drain(&b, 0), on[k].granted);
		st_budget_release(&b);
	}
}
END_TEST

/* 200 operations/s of which f = 0.6 fail; 2 retries a second need no deposit. */
START_TEST(a_window_settles_at_its_ratio_and_its_rate)
{
	struct st_counts n = run_with("kind window, ratio 10%, min_rate 2/s", 0.6, "4");

	NEAR((double)n.retried / (double)n.operations, 0.1 + 0.01, 0.001);
	n = run_with("kind window, ratio 10%, min_rate 2/s, deposit_on success", 0.6, "4");
	NEAR((double)n.retried / (double)n.operations, (0.1 * 0.4 + 0.01) / (1 - 0.1 * 0.4), 0.001);
}
END_TEST

/* --- concurrency ------------------------------------------------------------------------------------------------------- */

static struct st_config fleet(uint64_t count, const char *network, const char *base, const char *keys)
{
	struct st_config c;

	build_init(&c, 100 * ST_SEC);
	struct st_group_cfg *g = build_group(&c, "fleet", count);
	build_set(st_group_params, g, "network", network);
	build_set(st_retry_params, &g->retry, "attempts", "2");
	build_set(st_backoff_params, &g->retry.backoff, "base", base);
	build_set(st_backoff_params, &g->retry.backoff, "jitter", "none");
	g->retry.budget = config(keys);
	build_fault(&c, 0, 100 * ST_SEC, "503");
	return c;
}

static struct st_counts counts_of(struct st_config *c)
{
	struct st_run run;

	build_run(c, &run);
	struct st_counts n = run.meter->counts[0];
	st_run_release(&run);
	build_release(c);
	return n;
}

/*
 * A thousand requests fail at one instant. With k granted, 999 - k others in flight at most, k + 1 goes if k < 0.2 x (999 - i), i
 * the failed ones before it: i = k, so k reaches 167. None of them ends within the instant.
 */
START_TEST(retries_that_wait_count)
{
	struct st_config c = fleet(1000, "10ms", "25ms", "kind concurrency, max_retries 3, active_share 20%");
	struct st_counts n = counts_of(&c);

	ck_assert_uint_eq(n.retried, 166);
	ck_assert_uint_eq(n.denied, 834);
	c = fleet(1000, "10ms", "25ms", "kind concurrency");
	ck_assert_uint_eq(counts_of(&c).retried, 3);
	c = fleet(1000, "10ms", "25ms", "kind concurrency, max_retries 205");
	ck_assert_uint_eq(counts_of(&c).retried, 205);
	c = fleet(1000, "10ms", "25ms", "kind concurrency, max_retries 0");
	ck_assert_uint_eq(counts_of(&c).retried, 0);
}
END_TEST

START_TEST(a_place_is_free_again_when_its_retry_ends)
{
	struct st_budget b = budget("kind concurrency, max_retries 2");
	struct st_budget_news n = {.attempt = 1, .note = &note};
	int turned;

	for (int i = 0; i < 4; i++)
		st_budget_sent(&b, 0, &n);
	for (int i = 0; i < 4; i++) {
		st_budget_failed(&b, 0, &n);
		ck_assert_int_eq(st_budget_take(&b, 0, &n, &turned), i < 2);
	}
	n.attempt = 2;
	st_budget_sent(&b, 0, &n);
	st_budget_sent(&b, 0, &n);
	ck_assert(!st_budget_take(&b, 0, &n, &turned));
	st_budget_succeeded(&b, 0, &n);
	ck_assert(st_budget_take(&b, 0, &n, &turned) && !st_budget_take(&b, 0, &n, &turned));
	st_budget_failed(&b, 0, &n); /* and its operation asks again */
	ck_assert(st_budget_take(&b, 0, &n, &turned) && !st_budget_take(&b, 0, &n, &turned));
	st_budget_dropped(&b, 0);
	ck_assert(st_budget_take(&b, 0, &n, &turned) && !st_budget_take(&b, 0, &n, &turned));
	st_budget_release(&b);
}
END_TEST

static double erlang_b(int places, double load)
{
	double b = 1.0;

	for (int i = 1; i <= places; i++)
		b = load * b / (i + load * b);
	return b;
}

static struct st_config open_fleet(const char *rate, const char *keys)
{
	struct st_config c = fleet(1000, "50ms", "400ms", keys);
	struct st_workload_cfg *w = &c.group[0].workload;

	build_set(st_workload_params, w, "kind", "poisson");
	build_set(st_workload_params, w, "rate", rate);
	return c;
}

/*
 * Every first attempt fails and wants one retry of 400 ms + 2 x 50 ms: places that are held for 0.5 s each and asked for by a Poisson
 * process are Erlang's loss system, whatever the holding time's distribution.
 */
START_TEST(concurrency_is_erlangs_loss_system)
{
	static const char *const keys[] = {"kind concurrency, max_retries 3", "kind concurrency, max_retries 20",
	    "kind concurrency, max_retries 50"};
	static const int places[] = {3, 20, 50};

	for (int i = 0; i < 3; i++) {
		struct st_config c = open_fleet("100/s", keys[i]);
		struct st_counts n = counts_of(&c);

		NEAR((double)n.retried / (double)n.operations, 1.0 - erlang_b(places[i], 50.0), 0.015);
	}
}
END_TEST

/* L operations/s, attempts of s = 0.1 s, waits of d = 0.4 s: R (d + s) = p (L + R) s, so R / L = p s / (d + s - p s). */
START_TEST(a_share_of_active_requests_settles_below_itself)
{
	struct st_config c = open_fleet("4000/s", "kind concurrency, active_share 20%");

	c.duration = 20 * ST_SEC;
	c.fault[0].length = 20 * ST_SEC;
	struct st_counts n = counts_of(&c);
	NEAR((double)n.retried / (double)n.operations, 0.2 * 0.1 / (0.5 - 0.2 * 0.1), 0.0015);
}
END_TEST

/* --- starts ------------------------------------------------------------------------------------------------------------ */

/* One unit that fails at once; how often it is started within 100 s. */
static uint64_t starts(const char *keys, const char *delay)
{
	struct st_config c = fleet(1, "0s", delay, keys);

	build_set(st_retry_params, &c.group[0].retry, "attempts", "unlimited");
	build_set(st_backoff_params, &c.group[0].retry.backoff, "shape", "constant");
	return counts_of(&c).attempts;
}

START_TEST(five_starts_in_ten_seconds_then_it_stays_failed)
{
	ck_assert_uint_eq(starts("kind starts", "100ms"), 5);
	ck_assert_uint_eq(starts("kind starts, starts 1, within 1s", "1s"), 1);
	ck_assert_uint_eq(starts("kind starts", "2s"), 5);      /* the sixth would be at exactly 10 s */
	ck_assert_uint_eq(starts("kind starts", "2001ms"), 50); /* at 10.005 s: another window */
	ck_assert_uint_eq(starts("kind starts, starts 3, within 1999ms", "1s"), 100);
}
END_TEST

START_TEST(first_attempts_count_and_are_not_refused)
{
	struct st_budget b = budget("kind starts, starts 3, within 10s");

	for (int i = 0; i < 3; i++)
		begin(&b, 0);
	ck_assert(!retried(&b, E503));
	begin(&b, 10 * ST_SEC);
	ck_assert(!retried(&b, E503));
	begin(&b, 10 * ST_SEC + 1);
	ck_assert(retried(&b, E503) && retried(&b, E503) && !retried(&b, E503));
	int turned;
	op.delay = ST_NEVER;
	ck_assert(st_budget_take(&b, 0, &op, &turned));
	st_budget_release(&b);
}
END_TEST

/* 0.75 retries are wanted: 350 starts a second until the window's 3000 are used up, then only first attempts. */
START_TEST(starts_give_way_to_first_attempts)
{
	struct st_counts n = run_with("kind starts, starts 5, within 10s", 0.5, "3");

	ck_assert_uint_le(n.retried, 50 * 4);
	n = run_with("kind starts, starts 3000, within 10s", 0.5, "3");
	NEAR((double)n.retried / (double)n.operations, 0.75 * 3000 / (200 * 1.75 * 10), 0.006);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("budget kinds");
	TCase *tc = tcase_create("aws quota");

	tcase_set_timeout(tc, 60);
	tcase_add_test(tc, a_full_quota_pays_so_many_retries);
	tcase_add_test(tc, a_success_gives_the_last_cost_back);
	tcase_add_test(tc, short_processes_never_feel_a_quota);
	tcase_add_test(tc, a_quota_settles_where_failed_retries_cost_what_successes_bring);
	tcase_add_test(tc, a_token_bucket_settles_where_it_takes_what_comes_in);
	suite_add_tcase(s, tc);
	tc = tcase_create("grpc throttling");
	tcase_set_timeout(tc, 60);
	tcase_add_test(tc, the_fifth_failure_in_a_row_is_not_retried);
	tcase_add_test(tc, from_nothing_it_takes_61_successes_until_a_failure_is_retried);
	tcase_add_test(tc, a_final_failure_is_no_sign_of_overload);
	tcase_add_test(tc, grpc_throttling_is_a_switch);
	suite_add_tcase(s, tc);
	tc = tcase_create("window");
	tcase_set_timeout(tc, 60);
	tcase_add_test(tc, an_idle_client_has_a_reserve);
	tcase_add_test(tc, an_operation_may_have_a_share_of_the_reserve);
	tcase_add_test(tc, deposits_and_withdrawals_leave_the_window_with_their_slice);
	tcase_add_test(tc, a_deposit_is_made_when_deposit_on_says);
	tcase_add_test(tc, a_window_settles_at_its_ratio_and_its_rate);
	suite_add_tcase(s, tc);
	tc = tcase_create("concurrency");
	tcase_set_timeout(tc, 60);
	tcase_add_test(tc, retries_that_wait_count);
	tcase_add_test(tc, a_place_is_free_again_when_its_retry_ends);
	tcase_add_test(tc, concurrency_is_erlangs_loss_system);
	tcase_add_test(tc, a_share_of_active_requests_settles_below_itself);
	suite_add_tcase(s, tc);
	tc = tcase_create("starts");
	tcase_set_timeout(tc, 60);
	tcase_add_test(tc, five_starts_in_ten_seconds_then_it_stays_failed);
	tcase_add_test(tc, first_attempts_count_and_are_not_refused);
	tcase_add_test(tc, starts_give_way_to_first_attempts);
	suite_add_tcase(s, tc);
	return tap_main(s);
}
