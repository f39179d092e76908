#include <config.h>

#include "measure/recovery.h"

#include <math.h>
#include <stdbool.h>

static size_t window_bins(st_time bin)
{
	size_t in_a_second = (size_t)((ST_SEC + bin - 1) / bin);

	return in_a_second > 10 ? in_a_second : 10;
}

/* One past the last bin from `first` on in which the queue reached its limit; `first` if there is none. */
static size_t after_full_queue(const struct st_series *s, size_t first, uint64_t limit)
{
	size_t i = s->n;

	if (limit == 0) /* a loss system has no queue that could be full */
		return first;
	while (i > first && (uint64_t)s->row[i - 1][ST_CELL_QUEUE_MAX] < limit)
		i--;
	return i;
}

/* One past the start of the last window from `first` on with too few successes; `first` if there is none. */
static size_t after_bad_window(
    const struct st_series *s, size_t group, size_t first, size_t width, size_t whole)
{
	uint64_t succeeded = 0, ended = 0;
	size_t after = first;

	for (size_t i = first; i < whole; i++) {
		struct st_group_bin in = st_series_bin(s, group, i);

		succeeded += in.succeeded;
		ended += in.succeeded + in.failed;
		if (i + 1 < first + width)
			continue;
		size_t start = i + 1 - width;
		struct st_group_bin out = st_series_bin(s, group, start);
		if (20 * succeeded < 19 * ended)
			after = start + 1;
		succeeded -= out.succeeded;
		ended -= out.succeeded + out.failed;
	}
	return after;
}

static bool anything_succeeded(const struct st_series *s, size_t group, size_t first)
{
	for (size_t i = first; i < s->n; i++)
		if (st_series_bin(s, group, i).succeeded > 0)
			return true;
	return false;
}

double st_recovery_time_s(const struct st_series *s, size_t group, st_time fault_end, uint64_t queue_limit)
{
	size_t first = (size_t)(fault_end / s->bin + (fault_end % s->bin != 0));
	size_t whole = (size_t)(s->duration / s->bin); /* a last bin cut short closes no window */
	size_t width = window_bins(s->bin);
	size_t normal = after_bad_window(s, group, first, width, whole);
	size_t calm = after_full_queue(s, first, queue_limit);

	if (calm > normal)
		normal = calm;
	if (normal + width > whole || !anything_succeeded(s, group, normal))
		return (double)INFINITY;
	return st_time_to_s((st_time)normal * s->bin - fault_end);
}
