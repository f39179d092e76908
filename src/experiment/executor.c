#include <config.h>

#include "experiment/executor.h"

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/mem.h"
#include "experiment/pool.h"

int st_executor_run(const struct st_executor_cfg *cfg, struct st_err *e)
{
	struct st_pool p;
	size_t wanted = cfg->threads < cfg->njobs ? cfg->threads : cfg->njobs, started = 0;
	pthread_t *thread = st_calloc(wanted, sizeof *thread);

	st_pool_init(&p, cfg, e);
	/* Where the system gives no more threads, those that there are do the work. */
	while (started + 1 < wanted && pthread_create(&thread[started], NULL, st_pool_work, &p) == 0)
		started++;
	st_pool_work(&p);
	for (size_t i = 0; i < started; i++)
		pthread_join(thread[i], NULL);
	free(thread);
	return st_pool_release(&p);
}

/* Processors this process may use. */
static unsigned processors(void)
{
	cpu_set_t set;

	if (sched_getaffinity(0, sizeof set, &set) == 0)
		return (unsigned)CPU_COUNT(&set);
	long n = sysconf(_SC_NPROCESSORS_ONLN);
	return n > 0 ? (unsigned)n : 1;
}

static unsigned count(unsigned asked)
{
	return asked > 0 ? asked : processors();
}

const struct st_executor st_executor_threads = {.unit = "thread", .takes_count = true, .count = count, .run = st_executor_run};
