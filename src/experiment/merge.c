#include <config.h>

#include "experiment/merge.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "experiment/ledger.h"

/* How many runs a point's blob of series holds, in a database of the connection. */
#define FOLDED(db) \
	"(select case when series is null then 0 else" \
	" (select count(*) from " db ".trial t where t.point = p.point) -" \
	" (select count(*) from " db ".pending_series s where s.point = p.point) end from " db ".point p where p.point = x.point)"

static const char take[] =
    "begin immediate;"
    "create temp table further as select point, " FOLDED("part") " as runs from part.point x"
    " where series is not null and " FOLDED("part") " > " FOLDED("main") ";"
    "update main.point set capacity_per_s = p.capacity_per_s, bin_ns = p.bin_ns, duration_ns = p.duration_ns"
    " from part.point p where p.point = main.point.point and main.point.bin_ns is null;"
    "update main.point set series = p.series from part.point p"
    " where p.point = main.point.point and p.point in (select point from further);"
    "delete from main.pending_series"
    " where replication < (select runs from further f where f.point = main.pending_series.point);"
    "insert into main.pending_series select * from part.pending_series s where not exists"
    " (select 1 from main.trial t where t.point = s.point and t.replication = s.replication);"
    "insert or ignore into main.fault select * from part.fault;"
    "insert or ignore into main.trial select * from part.trial;"
    "insert or ignore into main.subject_trial select * from part.subject_trial;"
    "drop table further;"
    "commit";

static int refuse_more(const struct st_db *part, long long there, const char *what, long long asked, struct st_err *e)
{
	return st_err_add(e, ST_EXIT_USER, NULL, "'%s' has %lld %s, more than the %lld that the first part asks for", part->path, there, what, asked);
}

/* Results of more runs than were asked for, or of more points of a sample, would not be those of the command. */
static int compare_sizes(struct st_db *to, struct st_db *part, long long points, struct st_err *e)
{
	long long asked = st_db_number(to, "select value from meta where key = 'replications'", e);
	long long there = st_db_number(part, "select coalesce(max(replication) + 1, 0) from trial", e);
	long long named = st_db_number(part, "select count(*) from point", e);

	if (asked < 0 || there < 0 || named < 0)
		return -1;
	if (named > points)
		return refuse_more(part, named, "points", points, e);
	return there > asked ? refuse_more(part, there, "replications", asked, e) : 0;
}

/* Whether the part is of the sweep that `to` is of. */
static int compare(struct st_db *to, struct st_db *part, struct st_err *e)
{
	char *version = st_ledger_meta(to, "version", e), *scenario = st_ledger_meta(to, "scenario", e), *seed = st_ledger_meta(to, "seed", e);
	long long points = st_db_number(to, "select count(*) from point", e);
	int rc = version && scenario && seed && points >= 0 ? 0 : -1;

	if (rc == 0)
		rc = st_ledger_compare(part,
		    &(struct st_store_id){.version = version,
			.scenario = scenario,
			.seed = strtoull(seed, NULL, 10),
			.npoints = (size_t)points},
		    "only parts of one sweep can be merged", e);
	if (rc == 0)
		rc = compare_sizes(to, part, points, e);
	free(version);
	free(scenario);
	free(seed);
	return rc;
}

static int attach(struct st_db *to, const char *path, struct st_err *e)
{
	sqlite3_stmt *q = st_db_prepare(to, "attach ? as part", e);

	if (q)
		sqlite3_bind_text(q, 1, path, -1, SQLITE_STATIC);
	int rc = st_db_step(to, q, e);
	sqlite3_finalize(q);
	return rc;
}

/* One trial gives one result, wherever it is run. */
static int check_same(struct st_db *to, const char *path, struct st_err *e)
{
	sqlite3_stmt *q = st_db_prepare(to,
	    "select point, replication from main.trial a join part.trial b using(point, replication)"
	    " where a.fingerprint != b.fingerprint order by 1, 2",
	    e);
	int rc = st_db_step(to, q, e);

	if (rc == 1)
		rc = st_err_add(e, ST_EXIT_MACHINE, NULL,
		    "'%s' has another result for point %lld, replication %lld than '%s': the programs, or their machines, compute"
		    " differently",
		    path, (long long)sqlite3_column_int64(q, 0), (long long)sqlite3_column_int64(q, 1), to->path);
	sqlite3_finalize(q);
	return rc;
}

static int take_from(struct st_db *to, const char *path, struct st_err *e)
{
	if (attach(to, path, e) < 0)
		return -1;
	int rc = check_same(to, path, e) < 0 || st_db_exec(to, take, e) < 0 ? -1 : 0;
	struct st_err more = ST_ERR_INIT; /* what follows from a failure */

	if (rc < 0 && !sqlite3_get_autocommit(to->handle))
		sqlite3_exec(to->handle, "rollback", NULL, NULL, NULL);
	if (st_db_exec(to, "detach part", rc < 0 ? &more : e) < 0)
		rc = -1;
	st_err_release(&more);
	return rc;
}

int st_merge(struct st_db *to, const char *path, struct st_err *e)
{
	struct st_db part;

	if (access(path, R_OK) < 0)
		return st_err_add(e, ST_EXIT_USER, NULL, "cannot read '%s': %s", path, strerror(errno));
	if (st_db_open_to_read(&part, path, e) < 0)
		return -1;
	int rc = compare(to, &part, e) < 0 || take_from(to, path, e) < 0 ? -1 : 0;
	struct st_err more = ST_ERR_INIT;
	if (st_db_close(&part, rc < 0 ? &more : e) < 0)
		rc = -1;
	st_err_release(&more);
	return rc;
}
