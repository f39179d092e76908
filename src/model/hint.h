#ifndef ST_MODEL_HINT_H
#define ST_MODEL_HINT_H
/*
 * hint.h - the server's Retry-After or pushback: what is sent, and what clients make of it.
 *
 * The server's side says which answers carry a hint and how long it is. The client's side: a share of the clients
 * obeys; a mode combines the hint with the client's own backoff; a jitter on the hint; a limit on what is accepted.
 *
 * A hint is a duration in ns, or one of the values below 0 that are no duration. The server writes it into a header as it
 * decides the answer, the client reads it there as the answer arrives; a constant is the same everywhere and need not
 * travel.
 */
#include "base/dist.h"
#include "base/param.h"
#include "base/rng.h"
#include "model/outcome.h"

enum {
	ST_HINT_NONE = -1,    /* the answer carries none, or there is no answer */
	ST_HINT_STOP = -2,    /* do not retry */
	ST_HINT_UNHEARD = -3, /* whatever it says, this client does not listen */
};

/* How randomness on a hint is written: "6s" adds U(0, 6 s); "50%" multiplies by U(1, 1.5); "none". */
struct st_hint_jitter {
	st_time add;
	double share;
};

/* "off"; a duration; the name of an estimate; or "stop". */
struct st_hint_value {
	unsigned kind;    /* row of the table of values; 0 is off */
	st_time constant; /* of a duration */
};

/* The server's side: service.hint. */
struct st_hint_cfg {
	struct st_hint_value value;
	unsigned form;                /* row of the table of forms */
	struct st_hint_jitter spread; /* drawn by the server for each answer */
	struct st_conditions on;      /* which answers carry it */
};

extern const struct st_param st_hint_params[];

/* Whether an answer with this outcome carries a hint. */
bool st_hint_goes_with(const struct st_hint_cfg *h, st_outcome o);

/* Whether the header is the same on every answer. */
bool st_hint_is_constant(const struct st_hint_cfg *h);

/* What the server knows as it answers. */
struct st_hint_state {
	st_time now;
	uint64_t waiting; /* requests in the queue */
	st_time token;    /* until the rate limit has the next one */
	double capacity_per_s;
};

/*
 * What the header says. A constant asks nothing of the state (all zeros will do) nor of r. Draws from r only if a spread is
 * set.
 */
st_time st_hint_write(const struct st_hint_cfg *h, const struct st_hint_state *s, struct st_rng *r);

/* The hint that a client reads in the header now, by a clock that is `skew` ahead of the true time. */
st_time st_hint_read(const struct st_hint_cfg *h, st_time header, st_time now, st_time skew);

/* Whether clocks have a part in it. */
bool st_hint_is_dated(const struct st_hint_cfg *h);

/* Whether it can say stop, and begins the backoff anew where it is obeyed. */
bool st_hint_is_pushback(const struct st_hint_cfg *h);

/* Whether it goes by the rate limit. */
bool st_hint_asks_limit(const struct st_hint_cfg *h);

/* Whether it says what its form cannot. */
bool st_hint_is_unspeakable(const struct st_hint_cfg *h);

/* How far a client's clock is ahead, below 0 if behind: a draw of d, with a fair sign. */
st_time st_hint_draw_skew(const struct st_dist *d, struct st_rng *r);

/* The client's side: retry.hint. */
struct st_obedience_cfg {
	double obey;   /* share of clients */
	unsigned mode; /* row of the table of modes */
	st_time clamp; /* mode clamp: the most that a hint adds to the backoff */
	struct st_hint_jitter jitter;
	st_time least; /* a shorter hint is none */
	st_time limit; /* the longest hint accepted; ST_NEVER: all */
	unsigned over; /* what to do with a longer one: ST_HINT_... */
};

enum { ST_HINT_GIVE_UP, ST_HINT_IGNORE, ST_HINT_TRUNCATE };

extern const struct st_param st_obedience_params[];

/*
 * What an obedient client makes of what it was told: a duration (cut at the limit, if need be); ST_HINT_STOP if that
 * forbids a retry (by its word, by its length, or by being absent where the mode requires it); else ST_HINT_NONE or
 * ST_HINT_UNHEARD, and the client goes by its own backoff.
 */
st_time st_hint_accepted(const struct st_obedience_cfg *c, st_time hint);

/* Whether the absence of a hint says something to these clients. */
bool st_hint_is_required(const struct st_obedience_cfg *c);

/* The delay from the client's own backoff and an accepted hint (>= 0). Draws from r only if a jitter is set. */
st_time st_hint_combine(const struct st_obedience_cfg *c, st_time own, st_time hint, struct st_rng *r);

/* A way to write a hint. */
struct st_hint_form {
	struct st_choice choice;
	st_time grain;    /* what is estimated or spread is rounded up to a multiple of it; an instant always */
	bool is_date;     /* what is sent is the instant, not the time until it */
	bool is_pushback; /* below 0 is stop; an obeyed one begins the backoff anew */
};

struct st_hint_mode {
	struct st_choice choice;
	/* The delay, neither of which is below 0. NULL: the client does not listen. */
	st_time (*combine)(const struct st_obedience_cfg *, st_time own, st_time hint);
	bool requires; /* no hint, no retry */
};

#endif
