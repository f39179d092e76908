#include <config.h>

#include "output/cells.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

const char *st_cells_at(const struct st_cells *c, size_t row, size_t column)
{
	const char *s = row < c->rows && column < c->columns ? c->cell[row * c->columns + column] : NULL;

	return s ? s : "";
}

void st_cells_init(struct st_cells *c, size_t rows, size_t columns)
{
	*c = (struct st_cells){rows, columns, st_calloc(rows * columns, sizeof(char *))};
}

void st_cells_release(struct st_cells *c)
{
	for (size_t i = 0; i < c->rows * c->columns; i++)
		free(c->cell[i]);
	free(c->cell);
}

void st_cells_put(struct st_cells *c, size_t row, size_t column, char *text)
{
	c->cell[row * c->columns + column] = text;
}

/* The i-th line of a text, and how long it is; NULL past its last. */
static const char *line_of(const char *s, size_t i, size_t *n)
{
	for (; s && i > 0; i--) {
		s = strchr(s, '\n');
		s += s != NULL;
	}
	*n = s ? strcspn(s, "\n") : 0;
	return s;
}

size_t st_cells_width(const struct st_cells *c, size_t column)
{
	size_t width = 0, n;

	for (size_t r = 0; r < c->rows; r++)
		for (size_t i = 0; line_of(st_cells_at(c, r, column), i, &n); i++)
			if (n > width)
				width = n;
	return width;
}

void st_cells_fold(struct st_cells *c, size_t column, size_t width)
{
	for (size_t r = 0; r < c->rows; r++) {
		char *line = c->cell[r * c->columns + column], *blank = NULL;

		for (char *s = line; s && *s; s++) {
			if (*s == ' ')
				blank = s;
			if ((size_t)(s - line) < width || !blank)
				continue;
			*blank = '\n';
			line = blank + 1;
			blank = NULL;
		}
	}
}

/* One line of a row's texts; whether any of them had it. */
static bool print_line(const struct st_cells *c, size_t row, size_t i, const int *width, size_t left, struct st_text *out)
{
	size_t start = out->len;
	bool any = false;

	for (size_t k = 0; k < c->columns; k++) {
		size_t n;
		const char *s = line_of(st_cells_at(c, row, k), i, &n);

		any |= s != NULL;
		if (width[k] > 0)
			st_text_addf(out, "%s%*.*s", k > 0 ? "  " : "", k < left ? -width[k] : width[k], (int)n, s ? s : "");
	}
	while (out->len > start && (!any || out->s[out->len - 1] == ' '))
		out->s[--out->len] = '\0';
	if (any)
		st_text_add(out, "\n");
	return any;
}

void st_cells_print(const struct st_cells *c, size_t left, struct st_text *out)
{
	int *width = st_calloc(c->columns, sizeof *width);

	for (size_t k = 0; k < c->columns; k++)
		width[k] = (int)st_cells_width(c, k);
	for (size_t r = 0; r < c->rows; r++)
		for (size_t i = 0; print_line(c, r, i, width, left, out); i++)
			;
	free(width);
}

/* Go to the end of a field; what it holds is added to t, if that is not NULL. */
static const char *read_field(const char *s, struct st_text *t)
{
	bool in_quotes = false;

	for (; *s && (in_quotes || (*s != ',' && *s != '\n')); s++) {
		bool is_doubled = in_quotes && s[0] == '"' && s[1] == '"';

		if (*s == '"' && !is_doubled) {
			in_quotes = !in_quotes;
			continue;
		}
		s += is_doubled;
		if (t)
			st_text_addn(t, s, 1);
	}
	return s;
}

void st_cells_of_csv(struct st_cells *c, const char *csv)
{
	size_t rows = 0, columns = 0, row = 0, column = 0;

	for (const char *s = csv; *s; s += *s != '\0') {
		rows += column == 0;
		s = read_field(s, NULL);
		column++;
		columns = column > columns ? column : columns;
		if (*s != ',')
			column = 0;
	}
	column = 0;
	st_cells_init(c, rows, columns);
	for (const char *s = csv; *s; s += *s != '\0') {
		struct st_text t = ST_TEXT_INIT;

		s = read_field(s, &t);
		st_cells_put(c, row, column, t.s);
		row += *s != ',';
		column = *s == ',' ? column + 1 : 0;
	}
}
