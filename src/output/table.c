#include <config.h>

#include "output/table.h"

#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "output/cells.h"

enum { COLUMNS = 100, OWNER_WIDTH = 12 }; /* of a terminal; of the name of a group or service */

/* How a figure is shown: the table has it in 1/s, s, shares and counts; people want percent, few digits. */
static char *shown(const struct st_figure *f, double x)
{
	if (isnan(x))
		return st_strdup("-");
	if (isinf(x))
		return st_strdup("never");
	if (f->scope & ST_SCOPE_COUNT)
		return st_format("%.0f", x);
	if (f->scope & ST_SCOPE_SHARE)
		return st_format("%.1f %%", 100 * x);
	return st_format(fabs(x) >= 1000 ? "%.0f" : "%.3g", x);
}

static const char *unit(const struct st_figure *f)
{
	return strcmp(f->unit, "1") == 0 ? "" : f->unit;
}

static size_t index_of(const char *name)
{
	int i = st_figure_find(name);

	st_assert(i >= 0);
	return (size_t)i;
}

static double get(const struct st_result *r, const char *name)
{
	return r->figure[index_of(name)];
}

/* What became of the operations. */
static void say_served(const struct st_result *r, struct st_text *out)
{
	double n = get(r, "operations"), good = get(r, "successes"), failed = get(r, "failures");
	double open = get(r, "open_at_end");

	if (n == 0)
		st_text_add(out, "nothing was asked of the service");
	else if (good == n)
		st_text_addf(out, "%.0f operations, all served", n);
	else if (good == 0)
		st_text_addf(out, "%.0f operations, none served", n);
	else
		st_text_addf(out, "%.0f operations, %.0f served, %.0f given up", n, good, failed);
	if (n > 0 && open > 0)
		st_text_addf(out, ", %.0f open at the end", open);
}

/* The service that the run's own figures are of, where that is not said by itself: the first of several; else NULL. */
static const char *service_of(const struct st_result *r)
{
	return st_result_count(r, ST_SCOPE_SERVICE) > 0 ? r->subject[st_result_count(r, ST_SCOPE_GROUP)].name : NULL;
}

static void say_recovery(const struct st_result *r, struct st_text *out)
{
	double t = get(r, "recovery_time_s");
	const char *service = service_of(r);

	if (r->nfaults == 0 || isnan(t)) {
		st_text_add(out, r->nfaults == 0 ? "; no fault" : "");
		return;
	}
	st_text_addf(out, "; %s%s", service ? service : "", service ? " " : "");
	if (isinf(t))
		st_text_add(out, "NEVER back to normal after the fault");
	else if (t == 0.0)
		st_text_add(out, "back to normal as soon as the fault ended");
	else
		st_text_addf(out, "back to normal %.3g s after the fault", t);
}

static void say_peak(
    const struct st_result *r, const char *rate, const char *times, const char *when, struct st_text *out)
{
	double peak = get(r, rate), x = get(r, times);
	const char *service = service_of(r);

	if (!isfinite(peak))
		return;
	st_text_addf(out, "; peak %s%s%s%s%.0f/s", service ? "of " : "", service ? service : "", service ? " " : "", when, peak);
	if (isfinite(x))
		st_text_addf(out, " = %.3g x capacity", x);
}

void st_table_run_say(const struct st_result *r, struct st_text *out)
{
	double attempts = get(r, "amplification");
	size_t from = out->len;

	say_served(r, out);
	say_recovery(r, out);
	if (r->nfaults > 0)
		say_peak(r, "after_fault_peak_per_s", "after_fault_peak_x_capacity", "after it ", out);
	else
		say_peak(r, "offered_peak_per_s", "offered_peak_x_capacity", "", out);
	if (isfinite(attempts))
		st_text_addf(out, "; %.3g attempts an operation", attempts);
	st_text_add(out, ".\n");
	st_text_wrap(out, from, COLUMNS);
}

static const char *const headline[] = {
    "operations",
    "successes",
    "failures",
    "success_share",
    "amplification",
    "offered_peak_x_capacity",
    "after_fault_peak_x_capacity",
    "recovery_time_s",
    "goodput_per_s",
    "latency_s.p50",
    "latency_s.p99",
    "last_success_s",
    "last_success_after_fault_s",
    "reject_share",
    "wasted_share",
    "denied",
    "utilisation",
    "queue_mean",
};
enum { HEADLINES = sizeof headline / sizeof *headline, GROUPS_MAX = 5 };

/* Whether the whole or any of n subjects has the figure. */
static bool is_somewhere(const struct st_result *r, const struct st_result_subject *of, size_t n, size_t figure)
{
	bool there = !isnan(r->figure[figure]);

	for (size_t i = 0; i < n; i++)
		there = there || !isnan(of[i].figure[figure]);
	return there;
}

/* What is shown of each of several services, with heads that leave room. */
static const struct {
	const char *figure, *head;
} of_services[] = {
    {"offered_per_operation", "arrivals/op"},
    {"amplification", "attempts/op"},
    {"success_share", "served"},
    {"latency_s.p99", "p99 s"},
    {"offered_peak_x_capacity", "peak x\ncapacity"},
    {"after_fault_peak_x_capacity", "after\nfault"},
    {"reject_share", "rejected"},
    {"utilisation", "busy"},
};

/* A column a figure that any of them has, under its name or under what is short for it. */
static void put_services(const struct st_result *r, bool in_short, int letters, struct st_cells *c)
{
	enum { N = sizeof of_services / sizeof *of_services };
	size_t ngroups = st_result_count(r, ST_SCOPE_GROUP), n = r->nsubjects - ngroups;
	const struct st_result_subject *service = r->subject + ngroups;

	st_cells_init(c, n + 1, N + 1);
	for (size_t i = 0; i < n; i++)
		st_cells_put(c, i + 1, 0, st_format("%.*s", letters, service[i].name));
	for (size_t k = 0; k < N; k++) {
		size_t figure = index_of(of_services[k].figure);

		if (!is_somewhere(r, service, n, figure))
			continue;
		st_cells_put(c, 0, k + 1, st_strdup(in_short ? of_services[k].head : of_services[k].figure));
		for (size_t i = 0; i < n; i++)
			st_cells_put(c, i + 1, k + 1, shown(st_figure_at(figure), service[i].figure[figure]));
	}
}

void st_table_services_cells(const struct st_result *r, struct st_cells *c)
{
	put_services(r, false, INT_MAX, c);
}

/* Of all clients and of the first `most` groups, whose names are cut to so many letters. */
static void put_run(const struct st_result *r, size_t most, int letters, struct st_cells *c)
{
	/* One group is the whole. */
	size_t ngroups = st_result_count(r, ST_SCOPE_GROUP), groups = ngroups < 2 ? 0 : ngroups < most ? ngroups : most, row = 1;

	st_cells_init(c, HEADLINES + 1, 3 + groups);
	st_cells_put(c, 0, 2, st_strdup("all"));
	for (size_t g = 0; g < groups; g++)
		st_cells_put(c, 0, 3 + g, st_format("%.*s", letters, r->subject[g].name));
	for (size_t i = 0; i < HEADLINES; i++) {
		size_t figure = index_of(headline[i]);
		const struct st_figure *f = st_figure_at(figure);

		if (!is_somewhere(r, r->subject, ngroups, figure))
			continue;
		st_cells_put(c, row, 0, st_strdup(f->name));
		st_cells_put(c, row, 1, st_strdup(unit(f)));
		st_cells_put(c, row, 2, shown(f, r->figure[figure]));
		for (size_t g = 0; g < groups; g++)
			st_cells_put(c, row, 3 + g,
			    f->scope & ST_SCOPE_GROUP ? shown(f, r->subject[g].figure[figure]) : NULL);
		row++;
	}
	c->rows = row;
}

void st_table_run_cells(const struct st_result *r, struct st_cells *c)
{
	put_run(r, SIZE_MAX, INT_MAX, c);
}

void st_table_run(const struct st_result *r, struct st_text *out)
{
	size_t ngroups = st_result_count(r, ST_SCOPE_GROUP);
	struct st_cells c;

	st_table_run_say(r, out);
	st_text_add(out, "\n");
	put_run(r, GROUPS_MAX, OWNER_WIDTH, &c);
	st_cells_print(&c, 2, out);
	st_cells_release(&c);
	if (ngroups > GROUPS_MAX)
		st_text_addf(out, "(%zu more groups are in summary.json)\n", ngroups - GROUPS_MAX);
	if (r->nsubjects == ngroups)
		return;
	st_text_add(out, "\n");
	put_services(r, true, OWNER_WIDTH, &c);
	st_cells_print(&c, 1, out);
	st_cells_release(&c);
}
