#ifndef ST_EXPERIMENT_ROUNDS_H
#define ST_EXPERIMENT_ROUNDS_H
/*
 * rounds.h - how many runs each point gets: a fixed number, or batches of a fixed size until a figure is known well enough.
 *
 * Rule     after each batch a point is looked at: it is done where the half-width of the figure's 95 % interval is at most the
 *          share asked for of the mean, where there can be no mean (a run is `never`, or lacks the figure), and at the
 *          limit. The decision after n runs is one of the runs 0 ... n - 1 alone: so it does not depend on threads, nor on where
 *          a sweep was stopped.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "experiment/expect.h"

/* What is asked for; of a fixed number half_width is 0. */
struct st_precision {
	double half_width;       /* relative to the mean */
	uint64_t limit;          /* most runs of a point */
	char *figure;            /* as the user names it: "goodput", "fleet.success_share" */
	struct st_expect of;     /* the figure and whose; no relation */
};

/* So many runs a batch, where the scenario asks for one replication or says nothing. */
enum { ST_ROUNDS_BATCH = 10 };

enum st_rounds_end { ST_ROUNDS_OPEN, ST_ROUNDS_REACHED, ST_ROUNDS_LIMIT, ST_ROUNDS_NEVER, ST_ROUNDS_FIXED };

struct st_round_point {
	uint32_t wanted;         /* runs, so far */
	enum st_rounds_end end;
	double half_width;       /* relative, as last looked at; NAN: there is none */
};

struct st_rounds {
	const struct st_precision *precision;
	struct st_round_point *point;
	size_t npoints;
	uint32_t batch, most;    /* most: of any point at any time */
};

/* replications: of each point, or the size of a batch. *r is to be released. */
void st_rounds_init(struct st_rounds *r, const struct st_precision *p, uint64_t replications, size_t npoints);
void st_rounds_release(struct st_rounds *r);

/* Not to run a point at all: it is somebody else's. */
void st_rounds_leave(struct st_rounds *r, size_t point);

/*
 * Look at the points that are not done: value[point * most + run] is the figure of the runs wanted so far. Whether more are wanted now.
 */
bool st_rounds_next(struct st_rounds *r, const double *value);

/* The most that any point wants by now. */
uint32_t st_rounds_wanted(const struct st_rounds *r);

/* "precision: 2 % of goodput reached at 34 of 36 points, in 30 to 120 runs; not in 1000 runs at 3 (2.4 %)"; nothing of a fixed number. */
void st_rounds_say(const struct st_rounds *r, struct st_text *out);

#endif
