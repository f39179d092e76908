#ifndef ST_APP_STUDY_H
#define ST_APP_STUDY_H
/*
 * study.h - every point of a scenario's axes, many times each, into a folder: the work of the commands that compare points.
 *
 * Goes on   with what the folder's sweep.db has. Runs come in rounds, if a precision is asked for. In the end the CSVs, sweep.json
 *           and the charts are made from the store, so they do not depend on threads and interruptions.
 * Signals   the first SIGINT or SIGTERM stops in good order, with all that is finished kept.
 */
#include "app/opts.h"
#include "app/shards.h"
#include "base/text.h"
#include "experiment/result.h"
#include "experiment/rounds.h"
#include "experiment/scenario.h"

/* What a command tells of the results on stdout; `to` is its own. */
typedef void st_study_say(const void *to, const struct st_scenario *s, const struct st_sweep_result *r, const struct st_rounds *rounds,
    struct st_text *out);

/*
 * Do all of it, by the options -o, -j, --shard, --force, --no-chart and --quiet. figure: what the points are held against each other by,
 * for the chart and the report, as summary.csv calls them; none: the usual. Prints its own messages and returns an exit code.
 */
int st_study_run(const struct st_opts *o, const struct st_scenario *s, char *const *figure, size_t nfigures, st_study_say *say, const void *to);

/* The same of trials that were run elsewhere: put those of the parts together. If some are missing that is a message, and no results. */
int st_study_merge(const struct st_opts *o, const struct st_scenario *s, const struct st_shards *parts, st_study_say *say, const void *to);

/* What is told of a sweep: the table, the precision, what became of expectations. `to` is not used. */
st_study_say st_study_say_sweep;

/* Add the line on the precision that was reached, folded; nothing where none was asked for. */
void st_study_say_precision(const struct st_rounds *rounds, struct st_text *out);

#endif
