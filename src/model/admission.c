#include <config.h>

#include "model/admission.h"

#include <math.h>

bool st_admission_limits(const struct st_admission_cfg *cfg)
{
	return !isinf(cfg->rate_per_s);
}

void st_admission_init(struct st_admission *a, const struct st_admission_cfg *cfg, const struct st_rng_family *random)
{
	*a = (struct st_admission){.cfg = cfg, .random = random, .limits = st_admission_limits(cfg)};
	a->is_on = a->limits || cfg->error_share > 0.0;
	if (!a->limits)
		return;
	a->fill_rate = st_bucket_fill_rate(cfg->rate_per_s);
	a->size = st_bucket_units(cfg->burst);
	a->bucket.level = a->size;
}

enum st_answer st_admission_decide(struct st_admission *a, const struct st_call *c, st_time now, st_outcome *status)
{
	struct st_rng r = st_rng_open(a->random, c->client, c->operation, c->attempt, ST_RNG_ERROR);

	if (st_admission_wait(a, now) > 0) {
		*status = a->cfg->limit_status;
		return ST_ANSWER_LIMITED;
	}
	if (a->limits)
		a->bucket.level -= ST_BUCKET_TOKEN;
	*status = a->cfg->error_status;
	return a->cfg->error_share > 0.0 && st_rng_uniform(&r) < a->cfg->error_share ? ST_ANSWER_ERROR : ST_ANSWER_OK;
}

st_time st_admission_wait(struct st_admission *a, st_time now)
{
	if (!a->limits)
		return 0;
	st_bucket_fill(&a->bucket, a->fill_rate, a->size, now);
	return st_bucket_wait(&a->bucket, a->fill_rate);
}

#define FIELD(f) offsetof(struct st_admission_cfg, f)

const struct st_param st_admission_params[] = {
    {.name = "rate_limit.rate", .type = &st_param_rate, .offset = FIELD(rate_per_s), .dflt = "off", .word = "off", .max = 1e6,
        .help = "requests a second that are let through in the long run"},
    {.name = "rate_limit.burst", .type = &st_param_number, .offset = FIELD(burst), .dflt = "1", .min = 1, .max = 1e6,
        .help = "requests that may come at once after a quiet time: tokens that the bucket holds"},
    {.name = "rate_limit.status", .type = &st_param_status, .offset = FIELD(limit_status), .dflt = "429",
        .help = "what the others are answered"},
    {.name = "errors.share", .type = &st_param_share, .offset = FIELD(error_share), .dflt = "0%",
        .help = "share of the requests that fail at any time, drawn for each"},
    {.name = "errors.status", .type = &st_param_status, .offset = FIELD(error_status), .dflt = "500",
        .help = "what these are answered"},
    {.name = NULL},
};
