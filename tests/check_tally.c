#include <config.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "measure/tally.h"
#include "tap_main.h"

enum { ROWS = 400 };
static const st_time bin = 250 * ST_MSEC,
		     duration = 99 * ST_SEC + 875 * ST_MSEC; /* the last bin is half a bin */

static bool is_latency(enum st_cell c)
{
	return c == ST_CELL_LATENCY_P50 || c == ST_CELL_LATENCY_P99;
}

/* One cell of a column of this kind: idle, rare, small counts, large and slow, anything, constant. */
static int64_t drawn(struct st_rng *r, unsigned kind, int64_t before)
{
	switch (kind % 6) {
	case 0:
		return 0;
	case 1:
		return st_rng_below(r, 40) == 0 ? (int64_t)st_rng_below(r, 1000) : 0;
	case 2:
		return (int64_t)st_rng_below(r, 130);
	case 3:
		return before + (int64_t)st_rng_below(r, 50) + 1000000000;
	case 4:
		return (int64_t)(st_rng_below(r, UINT64_MAX) >> 1 >> st_rng_below(r, 62));
	default:
		return 10 * ST_SERIES_MILLION;
	}
}

static void fill(struct st_series *s, uint32_t trial)
{
	struct st_rng_family f = st_rng_family(2385, trial);
	struct st_rng r = st_rng_open(&f, 0, 0, 0, ST_RNG_ARRIVAL);

	st_series_init(s, bin, duration, 0);
	ck_assert_uint_eq(s->n, ROWS);
	for (size_t i = 0; i < s->n; i++)
		for (enum st_cell c = 0; c < ST_CELL_N; c++)
			s->row[i][c] = drawn(&r, (unsigned)c + trial, i > 0 ? s->row[i - 1][c] : 0);
}

static void same_sums(const struct st_tally *a, const struct st_tally *b)
{
	ck_assert_uint_eq(a->runs, b->runs);
	for (size_t i = 0; i < a->rows; i++)
		for (enum st_cell c = 0; c < ST_CELL_N; c++)
			ck_assert_msg(a->sum[i][c] == b->sum[i][c] && a->squares[i][c] == b->squares[i][c],
			    "bin %zu, %s", i, st_series_column(c)->name);
}

START_TEST(mean_and_band_by_hand)
{
	static const int64_t counts[] = {113, 118, 104, 149}; /* mean 121, squared deviations 1146 */
	struct st_tally t;
	struct st_series s;

	st_tally_init(&t, 300, 1000);
	st_series_init(&s, 300, 1000, 0);
	for (int k = 0; k < 4; k++) {
		s.row[3][ST_CELL_OFFERED] = counts[k];
		s.row[3][ST_CELL_WAITING] = counts[k] * ST_SERIES_MILLION / 4;
		s.row[3][ST_CELL_LATENCY_P50] = k ? 70 : -1;
		st_tally_add(&t, &s);
	}
	struct st_estimate e = st_tally_mean(&t, 3, ST_CELL_OFFERED);
	ck_assert_uint_eq(e.n, 4);
	ck_assert_double_eq(e.mean, 121.0);
	ck_assert_double_eq_tol(e.half, 3.182446305 * sqrt(1146.0 / 3.0) / 2.0, 1e-7);
	struct st_estimate w = st_tally_mean(&t, 3, ST_CELL_WAITING);
	ck_assert_double_eq(w.mean, 30.25);
	ck_assert_double_eq_tol(w.half, e.half / 4.0, 1e-12);
	ck_assert_double_eq(st_tally_mean(&t, 2, ST_CELL_OFFERED).half, 0.0);
	ck_assert(isnan(st_tally_mean(&t, 3, ST_CELL_LATENCY_P50).mean));
	st_series_release(&s);
	st_tally_release(&t);
}
END_TEST

START_TEST(an_empty_tally_has_no_mean)
{
	struct st_tally t;

	st_tally_init(&t, bin, duration);
	ck_assert(isnan(st_tally_mean(&t, ROWS - 1, ST_CELL_FIRST).mean));
	st_tally_release(&t);
}
END_TEST

/* Twelve trials: every column is filled in each manner twice. */
START_TEST(packed_rows_add_up_to_the_same_in_any_order)
{
	enum { TRIALS = 12 };
	struct st_tally plain, packed;
	unsigned char *bytes[TRIALS];
	size_t len[TRIALS];

	st_tally_init(&plain, bin, duration);
	st_tally_init(&packed, bin, duration);
	for (uint32_t k = 0; k < TRIALS; k++) {
		struct st_series s;

		fill(&s, k);
		st_tally_add(&plain, &s);
		bytes[k] = st_series_pack(&s, &len[k]);
		st_series_release(&s);
	}
	for (int k = TRIALS - 1; k >= 0; k--) {
		ck_assert_int_eq(st_tally_add_packed(&packed, bytes[k], len[k]), 0);
		free(bytes[k]);
	}
	same_sums(&plain, &packed);
	for (enum st_cell c = 0; c < ST_CELL_N; c++)
		ck_assert(is_latency(c) == (plain.sum[7][c] == 0 && plain.sum[11][c] == 0));
	st_tally_release(&plain);
	st_tally_release(&packed);
}
END_TEST

static void refused(const unsigned char *bytes, size_t len)
{
	struct st_tally t;

	st_tally_init(&t, bin, duration);
	ck_assert_int_eq(st_tally_add_packed(&t, bytes, len), -1);
	ck_assert_uint_eq(t.runs, 0);
	bool touched = false;
	for (size_t i = 0; i < t.rows; i++)
		for (enum st_cell c = 0; c < ST_CELL_N; c++)
			touched |= t.sum[i][c] != 0;
	ck_assert(!touched);
	st_tally_release(&t);
}

START_TEST(truncated_and_damaged_bytes_are_refused)
{
	struct st_series s;
	size_t len;

	fill(&s, 3);
	unsigned char *bytes = st_series_pack(&s, &len);
	for (size_t n = 0; n < len; n += 1 + n / 40)
		refused(bytes, n);
	refused(bytes, len - 1);
	for (size_t n = 0; n < len; n += 1 + n / 40) {
		bytes[n] ^= (unsigned char)(1u << n % 8);
		refused(bytes, len);
		bytes[n] ^= (unsigned char)(1u << n % 8);
	}
	free(bytes);
	st_series_release(&s);
}
END_TEST

START_TEST(another_bin_or_duration_is_refused)
{
	static const st_time other[][2] = {{1, 0}, {0, 1}, {0, -1}, {-1, 0}};

	for (size_t i = 0; i < 4; i++) {
		struct st_series s;
		size_t len;

		st_series_init(&s, bin + other[i][0], duration + other[i][1], 0);
		unsigned char *bytes = st_series_pack(&s, &len);
		refused(bytes, len);
		free(bytes);
		st_series_release(&s);
	}
}
END_TEST

static void set_check_sum(unsigned char *bytes, size_t len)
{
	uint32_t h = 2166136261u;

	for (size_t i = 0; i < len - 4; i++)
		h = (h ^ bytes[i]) * 16777619u;
	for (size_t i = 0; i < 4; i++)
		bytes[len - 4 + i] = (unsigned char)(h >> 8 * i);
}

/* A good head and a good check sum, but columns of nonsense: the reader has to notice by itself. */
START_TEST(forged_columns_are_refused)
{
	struct st_rng_family f = st_rng_family(41, 0);
	struct st_series s;
	size_t len;

	st_series_init(&s, bin, duration, 0);
	unsigned char *bytes = st_series_pack(&s, &len);
	const size_t head =
	    len - 4 - 20 * 4; /* of zeros, each of 20 columns is a mode, 0 and a run's length of 2 bytes */
	for (uint32_t k = 0; k < 1000; k++) {
		struct st_rng r = st_rng_open(&f, k, 0, 0, ST_RNG_FAULT);
		size_t n = head + st_rng_below(&r, len - 4 - head);
		unsigned char keep = bytes[n];
		/* Any change of a byte makes a run too long or too short, a mode that is none, or a cell too
		 * many. */
		bytes[n] = (unsigned char)(keep ^ (1 + st_rng_below(&r, 255)));
		if (bytes[n] == 1 && (n - head) % 4 == 0) /* differences of zeros are the same zeros */
			bytes[n] = 2;
		set_check_sum(bytes, len);
		refused(bytes, len);
		bytes[n] = keep;
	}
	free(bytes);
	st_series_release(&s);
}
END_TEST

/* The last column of an idle series ends in 0 and a run's length of two bytes; then the check sum. */
START_TEST(more_than_a_series_is_refused)
{
	static const unsigned char too_long[] = {
	    0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 2, 0x8f, 3};
	struct st_series s;
	size_t len;

	st_series_init(&s, bin, duration, 0);
	unsigned char *bytes = st_series_pack(&s, &len);
	bytes = realloc(bytes, len + sizeof too_long);
	bytes[len - 4] = 0; /* a byte after the last column */
	set_check_sum(bytes, len + 1);
	refused(bytes, len + 1);
	memcpy(bytes + len - 7, too_long, sizeof too_long); /* the zero, as a number of 65 bits */
	set_check_sum(bytes, len + 9);
	refused(bytes, len + 9);
	bytes[len - 7 + 9] = 0; /* long-winded, but a zero: so it was the 65th bit */
	set_check_sum(bytes, len + 9);
	struct st_tally t;
	st_tally_init(&t, bin, duration);
	ck_assert_int_eq(st_tally_add_packed(&t, bytes, len + 9), 0);
	st_tally_release(&t);
	free(bytes);
	st_series_release(&s);
}
END_TEST

/* Like a four-minute run of 100 ms bins: counts around 20, a queue that moves, much silence. */
START_TEST(a_usual_series_takes_a_few_bytes_a_row)
{
	struct st_rng_family f = st_rng_family(7, 0);
	struct st_rng r = st_rng_open(&f, 0, 0, 0, ST_RNG_ARRIVAL);
	struct st_series s;
	size_t len;

	st_series_init(&s, 100 * ST_MSEC, 240 * ST_SEC, 0);
	for (size_t i = 0; i < s.n; i++) {
		int64_t *row = s.row[i];

		row[ST_CELL_FIRST] = row[ST_CELL_OFFERED] = row[ST_CELL_ADMITTED] =
		    10 + (int64_t)st_rng_below(&r, 20);
		row[ST_CELL_OK] = 10 + (int64_t)st_rng_below(&r, 20);
		row[ST_CELL_BUSY_MEAN] = (int64_t)st_rng_below(&r, 10 * ST_SERIES_MILLION);
		row[ST_CELL_WORKERS] = 10 * ST_SERIES_MILLION;
		row[ST_CELL_QUEUE_MAX] = (int64_t)st_rng_below(&r, 5);
	}
	free(st_series_pack(&s, &len));
	ck_assert_msg(len < 10 * s.n, "%zu bytes", len);
	memset(s.row, 0, s.n * sizeof *s.row);
	free(st_series_pack(&s, &len));
	ck_assert_msg(len < 120, "%zu bytes for silence", len);
	st_series_release(&s);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("tally");
	TCase *tc = tcase_create("tally"), *pack = tcase_create("pack");

	tcase_add_test(tc, mean_and_band_by_hand);
	tcase_add_test(tc, an_empty_tally_has_no_mean);
	suite_add_tcase(s, tc);
	tcase_add_test(pack, packed_rows_add_up_to_the_same_in_any_order);
	tcase_add_test(pack, truncated_and_damaged_bytes_are_refused);
	tcase_add_test(pack, another_bin_or_duration_is_refused);
	tcase_add_test(pack, forged_columns_are_refused);
	tcase_add_test(pack, more_than_a_series_is_refused);
	tcase_add_test(pack, a_usual_series_takes_a_few_bytes_a_row);
	suite_add_tcase(s, pack);
	return tap_main(s);
}
