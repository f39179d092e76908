#include <config.h>

#include "build.h"
#include "tap_main.h"

/*
 * Two attempts; retries on 503 only; delay 100 ms exactly; the group's hint is too long above 1 s; a bucket of one token. A failure is
 * then made so that the chosen reasons apply, and no other.
 */
static void policy(struct st_config *c, struct st_retry *r)
{
	build_init(c, ST_SEC);
	struct st_retry_cfg *t = &build_group(c, "fleet", 2)->retry;
	build_set(st_retry_params, t, "on", "[503]");
	build_set(st_retry_params, t, "attempts", "2");
	build_set(st_backoff_params, &t->backoff, "base", "100ms");
	build_set(st_backoff_params, &t->backoff, "jitter", "none");
	build_set(st_obedience_params, &t->hint, "limit", "1s");
	build_set(st_budget_params, &t->budget, "kind", "token-bucket");
	build_set(st_budget_params, &t->budget, "burst", "1");
	st_retry_init(r, t, 2);
}

static void release(struct st_config *c, struct st_retry *r)
{
	st_retry_release(r);
	build_release(c);
}

static struct st_verdict ask(struct st_retry *r, struct st_failure f)
{
	struct st_rng_family family = st_rng_family(1, 0);
	struct st_rng a = st_rng_open(&family, 0, 0, 0, ST_RNG_BACKOFF), b = st_rng_open(&family, 0, 0, 0, ST_RNG_HINT);
	st_time previous = st_backoff_first(&r->backoff);
	uint8_t note = 0;

	f.jitter = &a;
	f.hint_jitter = &b;
	f.previous = &previous;
	f.note = &note;
	return st_retry_decide(r, &f);
}

/* One that is retried. */
static struct st_failure failure(void)
{
	return (struct st_failure){.now = 5 * ST_SEC, .deadline = ST_NEVER, .attempt = 1, .which = 1, .outcome = st_outcome_status(503), .hint = -1};
}

static void apply(struct st_retry *r, struct st_failure *f, enum st_reason why)
{
	switch (why) {
	case ST_REASON_NOT_RETRYABLE:
		f->outcome = st_outcome_status(500);
		break;
	case ST_REASON_ATTEMPTS:
		f->attempt = 2;
		break;
	case ST_REASON_DEADLINE:
		f->deadline = f->now + 50 * ST_MSEC;
		break;
	case ST_REASON_HINT:
		f->hint = 2 * ST_SEC;
		break;
	case ST_REASON_BUDGET:
		ck_assert(ask(r, failure()).retry); /* takes the token */
		break;
	default:
		ck_abort();
	}
}

static const enum st_reason in_order[] = {ST_REASON_NOT_RETRYABLE, ST_REASON_ATTEMPTS, ST_REASON_DEADLINE, ST_REASON_HINT, ST_REASON_BUDGET};
enum { REASONS = sizeof in_order / sizeof *in_order };

START_TEST(of_all_reasons_that_apply_the_first_is_told)
{
	for (unsigned set = 1; set < 1U << REASONS; set++) {
		struct st_config c;
		struct st_retry r;
		struct st_failure f = failure();
		unsigned first = REASONS;

		policy(&c, &r);
		for (unsigned i = REASONS; i-- > 0;) {
			if (set >> i & 1) {
				apply(&r, &f, in_order[i]);
				first = i;
			}
		}
		struct st_verdict v = ask(&r, f);
		ck_assert_msg(!v.retry && v.why == in_order[first], "set %x: reason %d, want %d", set, (int)v.why, (int)in_order[first]);
		release(&c, &r);
	}
}
END_TEST

START_TEST(no_token_is_taken_for_a_retry_that_another_reason_forbids)
{
	for (unsigned i = 0; i < REASONS - 1; i++) {
		struct st_config c;
		struct st_retry r;
		struct st_failure f = failure();

		policy(&c, &r);
		apply(&r, &f, in_order[i]);
		for (int k = 0; k < 3; k++)
			ck_assert(!ask(&r, f).retry);
		ck_assert(ask(&r, failure()).retry);
		ck_assert(!ask(&r, failure()).retry);
		release(&c, &r);
	}
}
END_TEST

/* A retry at the very deadline would have no time left. */
START_TEST(the_deadline_is_held_against_the_delay)
{
	struct st_config c;
	struct st_retry r;
	struct st_failure f = failure();

	policy(&c, &r);
	f.deadline = f.now + 100 * ST_MSEC;
	ck_assert_int_eq(ask(&r, f).why, ST_REASON_DEADLINE);
	f.deadline++;
	struct st_verdict v = ask(&r, f);
	ck_assert(v.retry);
	ck_assert_int_eq(v.delay, 100 * ST_MSEC);
	release(&c, &r);

	policy(&c, &r);
	f.hint = ST_SEC; /* which makes the delay longer */
	ck_assert_int_eq(ask(&r, f).why, ST_REASON_DEADLINE);
	f.deadline = f.now + ST_SEC + 1;
	v = ask(&r, f);
	ck_assert(v.retry);
	ck_assert_int_eq(v.delay, ST_SEC);
	release(&c, &r);
}
END_TEST

/* Where hints restart the backoff, k counts from the attempt of the last one that was obeyed. */
START_TEST(a_pushback_restarts_the_count)
{
	struct st_config c;
	struct st_retry r;
	struct st_failure f = failure();
	uint32_t restarted = 0;

	policy(&c, &r);
	r.cfg.budget.kind = r.budget.cfg.kind = 0;
	r.cfg.attempts = 10;
	f.restarted = &restarted;
	f.is_pushback = true;
	f.attempt = 3;
	ck_assert_int_eq(ask(&r, f).delay, 400 * ST_MSEC);
	ck_assert_uint_eq(restarted, 0);
	f.hint = 2 * ST_SEC; /* too long: none is obeyed */
	ck_assert_int_eq(ask(&r, f).why, ST_REASON_HINT);
	f.hint = ST_HINT_UNHEARD;
	ck_assert(ask(&r, f).retry);
	ck_assert_uint_eq(restarted, 0);
	f.hint = ST_SEC;
	ck_assert_int_eq(ask(&r, f).delay, ST_SEC);
	ck_assert_uint_eq(restarted, 3);
	f.hint = ST_HINT_NONE;
	for (f.attempt = 4; f.attempt < 7; f.attempt++)
		ck_assert_int_eq(ask(&r, f).delay, 100 * ST_MSEC << (f.attempt - 4));
	ck_assert_uint_eq(restarted, 3);
	f.hint = ST_HINT_STOP;
	ck_assert_int_eq(ask(&r, f).why, ST_REASON_HINT);
	release(&c, &r);
}
END_TEST

START_TEST(attempts_count_the_first)
{
	struct st_config c;
	struct st_retry r;
	struct st_failure f = failure();

	policy(&c, &r);
	r.cfg.budget.kind = r.budget.cfg.kind = 0;
	r.cfg.attempts = 4;
	for (f.attempt = 1; f.attempt < 4; f.attempt++)
		ck_assert_int_eq(ask(&r, f).delay, 50 * ST_MSEC << f.attempt);
	ck_assert_int_eq(ask(&r, f).why, ST_REASON_ATTEMPTS);
	r.cfg.attempts = ST_UNLIMITED;
	f.attempt = 4000000000;
	ck_assert(ask(&r, f).retry);
	release(&c, &r);
}
END_TEST

START_TEST(each_failure_is_looked_up_in_on)
{
	struct st_config c;
	struct st_retry r;
	struct st_failure f = failure();

	policy(&c, &r);
	r.cfg.budget.kind = r.budget.cfg.kind = 0;
	build_set(st_retry_params, &r.cfg, "on", "[5xx, 408, 429, timeout, refused, reset]");
	for (f.outcome = ST_OUTCOME_TIMEOUT; f.outcome < ST_OUTCOME_N; f.outcome++) {
		bool want = f.outcome <= ST_OUTCOME_RESET || f.outcome >= st_outcome_status(500) || f.outcome == st_outcome_status(408) ||
		    f.outcome == st_outcome_status(429);
		struct st_verdict v = ask(&r, f);

		ck_assert_int_eq(v.retry, want);
		ck_assert(want || v.why == ST_REASON_NOT_RETRYABLE);
	}
	release(&c, &r);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("retry");
	TCase *tc = tcase_create("decision");

	tcase_add_test(tc, of_all_reasons_that_apply_the_first_is_told);
	tcase_add_test(tc, no_token_is_taken_for_a_retry_that_another_reason_forbids);
	tcase_add_test(tc, the_deadline_is_held_against_the_delay);
	tcase_add_test(tc, a_pushback_restarts_the_count);
	tcase_add_test(tc, attempts_count_the_first);
	tcase_add_test(tc, each_failure_is_looked_up_in_on);
	suite_add_tcase(s, tc);
	return tap_main(s);
}
