#ifndef ST_TESTS_THEORY_H
#define ST_TESTS_THEORY_H
/*
 * theory.h - what queueing theory says of a service in its steady state, to hold simulated runs to.
 *
 * Words    c workers; a = offered work in erlangs = arrival rate x mean service time; arrivals are Poisson.
 * Sources  Erlang 1917 (loss and delay), Pollaczek 1930 and Khinchine 1932 (M/G/1).
 * Errors   none: the arguments must make sense (a < c where there is no limit).
 */

/* Share of arrivals that c workers without a queue turn away (M/G/c/c: whatever the service time's shape). */
double theory_erlang_b(unsigned c, double a);

/* Share of arrivals that have to wait in M/M/c. */
double theory_erlang_c(unsigned c, double a);

/* Mean wait in M/M/c, and its p-quantile, zeros included; in mean service times. */
double theory_mmc_wait(unsigned c, double a);
double theory_mmc_wait_quantile(unsigned c, double a, double p);

/* M/M/c with room for k >= c in the system: share turned away, and the mean wait of those let in. */
double theory_mmck_rejected(unsigned c, unsigned k, double a);
double theory_mmck_wait(unsigned c, unsigned k, double a);

/*
 * M/M/c+M (Erlang A, Palm 1957): those who wait give up at rate t each, in services per mean service time. The share that gives up, the mean
 * number waiting, and the mean wait of those who are served, zeros included.
 */
double theory_erlang_a_dropped(unsigned c, double a, double t);
double theory_erlang_a_waiting(unsigned c, double a, double t);
double theory_erlang_a_wait(unsigned c, double a, double t);

/*
 * Second moment of the wait in M/M/1, in mean service times squared: first come, first served, and last come, first served without
 * preemption, where who waits does so for a busy period.
 */
double theory_mm1_wait_square(double a);
double theory_mm1_lifo_wait_square(double a);

/*
 * Served per mean service time by a worker that is offered a > 1 in that time and loses r mean service times on each request it
 * rejects: what is left of its time, a r less than all, over what serving one more saves.
 */
double theory_rejecting_served(double a, double r);

/*
 * M/M/c with room for k in the system, c one or two and k at most THEORY_ROOM, where a service that begins with n > knee in the system, itself
 * included, is 1 + slope (n - knee) times as long in the mean, and stays so however n changes. Share turned away, and mean numbers in service
 * and waiting.
 */
enum { THEORY_ROOM = 12 };
struct theory_slowed {
	double rejected, busy, waiting;
};
struct theory_slowed theory_slowdown(unsigned c, unsigned k, double a, unsigned knee, double slope);

/* M/M/c//n, the machine repair model: n clients who think for 1 / a mean service times. Mean numbers in service and waiting. */
void theory_repair(unsigned c, unsigned n, double a, double *busy, double *waiting);

/*
 * Retrial queues: M/M/c without a queue, where who is turned away tries again at rate v (in services per mean service time) until
 * served. c = 1: an arrival is blocked with probability a, and the mean number in orbit is as here. c = 2: both, by the
 * generating functions of the orbit's size, which are hypergeometric. (Falin and Templeton, Retrial Queues, 1997, chapters 1 and 2.)
 */
double theory_retrial1_orbit(double a, double v);
void theory_retrial2(double a, double v, double *blocked, double *orbit);

/* Mean wait in M/G/1, service times with this coefficient of variation; in mean service times. */
double theory_mg1_wait(double a, double cv);

#endif
