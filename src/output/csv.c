#include <config.h>

#include "output/csv.h"

#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

/* A field of text, quoted where it has to be. */
static void add_field(struct st_text *out, const char *s)
{
	if (!strpbrk(s, ",\"\n\r") && s[0] != ' ' && (!*s || s[strlen(s) - 1] != ' ')) {
		st_text_add(out, s);
		return;
	}
	st_text_add(out, "\"");
	for (const char *quote; (quote = strchr(s, '"')); s = quote + 1) {
		st_text_addn(out, s, (size_t)(quote - s));
		st_text_add(out, "\"\"");
	}
	st_text_add(out, s);
	st_text_add(out, "\"");
}

/* A comma and a number; nothing after the comma where there is none. */
static void add_number(struct st_text *out, double x)
{
	st_text_add(out, ",");
	if (isfinite(x))
		st_text_add_double(out, x);
}

/* The same of a mean series, which has millions of them. */
static void add_mean(struct st_text *out, double x)
{
	st_text_addn(out, ",", 1);
	if (isfinite(x))
		st_text_add_mean(out, x);
}

/* Of a mean of shares: no share lies beyond 0 and 1, nor does the interval. */
static void add_share(struct st_text *out, const struct st_estimate *x)
{
	double lo = x->mean - x->half, hi = x->mean + x->half;

	add_number(out, x->mean);
	add_number(out, lo < 0 ? 0 : lo);
	add_number(out, hi > 1 ? 1 : hi);
}

static void add_estimate(struct st_text *out, const struct st_estimate *x)
{
	add_number(out, x->mean);
	add_number(out, x->mean - x->half);
	add_number(out, x->mean + x->half);
}

/* The three names of a mean series. */
static void add_names(struct st_text *out, const char *name)
{
	st_text_addf(out, ",%s,%s_lo,%s_hi", name, name, name);
}

void st_csv_series(const struct st_series *s, struct st_text *out)
{
	st_text_add(out, "time_s");
	for (enum st_cell c = 0; c < ST_CELL_N; c++)
		st_text_addf(out, ",%s", st_series_column(c)->name);
	st_text_add(out, "\n");
	for (size_t i = 0; i < s->n; i++) {
		st_text_add_double(out, st_time_to_s((st_time)i * s->bin));
		for (enum st_cell c = 0; c < ST_CELL_N; c++)
			add_number(out, st_series_value(s, i, c));
		st_text_add(out, "\n");
	}
}

/* What stands behind a figure's name in summary.csv, where one may be never, and in compare.csv. */
static const char *const of_means[] = {"", "_lo", "_hi", NULL},
			 *const of_nevers[] = {"_p50", "_p90", "_never", "_never_share", "_never_share_lo", "_never_share_hi", NULL},
			 *const of_pairs[] = {"", "_lo", "_hi", "_independent", NULL};

/* A subject's name may need quotes. */
static void add_columns(struct st_text *out, const char *subject, const char *figure, const char *const *end)
{
	for (; *end; end++) {
		char *field = st_format("%s%s%s%s", subject, *subject ? "." : "", figure, *end);

		st_text_add(out, ",");
		add_field(out, field);
		free(field);
	}
}

static void add_figure_names(struct st_text *out, const char *subject, unsigned scope, bool paired)
{
	char name[64];

	for (size_t f = 0; f < st_figure_count(); f++) {
		const struct st_figure *figure = st_figure_at(f);

		if (!(figure->scope & scope))
			continue;
		add_columns(out, subject, st_figure_column(figure, name), paired ? of_pairs : of_means);
		if (!paired && figure->scope & ST_SCOPE_NEVER)
			add_columns(out, subject, name, of_nevers);
	}
}

static void add_sweep_head(const struct st_sweep_result *r, bool paired, struct st_text *out)
{
	st_text_add(out, "point");
	for (size_t a = 0; a < r->naxes; a++) {
		st_text_add(out, ",");
		add_field(out, r->axis[a]);
	}
	st_text_add(out, ",n");
	add_figure_names(out, "", ST_SCOPE_RUN, paired);
	for (size_t i = 0; i < r->nsubjects; i++)
		add_figure_names(out, r->subject[i].name, r->subject[i].scope, paired);
	st_text_add(out, "\n");
}

static void add_point_head(const struct st_sweep_result *r, size_t p, size_t n, struct st_text *out)
{
	st_text_addf(out, "%zu", p);
	for (size_t a = 0; a < r->naxes; a++) {
		st_text_add(out, ",");
		add_field(out, r->point[p].label[a]);
	}
	st_text_addf(out, ",%zu", n);
}

static void add_nevers(const double *x, size_t n, struct st_text *out)
{
	size_t k = 0, absent = 0;

	for (size_t i = 0; i < n; i++) {
		k += isinf(x[i]) != 0;
		absent += isnan(x[i]) != 0;
	}
	struct st_share never = st_estimate_share(k, absent > 0 ? 0 : n);
	add_number(out, st_estimate_quantile(x, n, 0.5));
	add_number(out, st_estimate_quantile(x, n, 0.9));
	add_number(out, never.n > 0 ? (double)k : (double)NAN);
	add_number(out, never.share);
	add_number(out, never.lo);
	add_number(out, never.hi);
}

/* All figures of a scope: means, or the differences to `first` if it is not NULL. */
static void add_figures(const struct st_sweep_point *at, const struct st_sweep_point *first, size_t n, size_t subject,
    unsigned scope, struct st_text *out)
{
	for (size_t f = 0; f < st_figure_count(); f++) {
		if (!(st_figure_at(f)->scope & scope))
			continue;
		const double *x = st_sweep_values(at, subject, f), *y = first ? st_sweep_values(first, subject, f) : NULL;
		struct st_estimate e = first ? st_estimate_paired(x, y, n) : st_estimate_mean(x, n);

		if (!first && st_figure_at(f)->scope & ST_SCOPE_SHARE)
			add_share(out, &e);
		else
			add_estimate(out, &e);
		if (first)
			add_number(out, st_estimate_independent(x, y, n));
		else if (st_figure_at(f)->scope & ST_SCOPE_NEVER)
			add_nevers(x, n, out);
	}
}

static void add_point(const struct st_sweep_result *r, size_t p, const struct st_sweep_point *first, struct st_text *out)
{
	const struct st_sweep_point *at = &r->point[p];
	size_t n = first && first->n < at->n ? first->n : at->n;

	add_point_head(r, p, n, out);
	add_figures(at, first, n, ST_WHOLE, ST_SCOPE_RUN, out);
	for (size_t i = 0; i < r->nsubjects; i++)
		add_figures(at, first, n, i, r->subject[i].scope, out);
	st_text_add(out, "\n");
}

void st_csv_summary(const struct st_sweep_result *r, struct st_text *out)
{
	add_sweep_head(r, false, out);
	for (size_t p = 0; p < r->npoints; p++)
		add_point(r, p, NULL, out);
}

void st_csv_compare(const struct st_sweep_result *r, struct st_text *out)
{
	add_sweep_head(r, true, out);
	for (size_t p = 1; p < r->npoints; p++)
		add_point(r, p, &r->point[0], out);
}

void st_csv_contrast(const struct st_contrast *c, struct st_text *out)
{
	for (size_t a = 0; a < c->r->naxes; a++) {
		add_field(out, c->r->axis[a]);
		st_text_add(out, ",");
	}
	st_text_add(out, "figure,clients,n,never,mean,lo,hi,difference,difference_lo,difference_hi,p,p_holm,verdict\n");
	for (size_t i = 0; i < c->r->npoints * c->n; i++) {
		const struct st_sweep_point *at = &c->r->point[i / c->n];
		const struct st_score *of = &c->column[i % c->n];
		const struct st_contrast_cell *cell = &c->cell[i];
		const struct st_estimate none = {.mean = (double)NAN, .half = (double)NAN}, mean = st_score_estimate(of, at);
		bool is_first = i < c->n;

		for (size_t a = 0; a < c->r->naxes; a++) {
			add_field(out, at->label[a]);
			st_text_add(out, ",");
		}
		st_text_addf(out, "%s,", st_figure_at(of->figure)->name);
		add_field(out, st_score_owner(of, c->r, ""));
		st_text_addf(out, ",%zu,%zu", at->n, st_score_nevers(of, at));
		(st_figure_at(of->figure)->scope & ST_SCOPE_SHARE ? add_share : add_estimate)(out, &mean);
		add_estimate(out, is_first ? &none : &cell->difference);
		add_number(out, is_first ? none.mean : cell->p);
		add_number(out, is_first ? none.mean : cell->p_holm);
		st_text_addf(out, ",%s\n", st_contrast_name(cell->verdict));
	}
}

void st_csv_mean_series(const struct st_tally *t, struct st_text *out)
{
	st_text_add(out, "time_s");
	for (enum st_cell c = 0; c < ST_CELL_N; c++)
		if (st_tally_sums(c))
			add_names(out, st_series_column(c)->name);
	st_text_add(out, "\n");
	for (size_t i = 0; i < t->rows; i++) {
		st_text_add_double(out, st_time_to_s((st_time)i * t->bin));
		for (enum st_cell c = 0; c < ST_CELL_N; c++) {
			if (!st_tally_sums(c))
				continue;
			struct st_estimate x = st_tally_mean(t, i, c);
			add_mean(out, x.mean);
			add_mean(out, x.mean - x.half);
			add_mean(out, x.mean + x.half);
		}
		st_text_add(out, "\n");
	}
}

char *st_csv_series_name(size_t point, size_t n)
{
	int digits = 3;

	for (size_t more = n > 0 ? (n - 1) / 1000 : 0; more > 0; more /= 10)
		digits++;
	return st_format("series/%0*zu.csv", digits, point);
}

/* --- of a policy ---------------------------------------------------------------------------------------------------------- */

static const struct {
	const char *name;
	size_t offset; /* in struct st_delay, of a double */
	double unit;
} delay_columns[] = {
    {"delay_min_s", offsetof(struct st_delay, min), 1e9},
    {"delay_mean_s", offsetof(struct st_delay, mean), 1e9},
    {"delay_sd_s", offsetof(struct st_delay, sd), 1e9},
    {"delay_p99_s", offsetof(struct st_delay, p99), 1e9},
    {"delay_max_s", offsetof(struct st_delay, max), 1e9},
    {"window_s", offsetof(struct st_delay, window), 1e9},
    {"at_floor", offsetof(struct st_delay, at_floor), 1.0},
    {"at_cap", offsetof(struct st_delay, at_cap), 1.0},
    {"earliest_s", offsetof(struct st_delay, earliest), 1e9},
    {"mean_s", offsetof(struct st_delay, average), 1e9},
    {"latest_s", offsetof(struct st_delay, latest), 1e9},
};
enum { DELAY_COLUMNS = sizeof delay_columns / sizeof *delay_columns };

void st_csv_timetables(const struct st_timetable *t, size_t n, struct st_text *out)
{
	st_text_add(out, "policy,failures,retry");
	for (size_t c = 0; c < DELAY_COLUMNS; c++)
		st_text_addf(out, ",%s", delay_columns[c].name);
	st_text_add(out, "\n");
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < t[i].shown; k++) {
			add_field(out, t[i].name);
			st_text_add(out, ",");
			add_field(out, t[i].failures ? t[i].failures : "");
			st_text_addf(out, ",%zu", k + 1);
			for (size_t c = 0; c < DELAY_COLUMNS; c++)
				add_mean(out, *(const double *)((const char *)&t[i].delay[k] + delay_columns[c].offset) /
					delay_columns[c].unit);
			st_text_add(out, "\n");
		}
}

void st_csv_density_head(struct st_text *out)
{
	st_text_add(out, "retry,from_s,to_s,share\n");
}

static void add_interval(size_t retry, double from, double to, double share, struct st_text *out)
{
	st_text_addf(out, "%zu", retry);
	add_mean(out, from / 1e9);
	add_mean(out, to / 1e9);
	add_mean(out, share);
	st_text_add(out, "\n");
}

void st_csv_density(size_t retry, const struct st_delay *d, double from, double width, const double *share, size_t bins,
    struct st_text *out)
{
	for (size_t i = 0; i < bins; i++)
		add_interval(retry, from + (double)i * width, from + (double)(i + 1) * width, share[i], out);
	for (size_t i = 0; i < d->natoms; i++)
		add_interval(retry, d->atom[i].at, d->atom[i].at, d->atom[i].share, out);
}

/* A figure each: of the runs that points were chosen by, or ("fresh_") of those by which they were not. */
static void add_front_names(const struct st_front *f, const char *prefix, struct st_text *out)
{
	for (size_t i = 0; i < f->nfigures; i++) {
		char *name = st_format("%s%s", prefix, f->figure[i].column);

		add_names(out, name);
		st_text_addf(out, ",%s_never", name);
		free(name);
	}
}

static void add_front_head(const struct st_front *f, struct st_text *out)
{
	st_text_add(out, "point,generation");
	for (size_t a = 0; a < f->naxes; a++) {
		st_text_add(out, ",");
		add_field(out, f->axis[a]);
	}
	st_text_add(out, ",runs,rank,bounds,front");
	add_front_names(f, "", out);
	st_text_add(out, ",fresh_runs,fresh_bounds");
	add_front_names(f, "fresh_", out);
	st_text_add(out, "\n");
}

/* value NULL: there are no such runs. */
static void add_front_values(const struct st_front *f, const struct st_front_value *value, struct st_text *out)
{
	for (size_t k = 0; k < f->nfigures; k++) {
		if (value) {
			(f->figure[k].scale == 100 ? add_share : add_estimate)(out, &value[k].mean);
			st_text_addf(out, ",%zu", value[k].never);
		} else {
			st_text_add(out, ",,,,");
		}
	}
}

void st_csv_front(const struct st_front *f, struct st_text *out)
{
	add_front_head(f, out);
	for (size_t i = 0; i < f->npoints; i++) {
		const struct st_front_point *p = &f->point[i];

		st_text_addf(out, "%zu,%u", i, p->generation);
		for (size_t a = 0; a < f->naxes; a++) {
			st_text_add(out, ",");
			add_field(out, p->label[a]);
		}
		st_text_addf(out, ",%" PRIu32, p->runs);
		add_number(out, p->rank > 0 ? (double)p->rank : (double)NAN);
		st_text_addf(out, ",%s,%d", p->bounds ? p->bounds : "", p->on_front);
		add_front_values(f, p->value, out);
		st_text_addf(out, ",%" PRIu32 ",%s", p->fresh_runs, p->fresh_bounds ? p->fresh_bounds : "");
		add_front_values(f, p->fresh, out);
		st_text_add(out, "\n");
	}
}

/* --- of every attempt ----------------------------------------------------------------------------------------------------- */

void st_csv_trace_head(struct st_text *out)
{
	st_text_add(out, "time_s,clients,client,operation,attempt,event,outcome,delay_s\n");
}

void st_csv_trace_step(const struct st_csv_step *s, struct st_text *out)
{
	st_text_add_double(out, st_time_to_s(s->time));
	st_text_add(out, ",");
	add_field(out, s->clients);
	st_text_addf(out, ",%" PRIu32 ",%" PRIu32 ",%" PRIu32 ",%s,%s", s->client, s->operation, s->attempt, s->event, s->outcome);
	add_number(out, s->delay < 0 ? (double)NAN : st_time_to_s(s->delay));
	st_text_add(out, "\n");
}
