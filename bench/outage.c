/*
 * outage.c - what an attempt costs: whole runs of a closed loop that meets outages, at several numbers of clients.
 *
 * N clients think ten seconds on average, call a service at half its capacity over a network of a millisecond each way,
 * give up after a second, and retry with full jitter; a tenth of the time the service answers 503. The time is that of
 * seeding and the event loop; the figure to quote is the median of the repetitions. Memory is what the process's peak grew by
 * over the clients.
 *
 *     bench/outage [CLIENTS ...]        default: 1000 100000 10000000
 */
#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

#include "experiment/scenario.h"

enum { REPETITIONS = 3 };
static const double ATTEMPTS = 1.5e7; /* about so many a run */

static const char scenario[] =
    "duration: %.0fms\n"
    "bin: %.0fms\n"
    "service: {workers: %llu, service_time: exponential 100ms, queue: {limit: %llu}}\n"
    "clients:\n"
    "  fleet:\n"
    "    count: %llu\n"
    "    workload: {kind: think, think: exponential 10s}\n"
    "    network: 1ms\n"
    "    timeout: 1s\n"
    "    retry: {attempts: 10, backoff: {base: 500ms, cap: 30s, jitter: full}}\n"
    "faults: [{at: %.0fms, for: %.0fms, effect: 503}]\n";

static double cpu_s(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static long peak_kb(void)
{
	struct rusage u;

	getrusage(RUSAGE_SELF, &u);
	return u.ru_maxrss;
}

static void configure(unsigned long long clients, struct st_config *c)
{
	struct st_err e = ST_ERR_INIT;
	double duration_ms = ATTEMPTS / ((double)clients / 10.0) * 1000.0;
	unsigned long long workers = clients / 50 > 0 ? clients / 50 : 1;
	char text[1024];

	if (duration_ms < 15000.0)
		duration_ms = 15000.0;
	snprintf(text, sizeof text, scenario, duration_ms, duration_ms / 500.0, workers, workers, clients, duration_ms * 0.4,
	    duration_ms * 0.1);
	struct st_node *tree = st_tree_parse(text, "bench", &e);
	if (!tree || st_scenario_resolve(tree, c, &e) < 0) {
		st_err_print(&e, stderr);
		exit((int)e.code);
	}
	st_tree_free(tree);
}

static int ascending(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static void measure(unsigned long long clients)
{
	struct st_config c;
	double ns[REPETITIONS], per_event[REPETITIONS];
	long before = peak_kb();

	configure(clients, &c);
	for (int i = 0; i < REPETITIONS; i++) {
		struct st_run run;
		struct st_err e = ST_ERR_INIT;
		double t = cpu_s();

		if (st_world_run(&c, 1, (uint32_t)i, NULL, &run, &e) < 0)
			exit(3);
		t = cpu_s() - t;
		ns[i] = t * 1e9 / (double)run.meter.counts[0].attempts;
		per_event[i] = t * 1e9 / (double)run.events;
		st_run_release(&run);
	}
	qsort(ns, REPETITIONS, sizeof *ns, ascending);
	qsort(per_event, REPETITIONS, sizeof *per_event, ascending);
	printf("%12llu %15.0f %13.1f %14.1f %16.1f\n", clients, ns[REPETITIONS / 2], per_event[REPETITIONS / 2],
	    1e3 / per_event[REPETITIONS / 2], (double)(peak_kb() - before) * 1024.0 / (double)clients);
	fflush(stdout);
	st_config_release(&c);
}

int main(int argc, char **argv)
{
	static const unsigned long long usual[] = {1000, 100000, 10000000};

	printf("%12s %15s %13s %14s %16s\n", "clients", "ns an attempt", "ns an event", "million ev/s", "bytes a client");
	if (argc > 1)
		for (int i = 1; i < argc; i++)
			measure(strtoull(argv[i], NULL, 10));
	else
		for (size_t i = 0; i < sizeof usual / sizeof *usual; i++)
			measure(usual[i]);
	return 0;
}
