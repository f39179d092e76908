#include <config.h>

#include "experiment/range.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "experiment/scenario.h"

enum { DIGITS_MAX = 18, DECIMALS_MAX = 12, SIGNIFICANT = 6 };

static const struct unit {
	const char *name;
	int64_t factor;
	char family;
} units[] = {
    {"",   1,              'n'},
    {"%",  1,              '%'},
    {"ns", 1,              't'},
    {"us", 1000,           't'},
    {"ms", 1000000,        't'},
    {"s",  1000000000,     't'},
    {"m",  60000000000,    't'},
    {"h",  3600000000000,  't'},
    {"d",  86400000000000, 't'},
    {"/d", 1,              'r'},
    {"/h", 24,             'r'},
    {"/m", 1440,           'r'},
    {"/s", 86400,          'r'},
};

/* Reading */

/* A number as written: digits * 10^-decimals of 10^power units. */
struct amount {
	int64_t digits;
	int decimals, power;
	const struct unit *unit;
};

/* The number that s begins with; what follows it, or NULL if there is none or it is too long. A second point ends it. */
static const char *read_number(const char *s, struct amount *a)
{
	int n = 0;

	*a = (struct amount){.unit = units};
	for (bool after = false; isdigit((unsigned char)*s) || (!after && *s == '.' && isdigit((unsigned char)s[1]));
	     s++) {
		if (*s == '.') {
			after = true;
			continue;
		}
		if (a->digits > 0 && ++n > DIGITS_MAX - 1)
			return NULL;
		a->digits = a->digits * 10 + (*s - '0');
		a->decimals += after;
	}
	if (*s == 'e' && isdigit((unsigned char)s[1 + (s[1] == '-' || s[1] == '+')])) {
		bool below = s[1] == '-';
		int exponent = 0;

		for (s += 1 + (s[1] == '-' || s[1] == '+'); isdigit((unsigned char)*s) && exponent < 100; s++)
			exponent = exponent * 10 + (*s - '0');
		a->decimals += below ? exponent : -exponent;
	}
	return s;
}

/* A number with its unit; what follows it, or NULL with the reason. */
static const char *read_amount(const char *s, struct amount *a, const char **why)
{
	const char *end = isdigit((unsigned char)*s) ? read_number(s, a) : NULL;

	*why = "not a number that a range can take";
	if (!end)
		return NULL;
	a->power = *end == 'k' ? 3 : *end == 'M' ? 6 : *end == 'G' ? 9 : 0;
	end += a->power > 0;
	size_t n = strspn(end, "abcdefghijklmnopqrstuvwxyz/%");
	for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
		if (strlen(units[i].name) != n || strncmp(units[i].name, end, n) != 0)
			continue;
		a->unit = &units[i];
		*why = "k, M and G go with counts and rates";
		return a->power > 0 && strchr("t%", a->unit->family) ? NULL : end + n;
	}
	*why = "unknown unit";
	return NULL;
}

static const char *skip_log(const char *s)
{
	return strncmp(s, "log ", 4) == 0 ? s + 4 + strspn(s + 4, " ") : s;
}

bool st_range_is(const char *text)
{
	const char *s = skip_log(text), *points = strstr(s, "..");

	return isdigit((unsigned char)*s) && points && strcspn(s, " ") > (size_t)(points - s);
}

/* Low, high, and step or factor, as they stand in the text. */
struct written {
	struct amount low, high, step;
	bool is_log, has_step;
};

/* NULL, or what is wrong. */
static const char *read_written(const char *text, struct written *w)
{
	const char *s = skip_log(text), *why;

	*w = (struct written){.is_log = s > text};
	if (!(s = read_amount(s, &w->low, &why)))
		return why;
	if (strncmp(s, "..", 2) != 0 || !(s = read_amount(s + 2, &w->high, &why)))
		return s ? "'..' stands between its ends" : why;
	s += strspn(s, " ");
	if (!*s)
		return NULL;
	const char *word = w->is_log ? "by " : "step ";
	if (strncmp(s, word, strlen(word)) != 0)
		return w->is_log ? "expects 'by FACTOR' after it" : "expects 'step STEP' after it";
	s += strlen(word);
	w->has_step = true;
	if (!(s = read_amount(s + strspn(s, " "), &w->step, &why)))
		return why;
	return *s ? "something follows it" : NULL;
}

static int64_t power_of_ten(int n)
{
	int64_t x = 1;

	while (n-- > 0)
		x *= 10;
	return x;
}

/* The amount in 10^-decimals of the smallest unit; false if it is too long. */
static bool scale(const struct amount *a, int decimals, __int128 *out)
{
	int power = a->power + decimals - a->decimals;

	st_assert(power >= 0);
	*out = (__int128)a->digits * a->unit->factor;
	for (; power > 0 && *out > 0; power--)
		if (__builtin_mul_overflow(*out, 10, out))
			return false;
	return *out <= (__int128)power_of_ten(DIGITS_MAX) * power_of_ten(decimals);
}

/* A unit that was written, unless it is there. */
static void add_unit(struct st_range *r, const struct amount *a)
{
	int64_t factor = a->unit->factor * power_of_ten(a->power);
	size_t i = 0, n;

	while (i < r->nunits && r->unit[i].factor > factor)
		i++;
	if (i < r->nunits && r->unit[i].factor == factor)
		return;
	for (n = r->nunits++; n > i; n--)
		r->unit[n] = r->unit[n - 1];
	r->unit[i].factor = factor;
	snprintf(r->unit[i].text, sizeof r->unit[i].text, "%s%s",
	    a->power == 3 ? "k" : a->power == 6 ? "M" : a->power == 9 ? "G" : "", a->unit->name);
}

/* Bring the three to one scale. NULL, or what is wrong. */
static const char *convert(struct written *w, struct st_range *r)
{
	struct amount *const all[] = {&w->low, &w->high, &w->step};
	size_t n = w->has_step && !w->is_log ? 3 : 2;
	__int128 *const to[] = {&r->low, &r->high, &r->step};
	int decimals = 0;

	r->family = w->high.unit->family;
	for (size_t i = 0; i < n; i++) {
		if (all[i]->unit == units)
			all[i]->unit = w->high.unit;
		if (all[i]->unit->family != r->family)
			return "its numbers need units of one kind";
		decimals = all[i]->decimals - all[i]->power > decimals ? all[i]->decimals - all[i]->power : decimals;
		add_unit(r, all[i]);
	}
	if (decimals > DECIMALS_MAX)
		return "its numbers are too fine";
	r->decimals = (unsigned)decimals;
	for (size_t i = 0; i < n; i++)
		if (!scale(all[i], decimals, to[i]))
			return "its numbers are too large";
	return r->low > r->high ? "it ends below its beginning" : NULL;
}

static bool is_whole(double x)
{
	return x == floor(x);
}

/* How many values, one more than the most if more. NULL, or what is wrong. */
static const char *count_values(const struct written *w, struct st_range *r)
{
	r->is_log = w->is_log;
	r->is_interval = !w->has_step;
	if (r->is_log && r->low == 0)
		return "with log it begins above 0";
	if (r->is_interval)
		return NULL;
	if (!r->is_log && r->step == 0)
		return "the step must be above 0";
	if (!r->is_log) {
		__int128 n = (r->high - r->low) / r->step + 1;

		r->n = n > ST_SCENARIO_POINTS_MAX ? ST_SCENARIO_POINTS_MAX + 1 : (size_t)n;
		return NULL;
	}
	r->by = (double)w->step.digits * pow(10.0, w->step.power - w->step.decimals);
	if (w->step.unit != units || !(r->by > 1.0 && r->by < 1e18))
		return "the factor is a plain number above 1";
	if (is_whole(r->by)) {
		r->n = 1;
		for (__int128 x = r->low; x <= r->high / (int64_t)r->by; x *= (int64_t)r->by)
			r->n++;
		return NULL;
	}
	double room = log((double)r->high / (double)r->low) / log(r->by) + 1e-9;
	r->n = room < ST_SCENARIO_POINTS_MAX ? (size_t)room + 1 : ST_SCENARIO_POINTS_MAX + 1;
	return NULL;
}

int st_range_read(const char *text, const char *what, const struct st_place *place, struct st_range *r, struct st_mistakes *m)
{
	struct written w;
	const char *why = read_written(text, &w);

	*r = (struct st_range){.n = 0};
	if (!why)
		why = convert(&w, r);
	if (!why)
		why = count_values(&w, r);
	if (why)
		return st_mistakes_add(m, place,
		    "%s: expects a range such as 10..100 step 10, 100ms..2s step 100ms or log 1..1k by 10; got '%s' (%s)", what, text,
		    why);
	if (r->n > ST_SCENARIO_POINTS_MAX)
		return st_mistakes_add(m, place, "%s: '%s' has more than the %d values that can be run", what, text,
		    ST_SCENARIO_POINTS_MAX);
	return 0;
}

/* Writing */

static void strip_zeros(char *s)
{
	size_t n = strlen(s);

	if (!strchr(s, '.'))
		return;
	while (s[n - 1] == '0')
		n--;
	s[n - (s[n - 1] == '.')] = '\0';
}

/* Add x, of 10^-decimals smallest units, in this unit, if that takes no more decimals than there is room for. */
static bool add_exact(const struct st_range *r, const struct st_range_unit *u, __int128 x, struct st_text *out)
{
	__int128 one = (__int128)u->factor * power_of_ten((int)r->decimals), rest = x % one;
	char buf[64];
	int n = snprintf(buf, sizeof buf, "%lld", (long long)(x / one));

	if (rest > 0)
		buf[n++] = '.';
	for (int i = 0; rest > 0 && i < 2 * DECIMALS_MAX; i++) {
		rest *= 10;
		buf[n++] = (char)('0' + (int)(rest / one));
		rest %= one;
	}
	buf[n] = '\0';
	if (rest == 0)
		st_text_addf(out, "%s%s", buf, u->text);
	return rest == 0;
}

/* Add x, of the smallest unit, in six digits; times no finer than a nanosecond. */
static void write_rounded(const struct st_range *r, double x, struct st_text *out)
{
	size_t i = 0;
	char buf[64];

	while (i + 1 < r->nunits && x < (double)r->unit[i].factor)
		i++;
	double shown = x / (double)r->unit[i].factor;
	int decimals = shown > 0.0 ? SIGNIFICANT - 1 - (int)floor(log10(shown)) : 0;
	int finest = r->family == 't' ? (int)log10((double)r->unit[i].factor) : 2 * DECIMALS_MAX;
	decimals = decimals < 0 ? 0 : decimals > finest ? finest : decimals;
	snprintf(buf, sizeof buf, "%.*f", decimals, shown);
	strip_zeros(buf);
	st_text_addf(out, "%s%s", buf, r->unit[i].text);
}

static void write_exact(const struct st_range *r, __int128 x, struct st_text *out)
{
	for (size_t i = 0; i + 1 < r->nunits; i++) {
		__int128 one = (__int128)r->unit[i].factor * power_of_ten((int)r->decimals);

		if (x >= one && add_exact(r, &r->unit[i], x, out))
			return;
	}
	if (!add_exact(r, &r->unit[r->nunits - 1], x, out)) /* a sixtieth of a thousand */
		write_rounded(r, (double)x / (double)power_of_ten((int)r->decimals), out);
}

void st_range_value(const struct st_range *r, size_t i, struct st_text *out)
{
	st_assert(i < r->n);
	if (!r->is_log) {
		write_exact(r, r->low + (__int128)i * r->step, out);
	} else if (is_whole(r->by)) {
		__int128 x = r->low;

		for (size_t k = 0; k < i; k++)
			x *= (int64_t)r->by;
		write_exact(r, x, out);
	} else {
		write_rounded(r, (double)r->low * pow(r->by, (double)i) / (double)power_of_ten((int)r->decimals), out);
	}
}

void st_range_sample(const struct st_range *r, double u, bool is_whole, struct st_text *out)
{
	double one = (double)power_of_ten((int)r->decimals), low = (double)r->low / one, high = (double)r->high / one;

	if (!is_whole) {
		write_rounded(r, r->is_log ? low * pow(high / low, u) : low + u * (high - low), out);
		return;
	}
	low = ceil(low);
	high = floor(high) + 1;
	double x = floor(r->is_log ? low * pow(high / low, u) : low + u * (high - low));
	st_text_addf(out, "%.0f", x < high ? x : high - 1);
}
