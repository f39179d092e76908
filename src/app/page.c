#include <config.h>

#include "app/page.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "measure/summary.h"
#include "output/chart.h"
#include "output/file.h"
#include "output/html.h"

int st_page_picture(struct st_page *p, const char *name, const char *caption, struct st_err *e)
{
	char *file = st_format("%s.png", name);
	bool is_there = st_file_exists(p->dir, file);

	free(file);
	return is_there ? st_html_picture(&p->out, p->dir, name, ++p->pictures, caption, e) : 0;
}

int st_page_pictures(struct st_page *p, const char *kind, struct st_err *e)
{
	const struct st_chart *c = st_chart_at(0);
	int rc = 0;

	for (size_t i = 1; strcmp(c->kind, kind) != 0; i++)
		c = st_chart_at(i);
	for (size_t i = 0; i < sizeof c->picture / sizeof *c->picture && c->picture[i].name && rc == 0; i++)
		rc = st_page_picture(p, c->picture[i].name, c->picture[i].caption, e);
	return rc;
}

void st_page_table(struct st_page *p, struct st_cells *c, size_t heads, size_t left)
{
	st_html_table(&p->out, c, heads, left);
	st_cells_release(c);
}

void st_page_verdict(void *page, int verdict, const struct st_text *said)
{
	struct st_page *p = page;
	static const enum st_html_mark marks[] = {ST_HTML_GOOD, ST_HTML_BAD, ST_HTML_OPEN, ST_HTML_ASIDE};

	st_html_verdict(&p->out, marks[verdict], said->s);
}

void st_page_define(struct st_page *p, const char *name)
{
	int i = st_figure_find(name);

	if (i >= 0)
		p->defined[i] = true;
}
