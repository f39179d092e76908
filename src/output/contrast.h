#ifndef ST_OUTPUT_CONTRAST_H
#define ST_OUTPUT_CONTRAST_H
/*
 * contrast.h - the points of a sweep against its first: what is better, as far as runs on the same random numbers tell.
 *
 * Pairs     run i of a point and run i of the first have the same random numbers; their difference is what is looked at. Where one
 *           of two runs is `never` there is no difference but an order: the pairs are then counted each way (sign test).
 * Together  many differences are looked at, and of many a few come out by chance: Holm's correction over all points and columns
 *           keeps the chance that even one verdict is wrong below 5 %.
 */
#include "output/score.h"

enum st_contrast_verdict {
	ST_CONTRAST_UNKNOWN, /* may be chance */
	ST_CONTRAST_ABSENT,  /* a run of one of the two lacks the figure */
	ST_CONTRAST_SAME,    /* equal in each pair */
	ST_CONTRAST_BETTER,
	ST_CONTRAST_WORSE,
	ST_CONTRAST_LESS,    /* of a figure of which neither is better */
	ST_CONTRAST_MORE,
};

struct st_contrast_cell {
	enum st_contrast_verdict verdict;
	struct st_estimate difference; /* the point's less the first's; n pairs; the rest is NAN where a run is `never` or lacks it */
	size_t less, more;             /* pairs in which the point's value is below, above the first's */
	double p, p_holm;              /* of this cell alone, and after Holm's correction; NAN: no test could be made */
};

struct st_contrast {
	const struct st_sweep_result *r;
	const struct st_score *column;
	size_t n;                      /* columns */
	struct st_contrast_cell *cell; /* [point * n + column]; those of point 0 are of no use */
	size_t tests;                  /* made together */
};

/* r (two points at least) and the columns are borrowed. *c is to be released. */
void st_contrast_init(struct st_contrast *c, const struct st_sweep_result *r, const struct st_score *column, size_t n);
void st_contrast_release(struct st_contrast *c);

/*
 * What a comparison shows: the figures that were asked for. If none were: the peak after the fault, recovery, share served, last success, attempts an operation
 * and wasted work; of the group of clients if the points differ in one group's parameters. *column is to be freed.
 * Returns how many.
 */
size_t st_contrast_columns(const struct st_sweep_result *r, struct st_score **column);

/* "better", "worse", "less", "more", "same", "absent"; "" of what is not known. */
const char *st_contrast_name(enum st_contrast_verdict v);

#endif
