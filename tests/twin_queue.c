#include <config.h>

#include "twin_run.h"

#include <math.h>
#include <string.h>

#include "base/mem.h"

/* The queue of a service: an array, the oldest first. */

void wait_in_queue(struct run *r, struct server *s, struct attempt *a)
{
	if (s->waiting == 0) {
		s->empty = r->now;
		s->codel.above = 0;
		s->codel.dropping = false;
	}
	s->queue = st_realloc(s->queue, s->waiting + 1, sizeof(struct attempt *));
	s->queue[s->waiting++] = a;
	gauge(r, s, ST_GAUGE_QUEUE, 1);
	plan(r, duration(r, &s->cfg->queue.deadline, a, ST_RNG_QUEUE),
	    (struct event){.class = TIMER_GOES_OFF, .timer = WAITED_TOO_LONG, .attempt = a});
}

/* False if it does not wait. */
bool leaves_queue(struct run *r, struct server *s, struct attempt *a)
{
	size_t i = 0;

	while (i < s->waiting && s->queue[i] != a)
		i++;
	if (i == s->waiting)
		return false;
	memmove(s->queue + i, s->queue + i + 1, (--s->waiting - i) * sizeof(struct attempt *));
	gauge(r, s, ST_GAUGE_QUEUE, -1);
	return true;
}

bool is_in_vain(const struct server *s, const struct attempt *a)
{
	return a->over && s->cfg->abandoned != ST_ABANDONED_SERVE;
}

/* What has left the queue does not go to a worker. */
void turn_away(struct run *r, struct server *s, struct attempt *a)
{
	if (is_in_vain(s, a)) {
		counts(a)->abandoned++;
		tick(r, s, ST_CELL_ABANDONED);
		return;
	}
	counts(a)->dropped++;
	tick(r, s, ST_CELL_DROPPED);
	overload(r, s, a);
}

static struct attempt *pull(struct run *r, struct server *s, bool newest)
{
	while (s->waiting > 0) {
		struct attempt *a = s->queue[newest ? s->waiting - 1 : 0];

		leaves_queue(r, s, a);
		if (!is_in_vain(s, a))
			return a;
		turn_away(r, s, a);
	}
	return NULL;
}

/* Whether the queue that this request has come out of is slow, and has been for the interval. */
static bool is_late(struct run *r, struct server *s, const struct attempt *a)
{
	const struct st_queue_cfg *q = &s->cfg->queue;

	if (!a || r->now - a->arrived < q->target || s->waiting <= 1) {
		s->codel.above = 0;
		return false;
	}
	if (s->codel.above > 0)
		return r->now >= s->codel.above;
	s->codel.above = r->now + q->interval;
	return false;
}

static st_time codel_after(const struct server *s, st_time t)
{
	return t + st_time_from_ns((double)s->cfg->queue.interval / sqrt((double)s->codel.count));
}

static struct attempt *codel(struct run *r, struct server *s)
{
	struct codel *c = &s->codel;
	bool again = false, begun = false;

	for (;;) {
		struct attempt *a = pull(r, s, false);
		bool late = is_late(r, s, a);

		if (begun)
			return a;
		if (c->dropping && !late)
			c->dropping = false;
		else if (c->dropping && again)
			c->next = codel_after(s, c->next);
		if (c->dropping ? r->now < c->next : again || !late)
			return a;
		turn_away(r, s, a);
		if (c->dropping) {
			c->count++;
		} else {
			unsigned long last = c->count - c->before;

			c->count = last > 1 && r->now - c->next < 16 * s->cfg->queue.interval ? last : 1;
			c->before = c->count;
			c->next = codel_after(s, r->now);
			c->dropping = true;
			begun = true;
		}
		again = true;
	}
}

static struct attempt *controlled_delay(struct run *r, struct server *s)
{
	const struct st_queue_cfg *q = &s->cfg->queue;
	struct attempt *a;

	while ((a = pull(r, s, false)) != NULL) {
		if (r->now - a->arrived <= (a->arrived - s->empty > q->interval ? q->target : q->interval))
			return a;
		turn_away(r, s, a);
	}
	return NULL;
}

struct attempt *next_of_queue(struct run *r, struct server *s)
{
	const char *discipline = st_queue_discipline_at(s->cfg->queue.discipline)->choice.name;

	if (strcmp(discipline, "codel") == 0)
		return codel(r, s);
	if (strcmp(discipline, "controlled-delay") == 0)
		return controlled_delay(r, s);
	if (strcmp(discipline, "adaptive-lifo") == 0)
		return pull(r, s, r->now - s->empty > s->cfg->queue.interval);
	return pull(r, s, strcmp(discipline, "lifo") == 0);
}
