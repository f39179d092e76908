#ifndef ST_MODEL_CAPACITY_H
#define ST_MODEL_CAPACITY_H
/*
 * capacity.h - what the workers can do at present: how many of them may serve, and how long a service takes that starts now.
 *
 * How long a service takes is settled as it starts, in this order: the time drawn for it; times the factors of the faults
 * in force; times 1 + slope x (n - knee) if more than `knee` requests are in the service, n, itself included; and, while the
 * service warms up, as long as a worker needs for that much work whose speed rises evenly from `from` to 1.
 *
 * Cost     O(1).
 */
#include "base/param.h"
#include "model/fault.h"

struct st_capacity_cfg {
	uint64_t knee;     /* requests in the service; ST_UNLIMITED: no slowdown */
	double slope;      /* for each beyond it, a service takes so much of its time more */
	double from;       /* a worker's speed as the ramp begins, of its full one */
	st_time over;      /* length of the ramp; ST_NEVER: none */
};

extern const struct st_param st_capacity_params[];

struct st_capacity {
	const struct st_capacity_cfg *cfg;
	uint64_t workers;  /* as configured */
	uint64_t in_force; /* neither gone nor down */
	uint64_t startable; /* one more may start while fewer are busy: those in force, or none */
	double slow;       /* product of the faults' factors */
	st_time cold_at;   /* when the ramp began; ST_NEVER: it is over */
	bool is_plain;     /* a service takes just what was drawn for it */
};

/* All workers there, and warm. cfg outlives it. */
void st_capacity_init(struct st_capacity *c, const struct st_capacity_cfg *cfg, uint64_t workers);

/* The faults in force have changed. */
void st_capacity_adapt(struct st_capacity *c, const struct st_damage *d);

/* The service is cold now: the ramp begins, if there is one. */
void st_capacity_chill(struct st_capacity *c, st_time now);

/* Internal to st_capacity_length(). */
st_time st_capacity_stretched(struct st_capacity *c, st_time work, st_time now, uint64_t inside);

/* How long a service takes that starts now, with so many requests in the service, itself included. At least 1 ns: time must go on. */
static inline st_time st_capacity_length(struct st_capacity *c, st_time work, st_time now, uint64_t inside)
{
	if (!c->is_plain)
		work = st_capacity_stretched(c, work, now, inside);
	return work > 0 ? work : 1;
}

#endif
