#include <config.h>

#include "model/surge.h"

st_time st_surge_bent(const struct st_surge_cfg *s, st_time now, st_time amount)
{
	st_time before = s->at > now ? s->at - now : 0, window = s->at + s->length - now - before;

	if (window <= 0 || amount <= before)
		return amount;
	double rest = (double)(amount - before), inside = rest / s->factor; /* factor 0: infinite */

	if (inside < (double)window)
		return before + st_time_from_ns(inside);
	return before + window + st_time_from_ns(rest - s->factor * (double)window);
}

double st_surge_amount(const struct st_surge_cfg *s, st_time from, st_time to)
{
	st_time begin = s->at > from ? s->at : from, end = s->at + s->length < to ? s->at + s->length : to;
	double inside = end > begin ? (double)(end - begin) : 0.0;

	return (double)(to - from) + (s->factor - 1.0) * inside;
}
