#include <config.h>

#include "fleet.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static const char scenario[] =
    "duration: %.0fms\n"
    "bin: %.0fms\n"
    "service: {workers: %llu, service_time: exponential 100ms, queue: {limit: %llu}}\n"
    "clients:\n"
    "  fleet:\n"
    "    count: %llu\n"
    "    workload: {kind: think, think: exponential 10s}\n"
    "    network: %s\n"
    "    timeout: 1s\n"
    "    retry: {%s}\n"
    "faults: [{at: %.0fms, for: %.0fms, effect: 503}]\n";

void fleet_configure(unsigned long long clients, double attempts, const char *network, const char *retry, struct st_config *c)
{
	struct st_err e = ST_ERR_INIT;
	double duration_ms = attempts / ((double)clients / 10.0) * 1000.0;
	unsigned long long workers = clients / 50 > 0 ? clients / 50 : 1;
	char text[1024];

	if (duration_ms < 15000.0)
		duration_ms = 15000.0;
	snprintf(text, sizeof text, scenario, duration_ms, duration_ms / 500.0, workers, workers, clients, network,
	    retry, duration_ms * 0.4, duration_ms * 0.1);
	struct st_mistakes m = {0};
	struct st_node *tree = st_tree_parse(text, "bench", &m);

	if (!tree || st_mistakes_tell(&m, &e) < 0 || st_scenario_resolve(tree, c, &e) < 0) {
		st_err_print(&e, stderr);
		exit((int)e.code);
	}
	st_tree_free(tree);
}

static double cpu_s(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

struct fleet_cost fleet_run(const struct st_config *c, uint32_t replication)
{
	struct st_run run;
	struct st_err e = ST_ERR_INIT;
	double t = cpu_s();

	if (st_world_run(c, 1, replication, NULL, &run, &e) < 0)
		exit(3);
	t = (cpu_s() - t) * 1e9;
	struct fleet_cost cost = {t / (double)run.meter->counts[0].attempts, t / (double)run.events};
	st_run_release(&run);
	return cost;
}

static int ascending(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

double fleet_median(double *x, size_t n)
{
	qsort(x, n, sizeof *x, ascending);
	return x[n / 2];
}
