#include <config.h>

#include "base/pace.h"

_Thread_local struct st_pace st_pace;
