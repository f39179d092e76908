#ifndef ST_MODEL_TRACE_H
#define ST_MODEL_TRACE_H
/*
 * trace.h - recorded traffic: a CSV file of rates, of counts, or of instants.
 *
 * The names of its columns say which; times are seconds from the start of the run, in ascending order.
 *
 *   time_s,rate_per_s  from each row's time on operations come at that rate, the last row's to the end of the run
 *   time_s,count       so many come between this row's time and the next one's (the last: in a time as long as the one before)
 *   time_s             one comes at each of these instants
 *
 * Owns     its arrays; st_param_release().
 */
#include <stddef.h>

#include "base/param.h"
#include "base/time.h"

enum st_trace_form { ST_TRACE_RATES, ST_TRACE_COUNTS, ST_TRACE_INSTANTS };

struct st_trace {
	char *file;    /* as written */
	enum st_trace_form form;
	st_time *at;   /* n times */
	double *value; /* rates per second, or counts; NULL of instants */
	size_t n;
};

/* Field: struct st_trace. */
extern const struct st_param_type st_param_trace;

/* When what row i says is over; ST_NEVER if that is the end of the run. Not of instants. */
st_time st_trace_until(const struct st_trace *t, size_t i);

#endif
