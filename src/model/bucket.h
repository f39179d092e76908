#ifndef ST_MODEL_BUCKET_H
#define ST_MODEL_BUCKET_H
/*
 * bucket.h - a token bucket in whole units: ten tenths of a token make exactly one.
 *
 * Its rate and its size are the owner's, so that a million buckets of one kind hold them once.
 *
 * Cost     O(1); 24 bytes.
 */
#include <stdbool.h>
#include <stdint.h>

#include "base/time.h"

#define ST_BUCKET_TOKEN INT64_C(1000000000000) /* units of 1e-12 token */

struct st_bucket {
	int64_t level;     /* units */
	st_time filled_at;
	uint32_t fraction; /* of a unit more, times 2^32: however often the bucket is looked at, none is lost */
};

/* So many tokens in units; up to 9e6. */
int64_t st_bucket_units(double tokens);

/* A rate of up to 1e6 tokens a second as what comes in a nanosecond: units, times 2^32. */
uint64_t st_bucket_fill_rate(double rate_per_s);

/* What has come in since the bucket was last looked at; it holds `size` units at most. */
void st_bucket_fill(struct st_bucket *b, uint64_t fill_rate, int64_t size, st_time now);

/* How long until a whole token is there in a bucket that has just been filled: 0 if one is, ST_TIME_MAX if none ever will be. */
st_time st_bucket_wait(const struct st_bucket *b, uint64_t fill_rate);

#endif
