#ifndef ST_BASE_DIST_H
#define ST_BASE_DIST_H
/*
 * dist.h - distributions of durations, by name.
 *
 * A distribution is words and values: "constant 5ms" (or just "5ms"), "exponential 20ms" (the mean), "lognormal 20ms
 * cv 0.5", gamma, weibull and pareto likewise (mean and cv = deviation / mean), "uniform 1ms 9ms", "normal 10ms sd 2ms"
 * (or cv; clipped at 0), "abs-normal 10ms sd 2ms" (|N|), "empirical FILE.csv" (one duration in seconds a line; every
 * line equally likely). One table of rows {name, help, syntax, functions} holds them all.
 *
 * Units    nanoseconds inside; draws are whole nanoseconds. The mean leaves the rounding out of account, and that a draw
 *          ends at ST_TIME_MAX.
 * Owns     the table of an empirical distribution; release with st_dist_release() (of all bits zero too).
 */
#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "base/rng.h"
#include "base/text.h"
#include "base/time.h"
#include "base/values.h"

struct st_dist;
struct st_dist_words; /* base/dist_words.h: what the user wrote, word by word */

/* One row of the table of distributions. */
struct st_dist_kind {
	const char *name;
	const char *help;    /* one line, no full stop */
	const char *syntax;  /* what follows the name: "MEAN cv CV"; another way to write it after " | " */
	const char *between; /* what print puts between first and second; NULL: there is no second */
	bool (*read)(struct st_dist *, struct st_dist_words *);  /* what follows the name; derives a and b */
	double (*draw)(const struct st_dist *, struct st_rng *); /* nanoseconds; st_dist_draw() makes less than 0 to 0 */
	double (*mean)(const struct st_dist *);                  /* nanoseconds, of what st_dist_draw() returns */
};

struct st_dist {
	const struct st_dist_kind *kind;
	double a, b;             /* the kind's own parameters, derived once from what the user wrote; see dist_kinds.c */
	st_time first, second;   /* as written: mean or low; high or deviation (0 where a cv was written) */
	double written_cv;       /* as written, 0 where none */
	char *file;              /* empirical: as written */
	struct st_values values; /* empirical: sorted */
	/* What is inlined on the hot path: */
	st_time fixed;       /* constant: the value; else -1 */
	double mean_if_exponential; /* ns; 0 for the other kinds */
};

/* The i-th kind, NULL past the last. */
const struct st_dist_kind *st_dist_kind_at(size_t i);

/* Always t; owns nothing. */
struct st_dist st_dist_constant(st_time t);

/*
 * Read a distribution. A relative file name of `empirical` is sought beside the file named by `place` (if that has
 * a directory). Returns 0, or -1 with a message at `place` added to e and *out = constant 0.
 */
int st_dist_parse(const char *text, const struct st_place *place, struct st_dist *out, struct st_err *e);

/* Add the text that st_dist_parse() reads back to the same distribution; a constant is its duration alone. */
void st_dist_print(const struct st_dist *d, struct st_text *out);

/* Mean, in seconds, of what st_dist_draw() returns. */
double st_dist_mean_s(const struct st_dist *d);

void st_dist_release(struct st_dist *d);

/* Internal to st_dist_draw(): the kinds that are not inlined. */
st_time st_dist_draw_slow(const struct st_dist *d, struct st_rng *r);

/* Draw a duration, at least 0. Constants do not touch the stream, so opening it is left to the caller. */
ST_RNG_INLINE st_time st_dist_draw(const struct st_dist *d, struct st_rng *r)
{
	if (d->fixed >= 0)
		return d->fixed;
	if (d->mean_if_exponential > 0.0)
		return st_time_from_ns(d->mean_if_exponential * st_rng_exponential(r));
	st_time t;
	ST_RNG_RARE(t, r, st_dist_draw_slow(d, &copy));
	return t;
}

#endif
