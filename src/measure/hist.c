#include <config.h>

#include "measure/hist.h"

#include <math.h>
#include <string.h>

static void set_empty(struct st_hist *h)
{
	h->n = 0;
	h->sum = 0;
	h->max = 0;
	h->lowest = ST_HIST_BUCKETS;
	h->highest = 0;
}

void st_hist_init(struct st_hist *h)
{
	memset(h->count, 0, sizeof h->count);
	set_empty(h);
}

void st_hist_clear(struct st_hist *h)
{
	if (h->n > 0)
		memset(h->count + h->lowest, 0, (h->highest - h->lowest + 1) * sizeof *h->count);
	set_empty(h);
}

void st_hist_merge(struct st_hist *into, const struct st_hist *from)
{
	if (from->n == 0)
		return;
	for (size_t b = from->lowest; b <= from->highest; b++)
		into->count[b] += from->count[b];
	into->n += from->n;
	into->sum += from->sum;
	if (from->max > into->max)
		into->max = from->max;
	if (from->lowest < into->lowest)
		into->lowest = from->lowest;
	if (from->highest > into->highest)
		into->highest = from->highest;
}

/* The least value of a bucket and how many more it holds. */
static uint64_t first(size_t bucket, uint64_t *more)
{
	size_t shift = bucket < 2 * ST_HIST_SUB ? 0 : bucket / ST_HIST_SUB - 1;

	*more = (UINT64_C(1) << shift) - 1;
	return (uint64_t)(bucket - shift * ST_HIST_SUB) << shift;
}

static st_time middle(size_t bucket)
{
	uint64_t more, low = first(bucket, &more);

	return (st_time)(low + more / 2);
}

st_time st_hist_last(size_t bucket)
{
	uint64_t more, low = first(bucket, &more);

	return (st_time)(low + more);
}

/* Two roundings make at most 2^-52 of p n. */
uint64_t st_hist_rank(double p, uint64_t n)
{
	return (uint64_t)ceil(p * (double)n * (1.0 - 0x1p-51));
}

st_time st_hist_quantile(const struct st_hist *h, double p)
{
	if (h->n == 0)
		return -1;
	if (p >= 1.0)
		return h->max;
	uint64_t rank = st_hist_rank(p, h->n), below = 0;
	size_t b = h->lowest;

	while (b < h->highest && (below += h->count[b]) < rank)
		b++;
	return middle(b) < h->max ? middle(b) : h->max;
}

double st_hist_mean_ns(const struct st_hist *h)
{
	return h->n > 0 ? (double)h->sum / (double)h->n : (double)NAN;
}
