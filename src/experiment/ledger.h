#ifndef ST_EXPERIMENT_LEDGER_H
#define ST_EXPERIMENT_LEDGER_H
/*
 * ledger.h - the tables of a sweep's store (described in store.h): making them (ledger.c), and whose they are (ledger_match.c).
 */
#include "experiment/db.h"
#include "experiment/store.h"

enum {
	ST_LEDGER_APPLICATION = 0x53744d70, /* "StMp", SQLite's application_id: what `file` and a person's doubts go by */
	ST_LEDGER_FORM = 3,                 /* user_version: the tables' */
};

/* Make the tables in an empty file, in one transaction: a file is empty, or it is a store. 0, or -1 with a message. */
int st_ledger_make(struct st_db *db, const struct st_store_id *id, struct st_err *e);

/* Whether the tables are of this sweep: by version, scenario, seed, figures and, where points are known, groups and services. 0, or -1 with what differs and the way out. */
int st_ledger_compare(struct st_db *db, const struct st_store_id *id, const char *way_out, struct st_err *e);

/* That of a sweep which was to go on with the store. */
extern const char st_ledger_way_out[];

/* Say what a point is called on each axis: a point more, or one that there is. 0, or -1 with a message. */
int st_ledger_name(struct st_db *db, size_t point, const char *const *label, size_t naxes, struct st_err *e);

/* Note how many replications and, where all are known, points are asked for: more than last time, or as many. 0, or -1 with a message. */
int st_ledger_adopt(struct st_db *db, const struct st_store_id *id, struct st_err *e);

/* The value of a key of `meta`, to be freed; NULL if there is none. */
char *st_ledger_meta(struct st_db *db, const char *key, struct st_err *e);

#endif
