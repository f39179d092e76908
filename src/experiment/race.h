#ifndef ST_EXPERIMENT_RACE_H
#define ST_EXPERIMENT_RACE_H
/*
 * race.h - the search of a tune: which points to run, and how often.
 *
 * Scheme   The first generation is `points` points of Sobol's sequence over the whole space, `first` runs each. Then the better half
 *          of them gets as many runs again, the better half of those as many again, and so on (successive halving: Karnin, Koren,
 *          Somekh, ICML 2013) until ST_RACE_FINALISTS are left, which get `last` runs. Run r has the same random numbers
 *          at every point, and points are compared by the same runs. The best point whose bounds surely hold always stays.
 *          Each further generation takes the finalists, and a quarter as many new points as the first, from boxes around them: every
 *          other one around the best. The boxes are `width` of each interval wide: at first four times the distance between points of the first
 *          generation, at most a half; each generation halves it. Where an axis has several items, with a chance of `width` any of them is drawn.
 * Confirm  when it is over the best ST_RACE_FINALISTS finalists are to have `last` runs more, by which no decision was made: the best of many
 *          means is too good to be true. Their number is kept free in the budget; runs from `last` on are nothing of the race's.
 * Budget   a generation is begun only if the rest of the budget surely suffices for it.
 * Same     every decision is one of the values of the runs asked for alone: so it does not depend on threads, nor on
 *          where it was stopped.
 * Limits   it finds a good point, not surely the best: of several valleys the one that the first generation hit.
 */
#include <gsl/gsl_qrng.h>

#include "experiment/goal.h"

enum { ST_RACE_FINALISTS = 4, ST_RACE_DIMENSIONS = 40 };

/* An axis: words, then intervals; each of these items is as likely as the others. */
struct st_race_axis {
	size_t words, intervals;
};

/* Where a point is on an axis: the item; and of an interval how far from its low end, from 0 to 1. */
struct st_race_at {
	size_t item;
	double u;
};

struct st_race_point {
	struct st_race_at *at;        /* one an axis */
	uint32_t wanted;              /* runs, so far */
	unsigned generation;
	struct st_standing standing;  /* as last looked at */
};

struct st_race_cfg {
	const struct st_race_axis *axis;
	size_t naxes;                 /* 1 ... ST_RACE_DIMENSIONS */
	size_t points;                /* of the first generation */
	uint32_t first;               /* runs of each of them */
	uint64_t budget;              /* most runs in all, those that confirm the best too */
	/* Make a point there; its number is that of those before it. false: it is one that there is already. */
	bool (*add)(void *to, const struct st_race_at *at);
	/* How a point does by its first runs, all of which were asked for before. */
	struct st_standing (*look)(void *to, size_t point, uint32_t runs);
	void *to;
};

struct st_race {
	struct st_race_cfg cfg;
	struct st_race_point *point;
	size_t npoints, cap;
	size_t *in, nin;              /* points in the race now, by number */
	uint32_t runs, last;          /* of each that is in now; of finalists */
	uint64_t spent;               /* runs asked for */
	unsigned generation, generations; /* now, from 0; in all, at most */
	double width;
	gsl_qrng *sobol;
};

/* The most runs that the first generation takes with what confirms the best in the end, and each further one. */
uint64_t st_race_least(const struct st_race_cfg *cfg);
uint64_t st_race_further(const struct st_race_cfg *cfg);

/* Borrows what cfg points to. budget is at least st_race_least(). *r is to be released. */
void st_race_init(struct st_race *r, const struct st_race_cfg *cfg);
void st_race_release(struct st_race *r);

/* The most points and runs that it can come to. */
size_t st_race_most_points(const struct st_race *r);
uint64_t st_race_most_runs(const struct st_race *r);

/* What next: `in` are to have `runs` runs each. false: it is over. */
bool st_race_step(struct st_race *r);

/* Points that were finalists, by all their runs, the best first by st_standing_in_end; of equals the one with the lower number. *out is to be freed. */
size_t st_race_finalists(struct st_race *r, size_t **out);

#endif
