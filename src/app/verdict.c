#include <config.h>

#include "app/verdict.h"

enum { COLUMNS = 100 };

static void say(const struct st_expect *x, double value, struct st_text *out)
{
	st_text_addf(out, "%s: %s (", st_expect_holds(x, value) ? "holds" : "does not hold", x->text);
	st_expect_print_value(x, value, out);
	st_text_add(out, ")\n");
}

void st_verdict_run(const struct st_expect *x, size_t n, const struct st_result *r, struct st_text *out)
{
	for (size_t i = 0; i < n; i++)
		say(&x[i], st_expect_value(&x[i], r), out);
}

/* "0-2, 7, 18": the points where it does not hold. */
static void list_failed(const struct st_expect *x, const struct st_sweep_result *r, struct st_text *out)
{
	const char *between = "";

	for (size_t p = 0, end; p < r->npoints; p = end + 1) {
		for (end = p; end < r->npoints && !st_expect_holds(x, st_expect_mean(x, r, end)); end++)
			;
		if (end == p)
			continue;
		st_text_addf(out, end - p > 2 ? "%s%zu-%zu" : end - p == 2 ? "%s%zu, %zu" : "%s%zu", between, p, end - 1);
		between = ", ";
	}
}

static void say_points(const struct st_expect *x, const struct st_sweep_result *r, struct st_text *out)
{
	size_t holds = 0, from = out->len;

	for (size_t p = 0; p < r->npoints; p++)
		holds += st_expect_holds(x, st_expect_mean(x, r, p));
	if (holds == r->npoints)
		st_text_addf(out, "holds in mean at all %zu points: %s", r->npoints, x->text);
	else if (holds == 0)
		st_text_addf(out, "does not hold in mean at any of %zu points: %s", r->npoints, x->text);
	else
		st_text_addf(out, "holds in mean at %zu of %zu points: %s; not at ", holds, r->npoints, x->text);
	if (holds > 0 && holds < r->npoints)
		list_failed(x, r, out);
	st_text_add(out, "\n");
	st_text_wrap(out, from, COLUMNS);
}

void st_verdict_sweep(const struct st_expect *x, size_t n, const struct st_sweep_result *r, struct st_text *out)
{
	for (size_t i = 0; i < n; i++) {
		if (r->npoints == 1)
			say(&x[i], st_expect_mean(&x[i], r, 0), out);
		else
			say_points(&x[i], r, out);
	}
}
