#include <config.h>

#include "app/load.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

int st_load_scenario(const struct st_opts *o, struct st_scenario *s)
{
	struct st_err e = ST_ERR_INIT;
	char *seed = o->seed ? st_format("seed=%s", o->seed) : NULL;
	char *replications = o->replications ? st_format("sweep.replications=%s", o->replications) : NULL;
	const char **set = st_calloc(o->nset + 2, sizeof *set);
	size_t n = o->nset;

	if (n > 0)
		memcpy(set, o->set, n * sizeof *set);
	if (seed)
		set[n++] = seed;
	if (replications)
		set[n++] = replications;
	st_scenario_read(o->operand[0], set, n, o->axis, o->naxes, s, &e);
	enum st_exit code = e.code;
	st_err_print(&e, stderr);
	st_err_release(&e);
	free(seed);
	free(replications);
	free(set);
	return (int)code;
}
