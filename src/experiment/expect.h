#ifndef ST_EXPERIMENT_EXPECT_H
#define ST_EXPERIMENT_EXPECT_H
/*
 * expect.h - what a scenario expects of its figures: "recovery_time <= 60s", "fleet.success_share >= 95%".
 *
 * Form     FIGURE RELATION VALUE [in SHARE of runs] [when CONDITIONS] (when.h). The figure is one of the table's, of the whole run, or of a group or service as NAME.FIGURE; its
 *          unit may be left out, that of the value not. The relations are <= < >= > ==. `never` is a value too,
 *          later than every other: so a service that never recovers fails every <=, and "recovery_time < never"
 *          says that it does.
 * Absent   a figure that a run does not have (a recovery without a fault) is as expected in no way.
 */
#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"
#include "experiment/when.h"
#include "experiment/result.h"

enum st_relation { ST_RELATION_AT_MOST, ST_RELATION_BELOW, ST_RELATION_AT_LEAST, ST_RELATION_ABOVE, ST_RELATION_EQUAL };

struct st_expect {
	char *text;       /* as the user wrote it */
	char *subject;    /* a group or one of several services, by name; NULL: the whole run */
	size_t figure;    /* row of the table */
	enum st_relation relation;
	double value;     /* in the figure's unit; INFINITY: never */
	double share;     /* of the runs that must satisfy it; NAN: what is meant is the mean over the runs */
	struct st_when when;
};

/* What an expectation may name. */
struct st_expect_names {
	const struct st_subject *subject;
	size_t nsubjects;
	const struct st_axis *axis;
	size_t naxes;
	bool lacks_subjects, lacks_axes; /* some could not be read: what is none of these may be one of those, and nothing is told of it */
};

/*
 * Read one. 0 and *x to be released, or -1 with mistakes at their places in the text and the nearest spelling, that begin with `about`:
 * "expect: ", or "" where the place says enough.
 */
int st_expect_read(const char *about, const char *text, const struct st_place *place, const struct st_expect_names *names,
    struct st_expect *x, struct st_mistakes *m);
void st_expect_release(struct st_expect *x);

/* The same of a figure without more: "fleet.goodput". */
int st_expect_read_figure(const char *about, const char *name, const struct st_place *place, const struct st_expect_names *names,
    struct st_expect *x, struct st_mistakes *m);

/* The figure's value in a run; NAN: it is absent. */
double st_expect_value(const struct st_expect *x, const struct st_result *r);

/* The same of the replications of a sweep's point, p->n of them; NULL if there are none. */
const double *st_expect_values(const struct st_expect *x, const struct st_sweep_result *r, const struct st_sweep_point *p);

/* Whether a value satisfies it. With no number every comparison is false. */
bool st_expect_holds(const struct st_expect *x, double value);

/* "<= 60s in 95% of runs": what is expected, without of which figure and where; to be freed. */
char *st_expect_bound(const struct st_expect *x);

/*
 * The value for people, with its unit, in as few digits as tell on which side of the bound it is: "10 s", "95.4 %", "never"; with
 * a half-width if that is more than 0: "10.2 +- 0.31 s".
 */
void st_expect_print_value(const struct st_expect *x, double value, double half, struct st_text *out);

#endif
