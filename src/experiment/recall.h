#ifndef ST_EXPERIMENT_RECALL_H
#define ST_EXPERIMENT_RECALL_H
/*
 * recall.h - reads back what a sweep's store holds (its tables are described in store.h).
 *
 * Order    canonical, whatever the order in which the trials ended: points, then replications.
 */
#include "experiment/db.h"
#include "experiment/result.h"

/* What is there at most; rows beyond it are passed over. */
struct st_recall_shape {
	size_t npoints, naxes, nsubjects;
	uint32_t replications;
};

/* All of it. *out is to be released if 0 is returned; -1 with a message. */
int st_recall(struct st_db *db, const struct st_recall_shape *shape, struct st_sweep_result *out, struct st_err *e);

/*
 * The same of a file whose shape is not known, without writing to it: the first `replications` of each point. -1 with a message also if
 * another version of the program wrote it, whose figures may be others.
 */
int st_recall_file(const char *path, uint32_t replications, struct st_sweep_result *out, struct st_err *e);

/* All of a point's series: what was folded earlier and what is pending. *t is to be released either way. */
int st_recall_series(struct st_db *db, size_t point, struct st_tally *t, struct st_err *e);

#endif
