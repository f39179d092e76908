#include <config.h>

#include "model/hint.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"

st_time st_hint_given(const struct st_hint_cfg *h, st_outcome o)
{
	/* A timeout or a lost connection is no answer, whatever `on` names. */
	return h->value != ST_NEVER && o >= ST_OUTCOME_STATUS && st_conditions_has(&h->on, o) ? h->value : -1;
}

bool st_hint_forbids(const struct st_obedience_cfg *c, st_time hint)
{
	return c->over == ST_HINT_GIVE_UP && hint > c->limit;
}

static st_time jittered(const struct st_hint_jitter *j, st_time hint, struct st_rng *r)
{
	if (j->add > 0)
		return hint + st_time_from_ns((double)j->add * st_rng_uniform(r));
	if (j->share > 0.0)
		return st_time_from_ns((double)hint * (1.0 + j->share * st_rng_uniform(r)));
	return hint;
}

/* --- modes -------------------------------------------------------------------------------------------------------- */

static st_time floor_combine(st_time own, st_time hint)
{
	return own > hint ? own : hint;
}

static st_time replace_combine(st_time own, st_time hint)
{
	(void)own;
	return hint;
}

static st_time add_combine(st_time own, st_time hint)
{
	return own < ST_TIME_MAX - hint ? own + hint : ST_TIME_MAX;
}

static const struct st_hint_mode modes[] = {
    {{"floor", "the larger of hint and backoff"}, floor_combine},
    {{"replace", "the hint is the delay"}, replace_combine},
    {{"add", "the hint, then the backoff: the herd spreads"}, add_combine},
};

const struct st_hint_mode *st_hint_mode_at(size_t i)
{
	return i < sizeof modes / sizeof *modes ? &modes[i] : NULL;
}

/* --- what clients make of a hint ----------------------------------------------------------------------------------- */

st_time st_hint_combine(const struct st_obedience_cfg *c, st_time own, st_time hint, struct st_rng *r)
{
	if (hint > c->limit) {
		if (c->over == ST_HINT_IGNORE)
			return own;
		hint = c->limit;
	}
	return modes[c->mode].combine(own, jittered(&c->jitter, hint, r));
}

/* --- parameters --------------------------------------------------------------------------------------------------- */

static const struct st_choice *mode_choice(size_t i)
{
	const struct st_hint_mode *m = st_hint_mode_at(i);

	return m ? &m->choice : NULL;
}

static int jitter_read(const struct st_param *p, const struct st_value *v, void *field, struct st_err *e)
{
	struct st_hint_jitter j = {0, 0.0};
	const char *text = st_param_scalar(p, v, e);

	if (!text)
		return -1;
	size_t len = strlen(text);
	char *end;

	if (len > 1 && text[len - 1] == '%') {
		j.share = strtod(text, &end) / 100.0;
		if (end != text + len - 1 || !(j.share >= 0.0 && j.share <= 100.0))
			return st_param_expects(p, v, 0, NULL, e);
	} else if (strcmp(text, "none") != 0) {
		const char *why = st_time_parse(text, &j.add);

		if (why)
			return st_param_expects(p, v, 0, why, e);
	}
	*(struct st_hint_jitter *)field = j;
	return 0;
}

static void jitter_print(const struct st_param *p, const void *field, struct st_text *out)
{
	const struct st_hint_jitter *j = field;
	char buf[ST_TIME_TEXT];

	(void)p;
	if (j->add > 0) {
		st_text_add(out, st_time_format(j->add, buf));
	} else if (j->share > 0.0) {
		st_text_add_double(out, j->share * 100.0);
		st_text_add(out, "%");
	} else {
		st_text_add(out, "none");
	}
}

static const struct st_param_type hint_jitter = {
    .name = "hint jitter",
    .expects = "none, a duration (6s adds U(0, 6 s)) or a share (50% multiplies by U(1, 1.5))",
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

static const struct st_choice *form_at(size_t i)
{
	static const struct st_choice forms[] = {{"seconds", "Retry-After as a number of seconds"}};

	return i < sizeof forms / sizeof *forms ? &forms[i] : NULL;
}

#define SENT(f) offsetof(struct st_hint_cfg, f)
#define OBEYED(f) offsetof(struct st_obedience_cfg, f)

const struct st_param st_hint_params[] = {
    {.name = "value", .type = &st_param_time, .offset = SENT(value), .dflt = "off", .word = "off",
        .help = "how long the server asks clients to wait"},
    {.name = "form", .type = &st_param_choice, .offset = SENT(form), .dflt = "seconds", .choices = form_at,
        .help = "how the hint is written"},
    {.name = "on", .type = &st_param_conditions, .offset = SENT(on), .dflt = "[429, 503]",
        .help = "which answers carry it, whoever produced them"},
    {.name = NULL},
};

const struct st_param st_obedience_params[] = {
    {.name = "obey", .type = &st_param_share, .offset = OBEYED(obey), .dflt = "0%",
        .help = "share of the clients that obey hints, drawn once a client"},
    {.name = "mode", .type = &st_param_choice, .offset = OBEYED(mode), .dflt = "floor", .choices = mode_choice,
        .help = "how the hint and the own backoff make the delay"},
    {.name = "jitter", .type = &hint_jitter, .offset = OBEYED(jitter), .dflt = "none",
        .help = "randomness that the client adds to the hint"},
    {.name = "limit", .type = &st_param_time, .offset = OBEYED(limit), .dflt = "off", .word = "off",
        .help = "the longest hint that is accepted"},
    {.name = "over", .type = &st_param_choice, .offset = OBEYED(over), .dflt = "give-up", .choices = over_at,
        .help = "what to do with a longer one"},
    {.name = NULL},
};
