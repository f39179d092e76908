#include <config.h>

#include "base/rows.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"

enum { BAD_LINES_TOLD = 5 };

/* A file under way. */
struct reader {
	const struct st_rows_form *form;
	size_t nforms, cap, bad;
	struct st_place place;
	struct st_rows *out;
	struct st_err *e;
};

char *st_rows_path(const char *file, const struct st_place *place)
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

static void tell(struct reader *r, const char *expects, const char *got)
{
	if (++r->bad <= BAD_LINES_TOLD)
		st_err_add(r->e, ST_EXIT_USER, &r->place, "expects %s; got '%.40s'", expects, got);
}

/* Whether s is so many numbers with commas between. */
static bool is_numbers(const char *s, unsigned columns, double *x)
{
	for (unsigned i = 0; i < columns; i++) {
		s = st_text_read_double(s + strspn(s, " \t"), &x[i]);
		if (!s)
			return false;
		s += strspn(s, " \t");
		if (*s++ != (i + 1 < columns ? ',' : '\0'))
			return false;
	}
	return true;
}

/* Whether the first line that says anything is a header. */
static bool is_header(struct reader *r, const char *s)
{
	for (size_t i = 0; i < r->nforms; i++) {
		if (strcmp(s, r->form[i].header) == 0) {
			r->out->form = i;
			return true;
		}
	}
	return false;
}

static void tell_headers(struct reader *r, const char *got)
{
	struct st_text t = ST_TEXT_INIT;

	for (size_t i = 0; i < r->nforms; i++)
		st_text_addf(&t, "%s%s", i ? " or " : "the names of its columns, ", r->form[i].header);
	tell(r, t.s, got);
	st_text_release(&t);
}

static void read_row(struct reader *r, const char *s)
{
	const struct st_rows_form *f = &r->form[r->out->form];
	struct st_rows *out = r->out;
	double x[ST_ROWS_COLUMNS];
	const char *wrong = f->expects;

	if (is_numbers(s, f->columns, x))
		wrong = f->wrong(x, out->n ? &out->x[(out->n - 1) * f->columns] : NULL);
	if (wrong) {
		tell(r, wrong, s);
		return;
	}
	out->x = st_grow(out->x, &r->cap, (out->n + 1) * f->columns, sizeof *out->x);
	memcpy(&out->x[out->n++ * f->columns], x, f->columns * sizeof *x);
}

static void read_lines(struct reader *r, FILE *from)
{
	size_t room = 0;
	bool is_first = true;
	char *line = NULL;
	ssize_t length;

	while ((length = getline(&line, &room, from)) >= 0) {
		bool has_zero = strlen(line) != (size_t)length;
		char *s = content(line);

		r->place.line++;
		r->place.column = (int)(s - line) + 1;
		if (*s == '\0' && !has_zero)
			continue;
		if (is_first && !is_header(r, s) && !r->form[0].is_bare) {
			tell_headers(r, s);
			break;
		}
		if (has_zero)
			tell(r, r->form[r->out->form].expects, s);
		else if (!is_first || !is_header(r, s))
			read_row(r, s);
		is_first = false;
	}
	free(line);
}

static int read_all(struct reader *r, FILE *from, const struct st_place *place)
{
	const char *path = r->place.file;

	errno = 0;
	read_lines(r, from);
	if (ferror(from))
		return st_err_add(r->e, ST_EXIT_USER, place, "cannot read '%s': %s", path, strerror(errno));
	if (r->bad > BAD_LINES_TOLD)
		return st_err_add(r->e, ST_EXIT_USER, &(struct st_place){path, 0, 0}, "%zu more lines are wrong", r->bad - BAD_LINES_TOLD);
	if (r->bad)
		return -1;
	return r->out->n ? 0 : st_err_add(r->e, ST_EXIT_USER, place, "'%s' holds no value", path);
}

int st_rows_read(const char *file, const struct st_place *place, const struct st_rows_form *form, size_t nforms, struct st_rows *out,
    struct st_err *e)
{
	char *path = st_rows_path(file, place);
	FILE *from = fopen(path, "r");
	struct reader r = {.form = form, .nforms = nforms, .place = {path, 0, 0}, .out = out, .e = e};
	int failed;

	*out = (struct st_rows){0, NULL, 0};
	if (from) {
		failed = read_all(&r, from, place);
		fclose(from);
	} else {
		failed = st_err_add(e, ST_EXIT_USER, place, "cannot open '%s': %s", path, strerror(errno));
	}
	if (failed)
		st_rows_release(out);
	free(path);
	return failed;
}

void st_rows_release(struct st_rows *r)
{
	free(r->x);
	*r = (struct st_rows){0, NULL, 0};
}
