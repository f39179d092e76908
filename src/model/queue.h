#ifndef ST_MODEL_QUEUE_H
#define ST_MODEL_QUEUE_H
/*
 * queue.h - requests that wait for a worker: how many may, which is next, and which wait in vain.
 *
 * A request leaves the queue for a worker, or unserved: dropped (by the discipline, or because it has waited longer than the
 * queue's deadline lets it) and answered, or discarded without a word because its client has given up.
 *
 * Owns     its slots. A request keeps its slot while it waits.
 * Cost     O(1) for everything, amortised where requests leave unserved; 32 bytes a waiting request, 16 more where there are
 *          deadlines, 4 a caller where clients leave.
 */
#include "base/dist.h"
#include "base/param.h"
#include "engine/sim.h"
#include "measure/meter.h"

struct st_queue_cfg {
	uint64_t limit;          /* waiting requests; ST_UNLIMITED */
	unsigned discipline;     /* row of the table */
	struct st_dist deadline; /* how long a request waits at most; constant ST_NEVER: for ever */
	st_time target;          /* a wait that is no fault of a queue's */
	st_time interval;        /* a queue that stands as long stands for good */
};

extern const struct st_param st_queue_params[];

enum { ST_REQUEST_TAG_BITS = 20, ST_REQUEST_GROUP_BITS = 12 };

/* A request in the system. */
struct st_request {
	st_time arrival, work;                 /* work: the service time drawn, before any slowdown */
	uint32_t who;                          /* the caller's, as is the tag: handed back with the answer */
	uint32_t tag : ST_REQUEST_TAG_BITS, group : ST_REQUEST_GROUP_BITS;
};

/* What becomes of a waiting request whose client has given up. */
enum st_abandoned {
	ST_ABANDONED_SERVE, /* it is served all the same */
	ST_ABANDONED_SKIP,  /* it is discarded when its turn comes */
	ST_ABANDONED_LEAVE, /* it is discarded at once */
};

/* Whether the client of this attempt still waits for its answer. */
typedef bool (*st_queue_waits)(void *owner, uint32_t who, uint32_t tag);
/* The request has been dropped: answer it. It is not in the queue any more. */
typedef void (*st_queue_drop)(void *owner, const struct st_request *r);

/* How the queue is built into its service. */
struct st_queue_host {
	struct st_sim *sim;
	struct st_meter *meter;
	uint32_t service;  /* its number */
	enum st_abandoned abandoned;
	st_queue_waits waits;
	st_queue_drop drop;
	void *waits_owner, *drop_owner;
};

/* A waiting request between its neighbours; slot 0 holds none: it closes the ring of those that wait. */
struct st_queue_slot {
	struct st_request request;
	uint32_t older, newer;                 /* of slot 0: the newest and the oldest; of a free slot, newer: the next free one */
};

/* When a slot's request will have waited too long, and which timer says so: others may be those of requests that had the slot before. */
struct st_queue_expiry {
	st_time at;                            /* ST_NEVER: none */
	uint32_t timer;
};
_Static_assert(sizeof(struct st_queue_expiry) == 16, "the head says so");

/* The state of RFC 8289, by its names. */
struct st_queue_codel {
	st_time first_above, drop_next;        /* first_above: 0 if none */
	uint64_t count, last_count;
	bool dropping;
};

struct st_queue {
	const struct st_queue_cfg *cfg;
	struct st_queue_host host;
	uint64_t len;                          /* requests that wait */
	st_time since;                         /* when the queue was last empty, if it is not */
	struct st_queue_slot *slot;
	uint32_t nslots, free;                 /* free: 0 if none */
	size_t cap;
	struct st_queue_expiry *expires;       /* of each slot; NULL without deadlines */
	uint32_t timers;                       /* that were set, modulo 2^ST_WAITED_BITS */
	uint32_t *place;                       /* the slot of each caller's request, 0 if none; NULL if clients do not leave */
	size_t expires_cap, places;
	struct st_queue_codel codel;
};

void st_queue_init(struct st_queue *q, const struct st_queue_cfg *cfg, const struct st_queue_host *host);
void st_queue_release(struct st_queue *q);

/* Whether one more may wait. */
static inline bool st_queue_has_room(const struct st_queue *q)
{
	return q->len < q->cfg->limit;
}

/* The request, which has just arrived, joins those that wait. It may do so for `patience`, ST_NEVER: for ever. */
void st_queue_add(struct st_queue *q, const struct st_request *r, st_time patience);

/* The next request leaves for a worker now; some may be dropped or discarded on the way. False if none is left. */
bool st_queue_take(struct st_queue *q, struct st_request *r);

/* The oldest leaves now, whatever the discipline; there is one. */
struct st_request st_queue_oldest(struct st_queue *q);

/* A timer of the slot goes off, ST_TIMER_WAITED: the patience of what waits there is over, if it is its own. */
void st_queue_expire(struct st_queue *q, uint32_t slot, uint32_t timer);

/* The client of this attempt gives up now. */
void st_queue_leave(struct st_queue *q, uint32_t who, uint32_t tag);

/* The run is over: the stays of those that wait are cut here, for Little's law. They stay in the gauge: the last bins are not
 * closed yet. */
void st_queue_finish(struct st_queue *q);

/* A discipline: which waiting request is next, and which ones are dropped instead. */
struct st_queue_discipline {
	struct st_choice choice;
	bool (*take)(struct st_queue *q, struct st_request *r);
};
const struct st_queue_discipline *st_queue_discipline_at(size_t i);

#endif
