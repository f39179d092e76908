#ifndef ST_MEASURE_RECOVERY_H
#define ST_MEASURE_RECOVERY_H
/*
 * recovery.h - when a service is back to normal for good.
 *
 * The earliest start of a bin, not before the last fault's end, such that from it on
 *   - every window of W bins that fits in the run and saw operations end has 95 % of them succeed, where W bins are
 *     the longer of 1 s and 10 bins, rounded up; and
 *   - the queue is below its limit in every bin.
 * At least one such window must fit and one operation succeed from there to the end, else nobody can tell: a run
 * whose clients all hang after the fault has not recovered.
 */
#include <stddef.h>
#include <stdint.h>

#include "measure/series.h"

/*
 * Seconds from fault_end (>= 0) to recovery; INFINITY is never. Operations are those of one group or ST_ALL_GROUPS.
 * queue_limit as in struct st_view.
 */
double st_recovery_time_s(const struct st_series *s, size_t group, st_time fault_end, uint64_t queue_limit);

#endif
