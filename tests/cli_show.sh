#!/bin/sh
# show and params: what they print, and what is said of a bad scenario.
. "${srcdir:=.}/tests/tap.sh"
outage=$srcdir/scenarios/outage.yaml

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
ok "and a seed that is none" exits 2 "stampede: --set seed=x: seed: expects a whole number"
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
run "$STAMPEDE" params --format xml
ok "an unknown format is told" exits 2 "unknown format 'xml'"

finish
