#ifndef ST_EXPERIMENT_STORE_H
#define ST_EXPERIMENT_STORE_H
/*
 * store.h - everything of a sweep in one SQLite file, so that a sweep stopped in any way goes on where it was.
 *
 * A trial is put as it ends. Commits are batched: one at most every tenth of a second, so that short trials do not
 * wait for the disk. A trial's packed series is kept until all replications of its point are there; then they are folded into
 * sums of whole numbers, one blob a point, in the same transaction. Sums do not depend on order, so what is loaded in the
 * end is the same for any number of threads and of interruptions.
 *
 * Tables   an interface, for people with sqlite3 too:
 *   meta     key, value           version, scenario (canonical text), seed, title, replications
 *   axis     axis, path           as the user named them, from 0
 *   figure   name, unit, definition   a column of `trial` each
 *   point    point, capacity_per_s, bin_ns, duration_ns, series   from 0; series: see fold.h, NULL until complete
 *   label    point, axis, value   the values of a point
 *   fault    point, fault, from_ns, to_ns
 *   trial    point, replication, events, fingerprint, then a column a figure (NULL: absent, Inf: never)
 *   subject  subject, kind, name, is_swept   from 0; a group where there are several, a service where there are several
 *   subject_trial   point, replication, subject, then a column a figure (NULL too: groups have no such figure)
 *   pending_series   point, replication, packed   of points not complete yet
 *   result   a view: point, the axes by name ("axis NAME" where a figure has that name), replication, the figures:
 *            select "backoff.jitter", avg(amplification) from result group by 1
 *   group_result   a view: the same with the group's name as `clients`:
 *            select "backoff.jitter", avg(success_share) from group_result where clients = 'fleet' group by 1
 *   service_result   a view: the same with the service's name as `service`
 *
 * Locks    one process at a time: the folder is locked (flock) while a store is open. Reading with sqlite3 meanwhile works.
 * Errors   the machine's (exit 3): not writable, disk full, in use, damaged; the file is then as it was at the last commit.
 *          Of another sweep: the user's (exit 2), with what differs and the way out.
 * Threads  one at a time.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "experiment/result.h"

/* What a store is of. */
struct st_store_id {
	const char *version;               /* of the program */
	const char *scenario;              /* canonical text; the numbers of replications and of a sample's points are no part of it */
	const char *title;                 /* or NULL */
	uint64_t seed;
	uint32_t replications;             /* may grow from one sweep to the next */
	const char *const *axis;           /* naxes paths */
	size_t naxes;
	const char *const *const *label;   /* [point][axis]; NULL: points come as st_store_name() names them */
	size_t npoints;                    /* may grow; where they come, the most there can be */
	const struct st_subject *subject;  /* as st_subjects_of_grid() has them */
	size_t nsubjects;
};

struct st_store;

/*
 * Open the file, or make it; afresh: whatever it held is given up. NULL with a message on failure, also if it holds
 * another sweep. Points and replications are counted as in the id, which need not outlive the call.
 */
struct st_store *st_store_open(const char *path, const struct st_store_id *id, bool afresh, struct st_err *e);

/* Name a point of a store whose points come, before its first trial: a value an axis. 0, or -1 with a message. */
int st_store_name(struct st_store *s, size_t point, const char *const *label, struct st_err *e);

/* Whether it has this trial. O(1), from memory. */
bool st_store_has(const struct st_store *s, size_t point, uint32_t replication);
size_t st_store_count(const struct st_store *s); /* trials it has */
size_t st_store_runs(const struct st_store *s, size_t point); /* those of a point */

/* Keep a trial that it has not, whose series are packed. 0, or -1 with a message: the store takes no more then. */
int st_store_put(struct st_store *s, size_t point, const struct st_result *r, struct st_err *e);

/*
 * Put in all trials that another store of the same sweep has, once each. 0, or -1 with a message and nothing taken. Runs past
 * the number of replications are passed over.
 */
int st_store_merge(struct st_store *s, const char *path, struct st_err *e);

/*
 * A figure of all trials there are, of a subject or, if there is none of that name, of the whole: value[point * replications + replication]; of others nothing
 * is written. 0, or -1 with a message.
 */
int st_store_values(struct st_store *s, const char *subject, size_t figure, double *value, struct st_err *e);

/* Fold the series of a point that is complete with fewer replications than were counted on. 0, or -1 with a message. */
int st_store_settle(struct st_store *s, size_t point, struct st_err *e);

/* Make sure that all that was put survives whatever happens to this process. */
int st_store_commit(struct st_store *s, struct st_err *e);

/* Commit, and read all of it in canonical order. *out is to be released if 0 is returned. */
int st_store_load(struct st_store *s, struct st_sweep_result *out, struct st_err *e);

/* Commit and close; NULL is nothing. 0, or -1 with a message; s is gone either way. */
int st_store_close(struct st_store *s, struct st_err *e);

#endif
