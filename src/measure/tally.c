#include <config.h>

#include "measure/tally.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"

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
 * The packed form: "sTs" and the format's number; bin, duration and the number of columns as varints; each
 * column; FNV-1a over all of it, 4 bytes, least first. A varint is 7 bits a byte, least first, the top bit
 * set on all but the last (LEB128). A column is one byte that tells how its values are coded, then codes
 * until all rows are there: zigzag of a value, or 0 and a run's length less one for a run of zeros. Values
 * are the cells themselves or each one's difference to the one before, whichever is shorter for the column: a
 * count of events jumps about and is small, a number of clients waiting is large and moves slowly, the
 * workers in force stay as they are.
 *
 * A general compressor (zlib) would be one more dependency for what this does by itself.
 */
static const unsigned char magic[4] = {'s', 'T', 's', 1};

enum { AS_CELLS, AS_DIFFERENCES, VARINT_BYTES = 10, CHECK_BYTES = 4 };

struct bytes {
	unsigned char *at;
	size_t len, cap;
};

static void put_byte(struct bytes *b, unsigned byte)
{
	b->at = st_grow(b->at, &b->cap, b->len + 1, 1);
	b->at[b->len++] = (unsigned char)byte;
}

static void put_varint(struct bytes *b, uint64_t v)
{
	for (; v >= 0x80; v >>= 7)
		put_byte(b, (unsigned)(v & 0x7f) | 0x80);
	put_byte(b, (unsigned)v);
}

static void put_bytes(struct bytes *b, const unsigned char *from, size_t n)
{
	for (size_t i = 0; i < n; i++)
		put_byte(b, from[i]);
}

static uint64_t zigzag(uint64_t v)
{
	return v << 1 ^ (v >> 63 ? UINT64_MAX : 0);
}

static uint64_t unzigzag(uint64_t z)
{
	return z >> 1 ^ (z & 1 ? UINT64_MAX : 0);
}

static uint32_t check_sum(const unsigned char *at, size_t n)
{
	uint32_t h = 2166136261u;

	for (size_t i = 0; i < n; i++)
		h = (h ^ at[i]) * 16777619u;
	return h;
}

static void put_zeros(struct bytes *b, uint64_t *run)
{
	if (*run > 0) {
		put_varint(b, 0);
		put_varint(b, *run - 1);
	}
	*run = 0;
}

static void put_column(struct bytes *b, const struct st_series *s, enum st_cell c, unsigned how)
{
	uint64_t before = 0, zeros = 0;

	put_byte(b, how);
	for (size_t i = 0; i < s->n; i++) {
		uint64_t cell = (uint64_t)s->row[i][c], v = how == AS_DIFFERENCES ? cell - before : cell;

		before = cell;
		if (v == 0) {
			zeros++;
		} else {
			put_zeros(b, &zeros);
			put_varint(b, zigzag(v));
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
	struct bytes b = {0}, way[2] = {{0}, {0}};

	put_bytes(&b, magic, sizeof magic);
	put_varint(&b, (uint64_t)s->bin);
	put_varint(&b, (uint64_t)s->duration);
	put_varint(&b, summed_columns());
	for (enum st_cell c = 0; c < ST_CELL_N; c++) {
		if (!st_tally_sums(c))
			continue;
		for (unsigned how = AS_CELLS; how <= AS_DIFFERENCES; how++) {
			way[how].len = 0;
			put_column(&way[how], s, c, how);
		}
		struct bytes *shorter =
		    way[AS_DIFFERENCES].len < way[AS_CELLS].len ? &way[AS_DIFFERENCES] : way;
		put_bytes(&b, shorter->at, shorter->len);
	}
	uint32_t check = check_sum(b.at, b.len);
	for (int i = 0; i < CHECK_BYTES; i++)
		put_byte(&b, check >> 8 * i & 0xff);
	free(way[AS_CELLS].at);
	free(way[AS_DIFFERENCES].at);
	*len = b.len;
	return b.at;
}

/* What is left to read; once something is not as it should be, everything read is 0 and `bad` stays. */
struct reader {
	const unsigned char *at, *end;
	bool bad;
};

static unsigned get_byte(struct reader *r)
{
	if (r->bad || r->at == r->end) {
		r->bad = true;
		return 0;
	}
	return *r->at++;
}

static uint64_t get_varint(struct reader *r)
{
	uint64_t v = 0;

	for (int i = 0; i < VARINT_BYTES; i++) {
		uint64_t byte = get_byte(r);

		if (i == VARINT_BYTES - 1 && byte > 1) /* the 64th bit is the last */
			break;
		v |= (byte & 0x7f) << 7 * i;
		if (byte < 0x80)
			return r->bad ? 0 : v;
	}
	r->bad = true;
	return 0;
}

static void get_column(struct reader *r, int64_t (*row)[ST_CELL_N], size_t n, enum st_cell c)
{
	unsigned how = get_byte(r);
	uint64_t before = 0;

	if (how > AS_DIFFERENCES)
		r->bad = true;
	for (size_t i = 0; i < n && !r->bad;) {
		uint64_t v = unzigzag(get_varint(r)), more = v == 0 ? get_varint(r) : 0;

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
static int open_packed(struct reader *r, const unsigned char *bytes, size_t len, st_time *bin, st_time *duration)
{
	if (!has_check_sum(bytes, len) || memcmp(bytes, magic, sizeof magic) != 0)
		return -1;
	*r = (struct reader){.at = bytes + sizeof magic, .end = bytes + len - CHECK_BYTES};
	*bin = (st_time)get_varint(r);
	*duration = (st_time)get_varint(r);
	return get_varint(r) == summed_columns() && *bin > 0 && *duration > 0 ? 0 : -1;
}

static bool get_rows(struct reader *r, int64_t (*row)[ST_CELL_N], size_t n)
{
	for (enum st_cell c = 0; c < ST_CELL_N; c++)
		if (st_tally_sums(c))
			get_column(r, row, n, c);
	return !r->bad && r->at == r->end;
}

int st_tally_add_packed(struct st_tally *t, const unsigned char *bytes, size_t len)
{
	struct reader r;
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
