#include <config.h>

#include "output/table.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"

/* How a figure is shown: the table has it in 1/s, s, shares and counts; people want percent and few digits. */
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

static void say_peak(const struct st_result *r, const char *rate, const char *times, const char *when, struct st_text *out)
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
	enum { COLUMNS = 100 };

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

/* A grid of texts, owned, printed with each column as wide as it has to be. */
struct cells {
	size_t rows, columns;
	char **cell;
};

static void cells_init(struct cells *c, size_t rows, size_t columns)
{
	*c = (struct cells){rows, columns, st_calloc(rows * columns, sizeof(char *))};
}

static void put(struct cells *c, size_t row, size_t column, char *text)
{
	c->cell[row * c->columns + column] = text;
}

static const char *at(const struct cells *c, size_t row, size_t column)
{
	const char *s = c->cell[row * c->columns + column];

	return s ? s : "";
}

/* Columns before `left` lean left, the others right. */
static void cells_print(const struct cells *c, size_t left, struct st_text *out)
{
	for (size_t r = 0; r < c->rows; r++) {
		for (size_t k = 0; k < c->columns; k++) {
			int width = 0;

			for (size_t i = 0; i < c->rows; i++)
				if ((int)strlen(at(c, i, k)) > width)
					width = (int)strlen(at(c, i, k));
			if (width > 0)
				st_text_addf(out, "%s%*s", k > 0 ? "  " : "", k < left ? -width : width, at(c, r, k));
		}
		while (out->len > 0 && out->s[out->len - 1] == ' ')
			out->s[--out->len] = '\0';
		st_text_add(out, "\n");
	}
}

static void cells_release(struct cells *c)
{
	for (size_t i = 0; i < c->rows * c->columns; i++)
		free(c->cell[i]);
	free(c->cell);
}

static const char *const headline[] = {
    "operations", "successes", "failures", "success_share", "amplification", "offered_peak_x_capacity",
    "after_fault_peak_x_capacity", "recovery_time_s", "goodput_per_s", "latency_s.p50", "latency_s.p99", "last_success_s",
    "reject_share", "wasted_share", "denied", "utilisation", "queue_mean",
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
	struct cells c;

	say_run(r, out);
	st_text_add(out, "\n");
	cells_init(&c, HEADLINES + 1, 3 + groups);
	put(&c, 0, 2, st_strdup("all"));
	for (size_t g = 0; g < groups; g++)
		put(&c, 0, 3 + g, st_format("%.12s", r->group[g].name));
	for (size_t i = 0; i < HEADLINES; i++) {
		size_t figure = index_of(headline[i]);
		const struct st_figure *f = st_figure_at(figure);

		if (!is_somewhere(r, figure))
			continue;
		put(&c, row, 0, st_strdup(f->name));
		put(&c, row, 1, st_strdup(unit(f)));
		put(&c, row, 2, shown(f, r->figure[figure]));
		for (size_t g = 0; g < groups; g++)
			put(&c, row, 3 + g, f->scope & ST_SCOPE_GROUP ? shown(f, r->group[g].figure[figure]) : NULL);
		row++;
	}
	c.rows = row;
	cells_print(&c, 2, out);
	cells_release(&c);
	if (r->ngroups > GROUPS_MAX)
		st_text_addf(out, "(%zu more groups are in summary.json)\n", r->ngroups - GROUPS_MAX);
}

/* --- sweeps */

static const struct {
	const char *name, *head;
} key_figure[] = {
    {"after_fault_peak_x_capacity", "peak x cap."}, {"success_share", "served"}, {"recovery_time_s", "recovery s"},
    {"last_success_s", "last ok s"}, {"amplification", "attempts/op"},
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
	const char *percent = "";

	if (never > 0)
		return never == p->n ? st_strdup("never") : st_format("never in %zu of %zu", never, p->n);
	if (isnan(x.mean))
		return st_strdup("-");
	if (strcmp(name, "last_success_s") == 0)
		x.mean -= last_fault_s(p);
	if (strcmp(name, "success_share") == 0) {
		x.mean *= 100;
		x.half *= 100;
		percent = " %";
	}
	if (isnan(x.half))
		return st_format("%.3g%s", x.mean, percent);
	return st_format("%.3g +-%.2g%s", x.mean, x.half, percent);
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

static bool is_long(const struct st_sweep_result *r, size_t axis, size_t room)
{
	for (size_t p = 0; p < r->npoints; p++)
		if (strlen(r->point[p].label[axis]) > room)
			return true;
	return false;
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
 * The fewest runs without recovery; then the most operations served; then, of those within the first one's interval, the
 * lowest peak after the fault. npoints if no point has run.
 */
static size_t best_point(const struct st_sweep_result *r)
{
	size_t share = index_of("success_share"), peak = index_of("after_fault_peak_x_capacity"), best = r->npoints;
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
		if (runs_that_never_recover(&r->point[p]) == fewest && estimate(&r->point[p], share).mean >= enough &&
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
		st_text_addf(out, "%s %s %s", a > 0 ? "," : "", last_part(r->axis[a]), r->point[best].label[a]);
	st_text_add(out, "\n(fewest runs that never recover, then most operations served, then lowest peak after the fault).\n");
}

/* The axes share what the figures leave of a hundred columns. */
static size_t label_room(size_t naxes)
{
	size_t each = naxes > 0 ? 26 / naxes : 0;

	return each > 8 ? each - 2 : 6;
}

static void put_labels(struct cells *c, const struct st_sweep_result *r, size_t p, size_t room)
{
	for (size_t a = 0; a < r->naxes; a++) {
		const char *label = r->point[p].label[a];
		put(c, p + 1, 1 + a, is_long(r, a, room) ? st_format("(%zu)", value_number(r, p, a)) : st_strdup(label));
	}
}

void st_table_sweep(const struct st_sweep_result *r, struct st_text *out)
{
	struct cells c;
	size_t room = label_room(r->naxes);

	cells_init(&c, r->npoints + 1, 1 + r->naxes + KEYS);
	put(&c, 0, 0, st_strdup("point"));
	for (size_t a = 0; a < r->naxes; a++)
		put(&c, 0, 1 + a, st_format("%.*s", (int)room, last_part(r->axis[a])));
	for (size_t k = 0; k < KEYS; k++)
		put(&c, 0, 1 + r->naxes + k, st_strdup(key_figure[k].head));
	for (size_t p = 0; p < r->npoints; p++) {
		put(&c, p + 1, 0, st_format("%zu", p));
		put_labels(&c, r, p, room);
		for (size_t k = 0; k < KEYS; k++)
			put(&c, p + 1, 1 + r->naxes + k, cell(&r->point[p], key_figure[k].name));
	}
	cells_print(&c, 1 + r->naxes, out);
	cells_release(&c);
	for (size_t a = 0; a < r->naxes; a++)
		if (is_long(r, a, room))
			say_values(r, a, out);
	st_text_add(out, "\n");
	say_best(r, out);
}
