#ifndef ST_APP_PAGE_H
#define ST_APP_PAGE_H
/*
 * page.h - a report under way, and what its chapters have in common.
 */
#include "base/err.h"
#include "base/text.h"
#include "experiment/scenario.h"
#include "output/cells.h"

struct st_page {
	const char *dir;                    /* of the results */
	const struct st_scenario *scenario; /* of its scenario.yaml */
	unsigned pictures;                  /* shown so far */
	bool *defined;                      /* [figure] is among those that were told of, and is defined at the end */
	struct st_text facts;               /* "NAME: VALUE" a line: what it takes to trust the results */
	struct st_text out;
};

/* DIR/NAME.png with its caption, if it is there. 0, or -1 with a message. */
int st_page_picture(struct st_page *p, const char *name, const char *caption, struct st_err *e);

/* The charts of a kind (output/chart.h) that are there. 0, or -1 with a message. */
int st_page_pictures(struct st_page *p, const char *kind, struct st_err *e);

/* A table, which is released (see st_html_table). */
void st_page_table(struct st_page *p, struct st_cells *c, size_t heads, size_t left);

/* What became of an expectation: an st_verdict_tell for a struct st_page (app/verdict.h). */
void st_page_verdict(void *page, int verdict, const struct st_text *said);

/* Note that a figure was told of, if there is one of this name. */
void st_page_define(struct st_page *p, const char *name);

#endif
