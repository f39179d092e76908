#ifndef ST_EXPERIMENT_DB_H
#define ST_EXPERIMENT_DB_H
/*
 * db.h - SQLite with our errors: a file that this process alone writes, and what failed in words.
 *
 * Errors   all are the machine's (exit 3), with the file's name. A statement that could not be prepared is NULL, and every
 *          function takes it and fails without a second message.
 */
#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

struct st_db {
	sqlite3 *handle;
	char *path;
	int lock; /* the folder, locked against other processes of ours; -1 where the file system has no locks */
};

/* Open or create; with afresh an earlier file is removed. 0, or -1 with a message and *db closed. */
int st_db_open(struct st_db *db, const char *path, bool afresh, struct st_err *e);

/* Open a file that is there to read from it; others may write meanwhile. 0, or -1 with a message and *db closed. */
int st_db_open_to_read(struct st_db *db, const char *path, struct st_err *e);

/* Close; the file is a single plain one afterwards. 0, or -1 with a message; closed either way. */
int st_db_close(struct st_db *db, struct st_err *e);

/* Add the message of what SQLite said last: "cannot DO 'path': reason". Returns -1. */
int st_db_failed(struct st_db *db, const char *doing, struct st_err *e);

/* Run statements without results. */
int st_db_exec(struct st_db *db, const char *sql, struct st_err *e);

/* A statement, to be finalised with sqlite3_finalize(); NULL with a message. */
sqlite3_stmt *st_db_prepare(struct st_db *db, const char *sql, struct st_err *e);

/* 1: a row is there; 0: done, and the statement is reset and unbound; -1: failed, with a message. */
int st_db_step(struct st_db *db, sqlite3_stmt *q, struct st_err *e);

/* The whole number that a query gives; -1 if it fails. */
long long st_db_number(struct st_db *db, const char *sql, struct st_err *e);

#endif
