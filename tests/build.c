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

/* --- at random ------------------------------------------------------------------------------------------------------ */

#define PICK(r, ...) pick(r, (const char *const[]){__VA_ARGS__, NULL})

static const char *pick(struct st_rng *r, const char *const *of)
{
	size_t n = 0;

	while (of[n])
		n++;
	return of[st_rng_below(r, n)];
}

static st_time moment(struct st_rng *r, st_time most)
{
	/* Half of them are round, so that things tie. */
	return st_rng_below(r, 2) ? (st_time)st_rng_below(r, (uint64_t)most) : (st_time)st_rng_below(r, (uint64_t)(most / (50 * ST_MSEC))) * 50 * ST_MSEC;
}

static void random_retry(struct st_rng *r, struct st_retry_cfg *t)
{
	build_set(st_retry_params, t, "on", PICK(r, "[5xx, 429, timeout, refused, reset]", "[5xx, 429, timeout, refused, reset]", "any", "[timeout, 503]", "[429]"));
	build_set(st_retry_params, t, "attempts", PICK(r, "1", "2", "3", "4", "10", "unlimited", "unlimited"));
	build_set(st_backoff_params, &t->backoff, "shape",
	    PICK(r, "exponential", "exponential", "constant", "linear", "quadratic", "late-quadratic", "geometric-sum", "table"));
	build_set(st_backoff_params, &t->backoff, "delays", PICK(r, "[50ms, 100ms, 300ms]", "20ms"));
	build_set(st_backoff_params, &t->backoff, "base", PICK(r, "10ms", "50ms", "100ms", "333ms"));
	build_set(st_backoff_params, &t->backoff, "factor", PICK(r, "2", "1.5", "1"));
	build_set(st_backoff_params, &t->backoff, "cap", PICK(r, "off", "200ms", "1s"));
	build_set(st_backoff_params, &t->backoff, "jitter", PICK(r, "none", "full", "equal", "decorrelated", "range 0.8 1.2", "proportional 20%",
	    "additive 100ms", "rising", "decorrelated 2", "exponential", "polly"));
	build_set(st_backoff_params, &t->backoff, "cap_at", PICK(r, "before", "before", "after", "both", "truncate"));
	build_set(st_backoff_params, &t->backoff, "floor", PICK(r, "0s", "0s", "30ms"));
	build_set(st_backoff_params, &t->backoff, "head", PICK(r, "[]", "[]", "[20ms]", "[5ms, 100ms]"));
	build_set(st_backoff_params, &t->backoff, "tail_from", PICK(r, "never", "never", "3"));
	build_set(st_backoff_params, &t->backoff, "quantum", PICK(r, "off", "off", "7ms"));
	build_set(st_backoff_params, &t->backoff, "reset", PICK(r, "success", "0s", "150ms", "10s"));
	build_set(st_backoff_params, &t->backoff, "throttle.on", PICK(r, "[]", "[429]", "[503, timeout]"));
	build_set(st_backoff_params, &t->backoff, "throttle.base", PICK(r, "base", "200ms"));
	build_set(st_backoff_params, &t->backoff, "throttle.factor", PICK(r, "factor", "3"));
	if (t->attempts <= 10 && st_rng_below(r, 8) == 0)
		build_set(st_backoff_params, &t->backoff, "shape", "immediate");
	build_set(st_obedience_params, &t->hint, "obey", PICK(r, "100%", "100%", "50%", "0%"));
	build_set(st_obedience_params, &t->hint, "mode", PICK(r, "floor", "replace", "add", "clamp", "require", "ignore"));
	build_set(st_obedience_params, &t->hint, "clamp", PICK(r, "0s", "60ms", "5s"));
	build_set(st_obedience_params, &t->hint, "jitter", PICK(r, "none", "100ms", "50%"));
	build_set(st_obedience_params, &t->hint, "limit", PICK(r, "off", "150ms", "150ms", "150ms", "150ms", "150ms"));
	build_set(st_obedience_params, &t->hint, "over", PICK(r, "give-up", "give-up", "give-up", "ignore", "truncate"));
	build_set(st_budget_params, &t->budget, "kind", PICK(r, "off", "token-bucket", "token-bucket", "aws-quota", "grpc-throttle", "window", "concurrency", "starts"));
	build_set(st_budget_params, &t->budget, "scope", PICK(r, "client", "site", "group"));
	build_set(st_budget_params, &t->budget, "site", PICK(r, "1", "3"));
	build_set(st_budget_params, &t->budget, "on_empty", PICK(r, "fail", "open"));
	build_set(st_budget_params, &t->budget, "rate", PICK(r, "0/s", "1/s", "20/s", "70/m"));
	build_set(st_budget_params, &t->budget, "burst", PICK(r, "1", "2.5", "10"));
	build_set(st_budget_params, &t->budget, "deposit", PICK(r, "0", "0.1", "1"));
	build_set(st_budget_params, &t->budget, "capacity", PICK(r, "20", "500"));
	build_set(st_budget_params, &t->budget, "cost", PICK(r, "5", "14"));
	build_set(st_budget_params, &t->budget, "max_retries", PICK(r, "0", "1", "3"));
	build_set(st_budget_params, &t->budget, "active_share", PICK(r, "0%", "30%"));
	build_set(st_budget_params, &t->budget, "within", PICK(r, "10s", "300ms"));
	build_set(st_budget_params, &t->budget, "ttl", PICK(r, "10s", "500ms"));
	build_set(st_budget_params, &t->budget, "min_rate", PICK(r, "0/s", "2/s"));
	build_set(st_budget_params, &t->budget, "deposit_on", PICK(r, "start", "success", "nonretryable"));
	build_set(st_breaker_params, &t->breaker, "kind", PICK(r, "off", "off", "off", "consecutive", "count", "time"));
	build_set(st_breaker_params, &t->breaker, "scope", PICK(r, "client", "site", "group"));
	build_set(st_breaker_params, &t->breaker, "site", PICK(r, "1", "3"));
	build_set(st_breaker_params, &t->breaker, "failures", PICK(r, "1", "3", "5"));
	build_set(st_breaker_params, &t->breaker, "calls", PICK(r, "5", "40"));
	build_set(st_breaker_params, &t->breaker, "min_calls", PICK(r, "1", "5"));
	build_set(st_breaker_params, &t->breaker, "span", PICK(r, "300ms", "1s"));
	build_set(st_breaker_params, &t->breaker, "open_for", PICK(r, "50ms", "200ms", "1s"));
	build_set(st_breaker_params, &t->breaker, "probes", PICK(r, "1", "3", "unlimited"));
	build_set(st_gate_params, &t->gate, "kind", PICK(r, "off", "off", "off", "off", "sre", "cubic"));
	build_set(st_gate_params, &t->gate, "scope", PICK(r, "client", "site", "group"));
	build_set(st_gate_params, &t->gate, "site", PICK(r, "1", "3"));
	build_set(st_gate_params, &t->gate, "k", PICK(r, "2", "1.5"));
	build_set(st_gate_params, &t->gate, "span", PICK(r, "2m", "500ms"));
	build_set(st_gate_params, &t->gate, "throttle_on", PICK(r, "[429]", "[503, 429]", "[5xx]"));
	if (t->attempts > 1 && !st_gate_delays(&t->gate))
		build_set(st_hedge_params, &t->hedge, "after", PICK(r, "off", "off", "1ms", "20ms", "60ms", "p50", "p95"));
	build_set(st_hedge_params, &t->hedge, "in_flight", PICK(r, "2", "2", "3", "7"));
	build_set(st_hedge_params, &t->hedge, "min_seen", PICK(r, "1", "5", "20"));
}

/* Rows up to half a second apart; some of them say nothing. */
static void random_trace(struct st_rng *r, struct st_workload_cfg *w)
{
	struct st_trace *t = &w->trace;

	t->form = (enum st_trace_form)st_rng_below(r, 3);
	t->n = 2 + st_rng_below(r, 8);
	t->at = st_calloc(t->n, sizeof *t->at);
	t->value = st_calloc(t->n, sizeof *t->value);
	for (size_t i = 0; i < t->n; i++) {
		t->at[i] = (i > 0 ? t->at[i - 1] + 1 : 0) + moment(r, ST_SEC / 2);
		t->value[i] = (double)st_rng_below(r, 2) * (double)st_rng_below(r, t->form == ST_TRACE_RATES ? 100 : 20);
	}
	if (t->form != ST_TRACE_RATES)
		w->surge.length = 0;
}

static void random_group(struct st_rng *r, struct st_config *c, const char *name)
{
	struct st_group_cfg *g = build_group(c, name, 1 + st_rng_below(r, 12));
	const char *kind = PICK(r, "once", "think", "think", "poisson", "periodic", "connection", "trace");

	build_set(st_workload_params, &g->workload, "kind", kind);
	g->workload.at = moment(r, c->duration);
	g->workload.spread = st_rng_below(r, 2) ? 0 : moment(r, ST_SEC);
	build_set(st_workload_params, &g->workload, "think", PICK(r, "exponential 100ms", "50ms", "uniform 0s 1s", "exponential 1s"));
	build_set(st_workload_params, &g->workload, "rate", PICK(r, "0/s", "5/s", "60/s"));
	build_set(st_workload_params, &g->workload, "lifetime", PICK(r, "0s", "100ms", "exponential 200ms", "unlimited"));
	build_set(st_workload_params, &g->workload, "begin", PICK(r, "connected", "connect"));
	build_set(st_workload_params, &g->workload, "at_end", PICK(r, "reopen", "backoff"));
	build_set(st_workload_params, &g->workload, "period", PICK(r, "100ms", "330ms", "1s"));
	build_set(st_workload_params, &g->workload, "offset", PICK(r, "0s", "0s", "70ms", "1s"));
	build_set(st_workload_params, &g->workload, "redraw", PICK(r, "once", "tick"));
	if (strcmp(kind, "periodic") == 0 && g->workload.spread > g->workload.period)
		g->workload.spread = g->workload.period;
	build_set(st_workload_params, &g->workload, "start.groups", PICK(r, "1", "1", "2", "5"));
	build_set(st_workload_params, &g->workload, "start.every", PICK(r, "100ms", "333ms"));
	build_set(st_workload_params, &g->workload, "operations", PICK(r, "unlimited", "unlimited", "1", "3"));
	g->workload.surge.at = moment(r, c->duration);
	build_set(st_workload_params, &g->workload, "surge.for", PICK(r, "0s", "300ms", "1s"));
	build_set(st_workload_params, &g->workload, "surge.factor", PICK(r, "0", "0.3", "2", "10"));
	if (strcmp(kind, "trace") == 0)
		random_trace(r, &g->workload);
	build_set(st_group_params, g, "deadline", PICK(r, "off", "off", "300ms", "1s"));
	/* What comes too late to an open group's operation has a name of the model's own: none is drawn for it here. */
	if (!st_workload_kind_at(g->workload.kind)->closed) {
		build_set(st_group_params, g, "network", PICK(r, "0s", "0s", "1ms", "20ms"));
		build_set(st_group_params, g, "timeout", PICK(r, "off", "50ms", "130ms", "1s"));
		if (g->network.fixed > 0)
			g->deadline = ST_NEVER;
	} else {
		build_set(st_group_params, g, "network", PICK(r, "0s", "0s", "1ms", "20ms", "exponential 30ms", "uniform 0s 2ms"));
		build_set(st_group_params, g, "timeout", PICK(r, "off", "15ms", "50ms", "uniform 10ms 200ms", "1s"));
	}
	build_set(st_group_params, g, "clock_skew", PICK(r, "0s", "30ms", "normal 0s sd 1s", "uniform 0s 500ms"));
	random_retry(r, &g->retry);
	/* An estimate may be 0: a client that takes it as it is, and never gives up, would not let time pass. */
	if (!st_hint_is_constant(&c->service->hint) && g->retry.attempts == ST_UNLIMITED)
		build_set(st_obedience_params, &g->retry.hint, "least", "5ms");
	/* Likewise of what is under way when another attempt has ended its operation. */
	if (!st_workload_kind_at(g->workload.kind)->closed && st_hedge_is_on(&g->retry.hedge))
		build_set(st_group_params, g, "network", "0s");
	if (st_hedge_is_on(&g->retry.hedge) && c->service->abandoned == ST_ABANDONED_LEAVE)
		c->service->abandoned = ST_ABANDONED_SKIP;
}

static void random_capacity(struct st_rng *r, struct st_capacity_cfg *c)
{
	build_set(st_capacity_params, c, "slowdown.knee", PICK(r, "off", "off", "0", "4"));
	build_set(st_capacity_params, c, "slowdown.slope", PICK(r, "0", "0.1", "2.5"));
	build_set(st_capacity_params, c, "warm_up.over", PICK(r, "off", "200ms", "1s", "0s"));
	build_set(st_capacity_params, c, "warm_up.from", PICK(r, "0%", "10%", "100%"));
}

static void random_service(struct st_rng *r, struct st_service_cfg *s)
{
	build_set(st_service_params, s, "kind", PICK(r, "pool", "pool", "pool", "pool", "pool", "pool", "pool", "pool", "occ"));
	build_set(st_service_params, s, "workers", PICK(r, "1", "2", "5"));
	build_set(st_service_params, s, "service_time", PICK(r, "10ms", "50ms", "exponential 20ms", "lognormal 30ms cv 2"));
	build_set(st_queue_params, &s->queue, "limit", PICK(r, "0", "1", "5", "unlimited"));
	build_set(st_queue_params, &s->queue, "discipline", PICK(r, "fifo", "fifo", "lifo", "adaptive-lifo", "codel", "codel", "controlled-delay"));
	build_set(st_queue_params, &s->queue, "deadline", PICK(r, "off", "off", "off", "50ms", "exponential 100ms", "0s"));
	build_set(st_queue_params, &s->queue, "target", PICK(r, "5ms", "20ms", "1ns"));
	build_set(st_queue_params, &s->queue, "interval", PICK(r, "100ms", "30ms", "2ms", "1s"));
	build_set(st_service_params, s, "abandoned", PICK(r, "serve", "serve", "skip", "leave"));
	build_set(st_service_params, s, "reject_cost", PICK(r, "0s", "0s", "5ms", "1ns"));
	build_set(st_service_params, s, "overload", PICK(r, "503", "429", "refuse", "drop"));
	build_set(st_admission_params, &s->admission, "rate_limit.rate", PICK(r, "off", "off", "off", "20/s", "100/s", "7/s"));
	build_set(st_admission_params, &s->admission, "rate_limit.burst", PICK(r, "1", "2.5", "10"));
	build_set(st_admission_params, &s->admission, "rate_limit.status", PICK(r, "429", "503"));
	build_set(st_admission_params, &s->admission, "errors.share", PICK(r, "0%", "0%", "2%", "30%"));
	if (s->kind == ST_SERVICE_POOL) {
		random_capacity(r, &s->capacity);
		build_set(st_service_params, s, "crash.at", PICK(r, "off", "off", "off", "4", "8"));
		build_set(st_service_params, s, "crash.down", PICK(r, "0s", "100ms", "1s"));
	}
	build_set(st_hint_params, &s->hint, "value", PICK(r, "off", "100ms", "200ms", "200ms", "backlog", st_admission_limits(&s->admission) ? "token" : "backlog"));
	build_set(st_hint_params, &s->hint, "form", PICK(r, "seconds", "date", "ms", "pushback-ms", "pushback-ms"));
	if (st_hint_is_pushback(&s->hint) && st_rng_below(r, 4) == 0)
		build_set(st_hint_params, &s->hint, "value", "stop");
	build_set(st_hint_params, &s->hint, "spread", PICK(r, "none", "none", "100ms", "50%"));
	build_set(st_hint_params, &s->hint, "on", PICK(r, "[429, 503]", "any"));
}

static bool is_open(const struct st_config *c)
{
	for (size_t i = 0; i < c->ngroups; i++)
		if (!st_workload_kind_at(c->group[i].workload.kind)->closed)
			return true;
	return false;
}

/* As with the network: what reaches an open group's operation too late may not be drawn. */
static void random_delay(struct st_rng *r, struct st_config *c, struct st_fault_cfg *f)
{
	build_set(st_fault_params, f, "delay", is_open(c) ? "5ms" : PICK(r, "0s", "10ms", "200ms"));
	if (is_open(c))
		f->share = 1.0;
	for (size_t i = 0; i < c->ngroups; i++)
		if (!st_workload_kind_at(c->group[i].workload.kind)->closed) {
			c->group[i].deadline = ST_NEVER;
			build_set(st_hedge_params, &c->group[i].retry.hedge, "after", "off");
		}
}

static void random_fault(struct st_rng *r, struct st_config *c)
{
	struct st_fault_cfg *f = build_fault(c, moment(r, c->duration), moment(r, 2 * ST_SEC),
	    PICK(r, "503", "429", "400", "refuse", "blackhole", "slow", "freeze", "workers", "delay", "restart", "restart"));

	if (c->service->kind == ST_SERVICE_OCC && st_fault_is_of_workers(f))
		build_set(st_fault_params, f, "effect", "refuse");
	if (st_rng_below(r, 10) == 0)
		f->length = 0;
	if (st_fault_is_aimed(f)) {
		build_set(st_fault_params, f, "share", PICK(r, "100%", "100%", "50%", "10%"));
		build_set(st_fault_params, f, "of", PICK(r, "requests", "clients"));
		build_set(st_fault_params, f, "group", PICK(r, "all", "all", c->group[0].name));
	}
	build_set(st_fault_params, f, "factor", PICK(r, "2", "7.5", "0.5"));
	build_set(st_fault_params, f, "gone", PICK(r, "1", "3", "30%", "100%"));
	if (f->effect.kind == ST_EFFECT_DELAY)
		random_delay(r, c, f);
}

void build_random(struct st_config *c, uint32_t number)
{
	static const char *const name[] = {"a", "b", "c"};
	struct st_rng_family family = st_rng_family(2385, number);
	struct st_rng r = st_rng_open(&family, 0, 0, 0, ST_RNG_ARRIVAL);

	build_init(c, ST_SEC + moment(&r, 4 * ST_SEC));
	build_set(st_config_params, c, "bin", PICK(&r, "100ms", "70ms", "1s"));
	build_set(st_config_params, c, "window", PICK(&r, "[]", "[]", "[200ms, 1s]"));
	if (c->window.n == 0)
		build_set(st_config_params, c, "warmup", PICK(&r, "0s", "300ms"));
	random_service(&r, c->service);
	for (uint64_t i = 0, n = 1 + st_rng_below(&r, 3); i < n; i++)
		random_group(&r, c, name[i]);
	for (uint64_t i = 0, n = st_rng_below(&r, 5); i < n; i++)
		random_fault(&r, c);
}
