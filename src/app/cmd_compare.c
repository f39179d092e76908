#include <config.h>

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/cmd.h"
#include "app/load.h"
#include "app/study.h"
#include "base/mem.h"
#include "experiment/preset.h"
#include "experiment/subject.h"
#include "experiment/variants.h"
#include "output/csv.h"
#include "output/table.h"

enum { COLUMNS = 100, REPLICATIONS = 30, NAME_MAX_LENGTH = 100 };

/* What is compared: a scenario and a label for each operand, and the figures that were asked for. */
struct comparison {
	const struct st_opts *o;
	const char *in;               /* the scenario that presets are tried in, or NULL */
	struct st_scenario *scenario; /* of operand i */
	struct st_variant *variant;
	size_t n;
	char **figure;                /* as summary.csv calls them; none: the usual ones */
	size_t nfigures;
};

static bool is_file(const char *operand)
{
	return access(operand, F_OK) == 0;
}

/* --- scenarios --- */

/* "clients.fleet.retry=envoy" of each group that the preset is for, to be freed. NULL with a message: there is no such group. */
static char **preset_settings(const struct comparison *c, const struct st_config *in, const char *preset, size_t *n)
{
	char **set = st_calloc(in->ngroups, sizeof *set);
	const char **name = st_calloc(in->ngroups, sizeof *name);

	*n = 0;
	for (size_t i = 0; i < in->ngroups; i++) {
		name[i] = in->group[i].name;
		if (!c->o->group || strcmp(c->o->group, name[i]) == 0)
			set[(*n)++] = st_format("clients.%s.retry=%s", name[i], preset);
	}
	const char *near = c->o->group ? st_text_nearest(c->o->group, name, in->ngroups) : NULL;
	free(name);
	if (*n > 0)
		return set;
	fprintf(stderr, near ? "stampede: --group: no group of clients is called '%s'; did you mean '%s'?\n" :
	    "stampede: --group: no group of clients is called '%s'\n", c->o->group, near);
	free(set);
	return NULL;
}

/* The scenario with the preset in it; what --set says goes over the preset. */
static int load_preset(const struct comparison *c, const char *preset, struct st_scenario *s)
{
	struct st_opts o = *c->o;
	struct st_config config;
	struct st_err e = ST_ERR_INIT;
	size_t n = 0;
	int code = st_load_scenario(c->o, c->in, s);

	if (code != ST_EXIT_OK)
		return code;
	st_scenario_resolve(s->tree, &config, &e); /* reading has checked that it can be */
	st_scenario_release(s);
	char **settings = preset_settings(c, &config, preset, &n);
	st_config_release(&config);
	st_err_release(&e);
	if (!settings)
		return ST_EXIT_USER;
	o.set = (struct st_opts_list){st_calloc(n + c->o->set.n, sizeof *o.set.at), n + c->o->set.n, 0};
	for (size_t i = 0; i < n; i++)
		o.set.at[i] = settings[i];
	for (size_t i = 0; i < c->o->set.n; i++)
		o.set.at[n + i] = c->o->set.at[i];
	code = st_load_scenario(&o, c->in, s);
	for (size_t i = 0; i < n; i++)
		free(settings[i]);
	free(settings);
	free(o.set.at);
	return code;
}

static int load(const struct comparison *c, const char *operand, struct st_scenario *s)
{
	const char *near = NULL;

	*s = (struct st_scenario){.file = NULL};
	if (is_file(operand))
		return st_load_scenario(c->o, operand, s);
	if (st_preset_find(operand, &near) && c->in)
		return load_preset(c, operand, s);
	if (st_preset_find(operand, &near))
		fprintf(stderr, "stampede: '%s' is a preset: --in FILE says in which scenario it is to be tried\n", operand);
	else
		fprintf(stderr, near ? "stampede: no file and no preset is named '%s'; did you mean '%s'?\n" :
		    "stampede: no file and no preset is named '%s'; 'stampede presets' lists them\n", operand, near);
	return ST_EXIT_USER;
}

/* What is wrong with the scenario that presets are tried in is told once. */
static int load_all(struct comparison *c)
{
	bool is_good = true; /* that scenario */
	int worst = ST_EXIT_OK;

	for (; c->n < c->o->noperands; c->n++) {
		const char *operand = c->o->operand[c->n];
		bool asks_in = c->in && (is_file(operand) ? strcmp(operand, c->in) == 0 : st_preset_find(operand, NULL) != NULL);
		int code = asks_in && !is_good ? worst : load(c, operand, &c->scenario[c->n]);

		is_good = is_good && !(asks_in && code != ST_EXIT_OK);
		worst = code > worst ? code : worst;
	}
	return worst;
}

/* The files' names without folder and ending, and presets' names; a name that two have is written as the operand has it. */
static int label_all(struct comparison *c)
{
	for (size_t i = 0; i < c->n; i++) {
		const char *operand = c->o->operand[i], *label = is_file(operand) ? c->scenario[i].name : operand;

		for (size_t k = 0; k < c->n; k++) {
			const char *other = c->o->operand[k], *its = is_file(other) ? c->scenario[k].name : other;

			if (k != i && strcmp(operand, other) == 0) {
				fprintf(stderr, "stampede: '%s' is named twice\n", operand);
				return ST_EXIT_USER;
			}
			label = k != i && strcmp(its, label) == 0 ? operand : label;
		}
		c->variant[i] = (struct st_variant){label, &c->scenario[i]};
	}
	return ST_EXIT_OK;
}

/* "compare-a-b": the folder's name, of what can stand in one. */
static char *name_of(const struct comparison *c)
{
	struct st_text t = ST_TEXT_INIT;

	st_text_add(&t, "compare");
	for (size_t i = 0; i < c->n; i++)
		st_text_addf(&t, "-%s", c->variant[i].label);
	for (char *s = t.s; *s; s++)
		*s = *s == '/' ? '_' : *s;
	if (t.len > NAME_MAX_LENGTH)
		t.s[NAME_MAX_LENGTH] = '\0';
	return t.s;
}

/* All of them as the first, with an axis. The labels outlive its name. */
static int join(struct comparison *c)
{
	struct st_scenario *first = &c->scenario[0];
	struct st_err e = ST_ERR_INIT;
	char *name = name_of(c);
	int rc = st_variants_join(first, c->variant, c->n, &e);
	enum st_exit code = e.code;

	st_err_print(&e, stderr);
	st_err_release(&e);
	if (rc < 0) {
		free(name);
		return (int)code;
	}
	free(first->name);
	first->name = name;
	if (!c->o->replications && !c->o->precision)
		first->replications = REPLICATIONS;
	if (!c->o->precision)
		first->precision.half_width = 0;
	return ST_EXIT_OK;
}

/* --- figures --- */

static int read_figures(struct comparison *c)
{
	struct st_mistakes m = ST_MISTAKES_INIT;
	struct st_err e = ST_ERR_INIT;
	const struct st_place place = {"--figures", 0, 0};
	struct st_subjects subjects = ST_SUBJECTS_INIT;
	size_t cap = 0;

	bool has_all = true;

	for (size_t i = 0; i < c->n; i++)
		has_all &= st_subjects_add_tree(&subjects, c->scenario[i].tree);
	const struct st_expect_names names = {.subject = subjects.at, .nsubjects = subjects.n, .lacks_subjects = !has_all};
	for (const char *at = c->o->figures; at && *at;) {
		size_t length = strcspn(at, ",");
		char *name = st_strndup(at, length);

		struct st_expect x = {.subject = NULL};
		char buf[64];

		c->figure = st_grow(c->figure, &cap, c->nfigures + 1, sizeof *c->figure);
		st_expect_read_figure("", name, &place, &names, &x, &m);
		c->figure[c->nfigures++] =
		    st_format("%s%s%s", x.subject ? x.subject : "", x.subject ? "." : "", st_figure_column(st_figure_at(x.figure), buf));
		st_expect_release(&x);
		free(name);
		at += length + (at[length] == ',');
	}
	st_subjects_release(&subjects);
	st_mistakes_tell(&m, &e);
	enum st_exit code = e.code;
	st_err_print(&e, stderr);
	st_err_release(&e);
	return (int)code;
}

/* --- what is told --- */

/* "clients.fleet.retry", "services.db", "faults": as much of a path as tells where to look. */
static size_t section_length(const char *path)
{
	size_t n = 0;

	for (int parts = strncmp(path, "clients.", 8) == 0 ? 3 : strncmp(path, "services.", 9) == 0 ? 2 : 1; parts > 0 && path[n]; parts--)
		n += strcspn(path + n, ".") + (parts > 1 && path[n + strcspn(path + n, ".")] == '.');
	return n;
}

/* So that a comparison that is one of two things at once shows. */
static void say_differences(const struct st_axis *policy, struct st_text *out)
{
	size_t from = out->len;
	const char *before = "";

	st_text_add(out, policy->ntargets > 0 ? "they differ in " : "they do not differ");
	for (size_t i = 0; i < policy->ntargets; i++) {
		const char *path = policy->target[i];
		size_t n = section_length(path);

		if (n == strlen(before) && strncmp(path, before, n) == 0)
			continue;
		if (i > 0 && section_length(before) == n && strncmp(before, path, n) == 0)
			continue;
		st_text_add(out, i > 0 ? ", " : "");
		st_text_addn(out, path, n);
		before = path;
	}
	st_text_add(out, "\n");
	st_text_wrap(out, from, COLUMNS);
}

static void say(const void *to, const struct st_scenario *s, const struct st_sweep_result *r, const struct st_rounds *rounds,
    struct st_text *out)
{
	const struct comparison *c = to;
	const char *format = c->o->format ? c->o->format : "text";
	struct st_score *column;
	size_t n = st_contrast_columns(r, &column);
	struct st_contrast contrast;

	st_contrast_init(&contrast, r, column, n);
	if (strcmp(format, "csv") == 0) {
		st_csv_contrast(&contrast, out);
	} else if (strcmp(format, "md") == 0) {
		st_table_contrast_md(&contrast, out);
	} else {
		st_table_contrast(&contrast, out);
		say_differences(&s->axis[0], out);
		st_study_say_precision(rounds, out);
	}
	st_contrast_release(&contrast);
	free(column);
}

static void release(struct comparison *c)
{
	for (size_t i = 0; i < c->n; i++)
		st_scenario_release(&c->scenario[i]);
	for (size_t i = 0; i < c->nfigures; i++)
		free(c->figure[i]);
	free(c->scenario);
	free(c->variant);
	free(c->figure);
}

static int run(const struct st_opts *o)
{
	struct comparison c = {.o = o, .in = o->in};

	for (size_t i = 0; i < o->noperands && !c.in; i++)
		c.in = is_file(o->operand[i]) ? o->operand[i] : NULL;
	c.scenario = st_calloc(o->noperands, sizeof *c.scenario);
	c.variant = st_calloc(o->noperands, sizeof *c.variant);
	int loaded = load_all(&c), labelled = loaded == ST_EXIT_OK ? label_all(&c) : loaded;
	int code = read_figures(&c);
	if (code == ST_EXIT_OK)
		code = labelled;
	if (code == ST_EXIT_OK)
		code = join(&c);
	if (code == ST_EXIT_OK)
		code = st_study_run(o, &c.scenario[0], c.figure, c.nfigures, say, &c);
	release(&c);
	return code;
}

static const char *const options[] = {"set", "in", "group", "figures", "replications", "precision", "max-replications", "seed", "out",
    "threads", "format", "no-chart", "force", NULL};

const struct st_cmd st_cmd_compare = {
    .name = "compare",
    .operands = "A B...",
    .min_operands = 2,
    .max_operands = SIZE_MAX,
    .help = "Compare scenarios or presets with the first on the same random numbers",
    .about = "A, B, ... are scenario files, as they stand without their axes, or presets of libraries' policies:\n"
	     "those are tried in the scenario of --in, in the place of each group's `retry`, or of that of\n"
	     "--group. The table has a row a policy and a mark where it is better or worse than the first by\n"
	     "more than chance; then a sentence a figure says by how much.\n\n"
	     "It is a sweep over an axis `policy`: DIR [out/compare-A-B] has what `sweep` leaves, and the same\n"
	     "command goes on where it was. Each policy is run 30 times if --replications says nothing else.",
    .options = options,
    .formats = "text csv md",
    .run = run,
};
