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
    {"    policy:\n      storm: {fleet.retry.atempts: 4, rate: 5/s, sweep.replications: 4}\n      b: {seed: 4}\n",
        {NULL},
        X ":10:15: no parameter is named 'fleet.retry.atempts'; did you mean 'fleet.retry.attempts'?\n"
        X ":10:39: 'rate' fits different parameters; write one of workload.rate, budget.rate\n"
        X ":10:50: 'sweep.replications' cannot be an axis"},
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
