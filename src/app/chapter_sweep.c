#include <config.h>

#include "app/chapter.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "app/verdict.h"
#include "base/mem.h"
#include "experiment/recall.h"
#include "output/html.h"
#include "output/leader.h"
#include "output/shape.h"
#include "output/table.h"

/* Whether its points are policies to be held against the first: so `compare` leaves them. */
static bool is_comparison(const struct st_scenario *s, const struct st_sweep_result *r)
{
	return s->naxes == 1 && s->axis[0].is_labelled && r->naxes == 1 && r->npoints > 1;
}

static void tell_contrast(struct st_page *p, const struct st_contrast *c)
{
	struct st_text said = ST_TEXT_INIT;

	for (size_t k = 0; k < c->n; k++) {
		st_table_contrast_say(c, k, &said);
		st_text_add(&said, "\n");
	}
	st_html_list(&p->out, said.s);
	st_text_release(&said);
}

static void tell_points(struct st_page *p, const struct st_sweep_result *r)
{
	struct st_text said = ST_TEXT_INIT;
	struct st_cells c;

	st_html_heading(&p->out, "All points");
	size_t heads = st_table_sweep_cells(r, &c, &said);
	st_page_table(p, &c, heads, 1 + r->naxes);
	st_html_note(&p->out, said.s ? said.s : "");
	st_html_note(&p->out, "Means over the runs, with the half-width of the 95 % interval where it can be seen.");
	st_text_release(&said);
}

static void tell_policies(struct st_page *p, const struct st_contrast *c)
{
	struct st_text said = ST_TEXT_INIT;
	struct st_cells cells;

	st_html_heading(&p->out, "All policies");
	size_t heads = st_table_contrast_cells(c, &cells);
	st_page_table(p, &cells, heads, 1);
	st_table_contrast_marks(c, &said);
	st_html_note(&p->out, said.s);
	st_text_release(&said);
}

/* The value that the i-th value of a labelled axis sets a target to, "" if it leaves it as it is; to be freed. */
static char *set_by(const struct st_axis *a, size_t i, size_t target)
{
	struct st_text t = ST_TEXT_INIT;

	st_text_add(&t, "");
	for (size_t k = 0; k < a->value[i].nset; k++)
		if (a->value[i].set[k].target == target)
			st_tree_print(a->value[i].set[k].value, &t);
	return t.s;
}

/* A row a parameter, a column a label. */
static void tell_labels(struct st_page *p, const struct st_axis *a)
{
	struct st_cells c;

	st_cells_init(&c, 1 + a->ntargets, 1 + a->n);
	st_cells_put(&c, 0, 0, st_strdup(a->path));
	for (size_t i = 0; i < a->n; i++)
		st_cells_put(&c, 0, 1 + i, st_strdup(a->value[i].label));
	for (size_t k = 0; k < a->ntargets; k++) {
		st_cells_put(&c, 1 + k, 0, st_strdup(a->target[k]));
		for (size_t i = 0; i < a->n; i++)
			st_cells_put(&c, 1 + k, 1 + i, set_by(a, i, k));
	}
	st_page_table(p, &c, 1, 1 + a->n);
}

/* What is written on an axis: "none, full", or the range that values are drawn from. To be freed. */
static char *values_of(const struct st_axis *a)
{
	struct st_text t = ST_TEXT_INIT;

	if (a->interval)
		return st_strdup(a->drawn_from);
	for (size_t i = 0; i < a->n; i++) {
		st_text_add(&t, i > 0 ? ", " : "");
		st_tree_print(a->value[i].written, &t);
	}
	return t.s;
}

static void tell_axes(struct st_page *p)
{
	const struct st_scenario *s = p->scenario;
	size_t row = 1;
	struct st_cells c;

	st_html_heading(&p->out, "What is varied");
	st_cells_init(&c, 1 + s->naxes, 2);
	st_cells_put(&c, 0, 0, st_strdup("axis"));
	st_cells_put(&c, 0, 1, st_strdup("values"));
	for (size_t a = 0; a < s->naxes; a++) {
		if (s->axis[a].is_labelled) {
			tell_labels(p, &s->axis[a]);
			continue;
		}
		st_cells_put(&c, row, 0, st_strdup(s->axis[a].path));
		st_cells_put(&c, row++, 1, values_of(&s->axis[a]));
	}
	c.rows = row;
	if (row > 1)
		st_page_table(p, &c, 1, 2);
	else
		st_cells_release(&c);
}

/* "36 points, 30 runs each." */
static void tell_size(struct st_page *p, const struct st_sweep_result *r, const char *what)
{
	size_t least = SIZE_MAX, most = 0;

	for (size_t i = 0; i < r->npoints; i++) {
		least = r->point[i].n < least ? r->point[i].n : least;
		most = r->point[i].n > most ? r->point[i].n : most;
	}
	char *runs = least == most ? st_format("%zu run%s each", most, most == 1 ? "" : "s") : st_format("%zu to %zu runs each", least, most);
	char *said = st_format("%zu %s, %s.", r->npoints, what, runs);

	st_html_lead(&p->out, said);
	free(runs);
	free(said);
}

/* What came out, the charts, the table. */
static int tell_sweep_result(struct st_page *p, const struct st_sweep_result *r, struct st_err *e)
{
	bool compares = is_comparison(p->scenario, r);
	struct st_score *column = NULL;
	struct st_contrast contrast;
	struct st_text said = ST_TEXT_INIT;

	if (compares) {
		size_t n = st_contrast_columns(r, &column);

		st_contrast_init(&contrast, r, column, n);
		st_html_section(&p->out, "The policies compared");
		tell_size(p, r, "policies, run on the same random numbers");
		tell_contrast(p, &contrast);
	} else {
		st_html_section(&p->out, "The sweep");
		tell_size(p, r, r->npoints == 1 ? "point" : "points");
		st_leader_say(r, &said);
		if (said.s)
			st_html_list(&p->out, said.s);
		st_text_release(&said);
	}
	st_verdict_sweep(p->scenario, r, st_page_verdict, p);
	int rc = st_page_pictures(p, "sweep", e);
	if (compares) {
		tell_policies(p, &contrast);
		st_contrast_release(&contrast);
		free(column);
	} else {
		tell_points(p, r);
	}
	return rc;
}

static int tell_sweep(struct st_page *p, struct st_err *e)
{
	static const char *const shown[] = {"success_share", "last_success_after_fault_s", "amplification", "after_fault_peak_x_capacity",
	    "offered_peak_x_capacity", "recovery_time_s", "wasted_share"};
	struct st_sweep_result r;
	json_t *j = st_shape_load(p->dir, "sweep.json", e);
	char *path = st_format("%s/sweep.db", p->dir);
	double replications = json_number_value(json_object_get(j, "replications"));
	size_t runs = 0;
	int rc = j ? 0 : -1;

	if (rc == 0 && !(replications >= 1.0 && replications <= (double)UINT32_MAX))
		rc = st_err_add(e, ST_EXIT_USER, NULL, "'%s/sweep.json' does not say how many replications its points have", p->dir);
	if (rc == 0)
		rc = st_recall_file(path, (uint32_t)replications, &r, e);
	for (size_t i = 0; rc == 0 && i < json_array_size(json_object_get(j, "figures")); i++)
		if (json_string_value(json_array_get(json_object_get(j, "figures"), i)))
			st_sweep_choose(&r, json_string_value(json_array_get(json_object_get(j, "figures"), i)));
	json_decref(j);
	free(path);
	if (rc < 0)
		return -1;
	rc = tell_sweep_result(p, &r, e);
	if (p->scenario->naxes > 0)
		tell_axes(p);
	for (size_t i = 0; i < sizeof shown / sizeof *shown; i++)
		st_page_define(p, shown[i]);
	for (size_t i = 0; i < r.npoints; i++)
		runs += r.point[i].n;
	st_text_addf(&p->facts, "points: %zu\nruns: %zu\n", r.npoints, runs);
	st_sweep_result_release(&r);
	return rc;
}

/* The scenario may ask for more by now, of a sweep that was to go on and was stopped. */
static int add_sweep_options(const struct st_page *p, struct st_text *command, struct st_err *e)
{
	json_t *j = st_shape_load(p->dir, "sweep.json", e);
	double replications = json_number_value(json_object_get(j, "replications"));
	size_t points = json_array_size(json_object_get(j, "points"));

	if (!j)
		return -1;
	if (p->scenario->precision.half_width == 0 && replications != (double)p->scenario->replications)
		st_text_addf(command, " --replications %.0f", replications);
	if (p->scenario->sample > 0 && points != p->scenario->sample)
		st_text_addf(command, " --sample %zu", points);
	json_decref(j);
	return 0;
}

const struct st_chapter st_chapter_sweep = {
    .kind = "sweep",
    .tell = tell_sweep,
    .add_options = add_sweep_options,
};
