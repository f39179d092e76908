#include <config.h>

#include "twin.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "model/bucket.h"

/* At one instant things happen in this order. */
enum class { FAULT_BEGINS, FAULT_ENDS, ALL_IS_SETTLED, SERVICE_ENDS, ANSWER_ARRIVES, REQUEST_ARRIVES, TIMER_GOES_OFF, HEDGE_IS_DUE, PATIENCE_ENDS };

enum timer { OPERATION_BEGINS, RETRY_IS_DUE, GATE_OPENS, NEXT_OF_STREAM, WAITED_TOO_LONG, LIFETIME_ENDS };

struct operation {
	size_t group;
	struct client *client;
	uint32_t id, number; /* of the client in the whole run; of the operation */
	uint32_t attempts, waits; /* waits: since the backoff began */
	uint8_t note, era;        /* the budget's, the breaker's */
	st_time begun, previous;
	unsigned under_way;       /* attempts neither answered nor given up */
	st_time alone;            /* the send before which there were none */
	struct operation *older; /* all are kept to the end */
};

struct client {
	uint32_t id, operations, attempts;
	st_time start;     /* when its part of the group starts */
	bool is_connected;
	st_time since;     /* it has been */
	uint32_t waits;    /* of the backoff before, and its last wait */
	st_time previous;
};

struct attempt {
	struct operation *op;       /* NULL: it is the work of a rejection */
	uint32_t number, of_client; /* 1 is the first; how many the client had made before */
	bool over;                  /* answered in time, or given up */
	bool lost;                  /* the service went down while it was there */
	uint8_t era;
	st_time arrived, work, hint;
	uint64_t version;           /* of the row, as it was read */
	enum st_answer kind;
	st_outcome outcome;
	struct attempt *older;
};

struct event {
	st_time at;
	enum class class;
	enum timer timer;
	struct attempt *attempt;
	struct operation *op;
	struct client *client;
	size_t group, fault;
	uint32_t connection; /* how many its client had had before */
	struct event *next;
};

struct group {
	const struct st_group_cfg *cfg;
	struct st_backoff backoff;
	struct st_budget budget;
	struct st_breaker breaker;
	struct st_gate gate;
	struct st_hist seen;
	struct client *client;
	uint32_t first, stream;
};

/* CoDel's memory. */
struct codel {
	st_time above, next; /* above: when a queue that is too slow now will have been so for the interval; 0: it is not */
	unsigned long count, before;
	bool dropping;
};

struct run {
	const struct st_config *c;
	struct st_rng_family random;
	struct twin *t;
	struct event *events;
	struct group group[8];
	struct attempt **queue, **serving; /* the oldest first; in the order of their starts */
	st_time down_until;                /* after a crash */
	struct st_bucket limit;
	st_time cold_at;                   /* when the last outage ended; -1: there was none */
	size_t waiting, busy, owed; /* owed: rejections that have not cost their time yet */
	struct codel codel;
	st_time empty; /* when the queue last was */
	uint64_t version; /* of the row under OCC */
	st_time now, gauged[ST_GAUGE_N];
	__int128 (*integral)[ST_GAUGE_N]; /* of each bin */
	struct st_hist *latency;          /* of each bin */
	struct operation *operations;
	struct attempt *attempts;
};

/* --- events ------------------------------------------------------------------------------------------------------- */

static void plan(struct run *r, st_time delay, struct event e)
{
	struct event **at = &r->events, *new;

	if (delay >= r->c->duration - r->now)
		return;
	e.at = r->now + delay;
	while (*at && ((*at)->at < e.at || ((*at)->at == e.at && (*at)->class <= e.class)))
		at = &(*at)->next;
	new = st_malloc(sizeof *new);
	*new = e;
	new->next = *at;
	*at = new;
}

static void mark(struct run *r, uint32_t who, uint32_t what)
{
	struct st_sim s = {.now = r->now, .fingerprint = r->t->fingerprint};

	st_sim_mark(&s, who, what);
	r->t->fingerprint = s.fingerprint;
}

/* --- instruments -------------------------------------------------------------------------------------------------- */

static size_t bin(const struct run *r)
{
	return (size_t)(r->now / r->c->bin);
}

static void most(struct run *r, enum st_gauge_name g, size_t i)
{
	int64_t *max = &r->t->row[i][ST_CELL_QUEUE_MAX];

	if (g == ST_GAUGE_QUEUE && r->t->gauge[g] > *max)
		*max = r->t->gauge[g];
}

static void gauge(struct run *r, enum st_gauge_name g, int change)
{
	for (st_time from = r->gauged[g], to; from < r->now; from = to) {
		size_t i = (size_t)(from / r->c->bin);

		to = (st_time)(i + 1) * r->c->bin;
		if (to > r->now)
			to = r->now;
		r->integral[i][g] += (__int128)r->t->gauge[g] * (to - from);
		most(r, g, i);
	}
	if (r->now < r->c->duration)
		most(r, g, bin(r));
	r->t->gauge[g] += change;
	r->gauged[g] = r->now;
	if (r->now < r->c->duration)
		most(r, g, bin(r));
}

static bool in_window(const struct run *r, st_time t)
{
	return r->c->window.n == 2 ? r->c->window.at[0] <= t && t < r->c->window.at[1] : r->c->warmup <= t;
}

static struct st_counts *counts(struct run *r, const struct operation *op)
{
	return &r->t->group[op->group].counts;
}

static void tick(struct run *r, enum st_cell c)
{
	r->t->row[bin(r)][c]++;
}

/* --- the service -------------------------------------------------------------------------------------------------- */

/* What comes too late for its client has names of its own, by the client's count of attempts. */
static struct st_rng named(const struct run *r, const struct attempt *a, bool is_back, enum st_purpose p)
{
	return a->over ? st_rng_open(&r->random, a->op->id, UINT32_MAX - a->of_client, is_back ? 0 : a->number, p)
		       : st_rng_open(&r->random, a->op->id, a->op->number, a->number, p);
}

static struct st_rng draw(const struct run *r, const struct attempt *a, enum st_purpose p)
{
	return named(r, a, p == ST_RNG_NETWORK_BACK, p);
}

static st_time duration(const struct run *r, const struct st_dist *d, const struct attempt *a, enum st_purpose p)
{
	struct st_rng x = draw(r, a, p);

	return st_dist_draw(d, &x);
}

static bool holds(const struct run *r, const struct st_fault_cfg *f)
{
	return f->at <= r->now && r->now < f->at + f->length;
}

static bool is(const struct st_fault_cfg *f, enum st_effect_kind kind)
{
	return f->effect.kind == kind;
}

/* The i-th fault, which has the i-th number of its stream. */
static bool hits(const struct run *r, size_t i, const struct attempt *a, bool is_back)
{
	const struct st_fault_cfg *f = &r->c->fault[i];
	struct st_rng x = f->of == ST_FAULT_OF_CLIENTS ? st_rng_open(&r->random, a->op->id, 0, 0, ST_RNG_FAULT) : named(r, a, is_back, ST_RNG_FAULT);
	double u = 0;

	for (size_t k = 0; k <= i; k++)
		u = st_rng_uniform(&x);
	return u < f->share && (!f->group || strcmp(f->group, r->c->group[a->op->group].name) == 0);
}

static const struct st_fault_cfg *fault(const struct run *r, const struct attempt *a, enum st_effect_kind kind)
{
	for (size_t i = 0; i < r->c->nfaults; i++)
		if (holds(r, &r->c->fault[i]) && is(&r->c->fault[i], kind) && hits(r, i, a, false))
			return &r->c->fault[i];
	return NULL;
}

static bool is_any(const struct run *r, enum st_effect_kind kind)
{
	for (size_t i = 0; i < r->c->nfaults; i++)
		if (holds(r, &r->c->fault[i]) && is(&r->c->fault[i], kind))
			return true;
	return false;
}

static bool is_outage(const struct st_fault_cfg *f)
{
	return is(f, ST_EFFECT_RESTART) ||
	    ((is(f, ST_EFFECT_STATUS) || is(f, ST_EFFECT_REFUSE) || is(f, ST_EFFECT_BLACKHOLE)) && f->share >= 1 && !f->group);
}

/* What the faults make of a leg that begins now. */
static st_time detour(const struct run *r, const struct attempt *a, bool is_back)
{
	st_time t = 0;

	for (size_t i = 0; i < r->c->nfaults; i++)
		if (holds(r, &r->c->fault[i]) && is(&r->c->fault[i], ST_EFFECT_DELAY) && hits(r, i, a, is_back))
			t += r->c->fault[i].delay;
	return t;
}

/* The network, one way. */
static st_time leg(const struct run *r, const struct attempt *a, bool is_back)
{
	return duration(r, &r->c->group[a->op->group].network, a, is_back ? ST_RNG_NETWORK_BACK : ST_RNG_NETWORK_OUT) + detour(r, a, is_back);
}

static st_time time_to_token(struct run *r)
{
	const struct st_admission_cfg *c = &r->c->service->admission;
	uint64_t rate = isinf(c->rate_per_s) ? 0 : st_bucket_fill_rate(c->rate_per_s);

	if (isinf(c->rate_per_s))
		return 0;
	st_bucket_fill(&r->limit, rate, st_bucket_units(c->burst), r->now);
	return st_bucket_wait(&r->limit, rate);
}

static void answer(struct run *r, struct attempt *a, enum st_answer kind, st_outcome outcome)
{
	const struct st_service_cfg *s = r->c->service;
	struct st_hint_state state = {.now = r->now, .waiting = r->waiting, .token = time_to_token(r), .capacity_per_s = (double)s->workers / st_dist_mean_s(&s->service_time)};
	struct st_rng x = draw(r, a, ST_RNG_SPREAD);

	a->kind = kind;
	a->outcome = outcome;
	a->hint = st_hint_goes_with(&s->hint, outcome) ? st_hint_write(&s->hint, &state, &x) : ST_HINT_NONE;
	plan(r, leg(r, a, true), (struct event){.class = ANSWER_ARRIVES, .attempt = a});
}

/* --- how many may work, and how fast */

static bool is_down(const struct run *r)
{
	return is_any(r, ST_EFFECT_RESTART) || r->now < r->down_until;
}

static size_t in_force(const struct run *r)
{
	double share = 0, gone = 0, workers = (double)r->c->service->workers;

	for (size_t i = 0; i < r->c->nfaults; i++) {
		const struct st_fault_cfg *f = &r->c->fault[i];

		if (!holds(r, f) || !is(f, ST_EFFECT_WORKERS))
			continue;
		share += f->gone.share;
		gone += (double)f->gone.count;
	}
	gone += floor(share * workers + 0.5);
	return is_down(r) || gone > workers ? 0 : (size_t)(workers - gone);
}

static bool may_start(const struct run *r)
{
	return r->busy < in_force(r) && !is_any(r, ST_EFFECT_FREEZE);
}

/* The work that a worker does in the first t of the ramp, in the time that it takes at full speed. */
static long double done_on_ramp(const struct st_capacity_cfg *w, long double t)
{
	return w->from * t + (1.0L - w->from) * t * t / (2.0L * w->over);
}

/* How long from now until that much work is done, by bisection: the ramp is this much at first, then full speed. */
static long double warming(const struct run *r, long double work)
{
	const struct st_capacity_cfg *w = &r->c->service->capacity;
	long double u = r->now - r->cold_at, low = 0, high = w->over - u, on_ramp = done_on_ramp(w, w->over) - done_on_ramp(w, u);

	if (work > on_ramp)
		return high + work - on_ramp;
	for (int i = 0; i < 120; i++) {
		long double t = (low + high) / 2;

		*(done_on_ramp(w, u + t) - done_on_ramp(w, u) < work ? &low : &high) = t;
	}
	return low;
}

static st_time length(const struct run *r, st_time work)
{
	const struct st_capacity_cfg *w = &r->c->service->capacity;
	long double ns = work;
	size_t inside = r->busy + r->waiting;

	for (size_t i = 0; i < r->c->nfaults; i++)
		if (holds(r, &r->c->fault[i]) && is(&r->c->fault[i], ST_EFFECT_SLOW))
			ns *= r->c->fault[i].factor;
	if (inside > w->knee)
		ns += ns * w->slope * (inside - w->knee);
	if (w->over != ST_NEVER && r->cold_at >= 0 && r->now - r->cold_at < w->over)
		ns = warming(r, ns);
	work = st_time_from_ns((double)ns);
	return work > 0 ? work : 1;
}

static void work(struct run *r, st_time work, struct attempt *a)
{
	r->serving = st_realloc(r->serving, r->busy + 1, sizeof(struct attempt *));
	r->serving[r->busy++] = a;
	gauge(r, ST_GAUGE_BUSY, 1);
	plan(r, length(r, work), (struct event){.class = SERVICE_ENDS, .attempt = a});
}

static void serve(struct run *r, struct attempt *a)
{
	counts(r, a->op)->started++;
	counts(r, a->op)->queued_first += a->arrived < r->now;
	if (in_window(r, r->now)) {
		r->t->waits++;
		r->t->wait_sum += r->now - a->arrived;
	}
	work(r, a->work, a);
}

/* --- the queue ---------------------------------------------------------------------------------------------------- */

static void overload(struct run *r, struct attempt *a)
{
	const struct st_service_cfg *s = r->c->service;
	struct st_counts *n = counts(r, a->op);

	if (s->overload == ST_OUTCOME_SILENCE) {
		n->swallowed++;
		tick(r, ST_CELL_SWALLOWED);
	} else if (s->overload == ST_OUTCOME_REFUSED) {
		n->refused++;
		tick(r, ST_CELL_REFUSED);
		answer(r, a, ST_ANSWER_REFUSED, ST_OUTCOME_REFUSED);
	} else {
		n->rejected++;
		tick(r, ST_CELL_REJECTED);
		r->owed += s->reject_cost > 0;
		answer(r, a, ST_ANSWER_REJECTED, s->overload);
	}
}

static void wait_in_queue(struct run *r, struct attempt *a)
{
	if (r->waiting == 0) {
		r->empty = r->now;
		r->codel.above = 0;
		r->codel.dropping = false;
	}
	r->queue = st_realloc(r->queue, r->waiting + 1, sizeof(struct attempt *));
	r->queue[r->waiting++] = a;
	gauge(r, ST_GAUGE_QUEUE, 1);
	plan(r, duration(r, &r->c->service->queue.deadline, a, ST_RNG_QUEUE),
	    (struct event){.class = TIMER_GOES_OFF, .timer = WAITED_TOO_LONG, .attempt = a});
}

/* False if it does not wait. */
static bool leaves_queue(struct run *r, struct attempt *a)
{
	size_t i = 0;

	while (i < r->waiting && r->queue[i] != a)
		i++;
	if (i == r->waiting)
		return false;
	memmove(r->queue + i, r->queue + i + 1, (--r->waiting - i) * sizeof(struct attempt *));
	gauge(r, ST_GAUGE_QUEUE, -1);
	return true;
}

static bool is_in_vain(const struct run *r, const struct attempt *a)
{
	return a->over && r->c->service->abandoned != ST_ABANDONED_SERVE;
}

/* What has left the queue does not go to a worker. */
static void turn_away(struct run *r, struct attempt *a)
{
	if (is_in_vain(r, a)) {
		counts(r, a->op)->abandoned++;
		return;
	}
	counts(r, a->op)->dropped++;
	overload(r, a);
}

static struct attempt *pull(struct run *r, bool newest)
{
	while (r->waiting > 0) {
		struct attempt *a = r->queue[newest ? r->waiting - 1 : 0];

		leaves_queue(r, a);
		if (!is_in_vain(r, a))
			return a;
		turn_away(r, a);
	}
	return NULL;
}

/* Whether the queue that this request has come out of is slow, and has been for the interval. */
static bool is_late(struct run *r, const struct attempt *a)
{
	const struct st_queue_cfg *q = &r->c->service->queue;

	if (!a || r->now - a->arrived < q->target || r->waiting <= 1) {
		r->codel.above = 0;
		return false;
	}
	if (r->codel.above > 0)
		return r->now >= r->codel.above;
	r->codel.above = r->now + q->interval;
	return false;
}

static st_time codel_after(const struct run *r, st_time t)
{
	return t + st_time_from_ns((double)r->c->service->queue.interval / sqrt((double)r->codel.count));
}

static struct attempt *codel(struct run *r)
{
	struct codel *c = &r->codel;
	bool again = false, begun = false;

	for (;;) {
		struct attempt *a = pull(r, false);
		bool late = is_late(r, a);

		if (begun)
			return a;
		if (c->dropping && !late)
			c->dropping = false;
		else if (c->dropping && again)
			c->next = codel_after(r, c->next);
		if (c->dropping ? r->now < c->next : again || !late)
			return a;
		turn_away(r, a);
		if (c->dropping) {
			c->count++;
		} else {
			unsigned long last = c->count - c->before;

			c->count = last > 1 && r->now - c->next < 16 * r->c->service->queue.interval ? last : 1;
			c->before = c->count;
			c->next = codel_after(r, r->now);
			c->dropping = true;
			begun = true;
		}
		again = true;
	}
}

static struct attempt *controlled_delay(struct run *r)
{
	const struct st_queue_cfg *q = &r->c->service->queue;
	struct attempt *a;

	while ((a = pull(r, false)) != NULL) {
		if (r->now - a->arrived <= (a->arrived - r->empty > q->interval ? q->target : q->interval))
			return a;
		turn_away(r, a);
	}
	return NULL;
}

static struct attempt *next_of_queue(struct run *r)
{
	const char *discipline = st_queue_discipline_at(r->c->service->queue.discipline)->choice.name;

	if (strcmp(discipline, "codel") == 0)
		return codel(r);
	if (strcmp(discipline, "controlled-delay") == 0)
		return controlled_delay(r);
	if (strcmp(discipline, "adaptive-lifo") == 0)
		return pull(r, r->now - r->empty > r->c->service->queue.interval);
	return pull(r, strcmp(discipline, "lifo") == 0);
}

/* --- arrivals and ends -------------------------------------------------------------------------------------------- */

/* The row is read; then the answer travels, and the write. */
static void read_row(struct run *r, struct attempt *a)
{
	const struct st_dist *network = &r->c->group[a->op->group].network;
	struct st_rng x = draw(r, a, ST_RNG_ROUND);
	st_time back = st_dist_draw(network, &x), forth = st_dist_draw(network, &x);

	counts(r, a->op)->admitted++;
	tick(r, ST_CELL_ADMITTED);
	a->arrived = r->now;
	a->version = r->version;
	a->work = back + forth + 2 * detour(r, a, false);
	serve(r, a);
}

static void go_down(struct run *r);

static void crash(struct run *r)
{
	r->t->crashes++;
	r->down_until = r->now + r->c->service->crash_down;
	go_down(r);
	plan(r, r->c->service->crash_down, (struct event){.class = FAULT_ENDS, .fault = r->c->nfaults});
}

/* The token is taken if one is there. */
static bool is_limited(struct run *r)
{
	if (isinf(r->c->service->admission.rate_per_s))
		return false;
	if (time_to_token(r) > 0)
		return true;
	r->limit.level -= ST_BUCKET_TOKEN;
	return false;
}

static bool meets_error(const struct run *r, const struct attempt *a)
{
	struct st_rng x = draw(r, a, ST_RNG_ERROR);

	return st_rng_uniform(&x) < r->c->service->admission.error_share;
}

static void request_arrives(struct run *r, struct attempt *a)
{
	const struct st_service_cfg *s = r->c->service;
	struct st_counts *n = counts(r, a->op);
	const struct st_fault_cfg *f;

	*(a->number == 1 ? &n->first : &n->retries) += 1;
	tick(r, a->number == 1 ? ST_CELL_FIRST : ST_CELL_RETRIES);
	tick(r, ST_CELL_OFFERED);
	if (is_down(r) || fault(r, a, ST_EFFECT_REFUSE)) {
		n->refused++;
		tick(r, ST_CELL_REFUSED);
		answer(r, a, ST_ANSWER_REFUSED, ST_OUTCOME_REFUSED);
	} else if (fault(r, a, ST_EFFECT_BLACKHOLE)) {
		n->swallowed++;
		tick(r, ST_CELL_SWALLOWED);
	} else if ((f = fault(r, a, ST_EFFECT_STATUS)) != NULL) {
		n->errors++;
		tick(r, ST_CELL_ERRORS);
		answer(r, a, ST_ANSWER_ERROR, f->effect.status);
	} else if (is_limited(r)) {
		n->limited++;
		tick(r, ST_CELL_LIMITED);
		answer(r, a, ST_ANSWER_LIMITED, s->admission.limit_status);
	} else if (meets_error(r, a)) {
		n->errors++;
		tick(r, ST_CELL_ERRORS);
		answer(r, a, ST_ANSWER_ERROR, s->admission.error_status);
	} else if (is_in_vain(r, a)) {
		n->admitted++;
		tick(r, ST_CELL_ADMITTED);
		n->abandoned++;
	} else if (s->kind == ST_SERVICE_OCC) {
		read_row(r, a);
	} else if (may_start(r) || r->waiting < s->queue.limit) {
		n->admitted++;
		tick(r, ST_CELL_ADMITTED);
		a->arrived = r->now;
		a->work = duration(r, &s->service_time, a, ST_RNG_SERVICE);
		if (may_start(r))
			serve(r, a);
		else
			wait_in_queue(r, a);
		if (r->busy + r->waiting >= s->crash_at)
			crash(r);
	} else {
		overload(r, a);
	}
}

/* Something to do for a worker that has nothing; false if there is nothing. */
static bool take_up(struct run *r)
{
	struct attempt *next = r->owed == 0 ? next_of_queue(r) : NULL;

	if (next) {
		serve(r, next);
	} else if (r->owed > 0) {
		next = st_calloc(1, sizeof *next);
		next->older = r->attempts;
		r->attempts = next;
		r->owed--;
		work(r, r->c->service->reject_cost, next);
	}
	return next != NULL;
}

static void stops_work(struct run *r, size_t i)
{
	memmove(r->serving + i, r->serving + i + 1, (--r->busy - i) * sizeof(struct attempt *));
	gauge(r, ST_GAUGE_BUSY, -1);
}

static void service_ends(struct run *r, struct attempt *a)
{
	size_t i = 0;

	if (a->lost)
		return;
	while (r->serving[i] != a)
		i++;
	stops_work(r, i);
	if (may_start(r))
		take_up(r);
	if (r->c->service->kind == ST_SERVICE_OCC && a->version != r->version) {
		answer(r, a, ST_ANSWER_ERROR, st_outcome_status(409));
	} else if (a->op) {
		r->version++;
		answer(r, a, ST_ANSWER_OK, ST_OUTCOME_OK);
	}
}

/* --- faults ------------------------------------------------------------------------------------------------------- */

static void all_is_settled(struct run *r)
{
	while (may_start(r) && take_up(r))
		;
}

static void lose(struct run *r, struct attempt *a)
{
	a->lost = true;
	if (!a->op)
		return;
	counts(r, a->op)->lost++;
	answer(r, a, ST_ANSWER_RESET, ST_OUTCOME_RESET);
}

static void reconnect(struct run *r, size_t group, struct client *client, bool is_lost);

static void go_down(struct run *r)
{
	r->owed = 0;
	while (r->busy > 0) {
		struct attempt *a = r->serving[0];

		stops_work(r, 0);
		lose(r, a);
	}
	while (r->waiting > 0) {
		struct attempt *a = r->queue[0];

		leaves_queue(r, a);
		lose(r, a);
	}
	for (size_t i = 0; i < r->c->ngroups; i++)
		for (uint64_t k = 0; k < r->c->group[i].count; k++)
			if (r->group[i].client[k].is_connected)
				reconnect(r, i, &r->group[i].client[k], true);
}

static void fault_begins(struct run *r, const struct st_fault_cfg *f)
{
	if (is(f, ST_EFFECT_RESTART))
		go_down(r);
	plan(r, 0, (struct event){.class = ALL_IS_SETTLED});
}

static void outage_ends(struct run *r)
{
	if (r->now < r->down_until)
		return;
	for (size_t i = 0; i < r->c->nfaults; i++)
		if (holds(r, &r->c->fault[i]) && is_outage(&r->c->fault[i]))
			return;
	r->cold_at = r->now;
}

static void crash_ends(struct run *r)
{
	outage_ends(r);
	plan(r, 0, (struct event){.class = ALL_IS_SETTLED});
}

static void fault_ends(struct run *r, const struct st_fault_cfg *f)
{
	if (is_outage(f))
		outage_ends(r);
	plan(r, 0, (struct event){.class = ALL_IS_SETTLED});
}

/* --- hedging ------------------------------------------------------------------------------------------------------ */

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

static void over(struct run *r, struct attempt *a)
{
	a->over = true;
	a->op->under_way--;
	r->t->in_flight--;
}

static void abandon_others(struct run *r, struct operation *op)
{
	struct group *g = &r->group[op->group];

	for (struct attempt *a = r->attempts; a && op->under_way > 0; a = a->older) {
		if (a->op != op || a->over)
			continue;
		over(r, a);
		counts(r, op)->outrun++;
		st_budget_outrun(&g->budget, op->id - g->first, &(struct st_budget_news){.now = r->now, .attempt = a->number});
		if (g->cfg->retry.breaker.kind)
			st_breaker_forget(&g->breaker, op->id - g->first, a->era);
	}
}

/* --- the clients -------------------------------------------------------------------------------------------------- */

static void send(struct run *r, struct operation *op)
{
	const struct st_group_cfg *g = &r->c->group[op->group];
	struct attempt *a = st_calloc(1, sizeof *a);

	*a = (struct attempt){.op = op, .number = ++op->attempts, .era = op->era, .older = r->attempts};
	if (op->under_way++ == 0)
		op->alone = r->now;
	a->of_client = op->client ? op->client->attempts++ : 0;
	r->attempts = a;
	counts(r, op)->attempts++;
	counts(r, op)->retried += a->number > 1;
	r->t->in_flight++;
	mark(r, op->id, ST_OUTCOME_N);
	st_budget_sent(&r->group[op->group].budget, op->id - r->group[op->group].first,
	    &(struct st_budget_news){.now = r->now, .attempt = a->number});
	st_time patience = duration(r, &g->timeout, a, ST_RNG_TIMEOUT);
	if (g->deadline != ST_NEVER && op->begun + g->deadline - r->now < patience)
		patience = op->begun + g->deadline - r->now;
	if (patience != ST_NEVER)
		plan(r, patience, (struct event){.class = PATIENCE_ENDS, .attempt = a});
	plan(r, leg(r, a, false), (struct event){.class = REQUEST_ARRIVES, .attempt = a});
	plan(r, hedge_delay(&r->group[op->group]), (struct event){.class = HEDGE_IS_DUE, .attempt = a});
}

static bool is_kind(const struct st_group_cfg *g, const char *name)
{
	struct st_text t = ST_TEXT_INIT;

	st_param_print(&st_workload_params[0], &g->workload, &t);
	bool is = strcmp(t.s, name) == 0;
	st_text_release(&t);
	return is;
}

/* When `amount` has passed on the clock of a group that runs faster in its surge: stretch by stretch. */
static st_time surged(const struct st_workload_cfg *w, st_time from, st_time amount)
{
	const st_time edge[] = {w->surge.at, w->surge.at + w->surge.length};
	const double speed[] = {1.0, w->surge.factor};

	for (int i = 0; i < 2; i++) {
		double passes = (double)(edge[i] - from) * speed[i];

		if (from >= edge[i])
			continue;
		if (amount == 0 || (double)amount < passes)
			return from + st_time_from_ns((double)amount / speed[i]);
		amount = st_time_from_ns((double)amount - passes);
		from = edge[i];
	}
	return from + amount;
}

static void think(struct run *r, size_t group, struct client *client, st_time from)
{
	const struct st_workload_cfg *w = &r->c->group[group].workload;
	struct st_rng x = st_rng_open(&r->random, client->id, client->operations, 0, ST_RNG_THINK);

	if (client->operations < w->operations)
		plan(r, surged(w, from, st_dist_draw(&w->think, &x)) - r->now,
		    (struct event){.class = TIMER_GOES_OFF, .timer = OPERATION_BEGINS, .group = group, .client = client});
}

/* The first of the client's ticks n, n + 1, ... that has not gone by. */
static void next_tick(struct run *r, size_t group, struct client *client, uint32_t n)
{
	const struct st_workload_cfg *w = &r->c->group[group].workload;

	for (; n < w->operations; n++) {
		struct st_rng x = st_rng_open(&r->random, client->id, w->redraw == ST_REDRAW_TICK ? n : 0, 0, ST_RNG_ARRIVAL);
		st_time at = client->start + w->offset + n * w->period + st_time_from_ns((double)w->spread * st_rng_uniform(&x));

		if (at < r->now)
			continue;
		client->operations = n;
		plan(r, at - r->now, (struct event){.class = TIMER_GOES_OFF, .timer = OPERATION_BEGINS, .group = group, .client = client});
		return;
	}
}

/* How much passes on the same clock. */
static double passes(const struct st_workload_cfg *w, st_time from, st_time to)
{
	const st_time edge[] = {0, w->surge.at, w->surge.at + w->surge.length, INT64_MAX};
	const double speed[] = {1.0, w->surge.factor, 1.0};
	double sum = 0.0;

	for (int i = 0; i < 3; i++) {
		st_time a = from > edge[i] ? from : edge[i], b = to < edge[i + 1] ? to : edge[i + 1];

		sum += a < b ? (double)(b - a) * speed[i] : 0.0;
	}
	return sum;
}

/* The n-th arrival of a trace of rates, the last having been at `last`. */
static st_time of_rates(const struct st_workload_cfg *w, st_time last, struct st_rng *x)
{
	double left = st_rng_exponential(x);

	for (size_t i = 0; i < w->trace.n; i++) {
		bool is_last = i + 1 == w->trace.n;
		st_time from = w->trace.at[i] > last ? w->trace.at[i] : last, to = is_last ? ST_TIME_MAX : w->trace.at[i + 1];
		double rate = w->trace.value[i];

		if (from >= to || rate <= 0.0)
			continue;
		st_time at = surged(w, from, st_time_from_ns(left * 1e9 / rate));
		if (at < to)
			return at;
		left -= passes(w, from, to) * rate / 1e9;
	}
	return ST_TIME_MAX;
}

/* The n-th of a trace of counts: in its row, the k-th of so many that are even on the row's stretch. */
static st_time of_counts(const struct st_trace *t, uint32_t n, st_time last, struct st_rng *x)
{
	uint64_t before = 0;

	for (size_t i = 0; i < t->n; i++) {
		uint64_t count = (uint64_t)t->value[i];
		st_time end = i + 1 < t->n ? t->at[i + 1] : t->at[i] + (t->at[i] - t->at[i - 1]);
		st_time from = n == before ? t->at[i] : last;

		if (n < before + count) {
			double u = -expm1(log(st_rng_uniform(x)) / (double)(before + count - n));
			st_time at = from + st_time_from_ns((double)(end - from) * u);

			return at < end ? at : end - 1;
		}
		before += count;
	}
	return ST_TIME_MAX;
}

static void replay(struct run *r, size_t group)
{
	const struct st_workload_cfg *w = &r->c->group[group].workload;
	uint32_t n = r->group[group].stream;
	struct st_rng x = st_rng_open(&r->random, UINT32_MAX - (uint32_t)group, n, 0, ST_RNG_ARRIVAL);
	st_time at = w->trace.form == ST_TRACE_RATES  ? of_rates(w, r->now, &x)
		   : w->trace.form == ST_TRACE_COUNTS ? of_counts(&w->trace, n, r->now, &x)
		   : n < w->trace.n                   ? w->trace.at[n]
						      : ST_TIME_MAX;

	plan(r, at - r->now, (struct event){.class = TIMER_GOES_OFF, .timer = NEXT_OF_STREAM, .group = group});
}

static void stream(struct run *r, size_t group)
{
	const struct st_group_cfg *g = &r->c->group[group];
	uint32_t n = r->group[group].stream;
	struct st_rng x = st_rng_open(&r->random, UINT32_MAX - (uint32_t)group, n, 0, ST_RNG_ARRIVAL);

	if (is_kind(g, "trace"))
		replay(r, group);
	else if (g->workload.rate_per_s > 0 && (g->workload.operations == ST_UNLIMITED || n < g->workload.operations * g->count))
		plan(r, surged(&g->workload, r->now, st_time_from_ns(st_rng_exponential(&x) * 1e9 / g->workload.rate_per_s)) - r->now,
		    (struct event){.class = TIMER_GOES_OFF, .timer = NEXT_OF_STREAM, .group = group});
}

static void connect(struct run *r, size_t group, struct client *client, st_time from)
{
	struct st_rng x = st_rng_open(&r->random, client->id, client->operations, 0, ST_RNG_THINK);
	st_time life = st_dist_draw(&r->c->group[group].workload.lifetime, &x);

	client->is_connected = true;
	client->since = from;
	if (life != ST_NEVER)
		plan(r, from + life - r->now, (struct event){.class = TIMER_GOES_OFF, .timer = LIFETIME_ENDS, .group = group,
		    .client = client, .connection = client->operations});
}

static void end(struct run *r, struct operation *op, bool succeeded)
{
	struct twin_group *g = &r->t->group[op->group];

	g->ended_with[op->attempts < ST_METER_ATTEMPTS_MAX ? op->attempts : ST_METER_ATTEMPTS_MAX]++;
	r->t->open--;
	abandon_others(r, op);
	if (op->client)
		op->client->operations++;
	if (is_kind(&r->c->group[op->group], "think"))
		think(r, op->group, op->client, r->now);
	if (is_kind(&r->c->group[op->group], "periodic"))
		next_tick(r, op->group, op->client, op->client->operations);
	if (is_kind(&r->c->group[op->group], "connection") && succeeded) {
		op->client->waits = op->waits;
		op->client->previous = op->previous;
		connect(r, op->group, op->client, r->now);
	}
}

static void give_up(struct run *r, struct operation *op, enum st_reason why)
{
	counts(r, op)->failures[why]++;
	tick(r, ST_CELL_FAILED);
	mark(r, op->id, ST_OUTCOME_N + 2 + why);
	end(r, op, false);
}

static void succeed(struct run *r, struct attempt *a)
{
	struct operation *op = a->op;
	struct group *g = &r->group[op->group];
	struct twin_group *t = &r->t->group[op->group];

	t->counts.successes++;
	t->last_success = r->now;
	if (in_window(r, op->begun)) {
		t->latencies++;
		t->latency_sum += r->now - op->begun;
	}
	st_hist_add(&r->latency[bin(r)], r->now - op->begun);
	st_hist_add(&g->seen, r->now - op->alone);
	st_budget_succeeded(&g->budget, op->id - g->first,
	    &(struct st_budget_news){.now = r->now, .attempt = a->number, .note = &op->note});
	if (g->cfg->retry.gate.kind)
		st_gate_ended(&g->gate, op->id - g->first, r->now, ST_OUTCOME_OK, true);
	if (g->cfg->retry.breaker.kind)
		gauge(r, ST_GAUGE_BREAKERS_OPEN, st_breaker_ended(&g->breaker, op->id - g->first, r->now, a->era, false));
	end(r, op, true);
}

static void past_breaker(struct run *r, struct operation *op)
{
	struct group *g = &r->group[op->group];

	if (g->cfg->retry.breaker.kind && !st_breaker_admit(&g->breaker, op->id - g->first, r->now, &op->era)) {
		if (op->attempts > 0)
			st_budget_dropped(&g->budget, op->id - g->first);
		give_up(r, op, ST_REASON_BREAKER);
		return;
	}
	send(r, op);
}

/* Another attempt goes out beside those under way, if this is still the last one and nothing speaks against it. */
static void hedge_is_due(struct run *r, struct attempt *a)
{
	struct operation *op = a->op;
	struct group *g = &r->group[op->group];
	const struct st_retry_cfg *t = &g->cfg->retry;
	uint32_t client = op->id - g->first;
	struct st_rng x = st_rng_open(&r->random, op->id, op->number, op->attempts + 1, ST_RNG_HEDGE);
	struct st_budget_news ask = {.now = r->now, .attempt = op->attempts, .outcome = ST_OUTCOME_OK, .note = &op->note};
	bool token = true;
	int turned = 0;

	if (a->number != op->attempts || op->under_way == 0 || op->under_way >= t->hedge.in_flight || op->attempts >= t->attempts)
		return;
	if (g->cfg->deadline != ST_NEVER && r->now >= op->begun + g->cfg->deadline)
		return;
	if (t->breaker.kind && !st_breaker_would_admit(&g->breaker, client, r->now))
		return;
	if (st_budget_is_on(&g->budget))
		token = st_budget_take(&g->budget, client, &ask, &turned);
	gauge(r, ST_GAUGE_BREAKERS_OPEN, turned);
	if (token && t->gate.kind && st_gate_ask(&g->gate, client, r->now, &x) < 0) {
		st_budget_dropped(&g->budget, client);
		token = false;
	}
	if (!token) {
		counts(r, op)->denied++;
		tick(r, ST_CELL_DENIED);
		return;
	}
	if (t->breaker.kind)
		st_breaker_admit(&g->breaker, client, r->now, &op->era);
	op->waits++;
	send(r, op);
}

/* The next attempt goes out, if nothing stands before it. */
static void set_out(struct run *r, struct operation *op)
{
	struct group *g = &r->group[op->group];
	uint32_t client = op->id - g->first;
	bool first = op->attempts == 0, breaker = g->cfg->retry.breaker.kind != 0;
	int turned = 0;

	if (breaker && !st_breaker_would_admit(&g->breaker, client, r->now)) {
		if (!first)
			st_budget_dropped(&g->budget, client);
		give_up(r, op, ST_REASON_BREAKER);
		return;
	}
	bool open = first && st_budget_is_on(&g->budget) && !st_budget_admits(&g->budget, client, r->now, &turned);
	gauge(r, ST_GAUGE_BREAKERS_OPEN, turned);
	if (open) {
		give_up(r, op, ST_REASON_BUDGET);
		return;
	}
	if (g->cfg->retry.gate.kind) {
		struct st_rng x = st_rng_open(&r->random, op->id, op->number, op->attempts + 1, ST_RNG_GATE);
		st_time wait = st_gate_ask(&g->gate, client, r->now, &x);
		bool late = wait > 0 && g->cfg->deadline != ST_NEVER && r->now + wait >= op->begun + g->cfg->deadline;

		if (wait < 0 || late) {
			if (!first)
				st_budget_dropped(&g->budget, client);
			counts(r, op)->denied += !first && !late;
			r->t->row[bin(r)][ST_CELL_DENIED] += !first && !late;
			give_up(r, op, late ? ST_REASON_DEADLINE : ST_REASON_BUDGET);
			return;
		}
		if (wait > 0) {
			gauge(r, ST_GAUGE_WAITING, 1);
			plan(r, wait, (struct event){.class = TIMER_GOES_OFF, .timer = GATE_OPENS, .op = op});
			return;
		}
	}
	past_breaker(r, op);
}

static struct operation *open_operation(struct run *r, size_t group, struct client *client, uint32_t id, uint32_t number)
{
	struct group *g = &r->group[group];
	struct operation *op = st_calloc(1, sizeof *op);

	*op = (struct operation){.group = group, .client = client, .id = id, .number = number, .begun = r->now,
	    .previous = st_backoff_first(&g->backoff), .older = r->operations};
	r->operations = op;
	counts(r, op)->operations++;
	r->t->open++;
	return op;
}

static void begin(struct run *r, size_t group, struct client *client, uint32_t id, uint32_t number)
{
	set_out(r, open_operation(r, group, client, id, number));
}

/* The connection is gone: its client opens another, after a wait if it was lost. */
static void reconnect(struct run *r, size_t group, struct client *client, bool is_lost)
{
	const struct st_group_cfg *g = &r->c->group[group];

	client->is_connected = false;
	if (client->operations >= g->workload.operations)
		return;
	struct operation *op = open_operation(r, group, client, client->id, client->operations);
	if (g->retry.backoff.reset != ST_NEVER && r->now - client->since < g->retry.backoff.reset) {
		op->waits = client->waits;
		op->previous = client->previous;
	}
	if (!is_lost) {
		set_out(r, op);
		return;
	}
	struct st_rng x = st_rng_open(&r->random, op->id, op->number, 0, ST_RNG_BACKOFF);
	st_time delay = st_backoff_wait(&r->group[group].backoff, ++op->waits, ST_OUTCOME_RESET, &op->previous, &x);

	if (g->deadline != ST_NEVER && delay >= g->deadline) {
		give_up(r, op, ST_REASON_DEADLINE);
		return;
	}
	gauge(r, ST_GAUGE_WAITING, 1);
	plan(r, delay, (struct event){.class = TIMER_GOES_OFF, .timer = RETRY_IS_DUE, .op = op});
}

static st_time hint_for(const struct run *r, const struct attempt *a, st_outcome outcome)
{
	const struct operation *op = a->op;
	struct st_rng y = st_rng_open(&r->random, op->id, 0, 0, ST_RNG_CLOCK);
	st_time skew = st_hint_draw_skew(&r->group[op->group].cfg->clock_skew, &y);
	st_time said = outcome == ST_OUTCOME_TIMEOUT ? ST_HINT_NONE : st_hint_read(&r->c->service->hint, a->hint, r->now, skew);
	struct st_rng x = st_rng_open(&r->random, op->id, 0, 0, ST_RNG_OBEY);

	return st_rng_uniform(&x) < r->group[op->group].cfg->retry.hint.obey ? said : ST_HINT_UNHEARD;
}

static void failed(struct run *r, struct attempt *a, st_outcome outcome)
{
	struct operation *op = a->op;
	struct group *g = &r->group[op->group];
	const struct st_retry_cfg *t = &g->cfg->retry;
	struct st_rng x = st_rng_open(&r->random, op->id, op->number, op->attempts, ST_RNG_BACKOFF);
	struct st_rng y = st_rng_open(&r->random, op->id, op->number, op->attempts, ST_RNG_HINT);
	st_time hint = hint_for(r, a, outcome);
	bool breaker = t->breaker.kind != 0, wanted = st_conditions_has(&t->on, outcome), goes_on = wanted && op->under_way > 0;
	st_time delay = goes_on ? 0 : st_backoff_wait(&g->backoff, ++op->waits, outcome, &op->previous, &x);
	int turned = 0;

	hint = goes_on ? ST_HINT_UNHEARD : st_hint_accepted(&t->hint, hint);
	if (hint >= 0)
		delay = st_hint_combine(&t->hint, delay, hint, &y);
	if (hint >= 0 && st_hint_is_pushback(&r->c->service->hint)) {
		op->waits = 0;
		op->previous = st_backoff_first(&g->backoff);
	}
	struct st_budget_news news = {.now = r->now, .attempt = a->number, .outcome = outcome,
	    .retryable = hint == ST_HINT_STOP || wanted, .delay = delay, .note = &op->note};
	st_budget_failed(&g->budget, op->id - g->first, &news);
	if (t->gate.kind)
		st_gate_ended(&g->gate, op->id - g->first, r->now, outcome, !news.retryable);
	if (breaker)
		gauge(r, ST_GAUGE_BREAKERS_OPEN, st_breaker_ended(&g->breaker, op->id - g->first, r->now, a->era, news.retryable));
	if (goes_on)
		return;
	news.attempt = op->attempts;
	if (!wanted)
		give_up(r, op, ST_REASON_NOT_RETRYABLE);
	else if (op->attempts >= t->attempts)
		give_up(r, op, ST_REASON_ATTEMPTS);
	else if (g->cfg->deadline != ST_NEVER && r->now + delay >= op->begun + g->cfg->deadline)
		give_up(r, op, ST_REASON_DEADLINE);
	else if (hint == ST_HINT_STOP)
		give_up(r, op, ST_REASON_HINT);
	else if (breaker && st_breaker_blocks(&g->breaker, op->id - g->first, r->now + delay))
		give_up(r, op, ST_REASON_BREAKER);
	else if (st_budget_is_on(&g->budget) && !st_budget_take(&g->budget, op->id - g->first, &news, &turned)) {
		counts(r, op)->denied++;
		tick(r, ST_CELL_DENIED);
		gauge(r, ST_GAUGE_BREAKERS_OPEN, turned);
		give_up(r, op, ST_REASON_BUDGET);
	} else {
		gauge(r, ST_GAUGE_BREAKERS_OPEN, turned);
		gauge(r, ST_GAUGE_WAITING, 1);
		plan(r, delay, (struct event){.class = TIMER_GOES_OFF, .timer = RETRY_IS_DUE, .op = op});
	}
}

static void answer_arrives(struct run *r, struct attempt *a)
{
	struct st_counts *n = counts(r, a->op);

	if (a->over) {
		mark(r, 0, ST_OUTCOME_N + 1);
		if (a->kind == ST_ANSWER_OK)
			tick(r, ST_CELL_WASTED);
		*(a->kind == ST_ANSWER_OK ? &n->wasted : &n->late) += 1;
		return;
	}
	over(r, a);
	mark(r, a->op->id, a->outcome);
	n->answered[a->kind]++;
	if (a->kind == ST_ANSWER_OK) {
		tick(r, ST_CELL_OK);
		succeed(r, a);
	} else {
		failed(r, a, a->outcome);
	}
}

static void patience_ends(struct run *r, struct attempt *a)
{
	if (a->over)
		return;
	over(r, a);
	mark(r, a->op->id, ST_OUTCOME_TIMEOUT);
	counts(r, a->op)->timed_out++;
	tick(r, ST_CELL_TIMED_OUT);
	if (r->c->service->abandoned == ST_ABANDONED_LEAVE && leaves_queue(r, a))
		turn_away(r, a);
	failed(r, a, ST_OUTCOME_TIMEOUT);
}

static void timer_goes_off(struct run *r, const struct event *e)
{
	struct group *g = &r->group[e->group];

	if (e->timer == RETRY_IS_DUE) {
		gauge(r, ST_GAUGE_WAITING, -1);
		set_out(r, e->op);
	} else if (e->timer == GATE_OPENS) {
		gauge(r, ST_GAUGE_WAITING, -1);
		past_breaker(r, e->op);
	} else if (e->timer == WAITED_TOO_LONG) {
		if (leaves_queue(r, e->attempt))
			turn_away(r, e->attempt);
	} else if (e->timer == OPERATION_BEGINS) {
		begin(r, e->group, e->client, e->client->id, e->client->operations);
	} else if (e->timer == LIFETIME_ENDS) {
		if (e->client->is_connected && e->client->operations == e->connection)
			reconnect(r, e->group, e->client, g->cfg->workload.at_end == ST_AT_END_BACKOFF);
	} else {
		uint32_t n = g->stream++;
		struct st_rng x = st_rng_open(&r->random, UINT32_MAX - (uint32_t)e->group, n, 0, ST_RNG_CLIENT);

		stream(r, e->group);
		begin(r, e->group, NULL, g->first + (uint32_t)st_rng_below(&x, g->cfg->count), n);
	}
}

/* --- the run ------------------------------------------------------------------------------------------------------ */

static void seed_group(struct run *r, size_t i)
{
	struct group *g = &r->group[i];
	const struct st_workload_cfg *w = &g->cfg->workload;

	if (is_kind(g->cfg, "poisson") || is_kind(g->cfg, "trace")) {
		stream(r, i);
		return;
	}
	for (uint64_t k = 0; k < g->cfg->count; k++) {
		if (is_kind(g->cfg, "think")) {
			think(r, i, &g->client[k], g->client[k].start);
			continue;
		}
		if (is_kind(g->cfg, "periodic")) {
			next_tick(r, i, &g->client[k], 0);
			continue;
		}
		struct st_rng x = st_rng_open(&r->random, g->client[k].id, 0, 0, ST_RNG_ARRIVAL);
		st_time later = st_time_from_ns((double)w->spread * st_rng_uniform(&x));
		if (is_kind(g->cfg, "connection") && w->begin == ST_BEGIN_CONNECTED) {
			g->client[k].previous = st_backoff_first(&g->backoff);
			connect(r, i, &g->client[k], w->at + g->client[k].start + later);
			continue;
		}
		plan(r, w->at + g->client[k].start + later,
		    (struct event){.class = TIMER_GOES_OFF, .timer = OPERATION_BEGINS, .group = i, .client = &g->client[k]});
	}
}

static void start(struct run *r)
{
	uint32_t id = 0;

	if (r->c->service->kind == ST_SERVICE_POOL)
		gauge(r, ST_GAUGE_WORKERS, (int)r->c->service->workers);
	for (size_t i = 0; i < r->c->nfaults; i++) {
		plan(r, r->c->fault[i].at, (struct event){.class = FAULT_BEGINS, .fault = i});
		plan(r, r->c->fault[i].at + r->c->fault[i].length, (struct event){.class = FAULT_ENDS, .fault = i});
	}
	for (size_t i = 0; i < r->c->ngroups; i++) {
		struct group *g = &r->group[i];

		g->cfg = &r->c->group[i];
		g->first = id;
		g->client = st_calloc(g->cfg->count, sizeof *g->client);
		for (uint64_t k = 0; k < g->cfg->count; k++) {
			const struct st_workload_cfg *w = &g->cfg->workload;

			g->client[k].id = id++;
			g->client[k].start = (st_time)(k * w->start.groups / g->cfg->count) * w->start.every;
		}
		st_backoff_init(&g->backoff, &g->cfg->retry.backoff);
		st_budget_init(&g->budget, &g->cfg->retry.budget, g->cfg->count);
		st_breaker_init(&g->breaker, &g->cfg->retry.breaker, g->cfg->count);
		st_hist_init(&g->seen);
		st_gate_init(&g->gate, &g->cfg->retry.gate, g->cfg->count);
		r->t->group[i].last_success = -1;
	}
	for (size_t i = 0; i < r->c->ngroups; i++)
		seed_group(r, i);
}

static void happen(struct run *r, const struct event *e)
{
	switch (e->class) {
	case FAULT_BEGINS:
		fault_begins(r, &r->c->fault[e->fault]);
		break;
	case FAULT_ENDS:
		if (e->fault < r->c->nfaults)
			fault_ends(r, &r->c->fault[e->fault]);
		else
			crash_ends(r);
		break;
	case ALL_IS_SETTLED:
		all_is_settled(r);
		break;
	case SERVICE_ENDS:
		service_ends(r, e->attempt);
		break;
	case ANSWER_ARRIVES:
		answer_arrives(r, e->attempt);
		break;
	case REQUEST_ARRIVES:
		request_arrives(r, e->attempt);
		break;
	case TIMER_GOES_OFF:
		timer_goes_off(r, e);
		break;
	case HEDGE_IS_DUE:
		hedge_is_due(r, e->attempt);
		break;
	case PATIENCE_ENDS:
		patience_ends(r, e->attempt);
		break;
	}
}

/* The integrals become means in millionths, the latencies quantiles. */
static void close_bins(struct run *r)
{
	static const struct {
		enum st_cell cell;
		enum st_gauge_name gauge;
	} mean[] = {{ST_CELL_QUEUE_MEAN, ST_GAUGE_QUEUE}, {ST_CELL_BUSY_MEAN, ST_GAUGE_BUSY}, {ST_CELL_WORKERS, ST_GAUGE_WORKERS},
	    {ST_CELL_WAITING, ST_GAUGE_WAITING}, {ST_CELL_BREAKERS_OPEN, ST_GAUGE_BREAKERS_OPEN}};

	for (size_t i = 0; i < r->t->n; i++) {
		st_time from = (st_time)i * r->c->bin, length = r->c->duration - from < r->c->bin ? r->c->duration - from : r->c->bin;
		int64_t *row = r->t->row[i];

		for (size_t k = 0; k < sizeof mean / sizeof *mean; k++)
			row[mean[k].cell] = (int64_t)((r->integral[i][mean[k].gauge] * 1000000 + length / 2) / length);
		row[ST_CELL_LATENCY_P50] = st_hist_quantile(&r->latency[i], 0.5);
		row[ST_CELL_LATENCY_P99] = st_hist_quantile(&r->latency[i], 0.99);
	}
}

static void finish(struct run *r)
{
	r->now = r->c->duration;
	for (int g = 0; g < ST_GAUGE_N; g++)
		gauge(r, (enum st_gauge_name)g, 0);
	close_bins(r);
	for (size_t i = 0; i < r->c->ngroups; i++) {
		st_budget_release(&r->group[i].budget);
		st_breaker_release(&r->group[i].breaker);
		st_gate_release(&r->group[i].gate);
		free(r->group[i].client);
	}
	for (struct operation *op = r->operations, *older; op; op = older) {
		older = op->older;
		free(op);
	}
	for (struct attempt *a = r->attempts, *older; a; a = older) {
		older = a->older;
		free(a);
	}
	free(r->queue);
	free(r->serving);
	free(r->integral);
	free(r->latency);
}

void twin_run(const struct st_config *c, uint64_t seed, uint32_t replication, struct twin *t)
{
	struct run r = {.c = c, .random = st_rng_family(seed, replication), .t = t, .cold_at = -1, .limit = {.level = st_bucket_units(c->service->admission.burst)}};

	*t = (struct twin){.n = (size_t)((c->duration + c->bin - 1) / c->bin), .fingerprint = UINT64_C(0x5eed)};
	t->row = st_calloc(t->n, sizeof *t->row);
	r.integral = st_calloc(t->n, sizeof *r.integral);
	r.latency = st_calloc(t->n, sizeof *r.latency);
	for (size_t i = 0; i < t->n; i++)
		st_hist_init(&r.latency[i]);
	start(&r);
	while (r.events) {
		struct event *e = r.events;

		r.events = e->next;
		r.now = e->at;
		happen(&r, e);
		free(e);
		if (c->service->kind == ST_SERVICE_OCC)
			continue;
		/* A worker that is gone is there until it has done what it was at. */
		gauge(&r, ST_GAUGE_WORKERS, (int)(in_force(&r) > r.busy ? in_force(&r) : r.busy) - (int)t->gauge[ST_GAUGE_WORKERS]);
	}
	finish(&r);
}

void twin_release(struct twin *t)
{
	free(t->row);
}
