# strategies.gp - strategies side by side: the mean load of each, with its 95 % band, on one scale.
#
# By hand:  gnuplot -d -e "array file[2]; file[1]='out/x/series/000.csv'; file[2]='out/x/series/009.csv'; \
#                          array label[2]; label[1]='none'; label[2]='full'; out='strategies.png'; \
#                          capacity=200; faults='10 40'" plots/strategies.gp
#
#   file      mean series of a sweep, one a panel, at most eight
#   label     what each panel shows
#   out       the picture: NAME.png or NAME.svg
#   capacity  requests/s, 0 for none
#   faults    "FROM TO FROM TO ..." in s, "" for none
#   title     and subtitle, both may be missing
#
# The axis ends at four times the capacity (load.gp says why); each panel has its peak after the fault written out.

if (!exists("capacity")) capacity = 0
if (!exists("faults")) faults = ""
if (!exists("title")) title = ""
if (!exists("subtitle")) subtitle = ""

n = |file|
columns = n > 3 ? 2 : 1
rows = (n + columns - 1) / columns
if (strlen(out) > 4 && out[strlen(out)-3:] eq ".svg") {
	set terminal svg size 1600,(rows > 2 ? 250 * rows + 150 : 900) noenhanced font "Helvetica,22" background rgb "white" dynamic
} else {
	set terminal pngcairo size 1600,(rows > 2 ? 250 * rows + 150 : 900) noenhanced font "Sans,20" background rgb "white"
}
set output out
set encoding utf8
set datafile separator ","
set datafile columnheaders

LOAD = "#D55E00"; BAND = "#F0BE93"; GOOD = "#000000"

# One pass a file: the length, the highest bins of all, and each panel's after the last fault.
nfaults = words(faults) / 2
last = nfaults > 0 ? real(word(faults, 2 * nfaults)) : 0
array after[n]
peak = 0.0
do for [i = 1:n] {
	started = 0; high = 0.0
	stats file[i] using (t = column("time_s"), started = t, o = column("offered"), peak = o > peak ? o : peak, \
		high = o > high && t >= last - 1e-6 ? o : high, t) nooutput name "T"
	bin = T_records > 1 ? started / (T_records - 1) : 1.0
	after[i] = high / bin
}
peak = peak / bin
end = started + bin
wide = ceil(T_records / 240.0) * bin
at(t) = floor(t / wide + 1e-6) * wide + wide / 2
top = capacity > 0 && peak > 4 * capacity ? 4.0 * capacity : 1.15 * (peak > capacity ? peak : capacity)
if (top <= 0) top = 1

number(x) = x >= 1e3 ? sprintf("%d,%03d", int(x) / 1000, int(x) % 1000) : sprintf(x < 100 ? "%.3g" : "%.0f", x)
told(x) = number(x) . "/s" . (capacity > 0 ? " = " . sprintf("%.3g", x / capacity) . " x capacity" : "")
span(b) = b < 1 ? sprintf("%g ms", b * 1000) : sprintf("%g s", b)

set multiplot
set xrange [0:end]
set yrange [0:top]
set border 3 lw 1.5
set tics nomirror out
set grid ytics lc rgb "#dddddd" lw 1 lt 1
set ytics autofreq
do for [i = 1:nfaults] {
	set object i rectangle from first real(word(faults, 2 * i - 1)), graph 0 to first real(word(faults, 2 * i)), graph 1 \
		fillcolor rgb "#000000" fillstyle transparent solid 0.13 noborder front
}
if (capacity > 0) {
	set arrow 1 from graph 0, first capacity to graph 1, first capacity nohead dashtype 2 lw 3 lc rgb "#000000" front
}
set label 1 title at screen 0.02, 0.962 left font (strlen(title) > 85 ? ",18" : ",26")
set label 2 subtitle at screen 0.02, 0.91 left font ",18" textcolor rgb "#444444"
set label 3 sprintf("time, s   (grey: fault; lines: means of %s; peaks: of the mean, %s)", span(wide), span(bin)) at screen 0.54, 0.03 center
set label 4 "requests per second" at screen 0.02, 0.47 center rotate by 90

left = 0.085; right = 0.985; foot = 0.11; head = 0.85; gap = 0.03
w = (right - left - gap * (columns - 1)) / columns
h = (head - foot) / rows
do for [i = 1:n] {
	c = (i - 1) % columns; r = (i - 1) / columns
	set lmargin at screen left + c * (w + gap)
	set rmargin at screen left + c * (w + gap) + w
	set tmargin at screen head - r * h - 0.05
	set bmargin at screen head - (r + 1) * h + 0.01
	set format y (c > 0 ? "" : top >= 1e5 ? "%.1s%c" : "%g")
	set format x (i + columns > n ? "%g" : "")
	set label 10 label[i] at graph 0.0, graph 1.0 left offset 0, 0.8 font ",22" front
	set label 11 (nfaults > 0 ? "after the fault " : "peak ") . told(after[i]) at graph 1, graph 1 right offset 0, 0.7 font ",18"
	if (i == 1 && capacity > 0) {
		set label 12 sprintf("capacity %s/s", number(capacity)) at graph 0.995, first capacity right offset 0, 0.7 front font ",18"
	}
	if (i == 1) { set key at screen 0.985, 0.885 right bottom vertical maxcols 1 samplen 2 width 0 font ",18" } else { unset key }
	# The band of a wider bin is the mean of its bins' bands: never narrower than its own would be.
	plot file[i] using (at(column("time_s"))):(column("offered_hi") / bin) smooth unique with filledcurves y1=0 lc rgb BAND notitle, \
		'' using (at(column("time_s"))):(column("offered_lo") / bin) smooth unique with filledcurves y1=0 lc rgb "#ffffff" notitle, \
		'' using (at(column("time_s"))):(column("offered") / bin) smooth unique with lines lw 3 lc rgb LOAD title "offered load, 95 % band", \
		'' using (at(column("time_s"))):(column("ok") / bin) smooth unique with lines lw 2 lc rgb GOOD title "goodput"
	unset label 1; unset label 2; unset label 3; unset label 4; unset label 12
}
unset multiplot
