#include <config.h>

#include "model/budget.h"

#include <math.h>
#include <stdlib.h>

#include "base/err.h"
#include "base/mem.h"

#define TOKEN INT64_C(1000000000000) /* of 1e-12 token */

/* --- token bucket ------------------------------------------------------------------------------------------------- */

static void bucket_init(struct st_budget *b)
{
	b->burst = (int64_t)llround(b->cfg.burst * (double)TOKEN);
	b->deposit = (int64_t)llround(b->cfg.deposit * (double)TOKEN);
	/* r tokens a second are r x 1000 units a ns; the fraction is kept to 2^-32. */
	b->fill = (uint64_t)llround(b->cfg.rate_per_s * 1000.0 * 0x1p32);
	for (size_t i = 0; i < b->nsites; i++)
		b->site[i].level = b->burst;
}

/* What has come in since the bucket was last looked at. */
static void bucket_fill(const struct st_budget *b, struct st_bucket *site, st_time now)
{
	unsigned __int128 in = (unsigned __int128)b->fill * (uint64_t)(now - site->filled_at) + site->fraction;
	uint64_t lacking = (uint64_t)(b->burst - site->level);
	bool fills = in >> 32 >= lacking;

	site->level += fills ? (int64_t)lacking : (int64_t)(in >> 32);
	site->fraction = fills ? 0 : (uint32_t)in;
	site->filled_at = now;
}

static bool bucket_ready(struct st_budget *b, struct st_bucket *site, st_time now)
{
	bucket_fill(b, site, now);
	return site->level >= TOKEN;
}

static bool bucket_take(struct st_budget *b, struct st_bucket *site, st_time now)
{
	if (!bucket_ready(b, site, now))
		return false;
	site->level -= TOKEN;
	return true;
}

static void bucket_succeed(struct st_budget *b, struct st_bucket *site, st_time now)
{
	bucket_fill(b, site, now);
	int64_t lacking = b->burst - site->level;
	site->level += b->deposit < lacking ? b->deposit : lacking;
}

static const struct st_budget_kind kinds[] = {
    {{"off", "no budget: every retry may go"}, NULL, NULL, NULL, NULL},
    {{"token-bucket", "a retry takes a token; tokens come at a rate and with successes"}, bucket_init, bucket_take,
        bucket_succeed, bucket_ready},
};

const struct st_budget_kind *st_budget_kind_at(size_t i)
{
	return i < sizeof kinds / sizeof *kinds ? &kinds[i] : NULL;
}

/* --- every budget ------------------------------------------------------------------------------------------------- */

void st_budget_init(struct st_budget *b, const struct st_budget_cfg *cfg, uint64_t clients)
{
	*b = (struct st_budget){.cfg = *cfg, .kind = &kinds[cfg->kind]};
	if (!st_budget_is_on(b))
		return;
	b->clients_a_site = cfg->scope == ST_BUDGET_CLIENT ? 1 : cfg->scope == ST_BUDGET_SITE ? cfg->site : clients;
	b->nsites = (size_t)((clients + b->clients_a_site - 1) / b->clients_a_site);
	b->site = st_calloc(b->nsites, sizeof *b->site);
	b->kind->init(b);
}

void st_budget_release(struct st_budget *b)
{
	free(b->site);
	b->site = NULL;
}

static struct st_bucket *site_of(const struct st_budget *b, uint64_t client)
{
	size_t i = b->nsites == 1 ? 0 : (size_t)(client / b->clients_a_site);

	st_assert_slow(i < b->nsites);
	return &b->site[i];
}

bool st_budget_take(struct st_budget *b, uint64_t client, st_time now, bool *turned)
{
	struct st_bucket *site = site_of(b, client);
	bool taken = b->kind->take(b, site, now);
	bool open = !taken && b->cfg.on_empty == ST_BUDGET_OPEN;

	*turned = open != site->open;
	site->open = open;
	return taken;
}

bool st_budget_admits(struct st_budget *b, uint64_t client, st_time now, bool *closed)
{
	struct st_bucket *site = site_of(b, client);

	*closed = false;
	if (site->open && b->kind->ready(b, site, now)) {
		site->open = false;
		*closed = true;
	}
	return !site->open;
}

void st_budget_succeed(struct st_budget *b, uint64_t client, st_time now)
{
	b->kind->succeed(b, site_of(b, client), now);
}

/* --- parameters --------------------------------------------------------------------------------------------------- */

static const struct st_choice *kind_at(size_t i)
{
	const struct st_budget_kind *k = st_budget_kind_at(i);

	return k ? &k->choice : NULL;
}

static const struct st_choice *scope_at(size_t i)
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

#define FIELD(f) offsetof(struct st_budget_cfg, f)
#define ANY_KIND "token-bucket"

const struct st_param st_budget_params[] = {
    {.name = "kind", .type = &st_param_choice, .offset = FIELD(kind), .dflt = "off", .choices = kind_at,
        .help = "what bounds the sum of retries over a call site"},
    {.name = "scope", .type = &st_param_choice, .offset = FIELD(scope), .dflt = "group", .choices = scope_at,
        .kinds = ANY_KIND, .help = "which clients share one budget"},
    {.name = "site", .type = &st_param_count, .offset = FIELD(site), .dflt = "1", .min = 1, .max = 4e9,
        .kinds = ANY_KIND, .help = "clients a call site, for scope site"},
    {.name = "on_empty", .type = &st_param_choice, .offset = FIELD(on_empty), .dflt = "fail", .choices = empty_at,
        .kinds = ANY_KIND, .help = "what happens when it is used up"},
    {.name = "rate", .type = &st_param_rate, .offset = FIELD(rate_per_s), .dflt = "0/s", .max = 1e6,
        .kinds = "token-bucket", .help = "tokens that come in a second"},
    {.name = "burst", .type = &st_param_number, .offset = FIELD(burst), .min = 1, .max = 1e6,
        .kinds = "token-bucket", .help = "tokens it holds at most; it starts full"},
    {.name = "deposit", .type = &st_param_number, .offset = FIELD(deposit), .dflt = "0", .max = 1e6,
        .kinds = "token-bucket", .help = "tokens that each success brings"},
    {.name = NULL},
};
