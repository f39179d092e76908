#include <config.h>

#include "model/trace.h"

#include <math.h>
#include <stdlib.h>

#include "base/flow.h"
#include "base/mem.h"
#include "base/rows.h"

st_time st_trace_until(const struct st_trace *t, size_t i)
{
	if (i + 1 < t->n)
		return t->at[i + 1];
	return t->form == ST_TRACE_RATES ? ST_NEVER : 2 * t->at[i] - t->at[i - 1];
}

/* --- the file --------------------------------------------------------------------------------------------------------- */

#define RATES "a time in seconds and a rate such as 60,12.5, neither below 0"
#define COUNTS "a time in seconds and a whole number such as 60,12, neither below 0"
#define INSTANTS "a time in seconds such as 60.25, at least 0"

static const char *wrong_time(const double *row, const double *before, const char *expects)
{
	if (!(row[0] >= 0.0))
		return expects;
	if (row[0] > st_time_to_s(ST_TIME_MAX))
		return "a time within 30 years of the start of the run";
	/* Two rows within a nanosecond would have nothing between them. */
	return before && st_time_from_s(row[0]) <= st_time_from_s(before[0]) ? "a time later than that of the row above" : NULL;
}

static const char *wrong_rate(const double *row, const double *before)
{
	return row[1] >= 0.0 && row[1] <= 1e9 ? wrong_time(row, before, RATES) : RATES ", and no rate above 1e9";
}

static const char *wrong_count(const double *row, const double *before)
{
	return row[1] >= 0.0 && row[1] <= 1e15 && floor(row[1]) == row[1] ? wrong_time(row, before, COUNTS) : COUNTS;
}

static const char *wrong_instant(const double *row, const double *before)
{
	const char *wrong = wrong_time(row, NULL, INSTANTS);

	if (wrong)
		return wrong;
	return before && row[0] < before[0] ? "a time not before that of the row above" : NULL;
}

static const struct st_rows_form forms[] = {
    [ST_TRACE_RATES] = {"time_s,rate_per_s", RATES, 2, false, wrong_rate},
    [ST_TRACE_COUNTS] = {"time_s,count", COUNTS, 2, false, wrong_count},
    [ST_TRACE_INSTANTS] = {"time_s", INSTANTS, 1, false, wrong_instant},
};

/* --- the parameter's type --------------------------------------------------------------------------------------------- */

static void trace_release(void *field)
{
	struct st_trace *t = field;

	free(t->file);
	free(t->at);
	free(t->value);
	*t = (struct st_trace){.n = 0};
}

static void fill(struct st_trace *t, const char *file, const struct st_rows *rows)
{
	unsigned columns = forms[rows->form].columns;

	*t = (struct st_trace){.file = st_strdup(file), .form = (enum st_trace_form)rows->form, .n = rows->n};
	t->at = st_calloc(t->n, sizeof *t->at);
	t->value = columns > 1 ? st_calloc(t->n, sizeof *t->value) : NULL;
	for (size_t i = 0; i < t->n; i++) {
		t->at[i] = st_time_from_s(rows->x[i * columns]);
		if (t->value)
			t->value[i] = rows->x[i * columns + 1];
	}
}

static int trace_read(const struct st_param *p, const struct st_value *v, void *field, struct st_err *e)
{
	const char *file = st_param_scalar(p, v, e);
	struct st_rows rows;

	if (!file)
		return -1;
	if (*file == '\0')
		return st_param_expects(p, v, 0, NULL, e);
	if (st_rows_read(file, st_param_place(v, 0), forms, sizeof forms / sizeof *forms, &rows, e))
		return -1;
	if (rows.form == ST_TRACE_COUNTS && rows.n == 1) {
		st_rows_release(&rows);
		return st_err_add(e, ST_EXIT_USER, st_param_place(v, 0), "'%s' must have a second row: nothing says when its count ends", file);
	}
	trace_release(field);
	fill(field, file, &rows);
	st_rows_release(&rows);
	return 0;
}

static char **trace_file(void *field)
{
	return &((struct st_trace *)field)->file;
}

static void trace_print(const struct st_param *p, const void *field, struct st_text *out)
{
	const struct st_trace *t = field;

	(void)p;
	st_flow_quote(t->file ? t->file : "", out);
}

const struct st_param_type st_param_trace = {
    .name = "trace",
    .expects = "the name of a CSV file whose columns are time_s,rate_per_s or time_s,count or time_s",
    .size = sizeof(struct st_trace),
    .read = trace_read,
    .print = trace_print,
    .release = trace_release,
    .file = trace_file,
};
