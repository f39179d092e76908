#!/bin/sh
# trace: every attempt is there once, in order, and it is the run that `run` makes.
. "${srcdir:=.}/tests/tap.sh"
outage=$srcdir/scenarios/outage.yaml
rows() { awk -F, -v what="$1" '$6 == what' "$work/trace" | wc -l | tr -d ' '; }
figure() { sed -n 's/^  "'"$1"'": \([0-9.]*\),*$/\1/p' "$work/run/summary.json" | head -1; }

run "$STAMPEDE" run "$outage" --no-chart -q -o "$work/run"
run "$STAMPEDE" trace "$outage"
cp "$work/out" "$work/trace"
ok "a trace goes to the standard output, without a word" silent
ok "it has a head" [ "$(head -1 "$work/trace")" = "time_s,clients,client,operation,attempt,event,outcome,delay_s" ]
ok "every attempt of the run is sent" [ "$(rows sent)" = "$(figure attempts)" ]
ok "every success is told" [ "$(rows succeeded)" = "$(figure successes)" ]
ok "and every failure" [ "$(rows given_up)" = "$(figure failures)" ]
ok "in order of time" sh -c 'sed 1d "$1" | cut -d, -f1 | sort -c -g' - "$work/trace"
ok "after a wait comes the retry, in time" awk -F, '
	{ who = $2 "," $3 "," $4 }
	$6 == "waits" { due[who] = $1 + $8 }
	$6 == "sent" && $5 > 1 { d = $1 - due[who]; n++; if (d > 1e-6 || d < -1e-6) bad++ }
	END { exit bad > 0 || n == 0 }' "$work/trace"
ok "a failure says how" grep -q '^10,fleet,0,0,1,failed,503,$' "$work/trace"
ok "an operation that ends says why" grep -q ',given_up,attempts,$' "$work/trace"
run "$STAMPEDE" trace "$outage" --group fleet --first 3
ok "of a group, the first clients only" [ "$(sed 1d "$work/out" | cut -d, -f2,3 | sort -u | tr '\n' ' ')" = "fleet,0 fleet,1 fleet,2 " ]
run "$STAMPEDE" trace "$outage" --no-chart -o "$work/t"
ok "with -o it goes to a folder" cmp -s "$work/t/trace.csv" "$work/trace"
ok "with its scenario" [ -s "$work/t/scenario.yaml" ]
ok "and nothing goes to the standard output" [ ! -s "$work/out" ]
run "$STAMPEDE" trace "$outage" --no-chart -o "$work/run"
ok "which may be the run's" exits 0
run "$STAMPEDE" trace "$outage" --group flet
ok "a slip in a group is told" exits 2 "did you mean 'fleet'?"
run "$STAMPEDE" trace "$outage" --first 0
ok "and no clients are none" exits 2 "--first: must be between 1 and"
if [ -c /dev/full ]; then
	"$STAMPEDE" trace "$outage" >/dev/full 2>"$work/err"
	code=$?
	ok "a full disk is told" exits 3 "cannot write the trace"
else
	skip "a full disk is told" "no /dev/full"
fi
if command -v "${GNUPLOT:-gnuplot}" >/dev/null; then
	run "$STAMPEDE" trace "$outage" --group fleet --first 20 -o "$work/r" -q
	ok "the raster is drawn" [ -s "$work/r/raster.png" ]
	ok "and as SVG" grep -q '</svg>' "$work/r/raster.svg"
	mkdir "$work/first" && mv "$work/r"/raster.* "$work/first"
	run "$STAMPEDE" plot "$work/r"
	ok "plot draws it again" exits 0
	ok "as it was" sh -c 'cmp -s "$1/first/raster.png" "$1/r/raster.png" && cmp -s "$1/first/raster.svg" "$1/r/raster.svg"' - "$work"
	run "$STAMPEDE" plot "$work/first"
	ok "but not where there are no data" exits 2 "holds no results"
else
	skip "the raster is drawn" "no gnuplot"
fi
finish
