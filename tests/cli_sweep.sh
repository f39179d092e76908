#!/bin/sh
# A sweep: its files, the same bytes on any number of threads, whose folder it is. (Stopped sweeps: cli_resume.sh.)
. "${srcdir:=.}/tests/tap.sh"
. "$srcdir/tests/herd.sh"

herd 40
sweep -o "$work/whole" -j 1
ok "a sweep runs to its end" exits 0 "6 points x 40 replications = 240 trials on 1 thread"
ok "it prints its result on stdout" [ -s "$work/out" ]
for f in scenario.yaml summary.csv compare.csv sweep.json sweep.db; do
	ok "it leaves $f" [ -s "$work/whole/$f" ]
done
ok "summary.csv has a row a point" [ "$(wc -l <"$work/whole/summary.csv")" = 7 ]
ok "and the figures of groups" grep -q ',abandoned_hi,fleet.operations,.*,users.success_share_hi' "$work/whole/summary.csv"
ok "sweep.json has the groups and those that axes name" grep -qF '"groups": ["fleet", "users"],' "$work/whole/sweep.json"
ok "which is the fleet" grep -qF '"swept_groups": ["fleet"],' "$work/whole/sweep.json"
ok "no file of work is left" [ -z "$(find "$work/whole" -name '*-wal' -o -name '*-shm' -o -name '.stampede*')" ]
for threads in 2 8; do
	sweep -o "$work/threads" -j $threads --force
	ok "$threads threads give the same bytes" same "$work/threads"
done
sweep -o "$work/whole" --quiet
ok "the same command again finds all done" silent
ok "and leaves the same bytes" same "$work/whole"

# Whose folder it is.
cp -r "$work/whole" "$work/shared"
run "$STAMPEDE" run "$work/herd.yaml" --no-chart -o "$work/shared"
ok "a run of the same scenario shares the folder" exits 0
sweep -o "$work/shared" --quiet
ok "and the sweep still knows its own" silent
run "$STAMPEDE" run "$work/herd.yaml" --no-chart -o "$work/shared" --seed 2
ok "a run of another is refused" exits 2 "holds results of another scenario"
sweep -o "$work/whole" --set service.workers=5
ok "another scenario's folder is refused" exits 2 "--force"
ok "with what differs" exits 2 "workers: 5"
sweep -o "$work/whole" --seed 2
ok "another seed is refused" exits 2 "seed: 2"
sweep -o "$work/whole" --axis 'fleet.count=100,200'
ok "other axes are refused" exits 2 "holds other runs"
sweep -o "$work/whole" --replications 3
ok "fewer replications are refused" exits 2 "40 replications"
ok "and all of it is left alone" same "$work/whole"
cp -r "$work/whole" "$work/forced"
echo 1 | tee "$work/forced/traffic.csv" >"$work/forced/series/mine.csv"
sweep -o "$work/forced" --seed 2 --replications 3 --force
ok "--force starts afresh" exits 0 "6 points x 3 replications = 18 trials"
ok "what is not the sweep's is left alone" cmp -s "$work/forced/traffic.csv" "$work/forced/series/mine.csv"
ok "with other results" [ "$(cmp -s "$work/whole/summary.csv" "$work/forced/summary.csv"; echo $?)" = 1 ]
sweep -o "$work/more" --replications 15 --quiet
sweep -o "$work/more" --replications 40
ok "more replications go on" exits 0 "; 90 already done"
ok "and give the bytes of all at once" same "$work/more"

# A sample of the axes.
run "$STAMPEDE" sweep "$work/herd.yaml" -o "$work/sample" --axis fleet.count=log\ 10..300 --axis backoff.base=50ms..500ms \
	--sample 20 --replications 2 -j 1 --no-chart
ok "a sample is drawn" exits 0 "20 points x 2 replications = 40 trials"
ok "with the values used" grep -q '^4,[a-z]*,[0-9]*,[0-9.]*ms,2,' "$work/sample/summary.csv"
cp "$work/sample/summary.csv" "$work/sample.csv"
run "$STAMPEDE" sweep "$work/sample/scenario.yaml" -o "$work/sample" --no-chart --quiet
ok "its scenario reads back to the same points" silent
run "$STAMPEDE" sweep "$work/sample/scenario.yaml" -o "$work/sample" -j 2 --force --no-chart
ok "and on two threads to the same bytes" cmp -s "$work/sample.csv" "$work/sample/summary.csv"
run "$STAMPEDE" sweep "$work/sample/scenario.yaml" -o "$work/sample" --sample 27 --no-chart
ok "a larger sample goes on with the points it has" exits 0 "; 40 already done"
ok "which it begins with" [ "$(cut -d, -f1-5 "$work/sample/summary.csv" | head -21)" = "$(cut -d, -f1-5 "$work/sample.csv")" ]
run "$STAMPEDE" sweep "$work/sample/scenario.yaml" -o "$work/larger" --no-chart
for f in summary.csv compare.csv sweep.json scenario.yaml series/025.csv; do
	ok "to the bytes of all at once: $f" cmp -s "$work/sample/$f" "$work/larger/$f"
done
run "$STAMPEDE" sweep "$work/sample/scenario.yaml" -o "$work/sample" --sample 26
ok "a smaller one is refused" exits 2 "has 27 points of this sweep already, more than the 26 asked for"
run "$STAMPEDE" sweep "$work/herd.yaml" -o "$work/sample"
ok "and so are all combinations" exits 2 "holds other runs"

# The queries of docs/experiments.md, on a small sweep of the scenario that they are about.
if command -v sqlite3 >/dev/null; then
	run "$STAMPEDE" sweep "$srcdir/scenarios/outage.yaml" -o "$work/outage" --set duration=45s --set fleet.count=20 --replications 2 --no-chart --quiet
	sed -n '/^```sql/,/^```/p' "$srcdir/docs/experiments.md" | grep -v '^```' >"$work/queries.sql"
	run sqlite3 "$work/outage/sweep.db" ".read $work/queries.sql"
	ok "the documented queries run" silent
	ok "and have a row a policy, a row a group and policy, a row a point" [ "$(awk -F'|' '{ n[NF]++ } END { print n[3], n[4] }' "$work/out")" = "8 39" ]
else
	skip "the documented queries run" "no sqlite3"
fi

# More than can be held is refused before anything is run.
sweep -o "$work/huge" --axis 'seed=1..2000 step 1' --replications 1M
ok "too many runs are refused with the bound" exits 2 "at most 10000000 can be asked for"
sweep -o "$work/huge" --axis 'seed=1..2000 step 1' --precision 1% --max-replications 1M
ok "as many as a precision may take, too" exits 2 "limit=1M: sweep.precision.limit: 12000 points x 1000000 runs may be 12000000000 runs; at most 10000000 can be asked for"
ok "and nothing is made" [ ! -e "$work/huge" ]

# The machine's failures.
: >"$work/file"
sweep -o "$work/file/below"
ok "a file in the folder's place" exits 3 "Not a directory"
sweep -o "$work/file"
ok "a file as the folder" exits 3 "Not a directory"
if [ "$(id -u)" != 0 ]; then
	mkdir "$work/locked" && chmod a-w "$work/locked"
	sweep -o "$work/locked"
	ok "a folder that may not be written" exits 3 "Permission denied"
elif sweep -o /proc/stampede && [ ! -d /proc/stampede ]; then
	ok "a folder that cannot be written" exits 3 "cannot make folder '/proc/stampede'"
else
	skip "a folder that may not be written" "for root there is none"
fi
sweep -o "$work/new/parent/folder" --replications 1 --quiet
ok "parents are made" silent
finish
