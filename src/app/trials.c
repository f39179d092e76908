#include <config.h>

#include "app/trials.h"

#include <stdlib.h>
#include <string.h>

#include "app/outdir.h"
#include "app/stop.h"
#include "base/mem.h"
#include "experiment/subject.h"

enum { PROBES = 4 /* a thread */, WORTH_PROBING = 8 /* times as many trials */ };

int st_trials_open(struct st_trials *t, const char *dir, const char *file, const struct st_scenario *s, struct st_store_id what, struct st_err *e)
{
	const char **axis = st_calloc(s->naxes, sizeof *axis);
	char *path = st_format("%s/%s", dir, file);
	struct st_subjects subjects;
	int rc = st_subjects_of_grid(&subjects, t->grid, s, e);

	for (size_t a = 0; a < s->naxes; a++)
		axis[a] = s->axis[a].path;
	what.version = PACKAGE_VERSION;
	what.title = t->grid->point[0].config.title;
	what.seed = t->grid->point[0].config.seed;
	what.axis = axis;
	what.naxes = s->naxes;
	what.subject = subjects.at;
	what.nsubjects = subjects.n;
	t->store = rc < 0 ? NULL : st_store_open(path, &what, t->o->force, e);
	free(axis);
	st_subjects_release(&subjects);
	free(path);
	if (!t->store)
		return -1;
	return st_store_count(t->store) > 0 ? 0 : st_outdir_begin(dir, file, e);
}

void st_trials_clear(struct st_trials *t)
{
	t->njobs = 0;
}

void st_trials_ask(struct st_trials *t, size_t point, uint32_t replication)
{
	if (st_store_has(t->store, point, replication))
		return;
	t->job = st_grow(t->job, &t->cap, t->njobs + 1, sizeof *t->job);
	t->job[t->njobs++] = (struct st_job){point, replication};
}

static int keep(void *to, const struct st_job *job, struct st_result *r, struct st_err *e)
{
	struct st_trials *t = to;
	int rc = st_store_put(t->store, job->point, r, e);

	st_result_release(r);
	if (rc == 0)
		st_progress_step(&t->progress);
	return rc;
}

static int run(struct st_trials *t, size_t from, size_t n, struct st_err *e)
{
	struct st_executor_cfg cfg = {
	    .grid = t->grid,
	    .job = t->job + from,
	    .njobs = n,
	    .threads = t->threads,
	    .packs = true,
	    .stop = &st_stop,
	    .done = keep,
	    .to = t,
	};

	return n > 0 ? t->o->executor->run(&cfg, e) : 0;
}

/* Put first, in their order, a few trials spread over all, so that the time that these take tells of the rest; how many. */
static size_t choose_probes(struct st_trials *t)
{
	size_t n = t->threads * PROBES;

	if (t->njobs < n * WORTH_PROBING)
		return 0;
	for (size_t i = 0; i < n; i++) {
		size_t at = i * t->njobs / n;
		struct st_job job = t->job[at];

		memmove(&t->job[i + 1], &t->job[i], (at - i) * sizeof *t->job);
		t->job[i] = job;
	}
	return n;
}

static bool all_are_there(const struct st_trials *t)
{
	for (size_t i = 0; i < t->njobs; i++)
		if (!st_store_has(t->store, t->job[i].point, t->job[i].replication))
			return false;
	return true;
}

int st_trials_run(struct st_trials *t, struct st_err *e)
{
	size_t probes = t->is_measured ? 0 : choose_probes(t);
	int rc = run(t, 0, probes, e);

	if (rc == 0 && probes > 0 && !st_stop)
		st_progress_expect(&t->progress);
	t->is_measured = true;
	if (rc == 0 && !st_stop)
		rc = run(t, probes, t->njobs - probes, e);
	if (st_store_commit(t->store, e) < 0 || rc < 0)
		return -1;
	return all_are_there(t);
}

void st_trials_release(struct st_trials *t)
{
	free(t->job);
	t->job = NULL;
}
