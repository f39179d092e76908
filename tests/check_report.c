#include <config.h>

#include "output/report.h"

#include "base/mem.h"
#include "tap_main.h"

static void add(struct st_report *r, const char *suite, const char *name, enum st_report_state state, const char *kind, const char *why)
{
	st_report_add(r, (struct st_report_case){st_strdup(suite), st_strdup(name), state, kind, st_strdup(why)});
}

static struct st_report example(void)
{
	struct st_report r = ST_REPORT_INIT;

	add(&r, "a.yaml", "goodput > 1/s", ST_REPORT_PASSED, "holds", "2/s");
	add(&r, "a.yaml", "x <= \"1\" & y #1", ST_REPORT_FAILED, "does not hold", "2 > 1\ttoo much");
	add(&r, "b.yaml", "expect", ST_REPORT_SKIPPED, NULL, "nothing <here>");
	return r;
}

START_TEST(tap_has_a_plan_and_says_why_below)
{
	struct st_report r = example();
	struct st_text t = ST_TEXT_INIT;

	st_report_tap(&r, &t);
	ck_assert_str_eq(t.s,
	    "1..3\n"
	    "ok 1 - a.yaml: goodput > 1/s\n"
	    "# holds: 2/s\n"
	    "not ok 2 - a.yaml: x <= \"1\" & y \\#1\n"
	    "# does not hold: 2 > 1\ttoo much\n"
	    "ok 3 - b.yaml: expect # SKIP nothing <here>\n");
	ck_assert_uint_eq(st_report_failed(&r), 1);
	st_text_release(&t);
	st_report_release(&r);
}
END_TEST

START_TEST(junit_has_a_suite_each_file_and_escapes)
{
	struct st_report r = example();
	struct st_text t = ST_TEXT_INIT;

	st_report_junit(&r, &t);
	ck_assert_str_eq(t.s,
	    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
	    "<testsuites name=\"stampede check\" tests=\"3\" failures=\"1\">\n"
	    "  <testsuite name=\"a.yaml\" tests=\"2\" failures=\"1\" errors=\"0\" skipped=\"0\">\n"
	    "    <testcase classname=\"a.yaml\" name=\"goodput &gt; 1/s\"/>\n"
	    "    <testcase classname=\"a.yaml\" name=\"x &lt;= &quot;1&quot; &amp; y #1\">\n"
	    "      <failure type=\"does not hold\" message=\"2 &gt; 1\ttoo much\"/>\n"
	    "    </testcase>\n"
	    "  </testsuite>\n"
	    "  <testsuite name=\"b.yaml\" tests=\"1\" failures=\"0\" errors=\"0\" skipped=\"1\">\n"
	    "    <testcase classname=\"b.yaml\" name=\"expect\">\n"
	    "      <skipped message=\"nothing &lt;here&gt;\"/>\n"
	    "    </testcase>\n"
	    "  </testsuite>\n"
	    "</testsuites>\n");
	st_text_release(&t);
	st_report_release(&r);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("report");
	TCase *tc = tcase_create("formats");

	tcase_add_test(tc, tap_has_a_plan_and_says_why_below);
	tcase_add_test(tc, junit_has_a_suite_each_file_and_escapes);
	suite_add_tcase(s, tc);
	return tap_main(s);
}
