#include <config.h>

#include "experiment/subject.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

static const struct {
	unsigned scope;
	const char *kind, *section;
} kinds[] = {
    {ST_SCOPE_GROUP, "group", "clients"},
    {ST_SCOPE_SERVICE, "service", "services"},
};

enum { KINDS = sizeof kinds / sizeof *kinds };

void st_subjects_release(struct st_subjects *s)
{
	free(s->at);
	*s = (struct st_subjects)ST_SUBJECTS_INIT;
}

/* The row of a scope. */
static size_t row_of(unsigned scope)
{
	size_t k = 0;

	while (kinds[k].scope != scope)
		st_assert(++k < KINDS);
	return k;
}

const char *st_subject_kind(unsigned scope)
{
	return kinds[row_of(scope)].kind;
}

unsigned st_subject_scope(const char *kind)
{
	return strcmp(kind, kinds[0].kind) == 0 ? kinds[0].scope : kinds[1].scope;
}

/* The one of that name, at this index most likely; NULL if there is none. */
static const struct st_subject *known(const struct st_subjects *s, size_t likely, const char *name)
{
	if (likely < s->n && strcmp(s->at[likely].name, name) == 0)
		return &s->at[likely];
	for (size_t i = 0; i < s->n; i++)
		if (strcmp(s->at[i].name, name) == 0)
			return &s->at[i];
	return NULL;
}

/* The one of that name, which is a new one if there was none. */
static const struct st_subject *add(struct st_subjects *s, size_t likely, char *name, unsigned scope)
{
	const struct st_subject *there = known(s, likely, name);

	if (there)
		return there;
	s->at = st_grow(s->at, &s->cap, s->n + 1, sizeof *s->at);
	s->at[s->n] = (struct st_subject){.name = name, .scope = scope};
	return &s->at[s->n++];
}

bool st_subjects_add_tree(struct st_subjects *s, const struct st_node *tree)
{
	bool all = st_tree_get(tree, kinds[0].section) != NULL;

	for (size_t k = 0; k < KINDS; k++) {
		const struct st_node *named = st_tree_get(tree, kinds[k].section);

		for (size_t i = 0; named && named->kind == ST_NODE_MAP && i < named->n; i++)
			add(s, i, named->key[i], kinds[k].scope);
		all = all && (!named || named->kind == ST_NODE_MAP);
	}
	return all;
}

/* Whether the axis stands for a parameter of "clients.NAME" or "services.NAME", or for the whole of it. */
static bool is_axis_of(const struct st_axis *a, const struct st_subject *of)
{
	const char *section = kinds[row_of(of->scope)].section;
	size_t s = strlen(section), n = strlen(of->name);

	for (size_t i = 0; i < a->ntargets; i++) {
		const char *path = a->target[i];

		if (strncmp(path, section, s) == 0 && path[s] == '.' && strncmp(path + s + 1, of->name, n) == 0 &&
		    (path[s + 1 + n] == '.' || path[s + 1 + n] == '\0'))
			return true;
	}
	return false;
}

static void add_groups(struct st_subjects *s, const struct st_grid *g)
{
	for (size_t p = 0; p < g->n; p++) {
		const struct st_config *c = &g->point[p].config;

		for (size_t i = 0; i < c->ngroups; i++)
			add(s, i, c->group[i].name, ST_SCOPE_GROUP);
	}
	if (s->n == 1)
		s->n = 0;
}

static int add_services(struct st_subjects *s, const struct st_grid *g, struct st_err *e)
{
	size_t groups = s->n;

	for (size_t p = 0; p < g->n; p++) {
		const struct st_config *c = &g->point[p].config;

		for (size_t i = 0; c->nservices > 1 && i < c->nservices; i++)
			if (add(s, groups + i, c->service[i].name, ST_SCOPE_SERVICE)->scope != ST_SCOPE_SERVICE)
				return st_err_add(e, ST_EXIT_USER, NULL, "'%s' is a group of clients at one point, and a service at another",
				    c->service[i].name);
	}
	return 0;
}

int st_subjects_of_grid(struct st_subjects *s, const struct st_grid *g, const struct st_scenario *of, struct st_err *e)
{
	*s = (struct st_subjects)ST_SUBJECTS_INIT;
	add_groups(s, g);
	int rc = add_services(s, g, e);
	for (size_t i = 0; i < s->n; i++)
		for (size_t a = 0; a < of->naxes; a++)
			s->at[i].is_swept = s->at[i].is_swept || is_axis_of(&of->axis[a], &s->at[i]);
	return rc;
}
