#include <config.h>

#include "draw.h"
#include "tap_main.h"
#include "twin.h"

enum { SCENARIOS = 400, AT_ONCE = 20 }; /* a process of its own for each would take longer than the runs */

/* What of the two shows a difference first is told by name. (Check's own assertions write a line to a file each.) */
#define SAME(what, got, want) \
	do { \
		if ((got) != (want)) \
			ck_abort_msg("scenario %u: %s: %lld, want %lld", number, what, (long long)(got), (long long)(want)); \
	} while (0)

static void same_group(uint32_t number, const struct st_meter *meter, const struct twin_service *t, size_t g)
{
	const struct st_counts *got = &meter->counts[g], *want = &t->group[g].counts;
	const struct st_meter_group *m = &meter->group[g];

	SAME("operations", got->operations, want->operations);
	SAME("attempts", got->attempts, want->attempts);
	SAME("successes", got->successes, want->successes);
	for (int i = 0; i < ST_REASON_N; i++)
		SAME("failures", got->failures[i], want->failures[i]);
	SAME("timed out", got->timed_out, want->timed_out);
	SAME("wasted", got->wasted, want->wasted);
	SAME("admitted", got->admitted, want->admitted);
	ck_assert_mem_eq(got, want, sizeof *got);
	SAME("last success", m->last_success, t->group[g].last_success);
	SAME("latencies", m->latency.n, t->group[g].latencies);
	SAME("sum of latencies", m->latency.sum, t->group[g].latency_sum);
	ck_assert_mem_eq(m->ended_with, t->group[g].ended_with, sizeof m->ended_with);
}

static void same_series(uint32_t number, const struct st_series *s, const struct twin_service *t)
{
	for (size_t i = 0; i < s->n; i++)
		for (int k = 0; k < ST_CELL_N; k++)
			if (s->row[i][k] != t->row[i][k])
				ck_abort_msg("scenario %u: bin %zu: %s: %lld, want %lld", number, i,
				    st_series_column((enum st_cell)k)->name, (long long)s->row[i][k], (long long)t->row[i][k]);
}

static void same_service(uint32_t number, const struct st_meter *m, const struct twin_service *t)
{
	SAME("groups", m->ngroups, t->ngroups);
	for (size_t g = 0; g < t->ngroups; g++)
		same_group(number, m, t, g);
	SAME("crashes", m->crashes, t->crashes);
	SAME("waits", m->wait.n, t->waits);
	SAME("sum of waits", m->wait.sum, t->wait_sum);
	for (int g = 0; g < ST_GAUGE_N; g++)
		SAME("gauge", m->gauge[g].value, t->gauge[g]);
	SAME("in flight", m->in_flight, t->in_flight);
	SAME("open", m->open, t->open);
	same_series(number, &m->series, t);
}

/* The fingerprint is over every attempt's instant, client and outcome. */
static void same_run_of(uint32_t number, const struct st_config *c)
{
	struct st_run run;
	struct twin t;

	build_run(c, &run);
	twin_run(c, 1, 0, &t);
	SAME("services", run.nmeters, t.nservices);
	for (size_t k = 0; k < t.nservices; k++) {
		SAME("rows", run.meter[k].series.n, t.n);
		same_service(number, &run.meter[k], &t.service[k]);
	}
	SAME("fingerprint", run.fingerprint, t.fingerprint);
	twin_release(&t);
	st_run_release(&run);
}

static void same_run(uint32_t number)
{
	struct st_config c;

	draw_scenario(&c, number);
	same_run_of(number, &c);
	build_release(&c);
}

START_TEST(the_model_does_what_its_slow_twin_does)
{
	for (uint32_t i = 0; i < AT_ONCE; i++)
		same_run((uint32_t)_i * AT_ONCE + i);
}
END_TEST

/*
 * Requests that overtake each other: the service answers an attempt that was given up after the one that the client is at, and with
 * another backlog. What it wrote there must not take the place of what the client is told.
 */
START_TEST(a_late_request_is_told_nothing)
{
	struct st_config c;

	build_init(&c, 10 * ST_SEC);
	struct st_group_cfg *g = build_group(&c, "fleet", 40);
	build_set(st_workload_params, &g->workload, "kind", "think");
	build_set(st_workload_params, &g->workload, "think", "exponential 100ms");
	build_set(st_group_params, g, "network", "exponential 30ms");
	build_set(st_group_params, g, "timeout", "40ms");
	build_set(st_retry_params, &g->retry, "attempts", "unlimited");
	build_set(st_backoff_params, &g->retry.backoff, "base", "10ms");
	build_set(st_backoff_params, &g->retry.backoff, "shape", "constant");
	build_set(st_obedience_params, &g->retry.hint, "obey", "100%");
	build_set(st_hint_params, &c.service->hint, "value", "backlog");
	build_set(st_hint_params, &c.service->hint, "form", "ms");
	c.service->queue.limit = 5;
	build_fault(&c, 0, 10 * ST_SEC, "503")->share = 0.5;
	same_run_of(SCENARIOS, &c);
	build_release(&c);
}
END_TEST

/*
 * A test of random scenarios is worth what they reach: each counter moves in many of them, at the first service and at others. (The
 * model counts here: that it counts as its twin does is known.)
 */
START_TEST(the_scenarios_reach_every_counter)
{
	unsigned reached[2][ST_COUNTS_N] = {{0}}, still_queued = 0, crashed = 0;

	for (uint32_t i = 0; i < SCENARIOS; i++) {
		struct st_config c;
		struct st_run run;

		draw_scenario(&c, i);
		build_run(&c, &run);
		for (size_t k = 0; k < run.nmeters; k++) {
			const struct st_meter *m = &run.meter[k];
			struct st_counts sum = {0};

			for (size_t g = 0; g < m->ngroups; g++)
				st_counts_add(&sum, &m->counts[g]);
			for (size_t n = 0; n < ST_COUNTS_N; n++)
				reached[k > 0][n] += ((const uint64_t *)&sum)[n] > 0;
			still_queued += m->gauge[ST_GAUGE_QUEUE].value > 0;
			crashed += k > 0 && m->crashes > 0;
		}
		st_run_release(&run);
		build_release(&c);
	}
	for (size_t k = 0; k < 2; k++)
		for (size_t n = 0; n < ST_COUNTS_N; n++)
			ck_assert_msg(reached[k][n] >= 5, "counter %zu of service %zu is reached in %u scenarios", n, k, reached[k][n]);
	ck_assert_uint_ge(still_queued, 10);
	ck_assert_uint_ge(crashed, 10);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("twin");
	TCase *tc = tcase_create("twin");

	tcase_set_timeout(tc, 300);
	tcase_add_loop_test(tc, the_model_does_what_its_slow_twin_does, 0, SCENARIOS / AT_ONCE);
	tcase_add_test(tc, a_late_request_is_told_nothing);
	tcase_add_test(tc, the_scenarios_reach_every_counter);
	suite_add_tcase(s, tc);
	return tap_main(s);
}
