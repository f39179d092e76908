#include <config.h>

#include <math.h>
#include <string.h>

#include "service_bench.h"

static void set(struct bench *b, const char *name, const char *value)
{
	build_set(st_capacity_params, &b->c.service->capacity, name, value);
}

/* --- slowdown -------------------------------------------------------------------------------------------------------------- */

/* 10 ms; 5 ms more for each request beyond two, waiting ones too, as the service starts. */
START_TEST(requests_beyond_the_knee_are_in_each_others_way)
{
	struct bench *b = bench("2", "9");

	set(b, "slowdown.knee", "2");
	set(b, "slowdown.slope", "0.5");
	ready(b);
	for (uint32_t who = 0; who < 4; who++)
		at(b, 0, who);
	at(b, 11 * ST_MSEC, 4);
	go(b);
	served(b, 0, 10 * ST_MSEC, 0);              /* the first */
	served(b, 1, 10 * ST_MSEC, 1);              /* two are there */
	served(b, 2, 10 * ST_MSEC + 10 * ST_MSEC, 3); /* one has gone when the next starts: three, then two */
	served(b, 3, 25 * ST_MSEC, 2);
	ck_assert_uint_eq(b->n, 5);
	release(b);
}
END_TEST

/* --- warm-up --------------------------------------------------------------------------------------------------------------- */

/* A worker that is never idle does in the ramp (1 + from) / 2 of what it does at full speed in that time. */
START_TEST(a_busy_worker_does_the_integral_of_the_ramp)
{
	static const char *const from[] = {"0%", "10%", "50%", "100%"};

	for (size_t i = 0; i < 4; i++) {
		struct bench *b = bench("1", "unlimited");

		b->c.service->service_time = st_dist_constant(ST_USEC);
		set(b, "warm_up.over", "100ms");
		set(b, "warm_up.from", from[i]);
		build_fault(&b->c, 0, 0, "restart");
		ready(b);
		for (uint32_t who = 0; who < 200000; who++)
			at(b, 1, who);
		go(b);
		double speed = b->c.service->capacity.from, done = 0;
		for (size_t k = 0; k < b->n; k++)
			done += b->answer[k].at <= 100 * ST_MSEC;
		ck_assert_double_eq_tol(done, (1 + speed) / 2 * 100000, 2); /* rounding to ns makes a thousandth of 1 us at most */
		served(b, 199999, b->answer[199999].at, 199999);
		ck_assert_int_le(llabs(b->answer[199999].at - (200 * ST_MSEC + (st_time)((1 - speed) / 2 * 1e8))), 60 * ST_USEC);
		release(b);
	}
}
END_TEST

/* From 0 the speed is u / over: 50 ms of work take sqrt(2 x 50 x 400) = 200 ms; then half of the speed is reached. */
START_TEST(a_service_in_the_ramp_takes_as_long_as_its_work)
{
	struct bench *b = bench("3", "0");

	b->c.service->service_time = st_dist_constant(50 * ST_MSEC);
	set(b, "warm_up.over", "400ms");
	set(b, "warm_up.from", "0%");
	build_fault(&b->c, 0, 100 * ST_MSEC, "503");
	ready(b);
	at(b, 100 * ST_MSEC, 0);
	at(b, 460 * ST_MSEC, 1); /* 40 ms before the end, at a speed of 0.9: 38 ms of work; 12 are left */
	at(b, 500 * ST_MSEC, 2);
	go(b);
	served(b, 0, 300 * ST_MSEC, 0);
	served(b, 1, 512 * ST_MSEC, 1);
	served(b, 2, 550 * ST_MSEC, 2);
	release(b);
}
END_TEST

/* What is no outage leaves the caches warm; and of two that overlap the last one's end counts. */
START_TEST(an_outage_is_what_keeps_everybody_away)
{
	static const struct {
		const char *effect, *share;
		bool cold;
	} of[] = {{"503", "100%", true}, {"refuse", "100%", true}, {"blackhole", "100%", true}, {"restart", "100%", true}, {"503", "99%", false},
	    {"slow", "100%", false}, {"freeze", "100%", false}};

	for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
		struct bench *b = bench("9", "0");

		set(b, "warm_up.over", "1s");
		set(b, "warm_up.from", "50%");
		build_set(st_fault_params, build_fault(&b->c, 0, 10 * ST_MSEC, of[i].effect), "share", of[i].share);
		ready(b);
		at(b, 20 * ST_MSEC, 0);
		go(b);
		ck_assert_msg((b->answer[0].at > 30 * ST_MSEC) == of[i].cold, "%s %s", of[i].effect, of[i].share);
		release(b);
	}
}
END_TEST

/* --- crash ----------------------------------------------------------------------------------------------------------------- */

START_TEST(it_falls_over_under_its_load_again_and_again)
{
	struct bench *b = bench("2", "unlimited");

	build_set(st_service_params, b->c.service, "crash.at", "4");
	build_set(st_service_params, b->c.service, "crash.down", "100ms");
	set(b, "warm_up.over", "10ms");
	set(b, "warm_up.from", "0%");
	ready(b);
	for (uint32_t who = 0; who < 5; who++)
		at(b, 0, who);
	at(b, 100 * ST_MSEC - 1, 5);
	for (uint32_t who = 6; who < 10; who++)
		at(b, 100 * ST_MSEC, who);
	at(b, 200 * ST_MSEC, 10); /* cold: 10 ms of work take the ramp and 5 ms */
	go(b);
	for (uint32_t who = 0; who < 4; who++)
		answered(b, who, 0, who, ST_ANSWER_RESET, ST_OUTCOME_RESET);
	answered(b, 4, 0, 4, ST_ANSWER_REFUSED, ST_OUTCOME_REFUSED);
	answered(b, 5, 100 * ST_MSEC - 1, 5, ST_ANSWER_REFUSED, ST_OUTCOME_REFUSED);
	for (uint32_t who = 6; who < 10; who++)
		answered(b, who, 100 * ST_MSEC, who, ST_ANSWER_RESET, ST_OUTCOME_RESET);
	served(b, 10, 215 * ST_MSEC, 10);
	ck_assert_uint_eq(b->meter.crashes, 2);
	ck_assert_uint_eq(b->meter.counts[0].lost, 8);
	ck_assert_uint_eq(b->meter.counts[0].admitted, 9);
	release(b);
}
END_TEST

/* A restart while it is down loses nothing, and it is down until both are over. */
START_TEST(a_crash_and_a_restart_overlap)
{
	struct bench *b = bench("1", "unlimited");

	build_set(st_service_params, b->c.service, "crash.at", "2");
	build_set(st_service_params, b->c.service, "crash.down", "50ms");
	build_fault(&b->c, 20 * ST_MSEC, 40 * ST_MSEC, "restart");
	ready(b);
	at(b, 0, 0);
	at(b, 1, 1);
	at(b, 55 * ST_MSEC, 2);
	at(b, 60 * ST_MSEC, 3);
	go(b);
	answered(b, 2, 55 * ST_MSEC, 2, ST_ANSWER_REFUSED, ST_OUTCOME_REFUSED);
	served(b, 3, 70 * ST_MSEC, 3);
	ck_assert_uint_eq(b->meter.counts[0].lost, 2);
	release(b);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("capacity");
	TCase *tc = tcase_create("capacity");

	tcase_add_test(tc, requests_beyond_the_knee_are_in_each_others_way);
	tcase_add_test(tc, a_busy_worker_does_the_integral_of_the_ramp);
	tcase_add_test(tc, a_service_in_the_ramp_takes_as_long_as_its_work);
	tcase_add_test(tc, an_outage_is_what_keeps_everybody_away);
	tcase_add_test(tc, it_falls_over_under_its_load_again_and_again);
	tcase_add_test(tc, a_crash_and_a_restart_overlap);
	suite_add_tcase(s, tc);
	return tap_main(s);
}
