#include <config.h>

#include "service_bench.h"

/* --- the order of the tests on arrival --------------------------------------------------------------------------------- */

/* Each set of faults, written in the scenario in the opposite order, each state of workers and queue. */
START_TEST(the_first_test_that_applies_decides)
{
	static const char *const effect[] = {"429", "blackhole", "refuse"};

	for (unsigned faults = 0; faults < 8; faults++) {
		for (unsigned before = 0; before <= 2; before++) { /* 0: a free worker, 1: room in the queue, 2: none */
			struct bench *b = bench("1", "1");

			for (int i = 0; i < 3; i++)
				if (faults >> i & 1)
					build_fault(&b->c, 5 * ST_MSEC, ST_SEC, effect[i]);
			ready(b);
			for (uint32_t i = 0; i < before; i++)
				at(b, 0, i);
			at(b, 6 * ST_MSEC, 9);
			go(b);
			const struct st_counts *n = &b->meter.counts[0];
			ck_assert_uint_eq(n->first, before + 1);
			ck_assert_uint_eq(n->refused, faults >= 4);
			ck_assert_uint_eq(n->swallowed, faults == 2 || faults == 3);
			ck_assert_uint_eq(n->errors, faults == 1);
			ck_assert_uint_eq(n->admitted, before + (faults == 0 && before < 2));
			ck_assert_uint_eq(n->rejected, faults == 0 && before == 2);
			if (faults >= 4)
				answered(b, 0, 6 * ST_MSEC, 9, ST_ANSWER_REFUSED, ST_OUTCOME_REFUSED);
			else if (faults == 1)
				answered(b, 0, 6 * ST_MSEC, 9, ST_ANSWER_ERROR, st_outcome_status(429));
			else if (faults == 0 && before == 2)
				answered(b, 0, 6 * ST_MSEC, 9, ST_ANSWER_REJECTED, st_outcome_status(503));
			ck_assert_uint_eq(b->n, before + 1 - n->swallowed);
			release(b);
		}
	}
}
END_TEST

/* --- workers and queue --------------------------------------------------------------------------------------------------- */

START_TEST(the_limit_counts_waiting_requests_only)
{
	static const struct {
		const char *workers, *limit;
		unsigned admitted;
	} of_ten[] = {{"2", "3", 5}, {"2", "0", 2}, {"1", "1", 2}, {"20", "0", 10}, {"1", "unlimited", 10}};

	for (size_t i = 0; i < sizeof of_ten / sizeof *of_ten; i++) {
		struct bench *b = bench(of_ten[i].workers, of_ten[i].limit);

		ready(b);
		for (uint32_t who = 0; who < 10; who++)
			at(b, ST_MSEC, who);
		go(b);
		ck_assert_uint_eq(b->meter.counts[0].admitted, of_ten[i].admitted);
		ck_assert_uint_eq(b->meter.counts[0].rejected, 10 - of_ten[i].admitted);
		ck_assert_uint_eq(b->meter.counts[0].started, of_ten[i].admitted);
		release(b);
	}
}
END_TEST

START_TEST(a_worker_freed_now_serves_an_arrival_now)
{
	struct bench *b = bench("1", "0");

	ready(b);
	at(b, 0, 0);
	at(b, 10 * ST_MSEC - 1, 1);
	at(b, 10 * ST_MSEC, 2);
	go(b);
	ck_assert_uint_eq(b->n, 3);
	answered(b, 0, 10 * ST_MSEC - 1, 1, ST_ANSWER_REJECTED, st_outcome_status(503));
	served(b, 1, 10 * ST_MSEC, 0);
	served(b, 2, 20 * ST_MSEC, 2);
	ck_assert_uint_eq(b->meter.counts[0].queued_first, 0);
	release(b);
}
END_TEST

START_TEST(what_waits_is_served_in_the_order_it_came)
{
	struct bench *b = bench("2", "unlimited");

	ready(b);
	for (uint32_t who = 0; who < 6; who++)
		at(b, who / 3 * ST_MSEC, 5 - who);
	go(b);
	for (uint32_t i = 0; i < 6; i++)
		served(b, i, (st_time)(1 + i / 2) * 10 * ST_MSEC, 5 - i);
	ck_assert_uint_eq(b->meter.counts[0].queued_first, 4);
	ck_assert_int_eq((int64_t)b->meter.wait.sum, (10 + 9 + 2 * 19) * ST_MSEC);
	release(b);
}
END_TEST

/* The queue grows while its slots are not in the order of those that wait. */
START_TEST(a_long_queue_keeps_its_order)
{
	struct bench *b = bench("1", "unlimited");
	uint32_t who = 0;

	b->c.service->service_time = st_dist_constant(ST_MSEC);
	ready(b);
	for (int burst = 0; burst < 4; burst++)
		for (int i = 0; i < 50 << burst; i++)
			at(b, burst * 37 * ST_MSEC, who++);
	go(b);
	ck_assert_uint_eq(b->n, who);
	for (uint32_t i = 0; i < who; i++)
		served(b, i, (i + 1) * ST_MSEC, i);
	release(b);
}
END_TEST

START_TEST(a_service_takes_at_least_the_clocks_grain)
{
	struct bench *b = bench("1", "0");

	b->c.service->service_time = st_dist_constant(0);
	ready(b);
	at(b, 5, 0);
	at(b, 5, 1);
	go(b);
	answered(b, 0, 5, 1, ST_ANSWER_REJECTED, st_outcome_status(503));
	served(b, 1, 6, 0);
	release(b);
}
END_TEST

START_TEST(capacity_is_workers_over_service_time)
{
	struct bench *b = bench("10", "0");

	b->c.service->service_time = build_dist("exponential 50ms");
	ck_assert_double_eq_tol(st_service_capacity_per_s(b->c.service), 200.0, 1e-9);
	ready(b);
	go(b);
	release(b);
}
END_TEST

/* --- when both are full ---------------------------------------------------------------------------------------------------- */

START_TEST(the_overload_answer_is_as_configured)
{
	static const struct {
		const char *text;
		enum st_answer kind;
		unsigned status;
	} how[] = {{"503", ST_ANSWER_REJECTED, 503}, {"429", ST_ANSWER_REJECTED, 429}, {"refuse", ST_ANSWER_REFUSED, 0}, {"drop", ST_ANSWER_N, 0}};

	for (size_t i = 0; i < sizeof how / sizeof *how; i++) {
		struct bench *b = bench("1", "0");

		build_set(st_service_params, b->c.service, "overload", how[i].text);
		ready(b);
		at(b, 0, 0);
		at(b, 1, 1);
		go(b);
		const struct st_counts *n = &b->meter.counts[0];
		ck_assert_uint_eq(n->rejected, how[i].kind == ST_ANSWER_REJECTED);
		ck_assert_uint_eq(n->refused, how[i].kind == ST_ANSWER_REFUSED);
		ck_assert_uint_eq(n->swallowed, how[i].kind == ST_ANSWER_N);
		ck_assert_uint_eq(b->n, how[i].kind == ST_ANSWER_N ? 1 : 2);
		if (how[i].kind != ST_ANSWER_N)
			answered(b, 0, 1, 1, how[i].kind, how[i].status ? st_outcome_status(how[i].status) : ST_OUTCOME_REFUSED);
		release(b);
	}
}
END_TEST

/* Each of the five rejections costs 4 ms, before the one that waits is served. */
START_TEST(a_rejection_costs_a_worker_its_time)
{
	struct bench *b = bench("1", "1");

	build_set(st_service_params, b->c.service, "reject_cost", "4ms");
	ready(b);
	for (uint32_t who = 0; who < 7; who++)
		at(b, ST_MSEC, who);
	at(b, 35 * ST_MSEC, 9); /* in the queue: the other is served from 31 on */
	go(b);
	for (uint32_t i = 0; i < 5; i++)
		answered(b, i, ST_MSEC, i + 2, ST_ANSWER_REJECTED, st_outcome_status(503));
	served(b, 5, 11 * ST_MSEC, 0);
	served(b, 6, 41 * ST_MSEC, 1);
	served(b, 7, 51 * ST_MSEC, 9);
	ck_assert_int_eq((int64_t)st_gauge_read(&b->meter.gauge[ST_GAUGE_BUSY], b->sim.now), 50 * ST_MSEC);
	ck_assert_uint_eq(b->meter.counts[0].started, 3);
	release(b);
}
END_TEST

/* Two workers reject side by side; a refusal is free. */
START_TEST(only_an_overload_status_costs)
{
	static const char *const overload[] = {"429", "refuse", "drop"};

	for (int i = 0; i < 3; i++) {
		struct bench *b = bench("2", "0");

		build_set(st_service_params, b->c.service, "overload", overload[i]);
		build_set(st_service_params, b->c.service, "reject_cost", "30ms");
		ready(b);
		for (uint32_t who = 0; who < 4; who++)
			at(b, 0, who);
		at(b, 10 * ST_MSEC, 8);
		at(b, 40 * ST_MSEC, 9);
		go(b);
		ck_assert_uint_eq(b->meter.counts[0].started, i == 0 ? 3 : 4);
		ck_assert_uint_eq(b->meter.counts[0].rejected, i == 0 ? 3 : 0);
		release(b);
	}
}
END_TEST

/* What CoDel drops is answered before the worker goes on, and paid for by the worker that is free next. */
START_TEST(what_the_queue_drops_gets_the_overload_answer)
{
	struct bench *b = bench("1", "unlimited");

	build_set(st_queue_params, &b->c.service->queue, "discipline", "codel");
	build_set(st_queue_params, &b->c.service->queue, "interval", "20ms");
	build_set(st_service_params, b->c.service, "reject_cost", "1ms");
	ready(b);
	for (uint32_t who = 0; who < 10; who++)
		at(b, 0, who);
	go(b);
	served(b, 0, 10 * ST_MSEC, 0);
	served(b, 1, 20 * ST_MSEC, 1); /* late from 30 on */
	answered(b, 2, 30 * ST_MSEC, 3, ST_ANSWER_REJECTED, st_outcome_status(503));
	served(b, 3, 30 * ST_MSEC, 2);
	served(b, 4, 40 * ST_MSEC, 4); /* then the rejection, until 41 */
	answered(b, 5, 51 * ST_MSEC, 6, ST_ANSWER_REJECTED, st_outcome_status(503));
	served(b, 6, 51 * ST_MSEC, 5);
	ck_assert_uint_eq(b->meter.counts[0].dropped, 2);
	ck_assert_uint_eq(b->meter.counts[0].rejected, 2);
	release(b);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("service");
	TCase *tc = tcase_create("workers");

	tcase_add_test(tc, the_first_test_that_applies_decides);
	tcase_add_test(tc, the_limit_counts_waiting_requests_only);
	tcase_add_test(tc, a_worker_freed_now_serves_an_arrival_now);
	tcase_add_test(tc, what_waits_is_served_in_the_order_it_came);
	tcase_add_test(tc, a_long_queue_keeps_its_order);
	tcase_add_test(tc, a_service_takes_at_least_the_clocks_grain);
	tcase_add_test(tc, capacity_is_workers_over_service_time);
	tcase_add_test(tc, the_overload_answer_is_as_configured);
	tcase_add_test(tc, a_rejection_costs_a_worker_its_time);
	tcase_add_test(tc, only_an_overload_status_costs);
	tcase_add_test(tc, what_the_queue_drops_gets_the_overload_answer);
	suite_add_tcase(s, tc);
	return tap_main(s);
}
