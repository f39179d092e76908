#include <config.h>

#include "experiment/scenario.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "experiment/axis.h"
#include "experiment/params.h"
#include "experiment/part.h"
#include "experiment/path.h"
#include "experiment/range.h"
#include "experiment/resolve.h"
#include "experiment/sample.h"
#include "experiment/subject.h"

enum { MISTAKES_ENOUGH = 100 };

const struct st_param st_scenario_params[] = {
    {.name = "sweep.replications", .type = &st_param_count, .offset = offsetof(struct st_scenario, replications),
        .dflt = "1", .min = 1, .max = 1e6, .help = "runs of each point, each with random numbers of its own"},
    {.name = "sweep.sample", .type = &st_param_count, .offset = offsetof(struct st_scenario, sample), .dflt = "0", .min = 0,
        .max = ST_SCENARIO_POINTS_MAX, .help = "points drawn from the axes, whose ranges may lack a step; 0: all combinations"},
    {.name = "sweep.precision.half_width", .type = &st_param_share, .offset = offsetof(struct st_scenario, precision.half_width),
        .dflt = "0%", .help = "if not 0: batches of so many runs, until a figure's mean is known to this share of it"},
    {.name = "sweep.precision.figure", .type = &st_param_text, .offset = offsetof(struct st_scenario, precision.figure),
        .dflt = "goodput_per_s", .help = "that figure, of all clients, of a group or of a service: fleet.success_share"},
    {.name = "sweep.precision.limit", .type = &st_param_count, .offset = offsetof(struct st_scenario, precision.limit),
        .dflt = "1000", .min = 2, .max = 1e6, .help = "most runs of each point"},
    {.name = NULL},
};

/* --set path=value */
static void apply_set(struct st_node *tree, const char *text, struct st_mistakes *m)
{
	char *path, *value, *what;

	if (st_axis_split("--set", text, &path, &value, &what, m)) {
		struct st_node *node = st_tree_parse(value, what, m);
		struct st_paths paths;
		size_t *found = NULL, n = 0;

		st_paths_init(&paths, tree); /* of the tree as it is now: an earlier --set may have changed the groups */
		if (node)
			n = st_paths_find(&paths, path, &node->place, &found, m);
		for (size_t i = 0; i < n; i++)
			st_path_put(tree, paths.at[found[i]].name, st_tree_copy(node), m);
		free(found);
		st_paths_release(&paths);
		st_tree_free(node);
	}
	free(path);
	free(value);
	free(what);
}

/* One of the rows by its path; false if there is none. */
static bool read_row(struct st_scenario *s, const char *path, const struct st_node *n, struct st_mistakes *m)
{
	const struct st_param *p = st_scenario_params;

	while (p->name && strcmp(p->name, path) != 0)
		p++;
	if (p->name)
		st_part_value(p, p->name, n, s->tree->place.file, s, m);
	return p->name != NULL;
}

/* `sweep.precision`: a mapping, or the half-width alone. */
static void read_precision(struct st_scenario *s, const struct st_node *precision, struct st_mistakes *m)
{
	static const char *const keys[] = {"half_width", "figure", "limit"};

	if (precision->kind == ST_NODE_LIST)
		st_mistakes_add(m, &precision->place,
		    "sweep.precision: expects a share such as 2%%, or a mapping with keys from half_width, figure, limit; got a list");
	else if (precision->kind == ST_NODE_SCALAR)
		read_row(s, "sweep.precision.half_width", precision, m);
	for (size_t i = 0; precision->kind == ST_NODE_MAP && i < precision->n; i++) {
		char *path = st_format("sweep.precision.%s", precision->key[i]);

		if (strcmp(precision->key[i], "limit") == 0)
			s->limit_place = precision->child[i]->place;
		if (!read_row(s, path, precision->child[i], m))
			st_part_unknown(precision->key[i], &precision->key_place[i], "sweep.precision", keys, 3, m);
		free(path);
	}
}

/* `sweep`: how many runs, and a look at its other keys; the axes are read later. */
static void read_sweep(struct st_scenario *s, const struct st_node *sweep, struct st_mistakes *m)
{
	static const char *const keys[] = {"axes", "replications", "sample", "precision"};
	char buf[64];

	if (!sweep || (sweep->kind == ST_NODE_SCALAR && !*sweep->text))
		return;
	if (sweep->kind != ST_NODE_MAP) {
		st_mistakes_add(m, &sweep->place, "sweep: expects a mapping with keys from axes, replications, sample, precision; got %s",
		    st_tree_what(sweep, buf));
		return;
	}
	for (size_t i = 0; i < sweep->n; i++) {
		const struct st_node *n = sweep->child[i];
		const char *key = sweep->key[i];
		char *path = st_format("sweep.%s", key);

		if (strcmp(key, "replications") == 0)
			s->replications_place = n->place;
		else if (strcmp(key, "sample") == 0)
			s->sample_place = n->place;
		else if (strcmp(key, "precision") == 0)
			s->limit_place = n->place; /* unless it says its own */
		if (strcmp(key, "precision") == 0)
			read_precision(s, n, m);
		else if (strcmp(key, "axes") != 0 && !read_row(s, path, n, m))
			st_part_unknown(key, &sweep->key_place[i], "sweep", keys, sizeof keys / sizeof *keys, m);
		free(path);
	}
}

/* `expect`: a list of texts, or one. */
static void read_expect(
    struct st_scenario *s, const struct st_node *expect, const struct st_expect_names *names, struct st_mistakes *m)
{
	if (!expect || (expect->kind == ST_NODE_SCALAR && !*expect->text))
		return;
	bool is_list = expect->kind == ST_NODE_LIST;
	size_t n = is_list ? expect->n : 1;

	s->expect = st_calloc(n, sizeof *s->expect);
	for (size_t i = 0; i < n; i++) {
		const struct st_node *item = is_list ? expect->child[i] : expect;

		if (item->kind != ST_NODE_SCALAR) {
			st_mistakes_add(m, &item->place, "expect: expects texts such as 'recovery_time <= 60s'; got %s",
			    item->kind == ST_NODE_LIST ? "a list" : "a mapping");
			continue;
		}
		if (st_expect_read("expect: ", item->text, &item->place, names, &s->expect[s->nexpect], m) == 0)
			s->nexpect++;
	}
}

/* What names figures, groups, services and axes: so it is read after these. */
static void read_named(struct st_scenario *s, const struct st_node *sweep, const struct st_node *expect, const struct st_expect_names *names,
    struct st_mistakes *m)
{
	const struct st_node *figure = st_tree_get(st_tree_get(sweep, "precision"), "figure");

	read_expect(s, expect, names, m);
	if (s->precision.half_width > 0 && s->precision.figure)
		st_expect_read_figure("sweep.precision.figure: ", s->precision.figure, figure ? &figure->place : &s->tree->place, names,
		    &s->precision.of, m);
}

static char *base_name(const char *file)
{
	const char *base = strrchr(file, '/') ? strrchr(file, '/') + 1 : file;
	const char *dot = strrchr(base, '.');
	bool is_yaml = dot && dot > base && (strcmp(dot, ".yaml") == 0 || strcmp(dot, ".yml") == 0);

	size_t n = is_yaml ? (size_t)(dot - base) : strlen(base);

	/* "." and ".." are no folders for results. */
	return strspn(base, ".") >= n ? st_strdup("scenario") : st_strndup(base, n);
}

/* Of a range of which no sample was drawn there is none: which is a mistake, and the others are looked at without it. */
static size_t count_values(const struct st_axis *a)
{
	return a->n > 0 ? a->n : 1;
}

size_t st_scenario_points(const struct st_scenario *s)
{
	size_t n = 1;

	if (s->drawn)
		return s->sample;
	for (size_t i = 0; i < s->naxes; i++)
		if (__builtin_mul_overflow(n, count_values(&s->axis[i]), &n))
			return SIZE_MAX;
	return n;
}

/* What the value of an axis says, said in the tree. */
static void set_value(struct st_node *tree, const struct st_axis *a, size_t value, struct st_mistakes *m)
{
	const struct st_axis_value *v = &a->value[value];

	for (size_t k = 0; k < v->nset; k++)
		st_path_put(tree, a->target[v->set[k].target], st_tree_copy(v->set[k].value), m);
}

void st_scenario_index(const struct st_scenario *s, size_t i, size_t *index)
{
	for (size_t k = s->naxes; k-- > 0;) {
		index[k] = s->drawn ? s->drawn[i * s->naxes + k] : i % count_values(&s->axis[k]);
		i = s->drawn ? i : i / count_values(&s->axis[k]);
	}
}

struct st_node *st_scenario_point(const struct st_scenario *s, const size_t *index, struct st_mistakes *m)
{
	struct st_node *tree = st_tree_copy(s->tree);

	for (size_t i = 0; i < s->naxes; i++)
		if (s->axis[i].n > 0)
			set_value(tree, &s->axis[i], index[i], m);
	return tree;
}

/* Draw the sample; without one there is nothing that intervals are good for. */
static void draw(struct st_scenario *s, bool lacks_axes, struct st_mistakes *m)
{
	if (s->sample > 0 && (s->naxes > 0 || !lacks_axes))
		st_sample_draw(s, m);
	for (size_t i = 0; s->sample == 0 && i < s->naxes; i++)
		if (s->axis[i].interval)
			st_mistakes_add(m, &s->axis[i].place, "%s: '%s' has no step: write '%s %s', or draw points from it with --sample N",
			    s->axis[i].path, s->axis[i].drawn_from, s->axis[i].drawn_from,
			    s->axis[i].interval->is_log ? "by FACTOR" : "step STEP");
}

/* Whether a sweep of it can be held in memory. 0, or -1 with the bound. */
static int check_size(const struct st_scenario *s, size_t points, struct st_mistakes *m)
{
	const struct st_place *place = s->naxes > 0 ? &s->axis[0].place : &s->replications_place;

	if (points > ST_SCENARIO_POINTS_MAX)
		return st_mistakes_add(m, place, "sweep.axes: the axes have %zu points; at most %d can be run", points,
		    ST_SCENARIO_POINTS_MAX);
	if (points * s->replications > ST_SCENARIO_TRIALS_MAX)
		return st_mistakes_add(m, &s->replications_place,
		    "sweep.replications: %zu point%s x %" PRIu64 " replications are %" PRIu64 " runs; at most %d can be asked for", points,
		    points == 1 ? "" : "s", s->replications, points * s->replications, ST_SCENARIO_TRIALS_MAX);
	if (s->precision.half_width > 0 && points * s->precision.limit > ST_SCENARIO_TRIALS_MAX)
		return st_mistakes_add(m, &s->limit_place,
		    "sweep.precision.limit: %zu point%s x %" PRIu64 " runs may be %" PRIu64 " runs; at most %d can be asked for, which is a limit of %zu",
		    points, points == 1 ? "" : "s", s->precision.limit, points * s->precision.limit, ST_SCENARIO_TRIALS_MAX,
		    ST_SCENARIO_TRIALS_MAX / points);
	return 0;
}

/* Resolve the scenario itself, then each point. */
static void check(const struct st_scenario *s, struct st_mistakes *m)
{
	size_t *index = st_calloc(s->naxes + 1, sizeof *index), points = st_scenario_points(s);
	struct st_config c;

	st_resolve_tree(s->tree, &c, m);
	st_config_release(&c);
	if (check_size(s, points, m) < 0)
		points = 0;
	for (size_t i = 0; s->naxes > 0 && i < points && m->n < MISTAKES_ENOUGH; i++) {
		st_scenario_index(s, i, index);
		struct st_node *tree = st_scenario_point(s, index, m);

		st_resolve_tree(tree, &c, m);
		st_config_release(&c);
		st_tree_free(tree);
	}
	free(index);
}

static void read_axes(struct st_scenario *s, const struct st_node *sweep, const char *const *axes, size_t naxes, struct st_mistakes *m)
{
	struct st_paths paths;

	st_paths_init(&paths, s->tree);
	st_axis_add_map(s, &paths, st_tree_get(sweep, "axes"), m);
	for (size_t i = 0; i < naxes; i++)
		st_axis_add_text(s, &paths, axes[i], m);
	st_paths_release(&paths);
}

static void read_parts(struct st_scenario *s, const char *const *set, size_t nset, const char *const *axes, size_t naxes,
    struct st_mistakes *m)
{
	struct st_subjects subjects = ST_SUBJECTS_INIT;

	for (size_t i = 0; i < nset; i++)
		apply_set(s->tree, set[i], m);
	struct st_node *sweep = st_tree_take(s->tree, "sweep"), *expect = st_tree_take(s->tree, "expect");
	bool has_all = st_subjects_add_tree(&subjects, s->tree);
	read_sweep(s, sweep, m);
	size_t before = m->n;
	if (has_all) /* else paths may be those of who is not known */
		read_axes(s, sweep, axes, naxes, m);
	bool lacks_axes = !has_all || m->n > before;
	draw(s, lacks_axes, m);
	read_named(s, sweep, expect, &(struct st_expect_names){subjects.at, subjects.n, s->axis, s->naxes, !has_all, lacks_axes}, m);
	st_subjects_release(&subjects);
	st_tree_free(sweep);
	st_tree_free(expect);
	check(s, m);
}

int st_scenario_read(const char *file, const char *const *set, size_t nset, const char *const *axes, size_t naxes,
    struct st_scenario *s, struct st_err *e)
{
	struct st_mistakes m = ST_MISTAKES_INIT;
	char buf[64];

	*s = (struct st_scenario){.file = st_strdup(file), .name = base_name(file)};
	for (const struct st_param *p = st_scenario_params; p->name; p++)
		st_param_default(p, s);
	s->tree = st_tree_read(file, &m);
	if (s->tree && s->tree->kind != ST_NODE_MAP)
		st_mistakes_add(&m, &s->tree->place, "a scenario is a mapping of keys such as duration and service; got %s",
		    st_tree_what(s->tree, buf));
	else if (s->tree)
		read_parts(s, set, nset, axes, naxes, &m);
	return st_mistakes_tell(&m, e);
}

int st_scenario_of_preset(const char *preset, const char *const *set, size_t nset, struct st_scenario *s, struct st_err *e)
{
	struct st_mistakes m = ST_MISTAKES_INIT;
	char *text = st_format("{duration: 1s, service: {workers: 1, service_time: 1s},"
			       " clients: {%s: {count: 1, workload: once, retry: %s}}}",
	    preset, preset);

	*s = (struct st_scenario){.file = st_strdup(preset), .name = st_strdup(preset)};
	for (const struct st_param *p = st_scenario_params; p->name; p++)
		st_param_default(p, s);
	s->tree = st_tree_parse(text, preset, &m);
	read_parts(s, set, nset, NULL, 0, &m);
	free(text);
	return st_mistakes_tell(&m, e);
}

void st_scenario_release(struct st_scenario *s)
{
	free(s->file);
	free(s->name);
	st_tree_free(s->tree);
	for (size_t i = 0; i < s->naxes; i++)
		st_axis_release(&s->axis[i]);
	free(s->axis);
	free(s->drawn);
	for (size_t i = 0; i < s->nexpect; i++)
		st_expect_release(&s->expect[i]);
	free(s->expect);
	st_expect_release(&s->precision.of);
	for (const struct st_param *p = st_scenario_params; p->name; p++)
		st_param_release(p, s);
	*s = (struct st_scenario){.file = NULL};
}

/* Where the value on the axis changes nothing of what the scenario says. */
static bool is_at(const struct st_scenario *s, const struct st_axis *a, size_t value)
{
	struct st_node *moved = st_tree_copy(s->tree);
	struct st_text here = ST_TEXT_INIT, there = ST_TEXT_INIT;
	struct st_mistakes m = ST_MISTAKES_INIT; /* a value may need those of other axes */
	struct st_err e = ST_ERR_INIT;
	struct st_config c;

	set_value(moved, a, value, &m);
	st_resolve_tree(s->tree, &c, &m);
	st_scenario_print(&c, NULL, &here);
	st_config_release(&c);
	st_resolve_tree(moved, &c, &m);
	st_scenario_print(&c, NULL, &there);
	st_config_release(&c);
	st_tree_free(moved);
	bool is = st_mistakes_tell(&m, &e) == 0 && strcmp(here.s, there.s) == 0;
	st_err_release(&e);
	st_text_release(&here);
	st_text_release(&there);
	return is;
}

bool st_scenario_meets(const struct st_scenario *s, const struct st_when *when)
{
	bool met = true;

	for (size_t i = 0; i < when->n && met; i++) {
		const struct st_axis *a = &s->axis[when->at[i].axis];
		size_t k = 0;

		while (k < a->n && strcmp(a->value[k].label, when->at[i].value) != 0)
			k++;
		met = k < a->n && is_at(s, a, k);
	}
	return met;
}

int st_scenario_resolve(const struct st_node *tree, struct st_config *c, struct st_err *e)
{
	struct st_mistakes m = ST_MISTAKES_INIT;

	st_resolve_tree(tree, c, &m);
	return st_mistakes_tell(&m, e);
}

void st_config_release(struct st_config *c)
{
	struct st_param_rows rows;

	for (enum st_section s = 0; s < ST_SECTION_N; s++) {
		st_params_rows(s, &rows);
		for (size_t i = 0; i < st_section_count(c, s); i++)
			for (size_t k = 0; k < rows.n; k++)
				st_param_release(rows.row[k].param, (char *)st_section_of(c, s, i) + rows.row[k].offset);
	}
	for (size_t i = 0; i < c->ngroups; i++)
		free(c->group[i].name);
	for (size_t i = 0; i < c->nservices; i++)
		free(c->service[i].name);
	free(c->service);
	free(c->group);
	free(c->fault);
	*c = (struct st_config){.title = NULL};
}
