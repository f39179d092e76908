#ifndef ST_EXPERIMENT_PRESET_H
#define ST_EXPERIMENT_PRESET_H
/*
 * preset.h - the retry policies of real libraries, by name: one table of rows.
 *
 * A preset is the `retry` mapping of a scenario, as text. It lies under what the scenario itself writes there
 * (experiment/part.h), so that no module of the model knows of presets. What cannot be said exactly in the parameters there
 * are is no row. Adding one is a row here and a law in tests/check_preset.c.
 *
 * Source   the libraries' code, named in each row: repository, file, and the commit that was read, as far as it is known.
 */
#include "base/param.h"
#include "experiment/tree.h"

struct st_preset {
	struct st_choice choice; /* as scenarios spell it; one line of what it is, and what else to set */
	const char *source;      /* one line */
	const char *yaml;        /* the keys of `retry`, one a line */
};

/* The i-th row, NULL past the last. */
const struct st_preset *st_preset_at(size_t i);

/* The row of this name; NULL for "none" and for a name that there is not: *near (may be NULL) is then the nearest or NULL. */
const struct st_preset *st_preset_find(const char *name, const char **near);

/* The keys as a tree, to be freed. */
struct st_node *st_preset_tree(const struct st_preset *p);

/* The row of `retry.preset`. It has no field: once the preset lies under what is written, it has done its work. */
extern const struct st_param st_preset_params[];

#endif
