#ifndef ST_EXPERIMENT_RANGE_H
#define ST_EXPERIMENT_RANGE_H
/*
 * range.h - values of an axis as people write many of them: "10..100 step 10", "100ms..2s step 100ms", "log 1..1e4 by 10".
 *
 * Form     [log] LOW..HIGH, then `step STEP` or, with log, `by FACTOR`. A number may carry k, M or G and a unit of time, a rate's
 *          or %; LOW and STEP without a unit have HIGH's. HIGH is a value where the steps meet it. Without step or
 *          factor it is an interval, to be sampled.
 * Values   exact, in decimals: multiples of a step, and powers of a whole factor. Those of another factor, and samples, have six
 *          digits. Each is written in the largest of the units of LOW, HIGH and STEP in which it is at least 1: 900ms, 1s.
 */
#include "base/text.h"
#include "experiment/mistakes.h"

enum { ST_RANGE_UNITS = 3, ST_RANGE_UNIT_TEXT = 8 };

struct st_range {
	bool is_log, is_interval;
	char family;              /* of units: 't' times, 'r' rates, '%', or 'n' none */
	struct st_range_unit {
		char text[ST_RANGE_UNIT_TEXT];
		int64_t factor;       /* of the family's smallest unit */
	} unit[ST_RANGE_UNITS];   /* that were written, the largest first */
	size_t nunits;
	unsigned decimals;        /* low, high and step are in 10^-decimals of the smallest unit */
	__int128 low, high, step;
	double by;
	size_t n;                 /* values; 0 of an interval */
};

/* Whether a text is meant as one: it begins with a number and two points, or with log and these. */
bool st_range_is(const char *text);

/* Read one; `what` begins the mistakes. 0, or -1 with a mistake. */
int st_range_read(const char *text, const char *what, const struct st_place *place, struct st_range *r, struct st_mistakes *m);

/* Add the i-th value's text. */
void st_range_value(const struct st_range *r, size_t i, struct st_text *out);

/* Add the text of the value at u, in [0, 1), of the way from low to high; a whole number, each equally often, if it must be. */
void st_range_sample(const struct st_range *r, double u, bool is_whole, struct st_text *out);

#endif
