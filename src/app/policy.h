#ifndef ST_APP_POLICY_H
#define ST_APP_POLICY_H
/*
 * policy.h - a configuration for people: a retry policy in a line, and what of a scenario is not as it is by default.
 */
#include "experiment/params.h"
#include "output/cells.h"

/* "10 attempts; base 500ms; cap 30s; jitter full": base and jitter, and what else of the backoff is not as it is by default. To be freed. */
char *st_policy_in_words(const struct st_retry_cfg *c, uint64_t attempts);

/*
 * A row a parameter that applies and has another value than by default, below a row of heads: path within the section, value, default,
 * meaning; but for the title, which is no setting. Of a configuration's index-th service, group, ...; *cells is to be released. Returns how many there are.
 */
size_t st_policy_differences(struct st_config *c, enum st_section s, size_t index, struct st_cells *cells);

#endif
