#include <config.h>

#include "app/load.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "model/workload.h"
#include "model/world.h"

/* Whether an option's number is one, told under the option's own name if not: it is set like any parameter. */
static bool is_good(const struct st_param *row, const char *option, const char *text, struct st_err *e)
{
	struct st_param own = *row;
	uint64_t n = 0;

	own.name = option;
	own.offset = 0;
	return st_param_read_text(&own, text, NULL, &n, e) == 0;
}

/* The row of the seed. */
static const struct st_param *seed_row(void)
{
	const struct st_param *row = st_config_params;

	while (strcmp(row->name, "seed") != 0)
		row++;
	return row;
}

int st_load_scenario(const struct st_opts *o, const char *file, struct st_scenario *s)
{
	const struct {
		const struct st_param *row;
		const char *option, *text, *path;
	} own[] = {
	    {seed_row(), "--seed", o->seed, "seed"},
	    {&st_scenario_params[0], "--replications", o->replications, "sweep.replications"},
	    {&st_scenario_params[1], "--sample", o->sample, "sweep.sample"},
	};
	enum { OWN_N = sizeof own / sizeof *own };
	struct st_err e = ST_ERR_INIT;
	char *made[OWN_N] = {NULL};
	const char **set = st_calloc(o->nset + OWN_N, sizeof *set);
	size_t n = o->nset;

	if (n > 0)
		memcpy(set, o->set, n * sizeof *set);
	for (size_t i = 0; i < OWN_N; i++)
		if (own[i].text && is_good(own[i].row, own[i].option, own[i].text, &e))
			set[n++] = made[i] = st_format("%s=%s", own[i].path, own[i].text);
	st_scenario_read(file, set, n, o->axis, o->naxes, s, &e);
	enum st_exit code = e.code;
	st_err_print(&e, stderr);
	st_err_release(&e);
	for (size_t i = 0; i < OWN_N; i++)
		free(made[i]);
	free(set);
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
