#ifndef ST_OUTPUT_CSV_H
#define ST_OUTPUT_CSV_H
/*
 * csv.h - series.csv of a run; summary.csv, compare.csv and the mean series of a sweep; schedule.csv and density.csv of a policy; tune.csv.
 *
 * Form     RFC 4180, but lines end in a bare newline; the first line has the columns' names and is the only
 * head; numbers are the shortest that read back exactly, but means over time have ten digits; absent and
 * never are empty. Names are an interface.
 */
#include "base/err.h"
#include "base/text.h"
#include "experiment/result.h"
#include "output/contrast.h"
#include "output/front.h"
#include "output/timetable.h"

/* One row a bin: time_s, then the table of columns in its order. */
void st_csv_series(const struct st_series *s, struct st_text *out);

/*
 * One row a point: point (from 0), the axes by name, n, then for each figure of the whole run its mean and 95 % interval: x, x_lo,
 * x_hi; then those of each of several groups and of several services: NAME.x, NAME.x_lo, NAME.x_hi. A mean is empty where any
 * replication has no number (never, absent). A figure that may be never has further columns: x_p50, x_p90, quantiles over the
 * replications (empty: never); x_never, in how many it is; x_never_share with _lo and _hi, Wilson's interval of the share.
 */
void st_csv_summary(const struct st_sweep_result *r, struct st_text *out);

/*
 * One row a point but the first: x, x_lo, x_hi are of the paired differences to the first point, and x_independent says how many
 * replications with seeds of their own would have told the difference as well (empty: no number would, or there is no interval).
 */
void st_csv_compare(const struct st_sweep_result *r, struct st_text *out);

/*
 * One row a point and figure of a comparison: the axes, figure, clients (the group, or service; empty: the whole), n, never (runs), mean and its interval, the
 * paired difference to the first point and its interval, p, p_holm and the verdict (contrast.h).
 */
void st_csv_contrast(const struct st_contrast *c, struct st_text *out);

/* One row a bin: time_s, then c, c_lo, c_hi of every column but the latencies, with the 95 % band. */
void st_csv_mean_series(const struct st_tally *t, struct st_text *out);

/* One row a retry that is shown, of each policy in turn; what has no bound is empty. */
void st_csv_timetables(const struct st_timetable *t, size_t n, struct st_text *out);

/*
 * density.csv: of each retry from 1 on, `bins` intervals of equal width with the share of the delays that lie in them, then its atoms as
 * intervals without a width. The head first, then one retry at a time: share[i] is that of [from + i width, from + (i + 1) width), ns.
 */
void st_csv_density_head(struct st_text *out);
void st_csv_density(size_t retry, const struct st_delay *d, double from, double width, const double *share, size_t bins,
    struct st_text *out);

/*
 * tune.csv, one row a point: point (from 0), generation, the axes by name, runs, rank (of a finalist), bounds, front (0 or 1), then of each
 * figure its mean and 95 % interval x, x_lo, x_hi, and x_never, in how many runs it is never.
 */
void st_csv_front(const struct st_front *f, struct st_text *out);

/* A step of an attempt: what trace.csv has a row of. */
struct st_csv_step {
	st_time time, delay; /* delay: below 0 for none */
	const char *clients, *event, *outcome;
	uint32_t client, operation, attempt;
};

/*
 * trace.csv, a row a step in the order in which they happened: time_s, clients (the group), client and operation (from 0), attempt (from 1),
 * event, outcome, delay_s. The outcome of `failed` is a status or a word, of `given_up` the reason; the delay is of `waits`.
 */
void st_csv_trace_head(struct st_text *out);
void st_csv_trace_step(const struct st_csv_step *s, struct st_text *out);

/* "series/007.csv" of a point; n is the number of points. */
char *st_csv_series_name(size_t point, size_t n);

#endif
