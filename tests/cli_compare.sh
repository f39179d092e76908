#!/bin/sh
# compare: scenarios and presets on the same random numbers, what is told of them, and what cannot be compared.
. "${srcdir:=.}/tests/tap.sh"

herd() {
	cat <<YAML
duration: 40s
service: {workers: 4, service_time: exponential 20ms, queue: {limit: 20}}
clients:
  fleet:
    count: 200
    workload: {kind: once, at: 1s}
    retry: $1
  users:
    count: 20
    workload: {kind: poisson, rate: 60/s}
faults: [{at: 1s, for: 2s, effect: 503}]
sweep: {axes: {fleet.count: [100, 200]}, replications: 3}
YAML
}
herd '{attempts: 6, backoff: {base: 200ms, cap: 5s, jitter: none}}' >"$work/sync.yaml"
herd '{attempts: 6, backoff: {base: 200ms, cap: 5s}}' >"$work/full.yaml"
herd '{attempts: 6, backoff: {shape: constant, base: 2s, jitter: full}, budget: {kind: token-bucket, rate: 20/s, burst: 20}}' |
	sed 's/limit: 20/limit: 30/; s/^faults.*//' >"$work/other.yaml"
compare() { run "$STAMPEDE" compare --no-chart "$@"; }
fingerprint() { sqlite3 "$1" "select fingerprint from trial where point = $2 and replication = 0"; }

compare "$work/sync.yaml" "$work/full.yaml" "$work/other.yaml" -o "$work/c" --replications 4 -j 1
ok "scenarios are compared as they stand, without their axes" exits 0 "3 points x 4 replications = 12 trials"
ok "what differs is said" prints "they differ in service, clients.fleet.retry, faults"
ok "a row a policy" grep -q '^full  *[0-9]' "$work/out"
ok "jitter is better than none, by so much" grep -q '^after fault peak x capacity: full is better than sync by [0-9]' "$work/out"
ok "a figure that one lacks is absent" grep -q '^recovery time: .*absent in some run: other' "$work/out"
for f in scenario.yaml summary.csv compare.csv sweep.json sweep.db series/002.csv; do
	ok "it leaves $f" [ -s "$work/c/$f" ]
done
cp "$work/c/summary.csv" "$work/first.csv"
compare "$work/sync.yaml" "$work/full.yaml" "$work/other.yaml" -o "$work/c" --replications 4 --quiet
ok "the same command again finds all done" silent
compare "$work/sync.yaml" "$work/full.yaml" "$work/other.yaml" -o "$work/c" --replications 6 -j 2
ok "and goes on if more is asked for" exits 0 "12 already done"
compare "$work/full.yaml" "$work/sync.yaml" -o "$work/c"
ok "the folder is of what it has" exits 2 "--force gives them up"
if command -v sqlite3 >/dev/null; then
	point=0
	for name in sync full other; do
		run "$STAMPEDE" run "$work/$name.yaml" --no-chart --format json -o "$work/run-$name"
		ok "point $point is the scenario $name" grep -qF "$(fingerprint "$work/c/sweep.db" $point)" "$work/out"
		point=$((point + 1))
	done
else
	skip "points are the scenarios" "no sqlite3"
fi
cp "$work/c/scenario.yaml" "$work/again.yaml"
run "$STAMPEDE" sweep "$work/again.yaml" --replications 4 --no-chart -o "$work/again"
ok "its scenario.yaml is a sweep that gives the same" cmp -s "$work/again/summary.csv" "$work/first.csv"

compare "$work/full.yaml" envoy polly -o "$work/p" --replications 3
ok "presets are tried in the first scenario" prints "they differ in clients.fleet.retry, clients.users.retry"
compare "$work/full.yaml" envoy polly -o "$work/g" --replications 3 --group fleet --set fleet.retry.attempts=4 --format csv
ok "--group tries them in one" grep -q '^      envoy: {clients.fleet.retry.on' "$work/g/scenario.yaml"
ok "--set goes over them" grep -q '      attempts: 4' "$work/g/scenario.yaml"
ok "and is then no difference" [ "$(grep -c 'attempts: 2' "$work/g/scenario.yaml")" = 0 ]
ok "CSV has a row a policy and figure" [ "$(grep -c '^polly,' "$work/out")" = 6 ]
ok "with a head" prints "policy,figure,clients,n,never,mean,lo,hi,difference,difference_lo,difference_hi,p,p_holm,verdict"
compare envoy polly --in "$work/full.yaml" -o "$work/in" --replications 3 --format md --figures fleet.success_share,latency.p99
ok "which are kept" grep -qF '"figures": ["fleet.success_share", "latency_s_p99"]' "$work/in/sweep.json"
ok "--in names the scenario, --figures what is compared" prints "| policy | fleet: served % | all: latency\\_s.p99 |"
for preset in $("$STAMPEDE" presets | sed '1d; s/ .*//'); do
	presets="${presets-} $preset"
done
compare "$work/sync.yaml" $presets -o "$work/all" --replications 1 --quiet
ok "every preset can be compared" silent
ok "one run is no comparison" prints "one run has no interval"
cp "$work/all/scenario.yaml" "$work/all.yaml"
run "$STAMPEDE" show "$work/all.yaml"
ok "and be read back" exits 0

# Files that scenarios name, each beside its own.
for folder in near far; do
	mkdir "$work/$folder"
	sed 's/{kind: poisson, rate: 60.s}/{kind: trace, file: load.csv}/' "$work/full.yaml" >"$work/$folder/$folder.yaml"
done
printf 'time_s,count\n0,100\n10,100\n' >"$work/near/load.csv"
printf 'time_s,count\n0,900\n10,900\n' >"$work/far/load.csv"
cp "$work/near/near.yaml" "$work/near/twin.yaml"
(cd "$work/near" && run "$STAMPEDE" compare near.yaml ../far/far.yaml --no-chart -q -j 1 -o ../files --replications 1 --figures users.operations --format csv; cp "$work/out" "$work/files.csv")
ok "a relative file is sought beside its own scenario" sh -c 'grep -q "^near,operations,users,1,0,200," "$1" && grep -q "^far,operations,users,1,0,1800," "$1"' - "$work/files.csv"
ok "the first's is copied" cmp -s "$work/near/load.csv" "$work/files/load.csv"
run "$STAMPEDE" sweep "$work/files/scenario.yaml" --no-chart -q -j 1 -o "$work/files-again"
ok "and both are found again from the results' folder" cmp -s "$work/files/summary.csv" "$work/files-again/summary.csv"
compare "$work/near/near.yaml" "$work/near/twin.yaml" -q -j 1 -o "$work/twins" --replications 1
ok "scenarios beside each other share it" prints "they do not differ"

compare envoy polly
ok "presets need a scenario" exits 2 "'envoy' is a preset: --in FILE says in which scenario"
compare "$work/full.yaml" evnoy
ok "a slip is told" exits 2 "no file and no preset is named 'evnoy'; did you mean 'envoy'?"
compare "$work/full.yaml" envoy --group flet
ok "also in a group" exits 2 "no group of clients is called 'flet'; did you mean 'fleet'?"
compare "$work/full.yaml" envoy --figures fleet.sucess_share,bla
ok "and in figures" exits 2 "did you mean 'fleet.success_share'?"
ok "all of them" exits 2 "no figure is named 'bla'"
compare "$work/full.yaml" "$work/full.yaml"
ok "a policy against itself is a slip" exits 2 "is named twice"
compare "$work/full.yaml"
ok "and so is one alone" exits 2 "missing operand"
sed 's/40s/50s/; s/^sweep.*/bin: 1s/' "$work/full.yaml" >"$work/longer.yaml"
compare "$work/full.yaml" "$work/longer.yaml"
ok "other stretches are not compared" exits 2 "cannot compare: duration is 50s in 'longer' and 40s in 'full'; '--set duration=VALUE'"
ok "nor other bins" exits 2 "bin is 1s in 'longer'"
compare "$work/full.yaml" "$work/longer.yaml" --set duration=30s --set bin=100ms --replications 2 -o "$work/set"
ok "--set makes them the same" prints "they do not differ"
ok "to the last bit" grep -q '^success share: the same in every run: longer' "$work/out"
finish
