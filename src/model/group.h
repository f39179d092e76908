#ifndef ST_MODEL_GROUP_H
#define ST_MODEL_GROUP_H
/*
 * group.h - what callers of one kind have in common: a group of clients, or the calls that a service makes.
 */
#include "base/dist.h"
#include "base/param.h"
#include "model/retry.h"
#include "model/workload.h"

struct st_group_cfg {
	char *name;
	uint64_t count;
	struct st_workload_cfg workload;
	struct st_dist network;  /* one way */
	struct st_dist clock_skew; /* of a client, with a fair sign */
	struct st_dist timeout;  /* of an attempt; constant ST_NEVER: off */
	st_time deadline;        /* of an operation; ST_NEVER: off */
	struct st_retry_cfg retry;
};

/* The rows of clients, and those that the calls of a service have too; those of their parts are in their own files. */
extern const struct st_param st_clients_params[], st_group_params[];

#endif
