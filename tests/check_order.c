#include <config.h>

#include <string.h>

#include "build.h"
#include "tap_main.h"

/* What happens at one instant: what a service is at comes to its end before anyone hears of it. */

static struct st_group_cfg *once(struct st_config *c, const char *name, const char *at)
{
	struct st_group_cfg *g = build_group(c, name, 1);

	build_set(st_workload_params, &g->workload, "at", at);
	return g;
}

/* Traffic at that time, so that the run knows cheaply what is next: only then does it take answers at once. */
static void others(struct st_config *c, const char *at)
{
	struct st_group_cfg *g = build_group(c, "others", 100);

	build_set(st_workload_params, &g->workload, "at", at);
	build_set(st_workload_params, &g->workload, "spread", "2ms");
}

/*
 * The worker is taken until 100 ms; an attempt and its hedge wait behind, both for longer than they may. Both are dropped then: the
 * refusal of the first ends the operation, but not before the second one has been looked at.
 */
START_TEST(what_a_queue_drops_at_once_is_dropped_together)
{
	struct st_config c;
	struct st_run run;

	build_init(&c, ST_SEC);
	c.service->service_time = st_dist_constant(100 * ST_MSEC);
	build_set(st_queue_params, &c.service->queue, "discipline", "controlled-delay");
	build_set(st_service_params, c.service, "overload", "refuse");
	build_set(st_service_params, c.service, "abandoned", "skip");
	once(&c, "first", "0s");
	struct st_group_cfg *g = once(&c, "second", "10ms");
	build_set(st_retry_params, &g->retry, "attempts", "2");
	build_set(st_retry_params, &g->retry, "on", "[5xx]");
	build_set(st_hedge_params, &g->retry.hedge, "after", "10ms");
	build_set(st_queue_params, &c.service->queue, "interval", "50ms");
	others(&c, "99ms");
	build_run(&c, &run);
	ck_assert_uint_eq(run.meter->counts[1].dropped, 2);
	ck_assert_uint_eq(run.meter->counts[1].abandoned, 0);
	ck_assert_uint_eq(run.meter->counts[1].answered[ST_ANSWER_REFUSED], 1);
	ck_assert_uint_eq(run.meter->counts[1].late, 1);
	st_run_release(&run);
	build_release(&c);
}
END_TEST

/* Steps of both groups, as letters: the small one is of the group that keeps a connection. */
static void write_down(void *to, const struct st_sight *s)
{
	static const char letter[2][ST_STEP_N + 1] = {"SOFWG", "sofwg"};
	char *text = to;

	if (s->group < 2)
		text[strlen(text)] = letter[s->group][s->step];
}

/* A restart at 20 ms breaks a connection and loses a request: both are lost when the request's client hears of it. */
START_TEST(all_is_lost_before_the_first_one_hears_of_it)
{
	struct st_config c;
	struct st_run run;
	struct st_err e = ST_ERR_INIT;
	char seen[16] = "";

	build_init(&c, 25 * ST_MSEC);
	once(&c, "request", "15ms");
	struct st_group_cfg *g = build_group(&c, "connected", 1);
	build_set(st_workload_params, &g->workload, "kind", "connection");
	build_set(st_workload_params, &g->workload, "lifetime", "unlimited");
	build_fault(&c, 20 * ST_MSEC, ST_MSEC, "restart");
	others(&c, "19ms");
	ck_assert_int_eq(st_world_show(&c, 1, 0, NULL, &(struct st_witness){write_down, seen}, &run, &e), 0);
	ck_assert_str_eq(seen, "SwFG");
	st_run_release(&run);
	build_release(&c);
}
END_TEST

/* The groups whose attempts fail, in that order. */
static void write_names(void *to, const struct st_sight *s)
{
	char *text = to;

	if (s->step == ST_STEP_FAILED)
		text[strlen(text)] = (char)('a' + (int)s->group);
}

/*
 * The fourth request is one too many for the service, which loses them all, and is there again at once: the fifth gets the worker,
 * two wait for 0 s. They are dropped in the order in which they came, though the timers of those that were lost go off at that instant
 * too.
 */
START_TEST(a_request_expires_by_its_own_timer)
{
	struct st_config c;
	struct st_run run;
	struct st_err e = ST_ERR_INIT;
	char seen[32] = "";
	static const char *const name[] = {"a", "b", "c", "d", "e", "f", "g"};

	build_init(&c, 5 * ST_MSEC);
	build_set(st_service_params, c.service, "crash.at", "4");
	build_set(st_service_params, c.service, "crash.down", "0s");
	build_set(st_queue_params, &c.service->queue, "deadline", "0s");
	for (int i = 0; i < 7; i++) {
		struct st_group_cfg *g = once(&c, name[i], "0s");

		build_set(st_group_params, g, "network", "1ms");
	}
	ck_assert_int_eq(st_world_show(&c, 1, 0, NULL, &(struct st_witness){write_names, seen}, &run, &e), 0);
	ck_assert_str_eq(seen, "abcdfg");
	st_run_release(&run);
	build_release(&c);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("order");
	TCase *tc = tcase_create("an instant");

	tcase_add_test(tc, what_a_queue_drops_at_once_is_dropped_together);
	tcase_add_test(tc, all_is_lost_before_the_first_one_hears_of_it);
	tcase_add_test(tc, a_request_expires_by_its_own_timer);
	suite_add_tcase(s, tc);
	return tap_main(s);
}
