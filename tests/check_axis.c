#include <config.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "experiment/scenario.h"
#include "tap_main.h"

#define X "check_axis.yaml"

/* Eight lines; the axes begin on the ninth, at column 5. */
#define HEAD                                                                                                           \
	"duration: 100s\nservice: {workers: 2, service_time: 37ms}\nclients:\n  fleet: {count: 5, workload: once}\n"  \
	"  users: {count: 6, workload: {kind: poisson, rate: 1/s}}\nfaults: [{at: 1s, for: 2s, effect: 503}]\nsweep:\n  axes:\n"

enum { ARGS = 4 };

static size_t count(const char *const *args)
{
	size_t n = 0;

	while (n < ARGS && args[n])
		n++;
	return n;
}

static void write_file(const char *head, const char *rest)
{
	FILE *f = fopen(X, "wb");

	ck_assert_ptr_nonnull(f);
	ck_assert_int_ge(fprintf(f, "%s%s", head, rest), 0);
	ck_assert_int_eq(fclose(f), 0);
}

/* Read X with these --axis'es; the messages, one a line. */
static char *read_file(const char *const *axes, struct st_scenario *s)
{
	struct st_err e = ST_ERR_INIT;
	struct st_text t = ST_TEXT_INIT;

	st_scenario_read(X, NULL, 0, axes, count(axes), s, &e);
	remove(X);
	st_text_add(&t, "");
	for (size_t i = 0; i < e.n; i++)
		st_text_addf(&t, "%s%s", i ? "\n" : "", e.message[i]);
	st_err_release(&e);
	return t.s;
}

static char *canonical(const struct st_scenario *s)
{
	struct st_config c;
	struct st_err e = ST_ERR_INIT;
	struct st_text t = ST_TEXT_INIT;

	ck_assert_int_eq(st_scenario_resolve(s->tree, &c, &e), 0);
	st_scenario_print(&c, s, &t);
	st_config_release(&c);
	return t.s;
}

static const struct {
	const char *axes, *axis[ARGS], *messages;
} mistakes[] = {
#include "check_axis_mistakes.h"
};

START_TEST(mistakes_are_told)
{
	struct st_scenario s;

	write_file(HEAD, mistakes[_i].axes);
	char *messages = read_file(mistakes[_i].axis, &s);
	ck_assert_str_eq(messages, mistakes[_i].messages);
	free(messages);
	st_scenario_release(&s);
}
END_TEST

/* What axes come to: their part of the canonical scenario, which reads back to the same. */
static const struct {
	const char *axes, *axis[ARGS], *printed;
	size_t points;
} good[] = {
#include "check_axis_good.h"
};

START_TEST(axes_print_and_read_back)
{
	struct st_scenario s;

	write_file(HEAD, good[_i].axes);
	char *messages = read_file(good[_i].axis, &s);
	ck_assert_str_eq(messages, "");
	ck_assert_uint_eq(st_scenario_points(&s), good[_i].points);
	char *text = canonical(&s), *sweep = strstr(text, "sweep:\n");
	ck_assert_ptr_nonnull(sweep);
	ck_assert_str_eq(sweep, good[_i].printed);
	st_scenario_release(&s);
	free(messages);

	write_file(text, "");
	messages = read_file((const char *const[ARGS]){NULL}, &s);
	ck_assert_str_eq(messages, "");
	char *again = canonical(&s);
	ck_assert_str_eq(again, text);
	st_scenario_release(&s);
	free(messages);
	free(again);
	free(text);
}
END_TEST

START_TEST(a_label_sets_all_of_its_parameters)
{
	struct st_scenario s;
	struct st_mistakes m = ST_MISTAKES_INIT;
	struct st_config c;
	struct st_err e = ST_ERR_INIT;

	write_file(HEAD, "    policy:\n      plain: {}\n      storm: {retry.attempts: 4, fleet.count: 9, faults.share: 50%}\n"
		         "    timeout: [1s, 2s]\n");
	char *messages = read_file((const char *const[ARGS]){NULL}, &s);
	ck_assert_str_eq(messages, "");
	ck_assert_str_eq(s.axis[0].path, "policy");
	for (size_t i = 0; i < 4; i++) {
		bool storm = i / 2 == 1;
		struct st_node *tree = st_scenario_point(&s, (const size_t[]){i / 2, i % 2}, &m);

		ck_assert_int_eq(st_scenario_resolve(tree, &c, &e), 0);
		ck_assert_uint_eq(c.group[0].count, storm ? 9 : 5);
		ck_assert_uint_eq(c.group[1].count, 6);
		for (size_t g = 0; g < 2; g++)
			ck_assert_uint_eq(c.group[g].retry.attempts, storm ? 4 : 1);
		ck_assert_double_eq(c.fault[0].share, storm ? 0.5 : 1);
		st_config_release(&c);
		st_tree_free(tree);
	}
	st_scenario_release(&s);
	free(messages);
}
END_TEST

/* Of Sobol's sequence any 2^k points that begin at a multiple of 2^k have one in each 2^k-th of every axis; GSL's lacks the first. */
START_TEST(a_sample_fills_the_axes_evenly)
{
	enum { N = 255, PARTS = 16 };
	struct st_scenario s;
	unsigned count[PARTS] = {0}, whole[8] = {0}, base[PARTS] = {0}, label[3] = {0};

	write_file(HEAD, "    fleet.timeout: 1s..17s\n    users.count: 1..8\n    fleet.retry.backoff.base: log 1s..65536s\n"
		         "    policy: {a: {}, b: {seed: 4}, c: {seed: 5}}\n  sample: 255\n");
	char *messages = read_file((const char *const[ARGS]){NULL}, &s);
	ck_assert_str_eq(messages, "");
	ck_assert_uint_eq(st_scenario_points(&s), N);
	for (size_t i = 0; i < N; i++) {
		size_t index[4];
		double x;

		st_scenario_index(&s, i, index);
		ck_assert_ptr_nonnull(st_text_read_double(s.axis[0].value[index[0]].label, &x));
		count[(int)(x - 1)]++;
		ck_assert_ptr_nonnull(st_text_read_double(s.axis[1].value[index[1]].label, &x));
		ck_assert(x == floor(x));
		whole[(int)(x - 1)]++;
		ck_assert_ptr_nonnull(st_text_read_double(s.axis[2].value[index[2]].label, &x));
		base[(int)log2(x * (1 + 1e-6))]++;
		label[index[3]]++;
	}
	for (int k = 0; k < PARTS; k++)
		ck_assert_uint_eq(count[k], k == 0 ? N / PARTS : N / PARTS + 1);
	for (int k = 0; k < PARTS; k++)
		ck_assert_uint_eq(base[k], k == 0 ? N / PARTS : N / PARTS + 1);
	for (int k = 0; k < 8; k++)
		ck_assert_uint_eq(whole[k], k == 0 ? N / 8 : N / 8 + 1);
	for (int k = 0; k < 3; k++)
		ck_assert(label[k] >= 84 && label[k] <= 86);
	st_scenario_release(&s);
	free(messages);
}
END_TEST

START_TEST(a_longer_sample_begins_as_the_shorter)
{
	static const char *const lengths[] = {"  sample: 7\n", "  sample: 70\n"};
	struct st_scenario s[2];

	for (int k = 0; k < 2; k++) {
		struct st_text t = ST_TEXT_INIT;

		st_text_addf(&t, "    fleet.count: log 1..1M\n    seed: [1, 2, 3]\n%s", lengths[k]);
		write_file(HEAD, t.s);
		free(read_file((const char *const[ARGS]){NULL}, &s[k]));
		st_text_release(&t);
	}
	ck_assert_uint_eq(st_scenario_points(&s[0]), 7);
	ck_assert_uint_eq(st_scenario_points(&s[1]), 70);
	for (size_t i = 0; i < 7; i++) {
		size_t a[2], b[2];

		st_scenario_index(&s[0], i, a);
		st_scenario_index(&s[1], i, b);
		for (size_t k = 0; k < 2; k++)
			ck_assert_str_eq(s[0].axis[k].value[a[k]].label, s[1].axis[k].value[b[k]].label);
	}
	st_scenario_release(&s[0]);
	st_scenario_release(&s[1]);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("axis");
	TCase *tc = tcase_create("axes");

	tcase_add_loop_test(tc, mistakes_are_told, 0, sizeof mistakes / sizeof *mistakes);
	tcase_add_loop_test(tc, axes_print_and_read_back, 0, sizeof good / sizeof *good);
	tcase_add_test(tc, a_label_sets_all_of_its_parameters);
	tcase_add_test(tc, a_sample_fills_the_axes_evenly);
	tcase_add_test(tc, a_longer_sample_begins_as_the_shorter);
	suite_add_tcase(s, tc);
	return tap_main(s);
}
