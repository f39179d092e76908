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

void st_report_tap(const struct st_report *r, struct st_text *out)
{
	st_text_addf(out, "1..%zu\n", r->n);
	for (size_t i = 0; i < r->n; i++) {
		const struct st_report_case *c = &r->at[i];

		st_text_addf(out, "%sok %zu - ", c->state == ST_REPORT_FAILED ? "not " : "", i + 1);
		add_description(out, c->suite);
		st_text_add(out, ": ");
		add_description(out, c->name);
		if (c->state == ST_REPORT_SKIPPED)
			st_text_addf(out, " # SKIP %s", c->why);
		st_text_add(out, "\n");
		if (c->state != ST_REPORT_SKIPPED && c->why)
			st_text_addf(out, "# %s%s%s\n", c->kind ? c->kind : "", c->kind ? ": " : "", c->why);
	}
}

static void add_attribute(struct st_text *out, const char *name, const char *value)
{
	st_text_addf(out, " %s=\"", name);
	st_html_text(out, value);
	st_text_add(out, "\"");
}

static void add_case(struct st_text *out, const struct st_report_case *c)
{
	st_text_add(out, "    <testcase");
	add_attribute(out, "classname", c->suite);
	add_attribute(out, "name", c->name);
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
