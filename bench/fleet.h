#ifndef ST_BENCH_FLEET_H
#define ST_BENCH_FLEET_H
/*
 * fleet.h - the run that benches of whole simulations time: a closed loop that meets an outage.
 *
 * N clients think ten seconds on average, call a service at half its capacity, and give up after a second; a tenth of the time
 * the service answers 503.
 */
#include "experiment/scenario.h"

/* Full jitter, ten attempts: what other policies are compared with. */
#define FLEET_RETRY "attempts: 10, backoff: {base: 500ms, cap: 30s, jitter: full}"

/*
 * The configuration, to be released. So long that there are about so many attempts, but at least 15 s; network: one way, as
 * a scenario writes it; retry: what stands in `retry: {}`.
 */
void fleet_configure(unsigned long long clients, double attempts, const char *network, const char *retry, struct st_config *c);

/* CPU time of seeding and the event loop, ns. */
struct fleet_cost {
	double attempt_ns, event_ns;
};

struct fleet_cost fleet_run(const struct st_config *c, uint32_t replication);

/* The middle one of n; sorts them. */
double fleet_median(double *x, size_t n);

#endif
