#include <config.h>

#include "experiment/when.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "experiment/scenario.h"

/* What is being read. */
struct reader {
	const char *text;
	const struct st_place *place; /* of the text */
	const struct st_axis *axis;
	size_t naxes;
	struct st_mistakes *m;
};

static struct st_place place_of(const struct reader *r, const char *at)
{
	return st_place_within(r->place, (size_t)(at - r->text));
}

/* Whether name is a path's last keys, or all of them. */
static bool is_tail(const char *path, const char *name)
{
	size_t n = strlen(path), k = strlen(name);

	return k > 0 && k <= n && strcmp(path + n - k, name) == 0 && (k == n || path[n - k - 1] == '.');
}

static bool is_called(const struct st_axis *a, const char *name)
{
	bool is = is_tail(a->path, name);

	for (size_t t = 0; t < a->ntargets && !is; t++)
		is = is_tail(a->target[t], name);
	return is;
}

static int no_axis(const struct reader *r, const struct st_place *p, const char *name)
{
	const char **words = st_calloc(2 * r->naxes, sizeof *words);

	if (r->naxes == 0) {
		free(words);
		return st_mistakes_add(r->m, p, "expect: no axis is named '%s': the scenario has no sweep.axes", name);
	}
	for (size_t i = 0; i < r->naxes; i++) {
		const char *dot = strrchr(r->axis[i].path, '.');

		words[i] = dot ? dot + 1 : r->axis[i].path;
		words[r->naxes + i] = r->axis[i].path;
	}
	const char *near = st_text_nearest(name, words, 2 * r->naxes);
	st_mistakes_add(r->m, p, near ? "expect: no axis is named '%s'; did you mean '%s'?" : "expect: no axis is named '%s'", name,
	    near);
	free(words);
	return -1;
}

static bool has_label(const struct st_axis *a, const char *label)
{
	for (size_t i = 0; i < a->n; i++)
		if (strcmp(a->value[i].label, label) == 0)
			return true;
	return false;
}

/* The one axis of this name, which stands at `at`. */
static int find_axis(const struct reader *r, const char *at, const char *name, size_t *axis)
{
	struct st_place p = place_of(r, at);
	size_t found = r->naxes;

	for (size_t i = 0; i < r->naxes; i++) {
		if (strcmp(r->axis[i].path, name) == 0) {
			*axis = i;
			return 0;
		}
		if (!is_called(&r->axis[i], name))
			continue;
		if (found < r->naxes)
			return st_mistakes_add(r->m, &p, "expect: '%s' may be the axis '%s' or '%s'", name, r->axis[found].path,
			    r->axis[i].path);
		found = i;
	}
	*axis = found;
	return found < r->naxes ? 0 : no_axis(r, &p, name);
}

static int check_value(const struct reader *r, const char *at, const struct st_axis *a, const char *value)
{
	struct st_place p = place_of(r, at);
	const char **label = st_calloc(a->n, sizeof *label);
	struct st_text known = ST_TEXT_INIT;
	bool good = strncmp(a->place.file, "--axis", 6) == 0 || has_label(a, value);

	for (size_t i = 0; i < a->n; i++) {
		label[i] = a->value[i].label;
		st_text_addf(&known, "%s%s", i > 0 ? ", " : "", label[i]);
	}
	const char *near = good ? NULL : st_text_nearest(value, label, a->n);
	if (near)
		st_mistakes_add(r->m, &p, "expect: the axis '%s' has no value '%s'; did you mean '%s'?", a->path, value, near);
	else if (!good)
		st_mistakes_add(r->m, &p, "expect: the axis '%s' has no value '%s'; it has %s", a->path, value, known.s);
	st_text_release(&known);
	free(label);
	return good ? 0 : -1;
}

static char *trimmed(const char *from, const char *end)
{
	from += strspn(from, " ");
	while (end > from && end[-1] == ' ')
		end--;
	return st_strndup(from, end > from ? (size_t)(end - from) : 0);
}

/* One, between two of the text's places. */
static int read_one(const struct reader *r, const char *from, const char *end, struct st_when_term *c)
{
	const char *equals = memchr(from, '=', (size_t)(end - from)), *value = equals ? equals + 1 : end;
	char *name = trimmed(from, equals ? equals : end);

	from += strspn(from, " ");
	value += strspn(value, " ");
	*c = (struct st_when_term){0, trimmed(value, end)};
	struct st_place p = place_of(r, from);
	int rc = -1;
	if (!equals || !*name || !*c->value)
		st_mistakes_add(r->m, &p, "expect: expects 'when AXIS = VALUE'; got '%.*s'", (int)(end - from), from);
	else if (find_axis(r, from, name, &c->axis) == 0)
		rc = check_value(r, value, &r->axis[c->axis], c->value);
	free(name);
	return rc;
}

/* The next " and " outside of brackets and quotes, or the end. */
static const char *find_end(const char *s)
{
	int depth = 0;
	char quote = '\0';

	for (; *s; s++) {
		if (quote || *s == '"' || *s == '\'')
			quote = !quote ? *s : *s == quote ? '\0' : quote;
		else if (strchr("[{", *s))
			depth++;
		else if (strchr("]}", *s))
			depth--;
		else if (depth <= 0 && strncmp(s, " and ", 5) == 0)
			return s;
	}
	return s;
}

int st_when_read(const char *text, const struct st_place *place, const struct st_axis *axis, size_t naxes,
    struct st_when *c, struct st_mistakes *m)
{
	const struct reader r = {text, place, axis, naxes, m};
	int rc = 0;

	*c = (struct st_when){NULL, 0};
	for (const char *from = text;;) {
		const char *end = find_end(from);

		c->at = st_realloc(c->at, c->n + 1, sizeof *c->at);
		if (read_one(&r, from, end, &c->at[c->n++]) < 0)
			rc = -1;
		if (!*end)
			break;
		from = end + 5;
	}
	if (rc < 0)
		st_when_release(c);
	return rc;
}

void st_when_release(struct st_when *c)
{
	for (size_t i = 0; i < c->n; i++)
		free(c->at[i].value);
	free(c->at);
	*c = (struct st_when){NULL, 0};
}

bool st_when_possible(const struct st_when *c, const struct st_axis *axis)
{
	for (size_t i = 0; i < c->n; i++)
		if (!has_label(&axis[c->at[i].axis], c->at[i].value))
			return false;
	return true;
}

bool st_when_met(const struct st_when *c, char *const *label)
{
	bool met = true;

	for (size_t i = 0; i < c->n; i++)
		met = met && strcmp(label[c->at[i].axis], c->at[i].value) == 0;
	return met;
}
