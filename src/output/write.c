#include <config.h>

#include "output/write.h"

#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/crew.h"
#include "base/mem.h"
#include "output/csv.h"
#include "output/file.h"
#include "output/json.h"

/* The series of all points, which several threads write a file at a time. */
struct series {
	const char *dir;
	const struct st_sweep_result *r;
	pthread_mutex_t lock; /* of what follows */
	size_t next;          /* point */
	struct st_err *e;     /* what failed first: nothing is begun after it */
};

static int write_one(const struct series *s, size_t point, struct st_err *e)
{
	struct st_text t = ST_TEXT_INIT;
	char *name = st_csv_series_name(point, s->r->npoints);

	st_csv_mean_series(&s->r->point[point].series, &t);
	int rc = st_file_put(s->dir, name, &t, e);
	free(name);
	st_text_release(&t);
	return rc;
}

static void *write_some(void *arg)
{
	struct series *s = arg;

	pthread_mutex_lock(&s->lock);
	while (s->next < s->r->npoints && !st_err_any(s->e)) {
		size_t point = s->next++;
		struct st_err e = ST_ERR_INIT;

		if (s->r->point[point].n == 0)
			continue;
		pthread_mutex_unlock(&s->lock);
		int rc = write_one(s, point, &e);
		pthread_mutex_lock(&s->lock);
		if (rc < 0 && !st_err_any(s->e))
			st_err_add(s->e, e.code, NULL, "%s", e.message[0]);
		st_err_release(&e);
	}
	pthread_mutex_unlock(&s->lock);
	return NULL;
}

/* A sample that has grown past a thousand points has longer names: those of before are no results any more. */
static void drop_shorter_names(const char *dir, size_t n)
{
	for (size_t most = 1000; most < n; most *= 10) {
		for (size_t p = 0; p < most; p++) {
			char *name = st_csv_series_name(p, most), *path = st_format("%s/%s", dir, name);

			unlink(path);
			free(path);
			free(name);
		}
	}
}

static int write_series(const char *dir, const struct st_sweep_result *r, unsigned threads, struct st_err *e)
{
	struct series s = {.dir = dir, .r = r, .e = e};
	char *folder = st_format("%s/series", dir);
	int rc = st_file_folder(folder, e);

	free(folder);
	if (rc < 0)
		return -1;
	drop_shorter_names(dir, r->npoints);
	pthread_mutex_init(&s.lock, NULL);
	st_crew_run(threads, write_some, &s);
	pthread_mutex_destroy(&s.lock);
	return st_err_any(e) ? -1 : 0;
}

static int put(const char *dir, const char *name, void (*print)(const struct st_sweep_result *, struct st_text *),
    const struct st_sweep_result *r, struct st_err *e)
{
	struct st_text t = ST_TEXT_INIT;

	print(r, &t);
	int rc = st_file_put(dir, name, &t, e);
	st_text_release(&t);
	return rc;
}

int st_write_sweep(const char *dir, const struct st_sweep_result *r, unsigned threads, struct st_err *e)
{
	return put(dir, "summary.csv", st_csv_summary, r, e) < 0 || put(dir, "compare.csv", st_csv_compare, r, e) < 0 ||
	               write_series(dir, r, threads, e) < 0 || put(dir, "sweep.json", st_json_sweep, r, e) < 0
	    ? -1
	    : 0;
}
