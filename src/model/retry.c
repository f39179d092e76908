#include <config.h>

#include "model/retry.h"

void st_retry_init(struct st_retry *r, const struct st_retry_cfg *cfg, uint64_t clients)
{
	r->cfg = *cfg;
	st_backoff_init(&r->backoff, &cfg->backoff);
	st_budget_init(&r->budget, &cfg->budget, clients);
	st_breaker_init(&r->breaker, &cfg->breaker, clients);
	st_gate_init(&r->gate, &cfg->gate, clients);
	st_hedge_init(&r->hedge, &cfg->hedge);
	r->hears = r->budget.kind.failed || st_breaker_is_on(&r->breaker) || st_gate_is_on(&r->gate);
	r->only_breaker = st_breaker_is_on(&r->breaker) && !r->budget.open && !st_gate_is_on(&r->gate);
	r->guarded = r->budget.open || st_breaker_is_on(&r->breaker) || st_gate_is_on(&r->gate);
}

void st_retry_release(struct st_retry *r)
{
	st_budget_release(&r->budget);
	st_breaker_release(&r->breaker);
	st_gate_release(&r->gate);
	st_hedge_release(&r->hedge);
}

/* --- the decision ------------------------------------------------------------------------------------------------------ */

static struct st_verdict no(struct st_verdict v, enum st_reason why)
{
	v.retry = false;
	v.why = why;
	return v;
}

static struct st_budget_news news_of(const struct st_failure *f, uint32_t attempt, bool retryable, st_time delay)
{
	return (struct st_budget_news){.now = f->now, .attempt = attempt, .outcome = f->outcome, .retryable = retryable,
	    .delay = delay, .note = f->note};
}

/* What counts whether or not a retry follows. Returns by how many circuits more are open. */
static int tell(struct st_retry *r, const struct st_failure *f, bool retryable)
{
	struct st_budget_news news = news_of(f, f->which, retryable, 0);

	st_budget_failed(&r->budget, f->client, &news);
	if (st_gate_is_on(&r->gate))
		st_gate_ended(&r->gate, f->client, f->now, f->outcome, !retryable);
	return st_breaker_is_on(&r->breaker) ? st_breaker_ended(&r->breaker, f->client, f->now, f->era, retryable) : 0;
}

/* Questions 5 and 6. */
static struct st_verdict ask_the_site(struct st_retry *r, const struct st_failure *f, struct st_verdict v)
{
	struct st_budget_news ask = news_of(f, f->attempt, true, v.delay);
	st_time at = v.delay < ST_TIME_MAX - f->now ? f->now + v.delay : ST_TIME_MAX;
	int turned = 0;

	if (st_breaker_is_on(&r->breaker) && st_breaker_blocks(&r->breaker, f->client, at))
		return no(v, ST_REASON_BREAKER);
	if (st_budget_is_on(&r->budget) && !st_budget_take(&r->budget, f->client, &ask, &turned))
		v = no(v, ST_REASON_BUDGET);
	v.circuits += turned;
	return v;
}

bool st_retry_goes_on(struct st_retry *r, const struct st_failure *f, int *circuits)
{
	bool wanted = st_conditions_has(&r->cfg.on, f->outcome);

	*circuits = wanted && r->hears ? tell(r, f, true) : 0;
	return wanted;
}

struct st_verdict st_retry_decide(struct st_retry *r, const struct st_failure *f)
{
	const struct st_retry_cfg *c = &r->cfg;
	bool wanted = st_conditions_has(&c->on, f->outcome);
	st_time hint = st_hint_accepted(&c->hint, f->hint);
	struct st_verdict v = {.retry = true};

	if (r->hears)
		v.circuits = tell(r, f, wanted || hint == ST_HINT_STOP);

	/* What needs no delay is asked before it is drawn; draws are named, so that changes nothing. */
	if (!wanted)
		return no(v, ST_REASON_NOT_RETRYABLE);
	if (f->attempt >= c->attempts)
		return no(v, ST_REASON_ATTEMPTS);

	v.delay = st_backoff_wait(&r->backoff, f->attempt - (f->restarted ? *f->restarted : 0), f->outcome, f->previous, f->jitter);
	if (hint >= 0) {
		v.delay = st_hint_combine(&c->hint, v.delay, hint, f->hint_jitter);
		if (f->is_pushback) {
			*f->restarted = f->attempt;
			*f->previous = st_backoff_first(&r->backoff);
		}
	}
	if (f->deadline != ST_NEVER && v.delay >= f->deadline - f->now)
		return no(v, ST_REASON_DEADLINE);
	if (hint == ST_HINT_STOP)
		return no(v, ST_REASON_HINT);
	if (st_budget_is_on(&r->budget) || st_breaker_is_on(&r->breaker))
		return ask_the_site(r, f, v);
	return v;
}

int st_retry_succeeded(struct st_retry *r, uint64_t client, const struct st_budget_news *n, uint8_t era)
{
	st_budget_succeeded(&r->budget, client, n);
	if (st_gate_is_on(&r->gate))
		st_gate_ended(&r->gate, client, n->now, ST_OUTCOME_OK, true);
	return st_breaker_is_on(&r->breaker) ? st_breaker_ended(&r->breaker, client, n->now, era, false) : 0;
}

/* --- before a send ----------------------------------------------------------------------------------------------------- */

static struct st_verdict stays(struct st_retry *r, const struct st_sending *s, struct st_verdict v, enum st_reason why)
{
	if (s->attempt > 1)
		st_budget_dropped(&r->budget, s->client);
	return no(v, why);
}

/* The breaker comes first, as in the decision, but counts a probe only at the send itself. */
struct st_verdict st_retry_may_send(struct st_retry *r, const struct st_sending *s)
{
	struct st_verdict v = {.retry = true};

	if (st_breaker_is_on(&r->breaker) && !st_breaker_would_admit(&r->breaker, s->client, s->now))
		return stays(r, s, v, ST_REASON_BREAKER);
	if (s->attempt == 1 && st_budget_is_on(&r->budget) && !st_budget_admits(&r->budget, s->client, s->now, &v.circuits))
		return no(v, ST_REASON_BUDGET);
	if (st_gate_is_on(&r->gate)) {
		v.delay = st_gate_ask(&r->gate, s->client, s->now, s->gate);
		if (v.delay < 0)
			return stays(r, s, v, ST_REASON_BUDGET);
		if (v.delay > 0 && s->deadline != ST_NEVER && v.delay >= s->deadline - s->now)
			return stays(r, s, v, ST_REASON_DEADLINE);
	}
	return v;
}

struct st_verdict st_retry_may_hedge(struct st_retry *r, const struct st_sending *s, uint8_t *note)
{
	struct st_verdict v = {.retry = true};
	struct st_budget_news ask = {.now = s->now, .attempt = s->attempt - 1, .outcome = ST_OUTCOME_OK, .note = note};
	int turned = 0;

	if (s->attempt > r->cfg.attempts)
		return no(v, ST_REASON_ATTEMPTS);
	if (st_breaker_is_on(&r->breaker) && !st_breaker_would_admit(&r->breaker, s->client, s->now))
		return no(v, ST_REASON_BREAKER);
	if (st_budget_is_on(&r->budget) && !st_budget_take(&r->budget, s->client, &ask, &turned))
		v = no(v, ST_REASON_BUDGET);
	else if (r->guarded)
		v = st_retry_may_send(r, s);
	v.circuits += turned;
	return v;
}

void st_retry_outrun(struct st_retry *r, uint64_t client, const struct st_budget_news *n, uint8_t era)
{
	st_budget_outrun(&r->budget, client, n);
	if (st_breaker_is_on(&r->breaker))
		st_breaker_forget(&r->breaker, client, era);
}

bool st_retry_sends(struct st_retry *r, uint64_t client, uint32_t attempt, st_time now, uint8_t *era)
{
	if (!st_breaker_is_on(&r->breaker) || st_breaker_admit(&r->breaker, client, now, era))
		return true;
	if (attempt > 1)
		st_budget_dropped(&r->budget, client);
	return false;
}

#define FIELD(f) offsetof(struct st_retry_cfg, f)

const struct st_param st_retry_params[] = {
    {.name = "on", .type = &st_param_conditions, .offset = FIELD(on), .dflt = "[5xx, 408, 429, timeout, refused, reset]",
        .help = "which failures are retried"},
    {.name = "attempts", .type = &st_param_count, .offset = FIELD(attempts), .dflt = "1", .min = 1, .max = 16e6,
        .word = "unlimited", .help = "attempts an operation, with the first"},
    {.name = NULL},
};
