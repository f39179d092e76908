#include <config.h>

#include "base/param.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

/* The types of parameters that are numbers: rates, shares, plain ones; counts, which are exact. */

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
	    {"/s", 1.0},
	    {"/m", 60.0},
	    {"/h", 3600.0},
	    {"/d", 86400.0},
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

	if (!end)
		return "not a number";
	*x *= pow(10.0, suffix(&end));
	return *end == '\0' ? NULL : "a number takes the suffixes k, M and G and no unit";
}

static void write_number(double x, struct st_text *out)
{
	st_text_add_double(out, x);
}

static int read_real(const struct st_param *p, const struct st_value *v, void *field, struct st_err *e,
    const char *(*parse)(const char *, double *), st_param_write write)
{
	const char *s = st_param_scalar(p, v, e), *why;
	double x = INFINITY;

	if (!s)
		return -1;
	if (!st_param_is_word(p, s)) {
		if ((why = parse(s, &x)))
			return st_param_expects(p, v, 0, why, e);
		if (st_param_in_bounds(p, v, 0, x, write, e))
			return -1;
	}
	*(double *)field = x + 0.0; /* -0 is 0 */
	return 0;
}

static void print_real(const struct st_param *p, const void *field, struct st_text *out, st_param_write write)
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

const struct st_param_type st_param_rate = {
    .name = "rate",
    .expects = "a rate such as 10/s",
    .size = sizeof(double),
    .read = read_rate,
    .print = print_rate,
};

static int read_share(const struct st_param *p, const struct st_value *v, void *field, struct st_err *e)
{
	return read_real(p, v, field, e, parse_share, write_share);
}

static void print_share(const struct st_param *p, const void *field, struct st_text *out)
{
	print_real(p, field, out, write_share);
}

const struct st_param_type st_param_share = {
    .name = "share",
    .expects = "a share such as 70%",
    .size = sizeof(double),
    .read = read_share,
    .print = print_share,
};

static int read_number(const struct st_param *p, const struct st_value *v, void *field, struct st_err *e)
{
	return read_real(p, v, field, e, parse_number, write_number);
}

static void print_number(const struct st_param *p, const void *field, struct st_text *out)
{
	print_real(p, field, out, write_number);
}

const struct st_param_type st_param_number = {
    .name = "number",
    .expects = "a number such as 2.5",
    .size = sizeof(double),
    .read = read_number,
    .print = print_number,
};

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
	if (!st_param_is_word(p, s)) {
		if ((why = parse_count(s, &n)))
			return st_param_expects(p, v, 0, why, e);
		if (st_param_in_bounds(p, v, 0, (double)n, write_count, e))
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

const struct st_param_type st_param_count = {
    .name = "count",
    .expects = "a whole number such as 100 or 2k",
    .size = sizeof(uint64_t),
    .read = read_count,
    .print = print_count,
};

bool st_param_quantity(const char *s, double *x, const char **unit)
{
	const char *end = st_text_read_double(s, x);
	st_time t;

	if (!end)
		return false;
	int power = suffix(&end);
	if (*end == '\0' || (strcmp(end, "%") == 0 && power == 0)) {
		*x *= pow(10.0, power);
		*unit = *end ? "%" : "";
	} else if (!parse_rate(s, x)) {
		*unit = "1/s";
	} else if (!st_time_parse(s, &t)) {
		*x = st_time_to_s(t);
		*unit = "s";
	} else {
		return false;
	}
	return true;
}
