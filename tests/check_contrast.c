#include <config.h>

#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "output/table.h"
#include "tap_main.h"

enum { RUNS = 12, POINTS = 4 };

static struct st_sweep_result r;
static struct st_contrast c;
static struct st_text t;

/* One axis, three policies against the first; every figure is 1 in every run. */
static void setup(void)
{
	static const char *const label[POINTS] = {"first", "good", "bad", "luck"};

	r = (struct st_sweep_result){.naxes = 1, .npoints = POINTS, .axis = st_calloc(1, sizeof(char *))};
	r.axis[0] = st_strdup("policy");
	r.point = st_calloc(POINTS, sizeof *r.point);
	for (size_t p = 0; p < POINTS; p++) {
		r.point[p].n = RUNS;
		r.point[p].label = st_calloc(1, sizeof(char *));
		r.point[p].label[0] = st_strdup(label[p]);
		r.point[p].value = st_calloc(st_figure_count(), sizeof(double *));
		for (size_t f = 0; f < st_figure_count(); f++) {
			r.point[p].value[f] = st_calloc(RUNS, sizeof(double));
			for (size_t i = 0; i < RUNS; i++)
				r.point[p].value[f][i] = 1;
		}
	}
}

static void teardown(void)
{
	st_contrast_release(&c);
	st_text_release(&t);
	for (size_t p = 0; p < POINTS; p++) {
		for (size_t f = 0; f < st_figure_count(); f++)
			free(r.point[p].value[f]);
		free(r.point[p].value);
		free(r.point[p].label[0]);
		free(r.point[p].label);
	}
	free(r.point);
	free(r.axis[0]);
	free(r.axis);
}

/* Good is below the first by 2 +- a little in each run, bad above it by 3, luck by something around 0; all share their luck. */
static void spread(const char *figure)
{
	size_t f = st_score_figure(figure);

	for (size_t i = 0; i < RUNS; i++) {
		double luck = (double)(i * i % 7), own = i % 2 ? 0.1 : -0.1;

		r.point[0].value[f][i] = 10 + luck;
		r.point[1].value[f][i] = 8 + luck + own;
		r.point[2].value[f][i] = 13 + luck - own;
		r.point[3].value[f][i] = 10 + luck + own;
	}
}

static enum st_contrast_verdict verdict(size_t point, size_t column)
{
	return c.cell[point * c.n + column].verdict;
}

START_TEST(each_figure_has_its_better_way)
{
	const struct st_score column[] = {st_score_of(ST_ALL_GROUPS, st_score_figure("recovery_time_s")),
	    st_score_of(ST_ALL_GROUPS, st_score_figure("goodput_per_s")), st_score_of(ST_ALL_GROUPS, st_score_figure("operations")),
	    st_score_of(ST_ALL_GROUPS, st_score_figure("wasted_share"))};

	spread("recovery_time_s");
	spread("goodput_per_s");
	spread("operations");
	st_contrast_init(&c, &r, column, 4);
	ck_assert_uint_eq(c.tests, 9);
	ck_assert_int_eq(verdict(1, 0), ST_CONTRAST_BETTER);
	ck_assert_int_eq(verdict(2, 0), ST_CONTRAST_WORSE);
	ck_assert_int_eq(verdict(3, 0), ST_CONTRAST_UNKNOWN);
	ck_assert_int_eq(verdict(1, 1), ST_CONTRAST_WORSE);
	ck_assert_int_eq(verdict(2, 1), ST_CONTRAST_BETTER);
	ck_assert_int_eq(verdict(1, 2), ST_CONTRAST_LESS);
	ck_assert_int_eq(verdict(2, 2), ST_CONTRAST_MORE);
	ck_assert_int_eq(verdict(2, 3), ST_CONTRAST_SAME);
	ck_assert_double_eq_tol(c.cell[1 * 4].difference.mean, -2, 1e-12);
}
END_TEST

/* Runs that recover against runs that do not have no difference, but an order: 12 of 12 is not chance, 9 of 12 (p = 0.15) may be. */
START_TEST(never_is_later_than_every_number)
{
	const struct st_score column[] = {st_score_of(ST_ALL_GROUPS, st_score_figure("recovery_time_s"))};
	size_t f = column[0].figure;

	spread("recovery_time_s");
	for (size_t i = 0; i < RUNS; i++) {
		r.point[2].value[f][i] = INFINITY;
		r.point[3].value[f][i] = i < 9 ? INFINITY : 0;
	}
	st_contrast_init(&c, &r, column, 1);
	ck_assert_int_eq(verdict(1, 0), ST_CONTRAST_BETTER);
	ck_assert_int_eq(verdict(2, 0), ST_CONTRAST_WORSE);
	ck_assert_int_eq(verdict(3, 0), ST_CONTRAST_UNKNOWN);
	ck_assert(isnan(c.cell[2].difference.mean));
	st_table_contrast(&c, &t);
	ck_assert_ptr_nonnull(strstr(t.s, "bad             never !\n"));
	ck_assert_ptr_nonnull(strstr(t.s, "luck    never 9 of 12\n"));
	ck_assert_ptr_nonnull(strstr(t.s, "recovery time: good is better than first by 2.000 +-0.066 s; bad is worse than first in 12 of 12\n"
					  "pairs of runs; no difference is known of luck; bad: never in 12 of 12 runs, 100 % (75.8 to 100 %),\n"
					  "p50 never, p90 never; luck: never in 9 of 12 runs, 75 % (46.8 to 91.1 %), p50 never, p90 never\n"));
}
END_TEST

START_TEST(what_a_run_lacks_is_absent)
{
	const struct st_score column[] = {st_score_of(ST_ALL_GROUPS, st_score_figure("recovery_time_s"))};

	spread("recovery_time_s");
	r.point[1].value[column[0].figure][3] = NAN;
	st_contrast_init(&c, &r, column, 1);
	ck_assert_int_eq(verdict(1, 0), ST_CONTRAST_ABSENT);
	ck_assert_uint_eq(c.tests, 2);
}
END_TEST

/* A difference that is significant alone (p = 0.036) is none among twelve. */
START_TEST(many_looks_are_paid_for)
{
	struct st_score column[4];
	static const char *const name[] = {"attempts", "retries", "failures", "goodput_per_s"};

	for (size_t k = 0; k < 4; k++) {
		column[k] = st_score_of(ST_ALL_GROUPS, st_score_figure(name[k]));
		for (size_t i = 0; i < RUNS; i++)
			for (size_t p = 1; p < POINTS; p++)
				r.point[p].value[column[k].figure][i] = 1 + (i % 3 == 0 ? -1 : 1) * (i % 2 ? 1.1 : 0.9) + 0.37;
	}
	st_contrast_init(&c, &r, column, 4);
	ck_assert_uint_eq(c.tests, 12);
	ck_assert_double_lt(c.cell[4].p, 0.05);
	ck_assert_double_gt(c.cell[4].p, 0.05 / 12);
	ck_assert_int_eq(verdict(1, 0), ST_CONTRAST_UNKNOWN);
	st_contrast_release(&c);
	for (size_t p = 2; p < POINTS; p++)
		for (size_t i = 0; i < RUNS; i++)
			r.point[p].value[column[0].figure][i] = 1;
	st_contrast_init(&c, &r, column, 1);
	ck_assert_uint_eq(c.tests, 1);
	ck_assert_int_eq(verdict(1, 0), ST_CONTRAST_WORSE);
}
END_TEST

/* Figures that do not fit beside each other follow below. */
START_TEST(no_line_is_longer_than_a_terminal)
{
	struct st_score column[20];

	for (size_t k = 0; k < 20; k++) {
		column[k] = st_score_of(ST_ALL_GROUPS, k);
		spread(st_figure_at(k)->name);
	}
	st_contrast_init(&c, &r, column, 20);
	st_table_contrast(&c, &t);
	for (const char *s = t.s; *s; s += strcspn(s, "\n") + 1)
		ck_assert_msg(strcspn(s, "\n") <= 100, "%.*s", (int)strcspn(s, "\n"), s);
	for (size_t k = 0; k < 20; k++)
		ck_assert_msg(strstr(t.s, column[k].head) != NULL, "%s", column[k].head);
}
END_TEST

START_TEST(markdown_is_a_table)
{
	const struct st_score column[] = {st_score_of(ST_ALL_GROUPS, st_score_figure("recovery_time_s"))};

	spread("recovery_time_s");
	free(r.point[1].label[0]);
	r.point[1].label[0] = st_strdup("a|b*");
	st_contrast_init(&c, &r, column, 1);
	st_table_contrast_md(&c, &t);
	ck_assert_ptr_nonnull(strstr(t.s, "| policy | recovery s |\n|---|---:|\n| first | 11.9 ± 0.9 |\n"));
	ck_assert_ptr_nonnull(strstr(t.s, "| a\\|b\\* | **9.92 ± 0.93** better |\n"));
	ck_assert_ptr_nonnull(strstr(t.s, "- recovery time: a\\|b\\* is better than first by 2.000 ± 0.066 s; "));
}
END_TEST

int main(void)
{
	Suite *s = suite_create("contrast");
	TCase *tc = tcase_create("verdicts");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, each_figure_has_its_better_way);
	tcase_add_test(tc, never_is_later_than_every_number);
	tcase_add_test(tc, what_a_run_lacks_is_absent);
	tcase_add_test(tc, many_looks_are_paid_for);
	tcase_add_test(tc, no_line_is_longer_than_a_terminal);
	tcase_add_test(tc, markdown_is_a_table);
	suite_add_tcase(s, tc);
	return tap_main(s);
}
