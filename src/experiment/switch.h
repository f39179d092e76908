#ifndef ST_EXPERIMENT_SWITCH_H
#define ST_EXPERIMENT_SWITCH_H
/*
 * switch.h - mappings that are on or off by their `kind`: a budget, a breaker, a gate. Their parameters mean nothing while they are off.
 */
#include "experiment/path.h"
#include "experiment/scenario.h"

/* Whether a parameter, by its full path, lies in such a mapping. */
bool st_switch_has(const struct st_paths *p, const char *path);

/*
 * If a parameter lies in such a mapping and it is off in the scenario, put {kind: K, PARAMETER: value} there, K the one kind that has the
 * parameter: *kind is then that, to be freed, else NULL. 0, or -1 with a mistake if several kinds have it.
 */
int st_switch_on(struct st_scenario *s, const struct st_paths *p, const char *path, const struct st_node *value, char **kind,
    struct st_mistakes *m);

#endif
