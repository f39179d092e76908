#include <config.h>

#include <malloc.h>

#include "app/program.h"
#include "base/err.h"
#include "experiment/ranks.h"

enum { KEPT = 64 << 20 }; /* bytes */

/* The whole program is rank 0's; the others run what it sends. */
int main(int argc, char **argv)
{
	int code = ST_EXIT_OK;

	/* Messages come and go with every trial: given back to the system each time, their pages would be had anew. */
#ifdef M_MMAP_THRESHOLD
	mallopt(M_TRIM_THRESHOLD, KEPT);
	mallopt(M_MMAP_THRESHOLD, KEPT);
#endif
	if (st_ranks_join(&argc, &argv) == 0) {
		code = st_program_run(argc, argv, &st_ranks);
		st_ranks_leave();
	} else {
		st_program_guard();
		st_ranks_serve();
	}
	return code;
}
