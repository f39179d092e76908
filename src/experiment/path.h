#ifndef ST_EXPERIMENT_PATH_H
#define ST_EXPERIMENT_PATH_H
/*
 * path.h - naming the parameters of a scenario by a tail of their path, and the nodes of its tree by a path.
 *
 * A path is keys with dots between them, and [i] behind a list's key: "clients.fleet.retry.budget", "faults[0].for". The
 * paths that a scenario has are those of all parameters of its sections and of the mappings around them, of kinds
 * that are not in force too. A tail is a path's last keys. It may fit the same parameter of several groups or
 * faults; a path in full is never taken for a tail of another. "faults.for" and "faults[].for" are that of every fault.
 * Names are in path.c, nodes in path_node.c.
 */
#include "experiment/params.h"
#include "experiment/tree.h"

struct st_path {
	char *name;    /* "clients.fleet.timeout", "faults[0].for" */
	char *pattern; /* "clients.NAME.timeout", "faults[].for": the same for the same parameter */
	const struct st_param *param; /* NULL: a mapping, or of the sweep */
};

struct st_paths {
	struct st_path *at;
	size_t n, cap;
};

/* All paths that the scenario has. */
void st_paths_init(struct st_paths *p, const struct st_node *tree);
void st_paths_release(struct st_paths *p);

/*
 * The paths that `tail` names: their indices in *found (to be freed), and how many. 0 with a mistake if it names none, or
 * different parameters.
 */
size_t st_paths_find(const struct st_paths *p, const char *tail, const struct st_place *place, size_t **found,
    struct st_mistakes *m);

/* Whether there is any such path. */
bool st_paths_fit(const struct st_paths *p, const char *tail);

/*
 * Put value (owned from now on) at a full path of the tree, in the place of what was there. Mappings on the way are
 * made; a scalar in a mapping's place is first written out ("budget: off" as {kind: off}). 0, or -1 with a mistake at
 * the value's place.
 */
int st_path_put(struct st_node *tree, const char *path, struct st_node *value, struct st_mistakes *m);

/* The node at a full path as it is written, or NULL: a mapping that a scalar stands for has no keys. */
const struct st_node *st_path_get(const struct st_node *tree, const char *path);

/*
 * Where the user would look for a full path: the place of its value, or of the key of the innermost mapping around it that was
 * written, or the file.
 */
struct st_place st_path_place(const struct st_node *tree, const char *path);

#endif
