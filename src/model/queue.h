#ifndef ST_MODEL_QUEUE_H
#define ST_MODEL_QUEUE_H
/*
 * queue.h - requests that wait for a worker: how many may, and which is next.
 *
 * Owns     its slots. A request keeps its slot while it waits.
 * Cost     O(1) for everything; 32 bytes a waiting request.
 */
#include "base/param.h"
#include "measure/meter.h"

struct st_queue_cfg {
	uint64_t limit;       /* waiting requests; ST_UNLIMITED */
	unsigned discipline;  /* row of the table */
};

extern const struct st_param st_queue_params[];

enum { ST_REQUEST_TAG_BITS = 20, ST_REQUEST_GROUP_BITS = 12 };

/* A request in the system. */
struct st_request {
	st_time arrival, work;                 /* work: the service time drawn, before any slowdown */
	uint32_t who;                          /* the caller's, as is the tag: handed back with the answer */
	uint32_t tag : ST_REQUEST_TAG_BITS, group : ST_REQUEST_GROUP_BITS;
};

/* A waiting request between its neighbours; slot 0 holds none: it closes the ring of those that wait. */
struct st_queue_slot {
	struct st_request request;
	uint32_t older, newer;                 /* of slot 0: the newest and the oldest; of a free slot, newer: the next free one */
};

struct st_queue {
	const struct st_queue_cfg *cfg;
	struct st_meter *meter;
	uint64_t len;                          /* requests that wait */
	struct st_queue_slot *slot;
	uint32_t nslots, free;                 /* free: 0 if none */
	size_t cap;
};

void st_queue_init(struct st_queue *q, const struct st_queue_cfg *cfg, struct st_meter *meter);
void st_queue_release(struct st_queue *q);

static inline bool st_queue_has_room(const struct st_queue *q)
{
	return q->len < q->cfg->limit;
}

/* The request, which has just arrived, joins those that wait. */
void st_queue_add(struct st_queue *q, const struct st_request *r);

/* The next request leaves for a worker now. There must be one. */
struct st_request st_queue_take(struct st_queue *q, st_time now);

/* The run is over: the stays of those that wait are cut here, for Little's law. They stay in the gauge: the last bins are not
 * closed yet. */
void st_queue_finish(struct st_queue *q, st_time end);

#endif
