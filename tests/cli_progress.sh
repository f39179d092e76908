#!/bin/sh
# A run that takes long says how far it is. It is made to take for ever, and stopped once it has spoken.
. "${srcdir:=.}/tests/tap.sh"

cat >"$work/long.yaml" <<'YAML'
duration: 1d
bin: 1m
service: {workers: 1000, service_time: constant 10ms, queue: unlimited}
clients: {users: {count: 100, workload: {kind: poisson, rate: 50k/s}}}
YAML

# spoke SECONDS: whether a line of progress comes within them; the run is stopped in any case.
spoke() {
	waited=0
	while ! grep -q 's simulated' "$work/err" && [ $waited -lt "$1" ]; do
		sleep 1
		waited=$((waited + 1))
	done
	kill -TERM $pid
	wait $pid
	code=$?
	grep -q 's simulated' "$work/err"
}
ran="stampede run long.yaml"
"$STAMPEDE" run "$work/long.yaml" --no-chart -o "$work/long" >"$work/out" 2>"$work/err" &
pid=$!
ok "a long run tells how far it is" spoke 60
ok "with its rate and the time left" grep -qE '^stampede: [0-9.]+ of 86400 s simulated, [0-9.]+M? events/s, [0-9.]+ (s|min|h) left$' "$work/err"
ok "and can be stopped" exits 130 "interrupted; no results were written"
"$STAMPEDE" run "$work/long.yaml" --no-chart --quiet -o "$work/long" >"$work/out" 2>"$work/err" &
pid=$!
ok "a quiet one does not" [ "$(spoke 3 || echo silent)" = silent ]
wait $pid 2>/dev/null

run "$STAMPEDE" run "$work/long.yaml" --no-chart -o "$work/long" --set duration=200ms --set bin=100ms --force
ok "nor does a short one" [ "$(cat "$work/err")" = "stampede: results are in '$work/long'" ]
finish
