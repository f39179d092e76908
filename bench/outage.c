/*
 * outage.c - what an attempt costs: whole runs of a closed loop that meets outages, at several numbers of clients.
 *
 * N clients think ten seconds on average, call a service at half its capacity, give up after a second, and retry with full
 * jitter; a tenth of the time the service answers 503. Once without network delay, once with a millisecond each way (two
 * more events an attempt). The time is that of seeding and the event loop, the median of the repetitions. Memory is what the
 * process's peak grew by over the clients.
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
    "    network: %s\n"
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

static void configure(unsigned long long clients, const char *network, struct st_config *c)
{
	struct st_err e = ST_ERR_INIT;
	double duration_ms = ATTEMPTS / ((double)clients / 10.0) * 1000.0;
	unsigned long long workers = clients / 50 > 0 ? clients / 50 : 1;
	char text[1024];

	if (duration_ms < 15000.0)
		duration_ms = 15000.0;
	snprintf(text, sizeof text, scenario, duration_ms, duration_ms / 500.0, workers, workers, clients, network,
	    duration_ms * 0.4, duration_ms * 0.1);
	struct st_mistakes m = {0};
	struct st_node *tree = st_tree_parse(text, "bench", &m);

	if (!tree || st_mistakes_tell(&m, &e) < 0 || st_scenario_resolve(tree, c, &e) < 0) {
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

struct figures {
	double attempt_ns, event_ns;
};

static struct figures median_run(const struct st_config *c)
{
	double attempt[REPETITIONS], event[REPETITIONS];

	for (uint32_t i = 0; i < REPETITIONS; i++) {
		struct st_run run;
		struct st_err e = ST_ERR_INIT;
		double t = cpu_s();

		if (st_world_run(c, 1, i, NULL, &run, &e) < 0)
			exit(3);
		t = cpu_s() - t;
		attempt[i] = t * 1e9 / (double)run.meter->counts[0].attempts;
		event[i] = t * 1e9 / (double)run.events;
		st_run_release(&run);
	}
	qsort(attempt, REPETITIONS, sizeof *attempt, ascending);
	qsort(event, REPETITIONS, sizeof *event, ascending);
	return (struct figures){attempt[REPETITIONS / 2], event[REPETITIONS / 2]};
}

static void measure(unsigned long long clients)
{
	static const char *const network[] = {"0s", "1ms"};
	struct figures f[2];
	double bytes = 0.0;

	for (int i = 0; i < 2; i++) {
		long before = peak_kb();
		struct st_config c;

		configure(clients, network[i], &c);
		f[i] = median_run(&c);
		st_config_release(&c);
		if (i == 0)
			bytes = (double)(peak_kb() - before) * 1024.0 / (double)clients;
	}
	printf("%9llu | %11.0f %10.1f %10.1f | %11.0f %10.1f %10.1f | %8.1f\n", clients, f[0].attempt_ns, f[0].event_ns,
	    1e3 / f[0].event_ns, f[1].attempt_ns, f[1].event_ns, 1e3 / f[1].event_ns, bytes);
	fflush(stdout);
}

int main(int argc, char **argv)
{
	static const unsigned long long usual[] = {1000, 100000, 10000000};

	printf("          |        no network delay           |         1 ms each way             |\n");
	printf("%9s | %11s %10s %10s | %11s %10s %10s | %8s\n", "clients", "ns/attempt", "ns/event", "Mevents/s", "ns/attempt",
	    "ns/event", "Mevents/s", "B/client");
	if (argc > 1)
		for (int i = 1; i < argc; i++)
			measure(strtoull(argv[i], NULL, 10));
	else
		for (size_t i = 0; i < sizeof usual / sizeof *usual; i++)
			measure(usual[i]);
	return 0;
}
