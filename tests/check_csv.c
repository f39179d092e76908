#include <config.h>

#include "hand_made.h"
#include "output/csv.h"
#include "tap_main.h"

/* Field f of line l, quotes as they are; "?" if there is none. */
static const char *field(const char *csv, size_t l, size_t f)
{
	static char buf[256];
	bool quoted = false;
	size_t n = 0;

	for (; l > 0 && (csv = strchr(csv, '\n')); l--)
		csv++;
	if (!csv || !*csv)
		return "?";
	for (; *csv && (quoted || *csv != '\n'); csv++) {
		if (*csv == '"')
			quoted = !quoted;
		if (*csv == ',' && !quoted) {
			if (f-- == 0)
				break;
			continue;
		}
		if (f == 0 && n + 1 < sizeof buf)
			buf[n++] = *csv;
	}
	buf[n] = '\0';
	return f == 0 || n > 0 || *csv == ',' ? buf : "?";
}

static size_t column(const char *csv, const char *name)
{
	size_t f = 0;

	while (strcmp(field(csv, 0, f), name) != 0)
		ck_assert_msg(f++ < 400, "no column %s", name);
	return f;
}

static const char *cell(const char *csv, size_t line, const char *name)
{
	return field(csv, line, column(csv, name));
}

static size_t lines(const char *s)
{
	size_t n = 0;

	while ((s = strchr(s, '\n'))) {
		s++;
		n++;
	}
	return n;
}

START_TEST(series_has_the_contracts_columns_and_a_row_a_bin)
{
	static const char head[] =
	    "time_s,first,retries,offered,admitted,ok,wasted,rejected,limited,refused,timed_out,swallowed,"
	    "errors,failed,denied,"
	    "queue_mean,queue_max,busy_mean,workers,waiting,breakers_open,latency_p50_s,latency_p99_s,dropped,abandoned\n";
	struct st_result r = hand_made_run();
	struct st_text t = ST_TEXT_INIT;

	st_csv_series(&r.series, &t);
	ck_assert_int_eq(strncmp(t.s, head, sizeof head - 1), 0);
	ck_assert_uint_eq(lines(t.s), 1 + 46);
	ck_assert_str_eq(cell(t.s, 1, "time_s"), "0");
	ck_assert_str_eq(cell(t.s, 46, "time_s"), "45");
	ck_assert_str_eq(cell(t.s, 46, "offered"), "145");
	ck_assert_str_eq(cell(t.s, 1, "queue_mean"), "1.5");
	ck_assert_str_eq(cell(t.s, 46, "queue_mean"), "1.5");
	ck_assert_str_eq(cell(t.s, 1, "latency_p50_s"), "");
	ck_assert_str_eq(cell(t.s, 2, "latency_p50_s"), "0.025");
	st_text_release(&t);
	hand_made_run_release(&r);
}
END_TEST

START_TEST(summary_has_means_with_intervals_and_no_mean_over_never)
{
	struct st_sweep_result r = hand_made_sweep();
	struct st_text t = ST_TEXT_INIT;

	st_csv_summary(&r, &t);
	ck_assert_int_eq(
	    strncmp(
		t.s, "point,fleet.retry.backoff.jitter,fleet.retry.budget,n,operations,operations_lo,", 77),
	    0);
	ck_assert_uint_eq(lines(t.s), 1 + 4);
	ck_assert_str_eq(
	    cell(t.s, 2, "fleet.retry.budget"), "\"{kind: token-bucket, rate: 10/s, burst: 100}\"");
	ck_assert_str_eq(cell(t.s, 1, "n"), "3");
	ck_assert_double_eq_tol(atof(cell(t.s, 1, "success_share")), 0.51, 1e-12);
	/* sd 0.01, t(0.975, 2) = 4.302653: half-width 0.0248414 */
	ck_assert_double_eq_tol(atof(cell(t.s, 1, "success_share_lo")), 0.51 - 0.0248414, 1e-6);
	ck_assert_double_eq_tol(atof(cell(t.s, 1, "success_share_hi")), 0.51 + 0.0248414, 1e-6);
	ck_assert_str_eq(cell(t.s, 1, "recovery_time_s"), "41");
	ck_assert_str_eq(cell(t.s, 2, "recovery_time_s"), "");
	ck_assert_str_eq(cell(t.s, 2, "recovery_time_s_hi"), "");
	ck_assert_double_eq_tol(atof(cell(t.s, 2, "recovered")), 2.0 / 3, 1e-12);
	/* 1 of 3: Wilson's interval is 6.15 to 79.2 %. */
	ck_assert_str_eq(cell(t.s, 2, "recovery_time_s_p50"), "41");
	ck_assert_str_eq(cell(t.s, 2, "recovery_time_s_p90"), "");
	ck_assert_str_eq(cell(t.s, 2, "recovery_time_s_never"), "1");
	ck_assert_double_eq_tol(atof(cell(t.s, 2, "recovery_time_s_never_share_lo")), 0.0615, 1e-4);
	ck_assert_double_eq_tol(atof(cell(t.s, 2, "recovery_time_s_never_share_hi")), 0.7923, 1e-4);
	ck_assert_str_eq(cell(t.s, 1, "recovery_time_s_p90"), "41");
	ck_assert_str_eq(cell(t.s, 1, "recovery_time_s_never"), "0");
	ck_assert_str_eq(cell(t.s, 1, "recovery_time_s_never_share_lo"), "0");
	ck_assert_str_eq(cell(t.s, 4, "recovery_time_s_never"), "");
	ck_assert_str_eq(cell(t.s, 1, "fleet.recovery_time_s_never"), ""); /* absent */
	ck_assert_str_eq(cell(t.s, 1, "wait_s_p99"), "1.5");
	ck_assert_str_eq(cell(t.s, 1, "wait_s_p50"), "");
	ck_assert_str_eq(cell(t.s, 4, "n"), "0");
	ck_assert_str_eq(cell(t.s, 4, "success_share"), "");
	/* The groups' follow those of the whole, and are of their scope only. */
	ck_assert_uint_eq(column(t.s, "fleet.operations"), column(t.s, "abandoned_hi") + 1);
	ck_assert_ptr_null(strstr(t.s, ",fleet.utilisation"));
	ck_assert_double_eq_tol(atof(cell(t.s, 1, "fleet.success_share")), 0.26, 1e-12);
	ck_assert_double_eq_tol(atof(cell(t.s, 1, "fleet.success_share_lo")), 0.26 - 0.0248414, 1e-6);
	ck_assert_str_eq(cell(t.s, 1, "background.operations"), "4500");
	ck_assert_str_eq(cell(t.s, 1, "background.success_share_hi"), "1");
	ck_assert_str_eq(cell(t.s, 4, "fleet.operations"), "");
	st_text_release(&t);
	hand_made_sweep_release(&r);
}
END_TEST

START_TEST(no_interval_of_a_share_goes_beyond_it)
{
	struct st_sweep_result r = hand_made_sweep();
	struct st_text t = ST_TEXT_INIT;

	for (size_t i = 0; i < 3; i++) {
		r.point[0].value[st_figure_find("success_share")][i] = i < 2 ? 1 : 0.9;
		r.point[1].value[st_figure_find("success_share")][i] = i < 2 ? 0 : 0.1;
		r.point[0].value[st_figure_find("amplification")][i] = i < 2 ? 0 : 0.1;
	}
	st_csv_summary(&r, &t);
	ck_assert_str_eq(cell(t.s, 1, "success_share_hi"), "1");
	ck_assert_double_eq_tol(atof(cell(t.s, 1, "success_share_lo")), 29 / 30.0 - 0.1434218, 1e-6);
	ck_assert_str_eq(cell(t.s, 2, "success_share_lo"), "0");
	ck_assert_double_eq_tol(atof(cell(t.s, 1, "amplification_lo")), 1 / 30.0 - 0.1434218, 1e-6);
	st_text_release(&t);
	hand_made_sweep_release(&r);
}
END_TEST

START_TEST(compare_pairs_with_the_first_point)
{
	struct st_sweep_result r = hand_made_sweep();
	struct st_text t = ST_TEXT_INIT;

	st_csv_compare(&r, &t);
	ck_assert_uint_eq(lines(t.s), 1 + 3);
	ck_assert_str_eq(cell(t.s, 1, "point"), "1");
	/* Differences are all 0.2: paired, the interval is nothing, though the values vary. */
	ck_assert_double_eq_tol(atof(cell(t.s, 2, "success_share")), 0.2, 1e-12);
	ck_assert_double_eq_tol(atof(cell(t.s, 2, "success_share_lo")), 0.2, 1e-12);
	ck_assert_str_eq(cell(t.s, 2, "operations_independent"), "3"); /* nothing varies */
	ck_assert_str_eq(cell(t.s, 1, "recovery_time_s"), "");
	ck_assert_str_eq(cell(t.s, 1, "recovery_time_s_independent"), "");
	ck_assert_ptr_null(strstr(t.s, "_never"));
	ck_assert_str_eq(cell(t.s, 3, "success_share"), "");
	ck_assert_str_eq(cell(t.s, 1, "background.operations"), "0");
	ck_assert_str_eq(cell(t.s, 3, "background.operations"), "");
	st_text_release(&t);
	hand_made_sweep_release(&r);
}
END_TEST

START_TEST(mean_series_has_bands_of_what_is_summed)
{
	struct st_sweep_result r = hand_made_sweep();
	struct st_text t = ST_TEXT_INIT;

	st_csv_mean_series(&r.point[0].series, &t);
	ck_assert_int_eq(strncmp(t.s, "time_s,first,first_lo,first_hi,retries,", 39), 0);
	ck_assert_ptr_null(strstr(t.s, "latency"));
	ck_assert_uint_eq(lines(t.s), 1 + 46);
	ck_assert_str_eq(cell(t.s, 3, "offered"), "102");
	ck_assert_str_eq(cell(t.s, 3, "offered_hi"), "102");
	st_text_release(&t);
	hand_made_sweep_release(&r);
}
END_TEST

START_TEST(labels_are_quoted_where_they_must_be)
{
	static const struct {
		const char *label, *field;
	} row[] = {{"off", "off"}, {"a,b", "\"a,b\""}, {"say \"x\"", "\"say \"\"x\"\"\""},
	    {"two\nlines", "\"two\nlines\""}, {"", ""}, {" lean", "\" lean\""}};
	struct st_sweep_result r = hand_made_sweep();

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct st_text t = ST_TEXT_INIT;

		free(r.point[0].label[0]);
		r.point[0].label[0] = st_strdup(row[i].label);
		st_csv_summary(&r, &t);
		ck_assert_str_eq(field(t.s, 1, 1), row[i].field);
		st_text_release(&t);
	}
	hand_made_sweep_release(&r);
}
END_TEST

START_TEST(series_files_sort_by_point)
{
	static const struct {
		size_t point, n;
		const char *name;
	} row[] = {{0, 1, "series/000.csv"}, {999, 1000, "series/999.csv"}, {7, 1001, "series/0007.csv"},
	    {99999, 100000, "series/99999.csv"}};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		char *name = st_csv_series_name(row[i].point, row[i].n);
		ck_assert_str_eq(name, row[i].name);
		free(name);
	}
}
END_TEST

int main(void)
{
	Suite *s = suite_create("csv");
	TCase *tc = tcase_create("files");

	tcase_add_test(tc, series_has_the_contracts_columns_and_a_row_a_bin);
	tcase_add_test(tc, summary_has_means_with_intervals_and_no_mean_over_never);
	tcase_add_test(tc, no_interval_of_a_share_goes_beyond_it);
	tcase_add_test(tc, compare_pairs_with_the_first_point);
	tcase_add_test(tc, mean_series_has_bands_of_what_is_summed);
	tcase_add_test(tc, labels_are_quoted_where_they_must_be);
	tcase_add_test(tc, series_files_sort_by_point);
	suite_add_tcase(s, tc);
	return tap_main(s);
}
