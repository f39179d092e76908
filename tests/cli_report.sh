#!/bin/sh
# report: one page of any folder of results, which is whole, well-formed, and says what the terminal said.
. "${srcdir:=.}/tests/tap.sh"

# Words that would be markup, and bytes that are no text.
cat >"$work/herd.yaml" <<YAML
# What becomes of <herds>?
#
# A word
# on it:
#   stampede run & look
#
title: "</title><script>alert(1)</script> & 'so on' \"\\x01"
duration: 20s
service: {workers: 4, service_time: exponential 20ms, queue: {limit: 20}}
clients:
  fleet:
    count: 50
    workload: {kind: once, at: 1s}
    retry: {attempts: 6, backoff: {base: 200ms, cap: 5s}}
  users:
    count: 5
    workload: {kind: poisson, rate: 20/s}
faults: [{at: 1s, for: 2s, effect: 503}]
expect:
  - recovery_time <= 15s
  - users.success_share >= 100%
YAML
page() { cat "$work/$1/report.html"; }
says() { page "$1" | tr '\n' ' ' | grep -qF -- "$2"; }
# Without xmllint: every tag that opens is closed, in order.
balanced() {
	grep -v '^<!DOCTYPE' "$1" | tr '\n' ' ' | sed 's/</\n</g' | awk '
		/^<\// { sub(/^<\//, ""); sub(/>.*/, ""); if (open[n--] != $0) { bad = 1; exit }; next }
		/^<[a-z]/ && !/\/>/ { sub(/^</, ""); sub(/[ >].*/, ""); open[++n] = $0 }
		END { exit bad || n != 0 }'
}
well_formed() {
	balanced "$work/$1/report.html" && { ! command -v xmllint >/dev/null || xmllint --noout "$work/$1/report.html"; }
}
# Nothing is fetched, nothing runs.
self_contained() { ! page "$1" | grep -Eq '<script|<link|@import|url\(|(src|href)="[^d]|(src|href)="d[^a]'; }
# kind FOLDER: what holds of a page of every kind.
kind() {
	run "$STAMPEDE" report "$work/$1" --no-chart --quiet
	ok "$1: a page" silent
	ok "$1: well-formed" well_formed "$1"
	ok "$1: which needs nothing else" self_contained "$1"
	ok "$1: with its title as it is" says "$1" '<h1>&lt;/title&gt;&lt;script&gt;alert(1)&lt;/script&gt; &amp; '
	ok "$1: with the scenario" says "$1" 'kind: poisson'
	cp "$work/$1/report.html" "$work/once"
	run "$STAMPEDE" report "$work/$1" --no-chart --quiet
	ok "$1: the same bytes twice" cmp -s "$work/$1/report.html" "$work/once"
}

run "$STAMPEDE" run "$work/herd.yaml" --no-chart -q -o "$work/run"
sentence=$(sed '/^$/q' "$work/out" | tr '\n' ' ' | sed 's/\. *$//')
share=$(awk '/^success_share/ { print $2 }' "$work/out")
kind run
ok "a run: the sentence of the terminal" says run "$sentence"
ok "its figures" sh -c 'sed -n "s/<[^>]*>/ /g; / success_share /p" "$1" | grep -qF " $2 %"' - "$work/run/report.html" "$share"
ok "whether expectations hold" says run 'holds: recovery_time &lt;= 15s ('
ok "and which do not" says run '<p class="verdict bad"><b>✗</b>does not hold: users.success_share &gt;= 100% ('
ok "what is not as by default" sh -c 'sed "s/<[^>]*>/ /g" "$1" | grep -q "retry.attempts *6 *1 *attempts an operation"' - "$work/run/report.html"
ok "what its author says of it, first the question" says run '<p>What becomes of &lt;herds&gt;? </p> <'
ok "then what to look at" says run '<p>A word on it: </p> <pre><code>stampede run &amp; look'
ok "in words too" says run '6 attempts; base 200ms; cap 5s; jitter full.'
ok "the fingerprint" says run "$(sed -n 's/.*"fingerprint": "\(.*\)".*/\1/p' "$work/run/summary.json")"
ok "no byte that is no text" says run "'so on' &quot;�"
ok "and no chart where there is none" sh -c '! grep -q "<figure" "$1"' - "$work/run/report.html"

run "$STAMPEDE" sweep "$work/herd.yaml" --axis cap=1s,5s --replications 3 --no-chart -q -o "$work/sweep"
kind sweep
ok "a sweep: the means with their intervals" sh -c 'grep -qF "$(awk "/^1 / { print \$3 \" ± \" substr(\$4, 3) }" "$1")" "$2"' - "$work/out" "$work/sweep/report.html"
other='a<b>&"c'
cp "$work/herd.yaml" "$work/$other.yaml"
run "$STAMPEDE" compare "$work/herd.yaml" "$work/$other.yaml" envoy --replications 3 --no-chart -q -o "$work/compare" --figures after_fault_peak_x_capacity,recovery_time,reject_share
kind compare
ok "a comparison: names as they are" says compare '<th class="l">a&lt;b&gt;&amp;&quot;c</th>'
ok "the figures that were asked for" says compare 'rejected %'
ok "its sentences" says compare "<li>$(sed -n '/^after fault peak/{N;p;}' "$work/out" | tr '\n' ' ' | sed 's/ *\(offered\|recovery\).*//; s/ *$//; s/+-/± /g')"
run "$STAMPEDE" trace "$work/herd.yaml" --group users --first 3 --no-chart -q -o "$work/trace"
kind trace
ok "a trace: how many were sent" says trace "<td class=\"l\">users</td><td>$(grep -c ',sent,' "$work/trace/trace.csv")</td>"
run "$STAMPEDE" tune "$work/herd.yaml" --goal 'min amplification' --subject-to 'success_share >= 10%' --over 'cap=1s..5s' --points 4 \
	--replications 2 --no-chart -q -o "$work/tune"
settings=$(sed -n 's/^  \(--set\)/\1/p' "$work/out")
kind tune
ok "a tune: the best as settings" says tune "<code>$settings</code>"

# The commands that it gives give the same.
again() { sed -n '/To have it again/,/<\/pre>/p' "$work/$1/report.html" | sed -n '/<code>/,$p' |
	sed 's/.*<code>//; s/<\/code>.*//; s/&lt;/</g; s/&gt;/>/g; s/&quot;/"/g; s/&amp;/\&/g; s/ -o again/ --no-chart -q -o again/'; }
repeats() { (cd "$work/$1" && again "$1" | sed "s|^stampede|'$STAMPEDE'|" | sh >/dev/null) && cmp -s "$work/$1/$2" "$work/$1/again/$2"; }
ok "a run again" repeats run series.csv
ok "a sweep again" repeats compare summary.csv
ok "a trace again" repeats trace trace.csv
ok "a tune again" repeats tune tune.csv

# All in one folder, and its charts.
run "$STAMPEDE" trace "$work/herd.yaml" --no-chart -q -o "$work/run"
run "$STAMPEDE" report "$work/run" --no-chart
ok "all that a folder has is told" says run 'The attempts of a run'
ok "where the page is is told" exits 0 "the report is '$work/run/report.html'"
GNUPLOT="$work/none" run env GNUPLOT="$work/none" "$STAMPEDE" report "$work/run"
ok "without gnuplot that is told" exits 3 "cannot run gnuplot"
ok "and there is a page without charts" says run 'The attempts of a run'
if command -v "${GNUPLOT:-gnuplot}" >/dev/null; then
	run "$STAMPEDE" report "$work/compare" -q
	ok "charts that are missing are drawn" [ -s "$work/compare/sweep.png" ]
	ok "with the figures that were asked for" grep -q '>reject share, %<' "$work/compare/sweep.svg"
	ok "and stand in the page" sh -c 'sed -n "s/.*base64,\([^\"]*\)\".*/\1/p" "$1/report.html" | sed -n 2p | base64 -d | cmp -s - "$1/sweep.png"' - "$work/compare"
	ok "which is well-formed" well_formed compare
	ok "and self-contained" self_contained compare
else
	skip "charts that are missing are drawn" "no gnuplot"
fi

# Of a sweep that was to go on with more runs, when it was stopped.
sed 's/replications: 3/replications: 400/' "$work/sweep/scenario.yaml" >"$work/more" && cp "$work/more" "$work/sweep/scenario.yaml"
run "$STAMPEDE" report "$work/sweep" --no-chart
ok "the command is that of the results" says sweep "stampede sweep scenario.yaml --replications 3 -o again"

# What is no folder of results.
run "$STAMPEDE" report "$work"
ok "a folder without results is told" exits 2 "holds no results"
run "$STAMPEDE" report "$work/nowhere"
ok "and one that is not there" exits 2 "holds no results"
rm "$work/trace/scenario.yaml"
run "$STAMPEDE" report "$work/trace"
ok "and one without its scenario" exits 2 "scenario.yaml"
rm "$work/tune/report.html"
cp "$work/tune/tune.csv" "$work/whole.csv"
awk 'NR > 1 { print line } { line = $0 } END { sub(/[^,]*$/, "", line); printf "%s", line }' "$work/whole.csv" >"$work/tune/tune.csv"
run "$STAMPEDE" report "$work/tune" --no-chart
ok "a table cut after a comma is shown as it is" exits 0
cp "$work/whole.csv" "$work/tune/tune.csv"
cp "$work/tune/tune.json" "$work/whole.json"
tr '\n' ' ' <"$work/whole.json" | sed 's/"over": *\["[^]]*\]/"over": [[]]/' >"$work/tune/tune.json"
run "$STAMPEDE" report "$work/tune" --no-chart
ok "edited facts do no harm" exits 0
ok "which they were" grep -q '"over": \[\[\]\]' "$work/tune/tune.json"
cp "$work/whole.json" "$work/tune/tune.json"
rm "$work/tune/report.html"
mkdir "$work/tune/report.html"
run "$STAMPEDE" report "$work/tune" --no-chart
ok "a page that cannot be written is told" exits 3 "cannot write '$work/tune/report.html'"
sed 's/"replications": [0-9]*/"replications": -1/' "$work/sweep/sweep.json" >"$work/edited" && cp "$work/edited" "$work/sweep/sweep.json"
run "$STAMPEDE" report "$work/sweep" --no-chart
ok "and edited facts" exits 2 "sweep.json' does not say how many replications"
sed 's/"replications": -1/"replications": 2/' "$work/edited" >"$work/sweep/sweep.json"
echo "no store, but long enough to be taken for one, were it not for its beginning; and so on, and so on, and so on" >"$work/sweep/sweep.db"
run "$STAMPEDE" report "$work/sweep" --no-chart
ok "and a store that cannot be read" exits 3 "sweep.db' is damaged"
ok "without advice that is for its owner" [ "$(grep -c -- --force "$work/err")" = 0 ]
finish
