#include <config.h>

#include "app/outdir.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/lines.h"
#include "base/mem.h"
#include "base/whole.h"
#include "output/file.h"

#define DIGITS "0123456789"

/* By trying: permissions, read-only disks and full tables of files all show. */
static int try_writing(const char *dir, struct st_err *e)
{
	char *name = st_format("%s/.stampede-XXXXXX", dir);
	int fd = mkstemp(name), rc = 0;

	if (fd < 0) {
		rc = st_err_add(e, ST_EXIT_MACHINE, NULL, "cannot write in folder '%s': %s", dir, strerror(errno));
	} else {
		close(fd);
		unlink(name);
	}
	free(name);
	return rc;
}

/* The file's text, to be freed; "" if there is none. NULL with a message. */
static char *read_file(const char *path, struct st_err *e)
{
	struct st_text t;

	if (st_whole_read(path, SIZE_MAX, &t) < 0 && errno != ENOENT) {
		st_whole_unread(path, e);
		st_text_release(&t);
	}
	return t.s;
}

/* Without the comment at its head and the sections `sweep` and `expect`, which come last: none of them changes what a run gives. */
static char *base_part(const char *canonical)
{
	while (*canonical == '#') {
		canonical += strcspn(canonical, "\n");
		canonical += *canonical == '\n';
	}
	const char *line = canonical;

	while (*line && strncmp(line, "sweep:", 6) != 0 && strncmp(line, "expect:", 7) != 0) {
		line += strcspn(line, "\n");
		line += *line == '\n';
	}
	return st_strndup(canonical, (size_t)(line - canonical));
}

/* "series-db.csv" */
static bool is_of_service(const char *name, const char *head, const char *ending)
{
	size_t n = strlen(name), h = strlen(head), end = strlen(ending);

	return n > h + end && strncmp(name, head, h) == 0 && strcmp(name + n - end, ending) == 0;
}

#define PICTURE(name, store) {name ".png", store}, {name ".svg", store}

/* What this program writes, by name: a folder may hold the user's own tables and pictures too. And the store of whose trials it is made. */
static const struct written {
	const char *name, *store;
} written[] = {
    {"scenario.yaml", NULL}, {"summary.json", NULL}, {"series.csv", NULL}, PICTURE("load", NULL),
    {"sweep.json", "sweep.db"}, {"summary.csv", "sweep.db"}, {"compare.csv", "sweep.db"}, PICTURE("strategies", "sweep.db"),
    PICTURE("sweep", "sweep.db"), PICTURE("curves", "sweep.db"), PICTURE("scatter", "sweep.db"),
    {"tune.csv", "tune.db"}, {"tune.json", "tune.db"}, PICTURE("front", "tune.db"),
    {"schedule.json", NULL}, {"schedule.csv", NULL}, {"density.csv", NULL}, PICTURE("schedule", NULL),
    {"trace.csv", NULL}, {"trace.json", NULL}, PICTURE("raster", NULL),
    {"report.html", NULL},
};

/* Whether it is a result, or if `store` is not NULL, one of the trials in that store. */
static bool is_result(const char *name, const char *store)
{
	for (size_t i = 0; i < sizeof written / sizeof *written; i++)
		if (strcmp(name, written[i].name) == 0)
			return !store || (written[i].store && strcmp(store, written[i].store) == 0);
	return !store && (is_of_service(name, "series-", ".csv") || is_of_service(name, "load-", ".png") ||
			     is_of_service(name, "load-", ".svg"));
}

/* "007.csv", as in series/: the same. */
static bool is_series(const char *name, const char *store)
{
	size_t digits = strspn(name, DIGITS);

	return (!store || strcmp(store, "sweep.db") == 0) && digits >= 3 && strcmp(name + digits, ".csv") == 0;
}

/* A file that was to take its place (see st_file_aside), of a process that ended before. */
static bool is_left_over(const char *name, const char *store)
{
	(void)store;
	size_t digits = name[0] == '.' ? strspn(name + 1, DIGITS) : 0;
	long pid = digits > 0 ? strtol(name + 1, NULL, 10) : 0;

	return pid > 0 && pid <= INT_MAX && name[1 + digits] == '.' &&
	       (is_result(name + 2 + digits, NULL) || is_series(name + 2 + digits, NULL)) && kill((pid_t)pid, 0) < 0 && errno == ESRCH;
}

typedef bool is_to_go(const char *name, const char *store);

static int remove_files(const char *dir, is_to_go *which, const char *store, struct st_err *e)
{
	DIR *d = opendir(dir);
	int rc = 0;

	for (struct dirent *f; d && rc == 0 && (f = readdir(d));) {
		if (which(f->d_name, store) && unlinkat(dirfd(d), f->d_name, 0) < 0)
			rc = st_err_add(e, ST_EXIT_MACHINE, NULL, "cannot remove '%s/%s': %s", dir, f->d_name, strerror(errno));
	}
	if (d)
		closedir(d);
	return rc;
}

/* From the folder and from its series/: which first, for what is in the folder tells whose they are. */
static int clear(const char *dir, is_to_go *which, is_to_go *which_series, const char *store, struct st_err *e)
{
	char *series = st_format("%s/series", dir);
	int rc = remove_files(series, which_series, store, e) < 0 || remove_files(dir, which, store, e) < 0 ? -1 : 0;

	free(series);
	return rc;
}

/* " (a run, a sweep)": whose results there are; nothing if it is hard to say. */
static void say_what(const char *dir, struct st_text *out)
{
	static const struct {
		const char *file, *of;
	} results[] = {
	    {"summary.json", "a run"}, {"sweep.db", "a sweep"}, {"tune.db", "a tune"}, {"trace.csv", "a trace"}, {"schedule.json", "a schedule"}};
	size_t before = out->len;

	for (size_t i = 0; i < sizeof results / sizeof *results; i++) {
		char *path = st_format("%s/%s", dir, results[i].file);

		if (access(path, F_OK) == 0)
			st_text_addf(out, "%s%s", out->len > before ? ", " : " (", results[i].of);
		free(path);
	}
	st_text_add(out, out->len > before ? ")" : "");
}

static int check_owner(const char *dir, const char *source, const char *canonical, bool force, struct st_err *e)
{
	char *path = st_format("%s/scenario.yaml", dir), *text = read_file(path, e);
	char *there = text ? base_part(text) : NULL, *here = base_part(canonical);
	char *differ = there && *there ? st_lines_differ(there, here) : NULL;
	struct st_text what = ST_TEXT_INIT;
	int rc = text ? 0 : -1;

	say_what(dir, &what);
	/* "stampede run scenario.yaml -o .": the scenario as its author wrote it would be lost, with its comments. */
	if (differ && st_file_is_same(path, source))
		rc = st_err_add(e, ST_EXIT_USER, NULL,
		    "'%s' is the scenario itself, results would replace it; -o DIR puts them elsewhere", path);
	else if (differ && force)
		rc = clear(dir, is_result, is_series, NULL, e);
	else if (differ)
		rc = st_err_add(e, ST_EXIT_USER, NULL,
		    "folder '%s' holds results of another scenario%s: in scenario.yaml, %s; --force gives them up, -o DIR puts these"
		    " elsewhere",
		    dir, what.s, differ);
	st_text_release(&what);
	free(path);
	free(text);
	free(there);
	free(here);
	free(differ);
	return rc;
}

/* Shards run at the same time, perhaps on several machines: each has a folder of its own. */
static void enter_shard(const struct st_shard *s, char **dir)
{
	char *whole = *dir, *name = st_shard_folder(s);

	*dir = st_format("%s/%s", whole, name);
	free(whole);
	free(name);
}

int st_outdir_prepare(const struct st_opts *o, const struct st_scenario *s, const char *canonical, char **dir, struct st_err *e)
{
	*dir = o->out ? st_strdup(o->out) : st_format("out/%s", s->name);
	if (o->shard.of > 0)
		enter_shard(&o->shard, dir);
	if (st_file_folders(*dir, e) == 0 && try_writing(*dir, e) == 0 &&
	    check_owner(*dir, s->file, canonical, o->force, e) == 0 && clear(*dir, is_left_over, is_left_over, NULL, e) == 0)
		return 0;
	free(*dir);
	*dir = NULL;
	return -1;
}

int st_outdir_begin(const char *dir, const char *store, struct st_err *e)
{
	return clear(dir, is_result, is_series, store, e);
}

/* The comment that a file begins with, as it was written, up to the first line that is none. */
static void add_comment(const char *file, struct st_text *out)
{
	struct stat st;
	FILE *f = stat(file, &st) == 0 && S_ISREG(st.st_mode) ? fopen(file, "r") : NULL; /* what a pipe held was read */
	char *line = NULL;
	size_t cap = 0;

	while (f && getline(&line, &cap, f) > 0 && *line == '#') {
		line[strcspn(line, "\r\n")] = '\0';
		st_text_addf(out, "%s\n", line);
	}
	free(line);
	if (f)
		fclose(f);
}

int st_outdir_put_scenario(const char *dir, const struct st_scenario *s, const struct st_text *canonical, bool is_sweep, struct st_err *e)
{
	struct st_text t = ST_TEXT_INIT;

	if (!is_sweep && st_file_exists(dir, "sweep.db") && st_file_exists(dir, "scenario.yaml"))
		return 0;
	add_comment(s->file, &t);
	st_text_add(&t, canonical->s);
	int rc = st_file_put(dir, "scenario.yaml", &t, e);
	st_text_release(&t);
	return rc;
}
