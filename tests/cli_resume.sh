#!/bin/sh
# A sweep stopped in any way goes on where it was with the same command, and in the end its CSVs are the same bytes.
. "${srcdir:=.}/tests/tap.sh"
. "$srcdir/tests/herd.sh"

herd 200
trials() { command -v sqlite3 >/dev/null && sqlite3 "$1/sweep.db" 'select count(*) from trial' 2>/dev/null; }
# sound FOLDER: SQLite finds no fault in the store, where there is one to ask.
sound() { ! command -v sqlite3 >/dev/null || [ "$(sqlite3 "$1/sweep.db" 'pragma integrity_check')" = ok ]; }
# appears TEXT FILE: it does, within half a minute.
appears() {
	tries=0
	until grep -qF -- "$1" "$2" 2>/dev/null; do
		tries=$((tries + 1))
		[ $tries -lt 600 ] || return 1
		sleep 0.05
	done
}

sweep -o "$work/whole" -j 2
ok "a sweep runs to its end" exits 0 "6 points x 200 replications = 1200 trials on 2 threads"

# Killed at twenty moments. Which these are does not matter for what is tested; how much each left is told for those who wonder.
left=
for life in $(awk 'BEGIN { srand(2385); for (i = 0; i < 20; i++) printf "%.3f ", 0.1 + 0.4 * rand() }'); do
	"$STAMPEDE" sweep "$work/herd.yaml" --no-chart -j $((1 + ${#left} % 2)) -o "$work/killed" >/dev/null 2>&1 &
	pid=$!
	sleep "$life"
	kill -KILL $pid 2>/dev/null
	wait $pid 2>/dev/null
	left="$left $(trials "$work/killed")"
done
echo "# trials after each kill:$left"
ok "the store is sound" sound "$work/killed"
sweep -o "$work/killed" -j 2
ok "a sweep killed at twenty moments goes on" exits 0
ok "and gives the same bytes" same "$work/killed"

# A longer one, to be under way when the signal comes. In the background of a script SIGINT is ignored, and stays so: bash with
# job control is asked for that.
set -- sweep "$work/herd.yaml" --no-chart -j 2 -o "$work/stopped" --set duration=2m --replications 20000
ran="stampede $*, sent SIGTERM"
"$STAMPEDE" "$@" >"$work/out" 2>"$work/err" &
pid=$!
ok "it says what it is about to do" appears "= 120000 trials" "$work/err"
ok "and how long that takes" appears "for the other 119992, at the pace of the first 8" "$work/err"
kill -TERM $pid
wait $pid
code=$?
ok "SIGTERM stops it with exit 130" exits 130 "the same command goes on"
ok "finished trials are kept" exits 130 "of 120000 trials are kept in '$work/stopped/sweep.db'"
ok "no result is written half" [ ! -e "$work/stopped/summary.csv" ]
kept=$(sed -n 's/.*interrupted; \([0-9]*\) of.*/\1/p' "$work/err")
ok "the message counts what the store has" [ "$(trials "$work/stopped" || echo "$kept")" = "$kept" ]
if command -v bash >/dev/null; then
	# A caller that ignores SIGINT hands that down, and a shell cannot take it back: env can.
	run bash -c 'set -m; env --default-signal=INT "$0" "$@" &
		until grep -q "= 120000 trials" "'$work/err'"; do sleep 0.05; done; kill -INT $!; wait $!' "$STAMPEDE" "$@"
	ok "Ctrl-C stops it with exit 130" exits 130 "the same command goes on"
	ok "it went on from where it was" exits 130 "; $kept already done"
else
	skip "Ctrl-C stops it with exit 130" "no bash"
	skip "it went on from where it was" "no bash"
fi

# The files that a scenario names are a part of it: the folder has copies, and is of what they held.
mkdir "$work/from" "$work/from/data"
sed 's|exponential 20ms|empirical data/times.csv|' "$work/herd.yaml" >"$work/from/herd.yaml"
printf '0.02\n0.03\n0.01\n' >"$work/from/data/times.csv"
files() { run "$STAMPEDE" "$1" "$work/from/herd.yaml" --no-chart --quiet -o "$work/files" --set sweep.replications=2; }
files sweep
ok "a sweep over a table of times" silent
ok "keeps the table" cmp -s "$work/from/data/times.csv" "$work/files/data/times.csv"
cp "$work/files/summary.csv" "$work/files.csv"
run "$STAMPEDE" sweep "$work/files/scenario.yaml" --no-chart --quiet -o "$work/again"
ok "its scenario reads back from its own folder" silent
ok "to the same bytes" cmp -s "$work/files.csv" "$work/again/summary.csv"
files sweep
ok "the same command finds all done" silent
echo 0.05 >>"$work/from/data/times.csv"
files sweep
ok "another table under the same name is refused" exits 2 "data/times.csv: 20 bytes"
files run
ok "by a run too" exits 2 "--force gives them up"
ok "and the copy stays" [ "$(wc -c <"$work/files/data/times.csv")" = 15 ]
run "$STAMPEDE" sweep "$work/from/herd.yaml" --no-chart --quiet -o "$work/files" --set sweep.replications=2 --force
ok "--force takes the new one" cmp -s "$work/from/data/times.csv" "$work/files/data/times.csv"

# The machine's failures: the file may grow no more, the disk is full, the folder may only be read.
ran="with a limit on the size of files"
(ulimit -f 100 && "$STAMPEDE" sweep "$work/herd.yaml" --no-chart -o "$work/full" >"$work/out" 2>"$work/err")
code=$?
ok "a file that cannot grow is told" exits 3 "sweep.db'"
ok "the store is sound" sound "$work/full"
sweep -o "$work/full"
ok "and the sweep goes on when there is room" exits 0
ok "with the same bytes" same "$work/full"
mkdir "$work/disk"
if [ "$(id -u)" = 0 ] && mount -t tmpfs -o size=50m none "$work/disk" 2>/dev/null; then
	trap 'umount "$work/disk"; rm -rf "$work"' EXIT
	sweep -o "$work/disk/sweep" --replications 20 # which are there, however late the first commit comes on the full disk
	mount -o remount,size=$(($(du -sk "$work/disk" | cut -f1) + 600))k "$work/disk"
	sweep -o "$work/disk/sweep"
	ok "a full disk is told" exits 3 "the disk is full"
	ok "the store is sound" sound "$work/disk/sweep"
	echo "# trials on the full disk: $(trials "$work/disk/sweep")"
	mount -o remount,size=50m "$work/disk"
	sweep -o "$work/disk/sweep"
	ok "and the sweep goes on when there is room" exits 0 "already done"
	ok "with the same bytes" same "$work/disk/sweep"
	mount -o remount,ro "$work/disk"
	sweep -o "$work/disk/sweep" --replications 210
	ok "a disk that may only be read is told" exits 3 "sweep"
	cat "$work/err" | sed 's/^/# /'
	ok "and nothing is lost" same "$work/disk/sweep"
else
	for name in "a full disk is told" "the store is sound" "and the sweep goes on when there is room" "with the same bytes" \
		"a disk that may only be read is told" "and nothing is lost"; do
		skip "$name" "only root can mount one"
	done
fi
finish
