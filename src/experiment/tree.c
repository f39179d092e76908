#include <config.h>

#include "experiment/tree.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/flow.h"

/* Nodes */

struct st_node *st_tree_node(enum st_node_kind kind, const struct st_place *place)
{
	struct st_node *n = st_calloc(1, sizeof *n);

	n->kind = kind;
	n->place = *place;
	return n;
}

struct st_node *st_tree_scalar(const char *text, const struct st_place *place)
{
	struct st_node *n = st_tree_node(ST_NODE_SCALAR, place);

	n->text = st_strdup(text);
	return n;
}

void st_tree_append(struct st_node *to, char *key, const struct st_place *key_place, struct st_node *child)
{
	if (to->n == to->cap) {
		size_t cap = to->cap;

		to->child = st_grow(to->child, &cap, to->n + 1, sizeof *to->child);
		to->cap = cap;
		if (to->kind == ST_NODE_MAP) {
			to->key = st_realloc(to->key, cap, sizeof *to->key);
			to->key_place = st_realloc(to->key_place, cap, sizeof *to->key_place);
		}
	}
	to->child[to->n] = child;
	if (to->kind == ST_NODE_MAP) {
		to->key[to->n] = key;
		to->key_place[to->n] = *key_place;
	}
	to->n++;
}

void st_tree_free(struct st_node *n)
{
	if (!n)
		return;
	for (size_t i = 0; i < n->n; i++) {
		st_tree_free(n->child[i]);
		if (n->key)
			free(n->key[i]);
	}
	free(n->child);
	free(n->key);
	free(n->key_place);
	free(n->text);
	free(n);
}

struct st_node *st_tree_copy(const struct st_node *n)
{
	struct st_node *copy = st_tree_node(n->kind, &n->place);

	copy->text = st_strdup(n->text);
	for (size_t i = 0; i < n->n; i++)
		st_tree_append(copy, n->key ? st_strdup(n->key[i]) : NULL, n->key ? &n->key_place[i] : NULL,
		    st_tree_copy(n->child[i]));
	return copy;
}

struct st_node *st_tree_find(const struct st_node *map, const char *key, size_t *at)
{
	if (!map || map->kind != ST_NODE_MAP)
		return NULL;
	for (size_t i = 0; i < map->n; i++) {
		if (strcmp(map->key[i], key) == 0) {
			if (at)
				*at = i;
			return map->child[i];
		}
	}
	return NULL;
}

struct st_node *st_tree_get(const struct st_node *map, const char *key)
{
	return st_tree_find(map, key, NULL);
}

void st_tree_put(struct st_node *map, const char *key, struct st_node *value)
{
	size_t i;
	struct st_node *old = st_tree_find(map, key, &i);

	if (!old) {
		st_tree_append(map, st_strdup(key), &value->place, value);
		return;
	}
	st_tree_free(old);
	map->child[i] = value;
	map->key_place[i] = value->place;
}

struct st_node *st_tree_take(struct st_node *map, const char *key)
{
	size_t i;
	struct st_node *found = st_tree_find(map, key, &i);

	if (!found)
		return NULL;
	free(map->key[i]);
	map->n--;
	for (; i < map->n; i++) {
		map->key[i] = map->key[i + 1];
		map->key_place[i] = map->key_place[i + 1];
		map->child[i] = map->child[i + 1];
	}
	return found;
}

void st_tree_expand(struct st_node *n, const char *key)
{
	char *text = n->text;

	st_assert(n->kind == ST_NODE_SCALAR);
	n->kind = ST_NODE_MAP;
	n->text = NULL;
	if (*text)
		st_tree_put(n, key, st_tree_scalar(text, &n->place));
	free(text);
}

/* Printing */

void st_tree_print(const struct st_node *n, struct st_text *out)
{
	if (n->kind == ST_NODE_SCALAR) {
		st_flow_quote(n->text, out);
		return;
	}
	st_text_add(out, n->kind == ST_NODE_MAP ? "{" : "[");
	for (size_t i = 0; i < n->n; i++) {
		st_text_add(out, i ? ", " : "");
		if (n->key) {
			st_flow_quote(n->key[i], out);
			st_text_add(out, ": ");
		}
		st_tree_print(n->child[i], out);
	}
	st_text_add(out, n->kind == ST_NODE_MAP ? "}" : "]");
}

const char *st_tree_what(const struct st_node *n, char buf[64])
{
	if (n->kind == ST_NODE_LIST)
		return "a list";
	if (n->kind == ST_NODE_MAP)
		return "a mapping";
	if (!*n->text)
		return "nothing";
	snprintf(buf, 64, "'%.58s'", n->text);
	return buf;
}
