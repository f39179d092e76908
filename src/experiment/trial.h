#ifndef ST_EXPERIMENT_TRIAL_H
#define ST_EXPERIMENT_TRIAL_H
/*
 * trial.h - one point and one replication to a result.
 */
#include "base/err.h"
#include "experiment/result.h"
#include "model/world.h"

/* Run replication r of the configuration; as st_world_run(). *out is to be released if 0 is returned. */
int st_trial_run(const struct st_config *c, uint32_t replication, const volatile int *stop, struct st_result *out, struct st_err *e);

#endif
