#ifndef ST_EXPERIMENT_TREE_H
#define ST_EXPERIMENT_TREE_H
/*
 * tree.h - a YAML document as the user wrote it: mappings, sequences and scalars, each with its place.
 *
 * Read with libyaml. --set and sweep axes are edits of such a tree, so that there is one way from text to configuration.
 *
 * Owns     a node owns its children; st_tree_free() frees them all, st_tree_copy() copies deep.
 */
#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "base/text.h"

enum st_node_kind { ST_NODE_SCALAR, ST_NODE_LIST, ST_NODE_MAP };

struct st_node {
	enum st_node_kind kind;
	struct st_place place;   /* place.file is owned by the tree's reader: see st_tree_read() */
	char *text;              /* scalar */
	struct st_node **child;  /* list items or map values */
	char **key;              /* map: key of child i */
	struct st_place *key_place;
	size_t n, cap;
};

/*
 * Read a file, or a text (a value given on the command line: what is "--set"). Duplicate keys, anchors, and more than
 * one document are mistakes. An empty document is an empty map. `file` is copied into interned storage that lives as long as the program.
 * NULL with messages on failure (unreadable file: exit 2).
 */
struct st_node *st_tree_read(const char *file, struct st_err *e);
struct st_node *st_tree_parse(const char *text, const char *what, struct st_err *e);

struct st_node *st_tree_copy(const struct st_node *n);
void st_tree_free(struct st_node *n);

/* The value of key in a map, or NULL. */
struct st_node *st_tree_get(const struct st_node *map, const char *key);

/* Put value (owned from now on) at key of a map, in the place of what was there. */
void st_tree_put(struct st_node *map, const char *key, struct st_node *value);

/* Flow-style YAML text on one line: "{kind: token-bucket, rate: 10/s}", for labels and canonical axes. */
void st_tree_print(const struct st_node *n, struct st_text *out);

#endif
