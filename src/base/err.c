#include <config.h>

#include "base/err.h"

#include <stdarg.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/text.h"

enum { HEAD = 1500, TAIL = 400 }; /* bytes of a message that are shown, if it is longer than both */

_Thread_local struct st_where st_where;

/* Where the character ends that has its byte s[n - 1]. */
static size_t whole(const char *s, size_t n)
{
	while (((unsigned char)s[n] & 0xc0) == 0x80)
		n++;
	return n;
}

static void add_printable(struct st_text *to, const char *s, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		unsigned char c = (unsigned char)s[i];

		if (c == '\n')
			st_text_add(to, "\\n");
		else if (c < ' ' || c == 0x7f)
			st_text_addf(to, "\\x%02x", c);
		else
			st_text_addn(to, &s[i], 1);
	}
}

/* The message as it is shown, owned; the text is released. */
static char *shown(struct st_text *t)
{
	bool is_long = t->len > HEAD + TAIL;
	size_t head = is_long ? whole(t->s, HEAD) : t->len, tail = is_long ? whole(t->s, t->len - TAIL) : t->len;
	struct st_text out = ST_TEXT_INIT;

	add_printable(&out, t->s, head);
	st_text_add(&out, is_long ? "..." : "");
	add_printable(&out, t->s + tail, t->len - tail);
	st_text_release(t);
	return out.s;
}

int st_err_add(struct st_err *e, enum st_exit code, const struct st_place *place, const char *fmt, ...)
{
	struct st_text t = ST_TEXT_INIT;
	va_list ap;

	if (place && place->line > 0)
		st_text_addf(&t, "%s:%d:%d: ", place->file, place->line, place->column);
	else if (place && place->file)
		st_text_addf(&t, "%s: ", place->file);
	if (e->about)
		st_text_addf(&t, "%s: ", e->about);
	va_start(ap, fmt);
	st_text_addv(&t, fmt, ap);
	va_end(ap);

	e->message = st_grow(e->message, &e->cap, e->n + 1, sizeof *e->message);
	e->message[e->n++] = shown(&t);
	if (code > e->code)
		e->code = code;
	return -1;
}

bool st_err_any(const struct st_err *e)
{
	return e->n > 0;
}

void st_err_print(const struct st_err *e, FILE *to)
{
	for (size_t i = 0; i < e->n; i++)
		fprintf(to, "stampede: %s\n", e->message[i]);
}

void st_err_release(struct st_err *e)
{
	for (size_t i = 0; i < e->n; i++)
		free(e->message[i]);
	free(e->message);
	*e = (struct st_err)ST_ERR_INIT;
}

struct st_place st_place_within(const struct st_place *p, size_t offset)
{
	return (struct st_place){.file = p->file, .line = p->line, .column = p->column > 0 ? p->column + (int)offset : p->column};
}

void st_where_print(FILE *to)
{
	if (st_where.now_ns)
		fprintf(to, "stampede: at %.9f s of simulated time, --seed %llu, replication %u\n", (double)*st_where.now_ns / 1e9,
		    st_where.seed, st_where.replication);
}

void st_assert_failed(const char *what, const char *file, int line)
{
	fflush(stdout);
	fprintf(stderr, "stampede: this is a bug of ours: %s:%d: '%s' does not hold\n", file, line, what);
	st_where_print(stderr);
	abort();
}
