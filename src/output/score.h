#ifndef ST_OUTPUT_SCORE_H
#define ST_OUTPUT_SCORE_H
/*
 * score.h - a figure as a column of a table for people: what stands in the cell of a point.
 */
#include "base/text.h"
#include "experiment/result.h"
#include "measure/estimate.h"

/* A figure of the whole run, or of a group or service. */
struct st_score {
	const char *head;
	size_t subject, figure; /* subject: or ST_WHOLE */
	double scale; /* of what is printed: 100 for a share in per cent */
};

/* The row of a figure that there is. */
size_t st_score_figure(const char *name);

/* A figure's column, its head in the fewest words: "served %", or the figure's name, which has the unit. */
struct st_score st_score_of(size_t subject, size_t figure);

/* Whose: the subject's name, or `whole`. */
const char *st_score_owner(const struct st_score *c, const struct st_sweep_result *r, const char *whole);

/* The one group of clients that axes name; ST_WHOLE if they name none, or several. */
size_t st_score_whom(const struct st_sweep_result *r);

/* Over the point's replications, not scaled; and in how many of them it is `never`. */
struct st_estimate st_score_estimate(const struct st_score *c, const struct st_sweep_point *p);
size_t st_score_nevers(const struct st_score *c, const struct st_sweep_point *p);

/* "never in 2 of 8 runs, 25 % (7.15 to 59.1 %), p50 21.9 s, p90 never": with Wilson's interval, and quantiles over all runs. */
void st_score_say_nevers(const struct st_score *c, const struct st_sweep_point *p, struct st_text *out);

/* Decimals that a mean is worth: three digits of it, two of its half-width at most, so that no more are shown than are known. */
int st_score_decimals(double mean, double half);

/*
 * "12.3 +-0.4", "never", "never 2 of 30", "-"; to be freed. A half-width that the decimals do not show is left out. What is finer is
 * in summary.csv.
 */
char *st_score_cell(const struct st_score *c, const struct st_sweep_point *p);

/* Whether any point has a fault, so that a time to recover from it has a meaning. */
bool st_score_has_faults(const struct st_sweep_result *r);

/* Whether the last success of these clients tells of them, and not of the end of the run. */
bool st_score_comes_to_an_end(const struct st_sweep_result *r, size_t subject);

#endif
