#include <config.h>

#include "app/chapter.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "app/verdict.h"
#include "base/mem.h"
#include "output/file.h"
#include "output/html.h"
#include "output/raster.h"
#include "output/shape.h"
#include "output/summary_read.h"
#include "output/table.h"

/* --- a run --- */

static void tell_run_result(struct st_page *p, const struct st_result *r)
{
	struct st_text said = ST_TEXT_INIT;

	st_table_run_say(r, &said);
	st_html_lead(&p->out, said.s);
	st_text_release(&said);
	st_verdict_run(p->scenario, r, st_page_verdict, p);
}

static void define_rows(struct st_page *p, const struct st_cells *c, size_t from)
{
	for (size_t r = from; r < c->rows; r++)
		st_page_define(p, st_cells_at(c, r, 0));
}

/* The load on each service but the first, whose picture is the run's. */
static int add_services(struct st_page *p, const struct st_result *r, struct st_err *e)
{
	struct st_cells c;
	size_t first = st_result_count(r, ST_SCOPE_GROUP);
	int rc = 0;

	if (first == r->nsubjects)
		return 0;
	st_html_heading(&p->out, "Services");
	st_table_services_cells(r, &c);
	for (size_t k = 1; k < c.columns; k++)
		st_page_define(p, st_cells_at(&c, 0, k));
	st_page_table(p, &c, 1, 1);
	for (size_t i = first + 1; i < r->nsubjects && rc == 0; i++) {
		char *name = st_format("load-%s", r->subject[i].name), *caption = st_format("The same of the service %s.", r->subject[i].name);

		rc = st_page_picture(p, name, caption, e);
		free(name);
		free(caption);
	}
	return rc;
}

static int tell_run(struct st_page *p, struct st_err *e)
{
	struct st_result r;
	struct st_cells c;
	int rc = st_summary_read(p->dir, &r, e);

	if (rc == 0) {
		st_html_section(&p->out, "One run");
		tell_run_result(p, &r);
		rc = st_page_pictures(p, "run", e);
		st_html_heading(&p->out, "Figures");
		st_table_run_cells(&r, &c);
		define_rows(p, &c, 1);
		st_page_table(p, &c, 1, 2);
		st_html_note(&p->out, "One run has no intervals: how sure a figure is, a sweep with replications tells.");
		if (rc == 0)
			rc = add_services(p, &r, e);
		st_text_addf(&p->facts, "fingerprint of the run: %016" PRIx64 "\n", r.fingerprint);
	}
	st_result_release(&r);
	return rc;
}

const struct st_chapter st_chapter_run = {
    .kind = "run",
    .tell = tell_run,
};

/* --- a trace --- */

static int tell_trace(struct st_page *p, struct st_err *e)
{
	json_t *j = st_shape_load(p->dir, "trace.json", e);
	const json_t *blocks = json_object_get(j, "blocks");
	struct st_cells c;

	if (!j)
		return -1;
	st_html_section(&p->out, "The attempts of a run");
	st_html_say(&p->out, "Every step of every attempt is in trace.csv.");
	int rc = st_page_pictures(p, "trace", e);
	st_cells_init(&c, 1 + json_array_size(blocks), 1 + ST_RASTER_STEPS);
	st_cells_put(&c, 0, 0, st_strdup("clients"));
	for (size_t k = 0; k < ST_RASTER_STEPS; k++)
		st_cells_put(&c, 0, 1 + k, st_strdup(st_raster_step_name(k)));
	for (size_t i = 0; i < json_array_size(blocks); i++) {
		const json_t *one = json_array_get(blocks, i);

		st_cells_put(&c, 1 + i, 0, st_strdup(st_shape_text(one, "clients")));
		for (size_t k = 0; k < ST_RASTER_STEPS; k++)
			st_cells_put(&c, 1 + i, 1 + k, st_format("%.0f", json_number_value(json_object_get(one, st_raster_step_name(k)))));
	}
	st_html_heading(&p->out, "Steps that were traced");
	st_page_table(p, &c, 1, 1);
	json_decref(j);
	return rc;
}

static int add_trace_options(const struct st_page *p, struct st_text *command, struct st_err *e)
{
	json_t *j = st_shape_load(p->dir, "trace.json", e);
	const json_t *first = json_object_get(j, "first");

	if (!j)
		return -1;
	if (json_object_get(j, "group")) {
		st_text_add(command, " --group ");
		st_text_add_word(command, st_shape_text(j, "group"));
	}
	if (first)
		st_text_addf(command, " --first %.0f", json_number_value(first));
	json_decref(j);
	return 0;
}

const struct st_chapter st_chapter_trace = {
    .kind = "trace",
    .tell = tell_trace,
    .add_options = add_trace_options,
};

/* --- a schedule --- */

static int tell_schedule(struct st_page *p, struct st_err *e)
{
	struct st_text held;
	struct st_cells c;
	json_t *j = st_shape_load(p->dir, "schedule.json", e);
	const json_t *policy = json_array_get(json_object_get(j, "schedules"), 0);
	int rc = j ? st_file_read(p->dir, "schedule.csv", &held, e) : -1;

	if (rc == 0) {
		st_html_section(&p->out, "When the policy retries");
		st_html_lead(&p->out, st_shape_text(policy, "words"));
		rc = st_page_pictures(p, "schedule", e);
		st_cells_of_csv(&c, held.s);
		st_html_heading(&p->out, "The delay before each retry, and when it is sent");
		st_page_table(p, &c, 1, 1);
		st_text_release(&held);
	}
	json_decref(j);
	return rc;
}

static int add_schedule_options(const struct st_page *p, struct st_text *command, struct st_err *e)
{
	json_t *j = st_shape_load(p->dir, "schedule.json", e), *value;
	const json_t *policy = json_array_get(json_object_get(j, "schedules"), 0);
	const char *name;

	if (!j)
		return -1;
	st_text_add(command, " --plot --group ");
	st_text_add_word(command, st_shape_text(policy, "policy"));
	json_object_foreach(json_object_get(j, "options"), name, value)
	{
		st_text_addf(command, " --%s ", name);
		st_text_add_word(command, json_string_value(value));
	}
	json_decref(j);
	return 0;
}

const struct st_chapter st_chapter_schedule = {
    .kind = "schedule",
    .tell = tell_schedule,
    .add_options = add_schedule_options,
};
