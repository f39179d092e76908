#ifndef ST_EXPERIMENT_POOL_H
#define ST_EXPERIMENT_POOL_H
/*
 * pool.h - a list of trials that several take from, and what came of them.
 *
 * What came of a job waits until it can be handed over: who finds that nobody does so hands over all that waits, while the others
 * run their next jobs. So that a store's disk holds up one of them, not all.
 *
 * Owns     results that wait; the list of jobs is the caller's (cfg).
 * Threads  any; what is taken and handed over is so by one at a time.
 */
#include <pthread.h>

#include "experiment/executor.h"

enum { ST_POOL_ROOM = 64 /* results that wait; who brings one more waits with it */ };

/* What came of a job. */
struct st_pool_slip {
	const struct st_job *job;
	int rc;
	struct st_result result;
	struct st_err e;
};

struct st_pool {
	const struct st_executor_cfg *cfg;
	pthread_mutex_t lock; /* of all that follows */
	size_t next;          /* job */
	struct st_pool_slip waiting[ST_POOL_ROOM]; /* a ring */
	size_t first, nwaiting;
	pthread_cond_t room;
	bool handing_over;    /* somebody is, without the lock */
	bool failed;
	struct st_err *e;     /* what failed first */
};

/* cfg and e outlive the pool; e gets what failed first. */
void st_pool_init(struct st_pool *p, const struct st_executor_cfg *cfg, struct st_err *e);

/* 0, or -1 if something failed. */
int st_pool_release(struct st_pool *p);

/* The next job; NULL: there is none, or the work is to stop. */
const struct st_job *st_pool_take(struct st_pool *p);

/* Jobs that nobody has taken. */
size_t st_pool_left(struct st_pool *p);

/*
 * Hand over what came of a job: rc 0 and the result, whose contents are taken; or -1 and a message, which stops the work, or none
 * if the trial was dropped. e is left empty.
 */
void st_pool_give(struct st_pool *p, const struct st_job *job, int rc, struct st_result *r, struct st_err *e);

/* Whether the work is to stop. */
bool st_pool_stops(const struct st_pool *p);

/* Run jobs until none is left: the body of a thread, arg is the pool. */
void *st_pool_work(void *arg);

#endif
