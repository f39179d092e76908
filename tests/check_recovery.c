#include <config.h>

#include <math.h>

#include "measure/recovery.h"
#include "tap_main.h"

/*
 * Thirty seconds of 250 ms bins; the fault ends at 8.1 s, so bin 33 (8.25 s) is the first after it. A window
 * is 10 bins.
 */
static const st_time fault_end = 8100 * ST_MSEC;
enum { FIRST = 33, ROWS = 120 };

static struct st_series s;

static void fresh(void)
{
	st_series_init(&s, 250 * ST_MSEC, 30 * ST_SEC, 2);
}

static void gone(void)
{
	st_series_release(&s);
}

static void ended(size_t from, size_t to, uint64_t succeeded, uint64_t failed)
{
	for (size_t i = from; i < to; i++) {
		s.group[0][i].succeeded = succeeded;
		s.group[0][i].failed = failed;
	}
}

static double recovery(uint64_t limit)
{
	return st_recovery_time_s(&s, ST_ALL_GROUPS, fault_end, limit);
}

static double at_bin(size_t i)
{
	return (double)i * 0.25 - 8.1;
}

static void is(double got, double want)
{
	ck_assert_double_eq_tol(got, want, 1e-9);
}

START_TEST(immediate_when_nothing_fails_after_the_fault)
{
	ended(0, FIRST, 0, 40);
	ended(FIRST, ROWS, 40, 0);
	is(recovery(UINT64_MAX), at_bin(FIRST));
	is(st_recovery_time_s(&s, ST_ALL_GROUPS, 8250 * ST_MSEC, UINT64_MAX), 0.0);
}
END_TEST

START_TEST(never_when_failures_go_on)
{
	ended(0, ROWS, 37, 2); /* 94.87 % */
	ck_assert(isinf(recovery(UINT64_MAX)));
	ended(0, ROWS, 38, 2); /* 95 % */
	is(recovery(UINT64_MAX), at_bin(FIRST));
}
END_TEST

/* All fail until bin 50; 5 % of a window's 400 operations is half a bin: the first good one begins at 50. */
START_TEST(a_bad_stretch_is_waited_out)
{
	ended(0, 50, 0, 40);
	ended(50, ROWS, 40, 0);
	is(recovery(UINT64_MAX), at_bin(50));
	s.group[0][49] =
	    (struct st_group_bin){.succeeded = 20, .failed = 20}; /* just 5 % of the window from 49 on */
	is(recovery(UINT64_MAX), at_bin(49));
}
END_TEST

START_TEST(a_relapse_counts_from_its_end)
{
	ended(0, ROWS, 40, 0);
	s.group[0][90].failed = 22; /* 22 of 422 */
	is(recovery(UINT64_MAX), at_bin(91));
	s.group[0][90].failed = 21; /* 21 of 421 */
	is(recovery(UINT64_MAX), at_bin(FIRST));
}
END_TEST

/* The last window begins at bin 110: badness in it leaves no full window after it. */
START_TEST(a_relapse_in_the_last_window_is_never)
{
	ended(0, ROWS, 40, 0);
	s.group[0][110].failed = 40;
	ck_assert(isinf(recovery(UINT64_MAX)));
	s.group[0][110].failed = 0;
	s.group[0][109].failed = 40;
	is(recovery(UINT64_MAX), at_bin(110));
}
END_TEST

START_TEST(silence_is_not_recovery)
{
	ended(0, 20, 40, 0);
	ck_assert(isinf(recovery(UINT64_MAX)));
	s.group[1][70].succeeded = 1; /* one that came through: no window saw more than that */
	is(recovery(UINT64_MAX), at_bin(FIRST));
}
END_TEST

START_TEST(a_full_queue_is_not_normal)
{
	ended(0, ROWS, 40, 0);
	s.row[20][ST_CELL_QUEUE_MAX] = 77;
	s.row[64][ST_CELL_QUEUE_MAX] = 77;
	is(recovery(78), at_bin(FIRST));
	is(recovery(77), at_bin(65));
	is(recovery(UINT64_MAX), at_bin(FIRST));
	is(recovery(0), at_bin(FIRST)); /* a loss system */
	s.row[ROWS - 1][ST_CELL_QUEUE_MAX] = 77;
	ck_assert(isinf(recovery(77)));
}
END_TEST

START_TEST(a_group_recovers_by_itself)
{
	ended(0, ROWS, 0, 3);
	for (size_t i = 0; i < ROWS; i++)
		s.group[1][i].succeeded = 3;
	ck_assert(isinf(st_recovery_time_s(&s, 0, fault_end, UINT64_MAX)));
	is(st_recovery_time_s(&s, 1, fault_end, UINT64_MAX), at_bin(FIRST));
	ck_assert(isinf(recovery(UINT64_MAX)));
	s.row[80][ST_CELL_QUEUE_MAX] = 5;
	is(st_recovery_time_s(&s, 1, fault_end, 5), at_bin(81));
}
END_TEST

START_TEST(a_fault_to_the_end_is_never_recovered_from)
{
	ended(0, ROWS, 40, 0);
	ck_assert(isinf(st_recovery_time_s(&s, ST_ALL_GROUPS, 30 * ST_SEC, 9)));
	ck_assert(isinf(st_recovery_time_s(&s, ST_ALL_GROUPS, 300 * ST_SEC, 9)));
	is(st_recovery_time_s(&s, ST_ALL_GROUPS, 110 * 250 * ST_MSEC, 9), 0.0);
	ck_assert(isinf(st_recovery_time_s(&s, ST_ALL_GROUPS, 110 * 250 * ST_MSEC + 1, 9)));
}
END_TEST

/* Bins of 7 ms: a second is 143 of them, rounded up; a last bin cut short is in no window. */
START_TEST(windows_are_a_second_at_least_and_whole)
{
	struct st_series fine;

	st_series_init(&fine, 7 * ST_MSEC, 200 * 7 * ST_MSEC - 1, 1); /* 199 whole bins */
	for (size_t i = 0; i < fine.n; i++)
		fine.group[0][i].succeeded = 1;
	is(st_recovery_time_s(&fine, 0, 56 * 7 * ST_MSEC, UINT64_MAX), 0.0);
	ck_assert(isinf(st_recovery_time_s(&fine, 0, 57 * 7 * ST_MSEC, UINT64_MAX)));
	fine.group[0][199].failed = 1000;
	is(st_recovery_time_s(&fine, 0, 56 * 7 * ST_MSEC, UINT64_MAX), 0.0);
	fine.group[0][198].failed = 1000;
	ck_assert(isinf(st_recovery_time_s(&fine, 0, 56 * 7 * ST_MSEC, UINT64_MAX)));
	st_series_release(&fine);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("recovery");
	TCase *tc = tcase_create("recovery");

	tcase_add_checked_fixture(tc, fresh, gone);
	tcase_add_test(tc, immediate_when_nothing_fails_after_the_fault);
	tcase_add_test(tc, never_when_failures_go_on);
	tcase_add_test(tc, a_bad_stretch_is_waited_out);
	tcase_add_test(tc, a_relapse_counts_from_its_end);
	tcase_add_test(tc, a_relapse_in_the_last_window_is_never);
	tcase_add_test(tc, silence_is_not_recovery);
	tcase_add_test(tc, a_full_queue_is_not_normal);
	tcase_add_test(tc, a_group_recovers_by_itself);
	tcase_add_test(tc, a_fault_to_the_end_is_never_recovered_from);
	tcase_add_test(tc, windows_are_a_second_at_least_and_whole);
	suite_add_tcase(suite, tc);
	return tap_main(suite);
}
