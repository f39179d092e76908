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

/* Is told a line, without a newline, and its verdict: an enum st_judge_verdict, or that what was run is not what it is about. */
enum { ST_VERDICT_NOT_MEANT = ST_JUDGE_OPEN + 1 };
typedef void st_verdict_tell(void *to, int verdict, const struct st_text *said);

/* Tells a struct st_text: the line, wrapped. */
void st_verdict_print(void *to, int verdict, const struct st_text *said);

/*
 * Of one run: "holds: recovery_time <= 60s (10 s)". Of a sweep: at how many points each holds, and at which not, its verdict the worst of
 * the points'. Those that nothing that was run is meant by come last, in one line.
 */
void st_verdict_run(const struct st_scenario *s, const struct st_result *r, st_verdict_tell *tell, void *to);
void st_verdict_sweep(const struct st_scenario *s, const struct st_sweep_result *r, st_verdict_tell *tell, void *to);

#endif
