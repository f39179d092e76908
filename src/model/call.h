#ifndef ST_MODEL_CALL_H
#define ST_MODEL_CALL_H
/*
 * call.h - what comes to a service, as the caller knows it.
 */
#include <stdint.h>

struct st_call {
	uint32_t who, tag;                   /* handed back with the answer; tag < 2^ST_REQUEST_TAG_BITS */
	uint32_t group;                      /* whose counters; < 2^ST_REQUEST_GROUP_BITS */
	uint32_t client, operation, attempt; /* the name of its random numbers; attempt 1 is the first */
};

#endif
