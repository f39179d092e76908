#ifndef ST_APP_VERDICT_H
#define ST_APP_VERDICT_H
/*
 * verdict.h - what became of a scenario's expectations, for people: one line each, but for long lists of points.
 */
#include "experiment/expect.h"

/* "holds: recovery_time <= 60s (10 s)" or "does not hold: ...". */
void st_verdict_run(const struct st_expect *x, size_t n, const struct st_result *r, struct st_text *out);

/* At how many points each holds in mean, and at which not. */
void st_verdict_sweep(const struct st_expect *x, size_t n, const struct st_sweep_result *r, struct st_text *out);

#endif
