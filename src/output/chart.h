#ifndef ST_OUTPUT_CHART_H
#define ST_OUTPUT_CHART_H
/*
 * chart.h - draws the charts of a folder of results from the files in it, as PNG and SVG.
 *
 * Programs  gnuplot: $GNUPLOT, else the one configure found, else on $PATH. It reads no start-up file, and is given ten
 *           minutes a chart (a million bins take half a minute).
 * Scripts   plots/NAME.gp: in $STAMPEDE_PLOTS, else near the program (a build tree), else where they were installed.
 * Errors    the machine's (exit 3): no gnuplot, gnuplot failed (with what it said), folder not writable. The results must
 *           have been written before; nothing of them is touched.
 */
#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

/* load.png, load.svg from series.csv and summary.json; of each of several services but the first load-NAME.png, load-NAME.svg. */
int st_chart_run(const char *dir, struct st_err *e);

/* strategies.png, sweep.png, over a quantity curves.png; of a sample scatter.png; and their SVGs, from summary.csv, sweep.json and series/. */
int st_chart_sweep(const char *dir, struct st_err *e);

/* schedule.png, schedule.svg from schedule.json, schedule.csv and density.csv. */
int st_chart_schedule(const char *dir, struct st_err *e);

/* The charts that the results of one kind are drawn as. */
struct st_chart {
	const char *kind;       /* "run": the command that leaves them */
	const char *data[2];    /* files of the folder: both are there, or there are no such results */
	struct st_chart_picture {
		const char *name;    /* without ending; NULL: no more. What the data do not give is not drawn */
		const char *caption; /* what is to be seen on it */
	} picture[4];
	int (*draw)(const char *dir, struct st_err *e);
};

/* The i-th kind, NULL past the last. */
const struct st_chart *st_chart_at(size_t i);

/* Whether the folder has what they are drawn from. */
bool st_chart_has_data(const struct st_chart *c, const char *dir);

#endif
