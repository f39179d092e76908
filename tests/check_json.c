#include <config.h>

#include <jansson.h>
#include <unistd.h>

#include "base/err.h"
#include "hand_made.h"
#include "output/file.h"
#include "output/json.h"
#include "output/summary_read.h"
#include "tap_main.h"

static json_t *parse(const struct st_text *t)
{
	json_error_t why;
	json_t *j = json_loads(t->s, JSON_REJECT_DUPLICATES, &why);

	ck_assert_msg(j != NULL, "%s, line %d", why.text, why.line);
	return j;
}

static json_t *summary(const struct st_result *r, const char *title)
{
	struct st_text t = ST_TEXT_INIT;

	st_json_summary(r, title, &t);
	json_t *j = parse(&t);
	st_text_release(&t);
	return j;
}

START_TEST(figures_have_their_names_and_kinds)
{
	struct st_result r = hand_made_run();
	json_t *j = summary(&r, "x");

	ck_assert(json_is_integer(json_object_get(j, "operations")));
	ck_assert_int_eq(json_integer_value(json_object_get(j, "operations")), 5500);
	ck_assert(json_real_value(json_object_get(j, "amplification")) == 0.1 + 0.2);
	ck_assert(json_number_value(json_object_get(json_object_get(j, "wait_s"), "p99")) == 1.5);
	ck_assert_ptr_null(json_object_get(json_object_get(j, "wait_s"), "p50"));
	ck_assert_ptr_null(json_object_get(j, "latency_s"));
	ck_assert_int_eq(
	    json_integer_value(json_object_get(json_object_get(j, "attempts_histogram"), "2")), 490);
	ck_assert_uint_eq(json_object_size(json_object_get(j, "attempts_histogram")), 2);
	ck_assert_str_eq(json_string_value(json_object_get(j, "fingerprint")), "0000000000abcdef");
	json_t *fault = json_array_get(json_object_get(j, "faults"), 0);
	ck_assert(json_number_value(json_object_get(fault, "from_s")) == 10);
	json_t *group = json_object_get(json_object_get(j, "groups"), "background");
	ck_assert_int_eq(json_integer_value(json_object_get(group, "operations")), 4500);
	ck_assert_ptr_null(json_object_get(group, "capacity_per_s"));
	json_decref(j);
	hand_made_run_release(&r);
}
END_TEST

START_TEST(never_is_null_and_absent_has_no_key)
{
	struct st_result r = hand_made_run();

	set_figure(r.figure, "recovery_time_s", INFINITY);
	json_t *j = summary(&r, "x");
	ck_assert(json_is_null(json_object_get(j, "recovery_time_s")));
	json_decref(j);
	set_figure(r.figure, "recovery_time_s", NAN);
	j = summary(&r, "x");
	ck_assert_ptr_null(json_object_get(j, "recovery_time_s"));
	json_decref(j);
	hand_made_run_release(&r);
}
END_TEST

START_TEST(only_the_machines_part_differs_and_it_is_last)
{
	struct st_result r = hand_made_run();
	struct st_text a = ST_TEXT_INIT, b = ST_TEXT_INIT;

	r.seed = UINT64_MAX;
	st_json_summary(&r, "x", &a);
	r.wall_s = 7;
	r.cpu_s = 6;
	r.events_per_s = 5;
	r.peak_rss_bytes = 4;
	st_json_summary(&r, "x", &b);
	size_t same = (size_t)(strstr(a.s, "\"machine\"") - a.s);
	ck_assert_int_eq(memcmp(a.s, b.s, same), 0);
	ck_assert_str_ne(a.s + same, b.s + same);
	ck_assert_str_eq(strchr(b.s + same, '}'), "}\n}\n");
	/* Numbers as short as they may be, and a seed of 64 bits. */
	ck_assert_ptr_nonnull(strstr(a.s, "\"amplification\": 0.30000000000000004,"));
	ck_assert_ptr_nonnull(strstr(a.s, "\"mean\": 0.25,"));
	ck_assert_ptr_nonnull(strstr(a.s, "\"seed\": 18446744073709551615,"));
	st_text_release(&a);
	st_text_release(&b);
	hand_made_run_release(&r);
}
END_TEST

/* The same figure, absent and never among them. */
static bool is_same(double a, double b)
{
	return isnan(a) ? isnan(b) : a == b;
}

START_TEST(what_is_written_is_read_back)
{
	char dir[] = "check_json.XXXXXX";
	struct st_result r = hand_made_run(), back;
	struct st_text t = ST_TEXT_INIT;
	struct st_err e = ST_ERR_INIT;

	set_figure(r.figure, "recovery_time_s", INFINITY);
	st_json_summary(&r, "x", &t);
	ck_assert_ptr_nonnull(mkdtemp(dir));
	ck_assert_int_eq(st_file_put(dir, "summary.json", &t, &e), 0);
	ck_assert_int_eq(st_summary_read(dir, &back, &e), 0);
	for (size_t i = 0; i < st_figure_count(); i++)
		ck_assert_msg(is_same(back.figure[i], r.figure[i]), "%s", st_figure_at(i)->name);
	ck_assert_uint_eq(back.nsubjects, 2);
	ck_assert_str_eq(back.subject[1].name, "background");
	for (size_t i = 0; i < st_figure_count(); i++)
		ck_assert_msg(is_same(back.subject[1].figure[i], r.subject[1].figure[i]), "%s", st_figure_at(i)->name);
	ck_assert_uint_eq(back.nfaults, 1);
	ck_assert(back.fault[0].from == r.fault[0].from && back.fault[0].to == r.fault[0].to);
	ck_assert(back.capacity_per_s == 200);
	ck_assert_uint_eq(back.fingerprint, r.fingerprint);
	hand_made_run_release(&back);
	char *path = st_format("%s/summary.json", dir);
	unlink(path);
	ck_assert_int_eq(st_summary_read(dir, &back, &e), -1);
	hand_made_run_release(&back);
	rmdir(dir);
	free(path);
	st_err_release(&e);
	st_text_release(&t);
	hand_made_run_release(&r);
}
END_TEST

START_TEST(any_title_is_valid_json)
{
	static const char *const title[] = {
	    "", "say \"x\" \\ \n \t", "\x01", "na\xc3\xafve", "broken \xff\xc3"};
	struct st_result r = hand_made_run();

	for (size_t i = 0; i < sizeof title / sizeof *title; i++) {
		json_t *j = summary(&r, title[i]);
		ck_assert_str_eq(
		    json_string_value(json_object_get(j, "title")), i < 4 ? title[i] : "broken ??");
		json_decref(j);
	}
	hand_made_run_release(&r);
}
END_TEST

START_TEST(sweep_names_points_and_files)
{
	struct st_sweep_result r = hand_made_sweep();
	struct st_text t = ST_TEXT_INIT;

	st_json_sweep(&r, &t);
	json_t *j = parse(&t), *p = json_array_get(json_object_get(j, "points"), 2);
	ck_assert_str_eq(json_string_value(json_object_get(j, "title")), r.title);
	ck_assert_uint_eq(json_array_size(json_object_get(j, "points")), 4);
	ck_assert_str_eq(json_string_value(json_object_get(p, "series")), "series/002.csv");
	ck_assert_str_eq(json_string_value(json_array_get(json_object_get(p, "labels"), 0)), "full");
	json_decref(j);
	st_text_release(&t);
	hand_made_sweep_release(&r);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("json");
	TCase *tc = tcase_create("files");

	tcase_add_test(tc, figures_have_their_names_and_kinds);
	tcase_add_test(tc, never_is_null_and_absent_has_no_key);
	tcase_add_test(tc, only_the_machines_part_differs_and_it_is_last);
	tcase_add_test(tc, what_is_written_is_read_back);
	tcase_add_test(tc, any_title_is_valid_json);
	tcase_add_test(tc, sweep_names_points_and_files);
	suite_add_tcase(s, tc);
	return tap_main(s);
}
