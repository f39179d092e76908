#ifndef ST_APP_PROGRAM_H
#define ST_APP_PROGRAM_H
/*
 * program.h - the program but for who runs its trials: what stampede and stampede-mpi share.
 */
#include "experiment/executor.h"

/* Do what the command line says. Prints its own messages and returns an exit code. */
int st_program_run(int argc, char **argv, const struct st_executor *executor);

/* Failures of libraries and of the system that would end the process by a signal are told, or are errors of calls. */
void st_program_guard(void);

#endif
