    {"",
        {NULL}, {NULL},
        X ": duration: must be given: a duration such as 200ms (how long the run lasts)\n"
        X ": service.workers: must be given: a whole number such as 100 or 2k (requests served at "
            "the same time)\n"
        X ": service.service_time: must be given: a duration such as 20ms or a distribution such as "
            "'exponential 20ms' (how long a worker takes for a request)\n"
        X ": clients: must be given: at least one group, by name"},
    {"[a]\n",
        {NULL}, {NULL},
        X ":1:1: a scenario is a mapping of keys such as duration and service; got a list"},
    {SMALL "    retry: {backoff: {jiter: full}}\n",
        {NULL}, {NULL},
        X ":7:23: unknown key 'jiter' in clients.fleet.retry.backoff; did you mean 'jitter'?"},
    {SMALL "    retry: {zzzzzz: full}\n",
        {NULL}, {NULL},
        X ":7:13: unknown key 'zzzzzz' in clients.fleet.retry; the keys there are preset, on, attempts, "
            "backoff, hint, budget, breaker, gate, hedge"},
    {SMALL "servce: 5\nqqqqqqqq: 1\n",
        {NULL}, {NULL},
        X ":7:1: unknown key 'servce'; did you mean 'service'?\n"
        X ":8:1: unknown key 'qqqqqqqq'; the keys there are title, duration, warmup, window, bin, "
            "seed, service, services, clients, faults, sweep, expect"},
    {SMALL "    retry: {attempts: {a: 1}}\n",
        {NULL}, {NULL},
        X ":7:23: clients.fleet.retry.attempts: expects a whole number such as 100 or 2k; got a "
            "mapping"},
    {SMALL "    retry: [1]\n",
        {NULL}, {NULL},
        X ":7:12: clients.fleet.retry: expects a mapping with keys from preset, on, attempts, backoff, hint, "
            "budget, breaker, gate, hedge; got a list"},
    {SMALL "    retry: true\n",
        {NULL}, {NULL},
        X ":7:12: clients.fleet.retry.preset: expects none or the name of a preset ('stampede presets' lists them); "
            "got 'true'"},
    {SMALL "    retry: {preset: envoi, backoff: {shape: constant, factor: 2}}\n",
        {NULL}, {NULL},
        X ":7:21: clients.fleet.retry.preset: unknown preset 'envoi'; did you mean 'envoy'?\n"
        X ":7:55: clients.fleet.retry.backoff: 'factor' belongs to shape exponential or geometric-sum, not constant"},
    {SMALL "    retry: {preset: envoy, budget: {burst: 5}}\n",
        {NULL}, {NULL},
        X ":7:37: clients.fleet.retry.budget: 'burst' belongs to budget token-bucket, not concurrency"},
    {SMALL "    retry: {budget: {kind: concurrency, site: 4}, breaker: {kind: count, scope: client, site: 5}, gate: {site: 6}}\n",
        {NULL}, {NULL},
        X ":7:41: clients.fleet.retry.budget: 'site' belongs to scope site, not group\n"
        X ":7:89: clients.fleet.retry.breaker: 'site' belongs to scope site, not client\n"
        X ":7:106: clients.fleet.retry.gate: 'site' belongs to scope site, not client"},
    {SMALL "    retry:\n",
        {NULL}, {NULL},
        ""},
    {SMALL "    retry: {attempts: 0, attempts: 4}\n",
        {NULL}, {NULL},
        X ":7:23: clients.fleet.retry.attempts: must be between 1 and 16000000; got '0'\n"
        X ":7:26: duplicate key 'attempts' in clients.fleet.retry: it is on line 7 already"},
    {SMALL "    retry:\n"
        "      attempts: 0.5\n"
        "      on: [5xx, tineout]\n"
        "      budget: {rate: 5/s, burst: 10}\n"
        "      backoff: {base: 5, jitter: fall}\n"
        "faults:\n"
        " - {at: 1s}\n"
        " - 503\n"
        " - {at: 1, for: -1s, effect: 777, factor: 2, share: 140%}\n",
        {NULL}, {NULL},
        X ":8:17: clients.fleet.retry.attempts: expects a whole number such as 100 or 2k, or "
            "'unlimited'; got '0.5' (not a whole number)\n"
        X ":9:17: clients.fleet.retry.on: unknown condition 'tineout'; did you mean 'timeout'?\n"
        X ":10:16: clients.fleet.retry.budget: 'rate' belongs to budget token-bucket, not off\n"
        X ":10:27: clients.fleet.retry.budget: 'burst' belongs to budget token-bucket, not off\n"
        X ":11:23: clients.fleet.retry.backoff.base: expects a duration such as 200ms; got '5' (a "
            "duration needs a unit: ns, us, ms, s, m, h or d)\n"
        X ":11:34: clients.fleet.retry.backoff.jitter: unknown jitter 'fall'; did you mean 'full'?\n"
        X ":13:4: faults[0].for: must be given: a duration such as 200ms (how long it holds: [at, at "
            "+ for))\n"
        X ":13:4: faults[0].effect: must be given: a status from 400 to 599, refuse, blackhole, "
            "slow, freeze, workers, delay or restart (what is broken)\n"
        X ":14:4: faults[1]: expects a mapping with keys from at, for, effect, share, of, service, group, "
            "factor, gone, delay; got '503'\n"
        X ":15:9: faults[2].at: expects a duration such as 200ms; got '1' (a duration needs a unit: "
            "ns, us, ms, s, m, h or d)\n"
        X ":15:17: faults[2].for: expects a duration such as 200ms; got '-1s' (a duration cannot be "
            "negative)\n"
        X ":15:30: faults[2].effect: expects a status from 400 to 599, refuse, blackhole, slow, "
            "freeze, workers, delay or restart; got '777'\n"
        X ":15:53: faults[2].share: expects a share such as 70%; got '140%' (a share is between 0% "
            "and 100%)"},
    {SMALL "    retry: {on: [[a], 5xx]}\nfaults: {at: 1s}\n",
        {NULL}, {NULL},
        X ":7:18: clients.fleet.retry.on: expects a list of statuses (503), classes (5xx, 4xx), "
            "timeout, refused, reset, or any, less what has a minus (5xx, -501); got a list within a list\n"
        X ":8:9: faults: expects a list of mappings, such as [{at: 10s, for: 30s, effect: 503}]; got "
            "a mapping"},
    {"duration: 10s\n"
        "service: {workers: 2}\n"
        "clients: {fl eet: {count: 5}, b: {workload: {kind: think}}}\n",
        {NULL}, {NULL},
        X ":2:1: service.service_time: must be given: a duration such as 20ms or a distribution such "
            "as 'exponential 20ms' (how long a worker takes for a request)\n"
        X ":3:11: clients: a group's name is up to 63 letters, digits, '-' and '_', the first a letter or digit; got 'fl eet'\n"
        X ":3:11: clients.fl eet.workload.kind: must be given: one of once, think, poisson, periodic, connection, trace (when clients want something done)\n"
        X ":3:31: clients.b.count: must be given: a whole number such as 100 or 2k (clients in the "
            "group)\n"
        X ":3:35: clients.b.workload.think: must be given: a duration such as 20ms or a distribution "
            "such as 'exponential 20ms' (from the end of an operation to the next; a constant keeps all clients "
            "in step, 'exponential 30s' spreads them)"},
    {"duration: 10s\n"
        "service: {workers: 2, service_time: exponentail 5ms, queue: unlimited, hint: 5s}\n"
        "clients: []\n",
        {NULL}, {NULL},
        X ":2:37: service.service_time: unknown distribution 'exponentail'; did you mean "
            "'exponential'?\n"
        X ":3:10: clients: expects a mapping of groups by name; got a list"},
    {SMALL "    workload: {kind: once, rate: 5/s, spread: 1s}\n",
        {NULL}, {NULL},
        X ":7:5: duplicate key 'workload' in clients.fleet: it is on line 6 already"},
    {SMALL,
        {"service.hint=6", "retry.hint.jitter=half"}, {NULL},
        "--set service.hint=6: service.hint.value: expects a duration such as 5s, backlog (the estimate waiting / "
            "capacity), token (the time until the rate limit has one), stop (a pushback below 0) or off; got '6' (a duration needs a unit: ns, us, ms, s, m, h or d)\n"
        "--set retry.hint.jitter=half: clients.fleet.retry.hint.jitter: expects none, a duration (6s adds U(0, 6 s)) or a "
            "share (50% multiplies by U(1, 1.5)); got 'half' (not a duration such as 200ms, 1.5s or 3m)"},
    {SMALL,
        {"service.hint={value: stop, form: date}"}, {NULL},
        "--set service.hint={value: stop, form: date}: service.hint.value: stop can only be said by a pushback: form must "
            "be pushback-ms"},
    {SMALL "  jobs: {count: 2, workload: {kind: periodic, period: 1m, spread: 2m}}\n",
        {NULL}, {NULL},
        X ":7:67: clients.jobs.workload.spread: must not be longer than the period"},
    {SMALL "  jobs: {count: 2, workload: {kind: periodic, period: 9s, surge: {factor: 2}}}\n",
        {NULL}, {NULL},
        X ":7:67: clients.jobs.workload.surge: 'factor' belongs to workload think or poisson or trace, not periodic"},
    {SMALL "window: [30s, 200s]\n",
        {NULL}, {NULL},
        X ":7:1: window: must begin before it ends, and end within the duration"},
    {SMALL "sweep: {axis: 1, axes: {timeuot: [1s], rate: [5/s], count: [], fleet.count: [5, x], attempts: 5, timeout: [1s, 2], fleet.timeout: [3s], seed: [1, x]}, replications: 0}\n"
        "expect: [a, [b]]\n",
        {NULL}, {NULL},
        X ":7:9: unknown key 'axis' in sweep; did you mean 'axes'?\n"
        X ":7:25: no parameter is named 'timeuot'; did you mean 'timeout'?\n"
        X ":7:40: 'rate' fits different parameters; write one of rate_limit.rate (service.rate_limit.rate), "
            "workload.rate (clients.fleet.workload.rate), budget.rate (clients.fleet.retry.budget.rate)\n"
        X ":7:60: count: the axis has no values\n"
        X ":7:81: clients.fleet.count: expects a whole number such as 100 or 2k; got 'x' (not a "
            "number)\n"
        X ":7:95: attempts: an axis expects a list of values, a range such as 10..100 step 10, or labels for settings; got '5'\n"
        X ":7:112: clients.fleet.timeout: expects a duration such as 20ms, or a distribution such as "
            "'exponential 20ms'; got '2' (a duration needs a unit: ns, us, ms, s, m, h or d)\n"
        X ":7:116: fleet.timeout: the axis 'timeout' sets clients.fleet.timeout already\n"
        X ":7:147: seed: expects a whole number such as 100 or 2k; got 'x' (not a number)\n"
        X ":7:166: sweep.replications: must be between 1 and 1000000; got '0'\n"
        X ":8:10: expect: 'a' is no figure, relation and value, such as 'recovery_time <= 60s'\n"
        X ":8:13: expect: expects texts such as 'recovery_time <= 60s'; got a list"},
    {SMALL "sweep: 5\nexpect: {a: b}\n",
        {NULL}, {NULL},
        X ":7:8: sweep: expects a mapping with keys from axes, replications, sample, precision; got '5'\n"
        X ":8:9: expect: expects texts such as 'recovery_time <= 60s'; got a mapping"},
    {SMALL,
        {"fleet.timout=3", "timeout=3", "workload.at=5", "nonsense", "jitter=none", "sweep.replications=0"}, {NULL},
        "--set fleet.timout=3: no parameter is named 'fleet.timout'; did you mean 'fleet.timeout'?\n"
        "--set: expects PATH=VALUE; got 'nonsense'\n"
        "--set jitter=none: 'jitter' fits different parameters; write one of backoff.jitter (clients.fleet.retry.backoff.jitter), "
            "hint.jitter (clients.fleet.retry.hint.jitter)\n"
        "--set sweep.replications=0: sweep.replications: must be between 1 and 1000000; got '0'\n"
        "--set timeout=3: clients.fleet.timeout: expects a duration such as 20ms, or a "
            "distribution such as 'exponential 20ms'; got '3' (a duration needs a unit: ns, us, ms, s, "
            "m, h or d)\n"
        "--set workload.at=5: clients.fleet.workload.at: expects a duration such as 200ms; got '5' (a "
            "duration needs a unit: ns, us, ms, s, m, h or d)"},
    {SMALL,
        {"backoff.jitter=fall", "network=[1", "clients.fleet.budget=off", "count=[1, 2]", "seed={a: b}", "workload.rate=5/s"}, {NULL},
        "--set network=[1: no valid YAML: did not find expected ',' or ']'\n"
        "--set clients.fleet.budget=off: no parameter is named 'clients.fleet.budget'; did you "
            "mean 'clients.fleet.retry.budget'?\n"
        "--set seed={a: b}: seed: expects a whole number such as 100 or 2k; got a mapping\n"
        "--set count=[1, 2]: clients.fleet.count: expects a whole number such as 100 or 2k; got a "
            "list\n"
        "--set workload.rate=5/s: clients.fleet.workload: 'rate' belongs to workload poisson, not "
            "once\n"
        "--set backoff.jitter=fall: clients.fleet.retry.backoff.jitter: unknown jitter 'fall'; did "
            "you mean 'full'?"},
    {SMALL,
        {"retry={backoff: {jiter: 4}}"}, {NULL},
        "--set retry={backoff: {jiter: 4}}: unknown key 'jiter' in clients.fleet.retry.backoff; "
            "did you mean 'jitter'?"},
    {SMALL "    retry: [1]\n",
        {"retry.attempts=5"}, {NULL},
        X ":7:12: clients.fleet.retry: expects a mapping with keys from preset, on, attempts, backoff, hint, "
            "budget, breaker, gate, hedge; got a list\n"
        "--set retry.attempts=5: clients.fleet.retry.attempts cannot be set: clients.fleet.retry "
            "is a list, not a mapping"},
    {SMALL,
        {"workload={kind: poisson}"}, {NULL},
        "--set workload={kind: poisson}: clients.fleet.workload.rate: must be "
            "given: a rate such as 10/s (operations a second of the whole group)"},
    {SMALL,
        {"network=empirical nowhere.csv"}, {NULL},
        "--set network=empirical nowhere.csv: clients.fleet.network: cannot open 'nowhere.csv': No "
            "such file or directory"},
    {SMALL "    network: empirical nowhere.csv\n",
        {NULL}, {NULL},
        X ":7:14: clients.fleet.network: cannot open 'nowhere.csv': No such file or directory"},
    {SMALL,
        {NULL}, {"count=5,x", "jitter=full", "nothing", "seed=", "replications=5,6", "flet.count=3"},
        "--axis jitter=full: 'jitter' fits different parameters; write one of backoff.jitter (clients.fleet.retry.backoff.jitter), "
            "hint.jitter (clients.fleet.retry.hint.jitter)\n"
        "--axis: expects PATH=VALUE,VALUE; got 'nothing'\n"
        "--axis seed=: seed: the axis has no values\n"
        "--axis replications=5,6: 'replications' cannot be an axis\n"
        "--axis flet.count=3: no parameter is named 'flet.count'; did you mean 'fleet.count'?\n"
        "--axis count=5,x: clients.fleet.count: expects a whole number such as 100 or 2k; got 'x' "
            "(not a number)"},
    {SMALL,
        {NULL}, {"fleet.timeout=1s,2s", "fleet.deadline=1s,off,2", "warmup=0s,200s"},
        "--axis warmup=0s,200s: warmup: must be shorter than the duration\n"
        "--axis fleet.deadline=1s,off,2: clients.fleet.deadline: expects a duration such as 200ms, or "
            "'off'; got '2' (a duration needs a unit: ns, us, ms, s, m, h or d)"},
    {SMALL "    retry: {backoff: {base: 1}}\n"
        "sweep: {axes: {count: [1, 2, 3], fleet.deadline: [1s, 2s]}}\n",
        {NULL}, {NULL},
        X ":7:29: clients.fleet.retry.backoff.base: expects a duration such as 200ms; got '1' (a "
            "duration needs a unit: ns, us, ms, s, m, h or d)"},
    {SMALL "sweep:\n  axes:\n    budget.burst: [1, 2, 3]\n",
        {NULL}, {NULL},
        X ":9:20: clients.fleet.retry.budget: 'burst' belongs to budget token-bucket, not off\n"
        X ":9:23: clients.fleet.retry.budget: 'burst' belongs to budget token-bucket, not off\n"
        X ":9:26: clients.fleet.retry.budget: 'burst' belongs to budget token-bucket, not off"},
    /* Two keys that contradict each other. */
    {SMALL,
        {"duration=0s", "bin=0s"}, {NULL},
        "--set duration=0s: duration: must be longer than 0\n"
        "--set bin=0s: bin: must be longer than 0"},
    {SMALL "window: [5s]\n",
        {"bin=1ns"}, {NULL},
        X ":7:1: window: must have a beginning and an end: [30s, 60s]\n"
        "--set bin=1ns: bin: makes more than 20 million bins of this duration"},
    {SMALL "window: [5s, 9s]\n"
        "warmup: 1s\n",
        {NULL}, {NULL},
        X ":7:1: window: and warmup exclude each other"},
    {SMALL,
        {"service.hint.value=token"}, {NULL},
        "--set service.hint.value=token: service.hint.value: token needs a rate_limit"},
    {SMALL "  other: {count: 4G, workload: once}\n",
        {"fleet.count=4G"}, {NULL},
        X ":3:1: clients: has more than 4 billion clients"},
    {SMALL "  jobs: {count: 2, workload: {kind: periodic, period: 10us}}\n",
        {"duration=1d"}, {NULL},
        X ":7:55: clients.jobs.workload.period: makes more than 4 billion ticks of this duration"},
    {SMALL "    retry: {hedge: 50ms}\n",
        {NULL}, {NULL},
        X ":7:13: clients.fleet.retry.hedge.after: sends attempts beside the first: retry.attempts must be at least 2"},
    {SMALL "    retry: {attempts: 2, hedge: 50ms, gate: cubic}\n",
        {"service.abandoned=leave"}, {NULL},
        X ":7:26: clients.fleet.retry.hedge.after: and abandoned: leave of the service exclude each other; skip goes with both\n"
        X ":7:26: clients.fleet.retry.hedge.after: and a gate that makes attempts wait (cubic) exclude each other"},
    {SMALL "faults:\n"
        " - {at: 100s, for: 1s, effect: 503}\n"
        " - {at: 1s, for: 1s, effect: restart, share: 50%, of: clients, group: fleet}\n"
        " - {at: 1s, for: 1s, effect: refuse, group: flet}\n"
        " - {at: 1s, for: 1s, effect: slow, service: db}\n",
        {NULL}, {NULL},
        X ":8:9: faults[0].at: must lie before the end of the run\n"
        X ":9:46: faults[1].share: does not apply to slow, freeze, workers and restart: they are of the whole service\n"
        X ":9:55: faults[1].of: does not apply to slow, freeze, workers and restart: they are of the whole service\n"
        X ":9:71: faults[1].group: does not apply to slow, freeze, workers and restart: they are of the whole service\n"
        X ":10:45: faults[2].group: no group of clients is named 'flet'; did you mean 'fleet'?\n"
        X ":11:45: faults[3].service: no service is named 'db'"},
    {"duration: 100s\n"
        "service: {kind: occ, abandoned: leave}\n"
        "clients: {fleet: {count: 5, workload: once}}\n",
        {"queue=5"}, {NULL},
        X ":2:22: service: 'abandoned' belongs to service pool, not occ\n"
        "--set queue=5: service.queue: 'limit' belongs to service pool, not occ"},
    {"duration: 100s\n"
        "service: {kind: occ}\n"
        "clients: {fleet: {count: 5, workload: once}}\n"
        "faults: [{at: 1s, for: 1s, effect: workers, gone: 1}]\n",
        {NULL}, {NULL},
        X ":4:36: faults[0].effect: needs a service with workers: one of kind occ has none"},
    /* One of each kind: every one is told, but for what rests on another that is wrong. */
    {"duration: 10s\n"
        "warmup: 20s\n"
        "bin: 5\n"
        "window: [5s, 3s]\n"
        "seed: x\n"
        "services:\n"
        "  api: {workers: 2, service_time: 37ms, calls: dbb, hint: token}\n"
        "  db: {workers: 2k, service_time: 37, calls: {to: web, timeout: 3}}\n"
        "  web: {workers: 0, service_time: exponential 5ms cv, hint: {value: stop}}\n"
        "  the db: {kind: occ, calls: db}\n"
        "  latency: {workers: 2, service_time: 37ms, abandoned: leave}\n"
        "clients:\n"
        "  mobile:\n"
        "    count: five\n"
        "    workload: {kind: periodic, period: 1s, spread: 2s}\n"
        "    retry: {attempts: 1, hedge: 50ms, bckoff: {base: 5s}}\n"
        "  db: {count: 5, workload: {kind: periodic, period: 0}}\n"
        "  x.y: {count: 5, workload: onse}\n"
        "  z: {count: 5}\n"
        "faults:\n"
        "  - {at: 50s, for: 1s, effect: 503, service: dd}\n"
        "  - {at: 1s, for: -1s, effect: slow, share: 50%, group: mobil}\n"
        "  - {at: 1s, effect: nonsense, group: mobil}\n"
        "sweep:\n"
        "  axes:\n"
        "    mobile.timeuot: [1s]\n"
        "    seed: [1, y]\n"
        "    mobile.retry.backoff.base: [1s..2s step 0s]\n"
        "  replications: 0\n"
        "  precision: {half_width: 5%, figure: mobile.goodputt}\n"
        "expect:\n"
        "  - recovery_time <= 60\n"
        "  - moble.succes_share >= 95%\n"
        "  - goodput > 5/s when jitter = full\n"
        "  - amplification ! 5\n",
        {"mobile.retry.backoff.jitter=fall"}, {"mobile.count=1,x"},
        X ":2:9: warmup: must be shorter than the duration\n"
        X ":3:6: bin: expects a duration such as 200ms; got '5' (a duration needs a unit: ns, us, ms, s, m, h or d)\n"
        X ":4:1: window: must begin before it ends, and end within the duration\n"
        X ":4:1: window: and warmup exclude each other\n"
        X ":5:7: seed: expects a whole number such as 100 or 2k; got 'x' (not a number)\n"
        X ":7:41: services.api.calls.to: no service is named 'dbb'; did you mean 'db'?\n"
        X ":7:53: services.api.hint.value: token needs a rate_limit\n"
        X ":8:35: services.db.service_time: expects a duration such as 20ms, or a distribution such as 'exponential 20ms'; got '37' (a duration needs a unit: ns, us, ms, s, m, h or d)\n"
        X ":8:65: services.db.calls.timeout: expects a duration such as 20ms, or a distribution such as 'exponential 20ms'; got '3' (a duration needs a unit: ns, us, ms, s, m, h or d)\n"
        X ":9:18: services.web.workers: must be between 1 and 1000000000; got '0'\n"
        X ":9:35: services.web.service_time: expects 'exponential MEAN'; got 'exponential 5ms cv' ('cv' is too much)\n"
        X ":9:69: services.web.hint.value: stop can only be said by a pushback: form must be pushback-ms\n"
        X ":10:3: services: a service's name is up to 63 letters, digits, '-' and '_', the first a letter or digit; got 'the db'\n"
        X ":10:23: services.the db.calls.to: needs a service with workers: one of kind occ has none that could wait\n"
        X ":11:3: services: figures are called 'latency', too: give the service another name, so that 'NAME.FIGURE' is clear\n"
        X ":14:12: clients.mobile.count: expects a whole number such as 100 or 2k; got 'five' (not a number)\n"
        X ":15:52: clients.mobile.workload.spread: must not be longer than the period\n"
        X ":16:26: clients.mobile.retry.hedge.after: sends attempts beside the first: retry.attempts must be at least 2\n"
        X ":16:39: unknown key 'bckoff' in clients.mobile.retry; did you mean 'backoff'?\n"
        X ":17:3: clients: 'db' is a service, too: a group is not called as a service is, for figures are named by both\n"
        X ":17:53: clients.db.workload.period: must be at least 1us; got '0'\n"
        X ":18:3: clients: a group's name is up to 63 letters, digits, '-' and '_', the first a letter or digit; got 'x.y'\n"
        X ":18:29: clients.x.y.workload.kind: expects one of once, think, poisson, periodic, connection, trace; got 'onse' (did you mean 'once'?)\n"
        X ":19:3: clients.z.workload.kind: must be given: one of once, think, poisson, periodic, connection, trace (when clients want something done)\n"
        X ":21:10: faults[0].at: must lie before the end of the run\n"
        X ":21:46: faults[0].service: no service is named 'dd'; did you mean 'db'?\n"
        X ":22:19: faults[1].for: expects a duration such as 200ms; got '-1s' (a duration cannot be negative)\n"
        X ":22:45: faults[1].share: does not apply to slow, freeze, workers and restart: they are of the whole service\n"
        X ":22:57: faults[1].group: does not apply to slow, freeze, workers and restart: they are of the whole service\n"
        X ":23:5: faults[2].for: must be given: a duration such as 200ms (how long it holds: [at, at + for))\n"
        X ":23:22: faults[2].effect: expects a status from 400 to 599, refuse, blackhole, slow, freeze, workers, delay or restart; got 'nonsense'\n"
        X ":23:39: faults[2].group: no group of clients is named 'mobil'; did you mean 'mobile'?\n"
        X ":26:5: no parameter is named 'mobile.timeuot'; did you mean 'mobile.timeout'?\n"
        X ":27:15: seed: expects a whole number such as 100 or 2k; got 'y' (not a number)\n"
        X ":28:33: mobile.retry.backoff.base: expects a range such as 10..100 step 10, 100ms..2s step 100ms or log 1..1k by 10; got '1s..2s step 0s' (the step must be above 0)\n"
        X ":29:17: sweep.replications: must be between 1 and 1000000; got '0'\n"
        X ":30:46: sweep.precision.figure: no figure is named 'goodputt'; did you mean 'mobile.goodput'?\n"
        X ":32:22: expect: recovery_time: expects a duration such as 200ms, or 'never'; got '60' (a duration needs a unit: ns, us, ms, s, m, h or d)\n"
        X ":33:5: expect: no figure is named 'moble.succes_share'; did you mean 'mobile.success_share'?\n"
        X ":35:19: expect: amplification: expects one of <=, <, >=, >, == and a value; got '! 5'\n"
        "--set mobile.retry.backoff.jitter=fall: clients.mobile.retry.backoff.jitter: unknown jitter 'fall'; did you mean 'full'?\n"
        "--axis mobile.count=1,x: clients.mobile.count: expects a whole number such as 100 or 2k; got 'x' (not a number)"},
    /* What was to be there may be what the unknown key stands for; what cannot be read at all is told once. */
    {"duration: 100s\nservices: [a]\nclients: [b]\nfaults: [{at: 1s, for: 1s, effect: 503, service: db, group: b}]\n"
        "expect: [b.goodput > 1/s, zebra > 1/s, goodput > 1/s when x = y]\nsweep: {axes: {b.count: [1, 2]}, sample: 4}\n",
        {NULL}, {NULL},
        X ":2:11: services: expects a mapping of services by name; got a list\n"
        X ":3:10: clients: expects a mapping of groups by name; got a list\n"
        X ":5:27: expect: no figure is named 'zebra'; 'stampede figures' lists them"},
    {"durtion: 10s\nservices: {api: {workers: 2, service_time: 37ms}}\n"
        "clients: {fleet: {count: 5, workload: once, retry: {atempts: 3, hedge: 5ms}}}\n"
        "faults: [{at: 100s, for: 1s, effect: freeze, share: 5%}]\n",
        {NULL}, {NULL},
        X ": duration: must be given: a duration such as 200ms (how long the run lasts)\n"
        X ":1:1: unknown key 'durtion'; did you mean 'duration'?\n"
        X ":3:53: unknown key 'atempts' in clients.fleet.retry; did you mean 'attempts'?\n"
        X ":4:53: faults[0].share: does not apply to slow, freeze, workers and restart: they are of the whole service"},
    /* Services that call others. */
    {SMALL "services: {db: {workers: 1, service_time: 1s}}\n",
        {NULL}, {NULL},
        X ":7:1: services: and service exclude each other"},
    {"duration: 100s\nclients: {fleet: {count: 5, workload: once}}\nservices: {}\n",
        {NULL}, {NULL},
        X ":3:1: services: must be given: at least one service, by name"},
    {"duration: 100s\nclients: {fleet: {count: 5, workload: once}}\nservices: [db]\n",
        {NULL}, {NULL},
        X ":3:11: services: expects a mapping of services by name; got a list"},
    {TIERS "{too: db, retry: {atempts: 2}, status: 200}}\n"
        "  the db: {wokers: 2, service_time: 37ms}\n",
        {NULL}, {NULL},
        X ":4:41: services.api.calls.to: must be given: the name of a service (the service that a request calls when a worker has done its "
            "own part; the worker is held until the call ends)\n"
        X ":4:49: unknown key 'too' in services.api.calls; did you mean 'to'?\n"
        X ":4:66: unknown key 'atempts' in services.api.calls.retry; did you mean 'attempts'?\n"
        X ":4:87: services.api.calls.status: must be between 400 and 599; got '200'\n"
        X ":5:3: services: a service's name is up to 63 letters, digits, '-' and '_', the first a letter or digit; got 'the db'\n"
        X ":5:3: services.the db.workers: must be given: a whole number such as 100 or 2k (requests served at the same time)\n"
        X ":5:12: unknown key 'wokers' in services.the db; did you mean 'workers'?"},
    {TIERS "db}\n"
        "  db: {workers: 2, service_time: 37ms}\n"
        "  fleet: {workers: 2, service_time: 37ms}\n"
        "expect: [fleet.goodput > 1/s, db.goodput > 1/s, cache.goodput > 1/s]\n",
        {NULL}, {NULL},
        X ":2:11: clients: 'fleet' is a service, too: a group is not called as a service is, for figures are named by both\n"
        X ":7:49: expect: no group or service is named 'cache'; the names there are fleet, api, db"},
    {TIERS "dbb}\n"
        "  db: {workers: 2, service_time: 37ms}\n",
        {NULL}, {NULL},
        X ":4:41: services.api.calls.to: no service is named 'dbb'; did you mean 'db'?"},
    {TIERS "db}\n"
        "  db: {workers: 2, service_time: 37ms, calls: api}\n",
        {NULL}, {NULL},
        X ":4:41: services.api.calls.to: comes back to the same service: calls may not go in a circle\n"
        X ":5:40: services.db.calls.to: comes back to the same service: calls may not go in a circle"},
    {TIERS "db}\n"
        "  db: {kind: occ, calls: cache}\n"
        "  cache: {workers: 1, service_time: 1ms}\n",
        {NULL}, {NULL},
        X ":5:19: services.db.calls.to: needs a service with workers: one of kind occ has none that could wait"},
    {TIERS "{to: db, retry: {hedge: p95}}}\n"
        "  db: {workers: 2, service_time: 37ms, abandoned: leave}\n",
        {"api.calls.retry.gate=cubic"}, {NULL},
        X ":4:65: services.api.calls.retry.hedge.after: sends attempts beside the first: retry.attempts must be at least 2\n"
        X ":4:65: services.api.calls.retry.hedge.after: and abandoned: leave of the service exclude each other; skip goes with both\n"
        X ":4:65: services.api.calls.retry.hedge.after: and a gate that makes attempts wait (cubic) exclude each other"},
    {TIERS "db}\n"
        "  db: {kind: occ}\n"
        "faults:\n"
        " - {at: 1s, for: 1s, effect: freeze, service: db}\n"
        " - {at: 1s, for: 1s, effect: 503, service: db, group: fleet}\n"
        " - {at: 1s, for: 1s, effect: slow, factor: 2, service: dbs}\n",
        {NULL}, {NULL},
        X ":7:30: faults[0].effect: needs a service with workers: one of kind occ has none\n"
        X ":8:55: faults[1].group: is for the first service: no clients call another\n"
        X ":9:56: faults[2].service: no service is named 'dbs'; did you mean 'db'?"},
    /* Words that belong to another kind, and what a kind's arguments may be. */
    {SMALL "    retry: {backoff: {shape: table, factor: 3, delays: [1s]}, hint: {mode: floor, clamp: 5s}}\n",
        {"queue.discipline=lifo", "queue.target=5ms", "breaker.ratio=5%"}, {NULL},
        X ":7:37: clients.fleet.retry.backoff: 'factor' belongs to shape exponential or geometric-sum, not table\n"
        X ":7:83: clients.fleet.retry.hint: 'clamp' belongs to mode clamp, not floor\n"
        "--set queue.target=5ms: service.queue: 'target' belongs to discipline codel or controlled-delay, not lifo\n"
        "--set breaker.ratio=5%: clients.fleet.retry.breaker: 'ratio' belongs to breaker count or time, not off"},
    {SMALL "    retry: {preset: envoy, backoff: {shape: immediate, base: 5s}}\n",
        {NULL}, {NULL},
        X ":7:56: clients.fleet.retry.backoff: 'base' belongs to shape exponential or constant or linear or "
            "quadratic or late-quadratic or geometric-sum or table, not immediate"},
    {SMALL,
        {"backoff.jitter=range 2 1"}, {NULL},
        "--set backoff.jitter=range 2 1: clients.fleet.retry.backoff.jitter: the bounds must be 0 <= LO <= HI <= 100"},
    {SMALL,
        {"backoff.jitter=rising 200"}, {NULL},
        "--set backoff.jitter=rising 200: clients.fleet.retry.backoff.jitter: the growth must be between 1 and 100"},
    {SMALL,
        {"backoff.jitter=proportional"}, {NULL},
        "--set backoff.jitter=proportional: clients.fleet.retry.backoff.jitter: jitter 'proportional' is written 'proportional SHARE'"},
    {SMALL,
        {"backoff.jitter=additive 5s 6s"}, {NULL},
        "--set backoff.jitter=additive 5s 6s: clients.fleet.retry.backoff.jitter: '6s' is too much after 'additive'"},
    {SMALL,
        {"fleet.timeout=5 parsecs", "fleet.deadline=40000d", "qqqqqqqqqqqqqqqq=5"}, {NULL},
        "--set qqqqqqqqqqqqqqqq=5: no parameter is named 'qqqqqqqqqqqqqqqq'; 'stampede params' lists them\n"
        "--set fleet.timeout=5 parsecs: clients.fleet.timeout: expects a duration such as 20ms, or a distribution such as "
            "'exponential 20ms'; got '5 parsecs' (unknown unit: a duration takes ns, us, ms, s, m, h or d)\n"
        "--set fleet.deadline=40000d: clients.fleet.deadline: expects a duration such as 200ms, or 'off'; got '40000d' (longer than 30 years)"},
    /* Of sweeps. */
    {SMALL "sweep: {axes: [5], precision: [2%]}\n",
        {NULL}, {NULL},
        X ":7:15: sweep.axes: expects a mapping of paths to lists of values or ranges, or of names to labels; got a list\n"
        X ":7:31: sweep.precision: expects a share such as 2%, or a mapping with keys from half_width, figure, limit; got a list"},
    {SMALL "expect: [goodput > 5/s when jitter = full]\n",
        {NULL}, {NULL},
        X ":7:29: expect: no axis is named 'jitter': the scenario has no sweep.axes"},
    {"duration: 10s\nservices: {first: {workers: 1, service_time: 1s}, db: {workers: 1, service_time: 1s}, DB: {workers: 1, service_time: 1s}}\n"
        "clients: {all: {count: 1, workload: once}, rest: {count: 1, workload: once}}\n"
        "faults: [{at: 1s, for: 1s, effect: 503, service: first, group: all}]\n",
        {NULL}, {NULL},
        X ":2:87: services: 'DB' differs from 'db' by upper and lower case alone, which a database and some file systems do not see\n"
        X ":4:64: faults[0].group: 'all' is a word here, and one of several is called so: give that another name"},
    {"duration: 10s\nservices: {front: {workers: 1, service_time: 1s}, first: {workers: 1, service_time: 1s}}\n"
        "clients: {all: {count: 1, workload: once}}\nfaults: [{at: 1s, for: 1s, effect: 503, service: first, group: all}]\n",
        {NULL}, {NULL},
        X ":4:50: faults[0].service: 'first' is a word here, and one of several is called so: give that another name"},
    /* Names: those of groups and services stand in paths and before figures. */
    {"duration: 10s\n"
        "services: {a.b: {workers: 1, service_time: 1s}, .c: {workers: 1, service_time: 1s}}\n"
        "clients: {9lives: {count: 1, workload: once}, -x: {count: 1, workload: once}, a/b: {count: 1, workload: once}, ..: {count: 1, workload: once},\n"
        "  \xc3\xa9t\xc3\xa9: {count: 1, workload: once}, latency_s: {count: 1, workload: once}, failures_by_reason: {count: 1, workload: once},\n"
        "  goodput_per_s: {count: 1, workload: once}, goodput: {count: 1, workload: once}, \"\": {count: 1, workload: once},\n"
        "  A234567890123456789012345678901234567890123456789012345678901234: {count: 1, workload: once}}\n",
        {NULL}, {NULL},
        X ":2:12: services: a service's name is up to 63 letters, digits, '-' and '_', the first a letter or digit; got 'a.b'\n"
        X ":2:49: services: a service's name is up to 63 letters, digits, '-' and '_', the first a letter or digit; got '.c'\n"
        X ":3:47: clients: a group's name is up to 63 letters, digits, '-' and '_', the first a letter or digit; got '-x'\n"
        X ":3:79: clients: a group's name is up to 63 letters, digits, '-' and '_', the first a letter or digit; got 'a/b'\n"
        X ":3:112: clients: a group's name is up to 63 letters, digits, '-' and '_', the first a letter or digit; got '..'\n"
        X ":4:3: clients: a group's name is up to 63 letters, digits, '-' and '_', the first a letter or digit; got '\xc3\xa9t\xc3\xa9'\n"
        X ":4:36: clients: figures are called 'latency_s', too: give the group another name, so that 'NAME.FIGURE' is clear\n"
        X ":4:75: clients: figures are called 'failures_by_reason', too: give the group another name, so that 'NAME.FIGURE' is clear\n"
        X ":5:3: clients: figures are called 'goodput_per_s', too: give the group another name, so that 'NAME.FIGURE' is clear\n"
        X ":5:46: clients: figures are called 'goodput', too: give the group another name, so that 'NAME.FIGURE' is clear\n"
        X ":5:83: clients: a group's name is up to 63 letters, digits, '-' and '_', the first a letter or digit; got ''\n"
        X ":6:3: clients: a group's name is up to 63 letters, digits, '-' and '_', the first a letter or digit; got 'A234567890123456789012345678901234567890123456789012345678901234'"},
