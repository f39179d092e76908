#include <config.h>

#include <stdio.h>
#include <string.h>

#include "app/cmd.h"
#include "base/mem.h"
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

static void print_text(void)
{
	struct st_text t = ST_TEXT_INIT;
	struct st_cells cells;

	st_cells_init(&cells, st_figure_count() + 1, COLUMNS);
	for (enum column c = 0; c < COLUMNS; c++) {
		st_cells_put(&cells, 0, c, st_strdup(heads[c]));
		for (size_t i = 0; st_figure_at(i); i++)
			st_cells_put(&cells, i + 1, c, st_strdup(cell(st_figure_at(i), c)));
	}
	st_cells_print(&cells, COLUMNS, &t);
	fputs(t.s, stdout);
	st_cells_release(&cells);
	st_text_release(&t);
}

/* No cell has a '|', which would want a backslash. */
static void print_md(void)
{
	printf("| %s | %s | %s |\n|---|---|---|\n", heads[NAME], heads[UNIT], heads[DEFINITION]);
	for (size_t i = 0; st_figure_at(i); i++) {
		const struct st_figure *f = st_figure_at(i);

		printf("| `%s` | %s | %s |\n", cell(f, NAME), cell(f, UNIT), cell(f, DEFINITION));
	}
}

static int run(const struct st_opts *o)
{
	bool md = o->format && strcmp(o->format, "md") == 0;

	if (o->format && !md && strcmp(o->format, "text") != 0) {
		fprintf(stderr, "stampede: unknown format '%s'; figures takes text or md\n", o->format);
		return ST_EXIT_USER;
	}
	if (md)
		print_md();
	else
		print_text();
	return ST_EXIT_OK;
}

const struct st_cmd st_cmd_figures = {
    .name = "figures",
    .operands = "",
    .help = "List the figures of results: name, unit, definition",
    .about = "They are the keys of summary.json, where a dot means nesting; in CSV files a '_' stands for\n"
             "the dot. What has no unit is a count, a share or a ratio. --format md makes a Markdown table.",
    .options = (const char *const[]){"format", NULL},
    .run = run,
};
