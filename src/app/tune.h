#ifndef ST_APP_TUNE_H
#define ST_APP_TUNE_H
/*
 * tune.h - the search of a tune under way: the race's points run on threads, and kept in the folder's tune.db.
 *
 * Goes on   with what the store has: the race is run again from its beginning, and finds its runs there.
 */
#include "app/inputs.h"
#include "app/opts.h"
#include "app/progress.h"
#include "experiment/executor.h"
#include "experiment/race.h"
#include "experiment/space.h"
#include "experiment/store.h"

struct st_tune {
	const struct st_opts *o;
	struct st_scenario *scenario;
	struct st_goal goal;
	struct st_space space;
	struct st_race race;
	struct st_grid grid;      /* of all points there are */
	struct st_text canonical; /* the scenario, without axes */
	struct st_inputs inputs;
	struct st_store *store;
	char *dir;
	double **value;           /* [0: goal, 1 + i: bound i][point * race.last + run] */
	struct st_job *job;
	size_t njobs, named;      /* named: points that the store knows */
	unsigned threads;
	bool is_measured;         /* how long a run takes was told */
	struct st_progress progress;
};

/* The goal, the space and the race are read; make the folder and run. identity: what the store is of. 1: it is over; 0: interrupted; -1 with a message. */
int st_tune_search(struct st_tune *t, struct st_text *identity, struct st_err *e);

/* A figure of a point's runs: 0 is the goal's, 1 + i that of bound i. */
const double *st_tune_values(const struct st_tune *t, size_t figure, size_t point);

/* How a point does, for the race; to is a struct st_tune. */
struct st_standing st_tune_look(void *to, size_t point, uint32_t runs);

#endif
