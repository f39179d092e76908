#include <config.h>

#include "model/retry.h"

void st_retry_init(struct st_retry *r, const struct st_retry_cfg *cfg, uint64_t clients)
{
	r->cfg = *cfg;
	st_backoff_init(&r->backoff, &cfg->backoff);
	st_budget_init(&r->budget, &cfg->budget, clients);
}

void st_retry_release(struct st_retry *r)
{
	st_budget_release(&r->budget);
}

static struct st_verdict fail(enum st_reason why)
{
	return (struct st_verdict){.retry = false, .why = why};
}

struct st_verdict st_retry_decide(struct st_retry *r, const struct st_failure *f)
{
	const struct st_retry_cfg *c = &r->cfg;

	/* What needs no delay is asked before it is drawn; draws are named, so that changes nothing. */
	if (!st_conditions_has(&c->on, f->outcome))
		return fail(ST_REASON_NOT_RETRYABLE);
	if (f->attempt >= c->attempts)
		return fail(ST_REASON_ATTEMPTS);

	st_time delay = st_backoff_wait(&r->backoff, f->attempt, f->outcome, f->previous, f->jitter);
	bool forbidden = f->hint >= 0 && st_hint_forbids(&c->hint, f->hint);

	if (f->hint >= 0 && !forbidden)
		delay = st_hint_combine(&c->hint, delay, f->hint, f->hint_jitter);
	if (f->deadline != ST_NEVER && delay >= f->deadline - f->now)
		return fail(ST_REASON_DEADLINE);
	if (forbidden)
		return fail(ST_REASON_HINT);

	struct st_verdict v = {.retry = true, .delay = delay};

	if (st_budget_is_on(&r->budget) && !st_budget_take(&r->budget, f->client, f->now, &v.turned)) {
		v.retry = false;
		v.why = ST_REASON_BUDGET;
	}
	return v;
}

#define FIELD(f) offsetof(struct st_retry_cfg, f)

const struct st_param st_retry_params[] = {
    {.name = "on", .type = &st_param_conditions, .offset = FIELD(on), .dflt = "[5xx, 408, 429, timeout, refused, reset]",
        .help = "which failures are retried"},
    {.name = "attempts", .type = &st_param_count, .offset = FIELD(attempts), .dflt = "1", .min = 1, .max = 16e6,
        .word = "unlimited", .help = "attempts an operation, with the first"},
    {.name = NULL},
};
