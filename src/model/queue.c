#include <config.h>

#include "model/queue.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "model/event.h"

void st_queue_init(struct st_queue *q, const struct st_queue_cfg *cfg, const struct st_queue_host *host)
{
	*q = (struct st_queue){.cfg = cfg, .host = *host, .nslots = 1};
	q->slot = st_grow(q->slot, &q->cap, q->nslots, sizeof *q->slot);
	q->slot[0] = (struct st_queue_slot){.older = 0};
}

void st_queue_release(struct st_queue *q)
{
	free(q->slot);
	free(q->expires);
	free(q->place);
}

/* --- joining and leaving -------------------------------------------------------------------------------------------------- */

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

/* A queue that has been empty begins anew. */
static void stand(struct st_queue *q)
{
	q->since = q->host.sim->now;
	q->codel.first_above = 0;
	q->codel.dropping = false;
}

/* The request in slot i gives up after `patience`. */
static __attribute__((noinline)) void set_deadline(struct st_queue *q, uint32_t i, st_time patience)
{
	const struct st_sim *sim = q->host.sim;

	q->expires = st_grow(q->expires, &q->expires_cap, i + 1, sizeof *q->expires);
	q->timers = (q->timers + 1) & ((1U << ST_WAITED_BITS) - 1);
	q->expires[i] = (struct st_queue_expiry){patience < sim->end - sim->now ? sim->now + patience : ST_NEVER, q->timers};
	st_sim_after(q->host.sim, patience, ST_EVENT_TIMER, i,
	    q->timers << (32 - ST_WAITED_BITS) | q->host.service << ST_TIMER_BITS | ST_TIMER_WAITED);
}

/* Remember where the caller's request is. */
static __attribute__((noinline)) void set_place(struct st_queue *q, uint32_t i, uint32_t who)
{
	size_t old = q->places;

	q->place = st_grow(q->place, &q->places, (size_t)who + 1, sizeof *q->place);
	memset(q->place + old, 0, (q->places - old) * sizeof *q->place);
	q->place[who] = i;
}

void st_queue_add(struct st_queue *q, const struct st_request *r, st_time patience)
{
	uint32_t i = take_slot(q), newest = q->slot[0].older;

	if (q->len++ == 0)
		stand(q);
	q->slot[i] = (struct st_queue_slot){.request = *r, .older = newest};
	q->slot[newest].newer = i;
	q->slot[0].older = i;
	st_gauge_add(&q->host.meter->gauge[ST_GAUGE_QUEUE], r->arrival, 1);
	if (patience != ST_NEVER)
		set_deadline(q, i, patience);
	if (q->host.abandoned == ST_ABANDONED_LEAVE)
		set_place(q, i, r->who);
}

/* The request in slot i waits no longer. */
static struct st_request pull_out(struct st_queue *q, uint32_t i)
{
	struct st_queue_slot *s = &q->slot[i];
	struct st_request r = s->request;

	q->slot[s->older].newer = s->newer;
	q->slot[s->newer].older = s->older;
	s->newer = q->free;
	q->free = i;
	q->len--;
	st_gauge_add(&q->host.meter->gauge[ST_GAUGE_QUEUE], q->host.sim->now, -1);
	if (i < q->expires_cap)
		q->expires[i].at = ST_NEVER;
	if (r.who < q->places && q->place[r.who] == i)
		q->place[r.who] = 0;
	return r;
}

struct st_request st_queue_oldest(struct st_queue *q)
{
	return pull_out(q, q->slot[0].newer);
}

/* Whether the request has become pointless, and may go for it. */
static bool in_vain(const struct st_queue *q, const struct st_request *r)
{
	return q->host.abandoned != ST_ABANDONED_SERVE && !q->host.waits(q->host.waits_owner, r->who, r->tag);
}

static void discard(struct st_queue *q, const struct st_request *r)
{
	q->host.meter->counts[r->group].abandoned++;
	st_meter_stay(q->host.meter, r->arrival, q->host.sim->now);
}

static void drop(struct st_queue *q, const struct st_request *r)
{
	if (in_vain(q, r)) {
		discard(q, r);
		return;
	}
	q->host.meter->counts[r->group].dropped++;
	st_meter_stay(q->host.meter, r->arrival, q->host.sim->now);
	q->host.drop(q->host.drop_owner, r);
}

void st_queue_expire(struct st_queue *q, uint32_t slot, uint32_t timer)
{
	const struct st_queue_expiry *e = &q->expires[slot];

	/* The request may have gone, and the slot have another's by now; numbers of timers come again, but not at the same instant. */
	if (e->at != q->host.sim->now || e->timer != timer)
		return;
	struct st_request r = pull_out(q, slot);

	drop(q, &r);
}

void st_queue_leave(struct st_queue *q, uint32_t who, uint32_t tag)
{
	uint32_t i = who < q->places ? q->place[who] : 0;

	if (i == 0 || q->slot[i].request.tag != tag)
		return;
	struct st_request r = pull_out(q, i);

	discard(q, &r);
}

void st_queue_finish(struct st_queue *q)
{
	for (uint32_t i = q->slot[0].newer; i != 0; i = q->slot[i].newer)
		st_meter_stay(q->host.meter, q->slot[i].request.arrival, q->host.sim->end);
}

/* --- disciplines ---------------------------------------------------------------------------------------------------------- */

/* The oldest or the newest request that is not in vain; those that are go on the way. */
static bool pull(struct st_queue *q, bool newest, struct st_request *r)
{
	while (q->len > 0) {
		*r = pull_out(q, newest ? q->slot[0].older : q->slot[0].newer);
		if (!in_vain(q, r))
			return true;
		discard(q, r);
	}
	return false;
}

static bool fifo_take(struct st_queue *q, struct st_request *r)
{
	return pull(q, false, r);
}

static bool lifo_take(struct st_queue *q, struct st_request *r)
{
	return pull(q, true, r);
}

static bool adaptive_lifo_take(struct st_queue *q, struct st_request *r)
{
	return pull(q, q->host.sim->now - q->since > q->cfg->interval, r);
}

/* Maurer's article asks at the arrival how long the request may wait; what it goes by then can still be seen now. */
static bool controlled_delay_take(struct st_queue *q, struct st_request *r)
{
	while (pull(q, false, r)) {
		bool stood = r->arrival - q->since > q->cfg->interval;

		if (q->host.sim->now - r->arrival <= (stood ? q->cfg->target : q->cfg->interval))
			return true;
		drop(q, r);
	}
	return false;
}

/* dodequeue() of RFC 8289, 5.3: *late is its ok_to_drop. A queue of one request stands for one packet. */
static bool codel_pull(struct st_queue *q, struct st_request *r, bool *late)
{
	struct st_queue_codel *c = &q->codel;
	st_time now = q->host.sim->now;
	bool some = pull(q, false, r);

	*late = false;
	if (!some || now - r->arrival < q->cfg->target || q->len <= 1)
		c->first_above = 0;
	else if (c->first_above == 0)
		c->first_above = now + q->cfg->interval;
	else
		*late = now >= c->first_above;
	return some;
}

/* control_law(). */
static st_time codel_next(const struct st_queue *q, st_time t)
{
	return t + st_time_from_ns((double)q->cfg->interval / sqrt((double)q->codel.count));
}

/* dequeue() of RFC 8289, 5.5. */
static bool codel_take(struct st_queue *q, struct st_request *r)
{
	struct st_queue_codel *c = &q->codel;
	st_time now = q->host.sim->now;
	bool late, some = codel_pull(q, r, &late);

	if (!c->dropping && late) {
		uint64_t last_cycle = c->count - c->last_count;

		drop(q, r);
		some = codel_pull(q, r, &late);
		c->dropping = true;
		c->count = last_cycle > 1 && (now - c->drop_next) / 16 < q->cfg->interval ? last_cycle : 1;
		c->drop_next = codel_next(q, now);
		c->last_count = c->count;
		return some;
	}
	c->dropping = c->dropping && late;
	while (c->dropping && now >= c->drop_next) {
		drop(q, r);
		c->count++;
		some = codel_pull(q, r, &late);
		if (late)
			c->drop_next = codel_next(q, c->drop_next);
		else
			c->dropping = false;
	}
	return some;
}

static const struct st_queue_discipline disciplines[] = {
    {{"fifo", "first come, first served"}, fifo_take},
    {{"lifo", "last come, first served"}, lifo_take},
    {{"adaptive-lifo", "fifo; lifo while the queue has not been empty for interval"}, adaptive_lifo_take},
    {{"codel", "fifo; once waits have exceeded target for interval, some are dropped, ever more often (RFC 8289)"}, codel_take},
    {{"controlled-delay", "fifo; a wait of more than interval is dropped, of more than target where the queue had stood for interval"},
        controlled_delay_take},
};

const struct st_queue_discipline *st_queue_discipline_at(size_t i)
{
	return i < sizeof disciplines / sizeof *disciplines ? &disciplines[i] : NULL;
}

bool st_queue_take(struct st_queue *q, struct st_request *r)
{
	return disciplines[q->cfg->discipline].take(q, r);
}

/* --- parameters --------------------------------------------------------------------------------------------------------- */

static const struct st_choice *discipline_choice(size_t i)
{
	const struct st_queue_discipline *d = st_queue_discipline_at(i);

	return d ? &d->choice : NULL;
}

#define FIELD(f) offsetof(struct st_queue_cfg, f)

const struct st_param st_queue_params[] = {
    {.name = "limit", .type = &st_param_count, .offset = FIELD(limit), .dflt = "unlimited", .word = "unlimited", .kinds = "pool",
        .help = "requests that may wait; 0 is a loss system"},
    {.name = "discipline", .type = &st_param_choice, .offset = FIELD(discipline), .dflt = "fifo", .choices = discipline_choice,
        .tells = true, .kinds = "pool", .help = "which waiting request is next"},
    {.name = "deadline", .type = &st_param_dist, .offset = FIELD(deadline), .dflt = "off", .word = "off", .kinds = "pool",
        .help = "how long a request may wait before it is dropped with the overload answer"},
    {.name = "target", .type = &st_param_time, .offset = FIELD(target), .dflt = "5ms", .min = 1e-9, .kinds = "codel controlled-delay",
        .kinds_of = "discipline", .help = "a longer wait is too long, where the queue stands for good"},
    {.name = "interval", .type = &st_param_time, .offset = FIELD(interval), .dflt = "100ms", .min = 1e-9,
        .kinds = "adaptive-lifo codel controlled-delay", .kinds_of = "discipline",
        .help = "a queue that has stood for longer stands for good"},
    {.name = NULL},
};
