#ifndef ST_BASE_RNG_H
#define ST_BASE_RNG_H
/*
 * rng.h - random numbers that have a name.
 *
 * A number is a pure function of (seed, replication, entity, operation, attempt, purpose): the counter-based
 * generator Philox4x32-10 (Salmon, Moraes, Dror, Shaw, SC'11), from Random123. So two policies meet the same
 * arrivals and service times (common random numbers), no stream keeps state, and neither the order of events nor the
 * number of threads matters. A key opens a sub-counter of its own: a distribution may consume as many numbers as it
 * likes.
 *
 * Cost     one block of Philox (some 15 ns) for every two doubles; opening costs nothing.
 * Threads  a struct st_rng belongs to one thread.
 */
#include <math.h>
#include <stdint.h>

#include <gsl/gsl_rng.h>
#include <Random123/philox.h>

#include "base/time.h"

/* What a number is for: two purposes never share a number. The values are part of every fingerprint: append only. */
enum st_purpose {
	ST_RNG_ARRIVAL = 1,  /* gaps of a Poisson process; offsets and spreads */
	ST_RNG_THINK,        /* think times */
	ST_RNG_SERVICE,      /* service times */
	ST_RNG_BACKOFF,      /* jitter */
	ST_RNG_NETWORK_OUT,  /* delay of a request */
	ST_RNG_NETWORK_BACK, /* delay of an answer */
	ST_RNG_FAULT,        /* whether a fault hits a request */
	ST_RNG_OBEY,         /* whether a client obeys hints */
	ST_RNG_HINT,         /* jitter on a hint */
	ST_RNG_TIMEOUT,      /* timeouts that are drawn */
	ST_RNG_CLIENT,       /* which client an operation of an open group belongs to */
	ST_RNG_GATE,         /* whether a gate rejects a send */
	ST_RNG_SPREAD,       /* spread of a hint, by the server */
	ST_RNG_CLOCK,        /* how far a client's clock is off */
	ST_RNG_QUEUE,        /* how long a request may wait in the queue */
	ST_RNG_ROUND,        /* the two messages between a read and its write */
	ST_RNG_ERROR,        /* whether a request meets a background error */
	ST_RNG_HEDGE,        /* whether a gate rejects a hedge */
	ST_RNG_CALL,         /* the name of a call that a service makes for a request */
};

/* The stream family of one trial. */
struct st_rng_family {
	philox4x32_key_t key;
};

struct st_rng {
	philox4x32_ctr_t ctr;
	philox4x32_key_t key;
	philox4x32_ctr_t block;
	unsigned left; /* words of block not used yet */
};

/* Mixes seed and replication into the key; different pairs give unrelated families. */
struct st_rng_family st_rng_family(uint64_t seed, uint32_t replication);

/* The draws are folded into their callers: there the compiler sees which words of a fresh block are used. */
#define ST_RNG_INLINE static inline __attribute__((always_inline))

/* attempt < 2^24. Costs nothing until a number is drawn. */
ST_RNG_INLINE struct st_rng st_rng_open(const struct st_rng_family *f, uint32_t entity, uint32_t operation, uint32_t attempt,
    enum st_purpose purpose)
{
	return (struct st_rng){.ctr = {{entity, operation, attempt << 8 | (uint32_t)purpose, 0}}, .key = f->key};
}

ST_RNG_INLINE uint32_t st_rng_u32(struct st_rng *r)
{
	if (r->left == 0) {
		r->block = philox4x32(r->ctr, r->key);
		r->ctr.v[3]++;
		r->left = 4;
	}
	return r->block.v[--r->left];
}

ST_RNG_INLINE uint64_t st_rng_u64(struct st_rng *r)
{
	uint64_t high = st_rng_u32(r);

	return high << 32 | st_rng_u32(r);
}

/* Uniform on [0, 1), 53 bits. */
ST_RNG_INLINE double st_rng_uniform(struct st_rng *r)
{
	return (double)(st_rng_u64(r) >> 11) * 0x1p-53;
}

/*
 * Ziggurats (Marsaglia and Tsang 2000) of 256 layers of equal area: x[i] is the right end of layer i (layer 0 holds the tail), f[i] the
 * density there. Most draws cost one word, one multiplication and one comparison; no logarithm.
 */
enum { ST_ZIGGURAT_LAYERS = 256 };
struct st_ziggurat {
	double x[ST_ZIGGURAT_LAYERS + 1], f[ST_ZIGGURAT_LAYERS + 1];
};
extern struct st_ziggurat st_ziggurat_exponential, st_ziggurat_normal; /* filled by the first st_rng_family() */

/* The rare draws that fall outside the rectangle of their layer. */
double st_rng_exponential_rare(struct st_rng *r, unsigned layer, double x);
double st_rng_normal_rare(struct st_rng *r, unsigned layer, double x);

/* Call a rare function on a copy, so that the stream itself can live in registers on the common path. */
#define ST_RNG_RARE(result, r, call) \
	do { \
		struct st_rng copy = *(r); \
		(result) = (call); \
		*(r) = copy; \
	} while (0)

/* Exponential with mean 1. */
ST_RNG_INLINE double st_rng_exponential(struct st_rng *r)
{
	uint64_t bits = st_rng_u64(r);
	unsigned layer = bits % ST_ZIGGURAT_LAYERS;
	double x = (double)(bits >> 11) * 0x1p-53 * st_ziggurat_exponential.x[layer];

	if (__builtin_expect(!(x < st_ziggurat_exponential.x[layer + 1]), 0))
		ST_RNG_RARE(x, r, st_rng_exponential_rare(&copy, layer, x));
	return x;
}

/* Normal with mean 0 and deviation 1. */
ST_RNG_INLINE double st_rng_normal(struct st_rng *r)
{
	uint64_t bits = st_rng_u64(r);
	unsigned layer = bits % ST_ZIGGURAT_LAYERS;
	double x = ((double)(bits >> 11) * 0x1p-52 - 1.0) * st_ziggurat_normal.x[layer];

	if (__builtin_expect(!(fabs(x) < st_ziggurat_normal.x[layer + 1]), 0))
		ST_RNG_RARE(x, r, st_rng_normal_rare(&copy, layer, x));
	return x;
}

/* Uniform whole number below n (n >= 1), by multiplication; the bias is below n / 2^64. */
ST_RNG_INLINE uint64_t st_rng_below(struct st_rng *r, uint64_t n)
{
	return (uint64_t)(((unsigned __int128)st_rng_u64(r) * n) >> 64);
}

/* The same stream as one of GSL's generators, so that every gsl_ran_* can draw from it. */
extern const gsl_rng_type *const st_rng_gsl_type;

static inline gsl_rng st_rng_gsl(struct st_rng *r)
{
	return (gsl_rng){.type = st_rng_gsl_type, .state = r};
}

#endif
