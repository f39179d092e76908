#include <config.h>

#include "app/option.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "app/cmd.h"
#include "base/mem.h"
#include "base/text.h"

/* How an argument is taken over: into which kind of field, and what it must look like. */

static const char *text(void *field, const char *arg)
{
	*(const char **)field = arg;
	return NULL;
}

static const char *folder(void *field, const char *arg)
{
	text(field, arg);
	return *arg ? NULL : "it is empty";
}

static const char *list(void *field, const char *arg)
{
	struct st_opts_list *l = field;

	l->at = st_grow(l->at, &l->cap, l->n + 1, sizeof *l->at);
	l->at[l->n++] = arg;
	return NULL;
}

static const char *assignment(void *field, const char *arg)
{
	list(field, arg);
	return strchr(arg, '=') ? NULL : "it lacks a '='";
}

static const char *threads(void *field, const char *arg)
{
	const uint64_t most = 4096;
	uint64_t *n = field;
	char *end;

	errno = 0;
	*n = strtoull(arg, &end, 10);
	if (*arg < '0' || *arg > '9' || *end || errno || *n > most)
		return "expected a whole number from 0 (all processors) to 4096";
	return NULL;
}

static const char *shard(void *field, const char *arg)
{
	return st_shard_read(arg, field) ? NULL : "expected K/N, as in 3/16: K from 1 to N, N at most 10000";
}

static const char *turn_on(void *field, const char *arg)
{
	(void)arg;
	*(bool *)field = true;
	return NULL;
}

#define AT(field) offsetof(struct st_opts, field)

/* In the order of --help. */
static const struct st_option table[] = {
    {"set", 0, "PATH=VALUE", "set a parameter over what the scenario says; may be repeated", assignment, AT(set)},
    {"axis", 0, "PATH=V1,V2", "sweep a parameter over values; may be repeated", assignment, AT(axis)},
    {"sample", 0, "N", "draw N points from the axes in place of all combinations", text, AT(sample)},
    {"goal", 0, "GOAL", "what is wanted: 'min recovery_time', 'max fleet.success_share'", text, AT(goal)},
    {"subject-to", 0, "BOUND", "what must hold: 'reject_share <= 1%'; may be repeated", list, AT(subject)},
    {"over", 0, "PATH=VALUES,...", "what is searched: base=50ms..2s,jitter; may be repeated", list, AT(over)},
    {"points", 0, "N", "points spread over the space at first [64]", text, AT(points)},
    {"runs", 0, "N", "most runs in all [for five generations after the first]", text, AT(runs)},
    {"replications", 0, "N", "runs of each point, each with its own random numbers", text, AT(replications)},
    {"precision", 0, "SHARE", "go on until a mean is known so well: 2%, '2% of fleet.goodput'", text, AT(precision)},
    {"max-replications", 0, "N", "most runs of each point, with --precision", text, AT(max_replications)},
    {"seed", 0, "N", "seed of all random numbers", text, AT(seed)},
    {"out", 'o', "DIR", "where results go [out/NAME for scenario NAME.yaml; of check: nowhere]", folder, AT(out)},
    {"in", 0, "FILE", "the scenario that presets are tried in [the first operand that is one]", text, AT(in)},
    {"figures", 0, "A,B", "compare these: recovery_time, fleet.goodput, ... [six usual ones]", text, AT(figures)},
    {"first", 0, "N", "of each group, the first N clients only", text, AT(first)},
    {"group", 0, "NAME", "of this group of clients only; schedule: or of this service's calls", text, AT(group)},
    {"outcome", 0, "STATUS", "after failures of this kind: 503, timeout, ...", text, AT(outcome)},
    {"attempts", 0, "N", "as if the policy had so many attempts", text, AT(attempts)},
    {"clients", 0, "N", "clients that fail at one instant [the group's; a service's workers]", text, AT(clients)},
    {"capacity", 0, "RATE", "requests the service can serve: 200/s [the scenario's]", text, AT(capacity)},
    {"background", 0, "RATE", "of these, taken by others [the open load of the other groups]", text, AT(background)},
    {"plot", 0, NULL, "draw the density of each delay, into DIR", turn_on, AT(plot)},
    {"threads", 'j', "N", "threads to run on [all processors]; results do not depend on it", threads, AT(threads)},
    {"shard", 0, "K/N", "run one of N parts of the trials, for 'stampede merge'", shard, AT(shard)},
    {"format", 0, "FORMAT", "how it is printed", text, AT(format)},
    {"no-chart", 0, NULL, "draw no chart", turn_on, AT(no_chart)},
    {"force", 0, NULL, "give up other results that the folder holds", turn_on, AT(force)},
    {"quiet", 'q', NULL, "no talk on stderr but of what is wrong", turn_on, AT(quiet)},
    {"help", 'h', NULL, "print this", turn_on, AT(help)},
};

enum { OPTIONS_N = sizeof table / sizeof *table };

const struct st_option *st_option_at(size_t i)
{
	return i < OPTIONS_N ? &table[i] : NULL;
}

const struct st_option *st_option_named(const char *name)
{
	for (size_t i = 0; i < OPTIONS_N; i++)
		if (strcmp(table[i].name, name) == 0)
			return &table[i];
	return NULL;
}

const struct st_option *st_option_lettered(char letter)
{
	for (size_t i = 0; i < OPTIONS_N; i++)
		if (table[i].letter == letter)
			return &table[i];
	return NULL;
}

bool st_option_taken(const struct st_option *row, const struct st_cmd *cmd)
{
	if (row->offset == AT(quiet) || row->offset == AT(help))
		return true;
	for (const char *const *name = cmd->options; name && *name; name++)
		if (strcmp(*name, row->name) == 0)
			return true;
	return false;
}

const char *st_option_nearest(const char *name, const struct st_cmd *cmd)
{
	const char *names[OPTIONS_N];
	size_t n = 0;

	for (size_t i = 0; i < OPTIONS_N; i++)
		if (st_option_taken(&table[i], cmd))
			names[n++] = table[i].name;
	return st_text_nearest(name, names, n);
}
