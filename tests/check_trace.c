#include <config.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "build.h"
#include "tap_main.h"

#define FILE_NAME "check_trace.csv"
#define AT FILE_NAME ":"

static void write_file(const char *text)
{
	FILE *f = fopen(FILE_NAME, "wb");

	ck_assert_ptr_nonnull(f);
	fputs(text, f);
	fclose(f);
}

/* --- the file --------------------------------------------------------------------------------------------------------- */

static const struct {
	const char *text, *messages;
} mistakes[] = {
    {"0,10\n60,20\n", AT "1:1: expects the names of its columns, time_s,rate_per_s or time_s,count or time_s; got '0,10'"},
    {"time,rate\n0,10\n", AT "1:1: expects the names of its columns, time_s,rate_per_s or time_s,count or time_s; got 'time,rate'"},
    {"time_s,rate_per_s\n0,10\n60,-1\n70 80\n80,1,2\n90,\n100,5%\n",
        AT "3:1: expects a time in seconds and a rate such as 60,12.5, neither below 0, and no rate above 1e9; got '60,-1'\n"
        AT "4:1: expects a time in seconds and a rate such as 60,12.5, neither below 0; got '70 80'\n"
        AT "5:1: expects a time in seconds and a rate such as 60,12.5, neither below 0; got '80,1,2'\n"
        AT "6:1: expects a time in seconds and a rate such as 60,12.5, neither below 0; got '90,'\n"
        AT "7:1: expects a time in seconds and a rate such as 60,12.5, neither below 0; got '100,5%'"},
    {"time_s,rate_per_s\n10,1\n10,2\n5,3\n20,4\n",
        AT "3:1: expects a time later than that of the row above; got '10,2'\n"
        AT "4:1: expects a time later than that of the row above; got '5,3'"},
    {"time_s,rate_per_s\n-1,1\n", AT "2:1: expects a time in seconds and a rate such as 60,12.5, neither below 0; got '-1,1'"},
    {"time_s,count\n0,1.5\n  1,1 # fine\n", AT "2:1: expects a time in seconds and a whole number such as 60,12, neither below 0; got '0,1.5'"},
    {"time_s,count\n0,1\n", "'" FILE_NAME "' must have a second row: nothing says when its count ends"},
    {"time_s\n3\n3\n2.5\n1e10\nnan\n",
        AT "4:1: expects a time not before that of the row above; got '2.5'\n"
        AT "5:1: expects a time within 30 years of the start of the run; got '1e10'\n"
        AT "6:1: expects a time in seconds such as 60.25, at least 0; got 'nan'"},
    {"time_s\n# nobody\n", "'" FILE_NAME "' holds no value"},
    {"time_s\na\nb\nc\nd\ne\nf\ng\n",
        AT "2:1: expects a time in seconds such as 60.25, at least 0; got 'a'\n" AT "3:1: expects a time in seconds such as 60.25, at least 0; got 'b'\n"
        AT "4:1: expects a time in seconds such as 60.25, at least 0; got 'c'\n" AT "5:1: expects a time in seconds such as 60.25, at least 0; got 'd'\n"
        AT "6:1: expects a time in seconds such as 60.25, at least 0; got 'e'\n" FILE_NAME ": 2 more lines are wrong"},
};

START_TEST(bad_rows_are_told_by_line)
{
	static const struct st_param row = {.name = "file", .type = &st_param_trace};
	struct st_trace t = {.n = 0};
	struct st_err e = ST_ERR_INIT;
	struct st_text all = ST_TEXT_INIT;

	write_file(mistakes[_i].text);
	ck_assert_int_eq(st_param_read_text(&row, FILE_NAME, NULL, &t, &e), -1);
	ck_assert_ptr_null(t.at);
	for (size_t i = 0; i < e.n; i++) {
		const char *message = e.message[i];

		/* The parameter's name stands in front of what is the parameter's. */
		st_text_addf(&all, "%s%s", i ? "\n" : "", strncmp(message, "file: ", 6) == 0 ? message + 6 : message);
	}
	for (char *about; (about = strstr(all.s, ": file: "));)
		memmove(about, about + 6, strlen(about + 6) + 1);
	ck_assert_str_eq(all.s, mistakes[_i].messages);
	st_text_release(&all);
	st_err_release(&e);
	remove(FILE_NAME);
}
END_TEST

/* --- what comes of it ------------------------------------------------------------------------------------------------- */

static void replay(const char *text, const char *seed, struct st_config *c, struct st_run *run)
{
	write_file(text);
	build_init(c, 10 * ST_SEC);
	c->bin = ST_SEC;
	c->service->workers = 100;
	struct st_group_cfg *g = build_group(c, "all", 5);
	build_set(st_workload_params, &g->workload, "kind", "trace");
	build_set(st_workload_params, &g->workload, "file", FILE_NAME);
	build_set(st_config_params, c, "seed", seed);
	build_run(c, run);
	remove(FILE_NAME);
}

static int64_t first(const struct st_run *run, size_t bin)
{
	return run->meter->series.row[bin][ST_CELL_FIRST];
}

START_TEST(instants_are_kept)
{
	static const int want[10] = {3, 0, 0, 1, 0, 0, 0, 0, 2, 0};
	struct st_config c;
	struct st_run run;

	replay("time_s\r\n0\r\n0\r\n0.999999999\r\n3\r\n8.5\r\n8.5\r\n\r\n10\r\n", "1", &c, &run);
	for (size_t i = 0; i < 10; i++)
		ck_assert_int_eq(first(&run, i), want[i]);
	st_run_release(&run);
	build_release(&c);
}
END_TEST

/* Exactly the count of each row, in no order that hints at the row's edges. */
START_TEST(counts_are_exact)
{
	struct st_config c;
	struct st_run run;
	int64_t second[2];

	replay("time_s,count\n0.5,7\n1,0\n2,10000\n4,40\n5,60\n", "1", &c, &run);
	ck_assert_int_eq(first(&run, 0), 7);
	ck_assert_int_eq(first(&run, 1), 0);
	for (int i = 0; i < 2; i++)
		second[i] = first(&run, 2 + (size_t)i);
	ck_assert_int_eq(second[0] + second[1], 10000);
	ck_assert_int_le(llabs(second[0] - 5000), 225); /* 4.5 deviations of a binomial */
	ck_assert_int_eq(first(&run, 4), 40);
	ck_assert_int_eq(first(&run, 5), 60);
	for (size_t i = 6; i < 10; i++)
		ck_assert_int_eq(first(&run, i), 0);
	st_run_release(&run);
	build_release(&c);
}
END_TEST

START_TEST(rates_are_in_force_from_their_row_on)
{
	static const double want[10] = {0, 1000, 1000, 0, 0, 4000, 4000, 500, 500, 500};
	struct st_config c;
	struct st_run run;

	replay("time_s,rate_per_s\n1,1000\n3,0\n5,4000\n7,5e2\n", "1", &c, &run);
	for (size_t i = 0; i < 10; i++)
		ck_assert_double_le((double)llabs(first(&run, i) - (int64_t)want[i]), 4.5 * sqrt(want[i]));
	st_run_release(&run);
	build_release(&c);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("trace");
	TCase *tc = tcase_create("file");

	tcase_add_loop_test(tc, bad_rows_are_told_by_line, 0, sizeof mistakes / sizeof *mistakes);
	tcase_add_test(tc, instants_are_kept);
	tcase_add_test(tc, counts_are_exact);
	tcase_add_test(tc, rates_are_in_force_from_their_row_on);
	suite_add_tcase(s, tc);
	return tap_main(s);
}
