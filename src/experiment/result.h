#ifndef ST_EXPERIMENT_RESULT_H
#define ST_EXPERIMENT_RESULT_H
/*
 * result.h - a finished trial, as plain data: what every output is made from.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "measure/series.h"
#include "measure/summary.h"
#include "measure/tally.h"

struct st_result_group {
	char *name;
	double *figure;                /* one a row of the table of figures; NAN where the row is not of groups' scope */
};

/* One of several services. Of the first the series is the result's own, and this one empty. */
struct st_result_service {
	char *name;
	double *figure;                /* one a row of the table of figures, of the calls of it */
	struct st_series series;
};

struct st_result {
	double *figure;                /* one a row of the table of figures */
	struct st_result_group *group;
	size_t ngroups;
	struct st_result_service *service; /* none where there is but one, which is the whole */
	size_t nservices;
	struct st_series series;       /* of the first service */
	unsigned char *packed;         /* or its rows as bytes, npacked of them; then only bin and duration are left above */
	size_t npacked;
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

/* Put the series' rows into their byte form, a tenth as large: what a store keeps, and what goes from one process to another. */
void st_result_pack(struct st_result *r);

/* A finished sweep: what its CSVs and charts are made from. */
struct st_sweep_point {
	char **label;                  /* one an axis: the value as text */
	size_t n;                      /* replications finished */
	double **value;                /* [figure][replication] */
	double ***group_value;         /* [group][figure][replication]; NAN where the row is not of groups' scope */
	struct st_tally series;        /* mean series with bands */
	struct st_window *fault;
	size_t nfaults;
	double capacity_per_s;
};

struct st_sweep_group {
	char *name;
	bool is_swept;                 /* an axis names a parameter of it */
};

struct st_sweep_result {
	char *title;
	char **axis;                   /* as the user named them */
	size_t naxes;
	struct st_sweep_point *point;
	size_t npoints;
	struct st_sweep_group *group;  /* of all points; none where there is but one, which is the whole */
	size_t ngroups;
	uint32_t replications;         /* asked for */
	uint64_t seed;
};

void st_sweep_result_release(struct st_sweep_result *r);

/* The replications' values of a figure of a group or of ST_ALL_GROUPS; NULL for a point that no replication has finished. */
static inline const double *st_sweep_values(const struct st_sweep_point *p, size_t group, size_t figure)
{
	if (p->n == 0)
		return NULL;
	return group == ST_ALL_GROUPS ? p->value[figure] : p->group_value[group][figure];
}

#endif
