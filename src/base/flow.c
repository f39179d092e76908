#include <config.h>

#include "base/flow.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

#define ALNUM "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

/* The byte that two hexadecimal digits say; 0, which no text holds, for anything else. */
static char byte_of(const char *digits)
{
	char two[] = {digits[0], digits[0] ? digits[1] : '\0', '\0'};

	return strspn(two, "0123456789abcdefABCDEF") == 2 ? (char)strtoul(two, NULL, 16) : '\0';
}

/* Copy what stands in double quotes at *s, which is left behind the closing one; NULL if there is none, or an escape that is none. */
static char *unquote(const char **s)
{
	struct st_text t = ST_TEXT_INIT;
	const char *at = *s + 1;

	st_text_add(&t, "");
	for (; *at && *at != '"'; at++) {
		char c = *at;

		if (c == '\\') {
			c = *++at;
			if (c == 'x' && byte_of(at + 1) != '\0') {
				c = byte_of(at + 1);
				at += 2;
			} else if (c == 'n' || c == 't') {
				c = c == 'n' ? '\n' : '\t';
			} else if (c != '"' && c != '\\') {
				break;
			}
		}
		st_text_addn(&t, &c, 1);
	}
	if (*at != '"') {
		st_text_release(&t);
		return NULL;
	}
	*s = at + 1;
	return t.s;
}

/* Copy the scalar at *s, which ends at one of `stop` or with the text; NULL if a quote is not closed. */
static char *take_scalar(const char **s, const char *stop)
{
	char *scalar;

	*s += strspn(*s, " \t");
	if (**s == '"') {
		scalar = unquote(s);
		*s += strspn(*s, " \t");
		return scalar;
	}
	size_t n = strcspn(*s, stop);
	const char *from = *s;
	*s += n;
	while (n > 0 && strchr(" \t", from[n - 1]))
		n--;
	return st_strndup(from, n);
}

static void add(struct st_flow *f, size_t *cap, char *item)
{
	f->item = st_grow(f->item, cap, f->n + 1, sizeof *f->item);
	f->item[f->n++] = item;
}

static const char *end_of_list(const char *s)
{
	if (*s != ']')
		return *s ? "',' or ']' is missing" : "']' is missing";
	return s[1 + strspn(s + 1, " \t")] ? "something follows the ']'" : NULL;
}

static const char *read_items(const char *text, struct st_flow *f)
{
	size_t cap = 0;
	const char *s = text + strspn(text, " \t");

	f->is_list = *s == '[';
	if (f->is_list) {
		s += 1 + strspn(s + 1, " \t");
		if (*s == ']')
			return end_of_list(s);
	}
	for (;;) {
		char *scalar = take_scalar(&s, f->is_list ? ",]" : "");

		if (!scalar)
			return "a quote is not closed, or holds a \\ that none of \", \\, n, t and xNN follow";
		add(f, &cap, scalar);
		if (!f->is_list || *s != ',')
			break;
		s++;
	}
	if (f->is_list)
		return end_of_list(s);
	return *s ? "something follows the quote" : NULL;
}

const char *st_flow_read(const char *text, struct st_flow *out)
{
	*out = (struct st_flow){NULL, 0, false};
	const char *why = read_items(text, out);

	if (why)
		st_flow_release(out);
	return why;
}

void st_flow_release(struct st_flow *f)
{
	for (size_t i = 0; i < f->n; i++)
		free(f->item[i]);
	free(f->item);
	*f = (struct st_flow){NULL, 0, false};
}

/* Whether YAML reads s, alone or in a flow list, as itself: stricter than YAML, for the sake of a short rule.
 */
static bool is_plain(const char *s)
{
	size_t n = strlen(s);

	if (n == 0 || s[n - 1] == ' ' || strspn(s, ALNUM " ._-/+%()<=>") < n)
		return false;
	return strspn(s, ALNUM "./_") > 0 || (*s == '-' && strspn(s + 1, ALNUM ".") > 0);
}

void st_flow_quote(const char *s, struct st_text *out)
{
	if (is_plain(s)) {
		st_text_add(out, s);
		return;
	}
	st_text_add(out, "\"");
	for (; *s; s++) {
		if (*s == '"' || *s == '\\')
			st_text_addf(out, "\\%c", *s);
		else if ((unsigned char)*s < ' ' || *s == 0x7f)
			st_text_addf(out, "\\x%02x", (unsigned)*s);
		else
			st_text_addn(out, s, 1);
	}
	st_text_add(out, "\"");
}
