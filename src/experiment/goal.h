#ifndef ST_EXPERIMENT_GOAL_H
#define ST_EXPERIMENT_GOAL_H
/*
 * goal.h - what a tune wants: a figure as small or as large as can be, while others keep their bounds; and how well a point does.
 *
 * Form     "min recovery_time", "max fleet.success_share"; the bounds are written as expectations are (expect.h), without a `when`.
 * Never    counts worse than any number, whichever way the goal goes; so does a figure that a run lacks.
 */
#include "experiment/expect.h"
#include "experiment/judge.h"

struct st_goal {
	char *text;              /* as the user wrote it */
	bool is_max;
	struct st_expect of;     /* its figure; no relation */
	struct st_expect *bound;
	size_t nbounds;
};

/*
 * Read it and n bounds; names gives the groups and services. 0, or -1 with mistakes at "--goal" and "--subject-to". *g is to be released either way.
 */
int st_goal_read(const char *text, const char *const *bounds, size_t n, const struct st_expect_names *names, struct st_goal *g,
    struct st_mistakes *m);
void st_goal_release(struct st_goal *g);

/* Whether a bound is kept better by more of its figure. */
bool st_goal_wants_more(const struct st_expect *bound);

/* How a point does, as far as its first n runs tell. */
struct st_standing {
	enum st_judge_verdict bounds; /* the worst of them: fails, open, holds */
	double excess;                /* by how much bounds would be missed, as shares of them, summed, if the means stayed as they are and their
	                                 intervals shrank to those of `last` runs; INFINITY: by never */
	size_t nbad;                  /* runs in which the goal's figure is never, or absent */
	double cost;                  /* mean of the goal's figure over the other runs; negative of max: less is better */
	double strain;                /* the same of the first bound's figure: it decides between equal costs; 0: there is none */
};

/* values[0] is the goal's figure, values[1 + i] that of bound i, in each of n runs; last: as many as there may come to be. */
struct st_standing st_goal_look(const struct st_goal *g, const double *const *values, size_t n, size_t last);

/*
 * Below 0 if a does better. In the race what surely breaks a bound comes last; else less excess is better: what is likely to be known
 * to keep its bounds has none, and goes by the goal. In the end what surely keeps them all comes first, then what may, both by the
 * goal, then the rest by how much it misses them.
 */
int st_standing_in_race(const struct st_standing *a, const struct st_standing *b);
int st_standing_in_end(const struct st_standing *a, const struct st_standing *b);

/* By the bounds alone: those that surely keep them, those of which nobody can tell, the others. */
int st_standing_by_bounds(const struct st_standing *a, const struct st_standing *b);

#endif
