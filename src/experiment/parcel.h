#ifndef ST_EXPERIMENT_PARCEL_H
#define ST_EXPERIMENT_PARCEL_H
/*
 * parcel.h - a trial's result as bytes, from one process of the program to another.
 *
 * Form     that of the machine's numbers, for both ends are the same program; the series packed as in the store, so without its
 *          latencies and groups, which no sweep keeps. Of several services, the whole.
 */
#include "base/err.h"
#include "base/pack.h"
#include "experiment/result.h"

/* Pack what came of a trial: rc 0 and *r, whose series are packed already, or -1 and the messages of *e. Bytes to be freed. */
void st_parcel_pack(struct st_pack *p, int rc, const struct st_result *r, const struct st_err *e);

/* The rc that was packed; fills *r, to be released, or adds to *e. Bytes that were not packed so are a bug. */
int st_parcel_unpack(const unsigned char *bytes, size_t len, struct st_result *r, struct st_err *e);

#endif
