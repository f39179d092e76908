#include <config.h>

#include "twin.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "twin_run.h"

/* The run: one sorted list of what is to happen, and its beginning and end. */

void plan(struct run *r, st_time delay, struct event e)
{
	struct event **at = &r->events, *new;

	if (delay >= r->c->duration - r->now)
		return;
	e.at = r->now + delay;
	while (*at && ((*at)->at < e.at || ((*at)->at == e.at && (*at)->class <= e.class)))
		at = &(*at)->next;
	new = st_malloc(sizeof *new);
	*new = e;
	new->next = *at;
	*at = new;
}

void mark(struct run *r, uint32_t who, uint32_t what)
{
	struct st_sim s = {.now = r->now, .fingerprint = r->t->fingerprint};

	st_sim_mark(&s, who, what);
	r->t->fingerprint = s.fingerprint;
}

uint32_t whose(const struct attempt *a)
{
	return a->over && !a->op->client ? a->op->place->name : a->op->id;
}

struct st_rng named(const struct run *r, const struct attempt *a, bool is_back, enum st_purpose p)
{
	return a->over ? st_rng_open(&r->random, whose(a), UINT32_MAX - a->of_place, is_back ? 0 : a->number, p)
		       : st_rng_open(&r->random, a->op->id, a->op->number, a->number, p);
}

struct st_rng draw(const struct run *r, const struct attempt *a, enum st_purpose p)
{
	return named(r, a, p == ST_RNG_NETWORK_BACK || p == ST_RNG_CALL, p);
}

st_time duration(const struct run *r, const struct st_dist *d, const struct attempt *a, enum st_purpose p)
{
	struct st_rng x = draw(r, a, p);

	return st_dist_draw(d, &x);
}

/* --- what happens ------------------------------------------------------------------------------------------------- */

static void timer_goes_off(struct run *r, const struct event *e)
{
	switch (e->timer) {
	case OPERATION_BEGINS:
		operation_begins(r, e->group, e->client);
		break;
	case CALL_BEGINS:
		open_operation(r, e->op);
		set_out(r, e->op);
		break;
	case RETRY_IS_DUE:
		gauge(r, e->op->group->server, ST_GAUGE_WAITING, -1);
		set_out(r, e->op);
		break;
	case GATE_OPENS:
		gauge(r, e->op->group->server, ST_GAUGE_WAITING, -1);
		past_breaker(r, e->op);
		break;
	case NEXT_OF_STREAM:
		next_of_stream(r, e->group);
		break;
	case WAITED_TOO_LONG:
		if (leaves_queue(r, e->attempt->op->group->server, e->attempt))
			turn_away(r, e->attempt->op->group->server, e->attempt);
		break;
	case LIFETIME_ENDS:
		lifetime_ends(r, e);
		break;
	}
}

static void happen(struct run *r, const struct event *e)
{
	switch (e->class) {
	case FAULT_BEGINS:
		fault_begins(r, e->server, e->fault);
		break;
	case FAULT_ENDS:
		fault_ends(r, e->server, e->fault);
		break;
	case ALL_IS_SETTLED:
		all_is_settled(r, e->server);
		break;
	case SERVICE_ENDS:
		service_ends(r, e->server, e->attempt);
		break;
	case ANSWER_ARRIVES:
		answer_arrives(r, e->attempt);
		break;
	case REQUEST_ARRIVES:
		request_arrives(r, e->attempt);
		break;
	case TIMER_GOES_OFF:
		timer_goes_off(r, e);
		break;
	case HEDGE_IS_DUE:
		hedge_is_due(r, e->attempt);
		break;
	case PATIENCE_ENDS:
		patience_ends(r, e->attempt);
		break;
	}
}

/* A worker that is gone is there until it has done what it was at. Under OCC there are none. */
static void show_workers(struct run *r, struct server *s)
{
	size_t n = in_force(r, s);

	if (s->cfg->kind == ST_SERVICE_POOL)
		gauge(r, s, ST_GAUGE_WORKERS, (int)(n > s->busy ? n : s->busy) - (int)s->told->gauge[ST_GAUGE_WORKERS]);
}

/* --- the beginning ------------------------------------------------------------------------------------------------ */

static struct group *add_group(struct run *r, const struct st_group_cfg *cfg, uint64_t count, struct server *server)
{
	struct group *g = &r->group[r->ngroups];

	st_assert(r->ngroups < TWIN_GROUPS);
	*g = (struct group){.cfg = cfg, .server = server, .told = &server->told->group[server->told->ngroups++], .index = (uint32_t)r->ngroups++};
	if (g->index > 0)
		g->first = g[-1].first + (uint32_t)(g->index <= r->c->ngroups ? g[-1].cfg->count : 1);
	st_backoff_init(&g->backoff, &cfg->retry.backoff);
	st_budget_init(&g->budget, &cfg->retry.budget, count);
	st_breaker_init(&g->breaker, &cfg->retry.breaker, count);
	st_gate_init(&g->gate, &cfg->retry.gate, count);
	st_hist_init(&g->seen);
	return g;
}

static void add_clients(struct run *r, struct group *g)
{
	const struct st_workload_cfg *w = &g->cfg->workload;

	g->client = st_calloc(g->cfg->count, sizeof *g->client);
	for (uint64_t k = 0; k < g->cfg->count; k++)
		g->client[k] = (struct client){.id = g->first + (uint32_t)k,
		    .start = (st_time)(k * w->start.groups / g->cfg->count) * w->start.every};
	if (st_workload_kind_at(w->kind)->closed)
		r->places += (uint32_t)g->cfg->count;
}

static struct server *find_server(struct run *r, const char *name)
{
	size_t k = 0;

	while (strcmp(r->server[k].cfg->name, name) != 0)
		k++;
	return &r->server[k];
}

static void start(struct run *r)
{
	const struct st_config *c = r->c;

	st_assert(c->nservices <= TWIN_SERVICES);
	for (size_t k = 0; k < c->nservices; k++)
		r->server[k] = (struct server){.cfg = &c->service[k], .told = &r->t->service[k], .number = k, .cold_at = -1,
		    .limit = {.level = st_bucket_units(c->service[k].admission.burst)}};
	begin_report(r);
	for (size_t k = 0; k < c->nservices; k++)
		show_workers(r, &r->server[k]);
	plan_faults(r);
	for (size_t i = 0; i < c->ngroups; i++)
		add_clients(r, add_group(r, &c->group[i], c->group[i].count, r->server));
	for (size_t k = 0; k < c->nservices; k++)
		if (c->service[k].calls.to)
			r->server[k].calls = add_group(r, &c->service[k].calls.group, 1, find_server(r, c->service[k].calls.to));
	for (size_t i = 0; i < c->ngroups; i++)
		seed_group(r, &r->group[i]);
}

/* --- the end ------------------------------------------------------------------------------------------------------ */

static void release_callers(struct run *r)
{
	for (size_t i = 0; i < r->ngroups; i++) {
		st_budget_release(&r->group[i].budget);
		st_breaker_release(&r->group[i].breaker);
		st_gate_release(&r->group[i].gate);
		free(r->group[i].client);
	}
	for (struct operation *op = r->operations, *older; op; op = older) {
		older = op->older;
		free(op);
	}
	for (struct attempt *a = r->attempts, *older; a; a = older) {
		older = a->older;
		free(a);
	}
	for (struct place *p = r->all_places, *older; p; p = older) {
		older = p->older;
		free(p);
	}
}

void twin_run(const struct st_config *c, uint64_t seed, uint32_t replication, struct twin *t)
{
	struct run r = {.c = c, .random = st_rng_family(seed, replication), .t = t};

	*t = (struct twin){.nservices = c->nservices, .n = (size_t)((c->duration + c->bin - 1) / c->bin), .fingerprint = UINT64_C(0x5eed)};
	start(&r);
	while (r.events) {
		struct event *e = r.events;

		r.events = e->next;
		r.now = e->at;
		happen(&r, e);
		free(e);
		for (size_t k = 0; k < c->nservices; k++)
			show_workers(&r, &r.server[k]);
	}
	r.now = c->duration;
	finish_report(&r);
	release_callers(&r);
	for (size_t k = 0; k < c->nservices; k++) {
		free(r.server[k].queue);
		free(r.server[k].serving);
	}
}

void twin_release(struct twin *t)
{
	for (size_t k = 0; k < t->nservices; k++)
		free(t->service[k].row);
}
