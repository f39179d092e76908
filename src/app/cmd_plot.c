#include <config.h>

#include <stdio.h>

#include "app/cmd.h"
#include "output/chart.h"
#include "output/file.h"
#include "output/front.h"

static int draw(const char *dir, struct st_err *e)
{
	bool is_run = st_file_exists(dir, "series.csv") && st_file_exists(dir, "summary.json");
	bool is_sweep = st_file_exists(dir, "sweep.json");
	bool is_tune = st_file_exists(dir, "tune.json") && st_file_exists(dir, "tune.csv");
	bool is_schedule = st_file_exists(dir, "schedule.json") && st_file_exists(dir, "density.csv");

	if (!is_run && !is_sweep && !is_schedule && !is_tune)
		return st_err_add(
		    e, ST_EXIT_USER, NULL, "'%s' has neither a run's nor a sweep's results", dir);
	if (is_run && st_chart_run(dir, e) < 0)
		return -1;
	if (is_schedule && st_chart_schedule(dir, e) < 0)
		return -1;
	if (is_tune && st_front_draw(dir, e) < 0)
		return -1;
	return is_sweep ? st_chart_sweep(dir, e) : 0;
}

static int run(const struct st_opts *o)
{
	struct st_err e = ST_ERR_INIT;

	draw(o->operand[0], &e);
	st_err_print(&e, stderr);
	int code = (int)e.code;
	st_err_release(&e);
	return code;
}

static const char *const options[] = {NULL};

const struct st_cmd st_cmd_plot = {
    .name = "plot",
    .operands = "DIR",
    .min_operands = 1,
    .max_operands = 1,
    .help = "Draw the charts of a folder of results again",
    .about =
	"load.png of a run; strategies.png, sweep.png and curves.png of a sweep; schedule.png of a policy;\n"
	"front.png of a tune; each as SVG too. The scripts are plots/*.gp; to draw with your own, copy\n"
	"them and set STAMPEDE_PLOTS to their folder. GNUPLOT names the program.",
    .options = options,
    .run = run,
};
