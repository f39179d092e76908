#include <config.h>

#include "experiment/judge.h"

#include <math.h>

static enum st_judge_verdict decided(bool holds)
{
	return holds ? ST_JUDGE_HOLDS : ST_JUDGE_FAILS;
}

static bool are_equal(const double *value, size_t n)
{
	size_t i = 1;

	while (i < n && value[i] == value[0])
		i++;
	return n >= 2 && i == n;
}

/* Both ends of an interval satisfy an inequality, or neither does; an equality no interval satisfies. */
static enum st_judge_verdict of_interval(const struct st_expect *x, double lo, double hi)
{
	bool low = st_expect_holds(x, lo), high = st_expect_holds(x, hi);

	if (x->relation == ST_RELATION_EQUAL)
		return lo <= x->value && x->value <= hi ? ST_JUDGE_OPEN : ST_JUDGE_FAILS;
	return low == high ? decided(low) : ST_JUDGE_OPEN;
}

static void judge_mean(const struct st_expect *x, struct st_judgement *j)
{
	const struct st_estimate *m = &j->mean;

	if (j->never > 0) {
		j->verdict = decided(st_expect_holds(x, (double)INFINITY));
		return;
	}
	if (isinf(x->value)) { /* later than every mean: so it was in all runs */
		j->verdict = decided(st_expect_holds(x, m->mean));
		return;
	}
	j->verdict = j->n < 2 ? ST_JUDGE_OPEN : of_interval(x, m->mean - m->half, m->mean + m->half);
	if (x->relation == ST_RELATION_EQUAL)
		j->needed = (double)INFINITY;
	else if (j->n >= 2)
		j->needed = st_estimate_needed(m, fabs(m->mean - x->value));
}

static void judge_share(const struct st_expect *x, struct st_judgement *j)
{
	if (x->share >= 1)
		j->verdict = decided(j->met.k == j->n);
	else if (j->met.lo >= x->share)
		j->verdict = ST_JUDGE_HOLDS;
	else
		j->verdict = j->met.hi < x->share ? ST_JUDGE_FAILS : ST_JUDGE_OPEN;
	j->needed = st_estimate_share_needed(&j->met, x->share);
}

/* INFINITY where a time that is never is on one side only. */
static double spare(const struct st_expect *x, const struct st_judgement *j)
{
	if (!isnan(x->share))
		return j->met.lo - x->share;
	if (j->never > 0 || isinf(x->value))
		return (double)INFINITY;
	return fabs(j->mean.mean - x->value) - (j->mean.half > 0 ? j->mean.half : 0.0);
}

struct st_judgement st_judge(const struct st_expect *x, const double *value, size_t n)
{
	struct st_judgement j = {.n = n, .mean = st_estimate_mean(value, n), .needed = (double)NAN};
	size_t met = 0;

	for (size_t i = 0; i < n; i++) {
		j.absent += isnan(value[i]) != 0;
		j.never += isinf(value[i]) != 0;
		met += st_expect_holds(x, value[i]);
	}
	j.met = st_estimate_share(met, n);
	if (j.absent > 0)
		j.verdict = ST_JUDGE_FAILS;
	else if (n == 0)
		j.verdict = ST_JUDGE_OPEN;
	else if (are_equal(value, n))
		j.verdict = decided(met == n);
	else if (isnan(x->share))
		judge_mean(x, &j);
	else
		judge_share(x, &j);
	j.spare = j.verdict == ST_JUDGE_HOLDS ? spare(x, &j) : (double)NAN;
	return j;
}
