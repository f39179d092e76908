#ifndef ST_MODEL_CONFIG_H
#define ST_MODEL_CONFIG_H
/*
 * config.h - all that makes a run, as plain data: experiment/ fills it from a scenario, and owns what it points to.
 */
#include "base/param.h"
#include "model/fault.h"
#include "model/group.h"
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

/* Who hears of contradictions. */
struct st_config_ear {
	void (*tell)(void *to, const char *path, const char *message); /* path: of the parameter to blame */
	/* Whether a parameter that lies in these bytes of the configuration could not be read; NULL: all could. */
	bool (*in_doubt)(void *to, const void *field, size_t size);
	void *to;
};

/*
 * What several parameters together make impossible (a window beyond the duration, more clients than can be
 * numbered). Calls tell() for each; returns how many. What rests on a value in doubt is not looked at: it would be wrong by accident.
 */
size_t st_config_contradictions(const struct st_config *c, const struct st_config_ear *ear);

/* The last fault's end, -1 if there is none. */
st_time st_config_fault_end(const struct st_config *c);

/* The index of the group of that name; ST_FAULT_EVERYBODY if there is none. */
uint32_t st_config_find_group(const struct st_config *c, const char *name);

/* The index of the service of that name; nservices if there is none. */
size_t st_config_find_service(const struct st_config *c, const char *name);

#endif
