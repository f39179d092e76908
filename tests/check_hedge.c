#include <config.h>

#include <math.h>
#include <string.h>

#include "build.h"
#include "model/hedge.h"
#include "tap_main.h"

/* --- the delay -------------------------------------------------------------------------------------------------------- */

static struct st_hedge_cfg config(const char *after, const char *in_flight, const char *min_seen)
{
	struct st_hedge_cfg c = {0};

	build_set(st_hedge_params, &c, "after", after);
	build_set(st_hedge_params, &c, "in_flight", in_flight);
	build_set(st_hedge_params, &c, "min_seen", min_seen);
	return c;
}

static const struct {
	const char *text, *printed;
} delays[] = {{"off", "off"}, {"50ms", "50ms"}, {"p95", "p95"}, {"p99.9", "p99.9"}, {"p0.5", "p0.5"}};

START_TEST(a_delay_is_a_duration_or_a_quantile)
{
	struct st_hedge_cfg c = config(delays[_i].text, "2", "1");
	struct st_text t = ST_TEXT_INIT;

	st_param_print(&st_hedge_params[0], &c, &t);
	ck_assert_str_eq(t.s, delays[_i].printed);
	ck_assert_int_eq(st_hedge_is_on(&c), strcmp(delays[_i].text, "off") != 0);
	st_text_release(&t);
}
END_TEST

static const struct {
	const char *text, *told;
} wrong[] = {
    {"p100", "a quantile is above p0 and below p100"},
    {"p0", "a quantile is above p0 and below p100"},
    {"p95ms", "a quantile is above p0 and below p100"},
    {"0s", "it must be longer than 0"},
    {"soon", "expects a duration such as 50ms or a quantile such as p95, or 'off'; got 'soon'"},
};

START_TEST(what_is_neither_is_told)
{
	struct st_hedge_cfg c = config("off", "2", "1");
	struct st_err e = ST_ERR_INIT;

	ck_assert_int_eq(st_param_read_text(&st_hedge_params[0], wrong[_i].text, NULL, &c, &e), -1);
	ck_assert_ptr_nonnull(strstr(e.message[0], wrong[_i].told));
	ck_assert(!st_hedge_is_on(&c));
	st_err_release(&e);
}
END_TEST

/* The quantile follows each success; it is never below the order statistic, and at most a bucket above it. */
START_TEST(a_quantile_is_of_what_was_seen_so_far)
{
	enum { N = 3000 };
	static const char *const after[] = {"p1", "p50", "p95", "p99.9"};
	struct st_hedge_cfg c = config(after[_i], "2", "20");
	struct st_hedge h;
	struct st_rng_family family = st_rng_family(1, 0);
	struct st_rng r = st_rng_open(&family, 0, 0, 0, ST_RNG_SERVICE);
	static st_time sorted[N];

	st_hedge_init(&h, &c);
	for (uint64_t n = 1; n <= N; n++) {
		/* What comes is slower for a while, then faster than ever. */
		double mean = n < 1000 ? 1e6 : n < 2000 ? 50e6 : 1e3;
		st_time x = (st_time)(st_rng_exponential(&r) * mean);
		size_t at = n - 1;

		st_hedge_saw(&h, x);
		for (; at > 0 && sorted[at - 1] > x; at--)
			sorted[at] = sorted[at - 1];
		sorted[at] = x;
		st_time delay = st_hedge_delay(&h), exact = sorted[st_hist_rank(c.after.quantile, n) - 1];
		if (n < 20) {
			ck_assert_int_eq(delay, ST_NEVER);
			continue;
		}
		ck_assert_int_ge(delay, exact);
		ck_assert_double_le((double)delay, (double)exact * (1.0 + 1.0 / 64.0));
	}
	st_hedge_release(&h);
}
END_TEST

/* --- whole runs --------------------------------------------------------------------------------------------------------- */

/* One client, one operation at 0, a service that takes 100 ms for everything and has workers enough. */
static struct st_group_cfg *lone(struct st_config *c, const char *attempts, const char *after)
{
	build_init(c, 10 * ST_SEC);
	c->service->workers = 10;
	c->service->service_time = st_dist_constant(100 * ST_MSEC);
	struct st_group_cfg *g = build_group(c, "one", 1);
	build_set(st_retry_params, &g->retry, "attempts", attempts);
	build_set(st_backoff_params, &g->retry.backoff, "shape", "constant");
	build_set(st_backoff_params, &g->retry.backoff, "jitter", "none");
	build_set(st_backoff_params, &g->retry.backoff, "base", "10ms");
	build_set(st_hedge_params, &g->retry.hedge, "after", after);
	return g;
}

static struct st_counts finish(struct st_config *c, double *success_ms)
{
	struct st_run run;

	build_run(c, &run);
	struct st_counts n = run.meter->counts[0];
	*success_ms = (double)run.meter->group[0].last_success / 1e6;
	st_run_release(&run);
	build_release(c);
	return n;
}

START_TEST(the_first_answer_wins_and_the_other_is_wasted)
{
	struct st_config c;
	double at;

	lone(&c, "2", "40ms");
	struct st_counts n = finish(&c, &at);
	ck_assert_double_eq(at, 100.0);
	ck_assert_uint_eq(n.attempts, 2);
	ck_assert_uint_eq(n.retried, 1);
	ck_assert_uint_eq(n.retries, 1);
	ck_assert_uint_eq(n.outrun, 1);
	ck_assert_uint_eq(n.wasted, 1);
	ck_assert_uint_eq(n.successes, 1);
}
END_TEST

/* An answer at exactly the delay is in time. */
START_TEST(what_is_answered_by_then_is_not_hedged)
{
	struct st_config c;
	double at;

	lone(&c, "2", _i ? "100ms" : "99ms");
	ck_assert_uint_eq(finish(&c, &at).attempts, _i ? 1 : 2);
}
END_TEST

/* The slow one takes 700 ms, its hedge 100 ms. */
START_TEST(a_hedge_overtakes_a_slow_attempt)
{
	struct st_config c;
	double at;

	lone(&c, "2", "40ms");
	build_fault(&c, 0, 20 * ST_MSEC, "slow")->factor = 7.0;
	struct st_counts n = finish(&c, &at);
	ck_assert_double_eq(at, 140.0);
	ck_assert_uint_eq(n.outrun, 1);
	ck_assert_uint_eq(n.wasted, 1);
}
END_TEST

/* Swallowed: what is sent, of `attempts` in all and `hedge.in_flight` at a time, within 1 s. */
static const struct {
	const char *attempts, *hedge, *timeout;
	unsigned sent;
} numbers[] = {
    {"2", "2", "off", 2},
    {"3", "2", "off", 2},
    {"3", "3", "off", 3},
    {"10", "5", "off", 5},
    {"4", "7", "off", 4},
    {"4", "2", "60ms", 4}, /* at 0 and 40; both are given up by 100; at 110 and 150 */
};

START_TEST(attempts_are_bounded_at_a_time_and_in_all)
{
	struct st_config c;
	double at;

	struct st_group_cfg *g = lone(&c, numbers[_i].attempts, "40ms");
	build_set(st_hedge_params, &g->retry.hedge, "in_flight", numbers[_i].hedge);
	build_set(st_group_params, g, "timeout", numbers[_i].timeout);
	build_fault(&c, 0, 10 * ST_SEC, "blackhole");
	struct st_counts n = finish(&c, &at);
	ck_assert_uint_eq(n.attempts, numbers[_i].sent);
	ck_assert_uint_eq(n.swallowed, numbers[_i].sent);
}
END_TEST

/* The first attempt is swallowed, and given up at 110 ms; its hedge of 40 ms is answered at 140 ms. */
START_TEST(a_failure_beside_others_waits_for_them)
{
	struct st_config c;
	double at;

	struct st_group_cfg *g = lone(&c, "2", "40ms");
	g->timeout = st_dist_constant(110 * ST_MSEC);
	build_fault(&c, 0, 20 * ST_MSEC, "blackhole");
	struct st_counts n = finish(&c, &at);
	ck_assert_double_eq(at, 140.0);
	ck_assert_uint_eq(n.timed_out, 1);
	ck_assert_uint_eq(n.outrun, 0);
	ck_assert_uint_eq(n.successes, 1);
}
END_TEST

/* The hedge at 40 ms is told 400, which is final: what else is under way is not waited for. */
START_TEST(a_final_failure_ends_the_operation)
{
	struct st_config c;
	double at;

	lone(&c, "3", "40ms");
	build_fault(&c, 20 * ST_MSEC, ST_SEC, "400");
	struct st_counts n = finish(&c, &at);
	ck_assert_uint_eq(n.failures[ST_REASON_NOT_RETRYABLE], 1);
	ck_assert_uint_eq(n.attempts, 2);
	ck_assert_uint_eq(n.outrun, 1);
	ck_assert_uint_eq(n.wasted, 1);
}
END_TEST

START_TEST(a_failure_alone_is_retried_after_its_backoff)
{
	struct st_config c;
	double at;

	lone(&c, "3", "40ms");
	build_fault(&c, 0, 5 * ST_MSEC, "503");
	struct st_counts n = finish(&c, &at);
	ck_assert_double_eq(at, 110.0); /* sent at 10 ms; hedged at 50 ms */
	ck_assert_uint_eq(n.attempts, 3);
	ck_assert_uint_eq(n.outrun, 1);
}
END_TEST

START_TEST(no_attempt_is_sent_at_the_deadline)
{
	struct st_config c;
	double at;

	struct st_group_cfg *g = lone(&c, "9", "40ms");
	build_set(st_hedge_params, &g->retry.hedge, "in_flight", "9");
	g->deadline = 80 * ST_MSEC;
	build_fault(&c, 0, ST_SEC, "blackhole");
	struct st_counts n = finish(&c, &at);
	ck_assert_uint_eq(n.attempts, 2);
	ck_assert_uint_eq(n.timed_out, 2);
	ck_assert_uint_eq(n.failures[ST_REASON_ATTEMPTS] + n.failures[ST_REASON_DEADLINE], 1);
}
END_TEST

/* --- what bounds retries bounds hedges ---------------------------------------------------------------------------------- */

/* A hundred clients, one after the other; each is hedged at 40 ms. */
static struct st_group_cfg *queue_of_clients(struct st_config *c)
{
	struct st_group_cfg *g = lone(c, "2", "40ms");

	g->count = 100;
	g->workload.spread = 5 * ST_SEC;
	c->service->workers = 300;
	return g;
}

START_TEST(without_a_token_the_operation_goes_on_waiting)
{
	struct st_config c;
	double at;

	struct st_group_cfg *g = queue_of_clients(&c);
	build_set(st_budget_params, &g->retry.budget, "kind", "token-bucket");
	build_set(st_budget_params, &g->retry.budget, "burst", "7");
	struct st_counts n = finish(&c, &at);
	ck_assert_uint_eq(n.successes, 100);
	ck_assert_uint_eq(n.retried, 7);
	ck_assert_uint_eq(n.denied, 93);
	ck_assert_uint_eq(n.wasted, 7);
}
END_TEST

/* A place is free again when the attempt that holds it is outrun. */
START_TEST(an_outrun_attempt_gives_its_place_back)
{
	struct st_config c;
	double at;

	struct st_group_cfg *g = queue_of_clients(&c);
	build_set(st_budget_params, &g->retry.budget, "kind", "concurrency");
	build_set(st_budget_params, &g->retry.budget, "max_retries", "50");
	struct st_counts n = finish(&c, &at);
	ck_assert_uint_eq(n.retried, 100);
	ck_assert_uint_eq(n.denied, 0);
}
END_TEST

/* Half-open it lets one through; when that is outrun, another. */
START_TEST(an_outrun_attempt_was_no_probe)
{
	struct st_breaker_cfg cfg = {0};
	struct st_breaker b;
	uint8_t first, second;

	for (const struct st_param *p = st_breaker_params; p->name; p++)
		st_param_default(p, &cfg);
	build_set(st_breaker_params, &cfg, "kind", "consecutive");
	build_set(st_breaker_params, &cfg, "failures", "1");
	st_breaker_init(&b, &cfg, 1);
	ck_assert(st_breaker_admit(&b, 0, 0, &first));
	ck_assert_int_eq(st_breaker_ended(&b, 0, 0, first, true), 1);
	ck_assert(st_breaker_admit(&b, 0, 5 * ST_SEC, &first));
	ck_assert(!st_breaker_would_admit(&b, 0, 6 * ST_SEC));
	st_breaker_forget(&b, 0, first);
	ck_assert(st_breaker_admit(&b, 0, 6 * ST_SEC, &second));
	ck_assert_int_eq(st_breaker_ended(&b, 0, 7 * ST_SEC, second, false), -1);
	st_breaker_release(&b);
}
END_TEST

/* --- impossible ----------------------------------------------------------------------------------------------------------- */

static void count_told(void *to, const char *path, const char *message)
{
	(void)message;
	ck_assert_str_eq(path, "clients.one.retry.hedge.after");
	++*(int *)to;
}

START_TEST(a_hedge_needs_a_second_attempt_and_no_waiting_gate)
{
	struct st_config c;
	int told = 0;
	const struct st_config_ear ear = {.tell = count_told, .to = &told};

	struct st_group_cfg *g = lone(&c, "1", "p95");
	build_set(st_gate_params, &g->retry.gate, "kind", "cubic");
	ck_assert_uint_eq(st_config_contradictions(&c, &ear), 2);
	ck_assert_int_eq(told, 2);
	build_set(st_hedge_params, &g->retry.hedge, "after", "off");
	ck_assert_uint_eq(st_config_contradictions(&c, &ear), 0);
	build_release(&c);
}
END_TEST

#define ROWS(table) ((int)(sizeof(table) / sizeof *(table)))

int main(void)
{
	Suite *s = suite_create("hedge");
	TCase *tc = tcase_create("hedge");

	tcase_add_loop_test(tc, a_delay_is_a_duration_or_a_quantile, 0, ROWS(delays));
	tcase_add_loop_test(tc, what_is_neither_is_told, 0, ROWS(wrong));
	tcase_add_loop_test(tc, a_quantile_is_of_what_was_seen_so_far, 0, 4);
	tcase_add_test(tc, the_first_answer_wins_and_the_other_is_wasted);
	tcase_add_loop_test(tc, what_is_answered_by_then_is_not_hedged, 0, 2);
	tcase_add_test(tc, a_hedge_overtakes_a_slow_attempt);
	tcase_add_loop_test(tc, attempts_are_bounded_at_a_time_and_in_all, 0, ROWS(numbers));
	tcase_add_test(tc, a_failure_beside_others_waits_for_them);
	tcase_add_test(tc, a_final_failure_ends_the_operation);
	tcase_add_test(tc, a_failure_alone_is_retried_after_its_backoff);
	tcase_add_test(tc, no_attempt_is_sent_at_the_deadline);
	tcase_add_test(tc, without_a_token_the_operation_goes_on_waiting);
	tcase_add_test(tc, an_outrun_attempt_gives_its_place_back);
	tcase_add_test(tc, an_outrun_attempt_was_no_probe);
	tcase_add_test(tc, a_hedge_needs_a_second_attempt_and_no_waiting_gate);
	suite_add_tcase(s, tc);
	return tap_main(s);
}
