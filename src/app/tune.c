#include <config.h>

#include "app/tune.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "app/inputs.h"
#include "app/load.h"
#include "app/outdir.h"
#include "app/stop.h"
#include "base/mem.h"
#include "output/file.h"

enum { PROBES = 4 /* a thread */ };

const double *st_tune_values(const struct st_tune *t, size_t figure, size_t point)
{
	return t->value[figure] + point * t->race.last;
}

struct st_standing st_tune_look(void *to, size_t point, uint32_t runs)
{
	struct st_tune *t = to;
	const double **values = st_calloc(1 + t->goal.nbounds, sizeof *values);

	for (size_t i = 0; i <= t->goal.nbounds; i++)
		values[i] = st_tune_values(t, i, point);
	struct st_standing s = st_goal_look(&t->goal, values, runs, t->race.last);
	free(values);
	return s;
}

/* The store */

static int open_store(struct st_tune *t, const char *identity, struct st_err *e)
{
	const struct st_scenario *s = t->scenario;
	const struct st_config *first = &t->grid.point[0].config;
	const char **axis = st_calloc(s->naxes, sizeof *axis);
	char *path = st_format("%s/tune.db", t->dir);
	struct st_sweep_group *group;
	size_t ngroups = st_grid_groups(&t->grid, s, &group);

	for (size_t a = 0; a < s->naxes; a++)
		axis[a] = s->axis[a].path;
	t->store = st_store_open(path,
	    &(struct st_store_id){
		.version = PACKAGE_VERSION,
		.scenario = identity,
		.title = first->title,
		.seed = first->seed,
		.replications = t->race.last,
		.axis = axis,
		.naxes = s->naxes,
		.npoints = st_race_most_points(&t->race),
		.group = group,
		.ngroups = ngroups > 1 ? ngroups : 0, /* the figures of the only one are the whole's */
	    },
	    t->o->force, e);
	free(axis);
	free(group);
	free(path);
	return t->store ? 0 : -1;
}

/* Tell the store of points that are new. */
static int name_points(struct st_tune *t, struct st_err *e)
{
	size_t naxes = t->scenario->naxes;
	const char **label = st_calloc(naxes, sizeof *label);
	int rc = 0;

	for (; t->named < t->race.npoints && rc == 0; t->named++) {
		for (size_t a = 0; a < naxes; a++)
			label[a] = st_space_label(&t->space, t->named, a);
		rc = st_store_name(t->store, t->named, label, e);
	}
	free(label);
	return rc;
}

static int read_values(struct st_tune *t, struct st_err *e)
{
	for (size_t i = 0; i <= t->goal.nbounds; i++) {
		const struct st_expect *x = i == 0 ? &t->goal.of : &t->goal.bound[i - 1];

		if (st_store_values(t->store, x->group, x->figure, t->value[i], e) < 0)
			return -1;
	}
	return 0;
}

/* Running */

/* What the race asks for and the store has not. */
static void list_jobs(struct st_tune *t)
{
	const struct st_race *r = &t->race;

	free(t->job);
	t->njobs = 0;
	t->job = st_calloc(r->nin * r->runs, sizeof *t->job);
	for (size_t i = 0; i < r->nin; i++)
		for (uint32_t k = 0; k < r->runs; k++)
			if (!st_store_has(t->store, r->in[i], k))
				t->job[t->njobs++] = (struct st_job){r->in[i], k};
}

static int keep(void *to, const struct st_job *job, struct st_result *r, struct st_err *e)
{
	struct st_tune *t = to;
	int rc = st_store_put(t->store, job->point, r, e);

	st_result_release(r);
	if (rc == 0)
		st_progress_step(&t->progress);
	return rc;
}

static int run_jobs(struct st_tune *t, size_t from, size_t n, struct st_err *e)
{
	struct st_executor_cfg cfg = {
	    .grid = &t->grid,
	    .job = t->job + from,
	    .njobs = n,
	    .threads = t->threads,
	    .packs = true,
	    .stop = &st_stop,
	    .done = keep,
	    .to = t,
	};

	return n > 0 ? t->o->executor->run(&cfg, e) : 0;
}

static void say_size(const struct st_tune *t)
{
	size_t done = st_store_count(t->store);

	if (t->o->quiet)
		return;
	for (size_t a = 0; a < t->scenario->naxes; a++) {
		struct st_text names = ST_TEXT_INIT;

		st_space_say(&t->space, a, &names);
		if (names.s)
			fprintf(stderr, "stampede: %s\n", names.s);
		st_text_release(&names);
	}
	fprintf(stderr, "stampede: at most %" PRIu64 " trials of %zu points in %u generation%s on %u thread%s", st_race_most_runs(&t->race),
	    st_race_most_points(&t->race), t->race.generations, t->race.generations == 1 ? "" : "s", t->threads, t->threads == 1 ? "" : "s");
	if (done > 0)
		fprintf(stderr, "; %zu already done", done);
	fprintf(stderr, "\n");
}

/* A few on each thread, to tell how long all will take; how many were run, or -1. */
static int measure(struct st_tune *t, struct st_err *e)
{
	size_t n = t->threads * PROBES < t->njobs ? t->threads * PROBES : t->njobs;

	if (run_jobs(t, 0, n, e) < 0)
		return -1;
	if (!st_stop)
		st_progress_expect(&t->progress);
	t->is_measured = true;
	return (int)n;
}

/* All that the race asks for now. 1: done; 0: interrupted. */
static int run_rung(struct st_tune *t, struct st_err *e)
{
	int measured = 0;

	list_jobs(t);
	if (t->njobs > 0 && !t->is_measured)
		measured = measure(t, e);
	int rc = measured < 0 ? -1 : run_jobs(t, (size_t)measured, t->njobs - (size_t)measured, e);
	if (st_store_commit(t->store, e) < 0 || rc < 0)
		return -1;
	list_jobs(t);
	return t->njobs == 0;
}

/* The race's points as configurations. */
static int make_grid(struct st_tune *t, struct st_err *e)
{
	if (t->grid.n == t->race.npoints)
		return 0;
	st_grid_release(&t->grid);
	return st_grid_init(&t->grid, t->scenario, e);
}

static int race(struct st_tune *t, struct st_err *e)
{
	do {
		if (make_grid(t, e) < 0 || name_points(t, e) < 0)
			return -1;
		int rc = run_rung(t, e);
		if (rc != 1)
			return rc;
		if (read_values(t, e) < 0)
			return -1;
	} while (st_race_step(&t->race));
	/* Points that will have no more runs: their series are folded. */
	for (size_t p = 0; p < t->race.npoints; p++)
		if (t->race.point[p].wanted < t->race.last && st_store_settle(t->store, p, e) < 0)
			return -1;
	return st_store_commit(t->store, e) < 0 ? -1 : 1;
}

/* What the files hold that the first points name. */
static int read_inputs(struct st_tune *t, struct st_text *identity, struct st_err *e)
{
	int rc = 0;

	for (size_t p = 0; p < t->grid.n && rc == 0; p++)
		rc = st_inputs_add(&t->inputs, t->scenario, &t->grid.point[p].config, e);
	st_inputs_print(&t->inputs, identity);
	return rc;
}

int st_tune_search(struct st_tune *t, struct st_text *identity, struct st_err *e)
{
	st_race_step(&t->race);
	if (make_grid(t, e) < 0 || read_inputs(t, identity, e) < 0 ||
	    st_outdir_prepare(t->o, t->scenario, t->canonical.s, &t->dir, e) < 0 || open_store(t, identity->s, e) < 0 ||
	    st_inputs_keep(&t->inputs, t->dir, t->o->force, e) < 0 || st_file_put(t->dir, "scenario.yaml", &t->canonical, e) < 0)
		return -1;
	for (size_t p = 0; p < t->grid.n && !st_load_warn(&t->grid.point[p].config, t->o); p++)
		;
	t->value = st_calloc(1 + t->goal.nbounds, sizeof *t->value);
	for (size_t i = 0; i <= t->goal.nbounds; i++)
		t->value[i] = st_calloc(st_race_most_points(&t->race) * t->race.last, sizeof *t->value[i]);
	st_stop_on_signals();
	say_size(t);
	st_progress_begin(&t->progress, st_race_most_runs(&t->race), st_store_count(t->store), t->o->quiet);
	int rc = race(t, e);
	st_progress_end(&t->progress);
	return rc;
}
