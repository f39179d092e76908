#ifndef ST_BASE_DIST_WORDS_H
#define ST_BASE_DIST_WORDS_H
/*
 * dist_words.h - the words of a distribution, taken one by one: for the kinds of base/dist.h alone.
 *
 * Each function that takes a word returns whether it was there and right; if not, it has noted what is wrong, and the kind
 * gives up. What is noted is told once, by st_dist_parse(), behind what the kind expects.
 *
 * Owns     copies of the text; the words point into them until st_dist_words_release().
 */
#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "base/text.h"
#include "base/time.h"

enum { ST_DIST_WORDS_MAX = 8 }; /* more than any kind takes: those behind them are not kept */

struct st_dist_words {
	const struct st_place *place;
	struct st_err *e;
	char *whole;      /* as the user wrote it, without the blanks around it */
	char *name;       /* its first word */
	const char *rest; /* what follows the name, as one: a file name may hold blanks */
	const char *word[ST_DIST_WORDS_MAX]; /* the same, word by word; the next to be taken is word[next] */
	size_t n, next;
	struct st_text why; /* what is wrong, if not told already */
	char *cut;          /* the memory of the words */
};

/* Cut a text into words. Messages go to e, at `place`; both are kept by their address. */
void st_dist_words_init(struct st_dist_words *w, const char *text, const struct st_place *place, struct st_err *e);
void st_dist_words_release(struct st_dist_words *w);

/* Note what is wrong. Returns false. */
bool __attribute__((format(printf, 2, 3))) st_dist_words_wrong(struct st_dist_words *w, const char *fmt, ...);

/* Whether the next word is this one; it is not taken. */
bool st_dist_words_next_is(const struct st_dist_words *w, const char *word);

/* Take this very word. */
bool st_dist_words_take(struct st_dist_words *w, const char *word);

/* Take a duration of at least `min`; `what` names it in messages: "MEAN". */
bool st_dist_words_take_time(struct st_dist_words *w, const char *what, st_time min, st_time *out);

/* Take a coefficient of variation, the deviation / mean: from 0.001 (below it a distribution is a constant in all but name) to 100 (above
 * it no run is long enough to see its mean). */
bool st_dist_words_take_cv(struct st_dist_words *w, double *cv);

#endif
