#ifndef ST_MEASURE_SERIES_H
#define ST_MEASURE_SERIES_H
/*
 * series.h - load over time: one row of whole numbers a bin, and the table of columns that gives them meaning.
 *
 * Bin i is [i bin, (i+1) bin), the last one cut off by the duration; there are ceil(duration / bin) rows. Cells are
 * integers (counts, means in millionths, maxima, ns), so that sums over replications do not depend on their order.
 * Means are not kept as integrals in value x ns: a hundred million clients waiting would overflow 64 bits in a bin of
 * 93 s, and the tally's squares before that.
 *
 * Owns     its arrays; release with st_series_release().
 */
#include <stddef.h>
#include <stdint.h>

#include "base/time.h"

/* The cells of a row, in the order of the columns of series.csv (time_s, which is the bin's start, has no cell). */
enum st_cell {
	ST_CELL_FIRST, ST_CELL_RETRIES, ST_CELL_OFFERED, ST_CELL_ADMITTED, ST_CELL_OK, ST_CELL_WASTED,
	ST_CELL_REJECTED, ST_CELL_LIMITED, ST_CELL_REFUSED, ST_CELL_TIMED_OUT, ST_CELL_SWALLOWED, ST_CELL_ERRORS,
	ST_CELL_FAILED, ST_CELL_DENIED,
	ST_CELL_QUEUE_MEAN, ST_CELL_QUEUE_MAX, ST_CELL_BUSY_MEAN, ST_CELL_WORKERS, ST_CELL_WAITING,
	ST_CELL_BREAKERS_OPEN,
	ST_CELL_LATENCY_P50, ST_CELL_LATENCY_P99,
	ST_CELL_DROPPED, ST_CELL_ABANDONED,
	ST_CELL_N
};

enum st_cell_scale {
	ST_SCALE_COUNT, /* events in the bin */
	ST_SCALE_MEAN,  /* over the bin, in millionths, rounded */
	ST_SCALE_MAX,
	ST_SCALE_TIME,  /* ns, printed in seconds; -1 is absent */
};

enum { ST_SERIES_MILLION = 1000000 }; /* a mean of 1 */

struct st_column {
	const char *name; /* as in series.csv: an interface */
	const char *unit; /* "1" for counts per bin, "s" */
	enum st_cell_scale scale;
	const char *help; /* one line, no full stop */
};

/* The column of a cell. */
const struct st_column *st_series_column(enum st_cell c);

/* In place of a group's index: all of them together. */
#define ST_ALL_GROUPS ((size_t)-1)

/* What a figure of one group needs of a bin: arrivals, and operations that succeeded and failed in it. */
struct st_group_bin {
	uint64_t offered, succeeded, failed;
};

struct st_series {
	st_time bin, duration;
	size_t n;              /* rows */
	int64_t (*row)[ST_CELL_N];
	size_t ngroups;
	struct st_group_bin **group; /* [group][bin] */
};

void st_series_init(struct st_series *s, st_time bin, st_time duration, size_t ngroups);
void st_series_release(struct st_series *s);

/* Rows of a series: ceil(duration / bin). */
size_t st_series_rows(st_time bin, st_time duration);

/* Length of bin i in ns: bin, or less for the last. */
st_time st_series_length(const struct st_series *s, size_t i);

/* Bin i of a group, or of ST_ALL_GROUPS. */
struct st_group_bin st_series_bin(const struct st_series *s, size_t group, size_t i);

/* What a cell of this column is divided by to be printed: 1, a million (means), 1e9 (times). */
double st_series_scale(enum st_cell c);

/* The printed value of a cell: counts, maxima and means as they are, times in seconds; NAN is absent. */
double st_series_value(const struct st_series *s, size_t i, enum st_cell c);

#endif
