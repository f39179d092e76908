#include <config.h>

#include "measure/series.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"

static const struct st_column columns[ST_CELL_N] = {
    [ST_CELL_FIRST] = {"first", "1", ST_SCALE_COUNT, "first attempts that arrived at the service"},
    [ST_CELL_RETRIES] = {"retries", "1", ST_SCALE_COUNT, "retries that arrived at the service"},
    [ST_CELL_OFFERED] = {"offered", "1", ST_SCALE_COUNT, "attempts that arrived: first + retries"},
    [ST_CELL_ADMITTED] = {"admitted", "1", ST_SCALE_COUNT,
	"attempts that got a worker or a place in the queue"},
    [ST_CELL_OK] = {"ok", "1", ST_SCALE_COUNT, "successful answers whose client was still waiting"},
    [ST_CELL_WASTED] = {"wasted", "1", ST_SCALE_COUNT, "successful answers nobody waited for"},
    [ST_CELL_REJECTED] = {"rejected", "1", ST_SCALE_COUNT, "attempts given the overload answer"},
    [ST_CELL_LIMITED] = {"limited", "1", ST_SCALE_COUNT, "attempts turned away by the rate limit"},
    [ST_CELL_REFUSED] = {"refused", "1", ST_SCALE_COUNT, "attempts whose connection was refused"},
    [ST_CELL_TIMED_OUT] = {"timed_out", "1", ST_SCALE_COUNT, "attempts given up by their client"},
    [ST_CELL_SWALLOWED] = {"swallowed", "1", ST_SCALE_COUNT, "attempts that will never be answered"},
    [ST_CELL_ERRORS] = {"errors", "1", ST_SCALE_COUNT, "attempts answered by a fault or a background error"},
    [ST_CELL_FAILED] = {"failed", "1", ST_SCALE_COUNT, "operations given up"},
    [ST_CELL_DENIED] = {"denied", "1", ST_SCALE_COUNT, "retries denied by the budget"},
    [ST_CELL_QUEUE_MEAN] = {"queue_mean", "1", ST_SCALE_MEAN, "requests waiting at the service, mean"},
    [ST_CELL_QUEUE_MAX] = {"queue_max", "1", ST_SCALE_MAX, "requests waiting at the service, maximum"},
    [ST_CELL_BUSY_MEAN] = {"busy_mean", "1", ST_SCALE_MEAN, "workers serving, mean"},
    [ST_CELL_WORKERS] = {"workers", "1", ST_SCALE_MEAN, "workers in force, mean"},
    [ST_CELL_WAITING] = {"waiting", "1", ST_SCALE_MEAN, "clients in backoff, mean"},
    [ST_CELL_BREAKERS_OPEN] = {"breakers_open", "1", ST_SCALE_MEAN, "breakers open, mean"},
    [ST_CELL_LATENCY_P50] = {"latency_p50_s", "s", ST_SCALE_TIME,
	"median from first send to answer of operations that succeeded in the bin"},
    [ST_CELL_LATENCY_P99] = {"latency_p99_s", "s", ST_SCALE_TIME, "99th percentile of the same"},
    [ST_CELL_DROPPED] = {"dropped", "1", ST_SCALE_COUNT, "requests dropped from the queue"},
    [ST_CELL_ABANDONED] = {"abandoned", "1", ST_SCALE_COUNT, "requests discarded since their client had given up"},
};

const struct st_column *st_series_column(enum st_cell c)
{
	return &columns[c];
}

size_t st_series_rows(st_time bin, st_time duration)
{
	return (size_t)(duration / bin + (duration % bin != 0));
}

void st_series_init(struct st_series *s, st_time bin, st_time duration, size_t ngroups)
{
	*s = (struct st_series){.bin = bin, .duration = duration, .ngroups = ngroups};
	s->n = st_series_rows(bin, duration);
	s->row = st_calloc(s->n, sizeof *s->row);
	s->group = st_calloc(ngroups, sizeof *s->group);
	for (size_t g = 0; g < ngroups; g++)
		s->group[g] = st_calloc(s->n, sizeof **s->group);
}

void st_series_release(struct st_series *s)
{
	for (size_t g = 0; g < s->ngroups; g++)
		free(s->group[g]);
	free(s->group);
	free(s->row);
	*s = (struct st_series){0};
}

st_time st_series_length(const struct st_series *s, size_t i)
{
	st_time start = (st_time)i * s->bin;

	return s->duration - start < s->bin ? s->duration - start : s->bin;
}

struct st_group_bin st_series_bin(const struct st_series *s, size_t group, size_t i)
{
	struct st_group_bin sum = {0};

	if (group != ST_ALL_GROUPS)
		return s->group[group][i];
	for (size_t g = 0; g < s->ngroups; g++) {
		sum.offered += s->group[g][i].offered;
		sum.succeeded += s->group[g][i].succeeded;
		sum.failed += s->group[g][i].failed;
	}
	return sum;
}

double st_series_scale(enum st_cell c)
{
	switch (columns[c].scale) {
	case ST_SCALE_MEAN:
		return ST_SERIES_MILLION;
	case ST_SCALE_TIME:
		return (double)ST_SEC;
	case ST_SCALE_COUNT:
	case ST_SCALE_MAX:
		break;
	}
	return 1.0;
}

double st_series_value(const struct st_series *s, size_t i, enum st_cell c)
{
	int64_t cell = s->row[i][c];

	if (columns[c].scale == ST_SCALE_TIME && cell < 0)
		return (double)NAN;
	return (double)cell / st_series_scale(c);
}
