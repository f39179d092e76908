#include <config.h>

#include <math.h>
#include <string.h>

#include "build.h"
#include "model/caller.h"
#include "tap_main.h"

/* --- what a test looks at ------------------------------------------------------------------------------------------- */

static struct st_counts total(const struct st_run *run)
{
	struct st_counts sum = {0};

	for (size_t g = 0; g < run->meter->ngroups; g++)
		st_counts_add(&sum, &run->meter->counts[g]);
	return sum;
}

/* Run, count, forget. */
static struct st_counts counts_of(const struct st_config *c)
{
	struct st_run run;

	build_run(c, &run);
	struct st_counts n = total(&run);
	st_run_release(&run);
	return n;
}

/* The column must be `n` in the bins at these instants (in bins, ended by -1) and 0 in all others. */
static void only_in(const struct st_run *run, enum st_cell cell, int64_t n, const int *bins)
{
	for (size_t i = 0; i < run->meter->series.n; i++) {
		int64_t want = (int)i == *bins ? n : 0;

		bins += (int)i == *bins;
		ck_assert_msg(run->meter->series.row[i][cell] == want, "%s of bin %zu: %lld, want %lld", st_series_column(cell)->name, i,
		    (long long)run->meter->series.row[i][cell], (long long)want);
	}
	ck_assert_int_eq(*bins, -1);
}
#define ONLY_IN(run, cell, n, ...) only_in(run, cell, n, (const int[]){__VA_ARGS__, -1})

static void retries(struct st_group_cfg *g, const char *attempts, const char *base, const char *jitter)
{
	build_set(st_retry_params, &g->retry, "attempts", attempts);
	build_set(st_backoff_params, &g->retry.backoff, "base", base);
	build_set(st_backoff_params, &g->retry.backoff, "jitter", jitter);
}

static void workload(struct st_group_cfg *g, const char *kind, const char *name, const char *value)
{
	build_set(st_workload_params, &g->workload, "kind", kind);
	build_set(st_workload_params, &g->workload, name, value);
}

static void budget(struct st_group_cfg *g, const char *rate, const char *burst)
{
	build_set(st_budget_params, &g->retry.budget, "kind", "token-bucket");
	build_set(st_budget_params, &g->retry.budget, "rate", rate);
	build_set(st_budget_params, &g->retry.budget, "burst", burst);
}

/* One client, one operation at 0, in milliseconds. */
static struct st_group_cfg *one(struct st_config *c, st_time duration)
{
	build_init(c, duration);
	c->bin = ST_MSEC;
	return build_group(c, "one", 1);
}

/* --- instants --------------------------------------------------------------------------------------------------------- */

START_TEST(a_herd_without_jitter_stays_in_step)
{
	struct st_config c;
	struct st_run run;

	build_init(&c, 4 * ST_SEC);
	struct st_group_cfg *g = build_group(&c, "fleet", 7);
	g->workload.at = ST_SEC;
	retries(g, "4", "100ms", "none");
	build_fault(&c, 0, 4 * ST_SEC, "503");
	build_run(&c, &run);
	ONLY_IN(&run, ST_CELL_FIRST, 7, 10);
	ONLY_IN(&run, ST_CELL_RETRIES, 7, 11, 13, 17);
	ONLY_IN(&run, ST_CELL_ERRORS, 7, 10, 11, 13, 17);
	ONLY_IN(&run, ST_CELL_FAILED, 7, 17);
	st_run_release(&run);
	build_release(&c);
}
END_TEST

START_TEST(in_an_outage_amplification_is_the_attempts_allowed)
{
	struct st_config c;

	build_init(&c, 60 * ST_SEC);
	struct st_group_cfg *g = build_group(&c, "fleet", 100);
	workload(g, "think", "think", "exponential 1s");
	build_set(st_workload_params, &g->workload, "operations", "3");
	retries(g, "5", "100ms", "full");
	build_fault(&c, 0, 60 * ST_SEC, "refuse");
	struct st_counts n = counts_of(&c);
	ck_assert_uint_eq(n.operations, 300);
	ck_assert_uint_eq(n.attempts, 1500);
	ck_assert_uint_eq(n.retried, 1200);
	ck_assert_uint_eq(n.failures[ST_REASON_ATTEMPTS], 300);
	ck_assert_uint_eq(n.refused, 1500);
	build_release(&c);
}
END_TEST

START_TEST(an_answer_at_the_timeout_is_in_time)
{
	struct st_config c;
	struct st_group_cfg *g = one(&c, ST_SEC);

	g->network = st_dist_constant(5 * ST_MSEC);
	g->timeout = st_dist_constant(20 * ST_MSEC);
	struct st_counts n = counts_of(&c);
	ck_assert_uint_eq(n.successes, 1);
	ck_assert_uint_eq(n.timed_out, 0);

	g->timeout = st_dist_constant(20 * ST_MSEC - 1);
	n = counts_of(&c);
	ck_assert_uint_eq(n.successes, 0);
	ck_assert_uint_eq(n.timed_out, 1);
	ck_assert_uint_eq(n.wasted, 1);
	build_release(&c);
}
END_TEST

START_TEST(work_for_a_client_that_has_given_up_is_done_and_wasted)
{
	struct st_config c;
	struct st_run run;
	struct st_group_cfg *g = one(&c, ST_SEC);

	g->timeout = st_dist_constant(4 * ST_MSEC);
	retries(g, "2", "3ms", "none");
	build_run(&c, &run);
	ONLY_IN(&run, ST_CELL_TIMED_OUT, 1, 4, 11);
	ONLY_IN(&run, ST_CELL_RETRIES, 1, 7);
	ONLY_IN(&run, ST_CELL_WASTED, 1, 10, 20); /* the retry waits for the worker from 7 to 10 ms */
	ONLY_IN(&run, ST_CELL_FAILED, 1, 11);
	ck_assert_int_eq((int64_t)run.meter->wait.sum, 3 * ST_MSEC);
	st_run_release(&run);
	build_release(&c);
}
END_TEST

START_TEST(the_deadline_cuts_the_attempt_in_flight)
{
	struct st_config c;
	struct st_run run;
	struct st_group_cfg *g = one(&c, ST_SEC);

	c.service->service_time = st_dist_constant(100 * ST_MSEC);
	g->timeout = st_dist_constant(40 * ST_MSEC);
	g->deadline = 61 * ST_MSEC;
	retries(g, "10", "5ms", "none");
	build_run(&c, &run);
	ONLY_IN(&run, ST_CELL_TIMED_OUT, 1, 40, 61);
	ONLY_IN(&run, ST_CELL_RETRIES, 1, 45);
	ONLY_IN(&run, ST_CELL_FAILED, 1, 61);
	ck_assert_uint_eq(run.meter->counts[0].failures[ST_REASON_DEADLINE], 1);
	st_run_release(&run);
	build_release(&c);
}
END_TEST

START_TEST(a_request_and_its_answer_each_take_the_network_delay)
{
	struct st_config c;
	struct st_run run;
	struct st_group_cfg *g = one(&c, ST_SEC);

	g->network = st_dist_constant(7 * ST_MSEC);
	build_run(&c, &run);
	ONLY_IN(&run, ST_CELL_FIRST, 1, 7);
	ONLY_IN(&run, ST_CELL_OK, 1, 24);
	ck_assert_int_eq((int64_t)run.meter->latency.sum, 24 * ST_MSEC);
	st_run_release(&run);

	build_fault(&c, 0, ST_SEC, "refuse"); /* a refusal travels too */
	build_run(&c, &run);
	ONLY_IN(&run, ST_CELL_REFUSED, 1, 7);
	ONLY_IN(&run, ST_CELL_FAILED, 1, 14);
	st_run_release(&run);
	build_release(&c);
}
END_TEST

START_TEST(a_request_given_up_under_way_arrives_and_is_served)
{
	struct st_config c;
	struct st_run run;
	struct st_group_cfg *g = one(&c, ST_SEC);

	g->network = st_dist_constant(50 * ST_MSEC);
	g->timeout = st_dist_constant(20 * ST_MSEC);
	retries(g, "2", "3ms", "none");
	build_run(&c, &run);
	ONLY_IN(&run, ST_CELL_FAILED, 1, 43);
	ONLY_IN(&run, ST_CELL_FIRST, 1, 50);
	ONLY_IN(&run, ST_CELL_RETRIES, 1, 73);
	ONLY_IN(&run, ST_CELL_WASTED, 1, 110, 133);
	st_run_release(&run);
	build_release(&c);
}
END_TEST

START_TEST(what_would_happen_at_the_end_does_not)
{
	struct st_config c;

	one(&c, 10 * ST_MSEC); /* the answer would come at 10 ms */
	ck_assert_uint_eq(counts_of(&c).successes, 0);
	c.duration++;
	ck_assert_uint_eq(counts_of(&c).successes, 1);
	c.group[0].workload.at = c.duration;
	ck_assert_uint_eq(counts_of(&c).operations, 0);
	build_release(&c);
}
END_TEST

/* Requests that wait as the run ends do so in every bin up to the end. */
START_TEST(the_queue_is_measured_to_the_end)
{
	struct st_config c;
	struct st_run run;

	build_init(&c, ST_SEC);
	build_group(&c, "fleet", 4);
	c.service->service_time = st_dist_constant(10 * ST_SEC);
	build_run(&c, &run);
	for (size_t i = 0; i < run.meter->series.n; i++) {
		ck_assert_int_eq(run.meter->series.row[i][ST_CELL_QUEUE_MEAN], 3000000);
		ck_assert_int_eq(run.meter->series.row[i][ST_CELL_QUEUE_MAX], 3);
	}
	st_run_release(&run);
	build_release(&c);
}
END_TEST

/* --- budgets ---------------------------------------------------------------------------------------------------------- */

START_TEST(a_token_bucket_bounds_the_retries_at_every_instant)
{
	struct st_config c;
	struct st_run run;
	int64_t sent = 0;

	build_init(&c, 10 * ST_SEC);
	struct st_group_cfg *g = build_group(&c, "fleet", 50);
	workload(g, "poisson", "rate", "300/s");
	retries(g, "unlimited", "10ms", "full");
	budget(g, "20/s", "40");
	build_set(st_backoff_params, &g->retry.backoff, "cap", "50ms");
	build_fault(&c, 0, 10 * ST_SEC, "503");
	build_run(&c, &run);
	for (size_t i = 0; i < run.meter->series.n; i++) {
		sent += run.meter->series.row[i][ST_CELL_RETRIES];
		ck_assert_int_le(sent, 40 + 20 * (int64_t)(i + 1) / 10);
	}
	ck_assert_int_ge(sent, 40 + 20 * 10 - 4); /* the demand is there: what is not sent is on its way */
	st_run_release(&run);
	build_release(&c);
}
END_TEST

/* think 100 ms, one retry after 10 ms; the bucket holds one token and gets two a second. Operations begin at 100 ms (takes the
 * token), 210 (denied: opens), 310, 410, 510 (answered locally) and, the token being back at 600, 610 ms. */
START_TEST(an_open_circuit_answers_first_attempts_until_a_token_is_back)
{
	struct st_config c;
	struct st_run run;
	struct st_group_cfg *g = one(&c, 650 * ST_MSEC);

	workload(g, "think", "think", "100ms");
	retries(g, "2", "10ms", "none");
	budget(g, "2/s", "1");
	build_set(st_budget_params, &g->retry.budget, "on_empty", "open");
	build_fault(&c, 0, ST_SEC, "503");
	build_run(&c, &run);
	ONLY_IN(&run, ST_CELL_FIRST, 1, 100, 210, 610);
	ONLY_IN(&run, ST_CELL_RETRIES, 1, 110, 620);
	ONLY_IN(&run, ST_CELL_DENIED, 1, 210);
	ck_assert_uint_eq(run.meter->counts[0].operations, 6);
	ck_assert_uint_eq(run.meter->counts[0].failures[ST_REASON_BUDGET], 4);
	ck_assert_uint_eq(run.meter->counts[0].failures[ST_REASON_ATTEMPTS], 2);
	ck_assert_uint_eq(run.meter->group[0].ended_with[0], 3);
	ck_assert_int_eq(run.meter->series.row[300][ST_CELL_BREAKERS_OPEN], 1000000);
	ck_assert_int_eq(run.meter->series.row[630][ST_CELL_BREAKERS_OPEN], 0);
	st_run_release(&run);
	build_release(&c);
}
END_TEST

/* --- hints ------------------------------------------------------------------------------------------------------------ */

/* 30 % of 2000: a deviation of 20.5; 4.5 of them are 92. */
START_TEST(the_given_share_of_clients_obeys)
{
	struct st_config c;
	struct st_run run;

	build_init(&c, 2 * ST_SEC);
	struct st_group_cfg *g = build_group(&c, "fleet", 2000);
	retries(g, "2", "300ms", "none");
	build_set(st_obedience_params, &g->retry.hint, "obey", "30%");
	build_set(st_hint_params, &c.service->hint, "value", "1s");
	build_fault(&c, 0, ST_SEC / 2, "503");
	build_fault(&c, ST_SEC / 2, 2 * ST_SEC, "400");
	build_run(&c, &run);
	int64_t obeyed = run.meter->series.row[10][ST_CELL_RETRIES];
	ck_assert_int_ge(obeyed, 600 - 92);
	ck_assert_int_le(obeyed, 600 + 92);
	ck_assert_int_eq(run.meter->series.row[3][ST_CELL_RETRIES], 2000 - obeyed);
	ck_assert_uint_eq(run.meter->counts[0].attempts, 4000);
	st_run_release(&run);
	build_release(&c);
}
END_TEST

/* --- workloads -------------------------------------------------------------------------------------------------------- */

/* 500/s over 20 s: 10000 with a deviation of 100. */
START_TEST(a_poisson_group_has_its_rate_or_its_operations)
{
	struct st_config c;

	build_init(&c, 20 * ST_SEC);
	struct st_group_cfg *g = build_group(&c, "users", 10);
	c.service->workers = 50;
	workload(g, "poisson", "rate", "500/s");
	struct st_counts n = counts_of(&c);
	ck_assert_uint_ge(n.operations, 9550);
	ck_assert_uint_le(n.operations, 10450);

	build_set(st_workload_params, &g->workload, "operations", "3");
	ck_assert_uint_eq(counts_of(&c).operations, 30);
	build_set(st_workload_params, &g->workload, "rate", "0/s");
	ck_assert_uint_eq(counts_of(&c).operations, 0);
	build_release(&c);
}
END_TEST

START_TEST(a_thinking_client_begins_by_thinking)
{
	struct st_config c;
	struct st_run run;
	struct st_group_cfg *g = one(&c, ST_SEC);

	workload(g, "think", "think", "100ms");
	build_set(st_workload_params, &g->workload, "operations", "3");
	build_run(&c, &run);
	ONLY_IN(&run, ST_CELL_FIRST, 1, 100, 210, 320);
	st_run_release(&run);
	build_release(&c);
}
END_TEST

START_TEST(a_spread_wakes_clients_one_by_one)
{
	struct st_config c;
	struct st_run run;

	build_init(&c, 3 * ST_SEC);
	struct st_group_cfg *g = build_group(&c, "fleet", 1000);
	g->workload.at = ST_SEC;
	g->workload.spread = ST_SEC;
	build_run(&c, &run);
	for (size_t i = 0; i < 30; i++) {
		int64_t n = run.meter->series.row[i][ST_CELL_FIRST];

		/* 100 a bin, with a deviation of 9.5 */
		ck_assert_int_ge(n, i >= 10 && i < 20 ? 57 : 0);
		ck_assert_int_le(n, i >= 10 && i < 20 ? 143 : 0);
	}
	st_run_release(&run);
	build_release(&c);
}
END_TEST

/* --- random numbers ----------------------------------------------------------------------------------------------------- */

static void herd(struct st_config *c)
{
	build_init(c, 20 * ST_SEC);
	struct st_group_cfg *g = build_group(c, "fleet", 100);
	workload(g, "think", "think", "exponential 1s");
	retries(g, "4", "100ms", "full");
	c->service->workers = 5;
	c->service->service_time = build_dist("exponential 100ms");
	c->service->queue.limit = 10;
}

static uint64_t fingerprint(const struct st_config *c, uint64_t seed, uint32_t replication)
{
	struct st_err e = ST_ERR_INIT;
	struct st_run run;

	ck_assert_int_eq(st_world_run(c, seed, replication, NULL, &run, &e), 0);
	uint64_t f = run.fingerprint;
	st_run_release(&run);
	return f;
}

START_TEST(a_run_is_a_function_of_scenario_seed_and_replication)
{
	struct st_config c;

	herd(&c);
	uint64_t first = fingerprint(&c, 1, 0);
	ck_assert_uint_eq(fingerprint(&c, 1, 0), first);
	ck_assert_uint_ne(fingerprint(&c, 2, 0), first);
	ck_assert_uint_ne(fingerprint(&c, 1, 1), first);
	ck_assert_uint_ne(fingerprint(&c, 1, 1), fingerprint(&c, 2, 0));
	c.group[0].count--;
	ck_assert_uint_ne(fingerprint(&c, 1, 0), first);
	build_release(&c);
}
END_TEST

/* A client's first operation meets an outage, its later ones need one attempt each and wait for no worker: their latencies
 * are their service times, which another jitter must not change, though all happens at other instants. */
START_TEST(another_jitter_meets_the_same_service_times)
{
	struct st_config c;
	struct st_run a, b;

	build_init(&c, 200 * ST_SEC);
	struct st_group_cfg *g = build_group(&c, "fleet", 20);
	workload(g, "think", "think", "30s");
	build_set(st_workload_params, &g->workload, "operations", "4");
	c.service->workers = 20;
	c.service->service_time = build_dist("exponential 300ms");
	build_fault(&c, 0, 35 * ST_SEC, "503");
	c.warmup = 50 * ST_SEC;
	retries(g, "unlimited", "1s", "equal");
	build_run(&c, &a);
	retries(g, "unlimited", "1s", "decorrelated");
	build_run(&c, &b);
	ck_assert_uint_eq(a.meter->latency.n, 60);
	ck_assert_uint_eq(b.meter->latency.n, 60);
	ck_assert_int_eq((int64_t)a.meter->latency.sum, (int64_t)b.meter->latency.sum);
	ck_assert_int_eq(a.meter->latency.max, b.meter->latency.max);
	ck_assert_mem_eq(a.meter->latency.count, b.meter->latency.count, sizeof a.meter->latency.count);
	ck_assert_uint_ne(a.fingerprint, b.fingerprint);
	ck_assert_int_ne(a.meter->group[0].last_success, b.meter->group[0].last_success);
	st_run_release(&a);
	st_run_release(&b);
	build_release(&c);
}
END_TEST

/* --- runs that end early ---------------------------------------------------------------------------------------------- */

static void endless(struct st_config *c, const char *attempts)
{
	build_init(c, ST_SEC);
	struct st_group_cfg *g = build_group(c, "fleet", 3);
	retries(g, attempts, "1s", "none");
	build_set(st_backoff_params, &g->retry.backoff, "shape", "immediate");
	build_fault(c, 0, 2 * ST_SEC, "refuse");
}

static void is_a_mistake(const struct st_config *c)
{
	struct st_err e = ST_ERR_INIT;
	struct st_run run;

	ck_assert_int_eq(st_world_run(c, 1, 0, NULL, &run, &e), -1);
	ck_assert_uint_eq(e.n, 1);
	ck_assert_int_eq(e.code, ST_EXIT_USER);
	ck_assert_ptr_nonnull(strstr(e.message[0], "clients.fleet: a client made 100000 attempts"));
	st_err_release(&e);
	st_run_release(&run);
}

START_TEST(retries_without_end_at_one_instant_are_a_mistake)
{
	struct st_config c;

	endless(&c, "unlimited");
	is_a_mistake(&c);
	build_release(&c);
}
END_TEST

/* The guard must not depend on whether the loop happens to look before the run is over. */
START_TEST(a_mistake_is_told_though_the_run_could_end)
{
	struct st_config c;

	endless(&c, "100002");
	c.group[0].count = 1;
	is_a_mistake(&c);
	build_release(&c);
}
END_TEST

START_TEST(an_empty_circle_of_operations_is_a_mistake_too)
{
	struct st_config c;

	build_init(&c, ST_SEC);
	struct st_group_cfg *g = build_group(&c, "fleet", 1);
	workload(g, "think", "think", "0s");
	build_fault(&c, 0, 2 * ST_SEC, "503");
	is_a_mistake(&c);
	build_release(&c);
}
END_TEST

START_TEST(a_million_clients_at_one_instant_are_none)
{
	struct st_config c;

	build_init(&c, ST_SEC);
	build_group(&c, "fleet", 1000000);
	c.service->queue.limit = 0;
	struct st_counts n = counts_of(&c);
	ck_assert_uint_eq(n.rejected, 999999);
	build_release(&c);
}
END_TEST

/* One after another, each failing at once: the callers of an open group are used again. */
START_TEST(many_operations_in_an_outage_are_no_mistake)
{
	struct st_config c;

	build_init(&c, 2 * ST_SEC);
	struct st_group_cfg *g = build_group(&c, "users", 10);
	workload(g, "poisson", "rate", "70k/s");
	build_fault(&c, 0, 2 * ST_SEC, "503");
	ck_assert_uint_gt(counts_of(&c).operations, ST_CALLER_AT_ONCE_MAX);
	build_release(&c);
}
END_TEST

/* However many attempts: time goes on between them. */
START_TEST(many_retries_with_a_delay_are_no_mistake)
{
	struct st_config c;

	build_init(&c, ST_SEC);
	retries(build_group(&c, "fleet", 1), "unlimited", "5us", "none");
	build_set(st_backoff_params, &c.group[0].retry.backoff, "shape", "constant");
	build_fault(&c, 0, 2 * ST_SEC, "503");
	ck_assert_uint_eq(counts_of(&c).attempts, 200000);
	build_release(&c);
}
END_TEST

/* The timeout of each attempt is due as the one 2^20 later has just been sent: it is not that one's. */
START_TEST(a_timeout_long_after_its_attempt_is_nobodys)
{
	struct st_config c;

	build_init(&c, 1100 * ST_MSEC);
	struct st_group_cfg *g = build_group(&c, "fleet", 1);
	workload(g, "think", "think", "500ns");
	g->network = build_dist("200ns");
	g->timeout = build_dist("1048576us");
	c.service->service_time = build_dist("100ns");
	struct st_counts n = counts_of(&c);
	ck_assert_uint_gt(n.attempts, 1 << 20);
	ck_assert_uint_eq(n.timed_out, 0);
	build_release(&c);
}
END_TEST

/* A client that never waits would go round without end at one instant, and the guard would not see it. */
START_TEST(patience_of_no_time_is_a_mistake)
{
	struct st_config c;
	struct st_err e = ST_ERR_INIT;
	struct st_group_cfg *g = one(&c, ST_SEC);

	for (const struct st_param *p = st_group_params; p->name; p++)
		if (strcmp(p->name, "timeout") == 0 || strcmp(p->name, "deadline") == 0) {
			ck_assert_int_eq(st_param_read_text(p, "0s", NULL, g, &e), -1);
			build_set(p, g, p->name, "1ns");
			build_set(p, g, p->name, "30d");
			build_set(p, g, p->name, "off");
		}
	ck_assert_uint_eq(e.n, 2);
	st_err_release(&e);
	build_release(&c);
}
END_TEST

START_TEST(a_run_stops_when_it_is_told_to)
{
	struct st_config c;
	struct st_err e = ST_ERR_INIT;
	struct st_run run;
	volatile int stop = 1;

	herd(&c);
	c.duration = 3600 * ST_SEC;
	ck_assert_int_eq(st_world_run(&c, 1, 0, &stop, &run, &e), -1);
	ck_assert(!st_err_any(&e));
	ck_assert_uint_le(run.events, 10000);
	st_run_release(&run);
	build_release(&c);
}
END_TEST

/* --- contradictions ----------------------------------------------------------------------------------------------------- */

static void note(void *to, const char *path, const char *message)
{
	ck_assert_uint_gt(strlen(message), 0);
	st_text_addf(to, "%s;", path);
}

static void contradicts(const struct st_config *c, const char *paths)
{
	struct st_text t = ST_TEXT_INIT;
	size_t n = st_config_contradictions(c, &(struct st_config_ear){.tell = note, .to = &t});

	ck_assert_str_eq(t.s ? t.s : "", paths);
	for (; *paths; paths++)
		n -= *paths == ';';
	ck_assert_uint_eq(n, 0);
	st_text_release(&t);
}

START_TEST(contradictions_name_the_parameter_to_blame)
{
	struct st_config c;

	herd(&c);
	contradicts(&c, "");
	c.warmup = c.duration;
	contradicts(&c, "warmup;");
	build_set(st_config_params, &c, "window", "[1s, 21s]");
	c.warmup = 0;
	contradicts(&c, "window;");
	build_set(st_config_params, &c, "window", "[1s, 20s]");
	contradicts(&c, "");
	c.warmup = 1;
	contradicts(&c, "window;");
	c.warmup = 0;
	c.bin = 0;
	contradicts(&c, "bin;");
	c.bin = 1;
	contradicts(&c, "bin;");
	c.bin = ST_SEC;
	build_fault(&c, ST_SEC, ST_SEC, "503");
	build_fault(&c, c.duration, ST_SEC, "slow")->share = 0.5;
	contradicts(&c, "faults[1].share;faults[1].at;");
	c.nfaults = 1;
	c.group[0].count = UINT32_MAX - 1;
	contradicts(&c, "clients;");
	build_release(&c);
}
END_TEST

/* Arrivals that happen without having gone through the queue count two at a time: none may be the one that is looked at. */
START_TEST(a_run_stops_in_a_black_hole)
{
	struct st_config c;
	struct st_err e = ST_ERR_INIT;
	struct st_run run;
	volatile int stop = 1;

	for (int edges = 0; edges < 4; edges++) {
		build_init(&c, 100 * ST_SEC);
		workload(build_group(&c, "users", 10), "poisson", "rate", "1k/s");
		for (int i = 0; i < edges; i++)
			build_fault(&c, 0, 100 * ST_SEC, "blackhole");
		ck_assert_int_eq(st_world_run(&c, 1, 0, &stop, &run, &e), -1);
		ck_assert_uint_le(run.events, 10000);
		st_run_release(&run);
		build_release(&c);
	}
}
END_TEST

static void add_instants(Suite *s)
{
	TCase *tc = tcase_create("instants");

	tcase_add_test(tc, a_herd_without_jitter_stays_in_step);
	tcase_add_test(tc, in_an_outage_amplification_is_the_attempts_allowed);
	tcase_add_test(tc, an_answer_at_the_timeout_is_in_time);
	tcase_add_test(tc, work_for_a_client_that_has_given_up_is_done_and_wasted);
	tcase_add_test(tc, the_deadline_cuts_the_attempt_in_flight);
	tcase_add_test(tc, a_request_and_its_answer_each_take_the_network_delay);
	tcase_add_test(tc, a_request_given_up_under_way_arrives_and_is_served);
	tcase_add_test(tc, what_would_happen_at_the_end_does_not);
	tcase_add_test(tc, the_queue_is_measured_to_the_end);
	suite_add_tcase(s, tc);
}

static void add_clients(Suite *s)
{
	TCase *tc = tcase_create("clients");

	tcase_add_test(tc, a_token_bucket_bounds_the_retries_at_every_instant);
	tcase_add_test(tc, an_open_circuit_answers_first_attempts_until_a_token_is_back);
	tcase_add_test(tc, the_given_share_of_clients_obeys);
	tcase_add_test(tc, a_poisson_group_has_its_rate_or_its_operations);
	tcase_add_test(tc, a_thinking_client_begins_by_thinking);
	tcase_add_test(tc, a_spread_wakes_clients_one_by_one);
	suite_add_tcase(s, tc);
}

static void add_runs(Suite *s)
{
	TCase *tc = tcase_create("runs");

	tcase_set_timeout(tc, 300);
	tcase_add_test(tc, a_run_is_a_function_of_scenario_seed_and_replication);
	tcase_add_test(tc, another_jitter_meets_the_same_service_times);
	tcase_add_test(tc, retries_without_end_at_one_instant_are_a_mistake);
	tcase_add_test(tc, a_mistake_is_told_though_the_run_could_end);
	tcase_add_test(tc, an_empty_circle_of_operations_is_a_mistake_too);
	tcase_add_test(tc, a_million_clients_at_one_instant_are_none);
	tcase_add_test(tc, many_operations_in_an_outage_are_no_mistake);
	tcase_add_test(tc, many_retries_with_a_delay_are_no_mistake);
	tcase_add_test(tc, a_timeout_long_after_its_attempt_is_nobodys);
	tcase_add_test(tc, patience_of_no_time_is_a_mistake);
	tcase_add_test(tc, a_run_stops_when_it_is_told_to);
	tcase_add_test(tc, a_run_stops_in_a_black_hole);
	tcase_add_test(tc, contradictions_name_the_parameter_to_blame);
	suite_add_tcase(s, tc);
}

int main(void)
{
	Suite *s = suite_create("world");

	add_instants(s);
	add_clients(s);
	add_runs(s);
	return tap_main(s);
}
