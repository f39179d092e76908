#include <config.h>

#include "experiment/fold.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/pack.h"

enum { FORM = 1 };

unsigned char *st_fold_pack(const struct st_tally *t, size_t *len)
{
	struct st_pack b = {0};

	st_pack_number(&b, FORM);
	st_pack_number(&b, (unsigned __int128)t->bin);
	st_pack_number(&b, (unsigned __int128)t->duration);
	st_pack_number(&b, t->runs);
	st_pack_number(&b, t->rows);
	for (size_t i = 0; i < t->rows; i++) {
		for (int c = 0; c < ST_CELL_N; c++) {
			st_pack_signed(&b, t->sum[i][c]);
			st_pack_number(&b, t->squares[i][c]);
		}
	}
	*len = b.len;
	return b.at;
}

/* A number that must fit a time or a count. */
static int64_t get_small(struct st_unpack *u)
{
	return (int64_t)st_unpack_number(u, 63);
}

int st_fold_unpack(struct st_tally *t, const unsigned char *bytes, size_t len)
{
	struct st_unpack r = {bytes, bytes + len, false};
	int64_t form = get_small(&r), bin = get_small(&r), duration = get_small(&r), runs = get_small(&r), rows = get_small(&r);

	memset(t, 0, sizeof *t);
	/* A row takes two bytes a cell at least: no more memory is asked for than such bytes can fill. */
	if (r.bad || form != FORM || bin <= 0 || duration <= 0 || (size_t)rows > len || rows != (duration - 1) / bin + 1)
		return -1;
	st_tally_init(t, bin, duration);
	t->runs = (size_t)runs;
	for (size_t i = 0; i < t->rows && !r.bad; i++) {
		for (int c = 0; c < ST_CELL_N; c++) {
			t->sum[i][c] = st_unpack_signed(&r, 128);
			t->squares[i][c] = st_unpack_number(&r, 128);
		}
	}
	if (!r.bad && r.at == r.end)
		return 0;
	st_tally_release(t);
	memset(t, 0, sizeof *t);
	return -1;
}
