# curves.gp - a sweep over a quantity: figures over its values, a curve for each combination of the other axes, with 95 % intervals.
#
# By hand:  gnuplot -d -e "summary='out/x/summary.csv'; out='curves.png'; along='writers.count'; at='10 20 30 10 20 30'; \
#                          on='1 1 1 2 2 2'; array curve[2]; curve[1]='none'; curve[2]='full'" plots/curves.gp
#
#   summary   a sweep's summary.csv
#   along     what the axis is called, with its unit
#   at        "X X ...": where each point lies along it
#   on        "K K ...": on which curve each point lies, from 1
#   curve     what each curve is called, at most eight
#   curves    what all of them are values of; may be missing
#   service   array of the names of several services; may be missing
#   nearly    "T T ...", s: of each point the time by which clients that come to an end are done; "" or missing: none do
#   who       the group of clients whose figures are shown; "" or missing: all clients
#   has_faults  0 or 1; 1 if missing
#   out       the picture: NAME.png or NAME.svg
#   title     and subtitle, both may be missing
#
# A figure that no point has, and a share that is all of it everywhere, has no panel. Of several services the one is shown whose peak is the most
# times its capacity. Of clients that come to an end the work and
# the time it took are shown; of others the attempts an operation and the latency. A point of which some run never recovered has no mean: it
# is a triangle on the upper edge.

if (!exists("title")) title = ""
if (!exists("subtitle")) subtitle = ""
if (!exists("has_faults")) has_faults = 1
if (!exists("nearly")) nearly = ""
if (!exists("who")) who = ""
if (!exists("curves")) curves = ""
if (!exists("service")) { array service[1]; service[1] = "" }

set datafile separator ","
set datafile columnheaders
whom = who eq "" ? "" : who . "."
before = who eq "" ? "" : who . ": "


# The service that was overrun most.
chosen = ""; most_ = -1
do for [i = 1:|service|] {
	if (|service| > 1) { stats summary using (v = column(service[i] . ".offered_peak_x_capacity"), v > most_ ? (most_ = v, chosen = service[i]) : 0, 1) nooutput }
}
whose = chosen eq "" ? "" : chosen . "."
in_front = chosen eq "" ? "" : chosen . ": "

# Where each point lies, and the points of each curve from left to right.
n = words(at); nc = |curve|
array X[n]; array of[n]; array line_[n]; array last_of[nc]; array Y[n]; array L[n]; array H[n]; array is_never[n]
do for [p = 1:n] { X[p] = real(word(at, p)); of[p] = int(word(on, p)) }
m = 0
do for [c = 1:nc] {
	first_ = m
	do for [p = 1:n] {
		if (of[p] == c) {
			k = m; m = m + 1
			while (k > first_ && X[line_[k > 0 ? k : 1]] > X[p]) { line_[k + 1] = line_[k]; k = k - 1 }
			line_[k + 1] = p
		}
	}
	last_of[c] = m
}

ends = 0
if (words(nearly) > 0) {
	stats summary using (column(whom . "last_success_s") < real(word(nearly, int(column("point")) + 1)) ? (ends = 1) : 0, 1) nooutput
}

# The candidates: column, what it is called, what it is multiplied by, whether its axis may be logarithmic.
array name[6]; array called[6]; array factor[6]; array may_log[6]
name[1] = whose . (has_faults ? "after_fault_peak_x_capacity" : "offered_peak_x_capacity")
called[1] = in_front . (has_faults ? "peak after the fault, x capacity" : "peak, x capacity"); factor[1] = 1; may_log[1] = 1
name[2] = whose . "recovery_time_s"; called[2] = in_front . "service back to normal after, s"; factor[2] = 1; may_log[2] = 0
name[3] = whom . "success_share"; called[3] = before . "operations served, %"; factor[3] = 100; may_log[3] = 0
name[4] = whom . (ends ? "last_success_s" : "latency_s_p99")
called[4] = before . (ends ? "time until the last is done, s" : "latency, 99th percentile, s"); factor[4] = 1; may_log[4] = 1
name[5] = whom . (ends ? "attempts" : "amplification")
called[5] = before . (ends ? "work: attempts in all" : "attempts an operation"); factor[5] = 1; may_log[5] = 1
name[6] = whose . "goodput_per_s"; called[6] = in_front . "useful answers, 1/s"; factor[6] = 1; may_log[6] = 0

# Which of them are shown, and the range of each: of the means, and of the ends of their intervals.
array shown[6]; array least[6]; array most[6]; array low[6]; array high[6]
nevers = 0
if (has_faults) { stats summary using (column(name[2] . "_never") > 0 ? (nevers = 1) : 0, 1) nooutput }
np = 0
do for [i = 1:6] {
	lo = 1e300; hi = -1e300; lowest = 1e300; highest = -1e300
	stats summary using (v = factor[i] * column(name[i]), v < lo ? (lo = v) : 0, v > hi ? (hi = v) : 0, \
		v = factor[i] * column(name[i] . "_lo"), v < lowest ? (lowest = v) : 0, v = factor[i] * column(name[i] . "_hi"), v > highest ? (highest = v) : 0, 1) nooutput
	if (i == 2 && nevers && hi < lo) { lo = 0; hi = 1 }
	if (hi >= lo && !(i == 2 && !has_faults) && !(i == 3 && lo >= 99.9995) && !(i == 6 && (ends || has_faults))) {
		np = np + 1; shown[np] = i; least[np] = lo; most[np] = hi
		low[np] = lowest < lo ? lowest : lo; high[np] = highest > hi ? highest : hi
	}
}
if (np == 0) { np = 1; shown[1] = 5; least[1] = 0; most[1] = 1; low[1] = 0; high[1] = 1 }

columns = np == 4 ? 2 : np > 3 ? 3 : np
rows = (np + columns - 1) / columns
width = columns == 1 ? 1100 : columns == 2 ? 1600 : 2000

# The legend, in as many lines as it takes.
array legend_x[nc]; array legend_line[nc]
lines = 1
along_legend = 0.02 * width + (curves eq "" ? 0 : 24 + 12.5 * strlen(curves))
do for [k = 1:nc] {
	if (nc > 1 && along_legend + 36 + 12.5 * strlen(curve[k]) > width && along_legend > 0.02 * width) { lines = lines + 1; along_legend = 0.02 * width }
	legend_x[k] = along_legend; legend_line[k] = lines
	along_legend = along_legend + 72 + 12.5 * strlen(curve[k])
}
down = 34 * (lines - 1)
height = 160 + 640 * rows + down
if (strlen(out) > 4 && out[strlen(out)-3:] eq ".svg") {
	set terminal svg size width,height noenhanced font "Helvetica,22" background rgb "white" dynamic
} else {
	set terminal pngcairo size width,height noenhanced font "Sans,20" background rgb "white"
}
set output out
set encoding utf8

# Okabe and Ito's colours, and a mark and a dash of its own for each curve.
COLOURS = "#D55E00 #0072B2 #009E73 #CC79A7 #E69F00 #56B4E9 #000000 #999999"
MARKS = "5 7 9 13 11 4 6 8"
colour(k) = word(COLOURS, (k - 1) % 8 + 1)
mark(k) = int(word(MARKS, (k - 1) % 8 + 1))
dash(k) = k <= 4 ? 1 : 2

px(pixels) = pixels / real(height)
set multiplot
# The greatest size for a text in so many pixels.
fitted(text, pixels, most) = (size_ = pixels / (0.7 * (strlen(text) + 1)), sprintf(",%d", size_ > most ? most : size_ < 8 ? 8 : size_))
# A step that makes six tics at most.
step_to(x) = (ten = 10.0 ** floor(log10(x / 6)), x / 6 <= ten ? ten : x / 6 <= 2 * ten ? 2 * ten : x / 6 <= 5 * ten ? 5 * ten : 10 * ten)
set label 1 title at screen 0.02, 1 - px(34) left font fitted(title, 0.96 * width, 26)
set label 2 subtitle at screen 0.02, 1 - px(78) left font fitted(subtitle, 0.96 * width, 18) textcolor rgb "#444444"
unset key
if (nc > 1) {
	set label 3 curves at screen 0.02, 1 - px(124) left font ",18"
	do for [k = 1:nc] {
		set label 10 + k "" at screen (legend_x[k] + 16) / width, 1 - px(90 + 34 * legend_line[k]) point pt mark(k) ps 2 lc rgb colour(k)
		set label 30 + k curve[k] at screen (legend_x[k] + 36) / width, 1 - px(90 + 34 * legend_line[k]) left font ",18"
	}
}

set border 3 lw 1.5
set xtics nomirror out font ",16"
set ytics nomirror out font ",16"
set grid lc rgb "#dddddd" lw 1 lt 1
set xlabel along font fitted(along, width / columns - 90, 18)

# Values that span much, and not from 0, are spread evenly on a logarithmic axis.
lowest = X[1]; highest = X[1]
do for [p = 1:n] { lowest = X[p] < lowest ? X[p] : lowest; highest = X[p] > highest ? X[p] : highest }
if (lowest > 0 && highest / lowest >= 50) { set logscale x; set xrange [lowest / 1.2:highest * 1.2] } \
else { set xrange [lowest - 0.03 * (highest - lowest):highest + 0.03 * (highest - lowest)] }

do for [k = 1:np] {
	i = shown[k]
	column_of = (k - 1) % columns
	row_of = (k - 1) / columns
	set lmargin at screen (column_of + 120.0 * columns / width) / columns
	set rmargin at screen (column_of + 1 - 30.0 * columns / width) / columns
	set tmargin at screen 1 - px(210 + down + 640 * row_of)
	set bmargin at screen 1 - px(210 + down + 640 * row_of + 460)
	is_log = may_log[i] && least[k] > 0 && most[k] / least[k] >= 20
	unset logscale y
	if (is_log) {
		set logscale y
		bottom = (low[k] > least[k] / 10 ? low[k] : least[k]) / 1.4
		top = high[k] * 1.4
		if (i == 1) { bottom = bottom < 0.7 ? bottom : 0.7; top = top > 1.4 ? top : 1.4 }
	} else {
		bottom = i == 3 && low[k] > 60 ? floor(low[k] / 20 - 0.01) * 20 : 0
		top = 1.08 * (i == 1 && high[k] < 1 ? 1 : high[k] > 0 ? high[k] : 1)
		if (i == 3) { top = 101.5 }
	}
	set yrange [bottom:top]
	# A decade or two on a logarithmic axis have more than its powers of ten.
	set ytics autofreq
	set format y "%g"
	if (!is_log && top >= 1e5) {
		step = step_to(top)
		set ytics ("0" 0)
		do for [j = 1:int(top / step)] { set ytics add (top < 1e6 ? sprintf("%gk", j * step / 1e3) : sprintf("%gM", j * step / 1e6) j * step) }
	}
	if (is_log && top / bottom < 100) {
		set ytics ("" 10 * top)
		do for [d = floor(log10(bottom)):ceil(log10(top))] { do for [f in "1 2 5"] { v = f * 10.0 ** d; set ytics add (sprintf("%g", v) v) } }
	}
	if (is_log && top / bottom >= 100) { set format y "%.0s%c" }
	heading = called[i] . (is_log ? i == 1 ? " (log scale; dashed: capacity)" : " (log scale)" : i == 1 ? " (dashed: capacity)" : "")
	set title heading font fitted(heading, width / columns - 90, 20) offset 0, -0.3
	unset arrow 1
	if (i == 1) { set arrow 1 from graph 0, first 1 to graph 1, first 1 nohead dashtype 2 lw 3 lc rgb "#000000" }
	if (i == 2 && nevers) { set label 5 "never" at graph 0.99, graph 1 right offset 0, -1 font ",16" }
	# All points, curve after curve. Where one has no mean its curve is broken.
	do for [p = 1:n] { Y[p] = NaN; L[p] = NaN; H[p] = NaN; is_never[p] = 0 }
	stats summary using (p = int(column("point")) + 1, p > n ? 0 : (Y[p] = factor[i] * column(name[i]), L[p] = factor[i] * column(name[i] . "_lo"), \
		H[p] = factor[i] * column(name[i] . "_hi")), 1) nooutput
	if (i == 2) { stats summary using (p = int(column("point")) + 1, p <= n && column(name[2] . "_never") > 0 ? (is_never[p] = 1) : 0, 1) nooutput }
	told(v) = v == v ? sprintf("%.12g", v) : "NaN"
	limit = i == 3 ? 100 : top
	within(v, otherwise) = v != v ? otherwise : v < bottom ? bottom : v > limit ? limit : v
	set print $drawn
	do for [c = 1:nc] {
		do for [j = (c > 1 ? last_of[c-1] : 0) + 1:last_of[c]] {
			p = line_[j]
			print sprintf("%.12g %s %s %s %s", X[p], told(Y[p]), told(within(L[p], Y[p])), told(within(H[p], Y[p])), is_never[p] ? told(top) : "NaN")
		}
		print ""
		print ""
	}
	unset print
	unset datafile columnheaders
	set datafile separator whitespace
	plot for [c = 1:nc] $drawn index c - 1 using 1:2:3:4 with yerrorlines pt mark(c) ps 1.6 lw 2.5 dashtype dash(c) lc rgb colour(c) notitle, \
		for [c = 1:nc] $drawn index c - 1 using 1:5 with points pt 9 ps 2.2 lc rgb colour(c) notitle
	set datafile columnheaders
	set datafile separator ","
	unset label 5
	do for [l = 1:3] { unset label l }
	do for [c = 1:nc] { unset label 10 + c; unset label 30 + c }
}
unset multiplot
