#include <config.h>

#include "experiment/space.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "experiment/aim.h"
#include "experiment/axis.h"
#include "experiment/label.h"
#include "experiment/range.h"
#include "experiment/switch.h"

static const struct st_place place = {"--over", 0, 0};

/* One axis as it was written. */
struct written {
	char *path;
	struct st_node *values; /* a list; of none where the path stands alone */
};

struct reader {
	struct st_scenario *s;
	struct st_paths paths;
	struct st_mistakes *m;
	struct written *at;
	size_t n;
};

/* Splitting the text */

static struct st_axis *labelled(const struct st_scenario *s, const char *name)
{
	for (size_t i = 0; i < s->naxes; i++)
		if (s->axis[i].is_labelled && strcmp(s->axis[i].path, name) == 0)
			return &s->axis[i];
	return NULL;
}

/* The first parameter or mapping that a path names, without a word where it names none or several. */
static const struct st_path *find(const struct st_paths *p, const char *path)
{
	struct st_mistakes quiet = ST_MISTAKES_INIT;
	struct st_err e = ST_ERR_INIT;
	size_t *found, n = st_paths_find(p, path, &place, &found, &quiet);
	const struct st_path *first = n > 0 ? &p->at[found[0]] : NULL;

	free(found);
	st_mistakes_tell(&quiet, &e);
	st_err_release(&e);
	return first;
}

/* The path, or that of the backoff if it is only that which has the name; to be freed. */
static char *resolve(const struct reader *r, const char *path)
{
	char *backoff = st_format("backoff.%s", path);
	bool is_backoff = !find(&r->paths, path) && find(&r->paths, backoff);

	if (is_backoff)
		return backoff;
	free(backoff);
	return st_strdup(path);
}

/* Whether a parameter takes the word as a value. */
static bool takes(const struct st_param *param, const char *word)
{
	struct st_err e = ST_ERR_INIT;
	struct st_param one = *param;
	void *field = st_calloc(1, param->type->size);

	one.offset = 0;
	bool good = st_param_read_text(&one, word, NULL, field, &e) == 0;
	if (good)
		st_param_release(&one, field);
	free(field);
	st_err_release(&e);
	return good;
}

/* Whether a word is a value of the path before it. */
static bool is_value(const struct reader *r, const char *word)
{
	const struct st_path *p = r->n > 0 ? find(&r->paths, r->at[r->n - 1].path) : NULL;

	return p && p->param && takes(p->param, word);
}

/* Whether a word by itself is a path: else it is a value of the path before it. */
static bool stands_alone(const struct reader *r, const char *word)
{
	return labelled(r->s, word) || (st_paths_fit(&r->paths, word) && !is_value(r, word));
}

static void begin(struct reader *r, const char *path)
{
	r->at = st_realloc(r->at, r->n + 1, sizeof *r->at);
	r->at[r->n++] = (struct written){labelled(r->s, path) ? st_strdup(path) : resolve(r, path),
	    st_tree_node(ST_NODE_LIST, &place)};
}

static void add_value(struct reader *r, const char *value)
{
	char *bracketed = st_format("[%s]", value), *what = st_format("--over %s=%s", r->at[r->n - 1].path, value);
	struct st_node *list = st_tree_parse(bracketed, what, r->m);
	bool is_list = list && list->n == 1 && list->child[0]->kind == ST_NODE_LIST;

	for (const struct st_node *from = is_list ? list->child[0] : list; from; from = NULL)
		for (size_t i = 0; i < from->n; i++)
			st_tree_append(r->at[r->n - 1].values, NULL, NULL, st_tree_copy(from->child[i]));
	st_tree_free(list);
	free(bracketed);
	free(what);
}

static void read_piece(struct reader *r, char *piece)
{
	char *equals = piece + strcspn(piece, "=[{");

	if (*equals == '[' && equals > piece && strspn(equals + 1, "0123456789") > 0) /* an index: faults[0].at */
		equals += strcspn(equals, "={");
	if (*equals == '=' && equals > piece) {
		*equals = '\0';
		begin(r, piece);
		add_value(r, equals + 1);
	} else if (r->n == 0 || stands_alone(r, piece)) {
		begin(r, piece);
	} else {
		add_value(r, piece);
	}
}

/* Up to the comma that no bracket encloses, or to the end. */
static size_t piece_length(const char *s)
{
	int depth = 0;
	size_t n = 0;

	for (; s[n] && !(s[n] == ',' && depth <= 0); n++)
		depth += s[n] == '[' || s[n] == '{' ? 1 : s[n] == ']' || s[n] == '}' ? -1 : 0;
	return n;
}

static void split(struct reader *r, const char *text)
{
	while (*text) {
		size_t blanks = strspn(text, " "), n = piece_length(text + blanks);
		char *piece = st_strndup(text + blanks, n);

		for (size_t k = n; k > 0 && piece[k - 1] == ' '; k--)
			piece[k - 1] = '\0';
		if (*piece)
			read_piece(r, piece);
		else
			st_mistakes_add(r->m, &place, "'%s': a path or a value is missing before a comma", text);
		free(piece);
		text += blanks + n;
		text += *text == ',';
	}
}

/* Making axes of it */

/* The words of a table that can be written alone. */
static void list_words(const struct st_param *param, struct st_node *to)
{
	for (size_t i = 0; param->choices(i); i++)
		if (takes(param, param->choices(i)->name))
			st_tree_append(to, NULL, NULL, st_tree_scalar(param->choices(i)->name, &place));
}

/* Whether `off` is no value of the parameter itself, but of the mapping around it. */
static bool turns_off(const struct reader *r, const struct st_path *p, const struct st_node *value)
{
	if (value->kind != ST_NODE_SCALAR || strcmp(value->text, "off") != 0 || !p->param || p->param->choices ||
	    (p->param->word && strcmp(p->param->word, "off") == 0))
		return false;
	return st_switch_has(&r->paths, p->name);
}

/* Every mapping around what the axis names, off. */
static void add_off(struct reader *r, struct st_axis *a, const struct st_node *value, const size_t *at, size_t n)
{
	size_t all = 0, *around = st_calloc(n, sizeof *around);
	bool is_whole = a->is_whole;

	for (size_t i = 0; i < n; i++) {
		const char *name = a->target[at[i]];
		char *mapping = st_strndup(name, (size_t)(strrchr(name, '.') - name));
		size_t *one;

		if (st_aim(a, &r->paths, mapping, &place, &one, r->m) > 0)
			around[all++] = one[0];
		free(one);
		free(mapping);
	}
	st_axis_put_value(a, value, around, all);
	a->is_whole = is_whole;
	free(around);
}

static int add_range(struct st_space *sp, size_t axis, struct st_axis *a, const struct st_node *value, const size_t *at, size_t n,
    struct st_mistakes *m)
{
	struct st_range range;

	if (st_range_read(value->text, a->path, &place, &range, m) < 0)
		return -1;
	for (size_t i = 0; i < range.n; i++) {
		struct st_text t = ST_TEXT_INIT;

		st_range_value(&range, i, &t);
		struct st_node *node = st_tree_scalar(t.s, &place);
		st_axis_put_value(a, node, at, n);
		st_tree_free(node);
		st_text_release(&t);
	}
	if (!range.is_interval)
		return 0;
	if (a->is_whole && range.decimals > 0)
		return st_mistakes_add(m, &place, "%s: the ends of '%s' must be whole numbers", a->path, value->text);
	range.is_log = range.is_log || (strchr("tr", range.family) && range.low > 0);
	struct st_race_axis *to = &sp->axis[axis];
	sp->interval[axis] = st_realloc(sp->interval[axis], to->intervals + 1, sizeof *sp->interval[axis]);
	sp->interval[axis][to->intervals++] = range;
	return 0;
}

/* The first value of the parameter itself, to be freed; NULL if `off` is all that there is. */
static struct st_node *first_value(const struct st_space *sp, size_t axis, const struct st_axis *a)
{
	for (size_t i = 0; i < a->n; i++)
		if (a->value[i].set[0].target < sp->own[axis])
			return st_tree_copy(a->value[i].written);
	if (sp->axis[axis].intervals == 0)
		return NULL;
	struct st_text t = ST_TEXT_INIT;
	st_range_sample(&sp->interval[axis][0], 0, a->is_whole, &t);
	struct st_node *value = st_tree_scalar(t.s, &place);
	st_text_release(&t);
	return value;
}

/* Where what the axis sets lies in mappings that are off in the scenario, those are put on, so that values mean something. */
static int turn_on(struct reader *r, struct st_space *sp, size_t axis, const struct st_axis *a)
{
	struct st_node *value = first_value(sp, axis, a);
	int rc = 0;

	for (size_t i = 0; value && i < sp->own[axis]; i++) {
		char *kind;

		rc |= st_switch_on(r->s, &r->paths, a->target[i], value, &kind, r->m);
		if (!sp->kind[axis])
			sp->kind[axis] = kind;
		else
			free(kind);
	}
	st_tree_free(value);
	return rc;
}

static int add_values(struct reader *r, struct st_space *sp, size_t axis, struct st_axis *a, struct st_node *values)
{
	size_t *at, n = st_aim(a, &r->paths, a->path, &place, &at, r->m);
	const struct st_path *p = n > 0 ? find(&r->paths, a->path) : NULL;
	int rc = n > 0 ? 0 : -1;

	sp->own[axis] = n;
	if (rc == 0 && values->n == 0 && p->param && p->param->choices)
		list_words(p->param, values);
	if (rc == 0 && values->n == 0)
		rc = st_mistakes_add(r->m, &place, "%s: expects values, such as %s=50ms..2s or %s=a,b", a->path, a->path, a->path);
	for (size_t i = 0; n > 0 && i < values->n; i++) {
		const struct st_node *value = values->child[i];

		if (value->kind == ST_NODE_SCALAR && st_range_is(value->text))
			rc |= add_range(sp, axis, a, value, at, n, r->m);
		else if (turns_off(r, p, value))
			add_off(r, a, value, at, n);
		else
			st_axis_put_value(a, value, at, n);
	}
	free(at);
	return rc == 0 ? turn_on(r, sp, axis, a) : rc;
}

/* An axis with labels is the scenario's own, which gives it away. */
static int add_labels(struct reader *r, struct st_axis *own, struct st_axis *a, const struct st_node *values)
{
	size_t before = r->m->n;

	if (values->n > 0)
		st_label_choose(own, values, r->m);
	*a = *own;
	*own = (struct st_axis){.path = NULL};
	return r->m->n > before ? -1 : 0;
}

static int make_axes(struct reader *r, struct st_space *sp, struct st_axis *axis)
{
	int rc = 0;

	for (size_t i = 0; i < r->n; i++) {
		struct written *w = &r->at[i];
		struct st_axis *own = labelled(r->s, w->path);

		axis[i] = (struct st_axis){.path = NULL};
		if (own) {
			rc |= add_labels(r, own, &axis[i], w->values);
		} else {
			axis[i] = (struct st_axis){.path = st_strdup(w->path), .place = place};
			rc |= add_values(r, sp, i, &axis[i], w->values);
		}
		sp->axis[i].words = axis[i].n;
		for (size_t k = 0; rc == 0 && k < i; k++)
			rc = st_aim_clash_axes(&axis[i], &axis[k], r->m);
	}
	return rc;
}

static void drop_axes(struct st_scenario *s)
{
	for (size_t i = 0; i < s->naxes; i++)
		st_axis_release(&s->axis[i]);
	free(s->axis);
	free(s->drawn);
	s->axis = NULL;
	s->drawn = NULL;
	s->naxes = 0;
	s->sample = 0;
}

int st_space_read(struct st_space *sp, struct st_scenario *s, const char *const *over, size_t n, struct st_mistakes *m)
{
	struct reader r = {.s = s, .m = m};
	size_t before = m->n;

	*sp = (struct st_space){.scenario = s};
	st_paths_init(&r.paths, s->tree);
	for (size_t i = 0; i < n; i++)
		split(&r, over[i]);
	if (r.n == 0 || r.n > ST_RACE_DIMENSIONS)
		st_mistakes_add(m, &place, "expects from 1 to %d parameters to search over; there are %zu", ST_RACE_DIMENSIONS, r.n);
	struct st_axis *axis = st_calloc(r.n, sizeof *axis);
	sp->axis = st_calloc(r.n, sizeof *sp->axis);
	sp->interval = st_calloc(r.n, sizeof *sp->interval);
	sp->own = st_calloc(r.n, sizeof *sp->own);
	sp->kind = st_calloc(r.n, sizeof *sp->kind);
	if (m->n == before)
		make_axes(&r, sp, axis);
	drop_axes(s);
	s->axis = axis;
	s->naxes = r.n;
	s->drawn = st_calloc(1, sizeof *s->drawn);
	for (size_t i = 0; i < r.n; i++) {
		free(r.at[i].path);
		st_tree_free(r.at[i].values);
	}
	free(r.at);
	st_paths_release(&r.paths);
	return m->n > before ? -1 : 0;
}
