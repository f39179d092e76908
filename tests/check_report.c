#include <config.h>

#include "output/report.h"

#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "tap_main.h"

static void add(struct st_report *r, const char *suite, const char *name, enum st_report_state state, const char *kind, const char *why)
{
	st_report_add(r,
	    (struct st_report_case){.suite = st_strdup(suite), .name = st_strdup(name), .state = state, .kind = kind, .why = st_strdup(why)});
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

static void add_at(struct st_report *r, const char *name, size_t point, enum st_report_state state, double spare)
{
	add(r, "a.yaml", name, state, state == ST_REPORT_PASSED ? "holds" : "does not hold", "so much");
	r->at[r->n - 1].point = st_format("point %zu (jitter #%zu)", point, point);
	r->at[r->n - 1].spare = spare;
}

static size_t occurrences(const char *of, const char *in)
{
	size_t n = 0;

	for (; (in = strstr(in, of)); in++)
		n++;
	return n;
}

START_TEST(points_at_which_it_holds_are_one_test_in_tap_and_each_one_in_junit)
{
	struct st_report r = ST_REPORT_INIT;
	struct st_text tap = ST_TEXT_INIT, junit = ST_TEXT_INIT;

	for (size_t i = 0; i < 3; i++)
		add_at(&r, "x <= 1", i, ST_REPORT_PASSED, i == 1 ? 0.5 : (double)INFINITY);
	add_at(&r, "x <= 2", 0, ST_REPORT_PASSED, INFINITY);
	add_at(&r, "x <= 2", 1, ST_REPORT_FAILED, NAN);
	add_at(&r, "x <= 2", 2, ST_REPORT_PASSED, INFINITY);
	add_at(&r, "x <= 3", 0, ST_REPORT_FAILED, NAN);
	add_at(&r, "x <= 3", 1, ST_REPORT_PASSED, 1);
	add(&r, "b.yaml", "x <= 3", ST_REPORT_PASSED, "holds", "1");
	st_report_tap(&r, &tap);
	ck_assert_str_eq(tap.s,
	    "1..6\n"
	    "ok 1 - a.yaml: x <= 1, at all 3 points\n"
	    "# holds, nearest to failing at point 1 (jitter #1): so much\n"
	    "ok 2 - a.yaml: x <= 2, at 2 of 3 points\n"
	    "# holds, nearest to failing at point 0 (jitter #0): so much\n"
	    "not ok 3 - a.yaml: x <= 2, point 1 (jitter \\#1)\n"
	    "# does not hold: so much\n"
	    "ok 4 - a.yaml: x <= 3, point 1 (jitter \\#1)\n"
	    "# holds: so much\n"
	    "not ok 5 - a.yaml: x <= 3, point 0 (jitter \\#0)\n"
	    "# does not hold: so much\n"
	    "ok 6 - b.yaml: x <= 3\n"
	    "# holds: 1\n");
	st_report_junit(&r, &junit);
	ck_assert_uint_eq(occurrences("<testcase ", junit.s), r.n);
	ck_assert_ptr_nonnull(strstr(junit.s, "name=\"x &lt;= 1, point 2 (jitter #2)\"/>\n"));
	ck_assert_ptr_nonnull(strstr(junit.s, "tests=\"9\" failures=\"2\">\n"));
	st_text_release(&tap);
	st_text_release(&junit);
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
	tcase_add_test(tc, points_at_which_it_holds_are_one_test_in_tap_and_each_one_in_junit);
	tcase_add_test(tc, junit_has_a_suite_each_file_and_escapes);
	suite_add_tcase(s, tc);
	return tap_main(s);
}
