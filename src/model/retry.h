#ifndef ST_MODEL_RETRY_H
#define ST_MODEL_RETRY_H
/*
 * retry.h - the decision to retry: seven questions in a fixed order, each with its own counter.
 *
 * 1 the delay is computed; 2 is the outcome retryable? 3 attempts left? 4 would the deadline pass first? 5 does the hint
 * forbid it? 6 does the breaker allow it? 7 does the budget have a token (taken here, not given back)?
 */
#include "measure/counts.h"
#include "model/backoff.h"
#include "model/budget.h"
#include "model/hint.h"
#include "model/outcome.h"

struct st_retry_cfg {
	struct st_conditions on;
	uint64_t attempts; /* with the first; ST_UNLIMITED */
	struct st_backoff_cfg backoff;
	struct st_obedience_cfg hint;
	struct st_budget_cfg budget;
};

/* The rows of `retry` itself; those of backoff, hint and budget are in their own files. */
extern const struct st_param st_retry_params[];

/* A policy made ready for one group. */
struct st_retry {
	struct st_retry_cfg cfg;
	struct st_backoff backoff;
	struct st_budget budget;
};

void st_retry_init(struct st_retry *r, const struct st_retry_cfg *cfg, uint64_t clients);
void st_retry_release(struct st_retry *r);

/* What is known when an attempt has failed. */
struct st_failure {
	st_time now, deadline;   /* deadline: instant, ST_NEVER if none */
	uint64_t client;         /* within the group */
	uint32_t attempt;        /* which one failed: 1 is the first */
	st_outcome outcome;
	st_time hint;            /* -1: none, or the client does not obey */
	st_time *previous;       /* the operation's last wait */
	struct st_rng *jitter, *hint_jitter;
};

struct st_verdict {
	bool retry;
	st_time delay;          /* if retry */
	enum st_reason why;     /* if not */
	bool turned;            /* the budget's circuit has just opened (no retry) or closed (a retry) */
};

struct st_verdict st_retry_decide(struct st_retry *r, const struct st_failure *f);

#endif
