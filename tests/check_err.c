#include <config.h>

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "tap_main.h"

START_TEST(a_message_has_its_place_in_front)
{
	struct st_err e = ST_ERR_INIT;

	ck_assert(!st_err_any(&e));
	int failed = st_err_add(&e, ST_EXIT_USER, &(struct st_place){"a.yaml", 12, 7}, "bad %s", "'x'");
	ck_assert_int_eq(failed, -1);
	st_err_add(&e, ST_EXIT_USER, &(struct st_place){"--set", 0, 0}, "bad");
	st_err_add(&e, ST_EXIT_USER, NULL, "bad");
	e.about = "retry.attempts";
	st_err_add(&e, ST_EXIT_USER, &(struct st_place){"a.yaml", 1, 2}, "bad");
	st_err_add(&e, ST_EXIT_USER, NULL, "bad");
	ck_assert_uint_eq(e.n, 5);
	ck_assert_str_eq(e.message[0], "a.yaml:12:7: bad 'x'");
	ck_assert_str_eq(e.message[1], "--set: bad");
	ck_assert_str_eq(e.message[2], "bad");
	ck_assert_str_eq(e.message[3], "a.yaml:1:2: retry.attempts: bad");
	ck_assert_str_eq(e.message[4], "retry.attempts: bad");
	st_err_release(&e);
	ck_assert(!st_err_any(&e));
}
END_TEST

START_TEST(what_is_quoted_moves_no_cursor_and_fills_no_screen)
{
	struct st_err e = ST_ERR_INIT;
	char big[5001];

	st_err_add(&e, ST_EXIT_USER, NULL, "bad '%s'", "a\nb\x1b[31m\x7f\t\xc3\xa4\\");
	ck_assert_str_eq(e.message[0], "bad 'a\\nb\\x1b[31m\\x7f\\x09\xc3\xa4\\'");
	for (size_t i = 0; i < sizeof big - 1; i += 2)
		memcpy(&big[i], "\xc3\xa4", 2);
	big[sizeof big - 1] = '\0';
	st_err_add(&e, ST_EXIT_USER, NULL, "x%s (too long)", big);
	ck_assert_uint_lt(strlen(e.message[1]), 2000);
	ck_assert_ptr_nonnull(strstr(e.message[1], "\xc3\xa4...\xc3\xa4")); /* cut between characters */
	ck_assert_ptr_nonnull(strstr(e.message[1], "\xa4 (too long)"));
	st_err_release(&e);
}
END_TEST

START_TEST(the_worst_decides_the_exit)
{
	struct st_err e = ST_ERR_INIT;

	ck_assert_int_eq(e.code, ST_EXIT_OK);
	st_err_add(&e, ST_EXIT_USER, NULL, "misuse");
	st_err_add(&e, ST_EXIT_MACHINE, NULL, "disk full");
	st_err_add(&e, ST_EXIT_USER, NULL, "misuse");
	ck_assert_int_eq(e.code, ST_EXIT_MACHINE);
	st_err_release(&e);
}
END_TEST

START_TEST(prints_a_line_each)
{
	struct st_err e = ST_ERR_INIT;
	char buf[100] = "";
	FILE *to = fmemopen(buf, sizeof buf, "w");

	st_err_add(&e, ST_EXIT_USER, NULL, "one");
	st_err_add(&e, ST_EXIT_USER, NULL, "two");
	st_err_print(&e, to);
	fclose(to);
	ck_assert_str_eq(buf, "stampede: one\nstampede: two\n");
	st_err_release(&e);
}
END_TEST

START_TEST(a_broken_invariant_ends_the_program)
{
	ck_assert(freopen("/dev/null", "w", stderr));
	st_assert(1 + 1 == 2);
	st_assert(1 + 1 == 3);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("err");
	TCase *tc = tcase_create("messages");
	const char *fork = getenv("CK_FORK");

	tcase_add_test(tc, a_message_has_its_place_in_front);
	tcase_add_test(tc, what_is_quoted_moves_no_cursor_and_fills_no_screen);
	tcase_add_test(tc, the_worst_decides_the_exit);
	tcase_add_test(tc, prints_a_line_each);
	if (!fork || strcmp(fork, "no") != 0)
		tcase_add_test_raise_signal(tc, a_broken_invariant_ends_the_program, SIGABRT);
	suite_add_tcase(s, tc);
	return tap_main(s);
}
