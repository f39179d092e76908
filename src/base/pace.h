#ifndef ST_BASE_PACE_H
#define ST_BASE_PACE_H
/*
 * pace.h - how far the trial is that a thread runs, for another thread to look at.
 *
 * The trial's loop tells it every few thousand events: what is looked at is a little late. Each number is told and looked at as a whole,
 * the two of them not together. Of no trial both are 0.
 */
#include <stdint.h>

struct st_pace {
	int64_t now_ns;  /* simulated time */
	uint64_t events; /* so far */
};
extern _Thread_local struct st_pace st_pace;

static inline void st_pace_tell(int64_t now_ns, uint64_t events)
{
	__atomic_store_n(&st_pace.now_ns, now_ns, __ATOMIC_RELAXED);
	__atomic_store_n(&st_pace.events, events, __ATOMIC_RELAXED);
}

static inline struct st_pace st_pace_look(const struct st_pace *p)
{
	return (struct st_pace){__atomic_load_n(&p->now_ns, __ATOMIC_RELAXED), __atomic_load_n(&p->events, __ATOMIC_RELAXED)};
}

#endif
