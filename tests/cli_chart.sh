#!/bin/sh
# Charts: drawn from files alone, safe against any title, never in the way of the data.
: "${STAMPEDE:=./stampede}" "${GNUPLOT:=gnuplot}"
if ! "$GNUPLOT" --version >/dev/null 2>&1; then
	echo "1..0 # SKIP no gnuplot"
	exit 0
fi
tmp=$(mktemp -d) || exit 99
trap 'rm -rf "$tmp"' EXIT
n=0
ok() { # text; the last command's status decides
	if [ $? -eq 0 ]; then r=ok; else r='not ok'; sed 's/^/# /' "$tmp/err" 2>/dev/null; fi
	n=$((n + 1))
	echo "$r $n - $1"
}
is() { [ "$1" = "$2" ] || { echo "# got '$1', wanted '$2'" && false; }; }
is_png() { [ "$(head -c 4 "$1" | tail -c 3)" = PNG ] && [ "$(wc -c <"$1")" -gt 10000 ]; }
is_svg() { grep -q '<svg' "$1" && grep -q '</svg>' "$1"; }
# Whether all texts of an SVG are inside it, if they are as wide as in the PNG, which has the larger letters.
all_inside() {
	awk '
	/viewBox=/ { match($0, /0 0 [0-9]+ [0-9]+/); split(substr($0, RSTART, RLENGTH), box, " ") }
	/<g transform="translate/ {
		match($0, /translate\([-0-9.,]+/); split(substr($0, RSTART + 10, RLENGTH - 10), at, ",")
		match($0, /font-size="[0-9.]+/); size = substr($0, RSTART + 11, RLENGTH - 11)
		anchor = /text-anchor="start"/ ? 0 : /text-anchor="end"/ ? 1 : 0.5
		is_turned = /rotate\((-90|270)/
	}
	/<text>/ {
		gsub(/.*<text>|<\/text>.*|<[^>]*>/, ""); gsub(/&[a-z#0-9]+;/, "x")
		wide = 0.63 * size * length($0)
		from = is_turned ? at[2] - (1 - anchor) * wide : at[1] - anchor * wide
		if (from < -2 || from + wide > box[is_turned ? 4 : 3] + 2) { print "# outside of " FILENAME ": " $0; bad = 1 }
	}
	END { exit bad || !box[3] }' "$1"
}

# Titles are as JSON has them. A run of sixty seconds with an outage, and a sweep of two strategies and two budgets, the last point not yet run.
title='it'"'"'s \"100 %\" {hostile}_^@x \\ `touch hacked` $(touch hacked) <b>&'
run() {
	mkdir -p "$1"
	printf '{"title": "%s", "capacity_per_s": 20, "faults": [{"from_s": 10, "to_s": 20}], "seed": 18446744073709551615}' \
		"$2" >"$1/summary.json"
	awk 'BEGIN {
		print "time_s,first,retries,offered,ok,queue_mean,queue_max,latency_p50_s"
		for (i = 0; i < 600; i++) {
			r = i == 100 || i == 205 ? 1000 : 0
			printf "%g,1,%d,%d,%d,%g,%d,\n", i / 10, r, r + 1, (i < 100 || i >= 200), r / 100, r / 50
		}
	}' >"$1/series.csv"
}
sweep() {
	mkdir -p "$1/series"
	title=$2 awk 'BEGIN {
		split("none none full full", j, " ")
		printf "{\"title\": \"%s\", \"axes\": [\"x.jitter\", \"x.budget\"], \"groups\": [\"fleet-5_a\", \"users\"], \"swept_groups\": [\"fleet-5_a\"], \"replications\": 3, \"points\": [", ENVIRON["title"]
		for (p = 0; p < 4; p++)
			printf "%s{\"labels\": [\"%s\", \"%s\"], \"n\": %d, \"series\": \"series/00%d.csv\", \"capacity_per_s\": 20, \"faults\": [{\"from_s\": 10, \"to_s\": 20}]}",
				(p ? ", " : ""), j[p + 1], (p % 2 ? "{kind: a_b, rate: 10%}" : "off"), (p < 3 ? 3 : 0), p
		print "]}"
	}' >"$1/sweep.json"
	awk 'BEGIN {
		n = split("after_fault_peak_x_capacity success_share recovery_time_s recovered", f, " ")
		printf "point,x.jitter,x.budget,n"
		for (i = 1; i <= n; i++) printf ",%s,%s_lo,%s_hi", f[i], f[i], f[i]
		n = split("success_share last_success_after_fault_s amplification", f, " ")
		for (i = 1; i <= n; i++) for (k = 1; k <= 3; k++) printf ",fleet-5_a.%s%s", f[i], substr("   _lo_hi", 3 * k - 2, 3 * (k > 1))
		print ""
		print "0,none,off,3,50,49,51,0.5,0.4,0.6,,,,0.333,0,1,0.25,0.2,0.3,,,,7,6,8"
		print "1,none,\"{kind: a_b, rate: 10%}\",3,1,0.9,1.1,0.9,0.8,1,4,3,5,1,1,1,1,1,1,30,20,40,2,1,3"
		print "2,full,off,3,2,1.9,2.1,0.9,0.8,1,40,30,50,1,1,1,1,1,1,31,30,32,2,2,2"
		print "3,full,\"{kind: a_b, rate: 10%}\",0,,,,,,,,,,,,,,,,,,,,,"
	}' >"$1/summary.csv"
	for p in 0 1 2; do
		awk 'BEGIN {
			print "time_s,offered,offered_lo,offered_hi,ok"
			for (i = 0; i < 600; i++) printf "%g,%d,%d,%d,1\n", i / 10, (i == 100 ? 102 : 2), 1, (i == 100 ? 103 : 3)
		}' >"$1/series/00$p.csv"
	done
}

run "$tmp/run" "$title"
(cd "$tmp" && "$STAMPEDE" plot run 2>err)
ok "a run is drawn"
is_png "$tmp/run/load.png" && is_svg "$tmp/run/load.svg"
ok "as PNG and as SVG"
grep -q '{hostile}_^@x' "$tmp/run/load.svg" && grep -q 'touch hacked' "$tmp/run/load.svg"
ok "its title is what it says"
[ ! -e "$tmp/hacked" ] && [ ! -e "$tmp/run/hacked" ]
ok "and does nothing"

# More than the system takes as one argument (128 KiB), as the labels of a few thousand points are.
run "$tmp/wide" "$(printf '%0140000d' 0)"
"$STAMPEDE" plot "$tmp/wide" 2>"$tmp/err" && is_png "$tmp/wide/load.png" && is_svg "$tmp/wide/load.svg"
ok "texts of any length are drawn"

# A title like none, no fault, no capacity, a single bin.
mkdir "$tmp/bare"
echo '{}' >"$tmp/bare/summary.json"
printf 'time_s,first,retries,offered,ok,queue_mean,queue_max\n0,0,0,0,0,0,0\n' >"$tmp/bare/series.csv"
"$STAMPEDE" plot "$tmp/bare" 2>"$tmp/err" && is_png "$tmp/bare/load.png"
ok "an idle run of one bin is drawn"

sweep "$tmp/sweep" "$title"
"$STAMPEDE" plot "$tmp/sweep" 2>"$tmp/err"
ok "a sweep with a point missing is drawn"
is_png "$tmp/sweep/sweep.png" && is_svg "$tmp/sweep/sweep.svg" && is_png "$tmp/sweep/strategies.png" &&
	is_svg "$tmp/sweep/strategies.svg"
ok "as PNG and as SVG, points and strategies"
grep -q 'a_b, rate 10%' "$tmp/sweep/sweep.svg"
ok "rows have their values"
grep -q 'fleet-5_a:' "$tmp/sweep/sweep.svg"
ok "clients are those of the groups that axes name"

cat >"$tmp/curves.yaml" <<'YAML'
title: What the spread is worth
duration: 2s
service: {workers: 1, service_time: 10ms, queue: 5}
clients:
  herd:
    count: 20
    workload: once
    retry: {attempts: 3, backoff: {base: 50ms}}
sweep:
  axes:
    herd.workload.spread: [10ms, 100ms, 1s]
    herd.retry.backoff.jitter: [none, full]
YAML
"$STAMPEDE" sweep "$tmp/curves.yaml" -o "$tmp/curves" >"$tmp/out" 2>"$tmp/err" && is_png "$tmp/curves/curves.png" &&
	grep -q 'herd.workload.spread, s' "$tmp/curves/curves.svg" && grep -q '>full<' "$tmp/curves/curves.svg"
ok "a sweep over a quantity is drawn as curves, named by the other axis"
# A path in a curve's colour with a part for each value but the first.
grep -q "stroke='rgb(  0, 114, 178)'  d='M[0-9.,]* L[0-9.,]* L" "$tmp/curves/curves.svg"
ok "whose marks are joined, though points of one curve are apart in the table"
"$STAMPEDE" sweep "$tmp/curves.yaml" --axis herd.workload.spread=10ms,1s -o "$tmp/few" >"$tmp/out" 2>"$tmp/err" && [ ! -e "$tmp/few/curves.png" ]
ok "two values are no curve"
"$STAMPEDE" sweep "$tmp/curves.yaml" --axis 'herd.workload.spread=log 10ms..1s' --sample 6 -o "$tmp/sample" >"$tmp/out" 2>"$tmp/err" &&
	is_png "$tmp/sample/scatter.png" && grep -q 'herd.workload.spread, s (log scale)' "$tmp/sample/scatter.svg" &&
	grep -q '>full<' "$tmp/sample/scatter.svg" && grep -q '>6 points; one run a point<' "$tmp/sample/scatter.svg"
ok "a sample is drawn as figures against each parameter"
[ ! -e "$tmp/sample/sweep.png" ] && [ ! -e "$tmp/sample/strategies.png" ]
ok "and not by its first points"

grep -q 'peak 50.0 ± 1.0 x capacity' "$tmp/sweep/strategies.svg" && grep -q 'peak 2.00 ± 0.10 x capacity' "$tmp/sweep/strategies.svg"
ok "strategies have the peaks of summary.csv, not of the mean series"

# Three tiers with long names, values of any length, in no order, an interval far beyond the means and one that takes a share over 100 %.
wide=a_service_with_a_name_of_forty_letters__ deep=another_service_with_a_name_of_40_letters
mkdir -p "$tmp/tiers/series"
awk -v wide="$wide" -v deep="$deep" 'BEGIN {
	for (i = 0; i < 12; i++) long = long "policy " 
	printf "{\"title\": \"tiers\", \"axes\": [\"%s.calls.retry.attempts\", \"%s.calls.retry.attempts\"], \"groups\": [], \"swept_groups\": [], \"services\": [\"%s\", \"%s\"], \"replications\": 3, \"points\": [", wide, deep, wide, deep
	for (p = 0; p < 8; p++)
		printf "%s{\"labels\": [\"%s\", \"%s\"], \"n\": 3, \"series\": \"series/000.csv\", \"capacity_per_s\": 20, \"duration_s\": 60, \"faults\": []}",
			(p ? ", " : ""), (p < 4 ? "short" : long), substr("2134", p % 4 + 1, 1)
	print "]}"
}' >"$tmp/tiers/sweep.json"
awk -v wide="$wide" -v deep="$deep" 'BEGIN {
	printf "point"
	n = split("offered_peak_x_capacity success_share amplification " deep ".offered_peak_x_capacity " wide ".offered_peak_x_capacity", f, " ")
	for (i = 1; i <= n; i++) printf ",%s,%s_lo,%s_hi", f[i], f[i], f[i]
	print ""
	for (p = 0; p < 8; p++) print p ",0.1,0.1,0.1,0.99,0.9,1.3,2,1,3," (p == 6 ? ",," : p + 2 ",1,99") ",0.1,0.1,0.1"
}' >"$tmp/tiers/summary.csv"
cp "$tmp/sweep/series/000.csv" "$tmp/tiers/series/"
"$STAMPEDE" plot "$tmp/tiers" 2>"$tmp/err" && grep -q ">$deep: peak, x capacity (log scale; dashed: capacity)<\|>$deep: peak, x capacity (dashed: capacity)<" "$tmp/tiers/curves.svg" &&
	grep -q '>another_servic...:<' "$tmp/tiers/sweep.svg"
ok "of several services that is drawn whose peak is the most times its capacity"
grep -q ">tiers: $wide<" "$tmp/tiers/strategies.svg"
ok "the load over time is that of the first, and says so"
grep -q ">$wide.attempts<" "$tmp/tiers/curves.svg" && grep -q ">$deep.attempts 2<" "$tmp/tiers/sweep.svg" && grep -q ">a panel each $wide.attempts; $deep.attempts 2; means" "$tmp/tiers/strategies.svg"
ok "parameters of one name say whose they are"
all_inside "$tmp/tiers/curves.svg" && all_inside "$tmp/tiers/sweep.svg" && all_inside "$tmp/tiers/strategies.svg"
ok "long names are on the pictures"
# The teeth of a herd, and the longest of a series too long to draw each bin.
awk 'BEGIN {
	print "time_s,first,retries,offered,ok,queue_mean,queue_max"
	for (i = 0; i < 20000; i++) printf "%g,1,%d,%d,1,0,0\n", i / 10, r, 1 + (r = i % 1000 == 500 ? 400 : 0)
}' >"$tmp/run/long.csv"
mkdir "$tmp/long" && cp "$tmp/run/summary.json" "$tmp/long/" && mv "$tmp/run/long.csv" "$tmp/long/series.csv"
"$STAMPEDE" plot "$tmp/long" 2>"$tmp/err" && grep -q 'log scale' "$tmp/long/load.svg" && grep -q 'pale the highest 100 ms' "$tmp/long/load.svg"
ok "a long series with a peak that dwarfs the capacity is drawn on a log scale"
! grep -q 'queue' "$tmp/long/load.svg"
ok "and without a queue there is no panel of it"

# A service far below its capacity, broken to the end; a queue that is long for an instant alone; nothing more after 12 s; a title of many words.
mkdir "$tmp/quiet"
words='a title of as many words as anybody would ever like to read on a slide, and then some more of them, until there are 120'
printf '{"title": "%s", "capacity_per_s": 1e9, "faults": [{"from_s": 10, "to_s": 60}], "successes": 9, "failures": 1, "recovery_time_s": null}' \
	"$words" >"$tmp/quiet/summary.json"
awk 'BEGIN {
	print "time_s,first,retries,offered,ok,queue_mean,queue_max"
	for (i = 0; i < 600; i++) printf "%g,%d,0,%d,1,0.001,%d\n", i / 10, i < 120, i < 120, (i == 50 ? 7 : 0)
}' | sed '120,$s/,1,0.001,/,0,0,/' >"$tmp/quiet/series.csv"
"$STAMPEDE" plot "$tmp/quiet" 2>"$tmp/err" && grep -q '; then nothing, until 1 min)' "$tmp/quiet/load.svg"
ok "a long end without anything is left out, and that is said"
grep -q '>90 % served; the fault lasts to the end; peak 10/s<' "$tmp/quiet/load.svg" && grep -q '>1G/s,<' "$tmp/quiet/load.svg"
ok "after a fault that has no end nothing is told, nor how many times a capacity that is far above"
grep -q '>longest<' "$tmp/quiet/load.svg" && grep -q '>(pale)<' "$tmp/quiet/load.svg" && grep -q '>7<' "$tmp/quiet/load.svg"
ok "the queue at its longest stands beside its means"
all_inside "$tmp/quiet/load.svg"
ok "a title of 120 letters is on the picture"

# Folders named like a pipe or an option, with quotes.
d="$tmp/it's <|-x"
run "$d" plain
(cd "$tmp" && "$STAMPEDE" plot "./it's <|-x" 2>err) && is_png "$d/load.png"
ok "a folder of any name is drawn into"
mkdir "$tmp/pipe" && run "$tmp/pipe/|touch hacked" plain
(cd "$tmp/pipe" && "$STAMPEDE" plot "|touch hacked" 2>../err) && is_png "$tmp/pipe/|touch hacked/load.png"
ok "also one that looks like a pipe"

# gnuplot's start-up file and its questions are not for us.
mkdir "$tmp/home"
echo 'exit status 9' >"$tmp/home/.gnuplot"
HOME="$tmp/home" "$STAMPEDE" plot "$tmp/run" 2>"$tmp/err"
ok "a start-up file is not read"

cat >"$tmp/tiny.yaml" <<'END'
title: tiny
duration: 5s
service: {workers: 1, service_time: constant 10ms}
clients: {fleet: {count: 10, workload: {kind: once, at: 1s}}}
END
(cd "$tmp" && GNUPLOT=/nonexistent/gnuplot "$STAMPEDE" run tiny.yaml -o tiny >out 2>err)
is $? 3 && is "$(ls -A "$tmp/tiny" | tr '\n' ' ')" 'scenario.yaml series.csv summary.json ' &&
	is "$(wc -l <"$tmp/tiny/series.csv")" 51 && grep -q '^10 operations, all served' "$tmp/out"
ok "run without gnuplot: all data are written, then exit 3"
(cd "$tmp" && "$STAMPEDE" run tiny.yaml -o tiny --no-chart >out 2>err)
is $? 0 && is "$(ls -A "$tmp/tiny" | tr '\n' ' ')" 'scenario.yaml series.csv summary.json '
ok "--no-chart draws nothing"
(cd "$tmp" && "$STAMPEDE" run tiny.yaml -o tiny --quiet --format json >out 2>err)
is $? 0 && is_png "$tmp/tiny/load.png" && cmp -s "$tmp/out" "$tmp/tiny/summary.json" && [ ! -s "$tmp/err" ]
ok "run draws, --format json prints summary.json"

(cd "$tmp" && "$STAMPEDE" run tiny.yaml -o tiny >out 2>err)
is $? 0 && is "$(sed 's/.*: //' "$tmp/err" | tr '\n' ' ')" "results are in 'tiny' drawing load.png "
ok "and says so, if not quiet"

run "$tmp/none" plain
cp "$tmp/none/series.csv" "$tmp/before.csv"
GNUPLOT=/nonexistent/gnuplot "$STAMPEDE" plot "$tmp/none" 2>"$tmp/err"
is $? 3
ok "without gnuplot: exit 3"
grep -q "cannot run gnuplot as '/nonexistent/gnuplot': No such file or directory" "$tmp/err"
ok "and why"
cmp -s "$tmp/none/series.csv" "$tmp/before.csv" && is "$(ls -A "$tmp/none" | tr '\n' ' ')" 'series.csv summary.json '
ok "the data are as they were, and nothing else is there"

run "$tmp/broken" plain
echo 'no columns here' >"$tmp/broken/series.csv"
"$STAMPEDE" plot "$tmp/broken" 2>"$tmp/err"
is $? 3
ok "gnuplot's failure: exit 3"
grep -q "failed on '.*load.gp': ." "$tmp/err" && is "$(ls -A "$tmp/broken" | tr '\n' ' ')" 'series.csv summary.json '
ok "with what gnuplot said, and no half chart"

"$STAMPEDE" plot "$tmp/home" 2>"$tmp/err"
is $? 2 && grep -q "holds no results" "$tmp/err"
ok "a folder without results: exit 2"
echo '{"title": ' >"$tmp/none/summary.json"
"$STAMPEDE" plot "$tmp/none" 2>"$tmp/err"
is $? 2 && grep -q "cannot read '$tmp/none/summary.json'" "$tmp/err"
ok "a broken summary: exit 2"
echo "1..$n"
