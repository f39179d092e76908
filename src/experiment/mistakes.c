#include <config.h>

#include "experiment/mistakes.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"

static bool same_place(const struct st_place *a, const struct st_place *b)
{
	bool same_file = a->file == b->file || (a->file && b->file && strcmp(a->file, b->file) == 0);

	return same_file && a->line == b->line && a->column == b->column;
}

/* text is owned from now on. */
static void add(struct st_mistakes *m, struct st_mistake new)
{
	for (size_t i = 0; i < m->n; i++) {
		if (same_place(&m->at[i].place, &new.place) && strcmp(m->at[i].text, new.text) == 0) {
			free(new.text);
			return;
		}
	}
	m->at = st_grow(m->at, &m->cap, m->n + 1, sizeof *m->at);
	m->at[m->n++] = new;
}

int st_mistakes_add(struct st_mistakes *m, const struct st_place *place, const char *fmt, ...)
{
	struct st_text t = ST_TEXT_INIT;
	va_list ap;

	va_start(ap, fmt);
	st_text_addv(&t, fmt, ap);
	va_end(ap);
	add(m, (struct st_mistake){.place = *place, .text = t.s, .code = ST_EXIT_USER});
	return -1;
}

void st_mistakes_take(struct st_mistakes *m, const struct st_place *place, const char *file, struct st_err *e)
{
	size_t n = strlen(file);

	for (size_t i = 0; i < e->n; i++) {
		const char *s = e->message[i];
		bool bare = place->line == 0 && strncmp(s, file, n) == 0 && strncmp(s + n, ": ", 2) == 0;

		add(m, (struct st_mistake){*place, st_strdup(bare ? s + n + 2 : s), e->code, !bare});
	}
	st_err_release(e);
}

int st_mistakes_move(struct st_mistakes *from, struct st_mistakes *to)
{
	int any = from->n ? -1 : 0;

	for (size_t i = 0; i < from->n; i++)
		add(to, from->at[i]);
	free(from->at);
	*from = (struct st_mistakes)ST_MISTAKES_INIT;
	return any;
}

/* The command line comes after the file. */
static int rank(const struct st_place *p)
{
	return p->file && strncmp(p->file, "--", 2) == 0;
}

static bool is_before(const struct st_mistake *a, const struct st_mistake *b)
{
	if (rank(&a->place) != rank(&b->place))
		return rank(&a->place) < rank(&b->place);
	if (a->place.line != b->place.line)
		return a->place.line < b->place.line;
	return a->place.column < b->place.column;
}

int st_mistakes_tell(struct st_mistakes *m, struct st_err *e)
{
	int told = m->n ? -1 : 0;

	/* By insertion: it is stable, and the mistakes are few and nearly in order. */
	for (size_t i = 1; i < m->n; i++) {
		struct st_mistake x = m->at[i];
		size_t j = i;

		for (; j > 0 && is_before(&x, &m->at[j - 1]); j--)
			m->at[j] = m->at[j - 1];
		m->at[j] = x;
	}
	for (size_t i = 0; i < m->n; i++) {
		st_err_add(e, m->at[i].code, m->at[i].has_place ? NULL : &m->at[i].place, "%s", m->at[i].text);
		free(m->at[i].text);
	}
	free(m->at);
	*m = (struct st_mistakes)ST_MISTAKES_INIT;
	return told;
}
