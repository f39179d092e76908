#!/bin/sh
# As many runs as it takes: --precision, and what a sweep that goes on makes of it.
. "${srcdir:=.}/tests/tap.sh"

cat >"$work/x.yaml" <<'YAML'
duration: 10s
service: {workers: 1, service_time: exponential 10ms}
clients:
  few: {count: 10, workload: {kind: poisson, rate: 10/s}}
  many: {count: 10, workload: {kind: poisson, rate: 40/s}}
sweep:
  axes: {few.workload.rate: [1/s, 40/s]}
  replications: 5
  precision: {half_width: 3%, figure: goodput, limit: 200}
expect: [goodput >= 38/s]
YAML
sweep() { run "$STAMPEDE" sweep "$work/x.yaml" --no-chart "$@"; }

sweep -o "$work/one" -j 1
ok "says where it is reached, and in how many runs" prints "precision: 3 % of goodput reached at 2 of 2 points, in"
sweep -o "$work/two" -j 3
same=yes
for f in summary.csv compare.csv sweep.json series/000.csv series/001.csv; do
	cmp -s "$work/one/$f" "$work/two/$f" || same=$f
done
ok "any number of threads gives the same bytes" [ $same = yes ]
ok "points have runs by their need, in whole batches" \
	[ "$(cut -d, -f1,3 "$work/one/summary.csv" | awk -F, 'NR > 1 { print ($2 % 5 == 0 && $2 >= 5 && $2 < 200) }' | sort -u)" = 1 ]
ok "the point with the larger rate needs fewer" \
	[ "$(awk -F, 'NR == 2 { a = $3 } NR == 3 { b = $3 } END { print (a > b) }' "$work/one/summary.csv")" = 1 ]
ok "and is known well enough: half-widths are at most 3 %" [ "$(awk -F, '
	NR == 1 { for (i = 1; i <= NF; i++) if ($i == "goodput_per_s") c = i }
	NR > 1 && ($(c + 2) - $c) > 0.03 * $c { bad++ }
	END { print bad + 0 }' "$work/one/summary.csv")" = 0 ]

sweep -o "$work/more" --precision 0 --replications 5
sweep -o "$work/more"
ok "goes on with the runs that there are" exits 0 "; 10 already done"
ok "to the same results" cmp -s "$work/one/summary.csv" "$work/more/summary.csv"
sweep -o "$work/more" --precision 20%
ok "not with fewer than there are" exits 2 "replications of point 0 already, more than the 5 that it takes"
sweep -o "$work/limit" --precision "1% of few.success_share" --max-replications 7 --set workers=1
ok "what does not vary is known at once" prints "1 % of few.success_share reached at 2 of 2 points, in 5 runs"
sweep -o "$work/limit" --precision "0.1% of few.goodput" --max-replications 12 --force
ok "the limit is told with what was reached" prints "0.1 % of few.goodput reached at 0 of 2 points; not in 12 runs at 0 ("
sweep -o "$work/never" --precision 1% --set sweep.precision.figure=recovery_time
ok "a figure without a mean ends it" prints "; there is no mean (never, or absent in a"

run "$STAMPEDE" check "$work/x.yaml" --precision "2% of goodput" -j 2
ok "check takes it too" exits 0 "x.yaml: precision: 2 % of goodput reached at 2 of 2 points"
run "$STAMPEDE" show "$work/x.yaml"
ok "show prints it" prints "    figure: goodput"
sweep --precision 2 -o "$work/bad"
ok "a share that is none is told under the option's name" exits 2 "--precision: expects a share such as 70%; got '2'"
sweep --precision "2% of godput" -o "$work/bad"
ok "a figure misspelt has its nearest" exits 2 "sweep.precision.figure: no figure is named 'godput'; did you mean 'goodput'?"
sed 's/half_width/halfwidth/; s/limit: 200/limit: 1/' "$work/x.yaml" >"$work/bad.yaml"
run "$STAMPEDE" sweep "$work/bad.yaml"
ok "a key misspelt too" exits 2 "bad.yaml:9:15: unknown key 'halfwidth' in sweep.precision; did you mean 'half_width'?"
ok "and bounds are held" exits 2 "sweep.precision.limit: must be between 2 and 1000000"
finish
