#ifndef ST_BASE_TIME_H
#define ST_BASE_TIME_H
/*
 * time.h - simulated time: a whole number of nanoseconds.
 *
 * A herd is a tie, so times must tie exactly: no floating point. The same type
 * holds instants (since the start of the run) and durations.
 *
 * Errors   the parser says what is wrong in words; nothing else can fail.
 */
#include <stdbool.h>
#include <stdint.h>

typedef int64_t st_time;

#define ST_NSEC  ((st_time)1)
#define ST_USEC  ((st_time)1000)
#define ST_MSEC  ((st_time)1000000)
#define ST_SEC   ((st_time)1000000000)
#define ST_NEVER INT64_MAX /* later than every instant: `off`, `never` */

/* The longest duration a scenario may name: 30 years. Sums of a few stay far below ST_NEVER. */
#define ST_TIME_MAX ((st_time)30 * 366 * 86400 * ST_SEC)

enum { ST_TIME_TEXT = 32 }; /* bytes that st_time_format() needs at most */

/*
 * Read "200ms", "1.5s", "3m", "2h", "1d", "10us", "7ns" exactly (decimals are not rounded through a double; finer
 * than a nanosecond is an error). "0" needs no unit. Returns NULL and sets *out, or what is wrong, as a phrase
 * ("a duration needs a unit: ns, us, ms, s, m, h or d").
 */
const char *st_time_parse(const char *text, st_time *out);

/* Write t as the shortest text that st_time_parse() reads back to the same value; returns buf. ST_NEVER is "never". */
char *st_time_format(st_time t, char buf[ST_TIME_TEXT]);

/* Seconds, rounded to a double. */
static inline double st_time_to_s(st_time t)
{
	return (double)t / 1e9;
}

/* Round a real number of nanoseconds to a duration; below zero (or not a number) is 0, beyond ST_TIME_MAX is ST_TIME_MAX. */
static inline st_time st_time_from_ns(double ns)
{
	if (!(ns > 0.0))
		return 0;
	return ns < (double)ST_TIME_MAX ? (st_time)(ns + 0.5) : ST_TIME_MAX;
}

/* The same of seconds. */
static inline st_time st_time_from_s(double s)
{
	return st_time_from_ns(s * 1e9);
}

#endif
