#ifndef ST_OUTPUT_TABLE_H
#define ST_OUTPUT_TABLE_H
/*
 * table.h - what the commands print for people: a sentence first, then a small table. ASCII, at most 100
 * columns.
 */
#include "base/text.h"
#include "experiment/result.h"
#include "output/contrast.h"

/*
 * Clients come to an end if in some point their last success is earlier than this part of the run. Of others it tells when
 * the run ended, and is not shown.
 */
#define ST_TABLE_NEARLY 0.95

/* A run: what happened, then the headline figures of the whole and of each group. */
void st_table_run(const struct st_result *r, struct st_text *out);

/*
 * A sweep: one row a point, then which policy does best, by what. Of the clients those in groups that the axes name, or all; of
 * the service the peak and the recovery. In table_sweep.c and leader.c.
 */
void st_table_sweep(const struct st_sweep_result *r, struct st_text *out);

/*
 * Points against the first: one row a point, a mark where it is significantly better or worse, then a sentence a figure. As text, or as
 * Markdown for a review. In table_contrast.c.
 */
void st_table_contrast(const struct st_contrast *c, struct st_text *out);
void st_table_contrast_md(const struct st_contrast *c, struct st_text *out);

#endif
