#ifndef ST_BASE_VALUES_H
#define ST_BASE_VALUES_H
/*
 * values.h - a file of durations: one a line, in seconds.
 *
 * Comments begin with '#', empty lines are skipped, and a first line `value_s` is a column's name. Anything else is a
 * mistake, told with file and line.
 *
 * Owns     the array; release with st_values_release().
 */
#include <stddef.h>

#include "base/err.h"
#include "base/time.h"

struct st_values {
	st_time *at; /* in the file's order */
	size_t n;    /* at least 1 */
};

/*
 * Read `file`; a relative name is sought beside the file that `place` names, so that a scenario and its tables can be
 * moved together. Returns 0, or -1 with messages added (a file that cannot be read is told at `place`).
 */
int st_values_read(const char *file, const struct st_place *place, struct st_values *out, struct st_err *e);

void st_values_release(struct st_values *v);

#endif
