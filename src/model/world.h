#ifndef ST_MODEL_WORLD_H
#define ST_MODEL_WORLD_H
/*
 * world.h - the whole of one run: its configuration, and running it.
 *
 * A configuration is plain data; experiment/ fills it from a scenario. st_world_run() builds a world from it, seeds it,
 * runs it to its end and hands back the instruments.
 */
#include "measure/meter.h"
#include "model/caller.h"
#include "model/fault.h"
#include "model/service.h"

/* The name of a service that has none. */
#define ST_SERVICE_ALONE "service"

enum { ST_SERVICES_MAX = 1000 };

struct st_config {
	char *title;
	st_time duration, warmup, bin;
	struct st_times window; /* none, or from and to */
	uint64_t seed;
	struct st_service_cfg *service; /* one or more, by name; clients call the first */
	size_t nservices;
	struct st_group_cfg *group;
	size_t ngroups;
	struct st_fault_cfg *fault;
	size_t nfaults;
};

/* The rows of the top level. */
extern const struct st_param st_config_params[];

/*
 * What several parameters together make impossible (a window beyond the duration, more clients than can be
 * numbered). Calls tell() with the path of the parameter to blame for each; returns how many.
 */
typedef void (*st_config_tell)(void *to, const char *path, const char *message);
size_t st_config_contradictions(const struct st_config *c, st_config_tell tell, void *to);

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

/* The last fault's end, -1 if there is none. */
st_time st_config_fault_end(const struct st_config *c);

#endif
