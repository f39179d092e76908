/*
 * The types that param.h names: each a reader, a printer and what they share; what holds for all is in param.c. The file is
 * long because it is one list: a type is found here or in the module whose values it reads.
 */
#include <config.h>

#include "base/param.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/dist.h"
#include "base/flow.h"
#include "base/mem.h"

static bool is_word(const struct st_param *p, const char *s)
{
	return p->word && strcmp(s, p->word) == 0;
}

/* Adds a number in a type's base unit, as the type writes it. */
typedef void (*write_fn)(double x, struct st_text *out);

/* 0, or -1 with a message if x, read from item i, is outside the row's bounds. */
static int in_bounds(
    const struct st_param *p, const struct st_value *v, size_t i, double x, write_fn write, struct st_err *e)
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

/* Durations */

static void write_seconds(double s, struct st_text *out)
{
	char buf[ST_TIME_TEXT];

	st_text_add(out, st_time_format(st_time_from_s(s), buf));
}

static int item_time(
    const struct st_param *p, const struct st_value *v, size_t i, st_time *out, struct st_err *e)
{
	const char *why = st_time_parse(v->text[i], out);

	if (why)
		return st_param_expects(p, v, i, why, e);
	return in_bounds(p, v, i, st_time_to_s(*out), write_seconds, e);
}

static int read_time(const struct st_param *p, const struct st_value *v, void *field, struct st_err *e)
{
	const char *s = st_param_scalar(p, v, e);
	st_time t = ST_NEVER;

	if (!s || (!is_word(p, s) && item_time(p, v, 0, &t, e)))
		return -1;
	*(st_time *)field = t;
	return 0;
}

static void print_time(const struct st_param *p, const void *field, struct st_text *out)
{
	char buf[ST_TIME_TEXT];
	st_time t = *(const st_time *)field;

	st_text_add(out, t == ST_NEVER && p->word ? p->word : st_time_format(t, buf));
}

static void release_times(void *field)
{
	struct st_times *times = field;

	free(times->at);
	*times = (struct st_times){NULL, 0};
}

static int read_times(const struct st_param *p, const struct st_value *v, void *field, struct st_err *e)
{
	struct st_times read = {st_calloc(v->n + 1, sizeof *read.at), v->n};
	int failed = 0;

	if (!v->is_list)
		failed = st_param_scalar(p, v, e) ? 0 : -1;
	for (size_t i = 0; i < v->n && (v->is_list || !failed); i++)
		failed |= item_time(p, v, i, &read.at[i], e);
	if (failed) {
		release_times(&read);
		return -1;
	}
	release_times(field);
	*(struct st_times *)field = read;
	return 0;
}

static void print_times(const struct st_param *p, const void *field, struct st_text *out)
{
	const struct st_times *times = field;

	st_text_add(out, times->n == 1 ? "" : "[");
	for (size_t i = 0; i < times->n; i++) {
		st_text_add(out, i ? ", " : "");
		print_time(p, &times->at[i], out);
	}
	st_text_add(out, times->n == 1 ? "" : "]");
}

/* Real numbers: rates, shares and plain ones */

/* The power of ten that k, M or G at *s stands for, which is left behind; 0 for anything else. */
static int suffix(const char **s)
{
	int power = **s == 'k' ? 3 : **s == 'M' ? 6 : **s == 'G' ? 9 : 0;

	*s += power > 0;
	return power;
}

static const char *parse_rate(const char *s, double *x)
{
	static const struct {
		const char *name;
		double seconds;
	} per[] = {
	    {"/s", 1.0    },
            {"/m", 60.0   },
            {"/h", 3600.0 },
            {"/d", 86400.0}
        };
	const double fastest = 1e9;
	const char *end = st_text_read_double(s, x);

	if (!end)
		return "not a number";
	if (*x < 0.0)
		return "a rate cannot be negative";
	*x *= pow(10.0, suffix(&end));
	if (*end == '\0' && *x > 0.0)
		return "a rate needs a unit: /s, /m, /h or /d";
	if (*end == '\0')
		return NULL;
	for (size_t i = 0; i < sizeof per / sizeof *per; i++) {
		if (strcmp(end, per[i].name) == 0) {
			*x /= per[i].seconds;
			return *x <= fastest ? NULL : "faster than one a nanosecond";
		}
	}
	return "unknown unit: a rate takes /s, /m, /h or /d";
}

static void write_rate(double x, struct st_text *out)
{
	st_text_add_double(out, x);
	st_text_add(out, "/s");
}

double st_param_percent(const char *digits, size_t n)
{
	char *hundredth = st_format("%.*se-2", (int)n, digits);
	double x = memchr(digits, 'e', n) || memchr(digits, 'E', n) ? strtod(digits, NULL) / 100.0
								    : strtod(hundredth, NULL);

	free(hundredth);
	return x;
}

static const char *parse_share(const char *s, double *x)
{
	const char *end = st_text_read_double(s, x);

	if (!end)
		return "not a number";
	if (strcmp(end, "%") == 0)
		*x = st_param_percent(s, (size_t)(end - s));
	else if (*end)
		return "a share is written 70% or 0.7";
	if (*x > 1.0 && *end == '\0')
		return "a share without % is at most 1";
	return *x >= 0.0 && *x <= 1.0 ? NULL : "a share is between 0% and 100%";
}

/* In percent where that reads back to the same double, which a number that a person wrote does. */
static void write_share(double x, struct st_text *out)
{
	char buf[40];

	for (int digits = 15; digits <= 17; digits++) {
		int n = snprintf(buf, sizeof buf, "%.*g", digits, x * 100.0);
		if (st_param_percent(buf, (size_t)n) == x) {
			st_text_addf(out, "%s%%", buf);
			return;
		}
	}
	st_text_add_double(out, x);
}

static const char *parse_number(const char *s, double *x)
{
	const char *end = st_text_read_double(s, x);

	return end && *end == '\0' ? NULL : "not a number";
}

static void write_number(double x, struct st_text *out)
{
	st_text_add_double(out, x);
}

static int read_real(const struct st_param *p, const struct st_value *v, void *field, struct st_err *e,
    const char *(*parse)(const char *, double *), write_fn write)
{
	const char *s = st_param_scalar(p, v, e), *why;
	double x = INFINITY;

	if (!s)
		return -1;
	if (!is_word(p, s)) {
		if ((why = parse(s, &x)))
			return st_param_expects(p, v, 0, why, e);
		if (in_bounds(p, v, 0, x, write, e))
			return -1;
	}
	*(double *)field = x + 0.0; /* -0 is 0 */
	return 0;
}

static void print_real(const struct st_param *p, const void *field, struct st_text *out, write_fn write)
{
	double x = *(const double *)field;

	if (isinf(x) && p->word)
		st_text_add(out, p->word);
	else
		write(x, out);
}

static int read_rate(const struct st_param *p, const struct st_value *v, void *field, struct st_err *e)
{
	return read_real(p, v, field, e, parse_rate, write_rate);
}

static void print_rate(const struct st_param *p, const void *field, struct st_text *out)
{
	print_real(p, field, out, write_rate);
}

static int read_share(const struct st_param *p, const struct st_value *v, void *field, struct st_err *e)
{
	return read_real(p, v, field, e, parse_share, write_share);
}

static void print_share(const struct st_param *p, const void *field, struct st_text *out)
{
	print_real(p, field, out, write_share);
}

static int read_number(const struct st_param *p, const struct st_value *v, void *field, struct st_err *e)
{
	return read_real(p, v, field, e, parse_number, write_number);
}

static void print_number(const struct st_param *p, const void *field, struct st_text *out)
{
	print_real(p, field, out, write_number);
}

/* Counts, exact: digits and a power of ten, never through a double */

#define COUNT_MAX UINT64_C(1000000000000000000)

/* Read digits and a point as whole * 10^power; returns what follows, or NULL if there is no digit. */
static const char *mantissa(const char *s, unsigned __int128 *whole, int *power)
{
	bool any = false, after = false;

	for (; isdigit((unsigned char)*s) || (*s == '.' && !after); s++) {
		if (*s == '.') {
			after = true;
			continue;
		}
		any = true;
		if (*whole <= COUNT_MAX)
			*whole = *whole * 10 + (unsigned)(*s - '0');
		*power -= after;
	}
	return any ? s : NULL;
}

/* Read k, M, G or an exponent of at most two digits, which is left behind. */
static int power_after(const char **s)
{
	int power = 0;

	if (**s != 'e' || !isdigit((unsigned char)(*s)[1]))
		return suffix(s);
	for (++*s; isdigit((unsigned char)**s) && power < 10; ++*s)
		power = power * 10 + (**s - '0');
	return power;
}

static const char *parse_count(const char *s, uint64_t *out)
{
	unsigned __int128 whole = 0;
	int power = 0;

	if (*s == '-')
		return "a count cannot be negative";
	if (!(s = mantissa(s, &whole, &power)))
		return "not a number";
	power += power_after(&s);
	if (*s)
		return "a count takes the suffixes k, M and G and no unit";
	for (; power < 0 && whole > 0; power++, whole /= 10)
		if (whole % 10 != 0)
			return "not a whole number";
	for (; power > 0 && whole > 0 && whole <= COUNT_MAX; power--)
		whole *= 10;
	*out = (uint64_t)whole;
	return whole <= COUNT_MAX ? NULL : "more than 1e18";
}

static void write_count(double x, struct st_text *out)
{
	st_text_addf(out, "%.0f", x);
}

static int read_count(const struct st_param *p, const struct st_value *v, void *field, struct st_err *e)
{
	const char *s = st_param_scalar(p, v, e), *why;
	uint64_t n = ST_UNLIMITED;

	if (!s)
		return -1;
	if (!is_word(p, s)) {
		if ((why = parse_count(s, &n)))
			return st_param_expects(p, v, 0, why, e);
		if (in_bounds(p, v, 0, (double)n, write_count, e))
			return -1;
	}
	*(uint64_t *)field = n;
	return 0;
}

static void print_count(const struct st_param *p, const void *field, struct st_text *out)
{
	uint64_t n = *(const uint64_t *)field;

	if (n == ST_UNLIMITED && p->word)
		st_text_add(out, p->word);
	else
		st_text_addf(out, "%llu", (unsigned long long)n);
}

/* Names of a table */

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

/* Distributions */

static char **file_of_dist(void *field)
{
	return &((struct st_dist *)field)->file;
}

static void release_dist(void *field)
{
	st_dist_release(field);
}

static int read_dist(const struct st_param *p, const struct st_value *v, void *field, struct st_err *e)
{
	const char *s = st_param_scalar(p, v, e);
	struct st_dist read = st_dist_constant(ST_NEVER);

	if (!s)
		return -1;
	if (!is_word(p, s)) {
		if (p->word && st_text_nearest(s, &p->word, 1))
			return st_param_expects(p, v, 0, NULL, e);
		if (st_dist_parse(s, st_param_place(v, 0), &read, e))
			return -1;
		if (in_bounds(p, v, 0, st_dist_mean_s(&read), write_seconds, e)) {
			st_dist_release(&read);
			return -1;
		}
	}
	st_dist_release(field);
	*(struct st_dist *)field = read;
	return 0;
}

static void print_dist(const struct st_param *p, const void *field, struct st_text *out)
{
	const struct st_dist *d = field;
	struct st_text t = ST_TEXT_INIT;

	if (d->fixed == ST_NEVER && p->word) {
		st_text_add(out, p->word);
		return;
	}
	st_dist_print(d, &t);
	st_flow_quote(t.s, out);
	st_text_release(&t);
}

/* Text */

static void release_text(void *field)
{
	char **s = field;

	free(*s);
	*s = NULL;
}

static int read_text(const struct st_param *p, const struct st_value *v, void *field, struct st_err *e)
{
	bool empty = !v->is_list && (v->n == 0 || *v->text[0] == '\0' || is_word(p, v->text[0]));
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

const struct st_param_type st_param_time = {
    .name = "duration",
    .expects = "a duration such as 200ms",
    .read = read_time,
    .print = print_time,
};
const struct st_param_type st_param_rate = {
    .name = "rate",
    .expects = "a rate such as 10/s",
    .read = read_rate,
    .print = print_rate,
};
const struct st_param_type st_param_share = {
    .name = "share",
    .expects = "a share such as 70%",
    .read = read_share,
    .print = print_share,
};
const struct st_param_type st_param_number = {
    .name = "number",
    .expects = "a number such as 2.5",
    .read = read_number,
    .print = print_number,
};
const struct st_param_type st_param_count = {
    .name = "count",
    .expects = "a whole number such as 100 or 2k",
    .read = read_count,
    .print = print_count,
};
const struct st_param_type st_param_choice = {
    .name = "name",
    .expects = "a name",
    .read = read_choice,
    .print = print_choice,
};
const struct st_param_type st_param_dist = {
    .name = "distribution",
    .expects = "a duration such as 20ms or a distribution such as 'exponential 20ms'",
    .read = read_dist,
    .print = print_dist,
    .release = release_dist,
    .file = file_of_dist,
};
const struct st_param_type st_param_text = {
    .name = "text",
    .expects = "a text",
    .read = read_text,
    .print = print_text,
    .release = release_text,
};
const struct st_param_type st_param_times = {
    .name = "durations",
    .expects = "a duration such as 200ms, or a list of them",
    .read = read_times,
    .print = print_times,
    .release = release_times,
};
