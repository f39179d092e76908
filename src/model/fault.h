#ifndef ST_MODEL_FAULT_H
#define ST_MODEL_FAULT_H
/*
 * fault.h - windows on the timeline in which something is broken.
 *
 * A fault holds on [at, at + for). Effects are rows of one table; a status ("503") is an effect too. Several may
 * overlap: the first that applies, in the order of the scenario, answers; factors multiply.
 */
#include "base/param.h"
#include "base/rng.h"
#include "model/outcome.h"

enum st_effect_kind { ST_EFFECT_STATUS, ST_EFFECT_REFUSE, ST_EFFECT_BLACKHOLE, ST_EFFECT_SLOW, ST_EFFECT_N };

struct st_effect {
	unsigned kind;     /* enum st_effect_kind: row of the table */
	st_outcome status; /* of ST_EFFECT_STATUS */
};

struct st_fault_cfg {
	st_time at, length;
	struct st_effect effect;
	double share;  /* of the requests it hits */
	double factor; /* slow: how many times as long a service takes */
};

extern const struct st_param st_fault_params[];

/* Field: struct st_effect. */
extern const struct st_param_type st_param_effect;

/* End of the last fault; -1 if there is none. */
st_time st_fault_last_end(const struct st_fault_cfg *f, size_t n);

#endif
