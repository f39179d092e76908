#include <config.h>

#include "output/summary_read.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "output/shape.h"

/* Under its name, a part before a dot is an object's. */
static double read_figure(const json_t *from, const char *name)
{
	const char *dot = strchr(name, '.');

	if (dot) {
		char *part = st_strndup(name, (size_t)(dot - name));
		double x = read_figure(json_object_get(from, part), dot + 1);

		free(part);
		return x;
	}
	const json_t *j = json_object_get(from, name);
	return json_is_null(j) ? (double)INFINITY : json_is_number(j) ? json_number_value(j) : (double)NAN;
}

static double *read_figures(const json_t *from, unsigned scope)
{
	double *figure = st_calloc(st_figure_count(), sizeof *figure);

	for (size_t i = 0; i < st_figure_count(); i++)
		figure[i] = st_figure_at(i)->scope & scope ? read_figure(from, st_figure_at(i)->name) : (double)NAN;
	return figure;
}

static void read_faults(const json_t *list, struct st_result *r)
{
	r->nfaults = json_array_size(list);
	r->fault = st_calloc(r->nfaults, sizeof *r->fault);
	for (size_t i = 0; i < r->nfaults; i++) {
		const json_t *one = json_array_get(list, i);

		r->fault[i] = (struct st_window){st_time_from_s(json_number_value(json_object_get(one, "from_s"))),
		    st_time_from_s(json_number_value(json_object_get(one, "to_s")))};
	}
}

/* Groups or services by name, behind those that there are. */
static void read_subjects(json_t *all, unsigned scope, struct st_result *r)
{
	const char *name;
	json_t *one;

	r->subject = st_realloc(r->subject, r->nsubjects + json_object_size(all), sizeof *r->subject);
	json_object_foreach(all, name, one)
		r->subject[r->nsubjects++] = (struct st_result_subject){.name = st_strdup(name), .scope = scope, .figure = read_figures(one, scope)};
}

int st_summary_read(const char *dir, struct st_result *r, struct st_err *e)
{
	json_t *j = st_shape_load(dir, "summary.json", e);

	*r = (struct st_result){.figure = NULL};
	if (!j)
		return -1;
	r->figure = read_figures(j, ST_SCOPE_RUN);
	r->capacity_per_s = json_number_value(json_object_get(j, "capacity_per_s"));
	r->fingerprint = strtoull(st_shape_text(j, "fingerprint"), NULL, 16);
	read_faults(json_object_get(j, "faults"), r);
	read_subjects(json_object_get(j, "groups"), ST_SCOPE_GROUP, r);
	read_subjects(json_object_get(j, "services"), ST_SCOPE_SERVICE, r);
	json_decref(j);
	return 0;
}
