#ifndef ST_MEASURE_TALLY_H
#define ST_MEASURE_TALLY_H
/*
 * tally.h - the mean series of many runs with its band, as sums of whole numbers.
 *
 * Sums of integers do not depend on the order of the runs, so the band has the same bytes for any number of threads.
 * Quantiles of latency are not summed (a mean of quantiles of different counts means little).
 *
 * Cost     two 128-bit sums a cell.
 * Owns     its arrays; release with st_tally_release().
 */
#include <stdbool.h>
#include <stddef.h>

#include "measure/estimate.h"
#include "measure/series.h"

struct st_tally {
	st_time bin, duration;
	size_t rows, runs;
	__int128 (*sum)[ST_CELL_N];
	unsigned __int128 (*squares)[ST_CELL_N];
};

void st_tally_init(struct st_tally *t, st_time bin, st_time duration);
void st_tally_release(struct st_tally *t);
/* Whether the cell is summed at all. */
bool st_tally_sums(enum st_cell c);

/* s has the same bin and duration. */
void st_tally_add(struct st_tally *t, const struct st_series *s);

/* Mean over the runs of cell c in bin i, in the printed unit, with its 95 % half-width; NAN for latencies. */
struct st_estimate st_tally_mean(const struct st_tally *t, size_t i, enum st_cell c);

/*
 * A compact, portable byte form of a series' rows (varint-coded, with a check sum; latencies left out), for the store.
 * Returns malloc'd bytes.
 */
unsigned char *st_series_pack(const struct st_series *s, size_t *len);

/* Add packed rows. 0, or -1 and the tally as it was if the bytes are damaged or of another bin or duration. */
int st_tally_add_packed(struct st_tally *t, const unsigned char *bytes, size_t len);

#endif
