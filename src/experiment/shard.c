#include <config.h>

#include "experiment/shard.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

/* A number of 1 ... ST_SHARDS_MAX, in digits alone; NULL, or what follows. */
static const char *read_number(const char *s, uint32_t *out)
{
	char *end;
	unsigned long x = *s >= '0' && *s <= '9' ? strtoul(s, &end, 10) : 0;

	if (x < 1 || x > ST_SHARDS_MAX)
		return NULL;
	*out = (uint32_t)x;
	return end;
}

bool st_shard_read(const char *text, struct st_shard *out)
{
	const char *s = read_number(text, &out->number);

	s = s && *s == '/' ? read_number(s + 1, &out->of) : NULL;
	return s && *s == '\0' && out->number <= out->of;
}

uint32_t st_shard_of_trial(uint32_t shards, size_t npoints, size_t point, uint32_t replication)
{
	uint64_t n = (uint64_t)replication * npoints + (point + replication) % npoints;

	return (uint32_t)(n % shards) + 1;
}

uint32_t st_shard_of_point(uint32_t shards, size_t point)
{
	return (uint32_t)(point % shards) + 1;
}

char *st_shard_folder(const struct st_shard *s)
{
	int digits = snprintf(NULL, 0, "%" PRIu32, s->of);

	return st_format("shard-%0*" PRIu32 "-of-%" PRIu32, digits, s->number, s->of);
}

bool st_shard_of_folder(const char *name, struct st_shard *out)
{
	static const char head[] = "shard-", middle[] = "-of-";
	const char *s = strncmp(name, head, sizeof head - 1) == 0 ? name + sizeof head - 1 : NULL;

	s = s ? read_number(s, &out->number) : NULL;
	s = s && strncmp(s, middle, sizeof middle - 1) == 0 ? read_number(s + sizeof middle - 1, &out->of) : NULL;
	if (!s || *s || out->number > out->of)
		return false;
	char *same = st_shard_folder(out);
	bool is = strcmp(same, name) == 0;
	free(same);
	return is;
}
