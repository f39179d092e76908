#ifndef ST_EXPERIMENT_PARAMS_H
#define ST_EXPERIMENT_PARAMS_H
/*
 * params.h - all parameters, in one list of tables: which module's rows lie where in a scenario.
 *
 * Sections are the top level, each service, the calls that each makes (services.NAME.calls), each group of clients (clients.NAME) and
 * each fault (faults[]). A table
 * is a module's rows with the prefix of their path within the section and the offset of their struct in the
 * section's config. A dot in a path is a mapping of the file.
 */
#include "base/param.h"
#include "model/world.h"

enum st_section { ST_SECTION_TOP, ST_SECTION_SERVICE, ST_SECTION_CALLS, ST_SECTION_GROUP, ST_SECTION_FAULT, ST_SECTION_N };

enum { ST_PARAM_PATH = 64, ST_PARAM_ROWS = 160 };

/* One parameter of a section. */
struct st_param_row {
	const struct st_param *param;
	size_t offset;            /* of the struct that param->offset counts from, in the section's struct */
	char path[ST_PARAM_PATH]; /* within the section: "retry.backoff.jitter" */
};

struct st_param_rows {
	struct st_param_row row[ST_PARAM_ROWS];
	size_t n;
};

/* All parameters of a section, in the order of the tables. */
void st_params_rows(enum st_section s, struct st_param_rows *out);

/* The row whose value says whether row i applies (its `kind`), or -1. */
int st_params_kind_of(const struct st_param_rows *rows, size_t i);

/*
 * Whether row i applies in a section's filled struct. *kind (may be NULL), to be freed, becomes the value of the
 * sibling that decides it, NULL if there is none.
 */
bool st_params_applies(const struct st_param_rows *rows, size_t i, const void *section, char **kind);

/* The key that a scalar in the place of a mapping sets ("budget: off" is kind), or NULL. mapping is its path in the section. */
const char *st_params_shorthand(enum st_section s, const char *mapping);

/* How a section's path begins for people: "", "service.", "services.NAME.calls.", "clients.NAME.", "faults[].". */
const char *st_section_path(enum st_section s);

/* The section's struct in a configuration: index is the service, the group or the fault. */
void *st_section_of(struct st_config *c, enum st_section s, size_t index);

/*
 * Call see(to, where, e) for each file that a configuration names, once a parameter: *where is the name as written, owned by the
 * configuration, and may be replaced by another of the same file. The first -1 that it returns ends it, and is returned; else 0.
 */
int st_params_files(struct st_config *c, int (*see)(void *to, char **where, struct st_err *e), void *to, struct st_err *e);

/* How many of a section a configuration has: 1, or the number of services, groups or faults. */
size_t st_section_count(const struct st_config *c, enum st_section s);

#endif
