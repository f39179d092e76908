#include <config.h>

#include "output/contrast.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

static const double chance = 0.05;

const char *st_contrast_name(enum st_contrast_verdict v)
{
	static const char *const names[] = {"", "absent", "same", "better", "worse", "less", "more"};

	return names[v];
}

/* Which pairs go which way; false if a run lacks the figure. */
static bool count(const double *x, const double *first, size_t n, struct st_contrast_cell *c)
{
	for (size_t i = 0; i < n; i++) {
		if (isnan(x[i]) || isnan(first[i]))
			return false;
		c->less += x[i] < first[i];
		c->more += x[i] > first[i];
	}
	return n > 0;
}

static struct st_contrast_cell look(const double *x, const double *first, size_t n)
{
	struct st_contrast_cell c = {.difference = st_estimate_paired(x, first, n), .p = (double)NAN};

	if (!count(x, first, n, &c))
		c.verdict = ST_CONTRAST_ABSENT;
	else if (c.less + c.more == 0)
		c.verdict = ST_CONTRAST_SAME;
	else if (isnan(c.difference.mean))
		c.p = st_estimate_sign_p(c.less, c.more);
	else
		c.p = st_estimate_p(&c.difference);
	return c;
}

static enum st_contrast_verdict judge(const struct st_contrast_cell *c, unsigned scope)
{
	bool is_more = isnan(c->difference.mean) ? c->more > c->less : c->difference.mean > 0;

	if (!(c->p_holm <= chance))
		return c->verdict;
	if (scope & (ST_SCOPE_LESS | ST_SCOPE_MORE))
		return is_more == ((scope & ST_SCOPE_MORE) != 0) ? ST_CONTRAST_BETTER : ST_CONTRAST_WORSE;
	return is_more ? ST_CONTRAST_MORE : ST_CONTRAST_LESS;
}

static void correct(struct st_contrast *c)
{
	size_t n = c->r->npoints * c->n;
	double *p = st_calloc(n, sizeof *p);

	for (size_t i = 0; i < n; i++) {
		p[i] = i < c->n ? (double)NAN : c->cell[i].p;
		c->tests += isnan(p[i]) ? 0 : 1;
	}
	st_estimate_holm(p, n);
	for (size_t i = 0; i < n; i++) {
		c->cell[i].p_holm = p[i];
		c->cell[i].verdict = judge(&c->cell[i], st_figure_at(c->column[i % c->n].figure)->scope);
	}
	free(p);
}

void st_contrast_init(struct st_contrast *c, const struct st_sweep_result *r, const struct st_score *column, size_t n)
{
	const struct st_sweep_point *first = &r->point[0];

	*c = (struct st_contrast){.r = r, .column = column, .n = n, .cell = st_calloc(r->npoints * n, sizeof *c->cell)};
	for (size_t i = n; i < r->npoints * n; i++) {
		const struct st_sweep_point *at = &r->point[i / n];
		const struct st_score *of = &column[i % n];

		c->cell[i] = look(st_sweep_values(at, of->subject, of->figure), st_sweep_values(first, of->subject, of->figure),
		    at->n < first->n ? at->n : first->n);
	}
	correct(c);
}

void st_contrast_release(struct st_contrast *c)
{
	free(c->cell);
	*c = (struct st_contrast){.r = NULL};
}

enum { USUAL = 6 };

static size_t usual(const struct st_sweep_result *r, struct st_score column[USUAL])
{
	bool has_faults = st_score_has_faults(r);
	size_t whom = st_score_whom(r), n = 0;

	column[n++] = st_score_of(
	    ST_WHOLE, st_score_figure(has_faults ? "after_fault_peak_x_capacity" : "offered_peak_x_capacity"));
	if (has_faults)
		column[n++] = st_score_of(ST_WHOLE, st_score_figure("recovery_time_s"));
	column[n++] = st_score_of(whom, st_score_figure("success_share"));
	if (st_score_comes_to_an_end(r, whom))
		column[n++] = st_score_of(whom, st_score_figure("last_success_after_fault_s"));
	column[n++] = st_score_of(whom, st_score_figure("amplification"));
	column[n++] = st_score_of(ST_WHOLE, st_score_figure("wasted_share"));
	return n;
}

/* Of a name as summary.csv has it; false if it is none, in a folder that was changed by hand. */
static bool find(const struct st_sweep_result *r, const char *name, struct st_score *column)
{
	const char *dot = strchr(name, '.');
	char *owner = dot ? st_strndup(name, (size_t)(dot - name)) : NULL;
	size_t subject = st_sweep_subject(r, owner);
	int figure = st_figure_find(dot ? dot + 1 : name);

	free(owner);
	if (figure < 0)
		return false;
	*column = st_score_of(subject, (size_t)figure);
	return true;
}

size_t st_contrast_columns(const struct st_sweep_result *r, struct st_score **column)
{
	size_t n = 0;

	*column = st_calloc(r->nfigures + USUAL, sizeof **column);
	for (size_t i = 0; i < r->nfigures; i++)
		n += find(r, r->figure[i], &(*column)[n]);
	return n > 0 ? n : usual(r, *column);
}
