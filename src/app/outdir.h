#ifndef ST_APP_OUTDIR_H
#define ST_APP_OUTDIR_H
/*
 * outdir.h - the folder that results go to: made, and known to be ours to write, before any work is done.
 *
 * Identity  a folder is of the scenario that its scenario.yaml has, without the sections `sweep` and `expect`: a run and
 *           a sweep of one scenario share a folder. Results of another scenario are given up with --force only: charts
 *           and CSVs are then removed, so that they are not taken for the new ones'; a sweep's store is left to
 *           `sweep --force`. Files of other names are the user's and stay; what a killed process left half
 *           written goes.
 */
#include "app/opts.h"
#include "base/err.h"
#include "experiment/scenario.h"

/*
 * Make the folder (-o, or out/NAME; of a shard one in it) with its parents. canonical: what is to be its scenario.yaml, which
 * st_outdir_put_scenario() writes. *dir is to be freed if 0 is returned; -1 with a message: not writable (exit 3), or of another scenario (exit 2).
 */
int st_outdir_prepare(const struct st_opts *o, const struct st_scenario *s, const char *canonical, char **dir, struct st_err *e);

/*
 * No trial of a sweep ("sweep.db") or a tune ("tune.db") is there yet: what the folder has of an earlier one goes, or charts that this one
 * does not draw would be taken for its own. 0, or -1 with a message.
 */
int st_outdir_begin(const char *dir, const char *store, struct st_err *e);

/*
 * Write it below the comment that the scenario's file begins with: what it asks and what to look at. One that is there of a sweep has the
 * axes and replications that its results are of: for others, whose scenario is the same but for these, it stays. 0, or -1 with a message.
 */
int st_outdir_put_scenario(const char *dir, const struct st_scenario *s, const struct st_text *canonical, bool is_sweep, struct st_err *e);

#endif
