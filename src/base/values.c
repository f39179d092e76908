#include <config.h>

#include "base/values.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"

enum { BAD_LINES_TOLD = 5 };

static char *beside(const char *file, const struct st_place *place)
{
	const char *slash = place && place->file ? strrchr(place->file, '/') : NULL;

	if (!slash || file[0] == '/')
		return st_strdup(file);
	return st_format("%.*s/%s", (int)(slash - place->file), place->file, file);
}

/* What a line says, without its comment and the blanks around. */
static char *content(char *line)
{
	line[strcspn(line, "#")] = '\0';
	line += strspn(line, " \t\r\n");
	for (char *end = line + strlen(line); end > line && strchr(" \t\r\n", end[-1]); end--)
		end[-1] = '\0';
	return line;
}

static bool is_seconds(const char *s, st_time *out)
{
	double x = 0.0;
	const char *end = st_text_read_double(s, &x);

	*out = st_time_from_s(x);
	return end && *end == '\0' && x >= 0.0 && x <= st_time_to_s(ST_TIME_MAX);
}

static void tell(const struct st_place *place, const char *s, size_t nth, struct st_err *e)
{
	if (nth <= BAD_LINES_TOLD)
		st_err_add(e, ST_EXIT_USER, place,
		    "expects a number of seconds such as 0.02, at least 0; got '%.40s'", s);
}

/* Read the lines that are good; returns how many are not. */
static size_t read_lines(FILE *from, const char *path, struct st_values *v, struct st_err *e)
{
	struct st_place place = {path, 0, 0};
	size_t bad = 0, cap = 0, room = 0;
	bool first = true;
	char *line = NULL;
	ssize_t length;

	while ((length = getline(&line, &room, from)) >= 0) {
		bool has_zero = strlen(line) != (size_t)length;
		char *s = content(line);
		st_time t;

		place.line++;
		place.column = (int)(s - line) + 1;
		if (*s == '\0' && !has_zero)
			continue;
		if (!has_zero && is_seconds(s, &t)) {
			v->at = st_grow(v->at, &cap, v->n + 1, sizeof *v->at);
			v->at[v->n++] = t;
		} else if (!first || strcmp(s, "value_s") != 0) {
			tell(&place, s, ++bad, e);
		}
		first = false;
	}
	free(line);
	return bad;
}

static int read_all(
    FILE *from, const char *path, const struct st_place *place, struct st_values *v, struct st_err *e)
{
	errno = 0;
	size_t bad = read_lines(from, path, v, e);

	if (ferror(from))
		return st_err_add(e, ST_EXIT_USER, place, "cannot read '%s': %s", path, strerror(errno));
	if (bad > BAD_LINES_TOLD)
		return st_err_add(e, ST_EXIT_USER, &(struct st_place){path, 0, 0},
		    "%zu more lines are no number of seconds", bad - BAD_LINES_TOLD);
	if (bad)
		return -1;
	return v->n ? 0 : st_err_add(e, ST_EXIT_USER, place, "'%s' holds no value", path);
}

int st_values_read(const char *file, const struct st_place *place, struct st_values *out, struct st_err *e)
{
	char *path = beside(file, place);
	FILE *from = fopen(path, "r");
	int failed;

	*out = (struct st_values){NULL, 0};
	if (from) {
		failed = read_all(from, path, place, out, e);
		fclose(from);
	} else {
		failed = st_err_add(e, ST_EXIT_USER, place, "cannot open '%s': %s", path, strerror(errno));
	}
	if (failed)
		st_values_release(out);
	free(path);
	return failed;
}

void st_values_release(struct st_values *v)
{
	free(v->at);
	*v = (struct st_values){NULL, 0};
}
