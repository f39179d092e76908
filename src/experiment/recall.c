#include <config.h>

#include "experiment/recall.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "experiment/fold.h"
#include "experiment/ledger.h"
#include "experiment/subject.h"

static int damaged(struct st_db *db, size_t point, struct st_err *e)
{
	return st_err_add(e, ST_EXIT_MACHINE, NULL, "cannot read '%s': the series of point %zu are damaged", db->path, point);
}

int st_recall_series(struct st_db *db, size_t point, struct st_tally *t, struct st_err *e)
{
	sqlite3_stmt *old = st_db_prepare(db, "select series, bin_ns, duration_ns from point where point = ?", e);
	sqlite3_stmt *new = st_db_prepare(db, "select packed from pending_series where point = ? order by replication", e);
	int rc = old && new ? 0 : -1;

	memset(t, 0, sizeof *t);
	if (rc == 0) {
		sqlite3_bind_int64(old, 1, (sqlite3_int64)point);
		sqlite3_bind_int64(new, 1, (sqlite3_int64)point);
		rc = st_db_step(db, old, e);
		rc = rc == 0 ? damaged(db, point, e) : rc == 1 ? 0 : -1;
	}
	if (rc == 0 && sqlite3_column_type(old, 0) == SQLITE_BLOB) {
		if (st_fold_unpack(t, sqlite3_column_blob(old, 0), (size_t)sqlite3_column_bytes(old, 0)) < 0)
			rc = damaged(db, point, e);
	} else if (rc == 0 && sqlite3_column_int64(old, 1) > 0) {
		st_tally_init(t, sqlite3_column_int64(old, 1), sqlite3_column_int64(old, 2));
	}
	while (rc == 0 && (rc = st_db_step(db, new, e)) == 1)
		rc = st_tally_add_packed(t, sqlite3_column_blob(new, 0), (size_t)sqlite3_column_bytes(new, 0)) < 0
		    ? damaged(db, point, e)
		    : 0;
	sqlite3_finalize(old);
	sqlite3_finalize(new);
	return rc;
}

/* A number of the store's, or one past the end if it is out of bounds. */
static size_t number(sqlite3_stmt *q, int column, size_t end)
{
	sqlite3_int64 x = sqlite3_column_int64(q, column);

	return x >= 0 && (size_t)x < end ? (size_t)x : end;
}

static int read_axes(struct st_db *db, struct st_sweep_result *out, struct st_err *e)
{
	sqlite3_stmt *axis = st_db_prepare(db, "select path from axis order by axis", e);
	sqlite3_stmt *label = st_db_prepare(db, "select point, axis, value from label", e);
	size_t a = 0;
	int rc;

	while ((rc = st_db_step(db, axis, e)) == 1 && a < out->naxes)
		out->axis[a++] = st_strdup((const char *)sqlite3_column_text(axis, 0));
	while (rc == 0 && (rc = st_db_step(db, label, e)) == 1) {
		size_t p = number(label, 0, out->npoints), i = number(label, 1, out->naxes);

		if (p < out->npoints && i < out->naxes)
			out->point[p].label[i] = st_strdup((const char *)sqlite3_column_text(label, 2));
		rc = 0;
	}
	sqlite3_finalize(axis);
	sqlite3_finalize(label);
	return rc;
}

static int read_subjects(struct st_db *db, struct st_sweep_result *out, struct st_err *e)
{
	sqlite3_stmt *q = st_db_prepare(db, "select name, kind, is_swept from subject order by subject", e);
	size_t i = 0;
	int rc;

	while ((rc = st_db_step(db, q, e)) == 1 && i < out->nsubjects)
		out->subject[i++] = (struct st_subject){.name = st_strdup((const char *)sqlite3_column_text(q, 0)),
		    .scope = st_subject_scope((const char *)sqlite3_column_text(q, 1)),
		    .is_swept = sqlite3_column_int(q, 2) != 0};
	sqlite3_finalize(q);
	return rc;
}

/* Which replications of each point there are: rank[point * replications + replication] becomes their order. */
static int read_replications(struct st_db *db, struct st_sweep_result *out, size_t *rank, struct st_err *e)
{
	sqlite3_stmt *q = st_db_prepare(db, "select point, replication from trial order by point, replication", e);
	int rc;

	while ((rc = st_db_step(db, q, e)) == 1) {
		size_t p = number(q, 0, out->npoints), r = number(q, 1, out->replications);

		if (p < out->npoints && r < out->replications)
			rank[p * out->replications + r] = out->point[p].n++;
	}
	sqlite3_finalize(q);
	return rc;
}

/* [figure][replication], all absent so far. */
static double **make_values(size_t n)
{
	double **value = st_calloc(st_figure_count(), sizeof *value);

	for (size_t f = 0; f < st_figure_count(); f++) {
		value[f] = st_calloc(n, sizeof *value[f]);
		for (size_t i = 0; i < n; i++)
			value[f][i] = (double)NAN;
	}
	return value;
}

static void make_points(struct st_sweep_result *out)
{
	for (size_t i = 0; i < out->npoints; i++) {
		struct st_sweep_point *p = &out->point[i];

		p->value = make_values(p->n);
		p->subject_value = st_calloc(out->nsubjects, sizeof *p->subject_value);
		for (size_t k = 0; k < out->nsubjects; k++)
			p->subject_value[k] = make_values(p->n);
	}
}

/* The figures of a scope, from a column on. */
static void take_figures(sqlite3_stmt *q, int column, unsigned scope, double **value, size_t rank)
{
	for (size_t f = 0; st_figure_at(f); f++) {
		if (!(st_figure_at(f)->scope & scope))
			continue;
		if (sqlite3_column_type(q, column) != SQLITE_NULL)
			value[f][rank] = sqlite3_column_double(q, column);
		column++;
	}
}

static int read_trials(struct st_db *db, struct st_sweep_result *out, const size_t *rank, struct st_err *e)
{
	sqlite3_stmt *whole = st_db_prepare(db, "select * from trial", e);
	sqlite3_stmt *subject = st_db_prepare(db, "select * from subject_trial", e);
	int rc;

	while ((rc = st_db_step(db, whole, e)) == 1) {
		size_t p = number(whole, 0, out->npoints), r = number(whole, 1, out->replications);

		if (p < out->npoints && r < out->replications)
			take_figures(whole, 4, ST_SCOPE_RUN, out->point[p].value, rank[p * out->replications + r]);
	}
	while (rc == 0 && (rc = st_db_step(db, subject, e)) == 1) {
		size_t p = number(subject, 0, out->npoints), r = number(subject, 1, out->replications);
		size_t k = number(subject, 2, out->nsubjects);

		if (p < out->npoints && r < out->replications && k < out->nsubjects)
			take_figures(subject, 3, ST_SCOPE_ANY, out->point[p].subject_value[k], rank[p * out->replications + r]);
		rc = 0;
	}
	sqlite3_finalize(whole);
	sqlite3_finalize(subject);
	return rc;
}

static int read_faults(struct st_db *db, struct st_sweep_result *out, struct st_err *e)
{
	sqlite3_stmt *point = st_db_prepare(db, "select point, capacity_per_s from point", e);
	sqlite3_stmt *fault = st_db_prepare(db, "select point, from_ns, to_ns from fault order by point, fault", e);
	int rc;

	while ((rc = st_db_step(db, point, e)) == 1) {
		size_t i = number(point, 0, out->npoints);

		if (i < out->npoints)
			out->point[i].capacity_per_s = sqlite3_column_double(point, 1);
	}
	while (rc == 0 && (rc = st_db_step(db, fault, e)) == 1) {
		size_t i = number(fault, 0, out->npoints);

		rc = 0;
		if (i == out->npoints)
			continue;
		struct st_sweep_point *p = &out->point[i];
		p->fault = st_realloc(p->fault, p->nfaults + 1, sizeof *p->fault);
		p->fault[p->nfaults++] = (struct st_window){sqlite3_column_int64(fault, 1), sqlite3_column_int64(fault, 2)};
	}
	sqlite3_finalize(point);
	sqlite3_finalize(fault);
	return rc;
}

static int read_all(struct st_db *db, struct st_sweep_result *out, size_t *rank, struct st_err *e)
{
	char *seed = st_ledger_meta(db, "seed", e);
	int rc = st_err_any(e) ? -1 : 0;

	out->title = st_ledger_meta(db, "title", e);
	out->seed = seed ? strtoull(seed, NULL, 10) : 0;
	free(seed);
	if (rc < 0 || read_axes(db, out, e) < 0 || read_subjects(db, out, e) < 0 || read_replications(db, out, rank, e) < 0)
		return -1;
	make_points(out);
	if (read_trials(db, out, rank, e) < 0 || read_faults(db, out, e) < 0)
		return -1;
	for (size_t p = 0; p < out->npoints; p++) {
		if (st_recall_series(db, p, &out->point[p].series, e) < 0)
			return -1;
	}
	return 0;
}

int st_recall(struct st_db *db, const struct st_recall_shape *shape, struct st_sweep_result *out, struct st_err *e)
{
	size_t *rank = st_calloc(shape->npoints * shape->replications, sizeof *rank);

	*out = (struct st_sweep_result){.naxes = shape->naxes,
	    .npoints = shape->npoints,
	    .nsubjects = shape->nsubjects,
	    .replications = shape->replications};
	out->axis = st_calloc(out->naxes, sizeof *out->axis);
	out->subject = st_calloc(out->nsubjects, sizeof *out->subject);
	out->point = st_calloc(out->npoints, sizeof *out->point);
	for (size_t i = 0; i < out->npoints; i++)
		out->point[i].label = st_calloc(out->naxes, sizeof *out->point[i].label);
	int rc = read_all(db, out, rank, e);
	free(rank);
	if (rc < 0)
		st_sweep_result_release(out);
	return rc;
}

static int check_version(struct st_db *db, struct st_err *e)
{
	char *version = st_ledger_meta(db, "version", e);
	int rc = version && strcmp(version, PACKAGE_VERSION) == 0 ? 0 : -1;

	if (rc < 0 && !st_err_any(e))
		st_err_add(e, ST_EXIT_USER, NULL, "'%s' was written by stampede %s, this is %s", db->path, version ? version : "?", PACKAGE_VERSION);
	free(version);
	return rc;
}

/* A number that counts something. */
static size_t count(struct st_db *db, const char *query, struct st_err *e)
{
	long long n = st_db_number(db, query, e);

	return n > 0 ? (size_t)n : 0;
}

int st_recall_file(const char *path, uint32_t replications, struct st_sweep_result *out, struct st_err *e)
{
	struct st_db db;

	if (st_db_open_to_read(&db, path, e) < 0)
		return -1;
	int rc = check_version(&db, e);
	if (rc == 0) {
		struct st_recall_shape shape = {.replications = replications};
		size_t most = count(&db, "select max(replication) + 1 from trial", e);

		shape.replications = most < replications ? (uint32_t)most : replications;
		shape.npoints = count(&db, "select count(*) from point", e);
		shape.naxes = count(&db, "select count(*) from axis", e);
		shape.nsubjects = count(&db, "select count(*) from subject", e);
		rc = st_err_any(e) ? -1 : st_recall(&db, &shape, out, e);
	}
	if (st_db_close(&db, e) < 0 && rc == 0) {
		st_sweep_result_release(out);
		rc = -1;
	}
	return rc;
}
