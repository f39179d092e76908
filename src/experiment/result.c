#include <config.h>

#include "experiment/result.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

void st_result_release(struct st_result *r)
{
	free(r->figure);
	for (size_t i = 0; i < r->nsubjects; i++) {
		free(r->subject[i].name);
		free(r->subject[i].figure);
		st_series_release(&r->subject[i].series);
	}
	free(r->subject);
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
	for (size_t i = 0; i < r->nsubjects; i++)
		st_series_release(&r->subject[i].series);
	r->series.bin = bin;
	r->series.duration = duration;
}

static void values_release(double **value)
{
	for (size_t f = 0; value && f < st_figure_count(); f++)
		free(value[f]);
	free(value);
}

static void point_release(struct st_sweep_point *p, size_t naxes, size_t nsubjects)
{
	for (size_t a = 0; p->label && a < naxes; a++)
		free(p->label[a]);
	free(p->label);
	values_release(p->value);
	for (size_t i = 0; p->subject_value && i < nsubjects; i++)
		values_release(p->subject_value[i]);
	free(p->subject_value);
	st_tally_release(&p->series);
	free(p->fault);
}

void st_sweep_result_release(struct st_sweep_result *r)
{
	for (size_t i = 0; i < r->npoints; i++)
		point_release(&r->point[i], r->naxes, r->nsubjects);
	free(r->point);
	for (size_t i = 0; i < r->nsubjects; i++)
		free(r->subject[i].name);
	free(r->subject);
	for (size_t a = 0; a < r->naxes; a++)
		free(r->axis[a]);
	free(r->axis);
	for (size_t i = 0; i < r->nfigures; i++)
		free(r->figure[i]);
	free(r->figure);
	free(r->by_ratio);
	free(r->title);
	memset(r, 0, sizeof *r);
}

void st_sweep_choose(struct st_sweep_result *r, const char *figure)
{
	r->figure = st_realloc(r->figure, r->nfigures + 1, sizeof *r->figure);
	r->figure[r->nfigures++] = st_strdup(figure);
}
