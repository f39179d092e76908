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
# The axis is logarithmic where a peak dwarfs the capacity, every bin is drawn as it is, and a long end in which nothing comes is left out, as in load.gp. The peaks are
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
peak = 0.0; busy = 0.0
do for [i = 1:n] {
	stats file[i] using (t = column("time_s"), o = column("offered"), peak = o > peak ? o : peak, \
		busy = (o > 0 || column("ok") > 0) && t > busy ? t : busy, t) nooutput name "T"
	bin = T_records > 1 ? T_max / (T_records - 1) : 1.0
}
peak = peak / bin
started = T_max
end = started + bin
last = nfaults > 0 ? real(word(faults, 2 * nfaults)) : 0
ends = last < end - 1e-6
busy = busy + bin
if (ends && last > busy) { busy = last }
shown = busy < 0.5 * end ? 1.05 * busy : end
unit = shown > 10800 ? 3600.0 : 1.0

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
is_far = peak > 0 && capacity > 8 * peak
top = is_log ? 1.6 * peak : 1.12 * (peak > capacity || is_far ? peak : capacity)
if (top <= 0) top = 1
up(x) = x > lo ? x : lo

# The greatest size for a text in so many pixels.
fitted(text, pixels, most) = (size_ = pixels / (0.7 * (strlen(text) + 1)), sprintf(",%d", size_ > most ? most : size_ < 8 ? 8 : size_))
# A step that makes so many tics at most.
step_to(x, many) = (ten = 10.0 ** floor(log10(x / many)), x / many <= ten ? ten : x / many <= 2 * ten ? 2 * ten : x / many <= 5 * ten ? 5 * ten : 10 * ten)

number(x) = x >= 1e9 ? sprintf("%.3gG", x / 1e9) : x >= 1e6 ? sprintf("%.3gM", x / 1e6) : x >= 1e3 ? sprintf("%d,%03d", int(x) / 1000, int(x) % 1000) : sprintf(x < 100 ? "%.3g" : "%.0f", x)
digits(x) = x < 10 ? "%.2f" : x < 100 ? "%.1f" : "%.0f"
told(i) = high[i] < 0 || is_far ? "" : sprintf("peak " . digits(high[i]), high[i]) . \
	(half[i] >= 0.005 ? sprintf(" ± " . digits(high[i]), half[i]) : "") . " x capacity"
is_whole(x) = abs(x - floor(x + 0.5)) < 1e-9
span(b) = b < 1 ? sprintf("%g ms", b * 1000) : b >= 3600 && is_whole(b / 3600) ? sprintf("%g h", b / 3600) : \
	b >= 60 && is_whole(b / 60) ? sprintf("%g min", b / 60) : sprintf("%g s", b)

set multiplot
set xrange [0:shown / unit]
set yrange [lo:top]
set border 3 lw 1.5
set tics nomirror out
set grid ytics lc rgb "#dddddd" lw 1 lt 1
set ytics 0, step_to(top, rows > 3 ? 3 : 5)
if (is_log) {
	set logscale y
	set ytics ("0" lo)
	do for [k = -3:9] { if (10.0 ** k > (rows > 3 ? 5 : 2.4) * lo) { set ytics add (10.0 ** k) } }
}
do for [i = 1:nfaults] {
	from = real(word(faults, 2 * i - 1)) / unit; to = real(word(faults, 2 * i)) / unit
	set object i rectangle from first from, graph 0 to first to, graph 1 fillcolor rgb "#cccccc" fillstyle solid 0.6 noborder behind
}
if (is_far) {
	set label 12 sprintf("capacity\n%s/s,\nfar above", number(capacity)) at graph 1.008, 1 left offset 0, -0.4 font ",16"
} else { if (capacity > 0) {
	set arrow 1 from graph 0, first capacity to graph 1, first capacity nohead dashtype 2 lw 3 lc rgb "#000000" front
	set label 12 sprintf("capacity\n%s/s", number(capacity)) at graph 1.008, first capacity left offset 0, 0.4 font ",16"
} }
set label 1 title at screen 0.02, 0.962 left font fitted(title, 1540, 26)
set label 2 subtitle at screen 0.02, 0.91 left font fitted(subtitle, 1540, 18) textcolor rgb "#444444"
peaks = 0
do for [i = 1:n] { if (strlen(told(i)) > 0) { peaks = 1 } }
note = nfaults > 0 ? "; grey: fault" : ""
if (peaks) { note = note . "; peak: the busiest " . span(bin) . (nfaults > 0 ? " after it" : "") . ", mean of the runs'" }
if (shown < end) { note = note . "; then nothing, until " . span(end) }
set label 3 sprintf("time, %s   (each bar %s%s)", unit > 1 ? "h" : "s", span(wide), note) at screen 0.5, 0.028 center font ",18"
# The legend: a key would break its lines at the width of a panel.
goodput = "goodput, means of " . span(smooth_)
along = 0.925 - 0.0075 * strlen(goodput)
set arrow 3 from screen along - 0.035, 0.868 to screen along - 0.008, 0.868 nohead lw 3 lc rgb GOOD
set label 5 goodput at screen along, 0.868 left font ",16"
set object 100 rectangle from screen along - 0.175, 0.86 to screen along - 0.148, 0.876 fillcolor rgb LOAD fillstyle solid 1.0 noborder
set label 6 "offered load" at screen along - 0.14, 0.868 left font ",16"
unset key
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
	set label 10 label[i] at graph 0, graph 1 left offset 0, 0.7 font fitted(label[i], 1600 * w - 12 * strlen(told(i)), 20) front
	set label 11 told(i) at graph 1, graph 1 right offset 0, 0.6 font ",18"
	do for [k = 1:cells] { all[k] = 0 }
	do for [k = 1:steps] { good[k] = 0 }
	stats file[i] using (t = column("time_s"), k = number_of(t, wide) + 1, all[k] = all[k] + column("offered") / wide, \
		k = number_of(t, smooth_) + 1, good[k] = good[k] + column("ok") / smooth_, 1) nooutput
	good[steps] = good[steps-1]
	if (is_log) { set ytics add ((c > 0 ? "" : "0") lo) }
	unset datafile columnheaders
	set datafile separator whitespace
	plot all using (($1 - 1) * wide / unit):(up($2)) with fillsteps lc rgb LOAD notitle, \
		all using (($1 - 0.5) * wide / unit):(spike($2)) with impulses lw 2.5 lc rgb LOAD notitle, \
		good using (($1 - 1) * smooth_ / unit):(up($2)) with steps lw 3 lc rgb GOOD notitle
	set datafile columnheaders
	set datafile separator ","
	do for [l = 1:6] { unset label l }
	unset arrow 3
	unset object 100
}
unset multiplot
