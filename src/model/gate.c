#include <config.h>

#include "model/gate.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"

/* --- Google SRE: adaptive throttling -------------------------------------------------------------------------------------- */

enum { SRE_SLICES = 10, REQUESTS = 0, ACCEPTS = 1 };

static size_t sre_init(struct st_gate *g)
{
	g->ring = st_ring_of(g->cfg.span, SRE_SLICES, 2);
	return st_ring_words(&g->ring) * sizeof(int64_t);
}

/* Rejected requests are requests too: that is what lets the share of rejections grow beyond the server's own. */
static st_time sre_ask(const struct st_gate *g, void *site, st_time now, struct st_rng *r)
{
	const int64_t *sum = st_ring_sums(&g->ring, site, now);
	int64_t requests = sum[REQUESTS], accepts = sum[ACCEPTS];
	double too_many = (double)requests - g->cfg.k * (double)accepts;
	bool rejected = too_many > 0.0 && (uint64_t)requests >= g->cfg.min_requests &&
	    st_rng_uniform(r) < too_many / (double)(requests + 1);

	st_ring_add(&g->ring, site, now, REQUESTS, 1);
	return rejected ? -1 : 0;
}

static void sre_ended(const struct st_gate *g, void *site, st_time now, st_outcome outcome, bool accepted)
{
	(void)outcome;
	if (accepted)
		st_ring_add(&g->ring, site, now, ACCEPTS, 1);
}

/* --- AWS: CUBIC send rate --------------------------------------------------------------------------------------------------- */

/* Constants of the SDKs. */
#define BETA 0.7          /* what a throttling answer leaves of the rate */
#define SCALE 0.4         /* of the cubic, 1/s^3 */
#define SMOOTH 0.8        /* weight of the newest half second in the measured rate */
#define SLOWEST 0.5       /* 1/s */
#define BEAT (ST_SEC / 2) /* the rate is measured over so long at least */

struct cubic {
	double rate, level;          /* 1/s; tokens, below 0 by what is promised to those who wait */
	double w, k;                 /* rate at the last throttling answer, 1/s; when the cubic is back there, s */
	double measured;             /* 1/s */
	st_time throttled_at, filled_at, beat;
	uint32_t count;              /* ends since `beat` */
	bool enabled;                /* since the first throttling answer, for good */
};
_Static_assert(sizeof(struct cubic) == 72, "the header says so");

static size_t cubic_init(struct st_gate *g)
{
	(void)g;
	return sizeof(struct cubic);
}

static void cubic_fill(struct cubic *c, st_time now)
{
	c->level = fmin(c->level + c->rate * st_time_to_s(now - c->filled_at), fmax(c->rate, 1.0));
	c->filled_at = now;
}

static st_time cubic_ask(const struct st_gate *g, void *site, st_time now, struct st_rng *r)
{
	struct cubic *c = site;

	(void)g;
	(void)r;
	if (!c->enabled)
		return 0;
	cubic_fill(c, now);
	c->level -= 1.0;
	return c->level >= 0.0 ? 0 : st_time_from_s(-c->level / c->rate);
}

static void cubic_measure(struct cubic *c, st_time now)
{
	st_time beat = now - now % BEAT;

	c->count++;
	if (beat > c->beat) {
		c->measured = SMOOTH * c->count / st_time_to_s(beat - c->beat) + (1.0 - SMOOTH) * c->measured;
		c->count = 0;
		c->beat = beat;
	}
}

static void cubic_ended(const struct st_gate *g, void *site, st_time now, st_outcome outcome, bool accepted)
{
	struct cubic *c = site;
	double rate;

	(void)accepted;
	cubic_measure(c, now);
	if (st_conditions_has(&g->cfg.throttle_on, outcome)) {
		c->w = c->enabled ? fmin(c->measured, c->rate) : c->measured;
		c->k = cbrt(c->w * (1.0 - BETA) / SCALE);
		c->throttled_at = now;
		rate = BETA * c->w;
	} else if (c->enabled) {
		double t = st_time_to_s(now - c->throttled_at) - c->k;

		rate = SCALE * t * t * t + c->w;
	} else {
		return;
	}
	if (!c->enabled)
		c->filled_at = now;
	c->enabled = true;
	cubic_fill(c, now);
	c->rate = fmax(fmin(rate, 2.0 * c->measured), SLOWEST);
	c->level = fmin(c->level, fmax(c->rate, 1.0));
}

static const struct st_gate_kind kinds[] = {
    {{"off", "no gate: everything may be sent"}, false, false, NULL, NULL, NULL},
    {{"sre", "rejects by max(0, (requests - k accepts) / (requests + 1)) (Google SRE)"}, true, false, sre_init, sre_ask, sre_ended},
    {{"cubic", "delays sends to a rate that throttling answers lower and time raises (AWS adaptive)"}, false, true, cubic_init, cubic_ask,
        cubic_ended},
};

bool st_gate_delays(const struct st_gate_cfg *c)
{
	return kinds[c->kind].delays;
}

/* --- every gate --------------------------------------------------------------------------------------------------------------- */

void st_gate_init(struct st_gate *g, const struct st_gate_cfg *cfg, uint64_t clients)
{
	*g = (struct st_gate){.cfg = *cfg, .kind = &kinds[cfg->kind]};
	if (!st_gate_is_on(g))
		return;
	g->clients_a_site = st_budget_clients_a_site(cfg->scope, cfg->site, clients);
	g->nsites = (size_t)((clients + g->clients_a_site - 1) / g->clients_a_site);
	g->site_size = g->kind->init(g);
	g->sites = st_calloc(g->nsites, g->site_size);
}

void st_gate_release(struct st_gate *g)
{
	free(g->sites);
	g->sites = NULL;
}

/* --- parameters --------------------------------------------------------------------------------------------------------------- */

static const struct st_choice *kind_at(size_t i)
{
	return i < sizeof kinds / sizeof *kinds ? &kinds[i].choice : NULL;
}

#define FIELD(f) offsetof(struct st_gate_cfg, f)
#define ANY_KIND "sre cubic"

const struct st_param st_gate_params[] = {
    {.name = "kind", .type = &st_param_choice, .offset = FIELD(kind), .dflt = "off", .choices = kind_at,
        .help = "what throttles all sends of a call site"},
    {.name = "scope", .type = &st_param_choice, .offset = FIELD(scope), .dflt = "client", .choices = st_budget_scope_at,
        .kinds = ANY_KIND, .help = "which clients share one gate"},
    {.name = "site", .type = &st_param_count, .offset = FIELD(site), .dflt = "1", .min = 1, .max = 4e9,
        .kinds = "site", .kinds_of = "scope", .help = "clients a call site"},
    {.name = "k", .type = &st_param_number, .offset = FIELD(k), .dflt = "2", .min = 1, .max = 1e6, .kinds = "sre",
        .help = "requests sent for each that is accepted"},
    {.name = "span", .type = &st_param_time, .offset = FIELD(span), .dflt = "2m", .min = 1e-9, .max = 86400, .kinds = "sre",
        .help = "requests and accepts of so long are looked at"},
    {.name = "min_requests", .type = &st_param_count, .offset = FIELD(min_requests), .dflt = "0", .max = 4e9, .kinds = "sre",
        .help = "with fewer requests none is rejected"},
    {.name = "throttle_on", .type = &st_param_conditions, .offset = FIELD(throttle_on), .dflt = "[429]", .kinds = "cubic",
        .help = "which answers are throttling ones"},
    {.name = NULL},
};
