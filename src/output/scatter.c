#include <config.h>

#include "output/scatter.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/param.h"
#include "output/gnuplot.h"
#include "output/table.h"

enum { WORDS_MAX = 12 };           /* of an axis, that are named */
static const double SPREAD = 50;   /* numbers from a list that span as much, and not from 0, are laid out by ratio */

/* What is shown, and how: texts for the script. */
struct picture {
	const struct st_shape *s;
	size_t naxes, npoints;
	struct st_text at[ST_SCATTER_AXES]; /* "X X ...": where each point lies, a number or that of a word, from 1 */
	char *name[ST_SCATTER_AXES];        /* with its unit */
	bool by_ratio[ST_SCATTER_AXES];
	const char *word[ST_SCATTER_AXES][WORDS_MAX];
	size_t nwords[ST_SCATTER_AXES];     /* 0: numbers */
};

/* Whether all values of the axis are numbers of one unit. */
static bool are_numbers(const struct picture *p, size_t axis, const char **unit)
{
	const char *of;
	double x;

	for (size_t i = 0; i < p->npoints; i++) {
		if (!st_param_quantity(st_shape_label(p->s, i, axis), &x, &of) || (i > 0 && strcmp(of, *unit) != 0))
			return false;
		*unit = of;
	}
	return true;
}

static void lay_out_numbers(struct picture *p, size_t axis)
{
	double least = 0, most = 0;

	for (size_t i = 0; i < p->npoints; i++) {
		const char *unit;
		double x;

		st_param_quantity(st_shape_label(p->s, i, axis), &x, &unit);
		least = i == 0 || x < least ? x : least;
		most = i == 0 || x > most ? x : most;
		st_text_add(&p->at[axis], i > 0 ? " " : "");
		st_text_add_double(&p->at[axis], x);
	}
	const json_t *drawn = json_array_get(p->s->by_ratio, axis);
	p->by_ratio[axis] = least > 0 && (json_is_boolean(drawn) ? json_is_true(drawn) : most / least >= SPREAD);
}

/* Words in the order in which they come; those past the last that is named share its place. */
static void lay_out_words(struct picture *p, size_t axis)
{
	for (size_t i = 0; i < p->npoints; i++) {
		const char *label = st_shape_label(p->s, i, axis);
		size_t k = 0;

		while (k < p->nwords[axis] && strcmp(p->word[axis][k], label) != 0)
			k++;
		if (k == p->nwords[axis] && k < WORDS_MAX)
			p->word[axis][p->nwords[axis]++] = label;
		st_text_addf(&p->at[axis], "%s%zu", i > 0 ? " " : "", k < WORDS_MAX ? k + 1 : WORDS_MAX);
	}
}

static void lay_out(struct picture *p, size_t axis)
{
	const char *path = json_string_value(json_array_get(p->s->axes, axis)), *unit = "";

	if (are_numbers(p, axis, &unit))
		lay_out_numbers(p, axis);
	else
		lay_out_words(p, axis);
	p->name[axis] = st_format("%s%s%s", path ? path : "", *unit && p->nwords[axis] == 0 ? ", " : "", p->nwords[axis] == 0 ? unit : "");
}

static void assign_axes(struct st_text *vars, const struct picture *p)
{
	struct st_text logs = ST_TEXT_INIT, words = ST_TEXT_INIT;
	size_t n = 0;

	st_gnuplot_array(vars, "axis", p->naxes);
	st_gnuplot_array(vars, "at", p->naxes);
	for (size_t a = 0; a < p->naxes; a++) {
		st_gnuplot_element(vars, "axis", a, p->name[a]);
		st_gnuplot_element(vars, "at", a, p->at[a].s);
		st_text_addf(&logs, "%s%d", a > 0 ? " " : "", p->by_ratio[a]);
		st_text_addf(&words, "%s%zu", a > 0 ? " " : "", p->nwords[a]);
		n += p->nwords[a];
	}
	st_gnuplot_text(vars, "logs", logs.s);
	st_gnuplot_text(vars, "words_of", words.s);
	st_gnuplot_array(vars, "called", n > 0 ? n : 1);
	n = 0;
	for (size_t a = 0; a < p->naxes; a++) {
		for (size_t k = 0; k < p->nwords[a]; k++) {
			struct st_text t = ST_TEXT_INIT;

			st_shape_add_value(&t, p->word[a][k]);
			st_gnuplot_element(vars, "called", n++, t.s ? t.s : "");
			st_text_release(&t);
		}
	}
	st_text_release(&logs);
	st_text_release(&words);
}

static void assign_subtitle(struct st_text *vars, const struct picture *p, const char *means)
{
	struct st_text t = ST_TEXT_INIT;

	if (p->npoints < p->s->npoints)
		st_text_addf(&t, "the first %zu of %zu points; ", p->npoints, p->s->npoints);
	else
		st_text_addf(&t, "%zu points; ", p->npoints);
	if (p->naxes < p->s->naxes)
		st_text_addf(&t, "the first %zu of %zu parameters; ", p->naxes, p->s->naxes);
	st_text_add(&t, means);
	st_gnuplot_text(vars, "subtitle", t.s);
	st_text_release(&t);
}

/* The time by which clients that come to an end are done, at the point where that is latest. */
static double nearly(const struct picture *p)
{
	double most = 0;

	for (size_t i = 0; i < p->npoints; i++) {
		double s = ST_TABLE_NEARLY * json_number_value(json_object_get(json_array_get(p->s->points, i), "duration_s"));

		most = s > most ? s : most;
	}
	return most;
}

int st_scatter_draw(const struct st_shape *s, const char *means, struct st_err *e)
{
	struct st_text vars = ST_TEXT_INIT;
	struct picture p = {.s = s, .naxes = s->naxes < ST_SCATTER_AXES ? s->naxes : ST_SCATTER_AXES,
	    .npoints = s->npoints < ST_SCATTER_POINTS ? s->npoints : ST_SCATTER_POINTS};
	char *path = st_format("%s/summary.csv", s->dir);

	for (size_t a = 0; a < p.naxes; a++)
		lay_out(&p, a);
	st_gnuplot_path(&vars, "summary", path);
	st_gnuplot_text(&vars, "title", st_shape_text(s->json, "title"));
	assign_subtitle(&vars, &p, means);
	assign_axes(&vars, &p);
	st_gnuplot_text(&vars, "who", st_shape_whose(s));
	st_shape_assign_services(&vars, s);
	st_gnuplot_number(&vars, "has_faults", st_shape_has_faults(s));
	st_gnuplot_number(&vars, "nearly", nearly(&p));
	int status = st_gnuplot_draw(s->dir, "scatter", "scatter", &vars, e);
	for (size_t a = 0; a < p.naxes; a++) {
		st_text_release(&p.at[a]);
		free(p.name[a]);
	}
	free(path);
	st_text_release(&vars);
	return status;
}
