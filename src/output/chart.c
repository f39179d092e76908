#include <config.h>

#include "output/chart.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "output/curves.h"
#include "output/file.h"
#include "output/front.h"
#include "output/gnuplot.h"
#include "output/raster.h"
#include "output/scatter.h"
#include "output/shape.h"
#include "output/table.h"
#include "output/timetable.h"

static void assign_faults(struct st_text *vars, const json_t *of)
{
	struct st_text t = ST_TEXT_INIT;

	st_shape_add_faults(&t, of);
	st_gnuplot_text(vars, "faults", t.s);
	st_text_release(&t);
}

static void assign_capacity(struct st_text *vars, const json_t *of)
{
	st_gnuplot_number(vars, "capacity", json_number_value(json_object_get(of, "capacity_per_s")));
}

static void assign_file(struct st_text *vars, const char *variable, const char *dir, const char *name)
{
	char *path = st_format("%s/%s", dir, name);

	st_gnuplot_path(vars, variable, path);
	free(path);
}

/* What the figure alone does not tell: how many were served (whose), of the whole run as it is drawn, and when all was well again. */
static void assign_outcome(struct st_text *vars, const json_t *of, const char *whose)
{
	const json_t *recovery = json_object_get(of, "recovery_time_s");
	double served = json_number_value(json_object_get(of, "successes")),
	       ended = served + json_number_value(json_object_get(of, "failures"));
	struct st_text share = ST_TEXT_INIT, back = ST_TEXT_INIT;

	st_text_add(&share, "");
	st_text_add(&back, "");
	if (ended > 0)
		st_text_addf(&share, "%.3g %% %sserved", 100 * served / ended, whose);
	if (ended > 0 && json_is_null(recovery))
		st_text_add(&back, "never back to normal after the fault");
	else if (ended > 0 && recovery && json_number_value(recovery) == 0.0)
		st_text_add(&back, "back to normal as soon as the fault ended");
	else if (ended > 0 && recovery)
		st_text_addf(&back, "back to normal %.3g s after the fault", json_number_value(recovery));
	st_gnuplot_text(vars, "subtitle", share.s);
	st_gnuplot_text(vars, "recovery", back.s);
	st_text_release(&share);
	st_text_release(&back);
}

/* The load on one service, whose figures `of` has, under this title. suffix: "", or "-NAME" in the names of its files. */
static int draw_load(const char *dir, const json_t *j, const json_t *of, const char *title, const char *suffix, struct st_err *e)
{
	struct st_text vars = ST_TEXT_INIT;
	char *series = st_format("series%s.csv", suffix), *name = st_format("load%s", suffix);

	assign_file(&vars, "series", dir, series);
	st_gnuplot_text(&vars, "title", title);
	assign_outcome(&vars, of, *suffix ? "of its calls " : "");
	assign_capacity(&vars, of);
	assign_faults(&vars, j);
	int status = st_gnuplot_draw(dir, "load", name, &vars, e);
	st_text_release(&vars);
	free(series);
	free(name);
	return status;
}

/* One of several services; the first is drawn as the whole, and says whose load it is. */
static int draw_service(const char *dir, const json_t *j, const json_t *of, const char *name, bool is_first, struct st_err *e)
{
	char *title = st_format("%s%s%s", st_shape_text(j, "title"), *st_shape_text(j, "title") ? ": " : "", name);
	char *suffix = is_first ? st_strdup("") : st_format("-%s", name);
	int status = draw_load(dir, j, of, title, suffix, e);

	free(title);
	free(suffix);
	return status;
}

int st_chart_run(const char *dir, struct st_err *e)
{
	json_t *j = st_shape_load(dir, "summary.json", e), *services = json_object_get(j, "services"), *of;
	const char *name;
	int status = j ? 0 : -1;
	size_t n = 0;

	if (j && !services)
		status = draw_load(dir, j, j, st_shape_text(j, "title"), "", e);
	json_object_foreach(services, name, of)
	{
		if (status == 0)
			status = draw_service(dir, j, of, name, n++ == 0, e);
	}
	json_decref(j);
	return status;
}

int st_chart_schedule(const char *dir, struct st_err *e)
{
	struct st_text vars = ST_TEXT_INIT, title = ST_TEXT_INIT;
	json_t *j = st_shape_load(dir, "schedule.json", e);

	if (!j)
		return -1;
	const json_t *policy = json_array_get(json_object_get(j, "schedules"), 0);
	const struct st_timetable of = {.name = st_shape_text(policy, "policy"), .callee = json_string_value(json_object_get(policy, "calls")),
	    .failures = json_string_value(json_object_get(policy, "failures"))};

	st_timetable_add_name(&of, &title);
	assign_file(&vars, "rows", dir, "schedule.csv");
	assign_file(&vars, "density", dir, "density.csv");
	st_gnuplot_text(&vars, "title", title.s);
	st_gnuplot_text(&vars, "subtitle", st_shape_text(policy, "words"));
	int status = st_gnuplot_draw(dir, "schedule", "schedule", &vars, e);
	json_decref(j);
	st_text_release(&title);
	st_text_release(&vars);
	return status;
}

static void assign_groups(struct st_text *vars, const char *array, const struct st_shape *s, size_t n)
{
	st_gnuplot_array(vars, array, n);
	for (size_t g = 0; g < n; g++) {
		struct st_text t = ST_TEXT_INIT;

		if (s->naxes > 0)
			st_shape_add_value(&t, st_shape_label(s, g * s->rows, 0));
		st_gnuplot_element(vars, array, g, t.s ? t.s : "all");
		st_text_release(&t);
	}
}

static size_t longest_line(const char *s)
{
	size_t longest = 0, n;

	for (; *s; s += n + (s[n] == '\n')) {
		n = strcspn(s, "\n");
		longest = n > longest ? n : longest;
	}
	return longest;
}

/* The names of n rows: of one axis, or of all but the first. */
static void assign_rows(struct st_text *vars, const struct st_shape *s, size_t n)
{
	size_t letters = 0;

	st_gnuplot_array(vars, "row", n);
	for (size_t r = 0; r < n; r++) {
		struct st_text t = ST_TEXT_INIT;

		st_text_add(&t, "");
		st_shape_add_row(&t, s, r, "\n");
		st_gnuplot_element(vars, "row", r, t.s);
		letters = longest_line(t.s) > letters ? longest_line(t.s) : letters;
		st_text_release(&t);
	}
	st_gnuplot_number(vars, "letters", (double)letters);
}

enum { GROUPS_MAX = 3 }; /* of whom a chart has panels */

/* The groups of clients that axes name; "", which is all clients, if they name none or too many. */
static void assign_who(struct st_text *vars, const struct st_shape *s)
{
	const json_t *swept = json_object_get(s->json, "swept_groups");
	size_t n = json_array_size(swept);

	if (n > GROUPS_MAX)
		n = 0;
	st_gnuplot_array(vars, "who", n > 0 ? n : 1);
	if (n == 0)
		st_gnuplot_element(vars, "who", 0, "");
	for (size_t i = 0; i < n; i++)
		st_gnuplot_element(vars, "who", i, json_string_value(json_array_get(swept, i)));
}

/* When nearly all of each point's run is over; nothing where sweep.json does not tell how long it is. */
static void assign_nearly(struct st_text *vars, const struct st_shape *s)
{
	struct st_text t = ST_TEXT_INIT;

	st_text_add(&t, "");
	for (size_t p = 0; p < s->npoints; p++) {
		double duration = json_number_value(json_object_get(json_array_get(s->points, p), "duration_s"));

		if (duration > 0) {
			st_text_add(&t, t.len > 0 ? " " : "");
			st_text_add_double(&t, ST_TABLE_NEARLY * duration);
		}
	}
	st_gnuplot_text(vars, "nearly", t.s);
	st_text_release(&t);
}

enum { LINE = 10 }; /* letters after which a figure's name goes on in a new line */

/* Whether it ends so. */
static bool is_like(const char *column, const char *tail)
{
	size_t n = strlen(column), k = strlen(tail);

	return n >= k && strcmp(column + n - k, tail) == 0;
}

/* "fleet:\nlatency s\np99" of "fleet.latency_s_p99": in lines as narrow as a panel; "recovery time, s". */
static void add_broken(struct st_text *t, const char *column)
{
	const char *dot = strchr(column, '.');
	size_t from = 0;

	if (dot)
		st_text_addf(t, "%.*s%s:\n", dot - column > 15 ? 14 : (int)(dot - column), column, dot - column > 15 ? "..." : "");
	bool has_unit = is_like(column, "_s") && !is_like(column, "_per_s");
	const char *end = column + strlen(column) - (has_unit ? 2 : 0);

	for (const char *s = dot ? dot + 1 : column; s < end; s++, from++) {
		bool is_full = *s == '_' && from >= LINE;

		st_text_addn(t, is_full ? "\n" : *s == '_' ? " " : s, 1);
		from = is_full ? 0 : from;
	}
	st_text_add(t, is_like(column, "_share") ? ", %" : has_unit ? ", s" : "");
}

/* The figures that a comparison was asked for: they are the panels then. */
static void assign_figures(struct st_text *vars, const struct st_shape *s)
{
	const json_t *figures = json_object_get(s->json, "figures");
	size_t n = json_array_size(figures);

	if (n == 0)
		return;
	st_gnuplot_array(vars, "figure", n);
	st_gnuplot_array(vars, "heading", n);
	for (size_t i = 0; i < n; i++) {
		const char *column = json_string_value(json_array_get(figures, i));
		struct st_text t = ST_TEXT_INIT;

		column = column ? column : "";
		add_broken(&t, column);
		st_gnuplot_element(vars, "figure", i, column);
		st_gnuplot_element(vars, "heading", i, t.s);
		st_text_release(&t);
	}
}

static int draw_sweep(const struct st_shape *s, const char *means, struct st_err *e)
{
	struct st_text vars = ST_TEXT_INIT;
	bool is_grouped = s->naxes > 1;

	assign_file(&vars, "summary", s->dir, "summary.csv");
	st_gnuplot_text(&vars, "title", st_shape_text(s->json, "title"));
	st_gnuplot_text(&vars, "subtitle", means);
	char *groups = is_grouped ? st_shape_axis_name(s, 0) : st_strdup("");

	st_gnuplot_text(&vars, "groups", groups);
	free(groups);
	assign_nearly(&vars, s);
	st_gnuplot_number(&vars, "has_faults", st_shape_has_faults(s));
	assign_who(&vars, s);
	st_shape_assign_services(&vars, s);
	assign_figures(&vars, s);
	assign_groups(&vars, "group", s, is_grouped ? s->groups : 1);
	assign_rows(&vars, s, is_grouped ? s->rows : s->npoints);
	int status = st_gnuplot_draw(s->dir, "sweep", "sweep", &vars, e);
	st_text_release(&vars);
	return status;
}

enum { PANELS_MAX = 8 };

/* The title, with whose load it is: of several services the first has mean series. */
static void assign_first_service(struct st_text *vars, const struct st_shape *s)
{
	const char *title = st_shape_text(s->json, "title"), *first = json_string_value(json_array_get(json_object_get(s->json, "services"), 0));
	char *whole = st_format("%s%s%s", title, *title && first ? ": " : "", first ? first : "");

	st_gnuplot_text(vars, "title", whole);
	free(whole);
}

/* One panel a value of the first axis, at the first values of the others. */
static int draw_strategies(const struct st_shape *s, const char *means, struct st_err *e)
{
	struct st_text vars = ST_TEXT_INIT, subtitle = ST_TEXT_INIT, points = ST_TEXT_INIT;
	size_t n = s->groups < PANELS_MAX ? s->groups : PANELS_MAX;
	const json_t *first = json_array_get(s->points, 0);

	for (size_t g = 0; g < n; g++)
		if (json_number_value(json_object_get(json_array_get(s->points, g * s->rows), "n")) < 1)
			n = g; /* the sweep was stopped before it came to this one */
	if (n == 0)
		return 0;
	if (s->naxes > 0) {
		char *name = st_shape_axis_name(s, 0);

		st_text_addf(&subtitle, "a panel each %s; ", name);
		free(name);
	}
	if (s->naxes > 1) {
		st_shape_add_row(&subtitle, s, 0, ", ");
		st_text_add(&subtitle, "; ");
	}
	st_text_add(&subtitle, means);
	assign_first_service(&vars, s);
	st_gnuplot_text(&vars, "subtitle", subtitle.s);
	assign_capacity(&vars, first);
	assign_faults(&vars, first);
	assign_groups(&vars, "label", s, n);
	assign_file(&vars, "summary", s->dir, "summary.csv");
	st_gnuplot_array(&vars, "file", n);
	for (size_t g = 0; g < n; g++) {
		st_text_addf(&points, "%s%zu", g > 0 ? " " : "", g * s->rows);
		char *path =
		    st_format("%s/%s", s->dir, st_shape_text(json_array_get(s->points, g * s->rows), "series"));

		st_gnuplot_element_path(&vars, "file", g, path);
		free(path);
	}
	st_gnuplot_text(&vars, "points", points.s);
	int status = st_gnuplot_draw(s->dir, "strategies", "strategies", &vars, e);
	st_text_release(&points);
	st_text_release(&subtitle);
	st_text_release(&vars);
	return status;
}

int st_chart_sweep(const char *dir, struct st_err *e)
{
	struct st_shape s;
	int status = -1;

	if (st_shape_read(&s, dir, e) < 0)
		return -1;
	double runs = json_number_value(json_object_get(s.json, "replications"));
	char *means = runs > 1 ? st_format("means of %.0f runs a point, with 95 %% intervals", runs)
			       : st_strdup("one run a point");
	if (!s.is_grid)
		status = st_scatter_draw(&s, means, e);
	else if (draw_strategies(&s, means, e) == 0 && draw_sweep(&s, means, e) == 0 && st_curves_draw(&s, means, e) == 0)
		status = 0;
	free(means);
	st_shape_release(&s);
	return status;
}

/* In the order in which a report shows them. A picture that has no row is neither drawn again nor shown. */
static const struct st_chart table[] = {
    {"run", {"summary.json", "series.csv"}, {{"load", "Requests a second that come to the service, first attempts and retries, and what clients got of "
	"it in time (goodput). Dashed: the capacity; grey: a fault. Where requests ever wait, the queue is below: its mean and, pale, the longest."}}, st_chart_run},
    {"trace", {"trace.json", "trace.csv"}, {{"raster", "Each of the first clients as a line, each step of an attempt as a dot. Dots above each other are "
	"clients that act at the same instant. Grey: a fault."}}, st_raster_draw},
    {"sweep", {"sweep.json", "summary.csv"}, {{"strategies", "Requests a second over time, a panel a value of the first axis, at the first values of "
	"the others, as means over the runs. Dashed: the capacity; grey: a fault."},
	{"sweep", "The main figures at every point, as means with their 95 % intervals."},
	{"curves", "Figures over the quantity that was varied, a curve for each combination of the other axes, with 95 % intervals."},
	{"scatter", "Each figure of a sample's points against each parameter, as means with their 95 % intervals."}}, st_chart_sweep},
    {"tune", {"tune.json", "tune.csv"}, {{"front", "What the goal costs: its figure at each point that was tried against the figure of the first bound. On the "
	"line are the points that none beats in both."}}, st_front_draw},
    {"schedule", {"schedule.json", "density.csv"}, {{"schedule", "How likely each delay before a retry is, a panel a retry."}}, st_chart_schedule},
};

const struct st_chart *st_chart_at(size_t i)
{
	return i < sizeof table / sizeof *table ? &table[i] : NULL;
}

bool st_chart_has_data(const struct st_chart *c, const char *dir)
{
	return st_file_exists(dir, c->data[0]) && st_file_exists(dir, c->data[1]);
}
