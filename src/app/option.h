#ifndef ST_APP_OPTION_H
#define ST_APP_OPTION_H
/*
 * option.h - the options that there are: one table of rows for all commands.
 *
 * From a row come parsing, --help and shell completion. To add an option: a field of struct st_opts, a row, and its name in
 * those commands that take it.
 */
#include <stdbool.h>
#include <stddef.h>

struct st_cmd;

struct st_option {
	const char *name; /* long, without the dashes */
	char letter;      /* or 0 */
	const char *arg;  /* what --help calls its argument; NULL: a switch */
	const char *help; /* one line, no full stop */
	/* Take it over into the field; arg is NULL for a switch. NULL, or what is wrong with arg, as a phrase. */
	const char *(*take)(void *field, const char *arg);
	size_t offset;    /* of the field in struct st_opts */
};

/* The i-th option, NULL past the last. */
const struct st_option *st_option_at(size_t i);

/* The option of this long name, or of this letter; NULL if there is none. */
const struct st_option *st_option_named(const char *name);
const struct st_option *st_option_lettered(char letter);

/* Whether a command takes an option: one that it names, or one that all take (--quiet, --help). */
bool st_option_taken(const struct st_option *row, const struct st_cmd *cmd);

/* The name nearest to a misspelt one among those that the command takes, or NULL. */
const char *st_option_nearest(const char *name, const struct st_cmd *cmd);

#endif
