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
