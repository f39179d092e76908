#include <config.h>

#include "experiment/parcel.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/mem.h"
#include "experiment/scenario.h"
#include "experiment/trial.h"
#include "tap_main.h"

/* Two groups, two services, faults: all that a result may have. */
static const char yaml[] = "duration: 4s\n"
			   "services:\n"
			   "  api: {workers: 2, service_time: exponential 20ms, calls: {to: db}}\n"
			   "  db: {workers: 1, service_time: exponential 5ms}\n"
			   "clients:\n"
			   "  fleet: {count: 30, workload: {kind: once, at: 1s}, retry: {attempts: 5}}\n"
			   "  users: {count: 10, workload: {kind: poisson, rate: 20/s}}\n"
			   "faults: [{at: 1s, for: 500ms, effect: 503}, {at: 2s, for: 1s, effect: refuse}]\n";

static struct st_result sent;
static struct st_pack parcel;

static void run_and_pack(void)
{
	static const volatile int stop = 0;
	struct st_mistakes m = ST_MISTAKES_INIT;
	struct st_err e = ST_ERR_INIT;
	struct st_config c = {0};
	struct st_node *tree = st_tree_parse(yaml, "parcel.yaml", &m);

	ck_assert_int_eq(st_mistakes_tell(&m, &e), 0);
	int rc = st_scenario_resolve(tree, &c, &e);
	ck_assert_msg(rc == 0, "%s", e.n ? e.message[0] : "no message");
	ck_assert_int_eq(st_trial_run(&c, 7, &stop, &sent, &e), 0);
	st_result_pack(&sent);
	st_parcel_pack(&parcel, 0, &sent, &e);
	st_config_release(&c);
	st_tree_free(tree);
}

static void release(void)
{
	st_result_release(&sent);
	free(parcel.at);
}

START_TEST(a_result_arrives_as_it_was_sent)
{
	struct st_err e = ST_ERR_INIT;
	struct st_result r;

	ck_assert_int_eq(st_parcel_unpack(parcel.at, parcel.len, &r, &e), 0);
	ck_assert(!st_err_any(&e));
	ck_assert_uint_eq(r.replication, 7);
	ck_assert_uint_eq(r.fingerprint, sent.fingerprint);
	ck_assert_uint_eq(r.events, sent.events);
	ck_assert_uint_eq(r.seed, sent.seed);
	ck_assert_uint_eq(r.peak_rss_bytes, sent.peak_rss_bytes);
	ck_assert_double_eq(r.capacity_per_s, sent.capacity_per_s);
	ck_assert_double_eq(r.wall_s, sent.wall_s);
	ck_assert_double_eq(r.cpu_s, sent.cpu_s);
	ck_assert_double_eq(r.events_per_s, sent.events_per_s);
	ck_assert_mem_eq(r.figure, sent.figure, st_figure_count() * sizeof *r.figure);
	ck_assert_uint_eq(r.nsubjects, 4);
	ck_assert_uint_eq(sent.nsubjects, 4);
	for (size_t i = 0; i < r.nsubjects; i++) {
		ck_assert_str_eq(r.subject[i].name, sent.subject[i].name);
		ck_assert_uint_eq(r.subject[i].scope, sent.subject[i].scope);
		ck_assert_mem_eq(r.subject[i].figure, sent.subject[i].figure, st_figure_count() * sizeof(double));
	}
	ck_assert_uint_eq(r.nended, sent.nended);
	ck_assert_mem_eq(r.ended_with, sent.ended_with, r.nended * sizeof *r.ended_with);
	ck_assert_uint_eq(r.nfaults, 2);
	ck_assert_mem_eq(r.fault, sent.fault, r.nfaults * sizeof *r.fault);
	ck_assert_int_eq(r.series.bin, sent.series.bin);
	ck_assert_int_eq(r.series.duration, 4 * ST_SEC);
	ck_assert_uint_eq(r.npacked, sent.npacked);
	ck_assert_mem_eq(r.packed, sent.packed, r.npacked);
	st_result_release(&r);
}
END_TEST

/* _i messages; none is a trial that was stopped. */
START_TEST(a_failure_arrives_with_its_messages)
{
	struct st_err e = ST_ERR_INIT, back = ST_ERR_INIT;
	struct st_result r;
	struct st_pack p;

	for (int i = 0; i < _i; i++)
		st_err_add(&e, i == 1 ? ST_EXIT_MACHINE : ST_EXIT_USER, NULL, "message %d of 100%%", i);
	st_parcel_pack(&p, -1, NULL, &e);
	ck_assert_int_eq(st_parcel_unpack(p.at, p.len, &r, &back), -1);
	ck_assert_uint_eq(back.n, e.n);
	ck_assert_int_eq(back.code, e.code);
	for (size_t i = 0; i < e.n; i++)
		ck_assert_str_eq(back.message[i], e.message[i]);
	st_err_release(&e);
	st_err_release(&back);
	free(p.at);
}
END_TEST

/* Whether reading the bytes ends the program as a broken invariant does. */
static bool ends_the_program(const unsigned char *bytes, size_t len)
{
	int status;
	pid_t child = fork();

	ck_assert_int_ge(child, 0);
	if (child == 0) {
		struct st_err e = ST_ERR_INIT;
		struct st_result r;
		int nowhere = open("/dev/null", O_WRONLY);

		dup2(nowhere, STDERR_FILENO);
		signal(SIGABRT, SIG_DFL);
		st_parcel_unpack(bytes, len, &r, &e);
		_exit(0);
	}
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	return WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT;
}

/* Cut short anywhere, or with something behind. */
START_TEST(a_parcel_of_another_length_is_a_bug)
{
	unsigned char *longer = st_calloc(parcel.len + 1, 1);

	memcpy(longer, parcel.at, parcel.len);
	ck_assert(!ends_the_program(parcel.at, parcel.len));
	for (size_t n = 0; n < parcel.len; n += 1 + parcel.len / 30)
		ck_assert_msg(ends_the_program(parcel.at, n), "cut to %zu of %zu bytes", n, parcel.len);
	ck_assert(ends_the_program(parcel.at, parcel.len - 1));
	ck_assert(ends_the_program(longer, parcel.len + 1));
	free(longer);
}
END_TEST

/* Each number of things is eight bytes; one that is far too large must not be believed. */
START_TEST(a_parcel_with_a_false_count_is_a_bug)
{
	size_t figures = st_figure_count(), subjects = sent.nsubjects, *counts[] = {&figures, &subjects, &sent.npacked};
	unsigned char *bytes = st_calloc(parcel.len, 1);

	for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
		size_t n = *counts[i], more[] = {n + 1, n - 1, SIZE_MAX, SIZE_MAX / 8, SIZE_MAX / 2};
		unsigned char *at = memmem(parcel.at, parcel.len, &n, sizeof n);

		ck_assert_ptr_nonnull(at);
		for (size_t k = 0; k < sizeof more / sizeof *more; k++) {
			memcpy(bytes, parcel.at, parcel.len);
			memcpy(bytes + (at - parcel.at), &more[k], sizeof n);
			ck_assert_msg(ends_the_program(bytes, parcel.len), "count %zu is %zu", i, more[k]);
		}
	}
	free(bytes);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("parcel");
	TCase *tc = tcase_create("parcels");

	tcase_add_checked_fixture(tc, run_and_pack, release);
	tcase_add_test(tc, a_result_arrives_as_it_was_sent);
	tcase_add_loop_test(tc, a_failure_arrives_with_its_messages, 0, 4);
	tcase_add_test(tc, a_parcel_of_another_length_is_a_bug);
	tcase_add_test(tc, a_parcel_with_a_false_count_is_a_bug);
	suite_add_tcase(s, tc);
	return tap_main(s);
}
