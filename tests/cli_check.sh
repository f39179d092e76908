#!/bin/sh
# Expectations under continuous integration: stampede check.
. "${srcdir:=.}/tests/tap.sh"

cat >"$work/x.yaml" <<'YAML'
duration: 20s
service: {workers: 2, service_time: constant 10ms, queue: {limit: 20}}
clients:
  fleet:
    count: 50
    workload: {kind: once, at: 1s}
    retry: {attempts: 3, backoff: {base: 1s, jitter: none}}
  users:
    count: 10
    workload: {kind: poisson, rate: 50/s}
faults: [{at: 1s, for: 3s, effect: 503}]
expect:
  - fleet.success_share >= 40%
  - users.success_share >= 50%
YAML
touch "$work/before"
run "$STAMPEDE" check "$work/x.yaml"
ok "what holds is ok" prints "ok 1 - $work/x.yaml: fleet.success_share >= 40%"
ok "TAP begins with its plan" [ "$(head -1 "$work/out")" = 1..2 ]
ok "a scenario that asks for no replications is run ten times" prints "% in 10 runs, expected >= 50%"
ok "nothing is written" [ "$(find . out -newer "$work/before" -name 'check.*' 2>/dev/null)" = "" ]
run "$STAMPEDE" check "$work/x.yaml" --set fleet.retry.attempts=1 -q
ok "what does not hold: exit 1, and quiet is quiet" exits 1
ok "quiet is quiet" [ ! -s "$work/err" ]
ok "it says by how much" grep -qF "# does not hold: 0 % in each of 10 runs, expected >= 40%: 40 percentage points too little" "$work/out"
cp "$work/out" "$work/one"
run "$STAMPEDE" check "$work/x.yaml" --set fleet.retry.attempts=1 -q -j 4
ok "any number of threads gives the same bytes" cmp -s "$work/one" "$work/out"
run "$STAMPEDE" check "$work/x.yaml" --replications 1
ok "one run cannot tell: exit 1" exits 1
ok "and says what could" grep -q "# cannot tell: .* in one run, .*--replications 10" "$work/out"

cat >"$work/y.yaml" <<YAML
$(sed '/^expect/,$d' "$work/x.yaml")
sweep: {axes: {fleet.retry.attempts: [1, 3]}, replications: 4}
expect:
  - fleet.success_share == 0 when attempts = 1
  - fleet.amplification <= 2.5
YAML
sed '/^expect/,$d' "$work/x.yaml" >"$work/z.yaml"
run "$STAMPEDE" check "$work/x.yaml" "$work/y.yaml" "$work/z.yaml" -q -o "$work/made/here"
ok "several files, each line at each point that is meant" exits 1
sed -n "s|$work/||; /^[0-9no]/p" "$work/out" >"$work/got"
cat >"$work/want" <<'TAP'
1..6
ok 1 - x.yaml: fleet.success_share >= 40%
ok 2 - x.yaml: users.success_share >= 50%
ok 3 - y.yaml: fleet.success_share == 0 when attempts = 1, point 0 (attempts 1)
ok 4 - y.yaml: fleet.amplification <= 2.5, point 0 (attempts 1)
not ok 5 - y.yaml: fleet.amplification <= 2.5, point 1 (attempts 3)
ok 6 - z.yaml: expect # SKIP the scenario expects nothing
TAP
ok "as TAP" cmp -s "$work/got" "$work/want"
ok "-o keeps it as TAP" cmp -s "$work/out" "$work/made/here/check.tap"
run "$STAMPEDE" check "$work/x.yaml" "$work/y.yaml" "$work/z.yaml" -q --format junit
ok "JUnit's XML on demand" cmp -s "$work/out" "$work/made/here/check.xml"
ok "has the failure" grep -q '<failure type="does not hold" message="3 in each of 4 runs, expected &lt;= 2.5: 20 % too much"/>' "$work/out"
if command -v xmllint >/dev/null; then
	run xmllint --noout --schema "$srcdir/tests/junit.xsd" "$work/made/here/check.xml"
	ok "which is as the schema wants it" exits 0
	odd=$(printf 'b\377d \355\240\200 <\001> \357\277\276')
	cp "$work/y.yaml" "$work/$odd.yaml"
	run "$STAMPEDE" check "$work/$odd.yaml" -q --format junit -o "$work/odd"
	run xmllint --noout "$work/odd/check.xml"
	ok "also of a file whose name is no text" exits 0
else
	skip "also of a file whose name is no text" "no xmllint"
	skip "which is as the schema wants it" "no xmllint"
fi

run "$STAMPEDE" check "$work/y.yaml" --axis fleet.retry.attempts=1,2,3 -q -o "$work/made"
sed "s|$work/||" "$work/out" >"$work/got"
cat >"$work/want" <<'TAP'
1..3
ok 1 - y.yaml: fleet.success_share == 0 when attempts = 1, point 0 (attempts 1)
# holds: 0 % in each of 4 runs, expected == 0
ok 2 - y.yaml: fleet.amplification <= 2.5, at 2 of 3 points
# holds, nearest to failing at point 1 (attempts 2): 2 in each of 4 runs, expected <= 2.5
not ok 3 - y.yaml: fleet.amplification <= 2.5, point 2 (attempts 3)
# does not hold: 3 in each of 4 runs, expected <= 2.5: 20 % too much
TAP
ok "points at which a line holds are one test" cmp -s "$work/got" "$work/want"
ok "but one each in JUnit's XML" [ "$(grep -c '<testcase' "$work/made/check.xml")" = 4 ]
run "$STAMPEDE" check "$work/y.yaml" --axis fleet.retry.attempts=3 --set 'expect=[fleet.success_share == 0 when attempts = 1]'
ok "an axis of the command line may leave a line without a point" \
	prints "y.yaml: fleet.success_share == 0 when attempts = 1 # SKIP no point of these axes is meant"
run "$STAMPEDE" check "$work/z.yaml"
ok "nothing at all to check is misuse" exits 2 "nothing to check: no scenario of these has a line in 'expect'"
sed 's/when attempts/when atempts/' "$work/y.yaml" >"$work/bad.yaml"
run "$STAMPEDE" check "$work/x.yaml" "$work/bad.yaml" "$work/none.yaml"
ok "mistakes are told before anything is run" exits 2 "bad.yaml:14:35: expect: no axis is named 'atempts'; did you mean 'attempts'?"
ok "those of all files" exits 2 "none.yaml"
ok "and nothing is printed" [ ! -s "$work/out" ]
finish
