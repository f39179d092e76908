#include <config.h>

#include "experiment/expect.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "experiment/scenario.h"
#include "tap_main.h"

static char fleet[] = "fleet", old[] = "fleet-old", users[] = "users", api[] = "api", db[] = "db";
static const struct st_subject subjects[] = {{fleet, ST_SCOPE_GROUP, false}, {old, ST_SCOPE_GROUP, false}, {users, ST_SCOPE_GROUP, false},
    {api, ST_SCOPE_SERVICE, false}, {db, ST_SCOPE_SERVICE, false}};
static const struct st_place place = {"x.yaml", 9, 5};

static char policy[] = "retry.policy", jitter[] = "fleet.retry.backoff.jitter", obey[] = "clients.fleet.retry.hint.obey",
	    calm[] = "calm", storm[] = "storm", braces[] = "{kind: off, and more}", none[] = "none", full[] = "full", half[] = "50%",
	    short_obey[] = "fleet.obey", other_jitter[] = "users.retry.backoff.jitter";
static struct st_axis_value policies[] = {{.label = calm}, {.label = storm}, {.label = braces}},
			    jitters[] = {{.label = none}, {.label = full}}, halves[] = {{.label = half}};
static char *obeys[] = {obey};
static const struct st_axis axes[] = {
    {.path = policy, .value = policies, .n = 3, .place = {"x.yaml", 3, 1}},
    {.path = jitter, .value = jitters, .n = 2, .place = {"x.yaml", 4, 1}},
    {.path = other_jitter, .value = jitters, .n = 2, .place = {"x.yaml", 5, 1}},
    {.path = short_obey, .value = halves, .n = 1, .target = obeys, .ntargets = 1, .place = {"--axis fleet.obey=50%", 0, 0}},
};

/* Where the first n subjects are those that can be named. */
static int read_among(size_t n, const char *text, struct st_expect *x, struct st_err *e)
{
	struct st_mistakes m = ST_MISTAKES_INIT;
	const struct st_expect_names names = {.subject = subjects, .nsubjects = n, .axis = axes, .naxes = sizeof axes / sizeof *axes};
	int rc = st_expect_read("expect: ", text, &place, &names, x, &m);

	ck_assert_int_eq(st_mistakes_tell(&m, e), rc);
	return rc;
}

static int read(const char *text, struct st_expect *x, struct st_err *e)
{
	return read_among(sizeof subjects / sizeof *subjects, text, x, e);
}

static const struct {
	const char *text, *subject, *figure;
	enum st_relation relation;
	double value;
} good[] = {
    {"recovery_time <= 60s", NULL, "recovery_time_s", ST_RELATION_AT_MOST, 60},
    {"recovery_time_s<1m", NULL, "recovery_time_s", ST_RELATION_BELOW, 60},
    {"recovery_time < never", NULL, "recovery_time_s", ST_RELATION_BELOW, INFINITY},
    {"  latency.p99 <=  250ms", NULL, "latency_s.p99", ST_RELATION_AT_MOST, 0.25},
    {"success_share >= 95%", NULL, "success_share", ST_RELATION_AT_LEAST, 0.95},
    {"fleet.success_share >= 0.95", "fleet", "success_share", ST_RELATION_AT_LEAST, 0.95},
    {"fleet-old.latency_s.p50 > 1s", "fleet-old", "latency_s.p50", ST_RELATION_ABOVE, 1},
    {"users.failures == 0", "users", "failures", ST_RELATION_EQUAL, 0},
    {"db.amplification <= 3", "db", "amplification", ST_RELATION_AT_MOST, 3},
    {"db.utilisation < 80%", "db", "utilisation", ST_RELATION_BELOW, 0.8},
    {"api.wait.p99 < 1s", "api", "wait_s.p99", ST_RELATION_BELOW, 1},
    {"goodput >= 600/m", NULL, "goodput_per_s", ST_RELATION_AT_LEAST, 10},
    {"after_fault_peak_x_capacity <= 2.5", NULL, "after_fault_peak_x_capacity", ST_RELATION_AT_MOST, 2.5},
    {"utilisation < 80%", NULL, "utilisation", ST_RELATION_BELOW, 0.8},
};

START_TEST(reads_figure_relation_and_value)
{
	struct st_err e = ST_ERR_INIT;
	struct st_expect x;

	ck_assert_msg(read(good[_i].text, &x, &e) == 0, "%s", e.n ? e.message[0] : "?");
	ck_assert_pstr_eq(x.subject, good[_i].subject);
	ck_assert_str_eq(st_figure_at(x.figure)->name, good[_i].figure);
	ck_assert_int_eq(x.relation, good[_i].relation);
	ck_assert_double_eq(x.value, good[_i].value);
	ck_assert_str_eq(x.text, good[_i].text);
	st_expect_release(&x);
}
END_TEST

static const struct {
	const char *text, *says;
} bad[] = {
    {"recovry_time <= 60s", "x.yaml:9:5: expect: no figure is named 'recovry_time'; did you mean 'recovery_time'?"},
    {" latency.p98 <= 1s", "x.yaml:9:6: expect: no figure is named 'latency.p98'; did you mean 'latency.p90'?"},
    {"zebra <= 1s", "x.yaml:9:5: expect: no figure is named 'zebra'; 'stampede figures' lists them"},
    {"fleet.sucess_share >= 1", "x.yaml:9:11: expect: no figure is named 'sucess_share'; did you mean 'fleet.success_share'?"},
    {"flet.success_share >= 1", "x.yaml:9:5: expect: no group or service is named 'flet'; did you mean 'fleet'?"},
    {"zebra.latency.p99 <= 1s", "x.yaml:9:5: expect: no group or service is named 'zebra'; the names there are fleet, fleet-old, users, api, db"},
    {"d.goodput > 1/s", "x.yaml:9:5: expect: no group or service is named 'd'; did you mean 'db'?"},
    {"db.goodptu > 1/s", "x.yaml:9:8: expect: no figure is named 'goodptu'; did you mean 'db.goodput'?"},
    {"fleet.utilisation < 80%", "x.yaml:9:5: expect: 'utilisation' is a figure of the whole run, not of a group"},
    {"recovery_time <= 60", "x.yaml:9:22: expect: recovery_time: expects a duration such as 200ms, or 'never'; got '60' (a "
			    "duration needs a unit: ns, us, ms, s, m, h or d)"},
    {"success_share >= 95", "x.yaml:9:22: expect: success_share: expects a share such as 70%, or 'never'; got '95' (a share "
			    "without % is at most 1)"},
    {"goodput >= ", "x.yaml:9:16: expect: goodput: expects a rate such as 10/s, or 'never'; got nothing"},
    {"goodput => 5/s", "x.yaml:9:13: expect: goodput: expects one of <=, <, >=, >, == and a value; got '=> 5/s'"},
    {"goodput != 5/s", "x.yaml:9:13: expect: goodput: expects one of <=, <, >=, >, == and a value; got '!= 5/s'"},
    {"goodput", "x.yaml:9:5: expect: 'goodput' is no figure, relation and value, such as 'recovery_time <= 60s'"},
    {"<= 5s", "x.yaml:9:5: expect: '<= 5s' is no figure, relation and value, such as 'recovery_time <= 60s'"},
    {"goodput > 1/s in 95%", "x.yaml:9:22: expect: expects a share of the runs such as 'in 95% of runs'; got 'in 95%'"},
    {"goodput > 1/s in 0% of runs", "x.yaml:9:22: expect: expects a share of the runs such as 'in 95% of runs'; got 'in 0% of runs'"},
    {"goodput > 1/s when polcy = calm", "x.yaml:9:24: expect: no axis is named 'polcy'; did you mean 'policy'?"},
    {"goodput > 1/s when policy = clam", "x.yaml:9:33: expect: the axis 'retry.policy' has no value 'clam'; did you mean 'calm'?"},
    {"goodput > 1/s when  policy =  zebra and policy = calm",
	"x.yaml:9:35: expect: the axis 'retry.policy' has no value 'zebra'; it has calm, storm, {kind: off, and more}"},
    {"goodput > 1/s when jitter = full",
	"x.yaml:9:24: expect: 'jitter' may be the axis 'fleet.retry.backoff.jitter' or 'users.retry.backoff.jitter'"},
    {"goodput > 1/s when policy", "x.yaml:9:24: expect: expects 'when AXIS = VALUE'; got 'policy'"},
    {"goodput > 1/s when policy = calm and ", "x.yaml:9:42: expect: expects 'when AXIS = VALUE'; got ''"},
    {"", "x.yaml:9:5: expect: '' is no figure, relation and value, such as 'recovery_time <= 60s'"},
    {"flet.succes_share > 5%", "x.yaml:9:5: expect: no figure is named 'flet.succes_share'; did you mean 'fleet.success_share'?"},
    {"apii.offerd_peak > 5/s", "x.yaml:9:5: expect: no figure is named 'apii.offerd_peak'; did you mean 'api.offered_peak'?"},
    {"flet.latncy.p99 > 5s", "x.yaml:9:5: expect: no figure is named 'flet.latncy.p99'; did you mean 'fleet.latency.p99'?"},
    {"latncy.p99 > 5s", "x.yaml:9:5: expect: no figure is named 'latncy.p99'; did you mean 'latency.p99'?"},
    {"zebra.succes_share > 5%", "x.yaml:9:5: expect: no figure is named 'zebra.succes_share'; 'stampede figures' lists them"},
    {"fleet.zebra > 5%", "x.yaml:9:11: expect: no figure is named 'zebra'; 'stampede figures' lists them"},
    {"operations > 5x", "x.yaml:9:18: expect: operations: expects a number such as 2.5, or 'never'; got '5x' (a number takes the suffixes k, M "
			"and G and no unit)"},
    {"recovery time <= 5s", "x.yaml:9:5: expect: no figure is named 'recovery time'; did you mean 'recovery_time'?"},
};

START_TEST(mistakes_are_told_with_their_place)
{
	struct st_err e = ST_ERR_INIT;
	struct st_expect x;

	ck_assert_int_eq(read(bad[_i].text, &x, &e), -1);
	ck_assert_int_eq(e.code, ST_EXIT_USER);
	ck_assert_uint_eq(e.n, 1);
	ck_assert_str_eq(e.message[0], bad[_i].says);
	ck_assert_ptr_null(x.text);
	st_err_release(&e);
}
END_TEST

static const struct {
	const char *text;
	double value;
	bool holds;
	const char *shown;
} verdicts[] = {
    {"recovery_time <= 60s", 60, true, "60 s"},
    {"recovery_time <= 60s", 60.0001, false, "60.0001 s"},
    {"recovery_time <= 60s", INFINITY, false, "never"},
    {"recovery_time < 60s", 60, false, "60 s"},
    {"recovery_time < never", 1e9, true, "1e+09 s"},
    {"recovery_time < never", INFINITY, false, "never"},
    {"recovery_time <= never", INFINITY, false, "never"},
    {"recovery_time == never", INFINITY, true, "never"},
    {"recovery_time > 5s", INFINITY, true, "never"},
    {"recovery_time >= 0s", NAN, false, "absent"},
    {"recovery_time <= 60s", NAN, false, "absent"},
    {"success_share >= 95%", 0.95, true, "95 %"},
    {"success_share >= 95%", 0.94996, false, "94.996 %"},
    {"success_share >= 95%", 0.123456, false, "12.3 %"},
    {"goodput > 200/s", 200.5, true, "200.5/s"},
    {"failures == 0", 1, false, "1"},
    {"failures == 0", 0, true, "0"},
};

START_TEST(holds_or_not_and_shows_on_which_side)
{
	struct st_err e = ST_ERR_INIT;
	struct st_text t = ST_TEXT_INIT;
	struct st_expect x;

	ck_assert_int_eq(read(verdicts[_i].text, &x, &e), 0);
	ck_assert_int_eq(st_expect_holds(&x, verdicts[_i].value), verdicts[_i].holds);
	st_expect_print_value(&x, verdicts[_i].value, 0, &t);
	ck_assert_str_eq(t.s, verdicts[_i].shown);
	st_text_release(&t);
	st_expect_release(&x);
}
END_TEST

/* success_share of the whole, of fleet and of db: 0.5, 0.25, 0.75. */
START_TEST(takes_the_value_of_the_run_the_group_or_the_service)
{
	const size_t n = st_figure_count(), share = (size_t)st_figure_find("success_share");
	double *figure = st_calloc(3 * n, sizeof *figure);
	struct st_result_subject group[] = {{.name = fleet, .scope = ST_SCOPE_GROUP, .figure = figure + n},
	    {.name = db, .scope = ST_SCOPE_SERVICE, .figure = figure + 2 * n}};
	struct st_result r = {.figure = figure, .subject = group, .nsubjects = 2};
	static const char *const texts[] = {"success_share > 0", "fleet.success_share > 0", "db.success_share > 0"};
	struct st_err e = ST_ERR_INIT;
	struct st_expect x;

	figure[share] = 0.5;
	figure[n + share] = 0.25;
	figure[2 * n + share] = 0.75;
	for (size_t i = 0; i < 3; i++) {
		ck_assert_int_eq(read(texts[i], &x, &e), 0);
		ck_assert_double_eq(st_expect_value(&x, &r), figure[i * n + share]);
		st_expect_release(&x);
	}
	ck_assert_int_eq(read("fleet-old.success_share > 0", &x, &e), 0); /* a point of an axis may lack it */
	ck_assert(isnan(st_expect_value(&x, &r)));
	st_expect_release(&x);
	ck_assert_int_eq(read_among(4, "api.success_share > 0", &x, &e), 0); /* a service alone is the whole, groups or not */
	ck_assert_double_eq(st_expect_value(&x, &r), 0.5);
	st_expect_release(&x);
	free(figure);
}
END_TEST

START_TEST(without_services_none_is_missed)
{
	struct st_err e = ST_ERR_INIT;
	struct st_expect x;

	ck_assert_int_eq(read_among(3, "zebra.goodput > 1/s", &x, &e), -1);
	ck_assert_str_eq(e.message[0], "x.yaml:9:5: expect: no group is named 'zebra'; the names there are fleet, fleet-old, users");
	st_err_release(&e);
}
END_TEST

static const struct {
	const char *text, *bound;
	double share;
	size_t axis[2];
	const char *value[2];
	size_t n;
} tails[] = {
    {"goodput > 1/s", "> 1/s", NAN, {0}, {NULL}, 0},
    {"recovery_time <= 60s in 95% of runs", "<= 60s in 95% of runs", 0.95, {0}, {NULL}, 0},
    {"recovery_time<=60s in 1 of runs  when policy=storm", "<=60s in 1 of runs ", 1, {0}, {"storm"}, 1},
    {"goodput > 1/s when fleet.retry.backoff.jitter = full and  policy = {kind: off, and more} ", "> 1/s", NAN, {1, 0},
	{"full", "{kind: off, and more}"}, 2},
    {"goodput > 1/s when hint.obey = 0%", "> 1/s", NAN, {3}, {"0%"}, 1}, /* --axis has other values */
};

START_TEST(reads_of_which_runs_and_at_which_points)
{
	struct st_err e = ST_ERR_INIT;
	struct st_expect x;

	ck_assert_msg(read(tails[_i].text, &x, &e) == 0, "%s", e.n ? e.message[0] : "?");
	ck_assert(x.share == tails[_i].share || (isnan(x.share) && isnan(tails[_i].share)));
	ck_assert_uint_eq(x.when.n, tails[_i].n);
	for (size_t i = 0; i < x.when.n; i++) {
		ck_assert_uint_eq(x.when.at[i].axis, tails[_i].axis[i]);
		ck_assert_str_eq(x.when.at[i].value, tails[_i].value[i]);
	}
	char *bound = st_expect_bound(&x);
	ck_assert_str_eq(bound, tails[_i].bound);
	free(bound);
	st_expect_release(&x);
}
END_TEST

START_TEST(a_point_meets_all_conditions_or_is_not_meant)
{
	char *at[][4] = {{calm, full, none, half}, {storm, full, none, half}, {storm, none, none, half}};
	struct st_err e = ST_ERR_INIT;
	struct st_expect x;

	ck_assert_int_eq(read("goodput > 1/s when policy = storm and fleet.retry.backoff.jitter = full", &x, &e), 0);
	ck_assert(!st_when_met(&x.when, at[0]) && st_when_met(&x.when, at[1]) && !st_when_met(&x.when, at[2]));
	st_expect_release(&x);
	ck_assert_int_eq(read("goodput > 1/s", &x, &e), 0);
	ck_assert(st_when_met(&x.when, at[0]));
	st_expect_release(&x);
}
END_TEST

/* The group's values are one a replication more than the whole's. */
START_TEST(takes_the_values_of_the_replications)
{
	struct st_subject group[] = {{fleet, ST_SCOPE_GROUP, true}, {users, ST_SCOPE_GROUP, false}};
	double whole[3] = {1, 2, 6}, of_fleet[3] = {2, 3, 7};
	double **value = st_calloc(st_figure_count(), sizeof *value), **fleet_value = st_calloc(st_figure_count(), sizeof *value);
	double **both[] = {fleet_value, value};
	struct st_sweep_point p = {.n = 3, .value = value, .subject_value = both};
	struct st_sweep_result r = {.point = &p, .npoints = 1, .subject = group, .nsubjects = 2};
	struct st_err e = ST_ERR_INIT;
	struct st_expect run, one;

	ck_assert_int_eq(read("recovery_time <= 3s", &run, &e), 0);
	ck_assert_int_eq(read("fleet.recovery_time <= 3s", &one, &e), 0);
	value[run.figure] = whole;
	fleet_value[run.figure] = of_fleet;
	ck_assert_ptr_eq(st_expect_values(&run, &r, &p), whole);
	ck_assert_ptr_eq(st_expect_values(&one, &r, &p), of_fleet);
	r.nsubjects = 0; /* the only group is the whole */
	ck_assert_ptr_eq(st_expect_values(&one, &r, &p), whole);
	st_expect_release(&run);
	st_expect_release(&one);
	free(value);
	free(fleet_value);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("expect");
	TCase *tc = tcase_create("expectations");

	tcase_add_loop_test(tc, reads_figure_relation_and_value, 0, sizeof good / sizeof *good);
	tcase_add_loop_test(tc, mistakes_are_told_with_their_place, 0, sizeof bad / sizeof *bad);
	tcase_add_loop_test(tc, holds_or_not_and_shows_on_which_side, 0, sizeof verdicts / sizeof *verdicts);
	tcase_add_test(tc, takes_the_value_of_the_run_the_group_or_the_service);
	tcase_add_test(tc, without_services_none_is_missed);
	tcase_add_loop_test(tc, reads_of_which_runs_and_at_which_points, 0, sizeof tails / sizeof *tails);
	tcase_add_test(tc, a_point_meets_all_conditions_or_is_not_meant);
	tcase_add_test(tc, takes_the_values_of_the_replications);
	suite_add_tcase(s, tc);
	return tap_main(s);
}
