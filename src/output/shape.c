#include <config.h>

#include "output/shape.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/time.h"
#include "output/axis.h"
#include "output/gnuplot.h"

enum { VALUE_MAX = 60 }; /* bytes of a value that a legend has room for */

json_t *st_shape_load(const char *dir, const char *name, struct st_err *e)
{
	char *path = st_format("%s/%s", dir, name);
	json_error_t why;
	/* A seed may be too large for Jansson's integers. */
	json_t *j = json_load_file(path, JSON_DECODE_INT_AS_REAL, &why);

	if (!j)
		st_err_add(e, ST_EXIT_USER, NULL, "cannot read '%s': %s", path, why.text);
	free(path);
	return j;
}

const char *st_shape_text(const json_t *j, const char *key)
{
	const char *s = json_string_value(json_object_get(j, key));

	return s ? s : "";
}

void st_shape_add_faults(struct st_text *t, const json_t *of)
{
	size_t i;
	json_t *one;

	st_text_add(t, "");
	json_array_foreach(json_object_get(of, "faults"), i, one)
	{
		st_text_add(t, i > 0 ? " " : "");
		st_text_add_double(t, json_number_value(json_object_get(one, "from_s")));
		st_text_add(t, " ");
		st_text_add_double(t, json_number_value(json_object_get(one, "to_s")));
	}
}

/* Whether each value of the first axis comes with the same rows. */
static bool is_product(const struct st_shape *s)
{
	for (size_t p = 0; p < s->npoints; p++)
		for (size_t a = 0; a < s->naxes; a++)
			if (strcmp(st_shape_label(s, p, a), st_shape_label(s, a == 0 ? p - p % s->rows : p % s->rows, a)) != 0)
				return false;
	return s->npoints % s->rows == 0;
}

int st_shape_read(struct st_shape *s, const char *dir, struct st_err *e)
{
	*s = (struct st_shape){.dir = dir, .json = st_shape_load(dir, "sweep.json", e)};
	if (!s->json)
		return -1;
	s->axes = json_object_get(s->json, "axes");
	s->points = json_object_get(s->json, "points");
	s->naxes = json_array_size(s->axes);
	s->npoints = json_array_size(s->points);
	while (s->rows < s->npoints && (s->naxes == 0 || strcmp(st_shape_label(s, s->rows, 0), st_shape_label(s, 0, 0)) == 0))
		s->rows++;
	s->by_ratio = json_object_get(s->json, "by_ratio");
	s->is_grid = !s->by_ratio && s->rows > 0 && is_product(s);
	s->groups = s->is_grid ? s->npoints / s->rows : 0;
	if (s->npoints > 0)
		return 0;
	st_err_add(e, ST_EXIT_USER, NULL, "'%s/sweep.json' is no list of points", dir);
	st_shape_release(s);
	return -1;
}

void st_shape_release(struct st_shape *s)
{
	json_decref(s->json);
}

const char *st_shape_label(const struct st_shape *s, size_t point, size_t axis)
{
	const char *t = json_string_value(
	    json_array_get(json_object_get(json_array_get(s->points, point), "labels"), axis));

	return t ? t : "";
}

const char *st_shape_axis_path(const struct st_shape *s, size_t axis)
{
	const char *path = json_string_value(json_array_get(s->axes, axis));

	return path ? path : "";
}

/* Whether the path begins with one of several groups, or services. */
static bool is_of_one_of(const json_t *names, const char *path)
{
	size_t i;
	json_t *one;

	json_array_foreach(names, i, one)
	{
		const char *name = json_string_value(one);

		if (name && json_array_size(names) > 1 && strncmp(path, name, strlen(name)) == 0 && path[strlen(name)] == '.')
			return true;
	}
	return false;
}

char *st_shape_axis_name(const struct st_shape *s, size_t axis)
{
	const char *path = st_shape_axis_path(s, axis), **all = st_calloc(s->naxes, sizeof *all);

	for (size_t a = 0; a < s->naxes; a++)
		all[a] = st_shape_axis_path(s, a);
	char *name = st_axis_name(all, s->naxes, axis,
	    is_of_one_of(json_object_get(s->json, "groups"), path) || is_of_one_of(json_object_get(s->json, "services"), path));
	free(all);
	return name;
}

void st_shape_add_value(struct st_text *t, const char *value)
{
	static const char *const drop[] = {"{", "}", "kind: "};
	size_t from = t->len;

	while (*value) {
		/* No character is cut in the middle. */
		if (t->len - from >= VALUE_MAX && (*value & 0xc0) != 0x80) {
			st_text_add(t, "...");
			return;
		}
		size_t n = 0;

		for (size_t i = 0; i < sizeof drop / sizeof *drop && n == 0; i++)
			if (strncmp(value, drop[i], strlen(drop[i])) == 0)
				n = strlen(drop[i]);
		if (n == 0 && strncmp(value, ": ", 2) == 0)
			n = 1;
		if (n == 0)
			st_text_addn(t, value, 1);
		value += n > 0 ? n : 1;
	}
}

void st_shape_add_row(struct st_text *t, const struct st_shape *s, size_t point, const char *between)
{
	for (size_t a = s->naxes > 1 ? 1 : 0; a < s->naxes; a++) {
		char *name = st_shape_axis_name(s, a);

		st_text_addf(t, "%s%s ", a > 1 ? between : "", name);
		free(name);
		st_shape_add_value(t, st_shape_label(s, point, a));
	}
}

bool st_shape_has_faults(const struct st_shape *s)
{
	for (size_t p = 0; p < s->npoints; p++)
		if (json_array_size(json_object_get(json_array_get(s->points, p), "faults")) > 0)
			return true;
	return false;
}

const char *st_shape_whose(const struct st_shape *s)
{
	const json_t *swept = json_object_get(s->json, "swept_groups");

	return json_array_size(swept) == 1 ? json_string_value(json_array_get(swept, 0)) : "";
}

void st_shape_assign_services(struct st_text *vars, const struct st_shape *s)
{
	const json_t *services = json_object_get(s->json, "services");
	size_t n = json_array_size(services);

	st_gnuplot_array(vars, "service", n > 0 ? n : 1);
	if (n == 0)
		st_gnuplot_element(vars, "service", 0, "");
	for (size_t i = 0; i < n; i++)
		st_gnuplot_element(vars, "service", i, json_string_value(json_array_get(services, i)));
}
