#include <config.h>

#include "app/stop.h"

#include <signal.h>
#include <stddef.h>

volatile int st_stop;

static void on_signal(int number)
{
	(void)number;
	__atomic_store_n(&st_stop, 1, __ATOMIC_RELAXED); /* trials look at it on their threads */
}

void st_stop_on_signals(void)
{
	static const int numbers[] = {SIGINT, SIGTERM};
	struct sigaction ours = {.sa_handler = on_signal, .sa_flags = (int)SA_RESETHAND | SA_RESTART}, theirs;

	sigemptyset(&ours.sa_mask);
	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
		if (sigaction(numbers[i], NULL, &theirs) == 0 && theirs.sa_handler != SIG_IGN)
			sigaction(numbers[i], &ours, NULL);
	}
}
