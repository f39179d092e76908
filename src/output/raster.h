#ifndef ST_OUTPUT_RASTER_H
#define ST_OUTPUT_RASTER_H
/*
 * raster.h - a trace for files and the chart: whose attempts it has, and a line of dots for each of the first clients.
 *
 * Owns     nothing: all texts and arrays are borrowed.
 */
#include "base/err.h"
#include "experiment/result.h"

/* What a row of trace.csv may tell of an attempt, in the order of the model's steps. */
enum { ST_RASTER_STEPS = 5 };

/* "sent", "succeeded", "failed", "waits", "given_up" */
const char *st_raster_step_name(size_t step);

/* A group of clients that is traced, as a block of the raster's lines: those of its first clients. */
struct st_raster_block {
	const char *clients;
	size_t from, lines;              /* from 0 */
	uint64_t steps[ST_RASTER_STEPS]; /* rows of trace.csv */
};

struct st_raster {
	const char *title;               /* may be NULL */
	st_time duration;
	const struct st_window *fault;
	size_t nfaults;
	const struct st_raster_block *block;
	size_t nblocks;                  /* at least one */
	const char *group;               /* the only one that was asked for, or NULL */
	uint64_t first;                  /* clients of each group that were asked for; 0: all */
	uint64_t seed;
};

/* raster.png and raster.svg from trace.csv and trace.json. 0, or -1 with a message. */
int st_raster_draw(const char *dir, struct st_err *e);

#endif
