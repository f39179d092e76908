#ifndef ST_APP_LOAD_H
#define ST_APP_LOAD_H
/*
 * load.h - a scenario that a command line names: its file with --set, --seed, --replications and --axis.
 */
#include "app/opts.h"
#include "experiment/scenario.h"

/*
 * Read one of the operands. Prints its own messages on stderr and returns an exit code; ST_EXIT_OK: *s is good. To be
 * released either way.
 */
int st_load_scenario(const struct st_opts *o, const char *file, struct st_scenario *s);

/* The same of operand 0, which may name a preset too, if there is no such file. */
int st_load_policy(const struct st_opts *o, struct st_scenario *s, bool *is_preset);

/*
 * Say on stderr, unless --quiet, what is legal in a configuration and hardly meant: a group whose clients all think for the
 * same constant time. Whether there was any.
 */
bool st_load_warn(const struct st_config *c, const struct st_opts *o);

#endif
