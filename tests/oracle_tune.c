/*
 * oracle_tune.c - a tune finds an optimum that has a closed form.
 *
 * N clients are woken within a window W, uniformly, and want one answer each from a service of rate R of which r is taken by others. What
 * arrives fits what is left, and nobody is turned away, if and only if N / W <= R - r. All are done soonest with the
 * least such window, N / (R - r).
 */
#include <config.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "experiment/executor.h"
#include "experiment/space.h"
#include "oracle.h"
#include "tap_main.h"

enum { FIGURES = 2, RUNS_MAX = 4096 };

static const char *const overs[] = {"herd.workload.spread=17s..400s"};
static const char *const bounds[] = {"reject_share <= 0"};

/* A search whose results are kept in memory. */
struct search {
	struct st_scenario scenario;
	struct st_goal goal;
	struct st_space space;
	struct st_race race;
	struct st_grid grid;
	double *value[FIGURES]; /* [point * last + run]; NAN: not run */
};

static bool add(void *to, const struct st_race_at *at)
{
	struct search *s = to;

	return st_space_add(&s->space, at);
}

static struct st_standing look(void *to, size_t point, uint32_t runs)
{
	struct search *s = to;
	const double *const values[] = {s->value[0] + point * s->race.last, s->value[1] + point * s->race.last};

	return st_goal_look(&s->goal, values, runs, s->race.last);
}

static int keep(void *to, const struct st_job *job, struct st_result *r, struct st_err *e)
{
	struct search *s = to;
	size_t at = job->point * s->race.last + job->replication;

	(void)e;
	s->value[0][at] = st_expect_value(&s->goal.of, r);
	s->value[1][at] = st_expect_value(&s->goal.bound[0], r);
	st_result_release(r);
	return 0;
}

static void run_rung(struct search *s)
{
	static struct st_job job[RUNS_MAX];
	struct st_err e = ST_ERR_INIT;
	volatile int stop = 0;
	size_t n = 0;

	for (size_t i = 0; i < s->race.nin; i++)
		for (uint32_t r = 0; r < s->race.runs; r++)
			if (isnan(s->value[0][s->race.in[i] * s->race.last + r]))
				job[n++] = (struct st_job){s->race.in[i], r};
	st_grid_release(&s->grid);
	ck_assert_int_eq(st_grid_init(&s->grid, &s->scenario, &e), 0);
	const struct st_executor_cfg cfg = {.grid = &s->grid, .job = job, .njobs = n, .threads = st_executor_threads.count(0), .stop = &stop,
	    .done = keep, .to = s};
	ck_assert_int_eq(st_executor_run(&cfg, &e), 0);
}

static void begin(struct search *s, const char *text, size_t points)
{
	char file[] = "/tmp/oracle_tune-XXXXXX";
	char herd[] = "herd", users[] = "users";
	const struct st_subject groups[] = {{herd, ST_SCOPE_GROUP, false}, {users, ST_SCOPE_GROUP, false}};
	const struct st_expect_names names = {.subject = groups, .nsubjects = 2};
	struct st_mistakes m = ST_MISTAKES_INIT;
	struct st_err e = ST_ERR_INIT;
	FILE *f = fdopen(mkstemp(file), "w");

	ck_assert_ptr_nonnull(f);
	fputs(text, f);
	fclose(f);
	ck_assert_int_eq(st_scenario_read(file, NULL, 0, NULL, 0, &s->scenario, &e), 0);
	unlink(file);
	ck_assert_int_eq(st_goal_read("min herd.last_success", bounds, 1, &names, &s->goal, &m), 0);
	ck_assert_int_eq(st_space_read(&s->space, &s->scenario, overs, 1, &m), 0);
	struct st_race_cfg cfg = {.axis = s->space.axis, .naxes = 1, .points = points, .first = 4, .add = add, .look = look, .to = s};
	cfg.budget = st_race_least(&cfg) + 5 * st_race_further(&cfg);
	st_race_init(&s->race, &cfg);
	for (size_t i = 0; i < FIGURES; i++) {
		size_t n = st_race_most_points(&s->race) * s->race.last;

		s->value[i] = malloc(n * sizeof *s->value[i]);
		while (n > 0)
			s->value[i][--n] = NAN;
	}
}

static void end(struct search *s)
{
	for (size_t i = 0; i < FIGURES; i++)
		free(s->value[i]);
	st_grid_release(&s->grid);
	st_race_release(&s->race);
	st_space_release(&s->space);
	st_goal_release(&s->goal);
	st_scenario_release(&s->scenario);
}

static const struct {
	int clients, rate, background; /* R and r, per second */
} cases[] = {{10000, 200, 100}, {6000, 250, 100}, {20000, 500, 50}};

/*
 * Within 5 % of N / (R - r). A queue of 3 % of N takes what chance adds for a while, and would hide a window too small by so much;
 * that the sum of N uniform arrivals and of others wanders by about sqrt(N + r W), 1 to 2 % of N, asks for about as much more.
 */
START_TEST(the_window_is_clients_over_spare_rate)
{
	struct search s = {.grid = {.point = NULL}};
	double expected = (double)cases[_i].clients / (cases[_i].rate - cases[_i].background), found;
	size_t *finalist;
	char text[1000];

	snprintf(text, sizeof text,
	    "duration: 450s\n"
	    "service: {workers: 1, service_time: constant %gms, queue: {limit: %d}}\n"
	    "clients:\n"
	    "  herd: {count: %d, workload: {kind: once, spread: 1s}, retry: {attempts: 1}}\n"
	    "  users: {count: 100, workload: {kind: poisson, rate: %d/s}, retry: {attempts: 1}}\n",
	    1000.0 / cases[_i].rate, cases[_i].clients * 3 / 100, cases[_i].clients, cases[_i].background);
	begin(&s, text, 16);
	while (st_race_step(&s.race))
		run_rung(&s);
	ck_assert_uint_gt(st_race_finalists(&s.race, &finalist), 0);
	ck_assert_int_eq(s.race.point[finalist[0]].standing.bounds, ST_JUDGE_HOLDS);
	found = strtod(st_space_label(&s.space, finalist[0], 0), NULL);
	ck_assert_msg(fabs(found / expected - 1) <= 0.05, "window %g s, not %g s", found, expected);
	free(finalist);
	end(&s);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("tune against theory");
	TCase *tc = tcase_create("window");

	tcase_set_timeout(tc, ORACLE_TIMEOUT_S);
	tcase_add_loop_test(tc, the_window_is_clients_over_spare_rate, 0, sizeof cases / sizeof *cases);
	suite_add_tcase(s, tc);
	return tap_main(s);
}
