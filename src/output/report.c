#include <config.h>

#include "output/report.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "output/html.h"

void st_report_add(struct st_report *r, struct st_report_case c)
{
	r->at = st_grow(r->at, &r->cap, r->n + 1, sizeof *r->at);
	r->at[r->n++] = c;
}

void st_report_release(struct st_report *r)
{
	for (size_t i = 0; i < r->n; i++) {
		free(r->at[i].suite);
		free(r->at[i].name);
		free(r->at[i].point);
		free(r->at[i].why);
	}
	free(r->at);
	*r = (struct st_report)ST_REPORT_INIT;
}

static size_t count(const struct st_report_case *c, size_t n, enum st_report_state state)
{
	size_t k = 0;

	for (size_t i = 0; i < n; i++)
		k += c[i].state == state;
	return k;
}

size_t st_report_failed(const struct st_report *r)
{
	return count(r->at, r->n, ST_REPORT_FAILED);
}

/* A '#' in a description begins a directive, if it is not escaped. */
static void add_description(struct st_text *out, const char *s)
{
	for (; *s; s++)
		st_text_addf(out, strchr("#\\", *s) ? "\\%c" : *s == '\n' ? " " : "%c", *s);
}

/* "ok 3 - x.yaml: goodput > 1/s" */
static void begin_test(const struct st_report_case *c, size_t number, struct st_text *out)
{
	st_text_addf(out, "%sok %zu - ", c->state == ST_REPORT_FAILED ? "not " : "", number);
	add_description(out, c->suite);
	st_text_add(out, ": ");
	add_description(out, c->name);
}

static void add_test(const struct st_report_case *c, size_t number, struct st_text *out)
{
	begin_test(c, number, out);
	if (c->point) {
		st_text_add(out, ", ");
		add_description(out, c->point);
	}
	if (c->state == ST_REPORT_SKIPPED)
		st_text_addf(out, " # SKIP %s", c->why);
	st_text_add(out, "\n");
	if (c->state != ST_REPORT_SKIPPED && c->why)
		st_text_addf(out, "# %s%s%s\n", c->kind ? c->kind : "", c->kind ? ": " : "", c->why);
}

/* Of the n cases of a name, `passed` of which did so. */
static void add_passed(const struct st_report_case *c, size_t n, size_t passed, size_t number, struct st_text *out)
{
	const struct st_report_case *nearest = NULL;

	for (size_t i = 0; i < n; i++)
		if (c[i].state == ST_REPORT_PASSED && (!nearest || c[i].spare < nearest->spare))
			nearest = &c[i];
	if (passed == 1) {
		add_test(nearest, number, out);
		return;
	}
	begin_test(nearest, number, out);
	st_text_addf(out, passed == n ? ", at all %zu points\n" : ", at %zu of %zu points\n", passed, n);
	st_text_addf(out, "# %s, nearest to failing at %s: %s\n", nearest->kind, nearest->point, nearest->why);
}

void st_report_tap(const struct st_report *r, struct st_text *out)
{
	struct st_text tests = ST_TEXT_INIT;
	size_t number = 0;

	st_text_add(&tests, "");
	for (size_t from = 0, end; from < r->n; from = end) {
		const struct st_report_case *c = &r->at[from];

		for (end = from + 1; end < r->n && strcmp(r->at[end].suite, c->suite) == 0 && strcmp(r->at[end].name, c->name) == 0; end++)
			;
		size_t passed = count(c, end - from, ST_REPORT_PASSED);
		if (passed > 0)
			add_passed(c, end - from, passed, ++number, &tests);
		for (size_t i = from; i < end; i++)
			if (r->at[i].state != ST_REPORT_PASSED)
				add_test(&r->at[i], ++number, &tests);
	}
	st_text_addf(out, "1..%zu\n%s", number, tests.s);
	st_text_release(&tests);
}

static void add_attribute(struct st_text *out, const char *name, const char *value)
{
	st_text_addf(out, " %s=\"", name);
	st_html_text(out, value);
	st_text_add(out, "\"");
}

static void add_case(struct st_text *out, const struct st_report_case *c)
{
	char *name = c->point ? st_format("%s, %s", c->name, c->point) : st_strdup(c->name);

	st_text_add(out, "    <testcase");
	add_attribute(out, "classname", c->suite);
	add_attribute(out, "name", name);
	free(name);
	if (c->state == ST_REPORT_PASSED) {
		st_text_add(out, "/>\n");
		return;
	}
	bool failed = c->state == ST_REPORT_FAILED;
	st_text_addf(out, ">\n      <%s", failed ? "failure" : "skipped");
	if (failed)
		add_attribute(out, "type", c->kind);
	add_attribute(out, "message", c->why);
	st_text_add(out, "/>\n    </testcase>\n");
}

void st_report_junit(const struct st_report *r, struct st_text *out)
{
	st_text_addf(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"stampede check\" tests=\"%zu\" failures=\"%zu\">\n",
	    r->n, st_report_failed(r));
	for (size_t from = 0, end; from < r->n; from = end) {
		const struct st_report_case *first = &r->at[from];

		for (end = from + 1; end < r->n && strcmp(r->at[end].suite, first->suite) == 0; end++)
			;
		st_text_add(out, "  <testsuite");
		add_attribute(out, "name", first->suite);
		st_text_addf(out, " tests=\"%zu\" failures=\"%zu\" errors=\"0\" skipped=\"%zu\">\n", end - from,
		    count(first, end - from, ST_REPORT_FAILED), count(first, end - from, ST_REPORT_SKIPPED));
		for (size_t i = from; i < end; i++)
			add_case(out, &r->at[i]);
		st_text_add(out, "  </testsuite>\n");
	}
	st_text_add(out, "</testsuites>\n");
}
