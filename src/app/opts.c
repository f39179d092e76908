#include <config.h>

#include "app/opts.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/cmd.h"
#include "base/mem.h"
#include "base/text.h"

enum { THREADS_MAX = 4096 };

static const char *take_set(struct st_opts *o, const char *arg)
{
	o->set = st_grow(o->set, &o->set_cap, o->nset + 1, sizeof *o->set);
	o->set[o->nset++] = arg;
	return strchr(arg, '=') ? NULL : "it lacks a '='";
}

static const char *take_axis(struct st_opts *o, const char *arg)
{
	o->axis = st_grow(o->axis, &o->axis_cap, o->naxes + 1, sizeof *o->axis);
	o->axis[o->naxes++] = arg;
	return strchr(arg, '=') ? NULL : "it lacks a '='";
}

static const char *take_goal(struct st_opts *o, const char *arg)
{
	o->goal = arg;
	return NULL;
}

static const char *take_subject(struct st_opts *o, const char *arg)
{
	o->subject = st_grow(o->subject, &o->subject_cap, o->nsubject + 1, sizeof *o->subject);
	o->subject[o->nsubject++] = arg;
	return NULL;
}

static const char *take_over(struct st_opts *o, const char *arg)
{
	o->over = st_grow(o->over, &o->over_cap, o->nover + 1, sizeof *o->over);
	o->over[o->nover++] = arg;
	return NULL;
}

static const char *take_points(struct st_opts *o, const char *arg)
{
	o->points = arg;
	return NULL;
}

static const char *take_runs(struct st_opts *o, const char *arg)
{
	o->runs = arg;
	return NULL;
}

static const char *take_out(struct st_opts *o, const char *arg)
{
	o->out = arg;
	return *arg ? NULL : "it is empty";
}

static const char *take_threads(struct st_opts *o, const char *arg)
{
	char *end;

	errno = 0;
	o->threads = strtoull(arg, &end, 10);
	if (*arg < '0' || *arg > '9' || *end || errno || o->threads > THREADS_MAX)
		return "expected a whole number from 0 (all processors) to 4096";
	return NULL;
}

static const char *take_seed(struct st_opts *o, const char *arg)
{
	o->seed = arg;
	return NULL;
}

static const char *take_sample(struct st_opts *o, const char *arg)
{
	o->sample = arg;
	return NULL;
}

static const char *take_replications(struct st_opts *o, const char *arg)
{
	o->replications = arg;
	return NULL;
}

static const char *take_precision(struct st_opts *o, const char *arg)
{
	o->precision = arg;
	return NULL;
}

static const char *take_max_replications(struct st_opts *o, const char *arg)
{
	o->max_replications = arg;
	return NULL;
}

static const char *take_shard(struct st_opts *o, const char *arg)
{
	return st_shard_read(arg, &o->shard) ? NULL : "expected K/N, as in 3/16: K from 1 to N, N at most 10000";
}

static const char *take_format(struct st_opts *o, const char *arg)
{
	o->format = arg;
	return NULL;
}

static const char *take_in(struct st_opts *o, const char *arg)
{
	o->in = arg;
	return NULL;
}

static const char *take_figures(struct st_opts *o, const char *arg)
{
	o->figures = arg;
	return NULL;
}

static const char *take_first(struct st_opts *o, const char *arg)
{
	char *end;

	o->first = arg;
	strtoull(arg, &end, 10);
	return *arg < '1' || *arg > '9' || *end ? "expected a whole number from 1" : NULL;
}

static const char *take_group(struct st_opts *o, const char *arg)
{
	o->group = arg;
	return NULL;
}

static const char *take_outcome(struct st_opts *o, const char *arg)
{
	o->outcome = arg;
	return NULL;
}

static const char *take_attempts(struct st_opts *o, const char *arg)
{
	o->attempts = arg;
	return NULL;
}

static const char *take_clients(struct st_opts *o, const char *arg)
{
	o->clients = arg;
	return NULL;
}

static const char *take_capacity(struct st_opts *o, const char *arg)
{
	o->capacity = arg;
	return NULL;
}

static const char *take_background(struct st_opts *o, const char *arg)
{
	o->background = arg;
	return NULL;
}

static const char *take_plot(struct st_opts *o, const char *arg)
{
	(void)arg;
	o->plot = true;
	return NULL;
}

static const char *take_force(struct st_opts *o, const char *arg)
{
	(void)arg;
	o->force = true;
	return NULL;
}

static const char *take_no_chart(struct st_opts *o, const char *arg)
{
	(void)arg;
	o->no_chart = true;
	return NULL;
}

static const char *take_quiet(struct st_opts *o, const char *arg)
{
	(void)arg;
	o->quiet = true;
	return NULL;
}

static const char *take_help(struct st_opts *o, const char *arg)
{
	(void)arg;
	o->help = true;
	return NULL;
}

/* In the order of --help. */
static const struct st_option table[] = {
    {"set", 0, "PATH=VALUE", "set a parameter over what the scenario says; may be repeated", take_set},
    {"axis", 0, "PATH=V1,V2", "sweep a parameter over values; may be repeated", take_axis},
    {"sample", 0, "N", "draw N points from the axes in place of all combinations", take_sample},
    {"goal", 0, "GOAL", "what is wanted: 'min recovery_time', 'max fleet.success_share'", take_goal},
    {"subject-to", 0, "BOUND", "what must hold: 'reject_share <= 1%'; may be repeated", take_subject},
    {"over", 0, "PATH=VALUES,...", "what is searched: base=50ms..2s,jitter; may be repeated", take_over},
    {"points", 0, "N", "points spread over the space at first [64]", take_points},
    {"runs", 0, "N", "most runs in all [for five generations after the first]", take_runs},
    {"replications", 0, "N", "runs of each point, each with its own random numbers", take_replications},
    {"precision", 0, "SHARE", "go on until a mean is known so well: 2%, '2% of fleet.goodput'", take_precision},
    {"max-replications", 0, "N", "most runs of each point, with --precision", take_max_replications},
    {"seed", 0, "N", "seed of all random numbers", take_seed},
    {"out", 'o', "DIR", "where results go [out/NAME for scenario NAME.yaml; of check: nowhere]", take_out},
    {"in", 0, "FILE", "the scenario that presets are tried in [the first operand that is one]", take_in},
    {"figures", 0, "A,B", "compare these: recovery_time, fleet.goodput, ... [six usual ones]", take_figures},
    {"first", 0, "N", "of each group, the first N clients only", take_first},
    {"group", 0, "NAME", "of this group of clients only", take_group},
    {"outcome", 0, "STATUS", "after failures of this kind: 503, timeout, ...", take_outcome},
    {"attempts", 0, "N", "as if the policy had so many attempts", take_attempts},
    {"clients", 0, "N", "clients that fail at one instant [the group's]", take_clients},
    {"capacity", 0, "RATE", "requests the service can serve: 200/s [the scenario's]", take_capacity},
    {"background", 0, "RATE", "of these, taken by others [the open load of the other groups]", take_background},
    {"plot", 0, NULL, "draw the density of each delay, into DIR", take_plot},
    {"threads", 'j', "N", "threads to run on [all processors]; results do not depend on it", take_threads},
    {"shard", 0, "K/N", "run one of N parts of the trials, for 'stampede merge'", take_shard},
    {"format", 0, "FORMAT", "how it is printed", take_format},
    {"no-chart", 0, NULL, "draw no chart", take_no_chart},
    {"force", 0, NULL, "give up other results that the folder holds", take_force},
    {"quiet", 'q', NULL, "no talk on stderr but of what is wrong", take_quiet},
    {"help", 'h', NULL, "print this", take_help},
};

enum { OPTIONS_N = sizeof table / sizeof *table };

const struct st_option *st_option_at(size_t i)
{
	return i < OPTIONS_N ? &table[i] : NULL;
}

bool st_option_taken(const struct st_option *row, const struct st_cmd *cmd)
{
	if (row->take == take_quiet || row->take == take_help)
		return true;
	for (const char *const *name = cmd->options; name && *name; name++) {
		if (strcmp(*name, row->name) == 0)
			return true;
	}
	return false;
}

/* The nearest option that the command takes. */
static const char *nearest(const struct st_cmd *cmd, const char *word)
{
	const char *names[OPTIONS_N];
	size_t n = 0;

	for (size_t i = 0; i < OPTIONS_N; i++) {
		if (st_option_taken(&table[i], cmd))
			names[n++] = table[i].name;
	}
	return st_text_nearest(word, names, n);
}

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
	wrong = row->take(r->o, arg);
	if (wrong)
		st_err_add(r->e, ST_EXIT_USER, NULL, "option '%s', argument '%s': %s", spelled, arg, wrong);
}

static void read_long(struct reader *r, const char *word)
{
	const char *equals = strchr(word, '=');
	size_t len = equals ? (size_t)(equals - word) : strlen(word);
	char *spelled = st_strndup(word, len);
	const char *near;

	for (size_t i = 0; i < OPTIONS_N; i++) {
		if (strcmp(table[i].name, spelled + 2) == 0) {
			take(r, &table[i], spelled, equals ? equals + 1 : NULL);
			free(spelled);
			return;
		}
	}
	near = nearest(r->cmd, spelled + 2);
	st_err_add(r->e, ST_EXIT_USER, NULL, near ? "unknown option '%s'; did you mean '--%s'?" : "unknown option '%s'",
	    spelled, near);
	free(spelled);
}

/* "-qo DIR", "-oDIR", "-j2" */
static void read_letters(struct reader *r, const char *word)
{
	for (const char *p = word + 1; *p; p++) {
		char spelled[] = {'-', *p, '\0'};
		const struct st_option *row = NULL;

		for (size_t i = 0; i < OPTIONS_N && !row; i++) {
			if (table[i].letter == *p)
				row = &table[i];
		}
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
	free(o->set);
	free(o->axis);
	free(o->subject);
	free(o->over);
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
	for (size_t i = 0; i < OPTIONS_N; i++) {
		const struct st_option *row = &table[i];
		char letter[] = {'-', row->letter, ',', '\0'};
		struct st_text t = ST_TEXT_INIT;

		if (!st_option_taken(row, cmd))
			continue;
		st_text_addf(&t, "%3s --%s%s%s", row->letter ? letter : "", row->name, row->arg ? " " : "",
		    row->arg ? row->arg : "");
		printf("  %-26s  %s", t.s, row->help);
		if (row->take == take_format)
			print_formats(cmd);
		printf("\n");
		st_text_release(&t);
	}
}
