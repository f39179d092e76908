# load.gp - the load on a service over time, and its queue.
#
# By hand:  gnuplot -d -e "series='out/x/series.csv'; out='load.png'; capacity=200; faults='10 40'" plots/load.gp
#
#   series    a run's series.csv (columns are found by name)
#   out       the picture: NAME.png or NAME.svg
#   capacity  requests/s, 0 for none
#   faults    "FROM TO FROM TO ..." in s, "" for none
#   title     and subtitle, both may be missing
#   recovery  when all was well again after the last fault, in words; may be missing
#
# A herd can be fifty times the capacity for a tenth of a second: then the axis is logarithmic, down to a 0 that lies below
# one request a bin. A capacity far above the load is told, and no line. Every bin is drawn as it is, as long as there are few enough of them to see; of a longer series, means
# of several and, pale, the highest of them. The queue is its mean over a bar and, pale, the longest in it. Where nothing comes any more in more than
# half of the time, that is left out.

if (!exists("capacity")) capacity = 0
if (!exists("faults")) faults = ""
if (!exists("title")) title = ""
if (!exists("subtitle")) subtitle = ""
if (!exists("recovery")) recovery = ""

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
FIRST = "#56B4E9"; RETRY = "#D55E00"; HIGHEST = "#F0BE93"; GOOD = "#000000"; QUEUE = "#009E73"; LONGEST = "#9AD3C2"

# First how long it is, and the highest bins: of the whole, and after the last fault.
nfaults = words(faults) / 2
last = nfaults > 0 ? real(word(faults, 2 * nfaults)) : 0
started = 0; peak = 0.0; after = 0.0; longest = 0.0; busy = 0.0
stats series using (t = column("time_s"), started = t, n = column("offered"), peak = n > peak ? n : peak, \
	after = n > after && t >= last - 1e-6 ? n : after, q = column("queue_max"), longest = q > longest ? q : longest, \
	busy = n > 0 || q > 0 || column("ok") > 0 ? t : busy, t) nooutput name "T"
bin = T_records > 1 ? started / (T_records - 1) : 1.0
end = started + bin
peak = peak / bin
after = after / bin
ends = last < end - 1e-6 # the last fault, before the run does
busy = busy + bin
if (ends && last > busy) { busy = last }
shown = busy < 0.5 * end ? 1.05 * busy : end

# The least of 1, 2, 5, 10 ... bins that makes at most `most` of the whole.
bins(most) = (need = T_records / real(most), ten = need > 1 ? 10.0 ** floor(log10(need)) : 1.0, \
	need <= 1 ? 1 : need <= ten ? ten : need <= 2 * ten ? 2 * ten : need <= 5 * ten ? 5 * ten : 10 * ten)
wide = bins(6000) * bin
smooth_ = bins(150) * bin
number_of(t, w) = floor(t / w + 1e-6)

is_log = peak > 5 * (capacity > 0 ? capacity : 1e300)
lo = is_log ? (0.3 / bin < capacity / 10.0 ? 0.3 / bin : capacity / 10.0) : 0
is_far = peak > 0 && capacity > 8 * peak
top = is_log ? 1.6 * peak : 1.12 * (peak > capacity || is_far ? peak : capacity)
if (top <= 0) top = 1
up(x) = x > lo ? x : lo

# The greatest size for a text in so many pixels.
fitted(text, pixels, most) = (size_ = pixels / (0.7 * (strlen(text) + 1)), sprintf(",%d", size_ > most ? most : size_ < 8 ? 8 : size_))
# A step that makes four tics or so.
step_to(x) = (ten = 10.0 ** floor(log10(x / 4)), x / 4 <= ten ? ten : x / 4 <= 2 * ten ? 2 * ten : x / 4 <= 5 * ten ? 5 * ten : 10 * ten)

number(x) = x >= 1e9 ? sprintf("%.3gG", x / 1e9) : x >= 1e7 ? sprintf("%.3gM", x / 1e6) : x >= 1e6 ? sprintf("%d,%03d,%03d", int(x / 1e6), int(x / 1e3) % 1000, int(x) % 1000) : \
	x >= 1e3 ? sprintf("%d,%03d", int(x) / 1000, int(x) % 1000) : sprintf(x < 100 ? "%.3g" : "%.0f", x)
times(x) = sprintf(x < 0.1 ? "%.2g" : x < 10 ? "%.2f" : x < 100 ? "%.1f" : "%.0f", x)
told(x) = number(x) . "/s" . (capacity > 0 && !is_far ? " = " . times(x / capacity) . " x capacity" : "")
is_whole(x) = abs(x - floor(x + 0.5)) < 1e-9
span(b) = b < 1 ? sprintf("%g ms", b * 1000) : b >= 3600 && is_whole(b / 3600) ? sprintf("%g h", b / 3600) : \
	b >= 60 && is_whole(b / 60) ? sprintf("%g min", b / 60) : sprintf("%g s", b)

# What bars are made of, the mean and the highest bin of each `wide`; and the goodput, in fewer steps: it is read as a line.
# In arrays: a long series is read but once more. The last of each comes again, so that it is drawn to its end.
cells = number_of(started, wide) + 2
steps = number_of(started, smooth_) + 2
array all[cells]; array fresh[cells]; array high[cells]; array queue[cells]; array deep[cells]; array good[steps]
do for [i = 1:steps] { good[i] = 0 }
do for [i = 1:cells] { all[i] = 0; fresh[i] = 0; high[i] = 0; queue[i] = 0; deep[i] = 0 }
stats series using (i = number_of(column("time_s"), wide) + 1, n = column("offered"), all[i] = all[i] + n / wide, \
	fresh[i] = fresh[i] + column("first") / wide, high[i] = n / bin > high[i] ? n / bin : high[i], \
	queue[i] = queue[i] + column("queue_mean") * bin / wide, q = column("queue_max"), deep[i] = q > deep[i] ? q : deep[i], \
	i = number_of(column("time_s"), smooth_) + 1, good[i] = good[i] + column("ok") / smooth_, 1) nooutput
good[steps] = good[steps-1]
all[cells] = all[cells-1]; fresh[cells] = fresh[cells-1]; high[cells] = high[cells-1]
queue[cells] = queue[cells-1]; deep[cells] = deep[cells-1]

has_queue = longest > 0
said = (nfaults == 0 ? "" : ends ? recovery : "the fault lasts to the end")
said = subtitle . (strlen(subtitle) > 0 && strlen(said) > 0 ? "; " : "") . said
said = said . (strlen(said) > 0 ? "; " : "") . "peak " . told(peak) . (nfaults > 0 && ends ? ", after the fault " . told(after) : "")
# Hours, of a day.
unit = shown > 10800 ? 3600.0 : 1.0

set multiplot
set lmargin at screen 0.1
set rmargin at screen 0.9
set xrange [0:shown / unit]
set border 3 lw 1.5
set tics nomirror out
set grid ytics lc rgb "#dddddd" lw 1 lt 1

set label 1 title at screen 0.02, 0.962 left font fitted(title, 1540, 26)
set label 2 said at screen 0.02, 0.91 left font fitted(said, 1540, 18) textcolor rgb "#444444"

# Of faults close to each other the first has a name.
named = -1
do for [i = 1:nfaults] {
	from = real(word(faults, 2 * i - 1)) / unit; to = real(word(faults, 2 * i)) / unit
	if (to > shown / unit) { to = shown / unit }
	set object i rectangle from first from, graph 0 to first to, graph 1 \
		fillcolor rgb "#cccccc" fillstyle solid 0.6 noborder behind
	if (named < 0 || (from + to) / 2 - named > 0.06 * shown / unit) {
		named = (from + to) / 2
		set label 10 + i "fault" at first named, graph 1 center offset 0, 0.6 font ",18" textcolor rgb "#444444"
	}
}

# --- load
set tmargin at screen 0.80
set bmargin at screen (has_queue ? 0.37 : 0.12)
set yrange [lo:top]
time_title = sprintf("time, %s   (each bar %s%s%s)", unit > 1 ? "h" : "s", span(wide), wide > 1.5 * bin ? ": mean, and pale the highest " . span(bin) : "", \
	shown < end ? sprintf("; then nothing, until %s", span(end)) : "")
if (has_queue) { set format x "" } else { set format x "%g"; set xlabel time_title }
set ylabel "requests/s" . (is_log ? " (log scale)" : "")
set format y (is_log && lo >= 0.1 || top >= 1e5 ? "%.0s%c" : "%g")
if (is_log) {
	set logscale y
	set ytics ("0" lo)
	do for [k = -3:9] { if (10.0 ** k > 2.4 * lo) { set ytics add (10.0 ** k) } }
}
set key at screen 0.9, 0.845 right bottom horizontal maxrows 1 samplen 2 width -1 font ",18"
set style fill solid 1.0 noborder

if (is_far) {
	set label 3 sprintf("capacity\n%s/s,\nfar above", number(capacity)) at graph 1.008, 1 left offset 0, -0.4 font ",18"
} else { if (capacity > 0) {
	set arrow 1 from graph 0, first capacity to graph 1, first capacity nohead dashtype 2 lw 3 lc rgb "#000000" front
	set label 3 sprintf("capacity\n%s/s", number(capacity)) at graph 1.008, first capacity left offset 0, 0.4 font ",18"
} }
# The whole load first, the first attempts over it: what is left to see of the whole are the retries. A bin may be narrower
# than a pixel: a spike is drawn as a line besides.
spike(x) = is_log && x > 2 * capacity ? x : NaN
unset datafile columnheaders
set datafile separator whitespace
plot high using (($1 - 1) * wide / unit):(wide > 1.5 * bin ? up($2) : NaN) with fillsteps lc rgb HIGHEST notitle, \
	high using (($1 - 0.5) * wide / unit):(wide > 1.5 * bin ? spike($2) : NaN) with impulses lw 2.5 lc rgb HIGHEST notitle, \
	all using (($1 - 1) * wide / unit):(up($2)) with fillsteps lc rgb RETRY title "retries", \
	all using (($1 - 0.5) * wide / unit):(spike($2)) with impulses lw 2.5 lc rgb RETRY notitle, \
	fresh using (($1 - 1) * wide / unit):(up($2)) with fillsteps lc rgb FIRST title "first attempts", \
	fresh using (($1 - 0.5) * wide / unit):(spike($2)) with impulses lw 2.5 lc rgb FIRST notitle, \
	good using (($1 - 1) * smooth_ / unit):(up($2)) with steps lw 3 lc rgb GOOD title "goodput, means of " . span(smooth_)
unset arrow 1
unset label

# --- queue: where there ever is one
if (has_queue) {
	unset logscale y
	set tmargin at screen 0.33
	set bmargin at screen 0.12
	set format x "%g"
	set xlabel time_title
	set ylabel "queue, requests"
	set format y (longest >= 1e4 ? "%.0s%c" : "%g")
	set ytics 0, longest > 4 ? step_to(1.1 * longest) : 1
	set ytics font ",16"
	set yrange [0:longest * 1.1]
	set label 1 sprintf("longest\n(pale)\n%s", number(longest)) at graph 1.008, first longest left offset 0, 0.4 font ",18"
	unset key
	plot deep using (($1 - 1) * wide / unit):2 with fillsteps lc rgb LONGEST notitle, \
		queue using (($1 - 1) * wide / unit):2 with fillsteps lc rgb QUEUE notitle
}
unset multiplot
