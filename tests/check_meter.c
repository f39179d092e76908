#include <config.h>

#include <math.h>

#include "base/rng.h"
#include "measure/meter.h"
#include "tap_main.h"

enum { FLEET, USERS };

static struct st_meter m;

static void begin(st_time duration, st_time bin, st_time from, st_time to)
{
	st_meter_init(&m,
	    &(struct st_meter_cfg){.duration = duration, .bin = bin, .from = from, .to = to, .ngroups = 2});
}

static void end(void)
{
	st_meter_release(&m);
}

static void queue(st_time now, int64_t change)
{
	st_meter_clock(&m, now);
	st_gauge_add(&m.gauge[ST_GAUGE_QUEUE], now, change);
}

static void arrive(st_time now, size_t g, bool is_retry)
{
	st_meter_clock(&m, now);
	if (is_retry)
		m.counts[g].retries++;
	else
		m.counts[g].first++;
}

static int64_t cell(size_t bin, enum st_cell c)
{
	return m.series.row[bin][c];
}

START_TEST(rows_are_the_duration_over_the_bin_rounded_up)
{
	begin(1000, 300, 0, 1000);
	st_meter_finish(&m);
	ck_assert_uint_eq(m.series.n, 4);
	ck_assert_int_eq(st_series_length(&m.series, 2), 300);
	ck_assert_int_eq(st_series_length(&m.series, 3), 100);
	ck_assert_uint_eq(st_series_rows(250, 1000), 4);
	ck_assert_uint_eq(st_series_rows(1001, 1000), 1);
}
END_TEST

START_TEST(counts_are_differences_summed_over_groups)
{
	begin(1000, 300, 0, 1000);
	arrive(10, FLEET, false);
	arrive(11, USERS, false);
	arrive(299, FLEET, true);
	arrive(300, USERS, true); /* at the edge: the later bin's */
	m.counts[USERS].timed_out += 4;
	arrive(920, USERS, false);
	m.counts[FLEET].denied += 5;
	m.counts[USERS].denied += 2;
	st_meter_failure(&m, USERS, ST_REASON_HINT, 3);
	st_meter_failure(&m, FLEET, ST_REASON_BREAKER, 0);
	st_meter_finish(&m);
	static const int64_t offered[] = {3, 1, 0, 1}, retries[] = {1, 1, 0, 0};
	for (size_t i = 0; i < 4; i++) {
		ck_assert_int_eq(cell(i, ST_CELL_OFFERED), offered[i]);
		ck_assert_int_eq(cell(i, ST_CELL_RETRIES), retries[i]);
		ck_assert_int_eq(cell(i, ST_CELL_FIRST), offered[i] - retries[i]);
	}
	ck_assert_int_eq(cell(1, ST_CELL_TIMED_OUT), 4);
	ck_assert_int_eq(cell(3, ST_CELL_DENIED), 7);
	ck_assert_int_eq(cell(3, ST_CELL_FAILED), 2);
	ck_assert_uint_eq(m.series.group[FLEET][0].offered, 2);
	ck_assert_uint_eq(m.series.group[USERS][0].offered, 1);
	ck_assert_uint_eq(m.series.group[USERS][3].failed, 1);
	ck_assert_uint_eq(m.group[USERS].ended_with[3], 1);
	ck_assert_uint_eq(m.group[FLEET].ended_with[0], 1);
}
END_TEST

/* Each counter shows in its own column and nowhere else. */
START_TEST(every_counter_has_its_column)
{
	begin(100, 100, 0, 100);
	m.counts[FLEET] = (struct st_counts){.first = 1,
	    .retries = 2,
	    .admitted = 4,
	    .wasted = 16,
	    .rejected = 32,
	    .limited = 64,
	    .refused = 128,
	    .timed_out = 256,
	    .swallowed = 512,
	    .errors = 1024,
	    .denied = 4096,
	    .answered = {[ST_ANSWER_OK] = 8},
	    .failures = {[ST_REASON_ATTEMPTS] = 2000, [ST_REASON_BUDGET] = 48},
	    .operations = 1 << 20,
	    .late = 1 << 21,
	    .started = 1 << 22,
	    .queued_first = 1 << 23};
	st_meter_finish(&m);
	static const int64_t want[] = {1, 2, 3, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096};
	for (size_t c = 0; c < sizeof want / sizeof *want; c++)
		ck_assert_msg(cell(0, (enum st_cell)c) == want[c], "%s: %lld",
		    st_series_column((enum st_cell)c)->name, (long long)cell(0, (enum st_cell)c));
}
END_TEST

START_TEST(means_divide_by_the_bin_and_carry_over_silence)
{
	begin(1000, 300, 0, 1000);
	queue(240, 7);  /* 7 x 60 / 300 */
	queue(950, -5); /* (7 x 50 + 2 x 50) / 100 */
	st_meter_finish(&m);
	static const double want[] = {1.4, 7.0, 7.0, 4.5};
	for (size_t i = 0; i < 4; i++)
		ck_assert_double_eq_tol(st_series_value(&m.series, i, ST_CELL_QUEUE_MEAN), want[i], 1e-12);
	ck_assert_int_eq(cell(1, ST_CELL_QUEUE_MAX), 7);
}
END_TEST

START_TEST(every_gauge_of_a_column_is_averaged)
{
	static const struct {
		enum st_gauge_name gauge;
		enum st_cell cell;
	} pair[] = {{ST_GAUGE_QUEUE, ST_CELL_QUEUE_MEAN}, {ST_GAUGE_BUSY, ST_CELL_BUSY_MEAN},
	    {ST_GAUGE_WORKERS, ST_CELL_WORKERS}, {ST_GAUGE_WAITING, ST_CELL_WAITING},
	    {ST_GAUGE_BREAKERS_OPEN, ST_CELL_BREAKERS_OPEN}};

	begin(700, 700, 0, 700);
	st_meter_clock(&m, 200);
	for (int i = 0; i < 5; i++)
		st_gauge_add(&m.gauge[pair[i].gauge], 200, i + 1);
	st_meter_finish(&m);
	for (int i = 0; i < 5; i++) /* (i + 1) x 500 / 700, rounded to a millionth */
		ck_assert_int_eq(cell(0, pair[i].cell), ((i + 1) * 500000000L + 350) / 700);
}
END_TEST

START_TEST(queue_maximum_begins_afresh_at_an_edge)
{
	begin(900, 300, 450, 500);
	queue(100, 9);
	queue(101, -6);
	queue(300, -1); /* the value at the edge, 3, is still the later bin's */
	queue(460, 4);  /* 6 */
	queue(461, -5);
	queue(550, 3); /* 4 */
	st_meter_finish(&m);
	ck_assert_int_eq(cell(0, ST_CELL_QUEUE_MAX), 9);
	ck_assert_int_eq(cell(1, ST_CELL_QUEUE_MAX), 6);
	ck_assert_int_eq(cell(2, ST_CELL_QUEUE_MAX), 4);
	ck_assert_int_eq(m.queue_max, 6);
}
END_TEST

START_TEST(queue_maximum_of_the_window_leaves_the_rest_out)
{
	begin(900, 300, 310, 410);
	queue(305, 8);
	queue(308, -6);
	queue(410, 7);
	st_meter_finish(&m);
	ck_assert_int_eq(m.queue_max, 2);
	ck_assert_int_eq(cell(1, ST_CELL_QUEUE_MAX), 9);
}
END_TEST

START_TEST(latency_of_a_bin_is_of_what_ended_in_it)
{
	begin(1000, 250, 0, 1000);
	for (st_time t = 1; t <= 100; t++) {
		st_meter_clock(&m, 250 + t);
		st_meter_success(&m, FLEET, 250, 250 + t, 1);
	}
	st_meter_clock(&m, 750);
	st_meter_success(&m, USERS, 640, 750, 2);
	st_meter_finish(&m);
	ck_assert_int_eq(cell(0, ST_CELL_LATENCY_P50), -1);
	ck_assert(isnan(st_series_value(&m.series, 0, ST_CELL_LATENCY_P50)));
	ck_assert_int_eq(cell(1, ST_CELL_LATENCY_P50), 50);
	ck_assert_int_eq(cell(1, ST_CELL_LATENCY_P99), 99);
	ck_assert_int_eq(cell(2, ST_CELL_LATENCY_P99), -1);
	ck_assert_double_eq_tol(st_series_value(&m.series, 3, ST_CELL_LATENCY_P99), 110e-9, 1e-18);
	ck_assert_uint_eq(m.series.group[FLEET][1].succeeded, 100);
	ck_assert_int_eq(m.group[FLEET].last_success, 350);
	ck_assert_int_eq(m.group[USERS].last_success, 750);
	ck_assert_uint_eq(m.group[USERS].ended_with[2], 1);
	ck_assert_uint_eq(m.latency.n, 101);
}
END_TEST

START_TEST(the_window_takes_latencies_of_operations_begun_in_it)
{
	begin(1000, 250, 330, 700);
	st_meter_success(&m, FLEET, 329, 340, 1);
	st_meter_success(&m, FLEET, 330, 347, 1);
	st_meter_success(&m, FLEET, 699, 799, 1);
	st_meter_success(&m, USERS, 700, 731, 1);
	st_meter_finish(&m);
	ck_assert_uint_eq(m.counts[FLEET].successes, 3);
	ck_assert_uint_eq(m.group[FLEET].latency.n, 2);
	ck_assert_int_eq((int64_t)m.group[FLEET].latency.sum, 117);
	ck_assert_uint_eq(m.group[USERS].latency.n, 0);
}
END_TEST

START_TEST(the_window_takes_waits_that_end_in_it)
{
	begin(1000, 250, 330, 700);
	st_meter_wait(&m, 300, 329);
	st_meter_wait(&m, 300, 330);
	st_meter_wait(&m, 699, 699);
	st_meter_wait(&m, 699, 700);
	st_meter_finish(&m);
	ck_assert_uint_eq(m.wait.n, 2);
	ck_assert_int_eq((int64_t)m.wait.sum, 30);
}
END_TEST

START_TEST(the_window_is_read_at_its_edges)
{
	begin(1000, 250, 330, 700);
	queue(310, 3);
	arrive(329, FLEET, false);
	arrive(330, FLEET, false);
	arrive(699, USERS, true);
	arrive(700, FLEET, false);
	st_meter_finish(&m);
	ck_assert_uint_eq(m.at_from.group[FLEET].first, 1);
	ck_assert_uint_eq(m.at_to.group[FLEET].first, 2);
	ck_assert_uint_eq(m.at_to.group[USERS].retries, 1);
	ck_assert_int_eq((int64_t)m.at_from.integral[ST_GAUGE_QUEUE], 60);
	ck_assert_int_eq((int64_t)m.at_to.integral[ST_GAUGE_QUEUE], 3 * 390);
}
END_TEST

/* _i: the windows' kinds; edges that fall on bins' edges, on 0, on the end, on each other. */
static const st_time windows[][2] = {
    {0, 1000}, {0, 0}, {250, 250}, {250, 750}, {1000, 1000}, {999, 1000}, {0, 1}};

START_TEST(a_window_on_edges_holds_one_event_a_nanosecond)
{
	begin(1000, 250, windows[_i][0], windows[_i][1]);
	for (st_time t = 0; t < 1000; t++)
		arrive(t, FLEET, false);
	st_meter_finish(&m);
	ck_assert_uint_eq(m.at_to.group[FLEET].first - m.at_from.group[FLEET].first,
	    (uint64_t)(windows[_i][1] - windows[_i][0]));
	for (size_t i = 0; i < 4; i++)
		ck_assert_int_eq(cell(i, ST_CELL_OFFERED), 250);
}
END_TEST

/* A queue of random stays: what is summed request by request is what the gauges of queue and workers integrate. */
START_TEST(littles_law_is_an_identity)
{
	struct st_rng_family f = st_rng_family(611, 0);
	enum { N = 500 };
	const st_time duration = 100003;

	begin(duration, 977, 0, duration);
	st_time gone[N], arrived[N];
	size_t next = 0, left = 0;
	for (uint32_t i = 0; i < N; i++) {
		struct st_rng r = st_rng_open(&f, i, 0, 0, ST_RNG_SERVICE);
		arrived[i] = (st_time)(i * 200 + st_rng_below(&r, 199));
		gone[i] = (st_time)((i + 1) * 200 + 300 + st_rng_below(&r, 199)); /* first in, first out */
	}
	for (st_time now = 0; now < duration; now++) {
		st_meter_clock(&m, now);
		for (; left < next && gone[left] == now; left++) {
			st_gauge_add(&m.gauge[left % 2 ? ST_GAUGE_QUEUE : ST_GAUGE_BUSY], now, -1);
			st_meter_stay(&m, arrived[left], now);
		}
		for (; next < N && arrived[next] == now; next++)
			st_gauge_add(&m.gauge[next % 2 ? ST_GAUGE_QUEUE : ST_GAUGE_BUSY], now, 1);
	}
	ck_assert_uint_gt(next, left);
	for (size_t i = left; i < next; i++)
		st_meter_stay(&m, arrived[i], duration);
	st_meter_finish(&m);
	ck_assert(st_meter_littles_law(&m));
	m.residence++;
	ck_assert(!st_meter_littles_law(&m));
}
END_TEST

START_TEST(operations_of_many_attempts_share_the_last_bucket)
{
	begin(1000, 250, 0, 1000);
	st_meter_failure(&m, FLEET, ST_REASON_ATTEMPTS, ST_METER_ATTEMPTS_MAX - 1);
	st_meter_failure(&m, FLEET, ST_REASON_ATTEMPTS, ST_METER_ATTEMPTS_MAX);
	st_meter_failure(&m, FLEET, ST_REASON_ATTEMPTS, 100000);
	ck_assert_uint_eq(m.group[FLEET].ended_with[ST_METER_ATTEMPTS_MAX - 1], 1);
	ck_assert_uint_eq(m.group[FLEET].ended_with[ST_METER_ATTEMPTS_MAX], 2);
	ck_assert_uint_eq(m.counts[FLEET].failures[ST_REASON_ATTEMPTS], 3);
	st_meter_finish(&m);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("meter");
	TCase *tc = tcase_create("series"), *window = tcase_create("window");

	tcase_add_checked_fixture(tc, NULL, end);
	tcase_add_test(tc, rows_are_the_duration_over_the_bin_rounded_up);
	tcase_add_test(tc, counts_are_differences_summed_over_groups);
	tcase_add_test(tc, every_counter_has_its_column);
	tcase_add_test(tc, means_divide_by_the_bin_and_carry_over_silence);
	tcase_add_test(tc, every_gauge_of_a_column_is_averaged);
	tcase_add_test(tc, queue_maximum_begins_afresh_at_an_edge);
	tcase_add_test(tc, latency_of_a_bin_is_of_what_ended_in_it);
	tcase_add_test(tc, littles_law_is_an_identity);
	tcase_add_test(tc, operations_of_many_attempts_share_the_last_bucket);
	suite_add_tcase(s, tc);
	tcase_add_checked_fixture(window, NULL, end);
	tcase_add_test(window, queue_maximum_of_the_window_leaves_the_rest_out);
	tcase_add_test(window, the_window_takes_latencies_of_operations_begun_in_it);
	tcase_add_test(window, the_window_takes_waits_that_end_in_it);
	tcase_add_test(window, the_window_is_read_at_its_edges);
	tcase_add_loop_test(
	    window, a_window_on_edges_holds_one_event_a_nanosecond, 0, sizeof windows / sizeof *windows);
	suite_add_tcase(s, window);
	return tap_main(s);
}
