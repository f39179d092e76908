#include <config.h>

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/dist.h"
#include "base/flow.h"
#include "base/param.h"
#include "base/rng.h"
#include "tap_main.h"

struct cfg {
	st_time time, cap;
	double rate, share, number;
	uint64_t count, attempts;
	unsigned jitter;
	struct st_dist dist;
	char *text;
	struct st_times times;
};

static const struct st_choice jitters[] = {
    {"none", "no jitter"},
    {"full", "all of it"},
    {"decorrelated", "walks"},
};

static const struct st_choice *jitter_at(size_t i)
{
	return i < sizeof jitters / sizeof *jitters ? &jitters[i] : NULL;
}

#define ROW(field, kind) .name = #field, .type = &st_param_##kind, .offset = offsetof(struct cfg, field)

enum { TIME, CAP, RATE, SHARE, NUMBER, COUNT, ATTEMPTS, JITTER, DIST, TEXT, TIMES, ROWS };

static const struct st_param rows[] = {
    [TIME] = {ROW(time, time), .dflt = "1s"},
    [CAP] = {ROW(cap, time), .dflt = "off", .word = "off", .min = 0.001, .max = 3600},
    [RATE] = {ROW(rate, rate), .dflt = "10/s", .word = "unlimited", .min = 0.5, .max = INFINITY},
    [SHARE] = {ROW(share, share), .dflt = "70%", .min = 0.1, .max = 0.9},
    [NUMBER] = {ROW(number, number), .dflt = "2.5", .min = -INFINITY, .max = 100},
    [COUNT] = {ROW(count, count), .dflt = "1k"},
    [ATTEMPTS] = {ROW(attempts, count), .dflt = "unlimited", .word = "unlimited", .min = 1},
    [JITTER] = {ROW(jitter, choice), .dflt = "full", .choices = jitter_at},
    [DIST] = {ROW(dist, dist), .dflt = "never", .word = "never", .min = 0.001, .max = 60},
    [TEXT] = {ROW(text, text), .dflt = "none", .word = "none"},
    [TIMES] = {ROW(times, times), .dflt = "[1s, 2s]", .min = 0.001, .max = INFINITY},
};

static struct cfg cfg;

static void set_defaults(void)
{
	cfg = (struct cfg){0};
	for (int i = 0; i < ROWS; i++)
		st_param_default(&rows[i], &cfg);
}

static void release_all(void)
{
	for (int i = 0; i < ROWS; i++)
		st_param_release(&rows[i], &cfg);
}

static void reads(const struct st_param *p, const char *text)
{
	struct st_err e = ST_ERR_INIT;

	int failed = st_param_read_text(p, text, NULL, &cfg, &e);
	ck_assert_msg(!failed && e.n == 0, "%s: %s", text, e.n ? e.message[0] : "");
}

START_TEST(defaults_are_read)
{
	ck_assert_int_eq(cfg.time, ST_SEC);
	ck_assert_int_eq(cfg.cap, ST_NEVER);
	ck_assert_double_eq(cfg.rate, 10.0);
	ck_assert_double_eq(cfg.share, 0.7);
	ck_assert_double_eq(cfg.number, 2.5);
	ck_assert_uint_eq(cfg.count, 1000);
	ck_assert_uint_eq(cfg.attempts, ST_UNLIMITED);
	ck_assert_uint_eq(cfg.jitter, 1);
	ck_assert_int_eq(cfg.dist.fixed, ST_NEVER);
	ck_assert_ptr_null(cfg.text);
	ck_assert_uint_eq(cfg.times.n, 2);
	ck_assert_int_eq(cfg.times.at[1], 2 * ST_SEC);
}
END_TEST

/* What is written, and its canonical text. */
static const struct {
	int row;
	const char *text, *canonical;
} good[] = {
    {TIME, "0.2s", "200ms"},
    {TIME, "0", "0s"},
    {CAP, "off", "off"},
    {CAP, "1h", "1h"},
    {RATE, "600/m", "10/s"},
    {RATE, "3600/h", "1/s"},
    {RATE, "86400/d", "1/s"},
    {RATE, "2k/s", "2000/s"},
    {RATE, "0.5/s", "0.5/s"},
    {RATE, "unlimited", "unlimited"},
    {RATE, "1G/s", "1000000000/s"},
    {SHARE, "70%", "70%"},
    {SHARE, "0.7", "70%"},
    {SHARE, "12.3%", "12.3%"},
    {SHARE, "0.123", "12.3%"},
    {SHARE, "90%", "90%"},
    {SHARE, "1e1%", "10%"},
    {SHARE, "57%", "57%"},
    {SHARE, "0.29", "29%"},
    {NUMBER, "-1e3", "-1000"},
    {NUMBER, "-0", "0"},
    {NUMBER, "0.1", "0.1"},
    {NUMBER, "0.05k", "50"},
    {NUMBER, "-2M", "-2000000"},
    {COUNT, "0", "0"},
    {COUNT, "1000", "1000"},
    {COUNT, "1.5k", "1500"},
    {COUNT, "2M", "2000000"},
    {COUNT, "1e6", "1000000"},
    {COUNT, "2.3M", "2300000"},
    {COUNT, "1G", "1000000000"},
    {COUNT, "5.0", "5"},
    {COUNT, "999999999999999999", "999999999999999999"},
    {COUNT, "0.001k", "1"},
    {COUNT, "1e18", "1000000000000000000"},
    {ATTEMPTS, "1", "1"},
    {ATTEMPTS, "unlimited", "unlimited"},
    {JITTER, "decorrelated", "decorrelated"},
    {DIST, "constant 5ms", "5ms"},
    {DIST, "never", "never"},
    {DIST, "lognormal 0.02s cv .5", "lognormal 20ms cv 0.5"},
    {TEXT, "A herd, woken", "\"A herd, woken\""},
    {TEXT, "plain words", "plain words"},
    {TEXT, "none", "none"},
    {TEXT, "\"a \\\"b\\\"\\n\\\\\\x07\"", "\"a \\\"b\\\"\\x0a\\\\\\x07\""},
    {TEXT, "", "none"},
    {TIMES, "[ 1s,2s ,  3ms]", "[1s, 2s, 3ms]"},
    {TIMES, "5s", "5s"},
    {TIMES, "[5s]", "5s"},
    {TIMES, "[ ]", "[]"},
};

START_TEST(prints_the_canonical_text)
{
	const struct st_param *p = &rows[good[_i].row];
	struct st_text t = ST_TEXT_INIT, again = ST_TEXT_INIT;

	reads(p, good[_i].text);
	st_param_print(p, &cfg, &t);
	ck_assert_str_eq(t.s, good[_i].canonical);
	reads(p, t.s);
	st_param_print(p, &cfg, &again);
	ck_assert_str_eq(again.s, t.s);
	st_text_release(&t);
	st_text_release(&again);
}
END_TEST

static const struct {
	int row;
	const char *text, *message; /* behind "a.yaml:12:7: retry.NAME: " */
} bad[] = {
    {TIME, "5",
        "expects a duration such as 200ms; got '5' (a duration needs a unit: ns, us, ms, s, m, h or d)"},
    {TIME, "off", "expects a duration such as 200ms; got 'off' (not a duration such as 200ms, 1.5s or 3m)"},
    {TIME, "[1s, 2s]", "expects a duration such as 200ms; got a list"},
    {TIME, "[]", "expects a duration such as 200ms; got a list"},
    {TIME, "", "expects a duration such as 200ms; got nothing"},
    {CAP, "of", "expects a duration such as 200ms, or 'off'; got 'of' (did you mean 'off'?)"},
    {CAP, "0.5ms", "must be between 1ms and 1h; got '0.5ms'"},
    {CAP, "2h", "must be between 1ms and 1h; got '2h'"},
    {RATE, "5",
        "expects a rate such as 10/s, or 'unlimited'; got '5' (a rate needs a unit: /s, /m, /h or /d)"},
    {RATE, "-5/s", "expects a rate such as 10/s, or 'unlimited'; got '-5/s' (a rate cannot be negative)"},
    {RATE, "5/y",
        "expects a rate such as 10/s, or 'unlimited'; got '5/y' (unknown unit: a rate takes /s, /m, /h or "
        "/d)"},
    {RATE, "2G/s", "expects a rate such as 10/s, or 'unlimited'; got '2G/s' (faster than one a nanosecond)"},
    {RATE, "1e305G/s",
        "expects a rate such as 10/s, or 'unlimited'; got '1e305G/s' (faster than one a nanosecond)"},
    {RATE, "x", "expects a rate such as 10/s, or 'unlimited'; got 'x' (not a number)"},
    {RATE, "0", "must be at least 0.5/s; got '0'"},
    {SHARE, "70", "expects a share such as 70%; got '70' (a share without % is at most 1)"},
    {SHARE, "101%", "expects a share such as 70%; got '101%' (a share is between 0% and 100%)"},
    {SHARE, "-1%", "expects a share such as 70%; got '-1%' (a share is between 0% and 100%)"},
    {SHARE, "0.7x", "expects a share such as 70%; got '0.7x' (a share is written 70% or 0.7)"},
    {SHARE, "5%", "must be between 10% and 90%; got '5%'"},
    {NUMBER, "1x", "expects a number such as 2.5; got '1x' (a number takes the suffixes k, M and G and no unit)"},
    {NUMBER, "inf", "expects a number such as 2.5; got 'inf' (not a number)"},
    {NUMBER, "101", "must be at most 100; got '101'"},
    {COUNT, "1.5", "expects a whole number such as 100 or 2k; got '1.5' (not a whole number)"},
    {COUNT, "1.5555k", "expects a whole number such as 100 or 2k; got '1.5555k' (not a whole number)"},
    {COUNT, "-1", "expects a whole number such as 100 or 2k; got '-1' (a count cannot be negative)"},
    {COUNT, "1e19", "expects a whole number such as 100 or 2k; got '1e19' (more than 1e18)"},
    {COUNT, "99999999999999999999999999999999999999999999999",
        "expects a whole number such as 100 or 2k; got '99999999999999999999999999999999999999999999999' "
        "(more than 1e18)"},
    {COUNT, "5s",
        "expects a whole number such as 100 or 2k; got '5s' (a count takes the suffixes k, M and G and no "
        "unit)"},
    {ATTEMPTS, "0", "must be at least 1; got '0'"},
    {ATTEMPTS, "unlimted",
        "expects a whole number such as 100 or 2k, or 'unlimited'; got 'unlimted' (did you mean "
        "'unlimited'?)"},
    {JITTER, "ful", "expects one of none, full, decorrelated; got 'ful' (did you mean 'full'?)"},
    {JITTER, "equal", "expects one of none, full, decorrelated; got 'equal'"},
    {DIST, "exponental 1s", "unknown distribution 'exponental'; did you mean 'exponential'?"},
    {DIST, "nevr",
        "expects a duration such as 20ms or a distribution such as 'exponential 20ms', or 'never'; got "
        "'nevr' (did you mean 'never'?)"},
    {DIST, "exponential 2m", "must be between 1ms and 1m; got 'exponential 2m'"},
    {DIST, "[1s]",
        "expects a duration such as 20ms or a distribution such as 'exponential 20ms', or 'never'; got a "
        "list"},
    {TEXT, "[a]", "expects a text, or 'none'; got a list"},
    {TEXT, "\"a", "cannot read '\"a': a quote is not closed, or holds a \\ that none of \", \\, n, t and xNN follow"},
    {TEXT, "\"\\x 1\"", "cannot read '\"\\x 1\"': a quote is not closed, or holds a \\ that none of \", \\, n, t and xNN follow"},
    {TEXT, "\"\\x+1\"", "cannot read '\"\\x+1\"': a quote is not closed, or holds a \\ that none of \", \\, n, t and xNN follow"},
    {TEXT, "\"\\x1\"", "cannot read '\"\\x1\"': a quote is not closed, or holds a \\ that none of \", \\, n, t and xNN follow"},
    {TEXT, "\"a\\x00b\"", "cannot read '\"a\\x00b\"': a quote is not closed, or holds a \\ that none of \", \\, n, t and xNN follow"},
    {TEXT, "\"a\" b", "cannot read '\"a\" b': something follows the quote"},
    {TIMES, "[1s, 2]",
        "expects a duration such as 200ms, or a list of them; got '2' (a duration needs a unit: ns, us, ms, "
        "s, m, h or d)"},
    {TIMES, "[1s, 0]", "must be at least 1ms; got '0'"},
    {TIMES, "[1s", "cannot read '[1s': ']' is missing"},
    {TIMES, "[", "cannot read '[': ']' is missing"},
    {TIMES, "[],1s]", "cannot read '[],1s]': something follows the ']'"},
    {TIMES, "[1s]]", "cannot read '[1s]]': something follows the ']'"},
    {TIMES, "[\"1s\" 2s]", "cannot read '[\"1s\" 2s]': ',' or ']' is missing"},
};

START_TEST(says_what_is_wrong_and_changes_nothing)
{
	struct st_param p = rows[bad[_i].row];
	struct st_place place = {"a.yaml", 12, 7};
	struct st_err e = ST_ERR_INIT;
	struct st_text before = ST_TEXT_INIT, after = ST_TEXT_INIT;
	char want[400], name[40];

	snprintf(name, sizeof name, "retry.%s", p.name);
	snprintf(want, sizeof want, "a.yaml:12:7: %s: %s", name, bad[_i].message);
	p.name = name;
	st_param_print(&p, &cfg, &before);
	ck_assert_int_eq(st_param_read_text(&p, bad[_i].text, &place, &cfg, &e), -1);
	ck_assert_uint_eq(e.n, 1);
	ck_assert_int_eq(e.code, ST_EXIT_USER);
	ck_assert_str_eq(e.message[0], want);
	ck_assert_ptr_null(e.about);
	st_param_print(&p, &cfg, &after);
	ck_assert_str_eq(before.s, after.s);
	st_text_release(&before);
	st_text_release(&after);
	st_err_release(&e);
}
END_TEST

START_TEST(every_item_is_told_at_its_place)
{
	const char *text[] = {"1s", "2", "x"};
	struct st_place place[] = {{"a.yaml", 3, 4}, {"a.yaml", 3, 8}, {"a.yaml", 4, 2}};
	struct st_value v = {text, place, 3, true};
	struct st_err e = ST_ERR_INIT;

	ck_assert_int_eq(st_param_read(&rows[TIMES], &v, &cfg, &e), -1);
	ck_assert_uint_eq(e.n, 2);
	ck_assert_int_eq(strncmp(e.message[0], "a.yaml:3:8: times: ", 19), 0);
	ck_assert_int_eq(strncmp(e.message[1], "a.yaml:4:2: times: ", 19), 0);
	st_err_release(&e);
}
END_TEST

/* Random bits as the numbers of each type: reals of many sizes, short decimals, and every byte in texts. */
static void randomise(struct st_rng *r)
{
	double wide = ldexp(st_rng_uniform(r), (int)st_rng_below(r, 40) - 30);
	double few = (double)st_rng_below(r, 1000);
	char text[12];
	size_t n = st_rng_below(r, sizeof text);

	cfg.time = (st_time)st_rng_below(r, (uint64_t)1 << st_rng_below(r, 59));
	cfg.cap = ST_MSEC + (st_time)st_rng_below(r, 1000 * ST_SEC);
	cfg.rate = 0.5 + (st_rng_below(r, 2) ? wide : few / 100.0);
	cfg.share = 0.1 + 0.8 * (st_rng_below(r, 2) ? st_rng_uniform(r) : few / 1000.0);
	cfg.number = st_rng_below(r, 2) ? -wide : few / 10.0;
	cfg.count = st_rng_below(r, (uint64_t)1 << st_rng_below(r, 59));
	cfg.attempts = 1 + st_rng_below(r, 100);
	cfg.jitter = (unsigned)st_rng_below(r, 3);
	for (size_t i = 0; i < n; i++)
		text[i] = (char)(1 + st_rng_below(r, 255));
	text[n] = '\0';
	free(cfg.text);
	cfg.text = n ? strdup(text) : NULL;
	for (size_t i = 0; i < cfg.times.n; i++)
		cfg.times.at[i] = ST_MSEC + (st_time)st_rng_below(r, (uint64_t)1 << st_rng_below(r, 50));
}

START_TEST(print_then_read_is_the_same_value)
{
	struct st_rng_family f = st_rng_family(17, 0);
	struct st_rng r = st_rng_open(&f, 0, 0, 0, ST_RNG_CLIENT);

	for (int i = 0; i < 5000; i++) {
		randomise(&r);
		struct cfg was = cfg;
		cfg.text = NULL;
		cfg.times = (struct st_times){NULL, 0};
		for (int k = 0; k < ROWS; k++) {
			struct st_text t = ST_TEXT_INIT;

			if (k == DIST) /* check_dist.c has its own */
				continue;
			st_param_print(&rows[k], &was, &t);
			reads(&rows[k], t.s);
			st_text_release(&t);
		}
		ck_assert_int_eq(cfg.time, was.time);
		ck_assert_int_eq(cfg.cap, was.cap);
		ck_assert_double_eq(cfg.rate, was.rate);
		ck_assert_double_eq(cfg.share, was.share);
		ck_assert_double_eq(cfg.number, was.number);
		ck_assert_uint_eq(cfg.count, was.count);
		ck_assert_uint_eq(cfg.attempts, was.attempts);
		ck_assert_uint_eq(cfg.jitter, was.jitter);
		ck_assert_pstr_eq(cfg.text, was.text);
		ck_assert_uint_eq(cfg.times.n, was.times.n);
		ck_assert_mem_eq(cfg.times.at, was.times.at, was.times.n * sizeof(st_time));
		free(was.text);
		free(was.times.at);
	}
}
END_TEST

/* A text, what it is in its base unit; no unit: it is no quantity. */
static const struct {
	const char *text;
	double x;
	const char *unit;
} quantities[] = {
    {"5", 5, ""}, {"-1e3", -1000, ""}, {"2.5k", 2500, ""}, {"1G", 1e9, ""}, {"70%", 70, "%"}, {"10/s", 10, "1/s"}, {"2k/s", 2000, "1/s"},
    {"600/m", 10, "1/s"}, {"3600/h", 1, "1/s"}, {"86400/d", 1, "1/s"}, {"2k/m", 2000 / 60.0, "1/s"}, {"200ms", 0.2, "s"}, {"3m", 180, "s"},
    {"1d", 86400, "s"}, {"0s", 0, "s"}, {"inf", 0, NULL}, {"infinity", 0, NULL}, {"nan", 0, NULL}, {"0x10", 0, NULL}, {" 5", 0, NULL},
    {"5 s", 0, NULL}, {"5k%", 0, NULL}, {"5/y", 0, NULL}, {"full", 0, NULL}, {"", 0, NULL}, {"constant 5ms", 0, NULL},
};

START_TEST(a_text_is_a_quantity_of_its_unit)
{
	double x;
	const char *unit;

	ck_assert_int_eq(st_param_quantity(quantities[_i].text, &x, &unit), quantities[_i].unit != NULL);
	if (quantities[_i].unit) {
		ck_assert_double_eq(x, quantities[_i].x);
		ck_assert_str_eq(unit, quantities[_i].unit);
	}
}
END_TEST

START_TEST(applies_where_its_kind_is_named)
{
	struct st_param p = {.kinds = "token-bucket  ratio"}, always = {.kinds = NULL};

	ck_assert(st_param_applies(&p, "token-bucket"));
	ck_assert(st_param_applies(&p, "ratio"));
	ck_assert(!st_param_applies(&p, "token"));
	ck_assert(!st_param_applies(&p, "ratios"));
	ck_assert(!st_param_applies(&p, NULL));
	ck_assert(st_param_applies(&always, NULL));
}
END_TEST

START_TEST(choices_are_found_by_name)
{
	const char *near = "x";

	ck_assert_int_eq(st_choice_find(jitter_at, "decorrelated", NULL), 2);
	ck_assert_int_eq(st_choice_find(jitter_at, "decorelated", &near), -1);
	ck_assert_str_eq(near, "decorrelated");
	ck_assert_int_eq(st_choice_find(jitter_at, "zzz", &near), -1);
	ck_assert_ptr_null(near);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("param");
	TCase *tc = tcase_create("rows");

	tcase_add_checked_fixture(tc, set_defaults, release_all);
	tcase_add_test(tc, defaults_are_read);
	tcase_add_loop_test(tc, prints_the_canonical_text, 0, sizeof good / sizeof *good);
	tcase_add_loop_test(tc, says_what_is_wrong_and_changes_nothing, 0, sizeof bad / sizeof *bad);
	tcase_add_test(tc, every_item_is_told_at_its_place);
	tcase_add_test(tc, print_then_read_is_the_same_value);
	tcase_add_loop_test(tc, a_text_is_a_quantity_of_its_unit, 0, sizeof quantities / sizeof *quantities);
	tcase_add_test(tc, applies_where_its_kind_is_named);
	tcase_add_test(tc, choices_are_found_by_name);
	suite_add_tcase(s, tc);
	return tap_main(s);
}
