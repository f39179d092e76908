#include <config.h>

#include "model/breaker.h"

#include <math.h>
#include <stdlib.h>

#include "base/err.h"
#include "base/mem.h"
#include "model/budget.h"

enum state { CLOSED, OPEN, HALF_OPEN };

struct site {
	st_time until;          /* open: its end */
	uint32_t sent, ended, failed; /* half-open: of the probes */
	uint8_t state, era;     /* era: one more at each change */
	int64_t mem[];          /* the kind's */
};
_Static_assert(sizeof(struct site) == 24, "the header says so");

/* --- the kinds -------------------------------------------------------------------------------------------------------- */

static size_t streak_init(struct st_breaker *b)
{
	(void)b;
	return sizeof(int64_t);
}

static bool streak_trips(const struct st_breaker *b, void *mem, st_time now, bool failed)
{
	int64_t *streak = mem;

	(void)now;
	*streak = failed ? *streak + 1 : 0;
	return (uint64_t)*streak >= b->cfg.failures;
}

static void streak_clear(const struct st_breaker *b, void *mem, st_time now)
{
	(void)b;
	(void)now;
	*(int64_t *)mem = 0;
}

/* Shares are written with few digits: 0.1 of 30 is 3. */
static bool is_too_much(const struct st_breaker *b, uint64_t calls, uint64_t failures)
{
	return calls >= b->cfg.min_calls && (double)failures >= b->cfg.ratio * (double)calls - 1e-9;
}

/* The last calls, a bit each: 1 is a failure. */
struct last {
	uint32_t calls, failures, next;
	uint32_t bits[];
};

static size_t count_init(struct st_breaker *b)
{
	/* A minimum beyond the window would never be reached: the window is then what counts. */
	if (b->cfg.min_calls > b->cfg.calls)
		b->cfg.min_calls = b->cfg.calls;
	return sizeof(struct last) + (size_t)(b->cfg.calls + 31) / 32 * sizeof(uint32_t);
}

static bool count_trips(const struct st_breaker *b, void *mem, st_time now, bool failed)
{
	struct last *l = mem;
	uint32_t *word = &l->bits[l->next / 32], bit = UINT32_C(1) << l->next % 32;

	(void)now;
	if (l->calls < b->cfg.calls)
		l->calls++;
	else
		l->failures -= (*word & bit) != 0;
	*word = failed ? *word | bit : *word & ~bit;
	l->failures += failed;
	l->next = l->next + 1 < b->cfg.calls ? l->next + 1 : 0;
	return is_too_much(b, l->calls, l->failures);
}

static void count_clear(const struct st_breaker *b, void *mem, st_time now)
{
	(void)b;
	(void)now;
	*(struct last *)mem = (struct last){0};
}

enum { TIME_SLICES = 10, CALLS = 0, FAILURES = 1 };

static size_t time_init(struct st_breaker *b)
{
	b->ring = st_ring_of(b->cfg.span, TIME_SLICES, 2);
	return st_ring_words(&b->ring) * sizeof(int64_t);
}

static bool time_trips(const struct st_breaker *b, void *mem, st_time now, bool failed)
{
	st_ring_add(&b->ring, mem, now, CALLS, 1);
	st_ring_add(&b->ring, mem, now, FAILURES, failed);
	const int64_t *sum = st_ring_sums(&b->ring, mem, now);

	return is_too_much(b, (uint64_t)sum[CALLS], (uint64_t)sum[FAILURES]);
}

static void time_clear(const struct st_breaker *b, void *mem, st_time now)
{
	st_ring_clear(&b->ring, mem, now);
}

static const struct st_breaker_kind kinds[] = {
    {{"off", "no breaker"}, NULL, NULL, NULL},
    {{"consecutive", "opens after so many failures in a row"}, streak_init, streak_trips, streak_clear},
    {{"count", "opens at a share of failures among the last calls (resilience4j)"}, count_init, count_trips, count_clear},
    {{"time", "opens at a share of failures within a span of time (Hystrix, Polly)"}, time_init, time_trips, time_clear},
};

/* --- every breaker ---------------------------------------------------------------------------------------------------- */

void st_breaker_init(struct st_breaker *b, const struct st_breaker_cfg *cfg, uint64_t clients)
{
	*b = (struct st_breaker){.cfg = *cfg, .kind = &kinds[cfg->kind]};
	if (!st_breaker_is_on(b))
		return;
	b->clients_a_site = st_budget_clients_a_site(cfg->scope, cfg->site, clients);
	b->nsites = (size_t)((clients + b->clients_a_site - 1) / b->clients_a_site);
	b->site_size = (sizeof(struct site) + b->kind->init(b) + 7) / 8 * 8;
	b->sites = st_calloc(b->nsites, b->site_size);
	/* With a ratio it opens again as the window would: at that share of the probes. */
	if (b->kind->trips != streak_trips && cfg->probes != ST_UNLIMITED) {
		double opens = ceil(cfg->ratio * (double)cfg->probes - 1e-9);

		b->may_fail = opens > 1.0 ? (uint64_t)opens - 1 : 0;
	}
}

void st_breaker_release(struct st_breaker *b)
{
	free(b->sites);
	b->sites = NULL;
}

static struct site *site_of(const struct st_breaker *b, uint64_t client)
{
	return (struct site *)(void *)(b->sites + b->site_size * st_budget_site_of(b->nsites, b->clients_a_site, client));
}

bool st_breaker_blocks(const struct st_breaker *b, uint64_t client, st_time at)
{
	const struct site *s = site_of(b, client);

	return s->state == OPEN && at < s->until;
}

static bool would_admit(const struct st_breaker *b, const struct site *s, st_time now)
{
	return s->state == CLOSED || (s->state == OPEN ? now >= s->until : s->sent < b->cfg.probes);
}

bool st_breaker_would_admit(const struct st_breaker *b, uint64_t client, st_time now)
{
	return would_admit(b, site_of(b, client), now);
}

static void change(struct site *s, enum state to)
{
	s->state = (uint8_t)to;
	s->era++;
	s->sent = s->ended = s->failed = 0;
}

bool st_breaker_admit(struct st_breaker *b, uint64_t client, st_time now, uint8_t *era)
{
	struct site *s = site_of(b, client);

	if (!would_admit(b, s, now))
		return false;
	if (s->state == OPEN)
		change(s, HALF_OPEN);
	s->sent += s->state == HALF_OPEN;
	*era = s->era;
	return true;
}

static void open(const struct st_breaker *b, struct site *s, st_time now)
{
	change(s, OPEN);
	s->until = b->cfg.open_for < ST_TIME_MAX - now ? now + b->cfg.open_for : ST_TIME_MAX;
}

void st_breaker_forget(struct st_breaker *b, uint64_t client, uint8_t era)
{
	struct site *s = site_of(b, client);

	if (era == s->era && s->state == HALF_OPEN)
		s->sent--;
}

int st_breaker_ended(struct st_breaker *b, uint64_t client, st_time now, uint8_t era, bool failed)
{
	struct site *s = site_of(b, client);

	if (era != s->era || s->state == OPEN)
		return 0;
	if (s->state == CLOSED) {
		if (!b->kind->trips(b, s->mem, now, failed))
			return 0;
		open(b, s, now);
		return 1;
	}
	s->ended++;
	s->failed += failed;
	if (s->failed > b->may_fail) {
		open(b, s, now);
	} else if (s->ended >= b->cfg.probes || b->cfg.probes == ST_UNLIMITED) {
		change(s, CLOSED);
		b->kind->clear(b, s->mem, now);
		return -1;
	}
	return 0;
}

/* --- parameters ------------------------------------------------------------------------------------------------------- */

static const struct st_choice *kind_at(size_t i)
{
	return i < sizeof kinds / sizeof *kinds ? &kinds[i].choice : NULL;
}

#define FIELD(f) offsetof(struct st_breaker_cfg, f)
#define ANY_KIND "consecutive count time"

const struct st_param st_breaker_params[] = {
    {.name = "kind", .type = &st_param_choice, .offset = FIELD(kind), .dflt = "off", .choices = kind_at,
        .help = "what stops all sends of a call site for a while"},
    {.name = "scope", .type = &st_param_choice, .offset = FIELD(scope), .dflt = "group", .choices = st_budget_scope_at,
        .kinds = ANY_KIND, .help = "which clients share one breaker"},
    {.name = "site", .type = &st_param_count, .offset = FIELD(site), .dflt = "1", .min = 1, .max = 4e9,
        .kinds = "site", .kinds_of = "scope", .help = "clients a call site"},
    {.name = "failures", .type = &st_param_count, .offset = FIELD(failures), .dflt = "5", .min = 1, .max = 4e9,
        .kinds = "consecutive", .help = "failures in a row that open it"},
    {.name = "ratio", .type = &st_param_share, .offset = FIELD(ratio), .dflt = "50%", .kinds = "count time",
        .help = "share of failures that opens it"},
    {.name = "calls", .type = &st_param_count, .offset = FIELD(calls), .dflt = "100", .min = 1, .max = 1e6, .kinds = "count",
        .help = "so many last calls are looked at"},
    {.name = "span", .type = &st_param_time, .offset = FIELD(span), .dflt = "10s", .min = 1e-9, .max = 86400, .kinds = "time",
        .help = "calls of so long are looked at"},
    {.name = "min_calls", .type = &st_param_count, .offset = FIELD(min_calls), .dflt = "20", .min = 1, .max = 4e9,
        .kinds = "count time", .help = "with fewer calls it stays closed"},
    {.name = "open_for", .type = &st_param_time, .offset = FIELD(open_for), .dflt = "5s", .kinds = ANY_KIND,
        .help = "how long it is open before it lets probes through"},
    {.name = "probes", .type = &st_param_count, .offset = FIELD(probes), .dflt = "1", .min = 1, .max = 4e9, .word = "unlimited",
        .kinds = ANY_KIND, .help = "sends that it lets through half-open, to find out"},
    {.name = NULL},
};
