#ifndef ST_MODEL_EVENT_H
#define ST_MODEL_EVENT_H
/*
 * event.h - the classes of events, in the order in which they happen at one instant.
 *
 * So a worker freed at t serves an arrival at t, and an answer at exactly t + timeout is in time.
 */
enum st_event_class {
	ST_EVENT_FAULT,    /* who: the fault; data: enum st_fault_turn, above ST_FAULT_BITS the service */
	ST_EVENT_SERVED,   /* who: the caller (or nobody: UINT32_MAX less the service's number); data: the worker's slot */
	ST_EVENT_ANSWER,   /* who: the caller; data: low bits of the tag, kind of answer, outcome */
	ST_EVENT_ARRIVAL,  /* who: the caller; data: low bits of the tag, attempt */
	ST_EVENT_TIMER,    /* who: the caller, the group (arrivals) or the queue's slot (waited); data: enum st_timer (and more above it) */
	ST_EVENT_HEDGE,    /* who: the caller; data: tag of the attempt that it is to stand beside */
	ST_EVENT_TIMEOUT,  /* who: the caller; data: tag */
};

enum st_fault_turn {
	ST_FAULT_ENDS,
	ST_FAULT_BEGINS,
	ST_FAULT_SETTLED,  /* all that begins or ends at this instant has: who waits may start */
};

enum st_timer {
	ST_TIMER_RETRY,    /* the backoff is over */
	ST_TIMER_BEGIN,    /* a client begins its next operation */
	ST_TIMER_ARRIVAL,  /* an open group's next operation */
	ST_TIMER_SEND,     /* the gate lets the attempt through that it made wait */
	ST_TIMER_CLOSE,    /* the end of a connection's lifetime; above ST_TIMER_BITS: which of its client's */
	ST_TIMER_WAITED,   /* a request has waited as long as the queue lets it; above ST_TIMER_BITS: at which service, on top: which timer */
};

enum { ST_FAULT_BITS = 2, ST_TIMER_BITS = 3, ST_SERVICE_BITS = 10, ST_WAITED_BITS = 32 - ST_SERVICE_BITS - ST_TIMER_BITS };

#endif
