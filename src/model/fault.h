#ifndef ST_MODEL_FAULT_H
#define ST_MODEL_FAULT_H
/*
 * fault.h - windows on the timeline in which something is broken.
 *
 * A fault holds on [at, at + for). Effects are rows of one table; a status ("503") is an effect too. Several may
 * overlap: the first that applies, in the order of the scenario, answers; factors multiply, delays and workers gone add up.
 *
 * Owns     a copy of the faults and what is known of each.
 * Cost     O(faults) an edge, and an arrival while one is in force that may decide about it.
 */
#include "base/param.h"
#include "base/rng.h"
#include "model/call.h"
#include "model/outcome.h"

enum st_effect_kind {
	ST_EFFECT_STATUS,
	ST_EFFECT_REFUSE,
	ST_EFFECT_BLACKHOLE,
	ST_EFFECT_SLOW,
	ST_EFFECT_FREEZE,
	ST_EFFECT_WORKERS,
	ST_EFFECT_DELAY,
	ST_EFFECT_RESTART,
	ST_EFFECT_N
};

struct st_effect {
	unsigned kind;     /* enum st_effect_kind: row of the table */
	st_outcome status; /* of ST_EFFECT_STATUS */
};

enum st_fault_of { ST_FAULT_OF_REQUESTS, ST_FAULT_OF_CLIENTS };

/* So many of the workers: a share of them, or a number. */
struct st_part_of {
	double share;
	uint64_t count;
};

struct st_fault_cfg {
	st_time at, length;
	struct st_effect effect;
	double share;     /* of the requests or clients that it hits */
	unsigned of;      /* enum st_fault_of */
	char *service;    /* which it is of; NULL: the first */
	char *group;      /* whose requests it hits; NULL: everybody's */
	double factor;    /* slow: how many times as long a service takes */
	struct st_part_of gone; /* workers: those that are gone */
	st_time delay;    /* delay: more, on each leg */
};

extern const struct st_param st_fault_params[];

/* Field: struct st_effect. */
extern const struct st_param_type st_param_effect;

/* The name of a service: whether there is such a one is asked when all are known. Field: char *, owned. */
extern const struct st_param_type st_param_service_name;

/* Whether it may hit only some: share, of and group apply. */
bool st_fault_is_aimed(const struct st_fault_cfg *f);

/* Whether only a service with workers can have it. */
bool st_fault_is_of_workers(const struct st_fault_cfg *f);

/* End of the last fault; -1 if there is none. */
st_time st_fault_last_end(const struct st_fault_cfg *f, size_t n);

/* --- in a run --------------------------------------------------------------------------------------------------------- */

/* What the faults in force amount to. */
struct st_damage {
	unsigned strikes;   /* how many may decide about an arrival */
	unsigned delays;    /* how many make the network slower */
	unsigned outages;   /* how many keep everybody away */
	bool down, frozen;  /* it refuses everybody; no service starts */
	double slow;        /* services that start take so many times as long */
	double gone_share;  /* workers that are gone: this share of all, and so many more */
	uint64_t gone_count;
};

#define ST_FAULT_EVERYBODY UINT32_MAX

/* One more than the scenario's: the last is the service's own crash, a restart that no scenario has planned. */
struct st_faults {
	struct st_fault_cfg *cfg;
	size_t n;
	bool *active;
	uint32_t *group;    /* index of the group that each hits, or ST_FAULT_EVERYBODY */
	struct st_damage damage;
	const struct st_rng_family *random;
};

void st_faults_init(struct st_faults *f, const struct st_fault_cfg *cfg, size_t n, const struct st_rng_family *random);
void st_faults_release(struct st_faults *f);

/* The fault that stands for the crash. */
static inline uint32_t st_faults_crash(const struct st_faults *f)
{
	return (uint32_t)f->n - 1;
}

/* Fault i begins or ends. */
void st_faults_turn(struct st_faults *f, uint32_t i, bool begins);

/* Whether what is in the service is lost as fault i begins. */
bool st_faults_loses(const struct st_faults *f, uint32_t i);

/* Whether there is ever a fault of this kind. */
bool st_faults_ever(const struct st_faults *f, enum st_effect_kind kind);

/* The fault in force of this kind that hits the call, the first in the scenario's order; or NULL. */
const struct st_fault_cfg *st_faults_strike(const struct st_faults *f, const struct st_call *c, enum st_effect_kind kind);

/* How much longer a leg of the call's way takes that begins now. */
st_time st_faults_delay(const struct st_faults *f, const struct st_call *c);

#endif
