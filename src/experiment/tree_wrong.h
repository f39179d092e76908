#ifndef ST_EXPERIMENT_TREE_WRONG_H
#define ST_EXPERIMENT_TREE_WRONG_H
/*
 * tree_wrong.h - what keeps a text from being YAML, in words for who wrote it.
 *
 * libyaml tells what its grammar missed, and where it noticed; a person wants to know of the tab, the missing colon or the
 * open quote, and where that stands. What is not in the table is told in libyaml's words.
 */
#include <stdbool.h>

#include <yaml.h>

#include "experiment/tree.h"

/*
 * Add the complaint that ended the parser, which read `text`. file: what places are in; has_lines: false for a text of the
 * command line, whose places are none. Always returns -1.
 */
int st_tree_wrong(const yaml_parser_t *p, const char *text, const char *file, bool has_lines, struct st_mistakes *m);

#endif
