#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/cmd.h"
#include "base/mem.h"
#include "base/text.h"
#include "measure/summary.h"
#include "output/cells.h"

enum column { NAME, UNIT, DEFINITION, COLUMNS };

static const char *const heads[COLUMNS] = {"figure", "unit", "definition"};

static const char *cell(const struct st_figure *f, enum column c)
{
	switch (c) {
	case NAME:
		return f->name;
	case UNIT:
		return strcmp(f->unit, "1") == 0 ? "" : f->unit;
	default:
		return f->help;
	}
}

/* The figures asked for, in the table's order. */
struct picked {
	const struct st_figure **at;
	size_t n, cap;
};

/* "wait_s" fits all that lies in it, "p99" and "wait_s.p99" what they name; a unit at the end may be left out. */
static bool fits(const struct st_figure *f, const char *part)
{
	char buf[64];
	size_t n = strlen(part);

	if (n == 0 || strcmp(st_figure_short(f, buf), part) == 0)
		return true;
	for (const char *s = f->name; (s = strstr(s, part)); s++)
		if ((s == f->name || s[-1] == '.') && (s[n] == '\0' || s[n] == '.'))
			return true;
	return false;
}

/* Those that fit; false with a message if there are none. */
static bool pick(const char *part, struct picked *p)
{
	const char **name = st_calloc(st_figure_count(), sizeof *name);

	for (size_t i = 0; st_figure_at(i); i++) {
		name[i] = st_figure_at(i)->name;
		if (!fits(st_figure_at(i), part))
			continue;
		p->at = st_grow(p->at, &p->cap, p->n + 1, sizeof *p->at);
		p->at[p->n++] = st_figure_at(i);
	}
	const char *near = st_text_nearest(part, name, st_figure_count());
	free(name);
	if (p->n == 0 && near)
		fprintf(stderr, "stampede: no figure is named '%s'; did you mean '%s'?\n", part, near);
	else if (p->n == 0)
		fprintf(stderr, "stampede: no figure is named '%s'; 'stampede figures' lists them\n", part);
	return p->n > 0;
}

static void print_text(const struct picked *p)
{
	struct st_text t = ST_TEXT_INIT;
	struct st_cells cells;

	st_cells_init(&cells, p->n + 1, COLUMNS);
	for (enum column c = 0; c < COLUMNS; c++) {
		st_cells_put(&cells, 0, c, st_strdup(heads[c]));
		for (size_t i = 0; i < p->n; i++)
			st_cells_put(&cells, i + 1, c, st_strdup(cell(p->at[i], c)));
	}
	st_cells_print(&cells, COLUMNS, &t);
	fputs(t.s, stdout);
	st_cells_release(&cells);
	st_text_release(&t);
}

/* No cell has a '|', which would want a backslash. */
static void print_md(const struct picked *p)
{
	printf("| %s | %s | %s |\n|---|---|---|\n", heads[NAME], heads[UNIT], heads[DEFINITION]);
	for (size_t i = 0; i < p->n; i++)
		printf("| `%s` | %s | %s |\n", cell(p->at[i], NAME), cell(p->at[i], UNIT), cell(p->at[i], DEFINITION));
}

static int run(const struct st_opts *o)
{
	struct picked p = {NULL, 0, 0};
	bool found = pick(o->noperands > 0 ? o->operand[0] : "", &p);

	if (found && o->format && strcmp(o->format, "md") == 0)
		print_md(&p);
	else if (found)
		print_text(&p);
	free(p.at);
	return found ? ST_EXIT_OK : ST_EXIT_USER;
}

const struct st_cmd st_cmd_figures = {
    .name = "figures",
    .operands = "[PART]",
    .max_operands = 1,
    .help = "List the figures of results: name, unit, definition",
    .about = "PART is a figure, with its unit or without ('recovery_time'), or what several lie in ('wait_s').\n"
             "They are the keys of summary.json, where a dot means nesting; in CSV files a '_' stands for\n"
             "the dot. What has no unit is a count, a share or a ratio. --format md makes a Markdown table.",
    .options = (const char *const[]){"format", NULL},
    .formats = "text md",
    .run = run,
};
