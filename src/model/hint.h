#ifndef ST_MODEL_HINT_H
#define ST_MODEL_HINT_H
/*
 * hint.h - the server's Retry-After: what is sent, and what clients make of it.
 *
 * The server's side says which answers carry a hint and how long it is. The client's side: a share of the clients
 * obeys; a mode combines the hint with the client's own backoff; a jitter on the hint; a limit on what is accepted.
 */
#include "base/param.h"
#include "base/rng.h"
#include "model/outcome.h"

/* The server's side: service.hint. */
struct st_hint_cfg {
	st_time value;            /* ST_NEVER: no hint */
	unsigned form;            /* row of the table of forms */
	struct st_conditions on;  /* which answers carry it */
};

extern const struct st_param st_hint_params[];

/* The hint on an answer, in ns as the client reads it; -1: none. */
st_time st_hint_given(const struct st_hint_cfg *h, st_outcome o);

/* How the jitter on a hint is written: "6s" adds U(0, 6 s); "50%" multiplies by U(1, 1.5); "none". */
struct st_hint_jitter {
	st_time add;
	double share;
};

/* The client's side: retry.hint. */
struct st_obedience_cfg {
	double obey;   /* share of clients */
	unsigned mode; /* row of the table of modes */
	struct st_hint_jitter jitter;
	st_time limit; /* the longest hint accepted; ST_NEVER: all */
	unsigned over; /* what to do with a longer one: ST_HINT_... */
};

enum { ST_HINT_GIVE_UP, ST_HINT_IGNORE, ST_HINT_TRUNCATE };

extern const struct st_param st_obedience_params[];

/* Whether the hint forbids a retry (too long, and the client gives up over it). */
bool st_hint_forbids(const struct st_obedience_cfg *c, st_time hint);

/*
 * The delay from the client's own backoff and an obeyed hint (>= 0). Draws from r only if a jitter is set.
 */
st_time st_hint_combine(const struct st_obedience_cfg *c, st_time own, st_time hint, struct st_rng *r);

struct st_hint_mode {
	struct st_choice choice;
	st_time (*combine)(st_time own, st_time hint);
};
const struct st_hint_mode *st_hint_mode_at(size_t i);

#endif
