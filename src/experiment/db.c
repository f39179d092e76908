#include <config.h>

#include "experiment/db.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "base/mem.h"

enum { BUSY_MS = 5000 };

int st_db_failed(struct st_db *db, const char *doing, struct st_err *e)
{
	int code = db->handle ? sqlite3_errcode(db->handle) : SQLITE_NOMEM;
	int number = db->handle ? sqlite3_system_errno(db->handle) : 0;
	const char *why = db->handle ? sqlite3_errmsg(db->handle) : "out of memory";

	if (code == SQLITE_BUSY || code == SQLITE_LOCKED)
		return st_err_add(e, ST_EXIT_MACHINE, NULL, "cannot %s '%s': another program is writing to it", doing, db->path);
	if (code == SQLITE_FULL)
		return st_err_add(e, ST_EXIT_MACHINE, NULL, "cannot %s '%s': the disk is full", doing, db->path);
	if ((code == SQLITE_IOERR || code == SQLITE_CANTOPEN) && number)
		return st_err_add(e, ST_EXIT_MACHINE, NULL, "cannot %s '%s': %s", doing, db->path, strerror(number));
	if (code == SQLITE_CORRUPT || code == SQLITE_NOTADB) /* what is only read can be begun afresh by its owner alone */
		return st_err_add(e, ST_EXIT_MACHINE, NULL, "'%s' is damaged (%s)%s", db->path,
		    code == SQLITE_NOTADB ? why : "its pages do not fit together",
		    db->lock < 0 ? "" : "; --force starts the sweep afresh, -o DIR puts it elsewhere");
	return st_err_add(e, ST_EXIT_MACHINE, NULL, "cannot %s '%s': %s", doing, db->path, why);
}

/* The folder, not the file: SQLite's own locks on a file are lost when any descriptor of it is closed. */
static int lock_folder(struct st_db *db, struct st_err *e)
{
	const char *slash = strrchr(db->path, '/');
	char *folder = slash ? st_strndup(db->path, (size_t)(slash - db->path) + 1) : st_strdup(".");

	db->lock = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	free(folder);
	if (db->lock < 0)
		return st_err_add(e, ST_EXIT_MACHINE, NULL, "cannot open '%s': %s", db->path, strerror(errno));
	if (flock(db->lock, LOCK_EX | LOCK_NB) < 0 && errno == EWOULDBLOCK)
		return st_err_add(e, ST_EXIT_MACHINE, NULL,
		    "cannot open '%s': another sweep is running on it; wait for its end, or take another folder with -o",
		    db->path);
	return 0;
}

static int remove_file(struct st_db *db, const char *suffix, struct st_err *e)
{
	char *name = st_format("%s%s", db->path, suffix);
	int rc = unlink(name) < 0 && errno != ENOENT
	    ? st_err_add(e, ST_EXIT_MACHINE, NULL, "cannot remove '%s': %s", name, strerror(errno))
	    : 0;

	free(name);
	return rc;
}

static void let_go(struct st_db *db)
{
	sqlite3_close(db->handle);
	if (db->lock >= 0)
		close(db->lock);
	free(db->path);
	*db = (struct st_db){.lock = -1};
}

/*
 * The write-ahead log makes commits cheap: with synchronous = normal they are not synced one by one. A killed process
 * loses nothing that was committed; a power cut perhaps the last moments, never the file. What is deleted needs no
 * overwriting, which some systems' SQLite does unless told, and which writes all that was to be dropped once more.
 */
static int set_up(struct st_db *db, const char *path, bool afresh, struct st_err *e)
{
	if (lock_folder(db, e) < 0)
		return -1;
	if (afresh && (remove_file(db, "", e) < 0 || remove_file(db, "-wal", e) < 0 || remove_file(db, "-shm", e) < 0))
		return -1;
	if (sqlite3_open_v2(path, &db->handle, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, NULL) != SQLITE_OK)
		return st_db_failed(db, "open", e);
	sqlite3_extended_result_codes(db->handle, 0);
	sqlite3_busy_timeout(db->handle, BUSY_MS);
	/* An open that may only read succeeds too; find out now, before any work is done. */
	if (sqlite3_db_readonly(db->handle, "main") == 1)
		return st_err_add(e, ST_EXIT_MACHINE, NULL, "cannot write '%s': it may only be read", path);
	return st_db_exec(db, "pragma journal_mode = wal; pragma synchronous = normal; pragma secure_delete = off", e);
}

int st_db_open(struct st_db *db, const char *path, bool afresh, struct st_err *e)
{
	*db = (struct st_db){.path = st_strdup(path), .lock = -1};
	if (set_up(db, path, afresh, e) == 0)
		return 0;
	let_go(db);
	return -1;
}

int st_db_open_to_read(struct st_db *db, const char *path, struct st_err *e)
{
	*db = (struct st_db){.path = st_strdup(path), .lock = -1};
	if (sqlite3_open_v2(path, &db->handle, SQLITE_OPEN_READONLY, NULL) == SQLITE_OK) {
		sqlite3_busy_timeout(db->handle, BUSY_MS);
		return 0;
	}
	st_db_failed(db, "open", e);
	let_go(db);
	return -1;
}

int st_db_close(struct st_db *db, struct st_err *e)
{
	int rc = 0;

	if (db->handle && sqlite3_db_readonly(db->handle, "main") == 0)
		rc = st_db_exec(db, "pragma journal_mode = delete", e);
	let_go(db);
	return rc;
}

int st_db_exec(struct st_db *db, const char *sql, struct st_err *e)
{
	return sqlite3_exec(db->handle, sql, NULL, NULL, NULL) == SQLITE_OK ? 0 : st_db_failed(db, "write", e);
}

sqlite3_stmt *st_db_prepare(struct st_db *db, const char *sql, struct st_err *e)
{
	sqlite3_stmt *q = NULL;

	if (sqlite3_prepare_v2(db->handle, sql, -1, &q, NULL) != SQLITE_OK)
		st_db_failed(db, "read", e);
	return q;
}

int st_db_step(struct st_db *db, sqlite3_stmt *q, struct st_err *e)
{
	if (!q)
		return -1;
	int rc = sqlite3_step(q);
	if (rc == SQLITE_ROW)
		return 1;
	if (rc != SQLITE_DONE)
		st_db_failed(db, sqlite3_stmt_readonly(q) ? "read" : "write", e);
	sqlite3_reset(q);
	sqlite3_clear_bindings(q);
	return rc == SQLITE_DONE ? 0 : -1;
}

long long st_db_number(struct st_db *db, const char *sql, struct st_err *e)
{
	sqlite3_stmt *q = st_db_prepare(db, sql, e);
	long long n = st_db_step(db, q, e) == 1 ? sqlite3_column_int64(q, 0) : -1;

	sqlite3_finalize(q);
	return n;
}
