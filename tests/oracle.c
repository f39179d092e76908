#include <config.h>

#include "oracle.h"

#include <math.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "experiment/mistakes.h"

/* --- scenarios --- */

static void fail_on(const struct st_err *e)
{
	if (st_err_any(e))
		ck_abort_msg("%s (%zu in all)", e->message[0], e->n);
}

struct st_config oracle_config(const char *format, ...)
{
	struct st_config c;
	struct st_err e = ST_ERR_INIT;
	struct st_mistakes m = ST_MISTAKES_INIT;
	char text[2048];
	va_list ap;

	va_start(ap, format);
	int len = vsnprintf(text, sizeof text, format, ap);
	va_end(ap);
	ck_assert_int_lt(len, (int)sizeof text);
	struct st_node *tree = st_tree_parse(text, "the test", &m);
	st_mistakes_tell(&m, &e);
	fail_on(&e);
	st_scenario_resolve(tree, &c, &e);
	fail_on(&e);
	st_tree_free(tree);
	return c;
}

struct st_config oracle_config_file(const char *file, const char *const *set, size_t nset)
{
	const char *root = getenv("srcdir");
	struct st_scenario s;
	struct st_config c;
	struct st_err e = ST_ERR_INIT;
	char path[4096];

	snprintf(path, sizeof path, "%s/%s", root ? root : ".", file);
	st_scenario_read(path, set, nset, NULL, 0, &s, &e);
	fail_on(&e);
	st_scenario_resolve(s.tree, &c, &e);
	fail_on(&e);
	st_scenario_release(&s);
	return c;
}

/* --- replications on all processors --- */

struct work {
	const struct st_config *config;
	oracle_read *read;
	size_t k;
	double *out;
	uint32_t n;
	atomic_uint next;
	atomic_bool failed;
};

static void *run_some(void *arg)
{
	struct work *w = arg;

	for (uint32_t r; (r = atomic_fetch_add(&w->next, 1)) < w->n;) {
		struct st_err e = ST_ERR_INIT;
		/* Its histograms are too large for a thread's stack. */
		struct st_run *run = malloc(sizeof *run);

		if (!run || st_world_run(w->config, w->config->seed, r, NULL, run, &e) < 0)
			atomic_store(&w->failed, true);
		else
			w->read(w->config, run, w->out + (size_t)r * w->k);
		if (run)
			st_run_release(run);
		free(run);
		st_err_release(&e);
	}
	return NULL;
}

void oracle_run(const struct st_config *c, uint32_t n, size_t k, oracle_read *read, double *out)
{
	struct work w = {.config = c, .read = read, .k = k, .out = out, .n = n};
	long processors = sysconf(_SC_NPROCESSORS_ONLN);
	pthread_t thread[16];
	long threads = processors < 1 ? 1 : processors > 16 ? 16 : processors;

	for (long i = 0; i < threads; i++)
		ck_assert_int_eq(pthread_create(&thread[i], NULL, run_some, &w), 0);
	for (long i = 0; i < threads; i++)
		pthread_join(thread[i], NULL);
	ck_assert_msg(!atomic_load(&w.failed), "a replication did not run to its end");
}

/* --- what to read from a run --- */

static double figure_of(const struct st_config *c, const struct st_run *run, size_t group, const char *figure)
{
	int i = st_figure_find(figure);

	st_assert(i >= 0);
	return st_figure_at((size_t)i)->value(&(struct st_view){
	    .meter = run->meter,
	    .group = group,
	    .capacity_per_s = st_service_capacity_per_s(c->service),
	    .fault_end = st_config_fault_end(c),
	    .queue_limit = c->service->queue.limit,
	    .clients = run->meter,
	});
}

double oracle_figure(const struct st_config *c, const struct st_run *run, const char *figure)
{
	return figure_of(c, run, ST_ALL_GROUPS, figure);
}

double oracle_group_figure(const struct st_config *c, const struct st_run *run, const char *group,
    const char *figure)
{
	size_t g = 0;

	while (strcmp(c->group[g].name, group) != 0)
		st_assert(++g < c->ngroups);
	return figure_of(c, run, g, figure);
}

struct st_estimate oracle_column(const double *rows, size_t n, size_t k, size_t i)
{
	double *x = calloc(n, sizeof *x);

	for (size_t r = 0; r < n; r++)
		x[r] = rows[r * k + i];
	struct st_estimate e = st_estimate_mean(x, n);
	free(x);
	return e;
}

double oracle_standard_error(const struct st_estimate *e)
{
	return e->sd / sqrt((double)e->n);
}

uint64_t oracle_offered(const struct st_run *run, st_time from, st_time to)
{
	const struct st_series *s = &run->meter->series;
	uint64_t sum = 0;

	for (size_t i = 0; i < s->n; i++)
		if ((st_time)i * s->bin >= from && (st_time)(i + 1) * s->bin <= to)
			sum += (uint64_t)s->row[i][ST_CELL_OFFERED];
	return sum;
}

uint64_t oracle_peak(const struct st_run *run, st_time from, st_time to)
{
	const struct st_series *s = &run->meter->series;
	int64_t peak = 0;

	for (size_t i = 0; i < s->n; i++)
		if ((st_time)i * s->bin >= from && (st_time)(i + 1) * s->bin <= to &&
		    s->row[i][ST_CELL_OFFERED] > peak)
			peak = s->row[i][ST_CELL_OFFERED];
	return (uint64_t)peak;
}
