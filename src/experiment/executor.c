#include <config.h>

#include "experiment/executor.h"

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "experiment/trial.h"

struct pool {
	const struct st_executor_cfg *cfg;
	pthread_mutex_t lock; /* held to take a job and to hand a result over */
	size_t next;          /* job */
	bool failed;
	struct st_err *e;
};

/* One failure is enough: what the other threads say after it mostly follows from it. Called with the lock held. */
static void fail(struct pool *p, const struct st_err *why)
{
	if (!p->failed) {
		for (size_t i = 0; i < why->n; i++)
			st_err_add(p->e, why->code, NULL, "%s", why->message[i]);
	}
	p->failed = true;
	__atomic_store_n(p->cfg->stop, 1, __ATOMIC_RELAXED); /* the others look without the lock */
}

static const struct st_job *take(struct pool *p)
{
	const struct st_job *job = NULL;

	pthread_mutex_lock(&p->lock);
	if (!__atomic_load_n(p->cfg->stop, __ATOMIC_RELAXED) && p->next < p->cfg->njobs)
		job = &p->cfg->job[p->next++];
	pthread_mutex_unlock(&p->lock);
	return job;
}

static void *work(void *arg)
{
	struct pool *p = arg;
	const struct st_job *job;

	while ((job = take(p))) {
		struct st_err e = ST_ERR_INIT;
		struct st_result r;
		int rc = st_trial_run(&p->cfg->grid->point[job->point].config, job->replication, p->cfg->stop, &r, &e);

		pthread_mutex_lock(&p->lock);
		if (rc == 0 && !p->failed)
			rc = p->cfg->done(p->cfg->to, job, &r, &e);
		else if (rc == 0)
			st_result_release(&r);
		if (rc < 0 && st_err_any(&e)) /* without a message it was stopped */
			fail(p, &e);
		pthread_mutex_unlock(&p->lock);
		st_err_release(&e);
	}
	return NULL;
}

int st_executor_run(const struct st_executor_cfg *cfg, struct st_err *e)
{
	struct pool p = {.cfg = cfg, .e = e};
	size_t wanted = cfg->threads < cfg->njobs ? cfg->threads : cfg->njobs, started = 0;
	pthread_t *thread = st_calloc(wanted, sizeof *thread);

	pthread_mutex_init(&p.lock, NULL);
	/* Where the system gives no more threads, those that there are do the work. */
	while (started + 1 < wanted && pthread_create(&thread[started], NULL, work, &p) == 0)
		started++;
	work(&p);
	for (size_t i = 0; i < started; i++)
		pthread_join(thread[i], NULL);
	pthread_mutex_destroy(&p.lock);
	free(thread);
	return p.failed ? -1 : 0;
}

unsigned st_executor_processors(void)
{
	cpu_set_t set;

	if (sched_getaffinity(0, sizeof set, &set) == 0)
		return (unsigned)CPU_COUNT(&set);
	long n = sysconf(_SC_NPROCESSORS_ONLN);
	return n > 0 ? (unsigned)n : 1;
}
