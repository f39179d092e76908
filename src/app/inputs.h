#ifndef ST_APP_INPUTS_H
#define ST_APP_INPUTS_H
/*
 * inputs.h - the files that a scenario names (empirical distributions, traces): what they hold, and copies beside the results.
 *
 * A sweep goes on with the results of an earlier one only if these files hold the same. Copies make the folder whole: its
 * scenario.yaml runs again without the folder that the scenario came from. A name that leads out of that folder ("../x.csv")
 * is not copied, nor an absolute one, which is found anyway.
 *
 * Errors   a file that cannot be read: the machine's (exit 3). A folder that has another file of the name: the user's (exit 2).
 */
#include "base/err.h"
#include "experiment/grid.h"
#include "experiment/scenario.h"

struct st_inputs {
	struct st_input {
		char *name;          /* as written */
		char *path;          /* where it is */
		struct st_text held;
	} *at;                       /* each name once, in order of coming */
	size_t n, cap;
};

#define ST_INPUTS_INIT {NULL, 0, 0}

/* Add the files of a configuration of the scenario. 0, or -1 with a message; released by st_inputs_release() either way. */
int st_inputs_add(struct st_inputs *in, const struct st_scenario *s, struct st_config *c, struct st_err *e);
void st_inputs_release(struct st_inputs *in);

/* Add a line for each: "# file NAME: SIZE bytes, checksum C". */
void st_inputs_print(const struct st_inputs *in, struct st_text *out);

/* Copy them to the results' folder; other files of their names are replaced with force only. */
int st_inputs_keep(const struct st_inputs *in, const char *dir, bool force, struct st_err *e);

#endif
