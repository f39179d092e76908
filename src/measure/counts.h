#ifndef ST_MEASURE_COUNTS_H
#define ST_MEASURE_COUNTS_H
/*
 * counts.h - what the model counts, as plain numbers, and gauges that keep their own time integral.
 *
 * The model adds to these and reports nothing; series.h reads their differences when the clock passes a bin's edge.
 * Conservation, at every instant (st_counts_balance()):
 *   operations = successes + failures + open
 *   attempts   = answered (ok, error, rejected, limited, refused, reset) + timed_out + outrun + in flight
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/time.h"

/* Why an operation failed, in the order of the decision to retry. */
enum st_reason {
	ST_REASON_NOT_RETRYABLE,
	ST_REASON_ATTEMPTS,
	ST_REASON_DEADLINE,
	ST_REASON_HINT,
	ST_REASON_BREAKER,
	ST_REASON_BUDGET,
	ST_REASON_N
};

/* As failures_by_reason has it: "not_retryable". */
const char *st_reason_name(enum st_reason r);

/* What an attempt was answered with, as the client that still waits sees it. */
enum st_answer {
	ST_ANSWER_OK,
	ST_ANSWER_ERROR, /* a fault's status or a background error */
	ST_ANSWER_REJECTED, /* the overload answer */
	ST_ANSWER_LIMITED, /* the rate limit's answer */
	ST_ANSWER_REFUSED, /* a refused connection */
	ST_ANSWER_RESET, /* a connection that was lost */
	ST_ANSWER_N
};

/* One of these a group. Every member is a uint64_t, so that sums and differences are loops. */
struct st_counts {
	/* The client's side, when it happens there. */
	uint64_t operations, successes, failures[ST_REASON_N];
	uint64_t attempts, retried;          /* sent; of these retries */
	uint64_t answered[ST_ANSWER_N];      /* attempts answered while the client waited */
	uint64_t timed_out;                  /* attempts given up by the client: timeout or deadline */
	uint64_t outrun;                     /* attempts whose operation ended by another one, with hedging */
	uint64_t wasted;                     /* successful answers nobody waited for */
	uint64_t late;                       /* other answers nobody waited for */
	uint64_t denied;                     /* retries denied by the budget */
	/* The service's side, when an attempt arrives there: first + retries is the offered load. */
	uint64_t first, retries;
	uint64_t admitted, rejected, limited, refused, swallowed, errors;
	uint64_t started, queued_first;      /* requests that started service; of these, had to wait */
	uint64_t dropped;                    /* of the admitted: answered from the queue; rejected, refused or swallowed as well */
	uint64_t abandoned;                  /* of the admitted: discarded since their client had given up */
	uint64_t lost;                       /* of the admitted: gone with the service that went down */
};

enum { ST_COUNTS_N = sizeof(struct st_counts) / sizeof(uint64_t) };

/* sum += c, member by member. */
void st_counts_add(struct st_counts *sum, const struct st_counts *c);
/* a - b, member by member. */
struct st_counts st_counts_minus(const struct st_counts *a, const struct st_counts *b);
uint64_t st_counts_failed(const struct st_counts *c);
uint64_t st_counts_answered(const struct st_counts *c);
/* Whether the two laws hold with this many operations open and attempts in flight. */
bool st_counts_balance(const struct st_counts *c, uint64_t open, uint64_t in_flight);

/*
 * A quantity over time. Its integral from 0 to t is value x t less the sum of time x change over the changes: so a
 * change costs two additions and no multiplication.
 */
struct st_gauge {
	int64_t value, max;  /* max since st_gauge_rebase() */
	__int128 moment;     /* sum of time x change, ns */
};

/* change is +1 or -1 nearly always, and a constant to the compiler. */
static inline void st_gauge_add(struct st_gauge *g, st_time now, int64_t change)
{
	g->moment += (__int128)now * change;
	g->value += change;
	if (g->value > g->max)
		g->max = g->value;
}

/* The integral from 0 to now; now is not before the last change. */
static inline __int128 st_gauge_read(const struct st_gauge *g, st_time now)
{
	return (__int128)g->value * now - g->moment;
}

/* The maximum begins afresh at the present value. */
void st_gauge_rebase(struct st_gauge *g);

#endif
