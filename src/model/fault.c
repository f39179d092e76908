#include <config.h>

#include "model/fault.h"

#include <string.h>

#include "base/err.h"

static const struct st_choice effects[ST_EFFECT_N] = {
    [ST_EFFECT_STATUS] = {"STATUS", "requests are answered with a status, such as 503, at no cost"},
    [ST_EFFECT_REFUSE] = {"refuse", "connections are refused: an instant failure that costs the service nothing"},
    [ST_EFFECT_BLACKHOLE] = {"blackhole", "requests vanish: no answer at all"},
    [ST_EFFECT_SLOW] = {"slow", "services that start take `factor` times as long"},
};

static const struct st_choice *effect_at(size_t i)
{
	return i < ST_EFFECT_N ? &effects[i] : NULL;
}

st_time st_fault_last_end(const struct st_fault_cfg *f, size_t n)
{
	st_time last = -1;

	for (size_t i = 0; i < n; i++)
		if (f[i].at + f[i].length > last)
			last = f[i].at + f[i].length;
	return last;
}

static int effect_read(const struct st_param *p, const struct st_value *v, void *field, struct st_err *e)
{
	const char *text = st_param_scalar(p, v, e);
	const char *names[ST_EFFECT_N];
	struct st_effect *out = field;

	if (!text)
		return -1;
	unsigned status = st_outcome_parse_status(text);
	if (status >= 400) {
		*out = (struct st_effect){.kind = ST_EFFECT_STATUS, .status = st_outcome_status(status)};
		return 0;
	}
	for (unsigned i = 0; i < ST_EFFECT_N; i++) {
		names[i] = effects[i].name;
		if (i != ST_EFFECT_STATUS && strcmp(text, names[i]) == 0) {
			*out = (struct st_effect){.kind = i};
			return 0;
		}
	}
	/* The first row stands for every status: nobody means its name. */
	const char *near = st_text_nearest(text, names + 1, ST_EFFECT_N - 1);
	if (near)
		return st_err_add(e, ST_EXIT_USER, v->place, "unknown effect '%s'; did you mean '%s'?", text, near);
	return st_param_expects(p, v, 0, NULL, e);
}

static void effect_print(const struct st_param *p, const void *field, struct st_text *out)
{
	const struct st_effect *f = field;
	char buf[8];

	(void)p;
	st_text_add(out, f->kind == ST_EFFECT_STATUS ? st_outcome_name(f->status, buf) : effects[f->kind].name);
}

const struct st_param_type st_param_effect = {
    .name = "effect",
    .expects = "a status from 400 to 599, refuse, blackhole or slow",
    .read = effect_read,
    .print = effect_print,
};

#define FIELD(f) offsetof(struct st_fault_cfg, f)

const struct st_param st_fault_params[] = {
    {.name = "at", .type = &st_param_time, .offset = FIELD(at), .help = "when it begins"},
    {.name = "for", .type = &st_param_time, .offset = FIELD(length), .help = "how long it holds: [at, at + for)"},
    {.name = "effect", .type = &st_param_effect, .offset = FIELD(effect), .choices = effect_at,
        .help = "what is broken"},
    {.name = "share", .type = &st_param_share, .offset = FIELD(share), .dflt = "100%",
        .help = "share of the requests that it hits"},
    {.name = "factor", .type = &st_param_number, .offset = FIELD(factor), .dflt = "1", .max = 1e6,
        .kinds = "slow", .kinds_of = "effect", .help = "how many times as long a service takes"},
    {.name = NULL},
};
