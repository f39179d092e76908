#include <config.h>

#include "experiment/label.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/mem.h"
#include "experiment/aim.h"
#include "experiment/axis.h"
#include "measure/summary.h"

/* The settings of one value, whose label is known. 0, or -1 with mistakes. */
static int add_settings(struct st_axis *a, const struct st_paths *p, struct st_axis_value *v, struct st_mistakes *m)
{
	const struct st_node *map = v->written;
	char *what = st_format("%s.%s", a->path, v->label), *name = st_format("the same value");
	int rc = 0;

	for (size_t i = 0; i < map->n; i++) {
		size_t *at, n = st_aim(a, p, map->key[i], &map->key_place[i], &at, m);

		rc = n == 0 ? -1 : rc;
		for (size_t k = 0; k < n; k++)
			for (size_t j = 0; j < v->nset; j++)
				rc |= st_aim_clash(what, &map->key_place[i], a->target[at[k]], a->target[v->set[j].target], name, m);
		st_aim_set(v, at, n, map->child[i]);
		free(at);
	}
	free(what);
	free(name);
	return rc;
}

/* The name is a column beside the figures, so it must be none of theirs. */
static int check_name(const struct st_axis *a, struct st_mistakes *m)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_";
	static const char *const others[] = {"point", "n", "replication", "clients", "generation", "runs", "rank", "fresh_runs", "bounds", "front"};
	bool taken = false;
	char column[64];

	if (!*a->path || a->path[strspn(a->path, letters)])
		return st_mistakes_add(m, &a->place,
		    "'%s': an axis whose values have labels has a name of its own, of letters, digits, '-' and '_', such as "
		    "policy; values of a parameter are a list", a->path);
	for (size_t i = 0; st_figure_at(i); i++)
		taken = taken || strcasecmp(a->path, st_figure_column(st_figure_at(i), column)) == 0;
	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		taken = taken || strcasecmp(a->path, others[i]) == 0;
	if (taken)
		return st_mistakes_add(m, &a->place, "'%s' is a column of the results already; choose another name for the axis",
		    a->path);
	return 0;
}

int st_label_read(struct st_axis *a, const struct st_paths *p, const struct st_node *values, struct st_mistakes *m)
{
	int rc = check_name(a, m);
	char buf[64];

	a->is_labelled = true;
	a->value = st_calloc(values->n, sizeof *a->value);
	for (size_t i = 0; i < values->n && rc == 0; i++) {
		const struct st_node *child = values->child[i];
		bool is_empty = child->kind == ST_NODE_SCALAR && !*child->text;
		struct st_axis_value *v = &a->value[a->n++];

		v->label = st_strdup(values->key[i]);
		v->written = is_empty ? st_tree_node(ST_NODE_MAP, &child->place) : st_tree_copy(child);
		if (!*v->label)
			rc = st_mistakes_add(m, &values->key_place[i], "%s: a label cannot be empty", a->path);
		else if (v->written->kind != ST_NODE_MAP)
			rc = st_mistakes_add(m, &child->place,
			    "%s.%s: a label stands for a mapping of paths to values, such as {fleet.retry.attempts: 4}; got %s",
			    a->path, v->label, st_tree_what(child, buf));
	}
	for (size_t i = 0; i < a->n && rc == 0; i++)
		rc |= add_settings(a, p, &a->value[i], m);
	if (values->n == 0)
		return st_mistakes_add(m, &values->place, "%s: the axis has no values", a->path);
	return rc;
}

/* The index of the label among the values that are not chosen yet, or -1 with a mistake. */
static int find_label(const struct st_axis *a, const struct st_node *label, const struct st_axis_value *chosen, size_t n,
    struct st_mistakes *m)
{
	char buf[64];

	if (label->kind != ST_NODE_SCALAR)
		return st_mistakes_add(m, &label->place, "%s: expects labels; got %s", a->path, st_tree_what(label, buf));
	for (size_t i = 0; i < n; i++)
		if (strcmp(chosen[i].label, label->text) == 0)
			return st_mistakes_add(m, &label->place, "%s: '%s' is named twice", a->path, label->text);
	const char **known = st_calloc(a->n, sizeof *known);
	size_t nknown = 0;
	int found = -1;

	for (size_t i = 0; i < a->n; i++) {
		if (a->value[i].label)
			known[nknown++] = a->value[i].label;
		if (a->value[i].label && strcmp(a->value[i].label, label->text) == 0)
			found = (int)i;
	}
	const char *near = st_text_nearest(label->text, known, nknown);
	if (found < 0)
		st_mistakes_add(m, &label->place, "%s: the axis has no label '%s'%s%s%s", a->path, label->text,
		    near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
	free(known);
	return found;
}

void st_label_choose(struct st_axis *a, const struct st_node *labels, struct st_mistakes *m)
{
	struct st_axis_value *chosen = st_calloc(labels->n, sizeof *chosen);
	size_t n = 0;

	if (labels->n == 0)
		st_mistakes_add(m, &labels->place, "%s: the axis has no values", a->path);
	for (size_t i = 0; i < labels->n; i++) {
		int at = find_label(a, labels->child[i], chosen, n, m);

		if (at < 0)
			continue;
		chosen[n++] = a->value[at];
		a->value[at] = (struct st_axis_value){.label = NULL};
	}
	for (size_t i = 0; i < a->n; i++)
		st_axis_value_release(&a->value[i]);
	free(a->value);
	a->value = chosen;
	a->n = n;
	a->place = labels->place; /* that are now the axis's */
}
