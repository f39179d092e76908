#ifndef ST_BASE_CLOCK_H
#define ST_BASE_CLOCK_H
/*
 * clock.h - the machine's clocks, for what never enters a result: progress, commits, how long a run took.
 */
#include <stdint.h>
#include <time.h>

/* Of CLOCK_MONOTONIC, CLOCK_PROCESS_CPUTIME_ID, ...: nanoseconds, and seconds, since whatever that clock counts from. */
static inline int64_t st_clock_ns(clockid_t id)
{
	struct timespec t;

	clock_gettime(id, &t);
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static inline double st_clock_s(clockid_t id)
{
	return (double)st_clock_ns(id) / 1e9;
}

#endif
