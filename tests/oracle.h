#ifndef ST_TESTS_ORACLE_H
#define ST_TESTS_ORACLE_H
/*
 * oracle.h - whole runs for tests that hold the model to theory and to worked examples.
 *
 * A test writes its scenario as a user would, runs replications of it on all processors, and reads a few
 * numbers from each. Replications have fixed numbers, so a test that passes passes always.
 *
 * Threads  `read` is called on several threads at once, for different replications; it must not fail a Check
 * test.
 */
#include <check.h>
#include <stddef.h>
#include <stdint.h>

#include "experiment/scenario.h"
#include "measure/estimate.h"
#include "measure/summary.h"

/* A mean may be so many standard errors from what it should be: with 30 replications of a right model one
 * comparison in ten thousand would be further away, and seeds are fixed, so what passed once does not
 * fail by chance. */
#define ORACLE_SE 4.5

enum { ORACLE_TIMEOUT_S = 600 };

/* The configuration of a scenario's text, written like printf(); a mistake in it fails the test. Release with
 * st_config_release(). */
struct st_config oracle_config(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* The same of a shipped scenario's file, named from the source tree's root. */
struct st_config oracle_config_file(const char *file, const char *const *set, size_t nset);

/* Take k numbers from a finished run. */
typedef void oracle_read(const struct st_config *c, const struct st_run *run, double *out);

/* Run replications 0 ... n - 1; out[r * k ... r * k + k) is what `read` took from replication r. */
void oracle_run(const struct st_config *c, uint32_t n, size_t k, oracle_read *read, double *out);

/* A figure of the table by its name ("wait_s.p99"), of the whole run or of the group named. */
double oracle_figure(const struct st_config *c, const struct st_run *run, const char *figure);
double oracle_group_figure(const struct st_config *c, const struct st_run *run, const char *group,
    const char *figure);

/* Column i of n rows of k numbers: mean, deviation; and the standard error of the mean. */
struct st_estimate oracle_column(const double *rows, size_t n, size_t k, size_t i);
double oracle_standard_error(const struct st_estimate *e);

/* Attempts that arrived at the service in bins [from, to) of a run, and the most in one bin. */
uint64_t oracle_offered(const struct st_run *run, st_time from, st_time to);
uint64_t oracle_peak(const struct st_run *run, st_time from, st_time to);

#endif
