#include <config.h>

#include "app/load.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "experiment/preset.h"
#include "model/workload.h"
#include "model/world.h"

/* The row of a table. */
static const struct st_param *row_of(const struct st_param *rows, const char *name)
{
	while (strcmp(rows->name, name) != 0)
		rows++;
	return rows;
}

/* What options set in the scenario, as texts of --set; owned. */
struct settings {
	char *text[6];
	size_t n;
	struct st_err *e;
};

/* An option's value for a parameter: a mistake in it is told under the option's own name. */
static void add(struct settings *s, const struct st_param *rows, const char *name, const char *option, const char *value)
{
	struct st_param own = *row_of(rows, name);
	union {
		uint64_t count;
		double share;
	} x = {0};

	if (!value)
		return;
	own.name = option;
	own.offset = 0;
	if (st_param_read_text(&own, value, NULL, &x, s->e) == 0)
		s->text[s->n++] = st_format("%s=%s", name, value);
}

/* "2%" or "2% of fleet.goodput" */
static void add_precision(struct settings *s, const char *text)
{
	const char *of = text ? strstr(text, " of ") : NULL;
	char *share = text ? st_strndup(text, of ? (size_t)(of - text) : strlen(text)) : NULL;

	add(s, st_scenario_params, "sweep.precision.half_width", "--precision", share);
	if (of)
		s->text[s->n++] = st_format("sweep.precision.figure=%s", of + 4);
	free(share);
}

int st_load_scenario(const struct st_opts *o, const char *file, struct st_scenario *s)
{
	struct st_err e = ST_ERR_INIT;
	struct settings own = {.e = &e};

	add(&own, st_config_params, "seed", "--seed", o->seed);
	add(&own, st_scenario_params, "sweep.replications", "--replications", o->replications);
	add(&own, st_scenario_params, "sweep.sample", "--sample", o->sample);
	add_precision(&own, o->precision);
	add(&own, st_scenario_params, "sweep.precision.limit", "--max-replications", o->max_replications);
	const char **set = st_calloc(o->set.n + own.n + 1, sizeof *set);
	if (o->set.n > 0)
		memcpy(set, o->set.at, o->set.n * sizeof *set);
	for (size_t i = 0; i < own.n; i++)
		set[o->set.n + i] = own.text[i];
	st_scenario_read(file, set, o->set.n + own.n, o->axis.at, o->axis.n, s, &e);
	enum st_exit code = e.code;
	st_err_print(&e, stderr);
	st_err_release(&e);
	for (size_t i = 0; i < own.n; i++)
		free(own.text[i]);
	free(set);
	return (int)code;
}

int st_load_policy(const struct st_opts *o, struct st_scenario *s, bool *is_preset)
{
	const char *name = o->operand[0], *near = NULL;
	struct st_err e = ST_ERR_INIT;

	*is_preset = access(name, F_OK) != 0 && st_preset_find(name, &near);
	if (access(name, F_OK) == 0)
		return st_load_scenario(o, name, s);
	*s = (struct st_scenario){.file = NULL};
	if (*is_preset)
		st_scenario_of_preset(name, o->set.at, o->set.n, s, &e);
	else
		st_err_add(&e, ST_EXIT_USER, NULL, near ? "no file and no preset is named '%s'; did you mean '%s'?" :
		    "no file and no preset is named '%s'; 'stampede presets' lists them", name, near);
	enum st_exit code = e.code;
	st_err_print(&e, stderr);
	st_err_release(&e);
	return (int)code;
}

/* Clients that think for ever the same time, and did so from the start. */
static bool thinks_in_step(const struct st_group_cfg *g)
{
	const struct st_workload_kind *kind = st_workload_kind_at(g->workload.kind);

	return strcmp(kind->choice.name, "think") == 0 && g->workload.think.fixed >= 0 && g->count > 1;
}

bool st_load_warn(const struct st_config *c, const struct st_opts *o)
{
	bool any = false;
	char buf[ST_TIME_TEXT];

	for (size_t i = 0; i < c->ngroups; i++) {
		const struct st_group_cfg *g = &c->group[i];

		if (!thinks_in_step(g))
			continue;
		any = true;
		if (!o->quiet)
			fprintf(stderr,
			    "stampede: warning: clients.%s.workload.think is constant: all clients act in step; 'exponential %s' spreads"
			    " them\n",
			    g->name, g->workload.think.fixed > 0 ? st_time_format(g->workload.think.fixed, buf) : "1s");
	}
	return any;
}
