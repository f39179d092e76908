#ifndef ST_APP_TRIALS_H
#define ST_APP_TRIALS_H
/*
 * trials.h - the trials of a study or a tune on their way into the folder's store: what is asked for and not there yet is run, kept and told of.
 *
 * Stops    on the first SIGINT or SIGTERM (stop.h), in good order; what is finished is in the store.
 */
#include "app/opts.h"
#include "app/progress.h"
#include "experiment/executor.h"
#include "experiment/scenario.h"
#include "experiment/store.h"

struct st_trials {
	const struct st_opts *o;
	const struct st_grid *grid;   /* of all points that are asked for */
	struct st_store *store;
	unsigned threads;
	struct st_job *job;           /* asked for, and not in the store when they were */
	size_t njobs, cap;
	struct st_progress progress;
	bool is_measured;             /* how long a run takes was told */
};

/*
 * Open the store in a file of the folder. `what` has its scenario, replications, points and, of those that are all known, labels; the rest
 * comes from the scenario and the grid. 0, or -1 with a message.
 */
int st_trials_open(struct st_trials *t, const char *dir, const char *file, const struct st_scenario *s, struct st_store_id what, struct st_err *e);

/* Forget what was asked for; ask for a trial, unless the store has it. They are run in this order. */
void st_trials_clear(struct st_trials *t);
void st_trials_ask(struct st_trials *t, size_t point, uint32_t replication);

/*
 * Run what was asked for, and commit it. The first time, where there is much to do, a few that are spread over all come first, to tell how
 * long the rest of the progress's total will take. 1: all are in the store; 0: interrupted; -1 with a message.
 */
int st_trials_run(struct st_trials *t, struct st_err *e);

/* All but the store, which is to be closed by itself. */
void st_trials_release(struct st_trials *t);

#endif
