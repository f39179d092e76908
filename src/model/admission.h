#ifndef ST_MODEL_ADMISSION_H
#define ST_MODEL_ADMISSION_H
/*
 * admission.h - what is answered before a worker or the queue is asked: the rate limit, and errors that are always there.
 *
 * The rate limit is a token bucket, full at first. Each request that comes past the faults takes a token, or is answered with
 * the limit's status. Of those let through a share is answered with an error, drawn for each request.
 *
 * Cost     O(1).
 */
#include "base/param.h"
#include "base/rng.h"
#include "measure/counts.h"
#include "model/bucket.h"
#include "model/call.h"
#include "model/outcome.h"

struct st_admission_cfg {
	double rate_per_s;        /* INFINITY: no limit */
	double burst;             /* tokens */
	st_outcome limit_status;
	double error_share;
	st_outcome error_status;
};

extern const struct st_param st_admission_params[];

struct st_admission {
	const struct st_admission_cfg *cfg;
	const struct st_rng_family *random;
	bool is_on, limits;
	uint64_t fill_rate;
	int64_t size;
	struct st_bucket bucket;
};

void st_admission_init(struct st_admission *a, const struct st_admission_cfg *cfg, const struct st_rng_family *random);

/* Whether there is a rate limit. */
bool st_admission_limits(const struct st_admission_cfg *cfg);

/* ST_ANSWER_OK: the request is let through; ST_ANSWER_LIMITED or ST_ANSWER_ERROR: it is answered with *status. */
enum st_answer st_admission_decide(struct st_admission *a, const struct st_call *c, st_time now, st_outcome *status);

/* How long until the rate limit has a token; 0 without a limit. */
st_time st_admission_wait(struct st_admission *a, st_time now);

#endif
