#!/bin/sh
# The same sweep over the ranks of an MPI job: the same bytes as on threads, also if a rank is killed in the middle.
. "${srcdir:=.}/tests/tap.sh"
. "$srcdir/tests/herd.sh"

mpi=$STAMPEDE-mpi
if ! [ -x "$mpi" ] || ! command -v mpirun >/dev/null; then
	echo "1..0 # SKIP no stampede-mpi or no mpirun"
	exit 0
fi
# Open MPI: as root, and with more ranks than processors, if need be.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
export OMPI_MCA_hwloc_base_binding_policy=none OMPI_MCA_btl_vader_single_copy_mechanism=none
# What Open MPI leaves allocated is not ours to find.
export ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0"

mkdir "$work/author"
printf 'time_s,rate_per_s\n0,20\n30,80\n' >"$work/author/day.csv"
herd 40
sed '/poisson/s/{.*/{kind: trace, file: day.csv}/; /attempts: 2/s/{.*/envoy/' "$work/herd.yaml" >"$work/author/herd.yaml"

sweep() { run "$STAMPEDE" sweep "$work/author/herd.yaml" --no-chart "$@"; }
# ranks N COMMAND...
ranks() { n=$1; shift; run mpirun -n "$n" "$mpi" "$@"; }
same() {
	for f in "$work/$1"/*.csv "$work/$1"/series/*.csv "$work/$1/sweep.json" "$work/$1/scenario.yaml"; do
		cmp -s "$f" "$work/$2/${f#"$work/$1/"}" || { echo "# ${f#"$work/$1/"} differs"; return 1; }
	done
}

sweep -o "$work/threads"
for n in 1 2 4; do
	ranks $n sweep "$work/author/herd.yaml" --no-chart -o "$work/ranks$n"
	ok "a sweep on $n ranks runs to its end" exits 0 "6 points x 40 replications = 240 trials on $n rank"
	ok "with the bytes of threads" same threads ranks$n
done
ranks 3 sweep "$work/author/herd.yaml" --no-chart -o "$work/threads" --quiet
ok "it goes on with what threads have done, in silence" silent

# Where a precision is asked for there are rounds, and the list is handed out many times.
set -- sweep "$work/author/herd.yaml" --no-chart --replications 5 --precision "3% of fleet.success_share" --max-replications 60
run "$STAMPEDE" "$@" -o "$work/exact"
ranks 3 "$@" -o "$work/exactly"
ok "rounds are handed out one after the other" prints "precision: 3 % of fleet.success_share"
ok "with the bytes of threads" same exact exactly

# One rank of four is killed when there is something in the store, and long before the end.
set -- sweep "$work/author/herd.yaml" --no-chart --replications 400
run "$STAMPEDE" "$@" -o "$work/long"
ran="mpirun -n 4 $mpi $*, one rank killed"
mpirun -n 4 "$mpi" "$@" -o "$work/killed" >"$work/out" 2>"$work/err" &
pid=$!
# Its children are the ranks.
children() { cat /proc/$pid/task/$pid/children; }
is_running() { [ -e "/proc/$1/stat" ] && ! grep -q ' Z ' "/proc/$1/stat" 2>/dev/null; }
until [ -s "$work/killed/sweep.db-wal" ] && [ "$(wc -c <"$work/killed/sweep.db-wal")" -gt 100000 ]; do
	kill -0 $pid 2>/dev/null || break
	sleep 0.05
done
all=$(children)
kill -KILL "$(echo $all | awk '{ print $NF }')"
wait $pid
code=$?
# mpirun does not wait for the others, which it has told to end; until they have, the store is theirs, and so are Open MPI's files.
for rank in $all; do
	kill -KILL "$rank" 2>/dev/null
	while is_running "$rank"; do sleep 0.05; done
done
ok "a rank killed takes the job down" [ $code != 0 ]
ok "before there are results" [ ! -e "$work/killed/summary.csv" ]
ranks 4 "$@" -o "$work/killed"
ok "the same command goes on" exits 0 " already done"
ok "with the bytes of threads" same long killed

# Mistakes are told once.
ranks 3 sweep "$work/author/herd.yaml" -j 2 -o "$work/bad"
ok "-j has no meaning" exits 2 "option '--threads': each rank runs one trial at a time"
ranks 3 sweep "$work/none.yaml" -o "$work/bad"
ok "a scenario that is not there" exits 2 "none.yaml"
ok "is told by one rank" [ "$(grep -c none.yaml "$work/err")" = 1 ]
ranks 3 sweep "$work/author/herd.yaml" -o "$work/bad" --no-chart --set fleet.retry.backoff.base=0s --set fleet.retry.backoff.kind=immediate \
	--set fleet.retry.attempts=unlimited --axis fleet.count=100,300
code_bad=$code
sweep -o "$work/bad2" --set fleet.retry.backoff.base=0s --set fleet.retry.backoff.kind=immediate \
	--set fleet.retry.attempts=unlimited --axis fleet.count=100,300
ok "a trial that fails ends the sweep as on threads" [ "$code_bad" = "$code" ]
ranks 2 check "$work/author/herd.yaml" --set service.workers=3
ok "other commands run as ever" exits 2
ranks 2 --version
ok "and tell the version" prints "stampede "
finish
