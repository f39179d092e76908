#ifndef ST_EXPERIMENT_PARAMS_H
#define ST_EXPERIMENT_PARAMS_H
/*
 * params.h - all parameters, in one list of tables: which module's rows lie where in a scenario.
 *
 * Sections are the top level, the service, each group of clients (clients.NAME) and each fault (faults[]). A table
 * is a module's rows with the prefix of their path within the section and the offset of their struct in the
 * section's config. No parameter is named here.
 */
#include "base/param.h"
#include "model/world.h"

enum st_section { ST_SECTION_TOP, ST_SECTION_SERVICE, ST_SECTION_GROUP, ST_SECTION_FAULT, ST_SECTION_N };

struct st_param_table {
	enum st_section section;
	const char *prefix;           /* "retry.backoff." or "" */
	const struct st_param *rows;  /* ended by a row without a name */
	size_t offset;
	const char *scalar;           /* the row that a scalar in place of the mapping sets ("budget: off" is kind), or NULL */
};

/* The i-th table, NULL past the last. */
const struct st_param_table *st_params_at(size_t i);

/* How a section's path begins for people: "", "service.", "clients.NAME.", "faults[].". */
const char *st_section_path(enum st_section s);

/* The pointer to a section's struct in a configuration: index is the group or the fault. */
void *st_section_of(struct st_config *c, enum st_section s, size_t index);

#endif
