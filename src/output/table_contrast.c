#include <config.h>

#include "output/table.h"

#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "output/cells.h"

enum { COLUMNS = 100, OWNER_WIDTH = 12 }; /* of a terminal; of whose a column is */

static const char *label(const struct st_contrast *c, size_t point)
{
	return c->r->point[point].label[0];
}

static const struct st_contrast_cell *cell_of(const struct st_contrast *c, size_t point, size_t column)
{
	return &c->cell[point * c->n + column];
}

static const char *owner(const struct st_contrast *c, size_t column)
{
	return st_score_owner(&c->column[column], c->r, "all");
}

static bool has_subjects(const struct st_contrast *c)
{
	for (size_t k = 0; k < c->n; k++)
		if (c->column[k].subject != ST_WHOLE)
			return true;
	return false;
}

/* --- a sentence a figure --- */

/* "fleet: success share", as people say it. */
static void say_figure(const struct st_contrast *c, size_t column, struct st_text *out)
{
	const struct st_score *of = &c->column[column];
	char name[64];

	if (of->subject != ST_WHOLE)
		st_text_addf(out, "%s, ", owner(c, column));
	st_figure_short(st_figure_at(of->figure), name);
	for (char *s = name; *s; s++)
		*s = *s == '_' || *s == '.' ? ' ' : *s;
	st_text_add(out, name);
}

static const char *unit(const struct st_figure *f)
{
	if (f->scope & ST_SCOPE_SHARE)
		return " percentage points";
	return strcmp(f->unit, "1") == 0 ? "" : strcmp(f->unit, "s") == 0 ? " s" : "/s";
}

/* " by 12.3 +-0.4 s", or of what has no difference " in 28 of 30 pairs of runs". Units are told once. */
static void say_difference(const struct st_contrast *c, size_t point, size_t column, bool with_unit, struct st_text *out)
{
	const struct st_contrast_cell *cell = cell_of(c, point, column);
	const struct st_score *of = &c->column[column];
	double mean = fabs(cell->difference.mean) * of->scale, half = cell->difference.half * of->scale;

	if (isnan(mean)) {
		st_text_addf(out, " in %zu of %zu%s", cell->less > cell->more ? cell->less : cell->more, cell->difference.n,
		    with_unit ? " pairs of runs" : "");
		return;
	}
	/* Two digits of the half-width: a small difference that is known well is not to look like none. */
	int decimals = half > 0 ? (int)fmin(6, fmax(0, 1 - floor(log10(half)))) : st_score_decimals(mean, half);
	st_text_addf(out, " by %.*f", decimals, mean);
	if (half > 0)
		st_text_addf(out, " +-%.*f", decimals, half);
	st_text_add(out, with_unit ? unit(st_figure_at(of->figure)) : "");
}

/* "B is better than A by 3 s, C by 2"; "no difference is known of D, E". Whether there was any. */
static bool say_kind(const struct st_contrast *c, size_t column, enum st_contrast_verdict kind, bool is_first, struct st_text *out)
{
	static const char *const heads[] = {"no difference is known of ", "absent in some run: ", "the same in every run: "};
	bool any = false, is_told = kind > ST_CONTRAST_SAME;

	for (size_t p = 1; p < c->r->npoints; p++) {
		if (cell_of(c, p, column)->verdict != kind)
			continue;
		st_text_add(out, any ? ", " : is_first ? "" : "; ");
		st_text_add(out, any || is_told ? "" : heads[kind]);
		st_text_add(out, label(c, p));
		if (is_told && !any)
			st_text_addf(out, " is %s than %s", st_contrast_name(kind), label(c, 0));
		if (is_told)
			say_difference(c, p, column, !any, out);
		any = true;
	}
	return any;
}

void st_table_contrast_say(const struct st_contrast *c, size_t column, struct st_text *out)
{
	static const enum st_contrast_verdict kinds[] = {ST_CONTRAST_BETTER, ST_CONTRAST_WORSE, ST_CONTRAST_LESS, ST_CONTRAST_MORE,
	    ST_CONTRAST_SAME, ST_CONTRAST_UNKNOWN, ST_CONTRAST_ABSENT};
	bool any = false;

	say_figure(c, column, out);
	st_text_add(out, ": ");
	for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
		any |= say_kind(c, column, kinds[k], !any, out);
	for (size_t p = 0; p < c->r->npoints; p++) {
		if (st_score_nevers(&c->column[column], &c->r->point[p]) == 0)
			continue;
		st_text_addf(out, "; %s: ", label(c, p));
		st_score_say_nevers(&c->column[column], &c->r->point[p], out);
	}
}

/* Whether a figure is among them of which neither less nor more is better. */
static bool has_neutral(const struct st_contrast *c)
{
	for (size_t k = 0; k < c->n; k++)
		if (!(st_figure_at(c->column[k].figure)->scope & (ST_SCOPE_LESS | ST_SCOPE_MORE)))
			return true;
	return false;
}

/* What the marks are worth. */
static void say_marks(const struct st_contrast *c, const char *better, const char *worse, const char *differs, struct st_text *out)
{
	size_t runs = c->r->point[0].n;

	if (runs < 2) {
		st_text_add(out, "one run has no interval, so ask for more: --replications 30");
		return;
	}
	st_text_addf(out, "means of %zu runs with the half-width of the 95 %% interval", runs);
	if (c->tests == 0)
		return;
	st_text_addf(out, "; %s than %s, %s", better, label(c, 0), worse);
	if (has_neutral(c))
		st_text_addf(out, ", %s where neither is better", differs);
	st_text_addf(out, ": significant in pairs of runs on the same random numbers, at 5 %% for all %zu comparison%s together%s", c->tests,
	    c->tests == 1 ? "" : "s", c->tests == 1 ? "" : " (Holm's correction)");
}

void st_table_contrast_marks(const struct st_contrast *c, struct st_text *out)
{
	say_marks(c, "* better", "! worse", "~ different", out);
}

/* --- text --- */

static char *marked(const struct st_contrast *c, size_t point, size_t column)
{
	static const char mark[] = {' ', ' ', ' ', '*', '!', '~', '~'};
	char *value = st_score_cell(&c->column[column], &c->r->point[point]);
	char *with = st_format("%s %c", value, mark[cell_of(c, point, column)->verdict]);

	free(value);
	return with;
}

/* The labels, and the columns from `from` as far as they have room. Returns the first that has not. */
static size_t put_columns(const struct st_contrast *c, size_t from, size_t room, int letters, struct st_cells *cells)
{
	size_t head = has_subjects(c), used = 0, k = from;

	st_cells_init(cells, 1 + head + c->r->npoints, 1 + c->n);
	st_cells_put(cells, head, 0, st_strdup(c->r->axis[0]));
	for (size_t p = 0; p < c->r->npoints; p++)
		st_cells_put(cells, 1 + head + p, 0, st_strdup(label(c, p)));
	used = st_cells_width(cells, 0);
	for (; k < c->n; k++) {
		if (head > 0)
			st_cells_put(cells, 0, 1 + k, st_format("%.*s  ", letters, owner(c, k)));
		st_cells_put(cells, head, 1 + k, st_format("%s  ", c->column[k].head));
		for (size_t p = 0; p < c->r->npoints; p++)
			st_cells_put(cells, 1 + head + p, 1 + k, marked(c, p, k));
		used += 2 + st_cells_width(cells, 1 + k);
		if (used <= room || k == from)
			continue;
		for (size_t row = 0; row < cells->rows; row++) {
			free(cells->cell[row * cells->columns + 1 + k]);
			st_cells_put(cells, row, 1 + k, NULL);
		}
		break;
	}
	return k;
}

size_t st_table_contrast_cells(const struct st_contrast *c, struct st_cells *cells)
{
	put_columns(c, 0, SIZE_MAX, INT_MAX, cells);
	return 1 + has_subjects(c);
}

static void fold(struct st_text *out, size_t from)
{
	st_text_add(out, "\n");
	st_text_wrap(out, from, COLUMNS);
}

void st_table_contrast(const struct st_contrast *c, struct st_text *out)
{
	size_t from;

	for (size_t k = 0; k < c->n; st_text_add(out, "\n")) {
		struct st_cells cells;

		k = put_columns(c, k, COLUMNS, OWNER_WIDTH, &cells);
		st_cells_print(&cells, 1, out);
		st_cells_release(&cells);
	}
	from = out->len;
	st_table_contrast_marks(c, out);
	fold(out, from);
	st_text_add(out, "\n");
	for (size_t k = 0; k < c->n; k++) {
		from = out->len;
		st_table_contrast_say(c, k, out);
		fold(out, from);
	}
}

/* --- Markdown --- */

/* What is no markup: '|' would end a cell. */
static void add_md(const char *s, struct st_text *out)
{
	for (; *s; s++)
		st_text_addf(out, strchr("|*_`<[\\", *s) ? "\\%c" : "%c", *s);
}

static void put_md_row(const struct st_contrast *c, size_t point, struct st_text *out)
{
	st_text_add(out, "| ");
	add_md(label(c, point), out);
	for (size_t k = 0; k < c->n; k++) {
		enum st_contrast_verdict v = cell_of(c, point, k)->verdict;
		char *value = st_score_cell(&c->column[k], &c->r->point[point]), *half = strstr(value, "+-");
		const char *strong = v == ST_CONTRAST_BETTER ? "**" : "";

		st_text_addf(out, " | %s", strong);
		st_text_addn(out, value, half ? (size_t)(half - value) : strlen(value));
		st_text_addf(out, "%s%s%s", half ? "± " : "", half ? half + 2 : "", strong);
		if (v > ST_CONTRAST_SAME)
			st_text_addf(out, " %s", st_contrast_name(v));
		free(value);
	}
	st_text_add(out, " |\n");
}

/* A sentence: its labels and figures are plain text. */
static void add_plain(const struct st_text *sentence, struct st_text *out)
{
	for (const char *s = sentence->s; *s; s++) {
		if (strncmp(s, "+-", 2) == 0) {
			st_text_add(out, "± ");
			s++;
		} else {
			add_md((const char[]){*s, '\0'}, out);
		}
	}
	st_text_add(out, "\n");
}

void st_table_contrast_md(const struct st_contrast *c, struct st_text *out)
{
	struct st_text marks = ST_TEXT_INIT;

	st_text_addf(out, "| %s", c->r->axis[0]);
	for (size_t k = 0; k < c->n; k++) {
		st_text_add(out, " | ");
		if (has_subjects(c)) {
			add_md(owner(c, k), out);
			st_text_add(out, ": ");
		}
		add_md(c->column[k].head, out);
	}
	st_text_add(out, " |\n|---");
	for (size_t k = 0; k < c->n; k++)
		st_text_add(out, "|---:");
	st_text_add(out, "|\n");
	for (size_t p = 0; p < c->r->npoints; p++)
		put_md_row(c, p, out);
	st_text_add(out, "\n");
	for (size_t k = 0; k < c->n; k++) {
		struct st_text sentence = ST_TEXT_INIT;

		st_table_contrast_say(c, k, &sentence);
		st_text_add(out, "- ");
		add_plain(&sentence, out);
		st_text_release(&sentence);
	}
	say_marks(c, "better", "worse", "less or more", &marks);
	st_text_add(out, "\n");
	add_plain(&marks, out);
	st_text_release(&marks);
}
