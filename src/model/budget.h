#ifndef ST_MODEL_BUDGET_H
#define ST_MODEL_BUDGET_H
/*
 * budget.h - what bounds the sum of retries over a call site.
 *
 * A budget of one group is an array of call sites (one a client, one for M clients, or one for the group). Kinds are
 * rows of one table. Tokens are whole numbers of 1e-12 token, so ten deposits of 0.1 make exactly one, and over
 * any stretch of T seconds a bucket of rate r and burst B grants at most B + r T retries.
 *
 * Owns     its array. Cost: taking and depositing O(1); 24 bytes a call site.
 */
#include "base/param.h"

enum st_budget_scope { ST_BUDGET_CLIENT, ST_BUDGET_SITE, ST_BUDGET_GROUP };
enum st_budget_empty { ST_BUDGET_FAIL, ST_BUDGET_OPEN };

struct st_budget_cfg {
	unsigned kind;     /* row of the table; 0 is off */
	unsigned scope;    /* enum st_budget_scope */
	uint64_t site;     /* clients a call site, for scope site */
	unsigned on_empty; /* enum st_budget_empty */
	double rate_per_s; /* token bucket: tokens a second */
	double burst;      /* token bucket: its size; it starts full */
	double deposit;    /* token bucket: tokens a success brings */
};

extern const struct st_param st_budget_params[];

struct st_bucket {
	int64_t level;     /* 1e-12 token */
	st_time filled_at;
	uint32_t fraction; /* of a unit more, times 2^32: however often the bucket is looked at, none is lost */
	bool open;         /* the circuit is open: first attempts are answered locally */
};

struct st_budget {
	struct st_budget_cfg cfg;
	const struct st_budget_kind *kind;
	struct st_bucket *site;
	size_t nsites;
	uint64_t clients_a_site;
	int64_t burst, deposit; /* 1e-12 token */
	uint64_t fill;          /* 1e-12 token a ns, times 2^32 */
};

struct st_budget_kind {
	struct st_choice choice;
	void (*init)(struct st_budget *);
	bool (*take)(struct st_budget *, struct st_bucket *, st_time now);
	void (*succeed)(struct st_budget *, struct st_bucket *, st_time now);
	bool (*ready)(struct st_budget *, struct st_bucket *, st_time now); /* a whole token is there */
};

const struct st_budget_kind *st_budget_kind_at(size_t i);

void st_budget_init(struct st_budget *b, const struct st_budget_cfg *cfg, uint64_t clients);
void st_budget_release(struct st_budget *b);

static inline bool st_budget_is_on(const struct st_budget *b)
{
	return b->cfg.kind != 0;
}

/*
 * A retry of the group's client asks for a token now. On refusal the circuit opens if on_empty says so; a token that
 * is there closes it. *turned tells whether it has just opened or closed.
 */
bool st_budget_take(struct st_budget *b, uint64_t client, st_time now, bool *turned);

/* Whether a first attempt may go out; closes the circuit when a whole token is back (*closed tells). */
bool st_budget_admits(struct st_budget *b, uint64_t client, st_time now, bool *closed);

/* An operation of the client succeeded. */
void st_budget_succeed(struct st_budget *b, uint64_t client, st_time now);

#endif
