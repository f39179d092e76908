#ifndef ST_BASE_CREW_H
#define ST_BASE_CREW_H
/*
 * crew.h - several threads at the same work.
 */

/*
 * Call work(arg) on `size` threads at once, the calling one among them, and return when all have. Where the system gives no more
 * threads, those that there are do the work: so what is to be done must not depend on their number. Of size 0 or 1 none is started.
 */
void st_crew_run(unsigned size, void *(*work)(void *arg), void *arg);

#endif
