#ifndef ST_MODEL_WITNESS_H
#define ST_MODEL_WITNESS_H
/*
 * witness.h - for who wants to see what becomes of every attempt, as it happens.
 *
 * Order    that of the events: at equal times an attempt that failed, then what follows from it.
 * Unseen   answers that come when nobody waits for them any more: the service does not know whose they are.
 * Cost     without a witness one test an attempt's step.
 */
#include "base/time.h"
#include "measure/counts.h"
#include "model/outcome.h"

enum st_step {
	ST_STEP_SENT,      /* the attempt, now */
	ST_STEP_SUCCEEDED, /* it, and the operation */
	ST_STEP_FAILED,    /* it, with an outcome */
	ST_STEP_WAITS,     /* its client, for `delay`, before it sends the next one or asks whether it may */
	ST_STEP_GIVEN_UP,  /* the operation, for a reason */
	ST_STEP_N
};

struct st_sight {
	st_time now;
	enum st_step step;
	uint32_t group;        /* index */
	uint32_t client;       /* within the group */
	uint32_t operation;    /* of the client; of an open group: of the group */
	uint32_t attempt;      /* 1 is the first; 0: none was sent */
	st_outcome outcome;    /* of ST_STEP_FAILED */
	st_time delay;         /* of ST_STEP_WAITS */
	enum st_reason why;    /* of ST_STEP_GIVEN_UP */
};

struct st_witness {
	void (*see)(void *to, const struct st_sight *s); /* s is good for the call */
	void *to;
};

#endif
