#include <config.h>

#include "base/values.h"

#include <stdlib.h>

#include "base/mem.h"
#include "base/rows.h"

#define EXPECTS "a number of seconds such as 0.02, at least 0"

static const char *wrong(const double *row, const double *before)
{
	(void)before;
	return row[0] >= 0.0 && row[0] <= st_time_to_s(ST_TIME_MAX) ? NULL : EXPECTS;
}

static const struct st_rows_form form = {"value_s", EXPECTS, .columns = 1, .is_bare = true, .wrong = wrong};

int st_values_read(const char *file, const struct st_place *place, struct st_values *out, struct st_err *e)
{
	struct st_rows rows;

	*out = (struct st_values){NULL, 0};
	if (st_rows_read(file, place, &form, 1, &rows, e))
		return -1;
	out->n = rows.n;
	out->at = st_calloc(rows.n, sizeof *out->at);
	for (size_t i = 0; i < rows.n; i++)
		out->at[i] = st_time_from_s(rows.x[i]);
	st_rows_release(&rows);
	return 0;
}

void st_values_release(struct st_values *v)
{
	free(v->at);
	*v = (struct st_values){NULL, 0};
}
