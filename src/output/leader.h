#ifndef ST_OUTPUT_LEADER_H
#define ST_OUTPUT_LEADER_H
/*
 * leader.h - which policy of a sweep does best, by each of three questions: three, because a point that leads
 * in one may be the last in another, and what they are worth is not ours to say.
 */
#include "base/text.h"
#include "experiment/result.h"

/*
 * One line of at most 100 columns a question: the lowest peak, the most operations served, the fastest
 * recovery; with its value and the points within its interval. Nothing unless it is policies alone that the
 * points differ in: fewer clients peak lower, but that is no advice.
 */
void st_leader_say(const struct st_sweep_result *r, struct st_text *out);

#endif
