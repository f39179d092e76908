#include <config.h>

#include "experiment/axis.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

void st_axis_release(struct st_axis *a)
{
	free(a->path);
	for (size_t i = 0; i < a->ntargets; i++)
		free(a->target[i]);
	free(a->target);
	for (size_t i = 0; i < a->n; i++) {
		st_tree_free(a->value[i]);
		free(a->label[i]);
	}
	free(a->value);
	free(a->label);
	*a = (struct st_axis){.path = NULL};
}

static bool same_targets(const struct st_axis *a, const struct st_axis *b)
{
	bool same = a->ntargets == b->ntargets;

	for (size_t i = 0; same && i < a->ntargets; i++)
		same = strcmp(a->target[i], b->target[i]) == 0;
	return same;
}

static bool share_target(const struct st_axis *a, const struct st_axis *b, const char **which)
{
	for (size_t i = 0; i < a->ntargets; i++) {
		for (size_t k = 0; k < b->ntargets; k++) {
			if (strcmp(a->target[i], b->target[k]) == 0) {
				*which = a->target[i];
				return true;
			}
		}
	}
	return false;
}

/* Whether a's value would replace all that b has set: b's target lies within a's. */
static bool covers_target(const struct st_axis *a, const struct st_axis *b, const char **which)
{
	for (size_t i = 0; i < a->ntargets; i++) {
		size_t n = strlen(a->target[i]);

		for (size_t k = 0; k < b->ntargets; k++) {
			if (strncmp(a->target[i], b->target[k], n) == 0 && strchr(".[", b->target[k][n]) && b->target[k][n]) {
				*which = b->target[k];
				return true;
			}
		}
	}
	return false;
}

/* The paths the axis names; false with a mistake if it names none that can be swept. */
static bool aim(struct st_axis *a, const struct st_paths *p, struct st_mistakes *m)
{
	size_t *found, n = st_paths_find(p, a->path, &a->place, &found, m);
	bool good = n > 0;

	a->target = st_calloc(n + 1, sizeof *a->target);
	for (size_t i = 0; i < n; i++)
		a->target[a->ntargets++] = st_strdup(p->at[found[i]].name);
	if (n > 0 && (strncmp(a->target[0], "sweep", 5) == 0 || strcmp(a->target[0], "expect") == 0)) {
		st_mistakes_add(m, &a->place, "'%s' cannot be an axis", a->path);
		good = false;
	}
	free(found);
	return good;
}

static void add_value(struct st_axis *a, const struct st_node *value)
{
	struct st_text t = ST_TEXT_INIT;

	if (value->kind == ST_NODE_SCALAR)
		st_text_add(&t, value->text);
	else
		st_tree_print(value, &t);
	a->value[a->n] = st_tree_copy(value);
	a->label[a->n++] = t.s;
}

/* One axis; values is what stands behind its path. With `replace`, one with the same targets makes room for it. */
static void add_axis(struct st_scenario *s, const struct st_paths *p, const char *path, const struct st_place *place,
    const struct st_node *values, bool replace, struct st_mistakes *m)
{
	struct st_axis a = {.path = st_strdup(path), .place = *place};
	bool good = aim(&a, p, m);
	struct st_axis *to = NULL;
	const char *which;
	char buf[64];

	if (values->kind != ST_NODE_LIST)
		good = st_mistakes_add(m, &values->place, "%s: an axis expects a list of values; got %s", path,
		           st_tree_what(values, buf)) == 0;
	else if (values->n == 0)
		good = st_mistakes_add(m, &values->place, "%s: the axis has no values", path) == 0;
	for (size_t i = 0; good && i < s->naxes; i++) {
		if (replace && same_targets(&s->axis[i], &a))
			to = &s->axis[i];
		else if (share_target(&s->axis[i], &a, &which))
			good = st_mistakes_add(m, place, "%s: the axis '%s' sets %s already", path, s->axis[i].path,
			           which) == 0;
		else if (covers_target(&a, &s->axis[i], &which))
			good = st_mistakes_add(m, place, "%s: the axis would undo '%s', which sets %s before it; put it first",
			           path, s->axis[i].path, which) == 0;
	}
	if (!good) {
		st_axis_release(&a);
		return;
	}
	a.value = st_calloc(values->n, sizeof *a.value);
	a.label = st_calloc(values->n, sizeof *a.label);
	for (size_t i = 0; i < values->n; i++)
		add_value(&a, values->child[i]);
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
		st_mistakes_add(m, &axes->place, "sweep.axes: expects a mapping of paths to lists of values; got %s",
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

void st_axis_add_text(struct st_scenario *s, const struct st_paths *p, const char *text, struct st_mistakes *m)
{
	char *path, *value, *what;

	if (st_axis_split("--axis", text, &path, &value, &what, m)) {
		struct st_node *values = read_values(value, what, m);

		if (values)
			add_axis(s, p, path, &values->place, values, true, m);
		st_tree_free(values);
	}
	free(path);
	free(value);
	free(what);
}
