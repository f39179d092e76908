#ifndef ST_ENGINE_SIM_H
#define ST_ENGINE_SIM_H
/*
 * sim.h - the clock: what is due next, until the end; and the fingerprint of what happened.
 *
 * Events at `end` or later do not happen: they are not even kept.
 *
 * Fingerprint  a hash over attempts and outcomes (time, client, kind) in the order they happened, not over the queue's
 *              internals: an optimisation does not move it.
 * Owns         its queue; release with st_sim_release().
 */
#include <stdbool.h>
#include <stdint.h>

#include "base/time.h"
#include "engine/evq.h"

struct st_sim {
	st_time now, end;
	uint64_t events, fingerprint;
	struct st_evq queue;
};

/* A clock at 0, with nothing due. */
void st_sim_init(struct st_sim *s, st_time end);
void st_sim_release(struct st_sim *s);

/* t >= now. */
static inline void st_sim_put(struct st_sim *s, st_time t, unsigned class, uint32_t who, uint32_t data)
{
	if (t < s->end)
		st_evq_put(&s->queue, t, class, who, data);
}

/* After a delay, which may be as long as ST_NEVER. */
static inline void st_sim_after(struct st_sim *s, st_time delay, unsigned class, uint32_t who, uint32_t data)
{
	if (delay < s->end - s->now)
		st_evq_put(&s->queue, s->now + delay, class, who, data);
}

/*
 * Whether an event of this class that is put in now, for now, would be the very next one. Then it need not go through the
 * queue: do what it would do, and count it by st_sim_skip(). May say no when the answer is yes.
 */
static inline bool st_sim_would_be_next(const struct st_sim *s, unsigned class)
{
	return st_evq_all_after(&s->queue, s->now, class);
}

/* An event that happens without having gone through the queue. */
static inline void st_sim_skip(struct st_sim *s)
{
	s->events++;
}

/* The next event becomes the present; false when there is none before the end (now is then the end). */
static inline bool st_sim_next(struct st_sim *s, struct st_ev *ev)
{
	if (!st_evq_take(&s->queue, ev)) {
		s->now = s->end;
		return false;
	}
	s->now = st_ev_time(ev);
	s->events++;
	return true;
}

/* Take what happens now to `who` into the fingerprint. */
static inline void st_sim_mark(struct st_sim *s, uint32_t who, uint32_t kind)
{
	uint64_t x = (uint64_t)s->now * UINT64_C(0x9e3779b97f4a7c15) ^ ((uint64_t)who << 32 | kind);

	s->fingerprint = (s->fingerprint ^ x) * UINT64_C(0xd6e8feb86659fd93);
	s->fingerprint ^= s->fingerprint >> 32;
}

#endif
