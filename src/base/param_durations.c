#include <config.h>

#include "base/param.h"

#include <stdlib.h>

#include "base/dist.h"
#include "base/flow.h"
#include "base/mem.h"

/* The types of parameters that are durations: one, a list, a distribution. */

static void write_seconds(double s, struct st_text *out)
{
	char buf[ST_TIME_TEXT];

	st_text_add(out, st_time_format(st_time_from_s(s), buf));
}

static int item_time(
    const struct st_param *p, const struct st_value *v, size_t i, st_time *out, struct st_err *e)
{
	const char *why = st_time_parse(v->text[i], out);

	if (why)
		return st_param_expects(p, v, i, why, e);
	return st_param_in_bounds(p, v, i, st_time_to_s(*out), write_seconds, e);
}

static int read_time(const struct st_param *p, const struct st_value *v, void *field, struct st_err *e)
{
	const char *s = st_param_scalar(p, v, e);
	st_time t = ST_NEVER;

	if (!s || (!st_param_is_word(p, s) && item_time(p, v, 0, &t, e)))
		return -1;
	*(st_time *)field = t;
	return 0;
}

static void print_time(const struct st_param *p, const void *field, struct st_text *out)
{
	char buf[ST_TIME_TEXT];
	st_time t = *(const st_time *)field;

	st_text_add(out, t == ST_NEVER && p->word ? p->word : st_time_format(t, buf));
}

const struct st_param_type st_param_time = {
    .name = "duration",
    .expects = "a duration such as 200ms",
    .size = sizeof(st_time),
    .read = read_time,
    .print = print_time,
};

/* Lists of them */

static void release_times(void *field)
{
	struct st_times *times = field;

	free(times->at);
	*times = (struct st_times){NULL, 0};
}

static int read_times(const struct st_param *p, const struct st_value *v, void *field, struct st_err *e)
{
	struct st_times read = {st_calloc(v->n + 1, sizeof *read.at), v->n};
	int failed = 0;

	if (!v->is_list)
		failed = st_param_scalar(p, v, e) ? 0 : -1;
	for (size_t i = 0; i < v->n && (v->is_list || !failed); i++)
		failed |= item_time(p, v, i, &read.at[i], e);
	if (failed) {
		release_times(&read);
		return -1;
	}
	release_times(field);
	*(struct st_times *)field = read;
	return 0;
}

static void print_times(const struct st_param *p, const void *field, struct st_text *out)
{
	const struct st_times *times = field;

	st_text_add(out, times->n == 1 ? "" : "[");
	for (size_t i = 0; i < times->n; i++) {
		st_text_add(out, i ? ", " : "");
		print_time(p, &times->at[i], out);
	}
	st_text_add(out, times->n == 1 ? "" : "]");
}

const struct st_param_type st_param_times = {
    .name = "durations",
    .expects = "a duration such as 200ms, or a list of them",
    .size = sizeof(struct st_times),
    .read = read_times,
    .print = print_times,
    .release = release_times,
};

/* Distributions of them */

static char **file_of_dist(void *field)
{
	return &((struct st_dist *)field)->file;
}

static void release_dist(void *field)
{
	st_dist_release(field);
}

static int read_dist(const struct st_param *p, const struct st_value *v, void *field, struct st_err *e)
{
	const char *s = st_param_scalar(p, v, e);
	struct st_dist read = st_dist_constant(ST_NEVER);

	if (!s)
		return -1;
	if (!st_param_is_word(p, s)) {
		if (p->word && st_text_nearest(s, &p->word, 1))
			return st_param_expects(p, v, 0, NULL, e);
		if (st_dist_parse(s, st_param_place(v, 0), &read, e))
			return -1;
		if (st_param_in_bounds(p, v, 0, st_dist_mean_s(&read), write_seconds, e)) {
			st_dist_release(&read);
			return -1;
		}
	}
	st_dist_release(field);
	*(struct st_dist *)field = read;
	return 0;
}

static void print_dist(const struct st_param *p, const void *field, struct st_text *out)
{
	const struct st_dist *d = field;
	struct st_text t = ST_TEXT_INIT;

	if (d->fixed == ST_NEVER && p->word) {
		st_text_add(out, p->word);
		return;
	}
	st_dist_print(d, &t);
	st_flow_quote(t.s, out);
	st_text_release(&t);
}

const struct st_param_type st_param_dist = {
    .name = "distribution",
    .expects = "a duration such as 20ms or a distribution such as 'exponential 20ms'",
    .size = sizeof(struct st_dist),
    .read = read_dist,
    .print = print_dist,
    .release = release_dist,
    .file = file_of_dist,
};
