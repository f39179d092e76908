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

static struct st_hint_cfg sent(const char *value, const char *form, const char *spread)
{
	struct st_hint_cfg h = {.on = build_conditions("[429, 503]")};

	build_set(st_hint_params, &h, "value", value);
	build_set(st_hint_params, &h, "form", form);
	build_set(st_hint_params, &h, "spread", spread);
	return h;
}

static st_time written(const struct st_hint_cfg *h, uint64_t waiting, double capacity_per_s)
{
	struct st_hint_state s = {.now = 1001 * ST_MSEC, .waiting = waiting, .capacity_per_s = capacity_per_s};
	struct st_rng r = stream(0);

	return st_hint_write(h, &s, &r);
}

START_TEST(a_hint_goes_with_the_statuses_it_is_for)
{
	struct st_hint_cfg h = sent("5s", "seconds", "none");

	ck_assert(st_hint_goes_with(&h, st_outcome_status(503)));
	ck_assert(st_hint_goes_with(&h, st_outcome_status(429)));
	ck_assert(!st_hint_goes_with(&h, st_outcome_status(500)));
	ck_assert_int_eq(written(&h, 0, 0), 5 * ST_SEC);
	h = sent("0s", "seconds", "none"); /* now is a hint too */
	ck_assert(st_hint_goes_with(&h, st_outcome_status(503)));
	ck_assert_int_eq(written(&h, 0, 0), 0);
	h = sent("off", "seconds", "none");
	ck_assert(!st_hint_goes_with(&h, st_outcome_status(503)));
	ck_assert_int_eq(written(&h, 0, 0), ST_HINT_NONE);
}
END_TEST

START_TEST(what_is_no_answer_carries_no_hint)
{
	struct st_hint_cfg h = sent("5s", "seconds", "none");

	h.on = build_conditions("any");
	ck_assert(st_hint_goes_with(&h, st_outcome_status(404)));
	ck_assert(!st_hint_goes_with(&h, ST_OUTCOME_OK));
	ck_assert(!st_hint_goes_with(&h, ST_OUTCOME_TIMEOUT));
	ck_assert(!st_hint_goes_with(&h, ST_OUTCOME_REFUSED));
	ck_assert(!st_hint_goes_with(&h, ST_OUTCOME_RESET));
}
END_TEST

START_TEST(the_backlog_is_waiting_over_capacity)
{
	struct st_hint_cfg ms = sent("backlog", "ms", "none"), s = sent("backlog", "seconds", "none");

	ck_assert_int_eq(written(&ms, 0, 200), 0);
	ck_assert_int_eq(written(&ms, 100, 200), 500 * ST_MSEC);
	ck_assert_int_eq(written(&ms, 1, 3), 334 * ST_MSEC); /* rounded up */
	ck_assert_int_eq(written(&ms, 9, 10 / 0.3), 270 * ST_MSEC); /* not up for a rounding error */
	ck_assert_int_eq(written(&s, 0, 200), 0);
	ck_assert_int_eq(written(&s, 1, 200), ST_SEC);
	ck_assert_int_eq(written(&s, 200, 200), ST_SEC);
	ck_assert_int_eq(written(&s, 201, 200), 2 * ST_SEC);
	ck_assert_int_eq(written(&s, UINT64_MAX, 1e-9), ST_TIME_MAX);
	ck_assert(!st_hint_is_constant(&ms));
}
END_TEST

START_TEST(what_somebody_wrote_is_sent_as_it_is_and_what_is_computed_in_whole_units)
{
	struct st_hint_cfg h = sent("2385us", "seconds", "none");

	ck_assert(st_hint_is_constant(&h));
	ck_assert_int_eq(written(&h, 0, 0), 2385 * ST_USEC);
	h = sent("2385us", "ms", "none");
	ck_assert_int_eq(written(&h, 0, 0), 2385 * ST_USEC);
	h = sent("2385us", "seconds", "1ns");
	ck_assert(!st_hint_is_constant(&h));
	ck_assert_int_eq(written(&h, 0, 0), ST_SEC);
	h = sent("2385us", "ms", "1ns");
	ck_assert_int_eq(written(&h, 0, 0), 3 * ST_MSEC);
}
END_TEST

START_TEST(a_date_is_an_instant_in_whole_seconds)
{
	struct st_hint_cfg h = sent("5s", "date", "none");
	struct st_hint_state s = {.now = 0};
	struct st_rng r = stream(0);

	ck_assert(!st_hint_is_constant(&h));
	ck_assert_int_eq(st_hint_write(&h, &s, &r), 5 * ST_SEC);
	s.now = 1;
	ck_assert_int_eq(st_hint_write(&h, &s, &r), 6 * ST_SEC);
	s.now = ST_SEC;
	ck_assert_int_eq(st_hint_write(&h, &s, &r), 6 * ST_SEC);
	h = sent("4999ms", "date", "none");
	ck_assert_int_eq(st_hint_write(&h, &s, &r), 6 * ST_SEC);
	h = sent("off", "date", "none");
	ck_assert_int_eq(st_hint_write(&h, &s, &r), ST_HINT_NONE);
}
END_TEST

START_TEST(a_date_is_read_by_the_clients_clock)
{
	struct st_hint_cfg date = sent("5s", "date", "none"), s = sent("5s", "seconds", "none");

	ck_assert_int_eq(st_hint_read(&date, 7 * ST_SEC, 2 * ST_SEC, 0), 5 * ST_SEC);
	ck_assert_int_eq(st_hint_read(&date, 7 * ST_SEC, 2 * ST_SEC, 1), 5 * ST_SEC - 1);
	ck_assert_int_eq(st_hint_read(&date, 7 * ST_SEC, 2 * ST_SEC, -ST_SEC), 6 * ST_SEC);
	ck_assert_int_eq(st_hint_read(&date, 7 * ST_SEC, 2 * ST_SEC, 9 * ST_SEC), 0);
	ck_assert_int_eq(st_hint_read(&date, 7 * ST_SEC, 8 * ST_SEC, 0), 0);
	ck_assert_int_eq(st_hint_read(&date, ST_HINT_NONE, 8 * ST_SEC, -ST_TIME_MAX), ST_HINT_NONE);
	ck_assert_int_eq(st_hint_read(&s, 5 * ST_SEC, 2 * ST_SEC, ST_SEC), 5 * ST_SEC);
	ck_assert(st_hint_is_dated(&date) && !st_hint_is_dated(&s));
}
END_TEST

/* Share of 20000 draws at most x: a deviation of 0.35 %; 5 of them are 1.8 %. */
static double share_of_skews(const char *text, st_time x)
{
	struct st_dist d = build_dist(text);
	int n = 0;

	for (uint32_t i = 0; i < DRAWS; i++) {
		struct st_rng r = stream(i);

		n += st_hint_draw_skew(&d, &r) <= x;
	}
	st_dist_release(&d);
	return (double)n / DRAWS;
}

START_TEST(clocks_are_ahead_or_behind)
{
	ck_assert_double_eq_tol(share_of_skews("2s", -2 * ST_SEC), 0.5, 0.018);
	ck_assert_double_eq_tol(share_of_skews("2s", 2 * ST_SEC - 1), 0.5, 0.018);
	ck_assert_double_eq(share_of_skews("2s", 2 * ST_SEC), 1.0);
	/* Quantiles of the normal: not clipped at 0. */
	ck_assert_double_eq_tol(share_of_skews("normal 0s sd 2s", -2 * ST_SEC), 0.1587, 0.018);
	ck_assert_double_eq_tol(share_of_skews("normal 0s sd 2s", -1), 0.5, 0.018);
	ck_assert_double_eq_tol(share_of_skews("normal 0s sd 2s", 2 * ST_SEC), 0.8413, 0.018);
	ck_assert_double_eq_tol(share_of_skews("uniform 1s 3s", -2 * ST_SEC), 0.25, 0.018);
	ck_assert_double_eq_tol(share_of_skews("exponential 1s", 0), 0.5, 0.018);
}
END_TEST

START_TEST(a_pushback_says_stop_or_milliseconds)
{
	struct st_hint_cfg h = sent("stop", "pushback-ms", "none");

	ck_assert(st_hint_is_constant(&h) && st_hint_is_pushback(&h) && !st_hint_is_unspeakable(&h));
	ck_assert_int_eq(written(&h, 0, 0), ST_HINT_STOP);
	ck_assert_int_eq(st_hint_read(&h, ST_HINT_STOP, 5, 0), ST_HINT_STOP);
	h = sent("stop", "pushback-ms", "50%");
	ck_assert_int_eq(written(&h, 0, 0), ST_HINT_STOP);
	h = sent("stop", "seconds", "none");
	ck_assert(st_hint_is_unspeakable(&h) && !st_hint_is_pushback(&h));
	h = sent("7ms", "pushback-ms", "none");
	ck_assert_int_eq(written(&h, 0, 0), 7 * ST_MSEC);
	h = sent("backlog", "pushback-ms", "none");
	ck_assert_int_eq(written(&h, 1, 3), 334 * ST_MSEC);
}
END_TEST

/* Each millisecond of a spread of 10 gets a tenth of 20000 draws: a deviation of 42; 5 of them are 212. */
static void is_even(const char *value, const char *spread, st_time first)
{
	struct st_hint_cfg h = sent(value, "ms", spread);
	struct st_hint_state s = {0};
	int n[10] = {0};

	for (uint32_t i = 0; i < DRAWS; i++) {
		struct st_rng r = stream(i);
		st_time at = st_hint_write(&h, &s, &r) - first;

		ck_assert(at >= 0 && at < 10 * ST_MSEC && at % ST_MSEC == 0);
		n[at / ST_MSEC]++;
	}
	for (int i = 0; i < 10; i++)
		ck_assert_msg(n[i] >= 2000 - 212 && n[i] <= 2000 + 212, "%d ms: %d", i, n[i]);
}

START_TEST(a_spread_is_uniform)
{
	is_even("5ms", "10ms", 6 * ST_MSEC); /* (5, 15], rounded up */
	is_even("0s", "10ms", ST_MSEC);
	is_even("20ms", "50%", 21 * ST_MSEC);
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

	struct st_obedience_cfg require = obedience("require", "none", "off", "give-up");
	ck_assert_int_eq(combined(&require, 9, 7), 7);
}
END_TEST

START_TEST(a_clamped_hint_lies_between_the_backoff_and_a_step_above_it)
{
	struct st_obedience_cfg c = obedience("clamp", "none", "off", "give-up");

	build_set(st_obedience_params, &c, "clamp", "5ns");
	ck_assert_int_eq(combined(&c, 10, 9), 10);
	ck_assert_int_eq(combined(&c, 10, 11), 11);
	ck_assert_int_eq(combined(&c, 10, 15), 15);
	ck_assert_int_eq(combined(&c, 10, 16), 15);
	ck_assert_int_eq(combined(&c, 0, ST_TIME_MAX), 5);
	build_set(st_obedience_params, &c, "clamp", "0s");
	ck_assert_int_eq(combined(&c, 10, 16), 10);
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

	ck_assert_int_eq(st_hint_accepted(&c, 7 * ST_SEC), 7 * ST_SEC);
	ck_assert_int_eq(st_hint_accepted(&c, 7 * ST_SEC + 1), ST_HINT_STOP);
	c = obedience("replace", "none", "7s", "ignore");
	ck_assert_int_eq(st_hint_accepted(&c, 7 * ST_SEC), 7 * ST_SEC);
	ck_assert_int_eq(st_hint_accepted(&c, 7 * ST_SEC + 1), ST_HINT_NONE);
	c = obedience("replace", "none", "7s", "truncate");
	ck_assert_int_eq(st_hint_accepted(&c, 6 * ST_SEC), 6 * ST_SEC);
	ck_assert_int_eq(st_hint_accepted(&c, 8 * ST_SEC), 7 * ST_SEC);
	c = obedience("replace", "none", "off", "give-up");
	ck_assert_int_eq(st_hint_accepted(&c, ST_TIME_MAX), ST_TIME_MAX);
}
END_TEST

/* What is no duration, mode by mode: heard as it is, but where the mode requires a hint or does not listen. */
START_TEST(words_are_heard_as_the_mode_listens)
{
	static const char *const listening[] = {"floor", "replace", "add", "clamp", "require"};
	struct st_obedience_cfg c;

	for (size_t i = 0; i < sizeof listening / sizeof *listening; i++) {
		c = obedience(listening[i], "none", "7s", "ignore");
		bool requires = strcmp(listening[i], "require") == 0;

		ck_assert_int_eq(st_hint_is_required(&c), requires);
		ck_assert_int_eq(st_hint_accepted(&c, ST_HINT_NONE), requires ? ST_HINT_STOP : ST_HINT_NONE);
		ck_assert_int_eq(st_hint_accepted(&c, 8 * ST_SEC), requires ? ST_HINT_STOP : ST_HINT_NONE);
		ck_assert_int_eq(st_hint_accepted(&c, ST_HINT_STOP), ST_HINT_STOP);
		ck_assert_int_eq(st_hint_accepted(&c, ST_HINT_UNHEARD), ST_HINT_UNHEARD);
		ck_assert_int_eq(st_hint_accepted(&c, 0), 0);
	}
	c = obedience("ignore", "none", "7s", "give-up");
	ck_assert_int_eq(st_hint_accepted(&c, 8 * ST_SEC), ST_HINT_UNHEARD);
	ck_assert_int_eq(st_hint_accepted(&c, ST_HINT_STOP), ST_HINT_UNHEARD);
	ck_assert_int_eq(st_hint_accepted(&c, ST_HINT_NONE), ST_HINT_UNHEARD);
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
	static const char *const good[] = {"none", "6s", "50%", "1.5ms", "12.5%", "7%", "12.3%", "700%"};
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
	tcase_add_test(tc, the_backlog_is_waiting_over_capacity);
	tcase_add_test(tc, what_somebody_wrote_is_sent_as_it_is_and_what_is_computed_in_whole_units);
	tcase_add_test(tc, a_spread_is_uniform);
	tcase_add_test(tc, a_date_is_an_instant_in_whole_seconds);
	tcase_add_test(tc, a_date_is_read_by_the_clients_clock);
	tcase_add_test(tc, clocks_are_ahead_or_behind);
	tcase_add_test(tc, a_pushback_says_stop_or_milliseconds);
	tcase_add_test(tc, a_mode_combines_hint_and_backoff);
	tcase_add_test(tc, a_jitter_on_the_hint_adds_or_multiplies);
	tcase_add_test(tc, a_clamped_hint_lies_between_the_backoff_and_a_step_above_it);
	tcase_add_test(tc, a_limit_gives_up_ignores_or_truncates);
	tcase_add_test(tc, words_are_heard_as_the_mode_listens);
	tcase_add_test(tc, a_jitter_is_read_and_printed);
	suite_add_tcase(s, tc);
	return tap_main(s);
}
