#ifndef ST_BASE_LINES_H
#define ST_BASE_LINES_H
/*
 * lines.h - where two texts part, in words.
 */

/* "at line 7 it has 'x', this one 'y'" of the first line in which two texts differ, to be freed; NULL if they do not. */
char *st_lines_differ(const char *there, const char *here);

#endif
