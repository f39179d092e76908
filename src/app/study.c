#include <config.h>

#include "app/study.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/inputs.h"
#include "app/load.h"
#include "app/outdir.h"
#include "app/stop.h"
#include "app/trials.h"
#include "app/verdict.h"
#include "base/mem.h"
#include "experiment/executor.h"
#include "experiment/grid.h"
#include "experiment/range.h"
#include "output/chart.h"
#include "output/file.h"
#include "output/table.h"
#include "output/write.h"

enum { COLUMNS = 100 };

/* A study under way. */
struct study {
	const struct st_opts *o;
	const struct st_scenario *scenario;
	struct st_grid grid;
	struct st_trials trials;
	struct st_text canonical, identity;
	struct st_inputs inputs;
	char *dir;
	struct st_rounds rounds;
	double *value; /* [point][run]: the figure whose precision is asked for */
	char *const *figure; /* that points are held against each other by; none: the usual */
	size_t nfigures;
	st_study_say *say;
	const void *to;
};

/*
 * The scenario as a text; and without what may change from one sweep to the next that goes on with its results, but with what
 * the files hold that it names.
 */
static int print_scenario(struct study *w, struct st_err *e)
{
	struct st_config base;
	int rc = st_scenario_resolve(w->scenario->tree, &base, e);

	if (rc == 0) {
		struct st_scenario lasting = *w->scenario;

		lasting.replications = 1;
		lasting.sample = lasting.sample > 0; /* whose first points are those of a smaller one */
		lasting.precision.half_width = 0;
		lasting.nexpect = 0;
		st_scenario_print(&base, w->scenario, &w->canonical);
		st_scenario_print(&base, &lasting, &w->identity);
	}
	st_config_release(&base);
	for (size_t p = 0; p < w->grid.n && rc == 0; p++)
		rc = st_inputs_add(&w->inputs, w->scenario, &w->grid.point[p].config, e);
	st_inputs_print(&w->inputs, &w->identity);
	return rc;
}

static int open_store(struct study *w, struct st_err *e)
{
	const struct st_scenario *s = w->scenario;
	const char **labels = st_calloc(w->grid.n * s->naxes, sizeof *labels);
	const char *const **row = st_calloc(w->grid.n, sizeof *row);

	for (size_t p = 0; p < w->grid.n; p++) {
		row[p] = labels + p * s->naxes;
		for (size_t a = 0; a < s->naxes; a++)
			labels[p * s->naxes + a] = s->axis[a].value[w->grid.point[p].index[a]].label;
	}
	int rc = st_trials_open(&w->trials, w->dir, "sweep.db", s,
	    (struct st_store_id){.scenario = w->identity.s, .replications = w->rounds.most, .label = row, .npoints = w->grid.n}, e);
	free(labels);
	free(row);
	return rc;
}

static bool is_ours(const struct study *w, size_t point, uint32_t replication)
{
	uint32_t of = w->o->shard.of;

	return of == 0 || w->scenario->precision.half_width > 0 || st_shard_of_trial(of, w->grid.n, point, replication) == w->o->shard.number;
}

/* Where points are looked at, each is of one shard as a whole. */
static void leave_points(struct study *w)
{
	if (w->o->shard.of == 0 || w->scenario->precision.half_width == 0)
		return;
	for (size_t p = 0; p < w->grid.n; p++)
		if (st_shard_of_point(w->o->shard.of, p) != w->o->shard.number)
			st_rounds_leave(&w->rounds, p);
}

/* What is wanted by now of us and not in the store yet, a point after the other, so that few points are half done at any time. */
static void list_jobs(struct study *w)
{
	st_trials_clear(&w->trials);
	for (size_t p = 0; p < w->grid.n; p++)
		for (uint32_t r = 0; r < w->rounds.point[p].wanted; r++)
			if (is_ours(w, p, r))
				st_trials_ask(&w->trials, p, r);
}

static void say_size(const struct study *w)
{
	size_t total = st_store_count(w->trials.store) + w->trials.njobs, done = st_store_count(w->trials.store);
	const char *head = w->scenario->precision.half_width > 0 ? "batches of " : "";

	if (w->o->quiet)
		return;
	fprintf(stderr, "stampede: %zu point%s x %s%" PRIu32 " replication%s", w->grid.n, w->grid.n == 1 ? "" : "s", head,
	    w->rounds.batch, w->rounds.batch == 1 ? "" : "s");
	if (w->o->shard.of > 0)
		fprintf(stderr, ", of which shard %" PRIu32 "/%" PRIu32, w->o->shard.number, w->o->shard.of);
	fprintf(stderr, " = %zu trial%s on %u %s%s", total, total == 1 ? "" : "s", w->trials.threads,
	    w->o->executor->unit, w->trials.threads == 1 ? "" : "s");
	if (done > 0)
		fprintf(stderr, "; %zu already done", done);
	fprintf(stderr, "\n");
}

/* Whether the sweep has no more runs of a point than this precision takes: else its results would not be those of the command. */
static int check_excess(const struct study *w, struct st_err *e)
{
	for (size_t p = 0; p < w->grid.n; p++)
		if (st_store_runs(w->trials.store, p) > w->rounds.point[p].wanted)
			return st_err_add(e, ST_EXIT_USER, NULL,
			    "'%s/sweep.db' has %zu replications of point %zu already, more than the %" PRIu32
			    " that it takes; --force starts afresh, -o DIR puts these elsewhere",
			    w->dir, st_store_runs(w->trials.store, p), p, w->rounds.point[p].wanted);
	return 0;
}

/* Whether more runs are wanted after those that there are: 1, 0, or -1 with a message. */
static int look(struct study *w, struct st_err *e)
{
	const struct st_precision *precision = &w->scenario->precision;

	if (precision->half_width == 0)
		return 0;
	if (!w->value)
		w->value = st_calloc(w->grid.n * w->rounds.most, sizeof *w->value);
	if (st_store_values(w->trials.store, precision->of.subject, precision->of.figure, w->value, e) < 0)
		return -1;
	if (st_rounds_next(&w->rounds, w->value))
		return 1;
	if (check_excess(w, e) < 0)
		return -1;
	for (size_t p = 0; p < w->grid.n; p++)
		if (w->rounds.point[p].wanted > 0 && w->rounds.point[p].wanted < w->rounds.most && st_store_settle(w->trials.store, p, e) < 0)
			return -1;
	return 0;
}

/* 1: all runs are there; 0: interrupted. */
static int run_rounds(struct study *w, struct st_err *e)
{
	size_t before = st_store_count(w->trials.store);
	int more = 1;

	list_jobs(w);
	st_stop_on_signals();
	say_size(w);
	st_progress_begin(&w->trials.progress, before + w->trials.njobs, before, w->o->quiet);
	while (more == 1) {
		int all = st_trials_run(&w->trials, e);

		if (all <= 0)
			more = all < 0 ? -1 : 2;
		else if ((more = look(w, e)) == 1) {
			list_jobs(w);
			w->trials.progress.total += w->trials.njobs;
		}
	}
	st_progress_end(&w->trials.progress);
	return more < 0 ? -1 : more == 0;
}

/* Of a sample, which axes it draws by ratio, as st_sweep_result has it. */
static signed char *spread(const struct st_scenario *s)
{
	signed char *by_ratio = s->sample > 0 ? st_calloc(s->naxes, sizeof *by_ratio) : NULL;

	for (size_t a = 0; by_ratio && a < s->naxes; a++)
		by_ratio[a] = s->axis[a].interval ? s->axis[a].interval->is_log : -1;
	return by_ratio;
}

static int write_results(struct study *w, struct st_err *e)
{
	struct st_sweep_result r;
	struct st_text table = ST_TEXT_INIT;

	if (st_store_load(w->trials.store, &r, e) < 0)
		return -1;
	r.replications = st_rounds_wanted(&w->rounds);
	r.by_ratio = spread(w->scenario);
	for (size_t i = 0; i < w->nfigures; i++)
		st_sweep_choose(&r, w->figure[i]);
	/* By threads in any case: other ranks rest by now. */
	int rc = st_write_sweep(w->dir, &r, st_executor_threads.count((unsigned)w->o->threads), e);
	if (rc == 0) {
		w->say(w->to, w->scenario, &r, &w->rounds, &table);
		if (table.s)
			fputs(table.s, stdout);
		fflush(stdout);
		if (!w->o->quiet)
			fprintf(stderr, "stampede: results are in '%s'\n", w->dir);
	}
	/* All data are there before the first chart is drawn: which takes seconds. */
	if (rc == 0 && !w->o->no_chart && !w->o->quiet)
		fprintf(stderr, "stampede: drawing the charts\n");
	if (rc == 0 && !w->o->no_chart)
		rc = st_chart_sweep(w->dir, e);
	st_text_release(&table);
	st_sweep_result_release(&r);
	return rc;
}

static int interrupted(const struct study *w)
{
	fprintf(stderr, "stampede: interrupted; %zu of %zu trials are kept in '%s/sweep.db'; the same command%s goes on\n",
	    st_store_count(w->trials.store), w->trials.progress.total, w->dir, w->o->force ? " without --force" : "");
	return ST_EXIT_INTERRUPTED;
}

/* A shard's results mean nothing alone. */
static int say_shard(const struct study *w)
{
	if (!w->o->quiet)
		fprintf(stderr, "stampede: %zu trials are in '%s'; 'stampede merge' makes results of all shards\n",
		    st_store_count(w->trials.store), w->dir);
	return ST_EXIT_OK;
}

/* The folder, the store and what is wanted in it. */
static int prepare(struct study *w, struct st_err *e)
{
	if (st_grid_init(&w->grid, w->scenario, e) < 0 || print_scenario(w, e) < 0)
		return -1;
	st_rounds_init(&w->rounds, &w->scenario->precision, w->scenario->replications, w->grid.n);
	leave_points(w);
	return st_outdir_prepare(w->o, w->scenario, w->canonical.s, &w->dir, e) < 0 || open_store(w, e) < 0 ||
	               st_inputs_keep(&w->inputs, w->dir, w->o->force, e) < 0 || st_outdir_put_scenario(w->dir, w->scenario, &w->canonical, true, e) < 0
	    ? -1
	    : 0;
}

static int study(struct study *w, struct st_err *e)
{
	if (prepare(w, e) < 0)
		return -1;
	/* Once, however many points have it. */
	for (size_t p = 0; p < w->grid.n && !st_load_warn(&w->grid.point[p].config, w->o); p++)
		;
	int rc = run_rounds(w, e);
	if (rc < 0)
		return -1;
	if (rc == 0)
		return interrupted(w);
	return w->o->shard.of > 0 ? say_shard(w) : write_results(w, e);
}

/* Runs are paired by replication, and a point's number of them is the scenario's: so results are of all trials or there are none. */
static int refuse_part(const struct study *w, const struct st_shards *parts, struct st_err *e)
{
	struct st_text t = ST_TEXT_INIT;

	st_shards_say(parts, w->grid.n, w->scenario->precision.half_width > 0, w->trials.job, w->trials.njobs, &t);
	st_err_add(e, ST_EXIT_USER, NULL,
	    "%zu of %zu trials are missing%s%s; run them and merge again, or run them here: stampede sweep %s/scenario.yaml -o %s",
	    w->trials.njobs, st_store_count(w->trials.store) + w->trials.njobs, t.s ? ", of " : "", t.s ? t.s : "", w->dir, w->dir);
	st_text_release(&t);
	return -1;
}

static int merge(struct study *w, const struct st_shards *parts, struct st_err *e)
{
	int rc = prepare(w, e), more = 1;

	for (size_t i = 0; i < parts->n && rc == 0; i++) {
		char *path = st_format("%s/sweep.db", parts->at[i].folder);

		rc = st_store_merge(w->trials.store, path, e);
		free(path);
	}
	if (rc < 0 || st_store_commit(w->trials.store, e) < 0)
		return -1;
	for (list_jobs(w); w->trials.njobs == 0 && more == 1; list_jobs(w))
		if ((more = look(w, e)) < 0)
			return -1;
	return w->trials.njobs > 0 ? refuse_part(w, parts, e) : write_results(w, e);
}

static void release(struct study *w)
{
	st_rounds_release(&w->rounds);
	free(w->value);
	st_grid_release(&w->grid);
	st_text_release(&w->canonical);
	st_text_release(&w->identity);
	st_inputs_release(&w->inputs);
	free(w->dir);
	st_trials_release(&w->trials);
}

static int end(struct study *w, int code, struct st_err *e)
{
	if (st_store_close(w->trials.store, e) < 0 || st_err_any(e))
		code = (int)e->code;
	st_err_print(e, stderr);
	st_err_release(e);
	release(w);
	return code;
}

int st_study_run(const struct st_opts *o, const struct st_scenario *s, char *const *figure, size_t nfigures, st_study_say *say, const void *to)
{
	struct study w = {.o = o, .scenario = s, .figure = figure, .nfigures = nfigures, .say = say, .to = to};
	struct st_err e = ST_ERR_INIT;

	w.trials = (struct st_trials){.o = o, .grid = &w.grid, .threads = o->executor->count((unsigned)o->threads)};
	return end(&w, study(&w, &e), &e);
}

int st_study_merge(const struct st_opts *o, const struct st_scenario *s, const struct st_shards *parts, st_study_say *say, const void *to)
{
	struct study w = {.o = o, .scenario = s, .say = say, .to = to};
	struct st_err e = ST_ERR_INIT;

	w.trials = (struct st_trials){.o = o, .grid = &w.grid};
	return end(&w, merge(&w, parts, &e), &e);
}

void st_study_say_precision(const struct st_rounds *rounds, struct st_text *out)
{
	struct st_text said = ST_TEXT_INIT;

	st_rounds_say(rounds, &said);
	if (!said.s)
		return;
	st_text_paragraph(out);
	size_t from = out->len;
	st_text_addf(out, "%s\n", said.s);
	st_text_wrap(out, from, COLUMNS);
	st_text_release(&said);
}

void st_study_say_sweep(const void *to, const struct st_scenario *s, const struct st_sweep_result *r, const struct st_rounds *rounds,
    struct st_text *out)
{
	(void)to;
	st_table_sweep(r, out);
	st_study_say_precision(rounds, out);
	if (s->nexpect > 0)
		st_text_paragraph(out);
	st_verdict_sweep(s, r, st_verdict_print, out);
}
