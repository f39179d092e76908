#ifndef ST_MODEL_SERVICE_H
#define ST_MODEL_SERVICE_H
/*
 * service.h - workers, a bounded queue, and what is answered when both are full.
 *
 * An arrival is tested in this order, the first that applies decides: refused; swallowed by a black hole; answered by a
 * status fault; over the rate limit; a background error; discarded because its client has given up (where that is so
 * configured); taken by a free worker; queued; answered with the overload answer.
 *
 * Owns     its queue and its table of workers. Cost O(1) an arrival; 24 bytes a request in service.
 */
#include "base/dist.h"
#include "base/param.h"
#include "engine/sim.h"
#include "measure/meter.h"
#include "model/admission.h"
#include "model/capacity.h"
#include "model/event.h"
#include "model/fault.h"
#include "model/group.h"
#include "model/hint.h"
#include "model/occ.h"
#include "model/outcome.h"
#include "model/queue.h"

/* Rows of the table of kinds. */
enum st_service_kind { ST_SERVICE_POOL, ST_SERVICE_OCC };

/* The calls that each of its requests makes once a worker has done its own part, which holds the worker until they end. */
struct st_calls_cfg {
	char *to;                  /* a service; NULL: none */
	uint64_t status;           /* what the request is answered when its call has failed */
	struct st_group_cfg group; /* the one caller: its name and count do not matter */
};

struct st_service_cfg {
	char *name;            /* unique among the services */
	unsigned kind;         /* the following are of a pool */
	uint64_t workers;
	struct st_dist service_time;
	struct st_queue_cfg queue;
	st_outcome overload;   /* a status, refused, or silence */
	st_time reject_cost;   /* of a worker, for each request answered with an overload status */
	unsigned abandoned;    /* enum st_abandoned */
	struct st_hint_cfg hint;
	struct st_capacity_cfg capacity;
	struct st_admission_cfg admission;
	uint64_t crash_at;     /* requests in the service; ST_UNLIMITED: never */
	st_time crash_down;    /* how long it stays down then */
	struct st_calls_cfg calls;
};

extern const struct st_param st_service_params[], st_calls_params[];

/* Requests a second that the workers can serve; NAN where there are none. */
double st_service_capacity_per_s(const struct st_service_cfg *c);

/* A request in service. */
struct st_serving {
	st_time arrival;
	uint64_t order;            /* of its start, in the run */
	uint32_t who;
	uint32_t tag : ST_REQUEST_TAG_BITS, group : ST_REQUEST_GROUP_BITS;
};

/*
 * Takes the answer back to the caller: kind says how it was decided, outcome what it says. is_last: the service does nothing more
 * now, so that what follows from the answer may happen before this returns.
 */
typedef void (*st_service_reply)(void *owner, uint32_t who, uint32_t tag, enum st_answer kind, st_outcome outcome, bool is_last);

struct st_service;

/* What the service asks and tells its callers. */
struct st_service_callers {
	st_service_reply reply;
	st_queue_waits waits;
	void (*lost)(void *owner); /* all connections are lost now, whoever has one; NULL: nobody has */
	st_time (*round_trip)(void *owner, const struct st_call *c); /* kind occ: until a request's second message arrives */
	void (*call)(void *owner, struct st_service *s, uint32_t slot); /* the worker of the slot calls another service; NULL: none does */
	void *owner;
};

struct st_service {
	const struct st_service_cfg *cfg;
	uint32_t number;           /* among the run's services; clients call the first */
	struct st_sim *sim;
	struct st_meter *meter;
	const struct st_rng_family *random;
	struct st_service_callers callers;
	struct st_faults faults;
	struct st_admission admission;
	struct st_capacity capacity;
	double capacity_per_s;     /* as configured; NAN if there is none */
	struct st_serving *in_service; /* one a worker slot in use */
	uint32_t *idle;            /* stack of slots not in use */
	uint32_t nslots, nidle;
	size_t slots_cap, idle_cap;
	uint64_t busy, starts;     /* workers at work; what they ever began */
	uint64_t owed;             /* rejections that have yet to cost a worker its time */
	struct st_queue queue;
	struct st_occ row;         /* of kind occ */
	bool ends_otherwise;       /* when a worker has done its work there may be something else to do than to answer */
};

/* number: among the services; of the faults those count that are its own. */
void st_service_init(struct st_service *s, const struct st_service_cfg *cfg, uint32_t number, const struct st_fault_cfg *fault,
    size_t nfaults, struct st_sim *sim, struct st_meter *meter, const struct st_rng_family *random, const struct st_service_callers *callers);
void st_service_release(struct st_service *s);

/*
 * A request arrives now. It may be answered before this returns. Returns when it is certain to have been answered, if a worker
 * has taken it at once; else ST_NEVER.
 */
st_time st_service_arrive(struct st_service *s, const struct st_call *c);

/* What a hint that is decided now may be based on. */
static inline struct st_hint_state st_service_hint_state(struct st_service *s)
{
	return (struct st_hint_state){.now = s->sim->now, .waiting = s->queue.len,
	    .token = st_admission_wait(&s->admission, s->sim->now), .capacity_per_s = s->capacity_per_s};
}

/* What the worker of the slot called has come to its end. */
void st_service_called(struct st_service *s, uint32_t slot, bool succeeded);

/* The events that are the service's own. */
void st_service_end(struct st_service *s, uint32_t slot);
void st_service_fault(struct st_service *s, uint32_t fault, enum st_fault_turn what);

/* The run is over: requests still in the system are cut at the end, for Little's law. */
void st_service_finish(struct st_service *s);

#endif
