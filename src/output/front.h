#ifndef ST_OUTPUT_FRONT_H
#define ST_OUTPUT_FRONT_H
/*
 * front.h - a tune's points for files and the chart: the goal's figure against that of the first bound, and which points nobody beats in both.
 *
 * Owns     its points' numbers and labels, the estimates among them; release with st_front_release(). Texts of the rest are borrowed.
 */
#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/text.h"
#include "measure/estimate.h"

/* A figure: of the goal, or of a bound. */
struct st_front_figure {
	char *column;          /* "fleet.success_share", "latency_s_p99"; owned */
	const char *unit;      /* "s", "1/s"; "1": none */
	double scale;          /* what people multiply it with: 100 of a share */
	bool is_more_better;
	const char *bound;     /* "<= 1.2"; NULL of the goal */
	double value;          /* of the bound */
};

struct st_front_value {
	struct st_estimate mean;
	size_t never;          /* runs of which it is never */
};

struct st_front_point {
	char **label;          /* one an axis; owned */
	unsigned generation;
	uint32_t runs;
	size_t rank;           /* among finalists, from 1; 0: it was none */
	const char *bounds;    /* "holds", "cannot tell", "does not hold"; NULL: there are none */
	struct st_front_value *value; /* one a figure; owned */
	uint32_t fresh_runs;          /* runs by which it was not chosen; 0: there are none */
	const char *fresh_bounds;     /* as bounds, in these */
	struct st_front_value *fresh; /* one a figure, in these; owned; NULL: there are none */
	bool is_out;           /* it surely breaks a bound other than the first: it is on no front */
	bool on_front;
};

struct st_front {
	const char *title, *goal;     /* title may be NULL */
	const char **axis;            /* their paths; the array is owned */
	size_t naxes;
	struct st_front_figure *figure; /* the goal's first, then one a bound; owned */
	size_t nfigures;
	struct st_front_point *point;
	size_t npoints;
	uint64_t seed;
	/* What to ask for to have it again: --subject-to and --over as given, --points, --replications, --runs. */
	const char *const *subject, *const *over;
	size_t nsubject, nover;
	uint64_t asked_points, asked_first, asked_runs;
	char *sentence, *settings; /* on the best; as --set; owned */
};

void st_front_release(struct st_front *f);

/* Find which points are on the front: of those that are not out, no other has a better mean of the goal's figure and of the first bound's, or one better and one as good. */
void st_front_mark(struct st_front *f);

/* front.png and front.svg from tune.csv and tune.json; nothing where there is no bound. 0, or -1 with a message. */
int st_front_draw(const char *dir, struct st_err *e);

#endif
