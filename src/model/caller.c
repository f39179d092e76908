#include <config.h>

#include "model/caller.h"

#include "model/caller_step.h"
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

void st_caller_tell_witness(const struct st_callers *cs, const struct st_caller *c, struct st_sight *s)
{
	s->now = cs->sim->now;
	s->group = c->group;
	s->client = c->client - cs->group[c->group].first_client;
	s->operation = c->operation;
	s->attempt = c->attempt;
	cs->witness->see(cs->witness->to, s);
}

/* What the fingerprint tells apart. Outcomes stand for themselves; these lie beyond them. */
enum { MARK_SENT = ST_OUTCOME_N, MARK_LATE, MARK_FAILED };

/* What the faults in force add to a leg of the network that begins now; (client, operation, attempt) are the name of its numbers. */
static st_time detour(const struct st_group *g, uint32_t client, uint32_t operation, uint32_t attempt)
{
	if (g->service->faults.damage.delays == 0)
		return 0;
	return st_faults_delay(&g->service->faults,
	    &(struct st_call){.group = g->place, .client = client, .operation = operation, .attempt = attempt});
}

/* --- sending -------------------------------------------------------------------------------------------------------- */

/* The answer to a read, and the write after it: both draws are of one stream. The network is taken to be as it is at the read. */
st_time st_caller_round_trip(void *callers, const struct st_call *call)
{
	const struct st_callers *cs = callers;
	const struct st_group *g = st_caller_group(cs, call->who);
	struct st_rng r = st_rng_open(cs->random, call->client, call->operation, call->attempt, ST_RNG_ROUND);
	st_time back = st_dist_draw(&g->cfg->network, &r);

	return back + st_dist_draw(&g->cfg->network, &r) + 2 * detour(g, call->client, call->operation, call->attempt);
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
	if (tag == st_caller_low_tag(c))
		arrive(g, who, tag, c->client, c->operation, c->attempt);
	else
		arrive(g, who, tag, st_caller_late(cs, who), UINT32_MAX - tag, attempt);
}

uint32_t st_caller_late(const struct st_callers *cs, uint32_t who)
{
	return st_caller_group(cs, who)->workload->closed ? cs->caller[who].client : UINT32_MAX - (uint32_t)cs->ngroups - who;
}

/* How long the caller waits for the answer to the attempt it sends now. */
static st_time draw_patience(const struct st_callers *cs, const struct st_caller *c, const struct st_group *g)
{
	st_time patience = st_caller_draw_delay(cs, c, &g->cfg->timeout, ST_RNG_TIMEOUT);
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
	st_time way = st_caller_draw_delay(cs, c, &g->cfg->network, ST_RNG_NETWORK_OUT) + detour(g, c->client, c->operation, c->attempt);

	if (way > 0)
		c->at_once = 0;
	st_sim_after(cs->sim, patience, ST_EVENT_TIMEOUT, who, c->tag);
	st_sim_after(cs->sim, way, ST_EVENT_ARRIVAL, who,
	    pack(st_caller_low_tag(c), c->attempt < REST_MAX ? c->attempt : REST_MAX));
}

/* To all but the service. Apart, so that it costs groups of which nobody hears one test. */
static __attribute__((noinline)) void announce(struct st_callers *cs, struct st_group *g, uint32_t who)
{
	const struct st_caller *c = &cs->caller[who];

	st_caller_show(cs, c, (struct st_sight){.step = ST_STEP_SENT});
	if (g->retry.budget.kind.sent)
		st_budget_sent(&g->retry.budget, c->client - g->first_client,
		    &(struct st_budget_news){.now = cs->sim->now, .attempt = c->attempt});
	if (g->hedges)
		st_caller_begin_flight(cs, g, who);
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
	if (g->tells_sent)
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
		st_caller_gauge(cs, g, ST_GAUGE_BREAKERS_OPEN, change);
}

/* As announce(). */
static __attribute__((noinline)) void announce_success(struct st_callers *cs, struct st_group *g, uint32_t who)
{
	struct st_caller *c = &cs->caller[who];
	struct st_budget_news news = {.now = cs->sim->now, .attempt = c->attempt, .note = &c->note};

	st_caller_show(cs, c, (struct st_sight){.step = ST_STEP_SUCCEEDED});
	if (g->retry.budget.kind.succeeded || g->retry.hears)
		circuits(cs, g, st_retry_succeeded(&g->retry, c->client - g->first_client, &news, c->era));
	if (g->hedges)
		st_caller_land(cs, g, who);
}

static void succeed(struct st_callers *cs, struct st_group *g, uint32_t who)
{
	struct st_caller *c = &cs->caller[who];

	if (g->tells_success)
		announce_success(cs, g, who);
	g->meter->open--;
	st_meter_success(g->meter, g->place, c->begun, cs->sim->now, c->attempt);
	g->workload->ended(cs, g, who, true);
}

static void fail(struct st_callers *cs, struct st_group *g, uint32_t who, enum st_reason why)
{
	struct st_caller *c = &cs->caller[who];

	if (g->hedges)
		st_caller_leave_behind(cs, g, who);
	st_sim_mark(cs->sim, c->client, MARK_FAILED + why);
	st_caller_show(cs, c, (struct st_sight){.step = ST_STEP_GIVEN_UP, .why = why});
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
		st_caller_gauge(cs, g, ST_GAUGE_WAITING, 1);
		st_caller_show(cs, c, (struct st_sight){.step = ST_STEP_WAITS, .delay = v.delay});
		st_sim_after(cs->sim, v.delay, ST_EVENT_TIMER, who, ST_TIMER_SEND);
	} else {
		send_past_breaker(cs, g, who);
	}
}

void st_caller_send(struct st_callers *cs, uint32_t who)
{
	struct st_group *g = st_caller_group(cs, who);

	st_caller_gauge(cs, g, ST_GAUGE_WAITING, -1);
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

	st_caller_gauge(cs, g, ST_GAUGE_WAITING, -1);
	set_out(cs, g, who);
}

static inline void open_operation(struct st_callers *cs, const struct st_group *g, struct st_caller *c)
{
	c->begun = cs->sim->now;
	c->attempt = 0;
	g->counts->operations++;
	g->meter->open++;
}

void st_caller_begin(struct st_callers *cs, uint32_t who)
{
	struct st_group *g = st_caller_group(cs, who);

	st_caller_begin_backoff(cs, g, who);
	open_operation(cs, g, &cs->caller[who]);
	set_out(cs, g, who);
}

/* As after the failure of an attempt before the first. It is none: budgets and breakers hear nothing of it. */
static void wait_first(struct st_callers *cs, struct st_group *g, uint32_t who)
{
	struct st_caller *c = &cs->caller[who];
	struct st_rng jitter = st_caller_draw(cs, c, ST_RNG_BACKOFF);
	st_time none = 0;
	uint32_t k = c->attempt - --cs->restarted[who];
	st_time delay = st_backoff_wait(&g->retry.backoff, k, ST_OUTCOME_RESET, cs->previous ? &cs->previous[who] : &none, &jitter);

	if (g->cfg->deadline != ST_NEVER && delay >= g->cfg->deadline) {
		fail(cs, g, who, ST_REASON_DEADLINE);
		return;
	}
	if (delay > 0)
		c->at_once = 0;
	st_caller_gauge(cs, g, ST_GAUGE_WAITING, 1);
	st_caller_show(cs, c, (struct st_sight){.step = ST_STEP_WAITS, .delay = delay});
	st_sim_after(cs->sim, delay, ST_EVENT_TIMER, who, ST_TIMER_RETRY);
}

void st_caller_begin_again(struct st_callers *cs, uint32_t who, bool anew, bool is_lost)
{
	struct st_caller *c = &cs->caller[who];
	struct st_group *g = st_caller_group(cs, who);

	if (anew)
		st_caller_begin_backoff(cs, g, who);
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

static void attempt_failed(struct st_callers *cs, struct st_group *g, uint32_t who, st_outcome outcome)
{
	struct st_caller *c = &cs->caller[who];
	st_time hint = st_caller_obeyed_hint(cs, g, who, outcome), none = 0;
	uint32_t which = c->attempt;

	st_caller_show(cs, c, (struct st_sight){.step = ST_STEP_FAILED, .outcome = outcome});
	if (g->hedges)
		st_caller_turn_to_last(cs, who);
	struct st_rng jitter = st_caller_draw(cs, c, ST_RNG_BACKOFF), hint_jitter;

	if (hint >= 0)
		hint_jitter = st_caller_draw(cs, c, ST_RNG_HINT);
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
	st_caller_gauge(cs, g, ST_GAUGE_WAITING, 1);
	st_caller_show(cs, c, (struct st_sight){.step = ST_STEP_WAITS, .delay = v.delay});
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

	if (tag != st_caller_low_tag(c)) {
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

/* The delay of a late answer is named as a late request in st_caller_arrive(): never as that of the attempt the caller is at. */
static st_time draw_way_back(const struct st_callers *cs, uint32_t who, const struct st_group *g, uint32_t tag)
{
	const struct st_caller *c = &cs->caller[who];

	if (tag == st_caller_low_tag(c))
		return st_caller_draw_delay(cs, c, &g->cfg->network, ST_RNG_NETWORK_BACK) + detour(g, c->client, c->operation, c->attempt);
	uint32_t late = st_caller_late(cs, who);
	struct st_rng r = st_rng_open(cs->random, late, UINT32_MAX - tag, 0, ST_RNG_NETWORK_BACK);
	return st_dist_draw(&g->cfg->network, &r) + detour(g, late, UINT32_MAX - tag, 0);
}

void st_caller_reply(void *callers, uint32_t who, uint32_t tag, enum st_answer kind, st_outcome outcome, bool is_last)
{
	struct st_callers *cs = callers;
	const struct st_group *g = st_caller_group(cs, who);

	st_caller_turn_to(cs, who, tag);
	if (cs->hint && tag == st_caller_low_tag(&cs->caller[who]))
		st_caller_write_hint(cs, who, outcome);
	/* An answer at once would often be the very next event. */
	if (g->direct && is_last && st_sim_would_be_next(cs->sim, ST_EVENT_ANSWER)) {
		st_sim_skip(cs->sim);
		st_caller_turn_to_answered(cs, who, tag);
		take_answer(cs, who, tag, kind, outcome);
	} else {
		st_sim_after(cs->sim, draw_way_back(cs, who, g, tag), ST_EVENT_ANSWER, who,
		    pack(tag, (uint32_t)kind << OUTCOME_BITS | outcome));
	}
}

bool st_caller_waits(void *callers, uint32_t who, uint32_t tag)
{
	const struct st_callers *cs = callers;

	if (st_caller_group(cs, who)->hedges)
		return st_flights_find(&cs->flights, who, tag, TAG_MASK) != NULL;
	return tag == st_caller_low_tag(&cs->caller[who]);
}

/* Apart, because most timeouts find their attempt answered. */
static __attribute__((noinline)) void give_up_attempt(struct st_callers *cs, uint32_t who)
{
	struct st_caller *c = &cs->caller[who];
	struct st_group *g = st_caller_group(cs, who);

	st_sim_mark(cs->sim, c->client, ST_OUTCOME_TIMEOUT);
	st_queue_leave(&g->service->queue, who, st_caller_low_tag(c));
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

void st_caller_hedge(struct st_callers *cs, uint32_t who, uint32_t data)
{
	struct st_caller *c = &cs->caller[who];
	struct st_group *g = st_caller_group(cs, who);

	if (!st_caller_is_hedge_due(cs, g, who, data))
		return;
	st_caller_turn_to_last(cs, who);
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

