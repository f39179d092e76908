#ifndef ST_OUTPUT_WRITE_H
#define ST_OUTPUT_WRITE_H
/*
 * write.h - a finished sweep as the files of its folder.
 */
#include "base/err.h"
#include "experiment/result.h"

/*
 * Write summary.csv, compare.csv, series/NNN.csv of each point that has a replication, and sweep.json. The series, which are nearly
 * all of it, by so many threads. 0, or -1 with a message, the machine's.
 */
int st_write_sweep(const char *dir, const struct st_sweep_result *r, unsigned threads, struct st_err *e);

#endif
