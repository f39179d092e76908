#!/bin/sh
# The folder of results: whose files go and whose stay, and what is said of damage.
. "${srcdir:=.}/tests/tap.sh"

cat >"$work/small.yaml" <<'YAML'
duration: 2s
service: {workers: 1, service_time: 10ms}
clients:
  fleet:
    count: 5
    workload: {kind: once, at: 1s}
YAML
runs() { run "$STAMPEDE" run "$work/small.yaml" --no-chart --quiet -o "$work/dir" "$@"; }

# --force gives up results, not what lies beside them.
runs
ok "a run fills the folder" exits 0
echo mine >"$work/dir/measured.csv"
echo mine >"$work/dir/photo.png"
echo mine >"$work/dir/2025.csv"
echo old >"$work/dir/load.png"
mkdir "$work/dir/series"
echo mine >"$work/dir/series/mine.csv"
echo old >"$work/dir/series/007.csv"
runs --seed 2 --force
ok "--force runs another scenario" exits 0
ok "the user's files stay" [ -s "$work/dir/measured.csv" -a -s "$work/dir/photo.png" -a -s "$work/dir/2025.csv" -a -s "$work/dir/series/mine.csv" ]
ok "old results go" [ ! -e "$work/dir/load.png" -a ! -e "$work/dir/series/007.csv" ]

# What a killed process left; a living one's is its own.
sh -c 'echo $$' >"$work/dead"
dead=$(cat "$work/dead")
echo half >"$work/dir/.$dead.series.csv"
echo half >"$work/dir/series/.$dead.003.csv"
echo half >"$work/dir/.$$.series.csv"
echo mine >"$work/dir/.$dead.notes"
runs --seed 2
ok "left-overs of a killed process go" [ ! -e "$work/dir/.$dead.series.csv" -a ! -e "$work/dir/series/.$dead.003.csv" ]
ok "those of a living one stay" [ -e "$work/dir/.$$.series.csv" ]
ok "and files that only look alike" [ -e "$work/dir/.$dead.notes" ]

# The scenario itself in the way.
mkdir "$work/own"
{ echo "# words of its author"; cat "$work/small.yaml"; } >"$work/own/scenario.yaml"
for force in --quiet --force; do
	run "$STAMPEDE" run "$work/own/scenario.yaml" --no-chart -o "$work/own" $force
	ok "results do not replace their scenario, $force" exits 2 "is the scenario itself"
	ok "which stays as it was written" grep -q author "$work/own/scenario.yaml"
done
{ echo "# words of its author"; cat "$work/dir/scenario.yaml"; } >"$work/own/scenario.yaml"
run "$STAMPEDE" run "$work/own/scenario.yaml" --no-chart -o "$work/own"
ok "one that was written by a run may run in its place" exits 0
ok "below the words of its author" sh -c 'head -1 "$1" | grep -q author && [ "$(grep -c author "$1")" = 1 ]' - "$work/own/scenario.yaml"
{ echo "# other words"; cat "$work/dir/scenario.yaml"; } >"$work/words.yaml"
run "$STAMPEDE" run "$work/words.yaml" --no-chart -o "$work/own"
ok "other words make no other scenario" exits 0

# A damaged store.
sweep() { run "$STAMPEDE" sweep "$work/small.yaml" --axis fleet.count=2,3 --no-chart --quiet -o "$work/sweep" "$@"; }
sweep
ok "a sweep" exits 0
echo "no database, but long enough to be taken for one, were it not for its beginning" >"$work/sweep/sweep.db"
sweep
ok "a store that is none is told, with the way out" exits 3 "is damaged (file is not a database); --force"
sweep --force
ok "which it is" exits 0
dd if="$work/sweep/sweep.db" of="$work/half" bs=1000 count=5 2>/dev/null
cp "$work/half" "$work/sweep/sweep.db"
sweep
ok "a store cut short is told likewise" exits 3 "is damaged (its pages do not fit together); --force"

# Another sweep of the scenario in the folder: whatever is there of the first would be taken for the second's.
sweep --force
echo old >"$work/sweep/curves.png"
echo old >"$work/sweep/load.png"
run "$STAMPEDE" sweep "$work/small.yaml" --axis fleet.count=4 --no-chart --quiet -o "$work/sweep" --force
ok "another sweep takes the folder" exits 0
ok "the first one's charts and series go" [ ! -e "$work/sweep/curves.png" -a ! -e "$work/sweep/series/001.csv" -a -e "$work/sweep/series/000.csv" ]
ok "a run's stay" [ -e "$work/sweep/load.png" ]

# A run in a sweep's folder: the scenario there keeps what the sweep was of.
sweep --force
cp "$work/sweep/scenario.yaml" "$work/swept.yaml"
run "$STAMPEDE" run "$work/small.yaml" --no-chart --quiet -o "$work/sweep"
ok "a run leaves a sweep's scenario as it is" cmp -s "$work/swept.yaml" "$work/sweep/scenario.yaml"
mkdir "$work/here"
cp "$work/small.yaml" "$work/here/...yaml"
(cd "$work/here" && "$STAMPEDE" run ...yaml --no-chart --quiet)
ok "dots make no folder's name" [ -e "$work/here/out/scenario/summary.json" ]

# Impossible or contradictory wishes.
run "$STAMPEDE" run "$work/small.yaml" --no-chart -o "$work/stuck" --set 'workload={kind: think, think: 0s}' \
	--set 'faults=[{at: 0s, for: 1s, effect: 503}]'
ok "operations that follow each other at once are told as such" exits 2 "clients.fleet: a client made 100000 attempts at one"
ok "with what to change" grep -q "the think time" "$work/err"
run "$STAMPEDE" show "$work/small.yaml" --axis budget.burst=1,2 --axis 'budget={kind: token-bucket, burst: 3}'
ok "an axis that would undo another is refused" exits 2 "would undo the axis 'budget.burst'"
run "$STAMPEDE" show "$work/small.yaml" --axis 'budget={kind: token-bucket, burst: 3}' --axis budget.burst=1,2
ok "the other way round they go together" exits 0

# Whose folder it is: results of one scenario lie side by side, those of another are refused, whatever they are of.
try() {
	case $1 in
	tune) shift; run "$STAMPEDE" tune "$work/small.yaml" --goal "min amplification" --over fleet.retry.attempts=1..9 --points 4 \
		--replications 2 --quiet --no-chart -o "$work/shared" "$@" ;;
	sweep) shift; run "$STAMPEDE" sweep "$work/small.yaml" --quiet --no-chart -o "$work/shared" "$@" ;;
	compare) shift; run "$STAMPEDE" compare "$work/small.yaml" envoy --replications 2 --quiet --no-chart -o "$work/shared" "$@" ;;
	*) what=$1; shift; run "$STAMPEDE" "$what" "$work/small.yaml" --quiet --no-chart -o "$work/shared" "$@" ;;
	esac
}
held=
for first in run "run, a sweep" "run, a sweep, a tune" "run, a sweep, a tune, a trace"; do
	try "${first##*a }"
	ok "results of a $first lie side by side" [ $code = 0 ]
	for second in run sweep tune trace compare; do
		try $second --set fleet.timeout=1s
		exits 2 "holds results of another scenario (a $first): in scenario.yaml, at line" && grep -q "force gives them up, -o DIR" "$work/err" ||
			held="$held $second after $first"
	done
done
ok "none gives way to those of another scenario" [ -z "$held" ]
try tune --set fleet.timeout=off --goal "max goodput"
ok "another goal is told" exits 2 "tune.db' holds other runs: in the resolved scenario, at line"
try compare
ok "a comparison is a sweep of its own" exits 2 "sweep.db' holds other runs"

# A signal while a chart is drawn: all data are written; gnuplot goes with its parent, whatever it thinks of signals.
cat >"$work/slow" <<'SH'
#!/bin/sh
trap '' INT TERM
echo $$ >"$SLOW_PID"
exec sleep 60
SH
chmod +x "$work/slow"
ran="a run, stopped while its chart is drawn"
GNUPLOT=$work/slow SLOW_PID=$work/slow.pid "$STAMPEDE" run "$work/small.yaml" --quiet -o "$work/drawn" >"$work/out" 2>"$work/err" &
stampede=$!
tries=0
while [ ! -s "$work/slow.pid" ] && [ $tries -lt 300 ]; do
	sleep 0.1
	tries=$((tries + 1))
done
gnuplot=$(cat "$work/slow.pid")
ok "gnuplot is not in the group that a terminal's Ctrl-C is for" \
	[ "$(awk '{print $5}' "/proc/$gnuplot/stat")" != "$(awk '{print $5}' /proc/$stampede/stat)" ]
began=$(date +%s)
kill -TERM $stampede
wait $stampede
code=$?
ok "a chart under way holds nobody up" [ $code = 143 -a $(($(date +%s) - began)) -lt 30 ]
sleep 1
ok "it is given up" [ "$(awk '{print $3}' "/proc/$gnuplot/stat" 2>/dev/null)" != S ]
ok "and the data are there" [ -s "$work/drawn/summary.json" ]
finish
