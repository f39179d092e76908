#include <config.h>

#include "experiment/pool.h"

#include "experiment/trial.h"

void st_pool_init(struct st_pool *p, const struct st_executor_cfg *cfg, struct st_err *e)
{
	*p = (struct st_pool){.cfg = cfg, .e = e};
	pthread_mutex_init(&p->lock, NULL);
	pthread_cond_init(&p->room, NULL);
}

int st_pool_release(struct st_pool *p)
{
	pthread_cond_destroy(&p->room);
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

static void hand_over(struct st_pool *p, struct st_pool_slip *s, bool failed)
{
	if (s->rc == 0 && !failed)
		s->rc = p->cfg->done(p->cfg->to, s->job, &s->result, &s->e);
	else if (s->rc == 0)
		st_result_release(&s->result);
}

/* Called with the lock held, by one at a time. */
static void hand_over_all(struct st_pool *p)
{
	p->handing_over = true;
	while (p->nwaiting > 0) {
		struct st_pool_slip s = p->waiting[p->first];
		bool failed = p->failed;

		p->first = (p->first + 1) % ST_POOL_ROOM;
		p->nwaiting--;
		pthread_cond_signal(&p->room);
		pthread_mutex_unlock(&p->lock);
		hand_over(p, &s, failed);
		pthread_mutex_lock(&p->lock);
		if (s.rc < 0 && st_err_any(&s.e)) /* without a message it was stopped */
			fail(p, &s.e);
		st_err_release(&s.e);
	}
	p->handing_over = false;
}

void st_pool_give(struct st_pool *p, const struct st_job *job, int rc, struct st_result *r, struct st_err *e)
{
	pthread_mutex_lock(&p->lock);
	while (p->nwaiting == ST_POOL_ROOM)
		pthread_cond_wait(&p->room, &p->lock);
	p->waiting[(p->first + p->nwaiting++) % ST_POOL_ROOM] = (struct st_pool_slip){job, rc, *r, *e};
	*e = (struct st_err)ST_ERR_INIT;
	if (!p->handing_over)
		hand_over_all(p);
	pthread_mutex_unlock(&p->lock);
}

void *st_pool_work(void *arg)
{
	struct st_pool *p = arg;
	const struct st_job *job;

	while ((job = st_pool_take(p))) {
		struct st_err e = ST_ERR_INIT;
		struct st_result r;
		int rc = st_trial_run(&p->cfg->grid->point[job->point].config, job->replication, p->cfg->stop, &r, &e);

		if (rc == 0 && p->cfg->packs)
			st_result_pack(&r);
		st_pool_give(p, job, rc, &r, &e);
	}
	return NULL;
}
