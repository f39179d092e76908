#include <config.h>

#include "experiment/axis.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "experiment/aim.h"
#include "experiment/label.h"
#include "experiment/range.h"

void st_axis_value_release(struct st_axis_value *v)
{
	free(v->label);
	st_tree_free(v->written);
	free(v->set);
}

void st_axis_release(struct st_axis *a)
{
	free(a->path);
	for (size_t i = 0; i < a->ntargets; i++)
		free(a->target[i]);
	free(a->target);
	for (size_t i = 0; i < a->n; i++)
		st_axis_value_release(&a->value[i]);
	free(a->value);
	free(a->interval);
	free(a->drawn_from);
	*a = (struct st_axis){.path = NULL};
}

/* Append an item, or the values of the range that it is. 0, or -1 with a mistake. */
static int expand(const char *path, const struct st_node *item, struct st_node *to, struct st_mistakes *m)
{
	struct st_range r;

	if (item->kind != ST_NODE_SCALAR || !st_range_is(item->text)) {
		st_tree_append(to, NULL, NULL, st_tree_copy(item));
		return 0;
	}
	if (st_range_read(item->text, path, &item->place, &r, m) < 0)
		return -1;
	if (r.is_interval)
		return st_mistakes_add(m, &item->place, "%s: '%s' has no step, so it stands alone, not among other values", path,
		    item->text);
	for (size_t i = 0; i < r.n; i++) {
		struct st_text t = ST_TEXT_INIT;

		st_range_value(&r, i, &t);
		st_tree_append(to, NULL, NULL, st_tree_scalar(t.s, &item->place));
		st_text_release(&t);
	}
	return 0;
}

/* The list with its ranges written out, to be freed; a range may stand alone. NULL with mistakes. */
static struct st_node *expand_all(const char *path, const struct st_node *values, struct st_mistakes *m)
{
	struct st_node *list = st_tree_node(ST_NODE_LIST, &values->place);
	int rc = values->kind == ST_NODE_SCALAR ? expand(path, values, list, m) : 0;

	for (size_t i = 0; i < values->n; i++)
		rc |= expand(path, values->child[i], list, m);
	if (rc == 0)
		return list;
	st_tree_free(list);
	return NULL;
}

/* The lone range without a step that values are, or NULL. */
static const struct st_node *lone_interval(const struct st_node *values)
{
	const struct st_node *lone = values->kind == ST_NODE_LIST && values->n == 1 ? values->child[0] : values;
	bool is_range = lone->kind == ST_NODE_SCALAR && st_range_is(lone->text);

	return is_range && !strstr(lone->text, " step ") && !strstr(lone->text, " by ") ? lone : NULL;
}

static int add_interval(struct st_axis *a, const struct st_paths *p, const struct st_node *interval, struct st_mistakes *m)
{
	size_t *at, n = st_aim(a, p, a->path, &a->place, &at, m);
	struct st_range r;
	int rc = st_range_read(interval->text, a->path, &interval->place, &r, m);

	free(at);
	if (rc < 0 || n == 0)
		return -1;
	if (a->is_whole && r.decimals > 0)
		return st_mistakes_add(m, &interval->place, "%s: the ends of '%s' must be whole numbers", a->path, interval->text);
	a->interval = st_malloc(sizeof r);
	*a->interval = r;
	a->drawn_from = st_strdup(interval->text);
	return 0;
}

void st_axis_put_value(struct st_axis *a, const struct st_node *value, const size_t *at, size_t n)
{
	struct st_text t = ST_TEXT_INIT;

	a->value = st_realloc(a->value, a->n + 1, sizeof *a->value);
	struct st_axis_value *v = &a->value[a->n++];
	*v = (struct st_axis_value){.written = st_tree_copy(value)};
	if (value->kind == ST_NODE_SCALAR)
		st_text_add(&t, value->text);
	else
		st_tree_print(value, &t);
	v->label = t.s;
	st_aim_set(v, at, n, v->written);
}

/* A list of values of one parameter. */
static int add_list(struct st_axis *a, const struct st_paths *p, const struct st_node *values, struct st_mistakes *m)
{
	size_t *at, n = st_aim(a, p, a->path, &a->place, &at, m);
	struct st_node *list = expand_all(a->path, values, m);
	int rc = n > 0 && list ? 0 : -1;

	if (list && list->n == 0)
		rc = st_mistakes_add(m, &values->place, "%s: the axis has no values", a->path);
	for (size_t i = 0; rc == 0 && i < list->n; i++)
		st_axis_put_value(a, list->child[i], at, n);
	free(at);
	st_tree_free(list);
	return rc;
}

/* One axis; values is what stands behind its path. With `replace`, one with the same targets makes room for it. */
static void add_axis(struct st_scenario *s, const struct st_paths *p, const char *path, const struct st_place *place,
    const struct st_node *values, bool replace, struct st_mistakes *m)
{
	struct st_axis a = {.path = st_strdup(path), .place = *place};
	struct st_axis *to = NULL;
	char buf[64];
	const struct st_node *interval = lone_interval(values);
	int rc;

	if (interval)
		rc = add_interval(&a, p, interval, m);
	else if (values->kind == ST_NODE_LIST || (values->kind == ST_NODE_SCALAR && st_range_is(values->text)))
		rc = add_list(&a, p, values, m);
	else if (values->kind == ST_NODE_MAP)
		rc = st_label_read(&a, p, values, m);
	else
		rc = st_mistakes_add(m, &values->place,
		    "%s: an axis expects a list of values, a range such as 10..100 step 10, or labels for settings; got %s", path,
		    st_tree_what(values, buf));
	for (size_t i = 0; rc == 0 && i < s->naxes; i++) {
		if (replace && st_aim_same(&s->axis[i], &a))
			to = &s->axis[i];
		else
			rc = st_aim_clash_axes(&a, &s->axis[i], m);
	}
	if (rc < 0) {
		st_axis_release(&a);
		return;
	}
	if (to) {
		st_axis_release(to);
	} else {
		s->axis = st_realloc(s->axis, s->naxes + 1, sizeof *s->axis);
		to = &s->axis[s->naxes++];
	}
	*to = a;
}

void st_axis_add_map(struct st_scenario *s, const struct st_paths *p, const struct st_node *axes, struct st_mistakes *m)
{
	char buf[64];

	if (!axes || (axes->kind == ST_NODE_SCALAR && !*axes->text))
		return;
	if (axes->kind != ST_NODE_MAP) {
		st_mistakes_add(m, &axes->place, "sweep.axes: expects a mapping of paths to lists of values or ranges, or of names to labels; got %s",
		    st_tree_what(axes, buf));
		return;
	}
	for (size_t i = 0; i < axes->n; i++)
		add_axis(s, p, axes->key[i], &axes->key_place[i], axes->child[i], false, m);
}

bool st_axis_split(const char *option, const char *text, char **path, char **value, char **what, struct st_mistakes *m)
{
	const char *equals = strchr(text, '=');
	bool good = equals && equals > text;

	*what = st_format("%s %s", option, text);
	*path = st_strndup(text, good ? (size_t)(equals - text) : 0);
	*value = st_strdup(good ? equals + 1 : "");
	if (!good)
		st_mistakes_add(m, &(struct st_place){option, 0, 0}, "expects %s; got '%s'",
		    strcmp(option, "--set") == 0 ? "PATH=VALUE" : "PATH=VALUE,VALUE", text);
	return good;
}

/* The values "a,b" or "[a, b]" as a list. "[a],[b]" is two lists: so the brackets are put around it all first. */
static struct st_node *read_values(const char *text, const char *what, struct st_mistakes *m)
{
	char *bracketed = st_format("[%s]", text);
	struct st_node *list = st_tree_parse(bracketed, what, m);

	if (list && list->kind == ST_NODE_LIST && list->n == 1 && list->child[0]->kind == ST_NODE_LIST) {
		struct st_node *inner = list->child[0];

		list->n = 0;
		st_tree_free(list);
		list = inner;
	}
	free(bracketed);
	return list;
}

/* The axis of labels that has this name, or NULL. */
static struct st_axis *find_labelled(struct st_scenario *s, const char *name)
{
	for (size_t i = 0; i < s->naxes; i++)
		if (s->axis[i].is_labelled && strcmp(s->axis[i].path, name) == 0)
			return &s->axis[i];
	return NULL;
}

void st_axis_add_text(struct st_scenario *s, const struct st_paths *p, const char *text, struct st_mistakes *m)
{
	char *path, *value, *what;

	if (st_axis_split("--axis", text, &path, &value, &what, m)) {
		struct st_node *values = read_values(value, what, m);
		struct st_axis *labelled = find_labelled(s, path);

		if (values && labelled)
			st_label_choose(labelled, values, m);
		else if (values)
			add_axis(s, p, path, &values->place, values, true, m);
		st_tree_free(values);
	}
	free(path);
	free(value);
	free(what);
}
