#ifndef ST_EXPERIMENT_PART_H
#define ST_EXPERIMENT_PART_H
/*
 * part.h - one section of a scenario (the top level, the service, one group, one fault) from its mapping to its struct.
 *
 * Every key is a parameter's, or a mapping's on the way to some; every parameter is read or gets its default; one that has
 * none must be given, if it applies to the kinds chosen beside it.
 */
#include <stdbool.h>

#include "experiment/params.h"
#include "experiment/tree.h"

/* Fields of a configuration whose value is not what the user meant: it could not be read, or a key beside it that nobody knows may be its. */
struct st_doubts {
	const void **at;
	size_t n, cap;
};

#define ST_DOUBTS_INIT {NULL, 0, 0}

void st_doubts_add(struct st_doubts *d, const void *field);

/* Whether one of them lies in these bytes. */
bool st_doubts_has(const struct st_doubts *d, const void *field, size_t size);
void st_doubts_release(struct st_doubts *d);

/*
 * Fill a section's struct, all bits zero so far. path: "", "service", "clients.fleet", "faults[0]"; tree: the whole, for places;
 * n: the section's node, or NULL where nothing was written; key: where its key stands.
 * doubts: gets what mistakes leave in doubt, or NULL.
 */
void st_part_fill(enum st_section s, const char *path, const struct st_node *tree, const struct st_node *n,
    const struct st_place *key, void *cfg, struct st_doubts *doubts, struct st_mistakes *m);

/*
 * Read a row from a node into cfg (the row's own struct); `path` names it in messages, and relative names of files are
 * sought beside `file`, wherever the node is from. 0, or -1 with mistakes.
 */
int st_part_value(const struct st_param *p, const char *path, const struct st_node *n, const char *file, void *cfg,
    struct st_mistakes *m);

/* "unknown key 'jiter' in PATH; did you mean 'jitter'?", where n keys are known; path "" is the top. Returns -1. */
int st_part_unknown(const char *key, const struct st_place *place, const char *path, const char *const *known, size_t n,
    struct st_mistakes *m);

#endif
