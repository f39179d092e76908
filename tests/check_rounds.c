#include <config.h>

#include "experiment/rounds.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tap_main.h"

enum { MOST = 40 };

static char name[] = "goodput";

static void fill(double *value, double spread)
{
	for (int i = 0; i < MOST; i++)
		value[i] = i % 2 ? 100 + spread : 100 - spread;
}

/* Points whose values lie 100 +- 0, 1, 6 and 90, and one that is never. With n runs the half-width is t s / sqrt(n), s = spread sqrt(n / (n - 1)). */
START_TEST(batches_until_it_is_known_well_enough)
{
	static double value[5 * MOST];
	const double spread[] = {0, 1, 6, 90, 1};
	const struct st_precision p = {.half_width = 0.02, .limit = MOST, .figure = name};
	struct st_text t = ST_TEXT_INIT;
	struct st_rounds r;
	int rounds = 1;

	for (size_t i = 0; i < 5; i++)
		fill(value + i * MOST, spread[i]);
	value[4 * MOST + 3] = INFINITY;
	st_rounds_init(&r, &p, 10, 5);
	ck_assert_uint_eq(r.most, MOST);
	while (st_rounds_next(&r, value))
		rounds++;
	ck_assert_int_eq(rounds, 4);
	const uint32_t wanted[] = {10, 10, 40, 40, 10};
	const enum st_rounds_end end[] = {
	    ST_ROUNDS_REACHED, ST_ROUNDS_REACHED, ST_ROUNDS_REACHED, ST_ROUNDS_LIMIT, ST_ROUNDS_NEVER};
	for (size_t i = 0; i < 5; i++) {
		ck_assert_uint_eq(r.point[i].wanted, wanted[i]);
		ck_assert_int_eq(r.point[i].end, end[i]);
	}
	st_rounds_say(&r, &t);
	ck_assert_str_eq(t.s,
	    "precision: 2 % of goodput reached at 3 of 5 points, in 10 to 40 runs; not in 40 runs at 3 (29 %); "
	    "there is no mean (never, or absent in a run) at 4");
	st_text_release(&t);
	st_rounds_release(&r);
}
END_TEST

START_TEST(a_fixed_number_is_one_round)
{
	const struct st_precision p = {.half_width = 0, .limit = MOST, .figure = name};
	struct st_text t = ST_TEXT_INIT;
	struct st_rounds r;

	st_rounds_init(&r, &p, 7, 2);
	ck_assert(r.most == 7 && r.point[1].wanted == 7);
	ck_assert(!st_rounds_next(&r, NULL));
	st_rounds_say(&r, &t);
	ck_assert_ptr_null(t.s);
	st_rounds_release(&r);
}
END_TEST

START_TEST(one_replication_is_no_batch_and_the_limit_bounds_it)
{
	const struct st_precision p = {.half_width = 0.02, .limit = 4, .figure = name}, q = {.half_width = 0.02, .limit = MOST};
	struct st_rounds r;

	st_rounds_init(&r, &q, 1, 1);
	ck_assert_uint_eq(r.batch, ST_ROUNDS_BATCH);
	st_rounds_release(&r);
	st_rounds_init(&r, &p, 30, 1);
	ck_assert(r.batch == 4 && r.most == 4);
	st_rounds_release(&r);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("rounds");
	TCase *tc = tcase_create("batches");

	tcase_add_test(tc, batches_until_it_is_known_well_enough);
	tcase_add_test(tc, a_fixed_number_is_one_round);
	tcase_add_test(tc, one_replication_is_no_batch_and_the_limit_bounds_it);
	suite_add_tcase(s, tc);
	return tap_main(s);
}
