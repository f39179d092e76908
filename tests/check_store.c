#include <config.h>

#include "experiment/store.h"

#include <math.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/rng.h"
#include "experiment/fold.h"
#include "tap_main.h"

enum { POINTS = 3, REPLICATIONS = 4, SUBJECTS = 3, JOBS = POINTS * REPLICATIONS, BINS = 7 };

static const char *const axes[] = {"backoff.jitter", "attempts"};
static const char *const label0[] = {"none", "3"}, *const label1[] = {"full", "3"}, *const label2[] = {"{kind: \"x\"}", "5"};
static const char *const *const labels[] = {label0, label1, label2};

static char fleet[] = "fleet", users[] = "users", backend[] = "db \"1\"";
static const struct st_subject subjects[] = {{fleet, ST_SCOPE_GROUP, true}, {users, ST_SCOPE_GROUP, false}, {backend, ST_SCOPE_SERVICE, false}};

static const struct st_store_id us = {
    .version = "0.1.0",
    .scenario = "title: x\nduration: 700ms\n",
    .title = "x",
    .seed = UINT64_C(0xfedcba9876543210),
    .replications = REPLICATIONS,
    .axis = axes,
    .naxes = 2,
    .label = labels,
    .npoints = POINTS,
    .subject = subjects,
    .nsubjects = SUBJECTS,
};

static char folder[] = "/tmp/check_store.XXXXXX";
static char path[64];

static void make_folder(void)
{
	memcpy(folder, "/tmp/check_store.XXXXXX", sizeof folder);
	ck_assert_ptr_nonnull(mkdtemp(folder));
	snprintf(path, sizeof path, "%s/sweep.db", folder);
}

static void remove_folder(void)
{
	static const char *const names[] = {"sweep.db", "sweep.db-wal", "sweep.db-shm", "sweep.db-journal"};

	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		char *name = st_format("%s/%s", folder, names[i]);

		unlink(name);
		free(name);
	}
	rmdir(folder);
}

static double figure_of(size_t i, size_t point, uint32_t replication)
{
	return i % 7 == 3 ? (double)NAN : i % 7 == 5 ? (double)INFINITY : 0.1 * (double)(i + point) + replication;
}

/* The groups and services that a point has, in its own order: point 2 has no users. */
static size_t subjects_of(size_t point, size_t g)
{
	static const size_t of[POINTS][SUBJECTS] = {{0, 1, 2}, {2, 0, 1}, {2, 0, SUBJECTS}};

	return of[point][g];
}

/* The result of a trial that never was: a function of point and replication. */
static struct st_result invent(size_t point, uint32_t replication)
{
	struct st_result r = {.replication = replication, .events = 2385, .capacity_per_s = 200.0 + (double)point};
	struct st_rng_family f = st_rng_family(2385, replication);

	r.fingerprint = UINT64_MAX - point * 100 - replication;
	r.figure = st_calloc(st_figure_count(), sizeof *r.figure);
	for (size_t i = 0; i < st_figure_count(); i++)
		r.figure[i] = figure_of(i, point, replication);
	r.subject = st_calloc(SUBJECTS, sizeof *r.subject);
	for (size_t k = 0; k < SUBJECTS && subjects_of(point, k) < SUBJECTS; k++) {
		size_t g = subjects_of(point, k);

		r.subject[k] = (struct st_result_subject){
		    .name = st_strdup(subjects[g].name), .scope = subjects[g].scope, .figure = st_calloc(st_figure_count(), sizeof(double))};
		for (size_t i = 0; i < st_figure_count(); i++)
			r.subject[k].figure[i] =
			    st_figure_at(i)->scope & subjects[g].scope ? figure_of(i + g + 1, point, replication) : (double)NAN;
		r.nsubjects++;
	}
	st_series_init(&r.series, 100 * ST_MSEC, BINS * 100 * ST_MSEC, 1);
	for (uint32_t i = 0; i < BINS; i++) {
		struct st_rng g = st_rng_open(&f, (uint32_t)point, i, 1, ST_RNG_SERVICE);

		for (int c = 0; c < ST_CELL_N; c++)
			r.series.row[i][c] = (int64_t)st_rng_below(&g, 1u << (c + 1));
	}
	st_result_pack(&r);
	r.nfaults = 1;
	r.fault = st_calloc(1, sizeof *r.fault);
	r.fault[0] = (struct st_window){100 * ST_MSEC, (200 + (st_time)point) * ST_MSEC};
	return r;
}

static struct st_store *open_store(const struct st_store_id *id)
{
	struct st_err e = ST_ERR_INIT;
	struct st_store *s = st_store_open(path, id, false, &e);

	ck_assert_msg(s != NULL, "%s", e.n ? e.message[0] : "no message");
	ck_assert(!st_err_any(&e));
	return s;
}

static int try_put(struct st_store *s, size_t point, uint32_t replication, struct st_err *e)
{
	struct st_result r = invent(point, replication);
	int rc = st_store_put(s, point, &r, e);

	st_result_release(&r);
	return rc;
}

static void put(struct st_store *s, size_t point, uint32_t replication)
{
	struct st_err e = ST_ERR_INIT;

	ck_assert_int_eq(try_put(s, point, replication, &e), 0);
}

static void close_store(struct st_store *s)
{
	struct st_err e = ST_ERR_INIT;

	ck_assert_int_eq(st_store_close(s, &e), 0);
	ck_assert(!st_err_any(&e));
}

static void put_missing(struct st_store *s, uint32_t replications)
{
	for (size_t p = 0; p < POINTS; p++) {
		for (uint32_t r = 0; r < replications; r++) {
			if (!st_store_has(s, p, r))
				put(s, p, r);
		}
	}
}

static void same_number(double a, double b)
{
	ck_assert_msg((isnan(a) && isnan(b)) || memcmp(&a, &b, sizeof a) == 0, "%.17g is not %.17g", a, b);
}

static void check_subjects(const struct st_sweep_point *p, size_t point, uint32_t replication)
{
	bool is_there[SUBJECTS] = {false};

	for (size_t k = 0; k < SUBJECTS; k++)
		if (subjects_of(point, k) < SUBJECTS)
			is_there[subjects_of(point, k)] = true;
	for (size_t g = 0; g < SUBJECTS; g++)
		for (size_t f = 0; f < st_figure_count(); f++)
			same_number(st_sweep_values(p, g, f)[replication],
			    is_there[g] && st_figure_at(f)->scope & subjects[g].scope ? figure_of(f + g + 1, point, replication)
									       : (double)NAN);
}

/* What is loaded must be what was invented, in its place. */
static void check_point(const struct st_sweep_point *p, size_t point, uint32_t replications)
{
	struct st_tally t;

	st_tally_init(&t, 100 * ST_MSEC, BINS * 100 * ST_MSEC);
	ck_assert_uint_eq(p->n, replications);
	for (uint32_t k = 0; k < replications; k++) {
		struct st_result r = invent(point, k);

		for (size_t f = 0; f < st_figure_count(); f++)
			same_number(p->value[f][k], r.figure[f]);
		check_subjects(p, point, k);
		ck_assert_uint_eq(p->nfaults, 1);
		ck_assert_int_eq(p->fault[0].from, r.fault[0].from);
		ck_assert_int_eq(p->fault[0].to, r.fault[0].to);
		same_number(p->capacity_per_s, r.capacity_per_s);
		ck_assert_int_eq(st_tally_add_packed(&t, r.packed, r.npacked), 0);
		st_result_release(&r);
	}
	ck_assert_uint_eq(p->series.runs, replications);
	ck_assert_uint_eq(p->series.rows, BINS);
	ck_assert_int_eq(memcmp(p->series.sum, t.sum, BINS * sizeof *t.sum), 0);
	ck_assert_int_eq(memcmp(p->series.squares, t.squares, BINS * sizeof *t.squares), 0);
	st_tally_release(&t);
	for (size_t a = 0; a < 2; a++)
		ck_assert_str_eq(p->label[a], labels[point][a]);
}

static void check_loaded(struct st_store *s, uint32_t replications)
{
	struct st_err e = ST_ERR_INIT;
	struct st_sweep_result r;

	ck_assert_int_eq(st_store_load(s, &r, &e), 0);
	ck_assert_uint_eq(r.npoints, POINTS);
	ck_assert_uint_eq(r.naxes, 2);
	ck_assert_str_eq(r.title, "x");
	ck_assert_uint_eq(r.seed, us.seed);
	ck_assert_uint_eq(r.replications, replications);
	for (size_t a = 0; a < 2; a++)
		ck_assert_str_eq(r.axis[a], axes[a]);
	ck_assert_uint_eq(r.nsubjects, SUBJECTS);
	for (size_t g = 0; g < SUBJECTS; g++) {
		ck_assert_str_eq(r.subject[g].name, subjects[g].name);
		ck_assert_uint_eq(r.subject[g].scope, subjects[g].scope);
		ck_assert_int_eq(r.subject[g].is_swept, g == 0);
	}
	for (size_t p = 0; p < POINTS; p++)
		check_point(&r.point[p], p, replications);
	st_sweep_result_release(&r);
}

/* Steps that are coprime to the number of jobs visit all of them; the store is closed and opened every `_i` puts. */
START_TEST(any_order_and_interruption_loads_the_same)
{
	static const size_t steps[] = {5, 11};

	for (size_t k = 0; k < sizeof steps / sizeof *steps; k++) {
		struct st_err e = ST_ERR_INIT;
		struct st_store *s = st_store_open(path, &us, true, &e);

		ck_assert_ptr_nonnull(s);
		for (size_t i = 0; i < JOBS; i++) {
			size_t job = i * steps[k] % JOBS;

			if (_i > 0 && i % (size_t)_i == 0) {
				close_store(s);
				s = open_store(&us);
			}
			ck_assert_uint_eq(st_store_count(s), i);
			ck_assert(!st_store_has(s, job / REPLICATIONS, (uint32_t)(job % REPLICATIONS)));
			put(s, job / REPLICATIONS, (uint32_t)(job % REPLICATIONS));
		}
		check_loaded(s, REPLICATIONS);
		close_store(s);
		s = open_store(&us);
		check_loaded(s, REPLICATIONS);
		close_store(s);
	}
}
END_TEST

/* A child puts _i trials, makes sure of them, puts one more and dies on the spot. */
START_TEST(a_killed_process_loses_no_committed_trial)
{
	pid_t child = fork();
	int status;

	if (child == 0) {
		struct st_err e = ST_ERR_INIT;
		struct st_store *s = st_store_open(path, &us, false, &e);

		for (int i = 0; i < _i; i++)
			try_put(s, (size_t)i / REPLICATIONS, (uint32_t)i % REPLICATIONS, &e);
		st_store_commit(s, &e);
		try_put(s, (size_t)_i / REPLICATIONS, (uint32_t)_i % REPLICATIONS, &e);
		raise(SIGKILL);
	}
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	ck_assert(WIFSIGNALED(status));
	struct st_store *s = open_store(&us);
	ck_assert_uint_ge(st_store_count(s), (size_t)_i);
	put_missing(s, REPLICATIONS);
	check_loaded(s, REPLICATIONS);
	close_store(s);
}
END_TEST

START_TEST(an_unfinished_sweep_loads_what_it_has)
{
	struct st_err e = ST_ERR_INIT;
	struct st_store *s = open_store(&us);
	struct st_sweep_result r;

	put(s, 1, 2);
	put(s, 1, 0);
	ck_assert_int_eq(st_store_load(s, &r, &e), 0);
	ck_assert_uint_eq(r.point[0].n, 0);
	ck_assert_uint_eq(r.point[0].series.runs, 0);
	ck_assert_uint_eq(r.point[1].n, 2);
	ck_assert_uint_eq(r.point[1].series.runs, 2);
	same_number(r.point[1].value[1][1], 0.1 * 2 + 2); /* figure 1 of point 1, replication 2: the second that there is */
	same_number(r.point[1].subject_value[1][1][1], figure_of(1 + 2, 1, 2));
	st_sweep_result_release(&r);
	close_store(s);
}
END_TEST

START_TEST(more_replications_go_on_fewer_are_refused)
{
	struct st_err e = ST_ERR_INIT;
	struct st_store_id more = us, fewer = us;
	struct st_store *s = open_store(&us);

	more.replications = REPLICATIONS + 3;
	fewer.replications = REPLICATIONS - 1;
	put_missing(s, REPLICATIONS);
	close_store(s);
	s = open_store(&more);
	ck_assert_uint_eq(st_store_count(s), JOBS);
	put_missing(s, more.replications);
	check_loaded(s, more.replications);
	close_store(s);
	ck_assert_ptr_null(st_store_open(path, &fewer, false, &e));
	ck_assert_int_eq(e.code, ST_EXIT_USER);
	ck_assert_ptr_nonnull(strstr(e.message[0], "7 replications"));
	st_err_release(&e);
}
END_TEST

static const struct {
	const char *version, *scenario;
	uint64_t seed;
	const char *says;
} other[] = {
    {"0.2.0", NULL, 0, "version 0.1.0, this is 0.2.0"},
    {NULL, "title: x\nduration: 800ms\n", 0, "at line 2 it has 'duration: 700ms', this one 'duration: 800ms'"},
    {NULL, "title: x\n", 0, "at line 2"},
    {NULL, NULL, 2385, "this one's 2385"},
};

START_TEST(another_sweep_is_refused_and_left_alone)
{
	struct st_err e = ST_ERR_INIT;
	struct st_store_id id = us;
	struct st_store *s = open_store(&us);

	put_missing(s, REPLICATIONS);
	close_store(s);
	if (other[_i].version)
		id.version = other[_i].version;
	if (other[_i].scenario)
		id.scenario = other[_i].scenario;
	if (other[_i].seed)
		id.seed = other[_i].seed;
	ck_assert_ptr_null(st_store_open(path, &id, false, &e));
	ck_assert_int_eq(e.code, ST_EXIT_USER);
	ck_assert_uint_eq(e.n, 1);
	ck_assert_msg(strstr(e.message[0], other[_i].says) != NULL, "%s", e.message[0]);
	ck_assert_ptr_nonnull(strstr(e.message[0], "--force"));
	st_err_release(&e);
	s = open_store(&us);
	check_loaded(s, REPLICATIONS);
	close_store(s);
	s = st_store_open(path, &id, true, &e);
	ck_assert_ptr_nonnull(s);
	ck_assert_uint_eq(st_store_count(s), 0);
	close_store(s);
}
END_TEST

START_TEST(a_second_sweep_at_once_is_refused)
{
	struct st_err e = ST_ERR_INIT;
	struct st_store *s = open_store(&us);

	ck_assert_ptr_null(st_store_open(path, &us, true, &e)); /* not even by force */
	ck_assert_int_eq(e.code, ST_EXIT_MACHINE);
	ck_assert_msg(strstr(e.message[0], "another sweep is running") != NULL, "%s", e.message[0]);
	st_err_release(&e);
	put_missing(s, REPLICATIONS);
	check_loaded(s, REPLICATIONS);
	close_store(s);
}
END_TEST

START_TEST(files_of_others_are_told_from_stores)
{
	struct st_err e = ST_ERR_INIT;
	sqlite3 *db;
	FILE *f = fopen(path, "w");

	for (int i = 0; i < 100; i++)
		fputs("these are no pages of a database\n", f);
	fclose(f);
	ck_assert_ptr_null(st_store_open(path, &us, false, &e));
	ck_assert_int_eq(e.code, ST_EXIT_MACHINE);
	ck_assert_msg(strstr(e.message[0], "not a database") != NULL, "%s", e.message[0]);
	st_err_release(&e);
	unlink(path);

	ck_assert_int_eq(sqlite3_open(path, &db), SQLITE_OK);
	ck_assert_int_eq(sqlite3_exec(db, "create table mine(x)", NULL, NULL, NULL), SQLITE_OK);
	sqlite3_close(db);
	ck_assert_ptr_null(st_store_open(path, &us, false, &e));
	ck_assert_int_eq(e.code, ST_EXIT_USER);
	ck_assert_msg(strstr(e.message[0], "not of a sweep") != NULL, "%s", e.message[0]);
	st_err_release(&e);
}
END_TEST

START_TEST(a_path_that_cannot_be_written_is_told_at_once)
{
	struct st_err e = ST_ERR_INIT;
	char *under = st_format("%s/sweep.db", path);

	fclose(fopen(path, "w")); /* a file where the folder should be */
	ck_assert_ptr_null(st_store_open(under, &us, false, &e));
	ck_assert_int_eq(e.code, ST_EXIT_MACHINE);
	ck_assert_msg(strstr(e.message[0], "Not a directory") != NULL, "%s", e.message[0]);
	st_err_release(&e);
	free(under);
}
END_TEST

/* A limit on the size of files is a full disk that a test can make. */
START_TEST(a_full_disk_is_told_and_the_store_stays_whole)
{
	struct st_err e = ST_ERR_INIT;
	struct st_store *s = open_store(&us);
	struct rlimit old, tight = {200000, RLIM_INFINITY};
	size_t kept;

	signal(SIGXFSZ, SIG_IGN);
	put(s, 0, 0);
	ck_assert_int_eq(st_store_commit(s, &e), 0);
	ck_assert_int_eq(getrlimit(RLIMIT_FSIZE, &old), 0);
	tight.rlim_max = old.rlim_max;
	ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &tight), 0);
	for (size_t i = 1; i < JOBS && !st_err_any(&e); i++) {
		if (try_put(s, i / REPLICATIONS, (uint32_t)(i % REPLICATIONS), &e) == 0)
			st_store_commit(s, &e);
	}
	ck_assert_msg(st_err_any(&e), "the limit was never met");
	ck_assert_int_eq(e.code, ST_EXIT_MACHINE);
	ck_assert_uint_eq(e.n, 1);
	st_err_release(&e);
	ck_assert_int_lt(st_store_close(s, &e), 0);
	ck_assert(!st_err_any(&e)); /* it was told already */
	ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &old), 0);
	s = open_store(&us);
	kept = st_store_count(s);
	ck_assert_uint_ge(kept, 1);
	ck_assert_uint_lt(kept, JOBS);
	put_missing(s, REPLICATIONS);
	check_loaded(s, REPLICATIONS);
	close_store(s);
}
END_TEST

static void selects(const char *sql, double average, int count)
{
	sqlite3 *db;
	sqlite3_stmt *q;

	ck_assert_int_eq(sqlite3_open(path, &db), SQLITE_OK);
	ck_assert_msg(sqlite3_prepare_v2(db, sql, -1, &q, NULL) == SQLITE_OK, "%s", sqlite3_errmsg(db));
	ck_assert_int_eq(sqlite3_step(q), SQLITE_ROW);
	ck_assert_double_eq_tol(sqlite3_column_double(q, 0), average, 1e-12);
	ck_assert_int_eq(sqlite3_column_int(q, 1), count);
	sqlite3_finalize(q);
	sqlite3_close(db);
}

START_TEST(people_select_figures_by_axis_values)
{
	struct st_store *s = open_store(&us);

	put_missing(s, REPLICATIONS);
	close_store(s);
	selects("select avg(operations), count(*) from result where \"backoff.jitter\" = 'full' and \"axis attempts\" = '3'",
	    0.1 + 1.5, REPLICATIONS);
	selects("select avg(operations), count(*) from group_result where \"backoff.jitter\" = 'full' and clients = 'fleet'",
	    0.2 + 1.5, REPLICATIONS);
	selects("select avg(operations), count(*) from group_result where clients = 'users'", (0.2 + 0.3) / 2 + 1.5,
	    2 * REPLICATIONS);
	selects("select avg(successes), count(*) from service_result where point = 0 and service = 'db \"1\"'", 0.4 + 1.5,
	    REPLICATIONS);
	selects("select 0, count(*) from service_result where service = 'fleet'", 0, 0);
}
END_TEST

/* One group is the whole: nothing of it is kept twice. */
START_TEST(one_group_takes_no_room)
{
	struct st_store_id id = us;

	id.nsubjects = 0;
	struct st_store *s = open_store(&id);
	struct st_err e = ST_ERR_INIT;
	struct st_sweep_result r;

	put_missing(s, REPLICATIONS);
	ck_assert_int_eq(st_store_load(s, &r, &e), 0);
	ck_assert_uint_eq(r.nsubjects, 0);
	st_sweep_result_release(&r);
	close_store(s);
	selects("select 0, count(*) from subject_trial", 0, 0);
}
END_TEST

START_TEST(a_tally_survives_as_bytes)
{
	struct st_tally t, back;
	size_t len;

	st_tally_init(&t, 3, 8);
	t.runs = 5;
	for (size_t i = 0; i < t.rows; i++) {
		for (int c = 0; c < ST_CELL_N; c++) {
			const int bits = 127 * c / ST_CELL_N; /* numbers of all lengths */
			t.sum[i][c] = (c % 2 ? -1 : 1) * ((__int128)1 << bits) + (__int128)i;
			t.squares[i][c] = ~(unsigned __int128)0 >> bits;
		}
	}
	t.sum[0][0] = (__int128)((unsigned __int128)1 << 127); /* the least of all */
	unsigned char *bytes = st_fold_pack(&t, &len);
	ck_assert_int_eq(st_fold_unpack(&back, bytes, len), 0);
	ck_assert_uint_eq(back.runs, 5);
	ck_assert_uint_eq(back.rows, 3);
	ck_assert_int_eq(memcmp(back.sum, t.sum, 3 * sizeof *t.sum), 0);
	ck_assert_int_eq(memcmp(back.squares, t.squares, 3 * sizeof *t.squares), 0);
	st_tally_release(&back);
	for (size_t cut = 0; cut < len; cut++)
		ck_assert_int_eq(st_fold_unpack(&back, bytes, cut), -1);
	free(bytes);
	st_tally_release(&t);
}
END_TEST

/* Points that are done with fewer replications than were counted on: a sweep with a precision. */
START_TEST(values_come_by_trial_and_a_point_may_be_settled)
{
	const size_t scope = ST_SCOPE_ANY, n = st_figure_count();
	double value[JOBS];
	struct st_err e = ST_ERR_INIT;
	struct st_sweep_result r;
	size_t f = 1;

	while (f + 2 < n && !((st_figure_at(f)->scope & scope) == scope && f % 7 == 0))
		f++;
	make_folder();
	struct st_store *s = open_store(&us);
	put(s, 0, 1);
	put(s, 0, 0);
	put(s, 2, 3);
	ck_assert_uint_eq(st_store_runs(s, 0), 2);
	for (size_t i = 0; i < JOBS; i++)
		value[i] = -1;
	ck_assert_int_eq(st_store_values(s, NULL, f, value, &e), 0);
	ck_assert_double_eq(value[0], figure_of(f, 0, 0));
	ck_assert_double_eq(value[1], figure_of(f, 0, 1));
	ck_assert_double_eq(value[2], -1);
	ck_assert_double_eq(value[2 * REPLICATIONS + 3], figure_of(f, 2, 3));
	ck_assert_int_eq(st_store_values(s, backend, f, value, &e), 0);
	ck_assert(isnan(value[1]) == isnan(figure_of(f + 3, 0, 1)));
	ck_assert_int_eq(st_store_values(s, users, f, value, &e), 0);
	ck_assert_double_eq(value[1], figure_of(f + 2, 0, 1));
	ck_assert_int_eq(st_store_settle(s, 0, &e), 0);
	put(s, 0, 2); /* and go on later */
	ck_assert_int_eq(st_store_load(s, &r, &e), 0);
	ck_assert_uint_eq(r.point[0].n, 3);
	ck_assert_uint_eq(r.point[0].series.runs, 3);
	st_sweep_result_release(&r);
	close_store(s);
	remove_folder();
}
END_TEST

int main(void)
{
	Suite *s = suite_create("store");
	TCase *tc = tcase_create("keeping"), *whose = tcase_create("whose"), *disk = tcase_create("disk");

	tcase_add_checked_fixture(tc, make_folder, remove_folder);
	tcase_add_loop_test(tc, any_order_and_interruption_loads_the_same, 0, 5);
	tcase_add_loop_test(tc, a_killed_process_loses_no_committed_trial, 0, REPLICATIONS + 2);
	tcase_add_test(tc, an_unfinished_sweep_loads_what_it_has);
	tcase_add_test(tc, more_replications_go_on_fewer_are_refused);
	tcase_add_test(tc, people_select_figures_by_axis_values);
	tcase_add_test(tc, one_group_takes_no_room);
	tcase_add_test(tc, a_tally_survives_as_bytes);
	tcase_set_timeout(tc, 300); /* opening and closing sync the disk, which others may keep busy */
	tcase_add_test(disk, values_come_by_trial_and_a_point_may_be_settled);
	suite_add_tcase(s, tc);
	tcase_set_timeout(whose, 300);
	tcase_add_checked_fixture(whose, make_folder, remove_folder);
	tcase_add_loop_test(whose, another_sweep_is_refused_and_left_alone, 0, sizeof other / sizeof *other);
	tcase_add_test(whose, a_second_sweep_at_once_is_refused);
	tcase_add_test(whose, files_of_others_are_told_from_stores);
	suite_add_tcase(s, whose);
	tcase_add_checked_fixture(disk, make_folder, remove_folder);
	tcase_add_test(disk, a_path_that_cannot_be_written_is_told_at_once);
	tcase_add_test(disk, a_full_disk_is_told_and_the_store_stays_whole);
	tcase_set_timeout(disk, 300);
	suite_add_tcase(s, disk);
	return tap_main(s);
}
