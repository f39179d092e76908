#include <config.h>

#include "model/budget.h"

#include <math.h>

#include "model/bucket.h"

/* Seven kinds, each a few short functions over its own state, and the rows that name them. */

static int64_t least(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

/* --- token bucket ------------------------------------------------------------------------------------------------- */

static size_t bucket_init(struct st_budget *b)
{
	b->burst = st_bucket_units(b->cfg.burst);
	b->deposit = st_bucket_units(b->cfg.deposit);
	b->fill = st_bucket_fill_rate(b->cfg.rate_per_s);
	if (b->deposit == 0)
		b->kind.succeeded = NULL;
	return sizeof(struct st_bucket);
}

static void bucket_start(const struct st_budget *b, void *site)
{
	((struct st_bucket *)site)->level = b->burst;
}

static bool bucket_ready(const struct st_budget *b, void *at, st_time now)
{
	struct st_bucket *site = at;

	st_bucket_fill(site, b->fill, b->burst, now);
	return site->level >= ST_BUCKET_TOKEN;
}

static bool bucket_take(const struct st_budget *b, void *at, const struct st_budget_news *ask)
{
	struct st_bucket *site = at;

	if (!bucket_ready(b, site, ask->now))
		return false;
	site->level -= ST_BUCKET_TOKEN;
	return true;
}

static void bucket_succeeded(const struct st_budget *b, void *at, const struct st_budget_news *n)
{
	struct st_bucket *site = at;

	st_bucket_fill(site, b->fill, b->burst, n->now);
	site->level += least(b->deposit, b->burst - site->level);
}

/* --- AWS quota ------------------------------------------------------------------------------------------------------ */

/* What a retry follows, and what the note of an operation says of its last one. */
enum { AWS_OTHER, AWS_TIMEOUT, AWS_THROTTLE };

static size_t aws_init(struct st_budget *b)
{
	b->capacity = st_bucket_units(b->cfg.capacity);
	b->increment = st_bucket_units(b->cfg.increment);
	b->cost[AWS_OTHER] = st_bucket_units(b->cfg.cost);
	b->cost[AWS_TIMEOUT] = st_bucket_units(b->cfg.timeout_cost);
	b->cost[AWS_THROTTLE] = st_bucket_units(b->cfg.throttle_cost);
	return sizeof(int64_t);
}

static void aws_start(const struct st_budget *b, void *site)
{
	*(int64_t *)site = b->capacity;
}

static bool aws_take(const struct st_budget *b, void *site, const struct st_budget_news *ask)
{
	unsigned class = st_conditions_has(&b->cfg.throttle_on, ask->outcome) ? AWS_THROTTLE
	    : ask->outcome == ST_OUTCOME_TIMEOUT                              ? AWS_TIMEOUT
	                                                                      : AWS_OTHER;
	int64_t *level = site;

	if (*level < b->cost[class])
		return false;
	*level -= b->cost[class];
	*ask->note = (uint8_t)class;
	return true;
}

/* Of an operation that was retried only the last cost comes back, the earlier ones are gone. */
static void aws_succeeded(const struct st_budget *b, void *site, const struct st_budget_news *n)
{
	int64_t *level = site;

	*level += least(n->attempt == 1 ? b->increment : b->cost[*n->note], b->capacity - *level);
}

/* --- gRPC throttling ------------------------------------------------------------------------------------------------ */

static size_t grpc_init(struct st_budget *b)
{
	b->max_tokens = st_bucket_units(b->cfg.max_tokens);
	b->token_ratio = st_bucket_units(b->cfg.token_ratio);
	return sizeof(int64_t);
}

static void grpc_start(const struct st_budget *b, void *site)
{
	*(int64_t *)site = b->max_tokens;
}

/* Every attempt counts, the first and the last too: also where no retry would follow anyway. */
static void grpc_failed(const struct st_budget *b, void *site, const struct st_budget_news *n)
{
	int64_t *level = site;

	(void)b;
	if (n->retryable)
		*level -= least(ST_BUCKET_TOKEN, *level);
}

static void grpc_succeeded(const struct st_budget *b, void *site, const struct st_budget_news *n)
{
	int64_t *level = site;

	(void)n;
	*level += least(b->token_ratio, b->max_tokens - *level);
}

static bool grpc_take(const struct st_budget *b, void *site, const struct st_budget_news *ask)
{
	(void)ask;
	return 2 * *(int64_t *)site > b->max_tokens;
}

/* --- window ratio --------------------------------------------------------------------------------------------------- */

enum { WINDOW_SLICES = 10 };
#define RETRY INT64_C(1000000000) /* of 1e-9 retry: an hour's reserve at a million a second has room */

static void window_deposit(const struct st_budget *b, void *site, st_time now)
{
	st_ring_add(&b->ring, site, now, 0, b->ratio);
}

static void window_sent(const struct st_budget *b, void *site, const struct st_budget_news *n)
{
	if (n->attempt == 1)
		window_deposit(b, site, n->now);
}

static void window_failed(const struct st_budget *b, void *site, const struct st_budget_news *n)
{
	if (!n->retryable)
		window_deposit(b, site, n->now);
}

static void window_succeeded(const struct st_budget *b, void *site, const struct st_budget_news *n)
{
	window_deposit(b, site, n->now);
}

static size_t window_init(struct st_budget *b)
{
	b->ring = st_ring_of(b->cfg.ttl, WINDOW_SLICES, 1);
	b->ratio = (int64_t)llround(b->cfg.ratio * (double)RETRY);
	b->reserve = (int64_t)llround(b->cfg.min_per_s * st_time_to_s(b->cfg.ttl) * (double)RETRY);
	if (b->cfg.deposit_on == ST_BUDGET_START)
		b->kind.sent = window_sent;
	else
		b->kind.succeeded = window_succeeded;
	if (b->cfg.deposit_on == ST_BUDGET_NONRETRYABLE)
		b->kind.failed = window_failed;
	return st_ring_words(&b->ring) * sizeof(int64_t);
}

static bool window_ready(const struct st_budget *b, void *site, st_time now)
{
	return *st_ring_sums(&b->ring, site, now) + b->reserve >= RETRY;
}

/*
 * What is taken is taken from the present slice and leaves the window with it. An operation may have a share of the balance that it
 * found, which is the present one and what it has taken since.
 */
static bool window_take(const struct st_budget *b, void *site, const struct st_budget_news *ask)
{
	if (!window_ready(b, site, ask->now))
		return false;
	int64_t balance = (*st_ring_sums(&b->ring, site, ask->now) + b->reserve) / RETRY + ask->attempt - 1;
	if (ask->attempt > ceil(b->cfg.operation_share * (double)balance - 1e-9))
		return false;
	st_ring_add(&b->ring, site, ask->now, 0, -RETRY);
	return true;
}

/* --- concurrency ------------------------------------------------------------------------------------------------------ */

/* The failed attempt that asks is no longer active; a retry counts from the decision, through its wait, to its end. */
struct crowd {
	uint32_t active, retries; /* attempts in flight; retries waiting or in flight */
};

static size_t crowd_init(struct st_budget *b)
{
	(void)b;
	return sizeof(struct crowd);
}

static void crowd_sent(const struct st_budget *b, void *at, const struct st_budget_news *n)
{
	(void)b;
	(void)n;
	((struct crowd *)at)->active++;
}

static void crowd_ended(const struct st_budget *b, void *at, const struct st_budget_news *n)
{
	struct crowd *site = at;

	(void)b;
	site->active--;
	site->retries -= n->attempt > 1;
}

static void crowd_dropped(const struct st_budget *b, void *at)
{
	(void)b;
	((struct crowd *)at)->retries--;
}

static bool crowd_ready(const struct st_budget *b, void *at, st_time now)
{
	const struct crowd *site = at;

	(void)now;
	return site->retries < b->cfg.max_retries ||
	    (double)site->retries < floor(b->cfg.active_share * (double)site->active + 1e-9);
}

static bool crowd_take(const struct st_budget *b, void *at, const struct st_budget_news *ask)
{
	if (!crowd_ready(b, at, ask->now))
		return false;
	((struct crowd *)at)->retries++;
	return true;
}

/* --- starts per window -------------------------------------------------------------------------------------------------- */

/* A window begins with the first start that lies more than `within` after the beginning of the last. */
struct starts {
	st_time begun;
	uint32_t n;
};

static size_t starts_init(struct st_budget *b)
{
	(void)b;
	return sizeof(struct starts);
}

static bool starts_over(const struct st_budget *b, const struct starts *site, st_time at)
{
	return site->n == 0 || at - site->begun > b->cfg.within;
}

static void starts_count(const struct st_budget *b, struct starts *site, st_time at)
{
	if (starts_over(b, site, at))
		*site = (struct starts){.begun = at};
	site->n++;
}

static void starts_sent(const struct st_budget *b, void *site, const struct st_budget_news *n)
{
	if (n->attempt == 1)
		starts_count(b, site, n->now);
}

static bool starts_ready(const struct st_budget *b, void *site, st_time now)
{
	return starts_over(b, site, now) || ((const struct starts *)site)->n < b->cfg.starts;
}

/* A retry starts when its wait is over. */
static bool starts_take(const struct st_budget *b, void *site, const struct st_budget_news *ask)
{
	st_time at = ask->delay < ST_TIME_MAX - ask->now ? ask->now + ask->delay : ST_TIME_MAX;

	if (!starts_ready(b, site, at))
		return false;
	starts_count(b, site, at);
	return true;
}

static const struct st_budget_kind kinds[] = {
    {.choice = {"off", "no budget: every retry may go"}},
    {.choice = {"token-bucket", "a retry takes a token; tokens come at a rate and with successes"},
        .init = bucket_init, .start = bucket_start, .take = bucket_take, .ready = bucket_ready, .succeeded = bucket_succeeded},
    {.choice = {"aws-quota", "a retry costs by what it follows; success gives the last cost back (AWS SDKs)"},
        .init = aws_init, .start = aws_start, .take = aws_take, .succeeded = aws_succeeded},
    {.choice = {"grpc-throttle", "retries go while a level stays above half; failures lower it, successes raise it (gRPC)"},
        .init = grpc_init, .start = grpc_start, .take = grpc_take, .failed = grpc_failed, .succeeded = grpc_succeeded},
    {.choice = {"window", "retries are a share of requests over a moving window, plus a rate (Finagle, Linkerd, tower)"},
        .init = window_init, .take = window_take, .ready = window_ready},
    {.choice = {"concurrency", "few retries at a time: a number, or a share of the active requests (Envoy)"},
        .init = crowd_init, .take = crowd_take, .ready = crowd_ready, .sent = crowd_sent, .failed = crowd_ended,
        .succeeded = crowd_ended, .outrun = crowd_ended, .dropped = crowd_dropped},
    {.choice = {"starts", "so many attempts within a window that begins with its first (systemd)"},
        .init = starts_init, .take = starts_take, .ready = starts_ready, .sent = starts_sent},
};

const struct st_budget_kind *st_budget_kind_at(size_t i)
{
	return i < sizeof kinds / sizeof *kinds ? &kinds[i] : NULL;
}
