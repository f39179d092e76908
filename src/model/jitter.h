#ifndef ST_MODEL_JITTER_H
#define ST_MODEL_JITTER_H
/*
 * jitter.h - the randomness in a delay: one table of rows.
 *
 * A jitter is the quantile function of a delay: what it is at u in [0, 1], rising with u. Adding one is that function and a row; it then
 * is in the parser, the help, the sweeps and the schedules, and tests/check_backoff.c asks for its law. Drawing is the same at a uniform
 * random u, unless the row knows a faster way. Most are one function with other bounds: d x U(lo, hi).
 *
 * Units    nanoseconds, as double: what is drawn is cut and rounded by backoff.c.
 * Source   the AWS Architecture Blog's names (full, equal, decorrelated); docs/model.md has each formula.
 */
#include "base/param.h"
#include "base/rng.h"

struct st_jitter_law;

/* Of retry k: d is the un-jittered delay, base that of its class of errors, previous what the operation carries along. */
typedef double (*st_jitter_wait)(const struct st_jitter_law *, uint32_t k, double base, double d, st_time *previous,
    struct st_rng *);
/* The delay at u: 0 is the shortest, 1 the longest, which may be INFINITY. */
typedef double (*st_jitter_quantile)(const struct st_jitter_law *, uint32_t k, double base, double d, st_time previous, double u);

/* What an operation carries from one wait to the next; 8 bytes a caller if it is anything. */
enum st_carry {
	ST_CARRY_NOTHING,
	ST_CARRY_WAIT, /* the wait itself, as it became; base at first */
	ST_CARRY_SUM,  /* the sum of what was drawn, before quantum, floor and cap; 0 at first */
};

struct st_jitter {
	struct st_choice choice;
	const char *syntax;                  /* of the arguments, "" if none: "LO HI" */
	const struct st_param_type *arg[2];  /* what they are: a number, a share, a duration; NULL: no more */
	double usual;                        /* what arg[0] is if left out; 0: it must be given */
	double lo, hi;                       /* bounds of the multiplier where the name alone gives them */
	void (*bounds)(const double *arg, double *lo, double *hi); /* where the arguments do; or NULL */
	const char *(*wrong)(const double *arg); /* a phrase, or NULL if they make sense; the pointer may be NULL */
	st_jitter_wait wait;
	st_jitter_quantile quantile; /* of what wait() draws, given the past */
	bool is_uniform;      /* the quantile is a straight line */
	bool is_capped;       /* cut at the cap even where that comes before the jitter: d has no part in it, or no bound */
	enum st_carry carry;
};

/* As a scenario writes it: "full", "range 0.8 1.2", "additive 1s" (durations in ns). */
struct st_jitter_cfg {
	unsigned kind; /* row of the table */
	double arg[2];
};

/* A jitter made ready. */
struct st_jitter_law {
	const struct st_jitter *row;
	st_jitter_wait wait; /* the row's */
	double lo, hi;       /* of the multiplier */
	double arg;          /* the first argument */
};

void st_jitter_init(struct st_jitter_law *law, const struct st_jitter_cfg *cfg);

/* The i-th row, NULL past the last. */
const struct st_jitter *st_jitter_at(size_t i);
const struct st_choice *st_jitter_choice(size_t i);

/* Field: struct st_jitter_cfg. */
extern const struct st_param_type st_param_jitter;

#endif
