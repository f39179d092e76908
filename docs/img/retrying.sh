#!/bin/sh
# retrying.sh - the pictures of docs/retrying.md, from small scenarios: a run a panel.
#
#   sh docs/img/retrying.sh [FIGURE...]        in the folder of the sources, with build/stampede there
#
# One run each of seed 1; the data stay in out/retrying/.
# shellcheck disable=SC2086 # settings are several words
set -eu
stampede=${STAMPEDE:-build/stampede}
work=out/retrying
mkdir -p "$work"
wanted=$*

# A thousand clients are woken by one push, into an outage.
cat >"$work/push.yaml" <<'YAML'
title: A push wakes a thousand clients, into an outage
duration: 100s
service: {workers: 10, service_time: exponential 50ms, queue: 100, hint: 5s}
clients:
  fleet:
    count: 1000
    workload: {kind: once, at: 10s}
    retry: {attempts: unlimited, backoff: {base: 500ms, cap: 30s}, hint: {obey: 0%}}
faults:
  - {at: 10s, for: 30s, effect: 503}
YAML

# Users who come by themselves, and are too impatient for a service that is slow for ten seconds.
cat >"$work/open.yaml" <<'YAML'
title: A slow service and impatient clients
duration: 60s
service: {workers: 10, service_time: exponential 50ms}
clients:
  fleet:
    count: 100
    workload: {kind: poisson, rate: 120/s}
    timeout: 1s
    retry: {attempts: 4, backoff: {base: 100ms, cap: 1s}}
faults:
  - {at: 10s, for: 10s, effect: slow, factor: 4}
YAML

# A closed loop of clients who want three times what there is.
cat >"$work/busy.yaml" <<'YAML'
title: Clients who want more than there is
duration: 60s
service: {workers: 10, service_time: exponential 50ms, queue: 20, overload: 429}
clients:
  fleet:
    count: 120
    workload: {kind: think, think: exponential 200ms}
    retry: {attempts: 4, backoff: {base: 100ms, cap: 1s}}
faults: []
YAML

# Streams that a proxy accepts, and that are dropped a second later by what is behind it.
cat >"$work/streams.yaml" <<'YAML'
title: Accepted, then dropped
duration: 10m
bin: 2s
service: {workers: 60, service_time: 300ms}
clients:
  fleet:
    count: 400
    workload: {kind: connection, lifetime: 1s, at_end: backoff, begin: connect, spread: 4s}
    retry: {attempts: unlimited, backoff: {base: 1s, cap: 300s, jitter: proportional 20%}}
faults: []
YAML

# begin NAME SCENARIO COLUMNS VARIABLES: a figure, and what panels.gp is told of it.
begin() {
	name=$1 scenario=$work/$2.yaml columns=$3 variables=$4 n=0 arrays=
	skip=no
	[ -z "$wanted" ] || case " $wanted " in *" $name "*) ;; *) skip=yes ;; esac
}

# figure_of DIR KEY: a number of summary.json, the whole run's.
figure_of() { sed -n "s/^  \"$2\": \([-0-9.e+]*\),*$/\1/p" "$1/summary.json" | head -1; }

# panel LABEL NOTE [--set ...]: a run; NOTE says which figures are written beside it: peak, attempts, both, served or
# connects.
panel() {
	[ $skip = no ] || return 0
	n=$((n + 1))
	label=$1 kind=$2 dir=$work/$name-$n
	shift 2
	"$stampede" run "$scenario" --no-chart --quiet --force -o "$dir" "$@" >/dev/null
	peak=$(figure_of "$dir" after_fault_peak_x_capacity)
	note=$(awk -v kind="$kind" -v peak="$peak" -v attempts="$(figure_of "$dir" amplification)" \
		-v operations="$(figure_of "$dir" operations)" -v good="$(figure_of "$dir" successes)" '
		function digits(x) { return sprintf(x < 10 ? "%.1f" : "%.0f", x) }
		BEGIN {
			if (kind == "peak") print "peak after it " digits(peak) " x capacity"
			if (kind == "both") print digits(attempts) " attempts each; peak after the outage " digits(peak) " x capacity"
			if (kind == "attempts") print digits(attempts) " attempts an operation"
			if (kind == "connects") print digits(attempts * operations / 400) " connections a client"
			if (kind == "served") print digits(100 * good / operations) " % served"
		}')
	arrays="$arrays file[$n]='$dir/series.csv'; label[$n]='$label'; note[$n]='$note';"
}

draw() {
	[ $skip = no ] || return 0
	gnuplot -d -e "array file[$n]; array label[$n]; array note[$n]; $arrays columns=$columns; out='docs/img/$name.png'; \
		capacity=200; fault='outage'; shows_good=0; $variables" docs/img/panels.gp 2>&1 | grep -v "out of range" || true
	wc -c "docs/img/$name.png"
}

long='from=10; to=40; begin=0; end=100; lo=10; hi=30000; width=0.1'
backoff=fleet.retry.backoff

begin shapes push 1 "$long"
panel 'constant' both --set $backoff.shape=constant
panel 'linear' both --set $backoff.shape=linear
panel 'exponential' both
draw

begin jitters push 2 "$long"
panel 'none' peak --set $backoff.jitter=none
panel 'additive 1s' peak --set "$backoff.jitter=additive 1s"
panel 'proportional 20%' peak --set "$backoff.jitter=proportional 20%"
panel 'equal' peak --set $backoff.jitter=equal
panel 'full' peak --set $backoff.jitter=full
panel 'decorrelated' peak --set $backoff.jitter=decorrelated
draw

begin cap push 1 "$long"
panel 'cap_at: before' peak --set "$backoff.jitter=proportional 20%" --set $backoff.cap=4s
panel 'cap_at: both' peak --set "$backoff.jitter=proportional 20%" --set $backoff.cap=4s --set $backoff.cap_at=both
panel 'cap_at: after' peak --set "$backoff.jitter=proportional 20%" --set $backoff.cap=4s --set $backoff.cap_at=after
draw

begin first push 1 "from=10; to=10.4; begin=9.8; end=14; lo=100; hi=40000; width=0.05; fault=''"
blip="--set $backoff.jitter=equal --set faults.for=400ms --set duration=30s --set bin=50ms"
panel 'jitter alone: first retries after 250 to 500 ms' peak $blip
panel 'floor: 500ms' peak $blip --set $backoff.floor=500ms
panel 'head: [500ms]' peak $blip --set "$backoff.head=[500ms]"
draw

begin tail push 1 "$long"
panel 'full jitter to the end' peak
panel 'tail_from: 5' peak --set $backoff.tail_from=5
panel 'quantum: 1s' peak --set $backoff.quantum=1s
draw

begin throttle push 1 "from=9; to=9; begin=9.5; end=22; lo=10; hi=30000; width=0.1; fault=''"
busy="--set faults=[] --set service.overload=429 --set $backoff.base=50ms"
panel 'base: 50ms' attempts $busy
panel 'throttle: {on: [429], base: 1s}' attempts $busy --set "$backoff.throttle.on=[429]" --set $backoff.throttle.base=1s
draw

begin reset streams 1 "from=0; to=0; begin=0; end=600; lo=1; hi=1000; width=2; fault=''"
panel 'reset: success' connects
panel 'reset: 30s' connects --set $backoff.reset=30s
draw

begin hints push 1 "$long"
obey="--set fleet.retry.hint.obey=100% --set fleet.retry.attempts=10"
panel 'nobody obeys Retry-After: 5' peak --set fleet.retry.attempts=10
panel 'mode: floor, the longer of hint and backoff' peak $obey
panel 'mode: replace, the hint alone' peak $obey --set fleet.retry.hint.mode=replace
panel 'mode: add, the hint and then the backoff' peak $obey --set fleet.retry.hint.mode=add
draw

begin dates push 1 "$long"
dated="--set fleet.workload.spread=5s --set fleet.retry.hint.obey=100% --set fleet.retry.hint.mode=replace --set fleet.retry.attempts=10"
panel 'form: seconds' peak $dated
panel 'form: date' peak $dated --set service.hint.form=date
panel 'form: date, clocks off by 2 s' peak $dated --set service.hint.form=date --set "fleet.clock_skew=normal 0s sd 2s"
draw

slow="from=10; to=20; begin=0; end=60; lo=0; hi=560; width=0.5; fault='slow'; shows_good=1"
budget=fleet.retry.budget
begin budgets open 2 "$slow"
panel 'no budget' served
panel 'token-bucket' served --set "$budget={kind: token-bucket, scope: group, rate: 5/s, burst: 50}"
panel 'aws-quota' served --set "$budget={kind: aws-quota, scope: group}"
panel 'grpc-throttle' served --set "$budget={kind: grpc-throttle, scope: group}"
panel 'window' served --set "$budget={kind: window, scope: group, min_rate: 1/s}"
panel 'concurrency' served --set "$budget={kind: concurrency, scope: group, max_retries: 3}"
draw

begin breakers open 1 "$slow"
panel 'neither' served
panel 'breaker: consecutive' served --set "fleet.retry.breaker={kind: consecutive, scope: group, failures: 5, open_for: 5s}"
panel 'gate: sre' served --set "fleet.retry.gate={kind: sre, scope: group, k: 2, span: 10s}"
draw

begin cubic busy 1 "from=0; to=0; begin=0; end=30; lo=0; hi=880; width=0.5; fault=''; shows_good=1"
panel 'no gate' attempts
panel 'gate: cubic' attempts --set 'fleet.retry.gate={kind: cubic, scope: client}'
draw
