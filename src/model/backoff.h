#ifndef ST_MODEL_BACKOFF_H
#define ST_MODEL_BACKOFF_H
/*
 * backoff.h - the wait before retry k = 1, 2, ...: a shape, cut at the cap, then made random by a jitter.
 *
 * Shapes give the un-jittered delay d(k), such as min(cap, base x factor^(k-1)). Shapes and jitters are rows of one table each: adding
 * a shape is a function and a row; a jitter, a function, its mean where there is a closed form, and a row. Most jitters are the
 * same function with other bounds: d x U(lo, hi).
 *
 * Owns     a configuration owns its tables of delays (st_param_release); a policy made from it borrows them.
 * Source   the AWS Architecture Blog's names (full, equal, decorrelated); docs/model.md has each formula.
 */
#include "base/param.h"
#include "base/rng.h"

struct st_backoff;

struct st_shape {
	struct st_choice choice;
	double (*delay)(const struct st_backoff *, uint32_t k); /* ns, not yet cut at the cap; may be infinite */
};

struct st_jitter {
	struct st_choice choice;
	const char *syntax;  /* of the arguments, "" if none: "LO HI" */
	unsigned nargs;      /* numbers after the name */
	double lo, hi;       /* bounds of the multiplier where the name alone gives them */
	/* The wait in ns, given d (cut at the cap); *previous is the operation's last wait (base at its start) and is
	 * kept for it only if uses_previous. */
	double (*wait)(const struct st_backoff *, double d, st_time *previous, struct st_rng *);
	double (*mean)(const struct st_backoff *, double d); /* ns, or NULL where there is no closed form */
	bool uses_previous;
};

/* As a scenario writes it: "full", "range 0.8 1.2". */
struct st_jitter_cfg {
	unsigned kind;  /* row of the table */
	double lo, hi;
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
	double d[ST_BACKOFF_TABLE]; /* d[k - 1], ns, cut at the cap */
};

void st_backoff_init(struct st_backoff *b, const struct st_backoff_cfg *cfg);

/* The un-jittered delay before retry k >= 1, cut at the cap; ns. */
double st_backoff_unjittered(const struct st_backoff *b, uint32_t k);

/* The delay before retry k >= 1. *previous as above; set it to st_backoff_first() when an operation begins. */
st_time st_backoff_wait(const struct st_backoff *b, uint32_t k, st_time *previous, struct st_rng *r);

static inline st_time st_backoff_first(const struct st_backoff *b)
{
	return b->cfg.base;
}

/* Mean delay before retry k in ns; NAN where the jitter has no closed form. */
double st_backoff_mean(const struct st_backoff *b, uint32_t k);

/* The tables: the i-th row, NULL past the last. */
const struct st_shape *st_shape_at(size_t i);
const struct st_jitter *st_jitter_at(size_t i);

/* Field: struct st_jitter_cfg. */
extern const struct st_param_type st_param_jitter;

#endif
