#include <config.h>

#include "app/program.h"
#include "base/err.h"
#include "experiment/ranks.h"

/* The whole program is rank 0's; the others run what it sends. */
int main(int argc, char **argv)
{
	int code = ST_EXIT_OK;

	if (st_ranks_join(&argc, &argv) == 0) {
		code = st_program_run(argc, argv, &st_ranks);
		st_ranks_leave();
	} else {
		st_program_guard();
		st_ranks_serve();
	}
	return code;
}
