#include <config.h>

#include "model/caller.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "model/event.h"
#include "model/workload.h"

/*
 * Long because it is one state machine: an operation begins, sends, waits, is answered or given up, and ends. Each step hands
 * over to the next, and the reader follows them in one file.
 */

/*
 * What an event of a caller carries: the tag; or its low bits, as a request does, and by its class the attempt, or the kind of
 * answer and the outcome. Timeouts have the whole tag: one may come long after its attempt, when the caller has made
 * millions of others.
 */
#define TAG_MASK ST_CALLER_TAG_MASK
#define REST_MAX ((UINT32_C(1) << (32 - ST_REQUEST_TAG_BITS)) - 1)
#define OUTCOME_BITS 9
_Static_assert(ST_OUTCOME_N <= 1 << OUTCOME_BITS, "an outcome fits an event");
_Static_assert(ST_ANSWER_N <= 1 << (32 - ST_REQUEST_TAG_BITS - OUTCOME_BITS), "the kind of an answer fits an event");

static uint32_t pack(uint32_t tag, uint32_t rest)
{
	return rest << ST_REQUEST_TAG_BITS | tag;
}

/* The present tag as requests and answers have it. */
static uint32_t low_tag(const struct st_caller *c)
{
	return c->tag & TAG_MASK;
}

static inline void gauge(const struct st_callers *cs, const struct st_group *g, enum st_gauge_name name, int64_t change)
{
	st_gauge_add(&g->meter->gauge[name], cs->sim->now, change);
}

/* --- several attempts under way --------------------------------------------------------------------------------------- */

/* Apart from the plain path, which pays a test for each. */
#define HEDGING static __attribute__((noinline, cold))

/*
 * The plain caller has one attempt at a time, and its tag says whether an event is about it. Of a hedging group any of those under
 * way is made the present one first; if it is over, the caller stands at the one that is to come, whose tag nobody has.
 */
__attribute__((cold)) void st_caller_find(struct st_callers *cs, uint32_t who, uint32_t tag, uint32_t mask, bool ends)
{
	struct st_caller *c = &cs->caller[who];
	struct st_flight *f;

	if (!st_caller_group(cs, who)->hedges)
		return;
	f = st_flights_find(&cs->flights, who, tag, mask);
	if (!f) {
		c->tag = cs->flights.of[who].tags;
		return;
	}
	c->tag = f->tag;
	c->attempt = f->attempt;
	c->era = f->era;
	if (cs->hint)
		cs->hint[who] = f->hint;
	if (ends)
		st_flights_end(&cs->flights, who, f);
}

/* The caller stands at the last attempt sent, whichever it was at. */
HEDGING void turn_to_last(struct st_callers *cs, uint32_t who)
{
	cs->caller[who].attempt = cs->flights.of[who].attempts;
}

/* What the fingerprint tells apart. Outcomes stand for themselves; these lie beyond them. */
enum { MARK_SENT = ST_OUTCOME_N, MARK_LATE, MARK_FAILED };

static __attribute__((noinline)) void tell_witness(const struct st_callers *cs, const struct st_caller *c, struct st_sight *s)
{
	s->now = cs->sim->now;
	s->group = c->group;
	s->client = c->client - cs->group[c->group].first_client;
	s->operation = c->operation;
	s->attempt = c->attempt;
	cs->witness->see(cs->witness->to, s);
}

/* A step of the caller's present attempt, of which s has what the caller does not know. */
static inline void show(const struct st_callers *cs, const struct st_caller *c, struct st_sight s)
{
	if (__builtin_expect(cs->witness != NULL, 0))
		tell_witness(cs, c, &s);
}

static struct st_rng draw(const struct st_callers *cs, const struct st_caller *c, enum st_purpose purpose)
{
	return st_rng_open(cs->random, c->client, c->operation, c->attempt, purpose);
}

static st_time draw_delay(const struct st_callers *cs, const struct st_caller *c, const struct st_dist *d,
    enum st_purpose purpose)
{
	if (d->fixed >= 0)
		return d->fixed;
	struct st_rng r = draw(cs, c, purpose);
	return st_dist_draw(d, &r);
}

/* What the faults in force add to a leg of the network that begins now; (operation, attempt) are the name of its numbers. */
static st_time detour(const struct st_callers *cs, const struct st_caller *c, uint32_t operation, uint32_t attempt)
{
	const struct st_group *g = &cs->group[c->group];

	if (g->service->faults.damage.delays == 0)
		return 0;
	return st_faults_delay(&g->service->faults,
	    &(struct st_call){.group = g->place, .client = c->client, .operation = operation, .attempt = attempt});
}

/* --- sending -------------------------------------------------------------------------------------------------------- */

/* The answer to a read, and the write after it: both draws are of one stream. The network is taken to be as it is at the read. */
st_time st_caller_round_trip(void *callers, const struct st_call *call)
{
	const struct st_callers *cs = callers;
	const struct st_caller *c = &cs->caller[call->who];
	const struct st_dist *network = &cs->group[c->group].cfg->network;
	struct st_rng r = st_rng_open(cs->random, c->client, call->operation, call->attempt, ST_RNG_ROUND);
	st_time back = st_dist_draw(network, &r);

	return back + st_dist_draw(network, &r) + 2 * detour(cs, c, call->operation, call->attempt);
}

static inline __attribute__((always_inline)) st_time arrive(const struct st_group *g, uint32_t who, uint32_t tag, uint32_t client,
    uint32_t operation, uint32_t attempt)
{
	return st_service_arrive(g->service, &(struct st_call){.who = who, .tag = tag & TAG_MASK, .group = g->place, .client = client,
	    .operation = operation, .attempt = attempt});
}

void st_caller_arrive(struct st_callers *cs, uint32_t who, uint32_t data)
{
	const struct st_caller *c = &cs->caller[who];
	const struct st_group *g = st_caller_group(cs, who);
	uint32_t tag = data & TAG_MASK, attempt = data >> ST_REQUEST_TAG_BITS;

	/* A request given up while it was under way may find its caller at another operation: then its numbers are named by
	 * its tag, beyond every operation's. */
	if (tag == low_tag(c))
		arrive(g, who, tag, c->client, c->operation, c->attempt);
	else
		arrive(g, who, tag, c->client, UINT32_MAX - tag, attempt);
}

/* How long the caller waits for the answer to the attempt it sends now. */
static st_time draw_patience(const struct st_callers *cs, const struct st_caller *c, const struct st_group *g)
{
	st_time patience = draw_delay(cs, c, &g->cfg->timeout, ST_RNG_TIMEOUT);
	st_time left = g->cfg->deadline == ST_NEVER ? ST_NEVER : c->begun + g->cfg->deadline - cs->sim->now;

	return patience < left ? patience : left;
}

/*
 * Without a network delay the arrival would be the very next event (its class goes before that of the timer which brought
 * us here, and everything before it at this instant is done), so it happens as the request is sent. Then a timeout is needed
 * only if the answer is not there yet nor certain to come in time.
 */
static void send_direct(struct st_callers *cs, uint32_t who, const struct st_group *g, st_time patience)
{
	const struct st_caller *c = &cs->caller[who];
	uint32_t tag = c->tag;

	st_sim_skip(cs->sim);
	st_time served = arrive(g, who, tag, c->client, c->operation, c->attempt);

	if (patience >= served - cs->sim->now)
		return;
	st_caller_turn_to(cs, who, tag);
	if (c->tag == tag)
		st_sim_after(cs->sim, patience, ST_EVENT_TIMEOUT, who, tag);
}

static void send_far(struct st_callers *cs, uint32_t who, const struct st_group *g, st_time patience)
{
	struct st_caller *c = &cs->caller[who];
	st_time way = draw_delay(cs, c, &g->cfg->network, ST_RNG_NETWORK_OUT) + detour(cs, c, c->operation, c->attempt);

	if (way > 0)
		c->at_once = 0;
	st_sim_after(cs->sim, patience, ST_EVENT_TIMEOUT, who, c->tag);
	st_sim_after(cs->sim, way, ST_EVENT_ARRIVAL, who,
	    pack(low_tag(c), c->attempt < REST_MAX ? c->attempt : REST_MAX));
}

/* An attempt is sent beside what is under way; when its delay is over st_caller_hedge() asks whether another one is to go. */
HEDGING void begin_flight(struct st_callers *cs, struct st_group *g, uint32_t who)
{
	struct st_caller *c = &cs->caller[who];
	struct st_flight *f = st_flights_begin(&cs->flights, who, c->attempt, cs->sim->now);

	f->era = c->era;
	c->tag = f->tag;
	if (c->attempt < g->retry.cfg.attempts)
		st_sim_after(cs->sim, st_hedge_delay(&g->retry.hedge), ST_EVENT_HEDGE, who, f->tag);
}

/* To all but the service. Apart, so that it costs groups of which nobody hears one test. */
static __attribute__((noinline)) void announce(struct st_callers *cs, struct st_group *g, uint32_t who)
{
	const struct st_caller *c = &cs->caller[who];

	show(cs, c, (struct st_sight){.step = ST_STEP_SENT});
	if (g->retry.budget.kind.sent)
		st_budget_sent(&g->retry.budget, c->client - g->first_client,
		    &(struct st_budget_news){.now = cs->sim->now, .attempt = c->attempt});
	if (g->hedges)
		begin_flight(cs, g, who);
}

/* The caller sends its next attempt now. */
static void send(struct st_callers *cs, uint32_t who)
{
	struct st_caller *c = &cs->caller[who];
	struct st_group *g = st_caller_group(cs, who);
	struct st_counts *n = g->counts;

	if (++c->at_once > ST_CALLER_AT_ONCE_MAX)
		cs->stuck = g;
	c->attempt++;
	n->attempts++;
	n->retried += c->attempt > 1;
	g->meter->in_flight++;
	st_sim_mark(cs->sim, c->client, MARK_SENT);
	if (g->is_heard)
		announce(cs, g, who);
	if (g->direct)
		send_direct(cs, who, g, draw_patience(cs, c, g));
	else
		send_far(cs, who, g, draw_patience(cs, c, g));
}

/* --- the end of an operation ---------------------------------------------------------------------------------------- */

static void circuits(struct st_callers *cs, const struct st_group *g, int change)
{
	if (change)
		gauge(cs, g, ST_GAUGE_BREAKERS_OPEN, change);
}

/* What is still under way for an operation that ends is not waited for. */
HEDGING void leave_behind(struct st_callers *cs, struct st_group *g, uint32_t who)
{
	const struct st_caller *c = &cs->caller[who];
	struct st_flight *f;

	while ((f = st_flights_any(&cs->flights, who)) != NULL) {
		st_retry_outrun(&g->retry, c->client - g->first_client,
		    &(struct st_budget_news){.now = cs->sim->now, .attempt = f->attempt}, f->era);
		g->counts->outrun++;
		g->meter->in_flight--;
		st_flights_end(&cs->flights, who, f);
	}
}

/* An operation of a hedging group succeeds: the attempt that was answered counts for its budget, all for the operation. */
HEDGING void land(struct st_callers *cs, struct st_group *g, uint32_t who)
{
	st_hedge_saw(&g->retry.hedge, cs->sim->now - cs->flights.of[who].since);
	leave_behind(cs, g, who);
	turn_to_last(cs, who);
}

/* As announce(). */
static __attribute__((noinline)) void announce_success(struct st_callers *cs, struct st_group *g, uint32_t who)
{
	struct st_caller *c = &cs->caller[who];
	struct st_budget_news news = {.now = cs->sim->now, .attempt = c->attempt, .note = &c->note};

	show(cs, c, (struct st_sight){.step = ST_STEP_SUCCEEDED});
	if (g->retry.budget.kind.succeeded || g->retry.hears)
		circuits(cs, g, st_retry_succeeded(&g->retry, c->client - g->first_client, &news, c->era));
	if (g->hedges)
		land(cs, g, who);
}

static void succeed(struct st_callers *cs, struct st_group *g, uint32_t who)
{
	struct st_caller *c = &cs->caller[who];

	if (g->is_heard)
		announce_success(cs, g, who);
	g->meter->open--;
	st_meter_success(g->meter, g->place, c->begun, cs->sim->now, c->attempt);
	g->workload->ended(cs, g, who, true);
}

static void fail(struct st_callers *cs, struct st_group *g, uint32_t who, enum st_reason why)
{
	struct st_caller *c = &cs->caller[who];

	if (g->hedges)
		leave_behind(cs, g, who);
	st_sim_mark(cs->sim, c->client, MARK_FAILED + why);
	show(cs, c, (struct st_sight){.step = ST_STEP_GIVEN_UP, .why = why});
	st_meter_failure(g->meter, g->place, why, c->attempt);
	g->meter->open--;
	g->workload->ended(cs, g, who, false);
}

/* --- what stands before a send -------------------------------------------------------------------------------------- */

/* The operation ends here: its next attempt may not be sent. */
static void stop(struct st_callers *cs, struct st_group *g, uint32_t who, enum st_reason why)
{
	struct st_caller *c = &cs->caller[who];

	if (++c->at_once > ST_CALLER_AT_ONCE_MAX)
		cs->stuck = g;
	g->counts->denied += why == ST_REASON_BUDGET && c->attempt > 0;
	fail(cs, g, who, why);
}

/* What may be sent now is sent, unless the breaker has opened while it waited at the gate. */
static void send_past_breaker(struct st_callers *cs, struct st_group *g, uint32_t who)
{
	struct st_caller *c = &cs->caller[who];

	if (!st_breaker_is_on(&g->retry.breaker) || st_retry_sends(&g->retry, c->client - g->first_client, c->attempt + 1, cs->sim->now, &c->era))
		send(cs, who);
	else
		stop(cs, g, who, ST_REASON_BREAKER);
}

static __attribute__((noinline)) void send_if_allowed(struct st_callers *cs, struct st_group *g, uint32_t who)
{
	struct st_caller *c = &cs->caller[who];
	struct st_rng gate;

	if (st_gate_draws(&g->retry.gate))
		gate = st_rng_open(cs->random, c->client, c->operation, c->attempt + 1, ST_RNG_GATE);
	struct st_verdict v = st_retry_may_send(&g->retry, &(struct st_sending){
	    .now = cs->sim->now,
	    .deadline = g->cfg->deadline == ST_NEVER ? ST_NEVER : c->begun + g->cfg->deadline,
	    .client = c->client - g->first_client,
	    .attempt = c->attempt + 1,
	    .gate = &gate,
	});

	circuits(cs, g, v.circuits);
	if (!v.retry) {
		stop(cs, g, who, v.why);
	} else if (v.delay > 0) {
		c->at_once = 0;
		gauge(cs, g, ST_GAUGE_WAITING, 1);
		show(cs, c, (struct st_sight){.step = ST_STEP_WAITS, .delay = v.delay});
		st_sim_after(cs->sim, v.delay, ST_EVENT_TIMER, who, ST_TIMER_SEND);
	} else {
		send_past_breaker(cs, g, who);
	}
}

void st_caller_send(struct st_callers *cs, uint32_t who)
{
	struct st_group *g = st_caller_group(cs, who);

	gauge(cs, g, ST_GAUGE_WAITING, -1);
	send_past_breaker(cs, g, who);
}

static void set_out(struct st_callers *cs, struct st_group *g, uint32_t who)
{
	if (!g->retry.guarded)
		send(cs, who);
	else if (g->retry.only_breaker)
		send_past_breaker(cs, g, who);
	else
		send_if_allowed(cs, g, who);
}

void st_caller_retry(struct st_callers *cs, uint32_t who)
{
	struct st_group *g = st_caller_group(cs, who);

	gauge(cs, g, ST_GAUGE_WAITING, -1);
	set_out(cs, g, who);
}

static inline void open_operation(struct st_callers *cs, const struct st_group *g, struct st_caller *c)
{
	c->begun = cs->sim->now;
	c->attempt = 0;
	g->counts->operations++;
	g->meter->open++;
}

static inline void begin_backoff(struct st_callers *cs, const struct st_group *g, uint32_t who)
{
	if (cs->previous)
		cs->previous[who] = st_backoff_first(&g->retry.backoff);
	if (cs->restarted)
		cs->restarted[who] = 0;
}

void st_caller_begin(struct st_callers *cs, uint32_t who)
{
	struct st_group *g = st_caller_group(cs, who);

	begin_backoff(cs, g, who);
	open_operation(cs, g, &cs->caller[who]);
	set_out(cs, g, who);
}

/* As after the failure of an attempt before the first. It is none: budgets and breakers hear nothing of it. */
static void wait_first(struct st_callers *cs, struct st_group *g, uint32_t who)
{
	struct st_caller *c = &cs->caller[who];
	struct st_rng jitter = draw(cs, c, ST_RNG_BACKOFF);
	st_time none = 0;
	uint32_t k = c->attempt - --cs->restarted[who];
	st_time delay = st_backoff_wait(&g->retry.backoff, k, ST_OUTCOME_RESET, cs->previous ? &cs->previous[who] : &none, &jitter);

	if (g->cfg->deadline != ST_NEVER && delay >= g->cfg->deadline) {
		fail(cs, g, who, ST_REASON_DEADLINE);
		return;
	}
	if (delay > 0)
		c->at_once = 0;
	gauge(cs, g, ST_GAUGE_WAITING, 1);
	show(cs, c, (struct st_sight){.step = ST_STEP_WAITS, .delay = delay});
	st_sim_after(cs->sim, delay, ST_EVENT_TIMER, who, ST_TIMER_RETRY);
}

void st_caller_begin_again(struct st_callers *cs, uint32_t who, bool anew, bool is_lost)
{
	struct st_caller *c = &cs->caller[who];
	struct st_group *g = st_caller_group(cs, who);

	if (anew)
		begin_backoff(cs, g, who);
	else
		cs->restarted[who] -= c->attempt - 1;
	open_operation(cs, g, c);
	if (is_lost)
		wait_first(cs, g, who);
	else
		set_out(cs, g, who);
}

void st_callers_connections_lost(struct st_callers *cs)
{
	for (size_t i = 0; i < cs->ngroups; i++)
		if (cs->group[i].workload->lost)
			cs->group[i].workload->lost(cs, &cs->group[i]);
}

/* --- failed attempts ------------------------------------------------------------------------------------------------ */

/* The server writes the hint on its answer to the present attempt. */
static void write_hint(struct st_callers *cs, uint32_t who, st_outcome outcome)
{
	struct st_service *s = st_caller_group(cs, who)->service;
	const struct st_hint_cfg *h = &s->cfg->hint;
	const struct st_hint_state state = st_service_hint_state(s);
	struct st_rng r = draw(cs, &cs->caller[who], ST_RNG_SPREAD);

	if (!st_hint_goes_with(h, outcome))
		return;
	cs->hint[who] = st_hint_write(h, &state, &r);
	if (st_caller_group(cs, who)->hedges)
		st_flights_find(&cs->flights, who, cs->caller[who].tag, TAG_MASK)->hint = cs->hint[who];
}

/* As the client reads it. */
static st_time read_hint(const struct st_callers *cs, const struct st_group *g, uint32_t who)
{
	const struct st_hint_cfg *h = &g->service->cfg->hint;
	const struct st_dist *clock = &g->cfg->clock_skew;
	st_time skew = 0;

	if (st_hint_is_constant(h))
		return g->constant_hint;
	if (clock->fixed != 0 && st_hint_is_dated(h)) {
		struct st_rng r = st_rng_open(cs->random, cs->caller[who].client, 0, 0, ST_RNG_CLOCK);

		skew = st_hint_draw_skew(clock, &r);
	}
	return st_hint_read(h, cs->hint[who], cs->sim->now, skew);
}

/* The hint on an answer (or its absence), as far as this client listens to hints. */
static st_time obeyed_hint(const struct st_callers *cs, const struct st_group *g, uint32_t who, st_outcome outcome)
{
	const struct st_caller *c = &cs->caller[who];
	double share = g->cfg->retry.hint.obey;
	st_time hint = ST_HINT_NONE;

	if (st_hint_goes_with(&g->service->cfg->hint, outcome))
		hint = read_hint(cs, g, who);

	if (share >= 1.0 || (hint == ST_HINT_NONE && !st_hint_is_required(&g->cfg->retry.hint)))
		return hint;
	struct st_rng r = st_rng_open(cs->random, c->client, 0, 0, ST_RNG_OBEY);
	return st_rng_uniform(&r) < share ? hint : ST_HINT_UNHEARD;
}

static void attempt_failed(struct st_callers *cs, struct st_group *g, uint32_t who, st_outcome outcome)
{
	struct st_caller *c = &cs->caller[who];
	st_time hint = obeyed_hint(cs, g, who, outcome), none = 0;
	uint32_t which = c->attempt;

	show(cs, c, (struct st_sight){.step = ST_STEP_FAILED, .outcome = outcome});
	if (g->hedges)
		turn_to_last(cs, who);
	struct st_rng jitter = draw(cs, c, ST_RNG_BACKOFF), hint_jitter;

	if (hint >= 0)
		hint_jitter = draw(cs, c, ST_RNG_HINT);
	const struct st_failure f = {
	    .now = cs->sim->now,
	    .deadline = g->cfg->deadline == ST_NEVER ? ST_NEVER : c->begun + g->cfg->deadline,
	    .client = c->client - g->first_client,
	    .attempt = c->attempt,
	    .which = which,
	    .outcome = outcome,
	    .hint = hint,
	    .previous = cs->previous ? &cs->previous[who] : &none,
	    .note = &c->note,
	    .era = c->era,
	    .restarted = cs->restarted ? &cs->restarted[who] : NULL,
	    .is_pushback = g->pushback,
	    .jitter = &jitter,
	    .hint_jitter = &hint_jitter,
	};
	int opened;

	if (g->hedges && st_flights_any(&cs->flights, who) && st_retry_goes_on(&g->retry, &f, &opened)) {
		circuits(cs, g, opened);
		return;
	}
	struct st_verdict v = st_retry_decide(&g->retry, &f);

	circuits(cs, g, v.circuits);
	if (!v.retry) {
		g->counts->denied += v.why == ST_REASON_BUDGET;
		fail(cs, g, who, v.why);
		return;
	}
	if (v.delay > 0)
		c->at_once = 0;
	gauge(cs, g, ST_GAUGE_WAITING, 1);
	show(cs, c, (struct st_sight){.step = ST_STEP_WAITS, .delay = v.delay});
	st_sim_after(cs->sim, v.delay, ST_EVENT_TIMER, who, ST_TIMER_RETRY);
}

/* The present attempt is over: what comes with its tag from now on is late. */
static void close_attempt(const struct st_group *g, struct st_caller *c)
{
	c->tag++;
	g->meter->in_flight--;
}

/* --- answers -------------------------------------------------------------------------------------------------------- */

static void take_answer(struct st_callers *cs, uint32_t who, uint32_t tag, enum st_answer kind, st_outcome outcome)
{
	struct st_caller *c = &cs->caller[who];
	struct st_group *g = st_caller_group(cs, who);
	struct st_counts *n = g->counts;

	if (tag != low_tag(c)) {
		/* Whose it was is not known any more: the caller may be another client's by now, or nobody's. */
		st_sim_mark(cs->sim, 0, MARK_LATE);
		if (kind == ST_ANSWER_OK)
			n->wasted++;
		else
			n->late++;
		return;
	}
	st_sim_mark(cs->sim, c->client, outcome);
	close_attempt(g, c);
	n->answered[kind]++;
	if (kind == ST_ANSWER_OK)
		c->at_once = 0;
	if (kind == ST_ANSWER_OK)
		succeed(cs, g, who);
	else
		attempt_failed(cs, g, who, outcome);
}

void st_caller_answer(struct st_callers *cs, uint32_t who, uint32_t data)
{
	uint32_t rest = data >> ST_REQUEST_TAG_BITS;

	take_answer(cs, who, data & TAG_MASK, rest >> OUTCOME_BITS, rest & ((1U << OUTCOME_BITS) - 1));
}

/* The delay of a late answer is named by its tag, as in st_caller_arrive(): never that of the attempt the caller is at. */
static st_time draw_way_back(const struct st_callers *cs, const struct st_caller *c, const struct st_group *g, uint32_t tag)
{
	if (tag == low_tag(c))
		return draw_delay(cs, c, &g->cfg->network, ST_RNG_NETWORK_BACK) + detour(cs, c, c->operation, c->attempt);
	struct st_rng r = st_rng_open(cs->random, c->client, UINT32_MAX - tag, 0, ST_RNG_NETWORK_BACK);
	return st_dist_draw(&g->cfg->network, &r) + detour(cs, c, UINT32_MAX - tag, 0);
}

void st_caller_reply(void *callers, uint32_t who, uint32_t tag, enum st_answer kind, st_outcome outcome)
{
	struct st_callers *cs = callers;
	const struct st_group *g = st_caller_group(cs, who);

	st_caller_turn_to(cs, who, tag);
	if (cs->hint && tag == low_tag(&cs->caller[who]))
		write_hint(cs, who, outcome);
	/* An answer at once would often be the very next event. */
	if (g->direct && st_sim_would_be_next(cs->sim, ST_EVENT_ANSWER)) {
		st_sim_skip(cs->sim);
		st_caller_turn_to_answered(cs, who, tag);
		take_answer(cs, who, tag, kind, outcome);
	} else {
		st_sim_after(cs->sim, draw_way_back(cs, &cs->caller[who], g, tag), ST_EVENT_ANSWER, who,
		    pack(tag, (uint32_t)kind << OUTCOME_BITS | outcome));
	}
}

bool st_caller_waits(void *callers, uint32_t who, uint32_t tag)
{
	const struct st_callers *cs = callers;

	if (st_caller_group(cs, who)->hedges)
		return st_flights_find(&cs->flights, who, tag, TAG_MASK) != NULL;
	return tag == low_tag(&cs->caller[who]);
}

/* Apart, because most timeouts find their attempt answered. */
static __attribute__((noinline)) void give_up_attempt(struct st_callers *cs, uint32_t who)
{
	struct st_caller *c = &cs->caller[who];
	struct st_group *g = st_caller_group(cs, who);

	st_sim_mark(cs->sim, c->client, ST_OUTCOME_TIMEOUT);
	st_queue_leave(&g->service->queue, who, low_tag(c));
	close_attempt(g, c);
	g->counts->timed_out++;
	c->at_once = 0;
	attempt_failed(cs, g, who, ST_OUTCOME_TIMEOUT);
}

void st_caller_timeout(struct st_callers *cs, uint32_t who, uint32_t data)
{
	if (data == cs->caller[who].tag)
		give_up_attempt(cs, who);
}

/* --- hedging ---------------------------------------------------------------------------------------------------------- */

/* Whether the attempt named is the last one sent, something is still under way, there is a place beside it, and time. */
static bool is_hedge_due(const struct st_callers *cs, const struct st_group *g, uint32_t who, uint32_t tag)
{
	const struct st_airspace *a = &cs->flights.of[who];

	return tag == a->tags - 1 && a->n > 0 && a->n < g->cfg->retry.hedge.in_flight &&
	    (g->cfg->deadline == ST_NEVER || cs->sim->now - cs->caller[who].begun < g->cfg->deadline);
}

void st_caller_hedge(struct st_callers *cs, uint32_t who, uint32_t data)
{
	struct st_caller *c = &cs->caller[who];
	struct st_group *g = st_caller_group(cs, who);

	if (!is_hedge_due(cs, g, who, data))
		return;
	turn_to_last(cs, who);
	c->at_once = 0;
	struct st_rng gate = st_rng_open(cs->random, c->client, c->operation, c->attempt + 1, ST_RNG_HEDGE);
	struct st_verdict v = st_retry_may_hedge(&g->retry, &(struct st_sending){
	    .now = cs->sim->now, .client = c->client - g->first_client, .attempt = c->attempt + 1, .gate = &gate}, &c->note);

	circuits(cs, g, v.circuits);
	if (v.retry && st_retry_sends(&g->retry, c->client - g->first_client, c->attempt + 1, cs->sim->now, &c->era))
		send(cs, who);
	else
		g->counts->denied += v.why == ST_REASON_BUDGET;
}

/* --- callers and groups --------------------------------------------------------------------------------------------- */

static void make_room(struct st_callers *cs, size_t n)
{
	cs->caller = st_grow_huge(cs->caller, &cs->cap, n, sizeof *cs->caller);
	for (size_t i = 0; i < cs->ngroups; i++) {
		const struct st_group *g = &cs->group[i];

		if (cs->previous || st_backoff_carries(&g->retry.backoff))
			cs->previous = st_grow_huge(cs->previous, &cs->previous_cap, n, sizeof *cs->previous);
		if (cs->hint || !st_hint_is_constant(&g->service->cfg->hint))
			cs->hint = st_grow_huge(cs->hint, &cs->hint_cap, n, sizeof *cs->hint);
		if (cs->restarted || g->pushback || g->workload->lost)
			cs->restarted = st_grow_huge(cs->restarted, &cs->restarted_cap, n, sizeof *cs->restarted);
		if (g->holder)
			cs->slot = st_grow_huge(cs->slot, &cs->slot_cap, n, sizeof *cs->slot);
	}
	if (cs->flights.width > 0)
		st_flights_make_room(&cs->flights, n);
}

/* A group of so many clients, whose numbers and callers follow those of the groups before. */
static struct st_group *add_group(struct st_callers *cs, const struct st_group_cfg *cfg, uint64_t count, struct st_service *service)
{
	const struct st_group *before = cs->ngroups > 0 ? &cs->group[cs->ngroups - 1] : NULL;
	struct st_group *g = &cs->group[cs->ngroups];
	const struct st_hint_cfg *hint = &service->cfg->hint;

	*g = (struct st_group){.cfg = cfg, .service = service, .meter = service->meter, .index = (uint32_t)cs->ngroups++,
	    .free = ST_CALLER_NONE, .hedges = st_hedge_is_on(&cfg->retry.hedge), .pushback = st_hint_is_pushback(hint),
	    .direct = cfg->network.fixed == 0 && !st_faults_ever(&service->faults, ST_EFFECT_DELAY)};
	for (const struct st_group *other = cs->group; other < g; other++)
		g->place += other->service == service;
	g->counts = &g->meter->counts[g->place];
	if (before)
		g->first_client = before->first_client + before->clients;
	g->clients = (uint32_t)count;
	if (st_hint_is_constant(hint))
		g->constant_hint = st_hint_write(hint, &(struct st_hint_state){0}, NULL);
	if (g->hedges && cfg->retry.hedge.in_flight > cs->flights.width)
		cs->flights.width = (size_t)cfg->retry.hedge.in_flight;
	st_retry_init(&g->retry, &cfg->retry, count);
	g->is_heard = cs->witness || g->hedges || g->retry.budget.kind.sent || g->retry.budget.kind.succeeded || g->retry.hears;
	return g;
}

static struct st_service *find_service(struct st_service *service, size_t n, const char *name)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(service[i].cfg->name, name) == 0)
			return &service[i];
	st_assert(!"a service of that name");
	return NULL;
}

/* The clients of closed groups, one a caller. */
static void add_callers(struct st_callers *cs, struct st_group *g)
{
	g->first_caller = cs->n;
	if (!g->workload->closed)
		return;
	make_room(cs, cs->n + g->clients);
	for (uint32_t k = 0; k < g->clients; k++) {
		cs->caller[cs->n] = (struct st_caller){.client = g->first_client + k, .group = (uint16_t)g->index};
		begin_backoff(cs, g, cs->n++);
	}
}

void st_callers_init(struct st_callers *cs, const struct st_group_cfg *cfg, size_t ngroups, struct st_service *service,
    size_t nservices, struct st_sim *sim, const struct st_rng_family *random, const struct st_witness *witness)
{
	*cs = (struct st_callers){.sim = sim, .random = random, .witness = witness};
	cs->group = st_calloc(ngroups + nservices, sizeof *cs->group);
	for (size_t i = 0; i < ngroups; i++)
		add_group(cs, &cfg[i], cfg[i].count, &service[0])->workload = st_workload_kind_at(cfg[i].workload.kind);
	for (size_t i = 0; i < nservices; i++) {
		const struct st_calls_cfg *calls = &service[i].cfg->calls;

		if (!calls->to)
			continue;
		struct st_group *g = add_group(cs, &calls->group, 1, find_service(service, nservices, calls->to));
		g->workload = &st_workload_calls;
		g->holder = &service[i];
	}
	for (size_t i = 0; i < ngroups; i++)
		add_callers(cs, &cs->group[i]);
}

void st_callers_release(struct st_callers *cs)
{
	for (size_t i = 0; i < cs->ngroups; i++) {
		st_retry_release(&cs->group[i].retry);
		free(cs->group[i].connected);
	}
	free(cs->group);
	free(cs->caller);
	free(cs->previous);
	free(cs->hint);
	free(cs->restarted);
	st_flights_release(&cs->flights);
	free(cs->slot);
}

uint32_t st_callers_take(struct st_callers *cs, struct st_group *g)
{
	uint32_t who = g->free;

	if (who == ST_CALLER_NONE) {
		who = cs->n++;
		make_room(cs, cs->n);
		cs->caller[who] = (struct st_caller){0};
	} else {
		g->free = cs->caller[who].client;
	}
	cs->caller[who].group = (uint16_t)g->index;
	cs->caller[who].at_once = 0;
	return who;
}

void st_callers_give_back(struct st_callers *cs, struct st_group *g, uint32_t who)
{
	/* Its tag stays as it is: late answers of this operation must not meet the next one. */
	cs->caller[who].client = g->free;
	g->free = who;
}
