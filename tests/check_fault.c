#include <config.h>

#include <string.h>

#include "service_bench.h"

START_TEST(a_fault_holds_from_its_beginning_to_before_its_end)
{
	struct bench *b = bench("9", "0");

	build_fault(&b->c, 10, 10, "500");
	build_fault(&b->c, 20, 0, "refuse"); /* never */
	build_fault(&b->c, 30, 10, "501");
	build_fault(&b->c, 40, 10, "502");
	ready(b);
	at(b, 9, 0);
	at(b, 10, 1);
	at(b, 19, 2);
	at(b, 20, 3);
	at(b, 39, 4);
	at(b, 40, 5);
	go(b);
	ck_assert_uint_eq(b->meter.counts[0].admitted, 2);
	answered(b, 0, 10, 1, ST_ANSWER_ERROR, st_outcome_status(500));
	answered(b, 1, 19, 2, ST_ANSWER_ERROR, st_outcome_status(500));
	answered(b, 2, 39, 4, ST_ANSWER_ERROR, st_outcome_status(501));
	answered(b, 3, 40, 5, ST_ANSWER_ERROR, st_outcome_status(502));
	release(b);
}
END_TEST

START_TEST(of_two_statuses_the_first_in_the_scenario_answers)
{
	struct bench *b = bench("9", "0");

	build_fault(&b->c, 10, 10, "500");
	build_fault(&b->c, 5, 10, "501");
	ready(b);
	at(b, 9, 0);
	at(b, 12, 1);
	at(b, 17, 2);
	go(b);
	answered(b, 0, 9, 0, ST_ANSWER_ERROR, st_outcome_status(501));
	answered(b, 1, 12, 1, ST_ANSWER_ERROR, st_outcome_status(500));
	answered(b, 2, 17, 2, ST_ANSWER_ERROR, st_outcome_status(500));
	release(b);
}
END_TEST

START_TEST(a_fault_costs_no_worker_and_no_place)
{
	struct bench *b = bench("1", "1");

	build_fault(&b->c, 5, 10, "500");
	ready(b);
	at(b, 0, 0);
	for (uint32_t who = 1; who < 8; who++)
		at(b, 5 + who, who);
	at(b, 15, 8);
	go(b);
	ck_assert_uint_eq(b->meter.counts[0].errors, 7);
	served(b, 7, 10 * ST_MSEC, 0);
	served(b, 8, 20 * ST_MSEC, 8);
	release(b);
}
END_TEST

/* Services that start take longer; one under way does not. */
START_TEST(slow_is_for_services_that_start)
{
	struct bench *b = bench("1", "unlimited");

	build_fault(&b->c, 5 * ST_MSEC, 15 * ST_MSEC, "slow")->factor = 3;
	ready(b);
	for (uint32_t who = 0; who < 4; who++)
		at(b, 0, who);
	go(b);
	served(b, 0, 10 * ST_MSEC, 0);
	served(b, 1, 40 * ST_MSEC, 1); /* started at 10 */
	served(b, 2, 50 * ST_MSEC, 2);
	served(b, 3, 60 * ST_MSEC, 3);
	release(b);
}
END_TEST

START_TEST(factors_of_overlapping_faults_multiply)
{
	struct bench *b = bench("9", "0");

	build_fault(&b->c, 10, 20, "slow")->factor = 3;
	build_fault(&b->c, 20, 20, "slow")->factor = 0.5;
	ready(b);
	at(b, 0, 0);
	at(b, 10, 1);
	at(b, 20, 2);
	at(b, 30, 3);
	at(b, 40, 4);
	go(b);
	served(b, 0, 30 + 5 * ST_MSEC, 3);
	served(b, 1, 10 * ST_MSEC, 0);
	served(b, 2, 40 + 10 * ST_MSEC, 4);
	served(b, 3, 20 + 15 * ST_MSEC, 2);
	served(b, 4, 10 + 30 * ST_MSEC, 1);
	release(b);
}
END_TEST

/* 20000 requests, half hit by the first, half of the others by the second: a deviation of 71 and 61. */
START_TEST(shares_of_two_faults_are_independent)
{
	struct bench *b = bench("100000", "0");
	unsigned hit[2] = {0};

	build_fault(&b->c, 0, ST_SEC, "500")->share = 0.5;
	build_fault(&b->c, 0, ST_SEC, "501")->share = 0.5;
	ready(b);
	for (uint32_t who = 0; who < 20000; who++)
		at(b, 1, who);
	go(b);
	for (size_t i = 0; i < b->n; i++)
		if (b->answer[i].kind == ST_ANSWER_ERROR)
			hit[b->answer[i].outcome - st_outcome_status(500)]++;
	ck_assert_int_le(abs((int)hit[0] - 10000), 320);
	ck_assert_int_le(abs((int)hit[1] - 5000), 280);
	ck_assert_uint_eq(b->meter.counts[0].admitted, 20000 - hit[0] - hit[1]);
	release(b);
}
END_TEST

/* Another fault beside it does not change whom a fault hits. */
START_TEST(whom_a_fault_hits_depends_on_the_request_alone)
{
	bool first[500] = {false};

	for (int other = 0; other < 2; other++) {
		struct bench *b = bench("1000", "0");

		build_fault(&b->c, 0, ST_SEC, "500")->share = 0.3;
		if (other)
			build_fault(&b->c, 0, ST_SEC, "slow")->factor = 2;
		ready(b);
		for (uint32_t who = 0; who < 500; who++)
			at(b, other ? who + 1 : 1000 - who, who);
		go(b);
		for (size_t i = 0; i < b->n; i++) {
			bool hit = b->answer[i].kind == ST_ANSWER_ERROR;

			if (other)
				ck_assert_int_eq(hit, first[b->answer[i].who]);
			first[b->answer[i].who] = hit;
		}
		release(b);
	}
}
END_TEST

/* --- freeze, workers, restart ------------------------------------------------------------------------------------------------ */

START_TEST(a_freeze_queues_and_starts_none)
{
	struct bench *b = bench("1", "2");

	build_fault(&b->c, 5 * ST_MSEC, 20 * ST_MSEC, "freeze");
	ready(b);
	at(b, 0, 0);                /* under way: goes on */
	at(b, 12 * ST_MSEC, 1);     /* the worker is free, and it waits all the same */
	at(b, 13 * ST_MSEC, 2);
	at(b, 14 * ST_MSEC, 3);     /* no room */
	go(b);
	served(b, 0, 10 * ST_MSEC, 0);
	answered(b, 1, 14 * ST_MSEC, 3, ST_ANSWER_REJECTED, st_outcome_status(503));
	served(b, 2, 35 * ST_MSEC, 1);
	served(b, 3, 45 * ST_MSEC, 2);
	ck_assert_int_eq(b->meter.series.row[0][ST_CELL_WORKERS], ST_SERIES_MILLION); /* they are there */
	release(b);
}
END_TEST

/* No service slips through where one window follows another, in whatever order the scenario names them. */
START_TEST(windows_that_touch_are_one)
{
	for (int turned = 0; turned < 2; turned++) {
		struct bench *b = bench("1", "9");

		build_fault(&b->c, turned ? 10 * ST_MSEC : 0, 10 * ST_MSEC, "freeze");
		build_fault(&b->c, turned ? 0 : 10 * ST_MSEC, 10 * ST_MSEC, "freeze");
		build_fault(&b->c, 0, 20 * ST_MSEC, "slow")->factor = 5;
		ready(b);
		at(b, 1, 0);
		go(b);
		served(b, 0, 30 * ST_MSEC, 0); /* nor is it slow: that window ends too */
		release(b);
	}
}
END_TEST

START_TEST(workers_that_are_gone_finish_what_they_are_at)
{
	struct bench *b = bench("4", "9");

	build_set(st_fault_params, build_fault(&b->c, 5 * ST_MSEC, 20 * ST_MSEC, "workers"), "gone", "75%");
	b->c.bin = 5 * ST_MSEC;
	ready(b);
	for (uint32_t who = 0; who < 8; who++)
		at(b, 0, who);
	go(b);
	for (uint32_t who = 0; who < 4; who++)
		served(b, who, 10 * ST_MSEC, who);
	served(b, 4, 20 * ST_MSEC, 4);     /* one worker */
	served(b, 5, 30 * ST_MSEC, 5);
	served(b, 6, 35 * ST_MSEC, 6);     /* the others are back at 25 */
	served(b, 7, 35 * ST_MSEC, 7);
	static const int want[] = {4, 4, 1, 1, 1, 4, 4};
	for (size_t i = 0; i < sizeof want / sizeof *want; i++)
		ck_assert_int_eq(b->meter.series.row[i][ST_CELL_WORKERS], want[i] * ST_SERIES_MILLION);
	release(b);
}
END_TEST

/* Shares and numbers of overlapping faults add up; there cannot be less than none. */
START_TEST(workers_gone_add_up)
{
	static const struct {
		const char *gone[2];
		unsigned left;
	} of_ten[] = {{{"30%", "2"}, 5}, {{"25%", "0"}, 7}, {{"24%", "0%"}, 8}, {{"12%", "12%"}, 8}, {{"60%", "70%"}, 0}, {{"100", "1"}, 0}, {{"9", "0"}, 1}};

	for (size_t i = 0; i < sizeof of_ten / sizeof *of_ten; i++) {
		struct bench *b = bench("10", "0");

		for (int k = 0; k < 2; k++)
			build_set(st_fault_params, build_fault(&b->c, 0, ST_SEC, "workers"), "gone", of_ten[i].gone[k]);
		ready(b);
		for (uint32_t who = 0; who < 20; who++)
			at(b, 1, who);
		go(b);
		ck_assert_msg(b->meter.counts[0].admitted == of_ten[i].left, "row %zu: %u admitted", i, (unsigned)b->meter.counts[0].admitted);
		release(b);
	}
}
END_TEST

/* Those in service in the order of their starts, then those that wait; what comes while it is down is refused. */
START_TEST(a_restart_loses_all_that_is_in_the_service)
{
	struct bench *b = bench("2", "9");

	build_fault(&b->c, 15 * ST_MSEC, 10 * ST_MSEC, "restart");
	build_fault(&b->c, 0, ST_SEC, "blackhole")->share = 0; /* refusing goes before */
	b->c.bin = 5 * ST_MSEC;
	ready(b);
	for (uint32_t who = 0; who < 6; who++)
		at(b, 0, 5 - who);
	at(b, 15 * ST_MSEC, 6);
	at(b, 25 * ST_MSEC - 1, 7);
	at(b, 25 * ST_MSEC, 8);
	go(b);
	served(b, 0, 10 * ST_MSEC, 5);
	served(b, 1, 10 * ST_MSEC, 4);
	for (uint32_t i = 0; i < 4; i++)
		answered(b, 2 + i, 15 * ST_MSEC, 3 - i, ST_ANSWER_RESET, ST_OUTCOME_RESET);
	answered(b, 6, 15 * ST_MSEC, 6, ST_ANSWER_REFUSED, ST_OUTCOME_REFUSED);
	answered(b, 7, 25 * ST_MSEC - 1, 7, ST_ANSWER_REFUSED, ST_OUTCOME_REFUSED);
	served(b, 8, 35 * ST_MSEC, 8);
	ck_assert_uint_eq(b->n, 9);
	ck_assert_uint_eq(b->meter.counts[0].lost, 4);
	ck_assert_uint_eq(b->meter.counts[0].started, 5);
	ck_assert_int_eq(b->meter.series.row[2][ST_CELL_WORKERS], 2 * ST_SERIES_MILLION);
	ck_assert_int_eq(b->meter.series.row[3][ST_CELL_WORKERS], 0);
	ck_assert_int_eq(b->meter.series.row[5][ST_CELL_WORKERS], 2 * ST_SERIES_MILLION);
	release(b);
}
END_TEST

/* The services of before the restart do not end among those of after it, wherever their ends would have been. */
START_TEST(a_restart_that_takes_no_time_begins_empty)
{
	struct bench *b = bench("3", "0");

	build_fault(&b->c, 5 * ST_MSEC, 0, "restart");
	build_fault(&b->c, 9 * ST_MSEC, 0, "restart");
	ready(b);
	at(b, 0, 0);
	at(b, 1, 1);
	at(b, 5 * ST_MSEC, 2);
	at(b, 9 * ST_MSEC, 3);
	at(b, 10 * ST_MSEC, 4);
	at(b, 10 * ST_MSEC, 5);
	at(b, 10 * ST_MSEC + 1, 6);
	go(b);
	answered(b, 0, 5 * ST_MSEC, 0, ST_ANSWER_RESET, ST_OUTCOME_RESET);
	answered(b, 1, 5 * ST_MSEC, 1, ST_ANSWER_RESET, ST_OUTCOME_RESET);
	answered(b, 2, 9 * ST_MSEC, 2, ST_ANSWER_RESET, ST_OUTCOME_RESET);
	answered(b, 3, 10 * ST_MSEC + 1, 6, ST_ANSWER_REJECTED, st_outcome_status(503));
	served(b, 4, 19 * ST_MSEC, 3);
	served(b, 5, 20 * ST_MSEC, 4);
	served(b, 6, 20 * ST_MSEC, 5);
	release(b);
}
END_TEST

/* --- whom it hits -------------------------------------------------------------------------------------------------------- */

/* 2000 clients of which each sends ten times: a deviation of 20 clients. */
START_TEST(a_share_of_clients_is_drawn_once)
{
	struct bench *b = bench("100000", "0");
	unsigned times[2000] = {0}, hit = 0;

	build_set(st_fault_params, build_fault(&b->c, 0, ST_SEC, "refuse"), "of", "clients");
	b->c.fault[0].share = 0.3;
	ready(b);
	for (unsigned attempt = 1; attempt <= 10; attempt++)
		for (uint32_t who = 0; who < 2000; who++)
			st_sim_put(&b->sim, attempt * ST_USEC, ST_EVENT_ARRIVAL, who, attempt);
	go(b);
	for (size_t i = 0; i < b->n; i++)
		times[b->answer[i].who] += b->answer[i].kind == ST_ANSWER_REFUSED;
	for (size_t i = 0; i < 2000; i++) {
		ck_assert(times[i] == 0 || times[i] == 10);
		hit += times[i] > 0;
	}
	ck_assert_int_le(abs((int)hit - 600), 90);
	release(b);
}
END_TEST

static void run_two_groups(struct st_config *c, struct st_run *run)
{
	build_init(c, 10 * ST_SEC);
	c->service->workers = 1000;
	for (int i = 0; i < 2; i++)
		build_set(st_group_params, build_group(c, i ? "here" : "there", 50), "network", "20ms");
	build_set(st_fault_params, build_fault(c, 0, ST_SEC, "503"), "group", "here");
	build_run(c, run);
}

START_TEST(a_fault_may_be_one_groups)
{
	struct st_config c;
	struct st_run run;

	run_two_groups(&c, &run);
	ck_assert_uint_eq(run.meter->counts[0].successes, 50);
	ck_assert_uint_eq(run.meter->counts[1].errors, 50);
	st_run_release(&run);
	build_release(&c);
}
END_TEST

/* Sent at 0 and 300 ms, network 20 ms, service 10 ms; each leg that begins in [0, 100 ms) takes 70 ms more. */
START_TEST(delay_is_of_the_leg_that_begins_in_the_window)
{
	static const struct {
		const char *network;
		st_time at, length, want;
	} of[] = {
	    {"20ms", 0, 100 * ST_MSEC, 70 * ST_MSEC + 50 * ST_MSEC}, /* back at 100, the window is over */
	    {"20ms", 0, 101 * ST_MSEC, 2 * 70 * ST_MSEC + 50 * ST_MSEC},
	    {"20ms", 1, 101 * ST_MSEC, 70 * ST_MSEC + 50 * ST_MSEC},
	    {"0s", 0, ST_SEC, 2 * 70 * ST_MSEC + 10 * ST_MSEC},
	    {"0s", 5 * ST_MSEC, ST_SEC, 70 * ST_MSEC + 10 * ST_MSEC},
	    {"0s", ST_SEC, ST_SEC, 10 * ST_MSEC},
	};

	for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
		struct st_config c;
		struct st_run run;

		build_init(&c, 10 * ST_SEC);
		build_set(st_group_params, build_group(&c, "all", 1), "network", of[i].network);
		build_set(st_fault_params, build_fault(&c, of[i].at, of[i].length, "delay"), "delay", "70ms");
		build_run(&c, &run);
		ck_assert_int_eq(run.meter->group[0].last_success, of[i].want);
		st_run_release(&run);
		build_release(&c);
	}
}
END_TEST

/* At one instant a loop of instant failures is still seen as one that never ends. */
START_TEST(a_delay_does_not_hide_a_loop_without_time)
{
	struct st_config c;
	struct st_run run;
	struct st_err e = ST_ERR_INIT;

	build_init(&c, 10 * ST_SEC);
	struct st_group_cfg *g = build_group(&c, "eager", 1);
	build_set(st_retry_params, &g->retry, "attempts", "unlimited");
	build_set(st_backoff_params, &g->retry.backoff, "shape", "immediate");
	build_fault(&c, 0, ST_SEC, "503");
	build_set(st_fault_params, build_fault(&c, 0, 100 * ST_MSEC, "delay"), "delay", "1ms");
	ck_assert_int_eq(st_world_run(&c, 1, 0, NULL, &run, &e), -1);
	ck_assert_ptr_nonnull(strstr(e.message[0], "clients.eager"));
	ck_assert_uint_gt(run.meter->counts[0].attempts, 100000);
	st_err_release(&e);
	st_run_release(&run);
	build_release(&c);
}
END_TEST

/* A restart reaches its clients after the network's delay, and a client that has given up does not care. */
START_TEST(lost_connections_are_resets)
{
	struct st_config c;
	struct st_run run;

	build_init(&c, 10 * ST_SEC);
	c.service->service_time = st_dist_constant(ST_SEC);
	c.service->workers = 1;
	build_set(st_group_params, build_group(&c, "near", 2), "network", "10ms");
	struct st_group_cfg *g = build_group(&c, "hasty", 1);
	build_set(st_group_params, g, "network", "10ms");
	build_set(st_group_params, g, "timeout", "100ms");
	build_fault(&c, 500 * ST_MSEC, ST_SEC, "restart");
	build_run(&c, &run);
	ck_assert_uint_eq(run.meter->counts[0].answered[ST_ANSWER_RESET], 2);
	ck_assert_uint_eq(run.meter->counts[0].lost, 2);
	ck_assert_uint_eq(run.meter->counts[1].timed_out, 1);
	ck_assert_uint_eq(run.meter->counts[1].late, 1);
	ck_assert_uint_eq(run.meter->counts[1].lost, 1);
	st_run_release(&run);
	build_release(&c);
}
END_TEST

/* --- reading -------------------------------------------------------------------------------------------------------------- */

START_TEST(the_last_end_of_all_faults)
{
	struct st_config c;

	build_init(&c, ST_SEC);
	ck_assert_int_eq(st_config_fault_end(&c), -1);
	build_fault(&c, 5, 30, "503");
	build_fault(&c, 10, 10, "503");
	ck_assert_int_eq(st_config_fault_end(&c), 35);
	build_release(&c);
}
END_TEST

START_TEST(an_effect_is_read_and_printed)
{
	static const char *const good[] = {"503", "400", "refuse", "blackhole", "slow", "freeze", "workers", "delay", "restart"};
	static const char *const bad[] = {"200", "600", "slows", "black hole", "STATUS", "", "[503]"};
	struct st_effect f;
	static const struct st_param row = {.name = "effect", .type = &st_param_effect};

	for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
		struct st_text t = ST_TEXT_INIT;

		build_set(&row, &f, "effect", good[i]);
		st_param_print(&row, &f, &t);
		ck_assert_str_eq(t.s, good[i]);
		st_text_release(&t);
	}
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		struct st_err e = ST_ERR_INIT;

		ck_assert_msg(st_param_read_text(&row, bad[i], NULL, &f, &e) == -1, "'%s' is read", bad[i]);
		ck_assert_msg(strstr(e.message[0], "did you mean 'STATUS'") == NULL, "%s", e.message[0]);
		st_err_release(&e);
	}
}
END_TEST

START_TEST(workers_gone_are_a_share_or_a_number)
{
	static const char *const good[] = {"30%", "3", "100%", "0", "2000"};
	static const char *const bad[] = {"101%", "-1", "0.5", "30 %", "some", ""};
	struct st_fault_cfg f = {.at = 0};
	struct st_param row = {.name = NULL};

	for (const struct st_param *p = st_fault_params; p->name; p++)
		if (strcmp(p->name, "gone") == 0)
			row = *p;
	for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
		struct st_text t = ST_TEXT_INIT;

		build_set(st_fault_params, &f, "gone", good[i]);
		st_param_print(&row, &f, &t);
		ck_assert_str_eq(t.s, good[i]);
		st_text_release(&t);
	}
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		struct st_err e = ST_ERR_INIT;

		ck_assert_msg(st_param_read_text(&row, bad[i], NULL, &f, &e) == -1, "'%s' is read", bad[i]);
		ck_assert_ptr_nonnull(strstr(e.message[0], "share such as 30%, or a number of workers"));
		st_err_release(&e);
	}
}
END_TEST

int main(void)
{
	Suite *s = suite_create("fault");
	TCase *tc = tcase_create("fault");

	tcase_add_test(tc, a_fault_holds_from_its_beginning_to_before_its_end);
	tcase_add_test(tc, of_two_statuses_the_first_in_the_scenario_answers);
	tcase_add_test(tc, a_fault_costs_no_worker_and_no_place);
	tcase_add_test(tc, slow_is_for_services_that_start);
	tcase_add_test(tc, factors_of_overlapping_faults_multiply);
	tcase_add_test(tc, shares_of_two_faults_are_independent);
	tcase_add_test(tc, whom_a_fault_hits_depends_on_the_request_alone);
	tcase_add_test(tc, a_freeze_queues_and_starts_none);
	tcase_add_test(tc, windows_that_touch_are_one);
	tcase_add_test(tc, workers_that_are_gone_finish_what_they_are_at);
	tcase_add_test(tc, workers_gone_add_up);
	tcase_add_test(tc, a_restart_loses_all_that_is_in_the_service);
	tcase_add_test(tc, a_restart_that_takes_no_time_begins_empty);
	tcase_add_test(tc, a_share_of_clients_is_drawn_once);
	tcase_add_test(tc, a_fault_may_be_one_groups);
	tcase_add_test(tc, delay_is_of_the_leg_that_begins_in_the_window);
	tcase_add_test(tc, a_delay_does_not_hide_a_loop_without_time);
	tcase_add_test(tc, lost_connections_are_resets);
	tcase_add_test(tc, the_last_end_of_all_faults);
	tcase_add_test(tc, an_effect_is_read_and_printed);
	tcase_add_test(tc, workers_gone_are_a_share_or_a_number);
	suite_add_tcase(s, tc);
	return tap_main(s);
}
