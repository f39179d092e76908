#include <config.h>

#include "experiment/part.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "experiment/path.h"
#include "experiment/preset.h"

/* One section (one group, one fault) on its way from nodes to its struct. */
struct part {
	enum st_section section;
	const char *path;  /* "", "service", "clients.fleet", "faults[0]" */
	const struct st_node *tree;
	void *cfg;
	struct st_mistakes *m;
	struct st_param_rows rows;
	const struct st_node *node[ST_PARAM_ROWS]; /* what the user wrote, or NULL */
	const struct st_node *under[ST_PARAM_ROWS]; /* what the preset has there, or NULL */
	struct st_place key[ST_PARAM_ROWS];        /* the key's place */
	bool is_bad[ST_PARAM_ROWS];      /* it could not be read */
	bool is_open[ST_PARAM_ROWS];     /* what was meant is not known: it could not be read, or a key beside it is unknown */
};

void st_doubts_add(struct st_doubts *d, const void *field)
{
	d->at = st_grow(d->at, &d->cap, d->n + 1, sizeof *d->at);
	d->at[d->n++] = field;
}

bool st_doubts_has(const struct st_doubts *d, const void *field, size_t size)
{
	for (size_t i = 0; i < d->n; i++)
		if ((uintptr_t)d->at[i] - (uintptr_t)field < size)
			return true;
	return false;
}

void st_doubts_release(struct st_doubts *d)
{
	free(d->at);
	*d = (struct st_doubts)ST_DOUBTS_INIT;
}

/* "clients.fleet" and "retry.on" to "clients.fleet.retry.on"; to be freed. */
static char *join(const char *a, const char *b)
{
	return st_format("%s%s%s", a, *a && *b ? "." : "", b);
}

/* Keys of sections within sections, which are no parameters themselves. */
static const struct {
	enum st_section within;
	const char *key;
} sections[] = {
    {ST_SECTION_TOP, "service"},
    {ST_SECTION_TOP, "services"},
    {ST_SECTION_TOP, "clients"},
    {ST_SECTION_TOP, "faults"},
    {ST_SECTION_TOP, "sweep"},
    {ST_SECTION_TOP, "expect"},
    {ST_SECTION_SERVICE, "calls"},
};

/* Keys */

/* The distinct keys below a prefix ("retry." or ""), as copies; *out is to be freed with them. */
static size_t keys_below(const struct part *p, const char *prefix, char ***out)
{
	size_t n = 0, cap = 0, length = strlen(prefix);

	*out = NULL;
	for (size_t i = 0; i < p->rows.n; i++) {
		const char *path = p->rows.row[i].path;
		bool again = strncmp(path, prefix, length) != 0;
		size_t k = again ? 0 : strcspn(path + length, ".");

		for (size_t j = 0; j < n && !again; j++)
			again = strncmp((*out)[j], path + length, k) == 0 && (*out)[j][k] == '\0';
		if (again)
			continue;
		*out = st_grow(*out, &cap, n + 1, sizeof **out);
		(*out)[n++] = st_strndup(path + length, k);
	}
	for (size_t i = 0; !*prefix && i < sizeof sections / sizeof *sections; i++) {
		if (sections[i].within != p->section)
			continue;
		*out = st_grow(*out, &cap, n + 1, sizeof **out);
		(*out)[n++] = st_strdup(sections[i].key);
	}
	return n;
}

static void free_keys(char **keys, size_t n)
{
	for (size_t i = 0; i < n; i++)
		free(keys[i]);
	free(keys);
}

static void add_list(struct st_text *t, const char *const *words, size_t n)
{
	for (size_t i = 0; i < n; i++)
		st_text_addf(t, "%s%s", i ? ", " : "", words[i]);
}

int st_part_unknown(const char *key, const struct st_place *place, const char *path, const char *const *known, size_t n,
    struct st_mistakes *m)
{
	const char *near = st_text_nearest(key, known, n);
	struct st_text t = ST_TEXT_INIT;

	if (near)
		st_text_addf(&t, "did you mean '%s'?", near);
	else
		st_text_add(&t, "the keys there are ");
	if (!near)
		add_list(&t, known, n);
	st_mistakes_add(m, place, "unknown key '%s'%s%s; %s", key, *path ? " in " : "", path, t.s);
	st_text_release(&t);
	return -1;
}

static void tell_unknown(struct part *p, const char *key, const struct st_place *place, const char *prefix)
{
	char *within = st_strndup(prefix, *prefix ? strlen(prefix) - 1 : 0), *path = join(p->path, within), **keys;
	size_t n = keys_below(p, prefix, &keys);

	st_part_unknown(key, place, path, (const char *const *)keys, n, p->m);
	for (size_t i = 0; i < p->rows.n; i++)
		p->is_open[i] |= strncmp(p->rows.row[i].path, prefix, strlen(prefix)) == 0;
	free_keys(keys, n);
	free(path);
	free(within);
}

static void tell_no_mapping(struct part *p, const struct st_node *n, const char *prefix)
{
	char *within = st_strndup(prefix, *prefix ? strlen(prefix) - 1 : 0), *path = join(p->path, within), **keys;
	size_t count = keys_below(p, prefix, &keys);
	struct st_text t = ST_TEXT_INIT;
	char buf[64];

	add_list(&t, (const char *const *)keys, count);
	st_mistakes_add(p->m, &n->place, "%s: expects a mapping with keys from %s; got %s", path, t.s, st_tree_what(n, buf));
	for (size_t i = 0; i < p->rows.n; i++)
		if (strncmp(p->rows.row[i].path, prefix, strlen(prefix)) == 0)
			p->is_bad[i] = p->is_open[i] = true; /* told enough about them */
	st_text_release(&t);
	free_keys(keys, count);
	free(path);
	free(within);
}

static int find_row(const struct part *p, const char *path)
{
	for (size_t i = 0; i < p->rows.n; i++)
		if (strcmp(p->rows.row[i].path, path) == 0)
			return (int)i;
	return -1;
}

static bool is_mapping(const struct part *p, const char *prefix)
{
	for (size_t i = 0; i < p->rows.n; i++)
		if (strncmp(p->rows.row[i].path, prefix, strlen(prefix)) == 0)
			return true;
	return false;
}

static bool is_section(enum st_section within, const char *key)
{
	for (size_t i = 0; i < sizeof sections / sizeof *sections; i++)
		if (sections[i].within == within && strcmp(sections[i].key, key) == 0)
			return true;
	return false;
}

static void take(struct part *p, int row, const struct st_node *n, const struct st_place *key)
{
	p->node[row] = n;
	p->key[row] = *key;
}

/* Note which node belongs to which row, below a prefix ("retry." or ""). */
static void collect(struct part *p, const struct st_node *map, const struct st_place *key, const char *prefix)
{
	if (map->kind == ST_NODE_SCALAR) {
		char *mapping = st_strndup(prefix, *prefix ? strlen(prefix) - 1 : 0);
		const char *lone = st_params_shorthand(p->section, mapping);
		char *path = lone ? join(mapping, lone) : NULL;

		if (path && *map->text)
			take(p, find_row(p, path), map, key);
		free(path);
		free(mapping);
		if (lone)
			return;
	}
	if (map->kind == ST_NODE_SCALAR && !*map->text)
		return; /* a mapping with nothing in it */
	if (map->kind != ST_NODE_MAP) {
		tell_no_mapping(p, map, prefix);
		return;
	}
	for (size_t i = 0; i < map->n; i++) {
		char *path = st_format("%s%s", prefix, map->key[i]), *below = st_format("%s.", path);
		int row = find_row(p, path);

		if (!*prefix && is_section(p->section, map->key[i]))
			; /* not this part's */
		else if (!*map->key[i] || strchr(map->key[i], '.'))
			tell_unknown(p, map->key[i], &map->key_place[i], prefix);
		else if (row >= 0)
			take(p, row, map->child[i], &map->key_place[i]);
		else if (is_mapping(p, below))
			collect(p, map->child[i], &map->key_place[i], below);
		else
			tell_unknown(p, map->key[i], &map->key_place[i], prefix);
		free(path);
		free(below);
	}
}

/* Presets */

/* Lay the preset that is named, if there is one, under what is written. Its tree, to be freed when the part is filled; or NULL. */
static struct st_node *lay_under(struct part *p)
{
	int row = find_row(p, "retry.preset");
	const struct st_node *name = row >= 0 ? p->node[row] : NULL;
	const struct st_preset *preset = name && name->kind == ST_NODE_SCALAR ? st_preset_find(name->text, NULL) : NULL;

	if (!preset)
		return NULL;
	struct part library = {.section = p->section, .path = p->path, .tree = p->tree, .m = p->m, .rows = p->rows};
	struct st_node *tree = st_preset_tree(preset);
	collect(&library, tree, &name->place, "retry.");
	memcpy(p->under, library.node, sizeof p->under);
	return tree;
}

/* Whether what the preset has for row i counts: not if another kind was written than its own. */
static bool is_preset(const struct part *p, size_t i)
{
	int kind = p->rows.row[i].param->kinds_of ? -1 : st_params_kind_of(&p->rows, i);

	return p->under[i] && !(kind >= 0 && p->node[kind] && p->under[kind] && p->node[kind]->kind == ST_NODE_SCALAR &&
	    strcmp(p->node[kind]->text, p->under[kind]->text) != 0);
}

/* Values */

/* Where the value stands as the types are told: always in the tree's file, beside which files are sought. */
static struct st_place told_place(const struct st_node *n, const char *file)
{
	return (struct st_place){file, n->place.line, n->place.column};
}

/* The node as a value of one scalar or a list of scalars; false with a mistake if it is neither. */
static bool as_value(const struct st_param *p, const char *path, const struct st_node *n, const char *file,
    struct st_value *v, struct st_mistakes *m)
{
	size_t count = n->kind == ST_NODE_LIST ? n->n : 1, bad = n->kind == ST_NODE_MAP;
	const char **text = st_calloc(count + 1, sizeof *text);
	struct st_place *place = st_calloc(count + 1, sizeof *place);

	place[0] = told_place(n, file);
	text[0] = n->text;
	if (bad)
		st_mistakes_add(m, &n->place, "%s: expects %s; got a mapping", path, p->type->expects);
	for (size_t i = 0; n->kind == ST_NODE_LIST && i < n->n; i++) {
		const struct st_node *item = n->child[i];

		place[i] = told_place(item, file);
		text[i] = item->text;
		if (item->kind == ST_NODE_SCALAR)
			continue;
		bad++;
		st_mistakes_add(m, &item->place, "%s: expects %s; got %s within a list", path, p->type->expects,
		    item->kind == ST_NODE_LIST ? "a list" : "a mapping");
	}
	*v = (struct st_value){text, place, count, n->kind == ST_NODE_LIST};
	return !bad;
}

int st_part_value(const struct st_param *p, const char *path, const struct st_node *n, const char *file, void *cfg,
    struct st_mistakes *m)
{
	struct st_param named = *p;
	struct st_err e = ST_ERR_INIT;
	struct st_value v;
	int failed = -1;

	named.name = path;
	if (as_value(p, path, n, file, &v, m))
		failed = st_param_read(&named, &v, cfg, &e);
	st_mistakes_take(m, &n->place, file, &e);
	free((void *)(uintptr_t)v.text);
	free((void *)(uintptr_t)v.place);
	return failed;
}

/* Cut the last key off a path; returns it. */
static char *cut_key(char *path)
{
	char *dot = strrchr(path, '.');

	st_assert(dot);
	*dot = '\0';
	return dot + 1;
}

static void tell_foreign(struct part *p, size_t i, const char *kind)
{
	const struct st_param *row = p->rows.row[i].param;
	char *path = join(p->path, p->rows.row[i].path), *key = cut_key(path);
	char *decides = join(p->path, p->rows.row[st_params_kind_of(&p->rows, i)].path), *what = cut_key(decides);
	struct st_text t = ST_TEXT_INIT;

	if (strcmp(what, "kind") == 0) /* of what is the mapping's name */
		what = strrchr(decides, '.') ? strrchr(decides, '.') + 1 : decides;
	for (const char *s = row->kinds; *s; s++)
		st_text_addf(&t, *s == ' ' ? " or " : "%c", *s);
	st_mistakes_add(p->m, &p->key[i], "%s: '%s' belongs to %s %s, not %s", path, key, what, t.s, kind);
	st_text_release(&t);
	free(decides);
	free(path);
}

static void tell_missing(struct part *p, size_t i)
{
	char *path = join(p->path, p->rows.row[i].path);
	const struct st_param *row = p->rows.row[i].param;
	struct st_place place = st_path_place(p->tree, path);
	struct st_text names = ST_TEXT_INIT;

	for (size_t k = 0; row->type == &st_param_choice && row->choices(k); k++)
		st_text_addf(&names, "%s%s", k > 0 ? ", " : "one of ", row->choices(k)->name);
	st_mistakes_add(p->m, &place, "%s: must be given: %s (%s)", path, names.s ? names.s : row->type->expects, row->help);
	st_text_release(&names);
	free(path);
}

/* Read row i, or give it its default. */
static void fill(struct part *p, size_t i)
{
	const struct st_param_row *row = &p->rows.row[i];
	void *cfg = (char *)p->cfg + row->offset;
	int kind_row = st_params_kind_of(&p->rows, i);
	bool kind_is_known = kind_row < 0 || !p->is_bad[kind_row], applies = true;
	char *kind = NULL;

	if (kind_is_known)
		applies = st_params_applies(&p->rows, i, p->cfg, &kind);
	const struct st_node *node = p->node[i] ? p->node[i] : applies && is_preset(p, i) ? p->under[i] : NULL;
	if (p->node[i] && !applies) {
		tell_foreign(p, i, kind);
		p->is_open[kind_row] |= !p->node[kind_row];
	} else if (node) {
		char *path = join(p->path, row->path);

		p->is_bad[i] = st_part_value(row->param, path, node, p->tree->place.file, cfg, p->m) != 0;
		p->is_open[i] = p->is_bad[i] || (p->is_open[i] && !p->node[i]);
		free(path);
	} else if (row->param->dflt) {
		st_param_default(row->param, cfg);
	} else {
		if (applies && kind_is_known && !p->is_bad[i])
			tell_missing(p, i);
		p->is_bad[i] = true;
		p->is_open[i] |= applies;
	}
	free(kind);
}

void st_part_fill(enum st_section s, const char *path, const struct st_node *tree, const struct st_node *n,
    const struct st_place *key, void *cfg, struct st_doubts *doubts, struct st_mistakes *m)
{
	struct part p = {.section = s, .path = path, .tree = tree, .cfg = cfg, .m = m};

	st_params_rows(s, &p.rows);
	if (n)
		collect(&p, n, key, "");
	struct st_node *preset = lay_under(&p);
	/* Kinds first: the others ask whether they apply. */
	for (size_t i = 0; i < p.rows.n; i++)
		if (!p.rows.row[i].param->kinds)
			fill(&p, i);
	for (size_t i = 0; i < p.rows.n; i++)
		if (p.rows.row[i].param->kinds)
			fill(&p, i);
	for (size_t i = 0; doubts && i < p.rows.n; i++)
		if (p.is_open[i])
			st_doubts_add(doubts, (const char *)cfg + p.rows.row[i].offset + p.rows.row[i].param->offset);
	st_tree_free(preset);
}
