#include <config.h>

#include <stdint.h>
#include <stdlib.h>

#include "app/cmd.h"
#include "app/load.h"
#include "app/shards.h"
#include "app/study.h"
#include "base/mem.h"

static int merge(const struct st_opts *o, const struct st_shards *parts)
{
	struct st_scenario s;
	char *file = st_format("%s/scenario.yaml", parts->at[0].folder);
	int code = st_load_scenario(o, file, &s);

	if (code == ST_EXIT_OK)
		code = st_study_merge(o, &s, parts, st_study_say_sweep, NULL);
	st_scenario_release(&s);
	free(file);
	return code;
}

static int run(const struct st_opts *o)
{
	struct st_shards parts = ST_SHARDS_INIT;
	struct st_err e = ST_ERR_INIT;
	struct st_opts to = *o;

	if (!to.out)
		to.out = to.operand[0];
	int code = st_shards_find(o, to.out, &parts, &e) < 0 ? (int)e.code : merge(&to, &parts);
	st_err_print(&e, stderr);
	st_err_release(&e);
	st_shards_release(&parts);
	return code;
}

static const char *const options[] = {"out", "no-chart", "force", NULL};

const struct st_cmd st_cmd_merge = {
    .name = "merge",
    .operands = "DIR...",
    .min_operands = 1,
    .max_operands = SIZE_MAX,
    .help = "Put the shards of a sweep together, and write the results of the whole",
    .about = "Each DIR holds shards, as 'stampede sweep FILE --shard K/N -o DIR' leaves them, or is one, or\n"
	     "is the file of one. Results go to the folder after -o, or to the first DIR if it is no shard itself:\n"
	     "tables, charts and figures are the same bytes as those of the sweep in one piece, and sweep.db has\n"
	     "the same trials (where in its file depends on the order of writing). Shards must be of the same\n"
	     "scenario, seed and version; if trials are missing it is said of which shards, and only the scenario\n"
	     "and sweep.db are written, with which 'stampede sweep' goes on.",
    .options = options,
    .run = run,
};
