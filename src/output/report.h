#ifndef ST_OUTPUT_REPORT_H
#define ST_OUTPUT_REPORT_H
/*
 * report.h - the outcome of checks, as the programs that run tests read it: TAP, and JUnit's XML.
 *
 * Both are functions of the report alone: they tell no time, so that the same checks give the same bytes.
 * Owns     its texts; release with st_report_release().
 */
#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"

enum st_report_state { ST_REPORT_PASSED, ST_REPORT_FAILED, ST_REPORT_SKIPPED };

struct st_report_case {
	char *suite;  /* a scenario's file; the cases of one follow each other */
	char *name;   /* so do those of one name */
	char *point;  /* at which it was checked: "point 3 (jitter full)"; NULL: there is no other */
	enum st_report_state state;
	const char *kind; /* what was found, in two words; not owned */
	char *why;        /* NULL if there is nothing to say */
	double spare;     /* of one that passed: how far from failing, to be held against others of its name */
};

struct st_report {
	struct st_report_case *at;
	size_t n, cap;
};

#define ST_REPORT_INIT {NULL, 0, 0}

/* Add a case, whose texts are owned from now on. */
void st_report_add(struct st_report *r, struct st_report_case c);
void st_report_release(struct st_report *r);

/* How many cases failed. */
size_t st_report_failed(const struct st_report *r);

/*
 * Version 12, which every reader of TAP understands: what was found is a comment below. Points at which a case passed are one test, which
 * tells of the one nearest to failing; each of the others is a test.
 */
void st_report_tap(const struct st_report *r, struct st_text *out);

/* <testsuites>, a <testsuite> each file, a <testcase> each case with <failure> or <skipped>. */
void st_report_junit(const struct st_report *r, struct st_text *out);

#endif
