#include <config.h>

#include "base/pack.h"

#include <string.h>

#include "base/mem.h"

void st_pack_reserve(struct st_pack *p, size_t n)
{
	p->at = st_grow(p->at, &p->cap, p->len + n, 1);
}

void st_pack_bytes(struct st_pack *p, const void *from, size_t n)
{
	if (n == 0)
		return;
	st_pack_reserve(p, n);
	memcpy(p->at + p->len, from, n);
	p->len += n;
}

unsigned __int128 st_unpack_long(struct st_unpack *u, unsigned first, unsigned bits)
{
	unsigned __int128 x = first & 0x7f;
	unsigned byte = first;

	for (unsigned shift = 7; byte >= 0x80; shift += 7) {
		byte = st_unpack_byte(u);
		unsigned room = shift < bits ? bits - shift : 0; /* bits that this byte may have */

		if (room < 7 && (byte & 0x7f) >> room)
			u->bad = true;
		if (room > 0)
			x |= (unsigned __int128)(byte & 0x7f) << shift;
	}
	return u->bad ? 0 : x;
}
