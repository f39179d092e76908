#include <config.h>

#include "experiment/path.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

struct step {
	char key[ST_PARAM_PATH * 2];
	size_t index;
	bool is_item; /* key[index] */
};

/* The first step of a path; what follows it, or NULL. A key that does not fit is cut: it is then not found. */
static const char *next_step(const char *path, struct step *s)
{
	size_t n = strcspn(path, ".["), k = n < sizeof s->key ? n : sizeof s->key - 1;
	char *end;

	memcpy(s->key, path, k);
	s->key[k] = '\0';
	s->is_item = path[n] == '[';
	if (s->is_item) {
		s->index = strtoul(path + n + 1, &end, 10);
		n = (size_t)(end - path) + (*end == ']');
	}
	return path[n] == '.' ? path + n + 1 : NULL;
}

/* The same for a path within services.NAME: "queue", "calls", "calls.retry.budget". */
static const char *shorthand_of_service(const char *mapping)
{
	if (strcmp(mapping, "calls") == 0)
		return st_params_shorthand(ST_SECTION_CALLS, "");
	if (strncmp(mapping, "calls.", 6) == 0)
		return st_params_shorthand(ST_SECTION_CALLS, mapping + 6);
	return st_params_shorthand(ST_SECTION_SERVICE, mapping);
}

/* The key that a scalar at this path stands for, or NULL. */
static const char *shorthand(const char *path, size_t length)
{
	char *mapping = st_strndup(path, length);
	const char *key = NULL;

	if (strncmp(mapping, "service.", 8) == 0)
		key = st_params_shorthand(ST_SECTION_SERVICE, mapping + 8);
	else if (strncmp(mapping, "services.", 9) == 0 && strchr(mapping + 9, '.'))
		key = shorthand_of_service(strchr(mapping + 9, '.') + 1);
	else if (strncmp(mapping, "clients.", 8) == 0 && strchr(mapping + 8, '.'))
		key = st_params_shorthand(ST_SECTION_GROUP, strchr(mapping + 8, '.') + 1);
	else if (strcmp(mapping, "sweep.precision") == 0)
		key = "half_width";
	free(mapping);
	return key;
}

/* Make the node at the first `length` characters of path a mapping; NULL if it cannot be one. */
static struct st_node *as_map(struct st_node *n, const char *path, size_t length)
{
	if (n->kind == ST_NODE_MAP)
		return n;
	const char *key = shorthand(path, length);
	if (n->kind == ST_NODE_LIST || (*n->text && !key))
		return NULL;
	st_tree_expand(n, key);
	return n;
}

/* Step into key or key[i] of `at`: the child, NULL if there is no such item; a key that is missing is made. */
static struct st_node *step_into(struct st_node *at, const struct step *s, const struct st_place *place)
{
	struct st_node *child = st_tree_get(at, s->key);

	if (s->is_item)
		return child && child->kind == ST_NODE_LIST && s->index < child->n ? child->child[s->index] : NULL;
	if (!child) {
		child = st_tree_node(ST_NODE_MAP, place);
		st_tree_put(at, s->key, child);
	}
	return child;
}

int st_path_put(struct st_node *tree, const char *path, struct st_node *value, struct st_mistakes *m)
{
	struct st_node *at = tree;
	const char *rest = path;
	struct step s;
	char buf[64];

	while ((rest = next_step(rest, &s))) {
		size_t length = (size_t)(rest - 1 - path);
		struct st_node *child = step_into(at, &s, &value->place);

		at = child ? as_map(child, path, length) : NULL;
		if (at)
			continue;
		st_mistakes_add(m, &value->place, "%s cannot be set: %.*s is %s, not a mapping", path, (int)length, path,
		    child ? st_tree_what(child, buf) : "not there");
		st_tree_free(value);
		return -1;
	}
	if (!s.is_item) {
		st_tree_put(at, s.key, value);
		return 0;
	}
	struct st_node *list = st_tree_get(at, s.key);
	st_assert(list && list->kind == ST_NODE_LIST && s.index < list->n); /* the path is one of the tree's */
	st_tree_free(list->child[s.index]);
	list->child[s.index] = value;
	return 0;
}

const struct st_node *st_path_get(const struct st_node *tree, const char *path)
{
	const struct st_node *at = tree;
	const char *rest = path;
	struct step s;

	while (at && rest && *rest) {
		rest = next_step(rest, &s);
		at = st_tree_get(at, s.key);
		if (at && s.is_item)
			at = at->kind == ST_NODE_LIST && s.index < at->n ? at->child[s.index] : NULL;
	}
	return at;
}

struct st_place st_path_place(const struct st_node *tree, const char *path)
{
	struct st_place place = {tree->place.file, 0, 0};
	const struct st_node *at = tree;
	const char *rest = path;
	struct step s;
	size_t i;

	while (rest && *rest) {
		rest = next_step(rest, &s);
		const struct st_node *child = st_tree_find(at, s.key, &i);
		if (!child)
			return place;
		place = at->key_place[i];
		at = child;
		if (s.is_item) {
			if (child->kind != ST_NODE_LIST || s.index >= child->n)
				return place;
			at = child->child[s.index];
			place = at->place;
		}
	}
	return at->kind == ST_NODE_SCALAR ? at->place : place;
}
