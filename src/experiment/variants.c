#include <config.h>

#include "experiment/variants.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/rows.h"
#include "experiment/aim.h"
#include "experiment/axis.h"
#include "experiment/params.h"

/* Trees of resolved scenarios, and the axis that comes of their differences. */
struct join {
	const struct st_variant *v;
	struct st_node **tree;
	size_t n;
	struct st_axis axis;
	struct st_err *e;
};

/* --- files that they name --- */

/* Beside which scenarios a name is sought. */
struct rebase {
	const char *own, *first;
};

/* The file that a name means beside a scenario; NULL if there is none. To be freed. */
static char *meant(const char *name, const char *scenario)
{
	char *path = st_rows_path(name, &(struct st_place){scenario, 0, 0}), *real = realpath(path, NULL);

	free(path);
	return real;
}

/* All of the joined scenario is sought beside the first: a name that would mean another file there is written in full. */
static int rebase(void *to, char **name, struct st_err *e)
{
	const struct rebase *r = to;
	char *own = meant(*name, r->own), *there = meant(*name, r->first);

	(void)e;
	if (own && !(there && strcmp(own, there) == 0)) {
		free(*name);
		*name = own;
		own = NULL;
	}
	free(own);
	free(there);
	return 0;
}

/* --- trees --- */

/* The scenario as resolved, without what tells no difference. To be freed; NULL with messages. */
static struct st_node *resolved(const struct st_scenario *s, const struct st_scenario *first, struct st_err *e)
{
	struct st_mistakes m = ST_MISTAKES_INIT;
	struct st_text t = ST_TEXT_INIT;
	struct st_node *tree = NULL;
	struct st_config c;

	if (st_scenario_resolve(s->tree, &c, e) == 0 && st_params_files(&c, rebase, &(struct rebase){s->file, first->file}, e) == 0) {
		st_scenario_print(&c, NULL, &t);
		tree = st_tree_parse(t.s, s->tree->place.file, &m);
		st_tree_free(st_tree_take(tree, "title"));
		if (!st_tree_get(tree, "faults"))
			st_tree_put(tree, "faults", st_tree_node(ST_NODE_LIST, &tree->place));
		st_mistakes_tell(&m, e);
	}
	st_config_release(&c);
	st_text_release(&t);
	return tree;
}

static bool is_equal(const struct st_node *a, const struct st_node *b)
{
	struct st_text x = ST_TEXT_INIT, y = ST_TEXT_INIT;

	st_tree_print(a, &x);
	st_tree_print(b, &y);
	bool equal = strcmp(x.s, y.s) == 0;
	st_text_release(&x);
	st_text_release(&y);
	return equal;
}

static bool are_equal(struct st_node *const *at, size_t n)
{
	for (size_t i = 1; i < n; i++)
		if (!is_equal(at[0], at[i]))
			return false;
	return true;
}

static bool have_same_keys(struct st_node *const *at, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (at[i]->kind != ST_NODE_MAP || at[i]->n != at[0]->n)
			return false;
		for (size_t k = 0; k < at[0]->n; k++)
			if (!st_tree_get(at[i], at[0]->key[k]))
				return false;
	}
	return true;
}

/* Each value of the axis sets the path to what its scenario has there. */
static void add_target(struct join *j, const char *path, struct st_node *const *at)
{
	struct st_axis *a = &j->axis;
	size_t target = a->ntargets;

	a->target = st_realloc(a->target, target + 1, sizeof *a->target);
	a->target[a->ntargets++] = st_strdup(path);
	for (size_t i = 0; i < j->n; i++) {
		struct st_axis_value *v = &a->value[i];
		struct st_node *value = st_tree_copy(at[i]);

		st_tree_append(v->written, st_strdup(path), &value->place, value);
		st_aim_set(v, &target, 1, value);
	}
}

/* What differs at the path and below it; "" is the top, where a mapping is none that could be set as a whole. */
static void find_differences(struct join *j, const char *path, struct st_node *const *at)
{
	if (are_equal(at, j->n))
		return;
	if (!have_same_keys(at, j->n)) {
		add_target(j, path, at);
		return;
	}
	struct st_node **below = st_calloc(j->n, sizeof *below);
	for (size_t k = 0; k < at[0]->n; k++) {
		const char *key = at[0]->key[k];
		char *longer = *path ? st_format("%s.%s", path, key) : st_strdup(key);

		for (size_t i = 0; i < j->n; i++)
			below[i] = st_tree_get(at[i], key);
		find_differences(j, longer, below);
		free(longer);
	}
	free(below);
}

/* What would make figures those of other stretches or of other random numbers, and sections that only some have. */
static int check_same(const struct join *j)
{
	static const char *const same[] = {"duration", "warmup", "window", "bin", "seed"};
	int rc = 0;

	for (size_t i = 1; i < j->n; i++) {
		for (size_t k = 0; k < sizeof same / sizeof *same; k++) {
			const struct st_node *here = st_tree_get(j->tree[i], same[k]), *first = st_tree_get(j->tree[0], same[k]);
			struct st_text t = ST_TEXT_INIT;

			if (is_equal(here, first))
				continue;
			st_tree_print(here, &t);
			st_text_addf(&t, " in '%s' and ", j->v[i].label);
			st_tree_print(first, &t);
			rc = st_err_add(j->e, ST_EXIT_USER, NULL,
			    "cannot compare: %s is %s in '%s'; '--set %s=VALUE' makes it the same in all", same[k], t.s, j->v[0].label, same[k]);
			st_text_release(&t);
		}
		if (!have_same_keys((struct st_node *[]){j->tree[0], j->tree[i]}, 2))
			rc = st_err_add(j->e, ST_EXIT_USER, NULL, "cannot compare: '%s' and '%s' do not have the same sections",
			    j->v[0].label, j->v[i].label);
	}
	return rc;
}

static void make_axis(struct join *j)
{
	j->axis = (struct st_axis){.path = st_strdup("policy"), .is_labelled = true, .n = j->n, .place = j->tree[0]->place};
	j->axis.value = st_calloc(j->n, sizeof *j->axis.value);
	for (size_t i = 0; i < j->n; i++)
		j->axis.value[i] = (struct st_axis_value){
		    .label = st_strdup(j->v[i].label), .written = st_tree_node(ST_NODE_MAP, &j->tree[i]->place)};
	find_differences(j, "", j->tree);
}

/* The joined tree and its axis in the place of what the scenario had. */
static void replace(struct st_scenario *s, struct st_node *tree, const struct st_axis *axis)
{
	const struct st_node *title = st_tree_get(s->tree, "title");

	if (title)
		st_tree_put(tree, "title", st_tree_copy(title));
	st_tree_free(s->tree);
	for (size_t i = 0; i < s->naxes; i++)
		st_axis_release(&s->axis[i]);
	for (size_t i = 0; i < s->nexpect; i++)
		st_expect_release(&s->expect[i]);
	free(s->drawn);
	s->tree = tree;
	s->axis = st_realloc(s->axis, 1, sizeof *s->axis);
	s->axis[0] = *axis;
	s->naxes = 1;
	s->drawn = NULL;
	s->sample = s->nexpect = 0;
}

int st_variants_join(struct st_scenario *first, const struct st_variant *v, size_t n, struct st_err *e)
{
	struct join j = {.v = v, .tree = st_calloc(n, sizeof *j.tree), .n = n, .e = e};
	int rc = 0;

	for (size_t i = 0; i < n && rc == 0; i++)
		rc = (j.tree[i] = resolved(v[i].scenario, first, e)) ? 0 : -1;
	if (rc == 0)
		rc = check_same(&j);
	if (rc == 0) {
		make_axis(&j);
		replace(first, j.tree[0], &j.axis);
	}
	for (size_t i = rc == 0; i < n; i++)
		st_tree_free(j.tree[i]);
	free(j.tree);
	return rc;
}
