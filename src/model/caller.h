#ifndef ST_MODEL_CALLER_H
#define ST_MODEL_CALLER_H
/*
 * caller.h - what makes calls: an operation, its attempts, and the waits between them.
 *
 * A caller is one operation under way. A client of a closed workload is one caller for good; an operation of an open one
 * takes a caller from its group's free ones. A caller's present attempt has a tag; whatever answers or times out
 * with another tag comes too late and only counts. A tag's low bits come again after 2^20 attempts of the caller: a request
 * would have to be under way as long to be taken for another. Of a hedging group several attempts may be under way; at each event the
 * one that it is about is made the present one, and an event about none is late.
 *
 * Cost     32 bytes a caller, 8 more if the jitter needs the previous delay, 8 more if hints are not constant,
 *          4 more if they restart the backoff or clients have connections, 4 where services call others, 1 more for each of these;
 *          hedging: see hedge.h. No allocation as a
 *          closed group runs.
 */
#include "base/rng.h"
#include "engine/sim.h"
#include "measure/meter.h"
#include "model/group.h"
#include "model/service.h"
#include "model/witness.h"

struct st_caller {
	st_time begun;       /* the operation */
	uint32_t client;     /* unique in the run; of a free caller: the next free one */
	uint32_t operation;  /* of the client; of an open group: of the group */
	uint32_t attempt;    /* the present one or, where there is none, the last; 1 is the first */
	uint32_t tag;        /* of the present attempt; requests and answers have its low ST_REQUEST_TAG_BITS */
	uint32_t at_once;    /* attempts in a row that took no time at all */
	uint16_t group;      /* index; kept while it is free */
	uint8_t note;        /* what the budget keeps with the operation */
	uint8_t era;         /* the breaker's, of the present attempt */
};

struct st_callers;

/* A group at run time: of clients, or the one caller that stands for all workers of a service that calls another. */
struct st_group {
	const struct st_group_cfg *cfg;
	struct st_service *service; /* that it calls */
	struct st_meter *meter;     /* the service's */
	struct st_service *holder;  /* whose workers wait for its operations; NULL: clients do */
	uint32_t place;             /* among the groups of the meter */
	const struct st_workload_kind *workload;
	struct st_counts *counts;
	struct st_retry retry;
	uint32_t index, first_client, clients;
	uint32_t first_caller; /* of a closed group: that of its first client, the others follow */
	uint32_t free;       /* first free caller, ST_CALLER_NONE if none */
	uint64_t begun;      /* operations of an open group */
	size_t trace_row;    /* of its trace: rates: the row in force; counts: the next row */
	uint64_t trace_left; /* counts: how many are still to come of the row before */
	bool *connected;     /* each client with connections; else NULL */
	bool hedges;         /* several attempts of an operation may be under way */
	bool tells_sent, tells_success; /* somebody but the service is to hear of each: budget, breaker, gate, hedging or witness */
	bool pushback;       /* hints that are obeyed begin the backoff anew */
	st_time constant_hint; /* of the service, if its hint is constant */
	bool direct;         /* no network delay, ever: a request arrives as it is sent */
};

#define ST_CALLER_NONE UINT32_MAX

/* An operation may make so many attempts at one instant before that is taken for a mistake in the scenario. */
enum { ST_CALLER_AT_ONCE_MAX = 100000 };

struct st_callers {
	struct st_sim *sim;
	const struct st_rng_family *random;
	struct st_group *group; /* those of clients first */
	size_t ngroups;
	struct st_caller *caller;
	st_time *previous;   /* last wait of each, NULL if no jitter needs it */
	st_time *hint;       /* the hint on the answer to each one's present attempt, once that is decided; NULL if it is constant */
	struct st_flights flights; /* of hedging groups' callers */
	uint32_t *slot;      /* of the worker that waits for each one's operation; NULL where no service calls another */
	uint32_t *restarted; /* the attempt at which each one's backoff began, modulo 2^32; NULL if always at the operation's begin */
	uint32_t n;
	size_t cap, previous_cap, hint_cap, restarted_cap, slot_cap;
	const struct st_witness *witness; /* NULL: nobody looks */
	const struct st_group *stuck; /* a group of which an operation retries without end at one instant; else NULL */
};

/*
 * Builds the groups and the callers of closed ones: clients, who call the first service, and a group for each service that calls
 * another. The services are there, and stay where they are. witness: NULL if nobody looks.
 */
void st_callers_init(struct st_callers *cs, const struct st_group_cfg *cfg, size_t ngroups, struct st_service *service,
    size_t nservices, struct st_sim *sim, const struct st_rng_family *random, const struct st_witness *witness);
void st_callers_release(struct st_callers *cs);

/* A free caller for an operation of an open group, and its return. Taking may move the array of callers. */
uint32_t st_callers_take(struct st_callers *cs, struct st_group *g);
void st_callers_give_back(struct st_callers *cs, struct st_group *g, uint32_t who);

/* The caller begins an operation now (its client and operation are set), or fails it locally if a circuit is open. */
void st_caller_begin(struct st_callers *cs, uint32_t who);

/*
 * The same for a client whose last operation succeeded and has come to nothing since: its backoff begins anew, or goes on as if
 * the attempt that succeeded had failed before. is_lost: it waits a backoff before the first attempt. Only in groups with connections.
 */
void st_caller_begin_again(struct st_callers *cs, uint32_t who, bool anew, bool is_lost);

/* All connections to the service break now. */
void st_callers_connections_lost(struct st_callers *cs);

/*
 * An event is about the attempt whose tag has these bits of `mask`: of a hedging group's caller, that attempt is made the present one,
 * and is under way no more if the event ends it.
 */
__attribute__((cold)) void st_caller_find(struct st_callers *cs, uint32_t who, uint32_t tag, uint32_t mask, bool ends);

#define ST_CALLER_TAG_MASK ((UINT32_C(1) << ST_REQUEST_TAG_BITS) - 1)

/* Before what an attempt of this tag (low bits) has to do with the service: st_caller_arrive(). */
static inline void st_caller_turn_to(struct st_callers *cs, uint32_t who, uint32_t tag)
{
	if (cs->flights.width > 0)
		st_caller_find(cs, who, tag, ST_CALLER_TAG_MASK, false);
}

/* Before st_caller_answer(), with the low bits of the tag, and st_caller_timeout(), with the whole tag. */
static inline void st_caller_turn_to_answered(struct st_callers *cs, uint32_t who, uint32_t tag)
{
	if (cs->flights.width > 0)
		st_caller_find(cs, who, tag, ST_CALLER_TAG_MASK, true);
}

static inline void st_caller_turn_to_overdue(struct st_callers *cs, uint32_t who, uint32_t tag)
{
	if (cs->flights.width > 0)
		st_caller_find(cs, who, tag, UINT32_MAX, true);
}

/* The events that are the callers' own. */
void st_caller_retry(struct st_callers *cs, uint32_t who);
void st_caller_send(struct st_callers *cs, uint32_t who);
void st_caller_arrive(struct st_callers *cs, uint32_t who, uint32_t data);
void st_caller_answer(struct st_callers *cs, uint32_t who, uint32_t data);
void st_caller_hedge(struct st_callers *cs, uint32_t who, uint32_t data);
void st_caller_timeout(struct st_callers *cs, uint32_t who, uint32_t data);

/*
 * In the names of random numbers, whose an attempt is that its operation does not wait for any more: the client's where the caller
 * is a client for good. Others go from one operation to the next, and stand for themselves, as no client and no group: whatever
 * comes late then has numbers of its own.
 */
uint32_t st_caller_late(const struct st_callers *cs, uint32_t who);

/* The worker of this slot of the service begins a call; a member of struct st_service_callers. */
void st_callers_call(void *callers, struct st_service *s, uint32_t slot);

/* A service's answer, on its way back from now on; an st_service_reply with a struct st_callers as its owner. */
void st_caller_reply(void *callers, uint32_t who, uint32_t tag, enum st_answer kind, st_outcome outcome, bool is_last);

/* Of the request that arrives now, until its second message does, under kind occ; a member of struct st_service_callers. */
st_time st_caller_round_trip(void *callers, const struct st_call *call);

/* Whether a client still waits for this attempt's answer; an st_queue_waits, likewise. */
bool st_caller_waits(void *callers, uint32_t who, uint32_t tag);

/* The name of a group in the random numbers: never that of a client. */
static inline uint32_t st_group_entity(const struct st_group *g)
{
	return UINT32_MAX - g->index;
}

static inline struct st_group *st_caller_group(const struct st_callers *cs, uint32_t who)
{
	return &cs->group[cs->caller[who].group];
}

#endif
