#ifndef ST_MODEL_GATE_H
#define ST_MODEL_GATE_H
/*
 * gate.h - what throttles all sends of a call site, first attempts too: Google SRE's adaptive throttling rejects some, the
 * AWS SDKs' adaptive mode delays them.
 *
 * Kinds are rows of one table. A gate is asked before each send and hears of each end.
 *
 * Owns     its array. Cost: O(1); 192 bytes a call site for sre, 72 for cubic.
 */
#include "base/param.h"
#include "base/rng.h"
#include "model/budget.h"
#include "model/outcome.h"
#include "model/ring.h"

struct st_gate_cfg {
	unsigned kind;  /* row of the table; 0 is off */
	unsigned scope; /* as a budget's */
	uint64_t site;
	double k;       /* sre: requests for one that is accepted */
	st_time span;   /* sre: of the window */
	uint64_t min_requests; /* sre: with fewer in the window none is rejected */
	struct st_conditions throttle_on; /* cubic */
};

extern const struct st_param st_gate_params[];

struct st_gate;

struct st_gate_kind {
	struct st_choice choice;
	bool draws;                       /* ask() needs a random number */
	bool delays;                      /* ask() may make a send wait */
	size_t (*init)(struct st_gate *); /* returns the bytes of a call site, all zero at first */
	st_time (*ask)(const struct st_gate *, void *site, st_time now, struct st_rng *);
	void (*ended)(const struct st_gate *, void *site, st_time now, st_outcome, bool accepted);
};

struct st_gate {
	struct st_gate_cfg cfg;
	const struct st_gate_kind *kind;
	char *sites;
	size_t nsites, site_size;
	uint64_t clients_a_site;
	struct st_ring ring;
};

void st_gate_init(struct st_gate *g, const struct st_gate_cfg *cfg, uint64_t clients);
void st_gate_release(struct st_gate *g);

static inline bool st_gate_is_on(const struct st_gate *g)
{
	return g->cfg.kind != 0;
}

/* Whether a gate may make a send wait. */
bool st_gate_delays(const struct st_gate_cfg *c);

/* Whether a gate's st_gate_ask() needs r. */
static inline bool st_gate_draws(const struct st_gate *g)
{
	return g->kind->draws;
}

static inline void *st_gate_site(const struct st_gate *g, uint64_t client)
{
	return g->sites + g->site_size * st_budget_site_of(g->nsites, g->clients_a_site, client);
}

/* A client would send now: how long it must wait before it does so, without asking again; -1: it must not. */
static inline st_time st_gate_ask(const struct st_gate *g, uint64_t client, st_time now, struct st_rng *r)
{
	return g->kind->ask(g, st_gate_site(g, client), now, r);
}

/* An attempt has ended; accepted: it succeeded, or failed for a reason of its own. */
static inline void st_gate_ended(const struct st_gate *g, uint64_t client, st_time now, st_outcome outcome, bool accepted)
{
	g->kind->ended(g, st_gate_site(g, client), now, outcome, accepted);
}

#endif
