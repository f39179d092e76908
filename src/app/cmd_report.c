#include <config.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/chapter.h"
#include "app/cmd.h"
#include "app/policy.h"
#include "base/mem.h"
#include "output/chart.h"
#include "output/file.h"
#include "output/html.h"
#include "output/shape.h"

enum { CHAPTERS_N = 5 };

/* In the order of a report. Results that have no row here are not told of. */
static const struct st_chapter *const table[CHAPTERS_N] = {
    &st_chapter_run, &st_chapter_trace, &st_chapter_sweep, &st_chapter_tune, &st_chapter_schedule};

/* A report, and what it is of. */
struct work {
	const struct st_opts *o;
	const char *dir;
	const struct st_chart *chart[CHAPTERS_N]; /* of each chapter; NULL: the folder has no such results */
	struct st_text yaml;
	const char *comment;                      /* the rest of that at its head: all but what begins the page */
	struct st_scenario scenario;
	struct st_config config;
	struct st_page page;
};

/* --- the folder --- */

static int find_results(struct work *w, struct st_err *e)
{
	bool any = false;

	for (size_t i = 0; i < CHAPTERS_N; i++) {
		const struct st_chart *c = st_chart_at(0);

		for (size_t k = 1; strcmp(c->kind, table[i]->kind) != 0; k++)
			c = st_chart_at(k);
		w->chart[i] = st_chart_has_data(c, w->dir) ? c : NULL;
		any = any || w->chart[i];
	}
	if (!any)
		return st_err_add(e, ST_EXIT_USER, NULL, "'%s' holds no results; a report is of what 'stampede run' and its kin leave with -o DIR",
		    w->dir);
	return 0;
}

static int read_scenario(struct work *w, struct st_err *e)
{
	char *path = st_format("%s/scenario.yaml", w->dir);
	int rc = st_scenario_read(path, NULL, 0, NULL, 0, &w->scenario, e);

	free(path);
	return rc == 0 && st_file_read(w->dir, "scenario.yaml", &w->yaml, e) == 0 ? st_scenario_resolve(w->scenario.tree, &w->config, e) : -1;
}

/* Whether there are pictures, none of them of earlier data. */
static bool is_drawn(const struct work *w, const struct st_chart *c)
{
	bool any = false;

	for (size_t i = 0; i < sizeof c->picture / sizeof *c->picture && c->picture[i].name; i++) {
		char *picture = st_format("%s.png", c->picture[i].name);
		bool is_there = st_file_exists(w->dir, picture);
		bool is_old = st_file_is_older(w->dir, picture, c->data[0]) || st_file_is_older(w->dir, picture, c->data[1]);

		free(picture);
		if (is_there && is_old)
			return false;
		any = any || is_there;
	}
	return any;
}

/* Those that are not there, or are of earlier data. The report does without what cannot be drawn; that it could not is told. */
static void draw_charts(const struct work *w, struct st_err *e)
{
	for (size_t i = 0; i < CHAPTERS_N && !w->o->no_chart; i++)
		if (w->chart[i] && !is_drawn(w, w->chart[i]))
			w->chart[i]->draw(w->dir, e);
}

/* --- the page --- */

/* The scenario's, or the folder's name. To be freed. */
static char *title_of(const struct work *w)
{
	char *path = w->config.title && *w->config.title ? NULL : realpath(w->dir, NULL);
	char *title = st_strdup(path ? strrchr(path, '/') + 1 : w->config.title ? w->config.title : w->dir);

	free(path);
	return title;
}

/* What follows a comment's '#' and the blank after it. */
static const char *uncommented(const char *line)
{
	line += *line == '#';
	return line + (*line == ' ');
}

/*
 * A part of the comment at the scenario's head, which says what it asks and what to look at: a paragraph, as its author broke them, or
 * what is indented, as commands are. Returns what follows.
 */
static const char *add_comment(struct st_text *out, const char *yaml)
{
	struct st_text part = ST_TEXT_INIT;
	bool is_code = *uncommented(yaml) == ' ';

	for (; *yaml == '#' && *uncommented(yaml) != '\n' && (*uncommented(yaml) == ' ') == is_code; yaml += strcspn(yaml, "\n") + 1) {
		const char *said = uncommented(yaml);

		said += strspn(said, " ");
		st_text_addn(&part, said, strcspn(said, "\n") + 1);
	}
	if (part.s && is_code)
		st_html_code(out, part.s);
	else if (part.s)
		st_html_say(out, part.s);
	st_text_release(&part);
	while (*yaml == '#' && *uncommented(yaml) == '\n')
		yaml += strcspn(yaml, "\n") + 1;
	return yaml;
}

/* A part of the scenario, if it has anything of its own; words: a line before the table, or NULL. */
static void add_part(struct work *w, enum st_section section, size_t index, const char *heading, const char *words)
{
	struct st_cells c;

	if (st_policy_differences(&w->config, section, index, &c) == 0) {
		st_cells_release(&c);
		return;
	}
	st_html_heading(&w->page.out, heading);
	if (words)
		st_html_say(&w->page.out, words);
	st_page_table(&w->page, &c, 1, 4);
}

static void add_groups(struct work *w)
{
	for (size_t i = 0; i < w->config.ngroups; i++) {
		const struct st_group_cfg *g = &w->config.group[i];
		char *heading = st_format("Clients: %s", g->name), *policy = st_policy_in_words(&g->retry, g->retry.attempts);
		char *words = st_format("%" PRIu64 " client%s; %s.", g->count, g->count == 1 ? "" : "s",
		    g->retry.attempts == 1 ? "no retries" : policy);

		add_part(w, ST_SECTION_GROUP, i, heading, words);
		free(heading);
		free(policy);
		free(words);
	}
}

static void add_services(struct work *w)
{
	for (size_t i = 0; i < w->config.nservices; i++) {
		const struct st_service_cfg *s = &w->config.service[i];
		char *heading = w->config.nservices == 1 ? st_strdup("The service") : st_format("Service: %s", s->name);
		char *calls = st_format("Calls of %s", s->name);

		add_part(w, ST_SECTION_SERVICE, i, heading, NULL);
		if (s->calls.to)
			add_part(w, ST_SECTION_CALLS, i, calls, NULL);
		free(heading);
		free(calls);
	}
}

static void add_setting(struct work *w)
{
	st_html_section(&w->page.out, "What was simulated");
	while (*w->comment == '#')
		w->comment = add_comment(&w->page.out, w->comment);
	st_html_say(&w->page.out, "What is not as it is by default; all values are in the scenario below.");
	add_groups(w);
	add_services(w);
	for (size_t i = 0; i < w->config.nfaults; i++) {
		char *heading = w->config.nfaults == 1 ? st_strdup("The fault") : st_format("Fault %zu", i + 1);

		add_part(w, ST_SECTION_FAULT, i, heading, NULL);
		free(heading);
	}
	add_part(w, ST_SECTION_TOP, 0, "The run", NULL);
}

static void add_definitions(struct st_page *p)
{
	struct st_cells c;
	size_t n = 0;

	st_cells_init(&c, st_figure_count(), 2);
	for (size_t i = 0; i < st_figure_count(); i++) {
		if (!p->defined[i])
			continue;
		st_cells_put(&c, n, 0, st_strdup(st_figure_at(i)->name));
		st_cells_put(&c, n++, 1, st_strdup(st_figure_at(i)->help));
	}
	c.rows = n;
	if (n > 0) {
		st_html_section(&p->out, "What the figures mean");
		st_html_table(&p->out, &c, 0, 2);
	}
	st_cells_release(&c);
}

/* The commands that give the same again, and by what it is known to be the same. */
static int add_provenance(struct work *w, struct st_err *e)
{
	struct st_text commands = ST_TEXT_INIT;
	int rc = 0;

	for (size_t i = 0; i < CHAPTERS_N && rc == 0; i++) {
		if (!w->chart[i])
			continue;
		st_text_addf(&commands, "stampede %s scenario.yaml", table[i]->kind);
		if (table[i]->add_options)
			rc = table[i]->add_options(&w->page, &commands, e);
		st_text_add(&commands, " -o again\n");
	}
	st_html_section(&w->page.out, "To have it again");
	st_html_say(&w->page.out, "In the folder of the results, or with the scenario below as scenario.yaml and the files that it names beside it:");
	st_html_code(&w->page.out, commands.s);
	st_html_say(&w->page.out, "The same scenario, seed and version give the same results, byte for byte but for what is under `machine` in "
				  "summary.json, on any number of threads.");
	st_html_list(&w->page.out, w->page.facts.s);
	st_text_release(&commands);
	return rc;
}

/* Of whose version the results are: that of the first chapter. */
static int begin_page(struct work *w, struct st_err *e)
{
	size_t first = 0;

	while (!w->chart[first])
		first++;
	json_t *j = st_shape_load(w->dir, w->chart[first]->data[0], e);
	char *title = title_of(w), *kind = st_format("A simulation by stampede %s, seed %" PRIu64, st_shape_text(j, "version"), w->config.seed);

	st_html_begin(&w->page.out, title, kind);
	w->comment = add_comment(&w->page.out, w->yaml.s);
	st_text_addf(&w->page.facts, "version: stampede %s\nseed: %" PRIu64 "\n", st_shape_text(j, "version"), w->config.seed);
	free(title);
	free(kind);
	json_decref(j);
	return j ? 0 : -1;
}

static int make_page(struct work *w, struct st_err *e)
{
	int rc = begin_page(w, e);

	for (size_t i = 0; i < CHAPTERS_N && rc == 0; i++) {
		if (w->chart[i])
			rc = table[i]->tell(&w->page, e);
	}
	if (rc < 0)
		return -1;
	add_setting(w);
	add_definitions(&w->page);
	if (add_provenance(w, e) < 0)
		return -1;
	st_html_section(&w->page.out, "The scenario");
	st_html_code(&w->page.out, w->yaml.s);
	st_html_end(&w->page.out);
	return 0;
}

static int report(struct work *w, struct st_err *e)
{
	struct st_err charts = ST_ERR_INIT;

	if (find_results(w, e) < 0 || read_scenario(w, e) < 0)
		return -1;
	draw_charts(w, &charts);
	w->page = (struct st_page){.dir = w->dir, .scenario = &w->scenario, .defined = st_calloc(st_figure_count(), sizeof(bool))};
	int rc = make_page(w, e);
	if (rc == 0)
		rc = st_file_put(w->dir, "report.html", &w->page.out, e);
	if (rc == 0 && !w->o->quiet)
		fprintf(stderr, "stampede: the report is '%s/report.html'\n", w->dir);
	for (size_t i = 0; i < charts.n; i++)
		rc = st_err_add(e, charts.code, NULL, "%s", charts.message[i]);
	st_err_release(&charts);
	return rc;
}

static int run(const struct st_opts *o)
{
	struct work w = {.o = o, .dir = o->operand[0]};
	struct st_err e = ST_ERR_INIT;

	report(&w, &e);
	st_err_print(&e, stderr);
	int code = (int)e.code;
	st_err_release(&e);
	st_config_release(&w.config);
	st_scenario_release(&w.scenario);
	st_text_release(&w.yaml);
	st_text_release(&w.page.facts);
	st_text_release(&w.page.out);
	free(w.page.defined);
	return code;
}

static const char *const options[] = {"no-chart", NULL};

const struct st_cmd st_cmd_report = {
    .name = "report",
    .operands = "DIR",
    .min_operands = 1,
    .max_operands = 1,
    .help = "Make one page of a folder of results, to read or to send",
    .about =
	"DIR is what run, trace, sweep, compare, tune or schedule --plot left. DIR/report.html is a single\n"
	"file that needs no network: what came out, whether expectations hold, the charts, the figures with\n"
	"their intervals, what was simulated, and the commands that give the same again. Charts that are\n"
	"missing, or older than their data, are drawn first, unless --no-chart is given.",
    .options = options,
    .run = run,
};
