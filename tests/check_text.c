#include <config.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "base/text.h"
#include "tap_main.h"

START_TEST(grows_and_stays_a_string)
{
	struct st_text t = ST_TEXT_INIT;

	for (int i = 0; i < 1000; i++) {
		st_text_addf(&t, "%d,", i % 10);
		ck_assert_uint_eq(t.len, strlen(t.s));
	}
	ck_assert_uint_eq(t.len, 2000);
	st_text_addn(&t, "abc", 2);
	st_text_add(&t, "");
	ck_assert_str_eq(t.s + 1996, "8,9,ab");
	st_text_release(&t);
	ck_assert_ptr_null(t.s);
}
END_TEST

static const struct {
	const char *before, *after;
} paragraphs[] = {{"", ""}, {"a", "a\n\n"}, {"a\n", "a\n\n"}, {"a\n\n", "a\n\n"}, {"\n", "\n"}, {"a\n\nb\n", "a\n\nb\n\n"}};

START_TEST(paragraphs_stand_a_blank_line_apart)
{
	struct st_text t = ST_TEXT_INIT;

	st_text_add(&t, paragraphs[_i].before);
	st_text_paragraph(&t);
	ck_assert_str_eq(t.s, paragraphs[_i].after);
	st_text_release(&t);
}
END_TEST

static const struct {
	double x;
	const char *text;
} doubles[] = {
    {0.1, "0.1"},
    {0.1 + 0.2, "0.30000000000000004"},
    {2385, "2385"},
    {-2.5, "-2.5"},
    {1e21, "1e+21"},
    {NAN, ""},
    {1e-7, "1e-07"},
};

START_TEST(doubles_are_short)
{
	struct st_text t = ST_TEXT_INIT;

	st_text_add(&t, "");
	st_text_add_double(&t, doubles[_i].x);
	ck_assert_str_eq(t.s, doubles[_i].text);
	st_text_release(&t);
}
END_TEST

START_TEST(doubles_read_back)
{
	struct st_rng_family f = st_rng_family(5, 0);
	struct st_rng r = st_rng_open(&f, 0, 0, 0, ST_RNG_CLIENT);

	for (int i = 0; i < 20000; i++) {
		struct st_text t = ST_TEXT_INIT;
		double x = ldexp(st_rng_uniform(&r) - 0.5, (int)st_rng_below(&r, 600) - 300), again = 0.0;

		st_text_add_double(&t, x);
		const char *end = st_text_read_double(t.s, &again);
		ck_assert_msg(end && *end == '\0' && again == x, "%s", t.s);
		st_text_release(&t);
	}
}
END_TEST

static const struct {
	double x;
	const char *text;
} means[] = {
    {0, "0"}, {-0.0, "0"}, {1, "1"}, {10, "10"}, {200, "200"}, {0.05, "0.05"}, {0.12, "0.12"}, {-0.5, "-0.5"},
    {1.0 / 3, "0.3333333333"}, {-200.0 / 3, "-66.66666667"}, {2e8 / 3, "66666666.67"}, {2e9 / 3, "666666666.7"},
    {0.99999999996, "1"}, {9.99999999996, "10"}, {99999999996.0, "1e+11"}, {0.00012345678912, "0.0001234567891"},
    {0.00001, "1e-05"}, {1e9, "1000000000"}, {1e300, "1e+300"}, {(double)NAN, ""}, {5.04, "5.04"}, {0.1 + 0.2, "0.3"},
};

START_TEST(means_have_ten_digits)
{
	struct st_text t = ST_TEXT_INIT;

	st_text_add(&t, "");
	st_text_add_mean(&t, means[_i].x);
	ck_assert_str_eq(t.s, means[_i].text);
	st_text_release(&t);
}
END_TEST

/* Of every size: what is read back is off by half a unit of the tenth digit at most, a hair more where it was near the middle. */
START_TEST(means_read_back_to_ten_digits)
{
	struct st_rng_family f = st_rng_family(2385, 0);
	struct st_rng g = st_rng_open(&f, 0, 0, 0, ST_RNG_SERVICE);

	for (int i = 0; i < 20000; i++) {
		double x = ldexp((double)st_rng_below(&g, 1u << 31) + 1, i % 120 - 80), again;
		struct st_text t = ST_TEXT_INIT;

		st_text_add_mean(&t, x);
		const char *end = st_text_read_double(t.s, &again);
		ck_assert_msg(end && *end == '\0' && fabs(again - x) <= 5.0001e-10 * x, "%.17g: %s", x, t.s);
		st_text_release(&t);
	}
}
END_TEST

static const struct {
	const char *text, *rest; /* rest NULL: no number */
	double x;
} numbers[] = {
    {"2.5ms", "ms", 2.5},
    {"-.5", "", -0.5},
    {"+1e3k", "k", 1000},
    {"5e", "e", 5},
    {"0x10", "x10", 0},
    {"", NULL, 0},
    {"inf", NULL, 0},
    {"nan", NULL, 0},
    {" 1", NULL, 0},
    {"-", NULL, 0},
    {".", NULL, 0},
    {"1e999", NULL, 0},
    {"--1", NULL, 0},
};

START_TEST(numbers_are_decimal)
{
	double x = 2385;
	const char *rest = st_text_read_double(numbers[_i].text, &x);

	if (numbers[_i].rest) {
		ck_assert_str_eq(rest, numbers[_i].rest);
		ck_assert_double_eq(x, numbers[_i].x);
	} else {
		ck_assert_ptr_null(rest);
		ck_assert_double_eq(x, 2385);
	}
}
END_TEST

static const struct {
	const char *word, *nearest;
} slips[] = {
    {"jiter", "jitter"},
    {"jittre", "jitter"},
    {"jitter", "jitter"},
    {"gitter", "jitter"},
    {"cup", "cap"},
    {"cpa", "cap"},
    {"elephant", NULL},
    {"", NULL},
    {"xyz", NULL},
    {"exponental", "exponential"},
    {"a-word-that-is-far-too-long-to-be-any-key-of-a-scenario-whatever-it-is", NULL},
};

START_TEST(finds_the_likely_slip)
{
	static const char *const words[] = {"jitter", "cap", "base", "exponential"};
	const char *near = st_text_nearest(slips[_i].word, words, 4);

	ck_assert_pstr_eq(near, slips[_i].nearest);
}
END_TEST

static const struct {
	const char *text, *word;
} words[] = {
    {"", "''"},
    {"plain-1.5/s=2", "plain-1.5/s=2"},
    {"min x", "'min x'"},
    {"a\nb", "'a\nb'"},
    {"it's $HOME", "'it'\\''s $HOME'"},
    {"100ms..10s,full", "'100ms..10s,full'"},
};

START_TEST(a_shell_takes_it_for_one_word)
{
	struct st_text t = ST_TEXT_INIT;

	st_text_add_word(&t, words[_i].text);
	ck_assert_str_eq(t.s, words[_i].word);
	st_text_release(&t);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("text");
	TCase *tc = tcase_create("text");

	tcase_add_test(tc, grows_and_stays_a_string);
	tcase_add_loop_test(tc, paragraphs_stand_a_blank_line_apart, 0, sizeof paragraphs / sizeof *paragraphs);
	tcase_add_loop_test(tc, doubles_are_short, 0, sizeof doubles / sizeof *doubles);
	tcase_add_test(tc, doubles_read_back);
	tcase_add_loop_test(tc, means_have_ten_digits, 0, sizeof means / sizeof *means);
	tcase_add_test(tc, means_read_back_to_ten_digits);
	tcase_add_loop_test(tc, numbers_are_decimal, 0, sizeof numbers / sizeof *numbers);
	tcase_add_loop_test(tc, finds_the_likely_slip, 0, sizeof slips / sizeof *slips);
	tcase_add_loop_test(tc, a_shell_takes_it_for_one_word, 0, sizeof words / sizeof *words);
	suite_add_tcase(s, tc);
	return tap_main(s);
}
