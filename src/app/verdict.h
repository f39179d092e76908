#ifndef ST_APP_VERDICT_H
#define ST_APP_VERDICT_H
/*
 * verdict.h - what became of a scenario's expectations, in words.
 */
#include "experiment/judge.h"
#include "experiment/scenario.h"

/* "holds", "does not hold", "cannot tell" */
const char *st_verdict_name(enum st_judge_verdict v);

/* What the runs say, by how much it is wrong, how many would tell: "1.79 +- 0.043 in 30 runs, expected <= 1.5: 19 % too much". */
void st_verdict_say(const struct st_expect *x, const struct st_judgement *j, struct st_text *out);

/* Of one run, a line each: "holds: recovery_time <= 60s (10 s)". */
void st_verdict_run(const struct st_scenario *s, const struct st_result *r, struct st_text *out);

/* Of a sweep: at how many points each holds, and at which not. */
void st_verdict_sweep(const struct st_scenario *s, const struct st_sweep_result *r, struct st_text *out);

/*
 * The i-th alone, without a newline. Returns an enum st_judge_verdict, of a sweep the worst of its points', or ST_VERDICT_NOT_MEANT where
 * nothing that was run is meant.
 */
enum { ST_VERDICT_NOT_MEANT = ST_JUDGE_OPEN + 1 };
int st_verdict_run_one(const struct st_scenario *s, size_t i, const struct st_result *r, struct st_text *out);
int st_verdict_sweep_one(const struct st_scenario *s, size_t i, const struct st_sweep_result *r, struct st_text *out);

#endif
