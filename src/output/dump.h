#ifndef ST_OUTPUT_DUMP_H
#define ST_OUTPUT_DUMP_H
/*
 * dump.h - a JSON tree as the text of a file.
 *
 * Form     a key a line, lists on one; integers are taken as unsigned, other numbers the shortest that read back exactly.
 */
#include <jansson.h>

#include "base/text.h"

/* Add the text of j, which stays the caller's. */
void st_dump_json(json_t *j, struct st_text *out);

#endif
