#ifndef ST_MODEL_RETRY_H
#define ST_MODEL_RETRY_H
/*
 * retry.h - the decision to retry: seven questions in a fixed order, each with its own counter; and what stands before a send.
 *
 * 1 the delay is computed; 2 is the outcome retryable? 3 attempts left? 4 would the deadline pass first? 5 does the hint
 * forbid it? 6 does the breaker allow it? 7 does the budget have a token (taken here, not given back)?
 */
#include "measure/counts.h"
#include "model/backoff.h"
#include "model/breaker.h"
#include "model/budget.h"
#include "model/gate.h"
#include "model/hedge.h"
#include "model/hint.h"
#include "model/outcome.h"

struct st_retry_cfg {
	struct st_conditions on;
	uint64_t attempts; /* with the first; ST_UNLIMITED */
	struct st_backoff_cfg backoff;
	struct st_obedience_cfg hint;
	struct st_budget_cfg budget;
	struct st_breaker_cfg breaker;
	struct st_gate_cfg gate;
	struct st_hedge_cfg hedge;
};

/* The rows of `retry` itself; those of its parts are in their own files. */
extern const struct st_param st_retry_params[];

/* A policy made ready for one group. */
struct st_retry {
	struct st_retry_cfg cfg;
	struct st_backoff backoff;
	struct st_budget budget;
	struct st_breaker breaker;
	struct st_gate gate;
	struct st_hedge hedge;
	bool hears;   /* something wants to know how attempts end, whatever becomes of their operation */
	bool guarded; /* something stands before every send, so that it must be asked for */
	bool only_breaker; /* and that is the breaker alone: st_retry_sends() asks all there is to ask */
};

void st_retry_init(struct st_retry *r, const struct st_retry_cfg *cfg, uint64_t clients);
void st_retry_release(struct st_retry *r);

/* What is known when an attempt has failed. */
struct st_failure {
	st_time now, deadline;   /* deadline: instant, ST_NEVER if none */
	uint64_t client;         /* within the group */
	uint32_t attempt;        /* how many were sent so far: 1 is the first */
	uint32_t which;          /* one of these; with hedging it need not be the last */
	st_outcome outcome;
	st_time hint;            /* a duration or one of the words of model/hint.h */
	st_time *previous;       /* the operation's last wait */
	uint8_t *note;           /* what the budget keeps with the operation */
	uint8_t era;             /* the breaker's, when it was sent */
	uint32_t *restarted;     /* the attempt at which the backoff began, modulo 2^32; NULL: 0 */
	bool is_pushback;        /* the hint, if obeyed, begins the backoff anew (restarted is there) */
	struct st_rng *jitter, *hint_jitter;
};

struct st_verdict {
	bool retry;
	st_time delay;          /* if retry */
	enum st_reason why;     /* if not */
	int circuits;           /* so many circuits more are open than before */
};

/* Whether and when the next attempt goes. O(1); draws from the failure's streams alone. */
struct st_verdict st_retry_decide(struct st_retry *r, const struct st_failure *f);

/*
 * An attempt has failed, and others of its operation are under way: is that all there is to it? If so it is counted here
 * (*circuits: so many more are open), and nothing is to be decided until one of the others ends.
 */
bool st_retry_goes_on(struct st_retry *r, const struct st_failure *f, int *circuits);

/* An attempt of an operation succeeded, and so the operation. Returns by how many circuits more are open. */
int st_retry_succeeded(struct st_retry *r, uint64_t client, const struct st_budget_news *n, uint8_t era);

struct st_sending {
	st_time now, deadline; /* deadline: instant, ST_NEVER if none */
	uint64_t client;
	uint32_t attempt;      /* which one it would be: 1 is the first */
	struct st_rng *gate;
};

/*
 * Before a send, first attempt or retry, of a guarded policy: whether it may go (retry), perhaps after a delay. If not, the
 * operation fails here (why), and a retry's budget hears that it will not be sent.
 */
struct st_verdict st_retry_may_send(struct st_retry *r, const struct st_sending *s);

/* The same before a hedge: whether it may go, and takes its token. The operation goes on in either case; there is no delay. */
struct st_verdict st_retry_may_hedge(struct st_retry *r, const struct st_sending *s, uint8_t *note);

/* An attempt's answer is not waited for any more, because another one has ended the operation. */
void st_retry_outrun(struct st_retry *r, uint64_t client, const struct st_budget_news *n, uint8_t era);

/* The send itself, after what st_retry_may_send() made it wait: false if the breaker has opened since (as above). */
bool st_retry_sends(struct st_retry *r, uint64_t client, uint32_t attempt, st_time now, uint8_t *era);

#endif
