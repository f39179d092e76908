#include <config.h>

#include <math.h>

#include "model/caller.h"
#include "model/event.h"
#include "model/workload.h"

/* Streams of operations of a whole group: each takes a caller while it is under way. */

static void put_after(struct st_callers *cs, const struct st_group *g, st_time delay)
{
	st_sim_after(cs->sim, delay, ST_EVENT_TIMER, g->index, ST_TIMER_ARRIVAL);
}

/* The random number of the stream's next arrival. */
static struct st_rng draw_arrival(const struct st_callers *cs, const struct st_group *g)
{
	return st_rng_open(cs->random, st_group_entity(g), (uint32_t)g->begun, 0, ST_RNG_ARRIVAL);
}

/* --- poisson ---------------------------------------------------------------------------------------------------------- */

static void poisson_next(struct st_callers *cs, struct st_group *g)
{
	const struct st_workload_cfg *w = &g->cfg->workload;

	if (!(w->rate_per_s > 0.0) || (w->operations != ST_UNLIMITED && g->begun >= w->operations * g->cfg->count))
		return;
	struct st_rng r = draw_arrival(cs, g);
	st_time gap = st_time_from_ns(st_rng_exponential(&r) * 1e9 / w->rate_per_s);

	put_after(cs, g, st_surge_delay(&w->surge, cs->sim->now, gap));
}

/* --- a trace ---------------------------------------------------------------------------------------------------------- */

/* The rate changes with the rows: what is left of the gap, in mean gaps, passes from row to row. */
static void next_of_rates(struct st_callers *cs, struct st_group *g)
{
	const struct st_workload_cfg *w = &g->cfg->workload;
	const struct st_trace *trace = &w->trace;
	struct st_rng r = draw_arrival(cs, g);
	double left = st_rng_exponential(&r);
	st_time t = cs->sim->now > trace->at[0] ? cs->sim->now : trace->at[0];

	while (t < cs->sim->end) {
		st_time until = st_trace_until(trace, g->trace_row);

		if (t >= until) {
			g->trace_row++;
			continue;
		}
		double rate = trace->value[g->trace_row];
		st_time delay = st_surge_delay(&w->surge, t, st_time_from_ns(left * 1e9 / rate));

		if (rate > 0.0 && delay < until - t) {
			put_after(cs, g, t + delay - cs->sim->now);
			return;
		}
		left = fmax(left - st_surge_amount(&w->surge, t, until) * rate / 1e9, 0.0);
		t = until;
	}
}

/*
 * Of `left` instants that are even on [from, until) the first is at the fraction 1 - U^(1/left) of it; and the others are even on
 * what is behind it.
 */
static void next_of_counts(struct st_callers *cs, struct st_group *g)
{
	const struct st_trace *trace = &g->cfg->workload.trace;
	struct st_rng r = draw_arrival(cs, g);

	while (g->trace_left == 0 && g->trace_row < trace->n)
		g->trace_left = (uint64_t)trace->value[g->trace_row++];
	if (g->trace_left == 0)
		return;
	st_time from = trace->at[g->trace_row - 1], until = st_trace_until(trace, g->trace_row - 1);
	if (from < cs->sim->now)
		from = cs->sim->now;
	double share = -expm1(log(st_rng_uniform(&r)) / (double)g->trace_left--);
	st_time at = from + st_time_from_ns((double)(until - from) * share);

	put_after(cs, g, (at < until ? at : until - 1) - cs->sim->now);
}

static void trace_next(struct st_callers *cs, struct st_group *g)
{
	const struct st_trace *trace = &g->cfg->workload.trace;

	if (trace->form == ST_TRACE_RATES)
		next_of_rates(cs, g);
	else if (trace->form == ST_TRACE_COUNTS)
		next_of_counts(cs, g);
	else if (g->begun < trace->n)
		put_after(cs, g, trace->at[g->begun] - cs->sim->now);
}

static const char *trace_wrong(const struct st_workload_cfg *w, st_time duration, const char **key)
{
	(void)duration;
	*key = "surge.for";
	return w->surge.length > 0 && w->trace.form != ST_TRACE_RATES ? "a surge is for a trace of rates, not for one of counts or instants" : NULL;
}

/* --- an arrival ------------------------------------------------------------------------------------------------------- */

void st_workload_arrival(struct st_callers *cs, struct st_group *g)
{
	struct st_rng r = st_rng_open(cs->random, st_group_entity(g), (uint32_t)g->begun, 0, ST_RNG_CLIENT);
	uint32_t who = st_callers_take(cs, g);
	struct st_caller *c = &cs->caller[who];

	c->client = g->first_client + (uint32_t)st_rng_below(&r, g->cfg->count);
	c->operation = (uint32_t)g->begun++;
	g->workload->seed(cs, g); /* each arrival puts the next one */
	st_caller_begin(cs, who);
}

static void open_ended(struct st_callers *cs, struct st_group *g, uint32_t who, bool succeeded)
{
	(void)succeeded;
	st_callers_give_back(cs, g, who);
}

const struct st_workload_kind st_workload_poisson = {
    {"poisson", "an open loop: operations of the group come at random, whatever becomes of the earlier ones"},
    .seed = poisson_next, .ended = open_ended};

const struct st_workload_kind st_workload_trace = {
    {"trace", "an open loop as recorded: operations of the group come by the rates, the counts or the instants of a file"},
    .seed = trace_next, .ended = open_ended, .wrong = trace_wrong};
