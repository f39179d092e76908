#include <config.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/cmd.h"
#include "app/inputs.h"
#include "app/load.h"
#include "app/outdir.h"
#include "app/stop.h"
#include "base/mem.h"
#include "model/world.h"
#include "output/csv.h"
#include "output/file.h"
#include "output/json.h"
#include "output/raster.h"

enum { BUFFER = 1 << 16, LINES = 100 }; /* bytes written at once; of a raster */

/* A run whose attempts are written down as they happen. */
struct trace {
	const struct st_opts *o;
	struct st_scenario scenario;
	struct st_config config;
	struct st_inputs inputs;
	char *dir;            /* NULL: the standard output */
	FILE *to;
	struct st_text text;  /* not written yet */
	uint64_t first;       /* clients of each group */
	size_t group;         /* or ST_ALL_GROUPS */
	uint64_t (*steps)[ST_RASTER_STEPS]; /* of each group, written down */
	int failed;           /* errno of a write */
};

static void flush(struct trace *t)
{
	if (t->text.len > 0 && fwrite(t->text.s, 1, t->text.len, t->to) != t->text.len)
		t->failed = errno;
	t->text.len = 0;
}

static const char *outcome_of(const struct st_sight *s, char buf[8])
{
	return s->step == ST_STEP_FAILED ? st_outcome_name(s->outcome, buf) : s->step == ST_STEP_GIVEN_UP ? st_reason_name(s->why) : "";
}

static void see(void *to, const struct st_sight *s)
{
	struct trace *t = to;
	char buf[8];

	/* Groups beyond the clients' are services that call others. */
	if (s->group >= t->config.ngroups || s->client >= t->first || (t->group != ST_ALL_GROUPS && s->group != t->group) || t->failed)
		return;
	t->steps[s->group][s->step]++;
	st_csv_trace_step(&(struct st_csv_step){
	    .time = s->now,
	    .delay = s->step == ST_STEP_WAITS ? s->delay : -1,
	    .clients = t->config.group[s->group].name,
	    .event = st_raster_step_name(s->step),
	    .outcome = outcome_of(s, buf),
	    .client = s->client,
	    .operation = s->operation,
	    .attempt = s->attempt,
	}, &t->text);
	if (t->text.len >= BUFFER)
		flush(t);
}

static int find_group(struct trace *t, struct st_err *e)
{
	const char **name = st_calloc(t->config.ngroups, sizeof *name);

	t->group = ST_ALL_GROUPS;
	for (size_t i = 0; t->o->group && i < t->config.ngroups; i++) {
		name[i] = t->config.group[i].name;
		t->group = strcmp(name[i], t->o->group) == 0 ? i : t->group;
	}
	bool is_there = !t->o->group || t->group != ST_ALL_GROUPS;
	const char *near = is_there ? NULL : st_text_nearest(t->o->group, name, t->config.ngroups);
	free(name);
	if (is_there)
		return 0;
	return st_err_add(e, ST_EXIT_USER, NULL,
	    near ? "--group: no group of clients is called '%s'; did you mean '%s'?" : "--group: no group of clients is called '%s'",
	    t->o->group, near);
}

/* Run it, writing on t->to. 0, or -1; without a message if interrupted. */
static int run_trace(struct trace *t, struct st_err *e)
{
	const struct st_witness witness = {see, t};
	struct st_run run;

	_Static_assert((int)ST_RASTER_STEPS == (int)ST_STEP_N, "a name a step");
	t->steps = st_calloc(t->config.ngroups, sizeof *t->steps);

	st_csv_trace_head(&t->text);
	st_stop_on_signals();
	int rc = st_world_show(&t->config, t->config.seed, 0, &st_stop, &witness, &run, e);
	st_run_release(&run);
	flush(t);
	if (fflush(t->to) != 0 && !t->failed)
		t->failed = errno;
	if (t->failed)
		return st_err_add(e, ST_EXIT_MACHINE, NULL, "cannot write the trace: %s", strerror(t->failed));
	return rc;
}

/* The first clients of each group that is traced, LINES in all or a little more; how many groups. */
static size_t choose_lines(const struct trace *t, struct st_raster_block *block)
{
	const struct st_config *c = &t->config;
	size_t n = 0, from = 0, groups = t->group == ST_ALL_GROUPS ? c->ngroups : 1;

	for (size_t g = 0; g < c->ngroups; g++) {
		size_t most = (LINES + groups - 1) / groups;

		if (t->group != ST_ALL_GROUPS && t->group != g)
			continue;
		most = c->group[g].count < most ? c->group[g].count : most;
		most = t->first < most ? t->first : most;
		block[n] = (struct st_raster_block){.clients = c->group[g].name, .from = from, .lines = most};
		memcpy(block[n++].steps, t->steps[g], sizeof block->steps);
		from += most;
	}
	return n;
}

/* What the raster needs beside the CSV. */
static int write_shape(const struct trace *t, struct st_err *e)
{
	const struct st_config *c = &t->config;
	struct st_raster_block *block = st_calloc(c->ngroups, sizeof *block);
	struct st_window *fault = st_calloc(c->nfaults, sizeof *fault);
	struct st_raster r = {.title = c->title, .duration = c->duration, .fault = fault, .nfaults = c->nfaults, .block = block,
	    .group = t->o->group, .first = t->o->first ? t->first : 0, .seed = c->seed};
	struct st_text json = ST_TEXT_INIT;

	for (size_t i = 0; i < c->nfaults; i++)
		fault[i] = (struct st_window){c->fault[i].at, c->fault[i].at + c->fault[i].length};
	r.nblocks = choose_lines(t, block);
	st_json_raster(&r, &json);
	int rc = st_file_put(t->dir, "trace.json", &json, e);
	st_text_release(&json);
	free(block);
	free(fault);
	return rc;
}

static int draw(const struct trace *t, struct st_err *e)
{
	if (!t->o->quiet)
		fprintf(stderr, "stampede: drawing %s/raster.png\n", t->dir);
	return st_raster_draw(t->dir, e);
}

/* To DIR/trace.csv, whole or not at all, with its scenario and its raster. */
static int trace_to_folder(struct trace *t, struct st_err *e)
{
	struct st_text canonical = ST_TEXT_INIT;
	char *path = NULL, *aside = NULL;

	st_scenario_print(&t->config, &t->scenario, &canonical);
	int rc = st_inputs_add(&t->inputs, &t->scenario, &t->config, e) < 0 ||
		st_outdir_prepare(t->o, &t->scenario, canonical.s, &t->dir, e) < 0 ||
		st_inputs_keep(&t->inputs, t->dir, t->o->force, e) < 0 || st_outdir_put_scenario(t->dir, &t->scenario, &canonical, false, e) < 0 ? -1 : 0;
	st_text_release(&canonical);
	if (rc < 0)
		return -1;
	path = st_format("%s/trace.csv", t->dir);
	aside = st_file_aside(path);
	t->to = fopen(aside, "w");
	if (!t->to)
		rc = st_err_add(e, ST_EXIT_MACHINE, NULL, "cannot write '%s': %s", aside, strerror(errno));
	else
		rc = run_trace(t, e);
	if (t->to && fclose(t->to) != 0 && rc == 0)
		rc = st_err_add(e, ST_EXIT_MACHINE, NULL, "cannot write '%s': %s", aside, strerror(errno));
	if (rc == 0)
		rc = st_file_commit(aside, path, e);
	else
		unlink(aside);
	free(aside);
	free(path);
	if (rc == 0)
		rc = write_shape(t, e);
	return rc == 0 && !t->o->no_chart ? draw(t, e) : rc;
}

static int interrupted(const struct st_opts *o)
{
	if (!o->quiet)
		fprintf(stderr, "stampede: interrupted%s\n", o->out ? "; no results were written" : "");
	return ST_EXIT_INTERRUPTED;
}

static int run(const struct st_opts *o)
{
	static const struct st_param first = {.name = "--first", .type = &st_param_count, .min = 1, .max = 4e9};
	struct trace t = {.o = o, .to = stdout, .first = UINT64_MAX};
	struct st_err e = ST_ERR_INIT;
	int code = st_load_scenario(o, o->operand[0], &t.scenario);

	if (o->first && st_param_read_text(&first, o->first, NULL, &t.first, &e) < 0)
		code = ST_EXIT_USER;
	if (code == ST_EXIT_OK) {
		int rc = st_scenario_resolve(t.scenario.tree, &t.config, &e) < 0 || find_group(&t, &e) < 0 ? -1 : 0;

		if (rc == 0)
			rc = o->out ? trace_to_folder(&t, &e) : run_trace(&t, &e);
		if (rc < 0)
			code = st_err_any(&e) ? (int)e.code : interrupted(o);
	}
	st_err_print(&e, stderr);
	st_err_release(&e);
	st_config_release(&t.config);
	st_scenario_release(&t.scenario);
	st_inputs_release(&t.inputs);
	st_text_release(&t.text);
	free(t.steps);
	free(t.dir);
	return code;
}

static const char *const options[] = {"set", "seed", "group", "first", "out", "no-chart", "force", NULL};

const struct st_cmd st_cmd_trace = {
    .name = "trace",
    .operands = "FILE",
    .min_operands = 1,
    .max_operands = 1,
    .help = "Run a scenario once, and write down every attempt",
    .about = "A CSV on the standard output, a row a step of an attempt: sent, succeeded, failed (the outcome says\n"
	     "how), waits (for delay_s), given_up (the outcome says why). With -o it goes to DIR/trace.csv, and\n"
	     "raster.png draws a line of dots for each of the first clients. It is the run of 'stampede run'.",
    .options = options,
    .run = run,
};
