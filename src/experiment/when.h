#ifndef ST_EXPERIMENT_WHEN_H
#define ST_EXPERIMENT_WHEN_H
/*
 * when.h - at which points of a sweep an expectation is meant: "policy = storm and obey = 0%".
 *
 * Form     AXIS = VALUE, and several with `and` between them, all of which a point must meet. The axis is named by its path
 *          as the scenario has it, or by a tail of that, or of what it stands for, which fits no other axis. The value is
 *          written as summary.csv has it.
 * --axis   an axis of the command line may lack a value that the file's had: no point meets the condition then.
 */
#include <stdbool.h>
#include <stddef.h>

#include "experiment/mistakes.h"

struct st_axis;

struct st_when_term {
	size_t axis;
	char *value; /* one of the axis's labels */
};

/* All of them hold; of none, every point is meant. */
struct st_when {
	struct st_when_term *at;
	size_t n;
};

/*
 * Read text, which stands at `place`. 0 and *c to be released, or -1 with mistakes at their places and the nearest spelling.
 */
int st_when_read(const char *text, const struct st_place *place, const struct st_axis *axis, size_t naxes,
    struct st_when *c, struct st_mistakes *m);
void st_when_release(struct st_when *c);

/* Whether some point of the axes may meet all of them: false where --axis has left a value out. */
bool st_when_possible(const struct st_when *c, const struct st_axis *axis);

/* Whether a point with these labels, one an axis, meets all of them. */
bool st_when_met(const struct st_when *c, char *const *label);

#endif
