#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "build.h"
#include "tap_main.h"

enum { DRAWS = 20000 };

static struct st_rng stream(uint32_t n)
{
	struct st_rng_family family = st_rng_family(12, 0);

	return st_rng_open(&family, n, 0, 0, ST_RNG_HINT);
}

static struct st_obedience_cfg obedience(const char *mode, const char *jitter, const char *limit, const char *over)
{
	struct st_obedience_cfg c = {0};

	build_set(st_obedience_params, &c, "obey", "100%");
	build_set(st_obedience_params, &c, "mode", mode);
	build_set(st_obedience_params, &c, "jitter", jitter);
	build_set(st_obedience_params, &c, "limit", limit);
	build_set(st_obedience_params, &c, "over", over);
	return c;
}

static st_time combined(const struct st_obedience_cfg *c, st_time own, st_time hint)
{
	struct st_rng r = stream(0);

	return st_hint_combine(c, own, hint, &r);
}

/* --- the server's side ------------------------------------------------------------------------------------------------ */

START_TEST(a_hint_goes_with_the_statuses_it_is_for)
{
	struct st_hint_cfg h = {.value = 5 * ST_SEC, .on = build_conditions("[429, 503]")};

	ck_assert_int_eq(st_hint_given(&h, st_outcome_status(503)), 5 * ST_SEC);
	ck_assert_int_eq(st_hint_given(&h, st_outcome_status(429)), 5 * ST_SEC);
	ck_assert_int_eq(st_hint_given(&h, st_outcome_status(500)), -1);
	h.value = 0; /* now is a hint too */
	ck_assert_int_eq(st_hint_given(&h, st_outcome_status(503)), 0);
	h.value = ST_NEVER;
	ck_assert_int_eq(st_hint_given(&h, st_outcome_status(503)), -1);
}
END_TEST

START_TEST(what_is_no_answer_carries_no_hint)
{
	struct st_hint_cfg h = {.value = 5 * ST_SEC, .on = build_conditions("any")};

	ck_assert_int_eq(st_hint_given(&h, st_outcome_status(404)), 5 * ST_SEC);
	ck_assert_int_eq(st_hint_given(&h, ST_OUTCOME_TIMEOUT), -1);
	ck_assert_int_eq(st_hint_given(&h, ST_OUTCOME_REFUSED), -1);
	ck_assert_int_eq(st_hint_given(&h, ST_OUTCOME_RESET), -1);
}
END_TEST

/* --- the client's side ------------------------------------------------------------------------------------------------ */

START_TEST(a_mode_combines_hint_and_backoff)
{
	struct st_obedience_cfg floor = obedience("floor", "none", "off", "give-up");
	struct st_obedience_cfg replace = obedience("replace", "none", "off", "give-up");
	struct st_obedience_cfg add = obedience("add", "none", "off", "give-up");

	ck_assert_int_eq(combined(&floor, 3, 7), 7);
	ck_assert_int_eq(combined(&floor, 9, 7), 9);
	ck_assert_int_eq(combined(&replace, 3, 7), 7);
	ck_assert_int_eq(combined(&replace, 9, 7), 7);
	ck_assert_int_eq(combined(&replace, 9, 0), 0);
	ck_assert_int_eq(combined(&add, 3, 7), 10);
	ck_assert_int_eq(combined(&add, 3, 0), 3);
	ck_assert_int_eq(combined(&add, ST_TIME_MAX, ST_TIME_MAX), ST_TIME_MAX);
}
END_TEST

/* 20000 uniform draws: the mean has a deviation of 0.2 % of the width, so that 1 % of it shows. */
static void is_uniform(const struct st_obedience_cfg *c, st_time hint, st_time lo, st_time hi)
{
	double sum = 0.0;
	st_time least = ST_NEVER, most = 0;

	for (uint32_t i = 0; i < DRAWS; i++) {
		struct st_rng r = stream(i);
		st_time t = st_hint_combine(c, 0, hint, &r);

		sum += (double)t;
		least = t < least ? t : least;
		most = t > most ? t : most;
	}
	double width = (double)(hi - lo) + 1, middle = (double)(lo + hi) / 2;
	ck_assert_int_ge(least, lo);
	ck_assert_int_le(most, hi);
	ck_assert_double_eq_tol((double)least, (double)lo, 0.01 * width);
	ck_assert_double_eq_tol((double)most, (double)hi, 0.01 * width);
	ck_assert_double_eq_tol(sum / DRAWS, middle, 0.01 * width);
}

START_TEST(a_jitter_on_the_hint_adds_or_multiplies)
{
	struct st_obedience_cfg c = obedience("replace", "6s", "off", "give-up");

	is_uniform(&c, 10 * ST_SEC, 10 * ST_SEC, 16 * ST_SEC);
	is_uniform(&c, 0, 0, 6 * ST_SEC);
	c = obedience("replace", "50%", "off", "give-up");
	is_uniform(&c, 10 * ST_SEC, 10 * ST_SEC, 15 * ST_SEC);
	c = obedience("replace", "200%", "off", "give-up");
	is_uniform(&c, 10 * ST_SEC, 10 * ST_SEC, 30 * ST_SEC);
	c = obedience("replace", "none", "off", "give-up");
	is_uniform(&c, 10 * ST_SEC, 10 * ST_SEC, 10 * ST_SEC);
}
END_TEST

START_TEST(a_limit_gives_up_ignores_or_truncates)
{
	struct st_obedience_cfg c = obedience("replace", "none", "7s", "give-up");

	ck_assert(!st_hint_forbids(&c, 7 * ST_SEC));
	ck_assert(st_hint_forbids(&c, 7 * ST_SEC + 1));
	ck_assert_int_eq(combined(&c, 1, 7 * ST_SEC), 7 * ST_SEC);
	c = obedience("replace", "none", "7s", "ignore");
	ck_assert(!st_hint_forbids(&c, 8 * ST_SEC));
	ck_assert_int_eq(combined(&c, 1, 7 * ST_SEC), 7 * ST_SEC);
	ck_assert_int_eq(combined(&c, 1, 7 * ST_SEC + 1), 1);
	c = obedience("replace", "none", "7s", "truncate");
	ck_assert(!st_hint_forbids(&c, 8 * ST_SEC));
	ck_assert_int_eq(combined(&c, 1, 6 * ST_SEC), 6 * ST_SEC);
	ck_assert_int_eq(combined(&c, 1, 8 * ST_SEC), 7 * ST_SEC);
	c = obedience("replace", "none", "off", "give-up");
	ck_assert(!st_hint_forbids(&c, ST_TIME_MAX));
}
END_TEST

/* --- how it is written ------------------------------------------------------------------------------------------------ */

static const struct st_param *row(const char *name)
{
	const struct st_param *p = st_obedience_params;

	while (strcmp(p->name, name) != 0)
		p++;
	return p;
}

START_TEST(a_jitter_is_read_and_printed)
{
	static const char *const good[] = {"none", "6s", "50%", "1.5ms", "12.5%"};
	static const char *const bad[] = {"half", "6", "-6s", "-5%", "%", "5%%", "1e9%", "nan%", "[6s]"};
	struct st_obedience_cfg c = {0};

	for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
		struct st_text t = ST_TEXT_INIT;

		build_set(st_obedience_params, &c, "jitter", good[i]);
		st_param_print(row("jitter"), &c, &t);
		ck_assert_str_eq(t.s, good[i]);
		st_text_release(&t);
	}
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		struct st_err e = ST_ERR_INIT;

		ck_assert_msg(st_param_read_text(row("jitter"), bad[i], NULL, &c, &e) == -1, "'%s' is read", bad[i]);
		st_err_release(&e);
	}
}
END_TEST

int main(void)
{
	Suite *s = suite_create("hint");
	TCase *tc = tcase_create("hint");

	tcase_add_test(tc, a_hint_goes_with_the_statuses_it_is_for);
	tcase_add_test(tc, what_is_no_answer_carries_no_hint);
	tcase_add_test(tc, a_mode_combines_hint_and_backoff);
	tcase_add_test(tc, a_jitter_on_the_hint_adds_or_multiplies);
	tcase_add_test(tc, a_limit_gives_up_ignores_or_truncates);
	tcase_add_test(tc, a_jitter_is_read_and_printed);
	suite_add_tcase(s, tc);
	return tap_main(s);
}
