#include <config.h>

#include "twin_run.h"

#include <stdlib.h>

#include "base/mem.h"

/* What is seen: counters, gauges and their means, and the latencies of each bin. */

static size_t bin(const struct run *r)
{
	return (size_t)(r->now / r->c->bin);
}

static void most(const struct server *s, enum st_gauge_name g, size_t i)
{
	int64_t *max = &s->told->row[i][ST_CELL_QUEUE_MAX];

	if (g == ST_GAUGE_QUEUE && s->told->gauge[g] > *max)
		*max = s->told->gauge[g];
}

void gauge(struct run *r, struct server *s, enum st_gauge_name g, int change)
{
	for (st_time from = s->gauged[g], to; from < r->now; from = to) {
		size_t i = (size_t)(from / r->c->bin);

		to = (st_time)(i + 1) * r->c->bin;
		if (to > r->now)
			to = r->now;
		s->integral[i][g] += (__int128)s->told->gauge[g] * (to - from);
		most(s, g, i);
	}
	if (r->now < r->c->duration)
		most(s, g, bin(r));
	s->told->gauge[g] += change;
	s->gauged[g] = r->now;
	if (r->now < r->c->duration)
		most(s, g, bin(r));
}

void tick(struct run *r, struct server *s, enum st_cell c)
{
	s->told->row[bin(r)][c]++;
}

struct st_counts *counts(const struct attempt *a)
{
	return &a->op->group->told->counts;
}

bool in_window(const struct run *r, st_time t)
{
	return r->c->window.n == 2 ? r->c->window.at[0] <= t && t < r->c->window.at[1] : r->c->warmup <= t;
}

void see_success(struct run *r, const struct operation *op)
{
	struct server *s = op->group->server;
	struct twin_group *t = op->group->told;

	t->counts.successes++;
	t->last_success = r->now;
	if (in_window(r, op->begun)) {
		t->latencies++;
		t->latency_sum += r->now - op->begun;
	}
	if ((s->successes & (s->successes - 1)) == 0) /* a power of two is full */
		s->success = st_realloc(s->success, 2 * s->successes + 1, sizeof *s->success);
	s->success[s->successes++] = (struct success){bin(r), r->now - op->begun};
}

void begin_report(struct run *r)
{
	for (size_t k = 0; k < r->t->nservices; k++) {
		struct server *s = &r->server[k];

		s->told->row = st_calloc(r->t->n, sizeof *s->told->row);
		s->integral = st_calloc(r->t->n, sizeof *s->integral);
		for (size_t g = 0; g < TWIN_GROUPS; g++)
			s->told->group[g].last_success = -1;
	}
}

/* The integrals become means in millionths. */
static void close_means(const struct run *r, struct server *s, size_t i)
{
	static const struct {
		enum st_cell cell;
		enum st_gauge_name gauge;
	} mean[] = {{ST_CELL_QUEUE_MEAN, ST_GAUGE_QUEUE}, {ST_CELL_BUSY_MEAN, ST_GAUGE_BUSY}, {ST_CELL_WORKERS, ST_GAUGE_WORKERS},
	    {ST_CELL_WAITING, ST_GAUGE_WAITING}, {ST_CELL_BREAKERS_OPEN, ST_GAUGE_BREAKERS_OPEN}};
	st_time from = (st_time)i * r->c->bin, length = r->c->duration - from < r->c->bin ? r->c->duration - from : r->c->bin;

	for (size_t k = 0; k < sizeof mean / sizeof *mean; k++)
		s->told->row[i][mean[k].cell] = (int64_t)((s->integral[i][mean[k].gauge] * 1000000 + length / 2) / length);
}

/* The latencies of each bin become quantiles. */
static void close_latencies(const struct run *r, struct server *s)
{
	size_t next = 0;
	struct st_hist h;

	for (size_t i = 0; i < r->t->n; i++) {
		bool is_quiet = next == s->successes || s->success[next].bin != i;

		if (!is_quiet)
			st_hist_init(&h);
		for (; next < s->successes && s->success[next].bin == i; next++)
			st_hist_add(&h, s->success[next].latency);
		s->told->row[i][ST_CELL_LATENCY_P50] = is_quiet ? -1 : st_hist_quantile(&h, 0.5);
		s->told->row[i][ST_CELL_LATENCY_P99] = is_quiet ? -1 : st_hist_quantile(&h, 0.99);
	}
}

void finish_report(struct run *r)
{
	for (size_t k = 0; k < r->t->nservices; k++) {
		struct server *s = &r->server[k];

		for (int g = 0; g < ST_GAUGE_N; g++)
			gauge(r, s, (enum st_gauge_name)g, 0);
		for (size_t i = 0; i < r->t->n; i++)
			close_means(r, s, i);
		close_latencies(r, s);
		free(s->integral);
		free(s->success);
	}
}
