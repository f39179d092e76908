#ifndef ST_BASE_FLOW_H
#define ST_BASE_FLOW_H
/*
 * flow.h - a value in one line, as a scenario would write it: a scalar, or a list "[a, b]" of scalars.
 *
 * What defaults, the command line and the canonical scenario need of YAML, and no more: a scalar stands plain or in
 * double quotes with \", \\, \n, \t and \xNN (two digits, not 00); lists hold no lists. What is printed here is YAML too.
 *
 * Owns     a struct st_flow owns its items; release with st_flow_release().
 */
#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"

struct st_flow {
	char **item; /* unquoted */
	size_t n;
	bool is_list; /* else n == 1 */
};

/* Read the whole text. Returns NULL, or what is wrong as a phrase (*out is then empty). */
const char *st_flow_read(const char *text, struct st_flow *out);

void st_flow_release(struct st_flow *f);

/* Add s as a plain scalar, or in double quotes where it would be read as something else. */
void st_flow_quote(const char *s, struct st_text *out);

#endif
