#ifndef ST_TESTS_HAND_MADE_H
#define ST_TESTS_HAND_MADE_H
/* hand_made.h - results made by hand, for the tests of outputs. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "experiment/result.h"

static double *no_figures(void)
{
	double *x = st_calloc(st_figure_count(), sizeof *x);

	for (size_t i = 0; i < st_figure_count(); i++)
		x[i] = NAN;
	return x;
}

static void set_figure(double *figure, const char *name, double x)
{
	figure[st_figure_find(name)] = x;
}

/* Two groups, an outage of [10 s, 40 s), 45 bins of a second and half a one; recovered after 41 s. */
static struct st_result hand_made_run(void)
{
	static const char *const name[] = {"fleet", "background"};
	struct st_result r = {.figure = no_figures(), .nsubjects = 2, .capacity_per_s = 200, .nfaults = 1};

	r.subject = st_calloc(2, sizeof *r.subject);
	for (size_t g = 0; g < 2; g++) {
		r.subject[g] = (struct st_result_subject){.name = st_strdup(name[g]), .scope = ST_SCOPE_GROUP, .figure = no_figures()};
		set_figure(r.subject[g].figure, "operations", g == 0 ? 1000 : 4500);
	}
	set_figure(r.figure, "operations", 5500);
	set_figure(r.figure, "successes", 5400);
	set_figure(r.figure, "failures", 90);
	set_figure(r.figure, "open_at_end", 10);
	set_figure(r.figure, "amplification", 0.1 + 0.2);
	set_figure(r.figure, "capacity_per_s", 200);
	set_figure(r.figure, "after_fault_peak_per_s", 812);
	set_figure(r.figure, "after_fault_peak_x_capacity", 4.06);
	set_figure(r.figure, "recovery_time_s", 41);
	set_figure(r.figure, "success_share", 5400.0 / 5490);
	set_figure(r.figure, "wait_s.mean", 0.25);
	set_figure(r.figure, "wait_s.p99", 1.5);
	set_figure(r.figure, "last_success_s", 90);
	r.fault = st_calloc(1, sizeof *r.fault);
	r.fault[0] = (struct st_window){10 * ST_SEC, 40 * ST_SEC};
	r.nended = 3;
	r.ended_with = st_calloc(3, sizeof *r.ended_with);
	r.ended_with[1] = 5000;
	r.ended_with[2] = 490;
	r.events = 123456;
	r.fingerprint = 0xabcdef;
	r.seed = 7;
	r.wall_s = 0.5;
	r.cpu_s = 0.25;
	r.events_per_s = 246912;
	r.peak_rss_bytes = 1 << 20;
	st_series_init(&r.series, ST_SEC, 45 * ST_SEC + 500 * ST_MSEC, 2);
	for (size_t i = 0; i < r.series.n; i++) {
		r.series.row[i][ST_CELL_OFFERED] = (int64_t)(100 + i);
		r.series.row[i][ST_CELL_LATENCY_P50] = r.series.row[i][ST_CELL_LATENCY_P99] = -1;
	}
	r.series.row[0][ST_CELL_QUEUE_MEAN] = 3 * ST_SERIES_MILLION / 2;
	r.series.row[45][ST_CELL_QUEUE_MEAN] = 3 * ST_SERIES_MILLION / 2;
	r.series.row[1][ST_CELL_LATENCY_P50] = 25 * ST_MSEC;
	return r;
}

static void hand_made_run_release(struct st_result *r)
{
	for (size_t g = 0; g < r->nsubjects; g++) {
		free(r->subject[g].name);
		free(r->subject[g].figure);
	}
	free(r->subject);
	free(r->figure);
	free(r->fault);
	free(r->ended_with);
	st_series_release(&r->series);
}

static const char *const hand_made_labels[] = {"none", "off", "none",
    "{kind: token-bucket, rate: 10/s, burst: 100}", "full", "off", "full",
    "{kind: token-bucket, rate: 10/s, burst: 100}"};

/* jitter x budget, three replications a point. Point 1 never recovers in one of them, point 3 has not run. */
static struct st_sweep_result hand_made_sweep(void)
{
	struct st_sweep_result r = {.title = st_strdup("it's 100 % \"hostile\" {x}_@y\\n"),
	    .naxes = 2,
	    .npoints = 4,
	    .replications = 3,
	    .seed = 7};
	struct st_result run = hand_made_run();

	r.axis = st_calloc(2, sizeof *r.axis);
	r.axis[0] = st_strdup("fleet.retry.backoff.jitter");
	r.axis[1] = st_strdup("fleet.retry.budget");
	r.nsubjects = 2;
	r.subject = st_calloc(2, sizeof *r.subject);
	r.subject[0] = (struct st_subject){st_strdup("fleet"), ST_SCOPE_GROUP, true};
	r.subject[1] = (struct st_subject){st_strdup("background"), ST_SCOPE_GROUP, false};
	r.point = st_calloc(4, sizeof *r.point);
	for (size_t p = 0; p < 4; p++) {
		struct st_sweep_point *at = &r.point[p];

		*at = (struct st_sweep_point){.n = p < 3 ? 3 : 0, .nfaults = 1, .capacity_per_s = 200};
		at->label = st_calloc(2, sizeof *at->label);
		for (size_t a = 0; a < 2; a++)
			at->label[a] = st_strdup(hand_made_labels[2 * p + a]);
		at->fault = st_calloc(1, sizeof *at->fault);
		at->fault[0] = run.fault[0];
		at->value = st_calloc(st_figure_count(), sizeof *at->value);
		for (size_t f = 0; f < st_figure_count(); f++) {
			at->value[f] = st_calloc(3, sizeof(double));
			for (size_t i = 0; i < 3; i++)
				at->value[f][i] = run.figure[f];
		}
		at->subject_value = st_calloc(2, sizeof *at->subject_value);
		for (size_t g = 0; g < 2; g++) {
			at->subject_value[g] = st_calloc(st_figure_count(), sizeof *at->subject_value[g]);
			for (size_t f = 0; f < st_figure_count(); f++) {
				at->subject_value[g][f] = st_calloc(3, sizeof(double));
				for (size_t i = 0; i < 3; i++)
					at->subject_value[g][f][i] = run.subject[g].figure[f];
			}
			for (size_t i = 0; i < 3; i++)
				at->subject_value[g][st_figure_find("success_share")][i] = g == 0 ? 0.25 + 0.01 * (double)i : 1;
		}
		for (size_t i = 0; i < 3; i++) {
			at->value[st_figure_find("success_share")][i] =
			    0.5 + 0.1 * (double)p + 0.01 * (double)i;
			at->value[st_figure_find("recovered")][i] = p != 1 || i != 1;
		}
		if (p == 1)
			at->value[st_figure_find("recovery_time_s")][1] = INFINITY;
		st_tally_init(&at->series, run.series.bin, run.series.duration);
		for (size_t i = 0; i < at->n; i++)
			st_tally_add(&at->series, &run.series);
	}
	hand_made_run_release(&run);
	return r;
}

static void hand_made_values_release(double **value)
{
	for (size_t f = 0; f < st_figure_count(); f++)
		free(value[f]);
	free(value);
}

static void hand_made_sweep_release(struct st_sweep_result *r)
{
	for (size_t p = 0; p < r->npoints; p++) {
		struct st_sweep_point *at = &r->point[p];

		hand_made_values_release(at->value);
		for (size_t g = 0; g < 2; g++)
			hand_made_values_release(at->subject_value[g]);
		free(at->subject_value);
		for (size_t a = 0; a < r->naxes; a++)
			free(at->label[a]);
		free(at->label);
		free(at->fault);
		st_tally_release(&at->series);
	}
	for (size_t a = 0; a < r->naxes; a++)
		free(r->axis[a]);
	free(r->axis);
	for (size_t g = 0; g < 2; g++)
		free(r->subject[g].name);
	free(r->subject);
	free(r->point);
	free(r->title);
}

#endif
