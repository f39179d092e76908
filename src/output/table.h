#ifndef ST_OUTPUT_TABLE_H
#define ST_OUTPUT_TABLE_H
/*
 * table.h - what the commands print for people: a sentence first, then a small table. ASCII, at most 100
 * columns. And its parts, for who has more room: tables as cells, to be released, in which nothing is cut short.
 */
#include "base/text.h"
#include "experiment/result.h"
#include "output/cells.h"
#include "output/contrast.h"

/*
 * Clients come to an end if in some point their last success is earlier than this part of the run. Of others it tells when
 * the run ended, and is not shown.
 */
#define ST_TABLE_NEARLY 0.95

/* A run: what happened, then the headline figures of the whole and of each group. */
void st_table_run(const struct st_result *r, struct st_text *out);

/* The sentence; the figures: one row of heads, name and unit to the left; those of several services: a row each. */
void st_table_run_say(const struct st_result *r, struct st_text *out);
void st_table_run_cells(const struct st_result *r, struct st_cells *c);
void st_table_services_cells(const struct st_result *r, struct st_cells *c);

/*
 * A sweep: one row a point, then which policy does best, by what. Of the clients those in groups that the axes name, or all; of
 * the service the peak and the recovery. In table_sweep.c and leader.c.
 */
void st_table_sweep(const struct st_sweep_result *r, struct st_text *out);

/* All of its columns, points and axes to the left, and lines that belong below it. Returns how many rows of heads it has. */
size_t st_table_sweep_cells(const struct st_sweep_result *r, struct st_cells *c, struct st_text *notes);

/*
 * Points against the first: one row a point, a mark where it is significantly better or worse, then a sentence a figure. As text, or as
 * Markdown for a review. In table_contrast.c.
 */
void st_table_contrast(const struct st_contrast *c, struct st_text *out);
void st_table_contrast_md(const struct st_contrast *c, struct st_text *out);

/* All of the table, labels to the left; returns how many rows of heads it has. What its marks mean; the sentence on a figure. */
size_t st_table_contrast_cells(const struct st_contrast *c, struct st_cells *cells);
void st_table_contrast_marks(const struct st_contrast *c, struct st_text *out);
void st_table_contrast_say(const struct st_contrast *c, size_t column, struct st_text *out);

#endif
