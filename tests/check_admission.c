#include <config.h>

#include <math.h>
#include <stdlib.h>

#include "model/bucket.h"
#include "service_bench.h"

static void set(struct bench *b, const char *name, const char *value)
{
	build_set(st_admission_params, &b->c.service->admission, name, value);
}

/* --- the rate limit -------------------------------------------------------------------------------------------------------- */

START_TEST(the_burst_goes_then_the_rate)
{
	struct bench *b = bench("1000", "0");

	set(b, "rate_limit.rate", "10/s");
	set(b, "rate_limit.burst", "3");
	set(b, "rate_limit.status", "503");
	ready(b);
	for (uint32_t who = 0; who < 5; who++)
		at(b, 0, who);
	at(b, 100 * ST_MSEC - 1, 5);
	at(b, 100 * ST_MSEC, 6);
	at(b, 100 * ST_MSEC, 7);
	at(b, 900 * ST_MSEC, 8); /* full again: no more than the burst is kept */
	for (uint32_t who = 9; who < 13; who++)
		at(b, 900 * ST_MSEC, who);
	go(b);
	answered(b, 0, 0, 3, ST_ANSWER_LIMITED, st_outcome_status(503));
	answered(b, 1, 0, 4, ST_ANSWER_LIMITED, st_outcome_status(503));
	ck_assert_uint_eq(b->meter.counts[0].limited, 2 + 1 + 1 + 2);
	ck_assert_uint_eq(b->meter.counts[0].admitted, 3 + 1 + 3);
	release(b);
}
END_TEST

/* However often it is asked, burst + rate x time is let through: to the request, if there is always one that wants to. */
START_TEST(it_lets_through_burst_and_rate_times_time)
{
	static const struct {
		const char *rate, *burst;
		unsigned want; /* in a second, beginning with its first instant */
	} of[] = {{"100/s", "1", 100}, {"100/s", "50", 149}, {"7/s", "2.5", 9}, {"33/s", "1", 33}, {"0/s", "4", 4}};

	for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
		struct bench *b = bench("100000", "0");

		set(b, "rate_limit.rate", of[i].rate);
		set(b, "rate_limit.burst", of[i].burst);
		ready(b);
		for (uint32_t k = 0; k < 100000; k++)
			at(b, k * 10 * ST_USEC, k);
		go(b);
		ck_assert_msg(b->meter.counts[0].admitted == of[i].want, "%s %s: %u", of[i].rate, of[i].burst, (unsigned)b->meter.counts[0].admitted);
		release(b);
	}
}
END_TEST

/* A fault's answer takes no token, an overload answer does. */
START_TEST(the_limit_stands_between_faults_and_workers)
{
	struct bench *b = bench("1", "0");

	set(b, "rate_limit.rate", "0/s");
	set(b, "rate_limit.burst", "3");
	build_fault(&b->c, 0, 10, "500");
	ready(b);
	at(b, 5, 0);
	for (uint32_t who = 1; who < 6; who++)
		at(b, 10, who);
	go(b);
	const struct st_counts *n = &b->meter.counts[0];
	ck_assert_uint_eq(n->errors, 1);
	ck_assert_uint_eq(n->admitted, 1);
	ck_assert_uint_eq(n->rejected, 2);
	ck_assert_uint_eq(n->limited, 2);
	release(b);
}
END_TEST

START_TEST(the_time_to_the_next_token_is_exact)
{
	struct st_bucket b = {.level = 0};
	uint64_t rate = st_bucket_fill_rate(3.0);
	st_time wait = st_bucket_wait(&b, rate);

	ck_assert_int_eq(wait, 333333334); /* a third of a second, rounded up */
	st_bucket_fill(&b, rate, ST_BUCKET_TOKEN, wait - 1);
	ck_assert_int_eq(st_bucket_wait(&b, rate), 1);
	st_bucket_fill(&b, rate, ST_BUCKET_TOKEN, wait);
	ck_assert_int_eq(st_bucket_wait(&b, rate), 0);
	b.level = 0;
	ck_assert_int_eq(st_bucket_wait(&b, 0), ST_TIME_MAX);
}
END_TEST

/* One token in 100 ms: at 0 one of three is let through; the others wait 100 ms, of whom one is let through, and so on. */
START_TEST(all_that_obey_the_hint_come_for_one_token)
{
	struct st_config c;
	struct st_run run;

	build_init(&c, 10 * ST_SEC);
	c.service->workers = 10;
	build_set(st_admission_params, &c.service->admission, "rate_limit.rate", "10/s");
	build_set(st_hint_params, &c.service->hint, "value", "token");
	build_set(st_hint_params, &c.service->hint, "form", "ms");
	struct st_group_cfg *g = build_group(&c, "herd", 5);
	build_set(st_retry_params, &g->retry, "attempts", "unlimited");
	build_set(st_backoff_params, &g->retry.backoff, "shape", "immediate");
	build_set(st_obedience_params, &g->retry.hint, "obey", "100%");
	build_set(st_obedience_params, &g->retry.hint, "mode", "replace");
	build_run(&c, &run);
	ck_assert_uint_eq(run.meter->counts[0].successes, 5);
	ck_assert_uint_eq(run.meter->counts[0].attempts, 5 + 4 + 3 + 2 + 1);
	ck_assert_int_eq(run.meter->group[0].last_success, 4 * 100 * ST_MSEC + 10 * ST_MSEC);
	st_run_release(&run);
	build_release(&c);
}
END_TEST

/* --- background errors ----------------------------------------------------------------------------------------------------- */

/* Binomial: 50000 requests, a share of 0.1, a deviation of 67. Whom they hit does not depend on the order. */
START_TEST(a_share_fails_at_any_time)
{
	struct bench *b = bench("100000", "0");

	set(b, "errors.share", "10%");
	set(b, "errors.status", "502");
	ready(b);
	for (uint32_t who = 0; who < 50000; who++)
		at(b, who, who);
	go(b);
	ck_assert_int_le(abs((int)b->meter.counts[0].errors - 5000), 270);
	ck_assert_uint_eq(b->meter.counts[0].admitted, 50000 - b->meter.counts[0].errors);
	answered(b, 0, b->answer[0].at, b->answer[0].who, ST_ANSWER_ERROR, st_outcome_status(502));
	release(b);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("admission");
	TCase *tc = tcase_create("admission");

	tcase_add_test(tc, the_burst_goes_then_the_rate);
	tcase_add_test(tc, it_lets_through_burst_and_rate_times_time);
	tcase_add_test(tc, the_limit_stands_between_faults_and_workers);
	tcase_add_test(tc, the_time_to_the_next_token_is_exact);
	tcase_add_test(tc, all_that_obey_the_hint_come_for_one_token);
	tcase_add_test(tc, a_share_fails_at_any_time);
	suite_add_tcase(s, tc);
	return tap_main(s);
}
