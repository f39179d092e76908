#!/bin/sh
# A tune: what it prints and leaves; stopped in any way it goes on where it was; mistakes with their places.
. "${srcdir:=.}/tests/tap.sh"

cat >"$work/herd.yaml" <<'YAML'
title: A small herd
duration: 40s
service: {workers: 1, service_time: constant 20ms, queue: {limit: 25}}   # 50/s
clients:
  herd:  {count: 400, workload: {kind: once, at: 1s, spread: 5s}, retry: {attempts: 2, backoff: {base: 1s, cap: 20s, jitter: full}}}
  users: {count: 20, workload: {kind: poisson, rate: 10/s}, retry: {attempts: 1}}
YAML

tune() {
	run "$STAMPEDE" tune "$work/herd.yaml" --goal 'min herd.last_success' --subject-to 'reject_share <= 1%' \
		--over 'herd.workload.spread=1s..30s,base=100ms..5s,jitter=none,full' --points 12 --replications 3 --runs 250 --no-chart "$@"
}
same() { cmp -s "$work/whole/tune.csv" "$1/tune.csv" && cmp -s "$work/whole/tune.json" "$1/tune.json"; }
field() { awk -F, -v name="$2" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) c = i } NR > 1 { print $c }' "$1"; }

tune -o "$work/whole" -j 1
ok "a tune runs to its end" exits 0 "stampede: at most "
ok "it names the best" prints "The best that surely keeps the bounds is point "
ok "as settings to paste" prints "  --set herd.workload.spread="
ok "it runs no more than it may" [ "$(field "$work/whole/tune.csv" runs | awk '{ s += $1 } END { print (s <= 250) }')" = 1 ]
for f in scenario.yaml tune.csv tune.json tune.db; do
	ok "it leaves $f" [ -s "$work/whole/$f" ]
done
ok "one point is first" [ "$(field "$work/whole/tune.csv" rank | grep -cx 1)" = 1 ]
ok "and keeps the bound" [ "$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) { if ($i == "rank") r = i; if ($i == "bounds") b = i } }
	$r == 1 { print $b }' "$work/whole/tune.csv")" = holds ]
ok "the four best are confirmed by as many fresh runs as they were chosen by" [ "$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i }
	NR > 1 && $c["fresh_runs"] > 0 { n++; bad += $c["rank"] > 4 || $c["fresh_runs"] != $c["runs"] ||
		$c["fresh_herd.last_success_s"] == $c["herd.last_success_s"] } END { print n, bad + 0 }' "$work/whole/tune.csv")" = "4 0" ]
ok "both are told" prints " 12 fresh"
ok "some are on the front" [ "$(field "$work/whole/tune.csv" front | grep -cx 1)" -ge 1 ]
cp "$work/out" "$work/first.out"
settings=$(sed -n 's/^  \(--set .*\)/\1/p' "$work/out")
eval "run \"\$STAMPEDE\" run \"\$work/herd.yaml\" $settings -o \"\$work/run\" --no-chart"
ok "the settings can be pasted" exits 0

for threads in 2 7; do
	tune -o "$work/threads" -j $threads --force
	ok "$threads threads give the same bytes" same "$work/threads"
done
tune -o "$work/whole" --quiet
ok "the same command again finds all done" silent
ok "and prints the same" cmp -s "$work/out" "$work/first.out"

for life in 0.2 0.3; do
	"$STAMPEDE" tune "$work/herd.yaml" --goal 'min herd.last_success' --subject-to 'reject_share <= 1%' \
		--over 'herd.workload.spread=1s..30s,base=100ms..5s,jitter=none,full' --points 12 --replications 3 --runs 250 --no-chart \
		-j 1 -o "$work/killed" >/dev/null 2>&1 &
	sleep $life
	kill -9 $! 2>/dev/null
	wait $! 2>/dev/null
done
tune -o "$work/killed"
ok "killed twice, it goes on" exits 0
ok "to the same bytes" same "$work/killed"

# It says how much there is to do once it listens to signals. Two million runs outlast that.
: >"$work/err"
"$STAMPEDE" tune "$work/herd.yaml" --goal 'min herd.last_success' --over 'herd.workload.spread=1s..30s' --replications 1000 \
	--no-chart -j 1 -o "$work/stopped" >"$work/out" 2>"$work/err" &
until grep -q "at most" "$work/err" || ! kill -0 $! 2>/dev/null; do sleep 0.1; done
kill -TERM $!
wait $!
code=$?
ok "a signal ends it in good order" exits 130 "interrupted; "
ok "and what is finished is kept" grep -q "runs are kept in .*; the same command goes on" "$work/err"

tune -o "$work/more" --runs 150
tune -o "$work/more"
ok "more runs may be asked for later" exits 0
ok "with the same bytes as at once" same "$work/more"
tune -o "$work/more" --goal 'min goodput'
ok "another goal is another tune" exits 2 "goal"

tune -o "$work/none" --subject-to 'herd.success_share > 101%' 2>/dev/null
ok "a bound that cannot be is told" exits 2 "--subject-to"
run "$STAMPEDE" tune "$work/herd.yaml" --goal 'min herd.last_success' --subject-to 'goodput >= 1k/s' --over 'base=1s..5s' \
	--points 4 --replications 2 --no-chart -o "$work/far"
ok "where none keeps the bounds the nearest is shown" prints "No point keeps the bounds. The nearest is point "

run "$STAMPEDE" tune "$srcdir/scenarios/outage.yaml" --goal 'min recovery_time' --subject-to 'after_fault_peak_x_capacity <= 1.2' \
	--over base=50ms..2s,cap=5s..120s,jitter,budget.rate=off,1/s..200/s --set duration=50s --set fleet.count=50 --points 4 \
	--replications 2 --runs 16 --no-chart -o "$work/outage"
ok "short names work where a scenario has several groups" exits 0 \
	"backoff.base is clients.fleet.retry.backoff.base and clients.background.retry.backoff.base"
ok "a budget that the scenario has off is put on" prints "--set budget.kind=token-bucket --set budget.rate="

cat >"$work/labels.yaml" <<YAML
$(cat "$work/herd.yaml")
faults: [{at: 2s, for: 3s, effect: 503}, {at: 10s, for: 1s, effect: 503}]
sweep: {axes: {policy: {calm: {herd.retry.backoff.base: 2s}, hasty: {herd.retry.backoff.base: 100ms}}}}
YAML
policy() { run "$STAMPEDE" tune "$1" --goal 'min herd.last_success' --over 'policy,faults[0].at=1s..5s' --points 4 --replications 2 --no-chart -o "$2"; }
policy "$work/labels.yaml" "$work/labels"
ok "labels and one fault of several are searched" prints "--set 'faults[0].at="
policy "$work/labels/scenario.yaml" "$work/labelled"
ok "the scenario in the folder has the labels" cmp -s "$work/labels/tune.csv" "$work/labelled/tune.csv"

run "$STAMPEDE" tune "$work/herd.yaml" --over base=1s..2s
ok "a goal must be given" exits 2 "--goal: is missing"
run "$STAMPEDE" tune "$work/herd.yaml" --goal 'min recovry_time' --over 'bse=1s..2s' --points 2
ok "mistakes are told at once: the goal's" exits 2 "did you mean 'recovery_time'?"
ok "the space's" exits 2 "--over: no parameter is named 'bse'"
ok "the options'" exits 2 "--points"
run "$STAMPEDE" tune "$work/herd.yaml" --goal 'min goodput' --over base=1s..2s --runs 10
ok "too few runs are told with what it takes" exits 2 "--runs 10 is too few"
run "$STAMPEDE" tune "$work/herd.yaml" --goal 'min goodput'
ok "so is nothing to search over" exits 2 "--over: expects from 1 to 40 parameters"

if command -v "${GNUPLOT:-gnuplot}" >/dev/null; then
	run "$STAMPEDE" plot "$work/whole"
	ok "plot draws its front" [ -s "$work/whole/front.png" ]
	ok "as SVG too" [ -s "$work/whole/front.svg" ]
else
	skip "plot draws its front" "no gnuplot"
fi
finish
