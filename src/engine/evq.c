#include <config.h>

#include "engine/evq.h"

typedef int st_evq_empty;
