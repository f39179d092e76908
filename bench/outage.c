/*
 * outage.c - what an attempt costs: whole runs of a closed loop that meets outages, at several numbers of clients.
 *
 * The run is that of bench/fleet.h. Once without network delay, once with a millisecond each way (two
 * more events an attempt). The time is that of seeding and the event loop, the median of the repetitions. Memory is what the
 * process's peak grew by over the clients.
 *
 *     bench/outage [CLIENTS ...]        default: 1000 100000 10000000
 */
#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

#include "fleet.h"

enum { REPETITIONS = 3 };
static const double ATTEMPTS = 1.5e7; /* about so many a run */

static long peak_kb(void)
{
	struct rusage u;

	getrusage(RUSAGE_SELF, &u);
	return u.ru_maxrss;
}

static struct fleet_cost median_run(const struct st_config *c)
{
	double attempt[REPETITIONS], event[REPETITIONS];

	for (uint32_t i = 0; i < REPETITIONS; i++) {
		struct fleet_cost cost = fleet_run(c, i);

		attempt[i] = cost.attempt_ns;
		event[i] = cost.event_ns;
	}
	return (struct fleet_cost){fleet_median(attempt, REPETITIONS), fleet_median(event, REPETITIONS)};
}

static void measure(unsigned long long clients)
{
	static const char *const network[] = {"0s", "1ms"};
	struct fleet_cost f[2];
	double bytes = 0.0;

	for (int i = 0; i < 2; i++) {
		long before = peak_kb();
		struct st_config c;

		fleet_configure(clients, ATTEMPTS, network[i], FLEET_RETRY, &c);
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
