#include <config.h>

#include "experiment/fold.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

typedef __int128 wide;
typedef unsigned __int128 uwide;

enum { FORM = 1, NUMBER_MAX = 19 /* bytes of a number of 128 bits, 7 a byte */ };

struct bytes {
	unsigned char *at;
	size_t len, cap;
};

static void put(struct bytes *b, uwide x)
{
	b->at = st_grow(b->at, &b->cap, b->len + NUMBER_MAX, 1);
	for (; x >= 0x80; x >>= 7)
		b->at[b->len++] = (unsigned char)(x | 0x80);
	b->at[b->len++] = (unsigned char)x;
}

static void put_signed(struct bytes *b, wide x)
{
	put(b, x < 0 ? ~((uwide)x << 1) : (uwide)x << 1);
}

unsigned char *st_fold_pack(const struct st_tally *t, size_t *len)
{
	struct bytes b = {0};

	put(&b, FORM);
	put(&b, (uwide)t->bin);
	put(&b, (uwide)t->duration);
	put(&b, t->runs);
	put(&b, t->rows);
	for (size_t i = 0; i < t->rows; i++) {
		for (int c = 0; c < ST_CELL_N; c++) {
			put_signed(&b, t->sum[i][c]);
			put(&b, t->squares[i][c]);
		}
	}
	*len = b.len;
	return b.at;
}

struct reader {
	const unsigned char *at, *end;
	bool bad;
};

static uwide get(struct reader *r)
{
	uwide x = 0;

	for (unsigned shift = 0; shift < 7 * NUMBER_MAX && r->at < r->end; shift += 7) {
		unsigned char c = *r->at++;

		x |= (uwide)(c & 0x7f) << shift;
		if (c < 0x80)
			return x;
	}
	r->bad = true;
	return 0;
}

static wide get_signed(struct reader *r)
{
	uwide x = get(r);

	return x & 1 ? (wide)~(x >> 1) : (wide)(x >> 1);
}

/* A number that must fit a time or a count. */
static int64_t get_small(struct reader *r)
{
	uwide x = get(r);

	if (x > INT64_MAX)
		r->bad = true;
	return r->bad ? 0 : (int64_t)x;
}

int st_fold_unpack(struct st_tally *t, const unsigned char *bytes, size_t len)
{
	struct reader r = {bytes, bytes + len, false};
	int64_t form = get_small(&r), bin = get_small(&r), duration = get_small(&r), runs = get_small(&r), rows = get_small(&r);

	memset(t, 0, sizeof *t);
	/* A row takes two bytes a cell at least: no more memory is asked for than such bytes can fill. */
	if (r.bad || form != FORM || bin <= 0 || duration <= 0 || (size_t)rows > len || rows != (duration - 1) / bin + 1)
		return -1;
	st_tally_init(t, bin, duration);
	t->runs = (size_t)runs;
	for (size_t i = 0; i < t->rows && !r.bad; i++) {
		for (int c = 0; c < ST_CELL_N; c++) {
			t->sum[i][c] = get_signed(&r);
			t->squares[i][c] = get(&r);
		}
	}
	if (!r.bad && r.at == r.end)
		return 0;
	st_tally_release(t);
	memset(t, 0, sizeof *t);
	return -1;
}
