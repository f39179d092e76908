#include <config.h>

#include "model/hedge.h"

#include <stdlib.h>

#include "base/err.h"
#include "base/mem.h"

/* --- when ------------------------------------------------------------------------------------------------------------- */

void st_hedge_init(struct st_hedge *h, const struct st_hedge_cfg *cfg)
{
	*h = (struct st_hedge){.cfg = *cfg};
	if (cfg->after.quantile > 0.0) {
		h->seen = st_malloc(sizeof *h->seen);
		st_hist_init(h->seen);
	}
}

void st_hedge_release(struct st_hedge *h)
{
	free(h->seen);
	h->seen = NULL;
}

st_time st_hedge_delay(const struct st_hedge *h)
{
	if (!h->seen)
		return h->cfg.after.delay;
	if (h->seen->n < h->cfg.min_seen)
		return ST_NEVER;
	st_time last = st_hist_last(h->bucket);

	return last < h->seen->max ? last : h->seen->max;
}

/* The bucket of the quantile is never far from where it was one success ago. */
void st_hedge_saw(struct st_hedge *h, st_time latency)
{
	struct st_hist *seen = h->seen;

	if (!seen)
		return;
	st_hist_add(seen, latency);
	h->below += st_hist_bucket(latency) < h->bucket;
	uint64_t rank = st_hist_rank(h->cfg.after.quantile, seen->n);

	while (h->below >= rank)
		h->below -= seen->count[--h->bucket];
	while (h->below + seen->count[h->bucket] < rank)
		h->below += seen->count[h->bucket++];
}

/* --- attempts under way ------------------------------------------------------------------------------------------------- */

void st_flights_make_room(struct st_flights *f, size_t callers)
{
	f->of = st_grow_huge(f->of, &f->of_cap, callers, sizeof *f->of);
	f->flight = st_grow_huge(f->flight, &f->flight_cap, callers * f->width, sizeof *f->flight);
	while (f->n < callers)
		f->of[f->n++] = (struct st_airspace){0};
}

void st_flights_release(struct st_flights *f)
{
	free(f->of);
	free(f->flight);
}

struct st_flight *st_flights_begin(struct st_flights *f, uint32_t who, uint32_t attempt, st_time now)
{
	struct st_airspace *a = &f->of[who];
	struct st_flight *flight = &f->flight[who * f->width + a->n];

	st_assert_slow(a->n < f->width);
	if (a->n++ == 0)
		a->since = now;
	a->attempts = attempt;
	*flight = (struct st_flight){.tag = a->tags++, .attempt = attempt};
	return flight;
}

struct st_flight *st_flights_find(const struct st_flights *f, uint32_t who, uint32_t tag, uint32_t mask)
{
	struct st_flight *flight = &f->flight[who * f->width];

	for (uint32_t i = 0; i < f->of[who].n; i++)
		if (((flight[i].tag ^ tag) & mask) == 0)
			return &flight[i];
	return NULL;
}

void st_flights_end(struct st_flights *f, uint32_t who, struct st_flight *flight)
{
	*flight = f->flight[who * f->width + --f->of[who].n];
}

/* --- parameters --------------------------------------------------------------------------------------------------------- */

/* p95, p99.9: 0 for what is none. */
static double quantile_of(const char *s)
{
	const char *end = *s == 'p' ? s + 1 : NULL;
	double percent = 0.0;

	end = end ? st_text_read_double(end, &percent) : NULL;
	return end && !*end && percent > 0.0 && percent < 100.0 ? percent / 100.0 : 0.0;
}

static int after_read(const struct st_param *p, const struct st_value *v, void *field, struct st_err *e)
{
	struct st_hedge_after after = {.delay = ST_NEVER};
	const char *s = st_param_scalar(p, v, e), *why = NULL;

	if (!s)
		return -1;
	after.quantile = quantile_of(s);
	if (!(after.quantile > 0.0) && !st_param_is_word(p, s)) {
		why = *s == 'p' ? "a quantile is above p0 and below p100" : st_time_parse(s, &after.delay);
		if (!why && after.delay == 0)
			why = "it must be longer than 0";
	}
	if (why)
		return st_param_expects(p, v, 0, why, e);
	*(struct st_hedge_after *)field = after;
	return 0;
}

static void after_print(const struct st_param *p, const void *field, struct st_text *out)
{
	const struct st_hedge_after *after = field;
	char buf[ST_TIME_TEXT];

	if (after->quantile > 0.0)
		st_text_addf(out, "p%.15g", after->quantile * 100.0);
	else
		st_text_add(out, after->delay == ST_NEVER ? p->word : st_time_format(after->delay, buf));
}

static const struct st_param_type after_type = {
    .name = "hedging delay",
    .expects = "a duration such as 50ms or a quantile such as p95",
    .size = sizeof(struct st_hedge_after),
    .read = after_read,
    .print = after_print,
};

#define FIELD(f) offsetof(struct st_hedge_cfg, f)

const struct st_param st_hedge_params[] = {
    {.name = "after", .type = &after_type, .offset = FIELD(after), .dflt = "off", .word = "off",
        .help = "how long after a send that is not answered another attempt goes out beside it"},
    {.name = "in_flight", .type = &st_param_count, .offset = FIELD(in_flight), .dflt = "2", .min = 2, .max = 16,
        .help = "attempts of an operation under way at a time, with the first"},
    {.name = "min_seen", .type = &st_param_count, .offset = FIELD(min_seen), .dflt = "100", .min = 1, .max = 4e9,
        .help = "successes that a quantile must be of; before there is no hedging"},
    {.name = NULL},
};
