#include <config.h>

#include "app/shards.h"

#include <dirent.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/mem.h"
#include "output/file.h"

enum { SAID = 12 /* shards at most */ };

static const char store[] = "sweep.db";

/* The folder, if there is a store in it. */
static void add(struct st_shards *s, const char *folder, const char *except)
{
	char *real = realpath(folder, NULL);
	const char *slash = real ? strrchr(real, '/') : NULL;
	bool is_known = !real || !st_file_exists(folder, store) || st_file_is_same(folder, except);

	for (size_t i = 0; i < s->n && !is_known; i++)
		is_known = st_file_is_same(folder, s->at[i].folder);
	if (!is_known) {
		s->at = st_grow(s->at, &s->cap, s->n + 1, sizeof *s->at);
		s->at[s->n] = (struct st_shards_part){st_strdup(folder), {0, 0}};
		if (slash && !st_shard_of_folder(slash + 1, &s->at[s->n].shard))
			s->at[s->n].shard.of = 0;
		s->n++;
	}
	free(real);
}

static int by_shard(const void *a, const void *b)
{
	const struct st_shards_part *x = a, *y = b;

	if (x->shard.of != y->shard.of)
		return x->shard.of < y->shard.of ? -1 : 1;
	return x->shard.number < y->shard.number ? -1 : x->shard.number > y->shard.number;
}

static void add_below(struct st_shards *s, const char *folder, const char *except)
{
	size_t first = s->n;
	DIR *d = opendir(folder);

	for (struct dirent *f; d && (f = readdir(d));) {
		struct st_shard shard;
		char *path = st_shard_of_folder(f->d_name, &shard) ? st_format("%s/%s", folder, f->d_name) : NULL;

		if (path)
			add(s, path, except);
		free(path);
	}
	if (d)
		closedir(d);
	if (s->n > first)
		qsort(s->at + first, s->n - first, sizeof *s->at, by_shard);
}

/* "DIR/sweep.db" is DIR. */
static char *folder_of(const char *operand)
{
	struct stat at;
	const char *slash = strrchr(operand, '/');

	if (stat(operand, &at) < 0 || S_ISDIR(at.st_mode))
		return st_strdup(operand);
	return slash ? st_strndup(operand, slash == operand ? 1 : (size_t)(slash - operand)) : st_strdup(".");
}

int st_shards_find(const struct st_opts *o, const char *except, struct st_shards *out, struct st_err *e)
{
	int rc = 0;

	for (size_t i = 0; i < o->noperands; i++) {
		char *folder = folder_of(o->operand[i]);
		size_t before = out->n;

		add(out, folder, except);
		add_below(out, folder, except);
		if (out->n == before && st_file_is_same(folder, except) && st_file_exists(folder, store))
			rc = st_err_add(e, ST_EXIT_USER, NULL,
			    "'%s' is a part itself, and the results of the whole would go there: -o DIR puts them elsewhere", folder);
		else if (out->n == before)
			rc = st_err_add(e, ST_EXIT_USER, NULL, "no shard of a sweep is in '%s': 'stampede sweep FILE --shard K/N -o %s' runs one",
			    folder, folder);
		free(folder);
	}
	return rc;
}

void st_shards_release(struct st_shards *s)
{
	for (size_t i = 0; i < s->n; i++)
		free(s->at[i].folder);
	free(s->at);
	*s = (struct st_shards)ST_SHARDS_INIT;
}

void st_shards_say(const struct st_shards *s, size_t npoints, bool whole_points, const struct st_job *job, size_t njobs, struct st_text *out)
{
	uint32_t of = s->n > 0 ? s->at[0].shard.of : 0, said = 0, more = 0;

	for (size_t i = 0; i < s->n; i++)
		of = s->at[i].shard.of == of ? of : 0;
	size_t *missing = st_calloc(of + 1, sizeof *missing);
	for (size_t i = 0; i < njobs && of > 0; i++)
		missing[whole_points ? st_shard_of_point(of, job[i].point) : st_shard_of_trial(of, npoints, job[i].point, job[i].replication)]++;
	for (uint32_t k = 1; k <= of; k++) {
		if (missing[k] > 0 && said++ < SAID)
			st_text_addf(out, "%s%" PRIu32 "/%" PRIu32 " (%zu)", said == 1 ? "shard " : ", ", k, of, missing[k]);
		else
			more += missing[k] > 0;
	}
	if (more > 0)
		st_text_addf(out, " and %" PRIu32 " more", more);
	free(missing);
}
