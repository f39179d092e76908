#include <config.h>

#include <string.h>

#include "build.h"
#include "tap_main.h"

/*
 * What holds in every run, whatever the scenario: tried on 600 drawn from all parameters (numbers that the twin does not see).
 */
enum { FIRST = 1000, SCENARIOS = 600 };

#define HOLDS(what) ck_assert_msg(what, "scenario %u: %s", number, #what)

static uint64_t column(const struct st_series *s, enum st_cell c)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < s->n; i++)
		sum += (uint64_t)s->row[i][c];
	return sum;
}

static void group_holds(uint32_t number, const struct st_group_cfg *g, const struct st_meter *m, size_t i)
{
	const struct st_counts *n = &m->counts[i];
	const struct st_retry_cfg *t = &g->retry;
	uint64_t ended = 0;

	for (size_t k = 0; k <= ST_METER_ATTEMPTS_MAX; k++)
		ended += m->group[i].ended_with[k];
	HOLDS(ended == n->successes + st_counts_failed(n));
	HOLDS(n->operations >= ended);
	HOLDS(n->attempts <= n->operations + n->retried);
	HOLDS(t->attempts == ST_UNLIMITED || n->retried <= n->operations * (t->attempts - 1));
	HOLDS(n->answered[ST_ANSWER_OK] == n->successes);
	HOLDS(n->first + n->retries <= n->attempts);
	HOLDS(n->first + n->retries + n->dropped == n->admitted + n->rejected + n->limited + n->refused + n->swallowed + n->errors);
	HOLDS(n->started + n->dropped + n->abandoned <= n->admitted && n->queued_first <= n->started);
	HOLDS(n->abandoned <= n->timed_out + n->outrun);
	HOLDS(n->answered[ST_ANSWER_OK] + n->wasted + n->lost + n->dropped + n->abandoned <= n->admitted);
	HOLDS(n->answered[ST_ANSWER_OK] + n->wasted <= n->started);
	HOLDS(n->answered[ST_ANSWER_RESET] <= n->lost);
	HOLDS(st_hedge_is_on(&t->hedge) || n->denied <= n->failures[ST_REASON_BUDGET]);
	HOLDS(st_hedge_is_on(&t->hedge) || n->outrun == 0);
	HOLDS(n->outrun <= n->retried);
	HOLDS(t->breaker.kind != 0 || n->failures[ST_REASON_BREAKER] == 0);
	HOLDS(g->deadline != ST_NEVER || n->failures[ST_REASON_DEADLINE] == 0);
	HOLDS(g->deadline == ST_NEVER || m->group[i].latency.max <= g->deadline);
	HOLDS((g->deadline != ST_NEVER || g->timeout.fixed != ST_NEVER) || n->timed_out == 0);
	HOLDS(n->wasted + n->late <= n->timed_out + n->outrun);
	HOLDS(g->workload.kind != 0 || n->operations <= g->count); /* once */
	HOLDS(m->group[i].latency.n <= n->successes);
	HOLDS((m->group[i].last_success >= 0) == (n->successes > 0));
}

static void series_adds_up(uint32_t number, const struct st_config *c, const struct st_meter *m)
{
	const struct st_series *s = &m->series;
	struct st_counts sum = {0};
	uint64_t offered = 0, succeeded = 0, failed = 0;

	for (size_t g = 0; g < m->ngroups; g++)
		st_counts_add(&sum, &m->counts[g]);
	HOLDS(column(s, ST_CELL_FIRST) == sum.first);
	HOLDS(column(s, ST_CELL_RETRIES) == sum.retries);
	HOLDS(column(s, ST_CELL_OFFERED) == sum.first + sum.retries);
	HOLDS(column(s, ST_CELL_ADMITTED) == sum.admitted);
	HOLDS(column(s, ST_CELL_OK) == sum.successes);
	HOLDS(column(s, ST_CELL_WASTED) == sum.wasted);
	HOLDS(column(s, ST_CELL_REJECTED) == sum.rejected);
	HOLDS(column(s, ST_CELL_REFUSED) == sum.refused);
	HOLDS(column(s, ST_CELL_TIMED_OUT) == sum.timed_out);
	HOLDS(column(s, ST_CELL_SWALLOWED) == sum.swallowed);
	HOLDS(column(s, ST_CELL_ERRORS) == sum.errors);
	HOLDS(column(s, ST_CELL_FAILED) == st_counts_failed(&sum));
	HOLDS(column(s, ST_CELL_DENIED) == sum.denied);
	for (size_t i = 0; i < s->n; i++) {
		const int64_t *row = s->row[i];

		if (c->service->kind == ST_SERVICE_OCC) {
			HOLDS(row[ST_CELL_WORKERS] == 0 && row[ST_CELL_QUEUE_MAX] == 0);
		} else {
			HOLDS(row[ST_CELL_BUSY_MEAN] <= row[ST_CELL_WORKERS]);
			HOLDS(row[ST_CELL_WORKERS] <= (int64_t)c->service->workers * ST_SERIES_MILLION);
		}
		HOLDS(row[ST_CELL_QUEUE_MEAN] <= row[ST_CELL_QUEUE_MAX] * ST_SERIES_MILLION);
		HOLDS((uint64_t)row[ST_CELL_QUEUE_MAX] <= c->service->queue.limit);
		HOLDS((row[ST_CELL_LATENCY_P50] >= 0) == (row[ST_CELL_OK] > 0));
		HOLDS(row[ST_CELL_WAITING] >= 0 && row[ST_CELL_BREAKERS_OPEN] >= 0);
		for (size_t g = 0; g < m->ngroups; g++) {
			offered += s->group[g][i].offered;
			succeeded += s->group[g][i].succeeded;
			failed += s->group[g][i].failed;
		}
	}
	HOLDS(offered == sum.first + sum.retries && succeeded == sum.successes && failed == st_counts_failed(&sum));
}

static bool is_kind(const struct st_budget_cfg *b, const char *name)
{
	return strcmp(st_budget_kind_at(b->kind)->choice.name, name) == 0;
}

/*
 * Tokens are granted to retries that may still be on their way, so the bound is on retries sent. A success gives a quota back at most
 * what its last retry took, so what is lost is what the failed ones took.
 */
static void budget_holds(uint32_t number, const struct st_group_cfg *g, const struct st_counts *n, st_time duration)
{
	const struct st_budget_cfg *b = &g->retry.budget;
	uint64_t sites = b->scope == ST_BUDGET_GROUP ? 1 : b->scope == ST_BUDGET_CLIENT ? g->count : (g->count + b->site - 1) / b->site;

	if (is_kind(b, "token-bucket"))
		HOLDS((double)n->retried <= (double)sites * (b->burst + b->rate_per_s * st_time_to_s(duration)) +
		    b->deposit * (double)n->successes + 1e-6);
	if (is_kind(b, "aws-quota"))
		HOLDS(5.0 * ((double)n->retried - (double)n->successes) <= (double)sites * b->capacity + (double)n->successes + 1e-6);
	/* Of any span of the time to live. Deposits are fewer than attempts. */
	if (is_kind(b, "window"))
		HOLDS((double)n->retried <= (double)sites * b->min_per_s * (st_time_to_s(duration + b->ttl)) +
		    b->ratio * (double)(n->operations + n->attempts) + 1e-6);
}

/* The run itself asserts conservation over all groups and Little's law to the nanosecond. */
static void scenario_holds(uint32_t number)
{
	struct st_config c;
	struct st_run run;

	build_random(&c, number);
	build_run(&c, &run);
	for (size_t i = 0; i < c.ngroups; i++) {
		group_holds(number, &c.group[i], run.meter, i);
		budget_holds(number, &c.group[i], &run.meter->counts[i], c.duration);
	}
	series_adds_up(number, &c, run.meter);
	st_run_release(&run);
	build_release(&c);
}

START_TEST(the_laws_hold_in_every_run)
{
	for (uint32_t i = 0; i < SCENARIOS / 10; i++)
		scenario_holds((uint32_t)(FIRST + _i * (SCENARIOS / 10)) + i);
}
END_TEST

/* Conservation at other instants than the end: the same run, cut short. What happened before the cut is the same. */
START_TEST(a_shorter_run_is_the_beginning_of_a_longer_one)
{
	for (uint32_t number = FIRST; number < FIRST + 60; number++) {
		struct st_config c;
		struct st_run whole, part;

		build_random(&c, number);
		c.window.n = 0;
		c.warmup = 0;
		build_run(&c, &whole);
		st_time cut = c.duration / c.bin / 2 * c.bin;
		if (cut > 0) {
			c.duration = cut;
			build_run(&c, &part);
			for (size_t i = 0; i < part.meter->series.n; i++)
				ck_assert_mem_eq(part.meter->series.row[i], whole.meter->series.row[i], sizeof *part.meter->series.row);
			st_run_release(&part);
		}
		st_run_release(&whole);
		build_release(&c);
	}
}
END_TEST

int main(void)
{
	Suite *s = suite_create("properties");
	TCase *tc = tcase_create("properties");

	tcase_set_timeout(tc, 300);
	tcase_add_loop_test(tc, the_laws_hold_in_every_run, 0, 10);
	tcase_add_test(tc, a_shorter_run_is_the_beginning_of_a_longer_one);
	suite_add_tcase(s, tc);
	return tap_main(s);
}
