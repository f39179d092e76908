#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/flow.h"
#include "base/mem.h"
#include "base/rng.h"
#include "experiment/params.h"
#include "experiment/scenario.h"
#include "tap_main.h"

/*
 * Properties of the reader and the canonical scenario over random settings of every parameter there is, and over
 * scenarios with random damage: what is read is what was said, what is printed reads back to the same, and nothing
 * crashes or hangs.
 */

#define X "check_scenario_print.yaml"

enum { SETTINGS = 200, DAMAGES = 1000, SETS_MAX = 4 * ST_PARAM_ROWS };

static struct st_rng random_of(uint32_t test, uint32_t i)
{
	struct st_rng_family f = st_rng_family(2385, 0);

	return st_rng_open(&f, test, i, 0, ST_RNG_CLIENT);
}

static size_t below(struct st_rng *r, size_t n)
{
	return (size_t)st_rng_below(r, n);
}

static void write_file(const char *text, size_t n)
{
	FILE *f = fopen(X, "wb");

	ck_assert_ptr_nonnull(f);
	ck_assert_uint_eq(fwrite(text, 1, n, f), n);
	fclose(f);
}

/* The canonical scenario of X with settings; NULL if it has mistakes, which are then in e. */
static char *read_and_print(const char *const *set, size_t n, struct st_config *c, struct st_err *e)
{
	struct st_scenario s;
	struct st_text t = ST_TEXT_INIT;

	*c = (struct st_config){.title = NULL};
	if (st_scenario_read(X, set, n, NULL, 0, &s, e) == 0) {
		ck_assert_int_eq(st_scenario_resolve(s.tree, c, e), 0);
		st_scenario_print(c, &s, &t);
	}
	st_scenario_release(&s);
	return t.s;
}

#define TRACE "check_scenario_print.csv"

/* Random values of every type of parameter */

struct set {
	char *text[SETS_MAX];
	size_t n;
};

static const char *random_time(struct st_rng *r, double min_s, char buf[ST_TIME_TEXT])
{
	static const st_time unit[] = {ST_NSEC, ST_USEC, 100 * ST_USEC, ST_MSEC, ST_SEC};
	st_time t = (st_time)(1 + below(r, 40)) * unit[below(r, 5)], min = st_time_from_s(min_s);

	return st_time_format(t > min ? t : min, buf);
}

static void random_dist(struct st_rng *r, struct st_text *t)
{
	static const char *const form[] = {"%s", "constant %s", "exponential %s", "lognormal %s cv 0.52", "gamma %s cv 1.7",
	    "weibull %s cv 0.31", "uniform %s 50s", "normal %s cv 0.2"};
	char buf[ST_TIME_TEXT];
	const char *f = form[below(r, sizeof form / sizeof *form)], *at = strstr(f, "%s");

	st_text_addn(t, f, (size_t)(at - f));
	st_text_add(t, random_time(r, 0.0, buf));
	st_text_add(t, at + 2);
}

static void random_text(struct st_rng *r, struct st_text *t)
{
	static const char letters[] = "abz09 :#'\"\\{}[],&*!|>%@`-?=~.\t\xc3\xa4";
	struct st_text raw = ST_TEXT_INIT;

	st_text_add(&raw, "");
	for (size_t i = below(r, 12); i > 0; i--) {
		size_t k = below(r, sizeof letters - 2);

		st_text_addn(&raw, letters + k, letters[k] == '\xc3' ? 2 : 1);
	}
	st_flow_quote(raw.s, t);
	st_text_release(&raw);
}

static double bounded(const struct st_param *p, struct st_rng *r)
{
	double max = p->max > 0.0 && p->max < 5000.0 ? p->max : 5000.0;

	return p->min + (max - p->min) * st_rng_uniform(r);
}

/* Types that a module brings along: texts for each, "" ends them. A type without any here is left at its default. */
static const struct {
	const char *type, *text[16];
} samples[] = {
    {"jitter", {"none", "full", "equal", "decorrelated", "range 0.8 1.2", "range 0.1 2.385", "proportional 12.5%", "additive 2385us",
        "decorrelated 2.5", "rising", "rising 1", "exponential", "polly", ""}},
    {"quantum", {"off", "1ms", "2385us", "1%", "12.5%", ""}},
    {"conditions", {"[503]", "[5xx, 429]", "[any]", "[timeout, refused, reset, 410]", "[4xx, 503, 599]", "[]", ""}},
    {"answer", {"503", "429", "refuse", "drop", ""}},
    {"hint jitter", {"none", "6s", "50%", "12.5%", ""}},
    {"hint value", {"off", "5s", "1.5ms", "backlog", ""}},
    {"trace", {TRACE, ""}},
    {"effect", {"503", "429", "refuse", "blackhole", "slow", "freeze", "workers", "delay", "restart", ""}},
    {"share or count", {"30%", "12.5%", "0", "3", ""}},
};

static void random_sample(const struct st_param *p, struct st_rng *r, struct st_text *t)
{
	for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) {
		size_t n = 0;

		if (strcmp(samples[i].type, p->type->name) != 0)
			continue;
		while (*samples[i].text[n])
			n++;
		st_text_add(t, samples[i].text[below(r, n)]);
	}
}

/* A value for the row; nothing is added if the row is to be left alone. */
static void random_value(const struct st_param *p, struct st_rng *r, struct st_text *t)
{
	char buf[ST_TIME_TEXT];
	size_t names = 0;

	if (p->word && below(r, 4) == 0) {
		st_text_add(t, p->word);
	} else if (p->type == &st_param_choice) {
		while (p->choices(names))
			names++;
		st_text_add(t, p->choices(below(r, names))->name);
	} else if (p->type == &st_param_time) {
		st_text_add(t, random_time(r, p->min, buf));
	} else if (p->type == &st_param_rate) {
		st_text_addf(t, "%.*g/%c", (int)(1 + below(r, 17)), bounded(p, r), "smh"[below(r, 3)]);
	} else if (p->type == &st_param_share) {
		st_text_addf(t, "%.*g%%", (int)(1 + below(r, 17)), 100.0 * st_rng_uniform(r));
	} else if (p->type == &st_param_number) {
		st_text_addf(t, "%.17g", bounded(p, r));
	} else if (p->type == &st_param_count) {
		st_text_addf(t, "%.0f", bounded(p, r));
	} else if (p->type == &st_param_dist) {
		random_dist(r, t);
	} else if (p->type == &st_param_text) {
		random_text(r, t);
	} else if (p->type == &st_param_times) {
		st_text_addf(t, "[%zus, %zums]", below(r, 40), 45000 + below(r, 50000));
	} else {
		random_sample(p, r, t);
	}
}

/* What random settings would make impossible together with others: a service of another kind has no workers. */
static bool is_left_alone(enum st_section s, const char *path)
{
	static const char *const paths[] = {"duration", "warmup", "bin", "share", "of", "factor", "workload.spread", "to"};

	for (size_t i = 0; i < sizeof paths / sizeof *paths; i++)
		if (strcmp(paths[i], path) == 0)
			return true;
	return s == ST_SECTION_SERVICE && strcmp(path, "kind") == 0;
}

/* Settings of a section, kinds first: only what applies is set, and what must be given is. */
static void random_section(enum st_section s, const char *prefix, struct st_rng *r, struct set *set)
{
	struct st_param_rows rows;
	const char *kind[ST_PARAM_ROWS] = {NULL};

	st_params_rows(s, &rows);
	for (int pass = 0; pass < 2; pass++) {
		for (size_t i = 0; i < rows.n; i++) {
			const struct st_param *p = rows.row[i].param;
			int k = st_params_kind_of(&rows, i);
			struct st_text t = ST_TEXT_INIT;

			if ((p->kinds != NULL) != pass)
				continue;
			kind[i] = p->dflt;
			if (is_left_alone(s, rows.row[i].path) || (p->kinds && !st_param_applies(p, kind[k])) || (p->dflt && below(r, 3) == 0))
				continue;
			random_value(p, r, &t);
			if (t.len > 0) {
				char *text = st_format("%s%s=%s", prefix, rows.row[i].path, t.s);

				kind[i] = strchr(text, '=') + 1;
				set->text[set->n++] = text;
			}
			st_text_release(&t);
		}
	}
}

#define CLIENTS_AND_FAULTS                                                                                             \
	"duration: 100s\nclients:\n"                                                                                   \
	"  a: {count: 5, workload: once}\n  b-2_C: {count: 6, workload: {kind: poisson, rate: 3/s}}\n"                  \
	"faults: [{at: 1s, for: 2s, effect: 503}, {at: 2s, for: 90s, effect: refuse}]\n"

/* With a service alone, and with several. */
static const char *const base[] = {CLIENTS_AND_FAULTS "service: {workers: 2, service_time: 37ms}\n",
    CLIENTS_AND_FAULTS "services:\n  api: {workers: 2, service_time: 37ms, calls: db}\n  db: {workers: 3, service_time: 1ms}\n"};

/* Of base[i % 2]. `workload: once` has no rate or think: the whole of a workload is set at once where its kind is. */
static struct set random_settings(uint32_t i)
{
	struct set set = {.n = 0};
	struct st_rng r = random_of(1, i);

	random_section(ST_SECTION_TOP, "", &r, &set);
	if (i % 2 == 0) {
		random_section(ST_SECTION_SERVICE, "service.", &r, &set);
	} else {
		random_section(ST_SECTION_SERVICE, "services.api.", &r, &set);
		random_section(ST_SECTION_CALLS, "services.api.calls.", &r, &set);
		random_section(ST_SECTION_SERVICE, "services.db.", &r, &set);
	}
	set.text[set.n++] = st_strdup("workload={}");
	random_section(ST_SECTION_GROUP, "clients.a.", &r, &set);
	random_section(ST_SECTION_GROUP, "clients.b-2_C.", &r, &set);
	random_section(ST_SECTION_FAULT, "faults[0].", &r, &set);
	random_section(ST_SECTION_FAULT, "faults[1].", &r, &set);
	return set;
}

/* Whether a plain field of two configurations holds the same bytes; true for types that own memory. */
static bool same_field(const struct st_param *p, const char *a, const char *b)
{
	size_t size = 0;

	if (p->type == &st_param_time || p->type == &st_param_count)
		size = 8;
	else if (p->type == &st_param_rate || p->type == &st_param_share || p->type == &st_param_number)
		size = sizeof(double);
	else if (p->type == &st_param_choice)
		size = sizeof(unsigned);
	return memcmp(a + p->offset, b + p->offset, size) == 0;
}

static void compare(struct st_config *a, struct st_config *b)
{
	struct st_param_rows rows;

	ck_assert_uint_eq(a->ngroups, b->ngroups);
	ck_assert_uint_eq(a->nservices, b->nservices);
	ck_assert_uint_eq(a->nfaults, b->nfaults);
	for (enum st_section s = 0; s < ST_SECTION_N; s++) {
		st_params_rows(s, &rows);
		for (size_t k = 0; k < st_section_count(a, s); k++)
			for (size_t i = 0; i < rows.n; i++)
				ck_assert_msg(same_field(rows.row[i].param, (char *)st_section_of(a, s, k) + rows.row[i].offset,
				                  (char *)st_section_of(b, s, k) + rows.row[i].offset), "%s", rows.row[i].path);
	}
}

/* This and the next in slices, so that the processes that Check forks are short. */
START_TEST(random_settings_read_back)
{
	for (uint32_t i = (uint32_t)_i * SETTINGS / 10; i < (uint32_t)(_i + 1) * SETTINGS / 10; i++) {
		struct set set = random_settings(i);
		struct st_config c, again;
		struct st_err e = ST_ERR_INIT;

		write_file(base[i % 2], strlen(base[i % 2]));
		char *text = read_and_print((const char *const *)set.text, set.n, &c, &e);
		ck_assert_msg(text != NULL, "settings %u: %s", i, e.message[0]);
		write_file(text, strlen(text));
		char *second = read_and_print(NULL, 0, &again, &e);
		ck_assert_msg(second != NULL, "settings %u: %s\n%s", i, e.n ? e.message[0] : "", text);
		ck_assert_str_eq(second, text);
		compare(&c, &again);
		st_config_release(&c);
		st_config_release(&again);
		free(text);
		free(second);
		for (size_t k = 0; k < set.n; k++)
			free(set.text[k]);
	}
	remove(X);
}
END_TEST

/* Damage */

static struct st_text load(const char *name)
{
	const char *dir = getenv("srcdir");
	char *file = st_format("%s/scenarios/%s.yaml", dir ? dir : ".", name), buf[4096];
	struct st_text t = ST_TEXT_INIT;
	FILE *f = fopen(file, "rb");
	size_t n;

	ck_assert_ptr_nonnull(f);
	while ((n = fread(buf, 1, sizeof buf, f)) > 0)
		st_text_addn(&t, buf, n);
	fclose(f);
	free(file);
	return t;
}

/* One blow: a byte changed, put in or taken out, or a stretch doubled or cut out. */
static void damage(struct st_text *t, struct st_rng *r)
{
	static const char bytes[] = " \n:,{}[]#&*!|>'\"%@-?.0159azsm\t\x01\x80\xc3\xff";
	struct st_text was = *t;
	size_t at = below(r, was.len), n = 1 + below(r, 40), how = below(r, 5);
	char byte = bytes[below(r, sizeof bytes - 1)];

	if (n > was.len - at)
		n = was.len - at;
	*t = (struct st_text)ST_TEXT_INIT;
	st_text_addn(t, was.s, at);
	if (how <= 1)
		st_text_addn(t, &byte, 1);
	else if (how == 2)
		st_text_addn(t, was.s + at, n);
	size_t skip = how == 1 || how == 2 ? 0 : how == 4 ? n : 1;
	st_text_addn(t, was.s + at + skip, was.len - at - skip);
	st_text_release(&was);
}

START_TEST(damage_is_survived)
{
	struct st_text whole[] = {load("outage"), load("tiers")};
	size_t good = 0;

	for (uint32_t i = (uint32_t)_i * DAMAGES / 10; i < (uint32_t)(_i + 1) * DAMAGES / 10; i++) {
		struct st_text t = ST_TEXT_INIT;
		struct st_rng r = random_of(2, i);
		struct st_config c;
		struct st_err e = ST_ERR_INIT;

		/* Past the comment: the first thousand bytes or so are words. */
		const char *body = strstr(whole[i % 2].s, "\ntitle:");
		st_text_add(&t, body);
		for (size_t blows = 1 + below(&r, 3); blows > 0; blows--)
			damage(&t, &r);
		write_file(t.s, t.len);
		char *text = read_and_print(NULL, 0, &c, &e);
		ck_assert_int_eq(text == NULL, e.n > 0);
		st_config_release(&c);
		if (text) {
			good++;
			write_file(text, strlen(text));
			char *again = read_and_print(NULL, 0, &c, &e);
			ck_assert_msg(again && strcmp(again, text) == 0, "damage %u: %s\n%s", i, e.n ? e.message[0] : "", text);
			st_config_release(&c);
			free(again);
		}
		free(text);
		st_err_release(&e);
		st_text_release(&t);
	}
	ck_assert_uint_gt(good, 2); /* about one in eleven is still a scenario */
	st_text_release(&whole[0]);
	st_text_release(&whole[1]);
	remove(X);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("scenario_print");
	TCase *tc = tcase_create("properties");

	FILE *f = fopen(TRACE, "w");
	if (!f || fputs("time_s,rate_per_s\n0,1\n", f) < 0 || fclose(f) != 0)
		return EXIT_FAILURE;
	tcase_set_timeout(tc, 300);
	tcase_add_loop_test(tc, random_settings_read_back, 0, 10);
	tcase_add_loop_test(tc, damage_is_survived, 0, 10);
	suite_add_tcase(s, tc);
	int rc = tap_main(s);

	remove(TRACE);
	return rc;
}
