#include <config.h>

#include "experiment/resolve.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "experiment/part.h"
#include "experiment/path.h"

/* Groups and faults */

static bool is_name(const char *s)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_";

	return *s && strlen(s) < ST_PARAM_PATH && s[strspn(s, letters)] == '\0';
}

static void fill_groups(const struct st_node *tree, struct st_config *c, struct st_mistakes *m)
{
	const struct st_node *clients = st_tree_get(tree, "clients");
	struct st_place place = st_path_place(tree, "clients");
	char buf[64];

	if (!clients || (clients->kind == ST_NODE_SCALAR && !*clients->text) ||
	    (clients->kind == ST_NODE_MAP && clients->n == 0)) {
		st_mistakes_add(m, &place, "clients: must be given: at least one group, by name");
		return;
	}
	if (clients->kind != ST_NODE_MAP) {
		st_mistakes_add(m, &clients->place, "clients: expects a mapping of groups by name; got %s",
		    st_tree_what(clients, buf));
		return;
	}
	c->group = st_calloc(clients->n, sizeof *c->group);
	c->ngroups = clients->n;
	for (size_t i = 0; i < clients->n; i++) {
		char *path = st_format("clients.%s", clients->key[i]);

		c->group[i].name = st_strdup(clients->key[i]);
		if (is_name(clients->key[i]))
			st_part_fill(ST_SECTION_GROUP, path, tree, clients->child[i], &clients->key_place[i], &c->group[i], m);
		else
			st_mistakes_add(m, &clients->key_place[i],
			    "clients: a group's name is up to %d letters, digits, '-' and '_'; got '%s'", ST_PARAM_PATH - 1,
			    clients->key[i]);
		free(path);
	}
}

static void fill_faults(const struct st_node *tree, struct st_config *c, struct st_mistakes *m)
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

		st_part_fill(ST_SECTION_FAULT, path, tree, faults->child[i], &faults->child[i]->place, &c->fault[i], m);
		free(path);
	}
}

/* The whole */

struct contradiction {
	const struct st_node *tree;
	struct st_mistakes *m;
};

static void tell_contradiction(void *to, const char *path, const char *message)
{
	struct contradiction *c = to;
	struct st_place place = st_path_place(c->tree, path);

	st_mistakes_add(c->m, &place, "%s: %s", path, message);
}

int st_resolve_tree(const struct st_node *tree, struct st_config *c, struct st_mistakes *m)
{
	struct st_mistakes mine = ST_MISTAKES_INIT;
	size_t i = 0;

	*c = (struct st_config){.title = NULL};
	st_part_fill(ST_SECTION_TOP, "", tree, tree, &tree->place, c, &mine);
	const struct st_node *service = st_tree_find(tree, "service", &i);
	st_part_fill(ST_SECTION_SERVICE, "service", tree, service, service ? &tree->key_place[i] : &tree->place, &c->service,
	    &mine);
	fill_groups(tree, c, &mine);
	fill_faults(tree, c, &mine);
	/* Values that are in doubt contradict others by accident: only sound ones are compared. */
	if (mine.n == 0)
		st_config_contradictions(c, tell_contradiction, &(struct contradiction){tree, &mine});
	return st_mistakes_move(&mine, m);
}
