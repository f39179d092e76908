#ifndef ST_APP_CHAPTER_H
#define ST_APP_CHAPTER_H
/*
 * chapter.h - what a report tells of one kind of results: a const row for each; the table of them is in cmd_report.c.
 *
 * A chapter is made from the folder's files alone. It says what came out as the terminal said it, shows the charts, and has the
 * figures in full.
 */
#include "app/page.h"

struct st_chapter {
	const char *kind; /* of its charts (output/chart.h), whose row names the files; the command that leaves them */
	int (*tell)(struct st_page *p, struct st_err *e); /* 0, or -1 with a message */
	/* Add the options with which the command gives the same again from scenario.yaml; NULL: there are none. */
	int (*add_options)(const struct st_page *p, struct st_text *command, struct st_err *e);
};

extern const struct st_chapter st_chapter_run, st_chapter_trace, st_chapter_sweep, st_chapter_tune, st_chapter_schedule;

#endif
