#ifndef ST_EXPERIMENT_JUDGE_H
#define ST_EXPERIMENT_JUDGE_H
/*
 * judge.h - whether an expectation holds at a point, as far as its runs tell.
 *
 * Mean     a line without a share of runs is about the mean over all runs that there could be, of which Student's 95 %
 *          interval is what we know: it holds if all of the interval satisfies it, does not hold if nothing of it does,
 *          and else nobody can tell. A mean over runs of which one is `never` is `never`.
 * Share    a line with one ("in 95% of runs") is about the share of runs that satisfy it, known by Wilson's interval. In 100 %
 *          of runs means in each that was made.
 * Exact    where all runs have the same value there is nothing to estimate: it decides. So does a run that lacks the figure: no.
 */
#include "experiment/expect.h"
#include "measure/estimate.h"

enum st_judge_verdict { ST_JUDGE_HOLDS, ST_JUDGE_FAILS, ST_JUDGE_OPEN };

struct st_judgement {
	enum st_judge_verdict verdict;
	size_t n, absent, never; /* runs; without the figure; of which it is `never` */
	struct st_estimate mean;
	struct st_share met;     /* runs that satisfy it by themselves */
	double needed;           /* of ST_JUDGE_OPEN: roughly how many runs would tell; INFINITY: no number would */
	double spare;            /* of ST_JUDGE_HOLDS: from the interval's near end to the bound, which is of the figure or of the share of runs */
};

/* value: the figure's in each of n runs. */
struct st_judgement st_judge(const struct st_expect *x, const double *value, size_t n);

#endif
