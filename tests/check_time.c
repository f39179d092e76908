#include <config.h>

#include "base/time.h"
#include "tap_main.h"

static const struct {
	const char *text;
	st_time ns;
	const char *canonical;
} good[] = {
    {"0", 0, "0s"},
    {"0ms", 0, "0s"},
    {"7ns", 7, "7ns"},
    {"2.385s", 2385 * ST_MSEC, "2.385s"},
    {"0.1s", 100 * ST_MSEC, "100ms"},
    {"1500ms", 1500 * ST_MSEC, "1.5s"},
    {"90s", 90 * ST_SEC, "90s"},
    {"60s", 60 * ST_SEC, "1m"},
    {"4m", 240 * ST_SEC, "4m"},
    {"26.5h", 95400 * ST_SEC, "1590m"},
    {"1d", 86400 * ST_SEC, "1d"},
    {"0.000000001s", 1, "1ns"},
    {"12.5us", 12500, "12.5us"},
    {".5s", 500 * ST_MSEC, "500ms"},
};

START_TEST(reads_exactly_and_writes_back)
{
	char buf[ST_TIME_TEXT];
	st_time t = -1, again = -1;

	ck_assert_ptr_null(st_time_parse(good[_i].text, &t));
	ck_assert_int_eq(t, good[_i].ns);
	ck_assert_str_eq(st_time_format(t, buf), good[_i].canonical);
	ck_assert_ptr_null(st_time_parse(buf, &again));
	ck_assert_int_eq(again, t);
}
END_TEST

static const char *const bad[] = {"", "5", "s", "-1s", "1.2.3s", "5 s", "5sec", "0.1ns", "31d5", "40000d", "1e3s"};

START_TEST(refuses_what_is_no_duration)
{
	st_time t = 2385;

	ck_assert_ptr_nonnull(st_time_parse(bad[_i], &t));
	ck_assert_int_eq(t, 2385);
}
END_TEST

START_TEST(rounds_reals_and_stays_in_range)
{
	ck_assert_int_eq(st_time_from_ns(2.385), 2);
	ck_assert_int_eq(st_time_from_ns(2.5), 3);
	ck_assert_int_eq(st_time_from_ns(-7.0), 0);
	ck_assert_int_eq(st_time_from_ns(0.0 / 0.0), 0);
	ck_assert_int_eq(st_time_from_ns(1e30), ST_TIME_MAX);
	ck_assert_int_eq(st_time_from_s(2.385), 2385 * ST_MSEC);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("time");
	TCase *tc = tcase_create("text");

	tcase_add_loop_test(tc, reads_exactly_and_writes_back, 0, sizeof good / sizeof *good);
	tcase_add_loop_test(tc, refuses_what_is_no_duration, 0, sizeof bad / sizeof *bad);
	tcase_add_test(tc, rounds_reals_and_stays_in_range);
	suite_add_tcase(s, tc);
	return tap_main(s);
}
