#ifndef ST_TESTS_BUILD_H
#define ST_TESTS_BUILD_H
/*
 * build.h - configurations for tests: the parameters' defaults, then what the test sets.
 *
 * Values are written as a scenario writes them, so that a test reads like one. A text that cannot be read ends
 * the program.
 */
#include "model/world.h"

enum { BUILD_MOST = 8 }; /* services, groups and faults that a configuration holds at most */

/* One worker that takes 10 ms, no group, no fault. */
void build_init(struct st_config *c, st_time duration);
void build_release(struct st_config *c);

/* One more service, like the first one, that nobody calls yet; and what a service is to call. */
struct st_service_cfg *build_service(struct st_config *c, const char *name);
struct st_calls_cfg *build_calls(struct st_service_cfg *s, const char *to);

/* A group of `count` clients that do one thing each, at 0; the pointer stays valid. */
struct st_group_cfg *build_group(struct st_config *c, const char *name, uint64_t count);
struct st_fault_cfg *build_fault(struct st_config *c, st_time at, st_time length, const char *effect);

/* Set the parameter `name` among the rows of the struct at `cfg`. */
void build_set(const struct st_param *rows, void *cfg, const char *name, const char *value);

/* Distributions and conditions in a line. */
struct st_dist build_dist(const char *text);
struct st_conditions build_conditions(const char *text);
struct st_jitter_cfg build_jitter(const char *text);

/* A run of seed 1, replication 0, which must succeed. */
void build_run(const struct st_config *c, struct st_run *run);

#endif
