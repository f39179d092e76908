#ifndef ST_EXPERIMENT_RESOLVE_H
#define ST_EXPERIMENT_RESOLVE_H
/*
 * resolve.h - a tree against the tables of parameters: to a configuration, or to all that is wrong with it.
 */
#include "experiment/tree.h"
#include "model/world.h"

/*
 * Fill *c (to be released by st_config_release() either way). The keys sweep and expect are left to others. 0, or -1 with
 * mistakes. Files named by values are sought beside the tree's own file.
 */
int st_resolve_tree(const struct st_node *tree, struct st_config *c, struct st_mistakes *m);

#endif
