/*
 * check_tune.c - the search of a tune on functions whose best point is known, and how its goal and its space are read.
 */
#include <config.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "experiment/goal.h"
#include "experiment/grid.h"
#include "experiment/race.h"
#include "experiment/range.h"
#include "experiment/space.h"
#include "tap_main.h"

/* --- the race --- */

enum { POINTS_MAX = 400, AXES_MAX = 3 };

/* A function with its points, in the place of a simulation. */
struct made {
	struct st_standing (*value)(const struct st_race_at *at, size_t point, uint32_t runs);
	struct st_race_at at[POINTS_MAX][AXES_MAX];
	size_t n, naxes;
};

static bool add(void *to, const struct st_race_at *at)
{
	struct made *m = to;

	for (size_t p = 0; p < m->n; p++) {
		size_t a = 0;

		while (a < m->naxes && m->at[p][a].item == at[a].item && m->at[p][a].u == at[a].u)
			a++;
		if (a == m->naxes)
			return false;
	}
	ck_assert_uint_lt(m->n, POINTS_MAX);
	memcpy(m->at[m->n++], at, m->naxes * sizeof *at);
	return true;
}

static struct st_standing look(void *to, size_t point, uint32_t runs)
{
	struct made *m = to;

	return m->value(m->at[point], point, runs);
}

static void run_race(struct made *m, const struct st_race_axis *axis, size_t naxes, unsigned further, struct st_race *r)
{
	struct st_race_cfg cfg = {.axis = axis, .naxes = naxes, .points = 64, .first = 4, .add = add, .look = look, .to = m};

	m->n = 0;
	m->naxes = naxes;
	cfg.budget = st_race_least(&cfg) + further * st_race_further(&cfg);
	st_race_init(r, &cfg);
	while (st_race_step(r))
		ck_assert_uint_le(r->spent, st_race_most_runs(r));
	ck_assert_uint_eq(r->npoints, m->n);
}

/* The best finalist. */
static size_t best_of(struct st_race *r)
{
	size_t *finalist, n = st_race_finalists(r, &finalist), best = n > 0 ? finalist[0] : SIZE_MAX;

	for (size_t i = 0; i < n; i++)
		ck_assert_uint_eq(r->point[finalist[i]].wanted, r->last);
	free(finalist);
	return best;
}

/* A valley across the axes, least at (0.3, 0.8, 0.55); with noise that the first runs share, as random numbers in common do. */
static struct st_standing valley(const struct st_race_at *at, size_t point, uint32_t runs)
{
	double x = at[0].u - 0.3, y = at[1].u - 0.8, z = at[2].u - 0.55;

	(void)point;
	return (struct st_standing){.bounds = ST_JUDGE_HOLDS, .cost = x * x + y * y + z * z + 0.3 * x * y + 0.5 / runs};
}

START_TEST(finds_the_bottom_of_a_valley)
{
	static struct made m = {.value = valley};
	const struct st_race_axis axis[] = {{0, 1}, {0, 1}, {0, 1}};
	struct st_race r;

	run_race(&m, axis, 3, 6, &r);
	const struct st_race_at *at = m.at[best_of(&r)];
	ck_assert_double_eq_tol(at[0].u, 0.3, 0.05);
	ck_assert_double_eq_tol(at[1].u, 0.8, 0.05);
	ck_assert_double_eq_tol(at[2].u, 0.55, 0.05);
	st_race_release(&r);
}
END_TEST

/* The less the better, down to where the bound breaks; near it nobody can tell until there are many runs. */
static struct st_standing edge(const struct st_race_at *at, size_t point, uint32_t runs)
{
	double x = at[0].u - 0.371, half = 0.2 / sqrt(runs);

	(void)point;
	return (struct st_standing){.bounds = x > half ? ST_JUDGE_HOLDS : x > -half ? ST_JUDGE_OPEN : ST_JUDGE_FAILS,
	    .excess = fmax(0, 0.025 - x), .cost = at[0].u};
}

/* What surely holds is the interval's half-width of 64 runs from the edge: 0.025. */
START_TEST(goes_up_to_a_bound)
{
	static struct made m = {.value = edge};
	const struct st_race_axis axis[] = {{0, 1}};
	struct st_race r;

	run_race(&m, axis, 1, 5, &r);
	size_t best = best_of(&r);
	ck_assert_int_eq(r.point[best].standing.bounds, ST_JUDGE_HOLDS);
	ck_assert_double_eq_tol(m.at[best][0].u, 0.371 + 0.025, 0.003);
	st_race_release(&r);
}
END_TEST

/* Of seven words the fifth is best, and of the second axis the interval, not its two words. */
static struct st_standing words(const struct st_race_at *at, size_t point, uint32_t runs)
{
	(void)point, (void)runs;
	return (struct st_standing){.bounds = ST_JUDGE_HOLDS,
	    .cost = fabs((double)at[0].item - 4) + (at[1].item == 2 ? fabs(at[1].u - 0.123) : 0.5)};
}

START_TEST(words_and_an_interval_mix)
{
	static struct made m = {.value = words};
	const struct st_race_axis axis[] = {{7, 0}, {2, 1}};
	struct st_race r;

	run_race(&m, axis, 2, 5, &r);
	const struct st_race_at *at = m.at[best_of(&r)];
	ck_assert_uint_eq(at[0].item, 4);
	ck_assert_uint_eq(at[1].item, 2);
	ck_assert_double_eq_tol(at[1].u, 0.123, 0.02);
	st_race_release(&r);
}
END_TEST

/* Fewer points than are asked for: each is made once, and the race ends. */
START_TEST(a_small_space_is_searched_whole)
{
	static struct made m = {.value = words};
	const struct st_race_axis axis[] = {{7, 0}, {2, 0}};
	struct st_race r;

	run_race(&m, axis, 2, 5, &r);
	ck_assert_uint_eq(r.npoints, 14);
	ck_assert_uint_eq(m.at[best_of(&r)][0].item, 4);
	st_race_release(&r);
}
END_TEST

static struct st_standing nowhere(const struct st_race_at *at, size_t point, uint32_t runs)
{
	(void)point, (void)runs;
	return (struct st_standing){.bounds = ST_JUDGE_FAILS, .excess = 1 + fabs(at[0].u - 0.7), .cost = at[0].u};
}

START_TEST(where_no_point_keeps_the_bounds_the_nearest_wins)
{
	static struct made m = {.value = nowhere};
	const struct st_race_axis axis[] = {{0, 1}};
	struct st_race r;

	run_race(&m, axis, 1, 5, &r);
	ck_assert_double_eq_tol(m.at[best_of(&r)][0].u, 0.7, 0.005);
	st_race_release(&r);
}
END_TEST

START_TEST(a_larger_budget_begins_with_the_same_points)
{
	static struct made few = {.value = valley}, many = {.value = valley};
	const struct st_race_axis axis[] = {{0, 1}, {0, 1}, {0, 1}};
	struct st_race a, b;

	run_race(&few, axis, 3, 1, &a);
	run_race(&many, axis, 3, 3, &b);
	ck_assert_uint_lt(few.n, many.n);
	for (size_t p = 0; p < few.n; p++)
		for (size_t k = 0; k < 3; k++)
			ck_assert(few.at[p][k].u == many.at[p][k].u);
	st_race_release(&a);
	st_race_release(&b);
}
END_TEST

/* --- the goal --- */

static struct st_goal make_goal(const char *text, const char *bound)
{
	const struct st_expect_names names = {.subject = NULL};
	struct st_mistakes m = ST_MISTAKES_INIT;
	struct st_goal g;

	ck_assert_int_eq(st_goal_read(text, &bound, bound ? 1 : 0, &names, &g, &m), 0);
	return g;
}

START_TEST(never_is_worse_than_any_number)
{
	struct st_goal g = make_goal("max goodput", NULL);
	const double good[] = {1, 1, 1, 1}, bad[] = {1e9, 1e9, INFINITY, 1e9}, worse[] = {1e9, NAN, INFINITY, 1e9};
	const double *const value[] = {good, bad, worse};
	struct st_standing s[3];

	for (size_t i = 0; i < 3; i++)
		s[i] = st_goal_look(&g, &value[i], 4, 4);
	ck_assert_int_lt(st_standing_in_race(&s[0], &s[1]), 0);
	ck_assert_int_lt(st_standing_in_end(&s[1], &s[2]), 0);
	ck_assert_int_gt(st_standing_in_end(&s[2], &s[0]), 0);
	st_goal_release(&g);
}
END_TEST

START_TEST(bounds_come_before_the_goal)
{
	struct st_goal g = make_goal("min recovery_time", "after_fault_peak_x_capacity <= 1.2");
	const double cost[] = {5, 5, 5}, less[] = {1, 1, 1}, kept[] = {1, 1.1, 1}, open[] = {1.1, 1.14, 1.22}, tight[] = {1.19, 1.1, 1.3}, broken[] = {2, 2.1, 2}, far[] = {9, 9, 8};
	const double *const safe[] = {cost, kept}, *const unsure[] = {less, open}, *const unlikely[] = {less, tight}, *const out[] = {less, broken}, *const beyond[] = {less, far};
	struct st_standing a = st_goal_look(&g, safe, 3, 48), b = st_goal_look(&g, unsure, 3, 48), u = st_goal_look(&g, unlikely, 3, 48), c = st_goal_look(&g, out, 3, 48), d = st_goal_look(&g, beyond, 3, 48);

	ck_assert_int_eq(a.bounds, ST_JUDGE_HOLDS);
	ck_assert_int_eq(b.bounds, ST_JUDGE_OPEN);
	ck_assert_int_eq(c.bounds, ST_JUDGE_FAILS);
	ck_assert_int_eq(u.bounds, ST_JUDGE_OPEN);
	ck_assert_int_gt(st_standing_in_race(&a, &b), 0); /* with more runs it will be known to keep it */
	ck_assert_int_lt(st_standing_in_race(&a, &u), 0); /* it will not */
	ck_assert_int_lt(st_standing_in_end(&a, &b), 0);
	ck_assert_int_lt(st_standing_in_race(&b, &c), 0);
	ck_assert_int_lt(st_standing_in_race(&c, &d), 0);
	st_goal_release(&g);
}
END_TEST

static const struct {
	const char *goal, *bound, *says;
} wrong_goals[] = {
    {"recovery_time", NULL, "expects min or max and a figure, such as 'min recovery_time'; got 'recovery_time'"},
    {"min", NULL, "expects min or max and a figure"},
    {"least recovery_time", NULL, "expects min or max and a figure"},
    {"min recovery_tme", NULL, "no figure is named 'recovery_tme'; did you mean 'recovery_time'?"},
    {"min recovery_time", "peak <= 2", "--subject-to: "},
    {"min recovery_time", "goodput >= 2", "such as 10/s"},
    {"min recovery_time", "goodput >= 2/s when jitter = full", "takes no 'when'"},
};

START_TEST(wrong_goals_are_told)
{
	const struct st_expect_names names = {.subject = NULL};
	struct st_mistakes m = ST_MISTAKES_INIT;
	struct st_err e = ST_ERR_INIT;
	struct st_goal g;

	ck_assert_int_lt(st_goal_read(wrong_goals[_i].goal, &wrong_goals[_i].bound, wrong_goals[_i].bound ? 1 : 0, &names, &g, &m), 0);
	ck_assert_int_lt(st_mistakes_tell(&m, &e), 0);
	ck_assert_msg(strstr(e.message[0], wrong_goals[_i].says) != NULL, "%s", e.message[0]);
	st_err_release(&e);
	st_goal_release(&g);
}
END_TEST

/* --- the space --- */

static const char scenario[] =
    "duration: 1m\n"
    "service: {workers: 1, service_time: constant 10ms}\n"
    "clients:\n"
    "  fleet:\n"
    "    count: 10\n"
    "    workload: once\n"
    "    retry: {attempts: 3, backoff: {base: 1s, jitter: full}, budget: {kind: token-bucket, rate: 1/s, burst: 10}}\n"
    "sweep:\n"
    "  axes:\n"
    "    policy: {plain: {}, twice: {fleet.retry.attempts: 2}}\n";

/* The same without a budget, and with another group that has none. */
static const char bare[] =
    "duration: 1m\n"
    "service: {workers: 1, service_time: constant 10ms}\n"
    "clients:\n"
    "  fleet: {count: 10, workload: once, retry: {attempts: 3, breaker: {kind: consecutive}}}\n"
    "  users: {count: 10, workload: once, retry: {preset: finagle, budget: off}}\n";

static int read_space_of(const char *text, const char *over, struct st_scenario *s, struct st_space *sp, struct st_err *e)
{
	char file[] = "/tmp/check_tune-XXXXXX";
	int fd = mkstemp(file);
	struct st_mistakes m = ST_MISTAKES_INIT;

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq((int)write(fd, text, strlen(text)), (int)strlen(text));
	close(fd);
	ck_assert_int_eq(st_scenario_read(file, NULL, 0, NULL, 0, s, e), 0);
	unlink(file);
	st_space_read(sp, s, &over, 1, &m);
	return st_mistakes_tell(&m, e);
}

static int read_space(const char *over, struct st_scenario *s, struct st_space *sp, struct st_err *e)
{
	return read_space_of(scenario, over, s, sp, e);
}

START_TEST(axes_with_and_without_values)
{
	struct st_scenario s;
	struct st_space sp;
	struct st_err e = ST_ERR_INIT;
	struct st_text t = ST_TEXT_INIT;

	ck_assert_int_eq(
	    read_space("base=50ms..2s, cap=5s..120s,jitter,budget.rate=off,1/s..200/s,policy,fleet.count=[2,4..8 step 2]", &s, &sp, &e), 0);
	ck_assert_uint_eq(s.naxes, 6);
	ck_assert_str_eq(s.axis[0].path, "backoff.base");
	ck_assert_str_eq(s.axis[2].path, "backoff.jitter");
	ck_assert(sp.axis[0].words == 0 && sp.axis[0].intervals == 1 && sp.interval[0][0].is_log);
	ck_assert_uint_gt(sp.axis[2].words, 5);
	ck_assert(sp.axis[3].words == 1 && sp.axis[3].intervals == 1);
	ck_assert_uint_eq(sp.axis[4].words, 2);
	ck_assert_uint_eq(sp.axis[5].words, 4);

	const struct st_race_at low[] = {{0, 0}, {0, 0.5}, {0, 0}, {0, 0}, {1, 0}, {3, 0}}, high[] = {{0, 1}, {0, 1}, {0, 0}, {1, 0.5}, {0, 0}, {0, 0}};
	ck_assert(st_space_add(&sp, low) && st_space_add(&sp, high));
	ck_assert(!st_space_add(&sp, low));
	ck_assert_uint_eq(s.sample, 2);
	st_space_print(&sp, 0, &t);
	ck_assert_str_eq(t.s, "--set backoff.base=50ms --set cap=24.4949s --set backoff.jitter=none --set clients.fleet.retry.budget=off "
			      "--set clients.fleet.retry.attempts=2 --set fleet.count=8");
	st_text_release(&t);
	st_space_print(&sp, 1, &t);
	ck_assert_str_eq(t.s, "--set backoff.base=2s --set cap=120s --set backoff.jitter=none --set budget.rate=14.1421/s --set fleet.count=2");
	st_text_release(&t);
	st_space_release(&sp);
	st_scenario_release(&s);
}
END_TEST

START_TEST(a_budget_that_is_off_is_put_on)
{
	struct st_scenario s;
	struct st_space sp;
	struct st_grid g;
	struct st_err e = ST_ERR_INIT;
	struct st_text t = ST_TEXT_INIT;

	ck_assert_int_eq(read_space_of(bare, "budget.rate=off,1/s..200/s,breaker.failures=5..9", &s, &sp, &e), 0);
	const struct st_race_at on[] = {{1, 1}, {0, 0}}, off[] = {{0, 0}, {0, 0.99}};
	ck_assert(st_space_add(&sp, on) && st_space_add(&sp, off));
	ck_assert_int_eq(st_grid_init(&g, &s, &e), 0);
	for (size_t i = 0; i < 2; i++) {
		ck_assert_double_eq(g.point[0].config.group[i].retry.budget.rate_per_s, 200);
		ck_assert_double_eq(g.point[0].config.group[i].retry.budget.burst, 10);
		ck_assert_uint_eq(g.point[1].config.group[i].retry.budget.kind, 0);
	}
	st_space_print(&sp, 0, &t);
	ck_assert_str_eq(t.s, "--set budget.kind=token-bucket --set budget.rate=200/s --set breaker.kind=consecutive --set breaker.failures=5");
	st_text_release(&t);
	st_space_say(&sp, 0, &t);
	ck_assert_str_eq(t.s, "budget.rate is clients.fleet.retry.budget.rate and clients.users.retry.budget.rate, of kind token-bucket: the scenario "
			      "has it off");
	st_text_release(&t);
	st_grid_release(&g);
	st_space_release(&sp);
	st_scenario_release(&s);
}
END_TEST

/* Points that differ in what means nothing are one. */
START_TEST(what_is_off_has_no_other_values)
{
	struct st_scenario s;
	struct st_space sp;
	struct st_grid g;
	struct st_err e = ST_ERR_INIT;
	struct st_text t = ST_TEXT_INIT;

	ck_assert_int_eq(read_space_of(bare, "budget.rate=off,1/s..200/s,budget.burst=5..50", &s, &sp, &e), 0);
	const struct st_race_at on[] = {{1, 1}, {0, 0}}, off[] = {{0, 0}, {0, 0.5}}, again[] = {{0, 0}, {0, 0.7}};
	ck_assert(st_space_add(&sp, off) && st_space_add(&sp, on) && !st_space_add(&sp, again));
	ck_assert_str_eq(st_space_label(&sp, 0, 1), "-");
	ck_assert_int_eq(st_grid_init(&g, &s, &e), 0);
	ck_assert_uint_eq(g.point[0].config.group[1].retry.budget.kind, 0);
	ck_assert_double_eq(g.point[1].config.group[1].retry.budget.burst, 5);
	st_space_print(&sp, 0, &t);
	ck_assert_str_eq(t.s, "--set clients.fleet.retry.budget=off --set clients.users.retry.budget=off");
	st_text_release(&t);
	st_grid_release(&g);
	st_space_release(&sp);
	st_scenario_release(&s);
}
END_TEST

static const struct {
	const char *over, *says;
} wrong_spaces[] = {
    {"", "--over: expects from 1 to 40 parameters"},
    {"bse=1s..2s", "no parameter is named 'bse'"},
    {"base", "backoff.base: expects values"},
    {"base=2s..1s", "it ends below its beginning"},
    {"attempts=1.5..3", "whole numbers"},
    {"base=1s,,2s", "is missing before a comma"},
    {"base=1s,backoff.base=2s", "sets clients.fleet.retry.backoff.base already"},
    {"policy=plan", "did you mean 'plain'?"},
    {"attempts=1..5,kind", "'kind' fits different parameters; write one of service.kind, workload.kind (clients.fleet.workload.kind), "},
    {"attempts=1..5,base", "backoff.base: expects values, such as"},
    {"cap={a: [}", "--over cap={a: [}: no valid YAML"},
    {"breaker.scope=group,client", "is off, and 'scope' belongs to consecutive, "},
};

START_TEST(wrong_spaces_are_told)
{
	struct st_scenario s;
	struct st_space sp;
	struct st_err e = ST_ERR_INIT;

	ck_assert_int_lt(read_space(wrong_spaces[_i].over, &s, &sp, &e), 0);
	ck_assert_msg(strstr(e.message[0], wrong_spaces[_i].says) != NULL, "%s", e.message[0]);
	st_err_release(&e);
	st_space_release(&sp);
	st_scenario_release(&s);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("tune");
	TCase *race = tcase_create("race"), *goal = tcase_create("goal"), *space = tcase_create("space");

	tcase_add_test(race, finds_the_bottom_of_a_valley);
	tcase_add_test(race, goes_up_to_a_bound);
	tcase_add_test(race, words_and_an_interval_mix);
	tcase_add_test(race, a_small_space_is_searched_whole);
	tcase_add_test(race, where_no_point_keeps_the_bounds_the_nearest_wins);
	tcase_add_test(race, a_larger_budget_begins_with_the_same_points);
	tcase_add_test(goal, never_is_worse_than_any_number);
	tcase_add_test(goal, bounds_come_before_the_goal);
	tcase_add_loop_test(goal, wrong_goals_are_told, 0, sizeof wrong_goals / sizeof *wrong_goals);
	tcase_add_test(space, a_budget_that_is_off_is_put_on);
	tcase_add_test(space, what_is_off_has_no_other_values);
	tcase_add_test(space, axes_with_and_without_values);
	tcase_add_loop_test(space, wrong_spaces_are_told, 0, sizeof wrong_spaces / sizeof *wrong_spaces);
	suite_add_tcase(s, race);
	suite_add_tcase(s, goal);
	suite_add_tcase(s, space);
	return tap_main(s);
}
