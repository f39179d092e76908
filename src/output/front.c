#include <config.h>

#include "output/front.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "output/gnuplot.h"
#include "output/shape.h"

void st_front_release(struct st_front *f)
{
	for (size_t i = 0; i < f->npoints; i++) {
		for (size_t a = 0; a < f->naxes; a++)
			free(f->point[i].label[a]);
		free(f->point[i].label);
		free(f->point[i].value);
		free(f->point[i].fresh);
	}
	for (size_t i = 0; i < f->nfigures; i++)
		free(f->figure[i].column);
	free(f->sentence);
	free(f->settings);
	free(f->axis);
	free(f->point);
	free(f->figure);
	*f = (struct st_front){.title = NULL};
}

/* By how much a is better than b in a figure; NAN where one has no mean. */
static double lead(const struct st_front *f, size_t a, size_t b, size_t figure)
{
	double more = f->point[a].value[figure].mean.mean - f->point[b].value[figure].mean.mean;

	return f->figure[figure].is_more_better ? more : -more;
}

static bool beats(const struct st_front *f, size_t a, size_t b)
{
	double x = lead(f, a, b, 0), y = lead(f, a, b, 1);

	return !f->point[a].is_out && ((x > 0 && y >= 0) || (x >= 0 && y > 0));
}

void st_front_mark(struct st_front *f)
{
	for (size_t p = 0; p < f->npoints && f->nfigures > 1; p++) {
		struct st_front_point *at = &f->point[p];
		size_t k = 0;

		if (at->is_out || !isfinite(at->value[0].mean.mean) || !isfinite(at->value[1].mean.mean))
			continue;
		while (k < f->npoints && !beats(f, k, p))
			k++;
		at->on_front = k == f->npoints;
	}
}

/* Whether the column's name says that it is seconds, or something a second. */
static bool has_unit(const char *column)
{
	const char *s = strstr(column, "_s");

	while (s && s[2] && s[2] != '_')
		s = strstr(s + 2, "_s");
	return s != NULL;
}

/* "recovery_time_s", "fleet.success_share, %" */
static void assign_figure(struct st_text *vars, const char *axis, const json_t *figure)
{
	const char *column = json_string_value(json_object_get(figure, "column")), *unit = json_string_value(json_object_get(figure, "unit"));
	double scale = json_number_value(json_object_get(figure, "scale"));
	char *name = st_format("%scolumn", axis), *text = st_format("%sname", axis), *factor = st_format("%sscale", axis);
	char *called = st_format(scale > 1 ? "%s, %%" : unit && strcmp(unit, "1") != 0 && column && !has_unit(column) ? "%s, %s" : "%s%.0s", column ? column : "", unit ? unit : "");

	st_gnuplot_text(vars, name, column ? column : "");
	st_gnuplot_text(vars, text, called);
	st_gnuplot_number(vars, factor, scale);
	free(name);
	free(text);
	free(factor);
	free(called);
}

/* "min recovery_time, subject to after_fault_peak_x_capacity <= 1.2, fleet.success_share >= 99%" */
static void assign_subtitle(struct st_text *vars, const char *goal, const json_t *figures)
{
	struct st_text t = ST_TEXT_INIT;

	st_text_add(&t, goal ? goal : "");
	for (size_t i = 1; i < json_array_size(figures); i++) {
		const json_t *f = json_array_get(figures, i);
		const char *column = json_string_value(json_object_get(f, "column")), *bound = json_string_value(json_object_get(f, "bound"));

		st_text_addf(&t, "%s%s %s", i == 1 ? ", subject to " : ", ", column ? column : "", bound ? bound : "");
	}
	st_gnuplot_text(vars, "subtitle", t.s);
	st_text_release(&t);
}

int st_front_draw(const char *dir, struct st_err *e)
{
	json_t *j = st_shape_load(dir, "tune.json", e);
	const json_t *figures = json_object_get(j, "figures"), *bound = json_array_get(figures, 1), *value = json_object_get(bound, "value");
	int status = 0;

	if (!j)
		return -1;
	if (bound) {
		struct st_text vars = ST_TEXT_INIT;
		const char *title = json_string_value(json_object_get(j, "title"));
		char *file = st_format("%s/tune.csv", dir);

		st_gnuplot_path(&vars, "points", file);
		st_gnuplot_text(&vars, "title", title ? title : "");
		assign_subtitle(&vars, json_string_value(json_object_get(j, "goal")), figures);
		assign_figure(&vars, "x", bound);
		assign_figure(&vars, "y", json_array_get(figures, 0));
		if (value)
			st_gnuplot_number(&vars, "bound", json_number_value(value));
		status = st_gnuplot_draw(dir, "front", "front", &vars, e);
		free(file);
		st_text_release(&vars);
	}
	json_decref(j);
	return status;
}
