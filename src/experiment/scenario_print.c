#include <config.h>

#include "experiment/scenario.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/flow.h"
#include "base/mem.h"
#include "base/param.h"
#include "experiment/params.h"
#include "experiment/preset.h"

/* A mapping with no mapping in it is written on one line if it ends before this column. */
enum { FLOW_WIDTH = 110 };

struct printer {
	enum st_section section;
	struct st_param_rows rows; /* those that apply */
	const char *cfg;
	const char *retry; /* NULL, or what stands there for the mapping `retry` */
};

static bool is_said(const struct st_param_row *row, const char *cfg)
{
	struct st_text t = ST_TEXT_INIT;

	if (!row->param->unsaid)
		return true;
	st_param_print(row->param, cfg + row->offset, &t);
	bool is = strcmp(t.s, row->param->dflt) != 0;
	st_text_release(&t);
	return is;
}

static void init(struct printer *p, enum st_section s, const void *cfg)
{
	struct st_param_rows all;

	p->section = s;
	p->cfg = cfg;
	p->retry = NULL;
	p->rows.n = 0;
	st_params_rows(s, &all);
	for (size_t i = 0; i < all.n; i++)
		if (st_params_applies(&all, i, cfg, NULL) && is_said(&all.row[i], cfg))
			p->rows.row[p->rows.n++] = all.row[i];
}

static bool is_below(const char *path, const char *prefix)
{
	return strncmp(path, prefix, strlen(prefix)) == 0;
}

static void print_value(const struct printer *p, size_t i, struct st_text *out)
{
	st_param_print(p->rows.row[i].param, p->cfg + p->rows.row[i].offset, out);
}

static void indent(struct st_text *out, unsigned depth)
{
	for (unsigned i = 0; i < depth; i++)
		st_text_add(out, "  ");
}

/* Whether some row below the prefix lies in a mapping of its own. */
static bool is_nested(const struct printer *p, const char *prefix)
{
	for (size_t i = 0; i < p->rows.n; i++)
		if (is_below(p->rows.row[i].path, prefix) && strchr(p->rows.row[i].path + strlen(prefix), '.'))
			return true;
	return false;
}

/* "{kind: once, at: 10s}" of the rows below a prefix; "off" if only the key that a scalar stands for is left. */
static void print_flow(const struct printer *p, const char *prefix, struct st_text *out)
{
	size_t n = 0, last = 0;

	for (size_t i = 0; i < p->rows.n; i++) {
		if (is_below(p->rows.row[i].path, prefix)) {
			n++;
			last = i;
		}
	}
	char *mapping = st_strndup(prefix, *prefix ? strlen(prefix) - 1 : 0);
	const char *lone = n == 1 ? st_params_shorthand(p->section, mapping) : NULL;
	bool is_lone = lone && strcmp(p->rows.row[last].path + strlen(prefix), lone) == 0;
	free(mapping);
	if (is_lone) {
		print_value(p, last, out);
		return;
	}
	st_text_add(out, "{");
	n = 0;
	for (size_t i = 0; i < p->rows.n; i++) {
		if (!is_below(p->rows.row[i].path, prefix))
			continue;
		st_text_addf(out, "%s%s: ", n++ ? ", " : "", p->rows.row[i].path + strlen(prefix));
		print_value(p, i, out);
	}
	st_text_add(out, "}");
}

static void print_block(const struct printer *p, const char *prefix, unsigned depth, struct st_text *out);

/* The mapping at `prefix`, behind its key: on the key's line if it is short, below it if not. */
static void print_mapping(const struct printer *p, const char *prefix, const char *key, unsigned depth, struct st_text *out)
{
	struct st_text flow = ST_TEXT_INIT;

	if (!is_nested(p, prefix))
		print_flow(p, prefix, &flow);
	indent(out, depth);
	if (p->retry && strcmp(prefix, "retry.") == 0) {
		st_text_addf(out, "%s: %s\n", key, p->retry);
	} else if (flow.s && 2 * depth + strlen(key) + 2 + flow.len <= FLOW_WIDTH) {
		st_text_addf(out, "%s: %s\n", key, flow.s);
	} else {
		st_text_addf(out, "%s:\n", key);
		print_block(p, prefix, depth + 1, out);
	}
	st_text_release(&flow);
}

/* Whether a row before i is in the same mapping below the prefix. */
static bool is_first(const struct printer *p, const char *prefix, size_t i)
{
	size_t n = strlen(prefix), k = n + strcspn(p->rows.row[i].path + n, ".") + 1;

	for (size_t j = 0; j < i; j++)
		if (strncmp(p->rows.row[j].path, p->rows.row[i].path, k) == 0)
			return false;
	return true;
}

/* Every key below the prefix, one a line; a mapping stands where its first row does. */
static void print_block(const struct printer *p, const char *prefix, unsigned depth, struct st_text *out)
{
	for (size_t i = 0; i < p->rows.n; i++) {
		const char *path = p->rows.row[i].path, *key = path + strlen(prefix), *dot;

		if (!is_below(path, prefix))
			continue;
		dot = strchr(key, '.');
		if (dot && is_first(p, prefix, i)) {
			char *below = st_strndup(path, (size_t)(dot - path) + 1), *name = st_strndup(key, (size_t)(dot - key));

			print_mapping(p, below, name, depth, out);
			free(below);
			free(name);
		} else if (!dot) {
			indent(out, depth);
			st_text_addf(out, "%s: ", key);
			print_value(p, i, out);
			st_text_add(out, "\n");
		}
	}
}

/* "PATH: [values]", "PATH: low..high", or the labels below the axis's name. */
static void print_axis(const struct st_axis *a, struct st_text *out)
{
	st_text_add(out, "    ");
	st_flow_quote(a->path, out);
	if (a->interval) {
		st_text_add(out, ": ");
		st_flow_quote(a->drawn_from, out);
		st_text_add(out, "\n");
		return;
	}
	st_text_add(out, a->is_labelled ? ":\n" : ": [");
	for (size_t i = 0; i < a->n; i++) {
		if (a->is_labelled) {
			st_text_add(out, "      ");
			st_flow_quote(a->value[i].label, out);
			st_text_add(out, ": ");
		} else {
			st_text_add(out, i ? ", " : "");
		}
		st_tree_print(a->value[i].written, out);
		st_text_add(out, a->is_labelled ? "\n" : "");
	}
	st_text_add(out, a->is_labelled ? "" : "]\n");
}

/*
 * The `retry` of a group or of calls (at this path) as it was written, to be freed, or NULL if its values can stand there. They cannot if an axis sets a part
 * of it and a preset lies under that: written out, what the preset said would hold against the axis's other presets, or be lost
 * with a mapping that the axis replaces.
 */
static char *retry_written(const struct st_scenario *s, const char *path, const struct st_node *part)
{
	const struct st_node *retry = st_tree_get(part, "retry");
	char *inside = st_format("%s.retry.", path), *preset = st_format("%spreset", inside);
	const struct st_node *name = retry && retry->kind == ST_NODE_SCALAR ? retry : st_tree_get(retry, "preset");
	bool is_swept = false, has_preset = name && name->kind == ST_NODE_SCALAR && st_preset_find(name->text, NULL);
	struct st_text t = ST_TEXT_INIT;

	for (size_t i = 0; i < s->naxes; i++) {
		for (size_t k = 0; k < s->axis[i].ntargets; k++) {
			is_swept |= is_below(s->axis[i].target[k], inside);
			has_preset |= strcmp(s->axis[i].target[k], preset) == 0;
		}
	}
	free(inside);
	free(preset);
	if (!is_swept || !has_preset)
		return NULL;
	if (retry)
		st_tree_print(retry, &t);
	else
		st_text_add(&t, "{}");
	return t.s;
}

static void print_sweep(const struct st_scenario *s, struct st_text *out)
{
	st_text_add(out, "sweep:\n");
	if (s->naxes > 0)
		st_text_add(out, "  axes:\n");
	for (size_t i = 0; i < s->naxes; i++)
		print_axis(&s->axis[i], out);
	if (s->sample > 0)
		st_text_addf(out, "  sample: %" PRIu64 "\n", s->sample);
	st_text_add(out, "  replications: ");
	st_param_print(st_scenario_params, s, out);
	st_text_add(out, "\n");
	if (s->precision.half_width > 0)
		st_text_add(out, "  precision:\n");
	for (const struct st_param *p = st_scenario_params; s->precision.half_width > 0 && p->name; p++) {
		if (!is_below(p->name, "sweep.precision."))
			continue;
		st_text_addf(out, "    %s: ", strrchr(p->name, '.') + 1);
		st_param_print(p, s, out);
		st_text_add(out, "\n");
	}
}

/* A mapping of its own: "key:" and its rows below, or what is written of its `retry`. path: of it, node: as it was written. */
static void print_part(struct printer *p, const struct st_scenario *s, const char *path, const struct st_node *node, unsigned depth,
    struct st_text *out)
{
	char *retry = s ? retry_written(s, path, node) : NULL;

	p->retry = retry;
	indent(out, depth);
	st_flow_quote(strrchr(path, '.') + 1, out);
	st_text_add(out, ":\n");
	print_block(p, "", depth + 1, out);
	free(retry);
}

static void print_services(const struct st_config *c, const struct st_scenario *s, struct st_text *out)
{
	const struct st_node *services = s ? st_tree_get(s->tree, "services") : NULL;
	struct printer p;

	if (c->nservices == 1 && strcmp(c->service->name, ST_SERVICE_ALONE) == 0) {
		st_text_add(out, "service:\n");
		init(&p, ST_SECTION_SERVICE, c->service);
		print_block(&p, "", 1, out);
		return;
	}
	st_text_add(out, "services:\n");
	for (size_t i = 0; i < c->nservices; i++) {
		const struct st_service_cfg *one = &c->service[i];
		const struct st_node *node = st_tree_get(services, one->name);
		char *path = st_format("services.%s", one->name), *calls = st_format("%s.calls", path);

		init(&p, ST_SECTION_SERVICE, one);
		print_part(&p, s, path, node, 1, out);
		init(&p, ST_SECTION_CALLS, &one->calls);
		if (one->calls.to)
			print_part(&p, s, calls, st_tree_get(node, "calls"), 2, out);
		free(path);
		free(calls);
	}
}

/* What a value of an axis that --axis has left out would have to show is left out with it: else the text could not be read again. */
static void print_expect(const struct st_scenario *s, struct st_text *out)
{
	const char *head = "expect:\n";

	for (size_t i = 0; i < s->nexpect; i++) {
		if (!st_when_possible(&s->expect[i].when, s->axis))
			continue;
		st_text_add(out, head);
		st_text_add(out, "  - ");
		st_flow_quote(s->expect[i].text, out);
		st_text_add(out, "\n");
		head = "";
	}
}

void st_scenario_print(const struct st_config *c, const struct st_scenario *s, struct st_text *out)
{
	struct printer p;

	init(&p, ST_SECTION_TOP, c);
	print_block(&p, "", 0, out);
	print_services(c, s, out);
	st_text_add(out, "clients:\n");
	for (size_t i = 0; i < c->ngroups; i++) {
		char *path = st_format("clients.%s", c->group[i].name);

		init(&p, ST_SECTION_GROUP, &c->group[i]);
		print_part(&p, s, path, s ? st_tree_get(st_tree_get(s->tree, "clients"), c->group[i].name) : NULL, 1, out);
		free(path);
	}
	if (c->nfaults > 0)
		st_text_add(out, "faults:\n");
	for (size_t i = 0; i < c->nfaults; i++) {
		init(&p, ST_SECTION_FAULT, &c->fault[i]);
		st_text_add(out, "  - ");
		print_flow(&p, "", out);
		st_text_add(out, "\n");
	}
	if (s)
		print_sweep(s, out);
	if (s)
		print_expect(s, out);
}
