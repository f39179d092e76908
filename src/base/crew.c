#include <config.h>

#include "base/crew.h"

#include <pthread.h>
#include <stdlib.h>

#include "base/mem.h"

void st_crew_run(unsigned size, void *(*work)(void *arg), void *arg)
{
	pthread_t *thread = st_calloc(size, sizeof *thread);
	unsigned started = 0;

	while (started + 1 < size && pthread_create(&thread[started], NULL, work, arg) == 0)
		started++;
	work(arg);
	for (unsigned i = 0; i < started; i++)
		pthread_join(thread[i], NULL);
	free(thread);
}
