#ifndef ST_OUTPUT_HTML_H
#define ST_OUTPUT_HTML_H
/*
 * html.h - a page for people that is one file: text, tables and pictures, without scripts and without the network.
 *
 * Form     HTML that is well-formed XML too, so that every tool can read it. It prints, fits a phone (what is wide scrolls by itself),
 *          and is light or dark as the reader's system is.
 * Texts    whatever a text holds, it stays a text: markup is escaped, and what is no character (control bytes, no UTF-8) is shown as
 *          U+FFFD. The same texts give the same bytes.
 * Pictures are PNG in the page itself. gnuplot's SVG of a load is twenty times as large (each bar is a shape: 1.7 MB against 90 kB), a
 *          raster's 3.3 MB; its names would clash with those of the next on the page, and its letters are as wide as the
 *          reader's fonts make them.
 */
#include "base/err.h"
#include "base/text.h"
#include "output/cells.h"

/* The page begins, with its title as the first heading; below it a line on what this is. */
void st_html_begin(struct st_text *out, const char *title, const char *kind);
void st_html_end(struct st_text *out);

/* Escaped, and no more. */
void st_html_text(struct st_text *out, const char *s);

/* A section from its heading on, until the next or the end. Its name is what links to it say. */
void st_html_section(struct st_text *out, const char *heading);
void st_html_heading(struct st_text *out, const char *heading);

/* What stands between blank lines: a paragraph each. "+-" is shown as the sign. */
void st_html_say(struct st_text *out, const char *s);
/* The same, set large: what is to be read if nothing else is. */
void st_html_lead(struct st_text *out, const char *s);
/* Small, below a table. */
void st_html_note(struct st_text *out, const char *s);

/* A list, a line of the text each. */
void st_html_list(struct st_text *out, const char *lines);

/* A verdict in a row of them: each begins with a mark. */
enum st_html_mark { ST_HTML_GOOD, ST_HTML_BAD, ST_HTML_OPEN, ST_HTML_ASIDE };
void st_html_verdict(struct st_text *out, enum st_html_mark mark, const char *s);

/* As it is, in letters of one width; long lines scroll. */
void st_html_code(struct st_text *out, const char *s);

/*
 * The first `heads` rows are heads; columns before `left` lean left, the others, which are numbers, right. Columns of nothing are left out.
 * Where all lean left it is a table of words: what is in them wraps, but for the names in the first column.
 */
void st_html_table(struct st_text *out, const struct st_cells *c, size_t heads, size_t left);

/* DIR/NAME.png, numbered, with what it shows. 0, or -1 with a message: it cannot be read. */
int st_html_picture(struct st_text *out, const char *dir, const char *name, unsigned number, const char *caption, struct st_err *e);

#endif
