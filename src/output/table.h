#ifndef ST_OUTPUT_TABLE_H
#define ST_OUTPUT_TABLE_H
/*
 * table.h - what the commands print for people: a sentence first, then a small table. ASCII, at most 100
 * columns.
 */
#include "base/text.h"
#include "experiment/result.h"

/* A run: what happened, then the headline figures of the whole and of each group. */
void st_table_run(const struct st_result *r, struct st_text *out);

/*
 * A sweep: one row a point, then which is best, and by what. Of the clients those in groups that the axes name, or all; of the
 * service the peak and the recovery. In table_sweep.c.
 */
void st_table_sweep(const struct st_sweep_result *r, struct st_text *out);

#endif
