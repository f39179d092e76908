#ifndef ST_EXPERIMENT_RANKS_H
#define ST_EXPERIMENT_RANKS_H
/*
 * ranks.h - runs a list of trials on the ranks of an MPI job. Compiled into stampede-mpi alone.
 *
 * Rank 0 has the list: it hands trials out as ranks become free, and takes their results; it runs trials itself, on a thread, too.
 * The others know neither the command line nor a file, but those that a scenario names: a trial is sent as its point's canonical
 * scenario and a replication.
 *
 * Threads  of each rank, the one that called talks to the others, and sleeps in between for a millisecond at most; a second runs
 *          the trials. A rank has a trial in reserve while there are many, so that none waits for rank 0.
 * Errors   a trial's are told by rank 0, as threads' are. A rank that dies takes the job down (MPI's rule).
 */
#include "experiment/executor.h"

/* Enter the job; first of all. The rank. */
int st_ranks_join(int *argc, char ***argv);

/* Of every rank but 0: run what is sent until the job is over. */
void st_ranks_serve(void);

/* Of rank 0: the job is over. */
void st_ranks_leave(void);

extern const struct st_executor st_ranks;

#endif
