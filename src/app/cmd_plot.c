#include <config.h>

#include <stdio.h>

#include "app/cmd.h"
#include "output/chart.h"

static int draw(const char *dir, struct st_err *e)
{
	bool any = false;

	for (size_t i = 0; st_chart_at(i); i++) {
		if (!st_chart_has_data(st_chart_at(i), dir))
			continue;
		any = true;
		if (st_chart_at(i)->draw(dir, e) < 0)
			return -1;
	}
	return any ? 0 : st_err_add(e, ST_EXIT_USER, NULL, "'%s' holds no results", dir);
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
	"load.png of a run, and load-NAME.png of each service but the first; strategies.png, sweep.png and\n"
	"curves.png of a sweep, scatter.png of a sample; schedule.png of a policy; front.png of a tune;\n"
	"raster.png of a trace; each as SVG too. The scripts are plots/*.gp; to draw with your own, copy them\n"
	"and set STAMPEDE_PLOTS to their folder. GNUPLOT names the program.",
    .options = options,
    .run = run,
};
