#include <config.h>

#include "model/bucket.h"

#include <math.h>

int64_t st_bucket_units(double tokens)
{
	return (int64_t)llround(tokens * (double)ST_BUCKET_TOKEN);
}

/* r tokens a second are r x 1000 units a ns; the fraction is kept to 2^-32. */
uint64_t st_bucket_fill_rate(double rate_per_s)
{
	return (uint64_t)llround(rate_per_s * 1000.0 * 0x1p32);
}

void st_bucket_fill(struct st_bucket *b, uint64_t fill_rate, int64_t size, st_time now)
{
	unsigned __int128 in = (unsigned __int128)fill_rate * (uint64_t)(now - b->filled_at) + b->fraction;
	uint64_t lacking = (uint64_t)(size - b->level);
	bool fills = in >> 32 >= lacking;

	b->level += fills ? (int64_t)lacking : (int64_t)(in >> 32);
	b->fraction = fills ? 0 : (uint32_t)in;
	b->filled_at = now;
}

st_time st_bucket_wait(const struct st_bucket *b, uint64_t fill_rate)
{
	if (b->level >= ST_BUCKET_TOKEN)
		return 0;
	if (fill_rate == 0)
		return ST_TIME_MAX;
	unsigned __int128 lacking = ((unsigned __int128)(ST_BUCKET_TOKEN - b->level) << 32) - b->fraction;
	unsigned __int128 ns = (lacking + fill_rate - 1) / fill_rate;
	return ns < (unsigned __int128)ST_TIME_MAX ? (st_time)ns : ST_TIME_MAX;
}
