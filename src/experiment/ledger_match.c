#include <config.h>

#include "experiment/ledger.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/lines.h"
#include "base/mem.h"

const char st_ledger_way_out[] = "--force starts afresh, -o DIR puts these elsewhere";

static int refuse(struct st_db *db, const char *way_out, struct st_err *e, const char *what)
{
	return st_err_add(e, ST_EXIT_USER, NULL, "'%s' holds other runs: %s; %s", db->path, what, way_out);
}

static int compare_scenario(struct st_db *db, const char *there, const char *here, const char *way_out, struct st_err *e)
{
	char *differ = st_lines_differ(there, here);
	char *what = st_format("in the resolved scenario, %s", differ ? differ : "");
	int rc = differ ? refuse(db, way_out, e, what) : 0;

	free(differ);
	free(what);
	return rc;
}

static int compare_version(struct st_db *db, const char *there, const char *here, const char *way_out, struct st_err *e)
{
	if (there && strcmp(there, here) == 0)
		return 0;
	char *what = st_format("it was made by version %s, this is %s", there ? there : "unknown", here);
	refuse(db, way_out, e, what);
	free(what);
	return -1;
}

static int compare_seed(struct st_db *db, const char *there, uint64_t here, const char *way_out, struct st_err *e)
{
	char *now = st_format("%" PRIu64, here);
	int rc = 0;

	if (!there || strcmp(there, now) != 0) {
		char *what = st_format("its seed is %s, this one's %s", there ? there : "unknown", now);

		rc = refuse(db, way_out, e, what);
		free(what);
	}
	free(now);
	return rc;
}

/* A build of the same version may have other figures. */
static int compare_figures(struct st_db *db, const char *way_out, struct st_err *e)
{
	sqlite3_stmt *q = st_db_prepare(db, "select name from figure order by figure", e);
	size_t n = 0;
	char column[64];
	int rc;

	while ((rc = st_db_step(db, q, e)) == 1) {
		const struct st_figure *f = st_figure_at(n++);

		if (!f || strcmp((const char *)sqlite3_column_text(q, 0), st_figure_column(f, column)) != 0) {
			n = 0;
			break;
		}
	}
	sqlite3_finalize(q);
	if (rc < 0)
		return -1;
	return n == st_figure_count() ? 0 : refuse(db, way_out, e, "it was made by a build with other figures");
}

/* The points of a larger sample may have groups or services that those there have not: then what is kept of these lacks them. */
static int compare_subjects(struct st_db *db, const struct st_store_id *id, const char *way_out, struct st_err *e)
{
	sqlite3_stmt *q = st_db_prepare(db, "select name from subject order by subject", e);
	bool same = true;
	size_t n = 0;
	int rc;

	while ((rc = st_db_step(db, q, e)) == 1) {
		same = same && n < id->nsubjects && strcmp((const char *)sqlite3_column_text(q, 0), id->subject[n].name) == 0;
		n++;
	}
	sqlite3_finalize(q);
	if (rc < 0)
		return -1;
	return same && n == id->nsubjects ? 0 : refuse(db, way_out, e, "its points have other groups of clients or services");
}

int st_ledger_compare(struct st_db *db, const struct st_store_id *id, const char *way_out, struct st_err *e)
{
	long long application = st_db_number(db, "pragma application_id", e);
	long long form = st_db_number(db, "pragma user_version", e);

	if (application < 0 || form < 0)
		return -1;
	if (application != ST_LEDGER_APPLICATION)
		return st_err_add(e, ST_EXIT_USER, NULL, "'%s' is a database, but not of a sweep; %s", db->path, way_out);
	if (form != ST_LEDGER_FORM)
		return refuse(db, way_out, e, "it was made by another version");

	char *version = st_ledger_meta(db, "version", e), *scenario = st_ledger_meta(db, "scenario", e), *seed = st_ledger_meta(db, "seed", e);
	int rc = compare_version(db, version, id->version, way_out, e);

	if (rc == 0)
		rc = compare_seed(db, seed, id->seed, way_out, e);
	if (rc == 0)
		rc = compare_scenario(db, scenario ? scenario : "", id->scenario, way_out, e);
	if (rc == 0)
		rc = compare_figures(db, way_out, e);
	if (rc == 0 && id->label)
		rc = compare_subjects(db, id, way_out, e);
	free(version);
	free(scenario);
	free(seed);
	return rc;
}

/* More may be asked for than last time, never less: the same command gives the same results. */
static int refuse_less(struct st_db *db, long long there, const char *what, unsigned long long asked, struct st_err *e)
{
	return st_err_add(e, ST_EXIT_USER, NULL, "'%s' has %lld %s of this sweep already, more than the %llu asked for; %s", db->path, there, what,
	    asked, st_ledger_way_out);
}

/* Points from `first` on are new. */
static int add_points(struct st_db *db, const struct st_store_id *id, size_t first, struct st_err *e)
{
	int rc = st_db_exec(db, "begin immediate", e);

	for (size_t p = first; p < id->npoints && rc == 0; p++)
		rc = st_ledger_name(db, p, id->label[p], id->naxes, e);
	return rc == 0 ? st_db_exec(db, "commit", e) : -1;
}

static int adopt_points(struct st_db *db, const struct st_store_id *id, struct st_err *e)
{
	long long there = st_db_number(db, "select count(*) from point", e);

	if (there < 0)
		return -1;
	if (there > (long long)id->npoints)
		return refuse_less(db, there, "points", id->npoints, e);
	return there < (long long)id->npoints ? add_points(db, id, (size_t)there, e) : 0;
}

static int adopt_replications(struct st_db *db, uint32_t replications, struct st_err *e)
{
	long long most = st_db_number(db, "select coalesce(max(replication) + 1, 0) from trial", e);

	if (most < 0)
		return -1;
	if (most > (long long)replications)
		return refuse_less(db, most, "replications", replications, e);
	char *sql = st_format("insert or replace into meta values('replications', %" PRIu32 ")", replications);
	int rc = st_db_exec(db, sql, e);
	free(sql);
	return rc;
}

int st_ledger_adopt(struct st_db *db, const struct st_store_id *id, struct st_err *e)
{
	return adopt_replications(db, id->replications, e) < 0 || (id->label && adopt_points(db, id, e) < 0) ? -1 : 0;
}
