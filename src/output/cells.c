#include <config.h>

#include "output/cells.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

static const char *at(const struct st_cells *c, size_t row, size_t column)
{
	const char *s = c->cell[row * c->columns + column];

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

size_t st_cells_width(const struct st_cells *c, size_t column)
{
	size_t width = 0;

	for (size_t r = 0; r < c->rows; r++)
		if (strlen(at(c, r, column)) > width)
			width = strlen(at(c, r, column));
	return width;
}

void st_cells_print(const struct st_cells *c, size_t left, struct st_text *out)
{
	int *width = st_calloc(c->columns, sizeof *width);

	for (size_t k = 0; k < c->columns; k++)
		width[k] = (int)st_cells_width(c, k);
	for (size_t r = 0; r < c->rows; r++) {
		for (size_t k = 0; k < c->columns; k++)
			if (width[k] > 0)
				st_text_addf(out, "%s%*s", k > 0 ? "  " : "", k < left ? -width[k] : width[k],
				    at(c, r, k));
		while (out->len > 0 && out->s[out->len - 1] == ' ')
			out->s[--out->len] = '\0';
		st_text_add(out, "\n");
	}
	free(width);
}
