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

const double *st_tune_values(const struct st_tune *t, size_t figure, size_t point, bool fresh)
{
	return t->value[figure] + (2 * point + fresh) * t->race.last;
}

static struct st_standing look(const struct st_tune *t, size_t point, bool fresh, uint32_t runs)
{
	const double **values = st_calloc(1 + t->goal.nbounds, sizeof *values);

	for (size_t i = 0; i <= t->goal.nbounds; i++)
		values[i] = st_tune_values(t, i, point, fresh);
	struct st_standing s = st_goal_look(&t->goal, values, runs, t->race.last);
	free(values);
	return s;
}

struct st_standing st_tune_look(void *to, size_t point, uint32_t runs)
{
	return look(to, point, false, runs);
}

struct st_standing st_tune_look_fresh(const struct st_tune *t, size_t point)
{
	return look(t, point, true, t->race.last);
}

/* The store */

/* Tell the store of points that are new. */
static int name_points(struct st_tune *t, struct st_err *e)
{
	size_t naxes = t->scenario->naxes;
	const char **label = st_calloc(naxes, sizeof *label);
	int rc = 0;

	for (; t->named < t->race.npoints && rc == 0; t->named++) {
		for (size_t a = 0; a < naxes; a++)
			label[a] = st_space_label(&t->space, t->named, a);
		rc = st_store_name(t->trials.store, t->named, label, e);
	}
	free(label);
	return rc;
}

static int read_values(struct st_tune *t, struct st_err *e)
{
	for (size_t i = 0; i <= t->goal.nbounds; i++) {
		const struct st_expect *x = i == 0 ? &t->goal.of : &t->goal.bound[i - 1];

		if (st_store_values(t->trials.store, x->subject, x->figure, t->value[i], e) < 0)
			return -1;
	}
	return 0;
}

/* Running */

/* What the race asks for. */
static void list_jobs(struct st_tune *t)
{
	const struct st_race *r = &t->race;

	st_trials_clear(&t->trials);
	for (size_t i = 0; i < r->nin; i++)
		for (uint32_t k = 0; k < r->runs; k++)
			st_trials_ask(&t->trials, r->in[i], k);
}

static void say_size(const struct st_tune *t)
{
	size_t done = st_store_count(t->trials.store);

	if (t->o->quiet)
		return;
	for (size_t a = 0; a < t->scenario->naxes; a++) {
		struct st_text names = ST_TEXT_INIT;

		st_space_say(&t->space, a, &names);
		if (names.s)
			fprintf(stderr, "stampede: %s\n", names.s);
		st_text_release(&names);
	}
	fprintf(stderr, "stampede: at most %" PRIu64 " trials of %zu points in %u generation%s on %u %s%s", st_race_most_runs(&t->race),
	    st_race_most_points(&t->race), t->race.generations, t->race.generations == 1 ? "" : "s", t->trials.threads, t->o->executor->unit,
	    t->trials.threads == 1 ? "" : "s");
	if (done > 0)
		fprintf(stderr, "; %zu already done", done);
	fprintf(stderr, "\n");
}

/* The race's points as configurations. */
static int make_grid(struct st_tune *t, struct st_err *e)
{
	if (t->grid.n == t->race.npoints)
		return 0;
	st_grid_release(&t->grid);
	return st_grid_init(&t->grid, t->scenario, e);
}

/* 1: it is over; 0: interrupted. */
static int race(struct st_tune *t, struct st_err *e)
{
	do {
		if (make_grid(t, e) < 0 || name_points(t, e) < 0)
			return -1;
		list_jobs(t);
		int rc = st_trials_run(&t->trials, e);
		if (rc != 1)
			return rc;
		if (read_values(t, e) < 0)
			return -1;
	} while (st_race_step(&t->race));
	return 1;
}

/*
 * Those of the best come first that keep the bounds in their fresh runs too; else they stay in the order in which they were chosen: to sort
 * them by the goal again would be to choose by the fresh runs.
 */
static void reorder(struct st_tune *t)
{
	for (size_t i = 1; i < t->nconfirmed; i++) {
		size_t x = t->finalist[i], k = i;
		struct st_standing standing = st_tune_look_fresh(t, x);

		for (; k > 0; k--) {
			struct st_standing before = st_tune_look_fresh(t, t->finalist[k - 1]);

			if (st_standing_by_bounds(&standing, &before) >= 0)
				break;
			t->finalist[k] = t->finalist[k - 1];
		}
		t->finalist[k] = x;
	}
}

/* Fresh runs of the best finalists. 1: done; 0: interrupted. */
static int confirm(struct st_tune *t, struct st_err *e)
{
	t->nfinalists = st_race_finalists(&t->race, &t->finalist);
	t->nconfirmed = t->nfinalists < ST_RACE_FINALISTS ? t->nfinalists : ST_RACE_FINALISTS;
	st_trials_clear(&t->trials);
	for (size_t i = 0; i < t->nconfirmed; i++)
		for (uint32_t k = 0; k < t->race.last; k++)
			st_trials_ask(&t->trials, t->finalist[i], t->race.last + k);
	int rc = st_trials_run(&t->trials, e);
	if (rc != 1)
		return rc;
	if (read_values(t, e) < 0)
		return -1;
	reorder(t);
	return 1;
}

/* Points that will have no more runs: their series are folded. */
static int settle(struct st_tune *t, struct st_err *e)
{
	for (size_t p = 0; p < t->race.npoints; p++)
		if (st_store_runs(t->trials.store, p) < 2 * t->race.last && st_store_settle(t->trials.store, p, e) < 0)
			return -1;
	return st_store_commit(t->trials.store, e);
}

/* What the files hold that the first points name. */
static int read_inputs(struct st_tune *t, struct st_err *e)
{
	int rc = 0;

	for (size_t p = 0; p < t->grid.n && rc == 0; p++)
		rc = st_inputs_add(&t->inputs, t->scenario, &t->grid.point[p].config, e);
	st_inputs_print(&t->inputs, &t->identity);
	return rc;
}

static int open_store(struct st_tune *t, struct st_err *e)
{
	return st_trials_open(&t->trials, t->dir, "tune.db", t->scenario,
	    (struct st_store_id){.scenario = t->identity.s, .replications = 2 * t->race.last, .npoints = st_race_most_points(&t->race)}, e);
}

int st_tune_search(struct st_tune *t, struct st_err *e)
{
	st_race_step(&t->race);
	if (make_grid(t, e) < 0 || read_inputs(t, e) < 0 ||
	    st_outdir_prepare(t->o, t->scenario, t->canonical.s, &t->dir, e) < 0 || open_store(t, e) < 0 ||
	    st_inputs_keep(&t->inputs, t->dir, t->o->force, e) < 0 || st_outdir_put_scenario(t->dir, t->scenario, &t->canonical, false, e) < 0)
		return -1;
	for (size_t p = 0; p < t->grid.n && !st_load_warn(&t->grid.point[p].config, t->o); p++)
		;
	t->value = st_calloc(1 + t->goal.nbounds, sizeof *t->value);
	for (size_t i = 0; i <= t->goal.nbounds; i++)
		t->value[i] = st_calloc(st_race_most_points(&t->race) * 2 * t->race.last, sizeof *t->value[i]);
	st_stop_on_signals();
	say_size(t);
	st_progress_begin(&t->trials.progress, st_race_most_runs(&t->race), st_store_count(t->trials.store), t->o->quiet);
	int rc = race(t, e);
	if (rc == 1)
		rc = confirm(t, e);
	if (rc == 1 && settle(t, e) < 0)
		rc = -1;
	st_progress_end(&t->trials.progress);
	return rc;
}
