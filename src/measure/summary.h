#ifndef ST_MEASURE_SUMMARY_H
#define ST_MEASURE_SUMMARY_H
/*
 * summary.h - the figures of a run: one table of {name, unit, definition, function}.
 *
 * summary.json, summary.csv, compare.csv, the terminal's table and the manual are all views of this table. A figure is
 * a double: NAN is absent (no fault, nobody served), INFINITY is `never` (null in JSON, empty in CSV).
 */
#include <stddef.h>

#include "measure/meter.h"

/* What a figure is computed from. */
struct st_view {
	const struct st_meter *meter;  /* finished */
	size_t group;                  /* ST_ALL_GROUPS or the index of one */
	double capacity_per_s;
	st_time fault_end;             /* of the last fault; -1: there is none */
	uint64_t queue_limit;          /* ST_UNLIMITED: never full; 0: a loss system, which has no queue */
	const struct st_meter *clients; /* that of the service which clients call: for their operations is all that is done */
};

struct st_figure {
	const char *name; /* path in summary.json, nested by a dot: "latency_s.p99" */
	const char *unit; /* "1" where it has none; "1/s", "s" */
	const char *help; /* the definition, one line */
	double (*value)(const struct st_view *);
	unsigned scope;   /* ST_SCOPE_... */
};

/* Which views a figure makes sense for. */
enum {
	ST_SCOPE_RUN = 1,   /* the whole run: all clients, and the service that they call */
	ST_SCOPE_SERVICE = ST_SCOPE_RUN, /* one of several services, and all that call it: a whole of its own */
	ST_SCOPE_GROUP = 2, /* one group's clients */
	ST_SCOPE_ANY = ST_SCOPE_RUN | ST_SCOPE_GROUP,
	ST_SCOPE_COUNT = 4, /* a whole number */
	ST_SCOPE_SHARE = 8, /* of a whole: people write it in per cent */
	ST_SCOPE_NEVER = 16, /* may be `never`: over runs it has quantiles, even where it has no mean */
	ST_SCOPE_LESS = 32, /* the less the better, all else equal */
	ST_SCOPE_MORE = 64, /* the more; of those that are neither there is no saying */
};

/* The i-th figure, NULL past the last; the order is that of summary.json. */
const struct st_figure *st_figure_at(size_t i);
size_t st_figure_count(void);

/*
 * Index by name, or -1. The CSVs' spelling, with '_' for the dot, is taken too, and both without the unit, as people
 * write expectations: "recovery_time", "goodput", "latency.p99".
 */
int st_figure_find(const char *name);
/* The name as a column of summary.csv: the dot becomes '_'. */
char *st_figure_column(const struct st_figure *f, char buf[64]);
/* The name without its unit: "recovery_time", "latency.p99". */
char *st_figure_short(const struct st_figure *f, char buf[64]);

#endif
