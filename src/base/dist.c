#include <config.h>

#include "base/dist.h"

#include <stdlib.h>
#include <string.h>

#include "base/dist_words.h"

/* What all kinds share: a name is sought in their table (base/dist_kinds.c), the kind reads the rest. */

static const struct st_dist_kind *find(const char *name)
{
	for (size_t i = 0; st_dist_kind_at(i); i++)
		if (strcmp(st_dist_kind_at(i)->name, name) == 0)
			return st_dist_kind_at(i);
	return NULL;
}

static int unknown(const struct st_dist_words *w)
{
	struct st_text all = ST_TEXT_INIT;
	const char *names[32];
	size_t n = 0;

	for (; st_dist_kind_at(n); n++) {
		names[n] = st_dist_kind_at(n)->name;
		st_text_addf(&all, "%s%s", n ? ", " : "", names[n]);
	}
	const char *near = st_text_nearest(w->name, names, n);
	if (near)
		st_err_add(w->e, ST_EXIT_USER, w->place, "unknown distribution '%s'; did you mean '%s'?", w->name, near);
	else
		st_err_add(w->e, ST_EXIT_USER, w->place, "unknown distribution '%s'; there are %s", w->name, all.s);
	st_text_release(&all);
	return -1;
}

/* Read the words after the name. */
static int read_as(const struct st_dist_kind *kind, struct st_dist_words *w, struct st_dist *d)
{
	bool good;

	*d = (struct st_dist){.kind = kind, .fixed = -1};
	good = kind->read(d, w);
	if (good && w->next < w->n)
		good = st_dist_words_wrong(w, "'%s' is too much", w->word[w->next]);
	if (w->why.s)
		st_err_add(w->e, ST_EXIT_USER, w->place, "expects '%s %s'; got '%s' (%s)", kind->name,
		    kind->syntax, w->whole, w->why.s);
	if (good)
		return 0;
	st_dist_release(d);
	return -1;
}

/* A duration alone: a constant. */
static int read_duration(const struct st_dist_words *w, struct st_dist *out)
{
	st_time t = 0;
	const char *why = st_time_parse(w->whole, &t);

	*out = st_dist_constant(t);
	if (!why)
		return 0;
	return st_err_add(w->e, ST_EXIT_USER, w->place,
	    "expects a duration such as 20ms, or a distribution such as 'exponential 20ms'; got '%s' (%s)", w->whole, why);
}

int st_dist_parse(const char *text, const struct st_place *place, struct st_dist *out, struct st_err *e)
{
	struct st_dist_words w;
	int failed;

	st_dist_words_init(&w, text, place, e);
	*out = st_dist_constant(0);
	const struct st_dist_kind *kind = find(w.name);
	if (kind)
		failed = read_as(kind, &w, out);
	else if (strspn(w.name, "+-.0123456789") > 0 || *w.name == '\0')
		failed = read_duration(&w, out);
	else
		failed = unknown(&w);
	st_dist_words_release(&w);
	return failed;
}

struct st_dist st_dist_constant(st_time t)
{
	return (struct st_dist){.kind = st_dist_kind_at(0), .first = t, .fixed = t};
}

void st_dist_print(const struct st_dist *d, struct st_text *out)
{
	char buf[ST_TIME_TEXT];

	if (d->fixed >= 0) {
		st_text_add(out, st_time_format(d->fixed, buf));
		return;
	}
	st_text_addf(out, "%s %s", d->kind->name, d->file ? d->file : st_time_format(d->first, buf));
	if (d->written_cv > 0.0) {
		st_text_add(out, " cv ");
		st_text_add_double(out, d->written_cv);
	} else if (d->kind->between) {
		st_text_addf(out, "%s%s", d->kind->between, st_time_format(d->second, buf));
	}
}

double st_dist_mean_s(const struct st_dist *d)
{
	return d->kind->mean(d) / 1e9;
}

void st_dist_release(struct st_dist *d)
{
	free(d->file);
	st_values_release(&d->values);
	*d = st_dist_constant(0);
}

st_time st_dist_draw_slow(const struct st_dist *d, struct st_rng *r)
{
	return st_time_from_ns(d->kind->draw(d, r));
}
