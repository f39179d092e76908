#ifndef ST_EXPERIMENT_RESULT_H
#define ST_EXPERIMENT_RESULT_H
/*
 * result.h - a finished trial, as plain data: what every output is made from.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "measure/series.h"
#include "measure/summary.h"
#include "measure/tally.h"

/* Of whom a run has figures besides those of the whole: a group of clients, or a service and all that call it. */
struct st_result_subject {
	char *name;                    /* no two have the same */
	unsigned scope;                /* ST_SCOPE_GROUP or ST_SCOPE_SERVICE */
	double *figure;                /* one a row of the table of figures; NAN where the row is not of this scope */
	struct st_series series;       /* of a service but the first, whose series is the result's own; else empty */
};

struct st_result {
	double *figure;                /* one a row of the table of figures; of all clients, and the service that they call, the first */
	struct st_result_subject *subject; /* the groups, then the services where there are several */
	size_t nsubjects;
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

/*
 * Put the series' rows into their byte form, a tenth as large: what a store keeps, and what goes from one process to another. Those of
 * further services, which neither has, go.
 */
void st_result_pack(struct st_result *r);

/* How many groups, or services. */
static inline size_t st_result_count(const struct st_result *r, unsigned scope)
{
	size_t n = 0;

	for (size_t i = 0; i < r->nsubjects; i++)
		n += r->subject[i].scope == scope;
	return n;
}

/* A finished sweep: what its CSVs and charts are made from. */
struct st_sweep_point {
	char **label;                  /* one an axis: the value as text */
	size_t n;                      /* replications finished */
	double **value;                /* [figure][replication] */
	double ***subject_value;       /* [subject][figure][replication]; NAN where the row is not of its scope */
	struct st_tally series;        /* mean series with bands */
	struct st_window *fault;
	size_t nfaults;
	double capacity_per_s;
};

/* Of whom a sweep has figures besides those of the whole. */
struct st_subject {
	char *name;                    /* no two have the same */
	unsigned scope;                /* ST_SCOPE_GROUP or ST_SCOPE_SERVICE */
	bool is_swept;                 /* an axis names a parameter of it */
};

/* In place of a subject's index: the whole run. */
#define ST_WHOLE ((size_t)-1)

struct st_sweep_result {
	char *title;
	char **axis;                   /* as the user named them */
	size_t naxes;
	signed char *by_ratio;         /* of a sample, one an axis: 1 or 0 whether it draws evenly over a ratio, -1 from a list; NULL: all combinations */
	struct st_sweep_point *point;
	size_t npoints;
	struct st_subject *subject;    /* of all points; no group, no service where there is but one, which is the whole */
	size_t nsubjects;
	char **figure;                 /* that a comparison was asked for, as in summary.csv: "fleet.success_share"; none: the usual ones */
	size_t nfigures;
	uint32_t replications;         /* asked for */
	uint64_t seed;
};

/* Add a copy of the name to the figures that are asked for. */
void st_sweep_choose(struct st_sweep_result *r, const char *figure);

void st_sweep_result_release(struct st_sweep_result *r);

/* The replications' values of a figure of a subject or of ST_WHOLE; NULL for a point that no replication has finished. */
static inline const double *st_sweep_values(const struct st_sweep_point *p, size_t subject, size_t figure)
{
	if (p->n == 0)
		return NULL;
	return subject == ST_WHOLE ? p->value[figure] : p->subject_value[subject][figure];
}

/* The index of the subject of that name; ST_WHOLE if there is none (the only one of its kind is the whole), or name is NULL. */
static inline size_t st_sweep_subject(const struct st_sweep_result *r, const char *name)
{
	for (size_t i = 0; name && i < r->nsubjects; i++)
		if (strcmp(r->subject[i].name, name) == 0)
			return i;
	return ST_WHOLE;
}

#endif
