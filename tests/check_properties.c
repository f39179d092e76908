#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "draw.h"
#include "experiment/params.h"
#include "tap_main.h"

/*
 * What holds in every run, whatever the scenario: tried on 600 drawn from the whole table of parameters (numbers that the twin does
 * not see), which is tried too.
 */
enum { FIRST = 1000, SCENARIOS = 600 };

/* Check writes a line to a file at each of its own assertions, and this is asked a million times. */
#define HOLDS(what) \
	do { \
		if (!(what)) \
			ck_abort_msg("scenario %u: %s", number, #what); \
	} while (0)

static uint64_t column(const struct st_series *s, enum st_cell c)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < s->n; i++)
		sum += (uint64_t)s->row[i][c];
	return sum;
}

/* What came, and what became of it there: more errors than that were answered when a call had failed. */
static void arrivals_hold(uint32_t number, const struct st_counts *n, uint64_t failed_calls)
{
	uint64_t came = n->first + n->retries + n->dropped, met = n->admitted + n->rejected + n->limited + n->refused + n->swallowed + n->errors;

	HOLDS(came <= n->attempts + n->dropped);
	HOLDS(met >= came && met <= came + failed_calls);
	HOLDS(n->started + n->dropped + n->abandoned <= n->admitted && n->queued_first <= n->started);
	HOLDS(n->answered[ST_ANSWER_OK] + n->wasted + n->lost + n->dropped + n->abandoned <= n->admitted);
	HOLDS(n->answered[ST_ANSWER_OK] + n->wasted + (met - came) <= n->started);
	HOLDS(n->answered[ST_ANSWER_RESET] <= n->lost);
}

static void group_holds(uint32_t number, const struct st_group_cfg *g, const struct st_meter *m, size_t i, uint64_t failed_calls)
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
	arrivals_hold(number, n, failed_calls);
	HOLDS(n->abandoned <= n->timed_out + n->outrun);
	HOLDS(st_hedge_is_on(&t->hedge) || n->denied <= n->failures[ST_REASON_BUDGET]);
	HOLDS(st_hedge_is_on(&t->hedge) || n->outrun == 0);
	HOLDS(n->outrun <= n->retried);
	HOLDS(t->breaker.kind != 0 || n->failures[ST_REASON_BREAKER] == 0);
	HOLDS(g->deadline != ST_NEVER || n->failures[ST_REASON_DEADLINE] == 0);
	HOLDS(g->deadline == ST_NEVER || m->group[i].latency.max <= g->deadline);
	HOLDS((g->deadline != ST_NEVER || g->timeout.fixed != ST_NEVER) || n->timed_out == 0);
	HOLDS(n->wasted + n->late <= n->timed_out + n->outrun);
	HOLDS(m->group[i].latency.n <= n->successes);
	HOLDS((m->group[i].last_success >= 0) == (n->successes > 0));
}

static void series_adds_up(uint32_t number, const struct st_service_cfg *c, const struct st_meter *m)
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
	HOLDS(column(s, ST_CELL_DROPPED) == sum.dropped);
	HOLDS(column(s, ST_CELL_ABANDONED) == sum.abandoned);
	for (size_t i = 0; i < s->n; i++) {
		const int64_t *row = s->row[i];

		if (c->kind == ST_SERVICE_OCC) {
			HOLDS(row[ST_CELL_WORKERS] == 0 && row[ST_CELL_QUEUE_MAX] == 0);
		} else {
			HOLDS(row[ST_CELL_BUSY_MEAN] <= row[ST_CELL_WORKERS]);
			HOLDS(row[ST_CELL_WORKERS] <= (int64_t)c->workers * ST_SERIES_MILLION);
		}
		HOLDS(row[ST_CELL_QUEUE_MEAN] <= row[ST_CELL_QUEUE_MAX] * ST_SERIES_MILLION);
		HOLDS((uint64_t)row[ST_CELL_QUEUE_MAX] <= c->queue.limit);
		HOLDS((row[ST_CELL_LATENCY_P50] >= 0) == (row[ST_CELL_OK] > 0));
		int64_t came = row[ST_CELL_OFFERED] + row[ST_CELL_DROPPED], met = row[ST_CELL_ADMITTED] + row[ST_CELL_REJECTED] +
		    row[ST_CELL_LIMITED] + row[ST_CELL_REFUSED] + row[ST_CELL_SWALLOWED] + row[ST_CELL_ERRORS];
		HOLDS(c->calls.to ? met >= came : met == came); /* failed calls are errors, too */
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

static double least_cost(const struct st_budget_cfg *b)
{
	double least = b->cost < b->timeout_cost ? b->cost : b->timeout_cost;

	return least < b->throttle_cost ? least : b->throttle_cost;
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
		HOLDS(least_cost(b) * ((double)n->retried - (double)n->successes) <=
		    (double)sites * b->capacity + b->increment * (double)n->successes + 1e-6);
	/* Of any span of the time to live. Deposits are fewer than attempts. */
	if (is_kind(b, "window"))
		HOLDS((double)n->retried <= (double)sites * b->min_per_s * (st_time_to_s(duration + b->ttl)) +
		    b->ratio * (double)(n->operations + n->attempts) + 1e-6);
}

/* Which service calls this one next among those that do, from the one with this number on; c->nservices if none. */
static size_t next_holder(const struct st_config *c, size_t service, size_t from)
{
	while (from < c->nservices && (!c->service[from].calls.to || strcmp(c->service[from].calls.to, c->service[service].name) != 0))
		from++;
	return from;
}

/* Of the calls that the service makes, which are the place-th group of the one that it calls. */
static const struct st_counts *calls_of(const struct st_config *c, const struct st_run *run, size_t service)
{
	if (!c->service[service].calls.to)
		return NULL;
	for (size_t to = 0; to < c->nservices; to++) {
		size_t place = to == 0 ? c->ngroups : 0;

		for (size_t from = next_holder(c, to, 0); from < c->nservices; from = next_holder(c, to, from + 1), place++)
			if (from == service)
				return &run->meter[to].counts[place];
	}
	return NULL;
}

static void service_holds(uint32_t number, const struct st_config *c, const struct st_run *run, size_t k)
{
	const struct st_meter *m = &run->meter[k];
	const struct st_counts *calls = calls_of(c, run, k);
	uint64_t failed_calls = calls ? st_counts_failed(calls) : 0, started = 0;
	size_t i = 0;

	for (; k == 0 && i < c->ngroups; i++) {
		HOLDS(c->group[i].workload.kind != 0 || m->counts[i].operations <= c->group[i].count); /* once */
		group_holds(number, &c->group[i], m, i, failed_calls);
		budget_holds(number, &c->group[i], &m->counts[i], c->duration);
	}
	for (size_t from = next_holder(c, k, 0); from < c->nservices; from = next_holder(c, k, from + 1), i++) {
		struct st_group_cfg g = c->service[from].calls.group;

		g.count = 1;
		group_holds(number, &g, m, i, failed_calls);
		budget_holds(number, &g, &m->counts[i], c->duration);
	}
	for (size_t g = 0; g < m->ngroups; g++)
		started += m->counts[g].started;
	HOLDS(i == m->ngroups);
	HOLDS(!calls || calls->operations <= started);
	series_adds_up(number, &c->service[k], m);
}

static void contradicts(void *number, const char *path, const char *message)
{
	ck_abort_msg("scenario %u: %s: %s", *(uint32_t *)number, path, message);
}

/* The run itself asserts conservation over all groups and Little's law to the nanosecond, of each service. */
static void scenario_holds(uint32_t number)
{
	struct st_config c;
	struct st_run run;

	draw_scenario(&c, number);
	st_config_contradictions(&c, &(struct st_config_ear){.tell = contradicts, .to = &number});
	build_run(&c, &run);
	for (size_t k = 0; k < c.nservices; k++)
		service_holds(number, &c, &run, k);
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

		draw_scenario(&c, number);
		c.window.n = 0;
		c.warmup = 0;
		build_run(&c, &whole);
		st_time cut = c.duration / c.bin / 2 * c.bin;
		if (cut > 0) {
			c.duration = cut;
			build_run(&c, &part);
			for (size_t k = 0; k < c.nservices; k++)
				for (size_t i = 0; i < part.meter[k].series.n; i++)
					ck_assert_mem_eq(part.meter[k].series.row[i], whole.meter[k].series.row[i], sizeof *part.meter->series.row);
			st_run_release(&part);
		}
		st_run_release(&whole);
		build_release(&c);
	}
}
END_TEST

/* --- the whole table -------------------------------------------------------------------------------------------------- */

/* What of a parameter was drawn: two texts that its value had, and which of its names. */
struct drawn {
	char *one, *other;
	uint64_t names; /* a bit each */
};

/* Those that are nothing to a run. */
static bool is_exempt(const char *path)
{
	static const char *const exempt[] = {
	    "title",        /* for people */
	    "seed",         /* an argument of the run, beside the configuration */
	    "retry.preset", /* values of the other parameters; check_preset has them */
	};

	for (size_t i = 0; i < sizeof exempt / sizeof *exempt; i++)
		if (strcmp(path, exempt[i]) == 0)
			return true;
	return false;
}

static void take_down(struct drawn *d, const struct st_param_row *row, const void *section)
{
	struct st_text t = ST_TEXT_INIT;

	st_param_print(row->param, (const char *)section + row->offset, &t);
	size_t word = strcspn(t.s, " "); /* "range 0.8 1.2" */
	for (size_t k = 0; row->param->choices && row->param->choices(k); k++)
		if (strlen(row->param->choices(k)->name) == word && strncmp(row->param->choices(k)->name, t.s, word) == 0)
			d->names |= UINT64_C(1) << k;
	if (!d->one)
		d->one = st_strdup(t.s);
	else if (!d->other && strcmp(d->one, t.s) != 0)
		d->other = st_strdup(t.s);
	st_text_release(&t);
}

static void take_down_section(struct drawn *d, const struct st_param_rows *rows, struct st_config *c, enum st_section s)
{
	for (size_t k = 0; k < st_section_count(c, s); k++) {
		if (s == ST_SECTION_CALLS && !c->service[k].calls.to)
			continue;
		for (size_t i = 0; i < rows->n; i++)
			if (!is_exempt(rows->row[i].path) && st_params_applies(rows, i, st_section_of(c, s, k), NULL))
				take_down(&d[i], &rows->row[i], st_section_of(c, s, k));
	}
}

static void is_covered(enum st_section s, const struct st_param_row *row, const struct drawn *d)
{
	if (is_exempt(row->path))
		return;
	ck_assert_msg(d->other != NULL, "%s%s is %s in every scenario drawn", st_section_path(s), row->path, d->one ? d->one : "absent");
	for (size_t k = 0; row->param->choices && row->param->choices(k); k++)
		ck_assert_msg(d->names >> k & 1 || strcmp(row->param->choices(k)->name, "STATUS") == 0, "%s%s is never %s", st_section_path(s),
		    row->path, row->param->choices(k)->name);
}

/* A parameter, or a name of a choice, that is added to the program is to be added to the menus of draw.c too. */
START_TEST(every_parameter_is_drawn)
{
	static struct st_param_rows rows[ST_SECTION_N];
	static struct drawn drawn[ST_SECTION_N][ST_PARAM_ROWS];

	for (enum st_section s = 0; s < ST_SECTION_N; s++)
		st_params_rows(s, &rows[s]);
	for (uint32_t number = FIRST; number < FIRST + SCENARIOS / 5; number++) {
		struct st_config c;

		draw_scenario(&c, number);
		for (enum st_section s = 0; s < ST_SECTION_N; s++)
			take_down_section(drawn[s], &rows[s], &c, s);
		build_release(&c);
	}
	for (enum st_section s = 0; s < ST_SECTION_N; s++)
		for (size_t i = 0; i < rows[s].n; i++) {
			is_covered(s, &rows[s].row[i], &drawn[s][i]);
			free(drawn[s][i].one);
			free(drawn[s][i].other);
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
	tcase_add_test(tc, every_parameter_is_drawn);
	suite_add_tcase(s, tc);
	return tap_main(s);
}
