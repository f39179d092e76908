#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "base/pack.h"
#include "base/rng.h"
#include "tap_main.h"

typedef __int128 wide;
typedef unsigned __int128 uwide;

static const uwide all_ones = ~(uwide)0;

/* As the standard of DWARF shows them. */
START_TEST(known_numbers_have_known_bytes)
{
	static const struct {
		uint64_t number;
		unsigned char bytes[10];
		size_t len;
	} known[] = {
	    {0, {0}, 1},
	    {2, {2}, 1},
	    {127, {127}, 1},
	    {128, {0x80, 1}, 2},
	    {129, {0x81, 1}, 2},
	    {12857, {57 + 0x80, 100}, 2},
	    {624485, {0xe5, 0x8e, 0x26}, 3},
	    {UINT64_MAX, {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1}, 10},
	};
	struct st_pack p = {0};

	for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
		p.len = 0;
		st_pack_number(&p, known[i].number);
		ck_assert_uint_eq(p.len, known[i].len);
		ck_assert_mem_eq(p.at, known[i].bytes, p.len);
	}
	free(p.at);
}
END_TEST

START_TEST(near_zero_is_short_with_any_sign)
{
	static const wide in_order[] = {0, -1, 1, -2, 2, -3};
	struct st_pack p = {0};

	for (unsigned i = 0; i < sizeof in_order / sizeof *in_order; i++) {
		p.len = 0;
		st_pack_signed(&p, in_order[i]);
		ck_assert_uint_eq(p.len, 1);
		ck_assert_uint_eq(p.at[0], i);
	}
	free(p.at);
}
END_TEST

/* All lengths of bits, the numbers at their ends and some between, one behind the other. */
START_TEST(what_is_packed_is_read_again)
{
	struct st_rng_family f = st_rng_family(128, 0);
	uwide number[3 * 128];
	struct st_pack p = {0};

	for (uint32_t bits = 0; bits < 128; bits++) {
		struct st_rng r = st_rng_open(&f, bits, 0, 0, ST_RNG_FAULT);
		uwide top = (uwide)1 << bits;

		number[3 * bits] = top;
		number[3 * bits + 1] = top - 1;
		number[3 * bits + 2] = top | (((uwide)st_rng_below(&r, UINT64_MAX) << 64 | st_rng_below(&r, UINT64_MAX)) & (top - 1));
	}
	for (size_t i = 0; i < 3 * 128; i++) {
		st_pack_number(&p, number[i]);
		st_pack_signed(&p, (wide)number[i]);
		st_pack_signed(&p, -(wide)(number[i] >> 1));
	}
	struct st_unpack u = {p.at, p.at + p.len, false};
	for (size_t i = 0; i < 3 * 128; i++) {
		ck_assert(st_unpack_number(&u, 128) == number[i]);
		ck_assert(st_unpack_signed(&u, 128) == (wide)number[i]);
		ck_assert(st_unpack_signed(&u, 128) == -(wide)(number[i] >> 1));
	}
	ck_assert(!u.bad && u.at == u.end);
	ck_assert_uint_eq(st_unpack_byte(&u), 0);
	ck_assert(u.bad);
	free(p.at);
}
END_TEST

static const unsigned limits[] = {7, 8, 14, 31, 63, 64, 65, 127, 128};

/* The largest number of so many bits, then one more; _i: which. */
START_TEST(a_number_of_too_many_bits_is_bad)
{
	unsigned bits = limits[_i];
	uwide most = all_ones >> (128 - bits);
	struct st_pack p = {0};

	st_pack_number(&p, most);
	struct st_unpack u = {p.at, p.at + p.len, false};
	ck_assert(st_unpack_number(&u, bits) == most && !u.bad);
	p.len = 0;
	st_pack_number(&p, most + 1); /* 0 if there are none of more bits */
	if (bits == 128) { /* 2 to the 128th */
		p.len = 0;
		for (int i = 0; i < ST_PACK_LONGEST - 1; i++)
			st_pack_byte(&p, 0x80);
		st_pack_byte(&p, 4);
	}
	st_pack_byte(&p, 1);
	u = (struct st_unpack){p.at, p.at + p.len, false};
	ck_assert(st_unpack_number(&u, bits) == 0 && u.bad);
	ck_assert(st_unpack_number(&u, bits) == 0 && u.bad); /* though a good one follows */
	free(p.at);
}
END_TEST

START_TEST(a_number_cut_off_is_bad)
{
	struct st_pack p = {0};

	st_pack_number(&p, all_ones);
	ck_assert_uint_eq(p.len, ST_PACK_LONGEST);
	for (size_t n = 0; n < p.len; n++) {
		struct st_unpack u = {p.at, p.at + n, false};

		ck_assert(st_unpack_number(&u, 128) == 0 && u.bad);
	}
	free(p.at);
}
END_TEST

/* Zeros in front are read past, however many there are. */
START_TEST(a_number_may_be_long_winded)
{
	unsigned char bytes[200];
	struct st_unpack u = {bytes, bytes + sizeof bytes, false};

	memset(bytes, 0x80, sizeof bytes);
	bytes[0] = 0x85;
	bytes[sizeof bytes - 1] = 0;
	ck_assert(st_unpack_number(&u, 64) == 5 && !u.bad && u.at == u.end);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("pack");
	TCase *tc = tcase_create("numbers");

	tcase_add_test(tc, known_numbers_have_known_bytes);
	tcase_add_test(tc, near_zero_is_short_with_any_sign);
	tcase_add_test(tc, what_is_packed_is_read_again);
	tcase_add_loop_test(tc, a_number_of_too_many_bits_is_bad, 0, sizeof limits / sizeof *limits);
	tcase_add_test(tc, a_number_cut_off_is_bad);
	tcase_add_test(tc, a_number_may_be_long_winded);
	suite_add_tcase(s, tc);
	return tap_main(s);
}
