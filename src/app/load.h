#ifndef ST_APP_LOAD_H
#define ST_APP_LOAD_H
/*
 * load.h - the scenario that a command line names: its file with --set, --seed, --replications and --axis.
 */
#include "app/opts.h"
#include "experiment/scenario.h"

/*
 * Read operand 0. Prints its own messages on stderr and returns an exit code; ST_EXIT_OK: *s is good. To be
 * released either way.
 */
int st_load_scenario(const struct st_opts *o, struct st_scenario *s);

#endif
