#ifndef ST_OUTPUT_SUMMARY_READ_H
#define ST_OUTPUT_SUMMARY_READ_H
/*
 * summary_read.h - a run's summary.json read back as the result that it was written from.
 */
#include "base/err.h"
#include "experiment/result.h"

/*
 * Of DIR/summary.json the figures of the run, its groups and services, its faults, capacity and fingerprint; the rest of *r is empty. The
 * seed is none of it: Jansson's integers are too small for some. A figure that is not there is absent. 0, or -1 with a message; *r is to be
 * released either way.
 */
int st_summary_read(const char *dir, struct st_result *r, struct st_err *e);

#endif
