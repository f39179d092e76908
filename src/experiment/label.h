#ifndef ST_EXPERIMENT_LABEL_H
#define ST_EXPERIMENT_LABEL_H
/*
 * label.h - an axis of parameters that change together: labels, each for settings by their paths.
 *
 *	policy:
 *	  storm:  {fleet.retry.attempts: 4}
 *	  budget: {fleet.retry.attempts: 4, fleet.retry.budget: {kind: token-bucket, rate: 5/s, burst: 10}}
 *
 * The axis is called `policy`, and its values storm and budget. A value without settings leaves the scenario as it is.
 */
#include "experiment/path.h"
#include "experiment/scenario.h"

/* Read the mapping behind the axis's name into its values and targets. 0, or -1 with mistakes. */
int st_label_read(struct st_axis *a, const struct st_paths *p, const struct st_node *values, struct st_mistakes *m);

/* Keep those values that the list of labels names, in its order. Mistakes are added. */
void st_label_choose(struct st_axis *a, const struct st_node *labels, struct st_mistakes *m);

#endif
