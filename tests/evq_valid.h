#ifndef ST_TESTS_EVQ_VALID_H
#define ST_TESTS_EVQ_VALID_H
/* evq_valid.h - whether an event queue is whole. */
#include <stdbool.h>

#include "engine/evq.h"

/* Whether every invariant of the structure holds; visits all events. */
bool evq_valid(const struct st_evq *q);

#endif
