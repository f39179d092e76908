#include <config.h>

#include "app/policy.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

char *st_policy_in_words(const struct st_retry_cfg *c, uint64_t attempts)
{
	struct st_text t = ST_TEXT_INIT, shape = ST_TEXT_INIT, value = ST_TEXT_INIT;

	if (attempts == ST_UNLIMITED)
		st_text_add(&t, "attempts without limit");
	else
		st_text_addf(&t, "%llu attempts", (unsigned long long)attempts);
	st_param_print(&st_backoff_params[0], &c->backoff, &shape);
	for (const struct st_param *p = st_backoff_params; p->name; p++) {
		bool always = strcmp(p->name, "base") == 0 || strcmp(p->name, "jitter") == 0;

		if (!st_param_applies(p, shape.s))
			continue;
		st_text_release(&value);
		st_param_print(p, &c->backoff, &value);
		if (always || strcmp(value.s, p->dflt) != 0)
			st_text_addf(&t, "; %s %s", p->name, value.s);
	}
	st_text_release(&shape);
	st_text_release(&value);
	return t.s;
}

/* Room for any section, all of it empty. */
union section {
	struct st_config top;
	struct st_service_cfg service;
	struct st_calls_cfg calls;
	struct st_group_cfg group;
	struct st_fault_cfg fault;
};

/* The default as a scenario would have it printed: "0s" is "constant 0s" too. Nothing where there is none. */
static void print_default(const struct st_param_row *row, struct st_text *out)
{
	union section *scratch = st_calloc(1, sizeof *scratch);
	char *at = (char *)scratch + row->offset;

	st_text_add(out, "");
	if (row->param->dflt) {
		st_param_default(row->param, at);
		st_param_print(row->param, at, out);
		st_param_release(row->param, at);
	}
	free(scratch);
}

size_t st_policy_differences(struct st_config *c, enum st_section s, size_t index, struct st_cells *cells)
{
	static const char *const heads[] = {"parameter", "value", "default", "meaning"};
	enum { N = sizeof heads / sizeof *heads };
	const void *section = st_section_of(c, s, index);
	struct st_param_rows rows;
	size_t n = 1;

	st_params_rows(s, &rows);
	st_cells_init(cells, 1 + rows.n, N);
	for (size_t k = 0; k < N; k++)
		st_cells_put(cells, 0, k, st_strdup(heads[k]));
	for (size_t i = 0; i < rows.n; i++) {
		const struct st_param *p = rows.row[i].param;
		struct st_text value = ST_TEXT_INIT, usual = ST_TEXT_INIT;

		if (strcmp(p->name, "title") == 0 || !st_params_applies(&rows, i, section, NULL))
			continue;
		st_param_print(p, (const char *)section + rows.row[i].offset, &value);
		print_default(&rows.row[i], &usual);
		if (strcmp(value.s, usual.s) == 0) {
			st_text_release(&value);
			st_text_release(&usual);
			continue;
		}
		st_cells_put(cells, n, 0, st_strdup(rows.row[i].path));
		st_cells_put(cells, n, 1, value.s);
		st_cells_put(cells, n, 2, usual.s);
		st_cells_put(cells, n++, 3, st_strdup(p->help));
	}
	cells->rows = n;
	return n - 1;
}
