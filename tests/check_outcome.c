#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "build.h"
#include "tap_main.h"

static const struct st_param on = {.name = "on", .type = &st_param_conditions};
static const struct st_param overload = {.name = "overload", .type = &st_param_overload};

static void prints(const struct st_param *p, const void *field, const char *want)
{
	struct st_text t = ST_TEXT_INIT;

	st_param_print(p, field, &t);
	ck_assert_str_eq(t.s, want);
	st_text_release(&t);
}

/* The message, without the name in front; the field must be left alone. */
static void is_wrong(const struct st_param *p, const char *text, void *field, size_t size, const char *part)
{
	struct st_err e = ST_ERR_INIT;
	char before[64];

	ck_assert_uint_le(size, sizeof before);
	memcpy(before, field, size);
	ck_assert_msg(st_param_read_text(p, text, NULL, field, &e) == -1, "'%s' is read", text);
	ck_assert_msg(strstr(e.message[0], part) != NULL, "'%s': %s", text, e.message[0]);
	ck_assert_mem_eq(before, field, size);
	st_err_release(&e);
}

static unsigned size(const struct st_conditions *c)
{
	unsigned n = 0;

	for (st_outcome o = 0; o < 512; o++)
		n += st_conditions_has(c, o);
	return n;
}

/* --- sets of conditions ----------------------------------------------------------------------------------------------- */

static const struct {
	const char *text, *printed;
	unsigned size;
} sets[] = {
    {"[]", "[]", 0},
    {"503", "[503]", 1},
    {"[503, 503]", "[503]", 1},
    {"[100, 599]", "[100, 599]", 2},
    {"[timeout]", "[timeout]", 1},
    {"[reset, refused, timeout]", "[timeout, refused, reset]", 3},
    {"[429, 408, 5xx]", "[5xx, 408, 429]", 102},
    {"[5xx, 503, 4xx, 400]", "[4xx, 5xx]", 200},
    {"any", "[any]", 503},
    {"[5xx, -501]", "[5xx, -501]", 99},
    {"[any, -404, 404]", "[any]", 503},
    {"[timeout, reset, -reset]", "[timeout]", 1},
    {"[any, 5xx, timeout, 200]", "[any]", 503},
};

START_TEST(a_set_is_read_and_printed)
{
	struct st_conditions c = build_conditions(sets[_i].text);

	ck_assert_uint_eq(size(&c), sets[_i].size);
	ck_assert(!st_conditions_has(&c, ST_OUTCOME_OK));
	prints(&on, &c, sets[_i].printed);
	struct st_conditions again = build_conditions(sets[_i].printed);
	ck_assert_mem_eq(&again, &c, sizeof c);
}
END_TEST

START_TEST(a_set_holds_what_it_names)
{
	struct st_conditions c = build_conditions("[5xx, 429, timeout, reset]");

	for (unsigned status = 100; status <= 599; status++)
		ck_assert_int_eq(st_conditions_has(&c, st_outcome_status(status)), status >= 500 || status == 429);
	ck_assert(st_conditions_has(&c, ST_OUTCOME_TIMEOUT));
	ck_assert(st_conditions_has(&c, ST_OUTCOME_RESET));
	ck_assert(!st_conditions_has(&c, ST_OUTCOME_REFUSED));
}
END_TEST

/* Sets drawn at random: what is printed is read back. */
START_TEST(every_set_is_printed_so_that_it_reads_back)
{
	struct st_rng_family family = st_rng_family(5, 0);

	for (uint32_t n = 0; n < 200; n++) {
		struct st_rng r = st_rng_open(&family, n, 0, 0, ST_RNG_ARRIVAL);
		struct st_conditions c = {{0}}, back = {{0}};
		struct st_err e = ST_ERR_INIT;
		struct st_text t = ST_TEXT_INIT;
		double share = n % 2 ? 0.5 : 0.995; /* nearly full sets are nearly classes */

		for (st_outcome o = ST_OUTCOME_TIMEOUT; o < ST_OUTCOME_N; o++)
			if (st_rng_uniform(&r) < share)
				c.bit[o / 64] |= UINT64_C(1) << o % 64;
		st_param_print(&on, &c, &t);
		ck_assert_int_eq(st_param_read_text(&on, t.s, NULL, &back, &e), 0);
		ck_assert_mem_eq(&back, &c, sizeof c);
		st_text_release(&t);
	}
}
END_TEST

static const struct {
	const char *text, *part;
} bad[] = {
    {"[5x]", "did you mean '5xx'"},
    {"[timeouts]", "did you mean 'timeout'"},
    {"[refuse]", "did you mean 'refused'"},
    {"[503, resett]", "did you mean 'reset'"},
    {"[99]", "expects a list of statuses"},
    {"[600]", "expects a list of statuses"},
    {"[0503]", "expects a list of statuses"},
    {"[-503]", "expects a list of statuses"},
    {"[-timeouts]", "did you mean 'timeout'"},
    {"[5xx, -429]", "expects a list of statuses"},
    {"[50.3]", "expects a list of statuses"},
    {"everything", "expects a list of statuses"},
};

START_TEST(a_condition_that_is_none_is_told)
{
	struct st_conditions c = build_conditions("[429]");

	is_wrong(&on, bad[_i].text, &c, sizeof c, bad[_i].part);
}
END_TEST

START_TEST(every_bad_condition_is_told)
{
	struct st_conditions c = {{0}};
	struct st_err e = ST_ERR_INIT;

	ck_assert_int_eq(st_param_read_text(&on, "[1xx, 503, timeuot, 4711]", NULL, &c, &e), -1);
	ck_assert_uint_eq(e.n, 3);
	st_err_release(&e);
}
END_TEST

/* --- overload answers and names ------------------------------------------------------------------------------------------ */

START_TEST(an_overload_answer_is_a_status_a_refusal_or_silence)
{
	static const struct {
		const char *text;
		st_outcome outcome;
	} good[] = {{"503", ST_OUTCOME_STATUS + 403}, {"400", ST_OUTCOME_STATUS + 300}, {"599", ST_OUTCOME_N - 1},
	    {"refuse", ST_OUTCOME_REFUSED}, {"drop", ST_OUTCOME_SILENCE}};
	static const char *const wrong[] = {"200", "399", "600", "refused", "silence", "[503, 429]", ""};
	struct st_err e = ST_ERR_INIT;
	st_outcome o;

	for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
		ck_assert_int_eq(st_param_read_text(&overload, good[i].text, NULL, &o, &e), 0);
		ck_assert_uint_eq(o, good[i].outcome);
		prints(&overload, &o, good[i].text);
	}
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
		is_wrong(&overload, wrong[i], &o, sizeof o, "expects");
}
END_TEST

START_TEST(an_outcome_has_a_name)
{
	char buf[8];

	ck_assert_str_eq(st_outcome_name(ST_OUTCOME_OK, buf), "ok");
	ck_assert_str_eq(st_outcome_name(ST_OUTCOME_TIMEOUT, buf), "timeout");
	ck_assert_str_eq(st_outcome_name(ST_OUTCOME_REFUSED, buf), "refused");
	ck_assert_str_eq(st_outcome_name(ST_OUTCOME_RESET, buf), "reset");
	for (unsigned status = 100; status <= 599; status++) {
		ck_assert_int_eq(atoi(st_outcome_name(st_outcome_status(status), buf)), (int)status);
		ck_assert_uint_eq(st_outcome_parse_status(buf), status);
	}
	ck_assert_uint_eq(st_outcome_parse_status("099"), 0);
	ck_assert_uint_eq(st_outcome_parse_status("5xx"), 0);
	ck_assert_uint_eq(st_outcome_parse_status("5031"), 0);
	ck_assert_uint_eq(st_outcome_parse_status(""), 0);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("outcome");
	TCase *tc = tcase_create("outcome");

	tcase_add_loop_test(tc, a_set_is_read_and_printed, 0, (int)(sizeof sets / sizeof *sets));
	tcase_add_test(tc, a_set_holds_what_it_names);
	tcase_add_test(tc, every_set_is_printed_so_that_it_reads_back);
	tcase_add_loop_test(tc, a_condition_that_is_none_is_told, 0, (int)(sizeof bad / sizeof *bad));
	tcase_add_test(tc, every_bad_condition_is_told);
	tcase_add_test(tc, an_overload_answer_is_a_status_a_refusal_or_silence);
	tcase_add_test(tc, an_outcome_has_a_name);
	suite_add_tcase(s, tc);
	return tap_main(s);
}
