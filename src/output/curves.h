#ifndef ST_OUTPUT_CURVES_H
#define ST_OUTPUT_CURVES_H
/*
 * curves.h - a sweep over a quantity as curves: figures over its values, one curve for each combination of the other axes.
 */
#include "output/shape.h"

/*
 * Draw curves.png and curves.svg from summary.csv if an axis is a quantity with three values or more and the others have few
 * enough combinations to be told apart. means: what the numbers are, for the subtitle. 0, or -1 with a message.
 */
int st_curves_draw(const struct st_shape *s, const char *means, struct st_err *e);

#endif
