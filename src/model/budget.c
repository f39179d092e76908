#include <config.h>

#include "model/budget.h"

#include <stdlib.h>

#include "base/mem.h"

/* What all budgets share: their call sites, the circuit, the parameters. The kinds are in budget_kinds.c. */

uint64_t st_budget_clients_a_site(unsigned scope, uint64_t site, uint64_t clients)
{
	return scope == ST_BUDGET_CLIENT ? 1 : scope == ST_BUDGET_SITE ? site : clients;
}

void st_budget_init(struct st_budget *b, const struct st_budget_cfg *cfg, uint64_t clients)
{
	*b = (struct st_budget){.cfg = *cfg, .kind = *st_budget_kind_at(cfg->kind)};
	if (!st_budget_is_on(b))
		return;
	b->clients_a_site = st_budget_clients_a_site(cfg->scope, cfg->site, clients);
	b->nsites = (size_t)((clients + b->clients_a_site - 1) / b->clients_a_site);
	b->site_size = b->kind.init(b);
	b->sites = st_calloc(b->nsites, b->site_size);
	for (size_t i = 0; b->kind.start && i < b->nsites; i++)
		b->kind.start(b, b->sites + i * b->site_size);
	if (cfg->on_empty == ST_BUDGET_OPEN && b->kind.ready)
		b->open = st_calloc(b->nsites, sizeof *b->open);
}

void st_budget_release(struct st_budget *b)
{
	free(b->sites);
	free(b->open);
	b->sites = NULL;
	b->open = NULL;
}

bool st_budget_take(struct st_budget *b, uint64_t client, const struct st_budget_news *ask, int *turned)
{
	bool taken = b->kind.take(b, st_budget_site(b, client), ask);

	*turned = 0;
	if (b->open) {
		uint8_t *open = &b->open[st_budget_site_of(b->nsites, b->clients_a_site, client)];

		*turned = !taken - *open;
		*open = !taken;
	}
	return taken;
}

bool st_budget_admits(struct st_budget *b, uint64_t client, st_time now, int *turned)
{
	*turned = 0;
	if (!b->open)
		return true;
	uint8_t *open = &b->open[st_budget_site_of(b->nsites, b->clients_a_site, client)];

	if (*open && b->kind.ready(b, st_budget_site(b, client), now)) {
		*open = 0;
		*turned = -1;
	}
	return !*open;
}

/* --- parameters --------------------------------------------------------------------------------------------------- */

static const struct st_choice *kind_at(size_t i)
{
	const struct st_budget_kind *k = st_budget_kind_at(i);

	return k ? &k->choice : NULL;
}

const struct st_choice *st_budget_scope_at(size_t i)
{
	static const struct st_choice scopes[] = {
	    [ST_BUDGET_CLIENT] = {"client", "one a client"},
	    [ST_BUDGET_SITE] = {"site", "one for every `site` clients"},
	    [ST_BUDGET_GROUP] = {"group", "one for the whole group"},
	};

	return i < sizeof scopes / sizeof *scopes ? &scopes[i] : NULL;
}

static const struct st_choice *empty_at(size_t i)
{
	static const struct st_choice empties[] = {
	    [ST_BUDGET_FAIL] = {"fail", "fail the operation at once"},
	    [ST_BUDGET_OPEN] = {"open", "fail first attempts too until a whole token is back"},
	};

	return i < sizeof empties / sizeof *empties ? &empties[i] : NULL;
}

static const struct st_choice *deposit_at(size_t i)
{
	static const struct st_choice deposits[] = {
	    [ST_BUDGET_START] = {"start", "a first attempt is sent"},
	    [ST_BUDGET_SUCCESS] = {"success", "an attempt succeeds"},
	    [ST_BUDGET_NONRETRYABLE] = {"nonretryable", "an attempt succeeds or fails for good"},
	};

	return i < sizeof deposits / sizeof *deposits ? &deposits[i] : NULL;
}

#define FIELD(f) offsetof(struct st_budget_cfg, f)
#define ANY_KIND "token-bucket aws-quota grpc-throttle window concurrency starts"
#define WITH_CIRCUIT "token-bucket window concurrency starts"

const struct st_param st_budget_params[] = {
    {.name = "kind", .type = &st_param_choice, .offset = FIELD(kind), .dflt = "off", .choices = kind_at,
        .help = "what bounds the sum of retries over a call site"},
    {.name = "scope", .type = &st_param_choice, .offset = FIELD(scope), .dflt = "group", .choices = st_budget_scope_at,
        .kinds = ANY_KIND, .help = "which clients share one budget"},
    {.name = "site", .type = &st_param_count, .offset = FIELD(site), .dflt = "1", .min = 1, .max = 4e9,
        .kinds = "site", .kinds_of = "scope", .help = "clients a call site"},
    {.name = "on_empty", .type = &st_param_choice, .offset = FIELD(on_empty), .dflt = "fail", .choices = empty_at,
        .kinds = WITH_CIRCUIT, .help = "what happens when it is used up"},
    {.name = "rate", .type = &st_param_rate, .offset = FIELD(rate_per_s), .dflt = "0/s", .max = 1e6,
        .kinds = "token-bucket", .help = "tokens that come in a second"},
    {.name = "burst", .type = &st_param_number, .offset = FIELD(burst), .dflt = "10", .min = 1, .max = 1e6,
        .kinds = "token-bucket", .help = "tokens it holds at most; it starts full"},
    {.name = "deposit", .type = &st_param_number, .offset = FIELD(deposit), .dflt = "0", .max = 1e6,
        .kinds = "token-bucket", .help = "tokens that each success brings"},
    {.name = "capacity", .type = &st_param_number, .offset = FIELD(capacity), .dflt = "500", .min = 1, .max = 1e6,
        .kinds = "aws-quota", .help = "tokens it holds at most; it starts full"},
    {.name = "cost", .type = &st_param_number, .offset = FIELD(cost), .dflt = "5", .max = 1e6, .kinds = "aws-quota",
        .help = "tokens of a retry"},
    {.name = "timeout_cost", .type = &st_param_number, .offset = FIELD(timeout_cost), .dflt = "10", .max = 1e6,
        .kinds = "aws-quota", .help = "tokens of a retry after a timeout"},
    {.name = "throttle_cost", .type = &st_param_number, .offset = FIELD(throttle_cost), .dflt = "5", .max = 1e6,
        .kinds = "aws-quota", .help = "tokens of a retry after a throttling answer"},
    {.name = "throttle_on", .type = &st_param_conditions, .offset = FIELD(throttle_on), .dflt = "[429]", .kinds = "aws-quota",
        .help = "which answers are throttling ones"},
    {.name = "increment", .type = &st_param_number, .offset = FIELD(increment), .dflt = "1", .max = 1e6,
        .kinds = "aws-quota", .help = "tokens that a success at the first attempt brings"},
    {.name = "max_tokens", .type = &st_param_number, .offset = FIELD(max_tokens), .dflt = "10", .min = 1, .max = 1e6,
        .kinds = "grpc-throttle", .help = "tokens it holds at most; it starts full, and retries need more than half"},
    {.name = "token_ratio", .type = &st_param_number, .offset = FIELD(token_ratio), .dflt = "0.1", .max = 1e6,
        .kinds = "grpc-throttle", .help = "tokens that each success brings; each failed attempt takes one"},
    {.name = "ttl", .type = &st_param_time, .offset = FIELD(ttl), .dflt = "10s", .min = 1e-9, .max = 3600, .kinds = "window",
        .help = "how long deposits and withdrawals count"},
    {.name = "min_rate", .type = &st_param_rate, .offset = FIELD(min_per_s), .dflt = "10/s", .max = 1e6, .kinds = "window",
        .help = "retries a second that need no deposits"},
    {.name = "ratio", .type = &st_param_share, .offset = FIELD(ratio), .dflt = "20%", .kinds = "window",
        .help = "retries that each deposit pays"},
    {.name = "operation_share", .type = &st_param_share, .offset = FIELD(operation_share), .dflt = "100%", .kinds = "window",
        .help = "how much of the balance it finds one operation may take"},
    {.name = "deposit_on", .type = &st_param_choice, .offset = FIELD(deposit_on), .dflt = "start", .choices = deposit_at,
        .kinds = "window", .help = "when a deposit is made"},
    {.name = "max_retries", .type = &st_param_count, .offset = FIELD(max_retries), .dflt = "3", .max = 4e9,
        .kinds = "concurrency", .help = "retries that may wait or be in flight at a time"},
    {.name = "active_share", .type = &st_param_share, .offset = FIELD(active_share), .dflt = "0%", .kinds = "concurrency",
        .help = "or so many of the attempts in flight, if that is more"},
    {.name = "starts", .type = &st_param_count, .offset = FIELD(starts), .dflt = "5", .min = 1, .max = 4e9, .kinds = "starts",
        .help = "attempts in a window, first ones too"},
    {.name = "within", .type = &st_param_time, .offset = FIELD(within), .dflt = "10s", .kinds = "starts",
        .help = "length of the window that begins with the first start after the last one"},
    {.name = NULL},
};
