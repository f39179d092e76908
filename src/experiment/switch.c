#include <config.h>

#include "experiment/switch.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

/* The path that is this one in full, or NULL. */
static const struct st_path *find(const struct st_paths *p, const char *name)
{
	for (size_t i = 0; i < p->n; i++)
		if (strcmp(p->at[i].name, name) == 0)
			return &p->at[i];
	return NULL;
}

/* "clients.fleet.retry.budget" of "clients.fleet.retry.budget.rate", to be freed. */
static char *mapping_of(const char *path)
{
	const char *dot = strrchr(path, '.');

	return st_strndup(path, dot ? (size_t)(dot - path) : 0);
}

bool st_switch_has(const struct st_paths *p, const char *path)
{
	char *mapping = mapping_of(path), *kind = st_format("%s.kind", mapping);
	const struct st_path *of = find(p, kind);
	bool has = of && of->param && of->param->choices && st_choice_find(of->param->choices, "off", NULL) >= 0;

	free(mapping);
	free(kind);
	return has;
}

/* As the scenario is when all is said that it leaves to defaults and presets. */
static bool is_off(const struct st_scenario *s, const char *mapping)
{
	struct st_err e = ST_ERR_INIT;
	struct st_mistakes m = ST_MISTAKES_INIT;
	struct st_text t = ST_TEXT_INIT;
	struct st_config c;
	bool off = false;

	if (st_scenario_resolve(s->tree, &c, &e) == 0) {
		st_scenario_print(&c, NULL, &t);
		struct st_node *tree = st_tree_parse(t.s, "", &m);
		const struct st_node *n = st_path_get(tree, mapping);

		off = n && n->kind == ST_NODE_SCALAR && strcmp(n->text, "off") == 0;
		st_tree_free(tree);
	}
	st_config_release(&c);
	st_text_release(&t);
	st_err_release(&e);
	return off;
}

/* "a, b or c" of "a b c" */
static void add_words(struct st_text *t, const char *words)
{
	while (*words) {
		size_t n = strcspn(words, " ");

		st_text_addn(t, words, n);
		words += n + (words[n] == ' ');
		st_text_add(t, !*words ? "" : strchr(words, ' ') ? ", " : " or ");
	}
}

static int tell_kinds(const char *path, const char *mapping, const struct st_param *param, const struct st_place *place,
    struct st_mistakes *m)
{
	struct st_text t = ST_TEXT_INIT;

	add_words(&t, param->kinds);
	st_mistakes_add(m, place, "%s: %s is off, and '%s' belongs to %s: say which with --set %s.kind=%.*s", path, mapping,
	    st_text_last_part(path), t.s, mapping, (int)strcspn(param->kinds, " "), param->kinds);
	st_text_release(&t);
	return -1;
}

int st_switch_on(struct st_scenario *s, const struct st_paths *p, const char *path, const struct st_node *value, char **kind,
    struct st_mistakes *m)
{
	const struct st_path *of = find(p, path);
	char *mapping = mapping_of(path);
	int rc = 0;

	*kind = NULL;
	if (of && of->param && of->param->kinds && !of->param->kinds_of && st_switch_has(p, path) && is_off(s, mapping)) {
		if (strchr(of->param->kinds, ' ')) {
			rc = tell_kinds(path, mapping, of->param, &value->place, m);
		} else {
			struct st_node *on = st_tree_node(ST_NODE_MAP, &value->place);

			st_tree_append(on, st_strdup("kind"), &value->place, st_tree_scalar(of->param->kinds, &value->place));
			st_tree_append(on, st_strdup(st_text_last_part(path)), &value->place, st_tree_copy(value));
			rc = st_path_put(s->tree, mapping, on, m);
			*kind = st_strdup(of->param->kinds);
		}
	}
	free(mapping);
	return rc;
}
