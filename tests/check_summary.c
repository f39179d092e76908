#include <config.h>

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/param.h"
#include "measure/summary.h"
#include "tap_main.h"

enum { FLEET, USERS, BINS = 20 };

/* Twenty bins of a second, the window [4 s, 18 s), a fault that ends at 9.5 s: bins 10 to 19 are after it. */
static const int first_attempts[2][BINS] = {
    {5, 0, 90, 0, 3, 0, 1, 31, 0, 7, 13, 2, 0, 5, 1, 0, 8, 0, 2, 41},
    {2, 3, 1, 4, 0, 2, 5, 6, 1, 3, 2, 4, 9, 1, 0, 3, 2, 5, 1, 6},
};
static struct st_meter m;
static struct st_view all, group[2];

static void arrive(void)
{
	for (int bin = 0; bin < BINS; bin++) {
		st_meter_clock(&m, bin * ST_SEC + 385 * ST_MSEC);
		for (int g = 0; g < 2; g++)
			m.counts[g].first += (uint64_t)first_attempts[g][bin];
	}
}

static void view_from(st_time fault_end)
{
	all = (struct st_view){&m, ST_ALL_GROUPS, 12.5, fault_end, ST_UNLIMITED, &m};
	group[FLEET] = group[USERS] = all;
	group[FLEET].group = FLEET;
	group[USERS].group = USERS;
}

static void begin(void)
{
	st_meter_init(&m, &(struct st_meter_cfg){.duration = BINS * ST_SEC,
			      .bin = ST_SEC,
			      .from = 4 * ST_SEC,
			      .to = 18 * ST_SEC,
			      .ngroups = 2});
	view_from(9500 * ST_MSEC);
}

static void end(void)
{
	st_meter_release(&m);
}

static double figure(const struct st_view *v, const char *name)
{
	int i = st_figure_find(name);

	ck_assert_msg(i >= 0, "no figure %s", name);
	return st_figure_at((size_t)i)->value(v);
}

static void holds(const struct st_view *v, const char *name, double want)
{
	double got = figure(v, name);

	ck_assert_msg(isnan(want) ? isnan(got) : got == want || fabs(got - want) <= 1e-12 * fabs(want),
	    "%s: %.17g, want %.17g", name, got, want);
}

static void is_absent(const struct st_view *v, const char *name)
{
	holds(v, name, (double)NAN);
}

/* The contract, in its order. */
static const char *const names[] = {"operations", "successes", "failures", "failures_by_reason.not_retryable",
    "failures_by_reason.attempts", "failures_by_reason.deadline", "failures_by_reason.budget",
    "failures_by_reason.breaker", "failures_by_reason.hint", "open_at_end", "attempts", "retries",
    "amplification", "capacity_per_s", "offered_peak_per_s", "offered_peak_x_capacity",
    "after_fault_peak_per_s", "after_fault_peak_x_capacity", "herd_index_after_fault", "goodput_per_s",
    "recovery_time_s", "overload_time_s", "wasted_share", "reject_share", "utilisation", "wait_share",
    "wait_s.mean", "wait_s.p50", "wait_s.p90", "wait_s.p99", "wait_s.p999", "wait_s.max", "latency_s.mean",
    "latency_s.p50", "latency_s.p90", "latency_s.p99", "latency_s.p999", "latency_s.max", "queue_mean",
    "queue_max", "last_success_s", "last_success_after_fault_s", "denied", "success_share", "recovered", "lost", "crashes",
    "offered_per_operation", "dropped", "abandoned"};

START_TEST(the_table_is_the_contract)
{
	const size_t n = sizeof names / sizeof *names;

	ck_assert_uint_eq(st_figure_count(), n);
	for (size_t i = 0; i < n; i++)
		ck_assert_str_eq(st_figure_at(i)->name, names[i]);
	ck_assert_ptr_null(st_figure_at(n));
}
END_TEST

START_TEST(every_figure_is_documented_and_found)
{
	char column[64];

	for (size_t i = 0; i < st_figure_count(); i++) {
		const struct st_figure *f = st_figure_at(i);

		ck_assert(f->help[0] && f->help[strlen(f->help) - 1] != '.' && !strchr(f->help, '\n'));
		ck_assert(
		    strcmp(f->unit, "1") == 0 || strcmp(f->unit, "1/s") == 0 || strcmp(f->unit, "s") == 0);
		ck_assert(f->scope & ST_SCOPE_RUN);
		ck_assert_int_eq(st_figure_find(f->name), (int)i);
		st_figure_column(f, column);
		ck_assert_int_eq(st_figure_find(column), (int)i);
		for (const char *s = column; *s; s++)
			ck_assert(islower((unsigned char)*s) || isdigit((unsigned char)*s) || *s == '_');
	}
}
END_TEST

static const struct {
	const char *spelling, *name;
} spellings[] = {{"recovery_time", "recovery_time_s"}, {"goodput", "goodput_per_s"},
    {"latency.p99", "latency_s.p99"}, {"latency_p99", "latency_s.p99"}, {"wait_s_mean", "wait_s.mean"},
    {"offered_peak", "offered_peak_per_s"}, {"last_success", "last_success_s"},
    {"capacity", "capacity_per_s"}};

START_TEST(units_may_be_left_out)
{
	int i = st_figure_find(spellings[_i].spelling);

	ck_assert_msg(i >= 0, "%s", spellings[_i].spelling);
	ck_assert_str_eq(st_figure_at((size_t)i)->name, spellings[_i].name);
}
END_TEST

START_TEST(what_is_no_figure_is_not_found)
{
	static const char *const wrong[] = {"", "latency", "latency_s", "p99", "operation", "wait_s.p98",
	    "wait_hare", "offered_peak_x",
	    "recovery_time_s_and_much_more_than_sixty_four_characters_of_a_name_of_nothing"};

	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
		ck_assert_int_eq(st_figure_find(wrong[i]), -1);
}
END_TEST

START_TEST(plain_counts_are_of_the_whole_run)
{
	m.counts[FLEET] = (struct st_counts){.operations = 104,
	    .successes = 61,
	    .attempts = 287,
	    .retried = 183,
	    .denied = 11,
	    .failures = {[ST_REASON_NOT_RETRYABLE] = 1,
		[ST_REASON_ATTEMPTS] = 2,
		[ST_REASON_DEADLINE] = 4,
		[ST_REASON_HINT] = 8,
		[ST_REASON_BREAKER] = 7,
		[ST_REASON_BUDGET] = 5}};
	m.counts[USERS] = (struct st_counts){.operations = 21,
	    .successes = 13,
	    .attempts = 23,
	    .retried = 2,
	    .failures = {[ST_REASON_HINT] = 3}};
	st_meter_finish(&m);
	holds(&all, "operations", 125);
	holds(&all, "successes", 74);
	holds(&all, "failures", 30);
	holds(&all, "failures_by_reason.not_retryable", 1);
	holds(&all, "failures_by_reason.attempts", 2);
	holds(&all, "failures_by_reason.deadline", 4);
	holds(&all, "failures_by_reason.hint", 11);
	holds(&all, "failures_by_reason.breaker", 7);
	holds(&all, "failures_by_reason.budget", 5);
	holds(&all, "open_at_end", 21);
	holds(&all, "attempts", 310);
	holds(&all, "retries", 185);
	holds(&all, "amplification", 2.48);
	holds(&all, "denied", 11);
	holds(&group[USERS], "failures", 3);
	holds(&group[USERS], "open_at_end", 5);
	holds(&group[USERS], "amplification", 23.0 / 21.0);
	holds(&group[FLEET], "retries", 183);
}
END_TEST

START_TEST(peaks_are_over_bins_of_the_window_and_after_the_fault)
{
	arrive();
	st_meter_finish(&m);
	holds(&all, "capacity_per_s", 12.5);
	holds(&all, "offered_peak_per_s", 37);
	holds(&all, "offered_peak_x_capacity", 2.96);
	holds(&group[FLEET], "offered_peak_per_s", 31);
	holds(&group[USERS], "offered_peak_per_s", 9);
	holds(&all, "after_fault_peak_per_s", 47);
	holds(&all, "after_fault_peak_x_capacity", 3.76);
	holds(&group[USERS], "after_fault_peak_per_s", 9);
	holds(&all, "overload_time_s", 2); /* bins 7 and 10 */
	all.capacity_per_s = (double)NAN;
	is_absent(&all, "overload_time_s");
	is_absent(&all, "offered_peak_x_capacity");
}
END_TEST

/* Bins after the fault: 15 6 9 6 1 3 10 5 3 47: sum 105, squares 2731; users 2 4 9 1 0 3 2 5 1 6: 33, 177. */
START_TEST(herd_index_is_variance_over_mean)
{
	arrive();
	st_meter_finish(&m);
	holds(&all, "herd_index_after_fault", (2731.0 - 1102.5) / 9.0 / 10.5);
	holds(&group[USERS], "herd_index_after_fault", (177.0 - 108.9) / 9.0 / 3.3);
}
END_TEST

START_TEST(figures_of_a_fault_are_absent_without_one)
{
	static const char *const of_a_fault[] = {"after_fault_peak_per_s", "after_fault_peak_x_capacity",
	    "herd_index_after_fault", "recovery_time_s", "recovered", "last_success_after_fault_s"};

	arrive();
	st_meter_success(&m, FLEET, 0, 19 * ST_SEC + 385 * ST_MSEC, 1);
	st_meter_finish(&m);
	view_from(-1);
	for (size_t i = 0; i < 6; i++)
		is_absent(&all, of_a_fault[i]);
	view_from(19500 * ST_MSEC); /* no bin begins after it */
	for (size_t i = 0; i < 3; i++)
		is_absent(&all, of_a_fault[i]);
	is_absent(&all, "last_success_after_fault_s"); /* it came before */
	holds(&all, "recovery_time_s", (double)INFINITY);
	holds(&all, "recovered", 0);
}
END_TEST

START_TEST(shares_and_rates_are_of_the_window)
{
	static const struct st_counts fleet[3] = {
	    {.answered = {5}, .wasted = 9, .rejected = 4, .first = 11, .successes = 5, .failures = {6}},
	    {.answered = {91},
		.wasted = 13,
		.rejected = 17,
		.first = 30,
		.retries = 50,
		.successes = 90,
		.failures = {1, 0, 3},
		.started = 70,
		.queued_first = 20},
	    {.answered = {1000}, .wasted = 1000, .rejected = 1000, .first = 1000, .successes = 1000}};
	static const st_time at[3] = {3999999999, 4000000000, 18000000000};

	for (int i = 0; i < 3; i++) {
		st_meter_clock(&m, at[i]);
		st_counts_add(&m.counts[FLEET], &fleet[i]);
	}
	st_meter_finish(&m);
	holds(&all, "goodput_per_s", 6.5);
	holds(&all, "wasted_share", 0.125);
	holds(&all, "reject_share", 17.0 / 80.0);
	holds(&all, "success_share", 90.0 / 94.0);
	holds(&all, "wait_share", 2.0 / 7.0);
	holds(&group[FLEET], "wasted_share", 0.125);
	holds(&group[USERS], "goodput_per_s", 0);
	is_absent(&group[USERS], "wasted_share");
	is_absent(&group[USERS], "reject_share");
	is_absent(&group[USERS], "success_share");
}
END_TEST

START_TEST(means_of_gauges_are_of_the_window)
{
	struct st_gauge *q = &m.gauge[ST_GAUGE_QUEUE];

	st_gauge_add(&m.gauge[ST_GAUGE_WORKERS], 0, 10);
	st_meter_clock(&m, ST_SEC);
	st_gauge_add(q, ST_SEC, 8);
	st_meter_clock(&m, 5 * ST_SEC);
	st_gauge_add(&m.gauge[ST_GAUGE_BUSY], 5 * ST_SEC, 7); /* 7 of 10 for 13 s */
	st_gauge_add(q, 5 * ST_SEC, -5);                      /* 8 for 1 s, 3 for 13 s */
	st_meter_clock(&m, 18 * ST_SEC);
	st_gauge_add(q, 18 * ST_SEC, 100);
	st_meter_finish(&m);
	holds(&all, "utilisation", 0.65);
	holds(&all, "queue_mean", 47.0 / 14.0);
	holds(&all, "queue_max", 8);
}
END_TEST

START_TEST(waits_and_latencies_are_quantiles_of_histograms)
{
	for (st_time t = 1; t <= 100; t++) {
		st_meter_wait(&m, 5 * ST_SEC, 5 * ST_SEC + t);
		st_meter_success(&m, t % 2 ? FLEET : USERS, 6 * ST_SEC, 6 * ST_SEC + t, 1);
	}
	st_meter_clock(&m, 19 * ST_SEC);
	st_meter_success(&m, USERS, 18 * ST_SEC, 19 * ST_SEC, 1); /* begun too late for the window */
	st_meter_finish(&m);
	static const char *const ask[] = {"wait_s.", "latency_s."};
	for (int i = 0; i < 2; i++) {
		static const struct {
			const char *of;
			double want;
		} row[] = {{"mean", 50.5e-9}, {"p50", 50e-9}, {"p90", 90e-9}, {"p99", 99e-9},
		    {"p999", 100e-9}, {"max", 100e-9}};
		for (size_t k = 0; k < sizeof row / sizeof *row; k++) {
			char name[64];

			snprintf(name, sizeof name, "%s%s", ask[i], row[k].of);
			holds(&all, name, row[k].want);
		}
	}
	holds(&group[FLEET], "latency_s.max", 99e-9);
	holds(&group[FLEET], "latency_s.mean", 50e-9);
	holds(&group[USERS], "latency_s.p50", 50e-9);
	holds(&all, "last_success_s", 19);
	holds(&group[FLEET], "last_success_s", 6.000000099);
	holds(&all, "last_success_after_fault_s", 9.5);
	holds(&group[USERS], "last_success_after_fault_s", 9.5);
	is_absent(&group[FLEET], "last_success_after_fault_s");
}
END_TEST

/* Arrivals in the window against operations of the clients in it, whose meter another service's is not. */
START_TEST(what_tiers_make_of_an_operation)
{
	struct st_meter db;

	st_meter_init(&db, &(struct st_meter_cfg){.duration = BINS * ST_SEC, .bin = ST_SEC, .from = 4 * ST_SEC, .to = 18 * ST_SEC, .ngroups = 1});
	struct st_view v = {.meter = &db, .group = ST_ALL_GROUPS, .clients = &m};
	for (int i = 0; i < BINS; i++) {
		st_meter_clock(&m, i * ST_SEC);
		st_meter_clock(&db, i * ST_SEC);
		m.counts[FLEET].operations += 2;
		m.counts[USERS].operations += 1;
		m.counts[FLEET].first += 2;
		m.counts[FLEET].retries += 4;
		m.counts[USERS].first += 1;
		db.counts[0].operations += i == 9 ? 80 : 5; /* calls */
		db.counts[0].first += i == 9 ? 80 : 5;
		db.counts[0].retries += i == 2 ? 100 : 1;
	}
	st_meter_finish(&m);
	st_meter_finish(&db);
	holds(&v, "offered_per_operation", (13 * 6 + 81) / (14 * 3.0));
	holds(&all, "offered_per_operation", 7.0 / 3);
	holds(&group[FLEET], "offered_per_operation", 3);
	holds(&group[USERS], "offered_per_operation", 1);
	st_meter_release(&db);
}
END_TEST

START_TEST(an_idle_run_has_counts_and_little_else)
{
	static const char *const nothing[] = {"amplification", "wasted_share", "reject_share", "utilisation",
	    "wait_share", "wait_s.mean", "wait_s.p50", "wait_s.max", "latency_s.mean", "latency_s.p999",
	    "last_success_s", "last_success_after_fault_s", "success_share", "herd_index_after_fault", "offered_per_operation"};

	st_meter_finish(&m);
	for (size_t i = 0; i < sizeof nothing / sizeof *nothing; i++)
		is_absent(&all, nothing[i]);
	for (size_t i = 0; i < st_figure_count(); i++)
		if (st_figure_at(i)->scope & ST_SCOPE_COUNT)
			holds(&all, st_figure_at(i)->name, 0);
	holds(&all, "offered_peak_per_s", 0);
	holds(&all, "goodput_per_s", 0);
	holds(&all, "overload_time_s", 0);
	holds(&all, "recovery_time_s", (double)INFINITY);
}
END_TEST

START_TEST(recovery_is_taken_from_the_series)
{
	for (st_time t = 0; t < BINS * ST_SEC; t += 100 * ST_MSEC) {
		st_meter_clock(&m, t);
		if (t < 9500 * ST_MSEC)
			st_meter_failure(&m, FLEET, ST_REASON_ATTEMPTS, 3);
		else
			st_meter_success(&m, FLEET, t, t, 1);
	}
	st_meter_finish(&m);
	holds(&all, "recovery_time_s", 0.5);
	holds(&all, "recovered", 1);
	holds(&group[FLEET], "recovery_time_s", 0.5);
	holds(&group[USERS], "recovery_time_s", (double)INFINITY);
	holds(&group[USERS], "recovered", 0);
}
END_TEST

/* The last bin is a nanosecond and holds an arrival: no peak of 10^9/s. */
START_TEST(a_last_bin_cut_short_is_no_peak)
{
	struct st_meter cut;
	struct st_view v = {&cut, ST_ALL_GROUPS, 2.0, 0, ST_UNLIMITED, &cut};

	st_meter_init(&cut,
	    &(struct st_meter_cfg){
		.duration = 3 * ST_SEC + 1, .bin = ST_SEC, .from = 0, .to = 3 * ST_SEC + 1, .ngroups = 1});
	for (int i = 0; i < 4; i++) {
		st_meter_clock(&cut, i * ST_SEC);
		cut.counts[0].first += (uint64_t)(7 - 2 * i); /* 7 5 3 1 */
	}
	st_meter_finish(&cut);
	holds(&v, "offered_peak_per_s", 7);
	holds(&v, "herd_index_after_fault", 4.0 / 5.0);
	v.fault_end = 3 * ST_SEC;
	holds(&v, "after_fault_peak_per_s", 1);
	holds(&v, "overload_time_s", 3.000000001);
	st_meter_release(&cut);
}
END_TEST

START_TEST(a_run_shorter_than_a_bin_has_a_rate)
{
	struct st_meter brief;
	struct st_view v = {&brief, ST_ALL_GROUPS, 0.0, -1, ST_UNLIMITED, &brief};

	st_meter_init(&brief,
	    &(struct st_meter_cfg){
		.duration = 200 * ST_MSEC, .bin = ST_SEC, .from = 0, .to = 200 * ST_MSEC, .ngroups = 1});
	st_meter_clock(&brief, 11);
	brief.counts[0].first = 13;
	st_meter_finish(&brief);
	holds(&v, "offered_peak_per_s", 65);
	is_absent(&v, "offered_peak_x_capacity");
	st_meter_release(&brief);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("summary");
	TCase *table = tcase_create("table"), *tc = tcase_create("figures");

	tcase_add_test(table, the_table_is_the_contract);
	tcase_add_test(table, every_figure_is_documented_and_found);
	tcase_add_loop_test(table, units_may_be_left_out, 0, sizeof spellings / sizeof *spellings);
	tcase_add_test(table, what_is_no_figure_is_not_found);
	suite_add_tcase(s, table);
	tcase_add_checked_fixture(tc, begin, end);
	tcase_add_test(tc, plain_counts_are_of_the_whole_run);
	tcase_add_test(tc, peaks_are_over_bins_of_the_window_and_after_the_fault);
	tcase_add_test(tc, herd_index_is_variance_over_mean);
	tcase_add_test(tc, figures_of_a_fault_are_absent_without_one);
	tcase_add_test(tc, shares_and_rates_are_of_the_window);
	tcase_add_test(tc, means_of_gauges_are_of_the_window);
	tcase_add_test(tc, waits_and_latencies_are_quantiles_of_histograms);
	tcase_add_test(tc, what_tiers_make_of_an_operation);
	tcase_add_test(tc, an_idle_run_has_counts_and_little_else);
	tcase_add_test(tc, recovery_is_taken_from_the_series);
	tcase_add_test(tc, a_last_bin_cut_short_is_no_peak);
	tcase_add_test(tc, a_run_shorter_than_a_bin_has_a_rate);
	suite_add_tcase(s, tc);
	return tap_main(s);
}
