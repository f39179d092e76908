#include <config.h>

#include "base/dist_words.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

#define CV_MIN 0.001
#define CV_MAX 100.0

#define BLANKS " \t"

/* How long s is without the blanks at its end. */
static size_t trimmed(const char *s)
{
	size_t n = strlen(s);

	while (n > 0 && strchr(BLANKS, s[n - 1]))
		n--;
	return n;
}

void st_dist_words_init(struct st_dist_words *w, const char *text, const struct st_place *place, struct st_err *e)
{
	char *save = NULL;

	*w = (struct st_dist_words){.place = place, .e = e};
	text += strspn(text, BLANKS);
	w->whole = st_strndup(text, trimmed(text));
	size_t name = strcspn(w->whole, BLANKS);
	w->name = st_strndup(w->whole, name);
	w->rest = w->whole + name + strspn(w->whole + name, BLANKS);
	w->cut = st_strdup(w->rest);
	for (char *s = strtok_r(w->cut, BLANKS, &save); s && w->n < ST_DIST_WORDS_MAX; s = strtok_r(NULL, BLANKS, &save))
		w->word[w->n++] = s;
}

void st_dist_words_release(struct st_dist_words *w)
{
	free(w->whole);
	free(w->name);
	free(w->cut);
	st_text_release(&w->why);
}

bool st_dist_words_wrong(struct st_dist_words *w, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	st_text_addv(&w->why, fmt, ap);
	va_end(ap);
	return false;
}

bool st_dist_words_next_is(const struct st_dist_words *w, const char *word)
{
	return w->next < w->n && strcmp(w->word[w->next], word) == 0;
}

bool st_dist_words_take(struct st_dist_words *w, const char *word)
{
	if (w->next == w->n)
		return st_dist_words_wrong(w, "'%s' is missing", word);
	if (!st_dist_words_next_is(w, word))
		return st_dist_words_wrong(w, "'%s' stands where '%s' belongs", w->word[w->next], word);
	w->next++;
	return true;
}

bool st_dist_words_take_time(struct st_dist_words *w, const char *what, st_time min, st_time *out)
{
	if (w->next == w->n)
		return st_dist_words_wrong(w, "%s is missing", what);
	const char *why = st_time_parse(w->word[w->next++], out);
	if (why)
		return st_dist_words_wrong(w, "%s: %s", what, why);
	if (*out < min)
		return st_dist_words_wrong(w, "%s must be above 0", what);
	return true;
}

bool st_dist_words_take_cv(struct st_dist_words *w, double *cv)
{
	if (w->next == w->n)
		return st_dist_words_wrong(w, "CV is missing");
	const char *end = st_text_read_double(w->word[w->next++], cv);
	if (!end || *end)
		return st_dist_words_wrong(w, "CV, the deviation / mean, is a number such as 0.5");
	if (!(*cv >= CV_MIN && *cv <= CV_MAX))
		return st_dist_words_wrong(w, "CV must be between %g and %g", CV_MIN, CV_MAX);
	return true;
}
