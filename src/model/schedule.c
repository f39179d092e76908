#include <config.h>

#include "model/schedule.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"

enum { PLACES = ST_SCHEDULE_PLACES, PASTS = 256 };

void st_schedule_init(struct st_schedule *s, const struct st_backoff *b, bool throttled)
{
	struct st_past first = {.previous = st_backoff_first(b)};

	*s = (struct st_schedule){.b = b, .throttled = throttled, .npasts = 1, .lowest = first, .highest = first};
	s->past = st_calloc(PASTS, sizeof *s->past);
	s->past[0] = first;
	s->wait = st_calloc(PLACES, sizeof *s->wait);
	s->after = st_calloc(PLACES, sizeof *s->after);
}

void st_schedule_release(struct st_schedule *s)
{
	free(s->past);
	free(s->wait);
	free(s->after);
	*s = (struct st_schedule){.b = NULL};
}

/* --- one retry ---------------------------------------------------------------------------------------------------------- */

/* A retry under way: its delay's ends, and those of what is carried on. */
struct step {
	const struct st_schedule *s;
	struct st_delay *out;
	struct st_past lowest, highest;
};

/* The same place reached in another way. */
static void meet(struct st_past *p, const struct st_past *other)
{
	p->earliest = fmin(p->earliest, other->earliest);
	p->latest = fmax(p->latest, other->latest);
}

static double follow(struct step *t, const struct st_past *past, double u, struct st_past *after)
{
	*after = *past;
	double wait = st_backoff_quantile(t->s->b, t->s->k, t->s->throttled, &after->previous, u);

	after->earliest += wait;
	after->latest += wait;
	t->out->min = fmin(t->out->min, wait);
	t->out->max = fmax(t->out->max, wait);
	t->out->earliest = fmin(t->out->earliest, after->earliest);
	t->out->latest = fmax(t->out->latest, after->latest);
	if (after->previous < t->lowest.previous)
		t->lowest = *after;
	else if (after->previous == t->lowest.previous)
		meet(&t->lowest, after);
	if (after->previous > t->highest.previous)
		t->highest = *after;
	else if (after->previous == t->highest.previous)
		meet(&t->highest, after);
	return wait;
}

static void follow_ends(struct step *t, const struct st_past *past)
{
	struct st_past after;

	follow(t, past, 0.0, &after);
	follow(t, past, 1.0, &after);
}

static int by_previous(const void *a, const void *b)
{
	const struct st_past *x = a, *y = b;

	return (x->previous > y->previous) - (x->previous < y->previous);
}

static int by_value(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/*
 * n pasts near each other become one, their mean. When each of them ended is kept as a distance to what it carries: that is a wait
 * or a sum of them, so the two move together.
 */
static struct st_past merged(const struct st_past *p, size_t n)
{
	double previous = 0.0, early = (double)INFINITY, late = -(double)INFINITY;

	for (size_t i = 0; i < n; i++) {
		previous += (double)p[i].previous / (double)n;
		early = fmin(early, p[i].earliest - (double)p[i].previous);
		late = fmax(late, p[i].latest - (double)p[i].previous);
	}
	return (struct st_past){st_time_from_ns(previous), early + previous, late + previous};
}

static void carry_on(struct st_schedule *s, const struct step *t)
{
	s->lowest = t->lowest;
	s->highest = t->highest;
	if (!st_backoff_carries(s->b)) {
		s->past[0] = (struct st_past){s->past[0].previous, t->out->earliest, t->out->latest};
		return;
	}
	qsort(s->wait, PLACES, sizeof *s->wait, by_value);
	qsort(s->after, PLACES, sizeof *s->after, by_previous);
	for (size_t i = 0; i < PASTS; i++)
		s->past[i] = merged(&s->after[i * (PLACES / PASTS)], PLACES / PASTS);
	s->npasts = PASTS;
}

void st_schedule_next(struct st_schedule *s, struct st_delay *out)
{
	struct step t = {.s = s, .out = out, .lowest.previous = INT64_MAX, .highest.previous = INT64_MIN};
	size_t places = PLACES / s->npasts;
	const struct st_backoff_cfg *c = &s->b->cfg;

	s->k++;
	*out = (struct st_delay){.min = (double)INFINITY, .earliest = (double)INFINITY, .at_cap = (double)NAN, .at_floor = (double)NAN};
	follow_ends(&t, &s->lowest);
	follow_ends(&t, &s->highest);
	for (size_t i = 0; i < s->npasts; i++) {
		/* Pasts that are alike, at the cap say, are looked at in different places: by the golden ratio none are near. */
		double shift = fmod(0.5 + (double)i * 0.6180339887498949, 1.0);

		follow_ends(&t, &s->past[i]);
		for (size_t j = 0; j < places; j++)
			s->wait[i * places + j] =
			    follow(&t, &s->past[i], ((double)j + shift) / (double)places, &s->after[i * places + j]);
	}
	carry_on(s, &t);
	st_delay_measure(s->wait, PLACES, out);
	s->average += out->mean;
	out->average = s->average;
	if (c->cap != ST_NEVER)
		out->at_cap = st_delay_share_from(s->wait, PLACES, (double)c->cap) -
		    st_delay_share_from(s->wait, PLACES, nextafter((double)c->cap, (double)INFINITY));
	if (c->floor > 0)
		out->at_floor = 1.0 - st_delay_share_from(s->wait, PLACES, nextafter((double)c->floor, (double)INFINITY));
}
