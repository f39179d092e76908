#include <config.h>

#include "twin_run.h"

#include <math.h>
#include <string.h>

#include "base/mem.h"

/* What a service does with what comes to it. */

/* --- answers ------------------------------------------------------------------------------------------------------ */

static st_time time_to_token(struct run *r, struct server *s)
{
	const struct st_admission_cfg *c = &s->cfg->admission;
	uint64_t rate = isinf(c->rate_per_s) ? 0 : st_bucket_fill_rate(c->rate_per_s);

	if (isinf(c->rate_per_s))
		return 0;
	st_bucket_fill(&s->limit, rate, st_bucket_units(c->burst), r->now);
	return st_bucket_wait(&s->limit, rate);
}

void answer(struct run *r, struct attempt *a, enum st_answer kind, st_outcome outcome)
{
	struct server *s = a->op->group->server;
	const struct st_hint_cfg *h = &s->cfg->hint;
	struct st_hint_state state = {.now = r->now, .waiting = s->waiting, .token = time_to_token(r, s),
	    .capacity_per_s = (double)s->cfg->workers / st_dist_mean_s(&s->cfg->service_time)};
	struct st_rng x = draw(r, a, ST_RNG_SPREAD);

	a->kind = kind;
	a->outcome = outcome;
	a->hint = st_hint_goes_with(h, outcome) ? st_hint_write(h, &state, &x) : ST_HINT_NONE;
	plan(r, duration(r, &a->op->group->cfg->network, a, ST_RNG_NETWORK_BACK) + detour(r, a, true),
	    (struct event){.class = ANSWER_ARRIVES, .attempt = a});
}

void overload(struct run *r, struct server *s, struct attempt *a)
{
	struct st_counts *n = counts(a);

	if (s->cfg->overload == ST_OUTCOME_SILENCE) {
		n->swallowed++;
		tick(r, s, ST_CELL_SWALLOWED);
	} else if (s->cfg->overload == ST_OUTCOME_REFUSED) {
		n->refused++;
		tick(r, s, ST_CELL_REFUSED);
		answer(r, a, ST_ANSWER_REFUSED, ST_OUTCOME_REFUSED);
	} else {
		n->rejected++;
		tick(r, s, ST_CELL_REJECTED);
		s->owed += s->cfg->reject_cost > 0;
		answer(r, a, ST_ANSWER_REJECTED, s->cfg->overload);
	}
}

/* --- work --------------------------------------------------------------------------------------------------------- */

/* The work that a worker does in the first t of the ramp, in the time that it takes at full speed. */
static long double done_on_ramp(const struct st_capacity_cfg *w, long double t)
{
	return w->from * t + (1.0L - w->from) * t * t / (2.0L * w->over);
}

/* How long from now until that much work is done, by bisection: the ramp is this much at first, then full speed. */
static long double warming(const struct run *r, const struct server *s, long double work)
{
	const struct st_capacity_cfg *w = &s->cfg->capacity;
	long double u = r->now - s->cold_at, low = 0, high = w->over - u, on_ramp = done_on_ramp(w, w->over) - done_on_ramp(w, u);

	if (work > on_ramp)
		return high + work - on_ramp;
	for (int i = 0; i < 120; i++) {
		long double t = (low + high) / 2;

		*(done_on_ramp(w, u + t) - done_on_ramp(w, u) < work ? &low : &high) = t;
	}
	return roundl(high * 1e6L) / 1e6L; /* so that a half of a nanosecond is one */
}

static st_time length(const struct run *r, const struct server *s, st_time work)
{
	const struct st_capacity_cfg *w = &s->cfg->capacity;
	long double ns = work * (long double)slowed(r, s);
	size_t inside = s->busy + s->waiting;

	if (inside > w->knee)
		ns += ns * w->slope * (inside - w->knee);
	if (w->over != ST_NEVER && s->cold_at >= 0 && r->now - s->cold_at < w->over)
		ns = warming(r, s, ns);
	work = st_time_from_ns((double)ns);
	return work > 0 ? work : 1;
}

static bool may_start(const struct run *r, const struct server *s)
{
	return s->busy < in_force(r, s) && !is_any(r, s, ST_EFFECT_FREEZE);
}

static void work(struct run *r, struct server *s, st_time work, struct attempt *a)
{
	s->serving = st_realloc(s->serving, s->busy + 1, sizeof(struct attempt *));
	s->serving[s->busy++] = a;
	gauge(r, s, ST_GAUGE_BUSY, 1);
	plan(r, length(r, s, work), (struct event){.class = SERVICE_ENDS, .server = s, .attempt = a});
}

static void serve(struct run *r, struct server *s, struct attempt *a)
{
	counts(a)->started++;
	counts(a)->queued_first += a->arrived < r->now;
	if (in_window(r, r->now)) {
		s->told->waits++;
		s->told->wait_sum += r->now - a->arrived;
	}
	work(r, s, a->work, a);
}

/* Something to do for a worker that has nothing; false if there is nothing. */
static bool take_up(struct run *r, struct server *s)
{
	struct attempt *next = s->owed == 0 ? next_of_queue(r, s) : NULL;

	if (next) {
		serve(r, s, next);
	} else if (s->owed > 0) {
		next = st_calloc(1, sizeof *next);
		next->older = r->attempts;
		r->attempts = next;
		s->owed--;
		work(r, s, s->cfg->reject_cost, next);
	}
	return next != NULL;
}

void all_is_settled(struct run *r, struct server *s)
{
	while (may_start(r, s) && take_up(r, s))
		;
}

void stops_work(struct run *r, struct server *s, size_t i)
{
	memmove(s->serving + i, s->serving + i + 1, (--s->busy - i) * sizeof(struct attempt *));
	gauge(r, s, ST_GAUGE_BUSY, -1);
}

/* The worker that was at this looks for other work. */
static void is_done(struct run *r, struct server *s, struct attempt *a)
{
	size_t i = 0;

	while (s->serving[i] != a)
		i++;
	stops_work(r, s, i);
	if (may_start(r, s))
		take_up(r, s);
}

void service_ends(struct run *r, struct server *s, struct attempt *a)
{
	if (a->lost)
		return;
	if (s->calls && a->op) {
		struct st_rng name = draw(r, a, ST_RNG_CALL);
		struct operation *call = new_operation(r, s->calls, NULL, s->calls->first, st_rng_u32(&name));

		call->for_whom = a;
		plan(r, 0, (struct event){.class = TIMER_GOES_OFF, .timer = CALL_BEGINS, .op = call});
		return;
	}
	is_done(r, s, a);
	if (s->cfg->kind == ST_SERVICE_OCC && a->version != s->version) {
		answer(r, a, ST_ANSWER_ERROR, st_outcome_status(409));
	} else if (a->op) {
		s->version++;
		answer(r, a, ST_ANSWER_OK, ST_OUTCOME_OK);
	}
}

void call_ends(struct run *r, struct attempt *a, bool succeeded)
{
	struct server *s = a->op->group->server;

	if (a->lost)
		return;
	is_done(r, s, a);
	if (succeeded) {
		answer(r, a, ST_ANSWER_OK, ST_OUTCOME_OK);
		return;
	}
	counts(a)->errors++;
	tick(r, s, ST_CELL_ERRORS);
	answer(r, a, ST_ANSWER_ERROR, st_outcome_status((unsigned)s->cfg->calls.status));
}

/* --- arrivals ----------------------------------------------------------------------------------------------------- */

static void count_admitted(struct run *r, struct server *s, struct attempt *a)
{
	counts(a)->admitted++;
	tick(r, s, ST_CELL_ADMITTED);
	a->arrived = r->now;
}

/* The row is read; then the answer travels, and the write. */
static void read_row(struct run *r, struct server *s, struct attempt *a)
{
	const struct st_dist *network = &a->op->group->cfg->network;
	struct st_rng x = draw(r, a, ST_RNG_ROUND);
	st_time back = st_dist_draw(network, &x), forth = st_dist_draw(network, &x);

	count_admitted(r, s, a);
	a->version = s->version;
	a->work = back + forth + 2 * detour(r, a, false);
	serve(r, s, a);
}

/* The token is taken if one is there. */
static bool is_limited(struct run *r, struct server *s)
{
	if (isinf(s->cfg->admission.rate_per_s))
		return false;
	if (time_to_token(r, s) > 0)
		return true;
	s->limit.level -= ST_BUCKET_TOKEN;
	return false;
}

static bool meets_error(const struct run *r, const struct server *s, const struct attempt *a)
{
	struct st_rng x = draw(r, a, ST_RNG_ERROR);

	return st_rng_uniform(&x) < s->cfg->admission.error_share;
}

static void admit(struct run *r, struct server *s, struct attempt *a)
{
	count_admitted(r, s, a);
	a->work = duration(r, &s->cfg->service_time, a, ST_RNG_SERVICE);
	if (may_start(r, s))
		serve(r, s, a);
	else
		wait_in_queue(r, s, a);
	if (s->busy + s->waiting >= s->cfg->crash_at)
		crash(r, s);
}

void request_arrives(struct run *r, struct attempt *a)
{
	struct server *s = a->op->group->server;
	struct st_counts *n = counts(a);
	const struct st_fault_cfg *f;

	*(a->number == 1 ? &n->first : &n->retries) += 1;
	tick(r, s, a->number == 1 ? ST_CELL_FIRST : ST_CELL_RETRIES);
	tick(r, s, ST_CELL_OFFERED);
	if (is_down(r, s) || fault(r, a, ST_EFFECT_REFUSE)) {
		n->refused++;
		tick(r, s, ST_CELL_REFUSED);
		answer(r, a, ST_ANSWER_REFUSED, ST_OUTCOME_REFUSED);
	} else if (fault(r, a, ST_EFFECT_BLACKHOLE)) {
		n->swallowed++;
		tick(r, s, ST_CELL_SWALLOWED);
	} else if ((f = fault(r, a, ST_EFFECT_STATUS)) != NULL) {
		n->errors++;
		tick(r, s, ST_CELL_ERRORS);
		answer(r, a, ST_ANSWER_ERROR, f->effect.status);
	} else if (is_limited(r, s)) {
		n->limited++;
		tick(r, s, ST_CELL_LIMITED);
		answer(r, a, ST_ANSWER_LIMITED, s->cfg->admission.limit_status);
	} else if (meets_error(r, s, a)) {
		n->errors++;
		tick(r, s, ST_CELL_ERRORS);
		answer(r, a, ST_ANSWER_ERROR, s->cfg->admission.error_status);
	} else if (is_in_vain(s, a)) {
		count_admitted(r, s, a);
		n->abandoned++;
		tick(r, s, ST_CELL_ABANDONED);
	} else if (s->cfg->kind == ST_SERVICE_OCC) {
		read_row(r, s, a);
	} else if (may_start(r, s) || s->waiting < s->cfg->queue.limit) {
		admit(r, s, a);
	} else {
		overload(r, s, a);
	}
}
