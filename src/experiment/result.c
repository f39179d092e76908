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
	for (size_t i = 0; i < r->nservices; i++) {
		free(r->service[i].name);
		free(r->service[i].figure);
		st_series_release(&r->service[i].series);
	}
	free(r->service);
	st_series_release(&r->series);
	free(r->packed);
	free(r->ended_with);
	free(r->fault);
	memset(r, 0, sizeof *r);
}

void st_result_pack(struct st_result *r)
{
	st_time bin = r->series.bin, duration = r->series.duration;

	r->packed = st_series_pack(&r->series, &r->npacked);
	st_series_release(&r->series);
	r->series.bin = bin;
	r->series.duration = duration;
}

static void values_release(double **value)
{
	for (size_t f = 0; value && f < st_figure_count(); f++)
		free(value[f]);
	free(value);
}

static void point_release(struct st_sweep_point *p, size_t naxes, size_t ngroups)
{
	for (size_t a = 0; p->label && a < naxes; a++)
		free(p->label[a]);
	free(p->label);
	values_release(p->value);
	for (size_t g = 0; p->group_value && g < ngroups; g++)
		values_release(p->group_value[g]);
	free(p->group_value);
	st_tally_release(&p->series);
	free(p->fault);
}

void st_sweep_result_release(struct st_sweep_result *r)
{
	for (size_t i = 0; i < r->npoints; i++)
		point_release(&r->point[i], r->naxes, r->ngroups);
	free(r->point);
	for (size_t g = 0; g < r->ngroups; g++)
		free(r->group[g].name);
	free(r->group);
	for (size_t a = 0; a < r->naxes; a++)
		free(r->axis[a]);
	free(r->axis);
	free(r->title);
	memset(r, 0, sizeof *r);
}
