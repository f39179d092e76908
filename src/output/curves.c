#include <config.h>

#include "output/curves.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/param.h"
#include "output/gnuplot.h"
#include "output/table.h"

enum { VALUES_MIN = 3, CURVES_MAX = 8 };

/* Values of an axis that are quantities of one unit; 0 if one of them is none. */
static size_t quantities(const struct st_shape *s, size_t axis, const char **unit)
{
	double x, previous = 0;
	const char *of;
	size_t n = 0;

	for (size_t p = 0; p < s->npoints; p++) {
		if (!st_param_quantity(st_shape_label(s, p, axis), &x, &of) || (p > 0 && strcmp(of, *unit) != 0))
			return 0;
		*unit = of;
		n += p == 0 || x > previous;
		previous = p == 0 || x > previous ? x : previous;
	}
	return n;
}

static bool is_same_curve(const struct st_shape *s, size_t a, size_t b, size_t along)
{
	for (size_t i = 0; i < s->naxes; i++)
		if (i != along && strcmp(st_shape_label(s, a, i), st_shape_label(s, b, i)) != 0)
			return false;
	return true;
}

/* The first point of each curve; how many, CURVES_MAX + 1 for more than that. */
static size_t curves(const struct st_shape *s, size_t along, size_t first[CURVES_MAX])
{
	size_t n = 0;

	for (size_t p = 0; p < s->npoints; p++) {
		size_t c = 0;

		while (c < n && !is_same_curve(s, p, first[c], along))
			c++;
		if (c < n)
			continue;
		if (n == CURVES_MAX)
			return CURVES_MAX + 1;
		first[n++] = p;
	}
	return n;
}

static bool varies(const struct st_shape *s, size_t axis)
{
	for (size_t p = 1; p < s->npoints; p++)
		if (strcmp(st_shape_label(s, p, axis), st_shape_label(s, 0, axis)) != 0)
			return true;
	return false;
}

/* The one axis but `along` in which points differ; naxes if there are none, or several. */
static size_t lone(const struct st_shape *s, size_t along)
{
	size_t at = s->naxes, n = 0;

	for (size_t a = 0; a < s->naxes; a++) {
		if (a != along && varies(s, a)) {
			at = a;
			n++;
		}
	}
	return n == 1 ? at : s->naxes;
}

/* "jitter full, budget off": what the axes but one say, as far as they differ. The name of a lone one stands before all curves. */
static void assign_curves(struct st_text *vars, const struct st_shape *s, size_t along, const size_t *first, size_t n)
{
	size_t alone = lone(s, along);
	char *name = alone < s->naxes ? st_shape_axis_name(s, alone) : st_strdup("");

	st_gnuplot_text(vars, "curves", name);
	free(name);
	st_gnuplot_array(vars, "curve", n);
	for (size_t c = 0; c < n; c++) {
		struct st_text t = ST_TEXT_INIT;

		st_text_add(&t, "");
		for (size_t a = 0; a < s->naxes; a++) {
			if (a == along || !varies(s, a))
				continue;
			name = st_shape_axis_name(s, a);
			if (a != alone)
				st_text_addf(&t, "%s%s ", t.len > 0 ? ", " : "", name);
			free(name);
			st_shape_add_value(&t, st_shape_label(s, first[c], a));
		}
		st_gnuplot_element(vars, "curve", c, t.s);
		st_text_release(&t);
	}
}

/* Of each point where it lies along the axis, and on which curve; and whether the clients come to an end in it. */
static void assign_points(struct st_text *vars, const struct st_shape *s, size_t along, const size_t *first, size_t n)
{
	struct st_text at = ST_TEXT_INIT, on = ST_TEXT_INIT, nearly = ST_TEXT_INIT;

	for (size_t p = 0; p < s->npoints; p++) {
		const char *unit, *sep = p > 0 ? " " : "";
		double x;
		size_t c = 0;

		st_param_quantity(st_shape_label(s, p, along), &x, &unit);
		while (c + 1 < n && !is_same_curve(s, p, first[c], along))
			c++;
		st_text_add(&at, sep);
		st_text_add_double(&at, x);
		st_text_addf(&on, "%s%zu", sep, c + 1);
		st_text_add(&nearly, sep);
		st_text_add_double(&nearly, ST_TABLE_NEARLY * json_number_value(json_object_get(json_array_get(s->points, p), "duration_s")));
	}
	st_gnuplot_text(vars, "at", at.s);
	st_gnuplot_text(vars, "on", on.s);
	st_gnuplot_text(vars, "nearly", nearly.s);
	st_text_release(&at);
	st_text_release(&on);
	st_text_release(&nearly);
}

int st_curves_draw(const struct st_shape *s, const char *means, struct st_err *e)
{
	struct st_text vars = ST_TEXT_INIT;
	const char *unit = "";
	size_t along = s->naxes, first[CURVES_MAX];

	while (s->is_grid && along > 0 && quantities(s, along - 1, &unit) < VALUES_MIN)
		along--;
	if (!s->is_grid || along-- == 0)
		return 0;
	size_t n = curves(s, along, first);
	if (n > CURVES_MAX)
		return 0;
	char *path = st_format("%s/summary.csv", s->dir), *name = st_format(*unit ? "%s, %s" : "%s", st_shape_axis_path(s, along), unit);
	const char *title = json_string_value(json_object_get(s->json, "title"));
	st_gnuplot_path(&vars, "summary", path);
	st_gnuplot_text(&vars, "title", title ? title : "");
	st_gnuplot_text(&vars, "subtitle", means);
	st_gnuplot_text(&vars, "along", name);
	st_gnuplot_text(&vars, "who", st_shape_whose(s));
	st_gnuplot_number(&vars, "has_faults", st_shape_has_faults(s));
	st_shape_assign_services(&vars, s);
	assign_curves(&vars, s, along, first, n);
	assign_points(&vars, s, along, first, n);
	int status = st_gnuplot_draw(s->dir, "curves", "curves", &vars, e);
	free(path);
	free(name);
	st_text_release(&vars);
	return status;
}
