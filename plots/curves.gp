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
#   nearly    "T T ...", s: of each point the time by which clients that come to an end are done; "" or missing: none do
#   who       the group of clients whose figures are shown; "" or missing: all clients
#   has_faults  0 or 1; 1 if missing
#   out       the picture: NAME.png or NAME.svg
#   title     and subtitle, both may be missing
#
# A figure that no point has, and a share that is all of it everywhere, has no panel. Of clients that come to an end the work and
# the time it took are shown; of others the attempts an operation and the latency. A point of which some run never recovered has no mean: it
# is a triangle on the upper edge.

if (!exists("title")) title = ""
if (!exists("subtitle")) subtitle = ""
if (!exists("has_faults")) has_faults = 1
if (!exists("nearly")) nearly = ""
if (!exists("who")) who = ""

set datafile separator ","
set datafile columnheaders
whom = who eq "" ? "" : who . "."
before = who eq "" ? "" : who . ": "

x(p) = real(word(at, int(p) + 1))
is_on(p, k) = int(word(on, int(p) + 1)) == k

ends = 0
if (words(nearly) > 0) {
	stats summary using (column(whom . "last_success_s") < real(word(nearly, int(column("point")) + 1)) ? (ends = 1) : 0, 1) nooutput
}

# The candidates: column, what it is called, what it is multiplied by, whether its axis may be logarithmic.
array name[6]; array called[6]; array factor[6]; array may_log[6]
name[1] = has_faults ? "after_fault_peak_x_capacity" : "offered_peak_x_capacity"
called[1] = has_faults ? "peak after the fault, x capacity" : "peak, x capacity"; factor[1] = 1; may_log[1] = 1
name[2] = "recovery_time_s"; called[2] = "service back to normal after, s"; factor[2] = 1; may_log[2] = 0
name[3] = whom . "success_share"; called[3] = before . "operations served, %"; factor[3] = 100; may_log[3] = 0
name[4] = whom . (ends ? "last_success_s" : "latency_s_p99")
called[4] = before . (ends ? "time until the last is done, s" : "latency, 99th percentile, s"); factor[4] = 1; may_log[4] = 1
name[5] = whom . (ends ? "attempts" : "amplification")
called[5] = before . (ends ? "work: attempts in all" : "attempts an operation"); factor[5] = 1; may_log[5] = 1
name[6] = "goodput_per_s"; called[6] = "useful answers, 1/s"; factor[6] = 1; may_log[6] = 0

# Which of them are shown, and the range of each.
array shown[6]; array least[6]; array most[6]
nevers = 0
if (has_faults) { stats summary using (column("recovery_time_s_never") > 0 ? (nevers = 1) : 0, 1) nooutput }
np = 0
do for [i = 1:6] {
	lo = 1e300; hi = -1e300
	stats summary using (v = factor[i] * column(name[i]), v < lo ? (lo = v) : 0, v > hi ? (hi = v) : 0, 1) nooutput
	if (i == 2 && nevers && hi < lo) { lo = 0; hi = 1 }
	if (hi >= lo && !(i == 2 && !has_faults) && !(i == 3 && lo >= 99.9995) && !(i == 6 && (ends || has_faults))) {
		np = np + 1; shown[np] = i; least[np] = lo; most[np] = hi
	}
}
if (np == 0) { np = 1; shown[1] = 5; least[1] = 0; most[1] = 1 }

columns = np == 4 ? 2 : np > 3 ? 3 : np
rows = (np + columns - 1) / columns
nc = |curve|
width = columns == 1 ? 1100 : columns == 2 ? 1600 : 2000
height = 160 + 640 * rows
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
set label 1 title at screen 0.02, 1 - px(34) left font (strlen(title) > 0.055 * width ? ",18" : ",26")
set label 2 subtitle at screen 0.02, 1 - px(78) left font ",18" textcolor rgb "#444444"
unset key
letter = 12.5 / width
along_legend = 0.02
if (nc > 1) {
	do for [k = 1:nc] {
		set label 10 + k "" at screen along_legend + 16.0 / width, 1 - px(124) point pt mark(k) ps 2 lc rgb colour(k)
		set label 30 + k curve[k] at screen along_legend + 36.0 / width, 1 - px(124) left font ",18"
		along_legend = along_legend + 72.0 / width + letter * strlen(curve[k])
	}
}

set border 3 lw 1.5
set xtics nomirror out font ",16"
set ytics nomirror out font ",16"
set grid lc rgb "#dddddd" lw 1 lt 1
set xlabel along font ",18"

# Values that span much, and not from 0, are spread evenly on a logarithmic axis.
lowest = x(0); highest = x(0)
do for [p = 0:words(at)-1] { lowest = x(p) < lowest ? x(p) : lowest; highest = x(p) > highest ? x(p) : highest }
if (lowest > 0 && highest / lowest >= 50) { set logscale x; set xrange [lowest / 1.2:highest * 1.2] } \
else { set xrange [lowest - 0.03 * (highest - lowest):highest + 0.03 * (highest - lowest)] }

do for [k = 1:np] {
	i = shown[k]
	column_of = (k - 1) % columns
	row_of = (k - 1) / columns
	set lmargin at screen (column_of + 120.0 * columns / width) / columns
	set rmargin at screen (column_of + 1 - 30.0 * columns / width) / columns
	set tmargin at screen 1 - px(210 + 640 * row_of)
	set bmargin at screen 1 - px(210 + 640 * row_of + 460)
	set title called[i] font ",20" offset 0, -0.3
	is_log = may_log[i] && least[k] > 0 && most[k] / least[k] >= 20
	unset logscale y
	if (is_log) {
		set logscale y
		set yrange [least[k] / 1.4:most[k] * 1.4]
		set title called[i] . " (log scale)"
	} else {
		set yrange [0:(most[k] > 0 ? 1.08 * most[k] : 1)]
		if (i == 3) { set yrange [(least[k] > 60 ? floor(least[k] / 20 - 0.01) * 20 : 0):101.5] }
	}
	unset arrow 1
	unset label 4
	if (i == 1) {
		if (is_log) { set yrange [(least[k] < 1 ? least[k] : 1) / 1.4:(most[k] > 1 ? most[k] : 1) * 1.4] } \
		else { set yrange [0:1.08 * (most[k] > 1 ? most[k] : 1)] }
		set arrow 1 from graph 0, first 1 to graph 1, first 1 nohead dashtype 2 lw 3 lc rgb "#000000"
		set label 4 "capacity" at graph 0.99, first 1 right offset 0, 0.6 font ",16"
	}
	if (i == 2 && nevers) { set label 5 "never" at graph 0.99, graph 1 right offset 0, -1 font ",16" }
	plot for [c = 1:nc] summary using (is_on(column("point"), c) ? x(column("point")) : NaN):(factor[i] * column(name[i])):\
			(factor[i] * column(name[i] . "_lo")):(factor[i] * column(name[i] . "_hi")) with yerrorlines \
			pt mark(c) ps 1.6 lw 2.5 dashtype dash(c) lc rgb colour(c) notitle, \
		for [c = 1:nc] summary using (i == 2 && is_on(column("point"), c) && column("recovery_time_s_never") > 0 ? x(column("point")) : NaN): \
			(most[k] > 0 ? 1.08 * most[k] : 1) with points pt 9 ps 2.2 lc rgb colour(c) notitle
	unset label 5
	do for [l = 1:2] { unset label l }
	do for [c = 1:nc] { unset label 10 + c; unset label 30 + c }
}
unset multiplot
