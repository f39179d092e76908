#ifndef ST_MODEL_WORKLOAD_H
#define ST_MODEL_WORKLOAD_H
/*
 * workload.h - when clients want something done. One table of kinds; each kind is a row in a file of its family.
 *
 * Owns     think times, lifetimes and traces belong to the configuration (st_param_release).
 */
#include "base/dist.h"
#include "base/param.h"
#include "model/surge.h"
#include "model/trace.h"

/* When a periodic client's place within the period is drawn. */
enum st_redraw { ST_REDRAW_ONCE, ST_REDRAW_TICK };

/* How clients with connections begin, and what the end of a lifetime is to them. */
enum st_begin { ST_BEGIN_CONNECTED, ST_BEGIN_CONNECT };
enum st_at_end { ST_AT_END_REOPEN, ST_AT_END_BACKOFF };

struct st_workload_cfg {
	unsigned kind;        /* row of workload.c's table */
	st_time at, spread;   /* once, connection: at + U(0, spread); spread: of periodic ticks too */
	struct {
		uint64_t groups;
		st_time every;
	} start;              /* clients come in so many parts, one after the other */
	struct st_dist think; /* think: from the end of an operation to the next */
	double rate_per_s;    /* poisson: of the whole group */
	st_time period, offset;
	unsigned redraw;      /* enum st_redraw */
	struct st_trace trace;
	struct st_dist lifetime; /* of a connection */
	unsigned begin, at_end; /* enum st_begin, enum st_at_end */
	uint64_t operations;  /* a client; ST_UNLIMITED */
	struct st_surge_cfg surge;
};

extern const struct st_param st_workload_params[];

struct st_callers;
struct st_group;

struct st_workload_kind {
	struct st_choice choice;
	bool closed; /* one operation at a time: caller and client are the same */
	/* Put the first events. */
	void (*seed)(struct st_callers *, struct st_group *);
	/* What the end of an operation leads to: it succeeded, or was given up. */
	void (*ended)(struct st_callers *, struct st_group *, uint32_t who, bool succeeded);
	/* All connections break now. NULL: there are none. */
	void (*lost)(struct st_callers *, struct st_group *);
	/* What this kind's own parameters together make impossible: a message, and the key to blame; NULL: nothing. May be NULL. */
	const char *(*wrong)(const struct st_workload_cfg *, st_time duration, const char **key);
};

/* The i-th kind that a scenario may name, NULL past the last. */
const struct st_workload_kind *st_workload_kind_at(size_t i);

/* The rows, each where its functions are. */
extern const struct st_workload_kind st_workload_once, st_workload_think, st_workload_periodic, st_workload_connection;
/* That of services: an operation begins when a worker has done its own part. No scenario names it. */
extern const struct st_workload_kind st_workload_calls;

extern const struct st_workload_kind st_workload_poisson, st_workload_trace;

/* An open group's next operation begins now. */
void st_workload_arrival(struct st_callers *cs, struct st_group *g);

/* The lifetime of a connection is over; data is the event's. */
void st_workload_close(struct st_callers *cs, uint32_t who, uint32_t data);

/* When the part of a closed group starts to which this client (counted within the group) belongs; and U(0, spread) of its n-th tick. */
st_time st_workload_start(const struct st_group *g, uint32_t client);
st_time st_workload_spread(const struct st_callers *cs, const struct st_group *g, uint32_t client, uint32_t n);

#endif
