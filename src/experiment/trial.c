#include <config.h>

#include "experiment/trial.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "base/clock.h"
#include "base/mem.h"

static uint64_t peak_rss_bytes(void)
{
	struct rusage u;

	getrusage(RUSAGE_SELF, &u);
	return (uint64_t)u.ru_maxrss * 1024;
}

static double *figures(const struct st_view *v, unsigned scope)
{
	double *x = st_calloc(st_figure_count(), sizeof *x);

	for (size_t i = 0; st_figure_at(i); i++) {
		const struct st_figure *f = st_figure_at(i);

		x[i] = f->scope & scope ? f->value(v) : (double)NAN;
	}
	return x;
}

/* How a service is looked at: all that call it. */
static struct st_view view_of(const struct st_config *c, const struct st_run *run, size_t service)
{
	const struct st_service_cfg *s = &c->service[service];

	return (struct st_view){
	    .meter = &run->meter[service],
	    .group = ST_ALL_GROUPS,
	    .capacity_per_s = st_service_capacity_per_s(s),
	    .fault_end = st_config_fault_end(c),
	    .queue_limit = s->queue.limit,
	    .clients = run->meter,
	};
}

/* The series are moved: what is left behind is empty. */
static struct st_series take_series(struct st_meter *m)
{
	struct st_series series = m->series;

	memset(&m->series, 0, sizeof m->series);
	return series;
}

static void take_figures(const struct st_config *c, const struct st_run *run, struct st_result *out)
{
	size_t nservices = c->nservices > 1 ? c->nservices : 0;
	struct st_view v = view_of(c, run, 0);
	struct st_result_subject *to = st_calloc(c->ngroups + nservices, sizeof *to);

	out->capacity_per_s = v.capacity_per_s;
	out->figure = figures(&v, ST_SCOPE_RUN);
	out->subject = to;
	out->nsubjects = c->ngroups + nservices;
	for (v.group = 0; v.group < c->ngroups; v.group++)
		*to++ = (struct st_result_subject){
		    .name = st_strdup(c->group[v.group].name), .scope = ST_SCOPE_GROUP, .figure = figures(&v, ST_SCOPE_GROUP)};
	for (size_t i = 0; i < nservices; i++) {
		v = view_of(c, run, i);
		*to++ = (struct st_result_subject){
		    .name = st_strdup(c->service[i].name), .scope = ST_SCOPE_SERVICE, .figure = figures(&v, ST_SCOPE_SERVICE)};
	}
}

static void take_all_series(struct st_run *run, struct st_result *out)
{
	out->series = take_series(run->meter);
	for (size_t i = 1; i < run->nmeters; i++)
		out->subject[out->nsubjects - run->nmeters + i].series = take_series(&run->meter[i]);
}

static void take_ended_with(const struct st_meter *m, struct st_result *out)
{
	out->ended_with = st_calloc(ST_METER_ATTEMPTS_MAX + 1, sizeof *out->ended_with);
	for (size_t g = 0; g < m->ngroups; g++) {
		for (size_t k = 0; k <= ST_METER_ATTEMPTS_MAX; k++) {
			out->ended_with[k] += m->group[g].ended_with[k];
			if (out->ended_with[k] > 0 && k >= out->nended)
				out->nended = k + 1;
		}
	}
}

static int by_from(const void *a, const void *b)
{
	const struct st_window *x = a, *y = b;

	if (x->from != y->from)
		return x->from < y->from ? -1 : 1;
	return (x->to > y->to) - (x->to < y->to);
}

static void take_faults(const struct st_config *c, struct st_result *out)
{
	out->nfaults = c->nfaults;
	out->fault = st_calloc(c->nfaults, sizeof *out->fault);
	for (size_t i = 0; i < c->nfaults; i++)
		out->fault[i] = (struct st_window){c->fault[i].at, c->fault[i].at + c->fault[i].length};
	if (c->nfaults > 1)
		qsort(out->fault, c->nfaults, sizeof *out->fault, by_from);
}

int st_trial_run(const struct st_config *c, uint32_t replication, const volatile int *stop, struct st_result *out, struct st_err *e)
{
	struct st_run run;
	double wall = st_clock_s(CLOCK_MONOTONIC), cpu = st_clock_s(CLOCK_THREAD_CPUTIME_ID);
	int rc = st_world_run(c, c->seed, replication, stop, &run, e);

	memset(out, 0, sizeof *out);
	if (rc == 0) {
		out->wall_s = st_clock_s(CLOCK_MONOTONIC) - wall;
		out->cpu_s = st_clock_s(CLOCK_THREAD_CPUTIME_ID) - cpu;
		out->events = run.events;
		out->fingerprint = run.fingerprint;
		out->events_per_s = out->wall_s > 0 ? (double)run.events / out->wall_s : (double)NAN;
		out->peak_rss_bytes = peak_rss_bytes();
		out->seed = c->seed;
		out->replication = replication;
		take_figures(c, &run, out);
		take_ended_with(run.meter, out);
		take_faults(c, out);
		take_all_series(&run, out);
	}
	st_run_release(&run);
	return rc;
}
