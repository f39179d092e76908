#include <config.h>

#include "base/text.h"

#include <ctype.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

static char *room(struct st_text *t, size_t n)
{
	t->s = st_grow(t->s, &t->cap, t->len + n + 1, 1);
	return t->s + t->len;
}

void st_text_addn(struct st_text *t, const char *s, size_t n)
{
	char *to = room(t, n);

	memcpy(to, s, n);
	to[n] = '\0';
	t->len += n;
}

void st_text_add(struct st_text *t, const char *s)
{
	st_text_addn(t, s, strlen(s));
}

void st_text_addv(struct st_text *t, const char *fmt, va_list ap)
{
	va_list again;

	va_copy(again, ap);
	size_t n = (size_t)vsnprintf(NULL, 0, fmt, again);
	va_end(again);
	vsnprintf(room(t, n), n + 1, fmt, ap);
	t->len += n;
}

void st_text_addf(struct st_text *t, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	st_text_addv(t, fmt, ap);
	va_end(ap);
}

void st_text_wrap(struct st_text *t, size_t from, size_t columns)
{
	while (t->len - from > columns) {
		size_t at = from + columns;
		while (at > from && (t->s[at] != ' ' || t->s[at + 1] == '%')) /* "98 %" stays whole */
			at--;
		if (at == from)
			return;
		t->s[at] = '\n';
		from = at + 1;
	}
}

void st_text_paragraph(struct st_text *t)
{
	if (t->len > 0 && t->s[t->len - 1] != '\n')
		st_text_add(t, "\n");
	if (t->len > 1 && t->s[t->len - 2] != '\n')
		st_text_add(t, "\n");
}

void st_text_release(struct st_text *t)
{
	free(t->s);
	*t = (struct st_text)ST_TEXT_INIT;
}

void st_text_add_double(struct st_text *t, double x)
{
	char buf[32];

	if (isnan(x))
		return;
	/* 15 digits are enough for most numbers that a person wrote, 17 for every one. */
	for (int digits = 15; digits <= 17; digits++) {
		snprintf(buf, sizeof buf, "%.*g", digits, x);
		if (strtod(buf, NULL) == x)
			break;
	}
	st_text_add(t, buf);
}

/* The digits of n before `end`, with a point before the last `decimals` of them. Returns where they begin. */
static char *put_digits(char *end, uint64_t n, int decimals)
{
	for (int i = 0; i < decimals || n > 0 || i == 0; n /= 10) {
		*--end = (char)('0' + n % 10);
		if (++i == decimals) {
			*--end = '.';
			if (n < 10)
				*--end = '0';
		}
	}
	return end;
}

/* What printf() does with multiple-precision numbers fits a 64-bit integer here, but for the very large and small. */
void st_text_add_mean(struct st_text *t, double x)
{
	static const double power[] = {1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13};
	double size = fabs(x);
	char buf[32], *end = buf + sizeof buf;
	int decimals = 9;

	if (isnan(x))
		return;
	if (x != 0.0 && !(size >= 1e-4 && size < 1e9)) {
		snprintf(buf, sizeof buf, "%.10g", x);
		st_text_add(t, buf);
		return;
	}
	while (decimals > 0 && size >= power[10 - decimals])
		decimals--;
	while (x != 0.0 && decimals < 13 && size < power[9] / power[decimals])
		decimals++;
	uint64_t n = (uint64_t)(size * power[decimals] + 0.5);
	for (; decimals > 0 && n % 10 == 0; decimals--)
		n /= 10;
	char *begin = put_digits(end, n, decimals);
	if (x < 0.0)
		*--begin = '-';
	st_text_addn(t, begin, (size_t)(end - begin));
}

void st_text_add_word(struct st_text *t, const char *s)
{
	if (*s && !s[strcspn(s, " \t\n'\"{}[]()*?$&|;<>#~`!\\,")]) {
		st_text_add(t, s);
		return;
	}
	st_text_add(t, "'");
	for (; *s; s++) {
		if (*s == '\'')
			st_text_add(t, "'\\''");
		else
			st_text_addn(t, s, 1);
	}
	st_text_add(t, "'");
}

const char *st_text_last_part(const char *path)
{
	const char *dot = strrchr(path, '.');

	return dot ? dot + 1 : path;
}

const char *st_text_read_double(const char *s, double *x)
{
	const char *digits = s + (*s == '-' || *s == '+');
	char *end;

	if (!isdigit((unsigned char)digits[*digits == '.']))
		return NULL;
	if (digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X')) {
		*x = 0.0; /* strtod() would read on */
		return digits + 1;
	}
	double read = strtod(s, &end);
	if (!isfinite(read))
		return NULL;
	*x = read;
	return end;
}

static size_t smaller(size_t a, size_t b)
{
	return a < b ? a : b;
}

enum { WORD_MAX = 63 };

/* Optimal string alignment: Levenshtein's distance with swaps of neighbours; SIZE_MAX for words too long to be keys. */
static size_t distance(const char *a, const char *b)
{
	size_t d[WORD_MAX + 1][WORD_MAX + 1];
	size_t n = strlen(a), m = strlen(b);

	if (n > WORD_MAX || m > WORD_MAX)
		return SIZE_MAX;
	for (size_t i = 0; i <= n; i++)
		d[i][0] = i;
	for (size_t j = 0; j <= m; j++)
		d[0][j] = j;
	for (size_t i = 1; i <= n; i++) {
		for (size_t j = 1; j <= m; j++) {
			size_t swap = d[i - 1][j - 1] + (a[i - 1] != b[j - 1]);

			d[i][j] = smaller(swap, smaller(d[i - 1][j], d[i][j - 1]) + 1);
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
				d[i][j] = smaller(d[i][j], d[i - 2][j - 2] + 1);
		}
	}
	return d[n][m];
}

const char *st_text_nearest(const char *word, const char *const *candidates, size_t n)
{
	size_t best = strlen(word) / 3 > 1 ? strlen(word) / 3 : 1;
	const char *found = NULL;

	for (size_t i = 0; i < n; i++) {
		size_t d = distance(word, candidates[i]);

		if (d < best || (d == best && !found)) {
			best = d;
			found = candidates[i];
		}
	}
	return found;
}
