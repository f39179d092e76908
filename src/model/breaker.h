#ifndef ST_MODEL_BREAKER_H
#define ST_MODEL_BREAKER_H
/*
 * breaker.h - the circuit breaker: after too many failures nothing is sent for a while, then a few probes.
 *
 * Closed   every send may go; the kind watches the ends of attempts and opens.
 * Open     nothing may go for `open_for`.
 * Half-open  `probes` sends may go. Closed again when all have ended well enough, open again at once when that has become
 *          impossible; without a limit on probes the first end decides.
 *
 * An attempt's end counts only in the state in which it was sent (its era): what was under way when the breaker opened says
 * nothing new, and is no probe. Kinds are rows of one table.
 *
 * Owns     its array. Cost: O(1) a send and an end; 24 bytes a call site and what its kind needs.
 */
#include "base/param.h"
#include "model/ring.h"

struct st_breaker_cfg {
	unsigned kind;      /* row of the table; 0 is off */
	unsigned scope;     /* as a budget's */
	uint64_t site;
	uint64_t failures;  /* consecutive */
	double ratio;       /* count, time */
	uint64_t calls;     /* count: of the window */
	st_time span;       /* time: of the window */
	uint64_t min_calls; /* count, time */
	st_time open_for;
	uint64_t probes;    /* ST_UNLIMITED */
};

extern const struct st_param st_breaker_params[];

struct st_breaker;

struct st_breaker_kind {
	struct st_choice choice;
	size_t (*init)(struct st_breaker *);                                /* returns the bytes it needs at a call site */
	bool (*trips)(const struct st_breaker *, void *mem, st_time now, bool failed); /* count an end: is it too much? */
	void (*clear)(const struct st_breaker *, void *mem, st_time now);   /* forget all */
};

struct st_breaker {
	struct st_breaker_cfg cfg;
	const struct st_breaker_kind *kind;
	char *sites;
	size_t nsites, site_size;
	uint64_t clients_a_site;
	uint64_t may_fail; /* of the probes, without opening again */
	struct st_ring ring;
};

void st_breaker_init(struct st_breaker *b, const struct st_breaker_cfg *cfg, uint64_t clients);
void st_breaker_release(struct st_breaker *b);

static inline bool st_breaker_is_on(const struct st_breaker *b)
{
	return b->cfg.kind != 0;
}

/* Whether it will surely be open at this instant, not before now. */
bool st_breaker_blocks(const struct st_breaker *b, uint64_t client, st_time at);

/* Whether a send would be admitted now. */
bool st_breaker_would_admit(const struct st_breaker *b, uint64_t client, st_time now);

/* A send now; *era is to be handed over at its end. After the open time the first makes it half-open. */
bool st_breaker_admit(struct st_breaker *b, uint64_t client, st_time now, uint8_t *era);

/* What has become of an attempt will not be known: it was no probe. */
void st_breaker_forget(struct st_breaker *b, uint64_t client, uint8_t era);

/* An attempt has ended. Returns by how many circuits more are open than before: 1, 0 or -1. Half-open counts as open. */
int st_breaker_ended(struct st_breaker *b, uint64_t client, st_time now, uint8_t era, bool failed);

#endif
