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

START_TEST(a_sweep_names_its_best_point)
{
	struct st_sweep_result r = hand_made_sweep();
	struct st_text t = ST_TEXT_INIT;

	st_table_sweep(&r, &t);
	check_fits(&t);
	ck_assert_ptr_nonnull(strstr(t.s, "never in 1 of 3"));
	ck_assert_ptr_nonnull(strstr(t.s, "51.0 +-2.5"));
	ck_assert_ptr_nonnull(strstr(t.s, "  (2) {kind: token-bucket, rate: 10/s, burst: 100}\n"));
	ck_assert_ptr_nonnull(strstr(t.s, "\n0      none    (1) "));
	ck_assert_ptr_nonnull(strstr(t.s, "Best is point 2: jitter full, budget off\n"));
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
	tcase_add_test(tc, a_sweep_names_its_best_point);
	suite_add_tcase(s, tc);
	return tap_main(s);
}
