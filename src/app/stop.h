#ifndef ST_APP_STOP_H
#define ST_APP_STOP_H
/*
 * stop.h - SIGINT and SIGTERM end the work in good order: what is under way looks at st_stop.
 */
extern volatile int st_stop; /* not 0: stop soon */

/* From now on. The first signal sets st_stop and takes the handler away, so that a second one kills. What is ignored stays so. */
void st_stop_on_signals(void);

#endif
