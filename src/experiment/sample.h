#ifndef ST_EXPERIMENT_SAMPLE_H
#define ST_EXPERIMENT_SAMPLE_H
/*
 * sample.h - a design for many parameters: points drawn from the axes in place of all their combinations.
 *
 * Points   Sobol's sequence (GSL's), which fills the space evenly at every length and has no seed: the first n of a longer
 *          sample are the sample of n. A number u in (0, 1) of each point and axis becomes a value: of an interval
 *          low + u (high - low), with log low (high / low)^u, in six digits; whole parameters take each whole number of it
 *          equally often; of a list or of labels the one at u times their number.
 */
#include "experiment/scenario.h"

/* Draw the scenario's sample from its axes, and give intervals their values. 0, or -1 with mistakes. */
int st_sample_draw(struct st_scenario *s, struct st_mistakes *m);

#endif
