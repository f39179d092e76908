#ifndef ST_MODEL_BACKOFF_H
#define ST_MODEL_BACKOFF_H
/*
 * backoff.h - the wait before retry k = 1, 2, ...: a shape, cut at the cap, then made random by a jitter.
 *
 * Shapes give the un-jittered delay d(k), such as min(cap, base x factor^(k-1)); they are rows of one table: adding one is a function
 * and a row. Jitters are in jitter.h.
 *
 * Owns     a configuration owns its tables of delays (st_param_release); a policy made from it borrows them.
 * Source   docs/model.md has each formula.
 */
#include "model/jitter.h"

struct st_backoff;

struct st_shape {
	struct st_choice choice;
	double (*delay)(const struct st_backoff *, uint32_t k); /* ns, not yet cut at the cap; may be infinite */
};

struct st_backoff_cfg {
	unsigned shape; /* row of the table */
	st_time base;
	double factor;
	uint64_t first_exponent; /* exponential: before the first retry */
	st_time step;            /* linear; ST_NEVER: base */
	struct st_times delays;  /* table */
	st_time cap;    /* ST_NEVER: off */
	struct st_jitter_cfg jitter;
};

extern const struct st_param st_backoff_params[]; /* of struct st_backoff_cfg, ended by a row without a name */

enum { ST_BACKOFF_TABLE = 64 };

/* A configuration made ready: the first delays are computed once. */
struct st_backoff {
	struct st_backoff_cfg cfg;
	const struct st_shape *shape;
	const struct st_jitter *jitter;
	struct st_jitter_law law;
	double base;                /* ns */
	double most;                /* cuts what the jitter gave, ns */
	bool is_plain;              /* the jitter's word is the last */
	double d[ST_BACKOFF_TABLE]; /* d[k - 1], ns, cut at the cap */
};

void st_backoff_init(struct st_backoff *b, const struct st_backoff_cfg *cfg);

/* The un-jittered delay before retry k >= 1, cut at the cap; ns. */
double st_backoff_unjittered(const struct st_backoff *b, uint32_t k);

/*
 * The delay before retry k >= 1. *previous is what the operation carries from one to the next: st_backoff_first() when it
 * begins; kept for it only if st_backoff_carries().
 */
st_time st_backoff_wait(const struct st_backoff *b, uint32_t k, st_time *previous, struct st_rng *r);
st_time st_backoff_first(const struct st_backoff *b);

static inline bool st_backoff_carries(const struct st_backoff *b)
{
	return b->jitter->carry != ST_CARRY_NOTHING;
}

/* The shortest and the longest wait that retry k may draw after *previous; ns. */
void st_backoff_span(const struct st_backoff *b, uint32_t k, st_time previous, double *lo, double *hi);

/* Mean delay before retry k in ns; NAN where the jitter has no closed form. */
double st_backoff_mean(const struct st_backoff *b, uint32_t k);

/* The table of shapes: the i-th row, NULL past the last. */
const struct st_shape *st_shape_at(size_t i);

#endif
