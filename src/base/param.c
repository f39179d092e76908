#include <config.h>

#include "base/param.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/flow.h"
#include "base/mem.h"

int st_param_read_text(
    const struct st_param *p, const char *text, const struct st_place *place, void *cfg, struct st_err *e)
{
	struct st_flow flow;
	const char *why = st_flow_read(text, &flow);

	if (why)
		return st_err_add(e, ST_EXIT_USER, place, "%s: cannot read '%s': %s", p->name, text, why);
	struct st_place *places = st_calloc(flow.n + 1, sizeof *places);
	for (size_t i = 0; place && i <= flow.n; i++)
		places[i] = *place;
	struct st_value v = {(const char *const *)flow.item, places, flow.n, flow.is_list};
	int failed = st_param_read(p, &v, cfg, e);
	free(places);
	st_flow_release(&flow);
	return failed;
}

int st_param_read(const struct st_param *p, const struct st_value *v, void *cfg, struct st_err *e)
{
	const char *before = e->about;

	e->about = p->name;
	int failed = p->type->read(p, v, (char *)cfg + p->offset, e);
	e->about = before;
	return failed;
}

void st_param_default(const struct st_param *p, void *cfg)
{
	struct st_err e = ST_ERR_INIT;

	st_assert(p->dflt);
	if (st_param_read_text(p, p->dflt, &(struct st_place){"default", 0, 0}, cfg, &e)) {
		st_err_print(&e, stderr);
		st_assert(!"a default can be read");
	}
}

void st_param_print(const struct st_param *p, const void *cfg, struct st_text *out)
{
	p->type->print(p, (const char *)cfg + p->offset, out);
}

bool st_param_applies(const struct st_param *p, const char *kind)
{
	size_t length = kind ? strlen(kind) : 0;

	if (!p->kinds)
		return true;
	for (const char *s = p->kinds; kind && *s; s += strspn(s, " ")) {
		size_t n = strcspn(s, " ");

		if (n == length && memcmp(s, kind, n) == 0)
			return true;
		s += n;
	}
	return false;
}

void st_param_release(const struct st_param *p, void *cfg)
{
	if (p->type->release)
		p->type->release((char *)cfg + p->offset);
}

const struct st_place *st_param_place(const struct st_value *v, size_t i)
{
	return v->place ? &v->place[i < v->n ? i : 0] : NULL;
}

int st_param_expects_word(const struct st_param *p, const struct st_value *v, size_t i, const char *const *words, size_t n,
    const char *why, struct st_err *e)
{
	struct st_text t = ST_TEXT_INIT;
	const char *near = NULL;

	st_text_addf(&t, "expects %s", p->type->expects);
	if (p->word)
		st_text_addf(&t, ", or '%s'", p->word);
	if (i < v->n && *v->text[i]) {
		st_text_addf(&t, "; got '%s'", v->text[i]);
		near = st_text_nearest(v->text[i], words, n);
		if (!near && p->word)
			near = st_text_nearest(v->text[i], &p->word, 1);
	} else {
		st_text_addf(&t, "; got %s", v->is_list && i >= v->n ? "a list" : "nothing");
	}
	if (near)
		st_text_addf(&t, " (did you mean '%s'?)", near);
	else if (why)
		st_text_addf(&t, " (%s)", why);
	st_err_add(e, ST_EXIT_USER, st_param_place(v, i), "%s", t.s);
	st_text_release(&t);
	return -1;
}

int st_param_expects(
    const struct st_param *p, const struct st_value *v, size_t i, const char *why, struct st_err *e)
{
	return st_param_expects_word(p, v, i, NULL, 0, why, e);
}

const char *st_param_scalar(const struct st_param *p, const struct st_value *v, struct st_err *e)
{
	if (!v->is_list && v->n == 1 && *v->text[0])
		return v->text[0];
	st_param_expects(p, v, v->is_list ? v->n : 0, NULL, e);
	return NULL;
}

bool st_param_is_word(const struct st_param *p, const char *s)
{
	return p->word && strcmp(s, p->word) == 0;
}

int st_param_in_bounds(const struct st_param *p, const struct st_value *v, size_t i, double x, st_param_write write,
    struct st_err *e)
{
	bool none = p->min == 0.0 && p->max == 0.0;
	bool has_max = p->max >= p->min && !isinf(p->max), has_min = !isinf(p->min);
	struct st_text t = ST_TEXT_INIT;

	if (none || (x >= p->min && (!has_max || x <= p->max)))
		return 0;
	st_text_addf(&t, "must be %s ", !has_max ? "at least" : has_min ? "between" : "at most");
	if (has_min)
		write(p->min, &t);
	if (has_min && has_max)
		st_text_add(&t, " and ");
	if (has_max)
		write(p->max, &t);
	st_err_add(e, ST_EXIT_USER, st_param_place(v, i), "%s; got '%s'", t.s, v->text[i]);
	st_text_release(&t);
	return -1;
}

int st_choice_find(st_choice_at choices, const char *name, const char **near)
{
	const char *names[64];
	size_t n = 0;

	for (; choices(n); n++) {
		if (strcmp(choices(n)->name, name) == 0)
			return (int)n;
		st_assert(n < sizeof names / sizeof *names);
		names[n] = choices(n)->name;
	}
	if (near)
		*near = st_text_nearest(name, names, n);
	return -1;
}
