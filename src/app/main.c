#include <config.h>

#include "app/program.h"

int main(int argc, char **argv)
{
	return st_program_run(argc, argv, &st_executor_threads);
}
