# herd.sh - a small sweep for the tests of sweeps: a scenario, and what its CSVs are compared with. To be sourced after tap.sh.

# herd REPLICATIONS: writes the scenario.
herd() {
cat >"$work/herd.yaml" <<YAML
title: A small herd
duration: 1m
service:
  workers: 4
  service_time: exponential 20ms
  queue: {limit: 20}
clients:
  fleet:
    count: 300
    workload: {kind: once, at: 1s}
    retry: {attempts: 6, backoff: {base: 200ms, cap: 5s, jitter: full}}
  users:
    count: 20
    workload: {kind: poisson, rate: 60/s}
    retry: {attempts: 2, backoff: {base: 200ms}}
faults:
  - {at: 1s, for: 2s, effect: 503}
sweep:
  axes:
    fleet.retry.backoff.jitter: [none, full, decorrelated]
    fleet.count: [100, 300]
  replications: $1
YAML
}

sweep() { run "$STAMPEDE" sweep "$work/herd.yaml" --no-chart "$@"; }
# The CSVs and the figures of one folder are those of the first, byte for byte.
same() {
	for csv in "$work/whole"/*.csv "$work/whole"/series/*.csv "$work/whole/sweep.json"; do
		cmp -s "$csv" "$1/${csv#"$work/whole/"}" || { echo "# ${csv#"$work/whole/"} differs"; return 1; }
	done
}
