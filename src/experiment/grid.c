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
