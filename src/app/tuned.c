#include <config.h>

#include "app/tuned.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "app/verdict.h"
#include "base/mem.h"
#include "output/cells.h"

enum { COLUMNS = 100, HEAD_WIDTH = 16, HEAD_ROWS = 3 };

/* --- as plain data --- */

static const struct st_expect *expect_of(const struct st_tune *t, size_t figure)
{
	return figure == 0 ? &t->goal.of : &t->goal.bound[figure - 1];
}

static struct st_front_figure figure_of(const struct st_tune *t, size_t i)
{
	const struct st_expect *x = expect_of(t, i);
	const struct st_figure *f = st_figure_at(x->figure);
	char buf[64];

	return (struct st_front_figure){
	    .column = st_format("%s%s%s", x->subject ? x->subject : "", x->subject ? "." : "", st_figure_column(f, buf)),
	    .unit = f->unit,
	    .scale = f->scope & ST_SCOPE_SHARE ? 100 : 1,
	    .is_more_better = i == 0 ? t->goal.is_max : st_goal_wants_more(x),
	    .bound = i == 0 ? NULL : x->text + strcspn(x->text, "<>="),
	    .value = i == 0 ? (double)NAN : x->value,
	};
}

static struct st_front_value value_of(const struct st_tune *t, size_t figure, size_t point, bool fresh)
{
	const double *x = st_tune_values(t, figure, point, fresh);
	size_t n = fresh ? t->race.last : t->race.point[point].wanted;
	struct st_front_value v = {.mean = st_estimate_mean(x, n)};

	for (size_t i = 0; i < n; i++)
		v.never += isinf(x[i]) != 0;
	return v;
}

/* Whether a bound that the chart does not show is surely broken. */
static bool is_out(const struct st_tune *t, size_t point)
{
	for (size_t i = 1; i < t->goal.nbounds; i++)
		if (st_judge(&t->goal.bound[i], st_tune_values(t, 1 + i, point, false), t->race.point[point].wanted).verdict == ST_JUDGE_FAILS)
			return true;
	return false;
}

static void make_point(struct st_tune *t, size_t p, struct st_front *f)
{
	struct st_front_point *at = &f->point[p];
	uint32_t runs = t->race.point[p].wanted;

	*at = (struct st_front_point){.generation = t->race.point[p].generation, .runs = runs,
	    .bounds = t->goal.nbounds > 0 ? st_verdict_name(st_tune_look(t, p, runs).bounds) : NULL, .is_out = is_out(t, p)};
	at->label = st_calloc(f->naxes, sizeof *at->label);
	for (size_t a = 0; a < f->naxes; a++)
		at->label[a] = st_strdup(st_space_label(&t->space, p, a));
	at->value = st_calloc(f->nfigures, sizeof *at->value);
	for (size_t i = 0; i < f->nfigures; i++)
		at->value[i] = value_of(t, i, p, false);
}

static void add_fresh(const struct st_tune *t, size_t p, struct st_front *f)
{
	struct st_front_point *at = &f->point[p];

	at->fresh_runs = t->race.last;
	at->fresh_bounds = at->bounds ? st_verdict_name(st_tune_look_fresh(t, p).bounds) : NULL;
	at->fresh = st_calloc(f->nfigures, sizeof *at->fresh);
	for (size_t i = 0; i < f->nfigures; i++)
		at->fresh[i] = value_of(t, i, p, true);
}

/* "12.3 +- 0.4 s", "never in 3 of 64 runs" */
static char *value_text(const struct st_tune *t, const struct st_front_value *v, size_t figure, uint32_t runs)
{
	struct st_text out = ST_TEXT_INIT;

	if (v->never > 0)
		st_text_addf(&out, "never in %zu of %" PRIu32, v->never, runs);
	else
		st_expect_print_value(expect_of(t, figure), v->mean.mean, v->mean.half, &out);
	return out.s;
}

static char *sentence_on(const struct st_tune *t, const struct st_front *f, size_t best)
{
	const struct st_front_point *p = &f->point[best];
	enum st_judge_verdict bounds = st_tune_look_fresh(t, best).bounds;
	struct st_text out = ST_TEXT_INIT;

	if (bounds == ST_JUDGE_FAILS)
		st_text_add(&out, "No point keeps the bounds. The nearest is");
	else if (bounds == ST_JUDGE_OPEN)
		st_text_add(&out, "No point surely keeps the bounds: of the best one nobody can tell yet. It is");
	else
		st_text_addf(&out, "The best%s is", f->nfigures > 1 ? " that surely keeps the bounds" : "");
	st_text_addf(&out, " point %zu:", best);
	for (size_t i = 0; i < f->nfigures; i++) {
		char *value = value_text(t, &p->fresh[i], i, p->fresh_runs);

		st_text_addf(&out, "%s %s %s", i > 0 ? "," : "", f->figure[i].column, value);
		if (i > 0)
			st_text_addf(&out, " (%s)", f->figure[i].bound);
		free(value);
	}
	st_text_addf(&out, ", in %" PRIu32 " fresh runs, by which it was not chosen.", p->fresh_runs);
	return out.s;
}

void st_tuned_make(struct st_tune *t, struct st_front *f)
{
	const struct st_scenario *s = t->scenario;
	struct st_text settings = ST_TEXT_INIT;
	const char **axis = st_calloc(s->naxes, sizeof *axis);

	*f = (struct st_front){.title = t->grid.point[0].config.title, .goal = t->goal.text, .axis = axis, .naxes = s->naxes,
	    .nfigures = 1 + t->goal.nbounds, .npoints = t->race.npoints, .seed = t->grid.point[0].config.seed};
	for (size_t a = 0; a < s->naxes; a++)
		axis[a] = s->axis[a].path;
	f->figure = st_calloc(f->nfigures, sizeof *f->figure);
	f->point = st_calloc(f->npoints, sizeof *f->point);
	for (size_t i = 0; i < f->nfigures; i++)
		f->figure[i] = figure_of(t, i);
	for (size_t p = 0; p < f->npoints; p++)
		make_point(t, p, f);
	for (size_t i = 0; i < t->nfinalists; i++)
		f->point[t->finalist[i]].rank = i + 1;
	for (size_t i = 0; i < t->nconfirmed; i++)
		add_fresh(t, t->finalist[i], f);
	st_front_mark(f);
	f->sentence = sentence_on(t, f, t->finalist[0]);
	st_space_print(&t->space, t->finalist[0], &settings);
	f->settings = settings.s;
}

/* --- for people --- */

/* The part of a name that a line of a table's head takes: up to its last '_' or '.' that fits. */
static size_t line_of(const char *name)
{
	size_t n = strlen(name), cut = 0;

	if (n <= HEAD_WIDTH)
		return n;
	for (size_t i = 0; name[i] && i < HEAD_WIDTH; i++)
		cut = name[i] == '_' || name[i] == '.' ? i + 1 : cut;
	return cut > 0 ? cut : HEAD_WIDTH;
}

/* How many lines a name takes. */
static size_t lines_of(const char *name)
{
	size_t lines = 0;

	for (; *name && lines < HEAD_ROWS; name += line_of(name))
		lines++;
	return lines;
}

/* The lines of the head. */
static size_t head_of(const struct st_front *f)
{
	size_t most = 1;

	for (size_t i = 0; i < f->nfigures; i++)
		most = lines_of(f->figure[i].column) > most ? lines_of(f->figure[i].column) : most;
	for (size_t a = 0; a < f->naxes; a++)
		most = lines_of(st_text_last_part(f->axis[a])) > most ? lines_of(st_text_last_part(f->axis[a])) : most;
	return most;
}

/* At the bottom of `rows` lines, as much as there is in the last of them. */
static void put_name(struct st_cells *c, size_t rows, size_t column, const char *name)
{
	for (size_t row = rows - lines_of(name); *name; row++) {
		size_t n = row + 1 < rows ? line_of(name) : strlen(name);

		st_cells_put(c, row, column, st_strndup(name, n));
		name += n;
	}
}

static void put_head(const struct st_front *f, size_t rows, struct st_cells *c)
{
	size_t column = 0;

	put_name(c, rows, column++, "point");
	for (size_t a = 0; a < f->naxes; a++)
		put_name(c, rows, column++, st_text_last_part(f->axis[a]));
	for (size_t i = 0; i < f->nfigures; i++)
		put_name(c, rows, column++, f->figure[i].column);
	if (f->nfigures > 1)
		put_name(c, rows, column++, "bounds");
	put_name(c, rows, column, "runs");
}

/* Two lines: of the runs that it was chosen by, and of the fresh ones. */
static void put_rows(const struct st_tune *t, const struct st_front *f, size_t row, size_t point, struct st_cells *c)
{
	const struct st_front_point *p = &f->point[point];
	size_t first = 1 + f->naxes, last = first + f->nfigures;

	st_cells_put(c, row, 0, st_format("%zu", point));
	for (size_t a = 0; a < f->naxes; a++)
		st_cells_put(c, row, 1 + a, st_strdup(p->label[a]));
	for (size_t i = 0; i < f->nfigures; i++) {
		st_cells_put(c, row, first + i, value_text(t, &p->value[i], i, p->runs));
		st_cells_put(c, row + 1, first + i, value_text(t, &p->fresh[i], i, p->fresh_runs));
	}
	if (f->nfigures > 1) {
		st_cells_put(c, row, last, st_strdup(p->bounds));
		st_cells_put(c, row + 1, last++, st_strdup(p->fresh_bounds));
	}
	st_cells_put(c, row, last, st_format("%" PRIu32, p->runs));
	st_cells_put(c, row + 1, last, st_format("%" PRIu32 " fresh", p->fresh_runs));
}

void st_tuned_say(const struct st_tune *t, const struct st_front *f, struct st_text *out)
{
	size_t head = head_of(f), from = out->len;
	struct st_cells c;

	st_cells_init(&c, head + 2 * t->nconfirmed, 1 + f->naxes + f->nfigures + 2);
	put_head(f, head, &c);
	for (size_t i = 0; i < t->nconfirmed; i++)
		put_rows(t, f, head + 2 * i, t->finalist[i], &c);
	st_text_addf(out, "%s\n", f->sentence);
	st_text_wrap(out, from, COLUMNS);
	st_text_addf(out, "  %s\n\n", f->settings);
	st_cells_print(&c, 1 + f->naxes, out);
	st_cells_release(&c);
}
