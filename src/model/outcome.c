#include <config.h>

#include "model/outcome.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

static const struct {
	const char *name;
	st_outcome first, last;
} names[] = {
    {"any", ST_OUTCOME_TIMEOUT, ST_OUTCOME_N - 1},
    {"4xx", ST_OUTCOME_STATUS + 300, ST_OUTCOME_STATUS + 399},
    {"5xx", ST_OUTCOME_STATUS + 400, ST_OUTCOME_STATUS + 499},
    {"timeout", ST_OUTCOME_TIMEOUT, ST_OUTCOME_TIMEOUT},
    {"refused", ST_OUTCOME_REFUSED, ST_OUTCOME_REFUSED},
    {"reset", ST_OUTCOME_RESET, ST_OUTCOME_RESET},
};
enum { NNAMES = sizeof names / sizeof *names };

unsigned st_outcome_parse_status(const char *text)
{
	if (strlen(text) != 3 || !isdigit((unsigned char)text[0]) || !isdigit((unsigned char)text[1]) ||
	    !isdigit((unsigned char)text[2]))
		return 0;
	unsigned status = (unsigned)((text[0] - '0') * 100 + (text[1] - '0') * 10 + (text[2] - '0'));
	return status >= 100 && status <= 599 ? status : 0;
}

const char *st_outcome_name(st_outcome o, char buf[8])
{
	for (int i = 0; i < NNAMES; i++)
		if (names[i].first == o && names[i].last == o)
			return names[i].name;
	if (o == ST_OUTCOME_OK)
		return "ok";
	snprintf(buf, 8, "%u", o - ST_OUTCOME_STATUS + 100);
	return buf;
}

static void set_range(struct st_conditions *c, st_outcome first, st_outcome last)
{
	for (st_outcome o = first; o <= last; o++)
		c->bit[o >> 6] |= UINT64_C(1) << (o & 63);
}

/* So many outcomes may be missing of a class that is still printed as the class without them. */
enum { FEW = 4 };

static bool has_range(const struct st_conditions *c, st_outcome first, st_outcome last)
{
	int missing = 0, few = last - first > 2 * FEW ? FEW : 0;

	for (st_outcome o = first; o <= last; o++)
		missing += !st_conditions_has(c, o);
	return missing <= few;
}

static bool set_named(struct st_conditions *c, const char *text)
{
	unsigned status = st_outcome_parse_status(text);

	if (status)
		set_range(c, st_outcome_status(status), st_outcome_status(status));
	for (int i = 0; !status && i < NNAMES; i++) {
		if (strcmp(text, names[i].name) == 0) {
			set_range(c, names[i].first, names[i].last);
			return true;
		}
	}
	return status != 0;
}

/* "5xx", or "-501", which takes away some of what stands before it; false if it names nothing, or takes nothing away. */
static bool add_named(struct st_conditions *c, const char *text)
{
	struct st_conditions these = {{0}};
	bool takes = *text == '-', changes = false;

	if (!set_named(&these, text + takes))
		return false;
	for (size_t i = 0; i < sizeof c->bit / sizeof *c->bit; i++) {
		changes |= (c->bit[i] & these.bit[i]) != 0;
		c->bit[i] = takes ? c->bit[i] & ~these.bit[i] : c->bit[i] | these.bit[i];
	}
	return changes || !takes;
}

static int conditions_read(const struct st_param *p, const struct st_value *v, void *field, struct st_err *e)
{
	struct st_conditions c = {{0}};
	size_t bad = 0;

	for (size_t i = 0; i < v->n; i++) {
		const char *known[NNAMES], *near;

		if (add_named(&c, v->text[i]))
			continue;
		bad++;
		for (int k = 0; k < NNAMES; k++)
			known[k] = names[k].name;
		near = st_text_nearest(v->text[i], known, NNAMES);
		if (near)
			st_err_add(e, ST_EXIT_USER, &v->place[i], "unknown condition '%s'; did you mean '%s'?", v->text[i], near);
		else
			st_param_expects(p, v, i, NULL, e);
	}
	if (bad)
		return -1;
	*(struct st_conditions *)field = c;
	return 0;
}

static void conditions_print(const struct st_param *p, const void *field, struct st_text *out)
{
	struct st_conditions left = *(const struct st_conditions *)field;
	const char *comma = "";
	char buf[8];

	(void)p;
	st_text_add(out, "[");
	for (int i = 0; i < NNAMES; i++) {
		if (!has_range(&left, names[i].first, names[i].last))
			continue;
		st_text_addf(out, "%s%s", comma, names[i].name);
		comma = ", ";
		for (st_outcome o = names[i].first; o <= names[i].last; o++) {
			if (!st_conditions_has(&left, o))
				st_text_addf(out, ", -%s", st_outcome_name(o, buf));
			left.bit[o >> 6] &= ~(UINT64_C(1) << (o & 63));
		}
	}
	for (st_outcome o = ST_OUTCOME_STATUS; o < ST_OUTCOME_N; o++) {
		if (!st_conditions_has(&left, o))
			continue;
		st_text_addf(out, "%s%s", comma, st_outcome_name(o, buf));
		comma = ", ";
	}
	st_text_add(out, "]");
}

const struct st_param_type st_param_conditions = {
    .name = "conditions",
    .expects = "a list of statuses (503), classes (5xx, 4xx), timeout, refused, reset, or any, less what has a minus (5xx, -501)",
    .size = sizeof(struct st_conditions),
    .read = conditions_read,
    .print = conditions_print,
};

static int status_read(const struct st_param *p, const struct st_value *v, void *field, struct st_err *e)
{
	const char *text = st_param_scalar(p, v, e);

	if (!text)
		return -1;
	unsigned status = st_outcome_parse_status(text);
	if (status < 400)
		return st_param_expects(p, v, 0, NULL, e);
	*(st_outcome *)field = st_outcome_status(status);
	return 0;
}

static void status_print(const struct st_param *p, const void *field, struct st_text *out)
{
	char buf[8];

	(void)p;
	st_text_add(out, st_outcome_name(*(const st_outcome *)field, buf));
}

const struct st_param_type st_param_status = {
    .name = "status",
    .expects = "a status from 400 to 599",
    .size = sizeof(st_outcome),
    .read = status_read,
    .print = status_print,
};

static int overload_read(const struct st_param *p, const struct st_value *v, void *field, struct st_err *e)
{
	static const char *const words[] = {"refuse", "drop"};
	const char *text = st_param_scalar(p, v, e);
	st_outcome *o = field;

	if (!text)
		return -1;
	unsigned status = st_outcome_parse_status(text);
	if (status >= 400)
		*o = st_outcome_status(status);
	else if (strcmp(text, "refuse") == 0)
		*o = ST_OUTCOME_REFUSED;
	else if (strcmp(text, "drop") == 0)
		*o = ST_OUTCOME_SILENCE;
	else
		return st_param_expects_word(p, v, 0, words, sizeof words / sizeof *words, NULL, e);
	return 0;
}

static void overload_print(const struct st_param *p, const void *field, struct st_text *out)
{
	st_outcome o = *(const st_outcome *)field;
	char buf[8];

	(void)p;
	if (o == ST_OUTCOME_REFUSED)
		st_text_add(out, "refuse");
	else
		st_text_add(out, o == ST_OUTCOME_SILENCE ? "drop" : st_outcome_name(o, buf));
}

const struct st_param_type st_param_overload = {
    .name = "answer",
    .expects = "a status from 400 to 599, refuse (a refused connection) or drop (silence)",
    .size = sizeof(st_outcome),
    .read = overload_read,
    .print = overload_print,
};
