#ifndef ST_OUTPUT_CHART_H
#define ST_OUTPUT_CHART_H
/*
 * chart.h - draws the charts of a folder of results from the files in it, as PNG and SVG.
 *
 * Programs  gnuplot: $GNUPLOT, else the one configure found, else on $PATH. It reads no start-up file and no
 * input, and is given ten minutes a chart (a million bins take half a minute). Scripts   plots/NAME.gp: in
 * $STAMPEDE_PLOTS, else near the program (a build tree), else where they were installed. Errors    the
 * machine's (exit 3): no gnuplot, gnuplot failed (with what it said), folder not writable. The results must
 *           have been written before; nothing of them is touched.
 */
#include "base/err.h"
#include "experiment/result.h"

/* load.png, load.svg from series.csv and summary.json. */
int st_chart_run(const char *dir, struct st_err *e);

/* strategies.png, sweep.png, over a quantity curves.png, and their SVGs from summary.csv, sweep.json and series/. */
int st_chart_sweep(const char *dir, struct st_err *e);

/* schedule.png, schedule.svg from schedule.json, schedule.csv and density.csv. */
int st_chart_schedule(const char *dir, struct st_err *e);

/* A group of clients as a block of a raster's lines: those of its first clients. */
struct st_chart_lines {
	const char *clients;
	size_t from, n; /* lines, from 0 */
};

/* raster.png, raster.svg from trace.csv: a line a client. Of n groups at least one; the end of the run and the faults are marked. */
int st_chart_trace(const char *dir, const char *title, st_time duration, const struct st_window *fault, size_t nfaults,
    const struct st_chart_lines *lines, size_t n, struct st_err *e);

#endif
