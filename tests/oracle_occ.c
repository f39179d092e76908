/*
 * oracle_occ.c - the contention study of "Exponential Backoff and Jitter" (AWS Architecture Blog, 2015), a second time.
 *
 * N clients want to update one row once: read its version, then write if it is still that. The reference below is a plain
 * program of its own: a list of messages of which the earliest is sought each time, and GSL's random numbers. Stampede's
 * service of kind occ must agree with it in the work (writes tried) and in the time until the last client is done.
 */
#include <config.h>

#include <math.h>
#include <stdlib.h>

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <gsl/gsl_statistics_double.h>

#include "oracle.h"
#include "tap_main.h"

enum { REPETITIONS = 100 };

/* --- the reference, in milliseconds --- */

enum strategy { NONE, EXPONENTIAL, EQUAL, FULL, DECORRELATED, STRATEGIES };

static const double BASE = 5, CAP = 2000, LEG_MEAN = 10, LEG_SD = 2;

enum message { READS, READ_ANSWERED, WRITES, WRITE_ANSWERED, NO_MESSAGE };

/* A client has one message under way. */
struct reference_client {
	enum message message;
	double due, slept;
	unsigned failures;
	long version; /* as it read it */
	int won;
};

static double leg(gsl_rng *r)
{
	return fabs(LEG_MEAN + gsl_ran_gaussian(r, LEG_SD));
}

static double sleep_of(struct reference_client *c, enum strategy s, gsl_rng *r)
{
	double d = fmin(CAP, BASE * pow(2, c->failures));

	switch (s) {
	case EXPONENTIAL:
		return d;
	case EQUAL:
		return d / 2 + gsl_rng_uniform(r) * d / 2;
	case FULL:
		return gsl_rng_uniform(r) * d;
	case DECORRELATED:
		c->slept = fmin(CAP, BASE + gsl_rng_uniform(r) * (3 * c->slept - BASE));
		return c->slept;
	default:
		return 0;
	}
}

static struct reference_client *earliest(struct reference_client *c, size_t n)
{
	struct reference_client *first = NULL;

	for (size_t i = 0; i < n; i++)
		if (c[i].message != NO_MESSAGE && (!first || c[i].due < first->due))
			first = &c[i];
	return first;
}

/* Deliver the message; the client's next is under way then. */
static void deliver(struct reference_client *c, long *version, long *writes, enum strategy s, gsl_rng *r)
{
	switch (c->message) {
	case READS:
		c->version = *version;
		c->message = READ_ANSWERED;
		break;
	case READ_ANSWERED:
		c->message = WRITES;
		break;
	case WRITES:
		++*writes;
		c->won = c->version == *version;
		*version += c->won;
		c->message = WRITE_ANSWERED;
		break;
	default:
		c->message = c->won ? NO_MESSAGE : READS;
		c->failures++;
		if (!c->won)
			c->due += sleep_of(c, s, r);
	}
	if (c->message != NO_MESSAGE)
		c->due += leg(r);
}

static void reference(size_t clients, enum strategy s, gsl_rng *r, double *writes, double *seconds)
{
	struct reference_client *all = calloc(clients, sizeof *all), *c;
	long version = 0, n = 0;
	double now = 0;

	for (size_t i = 0; i < clients; i++)
		all[i] = (struct reference_client){.message = READS, .due = leg(r), .slept = BASE};
	while ((c = earliest(all, clients))) {
		now = c->due;
		deliver(c, &version, &n, s, r);
	}
	free(all);
	*writes = (double)n;
	*seconds = now / 1000;
}

/* --- the comparison --- */

static const char *const backoff[STRATEGIES] = {
    [NONE] = "{shape: immediate}",
    [EXPONENTIAL] = "{base: 5ms, cap: 2s, first_exponent: 1, jitter: none}",
    [EQUAL] = "{base: 5ms, cap: 2s, first_exponent: 1, jitter: equal}",
    [FULL] = "{base: 5ms, cap: 2s, first_exponent: 1, jitter: full}",
    [DECORRELATED] = "{base: 5ms, cap: 2s, first_exponent: 1, jitter: decorrelated}",
};

static void read_run(const struct st_config *c, const struct st_run *run, double *out)
{
	out[0] = oracle_figure(c, run, "attempts");
	out[1] = oracle_figure(c, run, "last_success_s");
	out[2] = oracle_figure(c, run, "open_at_end");
}

/* The means of two samples of REPETITIONS are so many standard errors apart. */
static void hold(const char *what, enum strategy s, unsigned clients, const double *ours, const double *theirs)
{
	struct st_estimate e = oracle_column(ours, REPETITIONS, 3, what[0] == 't');
	double mean = gsl_stats_mean(theirs, 1, REPETITIONS), se = gsl_stats_sd(theirs, 1, REPETITIONS) / sqrt(REPETITIONS);
	double both = hypot(se, oracle_standard_error(&e));

	ck_assert_msg(fabs(e.mean - mean) <= 3 * both, "backoff %s, %u clients: %s %.4f, the reference has %.4f; 3 standard errors: %.4f",
	    backoff[s], clients, what, e.mean, mean, 3 * both);
}

/*
 * Two of every five hundred right pairs would be further apart than 3 standard errors; seeds are fixed, so what passed once passes
 * always. The work differs by 1 % of its mean or less at this size for most pairs, so an exponent off by one (twice the
 * delays) or a network leg too many is seen at once.
 */
START_TEST(work_and_time_are_those_of_the_published_study)
{
	static const unsigned counts[] = {10, 20, 50, 100, 190};
	enum { N = sizeof counts / sizeof *counts };
	const enum strategy s = (enum strategy)(_i / N);
	const unsigned clients = counts[_i % N];
	gsl_rng *r = gsl_rng_alloc(gsl_rng_mt19937);
	double writes[REPETITIONS], seconds[REPETITIONS], ours[REPETITIONS * 3];
	struct st_config c = oracle_config(
	    "duration: 5m\n"
	    "bin: 1s\n"
	    "service: {kind: occ}\n"
	    "clients:\n"
	    "  writers:\n"
	    "    count: %u\n"
	    "    workload: once\n"
	    "    network: abs-normal 10ms sd 2ms\n"
	    "    retry: {on: [409], attempts: unlimited, backoff: %s}\n", clients, backoff[s]);

	gsl_rng_set(r, 2015 + (unsigned long)_i);
	for (size_t i = 0; i < REPETITIONS; i++)
		reference(clients, s, r, &writes[i], &seconds[i]);
	oracle_run(&c, REPETITIONS, 3, read_run, ours);
	for (size_t i = 0; i < REPETITIONS; i++)
		ck_assert_double_eq(ours[i * 3 + 2], 0);
	hold("work", s, clients, ours, writes);
	hold("time", s, clients, ours, seconds);
	gsl_rng_free(r);
	st_config_release(&c);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("occ");
	TCase *t = tcase_create("study");

	tcase_set_timeout(t, ORACLE_TIMEOUT_S);
	tcase_add_loop_test(t, work_and_time_are_those_of_the_published_study, 0, STRATEGIES * 5);
	suite_add_tcase(s, t);
	return tap_main(s);
}
