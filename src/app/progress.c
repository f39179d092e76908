#include <config.h>

#include "app/progress.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"

enum { BAR = 30 };

static const double TERMINAL_EVERY_S = 0.1, LINE_EVERY_S = 5.0, RUN_SILENT_S = 2.0, WORTH_TELLING_S = 2.0;

static double now_s(void)
{
	return st_clock_s(CLOCK_MONOTONIC);
}

/* "54 s", "12 min", "3.1 h" */
static const char *span(double s, char buf[32])
{
	if (s < 90)
		snprintf(buf, 32, "%.0f s", s);
	else if (s < 90 * 60)
		snprintf(buf, 32, "%.0f min", s / 60);
	else
		snprintf(buf, 32, "%.1f h", s / 3600);
	return buf;
}

static const char *bar(double share, char buf[BAR + 1])
{
	size_t full = share > 0 ? share < 1 ? (size_t)(share * BAR) : BAR : 0;

	memset(buf, '#', full);
	memset(buf + full, '.', BAR - full);
	buf[BAR] = '\0';
	return buf;
}

static bool is_terminal(void)
{
	const char *term = getenv("TERM");

	return isatty(STDERR_FILENO) && term && strcmp(term, "dumb") != 0;
}

static void show(const struct st_progress *p, double now)
{
	double ran = (double)(p->done - p->before), rate = now > p->began_s ? ran / (now - p->began_s) : 0;
	char left[64] = "", buf[32], line[BAR + 1];

	if (rate > 0)
		snprintf(left, sizeof left, ", %.3g/s, %s left", rate, span((double)(p->total - p->done) / rate, buf));
	if (p->terminal)
		fprintf(stderr, "\r[%s] %zu of %zu%s\033[K", bar(p->total ? (double)p->done / (double)p->total : 1, line), p->done,
		    p->total, left);
	else
		fprintf(stderr, "stampede: %zu of %zu trials%s\n", p->done, p->total, left);
}

void st_progress_begin(struct st_progress *p, size_t total, size_t before, bool quiet)
{
	*p = (struct st_progress){.quiet = quiet, .total = total, .before = before, .done = before};
	p->terminal = is_terminal();
	p->began_s = p->shown_s = now_s();
	if (!quiet && p->terminal)
		show(p, p->began_s);
}

void st_progress_expect(struct st_progress *p)
{
	double rate = (double)(p->done - p->before) / (now_s() - p->began_s), left = (double)(p->total - p->done) / rate;
	char buf[32];

	if (p->quiet || !(left >= WORTH_TELLING_S))
		return;
	fprintf(stderr, "%sstampede: about %s for the other %zu, at the pace of the first %zu\n", p->terminal ? "\r\033[K" : "",
	    span(left, buf), p->total - p->done, p->done - p->before);
}

void st_progress_step(struct st_progress *p)
{
	double now = now_s();

	p->done++;
	if (p->quiet || now - p->shown_s < (p->terminal ? TERMINAL_EVERY_S : LINE_EVERY_S))
		return;
	p->shown_s = now;
	show(p, now);
}

void st_progress_end(struct st_progress *p)
{
	double took = now_s() - p->began_s;
	size_t ran = p->done - p->before;

	if (p->quiet)
		return;
	if (p->terminal)
		fputs("\r\033[K", stderr);
	if (ran > 0)
		fprintf(stderr, "stampede: %zu trial%s in %.1f s (%.3g/s)\n", ran, ran == 1 ? "" : "s", took, (double)ran / took);
}

/* --- one run --- */

/* "12.3M" */
static const char *brief(double x, char buf[32])
{
	if (x >= 1e6)
		snprintf(buf, 32, "%.3gM", x / 1e6);
	else
		snprintf(buf, 32, x >= 1000 ? "%.0f" : "%.3g", x);
	return buf;
}

static void show_run(const struct st_watch *w)
{
	struct st_pace pace = st_pace_look(w->pace);
	double now = (double)pace.now_ns / 1e9, all = st_time_to_s(w->duration), took = now_s() - w->began_s;
	double events = (double)pace.events, share = now / all;
	char buf[32], line[BAR + 1], left[48] = "", done[32], whole[32], rate[32];

	if (events == 0) /* not begun, or over */
		return;
	if (share > 0)
		snprintf(left, sizeof left, ", %s left", span(took * (1 - share) / share, buf));
	if (w->terminal)
		fprintf(stderr, "\r[%s] ", bar(share, line));
	else
		fprintf(stderr, "stampede: ");
	fprintf(stderr, "%s of %s s simulated, %s events/s%s%s", brief(now, done), brief(all, whole), brief(events / took, rate), left,
	    w->terminal ? "\033[K" : "\n");
	fflush(stderr);
}

/* Until it is over or the moment has come. */
static bool is_over_by(struct st_watch *w, double when_s)
{
	struct timespec t = {.tv_sec = (time_t)when_s, .tv_nsec = (long)((when_s - (double)(time_t)when_s) * 1e9)};
	int rc = 0;

	pthread_mutex_lock(&w->lock);
	while (!w->over && rc == 0)
		rc = pthread_cond_timedwait(&w->wake, &w->lock, &t);
	bool over = w->over;
	pthread_mutex_unlock(&w->lock);
	return over;
}

static void *watch(void *arg)
{
	struct st_watch *w = arg;
	double next_s = w->began_s + RUN_SILENT_S;

	while (!is_over_by(w, next_s)) {
		show_run(w);
		next_s = now_s() + (w->terminal ? TERMINAL_EVERY_S : LINE_EVERY_S);
	}
	return NULL;
}

void st_progress_watch(struct st_watch *w, st_time duration, bool quiet)
{
	pthread_condattr_t monotonic;
	sigset_t all, before;

	*w = (struct st_watch){.duration = duration, .pace = &st_pace, .terminal = is_terminal(), .began_s = now_s()};
	if (quiet)
		return;
	pthread_mutex_init(&w->lock, NULL);
	pthread_condattr_init(&monotonic);
	pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
	pthread_cond_init(&w->wake, &monotonic);
	pthread_condattr_destroy(&monotonic);
	/* Signals are for the thread that runs. Where there is no second thread, a run is not watched. */
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	w->is_watching = pthread_create(&w->thread, NULL, watch, w) == 0;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (!w->is_watching) {
		pthread_cond_destroy(&w->wake);
		pthread_mutex_destroy(&w->lock);
	}
}

void st_progress_unwatch(struct st_watch *w)
{
	if (!w->is_watching)
		return;
	pthread_mutex_lock(&w->lock);
	w->over = true;
	pthread_cond_signal(&w->wake);
	pthread_mutex_unlock(&w->lock);
	pthread_join(w->thread, NULL);
	pthread_cond_destroy(&w->wake);
	pthread_mutex_destroy(&w->lock);
	if (w->terminal && now_s() - w->began_s >= RUN_SILENT_S)
		fputs("\r\033[K", stderr);
}
