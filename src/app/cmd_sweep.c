#include <config.h>

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/cmd.h"
#include "app/load.h"
#include "app/outdir.h"
#include "app/progress.h"
#include "app/verdict.h"
#include "base/mem.h"
#include "experiment/executor.h"
#include "experiment/grid.h"
#include "experiment/store.h"
#include "output/chart.h"
#include "output/csv.h"
#include "output/file.h"
#include "output/json.h"
#include "output/table.h"

/* A sweep under way. */
struct sweep {
	const struct st_opts *o;
	struct st_scenario scenario;
	struct st_grid grid;
	struct st_text canonical, identity;
	char *dir;
	struct st_store *store;
	struct st_job *job;
	size_t njobs;
	unsigned threads;
	struct st_progress progress;
};

static volatile int stop;

static void on_signal(int number)
{
	(void)number;
	stop = 1;
}

/* The first signal stops in good order; the handler is then gone, and a second one kills. What is ignored stays so. */
static void catch_signals(void)
{
	static const int numbers[] = {SIGINT, SIGTERM};
	struct sigaction ours = {.sa_handler = on_signal, .sa_flags = (int)SA_RESETHAND | SA_RESTART}, theirs;

	sigemptyset(&ours.sa_mask);
	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
		if (sigaction(numbers[i], NULL, &theirs) == 0 && theirs.sa_handler != SIG_IGN)
			sigaction(numbers[i], &ours, NULL);
	}
}

/* The scenario as a text; and without what may change from one sweep to the next that goes on with its results. */
static int print_scenario(struct sweep *w, struct st_err *e)
{
	struct st_config base;
	int rc = st_scenario_resolve(w->scenario.tree, &base, e);

	if (rc == 0) {
		struct st_scenario lasting = w->scenario;

		lasting.replications = 1;
		lasting.nexpect = 0;
		st_scenario_print(&base, &w->scenario, &w->canonical);
		st_scenario_print(&base, &lasting, &w->identity);
	}
	st_config_release(&base);
	return rc;
}

static int open_store(struct sweep *w, struct st_err *e)
{
	const struct st_scenario *s = &w->scenario;
	const struct st_config *first = &w->grid.point[0].config;
	const char **axis = st_calloc(s->naxes, sizeof *axis);
	const char **labels = st_calloc(w->grid.n * s->naxes, sizeof *labels);
	const char *const **row = st_calloc(w->grid.n, sizeof *row);
	char *path = st_format("%s/sweep.db", w->dir);
	struct st_sweep_group *group;
	size_t ngroups = st_grid_groups(&w->grid, s, &group);

	for (size_t a = 0; a < s->naxes; a++)
		axis[a] = s->axis[a].path;
	for (size_t p = 0; p < w->grid.n; p++) {
		row[p] = labels + p * s->naxes;
		for (size_t a = 0; a < s->naxes; a++)
			labels[p * s->naxes + a] = s->axis[a].value[w->grid.point[p].index[a]].label;
	}
	w->store = st_store_open(path,
	    &(struct st_store_id){
		.version = PACKAGE_VERSION,
		.scenario = w->identity.s,
		.title = first->title,
		.seed = first->seed,
		.replications = (uint32_t)s->replications,
		.axis = axis,
		.naxes = s->naxes,
		.label = row,
		.npoints = w->grid.n,
		.group = group,
		.ngroups = ngroups > 1 ? ngroups : 0, /* the figures of the only one are the whole's */
	    },
	    w->o->force, e);
	free(axis);
	free(labels);
	free(row);
	free(group);
	free(path);
	return w->store ? 0 : -1;
}

/* What is not in the store yet, a point after the other, so that few points are half done at any time. */
static void list_jobs(struct sweep *w)
{
	uint32_t replications = (uint32_t)w->scenario.replications;

	w->job = st_calloc(w->grid.n * replications, sizeof *w->job);
	for (size_t p = 0; p < w->grid.n; p++) {
		for (uint32_t r = 0; r < replications; r++) {
			if (!st_store_has(w->store, p, r))
				w->job[w->njobs++] = (struct st_job){p, r};
		}
	}
}

static void say_size(const struct sweep *w)
{
	size_t total = w->grid.n * (size_t)w->scenario.replications, done = total - w->njobs;

	if (w->o->quiet)
		return;
	fprintf(stderr, "stampede: %zu point%s x %" PRIu64 " replication%s = %zu trial%s on %u thread%s", w->grid.n,
	    w->grid.n == 1 ? "" : "s", w->scenario.replications, w->scenario.replications == 1 ? "" : "s", total,
	    total == 1 ? "" : "s", w->threads, w->threads == 1 ? "" : "s");
	if (done > 0)
		fprintf(stderr, "; %zu already done", done);
	fprintf(stderr, "\n");
}

static int keep(void *to, const struct st_job *job, struct st_result *r, struct st_err *e)
{
	struct sweep *w = to;
	int rc = st_store_put(w->store, job->point, r, e);

	st_result_release(r);
	if (rc == 0)
		st_progress_step(&w->progress);
	return rc;
}

static int run_trials(struct sweep *w, struct st_err *e)
{
	struct st_executor_cfg cfg = {
	    .grid = &w->grid,
	    .job = w->job,
	    .njobs = w->njobs,
	    .threads = w->threads,
	    .stop = &stop,
	    .done = keep,
	    .to = w,
	};
	size_t before = st_store_count(w->store);

	st_progress_begin(&w->progress, before + w->njobs, before, w->o->quiet);
	int rc = st_executor_run(&cfg, e);
	st_progress_end(&w->progress);
	if (st_store_commit(w->store, e) < 0)
		rc = -1;
	return rc;
}

static int write_results(struct sweep *w, struct st_err *e)
{
	struct st_sweep_result r;
	struct st_text json = ST_TEXT_INIT, table = ST_TEXT_INIT;

	if (st_store_load(w->store, &r, e) < 0)
		return -1;
	st_json_sweep(&r, &json);
	int rc = st_csv_write_sweep(w->dir, &r, e) < 0 || st_file_put(w->dir, "sweep.json", &json, e) < 0 ? -1 : 0;
	if (rc == 0) {
		st_table_sweep(&r, &table);
		if (w->scenario.nexpect > 0)
			st_text_add(&table, "\n");
		st_verdict_sweep(&w->scenario, &r, &table);
		if (table.s)
			fputs(table.s, stdout);
		fflush(stdout);
		if (!w->o->quiet)
			fprintf(stderr, "stampede: results are in '%s'\n", w->dir);
	}
	/* All data are there before the first chart is drawn: which takes seconds. */
	if (rc == 0 && !w->o->no_chart && !w->o->quiet)
		fprintf(stderr, "stampede: drawing strategies.png and sweep.png\n");
	if (rc == 0 && !w->o->no_chart)
		rc = st_chart_sweep(w->dir, e);
	st_text_release(&json);
	st_text_release(&table);
	st_sweep_result_release(&r);
	return rc;
}

static int interrupted(const struct sweep *w)
{
	fprintf(stderr, "stampede: interrupted; %zu of %zu trials are kept in '%s/sweep.db'; the same command%s goes on\n",
	    st_store_count(w->store), w->progress.total, w->dir, w->o->force ? " without --force" : "");
	return ST_EXIT_INTERRUPTED;
}

static int sweep(struct sweep *w, struct st_err *e)
{
	if (st_grid_init(&w->grid, &w->scenario, e) < 0 || print_scenario(w, e) < 0)
		return -1;
	if (st_outdir_prepare(w->o, &w->scenario, w->canonical.s, &w->dir, e) < 0 || open_store(w, e) < 0 ||
	    st_file_put(w->dir, "scenario.yaml", &w->canonical, e) < 0)
		return -1;
	list_jobs(w);
	say_size(w);
	/* Once, however many points have it. */
	for (size_t p = 0; p < w->grid.n && !st_load_warn(&w->grid.point[p].config, w->o); p++)
		;
	catch_signals();
	if (run_trials(w, e) < 0)
		return -1;
	if (st_store_count(w->store) < w->progress.total)
		return interrupted(w);
	return write_results(w, e);
}

static void release(struct sweep *w)
{
	st_grid_release(&w->grid);
	st_scenario_release(&w->scenario);
	st_text_release(&w->canonical);
	st_text_release(&w->identity);
	free(w->dir);
	free(w->job);
}

static int run(const struct st_opts *o)
{
	struct sweep w = {.o = o, .threads = o->threads ? (unsigned)o->threads : st_executor_processors()};
	struct st_err e = ST_ERR_INIT;
	int code = st_load_scenario(o, o->operand[0], &w.scenario);

	if (code == ST_EXIT_OK)
		code = sweep(&w, &e);
	if (st_store_close(w.store, &e) < 0 || st_err_any(&e))
		code = (int)e.code;
	st_err_print(&e, stderr);
	st_err_release(&e);
	release(&w);
	return code;
}

static const char *const options[] = {
    "set", "axis", "sample", "replications", "seed", "out", "threads", "no-chart", "force", NULL};

const struct st_cmd st_cmd_sweep = {
    .name = "sweep",
    .operands = "FILE",
    .min_operands = 1,
    .max_operands = 1,
    .help = "Run every point of a scenario's axes, many times each, and compare them",
    .about = "Results go to DIR: summary.csv has the mean and the 95 % interval of every figure at every point,\n"
	     "compare.csv the paired differences to the first point, series/ the mean load over time, and\n"
	     "sweep.db everything, for sqlite3. strategies.png shows the load under each value of the first\n"
	     "axis, sweep.png all points side by side; each is there as SVG too.\n\n"
	     "A sweep that was stopped in any way goes on where it was with the same command. Its results do\n"
	     "not depend on that, nor on the number of threads. More replications may be asked for later.",
    .options = options,
    .run = run,
};
