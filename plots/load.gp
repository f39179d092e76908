# load.gp - the load on a service over time, and its queue.
#
# By hand:  gnuplot -d -e "series='out/x/series.csv'; out='load.png'; capacity=200; faults='10 40'" plots/load.gp
#
#   series    a run's series.csv (columns are found by name)
#   out       the picture: NAME.png or NAME.svg
#   capacity  requests/s, 0 for none
#   faults    "FROM TO FROM TO ..." in s, "" for none
#   title     and subtitle, both may be missing
#
# A herd can be fifty times the capacity for a tenth of a second. On an axis that long nothing else would be seen, and a
# logarithmic one cannot stack: so the axis ends at four times the capacity, and the peaks are written out.

if (!exists("capacity")) capacity = 0
if (!exists("faults")) faults = ""
if (!exists("title")) title = ""
if (!exists("subtitle")) subtitle = ""

if (strlen(out) > 4 && out[strlen(out)-3:] eq ".svg") {
	set terminal svg size 1600,900 noenhanced font "Helvetica,22" background rgb "white" dynamic
} else {
	set terminal pngcairo size 1600,900 noenhanced font "Sans,20" background rgb "white"
}
set output out
set encoding utf8
set datafile separator ","
set datafile columnheaders

# Okabe and Ito's colours; light against dark, so that they differ in grey too.
FIRST = "#56B4E9"; RETRY = "#D55E00"; GOOD = "#000000"; QUEUE = "#009E73"

# One pass: a file may have a million rows. The highest bins are of the whole, and after the last fault.
nfaults = words(faults) / 2
last = nfaults > 0 ? real(word(faults, 2 * nfaults)) : 0
started = 0; peak = 0.0; after = 0.0; longest = 0.0
stats series using (t = column("time_s"), started = t, n = column("offered"), peak = n > peak ? n : peak, \
	after = n > after && t >= last - 1e-6 ? n : after, q = column("queue_max"), longest = q > longest ? q : longest, t) nooutput name "T"
bin = T_records > 1 ? started / (T_records - 1) : 1.0
end = started + bin
peak = peak / bin
after = after / bin

# What is drawn is the mean over whole bins, at most 240 of them across.
wide = ceil(T_records / 240.0) * bin
at(t) = floor(t / wide + 1e-6) * wide + wide / 2
rate(x) = x / wide

top = capacity > 0 && peak > 4 * capacity ? 4.0 * capacity : 1.15 * (peak > capacity ? peak : capacity)
if (top <= 0) top = 1

number(x) = x >= 1e3 ? sprintf("%d,%03d", int(x) / 1000, int(x) % 1000) : sprintf(x < 100 ? "%.3g" : "%.0f", x)
told(x) = number(x) . "/s" . (capacity > 0 ? " = " . sprintf("%.3g", x / capacity) . " x capacity" : "")
span(b) = b < 1 ? sprintf("%g ms", b * 1000) : sprintf("%g s", b)

set multiplot
set lmargin at screen 0.1
set rmargin at screen 0.975
set xrange [0:end]
set border 3 lw 1.5
set tics nomirror out
set grid ytics lc rgb "#dddddd" lw 1 lt 1

set label 1 title at screen 0.02, 0.962 left font (strlen(title) > 85 ? ",18" : ",26")
set label 2 subtitle at screen 0.02, 0.91 left font ",18" textcolor rgb "#444444"

do for [i = 1:nfaults] {
	from = real(word(faults, 2 * i - 1)); to = real(word(faults, 2 * i))
	set object i rectangle from first from, graph 0 to first to, graph 1 \
		fillcolor rgb "#cccccc" fillstyle solid 0.6 noborder behind
	set label 10 + i "fault" at first (from + to) / 2, graph 1.035 center font ",18" textcolor rgb "#444444"
}

# --- load
set tmargin at screen 0.83
set bmargin at screen 0.37
set yrange [0:top]
set format x ""
set ylabel "requests per second"
set format y (top >= 1e5 ? "%.1s%c" : "%g")
set key at screen 0.985, 0.895 right bottom horizontal maxrows 1 samplen 2 width 1 font ",18"
set style fill solid 1.0 noborder
set boxwidth wide

if (capacity > 0) {
	set arrow 1 from graph 0, first capacity to graph 1, first capacity nohead dashtype 2 lw 3 lc rgb "#000000" front
	set label 3 sprintf("capacity %s/s", number(capacity)) at graph 0.995, first capacity right offset 0, 0.6 front font ",18"
}
# Above the panel: no place in it is free in every run.
said = "peak " . told(peak)
if (nfaults > 0) { said = said . ", after the fault " . told(after) }
set style textbox opaque fillcolor rgb "#ffffff" noborder margins 0.6, 0.3
set label 4 said at graph 1, graph 1.04 right front boxed font ",18"
# The whole load first, the first attempts over it: what is left to see of the whole are the retries.
plot series using (at(column("time_s"))):(rate(column("offered"))) smooth frequency with boxes lc rgb RETRY title "retries", \
	'' using (at(column("time_s"))):(rate(column("first"))) smooth frequency with boxes lc rgb FIRST title "first attempts", \
	'' using (at(column("time_s"))):(rate(column("ok"))) smooth frequency with lines lw 3 lc rgb GOOD title "goodput"
unset arrow 1
unset label

# --- queue
set tmargin at screen 0.33
set bmargin at screen 0.12
set format x "%g"
set xlabel sprintf("time, s   (drawn: means of %s; peaks: of %s)", span(wide), span(bin))
set ylabel "queue, requests"
set format y (longest >= 1e4 ? "%.0s%c" : "%g")
set ytics font ",16"
set yrange [0:(longest > 0 ? longest * 1.1 : 1)]
unset key
plot series using (at(column("time_s"))):(column("queue_mean")) smooth unique with filledcurves y1=0 lc rgb QUEUE notitle
unset multiplot
