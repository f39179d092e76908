#include <config.h>

#include "hand_made.h"
#include "output/table.h"
#include "tap_main.h"

static const char *sentence(const struct st_result *r)
{
	static char buf[400];
	struct st_text t = ST_TEXT_INIT;

	st_table_run(r, &t);
	snprintf(buf, sizeof buf, "%.*s", (int)(strstr(t.s, "\n\n") - t.s), t.s);
	for (char *s = buf; *s; s++)
		if (*s == '\n')
			*s = ' ';
	st_text_release(&t);
	return buf;
}

static void check_fits(const struct st_text *t)
{
	for (const char *s = t->s; *s; s += strcspn(s, "\n") + 1)
		ck_assert_msg(strcspn(s, "\n") <= 100, "%.*s", (int)strcspn(s, "\n"), s);
	for (const char *s = t->s; *s; s++)
		ck_assert(*s == '\n' || (*s >= ' ' && *s < 127));
}

START_TEST(the_sentence_says_what_happened)
{
	struct st_result r = hand_made_run();

	ck_assert_str_eq(sentence(&r),
	    "5500 operations, 5400 served, 90 given up, 10 open at the end; back to normal 41 s after "
	    "the fault; peak after it 812/s = 4.06 x capacity; 0.3 attempts an operation.");
	set_figure(r.figure, "recovery_time_s", INFINITY);
	ck_assert_ptr_nonnull(strstr(sentence(&r), "; NEVER back to normal after the fault;"));
	set_figure(r.figure, "recovery_time_s", 0);
	ck_assert_ptr_nonnull(strstr(sentence(&r), "; back to normal as soon as the fault ended;"));
	r.nfaults = 0;
	set_figure(r.figure, "recovery_time_s", NAN);
	set_figure(r.figure, "open_at_end", 0);
	set_figure(r.figure, "successes", 5500);
	set_figure(r.figure, "offered_peak_per_s", 1100);
	set_figure(r.figure, "offered_peak_x_capacity", INFINITY);
	ck_assert_str_eq(
	    sentence(&r), "5500 operations, all served; no fault; peak 1100/s; 0.3 attempts an operation.");
	set_figure(r.figure, "successes", 0);
	ck_assert_ptr_nonnull(strstr(sentence(&r), "none served"));
	set_figure(r.figure, "operations", 0);
	ck_assert_ptr_nonnull(strstr(sentence(&r), "nothing was asked of the service; no fault"));
	hand_made_run_release(&r);
}
END_TEST

START_TEST(groups_stand_side_by_side)
{
	struct st_result r = hand_made_run();
	struct st_text t = ST_TEXT_INIT;

	st_table_run(&r, &t);
	check_fits(&t);
	ck_assert_ptr_nonnull(strstr(t.s, " all  fleet  background\n"));
	ck_assert_ptr_nonnull(strstr(t.s, "  5500   1000        4500\n"));
	ck_assert_ptr_nonnull(strstr(t.s, "98.4 %"));
	ck_assert_ptr_null(strstr(t.s, "latency"));
	st_text_release(&t);
	hand_made_run_release(&r);
}
END_TEST

START_TEST(a_sweep_tells_of_the_groups_that_axes_name)
{
	struct st_sweep_result r = hand_made_sweep();
	struct st_text t = ST_TEXT_INIT;

	st_table_sweep(&r, &t);
	check_fits(&t);
	ck_assert_ptr_nonnull(strstr(t.s, " fleet        fleet          all           all\n"));
	ck_assert_ptr_nonnull(strstr(t.s, "never 1 of 3"));
	ck_assert_ptr_nonnull(strstr(t.s, "26.0 +-2.5"));
	ck_assert_ptr_nonnull(strstr(t.s, "  (2) {kind: token-bucket, rate: 10/s, burst: 100}\n"));
	ck_assert_ptr_nonnull(strstr(t.s, "\n0      none    (1) "));
	ck_assert_ptr_null(strstr(t.s, "background"));
	st_text_release(&t);
	r.group[0].is_swept = false;
	st_table_sweep(&r, &t);
	check_fits(&t);
	ck_assert_ptr_null(strstr(t.s, "fleet  "));
	ck_assert_ptr_nonnull(strstr(t.s, "51.0 +-2.5"));
	st_text_release(&t);
	r.group[0].is_swept = r.group[1].is_swept = true;
	st_table_sweep(&r, &t);
	ck_assert_ptr_nonnull(strstr(t.s, "(1 more of the groups"));
	check_fits(&t);
	st_text_release(&t);
	hand_made_sweep_release(&r);
}
END_TEST

/* Three values 0.01 apart have a half-width of 0.0248. */
static const struct {
	double mean, apart;
	const char *cell;
} cells[] = {
    {200, 0.01, " 200 "}, {51, 1, "  51.0 +-2.5 "}, {5.04, 0.01, " 5.04 +-0.02 "}, {1.579, 0.004, " 1.58 +-0.01 "},
    {0.55, 0.0001, " 0.55 "}, {104, 20, " 104 +-50 "}, {0, 0, " 0.00 "}, {12345, 1000, " 12345 +-2484 "}, {0.5, 4, " 0.5 +-9.9 "},
};

START_TEST(half_widths_have_two_digits_and_are_no_noise)
{
	struct st_sweep_result r = hand_made_sweep();
	struct st_text t = ST_TEXT_INIT;

	for (size_t i = 0; i < 3; i++)
		r.point[0].value[st_figure_find("after_fault_peak_x_capacity")][i] =
		    cells[_i].mean + cells[_i].apart * ((double)i - 1);
	st_table_sweep(&r, &t);
	ck_assert_msg(strstr(t.s, cells[_i].cell) != NULL, "no '%s' in\n%s", cells[_i].cell, t.s);
	st_text_release(&t);
	hand_made_sweep_release(&r);
}
END_TEST

START_TEST(a_sweep_names_its_best_point_and_by_what)
{
	struct st_sweep_result r = hand_made_sweep();
	struct st_text t = ST_TEXT_INIT;

	st_table_sweep(&r, &t);
	check_fits(&t);
	ck_assert_ptr_nonnull(strstr(t.s, "\nBest is point 2: jitter full, budget off. Of the points with the fewest runs"));
	ck_assert_ptr_nonnull(strstr(t.s, "(71.0 % of all clients')"));
	ck_assert_ptr_nonnull(strstr(t.s, "(4.06 x capacity).\n"));
	st_text_release(&t);
	for (size_t p = 0; p < r.npoints; p++) {
		r.point[p].nfaults = 0;
		for (size_t i = 0; i < 3; i++)
			r.point[p].value[st_figure_find("recovery_time_s")][i] = (double)NAN;
	}
	st_table_sweep(&r, &t);
	ck_assert_ptr_null(strstr(t.s, "fault"));
	ck_assert_ptr_null(strstr(t.s, "recover"));
	st_text_release(&t);
	hand_made_sweep_release(&r);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("table");
	TCase *tc = tcase_create("terminal");

	tcase_add_test(tc, the_sentence_says_what_happened);
	tcase_add_test(tc, groups_stand_side_by_side);
	tcase_add_test(tc, a_sweep_tells_of_the_groups_that_axes_name);
	tcase_add_loop_test(tc, half_widths_have_two_digits_and_are_no_noise, 0, sizeof cells / sizeof *cells);
	tcase_add_test(tc, a_sweep_names_its_best_point_and_by_what);
	suite_add_tcase(s, tc);
	return tap_main(s);
}
