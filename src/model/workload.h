#ifndef ST_MODEL_WORKLOAD_H
#define ST_MODEL_WORKLOAD_H
/*
 * workload.h - when clients want something done: once, after thinking, or by a Poisson process. One table of kinds.
 *
 * Owns     the think times belong to the configuration (st_param_release).
 */
#include "base/dist.h"
#include "base/param.h"

struct st_workload_cfg {
	unsigned kind;        /* row of workload.c's table */
	st_time at, spread;   /* once: at + U(0, spread) */
	struct st_dist think; /* think: from the end of an operation to the next */
	double rate_per_s;    /* poisson: of the whole group */
	uint64_t operations;  /* a client; ST_UNLIMITED */
};

extern const struct st_param st_workload_params[];

struct st_callers;
struct st_group;

struct st_workload_kind {
	struct st_choice choice;
	bool closed; /* one operation at a time: caller and client are the same */
	void (*seed)(struct st_callers *, struct st_group *);                 /* put the first events */
	void (*ended)(struct st_callers *, struct st_group *, uint32_t who);  /* what the end of an operation leads to */
};

const struct st_workload_kind *st_workload_kind_at(size_t i);

/* An open group's next operation begins now. */
void st_workload_arrival(struct st_callers *cs, struct st_group *g);

#endif
