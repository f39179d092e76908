#include <config.h>

#include "experiment/space.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "experiment/axis.h"
#include "experiment/range.h"

static const char no_value[] = "-"; /* the label where none means anything */

void st_space_release(struct st_space *sp)
{
	for (size_t a = 0; sp->interval && a < sp->scenario->naxes; a++) {
		free(sp->interval[a]);
		free(sp->kind[a]);
	}
	free(sp->kind);
	free(sp->interval);
	free(sp->own);
	free(sp->axis);
	*sp = (struct st_space){.scenario = NULL};
}

/* Whether an axis's word at a point puts the mapping off that a path lies in. */
static bool puts_off(const struct st_space *sp, size_t axis, const struct st_race_at *at, const char *path)
{
	const struct st_axis *a = &sp->scenario->axis[axis];

	if (at->item >= sp->axis[axis].words)
		return false;
	for (size_t i = 0; i < a->value[at->item].nset; i++) {
		const struct st_axis_set *set = &a->value[at->item].set[i];
		const char *mapping = a->target[set->target];
		size_t n = strlen(mapping);

		if (set->value->kind == ST_NODE_SCALAR && strcmp(set->value->text, "off") == 0 && strncmp(path, mapping, n) == 0 && path[n] == '.')
			return true;
	}
	return false;
}

/* Whether all that an axis names lies in mappings that are off at a point: then its value there means nothing. */
static bool is_moot(const struct st_space *sp, size_t axis, const struct st_race_at *at)
{
	size_t moot = 0;

	for (size_t t = 0; t < sp->own[axis]; t++) {
		size_t a = 0;

		while (a < sp->scenario->naxes && (a == axis || !puts_off(sp, a, &at[a], sp->scenario->axis[axis].target[t])))
			a++;
		moot += a < sp->scenario->naxes;
	}
	return moot > 0 && moot == sp->own[axis];
}

static char *label_at(const struct st_space *sp, size_t axis, const struct st_race_at *at)
{
	const struct st_axis *a = &sp->scenario->axis[axis];
	struct st_text t = ST_TEXT_INIT;

	if (at->item < sp->axis[axis].words)
		return st_strdup(a->value[at->item].label);
	st_range_sample(&sp->interval[axis][at->item - sp->axis[axis].words], at->u, a->is_whole, &t);
	return t.s;
}

const char *st_space_label(const struct st_space *sp, size_t point, size_t axis)
{
	const struct st_scenario *s = sp->scenario;

	return s->axis[axis].value[s->drawn[point * s->naxes + axis]].label;
}

static bool is_there(const struct st_space *sp, char *const *label)
{
	const struct st_scenario *s = sp->scenario;

	for (size_t p = 0; p < s->sample; p++) {
		size_t a = 0;

		while (a < s->naxes && strcmp(st_space_label(sp, p, a), label[a]) == 0)
			a++;
		if (a == s->naxes)
			return true;
	}
	return false;
}

/* The axis's value that sets nothing. */
static size_t nothing_at(struct st_axis *a)
{
	size_t i = 0;

	while (i < a->n && a->value[i].nset > 0)
		i++;
	if (i < a->n)
		return i;
	struct st_node *node = st_tree_scalar(no_value, &a->place);
	st_axis_put_value(a, node, NULL, 0);
	st_tree_free(node);
	return i;
}

/* The index of the value on the axis: of a word the one it has, of an interval a new one. */
static size_t value_at(const struct st_space *sp, size_t axis, const struct st_race_at *at, const char *label)
{
	struct st_axis *a = &sp->scenario->axis[axis];

	if (at->item < sp->axis[axis].words)
		return at->item;
	struct st_node *node = st_tree_scalar(label, &a->place);
	size_t *own = st_calloc(sp->own[axis], sizeof *own);
	for (size_t t = 0; t < sp->own[axis]; t++)
		own[t] = t;
	st_axis_put_value(a, node, own, sp->own[axis]);
	st_tree_free(node);
	free(own);
	return a->n - 1;
}

bool st_space_add(struct st_space *sp, const struct st_race_at *at)
{
	struct st_scenario *s = sp->scenario;
	char **label = st_calloc(s->naxes, sizeof *label);

	for (size_t a = 0; a < s->naxes; a++)
		label[a] = is_moot(sp, a, at) ? st_strdup(no_value) : label_at(sp, a, &at[a]);
	bool is_new = !is_there(sp, label);
	if (is_new) {
		s->drawn = st_realloc(s->drawn, (s->sample + 1) * s->naxes, sizeof *s->drawn);
		for (size_t a = 0; a < s->naxes; a++)
			s->drawn[s->sample * s->naxes + a] =
			    strcmp(label[a], no_value) == 0 ? nothing_at(&s->axis[a]) : value_at(sp, a, &at[a], label[a]);
		s->sample++;
	}
	for (size_t a = 0; a < s->naxes; a++)
		free(label[a]);
	free(label);
	return is_new;
}

static void add_setting(const char *path, const char *value, struct st_text *out)
{
	char *setting = st_format("%s=%s", path, value);

	st_text_addf(out, "%s--set ", out->len > 0 ? " " : "");
	st_text_add_word(out, setting);
	free(setting);
}

/* The kinds that the mappings around an axis's parameter have by it. */
static void add_kind(const struct st_space *sp, size_t axis, struct st_text *out)
{
	const struct st_axis *a = &sp->scenario->axis[axis];
	bool is_short = strchr(a->path, '.') != NULL; /* "budget.rate": then "budget.kind" is as clear */

	for (size_t i = 0; i < (is_short ? 1 : sp->own[axis]); i++) {
		const char *path = is_short ? a->path : a->target[i];
		char *kind = st_format("%.*s.kind", (int)(strrchr(path, '.') - path), path);

		add_setting(kind, sp->kind[axis], out);
		free(kind);
	}
}

void st_space_print(const struct st_space *sp, size_t point, struct st_text *out)
{
	const struct st_scenario *s = sp->scenario;

	for (size_t i = 0; i < s->naxes; i++) {
		const struct st_axis *a = &s->axis[i];
		const struct st_axis_value *v = &a->value[s->drawn[point * s->naxes + i]];
		bool is_own = !a->is_labelled && v->nset > 0 && v->set[0].target < sp->own[i];

		if (is_own && sp->kind[i])
			add_kind(sp, i, out);
		if (is_own)
			add_setting(a->path, v->label, out);
		for (size_t k = 0; !is_own && k < v->nset; k++) {
			struct st_text t = ST_TEXT_INIT;

			st_tree_print(v->set[k].value, &t);
			add_setting(a->target[v->set[k].target], t.s, out);
			st_text_release(&t);
		}
	}
}

void st_space_say(const struct st_space *sp, size_t axis, struct st_text *out)
{
	const struct st_axis *a = &sp->scenario->axis[axis];
	size_t n = sp->own[axis];

	if (a->is_labelled || (n == 1 && strcmp(a->path, a->target[0]) == 0))
		return;
	st_text_addf(out, "%s is", a->path);
	for (size_t t = 0; t < n; t++)
		st_text_addf(out, "%s%s", t == 0 ? " " : t + 1 == n ? " and " : ", ", a->target[t]);
	if (sp->kind[axis])
		st_text_addf(out, ", of kind %s: the scenario has it off", sp->kind[axis]);
}
