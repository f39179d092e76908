#ifndef ST_OUTPUT_JSON_H
#define ST_OUTPUT_JSON_H
/*
 * json.h - summary.json of a run, sweep.json of a sweep, schedule.json of policies, tune.json of a tune, trace.json of a trace.
 *
 * Form     keys in the order of the table of figures, a dot in a figure's name nests; an absent figure has no
 * key, never is null; counts are integers, other numbers the shortest that read back exactly. Names are an
 * interface.
 */
#include "base/text.h"
#include "experiment/result.h"
#include "output/front.h"
#include "output/raster.h"
#include "output/timetable.h"

/*
 * The whole of a run. What depends on the machine lies under `machine`, last; all else is a function of
 * scenario and seed.
 */
void st_json_summary(const struct st_result *r, const char *title, struct st_text *out);

/* What a sweep is and what its charts mark: title, axes, groups (none where there is one) and those that axes name, and each point's labels, file, capacity, faults. */
void st_json_sweep(const struct st_sweep_result *r, struct st_text *out);

/*
 * Policies: for each its retries, how long it is patient, and how wide its first wave would have to be. What has no bound is left out. And
 * the options that were given, the last of which has no name.
 */
void st_json_timetables(const struct st_timetable *t, size_t n, const char *title, const struct st_timetable_option *given, struct st_text *out);

/* A tune: what its chart needs beside tune.csv. */
void st_json_front(const struct st_front *f, struct st_text *out);

/* A trace: what its raster needs beside trace.csv, and how many steps of each kind there are. */
void st_json_raster(const struct st_raster *r, struct st_text *out);

#endif
