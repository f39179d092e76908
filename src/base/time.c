#include <config.h>

#include "base/time.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

static const struct {
	const char *name;
	st_time ns;
} units[] = {
    {"d", 86400 * ST_SEC}, {"h", 3600 * ST_SEC}, {"m", 60 * ST_SEC}, {"s", ST_SEC},
    {"ms", ST_MSEC},       {"us", ST_USEC},      {"ns", ST_NSEC},
};
enum { NUNITS = sizeof units / sizeof *units };

static st_time unit_ns(const char *name)
{
	for (int i = 0; i < NUNITS; i++)
		if (strcmp(name, units[i].name) == 0)
			return units[i].ns;
	return 0;
}

/* The value of the digits at *s times unit, plus those after a point; exact, -1 if finer than 1 ns, -2 if too long. */
static st_time scale(const char *s, const char *end, st_time unit)
{
	__int128 whole = 0, part = 0, below = 1;
	bool after = false;

	for (; s < end; s++) {
		if (*s == '.') {
			after = true;
		} else if (!after) {
			whole = whole * 10 + (*s - '0');
		} else if (below < (__int128)1000000000000000000) {
			part = part * 10 + (*s - '0');
			below *= 10;
		} else if (*s != '0') {
			return -1;
		}
		if (whole > ST_TIME_MAX)
			return -2;
	}
	if (part * unit % below != 0)
		return -1;
	__int128 ns = whole * unit + part * unit / below;
	return ns > ST_TIME_MAX ? -2 : (st_time)ns;
}

const char *st_time_parse(const char *text, st_time *out)
{
	const char *end = text;
	int digits = 0, points = 0;

	while (isdigit((unsigned char)*end) || *end == '.') {
		if (*end++ == '.')
			points++;
		else
			digits++;
	}
	if (*text == '-')
		return "a duration cannot be negative";
	if (digits == 0 || points > 1)
		return "not a duration such as 200ms, 1.5s or 3m";
	st_time unit = unit_ns(end);
	if (*end == '\0' && strspn(text, "0.") == strlen(text))
		unit = ST_SEC;
	if (unit == 0)
		return *end ? "unknown unit: a duration takes ns, us, ms, s, m, h or d"
		            : "a duration needs a unit: ns, us, ms, s, m, h or d";
	st_time t = scale(text, end, unit);
	if (t == -1)
		return "finer than a nanosecond";
	if (t == -2)
		return "longer than 30 years";
	*out = t;
	return NULL;
}

/* Write t / unit with the decimals it needs and no more. */
static char *write_in(st_time t, int u, char buf[ST_TIME_TEXT])
{
	int n = snprintf(buf, ST_TIME_TEXT, "%lld", (long long)(t / units[u].ns));
	st_time rest = t % units[u].ns;

	if (rest)
		buf[n++] = '.';
	while (rest && n < ST_TIME_TEXT - 4) {
		rest *= 10;
		buf[n++] = (char)('0' + rest / units[u].ns);
		rest %= units[u].ns;
	}
	snprintf(buf + n, (size_t)(ST_TIME_TEXT - n), "%s", units[u].name);
	return buf;
}

char *st_time_format(st_time t, char buf[ST_TIME_TEXT])
{
	if (t == ST_NEVER) {
		snprintf(buf, ST_TIME_TEXT, "never");
		return buf;
	}
	if (t == 0) {
		snprintf(buf, ST_TIME_TEXT, "0s");
		return buf;
	}
	/* Whole days, hours and minutes; else seconds and below with decimals, in the unit that starts with a digit. */
	for (int u = 0; u < NUNITS; u++)
		if (units[u].ns > ST_SEC ? t % units[u].ns == 0 : t >= units[u].ns)
			return write_in(t, u, buf);
	return write_in(t, NUNITS - 1, buf);
}
