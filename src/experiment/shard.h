#ifndef ST_EXPERIMENT_SHARD_H
#define ST_EXPERIMENT_SHARD_H
/*
 * shard.h - which trials of a sweep are a machine's, where several share it and do not talk to each other.
 *
 * Rule     of P points, trial (point, replication) is number replication x P + (point + replication) mod P, and of shard 1 +
 *          number mod N. So shards differ by a trial at most, each has its part of every point as far as replications go
 *          round (points differ in cost), and asking for more replications moves no trial.
 *          Where a precision is asked for, a point is looked at as a whole: it is of shard 1 + point mod N.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct st_shard {
	uint32_t number, of; /* number: 1 ... of; of 0: all trials are ours */
};

enum { ST_SHARDS_MAX = 10000 };

/* Read "3/16". False if it is no such thing. */
bool st_shard_read(const char *text, struct st_shard *out);

/* The number of the shard, of so many, that a trial is of. */
uint32_t st_shard_of_trial(uint32_t shards, size_t npoints, size_t point, uint32_t replication);
uint32_t st_shard_of_point(uint32_t shards, size_t point);

/* The name of the shard's folder, to be freed: "shard-03-of-16". */
char *st_shard_folder(const struct st_shard *s);

/* Read such a name, and nothing else. */
bool st_shard_of_folder(const char *name, struct st_shard *out);

#endif
