#include <config.h>

#include "experiment/pool.h"

#include "experiment/trial.h"

void st_pool_init(struct st_pool *p, const struct st_executor_cfg *cfg, struct st_err *e)
{
	*p = (struct st_pool){.cfg = cfg, .e = e};
	pthread_mutex_init(&p->lock, NULL);
}

int st_pool_release(struct st_pool *p)
{
	pthread_mutex_destroy(&p->lock);
	return p->failed ? -1 : 0;
}

/* One failure is enough: what the others say after it mostly follows from it. Called with the lock held. */
static void fail(struct st_pool *p, const struct st_err *why)
{
	if (!p->failed) {
		for (size_t i = 0; i < why->n; i++)
			st_err_add(p->e, why->code, NULL, "%s", why->message[i]);
	}
	p->failed = true;
	__atomic_store_n(p->cfg->stop, 1, __ATOMIC_RELAXED); /* the others look without the lock */
}

bool st_pool_stops(const struct st_pool *p)
{
	return __atomic_load_n(p->cfg->stop, __ATOMIC_RELAXED);
}

const struct st_job *st_pool_take(struct st_pool *p)
{
	const struct st_job *job = NULL;

	pthread_mutex_lock(&p->lock);
	if (!st_pool_stops(p) && p->next < p->cfg->njobs)
		job = &p->cfg->job[p->next++];
	pthread_mutex_unlock(&p->lock);
	return job;
}

size_t st_pool_left(struct st_pool *p)
{
	pthread_mutex_lock(&p->lock);
	size_t left = p->cfg->njobs - p->next;
	pthread_mutex_unlock(&p->lock);
	return left;
}

void st_pool_give(struct st_pool *p, const struct st_job *job, int rc, struct st_result *r, struct st_err *e)
{
	pthread_mutex_lock(&p->lock);
	if (rc == 0 && !p->failed)
		rc = p->cfg->done(p->cfg->to, job, r, e);
	else if (rc == 0)
		st_result_release(r);
	if (rc < 0 && st_err_any(e)) /* without a message it was stopped */
		fail(p, e);
	pthread_mutex_unlock(&p->lock);
	st_err_release(e);
}

void *st_pool_work(void *arg)
{
	struct st_pool *p = arg;
	const struct st_job *job;

	while ((job = st_pool_take(p))) {
		struct st_err e = ST_ERR_INIT;
		struct st_result r;
		int rc = st_trial_run(&p->cfg->grid->point[job->point].config, job->replication, p->cfg->stop, &r, &e);

		st_pool_give(p, job, rc, &r, &e);
	}
	return NULL;
}
