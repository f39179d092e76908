#include <config.h>

#include "app/progress.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { BAR = 30 };

static const double TERMINAL_EVERY_S = 0.1, LINE_EVERY_S = 5.0;

static double now_s(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
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

static void show(const struct st_progress *p, double now)
{
	double ran = (double)(p->done - p->before), rate = now > p->began_s ? ran / (now - p->began_s) : 0;
	char left[64] = "", buf[32], bar[BAR + 1];
	size_t full = p->total ? p->done * BAR / p->total : BAR;

	if (rate > 0)
		snprintf(left, sizeof left, ", %.3g/s, %s left", rate, span((double)(p->total - p->done) / rate, buf));
	memset(bar, '#', full);
	memset(bar + full, '.', BAR - full);
	bar[BAR] = '\0';
	if (p->terminal)
		fprintf(stderr, "\r[%s] %zu of %zu%s\033[K", bar, p->done, p->total, left);
	else
		fprintf(stderr, "stampede: %zu of %zu trials%s\n", p->done, p->total, left);
}

void st_progress_begin(struct st_progress *p, size_t total, size_t before, bool quiet)
{
	const char *term = getenv("TERM");

	*p = (struct st_progress){.quiet = quiet, .total = total, .before = before, .done = before};
	p->terminal = isatty(STDERR_FILENO) && term && strcmp(term, "dumb") != 0;
	p->began_s = p->shown_s = now_s();
	if (!quiet && p->terminal)
		show(p, p->began_s);
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
		fprintf(stderr, "stampede: %zu trials in %.1f s (%.3g/s)\n", ran, took, (double)ran / took);
}
