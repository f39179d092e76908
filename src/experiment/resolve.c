#include <config.h>

#include "experiment/resolve.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/mem.h"
#include "experiment/part.h"
#include "experiment/path.h"
#include "measure/summary.h"

/* Services, groups and faults */

static bool is_name(const char *s)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_";

	return *s && !strchr("-_", *s) && strlen(s) < ST_PARAM_PATH && s[strspn(s, letters)] == '\0';
}

/* A mapping by name of one or more; NULL with a mistake if it is none. what: "group". */
static const struct st_node *named(const struct st_node *tree, const char *key, const char *what, struct st_mistakes *m)
{
	const struct st_node *n = st_tree_get(tree, key);
	struct st_place place = st_path_place(tree, key);
	char buf[64];

	if (!n || (n->kind == ST_NODE_SCALAR && !*n->text) || (n->kind == ST_NODE_MAP && n->n == 0))
		st_mistakes_add(m, &place, "%s: must be given: at least one %s, by name", key, what);
	else if (n->kind != ST_NODE_MAP)
		st_mistakes_add(m, &n->place, "%s: expects a mapping of %ss by name; got %s", key, what, st_tree_what(n, buf));
	else
		return n;
	return NULL;
}

/* Whether "NAME.x" might be taken for a figure of the whole run: the name is a figure's, or what stands before its dot. */
static bool is_of_figures(const char *name)
{
	size_t n = strlen(name);
	char buf[64];

	for (size_t i = 0; i < st_figure_count(); i++) {
		const char *full = st_figure_at(i)->name, *brief = st_figure_short(st_figure_at(i), buf);

		if ((strncmp(full, name, n) == 0 && full[n] == '.') || (strncmp(brief, name, n) == 0 && brief[n] == '.'))
			return true;
	}
	return st_figure_find(name) >= 0;
}

/* An earlier one that differs by upper and lower case alone, or NULL. */
static const char *twin_of(const struct st_node *map, size_t i)
{
	for (size_t k = 0; k < i; k++)
		if (strcasecmp(map->key[k], map->key[i]) == 0)
			return map->key[k];
	return NULL;
}

/* The i-th of a mapping of services, or of groups. */
static void check_name(const char *key, const char *what, const struct st_node *map, size_t i, struct st_mistakes *m)
{
	const char *name = map->key[i], *twin = twin_of(map, i);
	const struct st_place *place = &map->key_place[i];

	if (!is_name(name))
		st_mistakes_add(m, place, "%s: a %s's name is up to %d letters, digits, '-' and '_', the first a letter or digit; got '%s'", key,
		    what, ST_PARAM_PATH - 1, name);
	else if (twin)
		st_mistakes_add(m, place, "%s: '%s' differs from '%s' by upper and lower case alone, which a database and some file systems do not see",
		    key, name, twin);
	else if (is_of_figures(name))
		st_mistakes_add(m, place, "%s: figures are called '%s', too: give the %s another name, so that 'NAME.FIGURE' is clear", key, name, what);
}

static void fill_service(const struct st_node *tree, const char *path, const struct st_node *n, const struct st_place *key,
    const char *name, struct st_service_cfg *s, struct st_doubts *d, struct st_mistakes *m)
{
	size_t i;
	const struct st_node *calls = st_tree_find(n, "calls", &i);
	char *below = st_format("%s.calls", path);

	s->name = st_strdup(name);
	st_part_fill(ST_SECTION_SERVICE, path, tree, n, key, s, d, m);
	if (calls)
		st_part_fill(ST_SECTION_CALLS, below, tree, calls, &n->key_place[i], &s->calls, d, m);
	free(below);
}

/* `service` is one alone, `services` are some by name. */
static void fill_services(const struct st_node *tree, struct st_config *c, struct st_doubts *d, struct st_mistakes *m)
{
	size_t i = 0, k;
	const struct st_node *alone = st_tree_find(tree, "service", &i);
	bool are_some = st_tree_find(tree, "services", &k) != NULL;
	const struct st_node *services = are_some ? named(tree, "services", "service", m) : NULL;

	if (are_some && alone)
		st_mistakes_add(m, &tree->key_place[k], "services: and service exclude each other");
	if (are_some ? !services : !alone)
		st_doubts_add(d, &c->service); /* which there are */
	if (are_some && !services)
		return;
	c->nservices = services ? services->n : 1;
	c->service = st_calloc(c->nservices, sizeof *c->service);
	if (!services)
		fill_service(tree, "service", alone, alone ? &tree->key_place[i] : &tree->place, ST_SERVICE_ALONE, c->service, d, m);
	for (i = 0; services && i < services->n; i++) {
		char *path = st_format("services.%s", services->key[i]);

		check_name("services", "service", services, i, m);
		fill_service(tree, path, services->child[i], &services->key_place[i], services->key[i], &c->service[i], d, m);
		free(path);
	}
}

/* "NAME.figure" is of one of the two. */
static void check_no_service(const struct st_node *tree, const char *group, const struct st_place *place, struct st_mistakes *m)
{
	if (st_tree_get(st_tree_get(tree, "services"), group))
		st_mistakes_add(m, place, "clients: '%s' is a service, too: a group is not called as a service is, for figures are named by both", group);
}

static void fill_groups(const struct st_node *tree, struct st_config *c, struct st_doubts *d, struct st_mistakes *m)
{
	const struct st_node *clients = named(tree, "clients", "group", m);

	if (!clients) {
		st_doubts_add(d, &c->group);
		return;
	}
	c->group = st_calloc(clients->n, sizeof *c->group);
	c->ngroups = clients->n;
	for (size_t i = 0; i < clients->n; i++) {
		char *path = st_format("clients.%s", clients->key[i]);

		c->group[i].name = st_strdup(clients->key[i]);
		check_name("clients", "group", clients, i, m);
		check_no_service(tree, clients->key[i], &clients->key_place[i], m);
		st_part_fill(ST_SECTION_GROUP, path, tree, clients->child[i], &clients->key_place[i], &c->group[i], d, m);
		free(path);
	}
}

/* A fault's word stands for what it says, not for what happens to be called so: which nobody would see in the results. */
static void check_word(const struct st_node *fault, const char *path, const char *key, const char *word, const struct st_node *named,
    bool is_the_same, struct st_mistakes *m)
{
	const struct st_node *value = st_tree_get(fault, key);

	if (value && value->kind == ST_NODE_SCALAR && strcmp(value->text, word) == 0 && st_tree_get(named, word) && !is_the_same)
		st_mistakes_add(m, &value->place, "%s.%s: '%s' is a word here, and one of several is called so: give that another name", path,
		    key, word);
}

static void check_words(const struct st_node *tree, const struct st_node *fault, const char *path, struct st_mistakes *m)
{
	const struct st_node *services = st_tree_get(tree, "services"), *clients = st_tree_get(tree, "clients");
	bool is_map = services && services->kind == ST_NODE_MAP && services->n > 0;

	check_word(fault, path, "service", "first", services, is_map && strcmp(services->key[0], "first") == 0, m);
	check_word(fault, path, "group", "all", clients, clients && clients->n == 1, m);
}

static void fill_faults(const struct st_node *tree, struct st_config *c, struct st_doubts *d, struct st_mistakes *m)
{
	const struct st_node *faults = st_tree_get(tree, "faults");
	char buf[64];

	if (!faults || (faults->kind == ST_NODE_SCALAR && !*faults->text))
		return;
	if (faults->kind != ST_NODE_LIST) {
		st_mistakes_add(m, &faults->place, "faults: expects a list of mappings, such as [{at: 10s, for: 30s, "
		    "effect: 503}]; got %s", st_tree_what(faults, buf));
		return;
	}
	c->fault = st_calloc(faults->n, sizeof *c->fault);
	c->nfaults = faults->n;
	for (size_t i = 0; i < faults->n; i++) {
		char *path = st_format("faults[%zu]", i);

		st_part_fill(ST_SECTION_FAULT, path, tree, faults->child[i], &faults->child[i]->place, &c->fault[i], d, m);
		check_words(tree, faults->child[i], path, m);
		free(path);
	}
}

/* The whole */

struct hearing {
	const struct st_node *tree;
	struct st_doubts doubts;
	struct st_mistakes *m;
};

static void tell_contradiction(void *to, const char *path, const char *message)
{
	struct hearing *h = to;
	struct st_place place = st_path_place(h->tree, path);

	st_mistakes_add(h->m, &place, "%s: %s", path, message);
}

static bool in_doubt(void *to, const void *field, size_t size)
{
	const struct hearing *h = to;

	return st_doubts_has(&h->doubts, field, size);
}

int st_resolve_tree(const struct st_node *tree, struct st_config *c, struct st_mistakes *m)
{
	struct st_mistakes mine = ST_MISTAKES_INIT;
	struct hearing h = {tree, ST_DOUBTS_INIT, &mine};

	*c = (struct st_config){.title = NULL};
	st_part_fill(ST_SECTION_TOP, "", tree, tree, &tree->place, c, &h.doubts, &mine);
	fill_services(tree, c, &h.doubts, &mine);
	fill_groups(tree, c, &h.doubts, &mine);
	fill_faults(tree, c, &h.doubts, &mine);
	st_config_contradictions(c, &(struct st_config_ear){tell_contradiction, in_doubt, &h});
	st_doubts_release(&h.doubts);
	return st_mistakes_move(&mine, m);
}
