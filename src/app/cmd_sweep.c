#include <config.h>

#include "app/cmd.h"
#include "app/load.h"
#include "app/study.h"

static int run(const struct st_opts *o)
{
	struct st_scenario s;
	int code = st_load_scenario(o, o->operand[0], &s);

	if (code == ST_EXIT_OK)
		code = st_study_run(o, &s, NULL, 0, st_study_say_sweep, NULL);
	st_scenario_release(&s);
	return code;
}

static const char *const options[] = {
    "set", "axis", "sample", "replications", "precision", "max-replications", "seed", "out", "threads", "shard", "no-chart", "force", NULL};

const struct st_cmd st_cmd_sweep = {
    .name = "sweep",
    .operands = "FILE",
    .min_operands = 1,
    .max_operands = 1,
    .help = "Run every point of a scenario's axes, many times each, and compare them",
    .about = "Results go to DIR: summary.csv has the mean and the 95 % interval of every figure at every point,\n"
	     "compare.csv the paired differences to the first point, series/ the mean load over time, and\n"
	     "sweep.db everything, for sqlite3. strategies.png shows the load under each value of the first\n"
	     "axis, sweep.png all points side by side; each is there as SVG too.\n\n"
	     "A sweep that was stopped in any way goes on where it was with the same command. Its results do\n"
	     "not depend on that, nor on the number of threads. More replications may be asked for later.\n\n"
	     "With --precision, runs are made in batches of --replications until the figure is known so well at\n"
	     "each point, or --max-replications are made.",
    .options = options,
    .run = run,
};
