#ifndef ST_EXPERIMENT_SPACE_H
#define ST_EXPERIMENT_SPACE_H
/*
 * space.h - the parameters that a tune searches over, from its --over, as axes of the scenario whose points come as they are drawn.
 *
 * Form     "base=50ms..2s,cap=5s..120s,jitter,budget.rate=off,1/s..200/s": paths with words and ranges (range.h). A range without a step
 *          is an interval; one of times or rates above 0, or with log, is searched by ratio. A path without values stands for all the
 *          words of its table that need no argument, or is an axis with labels of the scenario, for all of these. A name that fits
 *          several parameters is that of the backoff if it has it. `off` for a parameter of a mapping that can be
 *          off, such as budget.rate, turns the mapping off; if it is off in the scenario, other values turn it on. Where it is off at a point,
 *          other parameters of it (budget.burst) have no value there: "-".
 */
#include "experiment/race.h"
#include "experiment/scenario.h"

struct st_space {
	struct st_scenario *scenario; /* its axes and its sample are ours: the points that there are */
	struct st_race_axis *axis;    /* one an axis of the scenario */
	struct st_range **interval;   /* [axis][interval] */
	size_t *own;                  /* of each axis the targets that its path names; those after them are mappings to turn off */
	char **kind;                  /* of each axis that of the mappings around it which the scenario had off; NULL: none were */
};

/* Read n texts; the scenario's own axes give way, and mappings are put on whose parameters are searched over. 0, or -1 with mistakes at "--over". *sp is to be released either way. */
int st_space_read(struct st_space *sp, struct st_scenario *s, const char *const *over, size_t n, struct st_mistakes *m);
void st_space_release(struct st_space *sp);

/* Make the point there, one in each of the scenario's axes. false: it is one that there is already. */
bool st_space_add(struct st_space *sp, const struct st_race_at *at);

/* The text of a point's value on an axis. */
const char *st_space_label(const struct st_space *sp, size_t point, size_t axis);

/* Add "--set backoff.base=1.2s --set budget=off": what makes the point, for a shell. */
void st_space_print(const struct st_space *sp, size_t point, struct st_text *out);

/* Add which parameters an axis names, where its path does not say that in full: "cap is clients.a.retry.backoff.cap and ...". */
void st_space_say(const struct st_space *sp, size_t axis, struct st_text *out);

#endif
