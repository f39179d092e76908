#ifndef ST_APP_OPTS_H
#define ST_APP_OPTS_H
/*
 * opts.h - options of the command line: one table of rows for all commands.
 *
 * From a row come parsing, --help and shell completion. Long options only as a whole word, no abbreviations: they
 * break when options are added. "--name=value" and "--name value" both work, so do "-o DIR" and "-oDIR"; "--" ends options.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

struct st_cmd;

struct st_opts {
	char **operand;
	size_t noperands;
	const char **set;      /* --set path=value, in order */
	size_t nset, set_cap;
	const char **axis;     /* --axis path=v1,v2 */
	size_t naxes, axis_cap;
	const char *out;       /* -o DIR; NULL: out/<scenario name> */
	const char *seed;      /* --seed N, as text: it is set like any parameter */
	const char *replications; /* likewise */
	uint64_t threads;      /* -j N; 0: all processors */
	const char *format;    /* --format; meaning is the command's */
	bool force, no_chart, quiet, help;
};

/*
 * Parse the arguments after the command's name. 0, or -1 with messages (unknown option with the nearest spelling,
 * missing argument, too few or too many operands). Strings point into argv.
 */
int st_opts_parse(const struct st_cmd *cmd, int argc, char **argv, struct st_opts *o, struct st_err *e);
void st_opts_release(struct st_opts *o);

/* Print "usage: stampede NAME ..." with the command's options. */
void st_opts_help(const struct st_cmd *cmd);

#endif
