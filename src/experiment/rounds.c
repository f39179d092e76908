#include <config.h>

#include "experiment/rounds.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "measure/estimate.h"

void st_rounds_init(struct st_rounds *r, const struct st_precision *p, uint64_t replications, size_t npoints)
{
	bool fixed = p->half_width == 0;

	*r = (struct st_rounds){.precision = p, .npoints = npoints, .point = st_calloc(npoints, sizeof *r->point)};
	r->batch = fixed || replications > 1 ? (uint32_t)replications : ST_ROUNDS_BATCH;
	r->most = fixed ? r->batch : (uint32_t)p->limit;
	if (r->batch > r->most)
		r->batch = r->most;
	for (size_t i = 0; i < npoints; i++)
		r->point[i] = (struct st_round_point){r->batch, fixed ? ST_ROUNDS_FIXED : ST_ROUNDS_OPEN, (double)NAN};
}

void st_rounds_release(struct st_rounds *r)
{
	free(r->point);
	*r = (struct st_rounds){.point = NULL};
}

void st_rounds_leave(struct st_rounds *r, size_t point)
{
	r->point[point] = (struct st_round_point){0, ST_ROUNDS_FIXED, (double)NAN};
}

static void look(const struct st_rounds *r, struct st_round_point *p, const double *value)
{
	struct st_estimate e = st_estimate_mean(value, p->wanted);

	p->half_width = e.half > 0 ? e.half / fabs(e.mean) : e.half; /* a mean of 0 that varies: infinite */
	if (isnan(e.mean))
		p->end = ST_ROUNDS_NEVER;
	else if (p->half_width <= r->precision->half_width)
		p->end = ST_ROUNDS_REACHED;
	else if (p->wanted >= r->most)
		p->end = ST_ROUNDS_LIMIT;
	else
		p->wanted = r->most - p->wanted > r->batch ? p->wanted + r->batch : r->most;
}

bool st_rounds_next(struct st_rounds *r, const double *value)
{
	bool more = false;

	for (size_t i = 0; i < r->npoints; i++) {
		if (r->point[i].end != ST_ROUNDS_OPEN)
			continue;
		look(r, &r->point[i], value + i * r->most);
		more = more || r->point[i].end == ST_ROUNDS_OPEN;
	}
	return more;
}

uint32_t st_rounds_wanted(const struct st_rounds *r)
{
	uint32_t wanted = 0;

	for (size_t i = 0; i < r->npoints; i++)
		wanted = r->point[i].wanted > wanted ? r->point[i].wanted : wanted;
	return wanted;
}

/* "; not in 1000 runs at 3 (2.4 %), 7 (5 %)" */
static void list(const struct st_rounds *r, enum st_rounds_end end, const char *head, struct st_text *out)
{
	for (size_t i = 0; i < r->npoints; i++) {
		const struct st_round_point *p = &r->point[i];

		if (p->end != end)
			continue;
		st_text_addf(out, "%s%zu", head, i);
		if (!isnan(p->half_width))
			st_text_addf(out, " (%.2g %%)", 100 * p->half_width);
		head = ", ";
	}
}

void st_rounds_say(const struct st_rounds *r, struct st_text *out)
{
	uint32_t least = 0, most = 0;
	size_t reached = 0, all = 0;

	for (size_t i = 0; i < r->npoints; i++) {
		const struct st_round_point *p = &r->point[i];

		all += p->end != ST_ROUNDS_FIXED;
		if (p->end != ST_ROUNDS_REACHED)
			continue;
		least = reached++ == 0 || p->wanted < least ? p->wanted : least;
		most = p->wanted > most ? p->wanted : most;
	}
	if (all == 0)
		return;
	st_text_addf(out, "precision: %.3g %% of %s reached at %zu of %zu point%s", 100 * r->precision->half_width,
	    r->precision->figure, reached, all, all == 1 ? "" : "s");
	if (reached > 0)
		st_text_addf(out, least < most ? ", in %" PRIu32 " to %" PRIu32 " runs" : ", in %" PRIu32 " runs", least, most);
	char *head = st_format("; not in %" PRIu32 " runs at ", r->most);
	list(r, ST_ROUNDS_LIMIT, head, out);
	list(r, ST_ROUNDS_NEVER, "; there is no mean (never, or absent in a run) at ", out);
	free(head);
}
