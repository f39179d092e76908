#include <config.h>

#include "app/opts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/cmd.h"
#include "app/option.h"
#include "base/mem.h"
#include "base/text.h"

/* What is being read: argv from i on, and e for what is wrong with it. */
struct reader {
	const struct st_cmd *cmd;
	int argc, i;
	char **argv;
	struct st_opts *o;
	struct st_err *e;
};

/* spelled: as the user wrote it, without an argument; glued: the argument in the same word, or NULL. */
static void take(struct reader *r, const struct st_option *row, const char *spelled, const char *glued)
{
	const char *arg = glued, *wrong;

	if (!st_option_taken(row, r->cmd)) {
		st_err_add(r->e, ST_EXIT_USER, NULL, "'stampede %s' has no option '%s'", r->cmd->name, spelled);
		return;
	}
	if (!row->arg && glued) {
		st_err_add(r->e, ST_EXIT_USER, NULL, "option '%s' takes no argument", spelled);
		return;
	}
	if (row->arg && !arg) {
		if (r->i + 1 >= r->argc) {
			st_err_add(r->e, ST_EXIT_USER, NULL, "option '%s' needs an argument: %s", spelled, row->arg);
			return;
		}
		arg = r->argv[++r->i];
	}
	wrong = row->take((char *)r->o + row->offset, arg);
	if (wrong)
		st_err_add(r->e, ST_EXIT_USER, NULL, "option '%s', argument '%s': %s", spelled, arg, wrong);
}

static void read_long(struct reader *r, const char *word)
{
	const char *equals = strchr(word, '='), *near;
	size_t len = equals ? (size_t)(equals - word) : strlen(word);
	char *spelled = st_strndup(word, len);
	const struct st_option *row = st_option_named(spelled + 2);

	if (row) {
		take(r, row, spelled, equals ? equals + 1 : NULL);
	} else {
		near = st_option_nearest(spelled + 2, r->cmd);
		st_err_add(r->e, ST_EXIT_USER, NULL,
		    near ? "unknown option '%s'; did you mean '--%s'?" : "unknown option '%s'", spelled, near);
	}
	free(spelled);
}

/* "-qo DIR", "-oDIR", "-j2" */
static void read_letters(struct reader *r, const char *word)
{
	for (const char *p = word + 1; *p; p++) {
		char spelled[] = {'-', *p, '\0'};
		const struct st_option *row = st_option_lettered(*p);

		if (!row) {
			st_err_add(r->e, ST_EXIT_USER, NULL, "unknown option '%s' in '%s'", spelled, word);
			return;
		}
		take(r, row, spelled, row->arg && p[1] ? p + 1 : NULL);
		if (row->arg)
			return;
	}
}

/* "text or json" */
static char *formats_text(const struct st_cmd *cmd)
{
	struct st_text t = ST_TEXT_INIT;

	for (const char *s = cmd->formats; *s; s++)
		st_text_addf(&t, *s == ' ' ? " or " : "%c", *s);
	return t.s;
}

/* Whether the command knows the format is told here, since its options do not know the command. */
static void check_format(const struct st_cmd *cmd, const struct st_opts *o, struct st_err *e)
{
	size_t n = strlen(o->format);

	for (const char *s = cmd->formats; s; s = strchr(s, ' ')) {
		s += *s == ' ';
		if (n > 0 && strncmp(s, o->format, n) == 0 && (s[n] == ' ' || s[n] == '\0'))
			return;
	}
	char *known = formats_text(cmd);
	st_err_add(e, ST_EXIT_USER, NULL, "option '--format', argument '%s': expected %s", o->format, known);
	free(known);
}

static void count_operands(const struct st_cmd *cmd, const struct st_opts *o, struct st_err *e)
{
	if (o->noperands < cmd->min_operands)
		st_err_add(e, ST_EXIT_USER, NULL, "missing operand: usage: stampede %s [OPTION...] %s", cmd->name,
		    cmd->operands);
	else if (o->noperands > cmd->max_operands)
		st_err_add(e, ST_EXIT_USER, NULL, "one operand too many: '%s'", o->operand[cmd->max_operands]);
}

int st_opts_parse(const struct st_cmd *cmd, int argc, char **argv, struct st_opts *o, struct st_err *e)
{
	struct reader r = {.cmd = cmd, .argc = argc, .argv = argv, .o = o, .e = e};
	bool ended = false;

	*o = (struct st_opts){0};
	o->operand = st_calloc((size_t)argc + 1, sizeof *o->operand);
	for (; r.i < argc; r.i++) {
		char *word = argv[r.i];

		if (ended || word[0] != '-' || word[1] == '\0')
			o->operand[o->noperands++] = word;
		else if (strcmp(word, "--") == 0)
			ended = true;
		else if (word[1] == '-')
			read_long(&r, word);
		else
			read_letters(&r, word);
	}
	if (o->format)
		check_format(cmd, o, e);
	if (!o->help && !st_err_any(e))
		count_operands(cmd, o, e);
	return st_err_any(e) ? -1 : 0;
}

void st_opts_release(struct st_opts *o)
{
	free(o->operand);
	free(o->set.at);
	free(o->axis.at);
	free(o->subject.at);
	free(o->over.at);
	*o = (struct st_opts){0};
}

/* ": text or json [text]" */
static void print_formats(const struct st_cmd *cmd)
{
	char *known = formats_text(cmd);

	printf(": %s [%.*s]", known, (int)strcspn(cmd->formats, " "), cmd->formats);
	free(known);
}

void st_opts_help(const struct st_cmd *cmd)
{
	printf("usage: stampede %s [OPTION...]%s%s\n", cmd->name, *cmd->operands ? " " : "", cmd->operands);
	if (cmd->help)
		printf("%s.\n", cmd->help);
	if (*cmd->about)
		printf("\n%s\n", cmd->about);
	printf("\noptions:\n");
	for (size_t i = 0; st_option_at(i); i++) {
		const struct st_option *row = st_option_at(i);
		char letter[] = {'-', row->letter, ',', '\0'};
		struct st_text t = ST_TEXT_INIT;

		if (!st_option_taken(row, cmd))
			continue;
		st_text_addf(&t, "%3s --%s%s%s", row->letter ? letter : "", row->name, row->arg ? " " : "",
		    row->arg ? row->arg : "");
		printf("  %-26s  %s", t.s, row->help);
		if (row->offset == offsetof(struct st_opts, format))
			print_formats(cmd);
		printf("\n");
		st_text_release(&t);
	}
}
