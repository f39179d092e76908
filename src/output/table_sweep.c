#include <config.h>

#include "output/table.h"

#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "output/axis.h"
#include "output/cells.h"
#include "output/leader.h"
#include "output/score.h"

enum { COLUMNS = 100 };    /* of a terminal */
enum { NEVERS_MAX = 10 };  /* lines on points that recover in some runs */
enum { NUMBER_WIDTH = 6 }; /* of a value's number, and of its axis's name cut short */

enum { OWNER_WIDTH = 12 }; /* of whose a column is */

enum { COLUMNS_MAX = 64 };

struct columns {
	struct st_score at[COLUMNS_MAX];
	size_t n;
	bool with_owners; /* whose each is stands above its head */
	int letters;      /* of that at most */
	bool has_last;    /* successes */
	size_t more;      /* groups and services that axes name beyond those */
};

static const char *peak_name(const struct st_sweep_result *r)
{
	return st_score_has_faults(r) ? "after_fault_peak_x_capacity" : "offered_peak_x_capacity";
}

static void add_column(struct columns *c, size_t subject, const char *figure)
{
	if (c->n < COLUMNS_MAX)
		c->at[c->n++] = st_score_of(subject, st_score_figure(figure));
}

static void add_clients(struct columns *c, const struct st_sweep_result *r, size_t whom)
{
	bool ends = st_score_comes_to_an_end(r, whom);

	c->has_last = c->has_last || ends;
	add_column(c, whom, "success_share");
	if (ends)
		add_column(c, whom, "last_success_after_fault_s");
	add_column(c, whom, "amplification");
}

/*
 * What clients met: those of the first `most` groups that axes name, or all of them; and what the services met: the first one, and as
 * far as `most` goes those that axes name.
 */
static struct columns choose(const struct st_sweep_result *r, size_t most, int letters)
{
	struct columns c = {.letters = letters};
	size_t i = 0;

	for (; i < r->nsubjects && r->subject[i].scope == ST_SCOPE_GROUP; i++) {
		if (r->subject[i].is_swept && most == 0) {
			c.more++;
		} else if (r->subject[i].is_swept) {
			add_clients(&c, r, i);
			c.with_owners = true;
			most--;
		}
	}
	if (!c.with_owners)
		add_clients(&c, r, ST_WHOLE);
	add_column(&c, ST_WHOLE, peak_name(r));
	if (st_score_has_faults(r))
		add_column(&c, ST_WHOLE, "recovery_time_s");
	for (; i < r->nsubjects; i++) {
		if (r->subject[i].is_swept && most == 0) {
			c.more++;
		} else if (r->subject[i].is_swept) {
			add_column(&c, i, peak_name(r));
			c.with_owners = true;
			most--;
		}
	}
	return c;
}

/* What a cell has no room for where some runs recover and some do not: a mean of those that do would be of no use. */
static void say_nevers(const struct st_sweep_result *r, struct st_text *out)
{
	const struct st_score recovery = st_score_of(ST_WHOLE, st_score_figure("recovery_time_s"));
	size_t more = 0, said = 0;

	for (size_t p = 0; p < r->npoints; p++) {
		const struct st_sweep_point *at = &r->point[p];
		size_t k = st_score_nevers(&recovery, at);

		if (k == 0 || k == at->n)
			continue;
		if (said++ >= NEVERS_MAX) {
			more++;
			continue;
		}
		st_text_addf(out, "recovery at point %zu: ", p);
		st_score_say_nevers(&recovery, at, out);
		st_text_add(out, "\n");
	}
	if (more > 0)
		st_text_addf(out, "(%zu more such points: in summary.csv)\n", more);
}

/* --- the values that have no room in the table: numbers --- */

struct labelled {
	const char *label;
	size_t point;
};

static int by_label(const void *a, const void *b)
{
	const struct labelled *x = a, *y = b;
	int order = strcmp(x->label, y->label);

	return order != 0 ? order : (x->point > y->point) - (x->point < y->point);
}

/* Of each point which of the axis's values it has, from 1, counted as they first come. To be freed. Cost: that of a sort. */
static size_t *number_values(const struct st_sweep_result *r, size_t axis)
{
	struct labelled *sorted = st_calloc(r->npoints + 1, sizeof *sorted);
	size_t *first = st_calloc(r->npoints + 1, sizeof *first), n = 0;

	for (size_t p = 0; p < r->npoints; p++)
		sorted[p] = (struct labelled){r->point[p].label[axis], p};
	qsort(sorted, r->npoints, sizeof *sorted, by_label);
	for (size_t i = 0; i < r->npoints; i++) {
		bool is_new = i == 0 || strcmp(sorted[i].label, sorted[i - 1].label) != 0;
		first[sorted[i].point] = is_new ? sorted[i].point : first[sorted[i - 1].point];
	}
	free(sorted);
	size_t *number = st_calloc(r->npoints + 1, sizeof *number);
	for (size_t p = 0; p < r->npoints; p++)
		number[p] = first[p] == p ? ++n : number[first[p]];
	free(first);
	return number;
}

static void put_numbers(struct st_cells *c, const struct st_sweep_result *r, size_t axis, size_t head)
{
	size_t *number = number_values(r, axis);

	for (size_t p = 0; p < r->npoints; p++)
		st_cells_put(c, head + 1 + p, 1 + axis, st_format("(%zu)", number[p]));
	free(number);
}

static void say_values(const struct st_sweep_result *r, size_t axis, struct st_text *out)
{
	size_t *number = number_values(r, axis), known = 0;

	st_text_addf(out, "%s:\n", r->axis[axis]);
	for (size_t p = 0; p < r->npoints; p++)
		if (number[p] > known)
			st_text_addf(out, "  (%zu) %s\n", known = number[p], r->point[p].label[axis]);
	free(number);
}

/* --- the table --- */

static size_t axis_width(const struct st_sweep_result *r, size_t axis)
{
	char *name = st_axis_name((const char *const *)r->axis, r->naxes, axis, false);
	size_t width = strlen(name);

	free(name);
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

/* Columns of the terminal besides the values of axes: figures, gaps, and a little for each axis's number. */
static size_t used_width(const struct st_cells *c, size_t naxes)
{
	size_t used = 0;

	for (size_t k = 0; k < c->columns; k++)
		used += (k >= 1 && k <= naxes ? NUMBER_WIDTH : st_cells_width(c, k)) + (k > 0 ? 2 : 0);
	return used;
}

static void put_values(struct st_cells *c, const struct st_sweep_result *r, size_t axis, size_t head)
{
	for (size_t p = 0; p < r->npoints; p++)
		st_cells_put(c, head + 1 + p, 1 + axis, st_strdup(r->point[p].label[axis]));
}

static void put_axes(struct st_cells *c, const struct st_sweep_result *r, const bool *shown_axis, size_t head)
{
	for (size_t a = 0; a < r->naxes; a++) {
		char *name = st_axis_name((const char *const *)r->axis, r->naxes, a, false);

		st_cells_put(
		    c, head, 1 + a, st_format("%.*s", shown_axis[a] ? (int)strlen(name) : NUMBER_WIDTH, name));
		free(name);
		(shown_axis[a] ? put_values : put_numbers)(c, r, a, head);
	}
}

/* All but the axes. Returns the row of the heads: it is the second if whose the columns are stands above them. */
static size_t put_figures(struct st_cells *c, const struct st_sweep_result *r, const struct columns *columns)
{
	size_t head = columns->with_owners, left = 1 + r->naxes;

	st_cells_init(c, r->npoints + 1 + head, left + columns->n);
	st_cells_put(c, head, 0, st_strdup("point"));
	for (size_t k = 0; k < columns->n; k++) {
		const struct st_score *of = &columns->at[k];

		if (head > 0)
			st_cells_put(c, 0, left + k, st_format("%.*s", columns->letters, st_score_owner(of, r, "all")));
		st_cells_put(c, head, left + k, st_strdup(of->head));
		for (size_t p = 0; p < r->npoints; p++)
			st_cells_put(c, head + 1 + p, left + k, st_score_cell(of, &r->point[p]));
	}
	for (size_t p = 0; p < r->npoints; p++)
		st_cells_put(c, head + 1 + p, 0, st_format("%zu", p));
	return head;
}

/* As many of the groups and services that axes name as fit. */
static size_t put_columns(struct st_cells *c, const struct st_sweep_result *r, size_t *more, bool *has_last)
{
	for (size_t most = r->nsubjects < 5 ? r->nsubjects : 5;; most--) {
		struct columns columns = choose(r, most, OWNER_WIDTH);
		size_t head = put_figures(c, r, &columns);

		*more = columns.more;
		*has_last = columns.has_last;
		if (most <= 1 || used_width(c, r->naxes) <= COLUMNS)
			return head;
		st_cells_release(c);
	}
}

static void say_notes(const struct st_sweep_result *r, bool has_last, struct st_text *out)
{
	if (st_score_has_faults(r))
		st_text_addf(out, "%srecovery: from the last fault's end.\n", has_last ? "last ok, " : "");
	say_nevers(r, out);
}

void st_table_sweep(const struct st_sweep_result *r, struct st_text *out)
{
	struct st_cells c;
	bool *shown_axis = st_calloc(r->naxes + 1, sizeof *shown_axis);
	bool has_last;
	size_t more, head = put_columns(&c, r, &more, &has_last);

	choose_shown(r, used_width(&c, r->naxes), shown_axis);
	put_axes(&c, r, shown_axis, head);
	st_cells_print(&c, 1 + r->naxes, out);
	st_cells_release(&c);
	for (size_t a = 0; a < r->naxes; a++)
		if (!shown_axis[a])
			say_values(r, a, out);
	free(shown_axis);
	if (more > 0)
		st_text_addf(out, "(%zu more of the groups and services that axes name: in summary.csv)\n", more);
	say_notes(r, has_last, out);
	struct st_text leaders = ST_TEXT_INIT;
	st_leader_say(r, &leaders);
	if (leaders.len > 0) {
		st_text_paragraph(out);
		st_text_add(out, leaders.s);
	}
	st_text_release(&leaders);
}

size_t st_table_sweep_cells(const struct st_sweep_result *r, struct st_cells *c, struct st_text *notes)
{
	struct columns columns = choose(r, SIZE_MAX, INT_MAX);
	bool *shown_axis = st_calloc(r->naxes + 1, sizeof *shown_axis);
	size_t head = put_figures(c, r, &columns);

	for (size_t a = 0; a < r->naxes; a++)
		shown_axis[a] = true;
	put_axes(c, r, shown_axis, head);
	say_notes(r, columns.has_last, notes);
	free(shown_axis);
	return head + 1;
}
