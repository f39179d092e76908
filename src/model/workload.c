#include <config.h>

#include "model/workload.h"

#include "model/caller.h"

static const struct st_workload_kind *const kinds[] = {
    &st_workload_once,
    &st_workload_think,
    &st_workload_poisson,
    &st_workload_periodic,
    &st_workload_connection,
    &st_workload_trace,
};

const struct st_workload_kind *st_workload_kind_at(size_t i)
{
	return i < sizeof kinds / sizeof *kinds ? kinds[i] : NULL;
}

/* Parts are of equal size, but for one client more or less, and neighbours start together. None later than a run may last. */
st_time st_workload_start(const struct st_group *g, uint32_t client)
{
	const struct st_workload_cfg *w = &g->cfg->workload;
	st_time part = (st_time)(client * w->start.groups / g->cfg->count), start;

	return __builtin_mul_overflow(part, w->start.every, &start) || start > ST_TIME_MAX ? ST_TIME_MAX : start;
}

st_time st_workload_spread(const struct st_callers *cs, const struct st_group *g, uint32_t client, uint32_t n)
{
	st_time spread = g->cfg->workload.spread;

	if (spread == 0)
		return 0;
	struct st_rng r = st_rng_open(cs->random, g->first_client + client, n, 0, ST_RNG_ARRIVAL);

	return st_time_from_ns((double)spread * st_rng_uniform(&r));
}

/* --- parameters --------------------------------------------------------------------------------------------------------- */

static const struct st_choice *kind_choice(size_t i)
{
	const struct st_workload_kind *k = st_workload_kind_at(i);

	return k ? &k->choice : NULL;
}

static const struct st_choice *redraw_choice(size_t i)
{
	static const struct st_choice redraws[] = {
	    [ST_REDRAW_ONCE] = {"once", "a client keeps its place within the period"},
	    [ST_REDRAW_TICK] = {"tick", "it draws another place at every tick"},
	};

	return i < sizeof redraws / sizeof *redraws ? &redraws[i] : NULL;
}

static const struct st_choice *begin_choice(size_t i)
{
	static const struct st_choice begins[] = {
	    [ST_BEGIN_CONNECTED] = {"connected", "a client has a connection from the start, whose lifetime counts from `at`"},
	    [ST_BEGIN_CONNECT] = {"connect", "a client opens its first connection at `at`"},
	};

	return i < sizeof begins / sizeof *begins ? &begins[i] : NULL;
}

static const struct st_choice *at_end_choice(size_t i)
{
	static const struct st_choice at_ends[] = {
	    [ST_AT_END_REOPEN] = {"reopen", "its client opens the next one at once"},
	    [ST_AT_END_BACKOFF] = {"backoff", "it was dropped: its client waits a backoff first, as after a restart of the service"},
	};

	return i < sizeof at_ends / sizeof *at_ends ? &at_ends[i] : NULL;
}

#define FIELD(f) offsetof(struct st_workload_cfg, f)

const struct st_param st_workload_params[] = {
    {.name = "kind", .type = &st_param_choice, .offset = FIELD(kind), .choices = kind_choice, .tells = true,
        .help = "when clients want something done"},
    {.name = "at", .type = &st_param_time, .offset = FIELD(at), .dflt = "0s", .kinds = "once connection",
        .help = "the instant that wakes them all (connection: see begin)"},
    {.name = "spread", .type = &st_param_time, .offset = FIELD(spread), .dflt = "0s", .kinds = "once periodic connection",
        .help = "each client comes up to this much later, uniformly"},
    {.name = "start.groups", .type = &st_param_count, .offset = FIELD(start.groups), .dflt = "1", .min = 1, .max = 1e6,
        .kinds = "once think periodic connection", .help = "clients start in so many parts of equal size, one after the other"},
    {.name = "start.every", .type = &st_param_time, .offset = FIELD(start.every), .dflt = "0s",
        .kinds = "once think periodic connection", .help = "from the start of one part to that of the next"},
    {.name = "think", .type = &st_param_dist, .offset = FIELD(think), .kinds = "think",
        .help = "from the end of an operation to the next; a constant keeps all clients in step, 'exponential 30s' spreads "
                "them"},
    {.name = "rate", .type = &st_param_rate, .offset = FIELD(rate_per_s), .max = 1e9, .kinds = "poisson",
        .help = "operations a second of the whole group"},
    {.name = "period", .type = &st_param_time, .offset = FIELD(period), .min = 1e-6, .max = -1, .kinds = "periodic",
        .help = "from one tick of a client's clock to the next"},
    {.name = "offset", .type = &st_param_time, .offset = FIELD(offset), .dflt = "0s", .kinds = "periodic",
        .help = "when the first tick is"},
    {.name = "redraw", .type = &st_param_choice, .offset = FIELD(redraw), .dflt = "once", .choices = redraw_choice,
        .kinds = "periodic", .help = "when a client's share of the spread is drawn"},
    {.name = "file", .type = &st_param_trace, .offset = FIELD(trace), .kinds = "trace",
        .help = "when operations begin: rates, counts or instants"},
    {.name = "lifetime", .type = &st_param_dist, .offset = FIELD(lifetime), .word = "unlimited", .kinds = "connection",
        .help = "how long a connection lives"},
    {.name = "begin", .type = &st_param_choice, .offset = FIELD(begin), .dflt = "connected", .choices = begin_choice,
        .kinds = "connection", .help = "how clients begin"},
    {.name = "at_end", .type = &st_param_choice, .offset = FIELD(at_end), .dflt = "reopen", .choices = at_end_choice,
        .kinds = "connection", .help = "what the end of a connection's lifetime is"},
    {.name = "operations", .type = &st_param_count, .offset = FIELD(operations), .dflt = "unlimited", .min = 1,
        .max = 4e9, .word = "unlimited", .kinds = "think poisson periodic connection",
        .help = "operations a client (poisson: on average; periodic: ticks, those let pass too; connection: connects)"},
    {.name = "surge.at", .type = &st_param_time, .offset = FIELD(surge.at), .dflt = "0s", .kinds = "think poisson trace",
        .help = "when a surge of demand begins"},
    {.name = "surge.for", .type = &st_param_time, .offset = FIELD(surge.length), .dflt = "0s", .kinds = "think poisson trace",
        .help = "how long it lasts: [at, at + for)"},
    {.name = "surge.factor", .type = &st_param_number, .offset = FIELD(surge.factor), .dflt = "1", .max = 1e6,
        .kinds = "think poisson trace", .help = "how many times as much as otherwise clients want in it"},
    {.name = NULL},
};
