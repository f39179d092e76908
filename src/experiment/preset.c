#include <config.h>

#include "experiment/preset.h"

#include "base/err.h"

/*
 * Long because it is one table: a row is a library's policy, and rows are compared best side by side.
 *
 * Conditions are HTTP's where a library has others: 503 is gRPC's UNAVAILABLE, 429 an answer with a throttling code (AWS says it in the
 * body, often under status 400). A lost or refused connection is an error of the transport everywhere.
 */
#define AWS_ON "on: [500, 502, 503, 504, 429, timeout, refused, reset]\n"
#define AWS_QUOTA                                                                                                              \
	"budget: {kind: aws-quota, scope: client, capacity: 500, cost: 5, timeout_cost: 10, throttle_cost: 5, increment: 1}\n"
#define IGNORED "hint: {mode: ignore}\n"
#define RECONNECT "on: [timeout, refused, reset]\n"

static const struct st_preset presets[] = {
    {{"aws-legacy", "botocore's legacy mode, its default in 2026: full jitter without a cap, no budget"},
        "boto/botocore botocore/retryhandler.py, botocore/data/_retry.json @0e6e2404b85d",
        "on: [500, 502, 503, 504, 509, 429, timeout, refused, reset]\n"
        "attempts: 5\n"
        "backoff: {shape: exponential, base: 1s, factor: 2, cap: off, jitter: full}\n" IGNORED},
    {{"aws-legacy-dynamodb", "botocore's legacy mode for DynamoDB: ten attempts, no jitter at all"},
        "boto/botocore botocore/retryhandler.py, botocore/data/_retry.json @0e6e2404b85d",
        "on: [500, 502, 503, 504, 509, 429, timeout, refused, reset]\n"
        "attempts: 10\n"
        "backoff: {shape: exponential, base: 50ms, factor: 2, cap: off, jitter: none}\n" IGNORED},
    {{"aws-standard",
         "botocore's standard mode: the retry quota of a client pays 100 retries at cost 5 (429: a throttling code)"},
        "boto/botocore botocore/retries/standard.py, quota.py @0e6e2404b85d",
        AWS_ON
        "attempts: 3\n"
        "backoff: {shape: exponential, base: 1s, factor: 2, cap: 20s, jitter: full}\n" IGNORED AWS_QUOTA},
    {{"aws-2026", "AWS SDKs with AWS_NEW_RETRIES_2026: 50 ms, 1 s if throttled; x-amz-retry-after within 5 s of it; cost 14"},
        "boto/botocore @0e6e2404b85d, smithy-lang/smithy-typescript retries-2026-config.ts @6815d3e96f3a",
        AWS_ON
        "attempts: 3\n"
        "backoff: {shape: exponential, base: 50ms, factor: 2, cap: 20s, jitter: full, throttle: {on: [429], base: 1s}}\n"
        "hint: {obey: 100%, mode: clamp, clamp: 5s}\n"
        "budget: {kind: aws-quota, scope: client, capacity: 500, cost: 14, timeout_cost: 14, throttle_cost: 5, "
        "increment: 1}\n"},
    {{"aws-js",
         "AWS SDK for JavaScript 3: 100 ms, 500 ms if throttled, whole ms; Retry-After within 5 s of it; cost 10, throttled 5"},
        "smithy-lang/smithy-typescript util-retry/StandardRetryStrategy.ts, DefaultRetryBackoffStrategy.ts @6815d3e96f3a",
        AWS_ON
        "attempts: 3\n"
        "backoff: {shape: exponential, base: 100ms, factor: 2, cap: 20s, jitter: full, quantum: 1ms, "
        "throttle: {on: [429], base: 500ms}}\n"
        "hint: {obey: 100%, mode: clamp, clamp: 5s}\n"
        "budget: {kind: aws-quota, scope: client, capacity: 500, cost: 10, timeout_cost: 10, throttle_cost: 5, "
        "increment: 1}\n"},
    {{"aws-go",
         "AWS SDK for Go 2, standard: the first wait goes to 2 s; from the fifth on exactly 20 s (429: a throttling code)"},
        "aws/aws-sdk-go-v2 aws/retry/standard.go, jitter_backoff.go, middleware.go @1032a4d89cb7",
        AWS_ON
        "attempts: 3\n"
        "backoff: {shape: exponential, base: 2s, factor: 2, cap: 20s, jitter: full, tail_from: 5}\n" IGNORED AWS_QUOTA},
    {{"aws-adaptive", "botocore's adaptive mode: aws-standard, and a client's send rate that throttling answers lower"},
        "boto/botocore botocore/retries/adaptive.py, throttling.py, bucket.py @0e6e2404b85d",
        AWS_ON
        "attempts: 3\n"
        "backoff: {shape: exponential, base: 1s, factor: 2, cap: 20s, jitter: full}\n" IGNORED AWS_QUOTA
        "gate: {kind: cubic, scope: client, throttle_on: [429]}\n"},
    {{"grpc-a6", "gRPC's retry policy with the example's values of proposal A6; at most 5 attempts; a group is a channel"},
        "grpc/proposal A6-client-retries.md @1fd061ad8e7c, grpc/grpc-go stream.go, clientconn.go @4793ad047466",
        "on: [503, refused, reset]\n"
        "attempts: 4\n"
        "backoff: {shape: exponential, base: 100ms, factor: 2, cap: 1s, jitter: proportional 20%}\n"
        "hint: {obey: 100%, mode: replace}\n"
        "budget: {kind: grpc-throttle, scope: group, max_tokens: 10, token_ratio: 0.1}\n"},
    {{"grpc-connect", "grpc-go's reconnects: the first after exactly 1 s, then 20 % of jitter; an operation is a connection"},
        "grpc/grpc-go backoff/backoff.go, internal/backoff/backoff.go @4793ad047466",
        RECONNECT
        "attempts: unlimited\n"
        "backoff: {shape: exponential, base: 1s, factor: 1.6, cap: 120s, jitter: proportional 20%, head: [1s]}\n" IGNORED},
    {{"envoy", "Envoy with retry_on: 5xx: one retry, and three retries at a time in all; a group is a proxy"},
        "envoyproxy/envoy source/common/router/retry_state_impl.cc, api route_components.proto @0035e40b3484",
        "on: [5xx, timeout, refused, reset]\n"
        "attempts: 2\n"
        "backoff: {shape: exponential, base: 25ms, factor: 2, cap: 250ms, jitter: full, quantum: 1ms}\n" IGNORED
        "budget: {kind: concurrency, scope: group, max_retries: 3}\n"},
    {{"envoy-budget",
         "Envoy with retry_budget and rate_limited_retry_back_off at their defaults: the hint has jitter; a group is a proxy"},
        "envoyproxy/envoy retry_state_impl.cc, resource_manager_impl.h, circuit_breaker.proto @01c2c1fadbc6",
        "on: [5xx, timeout, refused, reset]\n"
        "attempts: 2\n"
        "backoff: {shape: exponential, base: 25ms, factor: 2, cap: 250ms, jitter: full, quantum: 1ms}\n"
        "hint: {obey: 100%, mode: replace, jitter: 50%, limit: 300s, over: ignore}\n"
        "budget: {kind: concurrency, scope: group, max_retries: 3, active_share: 20%}\n"},
    {{"istio",
         "Istio's default for every route: Envoy's backoff, two retries, no limit on their sum (503: gRPC's UNAVAILABLE)"},
        "istio/istio pilot/pkg/networking/core/route/retry/retry.go, cluster_traffic_policy.go @86c9f01fd735",
        "on: [503, refused]\n"
        "attempts: 3\n"
        "backoff: {shape: exponential, base: 25ms, factor: 2, cap: 250ms, jitter: full, quantum: 1ms}\n" IGNORED},
    {{"finagle",
         "Finagle's requeues of what was refused or nacked (503): at once, bounded by the budget; a group is a client stack"},
        "twitter/finagle RetryBudget.scala, RequeueFilter.scala @4feb34cb9499, twitter/util TokenBucket.scala @17c8187d9488",
        "on: [503, refused]\n"
        "attempts: unlimited\n"
        "backoff: {shape: immediate}\n" IGNORED
        "budget: {kind: window, scope: group, ttl: 10s, min_rate: 10/s, ratio: 20%, operation_share: 20%, "
        "deposit_on: success}\n"},
    {{"linkerd-profile", "Linkerd's isRetryable routes: at once and without a limit but the budget; a group is a proxy"},
        "linkerd/linkerd2-proxy linkerd/app/outbound/src/http/retry.rs, linkerd/http/retry/src/lib.rs @29637b64f6ce",
        "on: [5xx]\n"
        "attempts: unlimited\n"
        "backoff: {shape: immediate}\n" IGNORED
        "budget: {kind: window, scope: group, ttl: 10s, min_rate: 10/s, ratio: 20%, deposit_on: nonretryable}\n"},
    {{"google-python", "google-api-core's Retry: full jitter up to 60 s; its limit of 120 s is the group's `deadline: 120s`"},
        "googleapis/python-api-core google/api_core/retry/retry_base.py, retry_unary.py @bfc6651411d3",
        "on: [500, 503, 429, refused, reset]\n"
        "attempts: unlimited\n"
        "backoff: {shape: exponential, base: 1s, factor: 2, cap: 60s, jitter: full}\n" IGNORED},
    {{"dotnet-http", "Microsoft.Extensions.Http.Resilience's retry strategy, without the breaker of its standard handler"},
        "dotnet/extensions HttpRetryStrategyOptions.cs @02ba73e9f8c8, App-vNext/Polly RetryHelper.cs @173d6d1d2e28",
        "on: [5xx, 408, 429, timeout, refused, reset]\n"
        "attempts: 4\n"
        "backoff: {shape: exponential, base: 2s, factor: 2, cap: off, jitter: polly}\n"
        "hint: {obey: 100%, mode: replace}\n"},
    {{"fixed-1s", "one second each time, three attempts: Spring's @Retryable"},
        "spring-projects/spring-retry @Retryable @c8977dda2d97",
        "on: [any]\n"
        "attempts: 3\n"
        "backoff: {shape: constant, base: 1s, jitter: none}\n" IGNORED},
    {{"resilience4j", "resilience4j's RetryConfig: half a second each time, three attempts"},
        "resilience4j/resilience4j RetryConfig.java, IntervalFunction.java @af9e7c979f17",
        "on: [any]\n"
        "attempts: 3\n"
        "backoff: {shape: constant, base: 500ms, jitter: none}\n" IGNORED},
    {{"polly", "Polly 8 without options: two seconds each time, four attempts"},
        "App-vNext/Polly src/Polly.Core/Retry/RetryConstants.cs, RetryHelper.cs @173d6d1d2e28",
        "on: [any]\n"
        "attempts: 4\n"
        "backoff: {shape: constant, base: 2s, jitter: none}\n" IGNORED},
    {{"retryablehttp",
         "hashicorp's go-retryablehttp: doubles from 1 s to 30 s without jitter; obeys Retry-After exactly, however long"},
        "hashicorp/go-retryablehttp client.go @fd004584a467",
        "on: [5xx, -501, 429, timeout, refused, reset]\n"
        "attempts: 5\n"
        "backoff: {shape: exponential, base: 1s, factor: 2, cap: 30s, jitter: none}\n"
        "hint: {obey: 100%, mode: replace}\n"},
    {{"openai", "OpenAI's Python client: up to 25 % less than the backoff; a Retry-After above 120 s ends the operation"},
        "openai/openai-python _base_client.py, _constants.py @e43b422412a9",
        "on: [408, 409, 429, 5xx, timeout, refused, reset]\n"
        "attempts: 3\n"
        "backoff: {shape: exponential, base: 500ms, factor: 2, cap: 8s, jitter: range 0.75 1}\n"
        "hint: {obey: 100%, mode: replace, least: 1ns, limit: 120s, over: give-up}\n"},
    {{"anthropic", "Anthropic's Python client: as OpenAI's, but a Retry-After above 60 s is ignored"},
        "anthropics/anthropic-sdk-python _base_client.py, _constants.py @009b035305e0",
        "on: [408, 409, 429, 5xx, timeout, refused, reset]\n"
        "attempts: 3\n"
        "backoff: {shape: exponential, base: 500ms, factor: 2, cap: 8s, jitter: range 0.75 1}\n"
        "hint: {obey: 100%, mode: replace, least: 1ns, limit: 60s, over: ignore}\n"},
    {{"stripe", "Stripe's Python client: the floor is the base, so that the first retry comes after exactly 0.5 s"},
        "stripe/stripe-python _http_client.py @6c6e3736d16d",
        "on: [409, 5xx, timeout, refused, reset]\n"
        "attempts: 3\n"
        "backoff: {shape: exponential, base: 500ms, factor: 2, cap: 5s, floor: 500ms, jitter: equal}\n" IGNORED},
    {{"stripe-node", "Stripe's Node client: both of its retries come after exactly 0.5 s"},
        "stripe/stripe-node RequestSender.ts @663942164d38",
        "on: [409, 5xx, timeout, refused, reset]\n"
        "attempts: 3\n"
        "backoff: {shape: exponential, base: 250ms, factor: 2, cap: 5s, floor: 500ms, jitter: equal}\n" IGNORED},
    {{"stripe-go", "Stripe's Go client: quadratic; the first retry comes after exactly 0.5 s"},
        "stripe/stripe-go stripe.go @a1e3932f68a2",
        "on: [409, 5xx, timeout, refused, reset]\n"
        "attempts: 3\n"
        "backoff: {shape: late-quadratic, base: 500ms, cap: 5s, floor: 500ms, jitter: range 0.75 1}\n" IGNORED},
    {{"kafka",
         "Kafka's clients: half of the saturated waits are exactly 1 s; delivery.timeout.ms is the group's `deadline: 120s`"},
        "apache/kafka ExponentialBackoff.java @1eb7644349cb",
        "on: [5xx, timeout, refused, reset]\n"
        "attempts: unlimited\n"
        "backoff: {shape: exponential, base: 100ms, factor: 2, cap: 1s, cap_at: both, jitter: proportional 20%, "
        "quantum: 1ms}\n" IGNORED},
    {{"azcore-go", "azcore for Go: (2^k - 1) x 0.8 s, times 0.8 to 1.3; a Retry-After above 60 s ends the operation"},
        "Azure/azure-sdk-for-go sdk/azcore/runtime/policy_retry.go @0f9d9f4df19f",
        "on: [408, 429, 500, 502, 503, 504, timeout, refused, reset]\n"
        "attempts: 4\n"
        "backoff: {shape: geometric-sum, base: 800ms, factor: 2, cap: 60s, cap_at: after, jitter: range 0.8 1.3}\n"
        "hint: {obey: 100%, mode: replace, least: 1ns, limit: 60s, over: give-up}\n"},
    {{"axios-retry", "axios-retry unless told otherwise: at once, or when Retry-After says; timeouts are not retried"},
        "softonic/axios-retry src/index.ts @dd9b700dfbe5",
        "on: [429, 5xx, refused, reset]\n"
        "attempts: 4\n"
        "backoff: {shape: immediate}\n"
        "hint: {obey: 100%, mode: replace}\n"},
    {{"got", "got 15: doubles from 1 s, plus up to 100 ms; a Retry-After above its timeout (`hint: {limit: ...}`) ends it"},
        "sindresorhus/got source/core/calculate-retry-delay.ts @d00d845a0b43",
        "on: [408, 413, 429, 500, 502, 503, 504, 521, 522, 524, timeout, refused, reset]\n"
        "attempts: 3\n"
        "backoff: {shape: exponential, base: 1s, factor: 2, cap: off, jitter: additive 100ms}\n"
        "hint: {obey: 100%, mode: replace}\n"},
    {{"node-retry", "node-retry and p-retry: doubles from 1 s, eleven attempts, no jitter unless asked for"},
        "tim-kos/node-retry @11efd6e4e896, sindresorhus/p-retry @e11ca9c9c4a8",
        "on: [any]\n"
        "attempts: 11\n"
        "backoff: {shape: exponential, base: 1s, factor: 2, cap: off, jitter: none}\n" IGNORED},
    {{"async-retry", "async-retry: node-retry with its jitter on, 1 to 2 times the delay"},
        "vercel/async-retry @9505be1f829e, tim-kos/node-retry @11efd6e4e896",
        "on: [any]\n"
        "attempts: 11\n"
        "backoff: {shape: exponential, base: 1s, factor: 2, cap: off, jitter: range 1 2}\n" IGNORED},
    {{"cenkalti",
         "cenkalti/backoff 4: 500 ms x 1.5 to 60 s, half of it jitter; its limit of 15 min is the group's `deadline: 15m`"},
        "cenkalti/backoff exponential.go @720b78985a65",
        "on: [any]\n"
        "attempts: unlimited\n"
        "backoff: {shape: exponential, base: 500ms, factor: 1.5, cap: 60s, jitter: proportional 50%}\n" IGNORED},
    {{"redis-py", "redis-py: full jitter cut at 1 s after it: of the tenth retries 90 % wait exactly 1 s"},
        "redis/redis-py redis/backoff.py, _defaults.py @34817ce2a2cc",
        RECONNECT
        "attempts: 11\n"
        "backoff: {shape: exponential, base: 10ms, factor: 2, first_exponent: 1, cap: 1s, cap_at: after, "
        "jitter: full}\n" IGNORED},
    {{"ioredis-5", "ioredis up to 5, reconnects: 50 ms more each time up to 2 s, no jitter: the classic herd"},
        "redis/ioredis retryStrategy before @dfd542824dfb",
        RECONNECT
        "attempts: unlimited\n"
        "backoff: {shape: linear, base: 50ms, step: 50ms, cap: 2s, jitter: none}\n" IGNORED},
    {{"ioredis", "ioredis 6, reconnects: doubles from 50 ms to 5 s, plus 0 to 199 whole ms"},
        "redis/ioredis retryStrategy @dfd542824dfb",
        RECONNECT
        "attempts: unlimited\n"
        "backoff: {shape: exponential, base: 50ms, factor: 2, cap: 5s, jitter: additive 200ms, quantum: 1ms}\n" IGNORED},
    {{"lettuce", "lettuce, reconnects: doubles from 1 ms to 30 s, no jitter"},
        "redis/lettuce core/resource/ExponentialDelay.java @b0bcdd81430b",
        RECONNECT
        "attempts: unlimited\n"
        "backoff: {shape: exponential, base: 1ms, factor: 2, cap: 30s, jitter: none}\n" IGNORED},
    {{"cassandra-reconnect",
         "Cassandra's Java driver, reconnects: 85 to 115 whole per cents, cut to 1 s and 60 s: half of them are exactly that"},
        "apache/cassandra-java-driver ExponentialReconnectionPolicy.java @f98e3433b91b",
        RECONNECT
        "attempts: unlimited\n"
        "backoff: {shape: exponential, base: 1s, factor: 2, cap: 60s, cap_at: both, floor: 1s, "
        "jitter: range 0.85 1.16, quantum: 1%}\n" IGNORED},
    {{"k8s-conflict", "Kubernetes' RetryOnConflict: 10 ms each time, one millisecond of jitter"},
        "kubernetes/apimachinery pkg/util/wait/backoff.go @eed236ceee2c, client-go retry.DefaultRetry",
        "on: [409]\n"
        "attempts: 5\n"
        "backoff: {shape: constant, base: 10ms, jitter: range 1 1.1}\n" IGNORED},
    {{"systemd",
         "systemd's Restart=on-failure: after 100 ms, five starts in 10 s, then failed for good; an operation is a start"},
        "systemd/systemd src/core/service.c, src/basic/def.h",
        "on: [any]\n"
        "attempts: unlimited\n"
        "backoff: {shape: constant, base: 100ms, jitter: none}\n" IGNORED
        "budget: {kind: starts, scope: client, starts: 5, within: 10s}\n"},
};
enum { PRESETS = sizeof presets / sizeof *presets };

const struct st_preset *st_preset_at(size_t i)
{
	return i < PRESETS ? &presets[i] : NULL;
}

static const struct st_choice none = {"none", "no preset: what is not written has its default"};

static const struct st_choice *choice_at(size_t i)
{
	return i == 0 ? &none : i <= PRESETS ? &presets[i - 1].choice : NULL;
}

const struct st_preset *st_preset_find(const char *name, const char **near)
{
	int i = st_choice_find(choice_at, name, near);

	return i > 0 ? &presets[i - 1] : NULL;
}

struct st_node *st_preset_tree(const struct st_preset *p)
{
	struct st_mistakes m = ST_MISTAKES_INIT;
	struct st_node *tree = st_tree_parse(p->yaml, p->choice.name, &m);

	st_assert(tree && m.n == 0); /* a row of ours that cannot be read */
	return tree;
}

/* --- the parameter -------------------------------------------------------------------------------------------------- */

static int preset_read(const struct st_param *p, const struct st_value *v, void *field, struct st_err *e)
{
	const char *text = st_param_scalar(p, v, e), *near = NULL;

	(void)field;
	if (!text)
		return -1;
	if (st_choice_find(choice_at, text, &near) >= 0)
		return 0;
	if (near)
		return st_err_add(e, ST_EXIT_USER, v->place, "unknown preset '%s'; did you mean '%s'?", text, near);
	return st_param_expects(p, v, 0, NULL, e);
}

/* What a configuration came from is not to be seen in it. */
static void preset_print(const struct st_param *p, const void *field, struct st_text *out)
{
	(void)p;
	(void)field;
	st_text_add(out, none.name);
}

static const struct st_param_type preset = {
    .name = "name",
    .expects = "none or the name of a preset ('stampede presets' lists them)",
    .read = preset_read,
    .print = preset_print,
};

const struct st_param st_preset_params[] = {
    {.name = "preset", .type = &preset, .offset = 0, .dflt = "none", .choices = choice_at,
        .help = "a library's policy, under what else is written in `retry`"},
    {.name = NULL},
};
