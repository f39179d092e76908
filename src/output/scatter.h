#ifndef ST_OUTPUT_SCATTER_H
#define ST_OUTPUT_SCATTER_H
/*
 * scatter.h - a sample of many parameters as small multiples: each figure against each parameter, a mark a point.
 */
#include "output/shape.h"

/*
 * Draw scatter.png and scatter.svg of a sample from its summary.csv: of the first ST_SCATTER_AXES parameters and ST_SCATTER_POINTS points, and
 * the subtitle says so where there are more. means: what the numbers are, for the subtitle. 0, or -1 with a message.
 */
enum { ST_SCATTER_AXES = 6, ST_SCATTER_POINTS = 1000 };
int st_scatter_draw(const struct st_shape *s, const char *means, struct st_err *e);

#endif
