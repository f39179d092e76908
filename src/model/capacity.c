#include <config.h>

#include "model/capacity.h"

#include <math.h>

static void note_plain(struct st_capacity *c)
{
	c->is_plain = c->slow == 1.0 && c->cfg->knee == ST_UNLIMITED && c->cold_at == ST_NEVER;
}

void st_capacity_init(struct st_capacity *c, const struct st_capacity_cfg *cfg, uint64_t workers)
{
	*c = (struct st_capacity){.cfg = cfg, .workers = workers, .in_force = workers, .startable = workers, .slow = 1.0,
	    .cold_at = ST_NEVER};
	note_plain(c);
}

static uint64_t gone(const struct st_capacity *c, const struct st_damage *d)
{
	double n = floor(d->gone_share * (double)c->workers + 0.5) + (double)d->gone_count;

	return n < (double)c->workers ? (uint64_t)n : c->workers;
}

void st_capacity_adapt(struct st_capacity *c, const struct st_damage *d)
{
	c->in_force = d->down ? 0 : c->workers - gone(c, d);
	c->startable = d->frozen ? 0 : c->in_force;
	c->slow = d->slow;
	note_plain(c);
}

void st_capacity_chill(struct st_capacity *c, st_time now)
{
	if (c->cfg->over == ST_NEVER)
		return;
	c->cold_at = now;
	note_plain(c);
}

/*
 * A worker's speed u after the ramp began is v = from + g u, with g = (1 - from) / over. In a time d it does v d + g d^2 / 2 of
 * work; solved for d without a difference that cancels.
 */
static double warmed(const struct st_capacity_cfg *cfg, double work, double u)
{
	double g = (1.0 - cfg->from) / (double)cfg->over, v = cfg->from + g * u, left = (double)cfg->over - u;
	double on_ramp = left * (v + 1.0) / 2.0; /* what the rest of it will do */

	if (work >= on_ramp)
		return left + work - on_ramp;
	return work > 0.0 ? 2.0 * work / (v + sqrt(v * v + 2.0 * g * work)) : 0.0;
}

st_time st_capacity_stretched(struct st_capacity *c, st_time work, st_time now, uint64_t inside)
{
	double ns = (double)work * c->slow;

	if (inside > c->cfg->knee)
		ns *= 1.0 + c->cfg->slope * (double)(inside - c->cfg->knee);
	if (c->cold_at != ST_NEVER && now - c->cold_at < c->cfg->over) {
		ns = warmed(c->cfg, ns, (double)(now - c->cold_at));
	} else if (c->cold_at != ST_NEVER) {
		c->cold_at = ST_NEVER;
		note_plain(c);
	}
	return st_time_from_ns(ns);
}

#define FIELD(f) offsetof(struct st_capacity_cfg, f)

const struct st_param st_capacity_params[] = {
    {.name = "slowdown.knee", .type = &st_param_count, .offset = FIELD(knee), .dflt = "off", .word = "off", .kinds = "pool",
        .help = "requests in the service, waiting ones too, beyond which they are in each other's way"},
    {.name = "slowdown.slope", .type = &st_param_number, .offset = FIELD(slope), .dflt = "0.01", .max = 1e6, .kinds = "pool",
        .help = "how much longer a service takes for each request beyond the knee: 0.01 is 1 % of its time"},
    {.name = "warm_up.over", .type = &st_param_time, .offset = FIELD(over), .dflt = "off", .word = "off", .kinds = "pool",
        .help = "after an outage, a restart or a crash: how long until workers are at full speed again"},
    {.name = "warm_up.from", .type = &st_param_share, .offset = FIELD(from), .dflt = "10%", .kinds = "pool",
        .help = "a worker's speed when the service comes back, of its full one"},
    {.name = NULL},
};
