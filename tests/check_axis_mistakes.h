    {"    Attempts: {a: {seed: 4}}\n    front: {a: {duration: 40s}}\n",
        {NULL},
        X ":9:5: 'Attempts' is a column of the results already; choose another name for the axis\n"
        X ":10:5: 'front' is a column of the results already; choose another name for the axis"},
    {"    policy: {}\n    network: {a: 5}\n    fleet.timeout: {a: {seed: 4}}\n    attempts: {a: {seed: 4}}\n    clients: {}\n",
        {NULL},
        X ":9:13: policy: the axis has no values\n"
        X ":10:18: network.a: a label stands for a mapping of paths to values, such as {fleet.retry.attempts: 4}; got '5'\n"
        X ":11:5: 'fleet.timeout': an axis whose values have labels has a name of its own, of letters, digits, '-' and '_', such as "
            "policy; values of a parameter are a list\n"
        X ":12:5: 'attempts' is a column of the results already; choose another name for the axis\n"
        X ":13:5: 'clients' is a column of the results already; choose another name for the axis\n"
        X ":13:14: clients: the axis has no values"},
    {"    policy:\n      storm: {fleet.retry.atempts: 4, rate: 5/s, sweep.replications: 4}\n      \"\": {seed: 4}\n",
        {NULL},
        X ":11:7: policy: a label cannot be empty"},
    {"    policy:\n      storm: {fleet.retry.atempts: 4, jitter: none, sweep.replications: 4}\n      b: {seed: 4}\n",
        {NULL},
        X ":10:15: no parameter is named 'fleet.retry.atempts'; did you mean 'fleet.retry.attempts'?\n"
        X ":10:39: 'jitter' fits different parameters; write one of backoff.jitter (clients.fleet.retry.backoff.jitter, "
            "clients.users.retry.backoff.jitter), hint.jitter (clients.fleet.retry.hint.jitter, clients.users.retry.hint.jitter)\n"
        X ":10:53: 'sweep.replications' cannot be an axis"},
    {"    policy:\n      storm: {fleet.count: 4, count: 5, retry.attempts: 3, retry: {attempts: 2}}\n",
        {NULL},
        X ":10:31: policy.storm: the same value sets clients.fleet.count already\n"
        X ":10:60: policy.storm: would undo the same value, which sets clients.fleet.retry.attempts before it; put it first\n"
        X ":10:60: policy.storm: would undo the same value, which sets clients.users.retry.attempts before it; put it first"},
    {"    policy: {storm: {fleet.count: 4}, other: {fleet.count: x}}\n    count: [7]\n    other: {a: {users.timeout: 1s}, b: {users: {count: 7, workload: once}}}\n",
        {NULL},
        X ":9:60: clients.fleet.count: expects a whole number such as 100 or 2k; got 'x' (not a number)\n"
        X ":10:5: count: the axis 'policy' sets clients.fleet.count already"},
    {"    policy: {storm: {fleet.count: 4}, other: {fleet.count: 5}}\n",
        {"policy=storm,zzzzz,storm", "policy=", "policy=[[a]]"},
        "--axis policy=storm,zzzzz,storm: policy: the axis has no label 'zzzzz'\n"
        "--axis policy=storm,zzzzz,storm: policy: 'storm' is named twice\n"
        "--axis policy=: policy: the axis has no values\n"
        "--axis policy=[[a]]: policy: expects labels; got a list"},
#define RANGE "expects a range such as 10..100 step 10, 100ms..2s step 100ms or log 1..1k by 10; got "
    {"    fleet.count: 1..5\n    users.count: [4, log 1..5, 1..5 step 0, 5..1 step 1]\n    fleet.timeout: log 1s..5s step 2s\n"
     "    seed: 1..1e9 step 1\n",
        {NULL},
        X ":9:5: fleet.count: '1..5' has no step: write '1..5 step STEP', or draw points from it with --sample N\n"
        X ":10:22: users.count: 'log 1..5' has no step, so it stands alone, not among other values\n"
        X ":10:32: users.count: " RANGE "'1..5 step 0' (the step must be above 0)\n"
        X ":10:45: users.count: " RANGE "'5..1 step 1' (it ends below its beginning)\n"
        X ":11:20: fleet.timeout: " RANGE "'log 1s..5s step 2s' (expects 'by FACTOR' after it)\n"
        X ":12:11: seed: '1..1e9 step 1' has more than the 100000 values that can be run"},
    {"    users.timeout: 1s..5/s step 1s\n    duration: [1..5ms step 1x]\n",
        {"warmup=log 0s..5s by 2", "bin=log 1s..5s by 1", "window=1..5 step 1 2"},
        X ":9:20: users.timeout: " RANGE "'1s..5/s step 1s' (its numbers need units of one kind)\n"
        X ":10:16: duration: " RANGE "'1..5ms step 1x' (unknown unit)\n"
        "--axis warmup=log 0s..5s by 2: warmup: " RANGE "'log 0s..5s by 2' (with log it begins above 0)\n"
        "--axis bin=log 1s..5s by 1: bin: " RANGE "'log 1s..5s by 1' (the factor is a plain number above 1)\n"
        "--axis window=1..5 step 1 2: window: " RANGE "'1..5 step 1 2' (something follows it)"},
    {"    fleet.retry.backoff.base: 1ns..2ns step 0.5ns\n", {NULL},
        X ":9:31: clients.fleet.retry.backoff.base: expects a duration such as 200ms; got '1.5ns' (finer than a nanosecond)"},
    {"    seed: 1..100 step 1\n  replications: 100001\n",
        {NULL},
        X ":10:17: sweep.replications: 100 points x 100001 replications are 10000100 runs; at most 10000000 can be asked for"},
    {"    seed: 1..100 step 1\n  precision: {half_width: 1%, limit: 100001}\n",
        {NULL},
        X ":10:38: sweep.precision.limit: 100 points x 100001 runs may be 10000100 runs; at most 10000000 can be asked for, which is a limit of 100000"},
    {"    seed: 1..1000 step 1\n    duration: 1s..1000s step 1s\n",
        {NULL},
        X ":9:5: sweep.axes: the axes have 1000000 points; at most 100000 can be run"},
    {"    fleet.count: 0.5..10\n    fleet.timeout: [1s..2s, 5s]\n    users.timeout: 5s..2s\n  sample: 5\n",
        {NULL},
        X ":9:18: fleet.count: the ends of '0.5..10' must be whole numbers\n"
        X ":10:21: fleet.timeout: '1s..2s' has no step, so it stands alone, not among other values\n"
        X ":11:20: users.timeout: " RANGE "'5s..2s' (it ends below its beginning)"},
    {"  sample: 5\n",
        {NULL},
        X ":9:11: sweep.sample: draws from 1 to 40 axes; there are 0"},
    {"    fleet.count: 1..10\n  sample: 200k\n  samples: 5\n",
        {NULL},
        X ":9:5: fleet.count: '1..10' has no step: write '1..10 step STEP', or draw points from it with --sample N\n"
        X ":10:11: sweep.sample: must be between 0 and 100000; got '200k'\n"
        X ":11:3: unknown key 'samples' in sweep; did you mean 'sample'?"},
    {"    seed: [5.. step 1]\n    fleet.count: 1k..5 by 2\n    users.count: 1-..5 step 1\n    fleet.timeout: 1ks..5s step 1s\n"
     "    users.timeout: 1s..5e30s step 1s\n    workload.rate: 1e-15/s..5/s step 1/s\n",
        {NULL},
        X ":9:12: seed: " RANGE "'5.. step 1' (not a number that a range can take)\n"
        X ":10:18: fleet.count: " RANGE "'1k..5 by 2' (expects 'step STEP' after it)\n"
        X ":11:18: users.count: " RANGE "'1-..5 step 1' ('..' stands between its ends)\n"
        X ":12:20: fleet.timeout: " RANGE "'1ks..5s step 1s' (k, M and G go with counts and rates)\n"
        X ":13:20: users.timeout: " RANGE "'1s..5e30s step 1s' (its numbers are too large)\n"
        X ":14:20: workload.rate: " RANGE "'1e-15/s..5/s step 1/s' (its numbers are too fine)"},
