    {"    fleet.count: [3, 5]\n    backoff.jitter: [none, range 0.5 1]\n",
        {NULL},
        "sweep:\n  axes:\n    fleet.count: [3, 5]\n    backoff.jitter: [none, range 0.5 1]\n  replications: 1\n", 4},
    {"    policy:\n      storm: {fleet.retry.attempts: 4}\n      \"a: b\": {fleet.retry: {attempts: 4, budget: {kind: token-bucket, "
     "burst: 10}}, users.count: 3}\n      none:\n    seed: [1, 2]\n",
        {"fleet.timeout=1s,2s"},
        "sweep:\n  axes:\n    policy:\n      storm: {fleet.retry.attempts: 4}\n      \"a: b\": {fleet.retry: {attempts: 4, budget: "
        "{kind: token-bucket, burst: 10}}, users.count: 3}\n      none: {}\n    seed: [1, 2]\n    fleet.timeout: [1s, 2s]\n"
        "  replications: 1\n", 12},
    {"    policy: {a: {seed: 3}, b: {seed: 4}, c: {}}\n",
        {"policy=c,a"},
        "sweep:\n  axes:\n    policy:\n      c: {}\n      a: {seed: 3}\n  replications: 1\n", 2},
    {"    policy: {a: {fleet: {count: 4, workload: once}, fleet.count: 6}}\n    retry: [{attempts: 2}]\n    retry.attempts: [3]\n",
        {NULL},
        "sweep:\n  axes:\n    policy:\n      a: {fleet: {count: 4, workload: once}, fleet.count: 6}\n    retry: [{attempts: 2}]\n"
        "    retry.attempts: [3]\n  replications: 1\n", 1},
    {"    fleet.count: 10..100 step 30\n    fleet.timeout: [off, 100ms..2s step 300ms, 5s]\n    users.workload.rate: log 1/s..1k/s by 10\n",
        {"fleet.retry.hint.obey=10%..30% step 10%", "users.count=[log 1..1e4 by 10]", "fleet.retry.backoff.base=log 1ms..10s by 100"},
        "sweep:\n  axes:\n    fleet.count: [10, 40, 70, 100]\n"
        "    fleet.timeout: [off, 100ms, 400ms, 700ms, 1s, 1.3s, 1.6s, 1.9s, 5s]\n    users.workload.rate: [1/s, 10/s, 100/s, 1k/s]\n"
        "    fleet.retry.hint.obey: [10%, 20%, 30%]\n    users.count: [1, 10, 100, 1000, 10000]\n"
        "    fleet.retry.backoff.base: [1ms, 100ms, 10s]\n  replications: 1\n", 4 * 9 * 4 * 3 * 5 * 3},
    {"    obey: 0.1..0.5 step 0.1\n    fleet.timeout: 30..90s step 15\n    users.timeout: log 10ms..50ms by 1.5\n    count: 0.5k..2k step 500\n",
        {"backoff.base=0.5s..2s step 500ms", "users.workload.rate=58/h..1/m step 1/h", "seed=log 1..3e6 by 32"},
        "sweep:\n  axes:\n    obey: [0.1, 0.2, 0.3, 0.4, 0.5]\n    fleet.timeout: [30s, 45s, 60s, 75s, 90s]\n"
        "    users.timeout: [10ms, 15ms, 22.5ms, 33.75ms]\n    count: [500, 1k, 1.5k, 2k]\n"
        "    backoff.base: [500ms, 1s, 1.5s, 2s]\n    users.workload.rate: [58/h, 59/h, 1/m]\n    seed: [1, 32, 1024, 32768, 1048576]\n"
        "  replications: 1\n", 5 * 5 * 4 * 4 * 4 * 3 * 5},
    {"    backoff.base: log 1ms..1m by 7.5\n    users.workload.rate: 1k/m..2k/m step 10/s\n",
        {NULL},
        "sweep:\n  axes:\n    backoff.base: [1ms, 7.5ms, 56.25ms, 421.875ms, 3164.06ms, 23730.5ms]\n    users.workload.rate: [1k/m, 1.6k/m]\n"
        "  replications: 1\n", 12},
    {"    fleet.count: 1..10\n    fleet.retry.backoff.base: log 1ms..10s\n    fleet.retry.backoff.jitter: [none, full]\n"
     "    policy: {a: {}, b: {seed: 4}, c: {seed: 5}}\n  sample: 5\n",
        {"users.timeout=[0.5..2s]"},
        "sweep:\n  axes:\n    fleet.count: 1..10\n    fleet.retry.backoff.base: log 1ms..10s\n"
        "    fleet.retry.backoff.jitter: [none, full]\n    policy:\n      a: {}\n      b: {seed: 4}\n      c: {seed: 5}\n"
        "    users.timeout: 0.5..2s\n  sample: 5\n  replications: 1\n", 5},
