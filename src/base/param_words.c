#include <config.h>

#include "base/param.h"

#include <stdlib.h>

#include "base/flow.h"
#include "base/mem.h"

/* The types of parameters that are words: a name of a table, a text. */

/* A name of a table */

static int read_choice(const struct st_param *p, const struct st_value *v, void *field, struct st_err *e)
{
	const char *s = st_param_scalar(p, v, e), *near = NULL;
	struct st_text t = ST_TEXT_INIT;

	if (!s)
		return -1;
	int i = st_choice_find(p->choices, s, &near);
	if (i >= 0) {
		*(unsigned *)field = (unsigned)i;
		return 0;
	}
	for (size_t k = 0; p->choices(k); k++) {
		st_text_addf(&t, "%s%s", k ? ", " : "", p->choices(k)->name);
		if (p->tells && !near)
			st_text_addf(&t, " (%s)", p->choices(k)->help);
	}
	if (near)
		st_text_addf(&t, "; got '%s' (did you mean '%s'?)", s, near);
	else
		st_text_addf(&t, "; got '%s'", s);
	st_err_add(e, ST_EXIT_USER, st_param_place(v, 0), "expects one of %s", t.s);
	st_text_release(&t);
	return -1;
}

static void print_choice(const struct st_param *p, const void *field, struct st_text *out)
{
	st_text_add(out, p->choices(*(const unsigned *)field)->name);
}

const struct st_param_type st_param_choice = {
    .name = "name",
    .expects = "a name",
    .size = sizeof(unsigned),
    .read = read_choice,
    .print = print_choice,
};

/* Text */

static void release_text(void *field)
{
	char **s = field;

	free(*s);
	*s = NULL;
}

static int read_text(const struct st_param *p, const struct st_value *v, void *field, struct st_err *e)
{
	bool empty = !v->is_list && (v->n == 0 || *v->text[0] == '\0' || st_param_is_word(p, v->text[0]));
	const char *s = empty ? NULL : st_param_scalar(p, v, e);

	if (!s && !empty)
		return -1;
	release_text(field);
	*(char **)field = st_strdup(s);
	return 0;
}

static void print_text(const struct st_param *p, const void *field, struct st_text *out)
{
	const char *s = *(char *const *)field;

	if (s || !p->word)
		st_flow_quote(s ? s : "", out);
	else
		st_text_add(out, p->word);
}

const struct st_param_type st_param_text = {
    .name = "text",
    .expects = "a text",
    .size = sizeof(char *),
    .read = read_text,
    .print = print_text,
    .release = release_text,
};
