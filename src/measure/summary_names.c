#include <config.h>

#include "measure/summary.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* How people and columns spell the figures' names. */

char *st_figure_column(const struct st_figure *f, char buf[64])
{
	snprintf(buf, 64, "%s", f->name);
	for (char *s = buf; *s; s++)
		if (*s == '.')
			*s = '_';
	return buf;
}

/* Cut the unit out of a name or a column: "_per_s" or "_s" at the end, or "_s" before a further part. */
static void drop_unit(char *column)
{
	static const char *const units[] = {"_per_s", "_s"};

	for (size_t u = 0; u < sizeof units / sizeof *units; u++) {
		size_t len = strlen(units[u]);

		for (char *at = strstr(column, units[u]); at; at = strstr(at + 1, units[u]))
			if (at[len] == '\0' || at[len] == '_' || at[len] == '.') {
				memmove(at, at + len, strlen(at + len) + 1);
				return;
			}
	}
}

char *st_figure_short(const struct st_figure *f, char buf[64])
{
	snprintf(buf, 64, "%s", f->name);
	drop_unit(buf);
	return buf;
}

static bool is_name_of(const char *name, const struct st_figure *f)
{
	char wanted[64], column[64];

	if (strlen(name) >= sizeof wanted)
		return false;
	st_figure_column(&(struct st_figure){.name = name}, wanted);
	st_figure_column(f, column);
	if (strcmp(wanted, column) == 0)
		return true;
	drop_unit(column);
	return strcmp(wanted, column) == 0;
}

int st_figure_find(const char *name)
{
	for (size_t i = 0; i < st_figure_count(); i++)
		if (is_name_of(name, st_figure_at(i)))
			return (int)i;
	return -1;
}
