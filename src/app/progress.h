#ifndef ST_APP_PROGRESS_H
#define ST_APP_PROGRESS_H
/*
 * progress.h - how far a sweep or a run is, on stderr: a bar with rate and time left on a terminal, else a line now and then.
 *
 * Threads  one at a time; watching a run starts one of its own, which looks at the running thread's st_pace.
 */
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/pace.h"
#include "base/time.h"

struct st_progress {
	bool quiet, terminal;
	size_t total, before, done; /* before: done by an earlier sweep; done counts these too */
	double began_s, shown_s;
};

void st_progress_begin(struct st_progress *p, size_t total, size_t before, bool quiet);
void st_progress_step(struct st_progress *p);
/* Say how long the rest will take, if some are done and that is worth telling. */
void st_progress_expect(struct st_progress *p);
/* Take the bar away, and say what it came to. */
void st_progress_end(struct st_progress *p);

/* A run under way. */
struct st_watch {
	bool is_watching, terminal, over;
	st_time duration;
	const struct st_pace *pace; /* of the thread that runs */
	double began_s;
	pthread_t thread;
	pthread_mutex_t lock;         /* of `over` */
	pthread_cond_t wake;
};

/* Watch what the calling thread is about to run. Nothing is said in the first two seconds, and nothing at all if quiet. */
void st_progress_watch(struct st_watch *w, st_time duration, bool quiet);
void st_progress_unwatch(struct st_watch *w);

#endif
