#ifndef ST_APP_TUNE_H
#define ST_APP_TUNE_H
/*
 * tune.h - the search of a tune under way: the race's points run on threads, and kept in the folder's tune.db.
 *
 * Goes on   with what the store has: the race is run again from its beginning, and finds its runs there.
 * Confirms  the best finalists by as many runs again, that had no part in any choice: the best of many means is a little too good to be true.
 */
#include "app/inputs.h"
#include "app/opts.h"
#include "app/trials.h"
#include "experiment/race.h"
#include "experiment/space.h"

struct st_tune {
	const struct st_opts *o;
	struct st_scenario *scenario;
	struct st_goal goal;
	struct st_space space;
	struct st_race race;
	struct st_grid grid;      /* of all points there are */
	struct st_text canonical; /* the scenario, with axes of its own that --over may name */
	struct st_text identity;  /* what the store is of */
	struct st_inputs inputs;
	struct st_trials trials;
	char *dir;
	double **value;           /* [0: goal, 1 + i: bound i][point * 2 * race.last + run]; runs from race.last on are the fresh ones */
	size_t named;             /* points that the store knows */
	size_t *finalist, nfinalists, nconfirmed; /* when it is over: the best first, and how many of these have fresh runs */
};

/* The goal, the space and the race are read; make the folder and run. 1: it is over; 0: interrupted; -1 with a message. */
int st_tune_search(struct st_tune *t, struct st_err *e);

/* A figure of a point's runs: 0 is the goal's, 1 + i that of bound i; of those that it was chosen by, or of the fresh ones, race.last of them. */
const double *st_tune_values(const struct st_tune *t, size_t figure, size_t point, bool fresh);

/* How a point does, for the race; to is a struct st_tune. */
struct st_standing st_tune_look(void *to, size_t point, uint32_t runs);

/* How a confirmed point does in its fresh runs. */
struct st_standing st_tune_look_fresh(const struct st_tune *t, size_t point);

#endif
