#include <config.h>

#include "output/leader.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "output/axis.h"
#include "output/score.h"

enum { COLUMNS = 100 }; /* of a terminal */
enum { NAMED_MAX = 6 }; /* points named; of more the number */

struct question {
	const char *asks, *unit, *figure;
	size_t subject;
	double scale;
	int sign; /* 1: the most is best; -1: the least */
};

/* Of clients' retries: "fleet.retry.backoff.jitter", or as the user may put it in short, "backoff.jitter"; or named so. */
static bool is_policy(const char *axis)
{
	static const char *const first[] = {"retry.", "backoff.", "budget.", "hint.obey", "hint.mode"};

	if (strstr(axis, ".retry.") || strcmp(axis, "budget") == 0 || strcmp(axis, "policy") == 0)
		return true;
	for (size_t i = 0; i < sizeof first / sizeof *first; i++)
		if (strncmp(axis, first[i], strlen(first[i])) == 0)
			return true;
	return false;
}

static bool varies(const struct st_sweep_result *r, size_t axis)
{
	for (size_t p = 1; p < r->npoints; p++)
		if (strcmp(r->point[p].label[axis], r->point[0].label[axis]) != 0)
			return true;
	return false;
}

static bool differ_in_policy_alone(const struct st_sweep_result *r)
{
	bool differ = false;

	for (size_t a = 0; a < r->naxes; a++) {
		if (varies(r, a) && !is_policy(r->axis[a]))
			return false;
		differ = differ || varies(r, a);
	}
	return differ;
}

/* A mean over runs that never recover is NAN: such a point leads in nothing. */
static struct st_estimate estimate(const struct st_sweep_result *r, size_t point, const struct question *q)
{
	int figure = st_figure_find(q->figure);

	st_assert(figure >= 0);
	return st_estimate_mean(st_sweep_values(&r->point[point], q->subject, (size_t)figure), r->point[point].n);
}

/* The first of the best; npoints if no point has a number. */
static size_t leader_of(const struct st_sweep_result *r, const struct question *q)
{
	size_t best = r->npoints;
	double mean = 0;

	for (size_t p = 0; p < r->npoints; p++) {
		double x = estimate(r, p, q).mean;
		if (isfinite(x) && (best == r->npoints || q->sign * x > q->sign * mean)) {
			best = p;
			mean = x;
		}
	}
	return best;
}

/* Where none leads there is no leader to name. */
static bool are_all_alike(const struct st_sweep_result *r, double mean, const struct question *q)
{
	for (size_t p = 0; p < r->npoints; p++)
		if (estimate(r, p, q).mean != mean)
			return false;
	return true;
}

/* Whether a point is as good as the best, as far as the best one's interval tells. */
static bool is_near(
    const struct st_sweep_result *r, size_t point, const struct st_estimate *best, const struct question *q)
{
	double half = isfinite(best->half) ? best->half : 0;

	return fabs(estimate(r, point, q).mean - best->mean) <= half * (1 + 1e-9);
}

static void say_near(const struct st_sweep_result *r, size_t best, const struct question *q, struct st_text *out)
{
	struct st_estimate x = estimate(r, best, q);
	struct st_text named = ST_TEXT_INIT;
	size_t n = 0;

	for (size_t p = 0; p < r->npoints; p++)
		if (p != best && is_near(r, p, &x, q))
			st_text_addf(&named, "%s%zu", n++ > 0 ? ", " : "", p);
	const char *within = x.half > 0 ? "within its interval" : "the same";
	if (n == 0)
		st_text_addf(out, "; no other is %s", x.half > 0 ? "within its interval" : "as good");
	else if (n == r->npoints - 1)
		st_text_addf(out, "; all others are %s", within);
	else if (n <= NAMED_MAX)
		st_text_addf(out, "; %s: %s", within, named.s);
	else
		st_text_addf(out, "; %zu of the %zu others are %s", n, r->npoints - 1, within);
	st_text_release(&named);
}

/* " (jitter full, budget off)": of the axes that points differ in. */
static char *policy_of(const struct st_sweep_result *r, size_t point)
{
	struct st_text t = ST_TEXT_INIT;

	for (size_t a = 0; a < r->naxes; a++) {
		char *name = st_axis_name((const char *const *)r->axis, r->naxes, a, false);

		if (varies(r, a))
			st_text_addf(&t, "%s%s %s", t.len > 0 ? ", " : " (", name, r->point[point].label[a]);
		free(name);
	}
	st_text_add(&t, ")");
	return t.s;
}

static void say(const struct st_sweep_result *r, const struct question *q, struct st_text *out)
{
	size_t best = leader_of(r, q);

	if (best == r->npoints)
		return;
	struct st_estimate x = estimate(r, best, q);
	double mean = q->scale * x.mean, half = q->scale * x.half;
	int decimals = mean < 10 ? 2 : mean < 100 ? 1 : 0;
	struct st_text head = ST_TEXT_INIT, tail = ST_TEXT_INIT;

	st_text_addf(&head, "%s: %.*f", q->asks, decimals, mean);
	if (half >= 0.5 * pow(10, -decimals))
		st_text_addf(&head, " +-%.*f", decimals, half);
	if (are_all_alike(r, x.mean, q)) {
		st_text_addf(out, "%s%s at every point\n", head.s, q->unit);
		st_text_release(&head);
		return;
	}
	char *policy = policy_of(r, best);
	st_text_addf(&head, "%s, point %zu", q->unit, best);
	say_near(r, best, q, &tail);
	/* What a point stands for is in the table: it is said again where there is room. */
	bool fits = head.len + strlen(policy) + tail.len <= COLUMNS;
	st_text_addf(out, "%s%s%s\n", head.s, fits ? policy : "", tail.s);
	free(policy);
	st_text_release(&head);
	st_text_release(&tail);
}

void st_leader_say(const struct st_sweep_result *r, struct st_text *out)
{
	if (!differ_in_policy_alone(r))
		return;
	size_t whom = st_score_whom(r);
	char *served = st_format("Most of %.20s served", whom == ST_WHOLE ? "all clients'" : r->subject[whom].name);
	const struct question peak = {"Lowest peak", " x capacity",
	    st_score_has_faults(r) ? "after_fault_peak_x_capacity" : "offered_peak_x_capacity", ST_WHOLE, 1, -1},
			      share = {served, " %", "success_share", whom, 100, 1},
			      recovery = {"Fastest recovery", " s", "recovery_time_s", ST_WHOLE, 1, -1};

	say(r, &peak, out);
	say(r, &share, out);
	if (st_score_has_faults(r))
		say(r, &recovery, out);
	free(served);
}
