#ifndef ST_BASE_WHOLE_H
#define ST_BASE_WHOLE_H
/*
 * whole.h - reads a whole file into memory.
 */
#include <stddef.h>

#include "base/err.h"
#include "base/text.h"

/* All that the file holds is in *held ("" if nothing), to be released either way. 0, or -1 and errno: EFBIG if that is more than `most` bytes. */
int st_whole_read(const char *path, size_t most, struct st_text *held);

/* Add "cannot read 'PATH': WHY" of errno: input that is not there or not to be read is the user's mistake, a disk's failure the machine's. -1. */
int st_whole_unread(const char *path, struct st_err *e);

#endif
