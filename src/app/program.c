#include <config.h>

#include "app/program.h"

#include <errno.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_version.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/cmd.h"
#include "base/text.h"

/* In the order of --help. A command that has no row here does not exist. */
static const struct st_cmd *const table[] = {
    &st_cmd_run,
    &st_cmd_trace,
    &st_cmd_sweep,
    &st_cmd_compare,
    &st_cmd_tune,
    &st_cmd_merge,
    &st_cmd_check,
    &st_cmd_plot,
    &st_cmd_report,
    &st_cmd_schedule,
    &st_cmd_show,
    &st_cmd_params,
    &st_cmd_presets,
    &st_cmd_figures,
    &st_cmd_completion,
};

enum { COMMANDS_N = sizeof table / sizeof *table };

const struct st_cmd *st_cmd_at(size_t i)
{
	return i < COMMANDS_N ? table[i] : NULL;
}

/* GSL's own handler calls abort(); ours says where, and which run to repeat. */
static void gsl_failed(const char *reason, const char *file, int line, int number)
{
	fflush(stdout);
	fprintf(stderr, "stampede: GSL failed at %s:%d: %s (%s)\n", file, line, reason, gsl_strerror(number));
	st_where_print(stderr);
	_Exit(ST_EXIT_MACHINE);
}

#ifdef __clang__
#define COMPILER __VERSION__ /* "Clang 14.0.6" */
#else
#define COMPILER "gcc " __VERSION__
#endif

static void print_version(void)
{
	printf("stampede %s\n", PACKAGE_VERSION);
	printf("GSL %s, compiler %s\n", gsl_version, COMPILER);
}

static void print_help(FILE *to)
{
	fprintf(to, "usage: stampede COMMAND [OPTION...] [OPERAND...]\n"
		    "Simulate clients that retry against a service of limited capacity.\n"
		    "\ncommands:\n");
	for (size_t i = 0; i < COMMANDS_N; i++) {
		if (table[i]->help)
			fprintf(to, "  %-12s  %s\n", table[i]->name, table[i]->help);
	}
	fprintf(to, "\nstampede COMMAND --help says more; stampede --version prints the version.\n");
}

static const struct st_cmd *find(const char *word)
{
	const char *names[COMMANDS_N + 1];
	size_t n = 0;

	for (size_t i = 0; i < COMMANDS_N; i++) {
		if (strcmp(table[i]->name, word) == 0)
			return table[i];
		if (table[i]->help)
			names[n++] = table[i]->name;
	}
	names[n++] = "help";
	const char *near = st_text_nearest(word, names, n);
	const char *what = *word == '-' ? "option" : "command";

	fprintf(stderr, "stampede: unknown %s '%s'", what, word);
	fprintf(stderr, near ? "; did you mean '%s'?\n" : "; stampede --help lists what there is\n", near);
	return NULL;
}

static int run(const struct st_cmd *cmd, int argc, char **argv, const struct st_executor *executor)
{
	struct st_opts o;
	struct st_err e = ST_ERR_INIT;
	int code = ST_EXIT_OK;

	int rc = st_opts_parse(cmd, argc, argv, &o, &e);
	if (rc == 0 && o.threads > 0 && !executor->takes_count)
		rc = st_err_add(&e, ST_EXIT_USER, NULL, "option '--threads': each %s runs one trial at a time; start as many as you want",
		    executor->unit);
	o.executor = executor;
	if (rc < 0) {
		st_err_print(&e, stderr);
		fprintf(stderr, "stampede: 'stampede %s --help' says how it is used\n", cmd->name);
		code = ST_EXIT_USER;
	} else if (o.help) {
		st_opts_help(cmd);
	} else {
		code = cmd->run(&o);
	}
	st_err_release(&e);
	st_opts_release(&o);
	return code;
}

static int help(int argc, char **argv)
{
	const struct st_cmd *cmd;

	if (argc == 0) {
		print_help(stdout);
		return ST_EXIT_OK;
	}
	if (argc > 1) {
		fprintf(stderr, "stampede: one operand too many: '%s'\n", argv[1]);
		return ST_EXIT_USER;
	}
	cmd = find(argv[0]);
	if (!cmd)
		return ST_EXIT_USER;
	st_opts_help(cmd);
	return ST_EXIT_OK;
}

static int dispatch(int argc, char **argv, const struct st_executor *executor)
{
	const struct st_cmd *cmd;

	if (argc < 2) {
		print_help(stderr);
		return ST_EXIT_USER;
	}
	if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)
		return help(0, NULL);
	if (strcmp(argv[1], "help") == 0)
		return help(argc - 2, argv + 2);
	if (strcmp(argv[1], "--version") == 0) {
		print_version();
		return ST_EXIT_OK;
	}
	cmd = find(argv[1]);
	return cmd ? run(cmd, argc - 2, argv + 2, executor) : ST_EXIT_USER;
}

void st_program_guard(void)
{
	gsl_set_error_handler(gsl_failed);
	signal(SIGXFSZ, SIG_IGN); /* a file size limit is then an error of write(), told like a full disk */
}

int st_program_run(int argc, char **argv, const struct st_executor *executor)
{
	st_program_guard();
	int code = dispatch(argc, argv, executor);
	errno = 0;
	if (fflush(stdout) != 0 || ferror(stdout)) {
		fprintf(stderr, "stampede: cannot write standard output: %s\n", strerror(errno ? errno : EIO));
		if (code == ST_EXIT_OK)
			code = ST_EXIT_MACHINE;
	}
	return code;
}
