# panels.gp - the load over time under several policies, a panel each on the same axes. Called by retrying.sh.
#
#   file[]    a run's series.csv, label[] above its panel on the left, note[] on the right
#   out       the picture; columns: of panels
#   capacity  requests/s; from and to: the fault, s; begin and end: of the time axis, s
#   lo and hi of the load, requests/s; lo > 0: a logarithmic axis
#   fault     what is written on it; shows_good: whether the goodput is drawn, as a line
#   width     of a step, s, a multiple of the series' bin

array_n = |file|
lines = (array_n + columns - 1) / columns
height = 90 + 130 * lines + (columns == 1 ? 20 * lines : 0)
set terminal pngcairo size 1200,height noenhanced font "Sans,15" background rgb "white"
set output out
set encoding utf8
set datafile separator ","
set datafile columnheaders

LOAD = "#D55E00"; GOOD = "#000000"

set xrange [begin:end]
set border 3 lw 1.2
set tics nomirror out
if (lo > 0) {
	set logscale y
} else {
	set ytics hi / 3.0 > 1000 ? 1000 : hi / 3.0 > 400 ? 500 : hi / 3.0 > 150 ? 200 : 100
}
set yrange [lo:hi]
set style textbox opaque fillcolor rgb "#ffffff" noborder margins 0.3, 0.2
set grid ytics lc rgb "#dddddd" lw 1 lt 1
set style fill solid 1.0 noborder
set object 1 rectangle from from, graph 0 to to, graph 1 fillcolor rgb "#000000" fillstyle solid 0.13 noborder behind
set arrow 1 from begin, capacity to end, capacity nohead dashtype 2 lw 2 lc rgb "#000000" front

step(t) = floor(t / width + 1e-6)
set multiplot
set label 1 "requests per second" . (lo > 0 ? " (log scale)" : "") at screen 0.013, 0.53 center rotate by 90
set label 2 "time, s" at screen 0.52, 14.0 / height center
do for [i = 1:array_n] {
	at_ = (i - 1) % columns; line_ = (i - 1) / columns
	pane = (0.985 - 0.085 + 0.04) / columns; row_ = (height - 70.0) / height / lines; top_ = 1.0 - 36.0 / height
	set lmargin at screen 0.085 + at_ * pane
	set rmargin at screen 0.085 + (at_ + 1) * pane - 0.04
	set tmargin at screen top_ - line_ * row_
	set bmargin at screen top_ - (line_ + 1) * row_ + 42.0 / height
	set format x (i + columns > array_n ? "%g" : "")
	set format y (at_ == 0 ? "%g" : "")
	if (lo > 0 && at_ > 0) { set ytics ("" 10, "" 100, "" 1000, "" 10000) }
	if (lo > 0 && at_ == 0) { set ytics ("10" 10, "100" 100, "1k" 1000, "10k" 10000) }
	set label 10 label[i] at graph 0, graph 1 left offset 0, 0.65 font "Sans Bold,16"
	set label 11 note[i] at graph 1, graph 1 right offset 0, 0.65 font ",15"
	if (i == 1 && strlen(fault) > 0) { set label 12 fault at (from + to) / 2.0, graph 0.84 center front boxed font ",14" }
	set label 13 (i == 1 ? sprintf("capacity %g/s", capacity) : "") at graph 0.99, first capacity right offset 0, 0.75 front boxed font ",14"
	cells = step(end) + 2
	array load[cells]; array good[cells]
	do for [k = 1:cells] { load[k] = 0; good[k] = 0 }
	stats file[i] using (k = step(column("time_s")) + 1, k <= cells ? (load[k] = load[k] + column("offered") / width, \
		good[k] = good[k] + column("ok") / width) : 0, 0) nooutput
	unset datafile columnheaders
	set datafile separator whitespace
	# A spike is narrower than a pixel: a line besides.
	plot load using (($1 - 1) * width):($2 > lo ? $2 : lo) with fillsteps lc rgb LOAD notitle, \
		load using (($1 - 0.5) * width):(lo > 0 && $2 > 3 * capacity ? $2 : NaN) with impulses lw 2.5 lc rgb LOAD notitle, \
		good using (shows_good ? ($1 - 1) * width : NaN):2 with steps lw 2 lc rgb GOOD notitle
	set datafile columnheaders
	set datafile separator ","
	unset label 1
	unset label 2
	unset label 12
}
unset multiplot
