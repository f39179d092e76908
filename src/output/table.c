#include <config.h>

#include "output/table.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "output/cells.h"

enum { COLUMNS = 100 };    /* of a terminal */
enum { NUMBER_WIDTH = 6 }; /* of a value's number, and of its axis's name cut short */

/* How a figure is shown: the table has it in 1/s, s, shares and counts; people want percent, few digits. */
static char *shown(const struct st_figure *f, double x)
{
	size_t n = strlen(f->name);

	if (isnan(x))
		return st_strdup("-");
	if (isinf(x))
		return st_strdup("never");
	if (f->scope & ST_SCOPE_COUNT)
		return st_format("%.0f", x);
	if ((n > 5 && strcmp(f->name + n - 5, "share") == 0) || strcmp(f->name, "utilisation") == 0)
		return st_format("%.1f %%", 100 * x);
	return st_format(fabs(x) >= 1000 ? "%.0f" : "%.3g", x);
}

static const char *unit(const struct st_figure *f)
{
	return strcmp(f->unit, "1") == 0 ? "" : f->unit;
}

static size_t index_of(const char *name)
{
	int i = st_figure_find(name);

	st_assert(i >= 0);
	return (size_t)i;
}

static double get(const struct st_result *r, const char *name)
{
	return r->figure[index_of(name)];
}

/* What became of the operations. */
static void say_served(const struct st_result *r, struct st_text *out)
{
	double n = get(r, "operations"), good = get(r, "successes"), failed = get(r, "failures");
	double open = get(r, "open_at_end");

	if (n == 0)
		st_text_add(out, "nothing was asked of the service");
	else if (good == n)
		st_text_addf(out, "%.0f operations, all served", n);
	else if (good == 0)
		st_text_addf(out, "%.0f operations, none served", n);
	else
		st_text_addf(out, "%.0f operations, %.0f served, %.0f given up", n, good, failed);
	if (n > 0 && open > 0)
		st_text_addf(out, ", %.0f open at the end", open);
}

static void say_recovery(const struct st_result *r, struct st_text *out)
{
	double t = get(r, "recovery_time_s");

	if (r->nfaults == 0 || isnan(t))
		st_text_add(out, r->nfaults == 0 ? "; no fault" : "");
	else if (isinf(t))
		st_text_add(out, "; NEVER back to normal after the fault");
	else if (t == 0.0)
		st_text_add(out, "; back to normal as soon as the fault ended");
	else
		st_text_addf(out, "; back to normal %.3g s after the fault", t);
}

static void say_peak(
    const struct st_result *r, const char *rate, const char *times, const char *when, struct st_text *out)
{
	double peak = get(r, rate), x = get(r, times);

	if (!isfinite(peak))
		return;
	st_text_addf(out, "; peak %s%.0f/s", when, peak);
	if (isfinite(x))
		st_text_addf(out, " = %.3g x capacity", x);
}

/* Break the line that begins at `from` where it is too long for a terminal. */
static void wrap(struct st_text *t, size_t from)
{
	while (t->len - from > COLUMNS) {
		size_t at = from + COLUMNS;
		while (at > from && t->s[at] != ' ')
			at--;
		if (at == from)
			return;
		t->s[at] = '\n';
		from = at + 1;
	}
}

static void say_run(const struct st_result *r, struct st_text *out)
{
	double attempts = get(r, "amplification");
	size_t from = out->len;

	say_served(r, out);
	say_recovery(r, out);
	if (r->nfaults > 0)
		say_peak(r, "after_fault_peak_per_s", "after_fault_peak_x_capacity", "after it ", out);
	else
		say_peak(r, "offered_peak_per_s", "offered_peak_x_capacity", "", out);
	if (isfinite(attempts))
		st_text_addf(out, "; %.3g attempts an operation", attempts);
	st_text_add(out, ".\n");
	wrap(out, from);
}

static const char *const headline[] = {
    "operations",
    "successes",
    "failures",
    "success_share",
    "amplification",
    "offered_peak_x_capacity",
    "after_fault_peak_x_capacity",
    "recovery_time_s",
    "goodput_per_s",
    "latency_s.p50",
    "latency_s.p99",
    "last_success_s",
    "last_success_after_fault_s",
    "reject_share",
    "wasted_share",
    "denied",
    "utilisation",
    "queue_mean",
};
enum { HEADLINES = sizeof headline / sizeof *headline, GROUPS_MAX = 5 };

static bool is_somewhere(const struct st_result *r, size_t figure)
{
	bool there = !isnan(r->figure[figure]);

	for (size_t g = 0; g < r->ngroups; g++)
		there = there || !isnan(r->group[g].figure[figure]);
	return there;
}

void st_table_run(const struct st_result *r, struct st_text *out)
{
	/* One group is the whole; of many, only the first few fit. */
	size_t groups = r->ngroups < 2 ? 0 : r->ngroups < GROUPS_MAX ? r->ngroups : GROUPS_MAX, row = 1;
	struct st_cells c;

	say_run(r, out);
	st_text_add(out, "\n");
	st_cells_init(&c, HEADLINES + 1, 3 + groups);
	st_cells_put(&c, 0, 2, st_strdup("all"));
	for (size_t g = 0; g < groups; g++)
		st_cells_put(&c, 0, 3 + g, st_format("%.12s", r->group[g].name));
	for (size_t i = 0; i < HEADLINES; i++) {
		size_t figure = index_of(headline[i]);
		const struct st_figure *f = st_figure_at(figure);

		if (!is_somewhere(r, figure))
			continue;
		st_cells_put(&c, row, 0, st_strdup(f->name));
		st_cells_put(&c, row, 1, st_strdup(unit(f)));
		st_cells_put(&c, row, 2, shown(f, r->figure[figure]));
		for (size_t g = 0; g < groups; g++)
			st_cells_put(&c, row, 3 + g,
			    f->scope & ST_SCOPE_GROUP ? shown(f, r->group[g].figure[figure]) : NULL);
		row++;
	}
	c.rows = row;
	st_cells_print(&c, 2, out);
	st_cells_release(&c);
	if (r->ngroups > GROUPS_MAX)
		st_text_addf(out, "(%zu more groups are in summary.json)\n", r->ngroups - GROUPS_MAX);
}

/* --- sweeps */

static const struct {
	const char *name, *head;
} key_figure[] = {
    {"after_fault_peak_x_capacity", "peak x cap."},
    {"success_share", "served %"},
    {"recovery_time_s", "recovery s"},
    {"last_success_s", "last ok s"},
    {"amplification", "attempts/op"},
};
enum { KEYS = sizeof key_figure / sizeof *key_figure };

static size_t count_never(const struct st_sweep_point *p, size_t figure)
{
	size_t n = 0;

	for (size_t i = 0; i < p->n; i++)
		n += isinf(p->value[figure][i]) != 0;
	return n;
}

static struct st_estimate estimate(const struct st_sweep_point *p, size_t figure)
{
	return st_estimate_mean(p->n > 0 ? p->value[figure] : NULL, p->n);
}

static double last_fault_s(const struct st_sweep_point *p)
{
	st_time last = 0;

	for (size_t i = 0; i < p->nfaults; i++)
		last = p->fault[i].to > last ? p->fault[i].to : last;
	return st_time_to_s(last);
}

/* Mean +- half-width. The last success is told from the end of the last fault. */
static char *cell(const struct st_sweep_point *p, const char *name)
{
	size_t figure = index_of(name);
	size_t never = count_never(p, figure);
	struct st_estimate x = estimate(p, figure);

	if (never > 0)
		return never == p->n ? st_strdup("never") : st_format("never in %zu of %zu", never, p->n);
	if (isnan(x.mean))
		return st_strdup("-");
	if (strcmp(name, "last_success_s") == 0)
		x.mean -= last_fault_s(p);
	if (strcmp(name, "success_share") == 0) {
		x.mean *= 100;
		x.half *= 100;
	}
	if (!(x.half > 0))
		return st_format("%.3g", x.mean);
	/* Two digits of the half-width, as many decimals of the mean, but at most four digits of that. */
	double places = 1 - floor(log10(x.half)), room = x.mean > 0 ? 3 - floor(log10(x.mean)) : 3;
	int decimals = (int)fmax(0, fmin(3, fmin(places, room)));
	return st_format("%.*f +-%.*f", decimals, x.mean, decimals, x.half);
}

static const char *last_part(const char *path)
{
	const char *dot = strrchr(path, '.');

	return dot ? dot + 1 : path;
}

/* Which of its axis's values a point has, from 1, counted as they first come. */
static size_t value_number(const struct st_sweep_result *r, size_t point, size_t axis)
{
	size_t n = 0;

	for (size_t p = 0; p <= point; p++) {
		size_t q = 0;
		while (strcmp(r->point[q].label[axis], r->point[p].label[axis]) != 0)
			q++;
		n += q == p;
		if (strcmp(r->point[p].label[axis], r->point[point].label[axis]) == 0)
			return n;
	}
	return n;
}

/* The values of an axis that had no room in the table. */
static void say_values(const struct st_sweep_result *r, size_t axis, struct st_text *out)
{
	size_t known = 0;

	st_text_addf(out, "%s:\n", r->axis[axis]);
	for (size_t p = 0; p < r->npoints; p++) {
		size_t k = value_number(r, p, axis);
		if (k > known)
			st_text_addf(out, "  (%zu) %s\n", k, r->point[p].label[axis]);
		known = k > known ? k : known;
	}
}

static size_t runs_that_never_recover(const struct st_sweep_point *p)
{
	return p->n > 0 ? count_never(p, index_of("recovery_time_s")) : SIZE_MAX;
}

/*
 * The fewest runs without recovery; then the most operations served; then, of those within the first one's
 * interval, the lowest peak after the fault. npoints if no point has run.
 */
static size_t best_point(const struct st_sweep_result *r)
{
	size_t share = index_of("success_share"), peak = index_of("after_fault_peak_x_capacity"),
	       best = r->npoints;
	size_t fewest = SIZE_MAX;
	double most = -1, enough = 0;

	for (size_t p = 0; p < r->npoints; p++)
		if (runs_that_never_recover(&r->point[p]) < fewest)
			fewest = runs_that_never_recover(&r->point[p]);
	for (size_t p = 0; p < r->npoints; p++) {
		struct st_estimate x = estimate(&r->point[p], share);
		if (runs_that_never_recover(&r->point[p]) == fewest && x.mean > most) {
			most = x.mean;
			enough = isnan(x.half) ? x.mean : x.mean - x.half;
			best = p;
		}
	}
	for (size_t p = 0; best < r->npoints && p < r->npoints; p++)
		if (runs_that_never_recover(&r->point[p]) == fewest &&
		    estimate(&r->point[p], share).mean >= enough &&
		    estimate(&r->point[p], peak).mean < estimate(&r->point[best], peak).mean)
			best = p;
	return best;
}

static void say_best(const struct st_sweep_result *r, struct st_text *out)
{
	size_t best = best_point(r);

	if (r->npoints < 2 || best == r->npoints)
		return;
	st_text_addf(out, "Best is point %zu:", best);
	for (size_t a = 0; a < r->naxes; a++)
		st_text_addf(
		    out, "%s %s %s", a > 0 ? "," : "", last_part(r->axis[a]), r->point[best].label[a]);
	st_text_add(out, "\n(fewest runs that never recover, then most operations served, then lowest peak "
			 "after the fault).\n");
}

static size_t axis_width(const struct st_sweep_result *r, size_t axis)
{
	size_t width = strlen(last_part(r->axis[axis]));

	for (size_t p = 0; p < r->npoints; p++)
		if (strlen(r->point[p].label[axis]) > width)
			width = strlen(r->point[p].label[axis]);
	return width;
}

/*
 * Which axes have their values in the table: the narrowest first, as long as the figures leave room. The
 * others' values are numbers, explained below it.
 */
static void choose_shown(const struct st_sweep_result *r, size_t used, bool *shown_axis)
{
	size_t left = used < COLUMNS ? COLUMNS - used : 0;

	for (size_t n = 0; n < r->naxes; n++) {
		size_t narrowest = r->naxes;
		for (size_t a = 0; a < r->naxes; a++)
			if (!shown_axis[a] &&
			    (narrowest == r->naxes || axis_width(r, a) < axis_width(r, narrowest)))
				narrowest = a;
		if (axis_width(r, narrowest) > left + NUMBER_WIDTH)
			return;
		shown_axis[narrowest] = true;
		left = left + NUMBER_WIDTH - axis_width(r, narrowest);
	}
}

/* Columns that the table takes besides the values of axes: figures, gaps, and a little for each axis's
 * number. */
static size_t used_width(const struct st_cells *c, size_t naxes)
{
	size_t used = 0;

	for (size_t k = 0; k < c->columns; k++)
		used += k >= 1 && k <= naxes ? NUMBER_WIDTH + 2 : st_cells_width(c, k) + 2;
	return used;
}

static void put_axes(struct st_cells *c, const struct st_sweep_result *r, const bool *shown_axis)
{
	for (size_t a = 0; a < r->naxes; a++) {
		const char *name = last_part(r->axis[a]);

		st_cells_put(
		    c, 0, 1 + a, st_format("%.*s", shown_axis[a] ? (int)strlen(name) : NUMBER_WIDTH, name));
		for (size_t p = 0; p < r->npoints; p++)
			st_cells_put(c, p + 1, 1 + a,
			    shown_axis[a] ? st_strdup(r->point[p].label[a])
					  : st_format("(%zu)", value_number(r, p, a)));
	}
}

void st_table_sweep(const struct st_sweep_result *r, struct st_text *out)
{
	struct st_cells c;
	bool *shown_axis = st_calloc(r->naxes + 1, sizeof *shown_axis);

	st_cells_init(&c, r->npoints + 1, 1 + r->naxes + KEYS);
	st_cells_put(&c, 0, 0, st_strdup("point"));
	for (size_t k = 0; k < KEYS; k++)
		st_cells_put(&c, 0, 1 + r->naxes + k, st_strdup(key_figure[k].head));
	for (size_t p = 0; p < r->npoints; p++) {
		st_cells_put(&c, p + 1, 0, st_format("%zu", p));
		for (size_t k = 0; k < KEYS; k++)
			st_cells_put(&c, p + 1, 1 + r->naxes + k, cell(&r->point[p], key_figure[k].name));
	}
	choose_shown(r, used_width(&c, r->naxes), shown_axis);
	put_axes(&c, r, shown_axis);
	st_cells_print(&c, 1 + r->naxes, out);
	st_cells_release(&c);
	for (size_t a = 0; a < r->naxes; a++)
		if (!shown_axis[a])
			say_values(r, a, out);
	free(shown_axis);
	st_text_add(out, "\n");
	say_best(r, out);
}
