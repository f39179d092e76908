#ifndef ST_APP_CMD_H
#define ST_APP_CMD_H
/*
 * cmd.h - a command of the program: one file, one const row; the table of them is in main.c.
 */
#include "app/opts.h"

struct st_cmd {
	const char *name;
	const char *operands;       /* "FILE", "DIR", "" */
	size_t min_operands, max_operands;
	const char *help;           /* one line, no full stop; NULL: not listed (a helper of the completion) */
	const char *about;          /* a few lines for --help, or "" */
	const char *const *options; /* long names of the options it takes, NULL-ended; --help and --quiet are taken by all */
	const char *formats;        /* what --format takes, the first by default: "text json"; NULL: it has no --format */
	int (*run)(const struct st_opts *o); /* prints its own messages; returns an exit code */
};

/* The i-th command, NULL past the last. */
const struct st_cmd *st_cmd_at(size_t i);

extern const struct st_cmd st_cmd_run, st_cmd_trace, st_cmd_sweep, st_cmd_merge, st_cmd_compare, st_cmd_tune, st_cmd_check, st_cmd_plot, st_cmd_report, st_cmd_schedule;
extern const struct st_cmd st_cmd_show, st_cmd_params, st_cmd_presets, st_cmd_figures, st_cmd_completion;

#endif
