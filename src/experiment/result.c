#include <config.h>

#include "experiment/result.h"

#include <stdlib.h>
#include <string.h>

void st_result_release(struct st_result *r)
{
	free(r->figure);
	for (size_t g = 0; g < r->ngroups; g++) {
		free(r->group[g].name);
		free(r->group[g].figure);
	}
	free(r->group);
	st_series_release(&r->series);
	free(r->ended_with);
	free(r->fault);
	memset(r, 0, sizeof *r);
}

static void point_release(struct st_sweep_point *p, size_t naxes)
{
	size_t nfigures = p->value ? st_figure_count() : 0;

	for (size_t a = 0; p->label && a < naxes; a++)
		free(p->label[a]);
	free(p->label);
	for (size_t f = 0; f < nfigures; f++)
		free(p->value[f]);
	free(p->value);
	st_tally_release(&p->series);
	free(p->fault);
}

void st_sweep_result_release(struct st_sweep_result *r)
{
	for (size_t i = 0; i < r->npoints; i++)
		point_release(&r->point[i], r->naxes);
	free(r->point);
	for (size_t a = 0; a < r->naxes; a++)
		free(r->axis[a]);
	free(r->axis);
	free(r->title);
	memset(r, 0, sizeof *r);
}
