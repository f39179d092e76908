#!/bin/sh
# show and params: what they print, and what is said of a bad scenario.
. "${srcdir:=.}/tests/tap.sh"
outage=$srcdir/scenarios/outage.yaml

# A scenario's tables are sought beside it.
cp "$srcdir"/scenarios/*.csv "$work"
for file in "$srcdir"/scenarios/*.yaml; do
	name=${file##*/}
	run "$STAMPEDE" show "$file"
	ok "$name is shown without a word" silent
	cp "$work/out" "$work/first.yaml"
	run "$STAMPEDE" show "$work/first.yaml"
	ok "$name is shown as the same text again" cmp -s "$work/out" "$work/first.yaml"
done

run "$STAMPEDE" show "$outage" --set fleet.count=7 --seed 9 --replications 3 --axis background.count=1,2
ok "--set is taken in" prints "    count: 7"
ok "--seed is taken in" prints "seed: 9"
ok "--replications is taken in" prints "  replications: 3"
ok "--axis is taken in" prints "    background.count: [1, 2]"

run "$STAMPEDE" show "$outage" --set fleet.cuont=7 --set bin=5 --seed x
ok "a misspelt path is told" exits 2 "stampede: --set fleet.cuont=7: no parameter is named 'fleet.cuont'; did you mean 'fleet.count'?"
ok "and a value without a unit" exits 2 "stampede: --set bin=5: bin: expects a duration"
ok "and a seed that is none" exits 2 "stampede: --seed: expects a whole number such as 100 or 2k; got 'x'"
ok "and nothing is printed" [ ! -s "$work/out" ]
run "$STAMPEDE" show "$work/none.yaml"
ok "a file that is not there is told" exits 2 "none.yaml: cannot read the scenario: No such file or directory"

run "$STAMPEDE" params
ok "params lists the sections' parameters" prints "clients.NAME.retry.backoff.jitter"
ok "params lists the sweep's" prints "sweep.replications"
run "$STAMPEDE" params backoff.jitter
ok "one parameter comes with its values" prints "    decorrelated "
run "$STAMPEDE" params --format md budget
# shellcheck disable=SC2016
ok "--format md makes a table for the manual" prints '| `clients.NAME.retry.budget.rate` |'
ok "of the part that was asked for" [ "$(grep -c backoff "$work/out")" = 0 ]
run "$STAMPEDE" params jiter
ok "an unknown parameter brings the nearest to mind" exits 2 "did you mean 'jitter'?"
run "$STAMPEDE" show "$outage" --set service.hint.value=backlgo --set service.overload=refus --set background.retry.backoff.quantum=of
ok "so does a word that stands beside a duration" exits 2 "did you mean 'backlog'?"
ok "beside a status" exits 2 "did you mean 'refuse'?"
ok "and beside a duration or a share" exits 2 "did you mean 'off'?"
run "$STAMPEDE" params --format xml
ok "an unknown format is told" exits 2 "option '--format', argument 'xml': expected text or md"

run "$STAMPEDE" presets
ok "presets lists what libraries do" prints "envoy-budget         2          exponential 25ms x 2 up to 250ms, full"
ok "in as many columns as a terminal may have" [ "$(awk 'length > 120' "$work/out" | wc -l)" = 0 ]
run "$STAMPEDE" presets aws-2026
ok "a preset is printed as YAML" prints "  hint: {obey: 100%, mode: clamp, clamp: 5s}"
ok "with its source" prints "# source: boto/botocore"
{ printf 'duration: 1s\nservice: {workers: 1, service_time: 1ms}\nclients:\n  a:\n    count: 1\n    workload: once\n' && sed 's/^/    /' "$work/out"; } >"$work/pasted.yaml"
sed '/retry:/,$d' "$work/pasted.yaml" >"$work/named.yaml" && echo '    retry: aws-2026' >>"$work/named.yaml"
run "$STAMPEDE" show "$work/pasted.yaml"
cp "$work/out" "$work/pasted"
run "$STAMPEDE" show "$work/named.yaml"
ok "which pasted into a group is the same as its name there" cmp -s "$work/out" "$work/pasted"
run "$STAMPEDE" presets envoi
ok "an unknown preset brings the nearest to mind" exits 2 "did you mean 'envoy'?"
run "$STAMPEDE" presets zzzzzzzz
ok "or the list" exits 2 "no preset is named 'zzzzzzzz'; 'stampede presets' lists them"
run "$STAMPEDE" presets --format md
# shellcheck disable=SC2016
ok "presets --format md has the sources too" prints 'boto/botocore botocore/retries/standard.py'

run "$STAMPEDE" figures recovery_time
ok "one figure is defined, its unit left out" prints "recovery_time_s  s     from the last fault's end"
ok "and no other" [ "$(wc -l <"$work/out")" = 2 ]
run "$STAMPEDE" figures wait_s --format md
# shellcheck disable=SC2016
ok "a part brings all that lies in it" prints '| `wait_s.p99` | s |'
run "$STAMPEDE" figures recvery_time
ok "an unknown figure brings the nearest to mind" exits 2 "did you mean 'recovery_time_s'?"
run "$STAMPEDE" figures --format json
ok "each command has formats of its own" exits 2 "option '--format', argument 'json': expected text or md"

run "$STAMPEDE" show "$outage" --set jitter=full
ok "a path that is not clear comes with those that are" exits 2 "write one of backoff.jitter (clients.fleet.retry.backoff.jitter, clients.background.retry.backoff.jitter), hint.jitter ("
run "$STAMPEDE" show "$outage" --set at=5s
ok "the path of all faults is one" exits 2 ", faults.at (faults[0].at)"
run "$STAMPEDE" show "$outage" --set background.workload=closed
ok "workloads are told with what they are" exits 2 "think (a closed loop: a client thinks, then has its next operation), poisson ("
run "$STAMPEDE" show "$outage" --replications x
ok "replications that are none are told by their option" exits 2 "stampede: --replications: expects a whole number"

# Clients that think in step.
cat >"$work/step.yaml" <<'YAML'
duration: 10s
service: {workers: 10, service_time: 5ms}
clients:
  one: {count: 1, workload: {kind: think, think: 1s}}
  many: {count: 5, workload: {kind: think, think: 1s}}
YAML
warning="warning: clients.many.workload.think is constant: all clients act in step; 'exponential 1s' spreads them"
run "$STAMPEDE" run "$work/step.yaml" --no-chart -o "$work/step"
ok "a constant think time is warned of" exits 0 "$warning"
ok "but not in a group of one" [ "$(grep -c warning "$work/err")" = 1 ]
run "$STAMPEDE" sweep "$work/step.yaml" --no-chart -o "$work/step" --axis many.count=1,5,6
ok "and once in a sweep, whichever point has it" exits 0 "$warning"
ok "once" [ "$(grep -c warning "$work/err")" = 1 ]
run "$STAMPEDE" run "$work/step.yaml" --no-chart -o "$work/step" --quiet
ok "--quiet keeps that back" silent
run "$STAMPEDE" run "$work/step.yaml" --no-chart -o "$work/step" --set many.think="exponential 1s" --force
ok "one that is drawn is not" [ "$(grep -c warning "$work/err")" = 0 ]

finish
