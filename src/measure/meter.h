#ifndef ST_MEASURE_METER_H
#define ST_MEASURE_METER_H
/*
 * meter.h - the instruments of one run: what the model adds to, and what is read off when the clock passes an edge.
 *
 * The model calls st_meter_clock() before each event, adds to group[g] and the gauges as things happen, and hands
 * over the few durations that need a histogram. Everything else is differences, taken at the edges of bins and of
 * the window. So measuring costs next to nothing per event.
 *
 * Edges    an event at exactly an edge belongs to what begins there. A gauge's maximum is over what it was at an edge
 *          and what it became until the next; edges that pass without an event are written all the same.
 * Window   [from, to): waits of requests that start service in it, latencies of operations started in it, rates and
 *          shares of events in it. Plain counts are of the whole run, so that they balance.
 * Owns     its arrays; release with st_meter_release().
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "measure/counts.h"
#include "measure/hist.h"
#include "measure/series.h"

enum st_gauge_name {
	ST_GAUGE_QUEUE,     /* requests waiting at the service */
	ST_GAUGE_BUSY,      /* workers serving */
	ST_GAUGE_WORKERS,   /* workers in force */
	ST_GAUGE_WAITING,   /* clients in backoff */
	ST_GAUGE_BREAKERS_OPEN,
	ST_GAUGE_N
};

/* Operations that ended with more attempts than this count in the last bucket. */
enum { ST_METER_ATTEMPTS_MAX = 256 };

/* All counts and integrals at one instant. */
struct st_snapshot {
	st_time at;
	struct st_counts *group; /* one a group */
	__int128 integral[ST_GAUGE_N];
};

struct st_meter_group {
	struct st_hist latency;  /* successes: first send to answer */
	st_time last_success;    /* in the whole run; -1: none */
	uint64_t ended_with[ST_METER_ATTEMPTS_MAX + 1]; /* operations ended after k attempts; 0: answered locally */
};

struct st_meter {
	st_time from, to, duration;
	size_t ngroups;
	struct st_counts *counts;     /* one a group: the model adds here */
	struct st_meter_group *group;
	struct st_gauge gauge[ST_GAUGE_N]; /* max: of the run, but of the queue since the last edge */
	int64_t in_flight;            /* attempts sent, not yet answered nor given up */
	int64_t open;                 /* operations begun, not yet ended */
	__int128 residence;           /* sum over requests of their time in the system, ns: Little's other side */
	uint64_t crashes;             /* of the service, under its load */
	struct st_hist wait;          /* from arrival to start of service, zeros included */
	struct st_series series;
	/* To be read once finished: */
	struct st_snapshot at_from, at_to;
	struct st_hist latency;       /* the groups' together */
	int64_t queue_max;            /* in the window */
	/* Private: */
	st_time next_edge, next_bin_edge, last_edge;
	size_t bin_index;
	struct st_snapshot at_bin;    /* at the start of the present bin */
	int64_t bin_queue_max;
	struct st_hist bin_latency;
};

struct st_meter_cfg {
	st_time duration, bin; /* above 0 */
	st_time from, to;      /* 0 <= from <= to <= duration */
	size_t ngroups;
};

void st_meter_init(struct st_meter *m, const struct st_meter_cfg *cfg);
void st_meter_release(struct st_meter *m);

/* Internal to st_meter_clock(): write the rows and snapshots due at or before now. */
void st_meter_pass(struct st_meter *m, st_time now);

/* The clock has come to now: read what is due. Call before anything at now is counted. */
static inline void st_meter_clock(struct st_meter *m, st_time now)
{
	if (now >= m->next_edge)
		st_meter_pass(m, now);
}

/* A request that arrived at `arrival` starts service now. */
static inline void st_meter_wait(struct st_meter *m, st_time arrival, st_time now)
{
	if (now >= m->from && now < m->to)
		st_hist_add(&m->wait, now - arrival);
}

/*
 * A request that arrived at `arrival` has left the system, served or not. Before st_meter_finish() the model calls it
 * for each request still there, with the duration as `now`: so every stay is cut at the end of the run.
 */
static inline void st_meter_stay(struct st_meter *m, st_time arrival, st_time now)
{
	m->residence += now - arrival;
}

/*
 * An operation of group g that began at `begun` (its first send) succeeded now, after so many attempts. Counts the
 * success; gauges and the answer are counted by the model.
 */
void st_meter_success(struct st_meter *m, size_t g, st_time begun, st_time now, uint32_t attempts);

/* An operation of group g failed after so many attempts (0: it was answered locally). Counts the failure. */
void st_meter_failure(struct st_meter *m, size_t g, enum st_reason why, uint32_t attempts);

/* The run is over: close the bins and the window at `duration`. Nothing may be counted afterwards. */
void st_meter_finish(struct st_meter *m);

/*
 * Little's law of a finished run, as an identity in whole nanoseconds: the integral of the requests queued and in service over the
 * run is the sum of the stays (st_meter_stay()). It fails if a path through the model forgets one of the two, or
 * takes a wrong arrival for a request.
 */
bool st_meter_littles_law(const struct st_meter *m);

#endif
