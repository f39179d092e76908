#ifndef ST_OUTPUT_GNUPLOT_H
#define ST_OUTPUT_GNUPLOT_H
/*
 * gnuplot.h - runs gnuplot on one of our scripts, with variables given in a file of their own, read before it.
 *
 * Variables are built as a text of assignments. Whatever a text holds, it stays a text: it is put in single
 * quotes, where gnuplot expands nothing; control characters are blanks; paths never look like a pipe or an
 * option.
 */
#include <stddef.h>

#include "base/err.h"
#include "base/text.h"

/* Add "name = value" of a number, a text, a path. */
void st_gnuplot_number(struct st_text *vars, const char *name, double x);
void st_gnuplot_text(struct st_text *vars, const char *name, const char *value);
void st_gnuplot_path(struct st_text *vars, const char *name, const char *path);
/* An array of n >= 1 elements, then each of them, i from 0. */
void st_gnuplot_array(struct st_text *vars, const char *name, size_t n);
void st_gnuplot_element(struct st_text *vars, const char *name, size_t i, const char *value);
void st_gnuplot_element_path(struct st_text *vars, const char *name, size_t i, const char *path);

/*
 * Draw DIR/NAME.png and DIR/NAME.svg with plots/SCRIPT.gp, each whole or not at all. 0, or -1 with a message
 * that holds what gnuplot said.
 */
int st_gnuplot_draw(const char *dir, const char *script, const char *name, const struct st_text *vars, struct st_err *e);

#endif
