#include <config.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/cmd.h"
#include "base/mem.h"
#include "base/text.h"
#include "experiment/params.h"
#include "experiment/scenario.h"

enum column { PATH, TYPE, EXPECTS, DEFAULT, RANGE, APPLIES, HELP, COLUMNS };

static const char *const heads[COLUMNS] = {"parameter", "type", "expects", "default", "range", "only for", "meaning"};

/* A parameter as texts. */
struct line {
	const struct st_param *param;
	char *text[COLUMNS];
};

struct lines {
	struct line *at;
	size_t n, cap;
};

/* A bound in the words of the row's type. */
static void add_bound(const struct st_param *p, double x, struct st_text *out)
{
	char buf[ST_TIME_TEXT];

	if (p->type == &st_param_time || p->type == &st_param_times || p->type == &st_param_dist) {
		st_text_add(out, st_time_format(st_time_from_s(x), buf));
	} else if (p->type == &st_param_share) {
		st_text_add_double(out, x * 100.0);
		st_text_add(out, "%");
	} else {
		st_text_add_double(out, x);
		st_text_add(out, p->type == &st_param_rate ? "/s" : "");
	}
}

/* "1 to 16000000", "at least 1ns", or the names of a table; "" where the type says it all. */
static char *range_text(const struct st_param *p)
{
	struct st_text t = ST_TEXT_INIT;
	bool has_max = p->max >= p->min && !isinf(p->max);

	st_text_add(&t, "");
	for (size_t i = 0; p->choices && p->choices(i); i++)
		st_text_addf(&t, "%s%s", i ? ", " : "", p->choices(i)->name);
	if (p->choices || (p->min == 0.0 && p->max == 0.0))
		return t.s;
	if (!has_max)
		st_text_add(&t, "at least ");
	add_bound(p, p->min, &t);
	if (has_max)
		st_text_add(&t, " to ");
	if (has_max)
		add_bound(p, p->max, &t);
	return t.s;
}

/* "kind poisson or think" */
static char *applies_text(const struct st_param *p)
{
	struct st_text t = ST_TEXT_INIT;

	st_text_add(&t, "");
	if (p->kinds)
		st_text_addf(&t, "%s ", p->kinds_of ? p->kinds_of : "kind");
	for (const char *s = p->kinds; s && *s; s++)
		st_text_addf(&t, *s == ' ' ? " or " : "%c", *s);
	return t.s;
}

static void add(struct lines *l, const char *prefix, const char *path, const struct st_param *p)
{
	char *expects = p->word ? st_format("%s, or %s", p->type->expects, p->word) : st_strdup(p->type->expects);
	struct line line = {p, {st_format("%s%s", prefix, path), st_strdup(p->type->name), expects,
	    st_strdup(!p->dflt ? "(must be given)" : *p->dflt ? p->dflt : "\"\""), range_text(p), applies_text(p), st_strdup(p->help)}};

	l->at = st_grow(l->at, &l->cap, l->n + 1, sizeof *l->at);
	l->at[l->n++] = line;
}

static void add_all(struct lines *l)
{
	struct st_param_rows rows;

	for (enum st_section s = 0; s < ST_SECTION_N; s++) {
		st_params_rows(s, &rows);
		for (size_t i = 0; i < rows.n; i++)
			add(l, st_section_path(s), rows.row[i].path, rows.row[i].param);
	}
	for (const struct st_param *p = st_scenario_params; p->name; p++)
		add(l, "", p->name, p);
}

static void release(struct line *line)
{
	for (int c = 0; c < COLUMNS; c++)
		free(line->text[c]);
}

static bool ends_key(char c)
{
	return c == '\0' || c == '.' || c == '[';
}

/* Whether `part` is some of the path's keys in a row: "budget" fits all that lies in it. */
static bool fits(const char *path, const char *part)
{
	size_t n = strlen(part);

	for (const char *s = path; n > 0 && (s = strstr(s, part)); s++)
		if ((s == path || s[-1] == '.') && ends_key(s[n]))
			return true;
	return false;
}

/* Keep the lines that fit; false with a message if there are none. */
static bool keep(struct lines *l, const char *part)
{
	const char **words = NULL;
	size_t n = 0, cap = 0, kept = 0;

	for (size_t i = 0; i < l->n; i++) {
		for (const char *s = l->at[i].text[PATH]; s; s = strchr(s, '.')) {
			s += *s == '.';
			words = st_grow(words, &cap, n + 1, sizeof *words);
			words[n++] = s;
		}
		kept += fits(l->at[i].text[PATH], part);
	}
	const char *near = st_text_nearest(part, words, n);
	if (kept == 0 && near)
		fprintf(stderr, "stampede: no parameter is named '%s'; did you mean '%s'?\n", part, near);
	else if (kept == 0)
		fprintf(stderr, "stampede: no parameter is named '%s'; 'stampede params' lists them\n", part);
	free(words);
	if (kept == 0)
		return false;
	kept = 0;
	for (size_t i = 0; i < l->n; i++) {
		if (fits(l->at[i].text[PATH], part))
			l->at[kept++] = l->at[i];
		else
			release(&l->at[i]);
	}
	l->n = kept;
	return true;
}

/* "MEANING (RANGE; only for ...)" */
static void print_meaning(const struct line *line)
{
	const char *range = line->text[RANGE], *applies = line->text[APPLIES];

	printf("%s", line->text[HELP]);
	if (*range || *applies)
		printf(" (%s%s%s%s)", range, *range && *applies ? "; " : "", *applies ? "only for " : "", applies);
	printf("\n");
}

/* Columns of text: what fits a terminal. The type's long form is for --format md and for one parameter alone. */
static void print_table(const struct lines *l)
{
	int width[DEFAULT + 1];

	for (int c = PATH; c <= DEFAULT; c++) {
		width[c] = (int)strlen(heads[c]);
		for (size_t i = 0; i < l->n; i++)
			if ((int)strlen(l->at[i].text[c]) > width[c])
				width[c] = (int)strlen(l->at[i].text[c]);
	}
	for (size_t i = 0; i <= l->n; i++) {
		for (int c = PATH; c <= DEFAULT; c++)
			if (c != EXPECTS)
				printf("%-*s  ", width[c], i == 0 ? heads[c] : l->at[i - 1].text[c]);
		if (i == 0)
			printf("%s\n", heads[HELP]);
		else
			print_meaning(&l->at[i - 1]);
	}
}

/* Whether the lines are of one parameter: a policy may be that of clients, or of a service that calls another. */
static bool are_one(const struct lines *l)
{
	for (size_t i = 1; i < l->n; i++)
		if (l->at[i].param != l->at[0].param)
			return false;
	return true;
}

static void print_one(const struct lines *l)
{
	const struct line *line = &l->at[0];
	const struct st_param *p = line->param;

	for (size_t i = 0; i < l->n; i++)
		printf("%s\n", l->at[i].text[PATH]);
	printf("  %s\n\n", line->text[HELP]);
	for (int c = EXPECTS; c <= APPLIES; c++)
		if (*line->text[c] && !(c == RANGE && p->choices))
			printf("  %-9s %s\n", heads[c], line->text[c]);
	for (size_t i = 0; p->choices && p->choices(i); i++)
		printf("%s    %-16s %s\n", i ? "" : "  values\n", p->choices(i)->name, p->choices(i)->help);
}

static void print_md(const struct lines *l)
{
	for (int c = 0; c < COLUMNS; c++)
		if (c != TYPE)
			printf("| %s ", heads[c]);
	printf("|\n");
	for (int c = 0; c < COLUMNS; c++)
		if (c != TYPE)
			printf("|---");
	printf("|\n");
	for (size_t i = 0; i < l->n; i++) {
		for (int c = 0; c < COLUMNS; c++) {
			bool is_code = (c == PATH || c == DEFAULT) && *l->at[i].text[c] != '(';

			if (c == TYPE)
				continue;
			printf("| %s", is_code ? "`" : "");
			for (const char *s = l->at[i].text[c]; *s; s++)
				printf(*s == '|' ? "\\%c" : "%c", *s);
			printf("%s ", is_code ? "`" : "");
		}
		printf("|\n");
	}
}

static int run(const struct st_opts *o)
{
	bool md = o->format && strcmp(o->format, "md") == 0;
	struct lines l = {NULL, 0, 0};
	int code = ST_EXIT_OK;

	add_all(&l);
	if (o->noperands > 0 && !keep(&l, o->operand[0]))
		code = ST_EXIT_USER;
	else if (md)
		print_md(&l);
	else if (are_one(&l))
		print_one(&l);
	else
		print_table(&l);
	for (size_t i = 0; i < l.n; i++)
		release(&l.at[i]);
	free(l.at);
	return code;
}

const struct st_cmd st_cmd_params = {
    .name = "params",
    .operands = "[PART]",
    .max_operands = 1,
    .help = "List the parameters of scenarios: type, default, range, meaning",
    .about = "PART is one or more keys of a path: 'budget' lists all that lies in it, and\n"
             "'backoff.jitter' describes that parameter with its values. --format md makes a Markdown table.",
    .options = (const char *const[]){"format", NULL},
    .formats = "text md",
    .run = run,
};
