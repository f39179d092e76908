#!/bin/sh
# Expectations: told by run and sweep, their mistakes with all the others.
. "${srcdir:=.}/tests/tap.sh"

cat >"$work/x.yaml" <<'YAML'
duration: 20s
service: {workers: 2, service_time: constant 10ms, queue: {limit: 20}}
clients:
  fleet:
    count: 50
    workload: {kind: once, at: 1s}
    retry: {attempts: 3, backoff: {base: 1s, jitter: none}}
faults: [{at: 1s, for: 3s, effect: 503}]
sweep: {axes: {attempts: [1, 2, 3, 4, 5]}, replications: 2}
expect:
  - fleet.success_share >= 50%
  - recovery_time < never
YAML
run "$STAMPEDE" run "$work/x.yaml" --no-chart -o "$work/run"
ok "a run says what does not hold" prints "does not hold: fleet.success_share >= 50% (44 %)"
ok "and what does, and is done all the same" exits 0
run "$STAMPEDE" run "$work/x.yaml" --no-chart -o "$work/run" --set attempts=5 --force
ok "a run says what holds" prints "holds: fleet.success_share >= 50% ("
run "$STAMPEDE" run "$work/x.yaml" --no-chart -o "$work/run" --format json --force
ok "JSON is left alone" [ "$(tail -1 "$work/out")" = "}" ]
run "$STAMPEDE" sweep "$work/x.yaml" --no-chart -o "$work/sweep"
ok "a sweep says at which points" prints "holds at 2 of 5 points: fleet.success_share >= 50%; not at 0-2"
run "$STAMPEDE" sweep "$work/x.yaml" --no-chart -o "$work/sweep" --set 'expect=[success_share <= 1, success_share > 1]'
ok "another expectation is no other sweep" prints "holds at all 5 points: success_share <= 1"
ok "one that holds nowhere" prints "does not hold at any of 5 points: success_share > 1"

run "$STAMPEDE" sweep "$work/x.yaml" --no-chart -o "$work/sweep" --set 'expect=[success_share > 0 when attempts = 5]'
ok "one point is told in full" prints "holds at point 4: success_share > 0 when attempts = 5 (100 % in each of 2 runs"
run "$STAMPEDE" run "$work/x.yaml" --no-chart -o "$work/run" --force \
	--set 'expect=[success_share > 0 when attempts = 3, success_share > 0 when attempts = 5]'
ok "a run is at the point that its scenario is at" prints "holds: success_share > 0 when attempts = 3 ("
ok "and of another nothing is said" prints "not meant here: success_share > 0 when attempts = 5"

run "$STAMPEDE" run "$work/x.yaml" --no-chart -o "$work/run" --force \
	--set 'expect=[success_share > 0 when attempts = 4, success_share > 0 when attempts = 5]'
ok "of several others it says how many" prints "not meant here: 2 expectations of other points of the sweep"
ok "in one line" [ "$(grep -c 'not meant' "$work/out")" = 1 ]
spaced() { [ "$code" = 0 ] && awk 'NR > 1 && !NF && !last { exit 1 } { last = NF }' "$work/out"; }
ok "paragraphs of a run stand one blank line apart" spaced
run "$STAMPEDE" sweep "$work/x.yaml" --no-chart -o "$work/one" --axis attempts=3
ok "so do those of a sweep of one point" spaced
ok "whose expectations are a paragraph" [ "$(grep -c '^$' "$work/out")" = 1 ]

cat >"$work/labels.yaml" <<YAML
$(sed '/^sweep/,$d' "$work/x.yaml")
sweep: {axes: {policy: {hasty: {fleet.retry.attempts: 1}, patient: {fleet.retry.attempts: 3}}}, replications: 2}
expect: [fleet.success_share == 0% when policy = hasty, fleet.success_share > 40% when policy = patient]
YAML
run "$STAMPEDE" sweep "$work/labels.yaml" --no-chart -o "$work/labels"
ok "labels are values" prints "holds at point 0: fleet.success_share == 0% when policy = hasty"
run "$STAMPEDE" sweep "$work/labels.yaml" --no-chart -o "$work/precise" --precision 50%
ok "table, leaders, precision and expectations are four paragraphs" [ "$(grep -c '^$' "$work/out")" = 3 ]
ok "one blank line apart" spaced
run "$STAMPEDE" sweep "$work/labels.yaml" --no-chart -o "$work/labels" --axis policy=hasty --force
ok "and may be left out on the command line" prints "not meant at any point: fleet.success_share > 40% when policy = patient"
run "$STAMPEDE" sweep "$work/labels/scenario.yaml" --no-chart -o "$work/again"
ok "what a left out value would have to show is left out of what is written" exits 0
ok "and the rest is kept" prints "holds: fleet.success_share == 0% when policy = hasty"
run "$STAMPEDE" run "$work/labels.yaml" --no-chart -o "$work/run" --force
ok "a run is at the label that changes nothing" prints "holds: fleet.success_share > 40% when policy = patient"

sed 's/fleet.success/fleet.sucess/; s/< never/< 5/; s/duration: 20s/duration: 20/' "$work/x.yaml" >"$work/bad.yaml"
for command in run sweep show; do
	run "$STAMPEDE" $command "$work/bad.yaml"
	ok "$command tells a figure's nearest name" exits 2 "bad.yaml:11:11: expect: no figure is named 'sucess_share'; did you mean"
	ok "$command tells a value's unit" exits 2 "bad.yaml:12:21: expect: recovery_time: expects a duration"
	ok "$command tells the other mistakes with them" exits 2 "bad.yaml:1:11: duration: expects a duration"
done
finish
