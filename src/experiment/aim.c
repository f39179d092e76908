#include <config.h>

#include "experiment/aim.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

bool st_aim_same(const struct st_axis *a, const struct st_axis *b)
{
	bool same = a->ntargets == b->ntargets;

	for (size_t i = 0; same && i < a->ntargets; i++)
		same = strcmp(a->target[i], b->target[i]) == 0;
	return same;
}

/* Whether setting `outer` would replace `inner`, which lies within it. */
static bool covers(const char *outer, const char *inner)
{
	size_t n = strlen(outer);

	return strncmp(outer, inner, n) == 0 && (inner[n] == '.' || inner[n] == '[');
}

int st_aim_clash(const char *what, const struct st_place *place, const char *later, const char *before, const char *name,
    struct st_mistakes *m)
{
	if (strcmp(later, before) == 0)
		return st_mistakes_add(m, place, "%s: %s sets %s already", what, name, before);
	if (covers(later, before))
		return st_mistakes_add(m, place, "%s: would undo %s, which sets %s before it; put it first", what, name, before);
	return 0;
}

int st_aim_clash_axes(const struct st_axis *later, const struct st_axis *before, struct st_mistakes *m)
{
	char *name = st_format("the axis '%s'", before->path);
	int rc = 0;

	for (size_t i = 0; i < later->ntargets; i++)
		for (size_t k = 0; k < before->ntargets && rc == 0; k++)
			rc = st_aim_clash(later->path, &later->place, later->target[i], before->target[k], name, m);
	free(name);
	return rc;
}

size_t st_aim(struct st_axis *a, const struct st_paths *p, const char *path, const struct st_place *place, size_t **at,
    struct st_mistakes *m)
{
	size_t n = st_paths_find(p, path, place, at, m);

	for (size_t i = 0; i < n; i++) {
		const struct st_param *param = p->at[(*at)[i]].param;
		const char *name = p->at[(*at)[i]].name;
		size_t t = 0;

		if (strncmp(name, "sweep", 5) == 0 || strcmp(name, "expect") == 0) {
			st_mistakes_add(m, place, "'%s' cannot be an axis", path);
			return 0;
		}
		while (t < a->ntargets && strcmp(a->target[t], name) != 0)
			t++;
		if (t == a->ntargets) {
			a->target = st_realloc(a->target, a->ntargets + 1, sizeof *a->target);
			a->target[a->ntargets++] = st_strdup(name);
		}
		(*at)[i] = t;
		a->is_whole = param && param->type == &st_param_count;
	}
	return n;
}

void st_aim_set(struct st_axis_value *v, const size_t *at, size_t n, const struct st_node *value)
{
	v->set = st_realloc(v->set, v->nset + n, sizeof *v->set);
	for (size_t i = 0; i < n; i++)
		v->set[v->nset++] = (struct st_axis_set){at[i], value};
}
