#include <config.h>

#include "model/occ.h"

#include <stdlib.h>

#include "base/mem.h"

void st_occ_release(struct st_occ *o)
{
	free(o->read);
}

void st_occ_read(struct st_occ *o, uint32_t slot)
{
	o->read = st_grow(o->read, &o->cap, (size_t)slot + 1, sizeof *o->read);
	o->read[slot] = o->version;
}

bool st_occ_write(struct st_occ *o, uint32_t slot)
{
	bool won = o->read[slot] == o->version;

	o->version += won;
	return won;
}
