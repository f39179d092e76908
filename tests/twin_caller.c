#include <config.h>

#include "twin_run.h"

#include <stdlib.h>

#include "base/mem.h"

/* Who calls a service: operations, their attempts, what follows from a failure, and hedging. */

/* --- operations --------------------------------------------------------------------------------------------------- */

/* The place that was left last, or a new one. */
static struct place *take_place(struct run *r, struct group *g)
{
	struct place *p = g->left;

	if (p) {
		g->left = p->left;
		return p;
	}
	p = st_calloc(1, sizeof *p);
	p->name = UINT32_MAX - (uint32_t)r->ngroups - r->places++;
	p->older = r->all_places;
	r->all_places = p;
	return p;
}

struct operation *new_operation(struct run *r, struct group *g, struct client *client, uint32_t id, uint32_t number)
{
	struct operation *op = st_calloc(1, sizeof *op);

	*op = (struct operation){.group = g, .client = client, .place = client ? &client->place : take_place(r, g), .id = id, .number = number,
	    .previous = st_backoff_first(&g->backoff), .older = r->operations};
	r->operations = op;
	return op;
}

void open_operation(struct run *r, struct operation *op)
{
	op->begun = r->now;
	op->group->told->counts.operations++;
	op->group->server->told->open++;
}

static struct st_rng draw_for(const struct run *r, const struct operation *op, uint32_t attempt, enum st_purpose p)
{
	return st_rng_open(&r->random, op->id, op->number, attempt, p);
}

static uint32_t client_of(const struct operation *op)
{
	return op->id - op->group->first;
}

static void denied(struct run *r, struct operation *op)
{
	op->group->told->counts.denied++;
	tick(r, op->group->server, ST_CELL_DENIED);
}

/* Circuits and breakers that opened, less those that closed. */
static void turn(struct run *r, struct operation *op, int change)
{
	gauge(r, op->group->server, ST_GAUGE_BREAKERS_OPEN, change);
}

static bool is_past_deadline(const struct operation *op, st_time t)
{
	st_time deadline = op->group->cfg->deadline;

	return deadline != ST_NEVER && t >= op->begun + deadline;
}

static void wait_for(struct run *r, struct operation *op, st_time delay, enum timer timer)
{
	gauge(r, op->group->server, ST_GAUGE_WAITING, 1);
	plan(r, delay, (struct event){.class = TIMER_GOES_OFF, .timer = timer, .op = op});
}

/* --- the end ------------------------------------------------------------------------------------------------------ */

static void over(struct attempt *a)
{
	a->over = true;
	a->op->under_way--;
	a->op->group->server->told->in_flight--;
}

static void abandon_others(struct run *r, struct operation *op)
{
	struct group *g = op->group;

	for (struct attempt *a = r->attempts; a && op->under_way > 0; a = a->older) {
		if (a->op != op || a->over)
			continue;
		over(a);
		g->told->counts.outrun++;
		st_budget_outrun(&g->budget, client_of(op), &(struct st_budget_news){.now = r->now, .attempt = a->number});
		if (g->cfg->retry.breaker.kind)
			st_breaker_forget(&g->breaker, client_of(op), a->era);
	}
}

static void end(struct run *r, struct operation *op, bool succeeded)
{
	struct group *g = op->group;

	g->told->ended_with[op->attempts < ST_METER_ATTEMPTS_MAX ? op->attempts : ST_METER_ATTEMPTS_MAX]++;
	g->server->told->open--;
	abandon_others(r, op);
	if (!op->client) {
		op->place->left = g->left;
		g->left = op->place;
	}
	if (op->for_whom)
		call_ends(r, op->for_whom, succeeded);
	else
		operation_ended(r, op, succeeded);
}

static void give_up(struct run *r, struct operation *op, enum st_reason why)
{
	op->group->told->counts.failures[why]++;
	tick(r, op->group->server, ST_CELL_FAILED);
	mark(r, op->id, ST_OUTCOME_N + 2 + why);
	end(r, op, false);
}

static void succeed(struct run *r, struct attempt *a)
{
	struct operation *op = a->op;
	struct group *g = op->group;

	see_success(r, op);
	st_hist_add(&g->seen, r->now - op->alone);
	st_budget_succeeded(&g->budget, client_of(op), &(struct st_budget_news){.now = r->now, .attempt = a->number, .note = &op->note});
	if (g->cfg->retry.gate.kind)
		st_gate_ended(&g->gate, client_of(op), r->now, ST_OUTCOME_OK, true);
	if (g->cfg->retry.breaker.kind)
		turn(r, op, st_breaker_ended(&g->breaker, client_of(op), r->now, a->era, false));
	end(r, op, true);
}

/* --- sending ------------------------------------------------------------------------------------------------------ */

/* How long the group waits before it hedges: at most to the end of the quantile's bucket. */
static st_time hedge_delay(const struct group *g)
{
	const struct st_hedge_cfg *h = &g->cfg->retry.hedge;
	uint64_t below = 0;
	size_t b = 0;

	if (!(h->after.quantile > 0.0))
		return h->after.delay;
	if (g->seen.n < h->min_seen)
		return ST_NEVER;
	while ((below += g->seen.count[b]) < st_hist_rank(h->after.quantile, g->seen.n))
		b++;
	return st_hist_last(b) < g->seen.max ? st_hist_last(b) : g->seen.max;
}

static void send(struct run *r, struct operation *op)
{
	struct group *g = op->group;
	struct attempt *a = st_calloc(1, sizeof *a);

	*a = (struct attempt){.op = op, .number = ++op->attempts, .of_place = op->place->attempts++, .era = op->era, .older = r->attempts};
	if (op->under_way++ == 0)
		op->alone = r->now;
	r->attempts = a;
	counts(a)->attempts++;
	counts(a)->retried += a->number > 1;
	g->server->told->in_flight++;
	mark(r, op->id, ST_OUTCOME_N);
	st_budget_sent(&g->budget, client_of(op), &(struct st_budget_news){.now = r->now, .attempt = a->number});
	st_time patience = duration(r, &g->cfg->timeout, a, ST_RNG_TIMEOUT);
	if (g->cfg->deadline != ST_NEVER && op->begun + g->cfg->deadline - r->now < patience)
		patience = op->begun + g->cfg->deadline - r->now;
	if (patience != ST_NEVER)
		plan(r, patience, (struct event){.class = PATIENCE_ENDS, .attempt = a});
	plan(r, duration(r, &g->cfg->network, a, ST_RNG_NETWORK_OUT) + detour(r, a, false), (struct event){.class = REQUEST_ARRIVES, .attempt = a});
	plan(r, hedge_delay(g), (struct event){.class = HEDGE_IS_DUE, .attempt = a});
}

void past_breaker(struct run *r, struct operation *op)
{
	struct group *g = op->group;

	if (g->cfg->retry.breaker.kind && !st_breaker_admit(&g->breaker, client_of(op), r->now, &op->era)) {
		if (op->attempts > 0)
			st_budget_dropped(&g->budget, client_of(op));
		give_up(r, op, ST_REASON_BREAKER);
		return;
	}
	send(r, op);
}

/* Whether the gate lets the next attempt go on at once. */
static bool is_past_gate(struct run *r, struct operation *op)
{
	struct group *g = op->group;
	struct st_rng x = draw_for(r, op, op->attempts + 1, ST_RNG_GATE);
	st_time wait = st_gate_ask(&g->gate, client_of(op), r->now, &x);
	bool first = op->attempts == 0, late = wait > 0 && is_past_deadline(op, r->now + wait);

	if (wait < 0 || late) {
		if (!first)
			st_budget_dropped(&g->budget, client_of(op));
		if (!first && !late)
			denied(r, op);
		give_up(r, op, late ? ST_REASON_DEADLINE : ST_REASON_BUDGET);
		return false;
	}
	if (wait > 0)
		wait_for(r, op, wait, GATE_OPENS);
	return wait == 0;
}

/* The next attempt goes out, if nothing stands before it. */
void set_out(struct run *r, struct operation *op)
{
	struct group *g = op->group;
	bool first = op->attempts == 0;
	int turned = 0;

	if (g->cfg->retry.breaker.kind && !st_breaker_would_admit(&g->breaker, client_of(op), r->now)) {
		if (!first)
			st_budget_dropped(&g->budget, client_of(op));
		give_up(r, op, ST_REASON_BREAKER);
		return;
	}
	bool open = first && st_budget_is_on(&g->budget) && !st_budget_admits(&g->budget, client_of(op), r->now, &turned);
	turn(r, op, turned);
	if (open)
		give_up(r, op, ST_REASON_BUDGET);
	else if (!g->cfg->retry.gate.kind || is_past_gate(r, op))
		past_breaker(r, op);
}

/* The operation's connection was dropped or lost: it waits before its first attempt. */
void wait_first(struct run *r, struct operation *op)
{
	struct st_rng x = draw_for(r, op, 0, ST_RNG_BACKOFF);
	st_time delay = st_backoff_wait(&op->group->backoff, ++op->waits, ST_OUTCOME_RESET, &op->previous, &x);

	if (is_past_deadline(op, r->now + delay))
		give_up(r, op, ST_REASON_DEADLINE);
	else
		wait_for(r, op, delay, RETRY_IS_DUE);
}

/* --- hedging ------------------------------------------------------------------------------------------------------ */

/* Another attempt goes out beside those under way, if this is still the last one and nothing speaks against it. */
void hedge_is_due(struct run *r, struct attempt *a)
{
	struct operation *op = a->op;
	struct group *g = op->group;
	const struct st_retry_cfg *t = &g->cfg->retry;
	struct st_rng x = draw_for(r, op, op->attempts + 1, ST_RNG_HEDGE);
	struct st_budget_news ask = {.now = r->now, .attempt = op->attempts, .outcome = ST_OUTCOME_OK, .note = &op->note};
	bool token = true;
	int turned = 0;

	if (a->number != op->attempts || op->under_way == 0 || op->under_way >= t->hedge.in_flight || op->attempts >= t->attempts)
		return;
	if (is_past_deadline(op, r->now))
		return;
	if (t->breaker.kind && !st_breaker_would_admit(&g->breaker, client_of(op), r->now))
		return;
	if (st_budget_is_on(&g->budget))
		token = st_budget_take(&g->budget, client_of(op), &ask, &turned);
	turn(r, op, turned);
	if (token && t->gate.kind && st_gate_ask(&g->gate, client_of(op), r->now, &x) < 0) {
		st_budget_dropped(&g->budget, client_of(op));
		token = false;
	}
	if (!token) {
		denied(r, op);
		return;
	}
	if (t->breaker.kind)
		st_breaker_admit(&g->breaker, client_of(op), r->now, &op->era);
	op->waits++;
	send(r, op);
}

/* --- failures ----------------------------------------------------------------------------------------------------- */

static st_time hint_for(const struct run *r, const struct attempt *a, st_outcome outcome)
{
	const struct operation *op = a->op;
	struct st_rng y = st_rng_open(&r->random, op->id, 0, 0, ST_RNG_CLOCK);
	st_time skew = st_hint_draw_skew(&op->group->cfg->clock_skew, &y);
	st_time said = outcome == ST_OUTCOME_TIMEOUT ? ST_HINT_NONE : st_hint_read(&op->group->server->cfg->hint, a->hint, r->now, skew);
	struct st_rng x = st_rng_open(&r->random, op->id, 0, 0, ST_RNG_OBEY);

	return st_rng_uniform(&x) < op->group->cfg->retry.hint.obey ? said : ST_HINT_UNHEARD;
}

/* The questions, in their order; `news` is what the budget hears. */
static void decide(struct run *r, struct operation *op, st_time hint, struct st_budget_news *news)
{
	struct group *g = op->group;
	const struct st_retry_cfg *t = &g->cfg->retry;
	int turned = 0;

	if (!st_conditions_has(&t->on, news->outcome)) {
		give_up(r, op, ST_REASON_NOT_RETRYABLE);
	} else if (op->attempts >= t->attempts) {
		give_up(r, op, ST_REASON_ATTEMPTS);
	} else if (is_past_deadline(op, r->now + news->delay)) {
		give_up(r, op, ST_REASON_DEADLINE);
	} else if (hint == ST_HINT_STOP) {
		give_up(r, op, ST_REASON_HINT);
	} else if (t->breaker.kind && st_breaker_blocks(&g->breaker, client_of(op), r->now + news->delay)) {
		give_up(r, op, ST_REASON_BREAKER);
	} else if (st_budget_is_on(&g->budget) && !st_budget_take(&g->budget, client_of(op), news, &turned)) {
		denied(r, op);
		turn(r, op, turned);
		give_up(r, op, ST_REASON_BUDGET);
	} else {
		turn(r, op, turned);
		wait_for(r, op, news->delay, RETRY_IS_DUE);
	}
}

static void failed(struct run *r, struct attempt *a, st_outcome outcome)
{
	struct operation *op = a->op;
	struct group *g = op->group;
	const struct st_retry_cfg *t = &g->cfg->retry;
	struct st_rng x = draw_for(r, op, op->attempts, ST_RNG_BACKOFF), y = draw_for(r, op, op->attempts, ST_RNG_HINT);
	bool wanted = st_conditions_has(&t->on, outcome), goes_on = wanted && op->under_way > 0;
	st_time delay = goes_on ? 0 : st_backoff_wait(&g->backoff, ++op->waits, outcome, &op->previous, &x);
	st_time hint = goes_on ? ST_HINT_UNHEARD : st_hint_accepted(&t->hint, hint_for(r, a, outcome));

	if (hint >= 0)
		delay = st_hint_combine(&t->hint, delay, hint, &y);
	if (hint >= 0 && st_hint_is_pushback(&g->server->cfg->hint)) {
		op->waits = 0;
		op->previous = st_backoff_first(&g->backoff);
	}
	struct st_budget_news news = {.now = r->now, .attempt = a->number, .outcome = outcome,
	    .retryable = hint == ST_HINT_STOP || wanted, .delay = delay, .note = &op->note};
	st_budget_failed(&g->budget, client_of(op), &news);
	if (t->gate.kind)
		st_gate_ended(&g->gate, client_of(op), r->now, outcome, !news.retryable);
	if (t->breaker.kind)
		turn(r, op, st_breaker_ended(&g->breaker, client_of(op), r->now, a->era, news.retryable));
	news.attempt = op->attempts;
	if (!goes_on)
		decide(r, op, hint, &news);
}

void answer_arrives(struct run *r, struct attempt *a)
{
	struct st_counts *n = counts(a);

	if (a->over) {
		mark(r, 0, ST_OUTCOME_N + 1);
		if (a->kind == ST_ANSWER_OK)
			tick(r, a->op->group->server, ST_CELL_WASTED);
		*(a->kind == ST_ANSWER_OK ? &n->wasted : &n->late) += 1;
		return;
	}
	over(a);
	mark(r, a->op->id, a->outcome);
	n->answered[a->kind]++;
	if (a->kind == ST_ANSWER_OK) {
		tick(r, a->op->group->server, ST_CELL_OK);
		succeed(r, a);
	} else {
		failed(r, a, a->outcome);
	}
}

void patience_ends(struct run *r, struct attempt *a)
{
	struct server *s = a->op->group->server;

	if (a->over)
		return;
	over(a);
	mark(r, a->op->id, ST_OUTCOME_TIMEOUT);
	counts(a)->timed_out++;
	tick(r, s, ST_CELL_TIMED_OUT);
	if (s->cfg->abandoned == ST_ABANDONED_LEAVE && leaves_queue(r, s, a))
		turn_away(r, s, a);
	failed(r, a, ST_OUTCOME_TIMEOUT);
}
