#ifndef ST_OUTPUT_SHAPE_H
#define ST_OUTPUT_SHAPE_H
/*
 * shape.h - what charts know of a folder of results: its JSON files read back, and of a sweep the shape of its grid.
 *
 * Charts are drawn from the files alone, so that `plot` draws again what `run` and `sweep` drew.
 */
#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "base/text.h"

/* DIR/NAME as JSON, or NULL with a message. */
json_t *st_shape_load(const char *dir, const char *name, struct st_err *e);

/* The text of a key, "" if it is not there. */
const char *st_shape_text(const json_t *j, const char *key);

/* Add the times of its `faults`, "10 40 60 70". */
void st_shape_add_faults(struct st_text *t, const json_t *of);

/* What sweep.json says: a grid whose last axis runs fastest; or a sample. */
struct st_shape {
	const char *dir;
	json_t *json, *axes, *points;
	json_t *by_ratio; /* of a sample, one an axis: true or false whether it draws evenly over a ratio; null: from a list */
	size_t naxes, npoints;
	bool is_grid;
	size_t rows;      /* of a grid, points to one value of the first axis */
	size_t groups;    /* of a grid, values of the first axis; without axes there is one point, which is a group */
};

/* 0, or -1 with a message: then there is nothing to release. */
int st_shape_read(struct st_shape *s, const char *dir, struct st_err *e);
void st_shape_release(struct st_shape *s);

/* The text of a point's value on an axis. */
const char *st_shape_label(const struct st_shape *s, size_t point, size_t axis);

/* The path of an axis; and what charts call it: "jitter", where there are several groups or services whose it might be "fleet.jitter". To be freed. */
const char *st_shape_axis_path(const struct st_shape *s, size_t axis);
char *st_shape_axis_name(const struct st_shape *s, size_t axis);

/* Add a value as a legend wants it: "{kind: token-bucket, rate: 10/s}" is "token-bucket, rate 10/s"; of a long one the beginning. */
void st_shape_add_value(struct st_text *t, const char *value);

/* Add the values of a point of a grid on all axes but the first, or on the only one. */
void st_shape_add_row(struct st_text *t, const struct st_shape *s, size_t point, const char *between);

/* Whether some point has a fault. */
bool st_shape_has_faults(const struct st_shape *s);

/* Whose figures charts show: of the group that axes name if it is one, else "", which is all clients. */
const char *st_shape_whose(const struct st_shape *s);

/* Assign the names of several services to the script's array `service`; one that is "" where there are none. */
void st_shape_assign_services(struct st_text *vars, const struct st_shape *s);

#endif
