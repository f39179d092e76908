#include <config.h>

#include "model/queue.h"

#include <stdlib.h>

#include "base/mem.h"

void st_queue_init(struct st_queue *q, const struct st_queue_cfg *cfg, struct st_meter *meter)
{
	*q = (struct st_queue){.cfg = cfg, .meter = meter, .nslots = 1};
	q->slot = st_grow(q->slot, &q->cap, q->nslots, sizeof *q->slot);
	q->slot[0] = (struct st_queue_slot){.older = 0};
}

void st_queue_release(struct st_queue *q)
{
	free(q->slot);
}

static uint32_t take_slot(struct st_queue *q)
{
	uint32_t i = q->free;

	if (i != 0) {
		q->free = q->slot[i].newer;
		return i;
	}
	q->slot = st_grow(q->slot, &q->cap, q->nslots + 1, sizeof *q->slot);
	return q->nslots++;
}

void st_queue_add(struct st_queue *q, const struct st_request *r)
{
	uint32_t i = take_slot(q), newest = q->slot[0].older;

	q->slot[i] = (struct st_queue_slot){.request = *r, .older = newest};
	q->slot[newest].newer = i;
	q->slot[0].older = i;
	q->len++;
	st_gauge_add(&q->meter->gauge[ST_GAUGE_QUEUE], r->arrival, 1);
}

/* The request in slot i waits no longer. */
static void unlink_slot(struct st_queue *q, st_time now, uint32_t i)
{
	struct st_queue_slot *s = &q->slot[i];

	q->slot[s->older].newer = s->newer;
	q->slot[s->newer].older = s->older;
	s->newer = q->free;
	q->free = i;
	q->len--;
	st_gauge_add(&q->meter->gauge[ST_GAUGE_QUEUE], now, -1);
}

struct st_request st_queue_take(struct st_queue *q, st_time now)
{
	uint32_t oldest = q->slot[0].newer;
	struct st_request r = q->slot[oldest].request;

	unlink_slot(q, now, oldest);
	return r;
}

void st_queue_finish(struct st_queue *q, st_time end)
{
	for (uint32_t i = q->slot[0].newer; i != 0; i = q->slot[i].newer)
		st_meter_stay(q->meter, q->slot[i].request.arrival, end);
}

/* --- parameters --------------------------------------------------------------------------------------------------------- */

static const struct st_choice *discipline_at(size_t i)
{
	static const struct st_choice disciplines[] = {{"fifo", "first come, first served"}};

	return i < sizeof disciplines / sizeof *disciplines ? &disciplines[i] : NULL;
}

#define FIELD(f) offsetof(struct st_queue_cfg, f)

const struct st_param st_queue_params[] = {
    {.name = "limit", .type = &st_param_count, .offset = FIELD(limit), .dflt = "unlimited", .word = "unlimited",
        .help = "requests that may wait; 0 is a loss system"},
    {.name = "discipline", .type = &st_param_choice, .offset = FIELD(discipline), .dflt = "fifo", .choices = discipline_at,
        .help = "which waiting request is next"},
    {.name = NULL},
};
