#include <config.h>

#include "output/score.h"

#include <math.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/text.h"
#include "output/table.h"

static const struct {
	const char *figure, *head;
} heads[] = {
    {"success_share", "served %"},
    {"last_success_after_fault_s", "last ok s"},
    {"amplification", "attempts/op"},
    {"offered_per_operation", "arrivals/op"},
    {"offered_peak_x_capacity", "peak x cap."},
    {"after_fault_peak_x_capacity", "peak x cap."},
    {"recovery_time_s", "recovery s"},
    {"wasted_share", "wasted %"},
    {"reject_share", "rejected %"},
    {"wait_share", "waited %"},
    {"utilisation", "busy %"},
};

size_t st_score_figure(const char *name)
{
	int i = st_figure_find(name);

	st_assert(i >= 0);
	return (size_t)i;
}

struct st_score st_score_of(size_t subject, size_t figure)
{
	const struct st_figure *f = st_figure_at(figure);
	struct st_score c = {f->name, subject, figure, f->scope & ST_SCOPE_SHARE ? 100 : 1};

	for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
		if (strcmp(heads[i].figure, f->name) == 0)
			c.head = heads[i].head;
	return c;
}

const char *st_score_owner(const struct st_score *c, const struct st_sweep_result *r, const char *whole)
{
	return c->subject == ST_WHOLE ? whole : r->subject[c->subject].name;
}

size_t st_score_whom(const struct st_sweep_result *r)
{
	size_t whom = ST_WHOLE, n = 0;

	for (size_t i = 0; i < r->nsubjects; i++) {
		if (r->subject[i].scope == ST_SCOPE_GROUP && r->subject[i].is_swept) {
			whom = i;
			n++;
		}
	}
	return n == 1 ? whom : ST_WHOLE;
}

struct st_estimate st_score_estimate(const struct st_score *c, const struct st_sweep_point *p)
{
	return st_estimate_mean(st_sweep_values(p, c->subject, c->figure), p->n);
}

size_t st_score_nevers(const struct st_score *c, const struct st_sweep_point *p)
{
	const double *x = st_sweep_values(p, c->subject, c->figure);
	size_t n = 0;

	for (size_t i = 0; i < p->n; i++)
		n += isinf(x[i]) != 0;
	return n;
}

static void say_quantile(const struct st_score *c, const struct st_sweep_point *p, double q, struct st_text *out)
{
	double x = st_estimate_quantile(st_sweep_values(p, c->subject, c->figure), p->n, q);
	const char *unit = st_figure_at(c->figure)->unit;

	st_text_addf(out, isinf(x) ? "p%.0f never" : "p%.0f %.3g %s", 100 * q, x, strcmp(unit, "1") == 0 ? "" : unit);
}

void st_score_say_nevers(const struct st_score *c, const struct st_sweep_point *p, struct st_text *out)
{
	size_t k = st_score_nevers(c, p);
	struct st_share s = st_estimate_share(k, p->n);

	st_text_addf(out, "never in %zu of %zu runs, %.3g %% (%.3g to %.3g %%), ", k, p->n, 100 * s.share, 100 * s.lo, 100 * s.hi);
	say_quantile(c, p, 0.5, out);
	st_text_add(out, ", ");
	say_quantile(c, p, 0.9, out);
}

/* Of which power of ten the first digit is. */
static double order(double x)
{
	return x != 0 ? floor(log10(fabs(x))) : 0;
}

int st_score_decimals(double mean, double half)
{
	double places = fmin(2, 2 - order(mean));

	if (half > 0)
		places = fmin(places, 1 - order(half));
	return (int)fmax(0, places);
}

char *st_score_cell(const struct st_score *c, const struct st_sweep_point *p)
{
	size_t never = st_score_nevers(c, p);
	struct st_estimate x = st_score_estimate(c, p);

	if (never > 0)
		return never == p->n ? st_strdup("never") : st_format("never %zu of %zu", never, p->n);
	if (isnan(x.mean))
		return st_strdup("-");
	double mean = x.mean * c->scale, half = x.half * c->scale;
	int decimals = st_score_decimals(mean, half);
	if (!(half >= 0.5 * pow(10, -decimals)))
		return st_format("%.*f", decimals, mean);
	return st_format("%.*f +-%.*f", decimals, mean, decimals, half);
}

bool st_score_has_faults(const struct st_sweep_result *r)
{
	for (size_t p = 0; p < r->npoints; p++)
		if (r->point[p].nfaults > 0)
			return true;
	return false;
}

bool st_score_comes_to_an_end(const struct st_sweep_result *r, size_t subject)
{
	const struct st_score last = st_score_of(subject, st_score_figure("last_success_s"));

	for (size_t p = 0; st_score_has_faults(r) && p < r->npoints; p++) {
		const struct st_sweep_point *at = &r->point[p];

		if (st_score_estimate(&last, at).mean < ST_TABLE_NEARLY * st_time_to_s(at->series.duration))
			return true;
	}
	return false;
}
