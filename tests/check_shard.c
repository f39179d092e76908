#include <config.h>

#include "experiment/shard.h"

#include <stdlib.h>

#include "tap_main.h"

static const struct {
	size_t points;
	uint32_t replications, shards;
} size[] = {{1, 1, 1}, {1, 7, 3}, {36, 30, 16}, {24, 10, 16}, {16, 16, 16}, {5, 3, 40}, {7, 100, 6}};

/* Shards differ by a trial at most. */
START_TEST(trials_are_shared_evenly)
{
	size_t points = size[_i].points;
	uint32_t shards = size[_i].shards, n[64] = {0};

	for (uint32_t r = 0; r < size[_i].replications; r++)
		for (size_t p = 0; p < points; p++) {
			uint32_t k = st_shard_of_trial(shards, points, p, r);

			ck_assert(k >= 1 && k <= shards);
			n[k]++;
		}
	for (uint32_t k = 2; k <= shards; k++)
		ck_assert(n[1] - n[k] <= 1);
}
END_TEST

START_TEST(no_point_stays_with_one_shard)
{
	uint32_t first = st_shard_of_trial(16, 32, 5, 0), there = 0;

	for (uint32_t r = 0; r < 16; r++)
		there += st_shard_of_trial(16, 32, 5, r) == first;
	ck_assert_uint_eq(there, 1);
}
END_TEST

START_TEST(names_read_back)
{
	const struct st_shard s[] = {{3, 16}, {10, 10}, {1, 1}, {7, 10000}};
	const char *const name[] = {"shard-03-of-16", "shard-10-of-10", "shard-1-of-1", "shard-00007-of-10000"};

	for (size_t i = 0; i < 4; i++) {
		struct st_shard back;
		char *folder = st_shard_folder(&s[i]);

		ck_assert_str_eq(folder, name[i]);
		ck_assert(st_shard_of_folder(folder, &back) && back.number == s[i].number && back.of == s[i].of);
		free(folder);
	}
}
END_TEST

START_TEST(what_is_no_shard_is_refused)
{
	const char *const bad[] = {"", "3", "3/", "/16", "0/16", "17/16", "3/16x", " 3/16", "3 /16", "3/-16", "1/10001", "+3/16", "3/99999999999999999999"};
	const char *const other[] = {"shard-3-of-16", "shard-03-of-16.bak", "shard-17-of-16", "shard--of-16", "shards-03-of-16", "series"};
	struct st_shard s;

	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		ck_assert_msg(!st_shard_read(bad[i], &s), "'%s'", bad[i]);
	for (size_t i = 0; i < sizeof other / sizeof *other; i++)
		ck_assert_msg(!st_shard_of_folder(other[i], &s), "'%s'", other[i]);
	ck_assert(st_shard_read("3/16", &s) && s.number == 3 && s.of == 16);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("shard");
	TCase *tc = tcase_create("parts");

	tcase_add_loop_test(tc, trials_are_shared_evenly, 0, sizeof size / sizeof *size);
	tcase_add_test(tc, no_point_stays_with_one_shard);
	tcase_add_test(tc, names_read_back);
	tcase_add_test(tc, what_is_no_shard_is_refused);
	suite_add_tcase(s, tc);
	return tap_main(s);
}
