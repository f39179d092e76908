#include <config.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <gsl/gsl_cdf.h>

#include "base/dist.h"
#include "tap_main.h"

enum { N = 200000 };

static char dir[40];

static void write_file(const char *name, const char *text)
{
	char path[100];

	snprintf(path, sizeof path, "%s/%s", dir, name);
	FILE *f = fopen(path, "w");
	ck_assert_ptr_nonnull(f);
	fputs(text, f);
	fclose(f);
}

static void make_dir(void)
{
	strcpy(dir, "/tmp/stampede-check-dist-XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(dir));
	write_file("good.csv", "# measured\nvalue_s\n0.25\n\n1e-3 # fast\r\n  0.25\n4\n");
}

static void remove_dir(void)
{
	static const char *const names[] = {"good.csv", "bad.csv"};
	char path[100];

	for (size_t i = 0; i < 2; i++) {
		snprintf(path, sizeof path, "%s/%s", dir, names[i]);
		unlink(path);
	}
	rmdir(dir);
}

/* A scenario in the directory of the tables. */
static struct st_place here(void)
{
	static char file[100];

	snprintf(file, sizeof file, "%s/scenario.yaml", dir);
	return (struct st_place){file, 3, 5};
}

static struct st_dist parse(const char *text)
{
	struct st_place place = here();
	struct st_err e = ST_ERR_INIT;
	struct st_dist d;

	int failed = st_dist_parse(text, &place, &d, &e);
	ck_assert_msg(!failed && e.n == 0, "%s: %s", text, e.n ? e.message[0] : "");
	return d;
}

/* An example made from the row's own syntax: a new kind is tested with no line added here. */
static void example(const struct st_dist_kind *k, const char *mean, const char *second, char *text,
    size_t size)
{
	static const char *const words[] = {"VALUE", "MEAN", "CV", "SD", "LOW", "HIGH", "FILE"};
	const char *values[] = {mean, mean, "0.12", second, second, mean, "good.csv"};
	char syntax[100], *save = NULL;

	snprintf(syntax, sizeof syntax, "%s", k->syntax);
	int n = snprintf(text, size, "%s", k->name);
	for (char *w = strtok_r(syntax, " ", &save); w && *w != '|'; w = strtok_r(NULL, " ", &save)) {
		const char *value = w;

		for (size_t i = 0; i < sizeof words / sizeof *words; i++)
			if (strcmp(w, words[i]) == 0)
				value = values[i];
		n += snprintf(text + n, size - (size_t)n, " %s", value);
	}
}

static double *draw(const struct st_dist *d)
{
	struct st_rng_family f = st_rng_family(2385, 3);
	double *x = malloc(N * sizeof *x);
	int negative = 0; /* an assert a draw would take most of the time */

	for (uint32_t i = 0; i < N; i++) {
		struct st_rng r = st_rng_open(&f, i, 0, 1, ST_RNG_SERVICE);
		st_time t = st_dist_draw(d, &r);

		negative += t < 0;
		x[i] = st_time_to_s(t);
	}
	ck_assert_int_eq(negative, 0);
	return x;
}

/* The deviation of what is drawn, s, from the words and the mean; without rounding. */
static double deviation_of(const struct st_dist *d)
{
	const char *kind = d->kind->name;
	double mean = st_dist_mean_s(d), squares = 0.0, sd = d->b / 1e9, z = d->a / d->b;

	if (strcmp(kind, "constant") == 0)
		return 0.0;
	if (strcmp(kind, "exponential") == 0)
		return mean;
	if (strcmp(kind, "uniform") == 0)
		return st_time_to_s(d->second - d->first) / sqrt(12.0);
	if ((strcmp(kind, "normal") == 0 || strcmp(kind, "abs-normal") == 0) && z > 30.0)
		return sd; /* nothing to clip or to fold: the differences below would lose every digit */
	if (strcmp(kind, "abs-normal") == 0) /* E|X|^2 is that of X */
		return sqrt(sd * sd * (1.0 + z * z) - mean * mean);
	if (strcmp(kind, "normal") == 0) /* E[X^2; X > 0] */
		return sqrt(sd * sd * ((1.0 + z * z) * erfc(-z / M_SQRT2) / 2.0 + z * exp(-z * z / 2.0) / sqrt(2.0 * M_PI)) -
		    mean * mean);
	if (strcmp(kind, "empirical") != 0)
		return d->written_cv * mean;
	for (size_t i = 0; i < d->values.n; i++)
		squares += pow(st_time_to_s(d->values.at[i]) - mean, 2.0) / (double)d->values.n;
	return sqrt(squares);
}

/* Mean and deviation within 4 standard errors of what the distribution says; 2 ns for the rounding. */
static void moments_agree(const char *text)
{
	const double limit = 4.0, rounding = 2e-9;
	struct st_dist d = parse(text);
	double *x = draw(&d), m = 0.0, m2 = 0.0, m4 = 0.0;
	double mean = st_dist_mean_s(&d), sd = deviation_of(&d);

	for (int i = 0; i < N; i++)
		m += x[i] / N;
	for (int i = 0; i < N; i++) {
		double square = (x[i] - m) * (x[i] - m);

		m2 += square / N;
		m4 += square * square / N;
	}
	double error = sqrt(m2 / N), sd_error = m2 > 0.0 ? sqrt((m4 - m2 * m2) / N) / (2.0 * sqrt(m2)) : 0.0;
	ck_assert_msg(fabs(m - mean) <= limit * error + rounding, "%s: mean %.9g, says %.9g", text, m, mean);
	ck_assert_msg(fabs(sqrt(m2) - sd) <= limit * sd_error + rounding, "%s: deviation %.9g, says %.9g",
	    text, sqrt(m2), sd);
	free(x);
	st_dist_release(&d);
}

START_TEST(every_kind_draws_what_it_says)
{
	const struct st_dist_kind *k = st_dist_kind_at((size_t)_i);
	char text[100];

	example(k, "20ms", "3ms", text, sizeof text);
	moments_agree(text);
}
END_TEST

/* Where clipping, folding, tails and edges bite; a pareto has a fourth moment only at a small cv. */
static const char *const further[] = {
    "lognormal 20ms cv 1",    "gamma 20ms cv 3",         "gamma 20ms cv 0.001",    "weibull 20ms cv 2",
    "weibull 20ms cv 0.3",    "weibull 20ms cv 0.001",   "pareto 20ms cv 0.05",    "uniform 5ms 5ms",
    "uniform 0 1h",           "normal 10ms sd 10ms",     "normal 0 sd 2ms",        "normal 10ms cv 3",
    "normal 1h sd 1us",       "abs-normal 10ms sd 10ms", "abs-normal 0 sd 2ms",    "abs-normal 1h sd 1us",
};

START_TEST(edges_draw_what_they_say)
{
	moments_agree(further[_i]);
}
END_TEST

/* Shapes, in seconds, against GSL's own functions with parameters known in closed form. */

static double exponential(double x)
{
	return gsl_cdf_exponential_P(x, 0.02);
}

static double lognormal(double x) /* cv^2 = e - 1: sigma = 1 */
{
	return gsl_cdf_lognormal_P(x, log(0.02) - 0.5, 1.0);
}

static double erlang(double x)
{
	return gsl_cdf_gamma_P(x, 4.0, 0.005);
}

static double hyper(double x)
{
	return gsl_cdf_gamma_P(x, 0.25, 0.08);
}

static double rayleigh(double x) /* shape 2: mean = scale sqrt(pi) / 2, cv^2 = 4 / pi - 1 */
{
	return gsl_cdf_weibull_P(x, 0.02 / (sqrt(M_PI) / 2.0), 2.0);
}

static double stretched(double x) /* shape 1/2: mean = 2 scale, cv^2 = 5 */
{
	return gsl_cdf_weibull_P(x, 0.01, 0.5);
}

static double pareto(double x) /* exponent 3: mean = 3/2 least, cv^2 = 1/3 */
{
	return gsl_cdf_pareto_P(x, 3.0, 0.02 / 1.5);
}

static double uniform(double x)
{
	return gsl_cdf_flat_P(x, 0.001, 0.009);
}

static double clipped(double x)
{
	return gsl_cdf_gaussian_P(x - 0.01, 0.01);
}

static double folded(double x)
{
	return gsl_cdf_gaussian_P(x - 0.01, 0.01) - gsl_cdf_gaussian_P(-x - 0.01, 0.01);
}

static const struct {
	const char *text;
	double (*cdf)(double);
} shapes[] = {
    {"exponential 20ms", exponential},
    {"lognormal 20ms cv 1.3108324944320862", lognormal},
    {"gamma 20ms cv 0.5", erlang},
    {"gamma 20ms cv 2", hyper},
    {"weibull 20ms cv 1", exponential},
    {"weibull 20ms cv 0.52272320087706331", rayleigh},
    {"weibull 20ms cv 2.2360679774997897", stretched},
    {"pareto 20ms cv 0.57735026918962576", pareto},
    {"uniform 1ms 9ms", uniform},
    {"normal 10ms sd 10ms", clipped},
    {"abs-normal 10ms cv 1", folded},
};

static int by_value(const void *pa, const void *pb)
{
	const double *a = pa, *b = pb;

	return (*a > *b) - (*a < *b);
}

/*
 * Kolmogorov and Smirnov: D sqrt(N) is above 1.95 in one of 1000 samples. What it must catch: another kind of the same
 * mean and cv (gamma, lognormal and weibull of cv 0.5 are 0.028 and more apart: 12), a mean wrong by 2 % (an
 * exponential's D is 0.0073: 3.3), a gamma's shape wrong by 5 % (0.0081: 3.6). Only the last of equal values counts: a
 * clipped normal has an atom at 0.
 */
static const double ks_limit = 1.95;

START_TEST(shapes_are_those_of_gsl)
{
	struct st_dist d = parse(shapes[_i].text);
	double *x = draw(&d), distance = 0.0;
	const double half_ns = 0.5e-9; /* draws are rounded; a gamma of cv 2 has 1 % below one nanosecond */

	qsort(x, N, sizeof *x, by_value);
	for (int i = 0; i < N; i++)
		if (i == N - 1 || x[i] < x[i + 1])
			distance = fmax(distance, fabs((i + 1.0) / N - shapes[_i].cdf(x[i] + half_ns)));
	distance *= sqrt((double)N);
	ck_assert_msg(distance <= ks_limit, "%s: %g", shapes[_i].text, distance);
	free(x);
	st_dist_release(&d);
}
END_TEST

START_TEST(says_its_mean)
{
	struct st_dist d = parse("exponential 20ms");
	const double pi = M_PI;

	ck_assert_double_eq(st_dist_mean_s(&d), 0.02);
	d = parse("5ms");
	ck_assert_double_eq(st_dist_mean_s(&d), 0.005);
	d = parse("uniform 0 9ms");
	ck_assert_double_eq_tol(st_dist_mean_s(&d), 0.0045, 1e-15);
	d = parse("abs-normal 0 sd 2ms");
	ck_assert_double_eq_tol(st_dist_mean_s(&d), 0.002 * sqrt(2.0 / pi), 1e-15);
	d = parse("normal 1h sd 1us"); /* nothing to clip */
	ck_assert_double_eq_tol(st_dist_mean_s(&d), 3600.0, 1e-12);
	d = parse("empirical good.csv");
	ck_assert_double_eq_tol(st_dist_mean_s(&d), 4.501 / 4.0, 1e-12);
	st_dist_release(&d);
	d = parse("weibull 1s cv 2.2360679774997897");
	ck_assert_double_eq_tol(d.b, 0.5, 1e-12);
}
END_TEST

START_TEST(text_reads_back_to_the_same)
{
	struct st_rng_family f = st_rng_family(11, 0);
	struct st_rng r = st_rng_open(&f, (uint32_t)_i, 0, 0, ST_RNG_CLIENT);
	const struct st_dist_kind *k = st_dist_kind_at((size_t)_i);
	char text[200], mean[ST_TIME_TEXT], second[ST_TIME_TEXT];

	for (int i = 0; i < 300; i++) {
		st_time t = 2 + (st_time)st_rng_below(&r, (uint64_t)1 << st_rng_below(&r, 55));

		st_time_format(t, mean);
		st_time_format(1 + (st_time)st_rng_below(&r, (uint64_t)t), second);
		example(k, mean, second, text, sizeof text);
		struct st_dist d = parse(text);
		if (d.written_cv > 0.0) {
			double cv = 0.001 + st_rng_exponential(&r);

			snprintf(text, sizeof text, "%s %s cv %.17g", k->name, mean, cv);
			st_dist_release(&d);
			d = parse(text);
		}
		struct st_text once = ST_TEXT_INIT, twice = ST_TEXT_INIT;
		st_dist_print(&d, &once);
		struct st_dist again = parse(once.s);
		st_dist_print(&again, &twice);
		ck_assert_str_eq(once.s, twice.s);
		ck_assert_ptr_eq(again.kind, d.kind);
		ck_assert_msg(again.a == d.a && again.b == d.b && again.fixed == d.fixed, "%s", once.s);
		st_text_release(&once);
		st_text_release(&twice);
		st_dist_release(&d);
		st_dist_release(&again);
	}
}
END_TEST

static const struct {
	const char *text, *canonical;
} prints[] = {
    {" constant   5ms ", "5ms"},
    {"0", "0s"},
    {"exponential 0.02s", "exponential 20ms"},
    {"lognormal\t20ms cv 0.50", "lognormal 20ms cv 0.5"},
    {"uniform 0 90s", "uniform 0s 90s"},
    {"normal 10ms sd 2000us", "normal 10ms sd 2ms"},
    {"normal 10ms cv 2e-1", "normal 10ms cv 0.2"},
    {"empirical ./good.csv", "empirical ./good.csv"},
};

START_TEST(text_is_canonical)
{
	struct st_dist d = parse(prints[_i].text);
	struct st_text t = ST_TEXT_INIT;

	st_dist_print(&d, &t);
	ck_assert_str_eq(t.s, prints[_i].canonical);
	st_text_release(&t);
	st_dist_release(&d);
}
END_TEST

static const struct {
	const char *text, *message;
} mistakes[] = {
    {"exponental 20ms", "unknown distribution 'exponental'; did you mean 'exponential'?"},
    {"zipf 3",
        "unknown distribution 'zipf'; there are constant, exponential, lognormal, gamma, weibull, pareto, "
        "uniform, normal, abs-normal, empirical"},
    {"5",
        "expects a duration such as 20ms, or a distribution such as 'exponential 20ms'; got '5' (a duration "
        "needs a unit: ns, us, ms, s, m, h or d)"},
    {"-5ms",
        "expects a duration such as 20ms, or a distribution such as 'exponential 20ms'; got '-5ms' (a "
        "duration cannot be negative)"},
    {"exponential", "expects 'exponential MEAN'; got 'exponential' (MEAN is missing)"},
    {"exponential 20",
        "expects 'exponential MEAN'; got 'exponential 20' (MEAN: a duration needs a unit: ns, us, ms, s, m, "
        "h or d)"},
    {"exponential 0", "expects 'exponential MEAN'; got 'exponential 0' (MEAN must be above 0)"},
    {"exponential 20ms cv 1", "expects 'exponential MEAN'; got 'exponential 20ms cv 1' ('cv' is too much)"},
    {"gamma 20ms", "expects 'gamma MEAN cv CV'; got 'gamma 20ms' ('cv' is missing)"},
    {"gamma 20ms 0.5", "expects 'gamma MEAN cv CV'; got 'gamma 20ms 0.5' ('0.5' stands where 'cv' belongs)"},
    {"gamma 20ms cv", "expects 'gamma MEAN cv CV'; got 'gamma 20ms cv' (CV is missing)"},
    {"gamma 20ms cv 0",
        "expects 'gamma MEAN cv CV'; got 'gamma 20ms cv 0' (CV must be between 0.001 and 100)"},
    {"gamma 20ms cv -1",
        "expects 'gamma MEAN cv CV'; got 'gamma 20ms cv -1' (CV must be between 0.001 and 100)"},
    {"pareto 1s cv 1e9",
        "expects 'pareto MEAN cv CV'; got 'pareto 1s cv 1e9' (CV must be between 0.001 and 100)"},
    {"pareto 1s cv 5x",
        "expects 'pareto MEAN cv CV'; got 'pareto 1s cv 5x' (CV, the deviation / mean, is a number such as "
        "0.5)"},
    {"uniform 9ms 1ms", "expects 'uniform LOW HIGH'; got 'uniform 9ms 1ms' (LOW is above HIGH)"},
    {"normal 0 cv 1",
        "expects 'normal MEAN sd SD | MEAN cv CV'; got 'normal 0 cv 1' (MEAN must be above 0 where a cv is "
        "given)"},
    {"normal 1s sd 0", "expects 'normal MEAN sd SD | MEAN cv CV'; got 'normal 1s sd 0' (SD must be above 0)"},
    {"empirical", "expects 'empirical FILE'; got 'empirical' (FILE is missing)"},
};

START_TEST(says_what_is_wrong)
{
	struct st_place place = {"a.yaml", 12, 7};
	struct st_err e = ST_ERR_INIT;
	struct st_dist d;

	ck_assert_int_eq(st_dist_parse(mistakes[_i].text, &place, &d, &e), -1);
	ck_assert_uint_eq(e.n, 1);
	ck_assert_int_eq(e.code, ST_EXIT_USER);
	ck_assert_int_eq(strncmp(e.message[0], "a.yaml:12:7: ", 13), 0);
	ck_assert_str_eq(e.message[0] + 13, mistakes[_i].message);
	ck_assert_int_eq(d.fixed, 0);
	st_err_release(&e);
}
END_TEST

/* Contents, how many messages, and what the first says behind the directory. */
static const struct {
	const char *content;
	size_t n;
	const char *message;
} files[] = {
    {"1\n2ms\n3,4\n", 2, "bad.csv:2:1: expects a number of seconds such as 0.02, at least 0; got '2ms'"},
    {"1\n  -1\n", 1, "bad.csv:2:3: expects a number of seconds such as 0.02, at least 0; got '-1'"},
    {"1\nvalue_s\n", 1, "bad.csv:2:1: expects a number of seconds such as 0.02, at least 0; got 'value_s'"},
    {"seconds\n1\n", 1, "bad.csv:1:1: expects a number of seconds such as 0.02, at least 0; got 'seconds'"},
    {"inf\n", 1, "bad.csv:1:1: expects a number of seconds such as 0.02, at least 0; got 'inf'"},
    {"1e10\n", 1, "bad.csv:1:1: expects a number of seconds such as 0.02, at least 0; got '1e10'"},
    {"a\nb\nc\nd\ne\nf\ng\n", 6, "bad.csv:1:1: expects a number of seconds"},
    {"value_s\n# none\n", 1, "scenario.yaml:3:5: '"},
    {NULL, 1, "scenario.yaml:3:5: cannot open"},
};

START_TEST(files_are_read_strictly)
{
	struct st_place place = here();
	struct st_err e = ST_ERR_INIT;
	struct st_dist d;

	if (files[_i].content)
		write_file("bad.csv", files[_i].content);
	else
		remove_dir();
	ck_assert_int_eq(st_dist_parse("empirical bad.csv", &place, &d, &e), -1);
	ck_assert_uint_eq(e.n, files[_i].n);
	ck_assert_int_eq(e.code, ST_EXIT_USER);
	ck_assert_ptr_nonnull(strstr(e.message[0], files[_i].message));
	st_err_release(&e);
}
END_TEST

START_TEST(a_directory_is_no_table)
{
	struct st_err e = ST_ERR_INIT;
	struct st_dist d;
	char text[100];

	snprintf(text, sizeof text, "empirical %s", dir);
	ck_assert_int_eq(st_dist_parse(text, NULL, &d, &e), -1);
	ck_assert_uint_eq(e.n, 1);
	ck_assert_ptr_nonnull(strstr(e.message[0], "cannot read"));
	st_err_release(&e);
}
END_TEST

START_TEST(a_table_gives_its_values_alike)
{
	struct st_dist d = parse("empirical good.csv");
	double *x = draw(&d);
	int quarter = 0, fast = 0, slow = 0;

	for (int i = 0; i < N; i++) {
		quarter += x[i] == 0.25;
		fast += x[i] == 0.001;
		slow += x[i] == 4.0;
	}
	ck_assert_int_eq(quarter + fast + slow, N);
	/* Four standard errors of a share of 1/4 are 0.0039 N. */
	ck_assert_int_le(abs(fast - N / 4), (int)(0.0039 * N));
	ck_assert_int_le(abs(slow - N / 4), (int)(0.0039 * N));
	free(x);
	st_dist_release(&d);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("dist");
	TCase *tc = tcase_create("draws"), *text = tcase_create("text"), *file = tcase_create("files");
	int rows = 0;

	while (st_dist_kind_at((size_t)rows))
		rows++;
	tcase_add_checked_fixture(tc, make_dir, remove_dir);
	tcase_add_loop_test(tc, every_kind_draws_what_it_says, 0, rows);
	tcase_add_loop_test(tc, edges_draw_what_they_say, 0, sizeof further / sizeof *further);
	tcase_add_loop_test(tc, shapes_are_those_of_gsl, 0, sizeof shapes / sizeof *shapes);
	tcase_add_test(tc, says_its_mean);
	tcase_set_timeout(tc, 300);
	tcase_add_checked_fixture(text, make_dir, remove_dir);
	tcase_add_loop_test(text, text_reads_back_to_the_same, 0, rows);
	tcase_add_loop_test(text, text_is_canonical, 0, sizeof prints / sizeof *prints);
	tcase_add_loop_test(text, says_what_is_wrong, 0, sizeof mistakes / sizeof *mistakes);
	tcase_add_checked_fixture(file, make_dir, remove_dir);
	tcase_add_loop_test(file, files_are_read_strictly, 0, sizeof files / sizeof *files);
	tcase_add_test(file, a_directory_is_no_table);
	tcase_add_test(file, a_table_gives_its_values_alike);
	suite_add_tcase(s, tc);
	suite_add_tcase(s, text);
	suite_add_tcase(s, file);
	return tap_main(s);
}
