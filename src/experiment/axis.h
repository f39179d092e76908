#ifndef ST_EXPERIMENT_AXIS_H
#define ST_EXPERIMENT_AXIS_H
/*
 * axis.h - the axes of a sweep, from the file's `sweep.axes` and the command line's --axis.
 */
#include "experiment/path.h"
#include "experiment/scenario.h"

/*
 * Add the axes of a mapping {path: [values]}; may be NULL. A range (range.h) may stand among the values or in place of the list.
 * Parameters that change together are one axis, {name: {label:
 * {path: value, ...}, ...}}: each label is a value that sets all these, in this order; {} sets nothing.
 */
void st_axis_add_map(struct st_scenario *s, const struct st_paths *p, const struct st_node *axes, struct st_mistakes *m);

/*
 * Add the axis "path=v1,v2", in the place of one that stands for the same parameters if there is one. "name=label,label"
 * of an axis with labels keeps those.
 */
void st_axis_add_text(struct st_scenario *s, const struct st_paths *p, const char *text, struct st_mistakes *m);

/*
 * Split "path=value" of the option ("--set") in two; *what (interned by its use) names it in messages. false with a mistake
 * if there is no path or no '='. All three are to be freed.
 */
bool st_axis_split(const char *option, const char *text, char **path, char **value, char **what, struct st_mistakes *m);

/* Append a value, as written, that these n targets of the axis are set to. */
void st_axis_put_value(struct st_axis *a, const struct st_node *value, const size_t *at, size_t n);

void st_axis_release(struct st_axis *a);
void st_axis_value_release(struct st_axis_value *v);

#endif
