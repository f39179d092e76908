#include <config.h>

#include "experiment/grid.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "experiment/resolve.h"

int st_grid_init(struct st_grid *g, const struct st_scenario *s, struct st_err *e)
{
	struct st_mistakes m = ST_MISTAKES_INIT;
	size_t *index = st_calloc(s->naxes + 1, sizeof *index);

	*g = (struct st_grid){.n = st_scenario_points(s), .naxes = s->naxes, .file = s->file};
	st_assert(g->n <= ST_SCENARIO_POINTS_MAX);
	g->point = st_calloc(g->n, sizeof *g->point);
	for (size_t i = 0; i < g->n; i++) {
		st_scenario_index(s, i, index);
		struct st_node *tree = st_scenario_point(s, index, &m);

		st_resolve_tree(tree, &g->point[i].config, &m);
		st_tree_free(tree);
		g->point[i].index = st_calloc(s->naxes + 1, sizeof *index);
		memcpy(g->point[i].index, index, s->naxes * sizeof *index);
	}
	free(index);
	return st_mistakes_tell(&m, e);
}

void st_grid_release(struct st_grid *g)
{
	for (size_t i = 0; i < g->n; i++) {
		st_config_release(&g->point[i].config);
		free(g->point[i].index);
	}
	free(g->point);
	*g = (struct st_grid){.point = NULL};
}

/* Whether the axis stands for a parameter of the group, or for the whole of it. */
static bool is_axis_of(const struct st_axis *a, const char *group)
{
	static const char clients[] = "clients.";
	size_t n = strlen(group);

	for (size_t i = 0; i < a->ntargets; i++) {
		const char *name = a->target[i] + sizeof clients - 1;

		if (strncmp(a->target[i], clients, sizeof clients - 1) == 0 && strncmp(name, group, n) == 0 &&
		    (name[n] == '.' || name[n] == '\0'))
			return true;
	}
	return false;
}

static bool is_known(const struct st_sweep_group *known, size_t n, size_t likely, const char *name)
{
	if (likely < n && strcmp(known[likely].name, name) == 0)
		return true;
	for (size_t i = 0; i < n; i++)
		if (strcmp(known[i].name, name) == 0)
			return true;
	return false;
}

size_t st_grid_groups(const struct st_grid *g, const struct st_scenario *s, struct st_sweep_group **out)
{
	size_t n = 0, cap = 0;

	*out = NULL;
	for (size_t p = 0; p < g->n; p++) {
		const struct st_config *c = &g->point[p].config;

		for (size_t i = 0; i < c->ngroups; i++) {
			if (is_known(*out, n, i, c->group[i].name))
				continue;
			*out = st_grow(*out, &cap, n + 1, sizeof **out);
			(*out)[n] = (struct st_sweep_group){c->group[i].name, false};
			for (size_t a = 0; a < s->naxes; a++)
				(*out)[n].is_swept = (*out)[n].is_swept || is_axis_of(&s->axis[a], c->group[i].name);
			n++;
		}
	}
	return n;
}
