#include <config.h>

#include "experiment/expect.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/param.h"
#include "experiment/part.h"

static const struct {
	const char *sign;
	enum st_relation relation;
} relations[] = {
    {"<=", ST_RELATION_AT_MOST},
    {">=", ST_RELATION_AT_LEAST},
    {"==", ST_RELATION_EQUAL},
    {"<", ST_RELATION_BELOW},
    {">", ST_RELATION_ABOVE},
};

/* --- reading --- */

/* A text being read. */
struct reader {
	const char *text;
	const struct st_place *place; /* of the text */
	struct st_mistakes *m;
};

static struct st_place place_of(const struct reader *r, const char *at)
{
	struct st_place p = *r->place;

	if (p.column > 0)
		p.column += (int)(at - r->text);
	return p;
}

/* The figure nearest to a name, by its full name or the one without the unit; NULL if none is near. */
static const char *nearest_figure(const char *name)
{
	static _Thread_local char found[64];
	size_t n = st_figure_count();
	char (*shorts)[64] = st_calloc(n, sizeof *shorts);
	const char **words = st_calloc(2 * n, sizeof *words);

	for (size_t i = 0; i < n; i++) {
		words[i] = st_figure_short(st_figure_at(i), shorts[i]);
		words[n + i] = st_figure_at(i)->name;
	}
	const char *near = st_text_nearest(name, words, 2 * n);
	if (near)
		snprintf(found, sizeof found, "%s", near);
	free(words);
	free(shorts);
	return near ? found : NULL;
}

static int no_figure(const struct reader *r, const char *at, const char *name, const char *group)
{
	struct st_place p = place_of(r, at);
	const char *near = nearest_figure(name);

	if (near && group)
		return st_mistakes_add(
		    r->m, &p, "expect: no figure is named '%s'; did you mean '%s.%s'?", name, group, near);
	if (near)
		return st_mistakes_add(r->m, &p, "expect: no figure is named '%s'; did you mean '%s'?", name, near);
	return st_mistakes_add(r->m, &p, "expect: no figure is named '%s'; summary.json has them all", name);
}

/* "GROUP.FIGURE" of a group that there is. Names may hold dots; the first that fits in full is it. NULL: of no group. */
static const char *in_group(const char *name, const char *const *group, size_t ngroups, const char **figure)
{
	const char *owner = NULL;

	for (size_t g = 0; g < ngroups; g++) {
		size_t n = strlen(group[g]);

		if (strncmp(name, group[g], n) != 0 || name[n] != '.')
			continue;
		if (!owner || st_figure_find(name + n + 1) >= 0) {
			owner = group[g];
			*figure = name + n + 1;
		}
	}
	return owner;
}

/* What no figure and no group explains: a group misspelt before a figure, or a figure misspelt. */
static int unknown(const struct reader *r, const char *at, const char *name, const char *const *group, size_t ngroups)
{
	for (const char *dot = strchr(name, '.'); dot; dot = strchr(dot + 1, '.')) {
		if (st_figure_find(dot + 1) < 0)
			continue;
		char *wrong = st_strndup(name, (size_t)(dot - name));
		const char *near = st_text_nearest(wrong, group, ngroups);
		struct st_place p = place_of(r, at);

		st_mistakes_add(r->m, &p, near ? "expect: no group is named '%s'; did you mean '%s'?" : "expect: no group is named '%s'",
		    wrong, near);
		free(wrong);
		return -1;
	}
	return no_figure(r, at, name, NULL);
}

static int read_figure(
    const struct reader *r, const char *at, const char *name, const char *const *group, size_t ngroups, struct st_expect *x)
{
	const char *figure = name, *owner = NULL;
	int i = st_figure_find(name);

	if (i < 0) {
		owner = in_group(name, group, ngroups, &figure);
		i = owner ? st_figure_find(figure) : -1;
		if (i < 0)
			return owner ? no_figure(r, at + (figure - name), figure, owner) : unknown(r, at, name, group, ngroups);
	}
	if (owner && !(st_figure_at((size_t)i)->scope & ST_SCOPE_GROUP)) {
		struct st_place p = place_of(r, at);

		return st_mistakes_add(r->m, &p, "expect: '%s' is a figure of the whole run, not of a group", figure);
	}
	x->figure = (size_t)i;
	x->group = owner ? st_strdup(owner) : NULL;
	return 0;
}

/* In the notation of the figure's unit. */
static int read_value(const struct reader *r, const char *at, const char *name, struct st_expect *x)
{
	const struct st_figure *f = st_figure_at(x->figure);
	bool is_time = strcmp(f->unit, "s") == 0, is_rate = strcmp(f->unit, "1/s") == 0;
	const struct st_param row = {.word = "never",
	    .type = is_time                     ? &st_param_time
		    : is_rate                   ? &st_param_rate
		    : f->scope & ST_SCOPE_SHARE ? &st_param_share
						: &st_param_number};
	struct st_place p = place_of(r, at);
	char *value = st_strdup(at);
	for (size_t i = strlen(value); i > 0 && value[i - 1] == ' '; i--)
		value[i - 1] = '\0';
	struct st_node *n = st_tree_scalar(value, &p);
	char *path = st_format("expect: %s", name);
	st_time t = 0;
	int rc = st_part_value(&row, path, n, p.file, is_time ? (void *)&t : (void *)&x->value, r->m);

	if (is_time)
		x->value = t == ST_NEVER ? (double)INFINITY : st_time_to_s(t);
	free(path);
	free(value);
	st_tree_free(n);
	return rc;
}

/* The relation at the front of s, and what follows it; NULL if there is none. */
static const char *read_relation(const char *s, enum st_relation *relation)
{
	for (size_t i = 0; i < sizeof relations / sizeof *relations; i++) {
		size_t n = strlen(relations[i].sign);

		if (strncmp(s, relations[i].sign, n) == 0) {
			*relation = relations[i].relation;
			return s + n;
		}
	}
	return NULL;
}

int st_expect_read(const char *text, const struct st_place *place, const char *const *group, size_t ngroups, struct st_expect *x,
    struct st_mistakes *m)
{
	const struct reader r = {text, place, m};
	const char *at = text + strspn(text, " "), *sign = at + strcspn(at, "<>=! "), *end = sign;

	while (sign[strspn(sign, " ")] != '\0' && !strchr("<>=!", sign[strspn(sign, " ")])) {
		sign += strspn(sign, " ");
		sign += strcspn(sign, "<>=! ");
		end = sign; /* a name with a blank in it is no name, and told as it is */
	}
	sign += strspn(sign, " ");
	char *name = st_strndup(at, (size_t)(end - at));
	*x = (struct st_expect){.text = st_strdup(text)};
	const char *value = read_relation(sign, &x->relation);
	struct st_place p = place_of(&r, *name && *sign ? sign : at);
	int rc = *name && *sign ? read_figure(&r, at, name, group, ngroups, x) : -1;

	if (!*name || !*sign)
		st_mistakes_add(m, &p, "expect: '%s' is no figure, relation and value, such as 'recovery_time <= 60s'", text);
	else if (!value || *value == '=' || *value == '<' || *value == '>')
		rc = st_mistakes_add(m, &p, "expect: %s: expects one of <=, <, >=, >, == and a value; got '%s'", name, sign);
	else if (rc == 0)
		rc = read_value(&r, value + strspn(value, " "), name, x);
	free(name);
	if (rc < 0)
		st_expect_release(x);
	return rc;
}

void st_expect_release(struct st_expect *x)
{
	free(x->text);
	free(x->group);
	*x = (struct st_expect){.text = NULL};
}

/* --- looking at results --- */

double st_expect_value(const struct st_expect *x, const struct st_result *r)
{
	if (!x->group)
		return r->figure[x->figure];
	for (size_t g = 0; g < r->ngroups; g++)
		if (strcmp(r->group[g].name, x->group) == 0)
			return r->group[g].figure[x->figure];
	return (double)NAN;
}

double st_expect_mean(const struct st_expect *x, const struct st_sweep_result *r, size_t point)
{
	const struct st_sweep_point *p = &r->point[point];
	size_t group = ST_ALL_GROUPS; /* the only group is the whole */

	for (size_t g = 0; x->group && g < r->ngroups; g++)
		if (strcmp(r->group[g].name, x->group) == 0)
			group = g;
	const double *value = st_sweep_values(p, group, x->figure);
	for (size_t i = 0; i < p->n; i++)
		if (isinf(value[i]))
			return (double)INFINITY;
	return st_estimate_mean(value, p->n).mean;
}

/* With no number every comparison is false. */
bool st_expect_holds(const struct st_expect *x, double value)
{
	switch (x->relation) {
	case ST_RELATION_AT_MOST:
		return value <= x->value && !isinf(value);
	case ST_RELATION_BELOW:
		return value < x->value;
	case ST_RELATION_AT_LEAST:
		return value >= x->value;
	case ST_RELATION_ABOVE:
		return value > x->value;
	default:
		return value == x->value;
	}
}

void st_expect_print_value(const struct st_expect *x, double value, struct st_text *out)
{
	const struct st_figure *f = st_figure_at(x->figure);
	double scale = f->scope & ST_SCOPE_SHARE ? 100 : 1;
	char buf[40] = "";

	if (!isfinite(value)) {
		st_text_add(out, isnan(value) ? "absent" : "never");
		return;
	}
	for (int digits = 3; digits <= 17; digits++) {
		double bound = x->value * scale;

		snprintf(buf, sizeof buf, "%.*g", digits, value * scale);
		double shown = strtod(buf, NULL);
		if ((shown < bound) == (value < x->value) && (shown > bound) == (value > x->value))
			break;
	}
	st_text_addf(out, "%s%s", buf, scale > 1 ? " %" : strcmp(f->unit, "s") == 0 ? " s" : strcmp(f->unit, "1/s") == 0 ? "/s" : "");
}
