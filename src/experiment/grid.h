#ifndef ST_EXPERIMENT_GRID_H
#define ST_EXPERIMENT_GRID_H
/*
 * grid.h - axes to points: the Cartesian product, the last axis running fastest, or a sample.
 */
#include "experiment/scenario.h"

struct st_point {
	struct st_config config;
	size_t *index;       /* of the value on each axis */
};

struct st_grid {
	struct st_point *point;
	size_t n;            /* 1 without axes */
	size_t naxes;
	const char *file;    /* borrowed from the scenario: beside it lie the files that it names */
};

/* All points of a scenario that was read without a mistake. 0, or -1 with messages. *g is to be released either way. */
int st_grid_init(struct st_grid *g, const struct st_scenario *s, struct st_err *e);
void st_grid_release(struct st_grid *g);

#endif
