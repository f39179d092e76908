#include <config.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/cmd.h"
#include "app/load.h"
#include "app/tune.h"
#include "app/tuned.h"
#include "base/mem.h"
#include "experiment/subject.h"
#include "output/csv.h"
#include "output/file.h"
#include "output/json.h"

enum { FIRST_RUNS = 4, FURTHER_GENERATIONS = 5 };

/* What the options say of the search. */
struct settings {
	uint64_t points, first, runs; /* runs 0: what five further generations take */
};

static const struct st_param rows[] = {
    {.name = "--points", .type = &st_param_count, .offset = offsetof(struct settings, points), .dflt = "64", .min = 4, .max = 10000},
    {.name = "--replications", .type = &st_param_count, .offset = offsetof(struct settings, first), .dflt = "4", .min = 2, .max = 1000},
    {.name = "--runs", .type = &st_param_count, .offset = offsetof(struct settings, runs), .dflt = "0", .min = 1, .max = ST_SCENARIO_TRIALS_MAX},
};

static int read_settings(const struct st_opts *o, struct settings *s, struct st_err *e)
{
	const char *const text[] = {o->points, o->replications, o->runs};

	*s = (struct settings){64, FIRST_RUNS, 0};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if (text[i])
			st_param_read_text(&rows[i], text[i], NULL, s, e);
	return st_err_any(e) ? -1 : 0;
}

static int read_goal(struct st_tune *t, struct st_mistakes *m)
{
	const struct st_opts *o = t->o;
	struct st_subjects subjects = ST_SUBJECTS_INIT;

	if (!o->goal)
		return st_mistakes_add(m, &(struct st_place){"--goal", 0, 0}, "is missing: what is wanted, such as 'min recovery_time'");
	bool has_all = st_subjects_add_tree(&subjects, t->scenario->tree);
	const struct st_expect_names names = {.subject = subjects.at, .nsubjects = subjects.n, .lacks_subjects = !has_all};
	int rc = st_goal_read(o->goal, o->subject.at, o->subject.n, &names, &t->goal, m);
	st_subjects_release(&subjects);
	return rc;
}

static bool add(void *to, const struct st_race_at *at)
{
	struct st_tune *t = to;

	return st_space_add(&t->space, at);
}

static int begin_race(struct st_tune *t, const struct settings *s, struct st_err *e)
{
	struct st_race_cfg cfg = {.axis = t->space.axis, .naxes = t->scenario->naxes, .points = s->points, .first = (uint32_t)s->first,
	    .add = add, .look = st_tune_look, .to = t};
	uint64_t least = st_race_least(&cfg);

	cfg.budget = s->runs > 0 ? s->runs : least + FURTHER_GENERATIONS * st_race_further(&cfg);
	if (cfg.budget < least)
		return st_err_add(e, ST_EXIT_USER, NULL,
		    "--runs %" PRIu64 " is too few: %" PRIu64 " points of %" PRIu64 " runs, the halvings after them and the fresh runs of the best take %" PRIu64
		    ", each further generation %" PRIu64 "; fewer --points take fewer",
		    cfg.budget, s->points, s->first, least, st_race_further(&cfg));
	if (least > ST_SCENARIO_TRIALS_MAX)
		return st_err_add(e, ST_EXIT_USER, NULL, "--points %" PRIu64 " of %" PRIu64 " runs take %" PRIu64 " runs; at most %d can be made",
		    s->points, s->first, least, ST_SCENARIO_TRIALS_MAX);
	st_race_init(&t->race, &cfg);
	return 0;
}

/* What a store is of: the scenario, and all that the search's decisions depend on, but for how long it goes on. */
static void identify(struct st_tune *t, const struct st_config *base, const struct settings *s)
{
	st_scenario_print(base, NULL, &t->identity);
	st_text_addf(&t->identity, "tune:\n  goal: %s\n", t->o->goal);
	for (size_t i = 0; i < t->o->subject.n; i++)
		st_text_addf(&t->identity, "  subject_to: %s\n", t->o->subject.at[i]);
	for (size_t i = 0; i < t->o->over.n; i++)
		st_text_addf(&t->identity, "  over: %s\n", t->o->over.at[i]);
	st_text_addf(&t->identity, "  points: %" PRIu64 "\n  replications: %" PRIu64 "\n", s->points, s->first);
}

/* As long as the scenario has its own axes, whose labels --over may name. */
static int print_scenario(struct st_tune *t, const struct settings *s, struct st_err *e)
{
	struct st_config base;
	int rc = st_scenario_resolve(t->scenario->tree, &base, e);

	if (rc == 0) {
		st_scenario_print(&base, t->scenario, &t->canonical);
		identify(t, &base, s);
	}
	st_config_release(&base);
	return rc;
}

static int write_results(struct st_tune *t, const struct settings *asked, struct st_err *e)
{
	struct st_front f;
	struct st_text csv = ST_TEXT_INIT, json = ST_TEXT_INIT, table = ST_TEXT_INIT;

	st_tuned_make(t, &f);
	f.subject = t->o->subject.at;
	f.nsubject = t->o->subject.n;
	f.over = t->o->over.at;
	f.nover = t->o->over.n;
	f.asked_points = asked->points;
	f.asked_first = asked->first;
	f.asked_runs = t->race.cfg.budget;
	st_csv_front(&f, &csv);
	st_json_front(&f, &json);
	st_tuned_say(t, &f, &table);
	int rc = st_file_put(t->dir, "tune.csv", &csv, e) < 0 || st_file_put(t->dir, "tune.json", &json, e) < 0 ? -1 : 0;
	if (rc == 0) {
		fputs(table.s, stdout);
		fflush(stdout);
		if (!t->o->quiet)
			fprintf(stderr, "stampede: results are in '%s'\n", t->dir);
	}
	if (rc == 0 && !t->o->no_chart)
		rc = st_front_draw(t->dir, e);
	st_text_release(&csv);
	st_text_release(&json);
	st_text_release(&table);
	st_front_release(&f);
	return rc;
}

static int interrupted(const struct st_tune *t)
{
	fprintf(stderr, "stampede: interrupted; %zu runs are kept in '%s/tune.db'; the same command%s goes on\n", st_store_count(t->trials.store),
	    t->dir, t->o->force ? " without --force" : "");
	return ST_EXIT_INTERRUPTED;
}

/* What the options say: the space only of a good scenario, whose parameters it is of. */
static int read_options(struct st_tune *t, bool is_good, struct settings *s, struct st_err *e)
{
	struct st_mistakes m = ST_MISTAKES_INIT;
	int rc = read_settings(t->o, s, e);

	read_goal(t, &m);
	if (is_good && t->o->goal && print_scenario(t, s, e) < 0)
		rc = -1;
	if (is_good)
		st_space_read(&t->space, t->scenario, t->o->over.at, t->o->over.n, &m);
	return st_mistakes_tell(&m, e) < 0 ? -1 : rc;
}

static int tune(struct st_tune *t, const struct settings *s, struct st_err *e)
{
	int rc = begin_race(t, s, e) < 0 ? -1 : st_tune_search(t, e);

	if (rc < 0)
		return -1;
	return rc == 1 ? write_results(t, s, e) : interrupted(t);
}

static void release(struct st_tune *t)
{
	for (size_t i = 0; t->value && i <= t->goal.nbounds; i++)
		free(t->value[i]);
	free(t->value);
	st_trials_release(&t->trials);
	free(t->finalist);
	free(t->dir);
	st_inputs_release(&t->inputs);
	st_text_release(&t->canonical);
	st_text_release(&t->identity);
	st_grid_release(&t->grid);
	st_race_release(&t->race);
	st_space_release(&t->space);
	st_goal_release(&t->goal);
}

static int run(const struct st_opts *o)
{
	struct st_scenario s;
	struct st_tune t = {.o = o, .scenario = &s};
	struct settings asked;
	struct st_err e = ST_ERR_INIT;
	int code = st_load_scenario(o, o->operand[0], &s);

	t.trials = (struct st_trials){.o = o, .grid = &t.grid, .threads = o->executor->count((unsigned)o->threads)};
	if (read_options(&t, code == ST_EXIT_OK, &asked, &e) == 0 && code == ST_EXIT_OK)
		code = tune(&t, &asked, &e);
	if (st_store_close(t.trials.store, &e) < 0 || st_err_any(&e))
		code = (int)e.code;
	st_err_print(&e, stderr);
	st_err_release(&e);
	release(&t);
	st_scenario_release(&s);
	return code;
}

static const char *const options[] = {"goal", "subject-to", "over", "points", "replications", "runs", "set", "seed", "out", "threads", "no-chart",
    "force", NULL};

const struct st_cmd st_cmd_tune = {
    .name = "tune",
    .operands = "FILE",
    .min_operands = 1,
    .max_operands = 1,
    .help = "Search parameters for the best value of a figure, while others keep their bounds",
    .about = "  stampede tune scenarios/outage.yaml --goal 'min recovery_time' \\\n"
	     "      --subject-to 'after_fault_peak_x_capacity <= 2' --over base=50ms..2s,cap=5s..120s,jitter\n\n"
	     "Points are spread over the space, the better half gets twice the runs, and so on; then new points\n"
	     "are drawn around the best. Times and rates are searched by ratio, others evenly (log 1..1k: by\n"
	     "ratio). In the end the best few get fresh runs, by which nothing was chosen: believe these.\n"
	     "Results go to DIR: tune.csv has every point, front.png the goal against the first bound, with the\n"
	     "points that none beats in both; tune.db has every run, for sqlite3.\n\n"
	     "A tune that was stopped goes on where it was with the same command, and more --runs may be asked\n"
	     "for later. Its results do not depend on that, nor on the number of threads.",
    .options = options,
    .run = run,
};
