#include <config.h>

#include "model/config.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "model/workload.h"

st_time st_config_fault_end(const struct st_config *c)
{
	return st_fault_last_end(c->fault, c->nfaults);
}

uint32_t st_config_find_group(const struct st_config *c, const char *name)
{
	for (uint32_t i = 0; i < c->ngroups; i++)
		if (strcmp(c->group[i].name, name) == 0)
			return i;
	return ST_FAULT_EVERYBODY;
}

size_t st_config_find_service(const struct st_config *c, const char *name)
{
	size_t i = 0;

	while (i < c->nservices && strcmp(c->service[i].name, name) != 0)
		i++;
	return i;
}

/* "no service is named 'db'; did you mean 'dbs'?", to be freed; frees the names. */
static char *unknown(const char *what, const char *name, const char **known, size_t n)
{
	const char *near = st_text_nearest(name, known, n);
	char *text = st_format("no %s is named '%s'%s%s%s", what, name, near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");

	free(known);
	return text;
}

static char *no_service(const struct st_config *c, const char *name)
{
	const char **known = st_calloc(c->nservices, sizeof *known);

	for (size_t i = 0; i < c->nservices; i++)
		known[i] = c->service[i].name;
	return unknown("service", name, known, c->nservices);
}

static char *no_group(const struct st_config *c, const char *name)
{
	const char **known = st_calloc(c->ngroups, sizeof *known);

	for (size_t i = 0; i < c->ngroups; i++)
		known[i] = c->group[i].name;
	return unknown("group of clients", name, known, c->ngroups);
}

/* Whether a request of this service would come back to it. */
static bool is_cycle(const struct st_config *c, size_t service)
{
	size_t at = service;

	for (size_t i = 0; i < c->nservices && at < c->nservices && c->service[at].calls.to; i++) {
		at = st_config_find_service(c, c->service[at].calls.to);
		if (at == service)
			return true;
	}
	return false;
}

/* A configuration being looked at, and how many contradictions were found. */
struct look {
	const struct st_config *c;
	const struct st_config_ear *ear;
	size_t n;
};

static bool is_sound(const struct look *k, const void *field, size_t size)
{
	return !k->ear->in_doubt || !k->ear->in_doubt(k->ear->to, field, size);
}

#define SOUND(field) is_sound(k, &(field), sizeof(field))

static void tell(struct look *k, bool is_wrong, const char *path, const char *what)
{
	if (is_wrong)
		k->ear->tell(k->ear->to, path, what);
	k->n += is_wrong;
}

/* Of the service's KEY. */
static void tell_service(struct look *k, bool is_wrong, size_t i, const char *key, const char *what)
{
	const char *name = k->c->service[i].name;
	bool is_alone = k->c->nservices == 1 && strcmp(name, ST_SERVICE_ALONE) == 0;
	char *path = st_format("%s%s.%s", is_alone ? "" : "services.", name, key);

	tell(k, is_wrong, path, what);
	free(path);
}

/* path: of the delay. */
static void look_at_hedge(struct look *k, const struct st_retry_cfg *retry, const struct st_service_cfg *service, const char *path)
{
	if (!SOUND(retry->hedge.after) || !st_hedge_is_on(&retry->hedge))
		return;
	tell(k, SOUND(retry->attempts) && retry->attempts < 2, path, "sends attempts beside the first: retry.attempts must be at least 2");
	tell(k, service && SOUND(service->abandoned) && service->abandoned == ST_ABANDONED_LEAVE, path,
	    "and abandoned: leave of the service exclude each other; skip goes with both");
	tell(k, SOUND(retry->gate.kind) && st_gate_delays(&retry->gate), path,
	    "and a gate that makes attempts wait (cubic) exclude each other");
}

static void look_at_calls(struct look *k, size_t i)
{
	const struct st_config *c = k->c;
	const struct st_service_cfg *s = &c->service[i];
	size_t to = s->calls.to ? st_config_find_service(c, s->calls.to) : c->nservices;

	if (!s->calls.to)
		return;
	tell_service(k, SOUND(s->kind) && s->kind == ST_SERVICE_OCC, i, "calls.to",
	    "needs a service with workers: one of kind occ has none that could wait");
	if (to == c->nservices) {
		char *text = no_service(c, s->calls.to);

		tell_service(k, true, i, "calls.to", text);
		free(text);
	} else if (is_cycle(c, i)) {
		tell_service(k, true, i, "calls.to", "comes back to the same service: calls may not go in a circle");
	} else {
		char *path = st_format("services.%s.calls.retry.hedge.after", s->name);

		look_at_hedge(k, &s->calls.group.retry, &c->service[to], path);
		free(path);
	}
}

static void look_at_service(struct look *k, size_t i)
{
	const struct st_hint_cfg *hint = &k->c->service[i].hint;
	const struct st_admission_cfg *admission = &k->c->service[i].admission;

	if (SOUND(hint->value)) {
		tell_service(k, SOUND(admission->rate_per_s) && st_hint_asks_limit(hint) && !st_admission_limits(admission), i, "hint.value",
		    "token needs a rate_limit");
		tell_service(k, SOUND(hint->form) && st_hint_is_unspeakable(hint), i, "hint.value",
		    "stop can only be said by a pushback: form must be pushback-ms");
	}
	look_at_calls(k, i);
}

/* Of the fault's KEY. */
static void tell_fault(struct look *k, bool is_wrong, size_t i, const char *key, const char *what)
{
	char path[64];

	snprintf(path, sizeof path, "faults[%zu].%s", i, key);
	tell(k, is_wrong, path, what);
}

/* Frees the text. */
static void tell_unknown(struct look *k, char *text, size_t i, const char *key)
{
	tell_fault(k, true, i, key, text);
	free(text);
}

/* Whether the fault's effect goes with its service, if that is known, and with what the fault says of whom it hits. */
static void look_at_effect(struct look *k, size_t i, const struct st_service_cfg *of)
{
	static const char whole[] = "does not apply to slow, freeze, workers and restart: they are of the whole service";
	const struct st_fault_cfg *f = &k->c->fault[i];
	bool aimed = st_fault_is_aimed(f);

	tell_fault(k, of && SOUND(of->kind) && of->kind == ST_SERVICE_OCC && st_fault_is_of_workers(f), i, "effect",
	    "needs a service with workers: one of kind occ has none");
	tell_fault(k, SOUND(f->share) && !aimed && f->share < 1.0, i, "share", whole);
	tell_fault(k, SOUND(f->of) && !aimed && f->of != ST_FAULT_OF_REQUESTS, i, "of", whole);
	tell_fault(k, !aimed && f->group, i, "group", whole);
	tell_fault(k, aimed && f->group && of && of != k->c->service, i, "group", "is for the first service: no clients call another");
}

static void look_at_fault(struct look *k, size_t i)
{
	const struct st_config *c = k->c;
	const struct st_fault_cfg *f = &c->fault[i];
	bool knows_services = SOUND(c->service) && SOUND(f->service), knows_effect = SOUND(f->effect);
	size_t of = knows_services && f->service ? st_config_find_service(c, f->service) : 0;
	bool is_there = knows_services && of < c->nservices;

	if (knows_services && !is_there)
		tell_unknown(k, no_service(c, f->service), i, "service");
	if (SOUND(c->group) && f->group && !(knows_effect && !st_fault_is_aimed(f)) && st_config_find_group(c, f->group) == ST_FAULT_EVERYBODY)
		tell_unknown(k, no_group(c, f->group), i, "group");
	if (knows_effect)
		look_at_effect(k, i, is_there ? &c->service[of] : NULL);
	tell_fault(k, SOUND(f->at) && SOUND(c->duration) && f->at >= c->duration, i, "at", "must lie before the end of the run");
}

static void look_at_times(struct look *k)
{
	const struct st_config *c = k->c;
	const struct st_times *w = &c->window;
	bool knows_end = SOUND(c->duration), knows_bin = SOUND(c->bin), knows_warmup = SOUND(c->warmup);

	tell(k, knows_end && c->duration == 0, "duration", "must be longer than 0");
	tell(k, knows_bin && c->bin == 0, "bin", "must be longer than 0");
	tell(k, knows_bin && knows_end && c->bin > 0 && c->duration / c->bin >= 20000000, "bin",
	    "makes more than 20 million bins of this duration");
	tell(k, knows_warmup && knows_end && c->warmup >= c->duration && c->duration > 0, "warmup", "must be shorter than the duration");
	tell(k, w->n != 0 && w->n != 2, "window", "must have a beginning and an end: [30s, 60s]");
	tell(k, w->n == 2 && (w->at[0] >= w->at[1] || (knows_end && w->at[1] > c->duration)), "window",
	    "must begin before it ends, and end within the duration");
	tell(k, w->n == 2 && c->warmup > 0, "window", "and warmup exclude each other");
}

static void look_at_group(struct look *k, const struct st_group_cfg *g)
{
	const struct st_workload_kind *kind = st_workload_kind_at(g->workload.kind);
	bool is_known = SOUND(g->workload) && SOUND(k->c->duration) && kind->wrong;
	const char *key, *why = is_known ? kind->wrong(&g->workload, k->c->duration, &key) : NULL;
	char path[128];

	if (why) {
		snprintf(path, sizeof path, "clients.%s.workload.%s", g->name, key);
		tell(k, true, path, why);
	}
	snprintf(path, sizeof path, "clients.%s.retry.hedge.after", g->name);
	look_at_hedge(k, &g->retry, SOUND(k->c->service) ? k->c->service : NULL, path);
}

size_t st_config_contradictions(const struct st_config *c, const struct st_config_ear *ear)
{
	struct look k = {.c = c, .ear = ear};
	uint64_t clients = 0;

	look_at_times(&k);
	tell(&k, c->ngroups >= 1U << ST_REQUEST_GROUP_BITS, "clients", "has more than 4095 groups");
	tell(&k, c->nservices > ST_SERVICES_MAX, "services", "are more than 1000");
	for (size_t i = 0; i < c->nservices; i++)
		look_at_service(&k, i);
	for (size_t i = 0; i < c->ngroups; i++) {
		clients += c->group[i].count;
		look_at_group(&k, &c->group[i]);
	}
	tell(&k, clients >= UINT32_MAX - c->ngroups - ST_SERVICES_MAX, "clients", "has more than 4 billion clients");
	for (size_t i = 0; i < c->nfaults; i++)
		look_at_fault(&k, i);
	return k.n;
}

/* --- parameters --------------------------------------------------------------------------------------------------------- */

#define FIELD(f) offsetof(struct st_config, f)

const struct st_param st_config_params[] = {
    {.name = "title", .type = &st_param_text, .offset = FIELD(title), .dflt = "", .help = "what the scenario asks, for charts"},
    {.name = "duration", .type = &st_param_time, .offset = FIELD(duration), .help = "how long the run lasts"},
    {.name = "warmup", .type = &st_param_time, .offset = FIELD(warmup), .dflt = "0s",
        .help = "a first stretch that rates, shares, waits and latencies leave out"},
    {.name = "window", .type = &st_param_times, .offset = FIELD(window), .dflt = "[]",
        .help = "the stretch that rates, shares, waits and latencies are of: [FROM, TO]"},
    {.name = "bin", .type = &st_param_time, .offset = FIELD(bin), .dflt = "100ms", .help = "length of a bin of the series"},
    {.name = "seed", .type = &st_param_count, .offset = FIELD(seed), .dflt = "1", .help = "seed of all random numbers"},
    {.name = NULL},
};
