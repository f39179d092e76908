#include <config.h>

#include "experiment/sample.h"

#include <stdlib.h>
#include <string.h>

#include <gsl/gsl_qrng.h>

#include "base/mem.h"
#include "experiment/aim.h"
#include "experiment/range.h"

enum { DIMENSIONS_MAX = 40 }; /* of GSL's Sobol sequence */

/* The next value of an interval, which sets all that the axis names; its index. */
static size_t draw_value(struct st_axis *a, double u)
{
	struct st_axis_value *v = &a->value[a->n];
	struct st_text t = ST_TEXT_INIT;

	st_range_sample(a->interval, u, a->is_whole, &t);
	v->label = t.s;
	v->written = st_tree_scalar(t.s, &a->place);
	for (size_t i = 0; i < a->ntargets; i++)
		st_aim_set(v, &i, 1, v->written);
	return a->n++;
}

int st_sample_draw(struct st_scenario *s, struct st_mistakes *m)
{
	double u[DIMENSIONS_MAX];

	if (s->naxes == 0 || s->naxes > DIMENSIONS_MAX)
		return st_mistakes_add(m, &s->sample_place, "sweep.sample: draws from 1 to %d axes; there are %zu", DIMENSIONS_MAX,
		    s->naxes);
	gsl_qrng *q = gsl_qrng_alloc(gsl_qrng_sobol, (unsigned)s->naxes);
	st_assert(q);
	s->drawn = st_calloc(s->sample * s->naxes, sizeof *s->drawn);
	for (size_t k = 0; k < s->naxes; k++)
		if (s->axis[k].interval)
			s->axis[k].value = st_calloc(s->sample, sizeof *s->axis[k].value);
	for (size_t i = 0; i < s->sample; i++) {
		gsl_qrng_get(q, u);
		for (size_t k = 0; k < s->naxes; k++) {
			struct st_axis *a = &s->axis[k];

			s->drawn[i * s->naxes + k] = a->interval ? draw_value(a, u[k]) : (size_t)(u[k] * (double)a->n);
		}
	}
	gsl_qrng_free(q);
	return 0;
}
