#include <config.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/cmd.h"
#include "app/load.h"
#include "app/outdir.h"
#include "app/policy.h"
#include "base/mem.h"
#include "model/schedule.h"
#include "output/chart.h"
#include "output/csv.h"
#include "output/file.h"
#include "output/json.h"
#include "output/timetable.h"

enum { SHOWN = 20, SHOWN_OF_UNLIMITED = 10, KNOWN = 100, ASKED_MOST = 1001, PANELS = 8, BINS = 128 };

/* --- what is asked ------------------------------------------------------------------------------------------------------- */

/* Options that the scenario's values give way to; NAN, 0 and the empty set: not given. */
struct asked {
	uint64_t attempts, clients;
	double capacity_per_s, background_per_s;
	struct st_conditions outcome;
};

static const struct st_param rows[] = {
    {.name = "--outcome", .type = &st_param_conditions, .offset = offsetof(struct asked, outcome)},
    {.name = "--attempts", .type = &st_param_count, .offset = offsetof(struct asked, attempts), .min = 1, .max = ASKED_MOST},
    {.name = "--clients", .type = &st_param_count, .offset = offsetof(struct asked, clients), .min = 1, .max = 1e12},
    {.name = "--capacity", .type = &st_param_rate, .offset = offsetof(struct asked, capacity_per_s)},
    {.name = "--background", .type = &st_param_rate, .offset = offsetof(struct asked, background_per_s)},
};

static int read_asked(const struct st_opts *o, struct asked *a, struct st_err *e)
{
	const char *const text[] = {o->outcome, o->attempts, o->clients, o->capacity, o->background};

	*a = (struct asked){.capacity_per_s = (double)NAN, .background_per_s = (double)NAN};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if (text[i])
			st_param_read_text(&rows[i], text[i], NULL, a, e);
	return st_err_any(e) ? -1 : 0;
}

static bool intersect(const struct st_conditions *a, const struct st_conditions *b)
{
	for (size_t i = 0; i < sizeof a->bit / sizeof *a->bit; i++)
		if (a->bit[i] & b->bit[i])
			return true;
	return false;
}

/* --- one policy ------------------------------------------------------------------------------------------------------------ */

static double in_ns(st_time t)
{
	return t == ST_NEVER ? (double)INFINITY : (double)t;
}

static const struct st_service_cfg *called_by_clients(const struct st_config *c)
{
	return &c->service[0];
}

static const struct st_service_cfg *called_by(const struct st_config *c, const struct st_service_cfg *s)
{
	return s->calls.to ? &c->service[st_config_find_service(c, s->calls.to)] : NULL;
}

/* Whose policy it is: of a group of clients, or of a service that calls another. */
struct caller {
	const char *name;
	const struct st_group_cfg *cfg;
	const struct st_service_cfg *callee;
	bool is_service;
	uint64_t at_once; /* operations that there can be at once; 0: any number */
};

/* Who fails together, against what. Operations of an open workload do not begin together: nobody asks for their window. */
static struct st_onslaught onslaught(const struct st_config *c, const struct caller *of, const struct asked *a)
{
	struct st_onslaught o = {.clients = (double)(a->clients > 0 ? a->clients : of->at_once), .are_calls = of->is_service,
	    .capacity_per_s = a->capacity_per_s, .background_per_s = a->background_per_s};

	if (isnan(o.capacity_per_s))
		o.capacity_per_s = st_service_capacity_per_s(of->callee);
	if (isnan(o.capacity_per_s))
		o.clients = 0.0; /* a service that has none is not overrun */
	if (!isnan(o.background_per_s))
		return o;
	o.background_per_s = 0.0;
	for (size_t i = 0; i < c->ngroups; i++) {
		const struct st_workload_cfg *w = &c->group[i].workload;

		if (called_by_clients(c) != of->callee || &c->group[i] == of->cfg || st_workload_kind_at(w->kind)->closed)
			continue;
		o.background_per_s += w->rate_per_s;
		o.leaves_out_traces = o.leaves_out_traces || w->trace.n > 0;
	}
	return o;
}

/* How many retries to look at, and to show. */
static void count_retries(struct st_timetable *t, bool asked)
{
	uint64_t retries = t->attempts == ST_UNLIMITED ? SHOWN_OF_UNLIMITED : t->attempts - 1;

	t->n = retries < KNOWN || asked ? retries : KNOWN;
	t->shown = t->n < SHOWN || asked ? t->n : SHOWN;
}

/* Fill t; the density of its first retries goes into `density`, if that is not NULL. */
static void look_at(const struct st_group_cfg *g, bool throttled, bool asked, struct st_timetable *t, struct st_text *density)
{
	struct st_backoff b;
	struct st_schedule s;
	double share[BINS];

	count_retries(t, asked);
	t->policy = st_policy_in_words(&g->retry, t->attempts);
	t->timeout = g->timeout.fixed >= 0 ? in_ns(g->timeout.fixed) : st_dist_mean_s(&g->timeout) * 1e9;
	t->deadline = in_ns(g->deadline);
	t->delay = st_calloc(t->n, sizeof *t->delay);
	st_backoff_init(&b, &g->retry.backoff);
	st_schedule_init(&s, &b, throttled);
	for (size_t k = 0; k < t->n; k++) {
		struct st_delay *d = &t->delay[k];

		st_schedule_next(&s, d);
		if (!density || k >= PANELS)
			continue;
		double width = fmax(((isfinite(d->max) ? d->max : 1.5 * d->p99) - d->min) / BINS, 1.0);
		st_delay_bins(s.wait, ST_SCHEDULE_PLACES, d, d->min, width, BINS, share);
		st_csv_density(k + 1, d, d->min, width, share, BINS, density);
	}
	st_schedule_release(&s);
}

/* --- all of them ------------------------------------------------------------------------------------------------------------ */

struct work {
	const struct st_opts *o;
	bool is_preset; /* there is nothing but a policy: no fleet, no service */
	struct asked asked;
	struct st_scenario scenario;
	struct st_config config;
	struct st_timetable *timetable;
	size_t n, cap;
	struct st_text density;
};

static bool is_chosen(const struct work *w, const char *name)
{
	return !w->o->group || strcmp(name, w->o->group) == 0;
}

/* Of a policy that was chosen. */
static uint64_t attempts(const struct work *w, const struct st_group_cfg *g)
{
	if (w->o->outcome && !intersect(&g->retry.on, &w->asked.outcome))
		return 1;
	return w->asked.attempts > 0 ? w->asked.attempts : g->retry.attempts;
}

static void add_factor(struct st_timetable *t, uint64_t attempts, struct st_text *product)
{
	st_text_add(product, product->len > 0 ? " x " : "");
	if (attempts == ST_UNLIMITED)
		st_text_add(product, "unlimited");
	else
		st_text_addf(product, "%" PRIu64, attempts);
	t->requests *= attempts == ST_UNLIMITED ? (double)INFINITY : (double)attempts;
}

/* With all that the service which is called, and those behind it, make of each attempt. */
static void multiply(const struct work *w, const struct caller *of, struct st_timetable *t)
{
	const struct st_service_cfg *at = of->callee, *next = called_by(&w->config, at);
	struct st_text product = ST_TEXT_INIT;

	if (!next)
		return;
	t->requests = 1.0;
	add_factor(t, t->attempts, &product);
	for (; next; at = next, next = called_by(&w->config, at))
		add_factor(t, is_chosen(w, at->name) ? attempts(w, &at->calls.group) : at->calls.group.retry.attempts, &product);
	t->last = at->name;
	t->product = product.s;
}

static void add(struct work *w, const struct caller *of, const char *failures, bool throttled)
{
	const struct st_group_cfg *g = of->cfg;
	struct st_timetable t = {.name = of->name, .callee = w->config.nservices > 1 ? of->callee->name : NULL, .failures = failures,
	    .attempts = attempts(w, g), .onslaught = onslaught(&w->config, of, &w->asked)};

	look_at(g, throttled, w->asked.attempts > 0, &t, w->o->plot ? &w->density : NULL);
	multiply(w, of, &t);
	if (w->is_preset && isinf(t.timeout))
		t.timeout = 0.0; /* nobody's policy */
	w->timetable = st_grow(w->timetable, &w->cap, w->n + 1, sizeof *w->timetable);
	w->timetable[w->n++] = t;
}

/* One timetable, or two where a class of failures has delays of its own and it was not said which. */
static void add_caller(struct work *w, const struct caller *of)
{
	const struct st_conditions *throttle = &of->cfg->retry.backoff.throttle.on;
	bool is_open = !intersect(throttle, throttle);

	if (w->o->outcome) {
		add(w, of, w->o->outcome, intersect(throttle, &w->asked.outcome));
	} else if (is_open) {
		add(w, of, NULL, false);
	} else {
		add(w, of, "usual failures", false);
		add(w, of, "throttling", true);
	}
}

/* Groups of clients, then services that call others, into room for all of both; how many. */
static size_t list_callers(const struct work *w, struct caller *out)
{
	const struct st_config *c = &w->config;
	size_t n = 0;

	for (size_t i = 0; i < c->ngroups; i++) {
		const struct st_group_cfg *g = &c->group[i];
		bool is_fleet = !w->is_preset && st_workload_kind_at(g->workload.kind)->closed;

		out[n++] = (struct caller){.name = g->name, .cfg = g, .callee = called_by_clients(c), .at_once = is_fleet ? g->count : 0};
	}
	for (size_t i = 0; i < c->nservices; i++) {
		const struct st_service_cfg *s = &c->service[i], *callee = called_by(c, s);

		if (callee)
			out[n++] = (struct caller){
			    .name = s->name, .cfg = &s->calls.group, .callee = callee, .is_service = true, .at_once = s->workers};
	}
	return n;
}

static int tell_unknown(const struct work *w, const struct caller *of, size_t n, struct st_err *e)
{
	const char **names = st_calloc(n, sizeof *names);
	const char *what = of[n - 1].is_service ? "neither a group of clients nor a service that calls another" : "no group of clients";

	for (size_t i = 0; i < n; i++)
		names[i] = of[i].name;
	const char *near = st_text_nearest(w->o->group, names, n);
	free(names);
	return st_err_add(e, ST_EXIT_USER, NULL, near ? "--group: %s is called '%s'; did you mean '%s'?" : "--group: %s is called '%s'", what,
	    w->o->group, near);
}

static int add_callers(struct work *w, struct st_err *e)
{
	if (w->is_preset && w->asked.clients > 0 && isnan(w->asked.capacity_per_s))
		return st_err_add(e, ST_EXIT_USER, NULL, "--clients of a preset wants --capacity too: there is no service");
	struct caller *of = st_calloc(w->config.ngroups + w->config.nservices, sizeof *of);
	size_t n = list_callers(w, of);

	for (size_t i = 0; i < n; i++)
		if (is_chosen(w, of[i].name))
			add_caller(w, &of[i]);
	int rc = w->n > 0 ? 0 : tell_unknown(w, of, n, e);
	free(of);
	if (rc < 0)
		return -1;
	if (w->o->plot && w->n > 1)
		return st_err_add(e, ST_EXIT_USER, NULL, "--plot draws one policy: choose one by --group%s",
		    w->o->group || w->timetable[0].failures ? " and --outcome" : "");
	if (w->o->plot && w->timetable[0].n == 0)
		return st_err_add(e, ST_EXIT_USER, NULL, "--plot: '%s' has one attempt, and no delay to draw", w->timetable[0].name);
	return 0;
}

/* As JSON; with what was asked for besides the policy's name, so that it can be asked for again. */
static void print_json(const struct work *w, struct st_text *out)
{
	const struct st_opts *o = w->o;
	const struct st_timetable_option all[] = {{"outcome", o->outcome}, {"attempts", o->attempts}, {"clients", o->clients},
	    {"capacity", o->capacity}, {"background", o->background}};
	enum { N = sizeof all / sizeof *all };
	struct st_timetable_option given[N + 1] = {{NULL, NULL}};
	size_t n = 0;

	for (size_t i = 0; i < N; i++)
		if (all[i].value)
			given[n++] = all[i];
	st_json_timetables(w->timetable, w->n, w->config.title, given, out);
}

static void print(const struct work *w)
{
	const char *format = w->o->format ? w->o->format : "text";
	struct st_text t = ST_TEXT_INIT;

	if (strcmp(format, "csv") == 0)
		st_csv_timetables(w->timetable, w->n, &t);
	else if (strcmp(format, "json") == 0)
		print_json(w, &t);
	for (size_t i = 0; strcmp(format, "text") == 0 && i < w->n; i++) {
		st_text_add(&t, i > 0 ? "\n" : "");
		st_timetable_print(&w->timetable[i], &t);
	}
	fputs(t.s, stdout);
	st_text_release(&t);
}

static int plot(struct work *w, struct st_err *e)
{
	struct st_text scenario = ST_TEXT_INIT, json = ST_TEXT_INIT, csv = ST_TEXT_INIT;
	char *dir = NULL;

	st_scenario_print(&w->config, &w->scenario, &scenario);
	print_json(w, &json);
	st_csv_timetables(w->timetable, w->n, &csv);
	int rc = st_outdir_prepare(w->o, &w->scenario, scenario.s, &dir, e);
	if (rc == 0 && (st_outdir_put_scenario(dir, &w->scenario, &scenario, false, e) < 0 || st_file_put(dir, "schedule.json", &json, e) < 0 ||
			   st_file_put(dir, "schedule.csv", &csv, e) < 0 || st_file_put(dir, "density.csv", &w->density, e) < 0))
		rc = -1;
	if (rc == 0 && !w->o->quiet)
		fprintf(stderr, "stampede: drawing %s/schedule.png\n", dir);
	if (rc == 0)
		rc = st_chart_schedule(dir, e);
	free(dir);
	st_text_release(&scenario);
	st_text_release(&json);
	st_text_release(&csv);
	return rc;
}

static int run(const struct st_opts *o)
{
	struct work w = {.o = o};
	struct st_err e = ST_ERR_INIT;
	int code = st_load_policy(o, &w.scenario, &w.is_preset);

	if (read_asked(o, &w.asked, &e) == 0 && code == ST_EXIT_OK && st_scenario_resolve(w.scenario.tree, &w.config, &e) == 0) {
		st_csv_density_head(&w.density);
		if (add_callers(&w, &e) == 0) {
			print(&w);
			if (o->plot)
				plot(&w, &e);
		}
	}
	if (st_err_any(&e))
		code = (int)e.code;
	st_err_print(&e, stderr);
	st_err_release(&e);
	for (size_t i = 0; i < w.n; i++)
		st_timetable_release(&w.timetable[i]);
	free(w.timetable);
	st_text_release(&w.density);
	st_config_release(&w.config);
	st_scenario_release(&w.scenario);
	return code;
}

const struct st_cmd st_cmd_schedule = {
    .name = "schedule",
    .operands = "PRESET|FILE",
    .min_operands = 1,
    .max_operands = 1,
    .help = "Tell when a policy retries and how long it is patient, without a simulation",
    .about = "Of a preset, or of each group of clients and each service that calls another in FILE, for an\n"
             "operation whose every attempt fails: the delay before each retry; when it is sent, if failures come\n"
             "at once; when the operation is given up; whether the first wave is spread wide enough for the\n"
             "service that is called; and what all attempts on the way to the last service multiply to. Hints,\n"
             "budgets, breakers and gates have no part in it. --group may name such a service, too. --plot writes\n"
             "schedule.png to DIR, with its data.",
    .options = (const char *const[]){"set", "group", "outcome", "attempts", "clients", "capacity", "background", "format", "plot",
        "out", "force", NULL},
    .formats = "text csv json",
    .run = run,
};
