#ifndef ST_BASE_ROWS_H
#define ST_BASE_ROWS_H
/*
 * rows.h - a file of numbers in columns, as spreadsheets and monitoring export them (CSV).
 *
 * The first line names the columns, and so decides which of several forms the file has. Comments begin with '#', empty lines are
 * skipped. Anything else is a mistake, told with file and line.
 *
 * Owns     the numbers; release with st_rows_release().
 */
#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

enum { ST_ROWS_COLUMNS = 4 };

struct st_rows_form {
	const char *header;  /* "time_s,count" */
	const char *expects; /* of a row, for messages: "a time and a count such as 60,12" */
	unsigned columns;    /* at most ST_ROWS_COLUMNS */
	bool is_bare;        /* the file may do without the header: of the first form only */
	/* What is wrong with a row of numbers (all finite), or NULL: `before` is the good one above it, NULL if there is none. */
	const char *(*wrong)(const double *row, const double *before);
};

struct st_rows {
	size_t form; /* index */
	double *x;   /* row by row */
	size_t n;    /* rows; at least 1 */
};

/*
 * Read `file`, which has one of nforms forms; a relative name is sought beside the file that `place` names, so that a scenario and its tables can be
 * moved together. Returns 0, or -1 with messages added (a file that cannot be read is told at `place`) and nothing in *out.
 */
int st_rows_read(const char *file, const struct st_place *place, const struct st_rows_form *form, size_t nforms, struct st_rows *out,
    struct st_err *e);

/* Where `file` is sought; to be freed. */
char *st_rows_path(const char *file, const struct st_place *place);

void st_rows_release(struct st_rows *r);

#endif
