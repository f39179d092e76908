#ifndef ST_BASE_TEXT_H
#define ST_BASE_TEXT_H
/*
 * text.h - a string that grows: files are built whole in memory, then written whole.
 *
 * Owns     its buffer; release with st_text_release(). s is always a C string once something was added.
 * Also     the few questions about words that several rooms ask: the nearest spelling, a number at the front of a word.
 */
#include <stdarg.h>
#include <stddef.h>

struct st_text {
	char *s; /* NULL while empty */
	size_t len, cap;
};

#define ST_TEXT_INIT {NULL, 0, 0}

/* Add a string, the first n bytes of one, what printf would print. Amortised O(length). */
void st_text_add(struct st_text *t, const char *s);
void st_text_addn(struct st_text *t, const char *s, size_t n);
void st_text_addf(struct st_text *t, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void st_text_addv(struct st_text *t, const char *fmt, va_list ap) __attribute__((format(printf, 2, 0)));
void st_text_release(struct st_text *t);

/* Add the shortest decimal that reads back to the same double; NAN adds nothing ("absent"), as CSV wants it. */
void st_text_add_double(struct st_text *t, double x);

/* Break the line that begins at `from` at its blanks, so that none of its parts is longer than this, if it has any. */
void st_text_wrap(struct st_text *t, size_t from, size_t columns);

/* Begin a paragraph: end the last one's lines with a blank one, if they are not; of nothing begin with nothing. */
void st_text_paragraph(struct st_text *t);

/*
 * Add the number with ten significant digits at most, trailing zeros left out: what means and bands are worth, at a tenth of
 * the cost. The last digit may be rounded the other way where the double is a hair from the middle. NAN adds nothing.
 */
void st_text_add_mean(struct st_text *t, double x);

/* Add s as one word for a shell: in single quotes where it would be taken for more than one, or expanded. */
void st_text_add_word(struct st_text *t, const char *s);

/* What stands after the last dot of a path, or all of it: "jitter" of "fleet.retry.backoff.jitter". Borrowed. */
const char *st_text_last_part(const char *path);

/*
 * Read the decimal number that s begins with ("2.5", "-1", "1e-3"; no blanks, no "inf", no hexadecimal). Returns what
 * follows it, or NULL if there is none or it is beyond every double.
 */
const char *st_text_read_double(const char *s, double *x);

/*
 * The candidate nearest to word by edit distance (insert, delete, replace, swap neighbours), if near enough to be a
 * likely slip (at most a third of its letters, at least one); else NULL. candidates holds n strings.
 */
const char *st_text_nearest(const char *word, const char *const *candidates, size_t n);

#endif
