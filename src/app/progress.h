#ifndef ST_APP_PROGRESS_H
#define ST_APP_PROGRESS_H
/*
 * progress.h - how far a sweep is, on stderr: a bar with rate and time left on a terminal, else a line now and then.
 *
 * Threads  one at a time.
 */
#include <stdbool.h>
#include <stddef.h>

struct st_progress {
	bool quiet, terminal;
	size_t total, before, done; /* before: done by an earlier sweep; done counts these too */
	double began_s, shown_s;
};

void st_progress_begin(struct st_progress *p, size_t total, size_t before, bool quiet);
void st_progress_step(struct st_progress *p);
/* Take the bar away, and say what it came to. */
void st_progress_end(struct st_progress *p);

#endif
