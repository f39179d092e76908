#include <config.h>

#include "measure/counts.h"

/* The array form of the struct: what makes a new counter part of every sum and difference. */
union as_array {
	struct st_counts counts;
	uint64_t at[ST_COUNTS_N];
};

_Static_assert(sizeof(union as_array) == sizeof(struct st_counts), "every member is a uint64_t");

const char *st_reason_name(enum st_reason r)
{
	static const char *const names[ST_REASON_N] = {"not_retryable", "attempts", "deadline", "hint", "breaker", "budget"};

	return names[r];
}

void st_counts_add(struct st_counts *sum, const struct st_counts *c)
{
	union as_array s = {.counts = *sum}, more = {.counts = *c};

	for (size_t i = 0; i < ST_COUNTS_N; i++)
		s.at[i] += more.at[i];
	*sum = s.counts;
}

struct st_counts st_counts_minus(const struct st_counts *a, const struct st_counts *b)
{
	union as_array d = {.counts = *a}, less = {.counts = *b};

	for (size_t i = 0; i < ST_COUNTS_N; i++)
		d.at[i] -= less.at[i];
	return d.counts;
}

uint64_t st_counts_failed(const struct st_counts *c)
{
	uint64_t n = 0;

	for (int r = 0; r < ST_REASON_N; r++)
		n += c->failures[r];
	return n;
}

uint64_t st_counts_answered(const struct st_counts *c)
{
	uint64_t n = 0;

	for (int a = 0; a < ST_ANSWER_N; a++)
		n += c->answered[a];
	return n;
}

bool st_counts_balance(const struct st_counts *c, uint64_t open, uint64_t in_flight)
{
	return c->operations == c->successes + st_counts_failed(c) + open &&
	       c->attempts == st_counts_answered(c) + c->timed_out + c->outrun + in_flight;
}

void st_gauge_rebase(struct st_gauge *g)
{
	g->max = g->value;
}
