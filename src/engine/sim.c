#include <config.h>

#include "engine/sim.h"

void st_sim_init(struct st_sim *s, st_time end)
{
	s->now = 0;
	s->end = end;
	s->events = 0;
	s->fingerprint = UINT64_C(0x5eed);
	st_evq_init(&s->queue);
}

void st_sim_release(struct st_sim *s)
{
	st_evq_release(&s->queue);
}
