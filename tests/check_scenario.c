#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "experiment/grid.h"
#include "experiment/params.h"
#include "experiment/scenario.h"
#include "tap_main.h"

#define X "check_scenario.yaml"

/* The smallest scenario, six lines; tables add a seventh and more. */
#define SMALL                                                                                                          \
	"duration: 100s\nservice: {workers: 2, service_time: 37ms}\nclients:\n  fleet:\n    count: 5\n    workload: once\n"

/* Services: to be gone on with what the first one calls. */
#define TIERS                                                                                                          \
	"duration: 100s\nclients: {fleet: {count: 5, workload: once}}\nservices:\n  api: {workers: 2, service_time: 37ms, calls: "

enum { ARGS = 6 };

static void write_file(const char *name, const char *text, size_t n)
{
	FILE *f = fopen(name, "wb");

	ck_assert_ptr_nonnull(f);
	ck_assert_uint_eq(fwrite(text, 1, n, f), n);
	fclose(f);
}

static size_t count(const char *const *args)
{
	size_t n = 0;

	while (n < ARGS && args[n])
		n++;
	return n;
}

/* Read a text with --set's and --axis'es; the messages, one a line. */
static char *read_text(const char *text, const char *const *set, const char *const *axes, struct st_scenario *s)
{
	struct st_err e = ST_ERR_INIT;
	struct st_text t = ST_TEXT_INIT;

	write_file(X, text, strlen(text));
	int failed = st_scenario_read(X, set, count(set), axes, count(axes), s, &e);
	remove(X);
	ck_assert_int_eq(failed != 0, e.n > 0);
	ck_assert_int_eq(e.code, e.n > 0 ? ST_EXIT_USER : ST_EXIT_OK);
	st_text_add(&t, "");
	for (size_t i = 0; i < e.n; i++)
		st_text_addf(&t, "%s%s", i ? "\n" : "", e.message[i]);
	st_err_release(&e);
	return t.s;
}

/* Mistakes: each with its place, all at once, each once */

static const struct {
	const char *yaml, *set[ARGS], *axis[ARGS], *messages;
} mistakes[] = {
#include "check_scenario_mistakes.h"
};

START_TEST(mistakes_are_told)
{
	struct st_scenario s;
	char *messages = read_text(mistakes[_i].yaml, mistakes[_i].set, mistakes[_i].axis, &s);

	ck_assert_str_eq(messages, mistakes[_i].messages);
	free(messages);
	st_scenario_release(&s);
}
END_TEST

/* A scenario of `rest`, and of `names` with n sections that are alike. */
static char *read_many(const char *rest, const char *names, size_t n, const char *section)
{
	struct st_scenario s;
	struct st_text t = ST_TEXT_INIT;
	static const char *const none[ARGS];

	st_text_addf(&t, "duration: 100s\n%s\n%s:\n", rest, names);
	for (size_t i = 0; i < n; i++)
		st_text_addf(&t, "  name%zu: %s\n", i, section);
	char *messages = read_text(t.s, none, none, &s);
	st_scenario_release(&s);
	st_text_release(&t);
	return messages;
}

START_TEST(there_may_be_thousands_of_groups_and_services_and_no_more)
{
	char *groups = read_many("service: {workers: 2, service_time: 37ms}", "clients", 4096, "{count: 1, workload: once}");
	char *services = read_many("clients: {fleet: {count: 5, workload: once}}", "services", 1001, "{workers: 1, service_time: 1s}");

	ck_assert_str_eq(groups, X ":3:1: clients: has more than 4095 groups");
	ck_assert_str_eq(services, X ":3:1: services: are more than 1000");
	free(groups);
	free(services);
}
END_TEST

START_TEST(a_surge_is_for_a_trace_of_rates)
{
	static const char *const none[ARGS];
	static const char counts[] = "time_s,count\n0,5\n1,6\n";
	struct st_scenario s;

	write_file("check_scenario.csv", counts, strlen(counts));
	char *messages = read_text(SMALL
	    "  t: {count: 2, workload: {kind: trace, file: check_scenario.csv, surge: {at: 1s, for: 1s, factor: 2}}}\n", none, none, &s);
	ck_assert_str_eq(messages, X ":7:88: clients.t.workload.surge.for: a surge is for a trace of rates, not for one of counts or instants");
	free(messages);
	st_scenario_release(&s);
	remove("check_scenario.csv");
}
END_TEST

/* Overrides: what of the canonical scenario they change */

static const struct {
	const char *yaml, *set[ARGS], *has; /* has: lines of the canonical scenario, one after the other */
} overrides[] = {
    {SMALL, {"seed=7"}, "seed: 7\n"},
    {SMALL, {"title=Two: words"}, NULL},
    {SMALL, {"title=\"Two: words\""}, "title: \"Two: words\"\n"},
    {SMALL, {"count=7", "fleet.count=8"}, "    count: 8\n"},
    {SMALL "  b: {count: 6, workload: once}\n", {"count=7"},
        "  fleet:\n    count: 7\n    network: 0s\n    clock_skew: 0s\n    timeout: off\n    deadline: off\n    workload:\n      kind: once\n"
        "      at: 0s\n      spread: 0s\n      start: {groups: 1, every: 0s}\n    retry:\n      preset: none\n      on: [5xx, timeout, refused, reset, 408, 429]\n      attempts: 1\n      "
        "backoff:\n        shape: exponential\n        base: 100ms\n        factor: 2\n        first_exponent: 0\n        "
        "cap: off\n        cap_at: before\n        floor: 0s\n        head: []\n        tail_from: never\n        "
        "quantum: off\n        jitter: full\n        reset: success\n        throttle: {on: [], base: base, factor: factor}\n      hint: {obey: 0%, "
        "mode: floor, jitter: none, least: 0s, limit: off, over: give-up}\n      budget: off\n      breaker: off\n      gate: off\n      hedge: {after: off, in_flight: 2, min_seen: 100}\n  b:\n    count: 7\n"},
    {SMALL "  b: {count: 6, workload: once}\n", {"b.count=7"}, "  fleet:\n    count: 5\n"},
    {SMALL "    retry: {budget: {kind: token-bucket, rate: 1/s, burst: 5, deposit: 0.1}}\n", {"budget.rate=5/s"},
        "      budget: {kind: token-bucket, scope: group, on_empty: fail, rate: 5/s, burst: 5, deposit: 0.1}\n"},
    {SMALL "    retry: {budget: {kind: token-bucket, rate: 1/s, burst: 5, deposit: 0.1}}\n",
        {"budget={kind: token-bucket, burst: 7}"},
        "      budget: {kind: token-bucket, scope: group, on_empty: fail, rate: 0/s, burst: 7, deposit: 0}\n"},
    {SMALL "    retry: {budget: off}\n", {"budget.burst=7", "clients.fleet.retry.budget.kind=token-bucket"},
        "      budget: {kind: token-bucket, scope: group, on_empty: fail, rate: 0/s, burst: 7, deposit: 0}\n"},
    {SMALL, {"fleet.retry.backoff.base=2.385s"},
        "      backoff:\n        shape: exponential\n        base: 2.385s\n        factor: 2\n"},
    {SMALL, {"queue=unlimited", "queue.discipline=fifo", "service.hint=5s", "hint.form=seconds"},
        "  overload: 503\n  reject_cost: 0s\n  abandoned: serve\n  crash: {at: off, down: 10s}\n  queue: {limit: unlimited, discipline: fifo, deadline: off}\n  hint: {value: 5s, form: seconds, spread: none, on: [429, "
        "503]}\n"},
    {SMALL, {"retry=fixed-1s", "retry.attempts=5"}, "      attempts: 5\n      backoff:\n        shape: constant\n        base: 1s\n"},
    {SMALL, {"retry.backoff.base=2s", "preset=fixed-1s"}, "      attempts: 3\n      backoff:\n        shape: constant\n        base: 2s\n"},
    {SMALL, {"service.hint={value: stop, form: pushback-ms}"}, "  hint: {value: stop, form: pushback-ms, spread: none, on: [429, 503]}\n"},
    {SMALL, {"service.hint=backlog", "fleet.clock_skew=normal 0s sd 2s"}, "  hint: {value: backlog, form: seconds, spread: none, on: [429, 503]}\n"},
    {SMALL, {"retry.hint={mode: clamp, clamp: 2s}"}, "      hint: {obey: 0%, mode: clamp, clamp: 2s, jitter: none, least: 0s, limit: off, over: give-up}\n"},
    {SMALL, {"queue=7"}, "  queue: {limit: 7, discipline: fifo, deadline: off}\n"},
    {SMALL "faults:\n  - {at: 1s, for: 2s, effect: 503}\n  - {at: 5s, for: 2s, effect: refuse}\n",
        {"faults[1].for=3s", "faults.at=4s", "faults[].share=50%"},
        "faults:\n  - {at: 4s, for: 2s, effect: 503, share: 50%, of: requests, group: all}\n"
        "  - {at: 4s, for: 3s, effect: refuse, share: 50%, of: requests, group: all}\n"},
    {SMALL, {"faults=[{at: 1s, for: 2s, effect: refuse}]", "faults.for=3s"},
        "faults:\n  - {at: 1s, for: 3s, effect: refuse, share: 100%, of: requests, group: all}\n"},
    {SMALL, {"clients={a: {count: 3, workload: once}}", "a.count=4"}, "  a:\n    count: 4\n"},
    {SMALL, {"sweep.replications=12"}, "sweep:\n  replications: 12\n"},
    {SMALL "sweep: {axes: {count: [1, 2]}, replications: 3}\n", {"replications=4"},
        "sweep:\n  axes:\n    count: [1, 2]\n  replications: 4\n"},
    {SMALL, {"expect=[operations >= 5, \"denied > 5 \"]"}, "expect:\n  - operations >= 5\n  - \"denied > 5 \"\n"},
    {SMALL, {"retry.on=[timeout, 503]"}, "      on: [timeout, 503]\n"},
};

static char *canonical(const struct st_scenario *s)
{
	struct st_config c;
	struct st_err e = ST_ERR_INIT;
	struct st_text t = ST_TEXT_INIT;

	ck_assert_int_eq(st_scenario_resolve(s->tree, &c, &e), 0);
	st_scenario_print(&c, s, &t);
	st_config_release(&c);
	return t.s;
}

START_TEST(overrides_change_what_they_name)
{
	struct st_scenario s;
	char *messages = read_text(overrides[_i].yaml, overrides[_i].set, (const char *const[ARGS]){NULL}, &s);

	if (overrides[_i].has) {
		ck_assert_str_eq(messages, "");
		char *text = canonical(&s);
		ck_assert_msg(strstr(text, overrides[_i].has) != NULL, "%s", text);
		free(text);
	} else {
		ck_assert_str_ne(messages, "");
	}
	free(messages);
	st_scenario_release(&s);
}
END_TEST

/* Axes and the grid */

START_TEST(the_last_axis_runs_fastest)
{
	static const char *const axes[ARGS] = {"fleet.count=3,5,7", "retry.on=[503],[429, timeout]", "budget=[off, {kind: "
	    "token-bucket, burst: 2}]"};
	struct st_scenario s;
	struct st_grid g;
	struct st_err e = ST_ERR_INIT;
	char *messages = read_text(SMALL "sweep: {axes: {count: [9, 8], seed: [4]}}\n", (const char *const[ARGS]){NULL}, axes,
	    &s);

	ck_assert_str_eq(messages, "");
	ck_assert_uint_eq(s.naxes, 4); /* fleet.count took the place of count */
	ck_assert_str_eq(s.axis[0].path, "fleet.count");
	ck_assert_str_eq(s.axis[0].target[0], "clients.fleet.count");
	ck_assert_str_eq(s.axis[2].value[1].label, "[429, timeout]");
	ck_assert_str_eq(s.axis[3].value[1].label, "{kind: token-bucket, burst: 2}");
	ck_assert_int_eq(st_grid_init(&g, &s, &e), 0);
	ck_assert_uint_eq(g.n, 12);
	for (size_t i = 0; i < g.n; i++) {
		const struct st_config *c = &g.point[i].config;

		ck_assert_uint_eq(g.point[i].index[3], i % 2);
		ck_assert_uint_eq(g.point[i].index[0], i / 4);
		ck_assert_uint_eq(c->seed, 4);
		ck_assert_uint_eq(c->group[0].count, 3 + 2 * (i / 4));
		ck_assert_int_eq(st_conditions_has(&c->group[0].retry.on, ST_OUTCOME_TIMEOUT), i / 2 % 2);
		ck_assert_int_eq(c->group[0].retry.budget.kind != 0, i % 2);
	}
	st_grid_release(&g);
	st_scenario_release(&s);
	free(messages);
}
END_TEST

START_TEST(without_axes_there_is_one_point)
{
	struct st_scenario s;
	struct st_grid g;
	struct st_err e = ST_ERR_INIT;
	static const char *const none[ARGS] = {NULL};
	char *messages = read_text(SMALL, none, none, &s);

	ck_assert_uint_eq(s.replications, 1);
	ck_assert_int_eq(st_grid_init(&g, &s, &e), 0);
	ck_assert_uint_eq(g.n, 1);
	ck_assert_int_eq(g.point[0].config.duration, 100 * ST_SEC);
	ck_assert_str_eq(s.name, "check_scenario");
	st_grid_release(&g);
	st_scenario_release(&s);
	free(messages);
}
END_TEST

/* The tables */

START_TEST(every_kind_has_its_key)
{
	struct st_param_rows rows;

	for (enum st_section s = 0; s < ST_SECTION_N; s++) {
		st_params_rows(s, &rows);
		ck_assert_uint_gt(rows.n, 0);
		for (size_t i = 0; i < rows.n; i++)
			ck_assert_msg(!rows.row[i].param->kinds || st_params_kind_of(&rows, i) >= 0, "%s", rows.row[i].path);
	}
}
END_TEST

/* A type says how much room its values take. */
START_TEST(values_keep_within_their_types_size)
{
	enum { GUARD = 32 };
	struct st_param_rows rows;

	for (enum st_section s = 0; s < ST_SECTION_N; s++) {
		st_params_rows(s, &rows);
		for (size_t i = 0; i < rows.n; i++) {
			struct st_param p = *rows.row[i].param;
			unsigned char *field = calloc(1, p.type->size + GUARD);

			if (p.dflt) {
				p.offset = 0;
				memset(field + p.type->size, 0xa5, GUARD);
				st_param_default(&p, field);
				for (size_t k = 0; k < GUARD; k++)
					ck_assert_msg(field[p.type->size + k] == 0xa5, "%s", rows.row[i].path);
				st_param_release(&p, field);
			}
			free(field);
		}
	}
}
END_TEST

/* Shipped scenarios */

static const char *const shipped[] = {"lockstep", "outage"};

START_TEST(shipped_scenarios_read_and_print_the_same_again)
{
	const char *dir = getenv("srcdir");
	struct st_text file = ST_TEXT_INIT;
	struct st_scenario s;
	struct st_err e = ST_ERR_INIT;
	static const char *const none[ARGS] = {NULL};

	st_text_addf(&file, "%s/scenarios/%s.yaml", dir ? dir : ".", shipped[_i]);
	int failed = st_scenario_read(file.s, NULL, 0, NULL, 0, &s, &e);
	st_err_print(&e, stderr);
	ck_assert_int_eq(failed, 0);
	ck_assert_str_eq(s.name, shipped[_i]);
	char *text = canonical(&s);
	st_scenario_release(&s);
	char *messages = read_text(text, none, none, &s);
	ck_assert_str_eq(messages, "");
	char *again = canonical(&s);
	ck_assert_str_eq(again, text);
	st_scenario_release(&s);
	free(text);
	free(again);
	free(messages);
	st_text_release(&file);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("scenario");
	TCase *tc = tcase_create("mistakes");

	tcase_add_loop_test(tc, mistakes_are_told, 0, sizeof mistakes / sizeof *mistakes);
	tcase_add_test(tc, there_may_be_thousands_of_groups_and_services_and_no_more);
	tcase_add_test(tc, a_surge_is_for_a_trace_of_rates);
	suite_add_tcase(s, tc);
	tc = tcase_create("overrides");
	tcase_add_loop_test(tc, overrides_change_what_they_name, 0, sizeof overrides / sizeof *overrides);
	suite_add_tcase(s, tc);
	tc = tcase_create("grid");
	tcase_add_test(tc, the_last_axis_runs_fastest);
	tcase_add_test(tc, without_axes_there_is_one_point);
	suite_add_tcase(s, tc);
	tc = tcase_create("tables");
	tcase_add_test(tc, every_kind_has_its_key);
	tcase_add_test(tc, values_keep_within_their_types_size);
	tcase_add_loop_test(tc, shipped_scenarios_read_and_print_the_same_again, 0, sizeof shipped / sizeof *shipped);
	suite_add_tcase(s, tc);
	return tap_main(s);
}
