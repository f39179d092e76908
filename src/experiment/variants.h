#ifndef ST_EXPERIMENT_VARIANTS_H
#define ST_EXPERIMENT_VARIANTS_H
/*
 * variants.h - several scenarios as one, with an axis `policy` that leads from the first to each of the others.
 *
 * Each is resolved first, so that what one writes and another leaves to a default or a preset is no difference. A value of the
 * axis then sets what some of them differ in, in the innermost mapping that all of them have with the same keys:
 * {clients.fleet.retry.backoff.jitter: none}, or all of clients.fleet.retry.budget. So the whole is a sweep like any other, is
 * stored and printed as one, and its scenario.yaml can be given to `sweep`.
 *
 * Same      duration, warmup, window, bin and seed have to be the same in all: figures are of the same stretch, on the same random
 *           numbers. Groups of clients, services and faults may differ.
 * Files     a relative name is sought beside its own scenario. One that would mean another file beside the first is then absolute, and
 *           the joined scenario is good on this machine alone.
 */
#include "experiment/scenario.h"

struct st_variant {
	const char *label;
	const struct st_scenario *scenario; /* without a mistake */
};

/*
 * Make `first`, which v[0] may point to, the scenario of n variants. Its own axes, sample and expectations go; file, name, title,
 * replications and precision stay. 0, or -1 with messages on what cannot be compared.
 */
int st_variants_join(struct st_scenario *first, const struct st_variant *v, size_t n, struct st_err *e);

#endif
