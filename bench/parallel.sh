#!/bin/bash
# What threads and the ranks of an MPI job make of a sweep: the ratio of the times of one and the same sweep.
#
# A sweep runs on one thread, on two, and, where stampede-mpi and mpirun are there, on two ranks; in turn, three times over. The least
# time of each counts, from the program's start to its end, mpirun's own included. Efficiency is the time on one thread over twice that on
# two. CPU time tells whether the machine was busy with something else: on two threads it is nearly twice the time that passed.
#
#     bench/parallel.sh [SCENARIO [REPLICATIONS]]        default: scenarios/outage.yaml 60; beside the programs, or STAMPEDE says where
set -euo pipefail
export LC_ALL=C
program=${STAMPEDE:-./stampede}
scenario=${1:-$(dirname "$0")/../scenarios/outage.yaml}
replications=${2:-60}
rounds=3
# Open MPI: as root, and each rank with all processors, or rank 0 could not use the second one to write what came of it.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_hwloc_base_binding_policy=none

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

ways=('1 thread' '2 threads')
commands=("$program" "$program")
options=(-j1 -j2)
if [ -x "$program-mpi" ] && command -v mpirun >/dev/null; then
	ways+=('2 ranks')
	commands+=("mpirun -n 2 $program-mpi")
	options+=('')
fi

# The time that passed, and the CPU's, user and system.
TIMEFORMAT='%R %U %S'
for ((round = 0; round < rounds; round++)); do
	for i in "${!ways[@]}"; do
		# shellcheck disable=SC2086 # words of a command
		{ time ${commands[i]} sweep "$scenario" ${options[i]} --replications "$replications" --no-chart --quiet --force \
			-o "$work/sweep" >/dev/null 2>"$work/err"; } 2>>"$work/times.$i" || { cat "$work/err" >&2; exit 1; }
	done
done

printf '%-10s %8s %8s %11s\n' '' 'time s' 'CPU s' efficiency
for i in "${!ways[@]}"; do
	sort -n "$work/times.$i" | head -1 | sed "s/^/${ways[i]},/"
done | awk -F'[, ]' '
	NR == 1 { one = $3 }
	NR == 2 { two = $3 }
	{ printf "%-10s %8.2f %8.2f %9.1f %%\n", $1 " " $2, $3, $4 + $5, 100 * one / ($1 * $3) }
	NR == 3 { printf "two ranks run at %.1f %% of the pace of two threads\n", 100 * two / $3 }'
