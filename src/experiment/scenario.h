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
 *          that lists them (experiment/path.h).
 */
#include "experiment/expect.h"
#include "experiment/rounds.h"
#include "experiment/tree.h"
#include "model/world.h"

/* A value of an axis: what it sets in the scenario. */
struct st_axis_value {
	char *label;              /* as text, for charts and CSVs */
	struct st_node *written;  /* owned: the value itself; of a labelled axis the mapping {path: value} behind the label */
	struct st_axis_set {
		size_t target;                /* of the axis */
		const struct st_node *value;  /* of `written` */
	} *set;                   /* in this order */
	size_t nset;
};

struct st_range;

struct st_axis {
	char *path;               /* as the user wrote it; of a labelled axis its name */
	bool is_labelled;
	char **target;            /* full paths that some value sets ("clients.fleet.retry.budget"), each once */
	size_t ntargets;
	struct st_range *interval; /* whose values a sample draws; NULL: they are written */
	char *drawn_from;         /* its text */
	bool is_whole;            /* it is of whole numbers */
	struct st_axis_value *value;
	size_t n;
	struct st_place place;
};

struct st_scenario {
	char *file, *name;        /* name: the file's base name without .yaml */
	struct st_node *tree;     /* without `sweep` and `expect` */
	struct st_axis *axis;
	size_t naxes;
	uint64_t replications;    /* 1 if the scenario says nothing */
	uint64_t sample;          /* points drawn from the axes; 0: all combinations */
	size_t *drawn;            /* [point][axis]: index of the value; NULL unless drawn */
	struct st_place replications_place, sample_place, limit_place;
	struct st_precision precision; /* the figure is known where a half-width is asked for */
	struct st_expect *expect;
	size_t nexpect;
};

enum { ST_SCENARIO_POINTS_MAX = 100000, ST_SCENARIO_TRIALS_MAX = 10000000 };

/*
 * The rows of `sweep` that are parameters of the scenario rather than of a run, sweep.replications first; offsets are into
 * struct st_scenario.
 */
extern const struct st_param st_scenario_params[];

/*
 * Read a file, apply `set` (n texts "path=value") and `axes` (n texts "path=v1,v2" or "path=[v1, v2]"; one that names
 * what an axis of the file names replaces it), check everything, each point of the axes too. 0, or -1 with messages.
 * *s is to be released either way.
 */
int st_scenario_read(const char *file, const char *const *set, size_t nset, const char *const *axes, size_t naxes,
    struct st_scenario *s, struct st_err *e);

/* The same of nothing but a preset: one group, one client, and a service that matters to nobody. For who looks at the policy alone. */
int st_scenario_of_preset(const char *preset, const char *const *set, size_t nset, struct st_scenario *s, struct st_err *e);
void st_scenario_release(struct st_scenario *s);

/* Points of the axes' product, the last axis running fastest; or of the sample; 1 without axes. */
size_t st_scenario_points(const struct st_scenario *s);

/* The index of point i's value on each axis. */
void st_scenario_index(const struct st_scenario *s, size_t i, size_t *index);

/* The tree of a point, its axes' values put in; to be freed. index: of the value on each axis. */
struct st_node *st_scenario_point(const struct st_scenario *s, const size_t *index, struct st_mistakes *m);

/* Whether the scenario as it stands, without its axes, is where all the conditions hold: setting their values would not change it. */
bool st_scenario_meets(const struct st_scenario *s, const struct st_when *when);

/* Fill *c (to be released either way) from a tree. 0, or -1 with messages. */
int st_scenario_resolve(const struct st_node *tree, struct st_config *c, struct st_err *e);
void st_config_release(struct st_config *c);

/*
 * The canonical scenario: every parameter that applies, with its value, in the order of the tables; reads back to the
 * same configuration and prints as the same text. If s is not NULL its axes, replications and expectations are
 * appended. In scenario_print.c.
 */
void st_scenario_print(const struct st_config *c, const struct st_scenario *s, struct st_text *out);

#endif
