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
#include "experiment/executor.h"
#include "experiment/shard.h"

struct st_cmd;

struct st_opts {
	char **operand;
	size_t noperands;
	const char **set;      /* --set path=value, in order */
	size_t nset, set_cap;
	const char **axis;     /* --axis path=v1,v2 */
	size_t naxes, axis_cap;
	const char **subject, **over; /* --subject-to and --over, each in order */
	size_t nsubject, subject_cap, nover, over_cap;
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

/* A row of the table. */
struct st_option {
	const char *name; /* long, without the dashes */
	char letter;      /* or 0 */
	const char *arg;  /* what --help calls its argument; NULL: a switch */
	const char *help; /* one line, no full stop */
	/* Take it over; arg is NULL for a switch. NULL, or what is wrong with arg, as a phrase. */
	const char *(*take)(struct st_opts *o, const char *arg);
};

/* The i-th option, NULL past the last. */
const struct st_option *st_option_at(size_t i);

/* Whether a command takes an option. */
bool st_option_taken(const struct st_option *row, const struct st_cmd *cmd);

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
