#include <config.h>

#include "experiment/executor.h"

#include <sched.h>
#include <unistd.h>

#include "base/crew.h"
#include "experiment/pool.h"

int st_executor_run(const struct st_executor_cfg *cfg, struct st_err *e)
{
	struct st_pool p;

	st_pool_init(&p, cfg, e);
	st_crew_run(cfg->threads < cfg->njobs ? cfg->threads : (unsigned)cfg->njobs, st_pool_work, &p);
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
