#include <config.h>

#include "build.h"
#include "tap_main.h"

static struct st_breaker_cfg config(const char *keys)
{
	struct st_breaker_cfg c = {0};
	char key[32], value[32];
	int used;

	for (const struct st_param *p = st_breaker_params; p->name; p++)
		if (p->dflt)
			st_param_default(p, &c);
	for (; sscanf(keys, " %31s %31[^,]%n", key, value, &used) == 2; keys += *keys == ',') {
		build_set(st_breaker_params, &c, key, value);
		keys += used;
	}
	return c;
}

static struct st_breaker breaker(const char *keys, uint64_t clients)
{
	struct st_breaker_cfg c = config(keys);
	struct st_breaker b;

	st_breaker_init(&b, &c, clients);
	return b;
}

static int circuits; /* open ones */

/* One call after the other, each ends at once. Whether it was let through. */
static bool call(struct st_breaker *b, st_time now, bool failed)
{
	uint8_t era;
	bool would = st_breaker_would_admit(b, 0, now), did = st_breaker_admit(b, 0, now, &era);

	ck_assert_int_eq(would, did);
	if (did)
		circuits += st_breaker_ended(b, 0, now, era, failed);
	return did;
}

/* "f" fails, "s" succeeds, upper case must not be let through; a dot is a second. */
static void play(struct st_breaker *b, const char *calls)
{
	static st_time now;

	now = now / ST_SEC * ST_SEC;
	for (const char *s = calls; *s; s++) {
		if (*s == '.')
			now += ST_SEC;
		else
			ck_assert_msg(call(b, now, *s == 'f' || *s == 'F') == (*s >= 'a'), "call %d of '%s'", (int)(s - calls), calls);
	}
	now += 10000 * ST_SEC;
}

static const struct {
	const char *keys, *calls;
	int open; /* circuits in the end */
} plays[] = {
    {"kind consecutive, failures 3, open_for 5s", "ffsffsff", 0},
    {"kind consecutive, failures 3, open_for 5s", "ffsfffSF....SS", 1},
    {"kind consecutive, failures 3, open_for 5s", "fff.....s", 0},
    {"kind consecutive, failures 3, open_for 5s", "fff.....sffs", 0},      /* the streak began afresh */
    {"kind consecutive, failures 3, open_for 5s", "fff.....f.S...S.f", 1}, /* open again for as long */
    {"kind consecutive, failures 1, open_for 1s", "f.f.f.s", 0},
    {"kind consecutive, failures 2, open_for 1s, probes 3", "ff.sss", 0},
    {"kind consecutive, failures 2, open_for 1s, probes 3", "ff.ssfS", 1},
    {"kind consecutive, failures 2, open_for 1s, probes 3", "ff.ss", 1},
    {"kind consecutive, failures 2, open_for 1s, probes unlimited", "ff.s", 0},
    {"kind consecutive, failures 2, open_for 1s, probes unlimited", "ff.fS", 1},
    {"kind count, calls 10, min_calls 4, ratio 50%", "fff", 0},
    {"kind count, calls 10, min_calls 4, ratio 50%", "ffsfS", 1},
    {"kind count, calls 10, min_calls 4, ratio 50%", "ssssssfffffS", 1},
    {"kind count, calls 10, min_calls 4, ratio 50%", "sssssssfffffS", 1}, /* of the last ten */
    {"kind count, calls 10, min_calls 4, ratio 50%", "ssssssssssffff", 0},
    {"kind count, calls 10, min_calls 4, ratio 50%", "ssssffffS", 1},
    {"kind count, calls 10, min_calls 100, ratio 100%", "ffffffffffS", 1},
    {"kind count, calls 4, min_calls 4, ratio 50%, open_for 1s, probes 4", "ffff.ffS", 1}, /* half of the probes */
    {"kind count, calls 4, min_calls 4, ratio 50%, open_for 1s, probes 4", "ffff.fsss", 0},
    {"kind count, calls 4, min_calls 4, ratio 50%, open_for 1s, probes 4", "ffff.fsssfff", 0}, /* the window is empty again */
    {"kind time, span 10s, min_calls 4, ratio 50%", "ff.f.fS", 1},
    {"kind time, span 10s, min_calls 4, ratio 50%", "fff..........f", 0},
    {"kind time, span 10s, min_calls 4, ratio 50%", "fff.........fS", 1},
    {"kind time, span 10s, min_calls 4, ratio 50%, open_for 2s", "ffff.S.sfff", 0},
};

START_TEST(it_opens_and_closes_exactly_when_it_should)
{
	struct st_breaker b = breaker(plays[_i].keys, 1);

	circuits = 0;
	play(&b, plays[_i].calls);
	ck_assert_int_eq(circuits, plays[_i].open);
	st_breaker_release(&b);
}
END_TEST

START_TEST(the_open_time_ends_at_its_instant)
{
	struct st_breaker b = breaker("kind consecutive, failures 1, open_for 5s", 1);

	ck_assert(call(&b, 7, true));
	ck_assert(!call(&b, 7, true) && !call(&b, 5 * ST_SEC + 6, true));
	ck_assert(st_breaker_blocks(&b, 0, 5 * ST_SEC + 6) && !st_breaker_blocks(&b, 0, 5 * ST_SEC + 7));
	ck_assert(call(&b, 5 * ST_SEC + 7, false));
	st_breaker_release(&b);
}
END_TEST

/* Sent while it was closed, ended while it is half-open: neither a probe nor a sign. */
START_TEST(an_end_counts_in_the_state_it_was_sent_in)
{
	struct st_breaker b = breaker("kind consecutive, failures 2, open_for 1s, probes 2", 1);
	uint8_t early[4], probe[3];

	for (int i = 0; i < 4; i++)
		ck_assert(st_breaker_admit(&b, 0, 0, &early[i]));
	ck_assert_int_eq(st_breaker_ended(&b, 0, 1, early[0], true), 0);
	ck_assert_int_eq(st_breaker_ended(&b, 0, 1, early[1], true), 1);
	ck_assert(st_breaker_admit(&b, 0, 2 * ST_SEC, &probe[0]) && st_breaker_admit(&b, 0, 2 * ST_SEC, &probe[1]));
	ck_assert(!st_breaker_admit(&b, 0, 2 * ST_SEC, &probe[2])); /* exactly two */
	ck_assert_int_eq(st_breaker_ended(&b, 0, 2 * ST_SEC, early[2], true), 0);
	ck_assert_int_eq(st_breaker_ended(&b, 0, 2 * ST_SEC, probe[0], false), 0);
	ck_assert_int_eq(st_breaker_ended(&b, 0, 2 * ST_SEC, early[3], false), 0);
	ck_assert_int_eq(st_breaker_ended(&b, 0, 2 * ST_SEC, probe[1], false), -1);
	st_breaker_release(&b);
}
END_TEST

START_TEST(a_scope_says_who_shares_a_breaker)
{
	struct st_breaker b = breaker("kind count, calls 2, min_calls 1, ratio 100%, scope site, site 3", 7);
	uint8_t era;

	ck_assert(st_breaker_admit(&b, 4, 0, &era));
	ck_assert_int_eq(st_breaker_ended(&b, 4, 0, era, true), 1);
	for (uint64_t i = 0; i < 7; i++)
		ck_assert_int_eq(st_breaker_would_admit(&b, i, 1), i < 3 || i > 5);
	st_breaker_release(&b);
}
END_TEST

/*
 * Ten clients think 100 ms, retry up to twice after 10 ms, and fail in an outage from 1 s to 3 s. The fifth failure opens the breaker of all for 500 ms;
 * one probe at a time keeps it open until the outage is over.
 */
START_TEST(in_an_outage_only_probes_are_sent)
{
	struct st_config c;
	struct st_run run;

	build_init(&c, 5 * ST_SEC);
	c.service->workers = 100;
	c.service->service_time = st_dist_constant(ST_MSEC);
	struct st_group_cfg *g = build_group(&c, "fleet", 10);
	build_set(st_workload_params, &g->workload, "kind", "think");
	build_set(st_workload_params, &g->workload, "think", "uniform 50ms 150ms");
	build_set(st_retry_params, &g->retry, "attempts", "3");
	build_set(st_backoff_params, &g->retry.backoff, "base", "10ms");
	g->retry.breaker = config("kind consecutive, failures 5, open_for 500ms");
	build_fault(&c, ST_SEC, 2 * ST_SEC, "503");
	build_run(&c, &run);
	const struct st_counts *n = &run.meter->counts[0];
	ck_assert_uint_eq(n->errors, 5 + 3); /* probes after 1.5, 2 and 2.5 s */
	ck_assert_uint_ge(n->failures[ST_REASON_BREAKER], 180);
	ck_assert_uint_eq(n->denied, 0);
	ck_assert_int_eq(run.meter->series.row[25][ST_CELL_BREAKERS_OPEN], 1000000);
	ck_assert_int_eq(run.meter->series.row[40][ST_CELL_BREAKERS_OPEN], 0);
	ck_assert_int_ge(run.meter->series.row[40][ST_CELL_OK], 5);
	st_run_release(&run);
	build_release(&c);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("breaker");
	TCase *tc = tcase_create("breaker");

	tcase_add_loop_test(tc, it_opens_and_closes_exactly_when_it_should, 0, (int)(sizeof plays / sizeof *plays));
	tcase_add_test(tc, the_open_time_ends_at_its_instant);
	tcase_add_test(tc, an_end_counts_in_the_state_it_was_sent_in);
	tcase_add_test(tc, a_scope_says_who_shares_a_breaker);
	tcase_add_test(tc, in_an_outage_only_probes_are_sent);
	suite_add_tcase(s, tc);
	return tap_main(s);
}
