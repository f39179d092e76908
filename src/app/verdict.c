#include <config.h>

#include "app/verdict.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"

enum { COLUMNS = 100 };
enum { NEEDED_MAX = 1000000 }; /* runs that anybody would make */

const char *st_verdict_name(enum st_judge_verdict v)
{
	static const char *const names[] = {"holds", "does not hold", "cannot tell"};

	return names[v];
}

/* --- by how much --- */

static void say_excess(const struct st_expect *x, double value, struct st_text *out)
{
	double more = value - x->value;
	const char *way = more > 0 ? "too much" : "too little";

	if (more == 0 || !isfinite(more))
		return;
	if (st_figure_at(x->figure)->scope & ST_SCOPE_SHARE)
		st_text_addf(out, ": %.2g percentage points %s", 100 * fabs(more), way);
	else if (x->value > 0 && value >= 3 * x->value)
		st_text_addf(out, ": %.3g times as much", value / x->value);
	else if (x->value > 0)
		st_text_addf(out, fabs(more) < 0.1 * x->value ? ": %.2g %% %s" : ": %.0f %% %s", 100 * fabs(more) / x->value, way);
	else
		st_text_addf(out, ": %.3g %s", fabs(more), way);
}

/* 437 is 440: it is a rough number. */
static size_t rounded_up(double n)
{
	double unit = pow(10, fmax(0, floor(log10(n)) - 1));

	return (size_t)(ceil(n / unit) * unit);
}

static void say_needed(const struct st_judgement *j, struct st_text *out)
{
	if (j->n < 2)
		st_text_add(out, "; one run has no interval, so ask for more: --replications 10");
	else if (!(j->needed <= NEEDED_MAX))
		st_text_add(out, "; no number of runs would tell: it is at the bound");
	else
		st_text_addf(out, "; about %zu runs would tell", rounded_up(fmax(j->needed, (double)j->n + 1)));
}

static void say_mean(const struct st_expect *x, const struct st_judgement *j, struct st_text *out)
{
	st_expect_print_value(x, j->mean.mean, j->mean.half, out);
	if (j->n == 1)
		st_text_add(out, " in one run");
	else
		st_text_addf(out, j->mean.half > 0 ? " in %zu runs" : " in each of %zu runs", j->n);
}

static void say_share(const struct st_judgement *j, struct st_text *out)
{
	st_text_addf(out, "met in %zu of %zu runs, %.3g %%", j->met.k, j->n, 100 * j->met.share);
	if (j->verdict == ST_JUDGE_OPEN)
		st_text_addf(out, " (95 %% interval: %.3g to %.3g %%)", 100 * j->met.lo, 100 * j->met.hi);
}

void st_verdict_say(const struct st_expect *x, const struct st_judgement *j, struct st_text *out)
{
	char *bound = st_expect_bound(x);
	bool of_mean = j->absent == 0 && isnan(x->share) && j->never == 0;

	if (j->absent > 0)
		st_text_addf(out, "absent in %zu of %zu run%s", j->absent, j->n, j->n == 1 ? "" : "s");
	else if (!isnan(x->share))
		say_share(j, out);
	else if (j->never > 0)
		st_text_addf(out, "never in %zu of %zu run%s", j->never, j->n, j->n == 1 ? "" : "s");
	else
		say_mean(x, j, out);
	st_text_addf(out, ", expected %s", bound);
	if (j->verdict == ST_JUDGE_FAILS && of_mean)
		say_excess(x, j->mean.mean, out);
	else if (j->verdict == ST_JUDGE_OPEN)
		say_needed(j, out);
	free(bound);
}

/* --- those that are of something else --- */

struct not_meant {
	size_t n;
	const char *text; /* of one of them */
};

/* One is told in full, several would be noise. whose: "", or " of ..." */
static void say_not_meant(const struct not_meant *o, const char *where, const char *whose, st_verdict_tell *tell, void *to)
{
	struct st_text t = ST_TEXT_INIT;

	if (o->n == 0)
		return;
	st_text_addf(&t, "not meant %s: ", where);
	if (o->n == 1)
		st_text_add(&t, o->text);
	else
		st_text_addf(&t, "%zu expectations%s", o->n, whose);
	tell(to, ST_VERDICT_NOT_MEANT, &t);
	st_text_release(&t);
}

void st_verdict_print(void *to, int verdict, const struct st_text *said)
{
	struct st_text *out = to;
	size_t from = out->len;

	(void)verdict;
	st_text_addf(out, "%s\n", said->s);
	st_text_wrap(out, from, COLUMNS);
}

/* --- a run --- */

void st_verdict_run(const struct st_scenario *s, const struct st_result *r, st_verdict_tell *tell, void *to)
{
	struct not_meant others = {.n = 0};

	for (size_t i = 0; i < s->nexpect; i++) {
		const struct st_expect *x = &s->expect[i];
		double value = st_expect_value(x, r);
		enum st_judge_verdict verdict = st_expect_holds(x, value) ? ST_JUDGE_HOLDS : ST_JUDGE_FAILS;
		struct st_text t = ST_TEXT_INIT;

		if (!st_scenario_meets(s, &x->when)) {
			others = (struct not_meant){others.n + 1, x->text};
			continue;
		}
		st_text_addf(&t, "%s: %s (", st_verdict_name(verdict), x->text);
		st_expect_print_value(x, value, 0, &t);
		st_text_add(&t, ")");
		tell(to, (int)verdict, &t);
		st_text_release(&t);
	}
	say_not_meant(&others, "here", " of other points of the sweep", tell, to);
}

/* --- a sweep --- */

enum { KINDS = ST_VERDICT_NOT_MEANT + 1 };

static void say_one(const struct st_expect *x, const struct st_sweep_result *r, size_t point, struct st_text *out)
{
	const struct st_sweep_point *p = &r->point[point];
	struct st_judgement j = st_judge(x, st_expect_values(x, r, p), p->n);

	st_text_add(out, st_verdict_name(j.verdict));
	if (r->npoints > 1)
		st_text_addf(out, " at point %zu", point);
	st_text_addf(out, ": %s (", x->text);
	st_verdict_say(x, &j, out);
	st_text_add(out, ")");
}

/* "; not at 0-2, 7, 18": the points of a kind. */
static void list(const char *head, const int *kind, size_t npoints, int which, struct st_text *out)
{
	for (size_t p = 0, end; p < npoints; p = end + 1) {
		for (end = p; end < npoints && kind[end] == which; end++)
			;
		if (end == p)
			continue;
		st_text_addf(out, end - p > 2 ? "%s%zu-%zu" : end - p == 2 ? "%s%zu, %zu" : "%s%zu", head, p, end - 1);
		head = ", ";
	}
}

/* How the points that are meant, n[] of each kind and the last of them `one`, have turned out. */
static void say_meant(const struct st_expect *x, const struct st_sweep_result *r, const int *kind, const size_t *n, size_t one,
    struct st_text *out)
{
	size_t meant = r->npoints - n[ST_VERDICT_NOT_MEANT];

	if (meant == 1)
		say_one(x, r, one, out);
	else if (n[ST_JUDGE_HOLDS] == meant)
		st_text_addf(out, "holds at all %zu points: %s", meant, x->text);
	else if (n[ST_JUDGE_FAILS] == meant)
		st_text_addf(out, "does not hold at any of %zu points: %s", meant, x->text);
	else if (n[ST_JUDGE_OPEN] == meant)
		st_text_addf(out, "cannot tell at any of %zu points: %s", meant, x->text);
	else {
		st_text_addf(out, "holds at %zu of %zu points: %s", n[ST_JUDGE_HOLDS], meant, x->text);
		list("; not at ", kind, r->npoints, ST_JUDGE_FAILS, out);
		list("; cannot tell at ", kind, r->npoints, ST_JUDGE_OPEN, out);
	}
}

/* Returns an enum st_judge_verdict, the worst of the points'; ST_VERDICT_NOT_MEANT, and adds nothing, where none is meant. */
static int say_of_all(const struct st_expect *x, const struct st_sweep_result *r, struct st_text *out)
{
	int *kind = st_calloc(r->npoints, sizeof *kind);
	size_t n[KINDS] = {0}, one = 0;

	for (size_t p = 0; p < r->npoints; p++) {
		const struct st_sweep_point *at = &r->point[p];

		kind[p] = ST_VERDICT_NOT_MEANT;
		if (st_when_met(&x->when, at->label)) {
			kind[p] = (int)st_judge(x, st_expect_values(x, r, at), at->n).verdict;
			one = p;
		}
		n[kind[p]]++;
	}
	if (n[ST_VERDICT_NOT_MEANT] < r->npoints)
		say_meant(x, r, kind, n, one, out);
	free(kind);
	return n[ST_JUDGE_FAILS] > 0 ? ST_JUDGE_FAILS : n[ST_JUDGE_OPEN] > 0 ? ST_JUDGE_OPEN : n[ST_JUDGE_HOLDS] > 0 ? ST_JUDGE_HOLDS : ST_VERDICT_NOT_MEANT;
}

void st_verdict_sweep(const struct st_scenario *s, const struct st_sweep_result *r, st_verdict_tell *tell, void *to)
{
	struct not_meant others = {.n = 0};

	for (size_t i = 0; i < s->nexpect; i++) {
		struct st_text t = ST_TEXT_INIT;
		int verdict = say_of_all(&s->expect[i], r, &t);

		if (verdict == ST_VERDICT_NOT_MEANT)
			others = (struct not_meant){others.n + 1, s->expect[i].text};
		else
			tell(to, verdict, &t);
		st_text_release(&t);
	}
	say_not_meant(&others, "at any point", "", tell, to);
}
