#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "model/caller_step.h"
#include "model/workload.h"

/* The groups and their callers: who there is. What they do is in caller.c. */

static void make_room(struct st_callers *cs, size_t n)
{
	cs->caller = st_grow_huge(cs->caller, &cs->cap, n, sizeof *cs->caller);
	for (size_t i = 0; i < cs->ngroups; i++) {
		const struct st_group *g = &cs->group[i];

		if (cs->previous || st_backoff_carries(&g->retry.backoff))
			cs->previous = st_grow_huge(cs->previous, &cs->previous_cap, n, sizeof *cs->previous);
		if (cs->hint || !st_hint_is_constant(&g->service->cfg->hint))
			cs->hint = st_grow_huge(cs->hint, &cs->hint_cap, n, sizeof *cs->hint);
		if (cs->restarted || g->pushback || g->workload->lost)
			cs->restarted = st_grow_huge(cs->restarted, &cs->restarted_cap, n, sizeof *cs->restarted);
		if (g->holder)
			cs->slot = st_grow_huge(cs->slot, &cs->slot_cap, n, sizeof *cs->slot);
	}
	if (cs->flights.width > 0)
		st_flights_make_room(&cs->flights, n);
}

/* A group of so many clients, whose numbers and callers follow those of the groups before. */
static struct st_group *add_group(struct st_callers *cs, const struct st_group_cfg *cfg, uint64_t count, struct st_service *service)
{
	const struct st_group *before = cs->ngroups > 0 ? &cs->group[cs->ngroups - 1] : NULL;
	struct st_group *g = &cs->group[cs->ngroups];
	const struct st_hint_cfg *hint = &service->cfg->hint;

	*g = (struct st_group){.cfg = cfg, .service = service, .meter = service->meter, .index = (uint32_t)cs->ngroups++,
	    .free = ST_CALLER_NONE, .hedges = st_hedge_is_on(&cfg->retry.hedge), .pushback = st_hint_is_pushback(hint),
	    .direct = cfg->network.fixed == 0 && !st_faults_ever(&service->faults, ST_EFFECT_DELAY)};
	for (const struct st_group *other = cs->group; other < g; other++)
		g->place += other->service == service;
	g->counts = &g->meter->counts[g->place];
	if (before)
		g->first_client = before->first_client + before->clients;
	g->clients = (uint32_t)count;
	if (st_hint_is_constant(hint))
		g->constant_hint = st_hint_write(hint, &(struct st_hint_state){0}, NULL);
	if (g->hedges && cfg->retry.hedge.in_flight > cs->flights.width)
		cs->flights.width = (size_t)cfg->retry.hedge.in_flight;
	st_retry_init(&g->retry, &cfg->retry, count);
	g->tells_sent = cs->witness || g->hedges || g->retry.budget.kind.sent;
	g->tells_success = cs->witness || g->hedges || g->retry.budget.kind.succeeded || g->retry.hears;
	return g;
}

static struct st_service *find_service(struct st_service *service, size_t n, const char *name)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(service[i].cfg->name, name) == 0)
			return &service[i];
	st_assert(!"a service of that name");
	return NULL;
}

/* The clients of closed groups, one a caller. */
static void add_callers(struct st_callers *cs, struct st_group *g)
{
	g->first_caller = cs->n;
	if (!g->workload->closed)
		return;
	make_room(cs, cs->n + g->clients);
	for (uint32_t k = 0; k < g->clients; k++) {
		cs->caller[cs->n] = (struct st_caller){.client = g->first_client + k, .group = (uint16_t)g->index};
		st_caller_begin_backoff(cs, g, cs->n++);
	}
}

void st_callers_init(struct st_callers *cs, const struct st_group_cfg *cfg, size_t ngroups, struct st_service *service,
    size_t nservices, struct st_sim *sim, const struct st_rng_family *random, const struct st_witness *witness)
{
	*cs = (struct st_callers){.sim = sim, .random = random, .witness = witness};
	cs->group = st_calloc(ngroups + nservices, sizeof *cs->group);
	for (size_t i = 0; i < ngroups; i++)
		add_group(cs, &cfg[i], cfg[i].count, &service[0])->workload = st_workload_kind_at(cfg[i].workload.kind);
	for (size_t i = 0; i < nservices; i++) {
		const struct st_calls_cfg *calls = &service[i].cfg->calls;

		if (!calls->to)
			continue;
		struct st_group *g = add_group(cs, &calls->group, 1, find_service(service, nservices, calls->to));
		g->workload = &st_workload_calls;
		g->holder = &service[i];
	}
	for (size_t i = 0; i < ngroups; i++)
		add_callers(cs, &cs->group[i]);
}

void st_callers_release(struct st_callers *cs)
{
	for (size_t i = 0; i < cs->ngroups; i++) {
		st_retry_release(&cs->group[i].retry);
		free(cs->group[i].connected);
	}
	free(cs->group);
	free(cs->caller);
	free(cs->previous);
	free(cs->hint);
	free(cs->restarted);
	st_flights_release(&cs->flights);
	free(cs->slot);
}

uint32_t st_callers_take(struct st_callers *cs, struct st_group *g)
{
	uint32_t who = g->free;

	if (who == ST_CALLER_NONE) {
		who = cs->n++;
		make_room(cs, cs->n);
		cs->caller[who] = (struct st_caller){0};
	} else {
		g->free = cs->caller[who].client;
	}
	cs->caller[who].group = (uint16_t)g->index;
	cs->caller[who].at_once = 0;
	return who;
}

void st_callers_give_back(struct st_callers *cs, struct st_group *g, uint32_t who)
{
	/* Its tag stays as it is: late answers of this operation must not meet the next one. */
	cs->caller[who].client = g->free;
	g->free = who;
}
