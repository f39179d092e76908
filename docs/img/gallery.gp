# gallery.gp - the load over time of one run or two of a scenario, small: for scenarios/README.md. Called by gallery.sh.
#
#   file[]    a run's series.csv, and label[] above its panel
#   out       the picture
#   capacity  requests/s, 0 for none
#   faults    "FROM TO FROM TO ..." in s, "" for none
#
# One scale for all panels; logarithmic if a peak dwarfs the capacity.

n = |file|
width = 720; height = 190
set terminal pngcairo size width,height noenhanced font "Sans,11" background rgb "white"
set output out
set encoding utf8
set datafile separator ","
set datafile columnheaders

LOAD = "#D55E00"; GOOD = "#000000"
peak = 0.0; last = 0.0; bin = 1.0
do for [i = 1:n] {
	stats file[i] using (t = column("time_s"), o = column("offered"), peak = o > peak ? o : peak, t) nooutput name "T"
	bin = T_records > 1 ? T_max / (T_records - 1) : bin
	last = T_max + bin > last ? T_max + bin : last
}
peak = peak / bin
is_log = capacity > 0 && peak > 6 * capacity
unit = last > 14400 ? 3600.0 : last > 900 ? 60.0 : 1.0
called = unit == 3600 ? "h" : unit == 60 ? "min" : "s"

set xrange [0:last / unit]
set border 3 lw 1
set tics nomirror out scale 0.6 font ",10"
set grid ytics lc rgb "#dddddd" lw 1 lt 1
if (is_log) { set logscale y; set yrange [capacity / 20.0:peak * 2]; set format y "%g" } else { set yrange [0:1.15 * (peak > capacity ? peak : capacity)] }
set style fill solid 1.0 noborder
do for [f = 1:words(faults) / 2] {
	set object f rectangle from real(word(faults, 2 * f - 1)) / unit, graph 0 to real(word(faults, 2 * f)) / unit, graph 1 \
		fillcolor rgb "#000000" fillstyle solid 0.13 noborder behind
}
if (capacity > 0) { set arrow 1 from graph 0, first capacity to graph 1, first capacity nohead dashtype 2 lw 1.5 lc rgb "#000000" front }

set multiplot
do for [i = 1:n] {
	set lmargin at screen (i - 1.0) / n + 62.0 / width
	set rmargin at screen real(i) / n - 12.0 / width
	set tmargin at screen 1 - 24.0 / height
	set bmargin at screen 42.0 / height
	set label 1 label[i] at graph 0, graph 1.08 left font ",12"
	set label 2 "time, " . called at graph 0.5, graph -0.29 center font ",10"
	if (i == 1) { set label 3 "requests/s" at graph 1, graph 1.08 right font ",10" textcolor rgb "#444444" } else { unset label 3 }
	# A box narrower than a pixel would be a shade.
	few = last / bin < 0.7 * width / n
	plot file[i] using (few ? (column("time_s") + bin / 2) / unit : NaN):(column("offered") / bin):(bin / unit) with boxes lc rgb LOAD notitle, \
		file[i] using (few ? NaN : column("time_s") / unit):(column("offered") > 0 ? column("offered") / bin : NaN) with impulses lw 1.6 lc rgb LOAD notitle, \
		file[i] using (column("time_s") / unit):(column("ok") / bin) with steps lw 1.2 lc rgb GOOD notitle
}
unset multiplot
