#include <config.h>

#include "experiment/path.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

/* The paths of a scenario */

/* Both texts are owned from now on. */
static void add(struct st_paths *p, char *name, char *pattern, const struct st_param *param)
{
	p->at = st_grow(p->at, &p->cap, p->n + 1, sizeof *p->at);
	p->at[p->n++] = (struct st_path){name, pattern, param};
}

/* "clients.fleet." and the first n characters of "retry.on" */
static char *join(const char *prefix, const char *path, size_t n)
{
	size_t k = strlen(prefix);
	char *joined = st_malloc(k + n + 1);

	memcpy(joined, prefix, k);
	memcpy(joined + k, path, n);
	joined[k + n] = '\0';
	return joined;
}

static void add_plain(struct st_paths *p, const char *name)
{
	add(p, st_strdup(name), st_strdup(name), NULL);
}

/* Every mapping that a row's path goes through, once: those not shared with the row before. */
static void add_mappings(struct st_paths *p, const char *prefix, const char *pattern, const char *path, const char *before)
{
	for (size_t i = 0; path[i]; i++)
		if (path[i] == '.' && strncmp(path, before, i + 1) != 0)
			add(p, join(prefix, path, i), join(pattern, path, i), NULL);
}

/* One section: prefix as it is here ("clients.fleet."), pattern for people ("clients.NAME."). */
static void add_section(struct st_paths *p, enum st_section s, const char *prefix, const char *pattern)
{
	const char *before = "";
	struct st_param_rows rows;

	if (*prefix)
		add(p, st_strndup(prefix, strlen(prefix) - 1), st_strndup(pattern, strlen(pattern) - 1), NULL);
	st_params_rows(s, &rows);
	for (size_t i = 0; i < rows.n; i++) {
		const char *path = rows.row[i].path;

		add_mappings(p, prefix, pattern, path, before);
		add(p, join(prefix, path, strlen(path)), join(pattern, path, strlen(path)),
		    rows.row[i].param);
		before = path;
	}
}

/* One alone, or some by name; and the calls of those that make some. */
static void add_services(struct st_paths *p, const struct st_node *services)
{
	if (!services) {
		add_section(p, ST_SECTION_SERVICE, "service.", st_section_path(ST_SECTION_SERVICE));
		return;
	}
	add_plain(p, "services");
	for (size_t i = 0; services->kind == ST_NODE_MAP && i < services->n; i++) {
		char *prefix = st_format("services.%s.", services->key[i]), *calls = st_format("%scalls.", prefix);

		add_section(p, ST_SECTION_SERVICE, prefix, "services.NAME.");
		if (st_tree_get(services->child[i], "calls"))
			add_section(p, ST_SECTION_CALLS, calls, st_section_path(ST_SECTION_CALLS));
		free(prefix);
		free(calls);
	}
}

void st_paths_init(struct st_paths *p, const struct st_node *tree)
{
	static const char *const others[] = {"clients", "faults", "sweep", "sweep.axes", "sweep.replications", "sweep.sample",
	    "sweep.precision", "sweep.precision.half_width", "sweep.precision.figure", "sweep.precision.limit", "expect"};
	const struct st_node *clients = st_tree_get(tree, "clients"), *faults = st_tree_get(tree, "faults");

	*p = (struct st_paths){NULL, 0, 0};
	add_section(p, ST_SECTION_TOP, "", st_section_path(ST_SECTION_TOP));
	add_services(p, st_tree_get(tree, "services"));
	for (size_t i = 0; clients && clients->kind == ST_NODE_MAP && i < clients->n; i++) {
		char *prefix = st_format("clients.%s.", clients->key[i]);

		add_section(p, ST_SECTION_GROUP, prefix, st_section_path(ST_SECTION_GROUP));
		free(prefix);
	}
	for (size_t i = 0; faults && faults->kind == ST_NODE_LIST && i < faults->n; i++) {
		char *prefix = st_format("faults[%zu].", i);

		add_section(p, ST_SECTION_FAULT, prefix, st_section_path(ST_SECTION_FAULT));
		free(prefix);
	}
	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		add_plain(p, others[i]);
}

void st_paths_release(struct st_paths *p)
{
	for (size_t i = 0; i < p->n; i++) {
		free(p->at[i].name);
		free(p->at[i].pattern);
	}
	free(p->at);
	*p = (struct st_paths){NULL, 0, 0};
}

/* Tails */

static bool is_tail(const char *path, const char *tail)
{
	size_t n = strlen(path), k = strlen(tail);

	return k > 0 && k <= n && strcmp(path + n - k, tail) == 0 && (k == n || path[n - k - 1] == '.');
}

static bool fits(const struct st_path *p, const char *tail)
{
	static const char every[] = "faults[].", plain[] = "faults.";

	if (is_tail(p->name, tail))
		return true;
	if (strncmp(p->pattern, every, strlen(every)) != 0)
		return false;
	if (is_tail(p->pattern, tail))
		return true;
	return strncmp(tail, plain, strlen(plain)) == 0 &&
	    strcmp(tail + strlen(plain), p->pattern + strlen(every)) == 0;
}

bool st_paths_fit(const struct st_paths *p, const char *tail)
{
	for (size_t i = 0; i < p->n; i++)
		if (fits(&p->at[i], tail))
			return true;
	return false;
}

/* Whether the keys of `some` are among those of path, in their order: a path with keys left out in the middle. */
static bool leaves_out(const char *path, const char *some)
{
	while (*some) {
		size_t n = strcspn(some, "."), k;

		for (;; path += k + 1) {
			k = strcspn(path, ".");
			if (k == n && strncmp(path, some, n) == 0)
				break;
			if (!path[k])
				return false;
		}
		some += n + (some[n] == '.');
		path += k + (path[k] == '.');
	}
	return true;
}

/* The likeliest path, or tail of one, that was meant, or NULL: one with a key left out, or one spelt nearly so. */
static const char *nearest(const struct st_paths *p, const char *tail)
{
	const char **candidate = NULL;
	size_t n = 0, cap = 0;

	for (size_t i = 0; strchr(tail, '.') && i < p->n; i++)
		if (leaves_out(p->at[i].name, tail))
			return p->at[i].name;
	for (size_t i = 0; i < p->n; i++) {
		for (const char *s = p->at[i].name; s; s = strchr(s, '.')) {
			s += *s == '.';
			candidate = st_grow(candidate, &cap, n + 1, sizeof *candidate);
			candidate[n++] = s;
		}
	}
	const char *near = st_text_nearest(tail, candidate, n);
	free(candidate);
	return near;
}

static int tell_unknown(const struct st_paths *p, const char *tail, const struct st_place *place, struct st_mistakes *m)
{
	const char *near = nearest(p, tail);

	if (near)
		return st_mistakes_add(m, place, "no parameter is named '%s'; did you mean '%s'?", tail, near);
	return st_mistakes_add(m, place, "no parameter is named '%s'; 'stampede params' lists them", tail);
}

/* Whether all that the tail fits is one parameter; a path in full is that path. */
static bool is_clear(const struct st_paths *p, const char *tail)
{
	const char *pattern = NULL;

	for (size_t i = 0; i < p->n; i++) {
		if (strcmp(p->at[i].name, tail) == 0)
			return true;
		if (!fits(&p->at[i], tail))
			continue;
		if (pattern && strcmp(pattern, p->at[i].pattern) != 0)
			return false;
		pattern = p->at[i].pattern;
	}
	return true;
}

enum { FULL_SHOWN = 3 };

/*
 * " (clients.fleet.retry.budget.rate, clients.background.retry.budget.rate)": the paths in full of one parameter, behind the tail that
 * stands in `out` from there on; nothing if that is one of them.
 */
static void add_full(const struct st_paths *p, const char *pattern, const size_t *found, size_t n, size_t from, struct st_text *out)
{
	size_t shown = 0, end = out->len;

	for (size_t i = 0; i < n; i++) {
		const struct st_path *path = &p->at[found[i]];

		bool is_said = strlen(path->name) == end - from && strncmp(path->name, out->s + from, end - from) == 0;

		if (strcmp(path->pattern, pattern) != 0 || is_said)
			continue;
		if (shown < FULL_SHOWN)
			st_text_addf(out, "%s%s", shown == 0 ? " (" : ", ", path->name);
		shown++;
	}
	st_text_add(out, shown > FULL_SHOWN ? ", ...)" : shown > 0 ? ")" : "");
}

/* Add the shortest tail that names this parameter and no other. */
static void add_clear(const struct st_paths *p, const struct st_path *path, struct st_text *out)
{
	const char *tail = path->name + strlen(path->name);

	do {
		while (tail > path->name && *--tail != '.')
			;
		tail += *tail == '.';
		if (is_clear(p, tail))
			break;
		tail -= tail > path->name;
	} while (tail > path->name);
	if (strncmp(tail, "faults[", 7) == 0)
		st_text_addf(out, "faults%s", strchr(tail, ']') + 1); /* that of every fault */
	else
		st_text_add(out, tail);
}

static int tell_ambiguous(const struct st_paths *p, const char *tail, const size_t *found, size_t n,
    const struct st_place *place, struct st_mistakes *m)
{
	struct st_text t = ST_TEXT_INIT;

	for (size_t i = 0; i < n; i++) {
		bool again = false;

		for (size_t k = 0; k < i; k++)
			again |= strcmp(p->at[found[k]].pattern, p->at[found[i]].pattern) == 0;
		if (again)
			continue;
		st_text_add(&t, t.len ? ", " : "");
		size_t from = t.len;
		add_clear(p, &p->at[found[i]], &t);
		add_full(p, p->at[found[i]].pattern, found, n, from, &t);
	}
	st_mistakes_add(m, place, "'%s' fits different parameters; write one of %s", tail, t.s);
	st_text_release(&t);
	return -1;
}

size_t st_paths_find(const struct st_paths *p, const char *tail, const struct st_place *place, size_t **found,
    struct st_mistakes *m)
{
	size_t n = 0, cap = 0;
	bool differ = false;

	*found = NULL;
	for (size_t i = 0; i < p->n; i++) {
		bool whole = strcmp(p->at[i].name, tail) == 0;

		if (whole)
			n = 0;
		else if (!fits(&p->at[i], tail))
			continue;
		*found = st_grow(*found, &cap, n + 1, sizeof **found);
		(*found)[n++] = i;
		if (whole)
			return n;
	}
	for (size_t i = 1; i < n; i++)
		differ |= strcmp(p->at[(*found)[0]].pattern, p->at[(*found)[i]].pattern) != 0;
	if (n > 0 && !differ)
		return n;
	if (n == 0)
		tell_unknown(p, tail, place, m);
	else
		tell_ambiguous(p, tail, *found, n, place, m);
	free(*found);
	*found = NULL;
	return 0;
}
