#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/cmd.h"
#include "app/inputs.h"
#include "app/load.h"
#include "app/outdir.h"
#include "app/progress.h"
#include "app/stop.h"
#include "app/verdict.h"
#include "base/mem.h"
#include "experiment/trial.h"
#include "output/chart.h"
#include "output/csv.h"
#include "output/file.h"
#include "output/json.h"
#include "output/table.h"

/* One run: what is read, what comes of it. */
struct run {
	const struct st_opts *o;
	struct st_scenario scenario;
	struct st_config config;
	struct st_result result;
	struct st_text canonical, json;
	struct st_inputs inputs;
	char *dir;
};

static bool wants_json(const struct st_opts *o)
{
	return o->format && strcmp(o->format, "json") == 0;
}

/* "series-db.csv" of each service but the first. */
static int write_services(const struct run *w, struct st_err *e)
{
	int rc = 0;

	for (size_t i = 0; i < w->result.nsubjects && rc == 0; i++) {
		const struct st_result_subject *of = &w->result.subject[i];
		struct st_text series = ST_TEXT_INIT;

		if (of->series.n == 0)
			continue;
		char *name = st_format("series-%s.csv", of->name);
		st_csv_series(&of->series, &series);
		rc = st_file_put(w->dir, name, &series, e);
		st_text_release(&series);
		free(name);
	}
	return rc;
}

static int write_results(struct run *w, struct st_err *e)
{
	struct st_text series = ST_TEXT_INIT;
	int rc = -1;

	st_csv_series(&w->result.series, &series);
	st_json_summary(&w->result, w->config.title, &w->json);
	if (st_outdir_put_scenario(w->dir, &w->scenario, &w->canonical, false, e) == 0 &&
	    st_file_put(w->dir, "series.csv", &series, e) == 0 &&
	    write_services(w, e) == 0 && st_file_put(w->dir, "summary.json", &w->json, e) == 0)
		rc = 0;
	st_text_release(&series);
	return rc;
}

static int print_results(const struct run *w, struct st_err *e)
{
	struct st_text table = ST_TEXT_INIT;

	if (!wants_json(w->o))
		st_table_run(&w->result, &table);
	if (!wants_json(w->o) && w->scenario.nexpect > 0) {
		st_text_paragraph(&table);
		st_verdict_run(&w->scenario, &w->result, st_verdict_print, &table);
	}
	bool failed = fputs(wants_json(w->o) ? w->json.s : table.s, stdout) == EOF || fflush(stdout) == EOF;
	st_text_release(&table);
	if (failed)
		return st_err_add(e, ST_EXIT_MACHINE, NULL, "cannot write to the standard output");
	if (!w->o->quiet)
		fprintf(stderr, "stampede: results are in '%s'\n", w->dir);
	return 0;
}

static int simulate(struct run *w, struct st_err *e)
{
	struct st_watch watch;

	if (st_scenario_resolve(w->scenario.tree, &w->config, e) < 0)
		return -1;
	st_scenario_print(&w->config, &w->scenario, &w->canonical);
	if (st_inputs_add(&w->inputs, &w->scenario, &w->config, e) < 0 ||
	    st_outdir_prepare(w->o, &w->scenario, w->canonical.s, &w->dir, e) < 0 ||
	    st_inputs_keep(&w->inputs, w->dir, w->o->force, e) < 0)
		return -1;
	st_load_warn(&w->config, w->o);
	st_stop_on_signals();
	st_progress_watch(&watch, w->config.duration, w->o->quiet);
	int rc = st_trial_run(&w->config, 0, &st_stop, &w->result, e);
	st_progress_unwatch(&watch);
	if (rc < 0)
		return -1;
	if (write_results(w, e) < 0 || print_results(w, e) < 0)
		return -1;
	/* All data are there before the chart is drawn. */
	if (w->o->no_chart)
		return 0;
	if (!w->o->quiet)
		fprintf(stderr, "stampede: drawing load.png%s\n", w->config.nservices > 1 ? ", and load-NAME.png of each further service" : "");
	return st_chart_run(w->dir, e);
}

static int interrupted(const struct st_opts *o)
{
	if (!o->quiet)
		fprintf(stderr, "stampede: interrupted; no results were written\n");
	return ST_EXIT_INTERRUPTED;
}

static int run(const struct st_opts *o)
{
	struct run w = {.o = o};
	struct st_err e = ST_ERR_INIT;
	int code = st_load_scenario(o, o->operand[0], &w.scenario);

	/* The scenario's axes are a sweep's: a run is of the scenario as it stands without them. */
	if (code == ST_EXIT_OK && simulate(&w, &e) < 0)
		code = st_err_any(&e) ? (int)e.code : interrupted(o);
	st_err_print(&e, stderr);
	st_err_release(&e);
	st_result_release(&w.result);
	st_config_release(&w.config);
	st_scenario_release(&w.scenario);
	st_text_release(&w.canonical);
	st_inputs_release(&w.inputs);
	st_text_release(&w.json);
	free(w.dir);
	return code;
}

static const char *const options[] = {"set", "seed", "out", "format", "no-chart", "force", NULL};

const struct st_cmd st_cmd_run = {
    .name = "run",
    .operands = "FILE",
    .min_operands = 1,
    .max_operands = 1,
    .help = "Run a scenario once, and draw its load",
    .about =
	"Results go to DIR: scenario.yaml (as it was understood), series.csv, summary.json, load.png and\n"
	"load.svg; series-NAME.csv, load-NAME.png and load-NAME.svg of each service but the first.\n"
	"What happened is told on the standard output; with --format json as summary.json has it.\n"
	"A scenario's sweep is left aside: stampede sweep runs it.",
    .options = options,
    .formats = "text json",
    .run = run,
};
