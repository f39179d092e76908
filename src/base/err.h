#ifndef ST_BASE_ERR_H
#define ST_BASE_ERR_H
/*
 * err.h - what went wrong, in words, with the place; and asserts for our own bugs.
 *
 * The user's mistakes and the machine's failures are collected in a struct st_err, so that all of a file's mistakes
 * are told at once; `app` prints them and ends with their code. Our own bugs end the program at st_assert().
 *
 * Style    lower case, no full stop, what failed first, the thing quoted: "cannot open 'x': No such file".
 * Owns     its messages; release with st_err_release().
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* The program's exit codes, and whose fault a message tells of. */
enum st_exit {
	ST_EXIT_OK = 0,
	ST_EXIT_EXPECTATION = 1, /* an expectation does not hold */
	ST_EXIT_USER = 2,        /* misuse, a bad scenario, unreadable input */
	ST_EXIT_MACHINE = 3,     /* disk full, not writable, no memory, no gnuplot */
	ST_EXIT_INTERRUPTED = 130,
};

/* A place in a file the user wrote; line and column count from 1, 0 is unknown. file may be "--set" or "--axis". */
struct st_place {
	const char *file;
	int line, column;
};

/* The place of what stands `offset` bytes into a text that begins at p; p itself where columns are not known. */
struct st_place st_place_within(const struct st_place *p, size_t offset);

struct st_err {
	char **message; /* each one line, with its place in front */
	size_t n, cap;
	enum st_exit code; /* the worst so far; ST_EXIT_OK while n == 0 */
	const char *about; /* borrowed: what is being read, put between place and message ("retry.attempts"); or NULL */
};

#define ST_ERR_INIT {NULL, 0, 0, ST_EXIT_OK, NULL}

/*
 * Add "PLACE: ABOUT: MESSAGE"; place may be NULL. Always returns -1, so that `return st_err_add(...)` reads. Whatever was quoted, it is one
 * line, which moves no terminal's cursor: control characters are written as in C, and the middle of a very long one is left out.
 */
int st_err_add(struct st_err *e, enum st_exit code, const struct st_place *place, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));

/* Whether something has been told. */
bool st_err_any(const struct st_err *e);

/* Print every message, one a line, as "stampede: MESSAGE". */
void st_err_print(const struct st_err *e, FILE *to);

void st_err_release(struct st_err *e);

/*
 * Where a running trial is, for the report of a failed assert; per thread. Set by the model's loop; a broken
 * invariant then prints the simulated time, the seed and the replication, so that the run can be repeated.
 */
struct st_where {
	const int64_t *now_ns; /* NULL: no trial runs */
	unsigned long long seed;
	unsigned replication;
};
extern _Thread_local struct st_where st_where;

/* Print it as one line, if a trial runs. */
void st_where_print(FILE *to);

/* The one place to put a breakpoint on. Ends the program. */
_Noreturn void st_assert_failed(const char *what, const char *file, int line);

#define st_assert(what) ((what) ? (void)0 : st_assert_failed(#what, __FILE__, __LINE__))

/* Invariants that cost time: only in builds configured with --enable-slow-asserts or --enable-sanitizers. */
#ifdef ST_SLOW_ASSERTS
#define st_assert_slow(what) st_assert(what)
#else
#define st_assert_slow(what) ((void)sizeof(what))
#endif

#endif
