# strategies.gp - the load under several strategies, one panel each, on one scale.
#
# By hand:  gnuplot -d -e "array file[2]; file[1]='out/x/series/000.csv'; file[2]='out/x/series/009.csv'; \
#                          array label[2]; label[1]='none'; label[2]='full'; out='strategies.png'; \
#                          capacity=200; faults='10 40'; summary='out/x/summary.csv'; points='0 9'" plots/strategies.gp
#
#   file      mean series of a sweep, one a panel, at most eight
#   label     what each panel shows
#   summary   the sweep's summary.csv, and
#   points    "POINT POINT ...", whose the panels are: then their peaks are written out; both may be missing
#   out       the picture: NAME.png or NAME.svg
#   capacity  requests/s, 0 for none
#   faults    "FROM TO FROM TO ..." in s, "" for none
#   title     and subtitle, both may be missing
#
# The axis is logarithmic where a peak dwarfs the capacity, and every bin is drawn as it is, as in load.gp. The peaks are
# those of summary.csv, means of each run's own: of runs that peak at different times no bin of the mean series is so high.

if (!exists("capacity")) capacity = 0
if (!exists("faults")) faults = ""
if (!exists("title")) title = ""
if (!exists("subtitle")) subtitle = ""
if (!exists("summary")) summary = ""
if (!exists("points")) points = ""

n = |file|
columns = n > 3 ? 2 : 1
rows = (n + columns - 1) / columns
if (strlen(out) > 4 && out[strlen(out)-3:] eq ".svg") {
	set terminal svg size 1600,(rows > 2 ? 280 * rows + 150 : 900) noenhanced font "Helvetica,22" background rgb "white" dynamic
} else {
	set terminal pngcairo size 1600,(rows > 2 ? 280 * rows + 150 : 900) noenhanced font "Sans,20" background rgb "white"
}
set output out
set encoding utf8
set datafile separator ","
set datafile columnheaders

LOAD = "#D55E00"; GOOD = "#000000"

# How long they are, and the highest bin of all.
nfaults = words(faults) / 2
peak = 0.0
do for [i = 1:n] {
	stats file[i] using (t = column("time_s"), o = column("offered"), peak = o > peak ? o : peak, t) nooutput name "T"
	bin = T_records > 1 ? T_max / (T_records - 1) : 1.0
}
peak = peak / bin
started = T_max
end = started + bin

# Each panel's peak, as the summary has it: its mean and the half of its interval.
array high[n]; array half[n]
do for [i = 1:n] { high[i] = -1; half[i] = 0 }
if (strlen(summary) > 0 && words(points) == n && capacity > 0) {
	col = (nfaults > 0 ? "after_fault" : "offered") . "_peak_x_capacity"
	do for [i = 1:n] {
		stats summary using (column("point") == int(word(points, i)) ? (v = column(col), v >= 0 ? (high[i] = v) : 0, \
			v = column(col . "_hi") - v, v > 0 ? (half[i] = v) : 0) : 0, 1) nooutput
	}
}

# The least of 1, 2, 5, 10 ... bins that makes at most `most` of the whole.
bins(most) = (need = T_records / real(most), ten = need > 1 ? 10.0 ** floor(log10(need)) : 1.0, \
	need <= 1 ? 1 : need <= ten ? ten : need <= 2 * ten ? 2 * ten : need <= 5 * ten ? 5 * ten : 10 * ten)
wide = bins(6000) * bin
smooth_ = bins(150) * bin
number_of(t, w) = floor(t / w + 1e-6)
cells = number_of(started, wide) + 1
steps = number_of(started, smooth_) + 2

is_log = peak > 5 * (capacity > 0 ? capacity : 1e300)
lo = is_log ? (0.3 / bin < capacity / 10.0 ? 0.3 / bin : capacity / 10.0) : 0
top = is_log ? 1.6 * peak : 1.12 * (peak > capacity ? peak : capacity)
if (top <= 0) top = 1
up(x) = x > lo ? x : lo

number(x) = x >= 1e3 ? sprintf("%d,%03d", int(x) / 1000, int(x) % 1000) : sprintf(x < 100 ? "%.3g" : "%.0f", x)
digits(x) = x < 10 ? "%.2f" : x < 100 ? "%.1f" : "%.0f"
told(i) = high[i] < 0 ? "" : sprintf("peak " . digits(high[i]), high[i]) . \
	(half[i] >= 0.005 ? sprintf(" ± " . digits(high[i]), half[i]) : "") . " x capacity"
span(b) = b < 1 ? sprintf("%g ms", b * 1000) : sprintf("%g s", b)

set multiplot
set xrange [0:end]
set yrange [lo:top]
set border 3 lw 1.5
set tics nomirror out
set grid ytics lc rgb "#dddddd" lw 1 lt 1
set ytics autofreq
if (is_log) {
	set logscale y
	set ytics ("0" lo)
	do for [k = -3:9] { if (10.0 ** k > (rows > 3 ? 5 : 2.4) * lo) { set ytics add (10.0 ** k) } }
}
do for [i = 1:nfaults] {
	from = real(word(faults, 2 * i - 1)); to = real(word(faults, 2 * i))
	set object i rectangle from first from, graph 0 to first to, graph 1 fillcolor rgb "#cccccc" fillstyle solid 0.6 noborder behind
}
if (capacity > 0) {
	set arrow 1 from graph 0, first capacity to graph 1, first capacity nohead dashtype 2 lw 3 lc rgb "#000000" front
	set label 12 sprintf("capacity\n%s/s", number(capacity)) at graph 1.008, first capacity left offset 0, 0.4 font ",16"
}
set label 1 title at screen 0.02, 0.962 left font (strlen(title) > 85 ? ",18" : ",26")
set label 2 subtitle at screen 0.02, 0.91 left font (strlen(subtitle) > 105 ? ",16" : ",18") textcolor rgb "#444444"
note = nfaults > 0 ? "; grey: fault; peak: the busiest " . span(bin) . " after it, mean of the runs'" : "; peak: the busiest " . span(bin) . ", mean of the runs'"
set label 3 sprintf("time, s   (each bar %s%s)", span(wide), note) at screen 0.5, 0.028 center
set label 4 "requests per second" . (is_log ? " (log scale)" : "") at screen 0.014, 0.47 center rotate by 90
set style fill solid 1.0 noborder

left = 0.095; right = 0.925; foot = 0.11; head = 0.85; gap = 0.075
w = (right - left - gap * (columns - 1)) / columns
h = (head - foot) / rows
# A bin may be narrower than a pixel: a spike is drawn as a line besides.
spike(x) = is_log && x > 2 * capacity ? x : NaN
array all[cells]; array good[steps]
do for [i = 1:n] {
	c = (i - 1) % columns; r = (i - 1) / columns
	set lmargin at screen left + c * (w + gap)
	set rmargin at screen left + c * (w + gap) + w
	set tmargin at screen head - r * h - 0.055
	set bmargin at screen head - (r + 1) * h + 0.015
	set format y (c > 0 ? "" : is_log && lo >= 0.1 || top >= 1e5 ? "%.0s%c" : "%g")
	set format x (i + columns > n ? "%g" : "")
	set label 10 label[i] at graph 0, graph 1 left offset 0, 0.7 font ",20" front
	set label 11 told(i) at graph 1, graph 1 right offset 0, 0.6 font ",18"
	if (i == 1) { set key at screen right, 0.865 right bottom horizontal maxrows 1 samplen 2 width -1 font ",16" } else { unset key }
	do for [k = 1:cells] { all[k] = 0 }
	do for [k = 1:steps] { good[k] = 0 }
	stats file[i] using (t = column("time_s"), k = number_of(t, wide) + 1, all[k] = all[k] + column("offered") / wide, \
		k = number_of(t, smooth_) + 1, good[k] = good[k] + column("ok") / smooth_, 1) nooutput
	good[steps] = good[steps-1]
	if (is_log) { set ytics add ((c > 0 ? "" : "0") lo) }
	unset datafile columnheaders
	set datafile separator whitespace
	plot all using (($1 - 1) * wide):(up($2)) with fillsteps lc rgb LOAD title "offered load", \
		all using (($1 - 0.5) * wide):(spike($2)) with impulses lw 2.5 lc rgb LOAD notitle, \
		good using (($1 - 1) * smooth_):(up($2)) with steps lw 3 lc rgb GOOD title "goodput, means of " . span(smooth_)
	set datafile columnheaders
	set datafile separator ","
	unset label 1; unset label 2; unset label 3; unset label 4
}
unset multiplot
