#ifndef ST_TESTS_TWIN_RUN_H
#define ST_TESTS_TWIN_RUN_H
/*
 * twin_run.h - a run of the twin under way: what its parts share.
 */
#include "model/bucket.h"
#include "twin.h"

/* At one instant things happen in this order. */
enum class { FAULT_BEGINS, FAULT_ENDS, ALL_IS_SETTLED, SERVICE_ENDS, ANSWER_ARRIVES, REQUEST_ARRIVES, TIMER_GOES_OFF, HEDGE_IS_DUE, PATIENCE_ENDS };

enum timer { OPERATION_BEGINS, CALL_BEGINS, RETRY_IS_DUE, GATE_OPENS, NEXT_OF_STREAM, WAITED_TOO_LONG, LIFETIME_ENDS };

/* Where an operation is at home. A client that has one at a time is its own place; others have one as long as they last. */
struct place {
	uint32_t name;          /* of what comes too late from here */
	uint32_t attempts;      /* that were ever sent from it */
	struct place *left;     /* of those that nobody has: the one that was left before */
	struct place *older;    /* all are kept to the end */
};

struct client {
	struct place place;
	uint32_t id, operations;
	st_time start;     /* when its part of the group starts */
	bool is_connected;
	st_time since;     /* it has been */
	uint32_t waits;    /* of the backoff before, and its last wait */
	st_time previous;
};

struct operation {
	struct group *group;
	struct client *client;    /* NULL: its client may have others */
	struct attempt *for_whom; /* whose worker waits for its end; NULL: nobody's */
	struct place *place;
	uint32_t id, number; /* of the client in the whole run; of the operation */
	uint32_t attempts, waits; /* waits: since the backoff began */
	uint8_t note, era;        /* the budget's, the breaker's */
	st_time begun, previous;
	unsigned under_way;       /* attempts neither answered nor given up */
	st_time alone;            /* the send before which there were none */
	struct operation *older; /* all are kept to the end */
};

struct attempt {
	struct operation *op;       /* NULL: it is the work of a rejection */
	uint32_t number, of_place;  /* 1 is the first; how many had been sent from the operation's place before */
	bool over;                  /* answered in time, or given up */
	bool lost;                  /* the service went down while it was there */
	bool calls;                 /* its worker has done its own part */
	uint8_t era;
	st_time arrived, work, hint;
	uint64_t version;           /* of the row, as it was read */
	enum st_answer kind;
	st_outcome outcome;
	struct attempt *older;
};

struct event {
	st_time at;
	enum class class;
	enum timer timer;
	struct attempt *attempt;
	struct operation *op;
	struct client *client;
	struct group *group;
	struct server *server;
	size_t fault;
	uint32_t connection; /* how many its client had had before */
	struct event *next;
};

/* Clients, or the one caller that stands for the workers of a service. */
struct group {
	const struct st_group_cfg *cfg;
	struct server *server;    /* that it calls */
	struct twin_group *told;  /* what is counted of it */
	struct st_backoff backoff;
	struct st_budget budget;
	struct st_breaker breaker;
	struct st_gate gate;
	struct st_hist seen;
	struct client *client;
	struct place *left;       /* the place that was left last */
	uint32_t first, stream, index;
};

/* CoDel's memory. */
struct codel {
	st_time above, next; /* above: when a queue that is too slow now will have been so for the interval; 0: it is not */
	unsigned long count, before;
	bool dropping;
};

/* One success: in which bin, and how long it took. */
struct success {
	size_t bin;
	st_time latency;
};

struct server {
	const struct st_service_cfg *cfg;
	struct twin_service *told;
	size_t number;
	struct group *calls;               /* what its workers call; NULL: nothing */
	struct attempt **queue, **serving; /* the oldest first; in the order of their starts */
	st_time down_until;                /* after a crash */
	struct st_bucket limit;
	st_time cold_at;                   /* when the last outage ended; -1: there was none */
	size_t waiting, busy, owed;        /* owed: rejections that have not cost their time yet */
	struct codel codel;
	st_time empty;                     /* when the queue last was */
	uint64_t version;                  /* of the row under OCC */
	/* twin_report.c's: */
	st_time gauged[ST_GAUGE_N];
	__int128 (*integral)[ST_GAUGE_N];  /* of each bin */
	struct success *success;
	size_t successes;
};

struct run {
	const struct st_config *c;
	struct st_rng_family random;
	struct twin *t;
	struct event *events;
	struct group group[TWIN_GROUPS];   /* those of clients first */
	struct server server[TWIN_SERVICES];
	size_t ngroups;
	uint32_t places;
	st_time now;
	struct operation *operations;
	struct attempt *attempts;
	struct place *all_places;          /* those of no client */
};

/* --- the run: twin.c */

void plan(struct run *r, st_time delay, struct event e);
void mark(struct run *r, uint32_t who, uint32_t what);

/*
 * The random number of an attempt for a purpose. What comes too late for its operation, there or back, has a name of its own: by how
 * many attempts had been sent before from the client or, where its operations may overlap, from the operation's place.
 */
uint32_t whose(const struct attempt *a);
struct st_rng named(const struct run *r, const struct attempt *a, bool is_back, enum st_purpose p);
struct st_rng draw(const struct run *r, const struct attempt *a, enum st_purpose p);
st_time duration(const struct run *r, const struct st_dist *d, const struct attempt *a, enum st_purpose p);

/* --- what is seen: twin_report.c */

void gauge(struct run *r, struct server *s, enum st_gauge_name g, int change);
void tick(struct run *r, struct server *s, enum st_cell c);
struct st_counts *counts(const struct attempt *a);
bool in_window(const struct run *r, st_time t);
void see_success(struct run *r, const struct operation *op);
void begin_report(struct run *r);
void finish_report(struct run *r);

/* --- faults: twin_fault.c */

const struct st_fault_cfg *fault(const struct run *r, const struct attempt *a, enum st_effect_kind kind);
bool is_any(const struct run *r, const struct server *s, enum st_effect_kind kind);
bool is_down(const struct run *r, const struct server *s);
size_t in_force(const struct run *r, const struct server *s);
double slowed(const struct run *r, const struct server *s);
st_time detour(const struct run *r, const struct attempt *a, bool is_back);
void crash(struct run *r, struct server *s);
void plan_faults(struct run *r);
void fault_begins(struct run *r, struct server *s, size_t fault);
void fault_ends(struct run *r, struct server *s, size_t fault);

/* --- the queue: twin_queue.c */

void wait_in_queue(struct run *r, struct server *s, struct attempt *a);
bool leaves_queue(struct run *r, struct server *s, struct attempt *a);
bool is_in_vain(const struct server *s, const struct attempt *a);
void turn_away(struct run *r, struct server *s, struct attempt *a);
struct attempt *next_of_queue(struct run *r, struct server *s);

/* --- the service: twin_service.c */

void answer(struct run *r, struct attempt *a, enum st_answer kind, st_outcome outcome);
void overload(struct run *r, struct server *s, struct attempt *a);
void request_arrives(struct run *r, struct attempt *a);
void service_ends(struct run *r, struct server *s, struct attempt *a);
void call_ends(struct run *r, struct attempt *a, bool succeeded);
void stops_work(struct run *r, struct server *s, size_t i);
void all_is_settled(struct run *r, struct server *s);

/* --- who calls: twin_caller.c */

struct operation *new_operation(struct run *r, struct group *g, struct client *client, uint32_t id, uint32_t number);
void open_operation(struct run *r, struct operation *op);
void set_out(struct run *r, struct operation *op);
void wait_first(struct run *r, struct operation *op);
void past_breaker(struct run *r, struct operation *op);
void answer_arrives(struct run *r, struct attempt *a);
void patience_ends(struct run *r, struct attempt *a);
void hedge_is_due(struct run *r, struct attempt *a);

/* --- when: twin_workload.c */

bool is_kind(const struct group *g, const char *name);
void seed_group(struct run *r, struct group *g);
void operation_begins(struct run *r, struct group *g, struct client *client);
void next_of_stream(struct run *r, struct group *g);
void operation_ended(struct run *r, struct operation *op, bool succeeded);
void lifetime_ends(struct run *r, const struct event *e);
void connections_are_lost(struct run *r);

#endif
