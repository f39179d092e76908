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
#include "model/outcome.h"

struct st_backoff;
struct st_delays;

struct st_backoff_shape {
	struct st_choice choice;
	double (*delay)(const struct st_backoff *, const struct st_delays *, uint32_t k); /* ns, before the cap; may be infinite */
};

enum st_cap_at {
	ST_CAP_BEFORE,   /* the jitter */
	ST_CAP_AFTER,    /* it: what is longer becomes the cap */
	ST_CAP_BOTH,     /* the jitter and after it */
	ST_CAP_TRUNCATE, /* its interval: uniform jitters draw within floor and cap */
};

/* Waits are multiples of a duration or of a share of the un-jittered delay; neither: off. */
struct st_quantum_cfg {
	st_time time;
	double share;
};

struct st_backoff_cfg {
	unsigned shape; /* row of the table */
	st_time base;
	double factor;
	uint64_t first_exponent; /* exponential: before the first retry */
	st_time step;            /* linear; ST_NEVER: base */
	struct st_times delays;  /* table */
	st_time cap;             /* ST_NEVER: off */
	unsigned cap_at;         /* enum st_cap_at */
	st_time floor;
	struct st_times head;
	uint64_t tail_from;      /* ST_UNLIMITED: never */
	struct st_quantum_cfg quantum;
	st_time reset;           /* how long a success has to last before the count of retries starts again; ST_NEVER: not at all */
	struct st_jitter_cfg jitter;
	struct {
		struct st_conditions on; /* the class of failures that these are for */
		st_time base;            /* ST_NEVER: base */
		double factor;           /* INFINITY: factor */
	} throttle;
};

extern const struct st_param st_backoff_params[]; /* of struct st_backoff_cfg, ended by a row without a name */

enum { ST_BACKOFF_TABLE = 64 };

/* The delays of one class of failures; the first ones are computed once. */
struct st_delays {
	double base, factor;
	double d[ST_BACKOFF_TABLE]; /* d[k - 1], ns, cut at the top */
};

/* A configuration made ready. */
struct st_backoff {
	struct st_backoff_cfg cfg;
	const struct st_backoff_shape *shape;
	const struct st_jitter *jitter;
	struct st_jitter_law law;
	double top, most; /* ns: cut the delay before the jitter, and what the jitter gave */
	bool is_plain;    /* the jitter's word is the last: nothing but shape, cap before it, and jitter */
	struct st_delays usual, throttled;
};

void st_backoff_init(struct st_backoff *b, const struct st_backoff_cfg *cfg);

/*
 * The delay before retry k >= 1, after a failure with this outcome. *previous is what the operation carries from one to the next: st_backoff_first() when it
 * begins; kept for it only if st_backoff_carries().
 */
st_time st_backoff_wait(const struct st_backoff *b, uint32_t k, st_outcome outcome, st_time *previous, struct st_rng *r);
st_time st_backoff_first(const struct st_backoff *b);

static inline bool st_backoff_carries(const struct st_backoff *b)
{
	return b->jitter->carry != ST_CARRY_NOTHING;
}

/*
 * The same at the quantile u of what may be drawn after this past, ns: 0 gives the shortest wait, 1 the longest (INFINITY if there is
 * none), equally spaced u equally likely ones. throttled: after a failure of the class that `throttle` is for.
 */
double st_backoff_quantile(const struct st_backoff *b, uint32_t k, bool throttled, st_time *previous, double u);

/* Whether failures of some class have delays of their own. */
bool st_backoff_is_throttled(const struct st_backoff *b);

/* The table of shapes: the i-th row, NULL past the last. */
const struct st_backoff_shape *st_shape_at(size_t i);

#endif
