#ifndef ST_EXPERIMENT_POOL_H
#define ST_EXPERIMENT_POOL_H
/*
 * pool.h - a list of trials that several take from, and what came of them.
 *
 * Threads  any; what is taken and handed over is so by one at a time.
 */
#include <pthread.h>

#include "experiment/executor.h"

struct st_pool {
	const struct st_executor_cfg *cfg;
	pthread_mutex_t lock; /* held to take a job and to hand a result over */
	size_t next;          /* job */
	bool failed;
	struct st_err *e;     /* what failed first */
};

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
