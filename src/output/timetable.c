#include <config.h>

#include "output/timetable.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/param.h"
#include "output/cells.h"

enum { WIDTH = 100 };

void st_timetable_release(struct st_timetable *t)
{
	free(t->policy);
	free(t->delay);
	free(t->product);
	*t = (struct st_timetable){.name = NULL};
}

double st_timetable_window(const struct st_onslaught *o)
{
	double rest = o->capacity_per_s - o->background_per_s;

	return rest <= 0.0 ? (double)INFINITY : o->clients / rest * 1e9;
}

/* --- durations as people say them ------------------------------------------------------------------------------------- */

static const struct unit {
	const char *name;
	double ns, from; /* from this many ns on */
} units[] = {{"d", 86400e9, 3 * 86400e9}, {"h", 3600e9, 3 * 3600e9}, {"min", 60e9, 600e9}, {"s", 1e9, 0.9995e9},
    {"ms", 1e6, 0.9995e6}, {"us", 1e3, 0.9995e3}, {"ns", 1.0, 0.0}};

/* Three digits and a unit: "250 ms". */
static char *duration(double ns)
{
	const struct unit *u = units;

	if (!isfinite(ns))
		return st_strdup("no bound");
	if (ns <= 0.0)
		return st_strdup("0");
	while (ns < u->from)
		u++;
	return st_format(ns / u->ns < 99.95 ? "%.3g %s" : "%.0f %s", ns / u->ns, u->name);
}

/* The same in a sentence, where minutes have seconds: "1 min 42 s". */
static void say(struct st_text *out, double ns)
{
	if (ns >= 59.95e9 && ns < 10799.5e9) {
		double s = round(ns / 1e9);

		st_text_addf(out, "%.0f min", floor(s / 60.0));
		if (fmod(s, 60.0) > 0.0)
			st_text_addf(out, " %.0f s", fmod(s, 60.0));
		return;
	}
	char *word = duration(ns);
	st_text_add(out, ns <= 0.0 ? "0 s" : word);
	free(word);
}

/* --- the table ------------------------------------------------------------------------------------------------------------ */

static char *share(double x)
{
	return isnan(x) ? NULL : st_format("%.3g %%", 100.0 * x);
}

enum column { RETRY, MIN, MEAN, P99, MAX, AT_FLOOR, AT_CAP, EARLIEST, AVERAGE, LATEST, COLUMNS };

static const char *const heads[COLUMNS] = {"retry", "least", "mean", "p99", "most", "at floor", "at cap", "earliest", "on average",
    "latest"};

static char *cell(const struct st_delay *d, enum column c)
{
	switch (c) {
	case MIN:
		return duration(d->min);
	case MEAN:
		return duration(d->mean);
	case P99:
		return duration(d->p99);
	case MAX:
		return duration(d->max);
	case AT_FLOOR:
		return share(d->at_floor);
	case AT_CAP:
		return share(d->at_cap);
	case EARLIEST:
		return duration(d->earliest);
	case AVERAGE:
		return duration(d->average);
	default:
		return duration(d->latest);
	}
}

static void print_rows(const struct st_timetable *t, struct st_text *out)
{
	struct st_cells cells;

	st_cells_init(&cells, t->shown + 1, COLUMNS);
	for (enum column c = 0; c < COLUMNS; c++)
		if ((c != AT_FLOOR || !isnan(t->delay[0].at_floor)) && (c != AT_CAP || !isnan(t->delay[0].at_cap)))
			st_cells_put(&cells, 0, c, st_strdup(heads[c]));
	for (size_t i = 0; i < t->shown; i++) {
		st_cells_put(&cells, i + 1, RETRY, st_format("%zu", i + 1));
		for (enum column c = MIN; c < COLUMNS; c++)
			st_cells_put(&cells, i + 1, c, cell(&t->delay[i], c));
	}
	st_cells_print(&cells, 0, out);
	st_cells_release(&cells);
}

/* --- what follows from it ----------------------------------------------------------------------------------------------- */

static void say_timeouts(const struct st_timetable *t, struct st_text *out)
{
	double more = (double)t->n * t->timeout;

	if (isinf(t->timeout)) {
		st_text_add(out, " There is no timeout: silence is waited for without end.");
		return;
	}
	st_text_add(out, " Where every attempt runs into its timeout of ");
	say(out, t->timeout);
	st_text_add(out, ", that is ");
	say(out, more);
	st_text_add(out, " later");
	if (isfinite(t->delay[t->n - 1].latest)) {
		st_text_add(out, ", ");
		say(out, t->delay[t->n - 1].latest + more);
		st_text_add(out, " at the latest");
	}
	st_text_add(out, ".");
}

static void say_patience(const struct st_timetable *t, struct st_text *out)
{
	const struct st_delay *last = &t->delay[t->n - 1];

	if (t->attempts == ST_UNLIMITED)
		st_text_addf(out, "%s never gives up by itself.", t->name);
	else if (t->attempts - 1 > t->n)
		st_text_addf(out, "%s has attempts left after %zu retries, ", t->name, t->n);
	else
		st_text_addf(out, "%s gives up ", t->name);
	if (t->attempts != ST_UNLIMITED && last->latest - last->earliest < 1.0) {
		say(out, last->latest);
		st_text_add(out, " after the first failure, if failures come at once.");
	} else if (t->attempts != ST_UNLIMITED) {
		say(out, last->earliest);
		st_text_add(out, " after the first failure at the earliest, ");
		say(out, last->average);
		st_text_add(out, " on average, ");
		say(out, last->latest);
		st_text_add(out, " at the latest, if failures come at once.");
	}
	if (t->attempts != ST_UNLIMITED && t->timeout > 0.0)
		say_timeouts(t, out);
	if (isfinite(t->deadline)) {
		st_text_add(out, " Its deadline ends it ");
		say(out, t->deadline);
		st_text_add(out, " after the start in any case.");
	}
	st_text_add(out, "\n");
}

/* Four digits, and no power of ten. */
static void add_rate(struct st_text *out, double per_s)
{
	st_text_addf(out, per_s < 1e4 ? "%.4g/s" : "%.0f/s", per_s);
}

static void say_window(const struct st_timetable *t, struct st_text *out)
{
	const struct st_onslaught *o = &t->onslaught;
	double needed = st_timetable_window(o), width = t->delay[0].window;

	st_text_addf(out, "%.0f %s against ", o->clients, o->are_calls ? "calls" : "clients");
	add_rate(out, o->capacity_per_s);
	st_text_add(out, " with ");
	add_rate(out, o->background_per_s);
	st_text_addf(out, " of other load %s", o->leaves_out_traces ? "(traces not counted) " : "");
	if (isinf(needed)) {
		st_text_add(out, "find no window wide enough: the other load alone takes the whole capacity.\n");
		return;
	}
	st_text_add(out, "need a first window of at least ");
	say(out, needed);
	if (width <= 0.0) {
		st_text_add(out, "; in this policy's, a tenth of them or more come at one instant: no window at all.\n");
		return;
	}
	st_text_add(out, "; this policy's is ");
	say(out, width);
	st_text_addf(out, " wide: %s", width >= needed ? "wide enough.\n" : "");
	if (width < needed)
		st_text_addf(out, "x %.3g too narrow.\n", needed / width);
}

static void say_product(const struct st_timetable *t, struct st_text *out)
{
	size_t from = out->len;

	if (!t->last)
		return;
	if (isinf(t->requests))
		st_text_addf(out, "Attempts multiply: an operation makes requests to %s without limit (%s).\n", t->last, t->product);
	else
		st_text_addf(out, "Attempts multiply: an operation makes up to %s = %.*g requests to %s.\n", t->product, t->requests < 1e15 ? 15 : 3,
		    t->requests, t->last);
	st_text_wrap(out, from, WIDTH);
}

void st_timetable_add_name(const struct st_timetable *t, struct st_text *out)
{
	st_text_add(out, t->name);
	if (t->callee)
		st_text_addf(out, ", calling %s", t->callee);
	if (t->failures)
		st_text_addf(out, ", after %s", t->failures);
}

void st_timetable_print(const struct st_timetable *t, struct st_text *out)
{
	size_t from = out->len;

	st_timetable_add_name(t, out);
	if (t->n == 0) {
		st_text_add(out, ": one attempt, no retry.\n");
		say_product(t, out);
		return;
	}
	st_text_addf(out, ": %s\n", t->policy);
	st_text_wrap(out, from, WIDTH);
	st_text_add(out, "\nThe delay before each retry; then when it is sent, since the first failure.\n");
	print_rows(t, out);
	if (t->shown < t->n || t->attempts == ST_UNLIMITED)
		st_text_add(out, "  ...\n");
	st_text_add(out, "\n");
	from = out->len;
	say_patience(t, out);
	st_text_wrap(out, from, WIDTH);
	from = out->len;
	if (t->onslaught.clients > 0.0)
		say_window(t, out);
	st_text_wrap(out, from, WIDTH);
	say_product(t, out);
}
