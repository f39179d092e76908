#ifndef ST_OUTPUT_CELLS_H
#define ST_OUTPUT_CELLS_H
/*
 * cells.h - a grid of short texts, printed with each column as wide as it has to be.
 *
 * A text may be several lines; its row is then printed over as many. Widths are in bytes: texts are ASCII.
 *
 * Owns     its texts; release with st_cells_release().
 */
#include <stddef.h>

#include "base/text.h"

struct st_cells {
	size_t rows, columns;
	char **cell; /* [row * columns + column]; NULL: empty */
};

void st_cells_init(struct st_cells *c, size_t rows, size_t columns);
void st_cells_release(struct st_cells *c);

/* Takes over an allocated text, or NULL; the cell is empty so far. */
void st_cells_put(struct st_cells *c, size_t row, size_t column, char *text);

/* Break the texts of a column at blanks into lines of at most `width`; a word that is longer stays whole. */
void st_cells_fold(struct st_cells *c, size_t column, size_t width);

/* The text of a cell, "" of an empty one and of one that is not there. */
const char *st_cells_at(const struct st_cells *c, size_t row, size_t column);

/* Read a CSV of ours (RFC 4180) as a grid, its head the first row. Rows may be of different lengths. Cost: all of it at once. */
void st_cells_of_csv(struct st_cells *c, const char *csv);

/* Bytes of the longest line of a column's texts. */
size_t st_cells_width(const struct st_cells *c, size_t column);

/* Two blanks between columns; those before `left` lean left, the others right; columns of nothing are left out. */
void st_cells_print(const struct st_cells *c, size_t left, struct st_text *out);

#endif
