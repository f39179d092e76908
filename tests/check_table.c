#include <config.h>

#include <stdlib.h>

#include "hand_made.h"
#include "output/axis.h"
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

START_TEST(axes_are_called_in_as_few_words_as_tell_them_apart)
{
	static const char *const axis[] = {"fleet.retry.backoff.jitter", "a.retry.attempts", "b.retry.attempts", "a.retry.backoff.base", "a.retry.hint.base", "policy"};
	static const char *const name[] = {"jitter", "a.attempts", "b.attempts", "a.retry.backoff.base", "a.retry.hint.base", "policy"};

	for (size_t i = 0; i < 6; i++) {
		char *called = st_axis_name(axis, 6, i, false);

		ck_assert_str_eq(called, name[i]);
		free(called);
	}
	char *owned = st_axis_name(axis, 6, 0, true);
	ck_assert_str_eq(owned, "fleet.jitter");
	free(owned);
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

static void add_services(struct st_result *r, size_t n)
{
	r->subject = st_grow(r->subject, &(size_t){r->nsubjects}, r->nsubjects + n, sizeof *r->subject);
	for (size_t i = 0; i < n; i++)
		r->subject[r->nsubjects++] = (struct st_result_subject){
		    .name = st_format("service-of-a-name-%zu", i), .scope = ST_SCOPE_SERVICE, .figure = no_figures()};
}

START_TEST(of_several_services_it_says_which)
{
	struct st_result r = hand_made_run();

	add_services(&r, 1);
	free(r.subject[2].name);
	r.subject[2].name = st_strdup("api");
	add_services(&r, 1);
	ck_assert_ptr_nonnull(strstr(sentence(&r), "; api back to normal 41 s after the fault; peak of api after it 812/s = 4.06 x capacity;"));
	set_figure(r.figure, "recovery_time_s", INFINITY);
	ck_assert_ptr_nonnull(strstr(sentence(&r), "; api NEVER back to normal after the fault;"));
	r.nfaults = 0;
	set_figure(r.figure, "offered_peak_per_s", 1100);
	ck_assert_ptr_nonnull(strstr(sentence(&r), "; no fault; peak of api 1100/s;"));
	hand_made_run_release(&r);
}
END_TEST

START_TEST(services_stand_below_each_other_by_their_peaks)
{
	static const char *const figures[] = {"offered_per_operation", "amplification", "latency_s.p99", "offered_peak_x_capacity",
	    "after_fault_peak_x_capacity", "success_share", "reject_share", "utilisation"};
	struct st_result r = hand_made_run();
	struct st_text t = ST_TEXT_INIT;

	add_services(&r, 3);
	for (size_t i = 2; i < r.nsubjects; i++)
		for (size_t k = 0; k < sizeof figures / sizeof *figures; k++)
			set_figure(r.subject[i].figure, figures[k], k < 5 ? 1.23e-5 : 1);
	set_figure(r.subject[4].figure, "offered_peak_x_capacity", 27);
	set_figure(r.subject[4].figure, "after_fault_peak_x_capacity", NAN);
	st_table_run(&r, &t);
	check_fits(&t);
	ck_assert_ptr_nonnull(strstr(t.s, "arrivals/op  attempts/op   served     p99 s    peak x     after  rejected     busy\n"));
	ck_assert_ptr_nonnull(strstr(t.s, "\nservice-of-a "));
	ck_assert_ptr_nonnull(strstr(t.s, "  100.0 %  1.23e-05        27         -   100.0 %  100.0 %\n"));
	st_text_release(&t);
	set_figure(r.figure, "after_fault_peak_x_capacity", NAN);
	for (size_t i = 2; i < r.nsubjects; i++)
		set_figure(r.subject[i].figure, "after_fault_peak_x_capacity", NAN);
	st_table_run(&r, &t);
	ck_assert_ptr_null(strstr(t.s, " after  rejected"));
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
	ck_assert_ptr_nonnull(
	    strstr(t.s, "recovery at point 1: never in 1 of 3 runs, 33.3 % (6.15 to 79.2 %), p50 41 s, p90 never\n"));
	ck_assert_ptr_nonnull(strstr(t.s, "26.0 +-2.5"));
	ck_assert_ptr_nonnull(strstr(t.s, "  (2) {kind: token-bucket, rate: 10/s, burst: 100}\n"));
	ck_assert_ptr_nonnull(strstr(t.s, "\n0      none    (1) "));
	ck_assert_ptr_null(strstr(t.s, "background"));
	st_text_release(&t);
	r.subject[0].is_swept = false;
	st_table_sweep(&r, &t);
	check_fits(&t);
	ck_assert_ptr_null(strstr(t.s, "fleet  "));
	ck_assert_ptr_nonnull(strstr(t.s, "51.0 +-2.5"));
	st_text_release(&t);
	r.subject[0].is_swept = r.subject[1].is_swept = true;
	for (size_t i = 0; i < 6; i++)
		r.point[0].subject_value[i / 3][st_figure_find("last_success_s")][i % 3] = 43;
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

static void set_all(struct st_sweep_result *r, size_t point, const char *figure, double x)
{
	for (size_t i = 0; i < 3; i++)
		r->point[point].value[st_figure_find(figure)][i] = x;
}

static void check_says(const struct st_sweep_result *r, const char *what, bool wanted)
{
	struct st_text t = ST_TEXT_INIT;

	st_table_sweep(r, &t);
	check_fits(&t);
	ck_assert_msg((strstr(t.s, what) != NULL) == wanted, "%s '%s' in\n%s", wanted ? "no" : "a", what, t.s);
	st_text_release(&t);
}

/* Each question has its own leader: no point is called the best. */
START_TEST(policies_are_compared_by_three_questions)
{
	struct st_sweep_result r = hand_made_sweep();

	set_all(&r, 2, "after_fault_peak_x_capacity", 1);
	set_all(&r, 0, "recovery_time_s", 7.5);
	check_says(&r, "\nLowest peak: 1.00 x capacity, point 2 (jitter full, budget off); no other is as good\n", true);
	check_says(&r, "\nMost of fleet served: 26.0 +-2.5 %, point 0 (jitter none, budget off); within its interval: 1, 2\n", true);
	/* Point 1 has a run that never recovers, point 3 has not run. */
	check_says(&r, "\nFastest recovery: 7.50 s, point 0 (jitter none, budget off); no other is as good\n", true);
	set_all(&r, 2, "recovery_time_s", 7.5);
	check_says(&r, "\nFastest recovery: 7.50 s, point 0 (jitter none, budget off); the same: 2\n", true);
	check_says(&r, "Best", false);
	for (size_t p = 0; p < r.npoints; p++) {
		r.point[p].nfaults = 0;
		set_all(&r, p, "recovery_time_s", (double)NAN);
	}
	check_says(&r, "fault", false);
	check_says(&r, "ecover", false);
	hand_made_sweep_release(&r);
}
END_TEST

/* Half as many clients peak lower: that is no advice. */
START_TEST(what_is_no_policy_is_not_recommended)
{
	struct st_sweep_result r = hand_made_sweep();

	free(r.axis[0]);
	r.axis[0] = st_strdup("fleet.count");
	check_says(&r, "Lowest peak", false);
	for (size_t p = 0; p < r.npoints; p++) {
		free(r.point[p].label[0]);
		r.point[p].label[0] = st_strdup("1k");
	}
	check_says(&r, "Lowest peak", true); /* they differ in the budget alone */
	free(r.axis[0]);
	r.axis[0] = st_strdup("backoff.jitter");
	check_says(&r, "Lowest peak", true);
	hand_made_sweep_release(&r);
}
END_TEST

/* Clients that go on to the end of 45.5 s have their last success there, whatever the policy. */
START_TEST(the_last_success_is_shown_of_clients_that_come_to_an_end)
{
	struct st_sweep_result r = hand_made_sweep();

	check_says(&r, "last ok", false);
	check_says(&r, "\nrecovery: from", true);
	for (size_t i = 0; i < 3; i++)
		r.point[1].subject_value[0][st_figure_find("last_success_s")][i] = 43;
	check_says(&r, "last ok s", true);
	check_says(&r, "\nlast ok, recovery: from", true);
	hand_made_sweep_release(&r);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("table");
	TCase *tc = tcase_create("terminal");

	tcase_add_test(tc, the_sentence_says_what_happened);
	tcase_add_test(tc, axes_are_called_in_as_few_words_as_tell_them_apart);
	tcase_add_test(tc, groups_stand_side_by_side);
	tcase_add_test(tc, of_several_services_it_says_which);
	tcase_add_test(tc, services_stand_below_each_other_by_their_peaks);
	tcase_add_test(tc, a_sweep_tells_of_the_groups_that_axes_name);
	tcase_add_loop_test(tc, half_widths_have_two_digits_and_are_no_noise, 0, sizeof cells / sizeof *cells);
	tcase_add_test(tc, policies_are_compared_by_three_questions);
	tcase_add_test(tc, what_is_no_policy_is_not_recommended);
	tcase_add_test(tc, the_last_success_is_shown_of_clients_that_come_to_an_end);
	suite_add_tcase(s, tc);
	return tap_main(s);
}
