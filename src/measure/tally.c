#include <config.h>

#include "measure/tally.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/pack.h"

void st_tally_init(struct st_tally *t, st_time bin, st_time duration)
{
	*t = (struct st_tally){.bin = bin, .duration = duration, .rows = st_series_rows(bin, duration)};
	t->sum = st_calloc(t->rows, sizeof *t->sum);
	t->squares = st_calloc(t->rows, sizeof *t->squares);
}

void st_tally_release(struct st_tally *t)
{
	free(t->sum);
	free(t->squares);
	*t = (struct st_tally){0};
}

bool st_tally_sums(enum st_cell c)
{
	return st_series_column(c)->scale != ST_SCALE_TIME;
}

static void add_rows(struct st_tally *t, int64_t (*row)[ST_CELL_N])
{
	for (size_t i = 0; i < t->rows; i++)
		for (enum st_cell c = 0; c < ST_CELL_N; c++) {
			int64_t x = st_tally_sums(c) ? row[i][c] : 0;

			t->sum[i][c] += x;
			t->squares[i][c] += (unsigned __int128)((__int128)x * x);
		}
	t->runs++;
}

void st_tally_add(struct st_tally *t, const struct st_series *s)
{
	st_assert(s->bin == t->bin && s->duration == t->duration);
	add_rows(t, s->row);
}

struct st_estimate st_tally_mean(const struct st_tally *t, size_t i, enum st_cell c)
{
	return st_estimate_sums(
	    st_tally_sums(c) ? t->runs : 0, t->sum[i][c], t->squares[i][c], st_series_scale(c));
}

/*
 * The packed form: "sTs" and the format's number; then numbers as of pack.h: bin, duration and the number of columns; each column;
 * FNV-1a over all of it, 4 bytes, least first. A column is one byte that tells how its values are coded, then numbers until all rows
 * are there: a value, with its sign, or 0 and a run's length less one for a run of zeros. Values are the cells themselves or each
 * one's difference to the one before, whichever is shorter for the column: a count of events jumps about and is small, a number of
 * clients waiting is large and moves slowly, the workers in force stay as they are.
 *
 * A general compressor (zlib) would be one more dependency for what this does by itself.
 */
static const unsigned char magic[4] = {'s', 'T', 's', 1};

enum { AS_CELLS, AS_DIFFERENCES, CHECK_BYTES = 4 };

static uint32_t check_sum(const unsigned char *at, size_t n)
{
	uint32_t h = 2166136261u;

	for (size_t i = 0; i < n; i++)
		h = (h ^ at[i]) * 16777619u;
	return h;
}

static void put_zeros(struct st_pack *b, uint64_t *run)
{
	if (*run > 0) {
		st_pack_number(b, 0);
		st_pack_number(b, *run - 1);
	}
	*run = 0;
}

static void put_column(struct st_pack *b, const struct st_series *s, enum st_cell c, unsigned how)
{
	uint64_t before = 0, zeros = 0;

	st_pack_byte(b, how);
	for (size_t i = 0; i < s->n; i++) {
		uint64_t cell = (uint64_t)s->row[i][c], v = how == AS_DIFFERENCES ? cell - before : cell;

		before = cell;
		if (v == 0) {
			zeros++;
		} else {
			put_zeros(b, &zeros);
			st_pack_signed(b, (int64_t)v);
		}
	}
	put_zeros(b, &zeros);
}

static unsigned summed_columns(void)
{
	unsigned n = 0;

	for (enum st_cell c = 0; c < ST_CELL_N; c++)
		n += st_tally_sums(c);
	return n;
}

unsigned char *st_series_pack(const struct st_series *s, size_t *len)
{
	struct st_pack b = {0}, way[2] = {{0}, {0}};

	st_pack_bytes(&b, magic, sizeof magic);
	st_pack_number(&b, (uint64_t)s->bin);
	st_pack_number(&b, (uint64_t)s->duration);
	st_pack_number(&b, summed_columns());
	for (enum st_cell c = 0; c < ST_CELL_N; c++) {
		if (!st_tally_sums(c))
			continue;
		for (unsigned how = AS_CELLS; how <= AS_DIFFERENCES; how++) {
			way[how].len = 0;
			put_column(&way[how], s, c, how);
		}
		struct st_pack *shorter =
		    way[AS_DIFFERENCES].len < way[AS_CELLS].len ? &way[AS_DIFFERENCES] : way;
		st_pack_bytes(&b, shorter->at, shorter->len);
	}
	uint32_t check = check_sum(b.at, b.len);
	for (int i = 0; i < CHECK_BYTES; i++)
		st_pack_byte(&b, check >> 8 * i & 0xff);
	free(way[AS_CELLS].at);
	free(way[AS_DIFFERENCES].at);
	*len = b.len;
	return b.at;
}

static void get_column(struct st_unpack *r, int64_t (*row)[ST_CELL_N], size_t n, enum st_cell c)
{
	unsigned how = st_unpack_byte(r);
	uint64_t before = 0;

	if (how > AS_DIFFERENCES)
		r->bad = true;
	for (size_t i = 0; i < n && !r->bad;) {
		uint64_t v = (uint64_t)st_unpack_signed(r, 64), more = v == 0 ? (uint64_t)st_unpack_number(r, 64) : 0;

		if (more >= n - i)
			r->bad = true;
		for (uint64_t k = 0; k <= more && !r->bad; k++) {
			before = how == AS_DIFFERENCES ? before + v : v;
			row[i++][c] = (int64_t)before;
		}
	}
}

static bool has_check_sum(const unsigned char *bytes, size_t len)
{
	uint32_t check = 0;

	if (len < sizeof magic + CHECK_BYTES)
		return false;
	for (size_t i = 0; i < CHECK_BYTES; i++)
		check |= (uint32_t)bytes[len - CHECK_BYTES + i] << 8 * i;
	return check == check_sum(bytes, len - CHECK_BYTES);
}

/* The head of packed rows, and what follows it. 0, or -1 if the bytes are damaged. */
static int open_packed(struct st_unpack *r, const unsigned char *bytes, size_t len, st_time *bin, st_time *duration)
{
	if (!has_check_sum(bytes, len) || memcmp(bytes, magic, sizeof magic) != 0)
		return -1;
	*r = (struct st_unpack){.at = bytes + sizeof magic, .end = bytes + len - CHECK_BYTES};
	*bin = (st_time)st_unpack_number(r, 63);
	*duration = (st_time)st_unpack_number(r, 63);
	return st_unpack_number(r, 64) == summed_columns() && *bin > 0 && *duration > 0 ? 0 : -1;
}

static bool get_rows(struct st_unpack *r, int64_t (*row)[ST_CELL_N], size_t n)
{
	for (enum st_cell c = 0; c < ST_CELL_N; c++)
		if (st_tally_sums(c))
			get_column(r, row, n, c);
	return !r->bad && r->at == r->end;
}

int st_tally_add_packed(struct st_tally *t, const unsigned char *bytes, size_t len)
{
	struct st_unpack r;
	st_time bin, duration;

	if (open_packed(&r, bytes, len, &bin, &duration) < 0 || bin != t->bin || duration != t->duration)
		return -1;
	int64_t(*row)[ST_CELL_N] = st_calloc(t->rows, sizeof *row);
	bool whole = get_rows(&r, row, t->rows);
	if (whole)
		add_rows(t, row);
	free(row);
	return whole ? 0 : -1;
}
