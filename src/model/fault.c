#include <config.h>

#include "model/fault.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"

/* --- effects ------------------------------------------------------------------------------------------------------------ */

struct effect {
	struct st_choice choice;
	bool is_aimed;                                                      /* may hit only some */
	bool is_outage;                                                     /* if it hits all, nobody is served */
	bool is_of_workers;                                                 /* it is theirs */
	void (*add)(const struct st_fault_cfg *, struct st_damage *);       /* while it is in force */
};

static void strikes(const struct st_fault_cfg *f, struct st_damage *d)
{
	(void)f;
	d->strikes++;
}

static void slows(const struct st_fault_cfg *f, struct st_damage *d)
{
	d->slow *= f->factor;
}

static void freezes(const struct st_fault_cfg *f, struct st_damage *d)
{
	(void)f;
	d->frozen = true;
}

static void takes_workers(const struct st_fault_cfg *f, struct st_damage *d)
{
	d->gone_share += f->gone.share;
	d->gone_count = d->gone_count < UINT64_MAX - f->gone.count ? d->gone_count + f->gone.count : UINT64_MAX;
}

static void delays(const struct st_fault_cfg *f, struct st_damage *d)
{
	(void)f;
	d->delays++;
}

static void downs(const struct st_fault_cfg *f, struct st_damage *d)
{
	d->down = true;
	strikes(f, d);
}

static const struct effect effects[ST_EFFECT_N] = {
    [ST_EFFECT_STATUS] = {{"STATUS", "requests are answered with a status, such as 503, at no cost"}, .is_aimed = true,
        .is_outage = true, .add = strikes},
    [ST_EFFECT_REFUSE] = {{"refuse", "connections are refused: an instant failure that costs the service nothing"}, .is_aimed = true,
        .is_outage = true, .add = strikes},
    [ST_EFFECT_BLACKHOLE] = {{"blackhole", "requests vanish: no answer at all"}, .is_aimed = true, .is_outage = true, .add = strikes},
    [ST_EFFECT_SLOW] = {{"slow", "services that start take `factor` times as long"}, .is_of_workers = true, .add = slows},
    [ST_EFFECT_FREEZE] = {{"freeze", "requests are queued, none is started"}, .is_of_workers = true, .add = freezes},
    [ST_EFFECT_WORKERS] = {{"workers", "some of the workers are `gone`, each as soon as it is idle"}, .is_of_workers = true,
        .add = takes_workers},
    [ST_EFFECT_DELAY] = {{"delay", "the network takes `delay` longer, each way"}, .is_aimed = true, .add = delays},
    [ST_EFFECT_RESTART] = {{"restart", "all requests in the service are lost; refuses until it is over, then begins empty"},
        .is_outage = true, .add = downs},
};

static const struct effect *effect_of(const struct st_fault_cfg *f)
{
	return &effects[f->effect.kind];
}

bool st_fault_is_aimed(const struct st_fault_cfg *f)
{
	return effect_of(f)->is_aimed;
}

bool st_fault_is_of_workers(const struct st_fault_cfg *f)
{
	return effect_of(f)->is_of_workers;
}

st_time st_fault_last_end(const struct st_fault_cfg *f, size_t n)
{
	st_time last = -1;

	for (size_t i = 0; i < n; i++)
		if (f[i].at + f[i].length > last)
			last = f[i].at + f[i].length;
	return last;
}

/* --- in a run ----------------------------------------------------------------------------------------------------------- */

void st_faults_init(struct st_faults *f, const struct st_fault_cfg *cfg, size_t n, const struct st_rng_family *random)
{
	*f = (struct st_faults){.n = n + 1, .random = random, .damage = {.slow = 1.0}};
	f->cfg = st_calloc(n + 1, sizeof *f->cfg);
	f->active = st_calloc(n + 1, sizeof *f->active);
	f->group = st_calloc(n + 1, sizeof *f->group);
	for (size_t i = 0; i < n; i++)
		f->cfg[i] = cfg[i];
	f->cfg[n] = (struct st_fault_cfg){.effect = {.kind = ST_EFFECT_RESTART}, .share = 1.0};
	for (size_t i = 0; i <= n; i++)
		f->group[i] = ST_FAULT_EVERYBODY;
}

void st_faults_release(struct st_faults *f)
{
	free(f->cfg);
	free(f->active);
	free(f->group);
}

static bool hits_all(const struct st_faults *f, size_t i)
{
	return f->cfg[i].share >= 1.0 && f->group[i] == ST_FAULT_EVERYBODY;
}

void st_faults_turn(struct st_faults *f, uint32_t i, bool begins)
{
	f->active[i] = begins;
	f->damage = (struct st_damage){.slow = 1.0};
	for (size_t k = 0; k < f->n; k++) {
		if (!f->active[k])
			continue;
		effect_of(&f->cfg[k])->add(&f->cfg[k], &f->damage);
		f->damage.outages += effect_of(&f->cfg[k])->is_outage && hits_all(f, k);
	}
}

bool st_faults_loses(const struct st_faults *f, uint32_t i)
{
	return f->cfg[i].effect.kind == ST_EFFECT_RESTART;
}

bool st_faults_ever(const struct st_faults *f, enum st_effect_kind kind)
{
	for (size_t i = 0; i < f->n; i++)
		if (f->cfg[i].effect.kind == kind)
			return true;
	return false;
}

/*
 * Whether fault i, which is in force, hits the call: a number of its own, named by the call, or by the client alone. (No call is
 * an attempt 0.)
 */
static bool hits(const struct st_faults *f, const struct st_call *c, size_t i)
{
	if (f->group[i] != ST_FAULT_EVERYBODY && f->group[i] != c->group)
		return false;
	if (f->cfg[i].share >= 1.0)
		return true;
	struct st_rng r = f->cfg[i].of == ST_FAULT_OF_CLIENTS ? st_rng_open(f->random, c->client, 0, 0, ST_RNG_FAULT)
	                                                      : st_rng_open(f->random, c->client, c->operation, c->attempt, ST_RNG_FAULT);
	double u = st_rng_uniform(&r);

	for (size_t j = 0; j < i; j++)
		u = st_rng_uniform(&r);
	return u < f->cfg[i].share;
}

static bool is_hit_by(const struct st_faults *f, const struct st_call *c, size_t i, enum st_effect_kind kind)
{
	return f->active[i] && f->cfg[i].effect.kind == kind && hits(f, c, i);
}

const struct st_fault_cfg *st_faults_strike(const struct st_faults *f, const struct st_call *c, enum st_effect_kind kind)
{
	for (size_t i = 0; i < f->n; i++)
		if (is_hit_by(f, c, i, kind))
			return &f->cfg[i];
	return NULL;
}

st_time st_faults_delay(const struct st_faults *f, const struct st_call *c)
{
	st_time sum = 0;

	for (size_t i = 0; i < f->n && sum < ST_TIME_MAX; i++)
		if (is_hit_by(f, c, i, ST_EFFECT_DELAY))
			sum += f->cfg[i].delay;
	return sum < ST_TIME_MAX ? sum : ST_TIME_MAX;
}

/* --- parameters --------------------------------------------------------------------------------------------------------- */

static const struct st_choice *effect_at(size_t i)
{
	return i < ST_EFFECT_N ? &effects[i].choice : NULL;
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
		names[i] = effects[i].choice.name;
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
	st_text_add(out, f->kind == ST_EFFECT_STATUS ? st_outcome_name(f->status, buf) : effects[f->kind].choice.name);
}

const struct st_param_type st_param_effect = {
    .name = "effect",
    .expects = "a status from 400 to 599, refuse, blackhole, slow, freeze, workers, delay or restart",
    .size = sizeof(struct st_effect),
    .read = effect_read,
    .print = effect_print,
};

/* "30%" is a share of them, "3" a number: read by the types that know these. */
static int part_read(const struct st_param *p, const struct st_value *v, void *field, struct st_err *e)
{
	const char *text = st_param_scalar(p, v, e);
	struct st_part_of x = {0.0, 0};

	if (!text)
		return -1;
	bool is_share = *text && text[strlen(text) - 1] == '%';
	int rc = is_share ? st_param_share.read(p, v, &x.share, e) : st_param_count.read(p, v, &x.count, e);
	if (rc == 0)
		*(struct st_part_of *)field = x;
	return rc;
}

static void part_print(const struct st_param *p, const void *field, struct st_text *out)
{
	const struct st_part_of *x = field;

	if (x->share > 0.0)
		st_param_share.print(p, &x->share, out);
	else
		st_param_count.print(p, &x->count, out);
}

static const struct st_param_type part_of_all = {
    .name = "share or count",
    .expects = "a share such as 30%, or a number of workers",
    .size = sizeof(struct st_part_of),
    .read = part_read,
    .print = part_print,
};

static int name_read(const struct st_param *p, const struct st_value *v, void *field, struct st_err *e)
{
	return st_param_text.read(p, v, field, e);
}

static void name_print(const struct st_param *p, const void *field, struct st_text *out)
{
	st_param_text.print(p, field, out);
}

static void name_release(void *field)
{
	st_param_text.release(field);
}

/* Texts that stand for something: whether there is such a group or service is asked when all are known. */
static const struct st_param_type group_name = {
    .name = "group",
    .expects = "the name of a group of clients",
    .size = sizeof(char *),
    .read = name_read,
    .print = name_print,
    .release = name_release,
};

const struct st_param_type st_param_service_name = {
    .name = "service",
    .expects = "the name of a service",
    .size = sizeof(char *),
    .read = name_read,
    .print = name_print,
    .release = name_release,
};

static const struct st_choice *of_at(size_t i)
{
	static const struct st_choice ofs[] = {
	    [ST_FAULT_OF_REQUESTS] = {"requests", "drawn for each request"},
	    [ST_FAULT_OF_CLIENTS] = {"clients", "drawn once a client: some meet the fault always, the others never"},
	};

	return i < sizeof ofs / sizeof *ofs ? &ofs[i] : NULL;
}

#define FIELD(f) offsetof(struct st_fault_cfg, f)

const struct st_param st_fault_params[] = {
    {.name = "at", .type = &st_param_time, .offset = FIELD(at), .help = "when it begins"},
    {.name = "for", .type = &st_param_time, .offset = FIELD(length), .help = "how long it holds: [at, at + for)"},
    {.name = "effect", .type = &st_param_effect, .offset = FIELD(effect), .choices = effect_at,
        .help = "what is broken"},
    {.name = "share", .type = &st_param_share, .offset = FIELD(share), .dflt = "100%",
        .help = "share of the requests, or of the clients, that it hits"},
    {.name = "of", .type = &st_param_choice, .offset = FIELD(of), .dflt = "requests", .choices = of_at,
        .help = "what the share is a share of"},
    {.name = "service", .type = &st_param_service_name, .offset = FIELD(service), .dflt = "first", .word = "first", .unsaid = true,
        .help = "which service is broken, where there are several"},
    {.name = "group", .type = &group_name, .offset = FIELD(group), .dflt = "all", .word = "all",
        .help = "the group of clients whose requests it hits"},
    {.name = "factor", .type = &st_param_number, .offset = FIELD(factor), .dflt = "1", .max = 1e6,
        .kinds = "slow", .kinds_of = "effect", .help = "how many times as long a service takes"},
    {.name = "gone", .type = &part_of_all, .offset = FIELD(gone), .kinds = "workers", .kinds_of = "effect",
        .help = "how many of the workers are gone: a share of them, rounded to the nearest, or a number"},
    {.name = "delay", .type = &st_param_time, .offset = FIELD(delay), .kinds = "delay", .kinds_of = "effect",
        .help = "how much longer a request or an answer is under way that is sent in the window"},
    {.name = NULL},
};
