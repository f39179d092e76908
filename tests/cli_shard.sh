#!/bin/sh
# A sweep in parts that do not talk to each other, put together: the same bytes as in one piece.
. "${srcdir:=.}/tests/tap.sh"

cat >"$work/x.yaml" <<'YAML'
title: In parts
duration: 20s
service: {workers: 2, service_time: exponential 20ms, queue: {limit: 20}}
clients:
  fleet:
    count: 40
    workload: {kind: once, at: 1s}
    retry: {attempts: 6, backoff: {base: 200ms, cap: 5s, jitter: full}}
  users: {count: 20, workload: {kind: poisson, rate: 40/s}}
faults:
  - {at: 1s, for: 2s, effect: 503}
sweep:
  axes:
    fleet.retry.backoff.jitter: [none, full, decorrelated]
    fleet.count: [20, 40]
  replications: 7
expect: [success_share >= 10%]
YAML

sweep() { run "$STAMPEDE" sweep "$work/x.yaml" --no-chart "$@"; }
merge() { run "$STAMPEDE" merge --no-chart "$@"; }
trials() { sqlite3 "$1/sweep.db" 'select count(*) from trial' 2>/dev/null || echo 14; }
# What one folder has but the store is that of the first, byte for byte.
same() {
	for f in "$work/$1"/*.csv "$work/$1"/series/*.csv "$work/$1/sweep.json" "$work/$1/scenario.yaml"; do
		cmp -s "$f" "$work/$2/${f#"$work/$1/"}" || { echo "# ${f#"$work/$1/"} differs"; return 1; }
	done
}

sweep -o "$work/whole"
sweep -o "$work/parts" --shard 2/3
ok "a shard runs its part" exits 0 "6 points x 7 replications, of which shard 2/3 = 14 trials"
ok "and makes no results" [ "$(cd "$work/parts" && find . -type f | sort | tr '\n' ' ')" = \
	"./shard-2-of-3/scenario.yaml ./shard-2-of-3/sweep.db " ]
sweep -o "$work/parts" --shard 2/3
ok "it goes on with what it has" exits 0 "; 14 already done"
sweep -o "$work/parts" --shard 3/3 --quiet
ok "and can be told to be quiet" silent

merge "$work/parts"
ok "missing trials are told with their shard" exits 2 "14 of 42 trials are missing, of shard 1/3 (14); run them and merge again"
ok "and no results are written" [ ! -e "$work/parts/summary.csv" ]
cp -r "$work/parts" "$work/rest"
sweep -o "$work/parts" --shard 1/3 -j 1
merge "$work/parts"
ok "shards are put together in their folder" exits 0 "results are in"
ok "with the bytes of the whole" same whole parts
ok "told as the sweep tells them" prints "holds at all 6 points"
run "$STAMPEDE" sweep "$work/rest/scenario.yaml" -o "$work/rest" --no-chart
ok "what is missing can be run in the merged folder, too" exits 0 "; 28 already done"
ok "with the bytes of the whole" same whole rest

merge "$work/parts/shard-3-of-3/sweep.db" "$work/parts/shard-1-of-3" "$work/parts" "$work/whole" -o "$work/merged"
ok "files and folders in any order, trials many times over" exits 0
ok "give the same bytes" same whole merged
merge "$work/parts/shard-1-of-3" "$work/parts/shard-2-of-3" --force
ok "results do not go where a part is" exits 2 "shard-1-of-3' is a part itself"
ok "which stays as it was" [ "$(trials "$work/parts/shard-1-of-3")" = 14 ]
cp -r "$work/parts" "$work/locked"
(flock 9; run "$STAMPEDE" merge --no-chart "$work/locked" -o "$work/merged") 9<"$work/locked/shard-1-of-3"
ok "a part may be open elsewhere" same whole merged
ok "and is only read" cmp -s "$work/parts/shard-1-of-3/sweep.db" "$work/locked/shard-1-of-3/sweep.db"
merge "$work/parts" -o "$work/merged"
ok "and again" exits 0
ok "the same bytes" same whole merged
sweep -o "$work/merged" --quiet
ok "the merged folder is the sweep's" silent

# Many shards, at the same time, in one folder; then more replications, in whose parts the earlier ones stay where they were.
for replications in 7 9; do
	pids=
	for k in 01 02 03 04 05 06 07 08 09 10 11; do
		"$STAMPEDE" sweep "$work/x.yaml" --shard $k/11 -o "$work/many" -j 1 --replications $replications --quiet 2>>"$work/noise" &
		pids="$pids $!"
	done
	wait $pids
done
ok "shards run at the same time, in silence" [ ! -s "$work/noise" ]
sweep -o "$work/many" --shard 4/11 --replications 9
ok "have their part of all replications" exits 0 " = 5 trials on"
merge "$work/many" --quiet
ok "are merged in silence" silent
sweep -o "$work/nine" --replications 9
ok "to the bytes of all at once" same nine many

# A precision is looked at point by point: a point is of one shard.
for k in 1 2 3 4; do
	sweep -o "$work/exact" --shard $k/4 --replications 3 --precision "4% of goodput" --max-replications 40
	[ $k = 3 ] && merge "$work/exact"
	[ $k = 3 ] && ok "rounds that are missing are told" exits 2 "trials are missing, of shard 4/4 ("
done
merge "$work/exact"
ok "as many runs as a precision takes, in shards" prints "precision: 4 % of goodput reached"
sweep -o "$work/exactly" --replications 3 --precision "4% of goodput" --max-replications 40
ok "are those of one piece" same exactly exact
sweep -o "$work/sample" --shard 1/2 --sample 5 --axis fleet.count=10..100
sweep -o "$work/sample" --shard 2/2 --sample 5 --axis fleet.count=10..100
merge "$work/sample"
sweep -o "$work/sampled" --sample 5 --axis fleet.count=10..100
ok "so are those of a sample" same sampled sample

# The files that a scenario names go along.
mkdir "$work/author"
printf 'time_s,rate_per_s\n0,20\n10,80\n' >"$work/author/day.csv"
sed 's/kind: poisson, rate: 40\/s/kind: trace, file: day.csv/; s/^title.*//' "$work/x.yaml" >"$work/author/traced.yaml"
run "$STAMPEDE" sweep "$work/author/traced.yaml" --no-chart -o "$work/traced-whole"
for k in 1 2; do run "$STAMPEDE" sweep "$work/author/traced.yaml" --no-chart -o "$work/traced" --shard $k/2; done
rm -r "$work/author"
merge "$work/traced"
ok "merging needs nothing but the shards" exits 0
ok "also where a trace is read" same traced-whole traced

# What cannot be.
sweep -o "$work/other" --shard 1/3 --seed 2
merge "$work/parts" "$work/other" -o "$work/both"
ok "another seed is refused" exits 2 "its seed is 2, this one's 1; only parts of one sweep can be merged"
sweep -o "$work/other" --shard 1/3 --set service.workers=3 --force
merge "$work/parts" "$work/other" -o "$work/both"
ok "another scenario too, with what differs" exits 2 "workers: 3"
merge "$work/parts" "$work/nine" -o "$work/both"
ok "and more replications" exits 2 "has 9 replications, more than the 7 that the first part asks for"
mkdir "$work/empty"
merge "$work/empty"
ok "a folder without shards is told" exits 2 "no shard of a sweep is in '$work/empty'"
merge "$work/none" -o "$work/both"
ok "one that is not there too" exits 2 "no shard of a sweep is in '$work/none'"
sweep -o "$work/parts" --shard 4/3
ok "shard 4 of 3 is none" exits 2 "option '--shard', argument '4/3': expected K/N"
sweep -o "$work/parts" --shard 0/3
ok "nor is shard 0" exits 2 "expected K/N"
if command -v sqlite3 >/dev/null; then
	sqlite3 "$work/parts/shard-2-of-3/sweep.db" "update trial set fingerprint = 'x' where rowid = 1"
	merge "$work/parts" -o "$work/whole"
	ok "two results for one trial are told" exits 3 "compute differently"
else
	skip "two results for one trial are told" "no sqlite3"
fi
finish
