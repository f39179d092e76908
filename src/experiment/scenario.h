#ifndef ST_EXPERIMENT_SCENARIO_H
#define ST_EXPERIMENT_SCENARIO_H
/*
 * scenario.h - from a scenario file to configurations.
 *
 * A scenario is the tree of its file after the command line's --set. Resolving it checks every key and value against
 * the parameters' rows and fills a struct st_config; all mistakes are told at once, each with its place.
 *
 * Paths    a parameter, or a whole mapping ("budget"), may be named by any unambiguous tail of its path. A tail that fits
 *          the same parameter of several groups means all of them; one that fits different parameters is an error
 *          that lists them.
 */
#include "experiment/tree.h"
#include "model/world.h"

struct st_axis {
	char *path;               /* as the user wrote it */
	char **target;            /* full paths it stands for ("clients.fleet.retry.budget") */
	size_t ntargets;
	struct st_node **value;   /* owned */
	char **label;             /* each value as text, for charts and CSVs */
	size_t n;
	struct st_place place;
};

struct st_scenario {
	char *file, *name;        /* name: the file's base name without .yaml */
	struct st_node *tree;     /* without `sweep` */
	struct st_axis *axis;
	size_t naxes;
	uint64_t replications;    /* 1 if the scenario says nothing */
};

/* Read a file, apply `set` (n texts "path=value") and `axes` (n texts "path=v1,v2"; one that names a path of the file's own
 * axes replaces it), check everything including each point of the axes. 0, or -1 with messages. */
int st_scenario_read(const char *file, const char *const *set, size_t nset, const char *const *axes, size_t naxes,
    struct st_scenario *s, struct st_err *e);
void st_scenario_release(struct st_scenario *s);

/* Fill *c (to be released either way) from a tree. 0, or -1 with messages. */
int st_scenario_resolve(const struct st_node *tree, struct st_config *c, struct st_err *e);
void st_config_release(struct st_config *c);

/* The configuration as a whole, canonical scenario: every parameter that applies, with its value, in the order of the tables; reads back to the same
 * configuration. The sweep's axes and replications are appended if s is not NULL. */
void st_scenario_print(const struct st_config *c, const struct st_scenario *s, struct st_text *out);

#endif
