#include <config.h>

#include "base/rng.h"

#include <pthread.h>

#include "base/err.h"

/* Steele, Lea and Flood's finaliser (SplitMix64, OOPSLA 2014): near seeds give far keys. */
static uint64_t mix(uint64_t x)
{
	x += UINT64_C(0x9e3779b97f4a7c15);
	x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
	return x ^ x >> 31;
}

/* --- ziggurats ---------------------------------------------------------------------------------------------------------- */

struct st_ziggurat st_ziggurat_exponential, st_ziggurat_normal;

static double exponential_density(double x)
{
	return exp(-x);
}

static double exponential_inverse(double y)
{
	return -log(y);
}

static double normal_density(double x)
{
	return exp(-0.5 * x * x);
}

static double normal_inverse(double y)
{
	return sqrt(-2.0 * log(y));
}

/* Layers of area v, from the one that ends at r upward; the base layer is as wide as its area with the tail asks. */
static void build(struct st_ziggurat *z, double r, double v, double (*density)(double), double (*inverse)(double))
{
	z->x[0] = v / density(r);
	z->x[1] = r;
	for (int i = 2; i < ST_ZIGGURAT_LAYERS; i++)
		z->x[i] = inverse(v / z->x[i - 1] + density(z->x[i - 1]));
	z->x[ST_ZIGGURAT_LAYERS] = 0.0;
	for (int i = 0; i <= ST_ZIGGURAT_LAYERS; i++)
		z->f[i] = density(z->x[i]);
}

/* r and v for 256 layers: Marsaglia and Tsang, "The ziggurat method for generating random variables", J. Stat. Soft. 5 (2000). */
static void build_all(void)
{
	build(&st_ziggurat_exponential, 7.69711747013104972, 3.949659822581572e-3, exponential_density, exponential_inverse);
	build(&st_ziggurat_normal, 3.6541528853610088, 4.92867323399e-3, normal_density, normal_inverse);
}

/* Whether a point of the layer's wedge, at x and uniform in height, lies under the density. */
static int under(const struct st_ziggurat *z, unsigned layer, double density, struct st_rng *r)
{
	return z->f[layer] + st_rng_uniform(r) * (z->f[layer + 1] - z->f[layer]) < density;
}

double st_rng_exponential_rare(struct st_rng *r, unsigned layer, double x)
{
	const struct st_ziggurat *z = &st_ziggurat_exponential;

	if (layer == 0) /* without memory: the tail is the whole again */
		return z->x[1] + st_rng_exponential(r);
	return under(z, layer, exponential_density(x), r) ? x : st_rng_exponential(r);
}

double st_rng_normal_rare(struct st_rng *r, unsigned layer, double x)
{
	const struct st_ziggurat *z = &st_ziggurat_normal;

	if (layer > 0)
		return under(z, layer, normal_density(x), r) ? x : st_rng_normal(r);
	for (;;) { /* Marsaglia's tail (1964) */
		double beyond = st_rng_exponential(r) / z->x[1];

		if (2.0 * st_rng_exponential(r) > beyond * beyond)
			return x < 0.0 ? -z->x[1] - beyond : z->x[1] + beyond;
	}
}

/* --- streams ------------------------------------------------------------------------------------------------------------ */

struct st_rng_family st_rng_family(uint64_t seed, uint32_t replication)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	uint64_t k = mix(mix(seed) + replication);

	pthread_once(&once, build_all);

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
