#include <config.h>

#include "experiment/params.h"

#include <string.h>

#include "base/mem.h"
#include "experiment/preset.h"

/*
 * Which module's rows lie where: the prefix of their path within the section, "retry.backoff." or "", and the offset of
 * their struct in the section's. rows is ended by one without a name.
 */
static const struct {
	enum st_section section;
	const char *prefix;
	const struct st_param *rows;
	size_t offset;
} tables[] = {
    {ST_SECTION_TOP, "", st_config_params, 0},
    {ST_SECTION_SERVICE, "", st_service_params, 0},
    {ST_SECTION_SERVICE, "queue.", st_queue_params, offsetof(struct st_service_cfg, queue)},
    {ST_SECTION_SERVICE, "hint.", st_hint_params, offsetof(struct st_service_cfg, hint)},
    {ST_SECTION_SERVICE, "", st_admission_params, offsetof(struct st_service_cfg, admission)},
    {ST_SECTION_SERVICE, "", st_capacity_params, offsetof(struct st_service_cfg, capacity)},
    {ST_SECTION_CALLS, "", st_calls_params, 0},
    {ST_SECTION_GROUP, "", st_clients_params, 0},
    {ST_SECTION_GROUP, "", st_group_params, 0},
    {ST_SECTION_GROUP, "workload.", st_workload_params, offsetof(struct st_group_cfg, workload)},
    {ST_SECTION_GROUP, "retry.", st_preset_params, 0},
    {ST_SECTION_GROUP, "retry.", st_retry_params, offsetof(struct st_group_cfg, retry)},
    {ST_SECTION_GROUP, "retry.backoff.", st_backoff_params, offsetof(struct st_group_cfg, retry.backoff)},
    {ST_SECTION_GROUP, "retry.hint.", st_obedience_params, offsetof(struct st_group_cfg, retry.hint)},
    {ST_SECTION_GROUP, "retry.budget.", st_budget_params, offsetof(struct st_group_cfg, retry.budget)},
    {ST_SECTION_GROUP, "retry.breaker.", st_breaker_params, offsetof(struct st_group_cfg, retry.breaker)},
    {ST_SECTION_GROUP, "retry.gate.", st_gate_params, offsetof(struct st_group_cfg, retry.gate)},
    {ST_SECTION_GROUP, "retry.hedge.", st_hedge_params, offsetof(struct st_group_cfg, retry.hedge)},
    {ST_SECTION_FAULT, "", st_fault_params, 0},
};

/* Mappings that a lone scalar stands for: "budget: off", "queue: unlimited", "hint: 5s", "workload: once", "retry: envoy". */
static const struct {
	enum st_section section;
	const char *mapping, *key;
} shorthands[] = {
    {ST_SECTION_SERVICE, "queue", "limit"},
    {ST_SECTION_SERVICE, "hint", "value"},
    {ST_SECTION_SERVICE, "crash", "at"},
    {ST_SECTION_SERVICE, "errors", "share"},
    {ST_SECTION_SERVICE, "rate_limit", "rate"},
    {ST_SECTION_SERVICE, "slowdown", "knee"},
    {ST_SECTION_SERVICE, "warm_up", "over"},
    {ST_SECTION_CALLS, "", "to"},
    {ST_SECTION_GROUP, "workload", "kind"},
    {ST_SECTION_GROUP, "retry", "preset"},
    {ST_SECTION_GROUP, "retry.budget", "kind"},
    {ST_SECTION_GROUP, "retry.breaker", "kind"},
    {ST_SECTION_GROUP, "retry.gate", "kind"},
    {ST_SECTION_GROUP, "retry.hedge", "after"},
};

/* Calls of a service have what calls of clients have: their network, their patience, their policy. */
static bool is_of_calls(size_t table)
{
	return tables[table].section == ST_SECTION_GROUP &&
	    (tables[table].rows == st_group_params || strncmp(tables[table].prefix, "retry.", 6) == 0);
}

void st_params_rows(enum st_section s, struct st_param_rows *out)
{
	out->n = 0;
	for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
		bool is_lent = s == ST_SECTION_CALLS && is_of_calls(i);

		for (const struct st_param *p = tables[i].rows; (tables[i].section == s || is_lent) && p->name; p++) {
			st_assert(out->n < ST_PARAM_ROWS);
			struct st_param_row *row = &out->row[out->n++];

			row->param = p;
			row->offset = tables[i].offset + (is_lent ? offsetof(struct st_calls_cfg, group) : 0);
			/* Not by snprintf: this is most of the work of resolving the points of a large grid. */
			size_t n = strlen(tables[i].prefix), k = strlen(p->name);
			st_assert(n + k < sizeof row->path);
			memcpy(row->path, tables[i].prefix, n);
			memcpy(row->path + n, p->name, k + 1);
		}
	}
}

/* The sibling lies in the row's own mapping, or in one around it ("workload.surge.at" asks "workload.kind"). */
int st_params_kind_of(const struct st_param_rows *rows, size_t i)
{
	const struct st_param *p = rows->row[i].param;
	const char *key = p->kinds_of ? p->kinds_of : "kind";
	size_t prefix = strlen(rows->row[i].path);

	if (!p->kinds)
		return -1;
	while (prefix > 0) {
		do
			prefix--;
		while (prefix > 0 && rows->row[i].path[prefix - 1] != '.');
		for (size_t k = 0; k < rows->n; k++)
			if (strncmp(rows->row[k].path, rows->row[i].path, prefix) == 0 &&
			    strcmp(rows->row[k].path + prefix, key) == 0)
				return (int)k;
	}
	return -1;
}

bool st_params_applies(const struct st_param_rows *rows, size_t i, const void *section, char **kind)
{
	int k = st_params_kind_of(rows, i);
	struct st_text t = ST_TEXT_INIT;

	if (k >= 0) {
		st_param_print(rows->row[k].param, (const char *)section + rows->row[k].offset, &t);
		t.s[strcspn(t.s, " ")] = '\0'; /* arguments do not matter: "range 0.8 1.2" */
	}
	bool applies = st_param_applies(rows->row[i].param, t.s);
	if (kind)
		*kind = t.s;
	else
		st_text_release(&t);
	return applies;
}

const char *st_params_shorthand(enum st_section s, const char *mapping)
{
	for (size_t i = 0; i < sizeof shorthands / sizeof *shorthands; i++)
		if ((shorthands[i].section == s || (s == ST_SECTION_CALLS && shorthands[i].section == ST_SECTION_GROUP)) && strcmp(shorthands[i].mapping, mapping) == 0)
			return shorthands[i].key;
	return NULL;
}

const char *st_section_path(enum st_section s)
{
	static const char *const path[ST_SECTION_N] = {"", "service.", "services.NAME.calls.", "clients.NAME.", "faults[]."};

	return path[s];
}

void *st_section_of(struct st_config *c, enum st_section s, size_t index)
{
	switch (s) {
	case ST_SECTION_TOP:
		return c;
	case ST_SECTION_SERVICE:
		return &c->service[index];
	case ST_SECTION_CALLS:
		return &c->service[index].calls;
	case ST_SECTION_GROUP:
		return &c->group[index];
	case ST_SECTION_FAULT:
		return &c->fault[index];
	case ST_SECTION_N:
		break;
	}
	st_assert(!"a section");
	return NULL;
}

size_t st_section_count(const struct st_config *c, enum st_section s)
{
	switch (s) {
	case ST_SECTION_SERVICE:
	case ST_SECTION_CALLS:
		return c->nservices;
	case ST_SECTION_GROUP:
		return c->ngroups;
	case ST_SECTION_FAULT:
		return c->nfaults;
	default:
		return 1;
	}
}

int st_params_files(struct st_config *c, int (*see)(void *to, char **where, struct st_err *e), void *to, struct st_err *e)
{
	struct st_param_rows rows;

	for (enum st_section section = 0; section < ST_SECTION_N; section++) {
		st_params_rows(section, &rows);
		for (size_t i = 0; i < st_section_count(c, section); i++) {
			for (size_t k = 0; k < rows.n; k++) {
				const struct st_param *p = rows.row[k].param;
				char *at = (char *)st_section_of(c, section, i) + rows.row[k].offset + p->offset;
				char **where = p->type->file ? p->type->file(at) : NULL;

				if (where && *where && see(to, where, e) < 0)
					return -1;
			}
		}
	}
	return 0;
}
