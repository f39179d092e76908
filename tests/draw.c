#include <config.h>

#include "draw.h"

#include <stdio.h>
#include <string.h>

#include "base/mem.h"

/* --- menus ---------------------------------------------------------------------------------------------------------- */

/* Values of a parameter, separated by bars; what is to come more often stands there more often. */
struct menu {
	const char *name, *values;
};

static const char *choose(struct st_rng *r, const char *values, char *buf, size_t size)
{
	size_t n = 1, k;

	for (const char *s = values; (s = strchr(s, '|')) != NULL; s++)
		n++;
	for (k = st_rng_below(r, n); k > 0; k--)
		values = strchr(values, '|') + 1;
	st_assert(strcspn(values, "|") < size);
	snprintf(buf, size, "%.*s", (int)strcspn(values, "|"), values);
	return buf;
}

static void set_one(struct st_rng *r, const struct st_param *rows, void *cfg, const char *name, const char *values)
{
	char buf[64];

	build_set(rows, cfg, name, choose(r, values, buf, sizeof buf));
}

static void order(struct st_rng *r, const struct st_param *rows, void *cfg, const struct menu *menu)
{
	for (; menu->name; menu++)
		set_one(r, rows, cfg, menu->name, menu->values);
}

static st_time moment(struct st_rng *r, st_time most)
{
	/* Half of them are round, so that things tie. */
	return st_rng_below(r, 2) ? (st_time)st_rng_below(r, (uint64_t)most) : (st_time)st_rng_below(r, (uint64_t)(most / (50 * ST_MSEC))) * 50 * ST_MSEC;
}

/* --- a policy ------------------------------------------------------------------------------------------------------- */

static const struct menu retry[] = {
    {"on", "[5xx, 429, timeout, refused, reset]|[5xx, 429, timeout, refused, reset]|any|[timeout, 503]|[429]"},
    {"attempts", "1|2|3|4|10|unlimited|unlimited"},
    {NULL, NULL},
};

static const struct menu backoff[] = {
    {"shape", "exponential|exponential|constant|linear|quadratic|late-quadratic|geometric-sum|table"},
    {"delays", "[50ms, 100ms, 300ms]|20ms"},
    {"base", "10ms|50ms|100ms|333ms"},
    {"factor", "2|1.5|1"},
    {"first_exponent", "0|0|1|3"},
    {"step", "base|70ms"},
    {"cap", "off|200ms|1s"},
    {"jitter", "none|full|equal|decorrelated|range 0.8 1.2|proportional 20%|additive 100ms|rising|decorrelated 2|exponential|polly"},
    {"cap_at", "before|before|after|both|truncate"},
    {"floor", "0s|0s|30ms"},
    {"head", "[]|[]|[20ms]|[5ms, 100ms]"},
    {"tail_from", "never|never|3"},
    {"quantum", "off|off|7ms|3%"},
    {"reset", "success|0s|150ms|10s"},
    {"throttle.on", "[]|[429]|[503, timeout]"},
    {"throttle.base", "base|200ms"},
    {"throttle.factor", "factor|3"},
    {NULL, NULL},
};

static const struct menu obedience[] = {
    {"obey", "100%|100%|50%|0%"},
    {"mode", "floor|replace|add|clamp|require|ignore"},
    {"clamp", "0s|60ms|5s"},
    {"jitter", "none|100ms|50%"},
    {"least", "0s|0s|1ns|120ms"},
    {"limit", "off|150ms|150ms|150ms|150ms|150ms"},
    {"over", "give-up|give-up|give-up|ignore|truncate"},
    {NULL, NULL},
};

static const struct menu budget[] = {
    {"kind", "off|token-bucket|token-bucket|aws-quota|grpc-throttle|window|concurrency|starts"},
    {"scope", "client|site|group"},
    {"site", "1|3"},
    {"on_empty", "fail|open"},
    {"rate", "0/s|1/s|20/s|70/m"},
    {"burst", "1|2.5|10"},
    {"deposit", "0|0.1|1"},
    {"capacity", "20|500"},
    {"cost", "5|14"},
    {"timeout_cost", "10|10|1"},
    {"throttle_cost", "5|5|20"},
    {"throttle_on", "[429]|[429]|[503]"},
    {"increment", "1|0|2.5"},
    {"max_tokens", "10|4"},
    {"token_ratio", "0.1|1"},
    {"ttl", "10s|500ms"},
    {"min_rate", "0/s|2/s"},
    {"ratio", "20%|100%"},
    {"operation_share", "100%|50%"},
    {"deposit_on", "start|success|nonretryable"},
    {"max_retries", "0|1|3"},
    {"active_share", "0%|30%"},
    {"starts", "5|2"},
    {"within", "10s|300ms"},
    {NULL, NULL},
};

static const struct menu breaker[] = {
    {"kind", "off|off|off|consecutive|count|time"},
    {"scope", "client|site|group"},
    {"site", "1|3"},
    {"failures", "1|3|5"},
    {"ratio", "50%|50%|90%|100%"},
    {"calls", "5|40"},
    {"min_calls", "1|5"},
    {"span", "300ms|1s"},
    {"open_for", "50ms|200ms|1s"},
    {"probes", "1|3|unlimited"},
    {NULL, NULL},
};

static const struct menu gate[] = {
    {"kind", "off|off|off|off|sre|cubic"},
    {"scope", "client|site|group"},
    {"site", "1|3"},
    {"k", "2|1.5"},
    {"span", "2m|500ms"},
    {"min_requests", "0|0|10"},
    {"throttle_on", "[429]|[503, 429]|[5xx]"},
    {NULL, NULL},
};

static const struct menu hedge[] = {
    {"in_flight", "2|2|3|7"},
    {"min_seen", "1|5|20"},
    {NULL, NULL},
};

/* What is hedged is never told to leave the queue of the service that is called. */
static void draw_hedge(struct st_rng *r, struct st_retry_cfg *t, struct st_service_cfg *called)
{
	order(r, st_hedge_params, &t->hedge, hedge);
	if (t->attempts == 1 || st_gate_delays(&t->gate))
		return;
	set_one(r, st_hedge_params, &t->hedge, "after", "off|off|1ms|20ms|60ms|p50|p95");
	if (st_hedge_is_on(&t->hedge) && called->abandoned == ST_ABANDONED_LEAVE)
		called->abandoned = ST_ABANDONED_SKIP;
}

static void draw_retry(struct st_rng *r, struct st_retry_cfg *t, struct st_service_cfg *called)
{
	order(r, st_retry_params, t, retry);
	order(r, st_backoff_params, &t->backoff, backoff);
	if (t->attempts <= 10 && st_rng_below(r, 8) == 0)
		build_set(st_backoff_params, &t->backoff, "shape", "immediate");
	order(r, st_obedience_params, &t->hint, obedience);
	/* An estimate may be 0: a client that takes it as it is, and never gives up, would not let time pass. */
	if (!st_hint_is_constant(&called->hint) && t->attempts == ST_UNLIMITED && t->hint.least < ST_MSEC)
		build_set(st_obedience_params, &t->hint, "least", "5ms");
	order(r, st_budget_params, &t->budget, budget);
	order(r, st_breaker_params, &t->breaker, breaker);
	order(r, st_gate_params, &t->gate, gate);
	draw_hedge(r, t, called);
}

/* --- who calls ------------------------------------------------------------------------------------------------------ */

static const struct menu group[] = {
    {"network", "0s|0s|0s|1ms|20ms|exponential 30ms|uniform 0s 2ms"},
    {"timeout", "off|15ms|50ms|130ms|uniform 10ms 200ms|1s"},
    {"deadline", "off|off|300ms|1s"},
    {"clock_skew", "0s|30ms|normal 0s sd 1s|uniform 0s 500ms"},
    {NULL, NULL},
};

static const struct menu workload[] = {
    {"kind", "once|think|think|poisson|periodic|connection|trace"},
    {"think", "exponential 100ms|50ms|uniform 0s 1s|exponential 1s"},
    {"rate", "0/s|5/s|60/s"},
    {"lifetime", "0s|100ms|exponential 200ms|unlimited"},
    {"begin", "connected|connect"},
    {"at_end", "reopen|backoff"},
    {"period", "100ms|330ms|1s"},
    {"offset", "0s|0s|70ms|1s"},
    {"redraw", "once|tick"},
    {"start.groups", "1|1|2|5"},
    {"start.every", "100ms|333ms"},
    {"operations", "unlimited|unlimited|1|3"},
    {"surge.for", "0s|300ms|1s"},
    {"surge.factor", "0|0.3|2|10"},
    {NULL, NULL},
};

/* Rows up to half a second apart; some of them say nothing. */
static void draw_trace(struct st_rng *r, struct st_workload_cfg *w)
{
	static const char *const name[] = {[ST_TRACE_RATES] = "rates.csv", [ST_TRACE_COUNTS] = "counts.csv", [ST_TRACE_INSTANTS] = "instants.csv"};
	struct st_trace *t = &w->trace;

	t->form = (enum st_trace_form)st_rng_below(r, 3);
	t->file = st_strdup(name[t->form]); /* which is not there */
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

static bool is_kind(const struct st_workload_cfg *w, const char *name)
{
	return strcmp(st_workload_kind_at(w->kind)->choice.name, name) == 0;
}

static void draw_workload(struct st_rng *r, struct st_workload_cfg *w, st_time duration)
{
	order(r, st_workload_params, w, workload);
	w->at = moment(r, duration);
	w->spread = st_rng_below(r, 2) ? 0 : moment(r, ST_SEC);
	if (is_kind(w, "periodic") && w->spread > w->period)
		w->spread = w->period;
	w->surge.at = moment(r, duration);
	if (is_kind(w, "trace"))
		draw_trace(r, w);
}

static void draw_clients(struct st_rng *r, struct st_config *c, const char *name)
{
	struct st_group_cfg *g = build_group(c, name, 1 + st_rng_below(r, 12));

	draw_workload(r, &g->workload, c->duration);
	order(r, st_group_params, g, group);
	draw_retry(r, &g->retry, c->service);
}

/* --- services ------------------------------------------------------------------------------------------------------- */

static const struct menu service[] = {
    {"kind", "pool|pool|pool|pool|pool|pool|pool|pool|occ"},
    {"workers", "1|2|5|20"},
    {"service_time", "10ms|50ms|exponential 20ms|lognormal 30ms cv 2"},
    {"abandoned", "serve|serve|skip|leave"},
    {"reject_cost", "0s|0s|5ms|1ns"},
    {"overload", "503|429|refuse|drop"},
    {NULL, NULL},
};

static const struct menu crash[] = {
    {"crash.at", "off|off|off|2|4|8"},
    {"crash.down", "0s|100ms|1s"},
    {NULL, NULL},
};

static const struct menu queue[] = {
    {"limit", "0|1|5|unlimited"},
    {"discipline", "fifo|fifo|lifo|adaptive-lifo|codel|codel|controlled-delay"},
    {"deadline", "off|off|off|50ms|exponential 100ms|0s"},
    {"target", "5ms|20ms|1ns"},
    {"interval", "100ms|30ms|2ms|1s"},
    {NULL, NULL},
};

static const struct menu admission[] = {
    {"rate_limit.rate", "off|off|off|20/s|100/s|7/s"},
    {"rate_limit.burst", "1|2.5|10"},
    {"rate_limit.status", "429|503"},
    {"errors.share", "0%|0%|2%|30%"},
    {"errors.status", "500|400|503"},
    {NULL, NULL},
};

static const struct menu capacity[] = {
    {"slowdown.knee", "off|off|0|4"},
    {"slowdown.slope", "0|0.1|2.5"},
    {"warm_up.over", "off|200ms|1s|0s"},
    {"warm_up.from", "0%|10%|100%"},
    {NULL, NULL},
};

static const struct menu hint[] = {
    {"form", "seconds|date|ms|pushback-ms|pushback-ms"},
    {"spread", "none|none|100ms|50%"},
    {"on", "[429, 503]|any"},
    {NULL, NULL},
};

static void draw_hint(struct st_rng *r, struct st_service_cfg *s)
{
	order(r, st_hint_params, &s->hint, hint);
	set_one(r, st_hint_params, &s->hint, "value", st_admission_limits(&s->admission) ? "off|100ms|200ms|200ms|backlog|token"
											   : "off|100ms|200ms|200ms|backlog|backlog");
	if (st_hint_is_pushback(&s->hint) && st_rng_below(r, 4) == 0)
		build_set(st_hint_params, &s->hint, "value", "stop");
}

static void draw_service(struct st_rng *r, struct st_service_cfg *s)
{
	order(r, st_service_params, s, service);
	order(r, st_queue_params, &s->queue, queue);
	order(r, st_admission_params, &s->admission, admission);
	if (s->kind == ST_SERVICE_POOL) {
		order(r, st_capacity_params, &s->capacity, capacity);
		order(r, st_service_params, s, crash);
	}
	draw_hint(r, s);
}

/* Calls come mostly in time, so that what is called is seen to be. */
static void draw_calls(struct st_rng *r, struct st_service_cfg *from, struct st_service_cfg *to)
{
	struct st_calls_cfg *calls = build_calls(from, to->name);

	set_one(r, st_calls_params, calls, "status", "503|500|429");
	order(r, st_group_params, &calls->group, group);
	draw_retry(r, &calls->group.retry, to);
	from->kind = ST_SERVICE_POOL;
}

/* One to three, in a chain from the first on; its order is not that of their names, and it may leave the last ones out. */
static void draw_services(struct st_rng *r, struct st_config *c)
{
	static const char *const name[] = {ST_SERVICE_ALONE, "x", "y"};
	static const uint64_t of[] = {1, 1, 1, 2, 2, 3};
	uint64_t n = of[st_rng_below(r, sizeof of / sizeof *of)], turned = st_rng_below(r, 2);

	draw_service(r, c->service);
	for (uint64_t i = 1; i < n; i++)
		draw_service(r, build_service(c, name[i]));
	if (n == 2 && st_rng_below(r, 8) > 0)
		draw_calls(r, &c->service[0], &c->service[1]);
	if (n < 3)
		return;
	draw_calls(r, &c->service[0], &c->service[1 + turned]);
	if (st_rng_below(r, 8) > 0)
		draw_calls(r, &c->service[1 + turned], &c->service[2 - turned]);
	else
		draw_calls(r, &c->service[2 - turned], &c->service[1 + turned]);
}

/* --- faults --------------------------------------------------------------------------------------------------------- */

static const struct menu damage[] = {
    {"factor", "2|7.5|0.5"},
    {"gone", "1|3|30%|100%"},
    {"delay", "0s|5ms|10ms|200ms"},
    {NULL, NULL},
};

static const struct menu aim[] = {
    {"share", "100%|100%|50%|10%"},
    {"of", "requests|clients"},
    {NULL, NULL},
};

static void draw_fault(struct st_rng *r, struct st_config *c)
{
	char buf[64];
	struct st_fault_cfg *f = build_fault(c, moment(r, c->duration), moment(r, 2 * ST_SEC),
	    choose(r, "503|429|400|refuse|blackhole|slow|freeze|workers|delay|restart|restart", buf, sizeof buf));
	size_t of = st_rng_below(r, c->nservices);

	if (of > 0 || st_rng_below(r, 4) == 0)
		build_set(st_fault_params, f, "service", c->service[of].name);
	if (c->service[of].kind == ST_SERVICE_OCC && st_fault_is_of_workers(f))
		build_set(st_fault_params, f, "effect", "refuse");
	if (st_rng_below(r, 10) == 0)
		f->length = 0;
	if (st_fault_is_aimed(f))
		order(r, st_fault_params, f, aim);
	if (st_fault_is_aimed(f) && of == 0 && st_rng_below(r, 3) == 0)
		build_set(st_fault_params, f, "group", c->group[0].name);
	order(r, st_fault_params, f, damage);
}

/* --- all of it ------------------------------------------------------------------------------------------------------ */

void draw_scenario(struct st_config *c, uint32_t number)
{
	static const char *const name[] = {"a", "b", "c"};
	struct st_rng_family family = st_rng_family(2385, number);
	struct st_rng r = st_rng_open(&family, 0, 0, 0, ST_RNG_ARRIVAL);

	build_init(c, ST_SEC + moment(&r, 4 * ST_SEC));
	set_one(&r, st_config_params, c, "bin", "100ms|70ms|1s");
	set_one(&r, st_config_params, c, "window", "[]|[]|[200ms, 1s]");
	if (c->window.n == 0)
		set_one(&r, st_config_params, c, "warmup", "0s|300ms");
	draw_services(&r, c);
	for (uint64_t i = 0, n = 1 + st_rng_below(&r, 3); i < n; i++)
		draw_clients(&r, c, name[i]);
	for (uint64_t i = 0, n = st_rng_below(&r, 5); i < n; i++)
		draw_fault(&r, c);
}
