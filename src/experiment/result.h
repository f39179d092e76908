#ifndef ST_EXPERIMENT_RESULT_H
#define ST_EXPERIMENT_RESULT_H
/*
 * result.h - a finished trial, as plain data: what every output is made from.
 */
#include <stddef.h>
#include <stdint.h>

#include "measure/series.h"
#include "measure/summary.h"

struct st_result_group {
	char *name;
	double *figure;                /* one a row of the table of figures; NAN where the row is not of groups' scope */
};

struct st_result {
	double *figure;                /* one a row of the table of figures */
	struct st_result_group *group;
	size_t ngroups;
	struct st_series series;
	uint64_t *ended_with;          /* operations that ended after k attempts, k = 0 ... nended - 1 */
	size_t nended;
	uint64_t events, fingerprint, seed;
	uint32_t replication;
	/* What charts mark. */
	struct st_window { st_time from, to; } *fault; /* sorted by from */
	size_t nfaults;
	double capacity_per_s;
	/* The machine's part: never in a sweep's outputs. */
	double wall_s, cpu_s, events_per_s;
	uint64_t peak_rss_bytes;
};

void st_result_release(struct st_result *r);

#endif
