#include <config.h>

#include "twin_run.h"

#include <math.h>
#include <string.h>

/* When operations begin, and what their ends lead to. */

bool is_kind(const struct group *g, const char *name)
{
	return strcmp(st_workload_kind_at(g->cfg->workload.kind)->choice.name, name) == 0;
}

static void begins(struct run *r, struct group *g, struct client *client, st_time at)
{
	plan(r, at - r->now, (struct event){.class = TIMER_GOES_OFF, .timer = OPERATION_BEGINS, .group = g, .client = client});
}

void operation_begins(struct run *r, struct group *g, struct client *client)
{
	struct operation *op = new_operation(r, g, client, client->id, client->operations);

	open_operation(r, op);
	set_out(r, op);
}

/* --- clients with a clock of their own ---------------------------------------------------------------------------- */

/* When `amount` has passed on the clock of a group that runs faster in its surge: stretch by stretch. */
static st_time surged(const struct st_workload_cfg *w, st_time from, st_time amount)
{
	const st_time edge[] = {w->surge.at, w->surge.at + w->surge.length};
	const double speed[] = {1.0, w->surge.factor};

	for (int i = 0; i < 2; i++) {
		double passes = (double)(edge[i] - from) * speed[i];

		if (from >= edge[i])
			continue;
		if (amount == 0 || (double)amount < passes)
			return from + st_time_from_ns((double)amount / speed[i]);
		amount = st_time_from_ns((double)amount - passes);
		from = edge[i];
	}
	return from + amount;
}

static void think(struct run *r, struct group *g, struct client *client, st_time from)
{
	const struct st_workload_cfg *w = &g->cfg->workload;
	struct st_rng x = st_rng_open(&r->random, client->id, client->operations, 0, ST_RNG_THINK);

	if (client->operations < w->operations)
		begins(r, g, client, surged(w, from, st_dist_draw(&w->think, &x)));
}

/* The first of the client's ticks n, n + 1, ... that has not gone by. */
static void next_tick(struct run *r, struct group *g, struct client *client, uint32_t n)
{
	const struct st_workload_cfg *w = &g->cfg->workload;

	for (; n < w->operations; n++) {
		struct st_rng x = st_rng_open(&r->random, client->id, w->redraw == ST_REDRAW_TICK ? n : 0, 0, ST_RNG_ARRIVAL);
		st_time at = client->start + w->offset + n * w->period + st_time_from_ns((double)w->spread * st_rng_uniform(&x));

		if (at < r->now)
			continue;
		client->operations = n;
		begins(r, g, client, at);
		return;
	}
}

/* --- streams ------------------------------------------------------------------------------------------------------ */

/* How much passes on the same clock. */
static double passes(const struct st_workload_cfg *w, st_time from, st_time to)
{
	const st_time edge[] = {0, w->surge.at, w->surge.at + w->surge.length, INT64_MAX};
	const double speed[] = {1.0, w->surge.factor, 1.0};
	double sum = 0.0;

	for (int i = 0; i < 3; i++) {
		st_time a = from > edge[i] ? from : edge[i], b = to < edge[i + 1] ? to : edge[i + 1];

		sum += a < b ? (double)(b - a) * speed[i] : 0.0;
	}
	return sum;
}

/* The n-th arrival of a trace of rates, the last having been at `last`. */
static st_time of_rates(const struct st_workload_cfg *w, st_time last, struct st_rng *x)
{
	double left = st_rng_exponential(x);

	for (size_t i = 0; i < w->trace.n; i++) {
		bool is_last = i + 1 == w->trace.n;
		st_time from = w->trace.at[i] > last ? w->trace.at[i] : last, to = is_last ? ST_TIME_MAX : w->trace.at[i + 1];
		double rate = w->trace.value[i];

		if (from >= to || rate <= 0.0)
			continue;
		st_time at = surged(w, from, st_time_from_ns(left * 1e9 / rate));
		if (at < to)
			return at;
		left -= passes(w, from, to) * rate / 1e9;
	}
	return ST_TIME_MAX;
}

/* The n-th of a trace of counts: in its row, the k-th of so many that are even on the row's stretch. */
static st_time of_counts(const struct st_trace *t, uint32_t n, st_time last, struct st_rng *x)
{
	uint64_t before = 0;

	for (size_t i = 0; i < t->n; i++) {
		uint64_t count = (uint64_t)t->value[i];
		st_time end = i + 1 < t->n ? t->at[i + 1] : t->at[i] + (t->at[i] - t->at[i - 1]);
		st_time from = n == before ? t->at[i] : last;

		if (n < before + count) {
			double u = -expm1(log(st_rng_uniform(x)) / (double)(before + count - n));
			st_time at = from + st_time_from_ns((double)(end - from) * u);

			return at < end ? at : end - 1;
		}
		before += count;
	}
	return ST_TIME_MAX;
}

static st_time of_trace(const struct run *r, const struct group *g, struct st_rng *x)
{
	const struct st_workload_cfg *w = &g->cfg->workload;

	switch (w->trace.form) {
	case ST_TRACE_RATES:
		return of_rates(w, r->now, x);
	case ST_TRACE_COUNTS:
		return of_counts(&w->trace, g->stream, r->now, x);
	default:
		return g->stream < w->trace.n ? w->trace.at[g->stream] : ST_TIME_MAX;
	}
}

static st_time of_poisson(const struct run *r, const struct group *g, struct st_rng *x)
{
	const struct st_workload_cfg *w = &g->cfg->workload;

	if (w->rate_per_s <= 0 || (w->operations != ST_UNLIMITED && g->stream >= w->operations * g->cfg->count))
		return ST_TIME_MAX;
	return surged(w, r->now, st_time_from_ns(st_rng_exponential(x) * 1e9 / w->rate_per_s));
}

static void stream(struct run *r, struct group *g)
{
	struct st_rng x = st_rng_open(&r->random, UINT32_MAX - g->index, g->stream, 0, ST_RNG_ARRIVAL);
	st_time at = is_kind(g, "trace") ? of_trace(r, g, &x) : of_poisson(r, g, &x);

	plan(r, at - r->now, (struct event){.class = TIMER_GOES_OFF, .timer = NEXT_OF_STREAM, .group = g});
}

void next_of_stream(struct run *r, struct group *g)
{
	uint32_t n = g->stream++;
	struct st_rng x = st_rng_open(&r->random, UINT32_MAX - g->index, n, 0, ST_RNG_CLIENT);
	struct operation *op = new_operation(r, g, NULL, g->first + (uint32_t)st_rng_below(&x, g->cfg->count), n);

	stream(r, g);
	open_operation(r, op);
	set_out(r, op);
}

/* --- connections -------------------------------------------------------------------------------------------------- */

static void connect(struct run *r, struct group *g, struct client *client, st_time from)
{
	struct st_rng x = st_rng_open(&r->random, client->id, client->operations, 0, ST_RNG_THINK);
	st_time life = st_dist_draw(&g->cfg->workload.lifetime, &x);

	client->is_connected = true;
	client->since = from;
	if (life != ST_NEVER)
		plan(r, from + life - r->now, (struct event){.class = TIMER_GOES_OFF, .timer = LIFETIME_ENDS, .group = g,
		    .client = client, .connection = client->operations});
}

/* The connection is gone: its client opens another, after a wait if it was lost. */
static void reconnect(struct run *r, struct group *g, struct client *client, bool is_lost)
{
	st_time reset = g->cfg->retry.backoff.reset;

	client->is_connected = false;
	if (client->operations >= g->cfg->workload.operations)
		return;
	struct operation *op = new_operation(r, g, client, client->id, client->operations);
	if (reset != ST_NEVER && r->now - client->since < reset) {
		op->waits = client->waits;
		op->previous = client->previous;
	}
	open_operation(r, op);
	if (is_lost)
		wait_first(r, op);
	else
		set_out(r, op);
}

void lifetime_ends(struct run *r, const struct event *e)
{
	if (e->client->is_connected && e->client->operations == e->connection)
		reconnect(r, e->group, e->client, e->group->cfg->workload.at_end == ST_AT_END_BACKOFF);
}

void connections_are_lost(struct run *r)
{
	for (size_t i = 0; i < r->c->ngroups; i++)
		for (uint64_t k = 0; k < r->c->group[i].count; k++)
			if (r->group[i].client[k].is_connected)
				reconnect(r, &r->group[i], &r->group[i].client[k], true);
}

/* --- the beginning and the end ------------------------------------------------------------------------------------ */

void operation_ended(struct run *r, struct operation *op, bool succeeded)
{
	struct client *client = op->client;

	if (!client)
		return;
	client->operations++;
	if (is_kind(op->group, "think"))
		think(r, op->group, client, r->now);
	if (is_kind(op->group, "periodic"))
		next_tick(r, op->group, client, client->operations);
	if (is_kind(op->group, "connection") && succeeded) {
		client->waits = op->waits;
		client->previous = op->previous;
		connect(r, op->group, client, r->now);
	}
}

static void seed_client(struct run *r, struct group *g, struct client *client)
{
	const struct st_workload_cfg *w = &g->cfg->workload;
	struct st_rng x = st_rng_open(&r->random, client->id, 0, 0, ST_RNG_ARRIVAL);
	st_time at = w->at + client->start + st_time_from_ns((double)w->spread * st_rng_uniform(&x));

	if (is_kind(g, "think")) {
		think(r, g, client, client->start);
	} else if (is_kind(g, "periodic")) {
		next_tick(r, g, client, 0);
	} else if (is_kind(g, "connection") && w->begin == ST_BEGIN_CONNECTED) {
		client->previous = st_backoff_first(&g->backoff);
		connect(r, g, client, at);
	} else {
		begins(r, g, client, at);
	}
}

void seed_group(struct run *r, struct group *g)
{
	if (is_kind(g, "poisson") || is_kind(g, "trace")) {
		stream(r, g);
		return;
	}
	for (uint64_t k = 0; k < g->cfg->count; k++)
		seed_client(r, g, &g->client[k]);
}
