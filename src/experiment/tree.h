#ifndef ST_EXPERIMENT_TREE_H
#define ST_EXPERIMENT_TREE_H
/*
 * tree.h - a YAML document as the user wrote it: mappings, sequences and scalars, each with its place.
 *
 * Read with libyaml. --set and sweep axes are edits of such a tree, so that there is one way from text to configuration.
 * Reading is in tree_read.c and tree_wrong.c, the rest in tree.c.
 *
 * Owns     a node owns its children; st_tree_free() frees them all, st_tree_copy() copies deep.
 * Threads  reading and parsing belong to one thread (names of files are interned).
 */
#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "base/text.h"
#include "experiment/mistakes.h"

enum st_node_kind { ST_NODE_SCALAR, ST_NODE_LIST, ST_NODE_MAP };

struct st_node {
	enum st_node_kind kind;
	struct st_place place;   /* place.file lives as long as the program */
	char *text;              /* scalar; "" is YAML's null too */
	struct st_node **child;  /* list items or map values */
	char **key;              /* map: key of child i */
	struct st_place *key_place;
	size_t n, cap;
};

/*
 * Read a file. An empty document is an empty map. NULL with a mistake if it cannot be read or is no YAML. Duplicate keys,
 * anchors, tags and keys that are no scalars are mistakes too, but what is left of the tree is returned, so that
 * the others can be told with them.
 */
struct st_node *st_tree_read(const char *file, struct st_mistakes *m);

/* The same from a text given on the command line; its places are `what` ("--set a.b=5") without a line. "" is a scalar. */
struct st_node *st_tree_parse(const char *text, const char *what, struct st_mistakes *m);

/* New nodes, lists and mappings empty; the text is copied. */
struct st_node *st_tree_node(enum st_node_kind kind, const struct st_place *place);
struct st_node *st_tree_scalar(const char *text, const struct st_place *place);

/* Append to a list, or (key, owned from now on, and its place are given) to a mapping that lacks the key. Owns child. */
void st_tree_append(struct st_node *to, char *key, const struct st_place *key_place, struct st_node *child);

/* A copy with all below it, to be freed with st_tree_free(). */
struct st_node *st_tree_copy(const struct st_node *n);
void st_tree_free(struct st_node *n);

/* The value of key in a map, or NULL; *i (may be NULL) is its index. NULL too if `map` is NULL or no map. */
struct st_node *st_tree_find(const struct st_node *map, const char *key, size_t *i);
struct st_node *st_tree_get(const struct st_node *map, const char *key);

/* Put value (owned from now on) at key of a map, in the place of what was there. */
void st_tree_put(struct st_node *map, const char *key, struct st_node *value);

/* Take key out of a map: its value, owned by the caller, or NULL. */
struct st_node *st_tree_take(struct st_node *map, const char *key);

/* Make a scalar the mapping {key: scalar}, or {} if it is "". */
void st_tree_expand(struct st_node *scalar, const char *key);

/* Flow-style YAML text on one line: "{kind: token-bucket, rate: 10/s}", for labels and canonical axes. */
void st_tree_print(const struct st_node *n, struct st_text *out);

/* What a node is, for messages: "a list", "a mapping", "'text'", "nothing"; buf is used for texts. */
const char *st_tree_what(const struct st_node *n, char buf[64]);

#endif
