#ifndef ST_TESTS_TWIN_H
#define ST_TESTS_TWIN_H
/*
 * twin.h - the model once more, slow and obvious: what the fast one is held to.
 *
 * Written from the description of the model, not from its code: one sorted list of events, one struct for each operation
 * and attempt, a queue that is an array, faults asked by the clock, gauges spread over bins as they change. Only
 * random numbers, distributions, delays, hints and budgets are the model's own.
 *
 * twin.c is the run: what happens when. twin_service.c, twin_queue.c and twin_fault.c are a service, twin_caller.c is who calls it
 * and twin_workload.c when, twin_report.c what is seen of it all; twin_run.h is what they share.
 */
#include "model/world.h"

enum { TWIN_SERVICES = 4, TWIN_GROUPS = 12 }; /* at most */

struct twin_group {
	struct st_counts counts;
	uint64_t ended_with[ST_METER_ATTEMPTS_MAX + 1];
	st_time last_success;
	uint64_t latencies;
	__int128 latency_sum;
};

/* What was seen at one service. */
struct twin_service {
	struct twin_group group[TWIN_GROUPS]; /* who calls it */
	size_t ngroups;
	int64_t (*row)[ST_CELL_N];
	uint64_t waits;
	__int128 wait_sum;
	int64_t gauge[ST_GAUGE_N], in_flight, open; /* at the end */
	uint64_t crashes;
};

struct twin {
	struct twin_service service[TWIN_SERVICES];
	size_t nservices, n;   /* n: rows of each */
	uint64_t fingerprint;
};

void twin_run(const struct st_config *c, uint64_t seed, uint32_t replication, struct twin *t);
void twin_release(struct twin *t);

#endif
