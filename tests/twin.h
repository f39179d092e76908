#ifndef ST_TESTS_TWIN_H
#define ST_TESTS_TWIN_H
/*
 * twin.h - the model once more, slow and obvious: what the fast one is held to.
 *
 * Written from the description of the model, not from its code: one sorted list of events, one struct for each operation
 * and attempt, a queue that is an array, faults asked by the clock, gauges spread over bins as they change. Only
 * random numbers, distributions, delays, hints and budgets are the model's own.
 */
#include "model/world.h"

struct twin_group {
	struct st_counts counts;
	uint64_t ended_with[ST_METER_ATTEMPTS_MAX + 1];
	st_time last_success;
	uint64_t latencies;
	__int128 latency_sum;
};

struct twin {
	struct twin_group group[8];
	int64_t (*row)[ST_CELL_N];
	size_t n;              /* rows */
	uint64_t waits;
	__int128 wait_sum;
	int64_t gauge[ST_GAUGE_N], in_flight, open; /* at the end */
	uint64_t fingerprint, crashes;
};

void twin_run(const struct st_config *c, uint64_t seed, uint32_t replication, struct twin *t);
void twin_release(struct twin *t);

#endif
