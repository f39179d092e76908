#ifndef ST_APP_OPTS_H
#define ST_APP_OPTS_H
/*
 * opts.h - the command line of a command, read.
 *
 * What options there are is in app/option.h. Long options only as a whole word, no abbreviations: they break when options are
 * added. "--name=value" and "--name value" both work, so do "-o DIR" and "-oDIR"; "--" ends options.
 *
 * Owns     its lists; the texts in them and beside them are argv's. Numbers are kept as text where they are set like any
 *          parameter, for one reader to check them.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "experiment/executor.h"
#include "experiment/shard.h"

struct st_cmd;

/* The arguments of an option that may be repeated, in order. */
struct st_opts_list {
	const char **at;
	size_t n, cap;
};

struct st_opts {
	char **operand;
	size_t noperands;
	struct st_opts_list set;  /* --set path=value */
	struct st_opts_list axis; /* --axis path=v1,v2 */
	struct st_opts_list subject, over; /* --subject-to and --over */
	const char *goal, *points, *runs; /* of tune, as text */
	const char *out;       /* -o DIR; NULL: out/<scenario name> */
	const char *seed;      /* --seed N, as text: it is set like any parameter */
	const char *replications, *sample, *precision, *max_replications; /* likewise */
	uint64_t threads;      /* -j N; 0: all processors */
	struct st_shard shard; /* --shard K/N */
	const char *format;    /* --format; meaning is the command's */
	const char *in, *figures; /* of compare */
	const char *first;     /* of trace, as text */
	const char *group, *outcome, *attempts, *clients, *capacity, *background; /* of schedule, as text */
	const struct st_executor *executor; /* who runs trials: the program's, not the command line's */
	bool force, no_chart, plot, quiet, help;
};

/*
 * Parse the arguments after the command's name. 0, or -1 with messages (unknown option with the nearest spelling,
 * missing argument, too few or too many operands; with --help operands are not counted). Strings point into argv.
 * To be released either way.
 */
int st_opts_parse(const struct st_cmd *cmd, int argc, char **argv, struct st_opts *o, struct st_err *e);
void st_opts_release(struct st_opts *o);

/* Print "usage: stampede NAME ..." with the command's options on stdout. */
void st_opts_help(const struct st_cmd *cmd);

#endif
