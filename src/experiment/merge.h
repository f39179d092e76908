#ifndef ST_EXPERIMENT_MERGE_H
#define ST_EXPERIMENT_MERGE_H
/*
 * merge.h - the trials of one sweep's store put into another of the same sweep (tables as in store.h).
 *
 * Trials that both have are taken once; that their fingerprints agree is checked. Series are folded in the order of
 * replications, so of two stores that folded a point one has the other's runs too: the longer is taken.
 *
 * Parts    are only read, may be another's, and may be written meanwhile: what they have committed is taken.
 */
#include "experiment/db.h"

/*
 * Put what the store at `path` has into `to`, a store that was made or compared; in one transaction of its own. 0, or -1 with a
 * message and nothing taken: another sweep (the user's), damaged, or with other results for the same trial (the machine's).
 */
int st_merge(struct st_db *to, const char *path, struct st_err *e);

#endif
