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

#include "fleet.h"

enum { ROUNDS = 5 };
static const double ATTEMPTS = 3e6; /* about so many a run */

static const struct {
	const char *name, *retry;
} policies[] = {
    {"plain", FLEET_RETRY},
    {"token bucket, one a client", FLEET_RETRY ", budget: {kind: token-bucket, scope: client, rate: 1/m, burst: 5}"},
    {"token bucket, one for all", FLEET_RETRY ", budget: {kind: token-bucket, rate: 50/s, burst: 100, deposit: 0.1}"},
    {"aws-quota, one a client", FLEET_RETRY ", budget: {kind: aws-quota, scope: client}"},
    {"grpc-throttle, one a client", FLEET_RETRY ", budget: {kind: grpc-throttle, scope: client}"},
    {"window, one for all", FLEET_RETRY ", budget: {kind: window}"},
    {"window, one a client", FLEET_RETRY ", budget: {kind: window, scope: client}"},
    {"concurrency, one for all", FLEET_RETRY ", budget: {kind: concurrency, active_share: 20%}"},
    {"breaker, one a client", FLEET_RETRY ", breaker: {kind: count, scope: client, calls: 10, min_calls: 5}"},
    {"breaker, one for all", FLEET_RETRY ", breaker: {kind: time}"},
    {"gate sre, one a client", FLEET_RETRY ", gate: {kind: sre}"},
    {"gate cubic, one a client", FLEET_RETRY ", gate: {kind: cubic, throttle_on: [503]}"},
    {"hedging at p95", FLEET_RETRY ", hedge: p95"},
    {"preset aws-standard", "preset: aws-standard"},
    {"preset aws-adaptive", "preset: aws-adaptive"},
    {"preset grpc-a6", "preset: grpc-a6"},
    {"preset envoy", "preset: envoy"},
    {"preset finagle", "preset: finagle"},
};

enum { POLICIES = sizeof policies / sizeof *policies };

int main(int argc, char **argv)
{
	unsigned long long clients = argc > 1 ? strtoull(argv[1], NULL, 10) : 1000;
	struct st_config plain;

	fleet_configure(clients, ATTEMPTS, "0s", FLEET_RETRY, &plain);
	printf("%-28s | %8s %8s\n", "policy", "ns/event", "events/s");
	for (int i = 0; i < POLICIES; i++) {
		double ns[ROUNDS], ratio[ROUNDS];
		struct st_config c;

		fleet_configure(clients, ATTEMPTS, "0s", policies[i].retry, &c);
		for (uint32_t r = 0; r < ROUNDS; r++) {
			double before = fleet_run(&plain, r).event_ns;

			ns[r] = fleet_run(&c, r).event_ns;
			ratio[r] = 2.0 * ns[r] / (before + fleet_run(&plain, r).event_ns);
		}
		printf("%-28s | %8.1f %7.0f%%\n", policies[i].name, fleet_median(ns, ROUNDS), 100.0 / fleet_median(ratio, ROUNDS));
		fflush(stdout);
		st_config_release(&c);
	}
	st_config_release(&plain);
	return 0;
}
