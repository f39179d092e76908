#ifndef ST_MODEL_WORKLOAD_H
#define ST_MODEL_WORKLOAD_H
/*
 * workload.h - when clients want something done: once, after thinking, or by a Poisson process. One table of kinds.
 */
#include "base/dist.h"
#include "base/param.h"

struct st_workload_cfg {
	unsigned kind;        /* row of the table */
	st_time at, spread;   /* once: at + U(0, spread) */
	struct st_dist think; /* think: from the end of an operation to the next */
	double rate_per_s;    /* poisson: of the whole group */
	uint64_t operations;  /* a client; ST_UNLIMITED */
};

extern const struct st_param st_workload_params[];

#endif
