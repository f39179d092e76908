#ifndef ST_MODEL_BUDGET_H
#define ST_MODEL_BUDGET_H
/*
 * budget.h - what bounds the sum of retries over a call site.
 *
 * A budget of one group is an array of call sites (one a client, one for M clients, or one for the group). Kinds are
 * rows of one table (budget_kinds.c); each hears of the few things that happen to attempts, and what it does not care for costs nothing. Tokens
 * are whole numbers of a fine unit, so ten deposits of 0.1 make exactly one: over any stretch of T seconds a bucket of
 * rate r and burst B grants at most B + r T retries.
 *
 * Owns     its array. Cost: O(1) an attempt; of a call site what its kind needs (24 bytes for a bucket, 8 for a quota).
 */
#include "base/param.h"
#include "model/outcome.h"
#include "model/ring.h"

enum st_budget_scope { ST_BUDGET_CLIENT, ST_BUDGET_SITE, ST_BUDGET_GROUP };
enum st_budget_empty { ST_BUDGET_FAIL, ST_BUDGET_OPEN };

enum st_budget_deposit { ST_BUDGET_START, ST_BUDGET_SUCCESS, ST_BUDGET_NONRETRYABLE };

struct st_budget_cfg {
	unsigned kind;     /* row of the table; 0 is off */
	unsigned scope;    /* enum st_budget_scope */
	uint64_t site;     /* clients a call site, for scope site */
	unsigned on_empty; /* enum st_budget_empty */
	/* token-bucket */
	double rate_per_s; /* tokens a second */
	double burst;      /* its size; it starts full */
	double deposit;    /* tokens a success brings */
	/* aws-quota, in tokens */
	double capacity;
	double cost, timeout_cost, throttle_cost; /* of a retry, by what it follows */
	struct st_conditions throttle_on;
	double increment;  /* what a success at the first attempt brings */
	/* grpc-throttle */
	double max_tokens, token_ratio;
	/* window */
	st_time ttl;
	double min_per_s, ratio, operation_share;
	unsigned deposit_on; /* enum st_budget_deposit */
	/* concurrency */
	uint64_t max_retries;
	double active_share;
	/* starts */
	uint64_t starts;
	st_time within;
};

extern const struct st_param st_budget_params[];

/* Scopes are those of breakers and gates too. */
const struct st_choice *st_budget_scope_at(size_t i);
uint64_t st_budget_clients_a_site(unsigned scope, uint64_t site, uint64_t clients);

/* Which of the call sites a client belongs to: a division costs more than all the rest, and most scopes need none. */
static inline size_t st_budget_site_of(size_t nsites, uint64_t clients_a_site, uint64_t client)
{
	return nsites == 1 ? 0 : (size_t)(clients_a_site == 1 ? client : client / clients_a_site);
}

/* What has happened to an attempt, or is asked for. */
struct st_budget_news {
	st_time now;
	uint32_t attempt;   /* of its operation: 1 is the first */
	st_outcome outcome; /* of a failed one */
	bool retryable;     /* a failure that another attempt might mend; the others are the caller's own fault */
	st_time delay;      /* the wait before the retry that is asked for */
	uint8_t *note;      /* what the budget keeps with the operation */
};

struct st_budget;

struct st_budget_kind {
	struct st_choice choice;
	size_t (*init)(struct st_budget *);               /* what follows from cfg; returns the bytes of a call site */
	void (*start)(const struct st_budget *, void *site); /* a call site at time 0; NULL: all zero */
	/* A retry asks to go, after all else has allowed it. */
	bool (*take)(const struct st_budget *, void *site, const struct st_budget_news *);
	/* A retry asked now would go. NULL: the kind would never find out with a circuit open, so that it has none. */
	bool (*ready)(const struct st_budget *, void *site, st_time now);
	/* These may be NULL: the kind does not care. */
	void (*sent)(const struct st_budget *, void *site, const struct st_budget_news *);
	void (*failed)(const struct st_budget *, void *site, const struct st_budget_news *);
	void (*succeeded)(const struct st_budget *, void *site, const struct st_budget_news *);
	void (*outrun)(const struct st_budget *, void *site, const struct st_budget_news *);
	void (*dropped)(const struct st_budget *, void *site); /* a retry that had been granted will not be sent */
};

/* The i-th kind, NULL past the last. */
const struct st_budget_kind *st_budget_kind_at(size_t i);

struct st_budget {
	struct st_budget_cfg cfg;
	struct st_budget_kind kind; /* a copy, in which init() may leave out what does nothing with this cfg */
	char *sites;
	uint8_t *open;              /* one a call site: the circuit is open, first attempts are answered locally; or NULL */
	size_t nsites, site_size;
	uint64_t clients_a_site;
	/* token-bucket */
	int64_t burst, deposit; /* 1e-12 token */
	uint64_t fill;          /* 1e-12 token a ns, times 2^32 */
	/* aws-quota */
	int64_t capacity, increment, cost[3];
	/* grpc-throttle */
	int64_t max_tokens, token_ratio;
	/* window */
	struct st_ring ring;
	int64_t reserve, ratio; /* 1e-9 retry */
};

/* For so many clients, at time 0. */
void st_budget_init(struct st_budget *b, const struct st_budget_cfg *cfg, uint64_t clients);
void st_budget_release(struct st_budget *b);

static inline bool st_budget_is_on(const struct st_budget *b)
{
	return b->cfg.kind != 0;
}

/* What the kind keeps for this client's call site. */
static inline void *st_budget_site(const struct st_budget *b, uint64_t client)
{
	return b->sites + b->site_size * st_budget_site_of(b->nsites, b->clients_a_site, client);
}

/*
 * A retry of the group's client asks for a token now. On refusal the circuit opens if on_empty says so; a token that
 * is there closes it. *turned is by how many circuits more are open than before: 1, 0 or -1.
 */
bool st_budget_take(struct st_budget *b, uint64_t client, const struct st_budget_news *ask, int *turned);

/* Whether a first attempt may go out; closes the circuit when a whole token is back (*turned is then -1, else 0). */
bool st_budget_admits(struct st_budget *b, uint64_t client, st_time now, int *turned);

/*
 * An attempt is sent (now, attempt); one failed (all but the delay); one succeeded (now, attempt, note); the answer to one is not
 * waited for any more (now, attempt), because another one of the operation has ended it.
 */
static inline void st_budget_sent(struct st_budget *b, uint64_t client, const struct st_budget_news *n)
{
	if (b->kind.sent)
		b->kind.sent(b, st_budget_site(b, client), n);
}

static inline void st_budget_failed(struct st_budget *b, uint64_t client, const struct st_budget_news *n)
{
	if (b->kind.failed)
		b->kind.failed(b, st_budget_site(b, client), n);
}

static inline void st_budget_succeeded(struct st_budget *b, uint64_t client, const struct st_budget_news *n)
{
	if (b->kind.succeeded)
		b->kind.succeeded(b, st_budget_site(b, client), n);
}

static inline void st_budget_outrun(struct st_budget *b, uint64_t client, const struct st_budget_news *n)
{
	if (b->kind.outrun)
		b->kind.outrun(b, st_budget_site(b, client), n);
}

/* A retry that had a token is given up before it was sent. */
static inline void st_budget_dropped(struct st_budget *b, uint64_t client)
{
	if (b->kind.dropped)
		b->kind.dropped(b, st_budget_site(b, client));
}

#endif
