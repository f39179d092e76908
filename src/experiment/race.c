#include <config.h>

#include "experiment/race.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"

enum { TRIES = 20 }; /* for each new point, where those that come are there already */

static size_t half_of(size_t n)
{
	return n > 2 * ST_RACE_FINALISTS ? (n + 1) / 2 : ST_RACE_FINALISTS;
}

/* Runs of a finalist: each halving of the first generation doubles them. */
static uint32_t last_runs(const struct st_race_cfg *cfg)
{
	uint32_t runs = cfg->first;

	for (size_t n = cfg->points; n > ST_RACE_FINALISTS; n = half_of(n))
		runs *= 2;
	return runs;
}

static size_t new_points(const struct st_race_cfg *cfg)
{
	size_t n = cfg->points / 4;

	return n > ST_RACE_FINALISTS ? n : ST_RACE_FINALISTS;
}

/* Runs of a generation of `n` points of which none has any, but for `old`, which have so many as the first ask for. */
static uint64_t most_runs(const struct st_race_cfg *cfg, size_t n, size_t old)
{
	uint32_t runs = cfg->first, before = 0, last = last_runs(cfg);
	uint64_t sum = 0;

	for (size_t in = n;; in = half_of(in)) {
		runs = in <= ST_RACE_FINALISTS ? last : runs;
		sum += (uint64_t)(before == 0 ? n - old : in) * (runs - before);
		if (in <= ST_RACE_FINALISTS)
			return sum;
		before = runs;
		runs *= 2;
	}
}

uint64_t st_race_least(const struct st_race_cfg *cfg)
{
	return most_runs(cfg, cfg->points, 0) + (uint64_t)ST_RACE_FINALISTS * last_runs(cfg);
}

uint64_t st_race_further(const struct st_race_cfg *cfg)
{
	return most_runs(cfg, new_points(cfg) + ST_RACE_FINALISTS, ST_RACE_FINALISTS);
}

static size_t items(const struct st_race_axis *a)
{
	return a->words + a->intervals;
}

/* Four times the distance between the points of the first generation that have the same words and intervals. */
static double first_width(const struct st_race_cfg *cfg)
{
	double points = (double)cfg->points;
	size_t n = 0;

	for (size_t a = 0; a < cfg->naxes; a++) {
		n += cfg->axis[a].intervals > 0;
		points /= (double)items(&cfg->axis[a]);
	}
	return n == 0 || points < 1 ? 0.5 : fmin(0.5, 4 * pow(points, -1.0 / (double)n));
}

void st_race_init(struct st_race *r, const struct st_race_cfg *cfg)
{
	uint64_t least = st_race_least(cfg);

	st_assert(cfg->naxes > 0 && cfg->naxes <= ST_RACE_DIMENSIONS && cfg->points > 0 && cfg->first > 0 && cfg->budget >= least);
	*r = (struct st_race){.cfg = *cfg, .last = last_runs(cfg), .width = 2 * first_width(cfg)};
	r->generations = 1 + (unsigned)((cfg->budget - least) / st_race_further(cfg));
	r->cap = st_race_most_points(r);
	r->point = st_calloc(r->cap, sizeof *r->point);
	r->in = st_calloc(r->cap, sizeof *r->in);
	r->sobol = gsl_qrng_alloc(gsl_qrng_sobol, (unsigned)cfg->naxes);
	st_assert(r->sobol);
}

void st_race_release(struct st_race *r)
{
	for (size_t i = 0; i < r->npoints; i++)
		free(r->point[i].at);
	free(r->point);
	free(r->in);
	if (r->sobol)
		gsl_qrng_free(r->sobol);
	*r = (struct st_race){.point = NULL};
}

size_t st_race_most_points(const struct st_race *r)
{
	return r->cfg.points + (r->generations - 1) * new_points(&r->cfg);
}

uint64_t st_race_most_runs(const struct st_race *r)
{
	return st_race_least(&r->cfg) + (r->generations - 1) * st_race_further(&r->cfg);
}

/* Drawing */

static struct st_race_at anywhere(const struct st_race_axis *a, double v)
{
	double x = v * (double)items(a);

	return (struct st_race_at){(size_t)x, x < (double)a->words ? 0 : x - floor(x)};
}

/* Within the box around a point; what would lie beyond an end is thrown back from it. */
static double near(double u, double v, double width)
{
	double x = fabs(u + (v - 0.5) * width);

	return x > 1 ? 2 - x : x;
}

static struct st_race_at close_to(const struct st_race_axis *a, const struct st_race_at *parent, double v, double width)
{
	double chance = items(a) > 1 ? width : 0;

	if (v < chance)
		return anywhere(a, v / chance);
	v = (v - chance) / (1 - chance);
	return (struct st_race_at){parent->item, parent->item < a->words ? 0 : near(parent->u, v, width)};
}

/* Of n finalists, the best first: every other point is one of the best's, the others are shared out in turn. */
static size_t parent_of(size_t i, size_t n)
{
	return i % 2 == 0 || n == 1 ? 0 : 1 + i / 2 % (n - 1);
}

static void draw(struct st_race *r, const struct st_race_at *parent, struct st_race_at *at)
{
	double v[ST_RACE_DIMENSIONS];

	gsl_qrng_get(r->sobol, v);
	for (size_t a = 0; a < r->cfg.naxes; a++)
		at[a] = parent ? close_to(&r->cfg.axis[a], &parent[a], v[a], r->width) : anywhere(&r->cfg.axis[a], v[a]);
}

/* Up to n points, around the n finalists if there are any; how many came. */
static size_t add_points(struct st_race *r, size_t n, const size_t *finalist, size_t nfinalists)
{
	size_t added = 0;

	for (size_t tries = 0; added < n && tries < TRIES * n; tries++) {
		struct st_race_at *at = st_calloc(r->cfg.naxes, sizeof *at);

		draw(r, nfinalists > 0 ? r->point[finalist[parent_of(tries, nfinalists)]].at : NULL, at);
		if (!r->cfg.add(r->cfg.to, at)) {
			free(at);
			continue;
		}
		r->point[r->npoints++] = (struct st_race_point){.at = at, .generation = r->generation};
		added++;
	}
	return added;
}

/* Sorting */

static void look(struct st_race *r, size_t point, uint32_t runs)
{
	r->point[point].standing = r->cfg.look(r->cfg.to, point, runs);
}

typedef int compare_fn(const struct st_standing *a, const struct st_standing *b);

/* By insertion: it keeps the order of equals, and there are few. */
static void sort(const struct st_race *r, size_t *list, size_t n, compare_fn *compare)
{
	for (size_t i = 1; i < n; i++) {
		size_t x = list[i], k = i;

		for (; k > 0 && compare(&r->point[x].standing, &r->point[list[k - 1]].standing) < 0; k--)
			list[k] = list[k - 1];
		list[k] = x;
	}
}

static int by_number(const void *a, const void *b)
{
	const size_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* The best of those in the race whose bounds surely hold; SIZE_MAX if there is none. */
static size_t safest(const struct st_race *r)
{
	size_t best = SIZE_MAX;

	for (size_t i = 0; i < r->nin; i++) {
		const struct st_race_point *p = &r->point[r->in[i]];

		if (p->standing.bounds == ST_JUDGE_HOLDS &&
		    (best == SIZE_MAX || st_standing_in_end(&p->standing, &r->point[best].standing) < 0))
			best = r->in[i];
	}
	return best;
}

/* Keep the n best, and the safest. */
static void keep(struct st_race *r, size_t n)
{
	for (size_t k = 0; k < r->nin; k++)
		look(r, r->in[k], r->runs);
	size_t safe = safest(r), i = 0;
	sort(r, r->in, r->nin, st_standing_in_race);
	while (i < n && r->in[i] != safe)
		i++;
	if (safe != SIZE_MAX && i == n)
		r->in[n - 1] = safe;
	r->nin = n;
	qsort(r->in, r->nin, sizeof *r->in, by_number);
}

static void ask(struct st_race *r, uint32_t runs)
{
	r->runs = r->nin <= ST_RACE_FINALISTS ? r->last : runs;
	for (size_t i = 0; i < r->nin; i++) {
		struct st_race_point *p = &r->point[r->in[i]];

		if (p->wanted < r->runs) {
			r->spent += r->runs - p->wanted;
			p->wanted = r->runs;
		}
	}
}

/* The finalists and new points around them. */
static bool begin(struct st_race *r)
{
	size_t first = r->npoints, *finalist, n = st_race_finalists(r, &finalist);

	n = n > ST_RACE_FINALISTS ? ST_RACE_FINALISTS : n;
	r->width /= 2;
	bool any = add_points(r, r->generation == 0 ? r->cfg.points : new_points(&r->cfg), finalist, n) > 0;
	r->nin = 0;
	for (size_t i = 0; i < n; i++)
		r->in[r->nin++] = finalist[i];
	while (first < r->npoints)
		r->in[r->nin++] = first++;
	free(finalist);
	qsort(r->in, r->nin, sizeof *r->in, by_number);
	if (any)
		ask(r, r->cfg.first);
	return any;
}

bool st_race_step(struct st_race *r)
{
	if (r->npoints == 0)
		return begin(r);
	if (r->runs < r->last) {
		uint32_t runs = 2 * r->runs;

		if (r->nin > ST_RACE_FINALISTS)
			keep(r, half_of(r->nin));
		ask(r, runs);
		return true;
	}
	if (r->generation + 1 >= r->generations)
		return false;
	r->generation++;
	return begin(r);
}

size_t st_race_finalists(struct st_race *r, size_t **out)
{
	size_t n = 0;

	*out = st_calloc(r->npoints, sizeof **out);
	for (size_t i = 0; i < r->npoints; i++) {
		if (r->point[i].wanted < r->last)
			continue;
		look(r, i, r->last);
		(*out)[n++] = i;
	}
	sort(r, *out, n, st_standing_in_end);
	return n;
}
