#ifndef ST_MODEL_OUTCOME_H
#define ST_MODEL_OUTCOME_H
/*
 * outcome.h - how an attempt ended, as a small number, and sets of such ends.
 *
 * An outcome fits nine bits, so that it travels inside an event: 0 is success, then timeout, refused and reset, then the
 * statuses 100 to 599. A set of them ("5xx", "429", "timeout", ...) is what `retry.on` and `hint.on` name.
 */
#include <stdbool.h>
#include <stdint.h>

#include "base/param.h"

typedef uint32_t st_outcome;

enum {
	ST_OUTCOME_OK,
	ST_OUTCOME_TIMEOUT, /* no answer in time */
	ST_OUTCOME_REFUSED, /* the connection was refused */
	ST_OUTCOME_RESET,   /* the connection was lost under way */
	ST_OUTCOME_STATUS,  /* + status - 100 */
	ST_OUTCOME_N = ST_OUTCOME_STATUS + 500,
	ST_OUTCOME_SILENCE = 511, /* no answer at all: only as an overload answer */
};

/* The outcome of an answer with this status, 100 to 599. */
static inline st_outcome st_outcome_status(unsigned status)
{
	return ST_OUTCOME_STATUS + status - 100;
}

/* A set of outcomes. */
struct st_conditions {
	uint64_t bit[8]; /* outcome o is in the set iff bit[o / 64] >> o % 64 & 1 */
};

static inline bool st_conditions_has(const struct st_conditions *c, st_outcome o)
{
	return c->bit[o >> 6] >> (o & 63) & 1;
}

/* "[5xx, -501, 429, timeout, refused, reset]"; "any" is everything but success, a minus takes away. Field: struct st_conditions. */
extern const struct st_param_type st_param_conditions;

/* "503", "429", ...; "refuse"; "drop" (silence). Field: st_outcome. */
extern const struct st_param_type st_param_overload;

/* "503", "429", ...: a status from 400 to 599. Field: st_outcome. */
extern const struct st_param_type st_param_status;

/* The name of an outcome for people ("503", "timeout"); buf is used for statuses. */
const char *st_outcome_name(st_outcome o, char buf[8]);

/* A status from its digits, 100 to 599; 0 if the text is none. */
unsigned st_outcome_parse_status(const char *text);

#endif
