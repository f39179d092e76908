#include <config.h>

#include "experiment/ledger.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/mem.h"
#include "base/text.h"
#include "experiment/subject.h"

static const char tables[] =
    "create table meta(key text primary key, value) without rowid;"
    "create table axis(axis integer primary key, path text not null);"
    "create table figure(figure integer primary key, name text not null, unit text, definition text);"
    "create table point(point integer primary key, capacity_per_s real, bin_ns integer, duration_ns integer, series blob);"
    "create table subject(subject integer primary key, kind text not null, name text not null, is_swept integer not null);"
    "create table label(point integer, axis integer, value text not null, primary key(point, axis)) without rowid;"
    "create table fault(point integer, fault integer, from_ns integer not null, to_ns integer not null,"
    " primary key(point, fault)) without rowid;"
    "create table pending_series(point integer, replication integer, packed blob not null,"
    " primary key(point, replication));";

static void add_quoted(struct st_text *t, const char *name)
{
	st_text_add(t, "\"");
	for (; *name; name++)
		st_text_add(t, *name == '"' ? "\"\"" : (char[]){*name, '\0'});
	st_text_add(t, "\"");
}

static bool is_trial_column(const char *name)
{
	static const char *const others[] = {"point", "replication", "clients", "service"};
	char column[64];

	for (size_t i = 0; st_figure_at(i); i++) {
		if (strcasecmp(name, st_figure_column(st_figure_at(i), column)) == 0)
			return true;
	}
	for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
		if (strcasecmp(name, others[i]) == 0)
			return true;
	}
	return false;
}

/* ", "NAME" TYPE" of each figure of a scope. */
static void add_figures(struct st_text *t, unsigned scope, const char *type)
{
	char column[64];

	for (size_t i = 0; st_figure_at(i); i++) {
		if (!(st_figure_at(i)->scope & scope))
			continue;
		st_text_add(t, ", ");
		add_quoted(t, st_figure_column(st_figure_at(i), column));
		st_text_add(t, type);
	}
}

static void add_trial_tables(struct st_text *t)
{
	st_text_add(t, "create table trial(point integer, replication integer, events integer, fingerprint text");
	add_figures(t, ST_SCOPE_RUN, " real");
	st_text_add(t, ", primary key(point, replication));"
		       "create table subject_trial(point integer, replication integer, subject integer");
	add_figures(t, ST_SCOPE_ANY, " real");
	st_text_add(t, ", primary key(point, replication, subject)) without rowid;");
}

/* The view of a table of trials; more: columns between the axes and the replication; which: of its rows, or "". */
static void add_view(struct st_text *t, const struct st_store_id *id, const char *view, const char *table, unsigned scope,
    const char *more, const char *which)
{
	st_text_addf(t, "create view %s as select point", view);
	for (size_t a = 0; a < id->naxes; a++) {
		char *name = st_format("%s%s", is_trial_column(id->axis[a]) ? "axis " : "", id->axis[a]);

		st_text_addf(t, ", (select value from label where label.point = %s.point and axis = %zu) as ", table, a);
		add_quoted(t, name);
		free(name);
	}
	st_text_addf(t, "%s, replication", more);
	add_figures(t, scope, "");
	st_text_addf(t, " from %s%s;", table, which);
}

/* The view of a kind of subject, whose name is in a column. */
static void add_subject_view(struct st_text *t, const struct st_store_id *id, const char *view, unsigned scope, const char *column)
{
	char *name = st_format(", (select name from subject s where s.subject = subject_trial.subject) as %s", column);
	char *which = st_format(" where subject in (select subject from subject where kind = '%s')", st_subject_kind(scope));

	add_view(t, id, view, "subject_trial", scope, name, which);
	free(name);
	free(which);
}

static void add_views(struct st_text *t, const struct st_store_id *id)
{
	add_view(t, id, "result", "trial", ST_SCOPE_RUN, "", "");
	add_subject_view(t, id, "group_result", ST_SCOPE_GROUP, "clients");
	add_subject_view(t, id, "service_result", ST_SCOPE_SERVICE, "service");
}

static void bind_text(sqlite3_stmt *q, int at, const char *s)
{
	sqlite3_bind_text(q, at, s, -1, SQLITE_TRANSIENT);
}

static int put_meta(struct st_db *db, const struct st_store_id *id, struct st_err *e)
{
	char *seed = st_format("%" PRIu64, id->seed);
	const char *const row[][2] = {
	    {"version", id->version}, {"scenario", id->scenario}, {"title", id->title}, {"seed", seed}};
	sqlite3_stmt *q = st_db_prepare(db, "insert into meta values(?, ?)", e);
	int rc = q ? 0 : -1;

	for (size_t i = 0; i < sizeof row / sizeof *row && rc == 0; i++) {
		bind_text(q, 1, row[i][0]);
		bind_text(q, 2, row[i][1]);
		rc = st_db_step(db, q, e);
	}
	sqlite3_finalize(q);
	free(seed);
	return rc;
}

static int put_axes(struct st_db *db, const struct st_store_id *id, struct st_err *e)
{
	sqlite3_stmt *axis = st_db_prepare(db, "insert into axis values(?, ?)", e);
	int rc = axis ? 0 : -1;

	for (size_t a = 0; a < id->naxes && rc == 0; a++) {
		sqlite3_bind_int64(axis, 1, (sqlite3_int64)a);
		bind_text(axis, 2, id->axis[a]);
		rc = st_db_step(db, axis, e);
	}
	sqlite3_finalize(axis);
	for (size_t p = 0; id->label && p < id->npoints && rc == 0; p++)
		rc = st_ledger_name(db, p, id->label[p], id->naxes, e);
	return rc;
}

int st_ledger_name(struct st_db *db, size_t point, const char *const *label, size_t naxes, struct st_err *e)
{
	sqlite3_stmt *row = st_db_prepare(db, "insert or ignore into point(point) values(?)", e);
	sqlite3_stmt *value = st_db_prepare(db, "insert or replace into label values(?, ?, ?)", e);
	int rc = row && value ? 0 : -1;

	if (rc == 0) {
		sqlite3_bind_int64(row, 1, (sqlite3_int64)point);
		rc = st_db_step(db, row, e);
	}
	for (size_t a = 0; a < naxes && rc == 0; a++) {
		sqlite3_bind_int64(value, 1, (sqlite3_int64)point);
		sqlite3_bind_int64(value, 2, (sqlite3_int64)a);
		bind_text(value, 3, label[a]);
		rc = st_db_step(db, value, e);
	}
	sqlite3_finalize(row);
	sqlite3_finalize(value);
	return rc;
}

static int put_subjects(struct st_db *db, const struct st_store_id *id, struct st_err *e)
{
	sqlite3_stmt *q = st_db_prepare(db, "insert into subject values(?, ?, ?, ?)", e);
	int rc = q ? 0 : -1;

	for (size_t i = 0; i < id->nsubjects && rc == 0; i++) {
		sqlite3_bind_int64(q, 1, (sqlite3_int64)i);
		bind_text(q, 2, st_subject_kind(id->subject[i].scope));
		bind_text(q, 3, id->subject[i].name);
		sqlite3_bind_int64(q, 4, id->subject[i].is_swept);
		rc = st_db_step(db, q, e);
	}
	sqlite3_finalize(q);
	return rc;
}

static int put_figures(struct st_db *db, struct st_err *e)
{
	sqlite3_stmt *q = st_db_prepare(db, "insert into figure values(?, ?, ?, ?)", e);
	int rc = q ? 0 : -1;
	char column[64];

	for (size_t i = 0; st_figure_at(i) && rc == 0; i++) {
		const struct st_figure *f = st_figure_at(i);

		sqlite3_bind_int64(q, 1, (sqlite3_int64)i);
		bind_text(q, 2, st_figure_column(f, column));
		bind_text(q, 3, f->unit);
		bind_text(q, 4, f->help);
		rc = st_db_step(db, q, e);
	}
	sqlite3_finalize(q);
	return rc;
}

int st_ledger_make(struct st_db *db, const struct st_store_id *id, struct st_err *e)
{
	struct st_text t = ST_TEXT_INIT;
	int rc;

	st_text_addf(&t, "begin; pragma application_id = %d; pragma user_version = %d;", ST_LEDGER_APPLICATION, ST_LEDGER_FORM);
	st_text_add(&t, tables);
	add_trial_tables(&t);
	add_views(&t, id);
	rc = st_db_exec(db, t.s, e);
	st_text_release(&t);
	if (rc == 0)
		rc = put_meta(db, id, e);
	if (rc == 0)
		rc = put_axes(db, id, e);
	if (rc == 0)
		rc = put_subjects(db, id, e);
	if (rc == 0)
		rc = put_figures(db, e);
	return rc == 0 ? st_db_exec(db, "commit", e) : -1;
}

char *st_ledger_meta(struct st_db *db, const char *key, struct st_err *e)
{
	sqlite3_stmt *q = st_db_prepare(db, "select value from meta where key = ?", e);
	char *value = NULL;

	if (q)
		bind_text(q, 1, key);
	if (st_db_step(db, q, e) == 1)
		value = st_strdup((const char *)sqlite3_column_text(q, 0));
	sqlite3_finalize(q);
	return value;
}
