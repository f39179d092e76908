#include <config.h>

#include "model/hint.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"

static st_time jittered(const struct st_hint_jitter *j, st_time hint, struct st_rng *r)
{
	if (j->add > 0)
		return hint + st_time_from_ns((double)j->add * st_rng_uniform(r));
	if (j->share > 0.0)
		return st_time_from_ns((double)hint * (1.0 + j->share * st_rng_uniform(r)));
	return hint;
}

/* --- values: what the server asks for ----------------------------------------------------------------------------- */

struct value {
	struct st_choice choice;
	st_time (*ask)(const struct st_hint_cfg *, const struct st_hint_state *);
	bool is_estimate;
};

static st_time constant_ask(const struct st_hint_cfg *h, const struct st_hint_state *s)
{
	(void)s;
	return h->value.constant;
}

static st_time backlog_ask(const struct st_hint_cfg *h, const struct st_hint_state *s)
{
	(void)h;
	return st_time_from_s((double)s->waiting / s->capacity_per_s);
}

static st_time token_ask(const struct st_hint_cfg *h, const struct st_hint_state *s)
{
	(void)h;
	return s->token;
}

static st_time off_ask(const struct st_hint_cfg *h, const struct st_hint_state *s)
{
	(void)h;
	(void)s;
	return ST_HINT_NONE;
}

static st_time stop_ask(const struct st_hint_cfg *h, const struct st_hint_state *s)
{
	(void)h;
	(void)s;
	return ST_HINT_STOP;
}

enum { OFF, CONSTANT, STOP, TOKEN };

static const struct value values[] = {
    [OFF] = {{"off", "no hint"}, off_ask, false},
    [CONSTANT] = {{"constant", "written as a duration"}, constant_ask, false},
    [STOP] = {{"stop", "do not retry: a pushback below 0"}, stop_ask, false},
    [TOKEN] = {{"token", "time until the rate limit has a token"}, token_ask, true},
    {{"backlog", "waiting requests / capacity"}, backlog_ask, true},
};
enum { VALUES = sizeof values / sizeof *values };

/* --- forms: how it is written --------------------------------------------------------------------------------------- */

static const struct st_hint_form forms[] = {
    {{"seconds", "Retry-After as a number of seconds"}, ST_SEC, false, false},
    {{"date", "Retry-After as an HTTP date, in whole seconds: one instant for all"}, ST_SEC, true, false},
    {{"ms", "a header in milliseconds (retry-after-ms, x-ms-retry-after-ms)"}, ST_MSEC, false, false},
    {{"pushback-ms", "gRPC's pushback in milliseconds: below 0 is stop; the backoff begins anew"}, ST_MSEC, false, true},
};

static st_time rounded_up(st_time t, st_time grain)
{
	return (t + grain - 1) / grain * grain;
}

/* --- the server's side ------------------------------------------------------------------------------------------------ */

bool st_hint_goes_with(const struct st_hint_cfg *h, st_outcome o)
{
	/* A timeout or a lost connection is no answer, whatever `on` names. */
	return h->value.kind != OFF && o >= ST_OUTCOME_STATUS && st_conditions_has(&h->on, o);
}

static bool is_spread(const struct st_hint_cfg *h)
{
	return h->spread.add > 0 || h->spread.share > 0.0;
}

/* A constant is what somebody wrote into a configuration: it stays as it is. What a program computes is a whole number. */
static bool is_as_written(const struct st_hint_cfg *h)
{
	return !values[h->value.kind].is_estimate && !is_spread(h);
}

bool st_hint_is_constant(const struct st_hint_cfg *h)
{
	return is_as_written(h) && !forms[h->form].is_date;
}

bool st_hint_is_dated(const struct st_hint_cfg *h)
{
	return forms[h->form].is_date;
}

bool st_hint_is_pushback(const struct st_hint_cfg *h)
{
	return forms[h->form].is_pushback;
}

bool st_hint_asks_limit(const struct st_hint_cfg *h)
{
	return h->value.kind == TOKEN;
}

bool st_hint_is_unspeakable(const struct st_hint_cfg *h)
{
	return h->value.kind == STOP && !forms[h->form].is_pushback;
}

st_time st_hint_write(const struct st_hint_cfg *h, const struct st_hint_state *s, struct st_rng *r)
{
	const struct st_hint_form *f = &forms[h->form];
	st_time wait = values[h->value.kind].ask(h, s);

	if (wait < 0)
		return wait;
	wait = jittered(&h->spread, wait, r);
	if (f->is_date)
		return rounded_up(s->now + wait, f->grain);
	return is_as_written(h) ? wait : rounded_up(wait, f->grain);
}

st_time st_hint_read(const struct st_hint_cfg *h, st_time header, st_time now, st_time skew)
{
	if (header < 0 || !forms[h->form].is_date)
		return header;
	return header > now + skew ? header - now - skew : 0;
}

/* Not st_dist_draw(), which makes the lower half of "normal 0s sd 2s" to 0: a skew may well be negative. */
st_time st_hint_draw_skew(const struct st_dist *d, struct st_rng *r)
{
	double off = d->kind->draw(d, r);

	return st_rng_uniform(r) < 0.5 ? -st_time_from_ns(fabs(off)) : st_time_from_ns(fabs(off));
}

/* --- modes -------------------------------------------------------------------------------------------------------- */

static st_time floor_combine(const struct st_obedience_cfg *c, st_time own, st_time hint)
{
	(void)c;
	return own > hint ? own : hint;
}

static st_time replace_combine(const struct st_obedience_cfg *c, st_time own, st_time hint)
{
	(void)c;
	(void)own;
	return hint;
}

static st_time add_combine(const struct st_obedience_cfg *c, st_time own, st_time hint)
{
	(void)c;
	return own < ST_TIME_MAX - hint ? own + hint : ST_TIME_MAX;
}

static st_time clamp_combine(const struct st_obedience_cfg *c, st_time own, st_time hint)
{
	if (hint <= own)
		return own;
	return hint - own <= c->clamp ? hint : own + c->clamp;
}

static const struct st_hint_mode modes[] = {
    {{"floor", "the larger of hint and backoff"}, floor_combine, false},
    {{"replace", "the hint is the delay"}, replace_combine, false},
    {{"add", "the hint, then the backoff: the herd spreads"}, add_combine, false},
    {{"clamp", "the hint, but not less than the backoff nor more than it and clamp"}, clamp_combine, false},
    {{"require", "the hint is the delay; without a hint there is no retry"}, replace_combine, true},
    {{"ignore", "the backoff, whatever the server says"}, NULL, false},
};

/* --- what clients make of a hint ----------------------------------------------------------------------------------- */

bool st_hint_is_required(const struct st_obedience_cfg *c)
{
	return modes[c->mode].requires;
}

st_time st_hint_accepted(const struct st_obedience_cfg *c, st_time hint)
{
	const struct st_hint_mode *m = &modes[c->mode];

	if (!m->combine)
		return ST_HINT_UNHEARD;
	if (hint >= 0 && hint < c->least)
		hint = ST_HINT_NONE;
	if (hint > c->limit)
		hint = c->over == ST_HINT_TRUNCATE ? c->limit : c->over == ST_HINT_IGNORE ? ST_HINT_NONE : ST_HINT_STOP;
	return hint == ST_HINT_NONE && m->requires ? ST_HINT_STOP : hint;
}

st_time st_hint_combine(const struct st_obedience_cfg *c, st_time own, st_time hint, struct st_rng *r)
{
	return modes[c->mode].combine(c, own, jittered(&c->jitter, hint, r));
}

/* --- parameters --------------------------------------------------------------------------------------------------- */

static const struct st_choice *mode_choice(size_t i)
{
	return i < sizeof modes / sizeof *modes ? &modes[i].choice : NULL;
}

static int jitter_read(const struct st_param *p, const struct st_value *v, void *field, struct st_err *e)
{
	struct st_hint_jitter j = {0, 0.0};
	const char *text = st_param_scalar(p, v, e);

	if (!text)
		return -1;
	size_t len = strlen(text);
	double percent;

	if (len > 1 && text[len - 1] == '%') {
		if (st_text_read_double(text, &percent) != text + len - 1 || !(percent >= 0.0 && percent <= 10000.0))
			return st_param_expects(p, v, 0, NULL, e);
		j.share = st_param_percent(text, len - 1);
	} else if (strcmp(text, "none") != 0) {
		const char *why = st_time_parse(text, &j.add);

		if (why)
			return st_param_expects_word(p, v, 0, &(const char *){"none"}, 1, why, e);
	}
	*(struct st_hint_jitter *)field = j;
	return 0;
}

static void jitter_print(const struct st_param *p, const void *field, struct st_text *out)
{
	const struct st_hint_jitter *j = field;
	char buf[ST_TIME_TEXT];

	if (j->add > 0)
		st_text_add(out, st_time_format(j->add, buf));
	else if (j->share > 0.0)
		st_param_share.print(p, &j->share, out);
	else
		st_text_add(out, "none");
}

static const struct st_param_type hint_jitter = {
    .name = "hint jitter",
    .expects = "none, a duration (6s adds U(0, 6 s)) or a share (50% multiplies by U(1, 1.5))",
    .size = sizeof(struct st_hint_jitter),
    .read = jitter_read,
    .print = jitter_print,
};

static const struct st_choice overs[] = {
    [ST_HINT_GIVE_UP] = {"give-up", "fail the operation"},
    [ST_HINT_IGNORE] = {"ignore", "go by the own backoff"},
    [ST_HINT_TRUNCATE] = {"truncate", "wait as long as the limit"},
};

static const struct st_choice *over_at(size_t i)
{
	return i < sizeof overs / sizeof *overs ? &overs[i] : NULL;
}

static const struct st_choice *form_choice(size_t i)
{
	return i < sizeof forms / sizeof *forms ? &forms[i].choice : NULL;
}

static int value_read(const struct st_param *p, const struct st_value *v, void *field, struct st_err *e)
{
	struct st_hint_value x = {.kind = CONSTANT};
	const char *text = st_param_scalar(p, v, e), *words[VALUES];
	size_t n = 0;

	if (!text)
		return -1;
	for (unsigned k = 0; k < VALUES; k++) {
		if (k == CONSTANT)
			continue;
		words[n++] = values[k].choice.name;
		if (strcmp(text, values[k].choice.name) == 0)
			x.kind = k;
	}
	if (x.kind == CONSTANT) {
		const char *why = st_time_parse(text, &x.constant);

		if (why)
			return st_param_expects_word(p, v, 0, words, n, why, e);
	}
	*(struct st_hint_value *)field = x;
	return 0;
}

static void value_print(const struct st_param *p, const void *field, struct st_text *out)
{
	const struct st_hint_value *x = field;
	char buf[ST_TIME_TEXT];

	(void)p;
	st_text_add(out, x->kind == CONSTANT ? st_time_format(x->constant, buf) : values[x->kind].choice.name);
}

static const struct st_param_type hint_value = {
    .name = "hint value",
    .expects = "a duration such as 5s, backlog (the estimate waiting / capacity), token (the time until the rate limit has one), stop (a pushback below 0) or off",
    .size = sizeof(struct st_hint_value),
    .read = value_read,
    .print = value_print,
};

#define SENT(f) offsetof(struct st_hint_cfg, f)
#define OBEYED(f) offsetof(struct st_obedience_cfg, f)

const struct st_param st_hint_params[] = {
    {.name = "value", .type = &hint_value, .offset = SENT(value), .dflt = "off",
        .help = "how long the server asks clients to wait"},
    {.name = "form", .type = &st_param_choice, .offset = SENT(form), .dflt = "seconds", .choices = form_choice,
        .help = "how the hint is written"},
    {.name = "spread", .type = &hint_jitter, .offset = SENT(spread), .dflt = "none",
        .help = "randomness that the server adds to the hint, for each answer"},
    {.name = "on", .type = &st_param_conditions, .offset = SENT(on), .dflt = "[429, 503]",
        .help = "which answers carry it, whoever produced them"},
    {.name = NULL},
};

const struct st_param st_obedience_params[] = {
    {.name = "obey", .type = &st_param_share, .offset = OBEYED(obey), .dflt = "0%",
        .help = "share of the clients that obey hints, drawn once a client"},
    {.name = "mode", .type = &st_param_choice, .offset = OBEYED(mode), .dflt = "floor", .choices = mode_choice,
        .help = "how the hint and the own backoff make the delay"},
    {.name = "clamp", .type = &st_param_time, .offset = OBEYED(clamp), .dflt = "5s", .kinds = "clamp", .kinds_of = "mode",
        .help = "the most that a hint adds to the own backoff"},
    {.name = "jitter", .type = &hint_jitter, .offset = OBEYED(jitter), .dflt = "none",
        .help = "randomness that the client adds to the hint"},
    {.name = "least", .type = &st_param_time, .offset = OBEYED(least), .dflt = "0s",
        .help = "the shortest hint that counts as one; 1ns: any but 0"},
    {.name = "limit", .type = &st_param_time, .offset = OBEYED(limit), .dflt = "off", .word = "off",
        .help = "the longest hint that is accepted"},
    {.name = "over", .type = &st_param_choice, .offset = OBEYED(over), .dflt = "give-up", .choices = over_at,
        .help = "what to do with a longer one"},
    {.name = NULL},
};
