#!/bin/bash
# What threads and the ranks of an MPI job make of a sweep: the ratio of the times of one and the same sweep.
#
# A sweep runs on one thread, on two, and, where stampede-mpi and mpirun are there, on two ranks; in turn, so many rounds. The least time
# of each counts, from the program's start to its end, mpirun's own included. Efficiency is the time on one thread over twice that on two.
# CPU time tells whether the machine was busy with something else: on two threads it is nearly twice the time that passed.
#
# Two programs side by side, each with the whole sweep on one thread and no word between them, tell what the machine takes away: its
# processors share a cache, the memory and a clock rate. More than they reach together, no program can.
#
#     bench/parallel.sh [SCENARIO [REPLICATIONS [ROUNDS]]]   default: scenarios/outage.yaml 60 3; beside the programs, or STAMPEDE says where
set -euo pipefail
export LC_ALL=C
program=${STAMPEDE:-./stampede}
scenario=${1:-$(dirname "$0")/../scenarios/outage.yaml}
replications=${2:-60}
rounds=${3:-3}
# Open MPI: as root, and each rank with all processors, or rank 0 could not use the second one to write what came of it.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_hwloc_base_binding_policy=none

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# sweep FOLDER PROGRAM... : the sweep by this program, on so many $threads if it has a say in that, into a folder of the bench.
sweep()
{
	"${@:2}" sweep "$scenario" ${threads:+-j "$threads"} --replications "$replications" --no-chart --quiet --force -o "$work/$1" >/dev/null
}

one_thread()   { threads=1 sweep a "$program"; }
two_threads()  { threads=2 sweep a "$program"; }
two_programs() { threads=1 sweep a "$program" & threads=1 sweep b "$program" && wait $!; }
two_ranks()    { threads= sweep a mpirun -n 2 "$program-mpi"; }

ways=(one_thread two_threads two_programs)
if [ -x "$program-mpi" ] && command -v mpirun >/dev/null; then
	ways+=(two_ranks)
fi

# The time that passed, and the CPU's, user and system.
TIMEFORMAT='%R %U %S'
for ((round = 0; round < rounds; round++)); do
	for way in "${ways[@]}"; do
		{ time "$way" 2>"$work/err"; } 2>>"$work/$way.times" || { cat "$work/err" >&2; exit 1; }
	done
done

printf '%-12s %8s %8s %11s\n' '' 'time s' 'CPU s' efficiency
for way in "${ways[@]}"; do
	echo "$way $(sort -n "$work/$way.times" | head -1)"
done | awk '
	{ time[$1] = $2; name = $1; sub("_", " ", name) }
	$1 == "one_thread" { share = 1 }
	$1 == "two_threads" || $1 == "two_ranks" { share = time["one_thread"] / (2 * $2) }
	$1 == "two_programs" { share = time["one_thread"] / $2 }
	{ printf "%-12s %8.2f %8.2f %9.1f %%\n", name, $2, $3 + $4, 100 * share }
	END {
		printf "two threads run at %.1f %% of the pace of two programs\n", 100 * time["two_programs"] / (2 * time["two_threads"])
		if ("two_ranks" in time)
			printf "two ranks run at %.1f %% of the pace of two threads\n", 100 * time["two_threads"] / time["two_ranks"]
	}'
