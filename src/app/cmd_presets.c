#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/cmd.h"
#include "base/mem.h"
#include "base/text.h"
#include "experiment/params.h"
#include "experiment/part.h"
#include "experiment/preset.h"
#include "output/cells.h"

enum column { NAME, ATTEMPTS, WAIT, LIMITS, HINT, WHAT, SOURCE, COLUMNS };

static const char *const heads[COLUMNS] = {"preset", "attempts", "backoff and jitter", "bounded by", "hint", "what it is", "source"};

/* A preset, and the group that nothing but it was written for. */
struct policy {
	const struct st_preset *preset;
	struct st_param_rows rows;
	struct st_group_cfg group;
};

static void release(struct policy *p)
{
	for (size_t i = 0; i < p->rows.n; i++)
		st_param_release(p->rows.row[i].param, (char *)&p->group + p->rows.row[i].offset);
}

/* The preset as a configuration: the rest of the group lacks a count and a workload, which are not looked at. */
static void resolve(const struct st_preset *preset, struct policy *p)
{
	struct st_place place = {preset->choice.name, 0, 0};
	struct st_node *group = st_tree_node(ST_NODE_MAP, &place);
	struct st_mistakes told = ST_MISTAKES_INIT;
	struct st_err e = ST_ERR_INIT;

	*p = (struct policy){.preset = preset};
	st_params_rows(ST_SECTION_GROUP, &p->rows);
	st_tree_put(group, "retry", st_tree_scalar(preset->choice.name, &place));
	st_part_fill(ST_SECTION_GROUP, "", group, group, &place, &p->group, NULL, &told);
	st_mistakes_tell(&told, &e);
	st_err_release(&e);
	st_tree_free(group);
}

/* The value of a parameter below `retry`, as a scenario writes it; NULL if it does not apply. To be freed. */
static char *value(const struct policy *p, const char *path)
{
	struct st_text t = ST_TEXT_INIT;

	for (size_t i = 0; i < p->rows.n; i++)
		if (strncmp(p->rows.row[i].path, "retry.", 6) == 0 && strcmp(p->rows.row[i].path + 6, path) == 0 &&
		    st_params_applies(&p->rows, i, &p->group, NULL))
			st_param_print(p->rows.row[i].param, (const char *)&p->group + p->rows.row[i].offset, &t);
	return t.s;
}

/* Add "FORMAT" of the value, unless there is none or it is the one that goes without saying. */
static void add(const struct policy *p, const char *path, const char *usual, const char *format, struct st_text *out)
{
	char *v = value(p, path);
	const char *at = strstr(format, "%s");

	if (v && strcmp(v, usual) != 0) {
		st_text_addn(out, format, (size_t)(at - format));
		st_text_addf(out, "%s%s", v, at + 2);
	}
	free(v);
}

/* "exponential 25ms x 2 up to 250ms, full"; without jitter nothing is said of it. */
static char *wait_text(const struct policy *p)
{
	struct st_text t = ST_TEXT_INIT;

	add(p, "backoff.shape", "", "%s", &t);
	add(p, "backoff.base", "", " %s", &t);
	add(p, "backoff.factor", "", " x %s", &t);
	add(p, "backoff.step", "base", " + %s", &t);
	add(p, "backoff.first_exponent", "0", " from the power %s", &t);
	add(p, "backoff.cap", "off", " up to %s", &t);
	add(p, "backoff.cap_at", "before", " (cap_at: %s)", &t);
	add(p, "backoff.jitter", "none", ", %s", &t);
	add(p, "backoff.floor", "0s", ", at least %s", &t);
	add(p, "backoff.head", "[]", ", at first %s", &t);
	add(p, "backoff.tail_from", "never", ", from %s on none", &t);
	add(p, "backoff.throttle.base", "base", "; throttled: %s", &t);
	return t.s;
}

/* "aws-quota, cost 5, cubic" */
static char *limits_text(const struct policy *p)
{
	struct st_text t = ST_TEXT_INIT;

	add(p, "budget.kind", "off", "%s", &t);
	add(p, "budget.cost", "", ", cost %s", &t);
	add(p, "budget.max_tokens", "", " %s", &t);
	add(p, "budget.token_ratio", "", " / %s", &t);
	add(p, "budget.min_rate", "", " %s", &t);
	add(p, "budget.ratio", "", " + %s", &t);
	add(p, "budget.max_retries", "", " %s", &t);
	add(p, "budget.active_share", "0%", " or %s", &t);
	add(p, "budget.starts", "", " %s", &t);
	add(p, "budget.within", "", " in %s", &t);
	add(p, "gate.kind", "off", ", %s", &t);
	return t.s ? t.s : st_strdup("-");
}

/* "replace + 50%, above 5m: ignore" */
static char *hint_text(const struct policy *p)
{
	struct st_text t = ST_TEXT_INIT;

	add(p, "hint.mode", "", "%s", &t);
	add(p, "hint.clamp", "", " %s", &t);
	add(p, "hint.jitter", "none", " + %s", &t);
	if (p->group.retry.hint.limit != ST_NEVER) {
		add(p, "hint.limit", "", ", above %s", &t);
		add(p, "hint.over", "", ": %s", &t);
	}
	return t.s;
}

static void put(struct st_cells *cells, size_t row, const struct policy *p)
{
	st_cells_put(cells, row, NAME, st_strdup(p->preset->choice.name));
	st_cells_put(cells, row, ATTEMPTS, value(p, "attempts"));
	st_cells_put(cells, row, WAIT, wait_text(p));
	st_cells_put(cells, row, LIMITS, limits_text(p));
	st_cells_put(cells, row, HINT, hint_text(p));
	st_cells_put(cells, row, WHAT, st_strdup(p->preset->choice.help));
	st_cells_put(cells, row, SOURCE, st_strdup(p->preset->source));
}

static void print_md(const struct st_cells *cells)
{
	for (size_t row = 0; row < cells->rows; row++) {
		for (size_t c = 0; c < COLUMNS; c++)
			printf(row > 0 && c == NAME ? "| `%s` " : "| %s ", cells->cell[row * COLUMNS + c]);
		printf("|\n%s", row == 0 ? "|---|---|---|---|---|---|---|\n" : "");
	}
}

static void leave_out(struct st_cells *cells, size_t column)
{
	for (size_t row = 0; row < cells->rows; row++) {
		free(cells->cell[row * COLUMNS + column]);
		st_cells_put(cells, row, column, NULL);
	}
}

/* What a terminal has room for: sentences are for the manual and for a preset alone. */
static void print_text(struct st_cells *cells)
{
	struct st_text t = ST_TEXT_INIT;

	leave_out(cells, WHAT);
	leave_out(cells, SOURCE);
	st_cells_fold(cells, WAIT, 40);
	st_cells_fold(cells, LIMITS, 22);
	st_cells_fold(cells, HINT, 20);
	st_cells_print(cells, COLUMNS, &t);
	fputs(t.s, stdout);
	st_text_release(&t);
}

static void print_all(bool md)
{
	struct st_cells cells;
	size_t n = 0;

	while (st_preset_at(n))
		n++;
	st_cells_init(&cells, n + 1, COLUMNS);
	for (size_t c = 0; c < COLUMNS; c++)
		st_cells_put(&cells, 0, c, st_strdup(heads[c]));
	for (size_t i = 0; i < n; i++) {
		struct policy p;

		resolve(st_preset_at(i), &p);
		put(&cells, i + 1, &p);
		release(&p);
	}
	if (md)
		print_md(&cells);
	else
		print_text(&cells);
	st_cells_release(&cells);
}

/* What a scenario would write in a group in the place of the name. */
static void print_one(const struct st_preset *p)
{
	printf("# %s: %s\n# source: %s\nretry:\n", p->choice.name, p->choice.help, p->source);
	for (const char *line = p->yaml; *line; line += strcspn(line, "\n") + 1)
		printf("  %.*s\n", (int)strcspn(line, "\n"), line);
}

static int run(const struct st_opts *o)
{
	bool md = o->format && strcmp(o->format, "md") == 0;
	const char *near = NULL;

	if (o->noperands == 0) {
		print_all(md);
		return ST_EXIT_OK;
	}
	const struct st_preset *p = st_preset_find(o->operand[0], &near);
	if (p) {
		print_one(p);
		return ST_EXIT_OK;
	}
	fprintf(stderr, "stampede: no preset is named '%s'; ", o->operand[0]);
	if (near)
		fprintf(stderr, "did you mean '%s'?\n", near);
	else
		fprintf(stderr, "'stampede presets' lists them\n");
	return ST_EXIT_USER;
}

const struct st_cmd st_cmd_presets = {
    .name = "presets",
    .operands = "[NAME]",
    .max_operands = 1,
    .help = "List the retry policies of libraries, or print one as YAML",
    .about = "A scenario takes a preset by its name, `retry: envoy`, or with other values over its own,\n"
             "`retry: {preset: envoy, attempts: 5}`. With NAME it is told what that one is and where it comes\n"
             "from, and its keys are printed, to be pasted into a group of clients. --format md makes a\n"
             "Markdown table, with the sentence and the source of each.",
    .options = (const char *const[]){"format", NULL},
    .formats = "text md",
    .run = run,
};
