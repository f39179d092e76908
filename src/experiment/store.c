#include <config.h>

#include "experiment/store.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/text.h"
#include "experiment/db.h"
#include "experiment/fold.h"
#include "experiment/ledger.h"
#include "experiment/merge.h"
#include "experiment/recall.h"

enum { COMMIT_NS = 100000000 }; /* a commit to the write-ahead log is no sync: ten a second cost nothing */

struct st_store {
	struct st_db db;
	size_t npoints, naxes, nsubjects;
	uint32_t replications;
	char **subject;      /* names */
	uint8_t *has;        /* [point][replication] */
	uint32_t *count;     /* trials of each point */
	size_t total;
	bool *described;     /* whether a point's capacity, bin and faults are known */
	bool in_batch, broken;
	int64_t committed_ns; /* when the last batch was */
	sqlite3_stmt *put_trial, *put_subject, *put_series;
};

/* Those that are not known yet. */
static int read_trials(struct st_store *s, struct st_err *e)
{
	sqlite3_stmt *q = st_db_prepare(&s->db, "select point, replication from trial", e);
	int rc;

	while ((rc = st_db_step(&s->db, q, e)) == 1) {
		size_t p = (size_t)sqlite3_column_int64(q, 0), r = (size_t)sqlite3_column_int64(q, 1);

		if (p >= s->npoints || r >= s->replications || s->has[p * s->replications + r])
			continue;
		s->has[p * s->replications + r] = 1;
		s->count[p]++;
		s->total++;
		s->described[p] = true;
	}
	sqlite3_finalize(q);
	return rc;
}

/* "insert into TABLE" with the key's values and a figure's each of a scope. */
static sqlite3_stmt *prepare_put(struct st_store *s, const char *table, unsigned scope, struct st_err *e)
{
	struct st_text t = ST_TEXT_INIT;

	st_text_addf(&t, "insert into %s", table);
	for (size_t i = 0; st_figure_at(i); i++)
		st_text_add(&t, st_figure_at(i)->scope & scope ? ", ?" : "");
	st_text_add(&t, ")");
	sqlite3_stmt *q = st_db_prepare(&s->db, t.s, e);
	st_text_release(&t);
	return q;
}

static int prepare_puts(struct st_store *s, struct st_err *e)
{
	s->put_trial = prepare_put(s, "trial values(?, ?, ?, ?", ST_SCOPE_RUN, e);
	s->put_subject = prepare_put(s, "subject_trial values(?, ?, ?", ST_SCOPE_ANY, e);
	s->put_series = st_db_prepare(&s->db, "insert into pending_series values(?, ?, ?)", e);
	return s->put_trial && s->put_subject && s->put_series ? 0 : -1;
}

static int set_up(struct st_store *s, const struct st_store_id *id, struct st_err *e)
{
	long long n = st_db_number(&s->db, "select count(*) from sqlite_master", e);

	if (n < 0 || (n == 0 ? st_ledger_make(&s->db, id, e) : st_ledger_compare(&s->db, id, st_ledger_way_out, e)) < 0)
		return -1;
	if (st_ledger_adopt(&s->db, id, e) < 0 || read_trials(s, e) < 0)
		return -1;
	return prepare_puts(s, e);
}

/* Without a commit: what is open is rolled back. */
static int let_go(struct st_store *s, struct st_err *e)
{
	sqlite3_finalize(s->put_trial);
	sqlite3_finalize(s->put_subject);
	sqlite3_finalize(s->put_series);
	if (s->db.handle && !sqlite3_get_autocommit(s->db.handle))
		sqlite3_exec(s->db.handle, "rollback", NULL, NULL, NULL);
	int rc = st_db_close(&s->db, e);
	free(s->has);
	free(s->count);
	free(s->described);
	for (size_t i = 0; i < s->nsubjects; i++)
		free(s->subject[i]);
	free(s->subject);
	free(s);
	return rc;
}

struct st_store *st_store_open(const char *path, const struct st_store_id *id, bool afresh, struct st_err *e)
{
	struct st_store *s = st_calloc(1, sizeof *s);

	s->npoints = id->npoints;
	s->naxes = id->naxes;
	s->replications = id->replications;
	s->nsubjects = id->nsubjects;
	s->subject = st_calloc(id->nsubjects, sizeof *s->subject);
	for (size_t i = 0; i < id->nsubjects; i++)
		s->subject[i] = st_strdup(id->subject[i].name);
	s->has = st_calloc(s->npoints * s->replications, sizeof *s->has);
	s->count = st_calloc(s->npoints, sizeof *s->count);
	s->described = st_calloc(s->npoints, sizeof *s->described);
	s->committed_ns = st_clock_ns(CLOCK_MONOTONIC);
	if (st_db_open(&s->db, path, afresh, e) == 0 && set_up(s, id, e) == 0)
		return s;
	struct st_err more = ST_ERR_INIT; /* what follows from the first failure */
	let_go(s, &more);
	st_err_release(&more);
	return NULL;
}

bool st_store_has(const struct st_store *s, size_t point, uint32_t replication)
{
	return s->has[point * s->replications + replication];
}

size_t st_store_count(const struct st_store *s)
{
	return s->total;
}

size_t st_store_runs(const struct st_store *s, size_t point)
{
	return s->count[point];
}

/* What all replications of a point share, told by the first. */
static int describe(struct st_store *s, size_t point, const struct st_result *r, struct st_err *e)
{
	sqlite3_stmt *what = st_db_prepare(&s->db,
	    "update point set capacity_per_s = ?, bin_ns = ?, duration_ns = ? where point = ?", e);
	sqlite3_stmt *fault = st_db_prepare(&s->db, "insert or replace into fault values(?, ?, ?, ?)", e);
	int rc = what && fault ? 0 : -1;

	if (rc == 0) {
		sqlite3_bind_double(what, 1, r->capacity_per_s);
		sqlite3_bind_int64(what, 2, r->series.bin);
		sqlite3_bind_int64(what, 3, r->series.duration);
		sqlite3_bind_int64(what, 4, (sqlite3_int64)point);
		rc = st_db_step(&s->db, what, e);
	}
	for (size_t i = 0; i < r->nfaults && rc == 0; i++) {
		sqlite3_bind_int64(fault, 1, (sqlite3_int64)point);
		sqlite3_bind_int64(fault, 2, (sqlite3_int64)i);
		sqlite3_bind_int64(fault, 3, r->fault[i].from);
		sqlite3_bind_int64(fault, 4, r->fault[i].to);
		rc = st_db_step(&s->db, fault, e);
	}
	sqlite3_finalize(what);
	sqlite3_finalize(fault);
	return rc;
}

static void bind_figures(sqlite3_stmt *q, int first, const double *figure, unsigned scope)
{
	for (size_t f = 0; st_figure_at(f); f++)
		if (st_figure_at(f)->scope & scope)
			sqlite3_bind_double(q, first++, figure[f]); /* NAN becomes NULL */
}

static int put_trial(struct st_store *s, size_t point, const struct st_result *r, struct st_err *e)
{
	char fingerprint[17];

	snprintf(fingerprint, sizeof fingerprint, "%016" PRIx64, r->fingerprint);
	sqlite3_bind_int64(s->put_trial, 1, (sqlite3_int64)point);
	sqlite3_bind_int64(s->put_trial, 2, r->replication);
	sqlite3_bind_int64(s->put_trial, 3, (sqlite3_int64)r->events);
	sqlite3_bind_text(s->put_trial, 4, fingerprint, -1, SQLITE_TRANSIENT);
	bind_figures(s->put_trial, 5, r->figure, ST_SCOPE_RUN);
	return st_db_step(&s->db, s->put_trial, e);
}

/* The sweep's number of a subject, which in most sweeps is that of the trial; nsubjects of one that it has not, but as the whole. */
static size_t subject_number(const struct st_store *s, size_t likely, const char *name)
{
	if (likely < s->nsubjects && strcmp(s->subject[likely], name) == 0)
		return likely;
	for (size_t i = 0; i < s->nsubjects; i++)
		if (strcmp(s->subject[i], name) == 0)
			return i;
	return s->nsubjects;
}

static int put_subjects(struct st_store *s, size_t point, const struct st_result *r, struct st_err *e)
{
	for (size_t i = 0; i < r->nsubjects; i++) {
		size_t number = subject_number(s, i, r->subject[i].name);

		if (number == s->nsubjects)
			continue;
		sqlite3_bind_int64(s->put_subject, 1, (sqlite3_int64)point);
		sqlite3_bind_int64(s->put_subject, 2, r->replication);
		sqlite3_bind_int64(s->put_subject, 3, (sqlite3_int64)number);
		bind_figures(s->put_subject, 4, r->subject[i].figure, ST_SCOPE_ANY);
		if (st_db_step(&s->db, s->put_subject, e) < 0)
			return -1;
	}
	return 0;
}

static int put_series(struct st_store *s, size_t point, const struct st_result *r, struct st_err *e)
{
	sqlite3_bind_int64(s->put_series, 1, (sqlite3_int64)point);
	sqlite3_bind_int64(s->put_series, 2, r->replication);
	sqlite3_bind_blob64(s->put_series, 3, r->packed, r->npacked, SQLITE_STATIC);
	return st_db_step(&s->db, s->put_series, e);
}

static int fold(struct st_store *s, size_t point, struct st_err *e)
{
	sqlite3_stmt *keep = st_db_prepare(&s->db, "update point set series = ? where point = ?", e);
	sqlite3_stmt *drop = st_db_prepare(&s->db, "delete from pending_series where point = ?", e);
	struct st_tally t;
	int rc = st_recall_series(&s->db, point, &t, e);

	if (rc == 0 && keep && drop) {
		size_t len;
		unsigned char *bytes = st_fold_pack(&t, &len);

		sqlite3_bind_blob64(keep, 1, bytes, len, free);
		sqlite3_bind_int64(keep, 2, (sqlite3_int64)point);
		sqlite3_bind_int64(drop, 1, (sqlite3_int64)point);
		rc = st_db_step(&s->db, keep, e) < 0 || st_db_step(&s->db, drop, e) < 0 ? -1 : 0;
	}
	st_tally_release(&t);
	sqlite3_finalize(keep);
	sqlite3_finalize(drop);
	return rc == 0 && keep && drop ? 0 : -1;
}

static int begin(struct st_store *s, struct st_err *e)
{
	if (!s->in_batch && st_db_exec(&s->db, "begin immediate", e) < 0)
		return -1;
	s->in_batch = true;
	return 0;
}

static int put(struct st_store *s, size_t point, const struct st_result *r, struct st_err *e)
{
	if (begin(s, e) < 0)
		return -1;
	if (!s->described[point] && describe(s, point, r, e) < 0)
		return -1;
	s->described[point] = true;
	if (put_trial(s, point, r, e) < 0 || put_subjects(s, point, r, e) < 0 || put_series(s, point, r, e) < 0)
		return -1;
	s->has[point * s->replications + r->replication] = 1;
	s->count[point]++;
	s->total++;
	return s->count[point] == s->replications ? fold(s, point, e) : 0;
}

int st_store_name(struct st_store *s, size_t point, const char *const *label, struct st_err *e)
{
	st_assert(point < s->npoints);
	if (s->broken)
		return -1;
	if (begin(s, e) == 0 && st_ledger_name(&s->db, point, label, s->naxes, e) == 0)
		return 0;
	s->broken = true;
	return -1;
}

int st_store_put(struct st_store *s, size_t point, const struct st_result *r, struct st_err *e)
{
	st_assert(point < s->npoints && r->replication < s->replications && !st_store_has(s, point, r->replication) && r->packed);
	if (s->broken)
		return -1;
	if (put(s, point, r, e) < 0) {
		s->broken = true;
		return -1;
	}
	return st_clock_ns(CLOCK_MONOTONIC) - s->committed_ns >= COMMIT_NS ? st_store_commit(s, e) : 0;
}

int st_store_settle(struct st_store *s, size_t point, struct st_err *e)
{
	if (s->broken)
		return -1;
	if (begin(s, e) == 0 && fold(s, point, e) == 0)
		return 0;
	s->broken = true;
	return -1;
}

/* Fold the points that have become complete; before: how many runs each had. */
static int fold_completed(struct st_store *s, const uint32_t *before, struct st_err *e)
{
	int rc = begin(s, e);

	for (size_t p = 0; p < s->npoints && rc == 0; p++)
		if (s->count[p] == s->replications && before[p] < s->replications)
			rc = fold(s, p, e);
	return rc;
}

int st_store_merge(struct st_store *s, const char *path, struct st_err *e)
{
	uint32_t *before = st_calloc(s->npoints, sizeof *before);
	int rc = st_store_commit(s, e) < 0 || st_merge(&s->db, path, e) < 0 ? -1 : 0;

	memcpy(before, s->count, s->npoints * sizeof *before);
	if (rc == 0 && (read_trials(s, e) < 0 || fold_completed(s, before, e) < 0)) {
		s->broken = true;
		rc = -1;
	}
	free(before);
	return rc;
}

int st_store_values(struct st_store *s, const char *subject, size_t figure, double *value, struct st_err *e)
{
	size_t number = subject ? subject_number(s, 0, subject) : s->nsubjects;
	char column[64],
	    *where = number < s->nsubjects ? st_format("subject_trial where subject = %zu", number) : st_strdup("trial");
	char *sql = st_format("select point, replication, \"%s\" from %s", st_figure_column(st_figure_at(figure), column), where);
	sqlite3_stmt *q = st_db_prepare(&s->db, sql, e);
	int rc;

	while ((rc = st_db_step(&s->db, q, e)) == 1) {
		size_t p = (size_t)sqlite3_column_int64(q, 0), r = (size_t)sqlite3_column_int64(q, 1);

		if (p < s->npoints && r < s->replications)
			value[p * s->replications + r] =
			    sqlite3_column_type(q, 2) == SQLITE_NULL ? (double)NAN : sqlite3_column_double(q, 2);
	}
	sqlite3_finalize(q);
	free(sql);
	free(where);
	return rc;
}

int st_store_commit(struct st_store *s, struct st_err *e)
{
	if (s->broken)
		return -1;
	if (s->in_batch && st_db_exec(&s->db, "commit", e) < 0) {
		s->broken = true;
		return -1;
	}
	s->in_batch = false;
	s->committed_ns = st_clock_ns(CLOCK_MONOTONIC);
	return 0;
}

int st_store_load(struct st_store *s, struct st_sweep_result *out, struct st_err *e)
{
	if (st_store_commit(s, e) < 0)
		return -1;
	return st_recall(&s->db,
	    &(struct st_recall_shape){
		.npoints = s->npoints, .naxes = s->naxes, .nsubjects = s->nsubjects, .replications = s->replications},
	    out, e);
}

int st_store_close(struct st_store *s, struct st_err *e)
{
	if (!s)
		return 0;
	/* A store that failed has said so. */
	struct st_err quiet = ST_ERR_INIT, *to = s->broken ? &quiet : e;
	int rc = st_store_commit(s, to);

	if (let_go(s, rc < 0 ? &quiet : to) < 0)
		rc = -1;
	st_err_release(&quiet);
	return rc;
}
