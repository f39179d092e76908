#include <config.h>

#include "build.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

static void defaults(const struct st_param *rows, void *cfg)
{
	for (; rows->name; rows++)
		if (rows->dflt)
			st_param_default(rows, cfg);
}

static void release(const struct st_param *rows, void *cfg)
{
	for (; rows->name; rows++)
		st_param_release(rows, cfg);
}

static void read_row(const struct st_param *row, void *cfg, const char *value)
{
	struct st_err e = ST_ERR_INIT;

	if (st_param_read_text(row, value, NULL, cfg, &e) < 0) {
		st_err_print(&e, stderr);
		abort();
	}
}

void build_set(const struct st_param *rows, void *cfg, const char *name, const char *value)
{
	while (rows->name && strcmp(rows->name, name) != 0)
		rows++;
	st_assert(rows->name);
	read_row(rows, cfg, value);
}

struct st_dist build_dist(const char *text)
{
	static const struct st_param row = {.name = "test", .type = &st_param_dist, .word = "off"};
	struct st_dist d = {0};

	read_row(&row, &d, text);
	return d;
}

struct st_conditions build_conditions(const char *text)
{
	static const struct st_param row = {.name = "test", .type = &st_param_conditions};
	struct st_conditions c = {{0}};

	read_row(&row, &c, text);
	return c;
}

struct st_jitter_cfg build_jitter(const char *text)
{
	static const struct st_param row = {.name = "test", .type = &st_param_jitter};
	struct st_jitter_cfg j = {0};

	read_row(&row, &j, text);
	return j;
}

struct st_service_cfg *build_service(struct st_config *c, const char *name)
{
	struct st_service_cfg *s = &c->service[c->nservices++];

	st_assert(c->nservices <= BUILD_MOST);
	s->name = st_strdup(name);
	defaults(st_service_params, s);
	defaults(st_capacity_params, &s->capacity);
	defaults(st_admission_params, &s->admission);
	defaults(st_queue_params, &s->queue);
	defaults(st_hint_params, &s->hint);
	s->workers = 1;
	s->service_time = st_dist_constant(10 * ST_MSEC);
	return s;
}

void build_init(struct st_config *c, st_time duration)
{
	memset(c, 0, sizeof *c);
	defaults(st_config_params, c);
	c->duration = duration;
	c->service = st_calloc(BUILD_MOST, sizeof *c->service);
	build_service(c, ST_SERVICE_ALONE);
	c->group = st_calloc(BUILD_MOST, sizeof *c->group);
	c->fault = st_calloc(BUILD_MOST, sizeof *c->fault);
}

/* What clients and calls have. */
static void callers_defaults(struct st_group_cfg *g)
{
	defaults(st_group_params, g);
	defaults(st_retry_params, &g->retry);
	defaults(st_backoff_params, &g->retry.backoff);
	defaults(st_obedience_params, &g->retry.hint);
	defaults(st_budget_params, &g->retry.budget);
	defaults(st_breaker_params, &g->retry.breaker);
	defaults(st_gate_params, &g->retry.gate);
	defaults(st_hedge_params, &g->retry.hedge);
}

struct st_calls_cfg *build_calls(struct st_service_cfg *s, const char *to)
{
	defaults(st_calls_params, &s->calls);
	build_set(st_calls_params, &s->calls, "to", to);
	callers_defaults(&s->calls.group);
	return &s->calls;
}

struct st_group_cfg *build_group(struct st_config *c, const char *name, uint64_t count)
{
	struct st_group_cfg *g = &c->group[c->ngroups++];

	st_assert(c->ngroups <= BUILD_MOST);
	callers_defaults(g);
	defaults(st_clients_params, g);
	defaults(st_workload_params, &g->workload);
	build_set(st_workload_params, &g->workload, "kind", "once");
	g->workload.think = st_dist_constant(0);
	g->name = st_strdup(name);
	g->count = count;
	return g;
}

struct st_fault_cfg *build_fault(struct st_config *c, st_time at, st_time length, const char *effect)
{
	struct st_fault_cfg *f = &c->fault[c->nfaults++];

	st_assert(c->nfaults <= BUILD_MOST);
	defaults(st_fault_params, f);
	build_set(st_fault_params, f, "effect", effect);
	f->at = at;
	f->length = length;
	return f;
}

static void callers_release(struct st_group_cfg *g)
{
	release(st_group_params, g);
	release(st_backoff_params, &g->retry.backoff);
}

static void service_release(struct st_service_cfg *s)
{
	release(st_service_params, s);
	release(st_queue_params, &s->queue);
	release(st_calls_params, &s->calls);
	callers_release(&s->calls.group);
	free(s->name);
}

void build_release(struct st_config *c)
{
	for (size_t i = 0; i < c->ngroups; i++) {
		struct st_group_cfg *g = &c->group[i];

		callers_release(g);
		release(st_workload_params, &g->workload);
		free(g->name);
	}
	for (size_t i = 0; i < c->nfaults; i++)
		release(st_fault_params, &c->fault[i]);
	for (size_t i = 0; i < c->nservices; i++)
		service_release(&c->service[i]);
	free(c->service);
	release(st_config_params, c);
	free(c->group);
	free(c->fault);
}

void build_run(const struct st_config *c, struct st_run *run)
{
	struct st_err e = ST_ERR_INIT;

	if (st_world_run(c, 1, 0, NULL, run, &e) < 0) {
		st_err_print(&e, stderr);
		abort();
	}
}
