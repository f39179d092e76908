#include <config.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "build.h"
#include "model/event.h"
#include "model/queue.h"
#include "tap_main.h"

/*
 * A queue alone, by a script of steps at milliseconds: "3+7" request 7 joins, "3-" a worker takes the next one, "3~7" the client of
 * request 7 gives up. The log has the requests taken, "!7" for a dropped one, "." for a queue that had none to give.
 */
struct bench {
	struct st_queue_cfg cfg;
	enum st_abandoned abandoned;
	struct st_sim sim;
	struct st_meter meter;
	struct st_queue queue;
	bool gave_up[1000];
	struct st_text log;
};

static void note(struct bench *b, const char *what, uint32_t who)
{
	st_text_addf(&b->log, "%s%s%u", b->log.len > 0 ? " " : "", what, who);
}

static bool waits(void *owner, uint32_t who, uint32_t tag)
{
	struct bench *b = owner;

	ck_assert_uint_eq(tag, who % 7);
	return !b->gave_up[who];
}

static void dropped(void *owner, const struct st_request *r)
{
	note(owner, "!", r->who);
}

static struct bench *bench(const char *discipline)
{
	struct bench *b = st_calloc(1, sizeof *b);

	for (const struct st_param *p = st_queue_params; p->name; p++)
		st_param_default(p, &b->cfg);
	build_set(st_queue_params, &b->cfg, "discipline", discipline);
	return b;
}

static void ready(struct bench *b)
{
	st_sim_init(&b->sim, 100 * ST_SEC);
	st_meter_init(&b->meter, &(struct st_meter_cfg){.duration = b->sim.end, .bin = ST_SEC, .to = b->sim.end, .ngroups = 1});
	st_queue_init(&b->queue, &b->cfg, &(struct st_queue_host){.sim = &b->sim, .meter = &b->meter, .abandoned = b->abandoned,
	    .waits = waits, .waits_owner = b, .drop = dropped, .drop_owner = b});
}

/* What is due before t happens. */
static void come_to(struct bench *b, st_time t)
{
	struct st_ev ev;

	st_sim_put(&b->sim, t, ST_EVENT_FAULT, 0, 0);
	while (st_sim_next(&b->sim, &ev) && st_ev_class(&ev) != ST_EVENT_FAULT) {
		ck_assert_uint_eq(ev.data & ((1U << ST_TIMER_BITS) - 1), ST_TIMER_WAITED);
		st_queue_expire(&b->queue, ev.who, ev.data >> (32 - ST_WAITED_BITS));
	}
}

static void add(struct bench *b, uint32_t who)
{
	st_queue_add(&b->queue, &(struct st_request){.arrival = b->sim.now, .who = who, .tag = who % 7 & 7}, b->cfg.deadline.fixed);
}

static void take(struct bench *b)
{
	struct st_request r;

	if (b->queue.len == 0 || !st_queue_take(&b->queue, &r)) {
		st_text_add(&b->log, b->log.len > 0 ? " ." : ".");
		return;
	}
	note(b, "", r.who);
	st_meter_stay(&b->meter, r.arrival, b->sim.now);
}

static void step(struct bench *b, const char *text)
{
	char *what, *end;
	st_time t = (st_time)llround(strtod(text, &what) * 1e6);
	uint32_t who = (uint32_t)strtoul(what + 1, &end, 10);

	come_to(b, t);
	if (*what == '+') {
		add(b, who);
	} else if (*what == '~') {
		b->gave_up[who] = true;
		st_queue_leave(&b->queue, who, who % 7);
	} else {
		take(b);
	}
}

static void steps(struct bench *b, const char *script)
{
	for (const char *at = script; *at; at += strcspn(at, " "), at += strspn(at, " "))
		step(b, at);
}

static void logged(struct bench *b, const char *want)
{
	ck_assert_str_eq(b->log.len > 0 ? b->log.s : "", want);
}

/* The laws hold at the end, whoever is still there. */
static void release(struct bench *b)
{
	come_to(b, b->sim.end);
	b->sim.now = b->sim.end;
	st_queue_finish(&b->queue);
	st_meter_clock(&b->meter, b->sim.end);
	st_meter_finish(&b->meter);
	ck_assert(st_meter_littles_law(&b->meter));
	ck_assert_int_eq(b->meter.gauge[ST_GAUGE_QUEUE].value, (int64_t)b->queue.len);
	st_queue_release(&b->queue);
	st_meter_release(&b->meter);
	st_sim_release(&b->sim);
	st_text_release(&b->log);
	free(b);
}

static void does(const char *discipline, const char *script, const char *want)
{
	struct bench *b = bench(discipline);

	ready(b);
	steps(b, script);
	logged(b, want);
	release(b);
}

/* --- order ------------------------------------------------------------------------------------------------------------------ */

START_TEST(fifo_is_first_come_first_served)
{
	does("fifo", "0+0 0+1 1+2 5- 5+3 6- 7- 8- 9-", "0 1 2 3 .");
}
END_TEST

START_TEST(lifo_is_last_come_first_served)
{
	does("lifo", "0+0 0+1 1+2 5- 5+3 6- 7- 8- 9-", "2 3 1 0 .");
}
END_TEST

/* The queue stands from 0 on; after exactly the interval it is still fifo. */
START_TEST(adaptive_lifo_turns_once_the_queue_has_stood)
{
	does("adaptive-lifo", "0+0 1+1 50+2 60+3 99+4 99- 100- 100.001- 101- 102- 110+5 110+6 200+7 205- 210- 211- 212-", "0 1 4 3 2 5 6 7 .");
	does("adaptive-lifo", "0+0 1- 2+1 3+2 4+3 102- 102.001-", "0 1 3");
}
END_TEST

START_TEST(any_order_of_leaving_is_possible)
{
	struct bench *b = bench("fifo");

	b->abandoned = ST_ABANDONED_LEAVE;
	ready(b);
	for (uint32_t round = 0; round < 3; round++) {
		for (uint32_t who = 0; who < 300; who++)
			add(b, who);
		for (uint32_t i = 0; i < 300; i++)
			if (i * 7 % 300 % 3 != round) /* 7 is prime to 300 */
				st_queue_leave(&b->queue, i * 7 % 300, i * 7 % 300 % 7);
		ck_assert_uint_eq(b->queue.len, 100);
		for (uint32_t i = 0; i < 100; i++) {
			struct st_request r;

			ck_assert(st_queue_take(&b->queue, &r));
			ck_assert_uint_eq(r.who, 3 * i + round);
			st_meter_stay(&b->meter, r.arrival, b->sim.now);
		}
		come_to(b, (round + 1) * ST_SEC);
	}
	ck_assert_uint_eq(b->meter.counts[0].abandoned, 600);
	ck_assert_uint_eq(b->queue.nslots, 301); /* slots are used again */
	release(b);
}
END_TEST

/* --- CoDel ------------------------------------------------------------------------------------------------------------------ */

/*
 * Target 5 ms, interval 100 ms; a hundred requests at 0, one served every 10 ms. By RFC 8289 the first drop is at 10 + 100, the
 * others 100 / sqrt(n) after the time at which the one before was due: 210, 280.7, 338.4.
 */
static void drain_slowly(struct bench *b)
{
	ready(b);
	for (int who = 0; who < 100; who++)
		steps(b, (char[8]){'0', '+', (char)('0' + who / 10), (char)('0' + who % 10)});
	for (int t = 10; t <= 340; t += 10) {
		char text[32];

		snprintf(text, sizeof text, "%d-", t);
		step(b, text);
	}
	logged(b, "0 1 2 3 4 5 6 7 8 9 !10 11 12 13 14 15 16 17 18 19 20 !21 22 23 24 25 26 27 28 29 !30 31 32 33 34 35 !36 37");
	while (b->queue.len > 0)
		step(b, "350-");
	st_text_release(&b->log);
}

START_TEST(codel_drops_ever_more_often)
{
	struct bench *b = bench("codel");

	drain_slowly(b);
	ck_assert_uint_eq(b->meter.counts[0].dropped, 4);
	release(b);
}
END_TEST

/* The last cycle ended with a count of 4: three more than it began with. The next one begins there, if it comes soon. */
START_TEST(codel_remembers_the_last_cycle)
{
	struct bench *b = bench("codel");

	drain_slowly(b);
	for (int who = 100; who < 120; who++) {
		char text[32];

		snprintf(text, sizeof text, "351+%d", who);
		step(b, text);
	}
	steps(b, "355- 356- 455- 456- 513.7- 513.8- 563.7- 563.8-");
	/* above from 356 on; 456 + 100 / sqrt(3) = 513.74, then + 100 / sqrt(4) */
	logged(b, "100 101 102 !103 104 105 !106 107 108 !109 110");
	release(b);

	b = bench("codel");
	drain_slowly(b);
	for (int who = 100; who < 120; who++) {
		char text[32];

		snprintf(text, sizeof text, "2000+%d", who);
		step(b, text);
	}
	steps(b, "2005- 2105- 2204- 2205-");
	logged(b, "100 !101 102 103 !104 105");
	release(b);
}
END_TEST

START_TEST(codel_spares_short_waits_and_the_last_ones)
{
	/* at the very instant; 4 still comes too late, but the next drop is due at 205 */
	does("codel", "0+0 0+1 0+2 0+3 5- 99+4 99+5 99+6 104.999- 105- 106- 107- 108- 300-", "0 1 !2 3 4 5 6 .");
	/* 3 waits less than the target: being above begins anew */
	does("codel", "0+0 0+1 0+2 5- 100+3 100+4 100+5 100+6 101- 102- 104- 110-", "0 1 2 3 4");
	/* two wait: one after the other is never dropped, however late */
	does("codel", "0+0 0+1 500- 900- 1000+0 1000+1 2000- 2500+2 3000- 9000-", "0 1 0 1 2");
}
END_TEST

/* --- controlled delay --------------------------------------------------------------------------------------------------------- */

START_TEST(controlled_delay_is_strict_only_in_a_standing_queue)
{
	/* 0 to 2 come while the queue is young: they may wait 100 ms; 3 and 4 came after it had stood for more than that */
	does("controlled-delay", "0+0 100+1 100+2 100- 100.001+3 100.002+4 104- 105.001- 106- 107-", "0 1 2 !3 !4 . .");
	does("controlled-delay", "0+0 1+1 100.001- 101.001- 200+2 200-", "!0 1 . 2");
}
END_TEST

/* --- patience ------------------------------------------------------------------------------------------------------------------- */

START_TEST(a_deadline_drops_what_has_waited_as_long)
{
	struct bench *b = bench("lifo");

	build_set(st_queue_params, &b->cfg, "deadline", "20ms");
	ready(b);
	/* slots are used again while the deadlines of those who had them are still to come */
	steps(b, "0+0 5+1 5+2 6- 7- 8+3 19.9- 21+4 25+5 28- 50-");
	logged(b, "2 1 3 !0 5 !4 .");
	ck_assert_uint_eq(b->meter.counts[0].dropped, 2);
	release(b);
}
END_TEST

START_TEST(who_is_abandoned_is_skipped_or_leaves)
{
	static const struct {
		enum st_abandoned how;
		const char *log;
		unsigned left, abandoned;
	} of[] = {
	    {ST_ABANDONED_SERVE, "0 1 2 3 .", 4, 0},
	    {ST_ABANDONED_SKIP, "1 3 . .", 4, 2},
	    {ST_ABANDONED_LEAVE, "1 3 . .", 2, 2},
	};

	for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
		struct bench *b = bench("fifo");

		b->abandoned = of[i].how;
		ready(b);
		steps(b, "0+0 0+1 0+2 0+3 1~0 2~2");
		ck_assert_uint_eq(b->queue.len, of[i].left);
		steps(b, "5- 6- 7- 8- 20~1");
		if (of[i].how == ST_ABANDONED_SERVE)
			steps(b, "30-");
		logged(b, of[i].log);
		ck_assert_uint_eq(b->meter.counts[0].abandoned, of[i].abandoned);
		release(b);
	}
}
END_TEST

/* What nobody waits for is not answered either when its deadline comes. */
START_TEST(a_deadline_of_the_abandoned_is_silent)
{
	struct bench *b = bench("fifo");

	b->abandoned = ST_ABANDONED_SKIP;
	build_set(st_queue_params, &b->cfg, "deadline", "20ms");
	ready(b);
	steps(b, "0+0 0+1 1~0 30-");
	logged(b, "!1 .");
	ck_assert_uint_eq(b->meter.counts[0].dropped, 1);
	ck_assert_uint_eq(b->meter.counts[0].abandoned, 1);
	release(b);
}
END_TEST

/* _i is the row: what every discipline must keep to. */
START_TEST(every_discipline_gives_out_each_request_once)
{
	struct bench *b = bench(st_queue_discipline_at((size_t)_i)->choice.name);
	bool seen[1000] = {false};
	unsigned n = 0;

	ready(b);
	for (uint32_t who = 0; who < 1000; who++) {
		come_to(b, (st_time)who * ST_MSEC);
		add(b, who);
		if (who % 3 == 0)
			take(b);
	}
	while (b->queue.len > 0)
		take(b);
	for (const char *at = b->log.s; *at; at += strcspn(at, " "), at += strspn(at, " ")) {
		unsigned long who = strtoul(at + (*at == '!'), NULL, 10);

		if (*at == '.')
			continue;
		ck_assert(who < 1000 && !seen[who]);
		seen[who] = true;
		n++;
	}
	ck_assert_uint_eq(n, 1000);
	release(b);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("queue");
	TCase *tc = tcase_create("order");
	int rows = 0;

	while (st_queue_discipline_at((size_t)rows))
		rows++;
	tcase_add_test(tc, fifo_is_first_come_first_served);
	tcase_add_test(tc, lifo_is_last_come_first_served);
	tcase_add_test(tc, adaptive_lifo_turns_once_the_queue_has_stood);
	tcase_add_test(tc, any_order_of_leaving_is_possible);
	tcase_add_loop_test(tc, every_discipline_gives_out_each_request_once, 0, rows);
	suite_add_tcase(s, tc);
	tc = tcase_create("drops");
	tcase_add_test(tc, codel_drops_ever_more_often);
	tcase_add_test(tc, codel_remembers_the_last_cycle);
	tcase_add_test(tc, codel_spares_short_waits_and_the_last_ones);
	tcase_add_test(tc, controlled_delay_is_strict_only_in_a_standing_queue);
	tcase_add_test(tc, a_deadline_drops_what_has_waited_as_long);
	tcase_add_test(tc, who_is_abandoned_is_skipped_or_leaves);
	tcase_add_test(tc, a_deadline_of_the_abandoned_is_silent);
	suite_add_tcase(s, tc);
	return tap_main(s);
}
