#include <config.h>

#include "experiment/goal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

static const struct st_place goal_place = {"--goal", 0, 0}, bound_place = {"--subject-to", 0, 0};

static int read_goal(const char *text, const struct st_expect_names *names, struct st_goal *g, struct st_mistakes *m)
{
	size_t n = strcspn(text, " ");
	const char *figure = text + n + strspn(text + n, " ");

	g->is_max = n == 3 && strncmp(text, "max", n) == 0;
	if (n != 3 || (!g->is_max && strncmp(text, "min", n) != 0) || !*figure)
		return st_mistakes_add(m, &goal_place, "expects min or max and a figure, such as 'min recovery_time'; got '%s'", text);
	return st_expect_read_figure("", figure, &goal_place, names, &g->of, m);
}

int st_goal_read(const char *text, const char *const *bounds, size_t n, const struct st_expect_names *names, struct st_goal *g,
    struct st_mistakes *m)
{
	*g = (struct st_goal){.text = st_strdup(text), .bound = st_calloc(n, sizeof *g->bound)};
	int rc = read_goal(text, names, g, m);

	for (size_t i = 0; i < n; i++) {
		if (strstr(bounds[i], " when "))
			rc = st_mistakes_add(m, &bound_place, "'%s': a bound holds at every point, it takes no 'when'", bounds[i]);
		else if (st_expect_read("", bounds[i], &bound_place, names, &g->bound[g->nbounds], m) == 0)
			g->nbounds++;
		else
			rc = -1;
	}
	return rc;
}

void st_goal_release(struct st_goal *g)
{
	free(g->text);
	st_expect_release(&g->of);
	for (size_t i = 0; i < g->nbounds; i++)
		st_expect_release(&g->bound[i]);
	free(g->bound);
	*g = (struct st_goal){.text = NULL};
}

bool st_goal_wants_more(const struct st_expect *bound)
{
	return bound->relation == ST_RELATION_AT_LEAST || bound->relation == ST_RELATION_ABOVE;
}

/* Of one bound that does not surely hold: how far from it the end of the interval is that the mean will have after `last` runs. */
static double excess_of(const struct st_expect *x, const struct st_judgement *j, size_t last)
{
	double half = j->n < last ? j->mean.half * sqrt((double)j->n / (double)last) : j->mean.half;
	double over = x->relation == ST_RELATION_EQUAL ? fabs(j->mean.mean - x->value)
	    : st_goal_wants_more(x)                    ? x->value - (j->mean.mean - half)
						       : j->mean.mean + half - x->value;

	if (!isnan(x->share))
		return fmax(0, x->share - j->met.share);
	if (isnan(over))
		return (double)INFINITY;
	return fmax(0, over) / (x->value != 0 ? fabs(x->value) : 1);
}

/* The mean of the finite values; 0 where there is none. How many are not. */
static size_t mean_of(const double *value, size_t n, bool is_more_better, double *mean)
{
	double sum = 0;
	size_t finite = 0;

	for (size_t i = 0; i < n; i++) {
		if (isfinite(value[i])) {
			sum += value[i];
			finite++;
		}
	}
	*mean = finite > 0 ? (is_more_better ? -sum : sum) / (double)finite : 0;
	return n - finite;
}

struct st_standing st_goal_look(const struct st_goal *g, const double *const *values, size_t n, size_t last)
{
	struct st_standing s = {.bounds = ST_JUDGE_HOLDS};

	s.nbad = mean_of(values[0], n, g->is_max, &s.cost);
	if (g->nbounds > 0)
		mean_of(values[1], n, st_goal_wants_more(&g->bound[0]), &s.strain);
	for (size_t i = 0; i < g->nbounds; i++) {
		struct st_judgement j = st_judge(&g->bound[i], values[1 + i], n);

		if (j.verdict == ST_JUDGE_HOLDS)
			continue;
		s.bounds = j.verdict == ST_JUDGE_FAILS ? ST_JUDGE_FAILS : s.bounds == ST_JUDGE_HOLDS ? ST_JUDGE_OPEN : s.bounds;
		s.excess += excess_of(&g->bound[i], &j, last);
	}
	return s;
}

static int order(double a, double b)
{
	return (a > b) - (a < b);
}

static int by_cost(const struct st_standing *a, const struct st_standing *b)
{
	if (a->nbad != b->nbad)
		return a->nbad > b->nbad ? 1 : -1;
	return a->cost != b->cost ? order(a->cost, b->cost) : order(a->strain, b->strain);
}

int st_standing_in_race(const struct st_standing *a, const struct st_standing *b)
{
	bool a_fails = a->bounds == ST_JUDGE_FAILS, b_fails = b->bounds == ST_JUDGE_FAILS;

	if (a_fails != b_fails)
		return a_fails ? 1 : -1;
	return a->excess != b->excess ? order(a->excess, b->excess) : by_cost(a, b);
}

int st_standing_by_bounds(const struct st_standing *a, const struct st_standing *b)
{
	static const int class[] = {[ST_JUDGE_HOLDS] = 0, [ST_JUDGE_OPEN] = 1, [ST_JUDGE_FAILS] = 2};

	return class[a->bounds] - class[b->bounds];
}

int st_standing_in_end(const struct st_standing *a, const struct st_standing *b)
{
	if (a->bounds != b->bounds)
		return st_standing_by_bounds(a, b);
	if (a->bounds == ST_JUDGE_FAILS && a->excess != b->excess)
		return order(a->excess, b->excess);
	return by_cost(a, b);
}
