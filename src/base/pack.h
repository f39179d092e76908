#ifndef ST_BASE_PACK_H
#define ST_BASE_PACK_H
/*
 * pack.h - whole numbers as bytes, the same on every machine: LEB128.
 *
 * Form     7 bits a byte, the least first, the top bit set on all but the last. Of a number with a sign its zigzag: 0, -1, 1, -2 ...
 *          become 0, 1, 2, 3 ..., so that what is near 0 is short.
 * Cost     two nanoseconds for what fits in a byte.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bytes that grow; at is to be freed. */
struct st_pack {
	unsigned char *at;
	size_t len, cap;
};

/* Make room for n more. */
void st_pack_reserve(struct st_pack *p, size_t n);
void st_pack_bytes(struct st_pack *p, const void *from, size_t n);

/* What is left to read; once something is not as it should be, everything read is 0 and `bad` stays. */
struct st_unpack {
	const unsigned char *at, *end;
	bool bad;
};

enum { ST_PACK_LONGEST = 19 /* bytes of a number of 128 bits */ };

static inline void st_pack_byte(struct st_pack *p, unsigned byte)
{
	if (p->cap == p->len)
		st_pack_reserve(p, 1);
	p->at[p->len++] = (unsigned char)byte;
}

static inline void st_pack_number(struct st_pack *p, unsigned __int128 x)
{
	if (p->cap - p->len < ST_PACK_LONGEST)
		st_pack_reserve(p, ST_PACK_LONGEST);
	for (; x >> 64; x >>= 7)
		p->at[p->len++] = (unsigned char)(x | 0x80);
	uint64_t low = (uint64_t)x;
	for (; low >= 0x80; low >>= 7)
		p->at[p->len++] = (unsigned char)(low | 0x80);
	p->at[p->len++] = (unsigned char)low;
}

static inline void st_pack_signed(struct st_pack *p, __int128 x)
{
	st_pack_number(p, x < 0 ? ~((unsigned __int128)x << 1) : (unsigned __int128)x << 1);
}

static inline unsigned st_unpack_byte(struct st_unpack *u)
{
	if (u->bad || u->at == u->end) {
		u->bad = true;
		return 0;
	}
	return *u->at++;
}

/* A number of more than one byte, of which the first has been read. */
unsigned __int128 st_unpack_long(struct st_unpack *u, unsigned first, unsigned bits);

/* A number of at most so many bits, 7 to 128. */
static inline unsigned __int128 st_unpack_number(struct st_unpack *u, unsigned bits)
{
	unsigned first = st_unpack_byte(u);

	return first < 0x80 ? first : st_unpack_long(u, first, bits);
}

/* One with a sign, of at most so many bits with it. */
static inline __int128 st_unpack_signed(struct st_unpack *u, unsigned bits)
{
	unsigned __int128 z = st_unpack_number(u, bits);

	return z & 1 ? (__int128)~(z >> 1) : (__int128)(z >> 1);
}

#endif
