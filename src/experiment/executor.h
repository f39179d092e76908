#ifndef ST_EXPERIMENT_EXECUTOR_H
#define ST_EXPERIMENT_EXECUTOR_H
/*
 * executor.h - who runs a list of trials: threads that share nothing but the list, or others (ranks.h).
 *
 * Results come in no fixed order; each is a function of its job alone.
 * Threads  the caller is one of them, so a list on one thread starts none.
 */
#include "experiment/grid.h"
#include "experiment/result.h"

struct st_job {
	size_t point;
	uint32_t replication;
};

struct st_executor_cfg {
	const struct st_grid *grid;
	const struct st_job *job; /* taken in this order */
	size_t njobs;
	unsigned threads;         /* as many as count() says */
	bool packs;               /* series are to come packed, as a store takes them; else some may */
	volatile int *stop;       /* set from a signal handler, or here once something fails: threads drop the trial they
	                             are at, and end */
	/* Called as each trial ends, by one thread at a time, in no fixed order; takes the result's contents over.
	 * Returns 0, or -1 with a message in e to stop everything (the disk is full). */
	int (*done)(void *to, const struct st_job *job, struct st_result *r, struct st_err *e);
	void *to;
};

/* 0 if all ran or stop was set from outside; -1 with the message of what failed first. */
int st_executor_run(const struct st_executor_cfg *cfg, struct st_err *e);

struct st_executor {
	const char *unit;         /* "thread" */
	bool takes_count;         /* -j says how many */
	unsigned (*count)(unsigned asked); /* how many there will be; asked 0: as many as there are processors */
	int (*run)(const struct st_executor_cfg *cfg, struct st_err *e); /* as st_executor_run() */
};

extern const struct st_executor st_executor_threads;

#endif
