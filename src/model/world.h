#ifndef ST_MODEL_WORLD_H
#define ST_MODEL_WORLD_H
/*
 * world.h - one run: st_world_run() builds a world from a configuration, seeds it, runs it to its end and hands back the instruments.
 */
#include "measure/meter.h"
#include "model/config.h"
#include "model/witness.h"

/* What a run leaves. */
struct st_run {
	struct st_meter *meter; /* one a service: its calls, and those who make them */
	size_t nmeters;
	uint64_t events, fingerprint;
};

/*
 * Run one replication. The same (config, seed, replication) gives the same run. Returns 0, or -1 with a message if the scenario
 * proves impossible as it runs (an operation that retries without end at one instant). *run is to be released either way.
 * stop, if not NULL, is looked at now and then; once it is set the run ends early with -1 and no message.
 */
int st_world_run(const struct st_config *c, uint64_t seed, uint32_t replication, const volatile int *stop, struct st_run *run,
    struct st_err *e);
/* The same before a witness of every attempt. */
int st_world_show(const struct st_config *c, uint64_t seed, uint32_t replication, const volatile int *stop, const struct st_witness *witness,
    struct st_run *run, struct st_err *e);
void st_run_release(struct st_run *r);

#endif
