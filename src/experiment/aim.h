#ifndef ST_EXPERIMENT_AIM_H
#define ST_EXPERIMENT_AIM_H
/*
 * aim.h - what an axis's values set: from paths as the user writes them to targets, and what would undo what.
 *
 * Settings are put into the scenario in the order of the axes, within a value in that of its settings. A later one that
 * replaces an earlier is a mistake: the earlier would be without effect.
 */
#include "experiment/path.h"
#include "experiment/scenario.h"

/* What a path names, as targets of the axis: their indices in *at (to be freed), and how many; 0 with a mistake. */
size_t st_aim(struct st_axis *a, const struct st_paths *p, const char *path, const struct st_place *place, size_t **at,
    struct st_mistakes *m);

/* The value sets these n targets too, to a node of its own `written`. */
void st_aim_set(struct st_axis_value *v, const size_t *at, size_t n, const struct st_node *value);

/* Whether two axes set the same targets, one for one: paths of one scenario. */
bool st_aim_same(const struct st_axis *a, const struct st_axis *b);

/*
 * Whether `later` sets again, or would undo, what `before` (called `name`) has set. 0, or -1 with a mistake that begins
 * with `what`.
 */
int st_aim_clash(const char *what, const struct st_place *place, const char *later, const char *before, const char *name,
    struct st_mistakes *m);

/* The same of two axes: one such pair of targets is told. */
int st_aim_clash_axes(const struct st_axis *later, const struct st_axis *before, struct st_mistakes *m);

#endif
