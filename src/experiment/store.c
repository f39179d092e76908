#include <config.h>

#include "experiment/store.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/mem.h"
#include "base/text.h"
#include "experiment/db.h"
#include "experiment/fold.h"
#include "experiment/ledger.h"

enum { COMMIT_NS = 100000000 }; /* a commit to the write-ahead log is no sync: ten a second cost nothing */

struct st_store {
	struct st_db db;
	size_t npoints, naxes;
	uint32_t replications;
	uint8_t *has;        /* [point][replication] */
	uint32_t *count;     /* trials of each point */
	size_t total;
	bool *described;     /* whether a point's capacity, bin and faults are known */
	bool in_batch, broken;
	int64_t committed_ns; /* when the last batch was */
	sqlite3_stmt *put_trial, *put_series;
};

static int read_trials(struct st_store *s, struct st_err *e)
{
	sqlite3_stmt *q = st_db_prepare(&s->db, "select point, replication from trial", e);
	int rc;

	while ((rc = st_db_step(&s->db, q, e)) == 1) {
		size_t p = (size_t)sqlite3_column_int64(q, 0), r = (size_t)sqlite3_column_int64(q, 1);

		if (p >= s->npoints || r >= s->replications)
			continue;
		s->has[p * s->replications + r] = 1;
		s->count[p]++;
		s->total++;
		s->described[p] = true;
	}
	sqlite3_finalize(q);
	return rc;
}

static int prepare_puts(struct st_store *s, struct st_err *e)
{
	struct st_text t = ST_TEXT_INIT;

	st_text_add(&t, "insert into trial values(?, ?, ?, ?");
	for (size_t i = 0; i < st_figure_count(); i++)
		st_text_add(&t, ", ?");
	st_text_add(&t, ")");
	s->put_trial = st_db_prepare(&s->db, t.s, e);
	s->put_series = st_db_prepare(&s->db, "insert into pending_series values(?, ?, ?)", e);
	st_text_release(&t);
	return s->put_trial && s->put_series ? 0 : -1;
}

static int64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static int set_up(struct st_store *s, const struct st_store_id *id, struct st_err *e)
{
	long long n = st_db_number(&s->db, "select count(*) from sqlite_master", e);

	if (n < 0 || (n == 0 ? st_ledger_make(&s->db, id, e) : st_ledger_compare(&s->db, id, e)) < 0)
		return -1;
	if (st_ledger_adopt(&s->db, s->replications, e) < 0 || read_trials(s, e) < 0)
		return -1;
	return prepare_puts(s, e);
}

/* Without a commit: what is open is rolled back. */
static int let_go(struct st_store *s, struct st_err *e)
{
	sqlite3_finalize(s->put_trial);
	sqlite3_finalize(s->put_series);
	if (s->db.handle && !sqlite3_get_autocommit(s->db.handle))
		sqlite3_exec(s->db.handle, "rollback", NULL, NULL, NULL);
	int rc = st_db_close(&s->db, e);
	free(s->has);
	free(s->count);
	free(s->described);
	free(s);
	return rc;
}

struct st_store *st_store_open(const char *path, const struct st_store_id *id, bool afresh, struct st_err *e)
{
	struct st_store *s = st_calloc(1, sizeof *s);

	s->npoints = id->npoints;
	s->naxes = id->naxes;
	s->replications = id->replications;
	s->has = st_calloc(s->npoints * s->replications, sizeof *s->has);
	s->count = st_calloc(s->npoints, sizeof *s->count);
	s->described = st_calloc(s->npoints, sizeof *s->described);
	s->committed_ns = now_ns();
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

static int put_trial(struct st_store *s, size_t point, const struct st_result *r, struct st_err *e)
{
	char fingerprint[17];

	snprintf(fingerprint, sizeof fingerprint, "%016" PRIx64, r->fingerprint);
	sqlite3_bind_int64(s->put_trial, 1, (sqlite3_int64)point);
	sqlite3_bind_int64(s->put_trial, 2, r->replication);
	sqlite3_bind_int64(s->put_trial, 3, (sqlite3_int64)r->events);
	sqlite3_bind_text(s->put_trial, 4, fingerprint, -1, SQLITE_TRANSIENT);
	for (size_t f = 0; f < st_figure_count(); f++)
		sqlite3_bind_double(s->put_trial, (int)f + 5, r->figure[f]); /* NAN becomes NULL */
	return st_db_step(&s->db, s->put_trial, e);
}

static int put_series(struct st_store *s, size_t point, const struct st_result *r, struct st_err *e)
{
	size_t len;
	unsigned char *packed = st_series_pack(&r->series, &len);

	sqlite3_bind_int64(s->put_series, 1, (sqlite3_int64)point);
	sqlite3_bind_int64(s->put_series, 2, r->replication);
	sqlite3_bind_blob64(s->put_series, 3, packed, len, free);
	return st_db_step(&s->db, s->put_series, e);
}

static int damaged(struct st_store *s, size_t point, struct st_err *e)
{
	return st_err_add(e, ST_EXIT_MACHINE, NULL, "cannot read '%s': the series of point %zu are damaged", s->db.path, point);
}

/* All of a point's series: what was folded earlier and what is pending. *t is to be released either way. */
static int tally_of(struct st_store *s, size_t point, struct st_tally *t, struct st_err *e)
{
	sqlite3_stmt *old = st_db_prepare(&s->db, "select series, bin_ns, duration_ns from point where point = ?", e);
	sqlite3_stmt *new = st_db_prepare(&s->db, "select packed from pending_series where point = ? order by replication", e);
	int rc = old && new ? 0 : -1;

	memset(t, 0, sizeof *t);
	if (rc == 0) {
		sqlite3_bind_int64(old, 1, (sqlite3_int64)point);
		sqlite3_bind_int64(new, 1, (sqlite3_int64)point);
		rc = st_db_step(&s->db, old, e) == 1 ? 0 : -1;
	}
	if (rc == 0 && sqlite3_column_type(old, 0) == SQLITE_BLOB) {
		if (st_fold_unpack(t, sqlite3_column_blob(old, 0), (size_t)sqlite3_column_bytes(old, 0)) < 0)
			rc = damaged(s, point, e);
	} else if (rc == 0 && sqlite3_column_int64(old, 1) > 0) {
		st_tally_init(t, sqlite3_column_int64(old, 1), sqlite3_column_int64(old, 2));
	}
	while (rc == 0 && (rc = st_db_step(&s->db, new, e)) == 1)
		rc = st_tally_add_packed(t, sqlite3_column_blob(new, 0), (size_t)sqlite3_column_bytes(new, 0)) < 0
		    ? damaged(s, point, e)
		    : 0;
	sqlite3_finalize(old);
	sqlite3_finalize(new);
	return rc;
}

static int fold(struct st_store *s, size_t point, struct st_err *e)
{
	sqlite3_stmt *keep = st_db_prepare(&s->db, "update point set series = ? where point = ?", e);
	sqlite3_stmt *drop = st_db_prepare(&s->db, "delete from pending_series where point = ?", e);
	struct st_tally t;
	int rc = tally_of(s, point, &t, e);

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

static int put(struct st_store *s, size_t point, const struct st_result *r, struct st_err *e)
{
	if (!s->in_batch && st_db_exec(&s->db, "begin immediate", e) < 0)
		return -1;
	s->in_batch = true;
	if (!s->described[point] && describe(s, point, r, e) < 0)
		return -1;
	s->described[point] = true;
	if (put_trial(s, point, r, e) < 0 || put_series(s, point, r, e) < 0)
		return -1;
	s->has[point * s->replications + r->replication] = 1;
	s->count[point]++;
	s->total++;
	return s->count[point] == s->replications ? fold(s, point, e) : 0;
}

int st_store_put(struct st_store *s, size_t point, const struct st_result *r, struct st_err *e)
{
	st_assert(point < s->npoints && r->replication < s->replications && !st_store_has(s, point, r->replication));
	if (s->broken)
		return -1;
	if (put(s, point, r, e) < 0) {
		s->broken = true;
		return -1;
	}
	return now_ns() - s->committed_ns >= COMMIT_NS ? st_store_commit(s, e) : 0;
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
	s->committed_ns = now_ns();
	return 0;
}

static int load_axes(struct st_store *s, struct st_sweep_result *out, struct st_err *e)
{
	sqlite3_stmt *axis = st_db_prepare(&s->db, "select path from axis order by axis", e);
	sqlite3_stmt *label = st_db_prepare(&s->db, "select point, axis, value from label", e);
	size_t a = 0;
	int rc;

	while ((rc = st_db_step(&s->db, axis, e)) == 1 && a < s->naxes)
		out->axis[a++] = st_strdup((const char *)sqlite3_column_text(axis, 0));
	while (rc == 0 && (rc = st_db_step(&s->db, label, e)) == 1) {
		size_t p = (size_t)sqlite3_column_int64(label, 0), i = (size_t)sqlite3_column_int64(label, 1);

		if (p < s->npoints && i < s->naxes)
			out->point[p].label[i] = st_strdup((const char *)sqlite3_column_text(label, 2));
		rc = 0;
	}
	sqlite3_finalize(axis);
	sqlite3_finalize(label);
	return rc;
}

static int load_trials(struct st_store *s, struct st_sweep_result *out, struct st_err *e)
{
	sqlite3_stmt *q = st_db_prepare(&s->db, "select * from trial order by point, replication", e);
	int rc;

	while ((rc = st_db_step(&s->db, q, e)) == 1) {
		size_t p = (size_t)sqlite3_column_int64(q, 0);

		if (p >= s->npoints || out->point[p].n >= s->count[p])
			continue;
		for (size_t f = 0; f < st_figure_count(); f++) {
			int c = (int)f + 4;

			out->point[p].value[f][out->point[p].n] =
			    sqlite3_column_type(q, c) == SQLITE_NULL ? (double)NAN : sqlite3_column_double(q, c);
		}
		out->point[p].n++;
	}
	sqlite3_finalize(q);
	return rc;
}

static int load_faults(struct st_store *s, struct st_sweep_result *out, struct st_err *e)
{
	sqlite3_stmt *point = st_db_prepare(&s->db, "select point, capacity_per_s from point", e);
	sqlite3_stmt *fault = st_db_prepare(&s->db, "select point, from_ns, to_ns from fault order by point, fault", e);
	int rc;

	while ((rc = st_db_step(&s->db, point, e)) == 1) {
		size_t i = (size_t)sqlite3_column_int64(point, 0);

		if (i < s->npoints)
			out->point[i].capacity_per_s = sqlite3_column_double(point, 1);
	}
	while (rc == 0 && (rc = st_db_step(&s->db, fault, e)) == 1) {
		size_t i = (size_t)sqlite3_column_int64(fault, 0);
		struct st_sweep_point *p = &out->point[i];

		rc = 0;
		if (i >= s->npoints)
			continue;
		p->fault = st_realloc(p->fault, p->nfaults + 1, sizeof *p->fault);
		p->fault[p->nfaults++] = (struct st_window){sqlite3_column_int64(fault, 1), sqlite3_column_int64(fault, 2)};
	}
	sqlite3_finalize(point);
	sqlite3_finalize(fault);
	return rc;
}

static void make_room(const struct st_store *s, struct st_sweep_result *out)
{
	*out = (struct st_sweep_result){.naxes = s->naxes, .npoints = s->npoints, .replications = s->replications};
	out->axis = st_calloc(s->naxes, sizeof *out->axis);
	out->point = st_calloc(s->npoints, sizeof *out->point);
	for (size_t i = 0; i < s->npoints; i++) {
		struct st_sweep_point *p = &out->point[i];

		p->label = st_calloc(s->naxes, sizeof *p->label);
		p->value = st_calloc(st_figure_count(), sizeof *p->value);
		for (size_t f = 0; f < st_figure_count(); f++)
			p->value[f] = st_calloc(s->count[i], sizeof *p->value[f]);
	}
}

static int load(struct st_store *s, struct st_sweep_result *out, struct st_err *e)
{
	char *seed = st_ledger_meta(&s->db, "seed", e);
	int rc = st_err_any(e) ? -1 : 0;

	out->title = st_ledger_meta(&s->db, "title", e);
	out->seed = seed ? strtoull(seed, NULL, 10) : 0;
	free(seed);
	if (rc < 0 || load_axes(s, out, e) < 0 || load_trials(s, out, e) < 0 || load_faults(s, out, e) < 0)
		return -1;
	for (size_t p = 0; p < s->npoints; p++) {
		if (tally_of(s, p, &out->point[p].series, e) < 0)
			return -1;
	}
	return 0;
}

int st_store_load(struct st_store *s, struct st_sweep_result *out, struct st_err *e)
{
	if (st_store_commit(s, e) < 0)
		return -1;
	make_room(s, out);
	if (load(s, out, e) == 0)
		return 0;
	st_sweep_result_release(out);
	return -1;
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
