#ifndef ST_MODEL_OCC_H
#define ST_MODEL_OCC_H
/*
 * occ.h - one row under optimistic concurrency control: the versions that readers have seen, and who may write.
 *
 * An attempt is two messages: a client reads the row's version, then writes on condition that the row still has it. The first
 * to write wins; whoever has read the same version before has lost the race, which is the failure that is retried. The model
 * of "Exponential Backoff and Jitter", AWS Architecture Blog, 2015.
 *
 * Owns     a version for each request between its read and its write. Cost O(1); 8 bytes a request.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { ST_OCC_LOST = 409 }; /* the status of a lost race: Conflict */

struct st_occ {
	uint64_t version; /* of the row: how often it was written */
	uint64_t *read;   /* by slot: the version that its request has read */
	size_t cap;
};

void st_occ_release(struct st_occ *o);

/* The request in this slot reads the row. */
void st_occ_read(struct st_occ *o, uint32_t slot);

/* The request in this slot writes the row: whether it has won. */
bool st_occ_write(struct st_occ *o, uint32_t slot);

#endif
