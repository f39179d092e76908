#include <config.h>

#include "base/rng.h"

#include "base/err.h"

/* Steele, Lea and Flood's finaliser (SplitMix64, OOPSLA 2014): near seeds give far keys. */
static uint64_t mix(uint64_t x)
{
	x += UINT64_C(0x9e3779b97f4a7c15);
	x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
	return x ^ x >> 31;
}

struct st_rng_family st_rng_family(uint64_t seed, uint32_t replication)
{
	uint64_t k = mix(mix(seed) + replication);

	return (struct st_rng_family){.key = {{(uint32_t)k, (uint32_t)(k >> 32)}}};
}

static void gsl_set(void *state, unsigned long seed)
{
	(void)state;
	(void)seed;
	st_assert(!"a stream is opened by its key, not seeded");
}

static unsigned long gsl_get(void *state)
{
	return st_rng_u32(state);
}

static double gsl_get_double(void *state)
{
	return st_rng_uniform(state);
}

static const gsl_rng_type gsl_type = {
    .name = "stampede-philox4x32",
    .max = UINT32_MAX,
    .min = 0,
    .size = sizeof(struct st_rng),
    .set = gsl_set,
    .get = gsl_get,
    .get_double = gsl_get_double,
};

const gsl_rng_type *const st_rng_gsl_type = &gsl_type;
