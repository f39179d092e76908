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

static size_t find_service(const struct st_config *c, const char *name)
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
		at = find_service(c, c->service[at].calls.to);
		if (at == service)
			return true;
	}
	return false;
}

static size_t tell_service(const struct st_config *c, size_t i, const char *key, const char *what, st_config_tell tell, void *to)
{
	const char *name = c->service[i].name;
	bool is_alone = c->nservices == 1 && strcmp(name, ST_SERVICE_ALONE) == 0;
	char *path = st_format("%s%s.%s", is_alone ? "" : "services.", name, key);

	tell(to, path, what);
	free(path);
	return 1;
}

/* path: of the delay. */
static size_t hedge_contradictions(const struct st_retry_cfg *retry, const struct st_service_cfg *service, const char *path,
    st_config_tell tell, void *to)
{
	size_t n = 0;

	if (!st_hedge_is_on(&retry->hedge))
		return 0;
	if (retry->attempts < 2 && ++n)
		tell(to, path, "sends attempts beside the first: retry.attempts must be at least 2");
	if (service->abandoned == ST_ABANDONED_LEAVE && ++n)
		tell(to, path, "and abandoned: leave of the service exclude each other; skip goes with both");
	if (st_gate_delays(&retry->gate) && ++n)
		tell(to, path, "and a gate that makes attempts wait (cubic) exclude each other");
	return n;
}

static size_t service_contradictions(const struct st_config *c, size_t i, st_config_tell tell, void *to)
{
	const struct st_service_cfg *s = &c->service[i];
	size_t n = 0;

	if (st_hint_asks_limit(&s->hint) && !st_admission_limits(&s->admission))
		n += tell_service(c, i, "hint.value", "token needs a rate_limit", tell, to);
	if (st_hint_is_unspeakable(&s->hint))
		n += tell_service(c, i, "hint.value", "stop can only be said by a pushback: form must be pushback-ms", tell, to);
	if (!s->calls.to)
		return n;
	if (s->kind == ST_SERVICE_OCC)
		n += tell_service(c, i, "calls.to", "needs a service with workers: one of kind occ has none that could wait", tell, to);
	if (find_service(c, s->calls.to) == c->nservices) {
		char *text = no_service(c, s->calls.to);

		n += tell_service(c, i, "calls.to", text, tell, to);
		free(text);
	} else if (is_cycle(c, i)) {
		n += tell_service(c, i, "calls.to", "comes back to the same service: calls may not go in a circle", tell, to);
	} else {
		char *path = st_format("services.%s.calls.retry.hedge.after", s->name);

		n += hedge_contradictions(&s->calls.group.retry, &c->service[find_service(c, s->calls.to)], path, tell, to);
		free(path);
	}
	return n;
}

/* What is wrong with the fault's KEY is told, if it is. */
static size_t tell_fault(bool is_wrong, size_t i, const char *key, const char *what, st_config_tell tell, void *to)
{
	char path[64];

	snprintf(path, sizeof path, "faults[%zu].%s", i, key);
	if (is_wrong)
		tell(to, path, what);
	return is_wrong;
}

/* Frees the text. */
static size_t tell_unknown(char *text, size_t i, const char *key, st_config_tell tell, void *to)
{
	tell_fault(true, i, key, text, tell, to);
	free(text);
	return 1;
}

static size_t fault_contradictions(const struct st_config *c, size_t i, st_config_tell tell, void *to)
{
	static const char whole[] = "does not apply to slow, freeze, workers and restart: they are of the whole service";
	const struct st_fault_cfg *f = &c->fault[i];
	size_t of = f->service ? find_service(c, f->service) : 0;
	bool aimed = st_fault_is_aimed(f);
	size_t n = 0;

	if (of == c->nservices)
		return tell_unknown(no_service(c, f->service), i, "service", tell, to);
	if (aimed && f->group && st_config_find_group(c, f->group) == ST_FAULT_EVERYBODY)
		n = tell_unknown(no_group(c, f->group), i, "group", tell, to);
	bool idle = c->service[of].kind == ST_SERVICE_OCC && st_fault_is_of_workers(f);

	return n + tell_fault(idle, i, "effect", "needs a service with workers: one of kind occ has none", tell, to) +
	    tell_fault(!aimed && f->share < 1.0, i, "share", whole, tell, to) +
	    tell_fault(!aimed && f->of != ST_FAULT_OF_REQUESTS, i, "of", whole, tell, to) +
	    tell_fault(!aimed && f->group, i, "group", whole, tell, to) +
	    tell_fault(aimed && f->group && of > 0, i, "group", "is for the first service: no clients call another", tell, to) +
	    tell_fault(f->at >= c->duration, i, "at", "must lie before the end of the run", tell, to);
}

#define TELL(where, what) (n++, tell(to, where, what))

static size_t time_contradictions(const struct st_config *c, st_config_tell tell, void *to)
{
	size_t n = 0;

	if (c->duration == 0)
		TELL("duration", "must be longer than 0");
	if (c->bin == 0)
		TELL("bin", "must be longer than 0");
	else if (c->duration / c->bin >= 20000000)
		TELL("bin", "makes more than 20 million bins of this duration");
	if (c->warmup >= c->duration && c->duration > 0)
		TELL("warmup", "must be shorter than the duration");
	if (c->window.n != 0 && c->window.n != 2)
		TELL("window", "must have a beginning and an end: [30s, 60s]");
	else if (c->window.n == 2 && (c->window.at[0] >= c->window.at[1] || c->window.at[1] > c->duration))
		TELL("window", "must begin before it ends, and end within the duration");
	if (c->window.n == 2 && c->warmup > 0)
		TELL("window", "and warmup exclude each other");
	return n;
}

static size_t group_contradictions(const struct st_config *c, const struct st_group_cfg *g, st_config_tell tell, void *to)
{
	const struct st_workload_kind *kind = st_workload_kind_at(g->workload.kind);
	const char *key, *why = kind->wrong ? kind->wrong(&g->workload, c->duration, &key) : NULL;
	char path[128];
	size_t n = 0;

	if (why) {
		snprintf(path, sizeof path, "clients.%s.workload.%s", g->name, key);
		TELL(path, why);
	}
	snprintf(path, sizeof path, "clients.%s.retry.hedge.after", g->name);
	return n + hedge_contradictions(&g->retry, c->service, path, tell, to);
}

size_t st_config_contradictions(const struct st_config *c, st_config_tell tell, void *to)
{
	size_t n = time_contradictions(c, tell, to);
	uint64_t clients = 0;

	if (c->ngroups >= 1U << ST_REQUEST_GROUP_BITS)
		TELL("clients", "has more than 4095 groups");
	if (c->nservices > ST_SERVICES_MAX)
		TELL("services", "are more than 1000");
	for (size_t i = 0; i < c->nservices; i++)
		n += service_contradictions(c, i, tell, to);
	for (size_t i = 0; i < c->ngroups; i++) {
		clients += c->group[i].count;
		n += group_contradictions(c, &c->group[i], tell, to);
	}
	if (clients >= UINT32_MAX - c->ngroups - ST_SERVICES_MAX)
		TELL("clients", "has more than 4 billion clients");
	for (size_t i = 0; i < c->nfaults; i++)
		n += fault_contradictions(c, i, tell, to);
	return n;
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
