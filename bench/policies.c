/*
 * policies.c - what a policy costs: the run of bench/outage with a budget, a breaker, a gate, hedging or a preset, against the plain
 * one.
 *
 * A policy changes what happens, so the measure is the time of an event: `events/s` is the share of the plain run's events a second.
 * Plain and other run in turn, and the ratio is the median over the rounds of each pair's, so that what else the machine does
 * meets both alike.
 *
 *     bench/policies [CLIENTS]        default: 1000
 */
#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "experiment/scenario.h"

enum { ROUNDS = 5 };
static const double ATTEMPTS = 3e6; /* about so many a run */

static const char scenario[] =
    "duration: %.0fms\n"
    "bin: %.0fms\n"
    "service: {workers: %llu, service_time: exponential 100ms, queue: {limit: %llu}}\n"
    "clients:\n"
    "  fleet:\n"
    "    count: %llu\n"
    "    workload: {kind: think, think: exponential 10s}\n"
    "    timeout: 1s\n"
    "    retry: {%s}\n"
    "faults: [{at: %.0fms, for: %.0fms, effect: 503}]\n";

#define PLAIN "attempts: 10, backoff: {base: 500ms, cap: 30s, jitter: full}"

static const struct {
	const char *name, *retry;
} policies[] = {
    {"plain", PLAIN},
    {"token bucket, one a client", PLAIN ", budget: {kind: token-bucket, scope: client, rate: 1/m, burst: 5}"},
    {"token bucket, one for all", PLAIN ", budget: {kind: token-bucket, rate: 50/s, burst: 100, deposit: 0.1}"},
    {"aws-quota, one a client", PLAIN ", budget: {kind: aws-quota, scope: client}"},
    {"grpc-throttle, one a client", PLAIN ", budget: {kind: grpc-throttle, scope: client}"},
    {"window, one for all", PLAIN ", budget: {kind: window}"},
    {"window, one a client", PLAIN ", budget: {kind: window, scope: client}"},
    {"concurrency, one for all", PLAIN ", budget: {kind: concurrency, active_share: 20%}"},
    {"breaker, one a client", PLAIN ", breaker: {kind: count, scope: client, calls: 10, min_calls: 5}"},
    {"breaker, one for all", PLAIN ", breaker: {kind: time}"},
    {"gate sre, one a client", PLAIN ", gate: {kind: sre}"},
    {"gate cubic, one a client", PLAIN ", gate: {kind: cubic, throttle_on: [503]}"},
    {"hedging at p95", PLAIN ", hedge: p95"},
    {"preset aws-standard", "preset: aws-standard"},
    {"preset aws-adaptive", "preset: aws-adaptive"},
    {"preset grpc-a6", "preset: grpc-a6"},
    {"preset envoy", "preset: envoy"},
    {"preset finagle", "preset: finagle"},
};

enum { POLICIES = sizeof policies / sizeof *policies };

static double cpu_s(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void configure(unsigned long long clients, const char *retry, struct st_config *c)
{
	struct st_err e = ST_ERR_INIT;
	struct st_mistakes m = {0};
	double duration_ms = ATTEMPTS / ((double)clients / 10.0) * 1000.0;
	unsigned long long workers = clients / 50 > 0 ? clients / 50 : 1;
	char text[1024];

	snprintf(text, sizeof text, scenario, duration_ms, duration_ms / 500.0, workers, workers, clients, retry, duration_ms * 0.4,
	    duration_ms * 0.1);
	struct st_node *tree = st_tree_parse(text, "bench", &m);

	if (!tree || st_mistakes_tell(&m, &e) < 0 || st_scenario_resolve(tree, c, &e) < 0) {
		st_err_print(&e, stderr);
		exit((int)e.code);
	}
	st_tree_free(tree);
}

static double event_ns(const struct st_config *c, uint32_t replication)
{
	struct st_run run;
	struct st_err e = ST_ERR_INIT;
	double t = cpu_s();

	if (st_world_run(c, 1, replication, NULL, &run, &e) < 0)
		exit(3);
	t = (cpu_s() - t) * 1e9 / (double)run.events;
	st_run_release(&run);
	return t;
}

static int ascending(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

int main(int argc, char **argv)
{
	unsigned long long clients = argc > 1 ? strtoull(argv[1], NULL, 10) : 1000;
	struct st_config plain;

	configure(clients, PLAIN, &plain);
	printf("%-28s | %8s %8s\n", "policy", "ns/event", "events/s");
	for (int i = 0; i < POLICIES; i++) {
		double ns[ROUNDS], ratio[ROUNDS];
		struct st_config c;

		configure(clients, policies[i].retry, &c);
		for (uint32_t r = 0; r < ROUNDS; r++) {
			double before = event_ns(&plain, r);

			ns[r] = event_ns(&c, r);
			ratio[r] = 2.0 * ns[r] / (before + event_ns(&plain, r));
		}
		qsort(ns, ROUNDS, sizeof *ns, ascending);
		qsort(ratio, ROUNDS, sizeof *ratio, ascending);
		printf("%-28s | %8.1f %7.0f%%\n", policies[i].name, ns[ROUNDS / 2], 100.0 / ratio[ROUNDS / 2]);
		fflush(stdout);
		st_config_release(&c);
	}
	st_config_release(&plain);
	return 0;
}
