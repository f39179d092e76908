#ifndef ST_EXPERIMENT_FOLD_H
#define ST_EXPERIMENT_FOLD_H
/*
 * fold.h - a tally as bytes: what the store keeps of a finished point's series.
 *
 * Form     LEB128 numbers: 1 (the form's number), bin, duration, runs, rows, then for every row and cell the sum
 *          (zigzag) and the sum of squares. The same bytes on every machine.
 */
#include <stddef.h>

#include "measure/tally.h"

/* malloc'd bytes of *len. */
unsigned char *st_fold_pack(const struct st_tally *t, size_t *len);

/* Fill *t, to be released. 0, or -1 and *t empty if the bytes are damaged. */
int st_fold_unpack(struct st_tally *t, const unsigned char *bytes, size_t len);

#endif
