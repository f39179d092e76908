#include <config.h>

#include "app/chapter.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "output/file.h"
#include "output/html.h"
#include "output/shape.h"

/* A row's number in a column of tune.csv, NAN if it is empty; ending: "", "_lo", "_hi", "_never". */
static double number_in(const struct st_cells *csv, size_t row, const char *column, const char *ending)
{
	char *name = st_format("%s%s", column, ending);
	double x = (double)NAN;

	for (size_t k = 0; k < csv->columns; k++)
		if (strcmp(st_cells_at(csv, 0, k), name) == 0 && *st_cells_at(csv, row, k))
			x = strtod(st_cells_at(csv, row, k), NULL);
	free(name);
	return x;
}

/* fresh: "fresh_" of the runs by which a point was not chosen, or "". */
static char *value_in(const struct st_cells *csv, size_t row, const char *fresh, const json_t *figure)
{
	char *column = st_format("%s%s", fresh, st_shape_text(figure, "column"));
	double mean = number_in(csv, row, column, ""), lo = number_in(csv, row, column, "_lo"), never = number_in(csv, row, column, "_never");
	double scale = json_number_value(json_object_get(figure, "scale"));

	free(column);
	if (never > 0)
		return st_format("never in %.0f", never);
	if (isnan(mean))
		return st_strdup("-");
	return isnan(lo) || mean <= lo ? st_format("%.4g", scale * mean) : st_format("%.4g +-%.2g", scale * mean, scale * (mean - lo));
}

/* tune.csv, and where in it things stand. */
struct tuned {
	struct st_cells csv;
	const json_t *figures;
	size_t naxes, runs, rank, bounds, fresh_runs, fresh_bounds; /* columns; AXES is the first axis's */
};

enum { AXES = 2 };

static size_t column_of(const struct st_cells *csv, size_t from, const char *name)
{
	while (from < csv->columns && strcmp(st_cells_at(csv, 0, from), name) != 0)
		from++;
	return from;
}

/* An axis is a path: none is called as a column of ours. False: it is no such table. */
static bool find_columns(struct tuned *t)
{
	t->rank = column_of(&t->csv, AXES, "rank");
	if (t->rank <= AXES || t->rank >= t->csv.columns)
		return false;
	t->runs = t->rank - 1;
	t->bounds = t->rank + 1;
	t->naxes = t->runs - AXES;
	t->fresh_runs = column_of(&t->csv, t->bounds, "fresh_runs");
	t->fresh_bounds = t->fresh_runs + 1;
	return true;
}

static void put_tuned_head(const struct tuned *t, struct st_cells *c)
{
	size_t column = 0, n = json_array_size(t->figures);

	st_cells_put(c, 0, column++, st_strdup("point"));
	for (size_t a = 0; a < t->naxes; a++)
		st_cells_put(c, 0, column++, st_strdup(st_text_last_part(st_cells_at(&t->csv, 0, AXES + a))));
	for (size_t i = 0; i < n; i++) {
		const json_t *f = json_array_get(t->figures, i);

		st_cells_put(c, 0, column++, st_format("%s%s", st_shape_text(f, "column"), json_number_value(json_object_get(f, "scale")) > 1 ? ", %" : ""));
	}
	if (n > 1)
		st_cells_put(c, 0, column, st_strdup("bounds"));
	st_cells_put(c, 0, column + 1, st_strdup("runs"));
}

/* A line of the runs that a point was chosen by, and one of fresh runs, if it has any; returns how many. */
static size_t put_tuned(const struct tuned *t, size_t at, struct st_cells *c, size_t row)
{
	size_t n = json_array_size(t->figures), first = 1 + t->naxes, last = first + n;
	bool is_confirmed = strtoul(st_cells_at(&t->csv, at, t->fresh_runs), NULL, 10) > 0;

	st_cells_put(c, row, 0, st_strdup(st_cells_at(&t->csv, at, 0)));
	for (size_t a = 0; a < t->naxes; a++)
		st_cells_put(c, row, 1 + a, st_strdup(st_cells_at(&t->csv, at, AXES + a)));
	for (size_t i = 0; i < n; i++) {
		st_cells_put(c, row, first + i, value_in(&t->csv, at, "", json_array_get(t->figures, i)));
		if (is_confirmed)
			st_cells_put(c, row + 1, first + i, value_in(&t->csv, at, "fresh_", json_array_get(t->figures, i)));
	}
	st_cells_put(c, row, last, st_strdup(st_cells_at(&t->csv, at, t->bounds)));
	st_cells_put(c, row, last + 1, st_strdup(st_cells_at(&t->csv, at, t->runs)));
	if (is_confirmed) {
		st_cells_put(c, row + 1, last, st_strdup(st_cells_at(&t->csv, at, t->fresh_bounds)));
		st_cells_put(c, row + 1, last + 1, st_format("%s fresh", st_cells_at(&t->csv, at, t->fresh_runs)));
	}
	return 1 + is_confirmed;
}

/* The points that were looked at to the end, the best first. */
static void tell_finalists(struct st_page *p, const struct tuned *t)
{
	size_t *of_rank = st_calloc(t->csv.rows, sizeof *of_rank), row = 1;
	struct st_cells c;

	for (size_t r = 1; r < t->csv.rows; r++) {
		size_t rank = strtoul(st_cells_at(&t->csv, r, t->rank), NULL, 10);

		if (rank < t->csv.rows)
			of_rank[rank] = r;
	}
	st_cells_init(&c, 1 + 2 * t->csv.rows, 1 + t->naxes + json_array_size(t->figures) + 2);
	put_tuned_head(t, &c);
	for (size_t rank = 1; rank < t->csv.rows && of_rank[rank] > 0; rank++)
		row += put_tuned(t, of_rank[rank], &c, row);
	c.rows = row;
	free(of_rank);
	st_html_heading(&p->out, "The best points");
	st_page_table(p, &c, 1, 1 + t->naxes);
	st_html_note(&p->out, "Means over the runs with the half-width of the 95 % interval: of the runs by which a point was chosen, and of fresh "
			      "ones, which have no luck in them. All points are in tune.csv.");
}

static int tell_tune(struct st_page *p, struct st_err *e)
{
	json_t *j = st_shape_load(p->dir, "tune.json", e);
	const json_t *figures = json_object_get(j, "figures");
	struct st_text held = ST_TEXT_INIT;
	struct tuned t = {.figures = figures};
	int rc = j ? st_file_read(p->dir, "tune.csv", &held, e) : -1;

	if (rc == 0) {
		st_html_section(&p->out, "The search for the best values");
		st_html_lead(&p->out, st_shape_text(j, "best"));
		st_html_code(&p->out, st_shape_text(j, "settings"));
		rc = st_page_pictures(p, "tune", e);
		st_cells_of_csv(&t.csv, held.s);
		if (find_columns(&t))
			tell_finalists(p, &t);
		else
			rc = st_err_add(e, ST_EXIT_USER, NULL, "'%s/tune.csv' is no table of points", p->dir);
		st_cells_release(&t.csv);
		for (size_t i = 0; i < json_array_size(figures); i++) {
			const char *column = st_shape_text(json_array_get(figures, i), "column"), *dot = strrchr(column, '.');

			st_page_define(p, dot ? dot + 1 : column);
		}
		st_text_addf(&p->facts, "points: %.0f\nruns: %.0f\n", json_number_value(json_object_get(j, "points")),
		    json_number_value(json_object_get(j, "runs")));
	}
	st_text_release(&held);
	json_decref(j);
	return rc;
}

static void add_each(struct st_text *command, const char *option, const json_t *list)
{
	for (size_t i = 0; i < json_array_size(list); i++) {
		const char *word = json_string_value(json_array_get(list, i));

		st_text_addf(command, " \\\n    %s ", option);
		st_text_add_word(command, word ? word : "");
	}
}

static int add_tune_options(const struct st_page *p, struct st_text *command, struct st_err *e)
{
	json_t *j = st_shape_load(p->dir, "tune.json", e);
	const json_t *asked = json_object_get(j, "asked");

	if (!j)
		return -1;
	st_text_add(command, " --goal ");
	st_text_add_word(command, st_shape_text(j, "goal"));
	add_each(command, "--subject-to", json_object_get(asked, "subject_to"));
	add_each(command, "--over", json_object_get(asked, "over"));
	st_text_addf(command, " \\\n    --points %.0f --replications %.0f --runs %.0f", json_number_value(json_object_get(asked, "points")),
	    json_number_value(json_object_get(asked, "replications")), json_number_value(json_object_get(asked, "runs")));
	json_decref(j);
	return 0;
}

const struct st_chapter st_chapter_tune = {
    .kind = "tune",
    .tell = tell_tune,
    .add_options = add_tune_options,
};
