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
#include "experiment/subject.h"

enum { NAMES_SHOWN = 10 };

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
	const struct st_expect_names *names;
	const char *about; /* whose mistakes they are, in front of them: "expect: ", or "" where the place tells */
	struct st_mistakes *m;
};

static struct st_place place_of(const struct reader *r, const char *at)
{
	return st_place_within(r->place, (size_t)(at - r->text));
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

/* subject: whose figure was asked for, or NULL. */
static int no_figure(const struct reader *r, const char *at, const char *name, const char *subject)
{
	struct st_place p = place_of(r, at);
	const char *near = nearest_figure(name);

	if (near && subject)
		return st_mistakes_add(
		    r->m, &p, "%sno figure is named '%s'; did you mean '%s.%s'?", r->about, name, subject, near);
	if (near)
		return st_mistakes_add(r->m, &p, "%sno figure is named '%s'; did you mean '%s'?", r->about, name, near);
	return st_mistakes_add(r->m, &p, "%sno figure is named '%s'; 'stampede figures' lists them", r->about, name);
}

/* "NAME.FIGURE" of a group or service that there is; no name has a dot. NULL: of none. */
static const struct st_subject *find_subject(const char *name, const struct st_expect_names *names, const char **figure)
{
	size_t n = strcspn(name, ".");

	*figure = name + n + (name[n] == '.');
	for (size_t i = 0; i < names->nsubjects && name[n]; i++)
		if (strlen(names->subject[i].name) == n && strncmp(name, names->subject[i].name, n) == 0)
			return &names->subject[i];
	return NULL;
}

static const char *nearest_subject(const char *name, const struct st_expect_names *names)
{
	const char **words = st_calloc(names->nsubjects, sizeof *words);

	for (size_t i = 0; i < names->nsubjects; i++)
		words[i] = names->subject[i].name;
	const char *near = st_text_nearest(name, words, names->nsubjects);
	free(words);
	return near;
}

static size_t count_services(const struct st_expect_names *names)
{
	size_t n = 0;

	for (size_t i = 0; i < names->nsubjects; i++)
		n += names->subject[i].scope == ST_SCOPE_SERVICE;
	return n;
}

/* A name misspelt before a figure. */
static int no_subject(const struct reader *r, const char *at, const char *name)
{
	const char *near = nearest_subject(name, r->names), *kind = count_services(r->names) > 0 ? "group or service" : "group";
	struct st_place p = place_of(r, at);
	struct st_text known = ST_TEXT_INIT;
	size_t n = r->names->nsubjects;

	for (size_t i = 0; i < n && i < NAMES_SHOWN; i++)
		st_text_addf(&known, "%s%s", i > 0 ? ", " : "", r->names->subject[i].name);
	if (near)
		st_mistakes_add(r->m, &p, "%sno %s is named '%s'; did you mean '%s'?", r->about, kind, name, near);
	else
		st_mistakes_add(r->m, &p, "%sno %s is named '%s'; the names there are %s%s", r->about, kind, name, n > 0 ? known.s : "none",
		    n > NAMES_SHOWN ? ", ..." : "");
	st_text_release(&known);
	return -1;
}

/* What no figure and no subject explains: a name misspelt before a figure, a figure misspelt, or both. */
static int unknown(const struct reader *r, const char *at, const char *name)
{
	const char *dot = strchr(name, '.'), *figure = dot && !nearest_figure(name) ? nearest_figure(dot + 1) : NULL;
	char *subject = st_strndup(name, dot ? (size_t)(dot - name) : 0);
	const char *near = figure ? nearest_subject(subject, r->names) : NULL;
	struct st_place p = place_of(r, at);
	int rc;

	if (dot && r->names->lacks_subjects)
		rc = -1;
	else if (dot && st_figure_find(dot + 1) >= 0)
		rc = no_subject(r, at, subject);
	else if (near)
		rc = st_mistakes_add(r->m, &p, "%sno figure is named '%s'; did you mean '%s.%s'?", r->about, name, near, figure);
	else
		rc = no_figure(r, at, name, NULL);
	free(subject);
	return rc;
}

static int read_figure(const struct reader *r, const char *at, const char *name, struct st_expect *x)
{
	const char *figure = name;
	const struct st_subject *owner = NULL;
	int i = st_figure_find(name);

	if (i < 0) {
		owner = find_subject(name, r->names, &figure);
		i = owner ? st_figure_find(figure) : -1;
		if (i < 0)
			return owner ? no_figure(r, at + (figure - name), figure, owner->name) : unknown(r, at, name);
	}
	if (owner && !(st_figure_at((size_t)i)->scope & owner->scope)) {
		struct st_place p = place_of(r, at);

		return st_mistakes_add(r->m, &p, "%s'%s' is a figure of the whole run, not of a %s", r->about, figure,
		    st_subject_kind(owner->scope));
	}
	x->figure = (size_t)i;
	bool is_whole = !owner || (owner->scope == ST_SCOPE_SERVICE && count_services(r->names) == 1);
	x->subject = is_whole ? NULL : st_strdup(owner->name);
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
	char *path = st_format("%s%s", r->about, name);
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

/* FIGURE RELATION VALUE, which is all that r->text has. */
static int read_core(const struct reader *r, struct st_expect *x)
{
	const char *at = r->text + strspn(r->text, " "), *sign = at + strcspn(at, "<>=! "), *end = sign;

	while (sign[strspn(sign, " ")] != '\0' && !strchr("<>=!", sign[strspn(sign, " ")])) {
		sign += strspn(sign, " ");
		sign += strcspn(sign, "<>=! ");
		end = sign; /* a name with a blank in it is no name, and told as it is */
	}
	sign += strspn(sign, " ");
	char *name = st_strndup(at, (size_t)(end - at));
	const char *value = read_relation(sign, &x->relation);
	struct st_place p = place_of(r, *name && *sign ? sign : at);
	int rc = *name && *sign ? read_figure(r, at, name, x) : -1;

	if (!*name || !*sign)
		st_mistakes_add(
		    r->m, &p, "%s'%s' is no figure, relation and value, such as 'recovery_time <= 60s'", r->about, x->text);
	else if (!value || *value == '=' || *value == '<' || *value == '>')
		rc = st_mistakes_add(r->m, &p, "%s%s: expects one of <=, <, >=, >, == and a value; got '%s'", r->about, name, sign);
	else if (rc == 0)
		rc = read_value(r, value + strspn(value, " "), name, x);
	free(name);
	return rc;
}

/* "95% of runs", at `at` of the text. */
static int read_share(const struct reader *r, const char *at, struct st_expect *x)
{
	static const char tail[] = " of runs";
	const struct st_param row = {.type = &st_param_share};
	struct st_err e = ST_ERR_INIT;
	struct st_place p = place_of(r, at);
	size_t n = strlen(at), k = sizeof tail - 1;
	bool good = n > k && strcmp(at + n - k, tail) == 0;
	char *share = st_strndup(at, good ? n - k : n);

	good = good && st_param_read_text(&row, share, NULL, &x->share, &e) == 0 && x->share > 0;
	st_err_release(&e);
	free(share);
	return good ? 0 : st_mistakes_add(r->m, &p, "%sexpects a share of the runs such as 'in 95%% of runs'; got 'in %s'", r->about, at);
}

/* Cut the text in two at a word between blanks: what follows it, or NULL. */
static char *cut(char *text, const char *word)
{
	char *at = strstr(text, word);

	if (!at)
		return NULL;
	*at = '\0';
	return at + strlen(word);
}

int st_expect_read(const char *about, const char *text, const struct st_place *place, const struct st_expect_names *names,
    struct st_expect *x, struct st_mistakes *m)
{
	char *core = st_strdup(text), *when = cut(core, " when ");
	char *sign = strpbrk(core, "<>=!"), *share = sign ? cut(sign, " in ") : NULL;
	const struct reader r = {core, place, names, about, m};

	*x = (struct st_expect){.text = st_strdup(text), .share = (double)NAN};
	int rc = read_core(&r, x);
	if (share) {
		for (size_t n = strlen(share); n > 0 && share[n - 1] == ' '; n--)
			share[n - 1] = '\0';
		rc = read_share(&r, share, x) < 0 ? -1 : rc;
	}
	if (when && !names->lacks_axes) {
		struct st_place p = place_of(&r, when);

		rc = st_when_read(when, &p, names->axis, names->naxes, &x->when, m) < 0 ? -1 : rc;
	}
	free(core);
	if (rc < 0)
		st_expect_release(x);
	return rc;
}

int st_expect_read_figure(const char *about, const char *name, const struct st_place *place, const struct st_expect_names *names,
    struct st_expect *x, struct st_mistakes *m)
{
	const struct reader r = {name, place, names, about, m};

	*x = (struct st_expect){.text = NULL};
	return read_figure(&r, name, name, x);
}

void st_expect_release(struct st_expect *x)
{
	free(x->text);
	free(x->subject);
	st_when_release(&x->when);
	*x = (struct st_expect){.text = NULL};
}

/* --- looking at results --- */

double st_expect_value(const struct st_expect *x, const struct st_result *r)
{
	for (size_t i = 0; x->subject && i < r->nsubjects; i++)
		if (strcmp(r->subject[i].name, x->subject) == 0)
			return r->subject[i].figure[x->figure];
	return x->subject ? (double)NAN : r->figure[x->figure];
}

const double *st_expect_values(const struct st_expect *x, const struct st_sweep_result *r, const struct st_sweep_point *p)
{
	return st_sweep_values(p, st_sweep_subject(r, x->subject), x->figure);
}

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

char *st_expect_bound(const struct st_expect *x)
{
	const char *from = strpbrk(x->text, "<>=!"), *when = strstr(from, " when ");

	return st_strndup(from, when ? (size_t)(when - from) : strlen(from));
}

void st_expect_print_value(const struct st_expect *x, double value, double half, struct st_text *out)
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
	st_text_add(out, buf);
	if (half > 0)
		st_text_addf(out, " +- %.2g", half * scale);
	st_text_add(out, scale > 1 ? " %" : strcmp(f->unit, "s") == 0 ? " s" : strcmp(f->unit, "1/s") == 0 ? "/s" : "");
}
