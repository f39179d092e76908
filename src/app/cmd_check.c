#include <config.h>

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/cmd.h"
#include "app/load.h"
#include "app/progress.h"
#include "app/verdict.h"
#include "base/mem.h"
#include "experiment/executor.h"
#include "experiment/grid.h"
#include "output/file.h"
#include "output/report.h"

/* A scenario being checked. */
struct file {
	const char *name;
	struct st_scenario scenario;
	struct st_grid grid;
	bool *is_meant;      /* [point]: by some expectation; others are not run */
	struct st_rounds rounds;
	uint32_t *run;       /* [point]: runs made */
	double *value;       /* [expectation, then the figure whose precision is asked for][point][run] */
};

struct check {
	const struct st_opts *o;
	struct file *file;
	size_t nfiles;
	struct file *at;     /* the one whose trials are running */
	struct st_progress progress;
	struct st_report report;
};

/* --- what there is to do --- */

static char *const *labels_of(const struct file *f, size_t point, char **label)
{
	for (size_t a = 0; a < f->scenario.naxes; a++)
		label[a] = f->scenario.axis[a].value[f->grid.point[point].index[a]].label;
	return label;
}

static bool is_meant_at(const struct file *f, size_t expectation, size_t point)
{
	char **label = st_calloc(f->scenario.naxes, sizeof *label);
	bool met = st_when_met(&f->scenario.expect[expectation].when, labels_of(f, point, label));

	free(label);
	return met;
}

static int prepare(struct file *f, const struct st_opts *o, struct st_err *e)
{
	const struct st_scenario *s = &f->scenario;
	uint64_t runs = s->replications > 1 || o->replications ? s->replications : ST_ROUNDS_BATCH; /* one has no interval */

	if (st_grid_init(&f->grid, s, e) < 0)
		return -1;
	st_rounds_init(&f->rounds, &s->precision, runs, f->grid.n);
	f->is_meant = st_calloc(f->grid.n, sizeof *f->is_meant);
	f->run = st_calloc(f->grid.n, sizeof *f->run);
	f->value = st_calloc((s->nexpect + 1) * f->grid.n, f->rounds.most * sizeof *f->value);
	for (size_t p = 0; p < f->grid.n; p++) {
		for (size_t i = 0; i < s->nexpect && !f->is_meant[p]; i++)
			f->is_meant[p] = is_meant_at(f, i, p);
		if (!f->is_meant[p])
			f->rounds.point[p] = (struct st_round_point){0, ST_ROUNDS_FIXED, (double)NAN};
	}
	return 0;
}

/* Trials that are wanted by now and have not been made. */
static size_t count_missing(const struct file *f)
{
	size_t n = 0;

	for (size_t p = 0; p < f->grid.n; p++)
		n += f->rounds.point[p].wanted - f->run[p];
	return n;
}

/* All files are read before anything is run, so that their mistakes are told together. */
static int load(struct check *c, struct st_err *e)
{
	int code = ST_EXIT_OK;
	size_t expectations = 0, trials = 0;

	for (size_t i = 0; i < c->nfiles; i++) {
		struct file *f = &c->file[i];
		f->name = c->o->operand[i];
		int one = st_load_scenario(c->o, f->name, &f->scenario);

		if (one == ST_EXIT_OK && prepare(f, c->o, e) < 0)
			one = (int)e->code;
		code = one > code ? one : code;
		expectations += f->scenario.nexpect;
		trials += one == ST_EXIT_OK ? count_missing(f) : 0;
	}
	if (code == ST_EXIT_OK && expectations == 0) {
		st_err_add(e, ST_EXIT_USER, NULL, "nothing to check: no scenario of these has a line in 'expect'");
		code = ST_EXIT_USER;
	}
	st_progress_begin(&c->progress, trials, 0, c->o->quiet || code != ST_EXIT_OK);
	return code;
}

/* --- running it --- */

static double *values_of(const struct file *f, size_t expectation, size_t point)
{
	return f->value + (expectation * f->grid.n + point) * f->rounds.most;
}

static int keep(void *to, const struct st_job *job, struct st_result *r, struct st_err *e)
{
	struct check *c = to;
	struct file *f = c->at;
	const struct st_scenario *s = &f->scenario;

	(void)e;
	for (size_t i = 0; i < s->nexpect; i++)
		values_of(f, i, job->point)[job->replication] = st_expect_value(&s->expect[i], r);
	values_of(f, s->nexpect, job->point)[job->replication] = st_expect_value(&s->precision.of, r);
	st_result_release(r);
	st_progress_step(&c->progress);
	return 0;
}

static int run_round(struct check *c, struct file *f, struct st_err *e)
{
	volatile int stop = 0;
	struct st_job *job = st_calloc(count_missing(f), sizeof *job);
	struct st_executor_cfg cfg = {
	    .grid = &f->grid,
	    .job = job,
	    .threads = c->o->executor->count((unsigned)c->o->threads),
	    .stop = &stop,
	    .done = keep,
	    .to = c,
	};

	for (size_t p = 0; p < f->grid.n; p++)
		while (f->run[p] < f->rounds.point[p].wanted)
			job[cfg.njobs++] = (struct st_job){p, f->run[p]++};
	c->at = f;
	int rc = c->o->executor->run(&cfg, e);
	free(job);
	return rc;
}

static int run_file(struct check *c, struct file *f, struct st_err *e)
{
	do {
		if (run_round(c, f, e) < 0)
			return -1;
		if (!st_rounds_next(&f->rounds, values_of(f, f->scenario.nexpect, 0)))
			return 0;
		c->progress.total += count_missing(f);
	} while (true);
}

/* --- telling it --- */

/* "point 3 (jitter full, budget off)"; NULL where there is nothing to tell one from. */
static char *point_of(const struct file *f, size_t point)
{
	struct st_text t = ST_TEXT_INIT;

	if (f->grid.n > 1)
		st_text_addf(&t, "point %zu", point);
	for (size_t a = 0; a < f->scenario.naxes; a++) {
		const struct st_axis *axis = &f->scenario.axis[a];
		const char *dot = strrchr(axis->path, '.');

		st_text_addf(&t, "%s%s %s", a > 0 ? ", " : f->grid.n > 1 ? " (" : "(", dot ? dot + 1 : axis->path,
		    axis->value[f->grid.point[point].index[a]].label);
	}
	if (f->scenario.naxes > 0)
		st_text_add(&t, ")");
	return t.s;
}

static void skip(struct check *c, const struct file *f, const char *name, const char *why)
{
	st_report_add(&c->report,
	    (struct st_report_case){
		.suite = st_strdup(f->name), .name = st_strdup(name), .state = ST_REPORT_SKIPPED, .why = st_strdup(why)});
}

static void judge(struct check *c, const struct file *f, size_t expectation, size_t point)
{
	const struct st_expect *x = &f->scenario.expect[expectation];
	struct st_judgement j = st_judge(x, values_of(f, expectation, point), f->run[point]);
	struct st_text why = ST_TEXT_INIT;
	bool holds = j.verdict == ST_JUDGE_HOLDS;

	st_verdict_say(x, &j, &why);
	st_report_add(&c->report,
	    (struct st_report_case){
		.suite = st_strdup(f->name),
		.name = st_strdup(x->text),
		.point = point_of(f, point),
		.state = holds ? ST_REPORT_PASSED : ST_REPORT_FAILED,
		.kind = st_verdict_name(j.verdict),
		.why = why.s,
		.spare = j.spare,
	    });
}

static void judge_file(struct check *c, const struct file *f)
{
	if (f->scenario.nexpect == 0)
		skip(c, f, "expect", "the scenario expects nothing");
	for (size_t i = 0; i < f->scenario.nexpect; i++) {
		size_t before = c->report.n;

		for (size_t p = 0; p < f->grid.n; p++)
			if (is_meant_at(f, i, p))
				judge(c, f, i, p);
		if (c->report.n == before)
			skip(c, f, f->scenario.expect[i].text, "no point of these axes is meant");
	}
}

static void say_precision(const struct check *c, const struct file *f)
{
	struct st_text t = ST_TEXT_INIT;

	st_rounds_say(&f->rounds, &t);
	if (t.s && !c->o->quiet)
		fprintf(stderr, "stampede: %s: %s\n", f->name, t.s);
	st_text_release(&t);
}

/* On the standard output in the format asked for; in a folder, if one is named, in both. */
static int tell(const struct check *c, struct st_err *e)
{
	struct st_text tap = ST_TEXT_INIT, junit = ST_TEXT_INIT;
	bool as_junit = c->o->format && strcmp(c->o->format, "junit") == 0;
	int rc = 0;

	st_report_tap(&c->report, &tap);
	st_report_junit(&c->report, &junit);
	fputs(as_junit ? junit.s : tap.s, stdout);
	if (c->o->out && (st_file_folders(c->o->out, e) < 0 || st_file_put(c->o->out, "check.tap", &tap, e) < 0 ||
			     st_file_put(c->o->out, "check.xml", &junit, e) < 0))
		rc = -1;
	st_text_release(&tap);
	st_text_release(&junit);
	return rc;
}

static int check(struct check *c, struct st_err *e)
{
	int code = load(c, e);

	if (code != ST_EXIT_OK)
		return code;
	for (size_t i = 0; i < c->nfiles; i++)
		if (run_file(c, &c->file[i], e) < 0)
			return (int)e->code;
	st_progress_end(&c->progress);
	for (size_t i = 0; i < c->nfiles; i++) {
		judge_file(c, &c->file[i]);
		say_precision(c, &c->file[i]);
	}
	if (tell(c, e) < 0)
		return (int)e->code;
	return st_report_failed(&c->report) > 0 ? ST_EXIT_EXPECTATION : ST_EXIT_OK;
}

static int run(const struct st_opts *o)
{
	struct check c = {
	    .o = o, .file = st_calloc(o->noperands, sizeof *c.file), .nfiles = o->noperands, .report = ST_REPORT_INIT};
	struct st_err e = ST_ERR_INIT;
	int code = check(&c, &e);

	st_err_print(&e, stderr);
	st_err_release(&e);
	for (size_t i = 0; i < c.nfiles; i++) {
		st_grid_release(&c.file[i].grid);
		st_scenario_release(&c.file[i].scenario);
		st_rounds_release(&c.file[i].rounds);
		free(c.file[i].is_meant);
		free(c.file[i].run);
		free(c.file[i].value);
	}
	free(c.file);
	st_report_release(&c.report);
	return code;
}

static const char *const options[] = {
    "set", "axis", "sample", "replications", "precision", "max-replications", "seed", "out", "threads", "format", NULL};

const struct st_cmd st_cmd_check = {
    .name = "check",
    .operands = "FILE...",
    .min_operands = 1,
    .max_operands = SIZE_MAX,
    .help = "Hold scenarios to what they expect, for continuous integration",
    .about = "Each line of 'expect' is a test at every point of the scenario's axes, or at those that it is meant\n"
	     "for. It fails if it does not hold, and if so few runs cannot tell; then the exit code is 1. In TAP\n"
	     "the points at which a line holds are one test. A scenario that asks for one replication or for none\n"
	     "in particular is run ten times.\n\n"
	     "Nothing is written but with -o DIR, which keeps check.tap and check.xml there.",
    .options = options,
    .formats = "tap junit",
    .run = run,
};
