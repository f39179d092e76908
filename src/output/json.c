#include <config.h>

#include "output/json.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/param.h"
#include "output/csv.h"
#include "output/dump.h"

/* A string from anywhere: what is no UTF-8 (a title from the command line) shows as '?'. */
static json_t *string(const char *s)
{
	json_t *j = json_string(s);

	if (j)
		return j;
	char *ascii = st_strdup(s);
	for (char *c = ascii; *c; c++)
		if (*c & 0x80)
			*c = '?';
	j = json_string(ascii);
	free(ascii);
	return j;
}

/* Put a figure under its name, below objects for the parts before a dot; leave it out if it is absent. */
static void put_figure(json_t *into, const struct st_figure *f, double x)
{
	const char *name = f->name, *dot;

	if (isnan(x))
		return;
	while ((dot = strchr(name, '.'))) {
		char *part = st_strndup(name, (size_t)(dot - name));
		json_t *below = json_object_get(into, part);

		if (!below) {
			below = json_object();
			json_object_set_new(into, part, below);
		}
		free(part);
		into = below;
		name = dot + 1;
	}
	json_t *value = isinf(x)                    ? json_null()
			: f->scope & ST_SCOPE_COUNT ? json_integer((json_int_t)x)
						    : json_real(x);
	json_object_set_new(into, name, value);
}

static void put_figures(json_t *into, const double *figure, unsigned scope)
{
	for (size_t i = 0; i < st_figure_count(); i++)
		if (st_figure_at(i)->scope & scope)
			put_figure(into, st_figure_at(i), figure[i]);
}

static void put_real(json_t *into, const char *name, double x)
{
	if (isfinite(x))
		json_object_set_new(into, name, json_real(x));
}

static json_t *windows(const struct st_window *w, size_t n)
{
	json_t *list = json_array();

	for (size_t i = 0; i < n; i++) {
		json_t *one = json_object();

		put_real(one, "from_s", st_time_to_s(w[i].from));
		put_real(one, "to_s", st_time_to_s(w[i].to));
		json_array_append_new(list, one);
	}
	return list;
}

static json_t *histogram(const struct st_result *r)
{
	json_t *h = json_object();

	for (size_t k = 0; k < r->nended; k++) {
		char key[24];

		if (r->ended_with[k] == 0)
			continue;
		snprintf(key, sizeof key, "%zu", k);
		json_object_set_new(h, key, json_integer((json_int_t)r->ended_with[k]));
	}
	return h;
}

/* The groups, or the services, by name. */
static json_t *subjects_of(const struct st_result *r, unsigned scope)
{
	json_t *all = json_object();

	for (size_t i = 0; i < r->nsubjects; i++) {
		if (r->subject[i].scope != scope)
			continue;
		json_t *one = json_object();

		put_figures(one, r->subject[i].figure, scope);
		json_object_set_new(all, r->subject[i].name, one);
	}
	return all;
}

static json_t *machine(const struct st_result *r)
{
	json_t *m = json_object();

	put_real(m, "wall_s", r->wall_s);
	put_real(m, "cpu_s", r->cpu_s);
	put_real(m, "events_per_s", r->events_per_s);
	json_object_set_new(m, "peak_rss_bytes", json_integer((json_int_t)r->peak_rss_bytes));
	return m;
}

static void finish(json_t *j, struct st_text *out)
{
	st_dump_json(j, out);
	json_decref(j);
}

void st_json_summary(const struct st_result *r, const char *title, struct st_text *out)
{
	json_t *j = json_object();
	char hex[24];

	snprintf(hex, sizeof hex, "%016llx", (unsigned long long)r->fingerprint);
	json_object_set_new(j, "title", string(title ? title : ""));
	put_figures(j, r->figure, ST_SCOPE_RUN);
	json_object_set_new(j, "attempts_histogram", histogram(r));
	json_object_set_new(j, "faults", windows(r->fault, r->nfaults));
	json_object_set_new(j, "groups", subjects_of(r, ST_SCOPE_GROUP));
	if (st_result_count(r, ST_SCOPE_SERVICE) > 0)
		json_object_set_new(j, "services", subjects_of(r, ST_SCOPE_SERVICE));
	json_object_set_new(j, "events", json_integer((json_int_t)r->events));
	json_object_set_new(j, "seed", json_integer((json_int_t)r->seed));
	json_object_set_new(j, "fingerprint", json_string(hex));
	json_object_set_new(j, "version", json_string(PACKAGE_VERSION));
	json_object_set_new(j, "machine", machine(r));
	finish(j, out);
}

static json_t *point(const struct st_sweep_result *r, size_t p)
{
	const struct st_sweep_point *at = &r->point[p];
	json_t *one = json_object(), *labels = json_array();
	char *file = st_csv_series_name(p, r->npoints);

	for (size_t a = 0; a < r->naxes; a++)
		json_array_append_new(labels, string(at->label[a]));
	json_object_set_new(one, "labels", labels);
	json_object_set_new(one, "n", json_integer((json_int_t)at->n));
	json_object_set_new(one, "series", json_string(file));
	put_real(one, "capacity_per_s", at->capacity_per_s);
	put_real(one, "duration_s", st_time_to_s(at->series.duration));
	json_object_set_new(one, "faults", windows(at->fault, at->nfaults));
	free(file);
	return one;
}

/* Of the groups, or the services; or of those that axes name. */
static json_t *names(const struct st_sweep_result *r, unsigned scope, bool swept)
{
	json_t *list = json_array();

	for (size_t i = 0; i < r->nsubjects; i++)
		if (r->subject[i].scope == scope && (r->subject[i].is_swept || !swept))
			json_array_append_new(list, string(r->subject[i].name));
	return list;
}

static json_t *by_ratio(const struct st_sweep_result *r)
{
	json_t *list = json_array();

	for (size_t a = 0; a < r->naxes; a++)
		json_array_append_new(list, r->by_ratio[a] < 0 ? json_null() : json_boolean(r->by_ratio[a]));
	return list;
}

void st_json_sweep(const struct st_sweep_result *r, struct st_text *out)
{
	json_t *j = json_object(), *axes = json_array(), *points = json_array(), *figures = json_array();

	for (size_t a = 0; a < r->naxes; a++)
		json_array_append_new(axes, string(r->axis[a]));
	for (size_t p = 0; p < r->npoints; p++)
		json_array_append_new(points, point(r, p));
	for (size_t i = 0; i < r->nfigures; i++)
		json_array_append_new(figures, string(r->figure[i]));
	json_object_set_new(j, "title", string(r->title ? r->title : ""));
	json_object_set_new(j, "axes", axes);
	if (r->by_ratio)
		json_object_set_new(j, "by_ratio", by_ratio(r));
	json_object_set_new(j, "groups", names(r, ST_SCOPE_GROUP, false));
	json_object_set_new(j, "swept_groups", names(r, ST_SCOPE_GROUP, true));
	json_object_set_new(j, "services", names(r, ST_SCOPE_SERVICE, false));
	if (r->nfigures > 0)
		json_object_set(j, "figures", figures);
	json_decref(figures);
	json_object_set_new(j, "replications", json_integer((json_int_t)r->replications));
	json_object_set_new(j, "seed", json_integer((json_int_t)r->seed));
	json_object_set_new(j, "version", json_string(PACKAGE_VERSION));
	json_object_set_new(j, "points", points);
	finish(j, out);
}

static json_t *retry(const struct st_delay *d, size_t k)
{
	json_t *one = json_object(), *delay = json_object(), *sent = json_object(), *atoms = json_array();

	put_real(delay, "min", d->min / 1e9);
	put_real(delay, "mean", d->mean / 1e9);
	put_real(delay, "sd", d->sd / 1e9);
	put_real(delay, "p99", d->p99 / 1e9);
	put_real(delay, "max", d->max / 1e9);
	put_real(sent, "earliest", d->earliest / 1e9);
	put_real(sent, "mean", d->average / 1e9);
	put_real(sent, "latest", d->latest / 1e9);
	for (size_t i = 0; i < d->natoms; i++) {
		json_t *atom = json_object();

		put_real(atom, "at_s", d->atom[i].at / 1e9);
		put_real(atom, "share", d->atom[i].share);
		json_array_append_new(atoms, atom);
	}
	json_object_set_new(one, "retry", json_integer((json_int_t)k));
	json_object_set_new(one, "delay_s", delay);
	put_real(one, "window_s", d->window / 1e9);
	put_real(one, "at_floor", d->at_floor);
	put_real(one, "at_cap", d->at_cap);
	json_object_set_new(one, "atoms", atoms);
	json_object_set_new(one, "sent_s", sent);
	return one;
}

/* From the first failure to the last; with_timeouts: at the latest, each attempt as long as its timeout. */
static json_t *patience(const struct st_timetable *t)
{
	const struct st_delay *last = &t->delay[t->n - 1];
	json_t *j = json_object();

	put_real(j, "earliest", last->earliest / 1e9);
	put_real(j, "mean", last->average / 1e9);
	put_real(j, "latest", last->latest / 1e9);
	put_real(j, "with_timeouts", (last->latest + (double)t->n * t->timeout) / 1e9);
	return j;
}

static json_t *first_window(const struct st_timetable *t)
{
	json_t *j = json_object();
	double needed = st_timetable_window(&t->onslaught);

	put_real(j, "clients", t->onslaught.clients);
	put_real(j, "capacity_per_s", t->onslaught.capacity_per_s);
	put_real(j, "background_per_s", t->onslaught.background_per_s);
	put_real(j, "needed_s", needed / 1e9);
	put_real(j, "width_s", t->delay[0].window / 1e9);
	put_real(j, "times_too_narrow", needed / t->delay[0].window);
	return j;
}

static json_t *timetable(const struct st_timetable *t)
{
	json_t *j = json_object(), *retries = json_array();

	json_object_set_new(j, "policy", string(t->name));
	if (t->callee)
		json_object_set_new(j, "calls", string(t->callee));
	if (t->failures)
		json_object_set_new(j, "failures", string(t->failures));
	json_object_set_new(j, "words", string(t->policy));
	json_object_set_new(j, "attempts", t->attempts == ST_UNLIMITED ? json_null() : json_integer((json_int_t)t->attempts));
	for (size_t k = 0; k < t->shown; k++)
		json_array_append_new(retries, retry(&t->delay[k], k + 1));
	json_object_set_new(j, "retries", retries);
	if (t->n > 0 && t->attempts - 1 == t->n)
		json_object_set_new(j, "patience_s", patience(t));
	if (t->n > 0 && t->onslaught.clients > 0.0)
		json_object_set_new(j, "first_window", first_window(t));
	if (t->last) {
		json_object_set_new(j, "last", string(t->last));
		put_real(j, "requests_most", t->requests);
	}
	return j;
}

void st_json_timetables(const struct st_timetable *t, size_t n, const char *title, const struct st_timetable_option *given, struct st_text *out)
{
	json_t *j = json_object(), *all = json_array(), *options = json_object();

	for (size_t i = 0; i < n; i++)
		json_array_append_new(all, timetable(&t[i]));
	for (; given->name; given++)
		json_object_set_new(options, given->name, string(given->value));
	json_object_set_new(j, "options", options);
	json_object_set_new(j, "title", string(title ? title : ""));
	json_object_set_new(j, "schedules", all);
	json_object_set_new(j, "version", json_string(PACKAGE_VERSION));
	finish(j, out);
}

static json_t *front_figure(const struct st_front_figure *f)
{
	json_t *j = json_object();

	json_object_set_new(j, "column", string(f->column));
	json_object_set_new(j, "unit", string(f->unit));
	put_real(j, "scale", f->scale);
	json_object_set_new(j, "more_is_better", json_boolean(f->is_more_better));
	if (f->bound) {
		json_object_set_new(j, "bound", string(f->bound));
		put_real(j, "value", f->value);
	}
	return j;
}

static json_t *strings(const char *const *s, size_t n)
{
	json_t *list = json_array();

	for (size_t i = 0; i < n; i++)
		json_array_append_new(list, string(s[i]));
	return list;
}

static json_t *asked(const struct st_front *f)
{
	json_t *j = json_object();

	json_object_set_new(j, "subject_to", strings(f->subject, f->nsubject));
	json_object_set_new(j, "over", strings(f->over, f->nover));
	json_object_set_new(j, "points", json_integer((json_int_t)f->asked_points));
	json_object_set_new(j, "replications", json_integer((json_int_t)f->asked_first));
	json_object_set_new(j, "runs", json_integer((json_int_t)f->asked_runs));
	return j;
}

void st_json_front(const struct st_front *f, struct st_text *out)
{
	json_t *j = json_object(), *figures = json_array();
	uint64_t runs = 0, fresh = 0;

	for (size_t i = 0; i < f->nfigures; i++)
		json_array_append_new(figures, front_figure(&f->figure[i]));
	for (size_t i = 0; i < f->npoints; i++) {
		runs += f->point[i].runs;
		fresh += f->point[i].fresh_runs;
	}
	json_object_set_new(j, "title", string(f->title ? f->title : ""));
	json_object_set_new(j, "goal", string(f->goal));
	json_object_set_new(j, "asked", asked(f));
	json_object_set_new(j, "best", string(f->sentence));
	json_object_set_new(j, "settings", string(f->settings));
	json_object_set_new(j, "figures", figures);
	json_object_set_new(j, "points", json_integer((json_int_t)f->npoints));
	json_object_set_new(j, "runs", json_integer((json_int_t)runs));
	json_object_set_new(j, "fresh_runs", json_integer((json_int_t)fresh));
	json_object_set_new(j, "seed", json_integer((json_int_t)f->seed));
	json_object_set_new(j, "version", json_string(PACKAGE_VERSION));
	finish(j, out);
}

static json_t *raster_block(const struct st_raster_block *b)
{
	json_t *j = json_object();

	json_object_set_new(j, "clients", string(b->clients));
	json_object_set_new(j, "from", json_integer((json_int_t)b->from));
	json_object_set_new(j, "lines", json_integer((json_int_t)b->lines));
	for (size_t i = 0; i < ST_RASTER_STEPS; i++)
		json_object_set_new(j, st_raster_step_name(i), json_integer((json_int_t)b->steps[i]));
	return j;
}

void st_json_raster(const struct st_raster *r, struct st_text *out)
{
	json_t *j = json_object(), *blocks = json_array();

	for (size_t i = 0; i < r->nblocks; i++)
		json_array_append_new(blocks, raster_block(&r->block[i]));
	json_object_set_new(j, "title", string(r->title ? r->title : ""));
	put_real(j, "duration_s", st_time_to_s(r->duration));
	json_object_set_new(j, "faults", windows(r->fault, r->nfaults));
	if (r->group)
		json_object_set_new(j, "group", string(r->group));
	if (r->first > 0)
		json_object_set_new(j, "first", json_integer((json_int_t)r->first));
	json_object_set_new(j, "blocks", blocks);
	json_object_set_new(j, "seed", json_integer((json_int_t)r->seed));
	json_object_set_new(j, "version", json_string(PACKAGE_VERSION));
	finish(j, out);
}
