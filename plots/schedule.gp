# schedule.gp - the delay before each retry: how likely it is to be how long.
#
# By hand:  gnuplot -d -e "rows='out/x/schedule.csv'; density='out/x/density.csv'; out='schedule.png'" plots/schedule.gp
#
#   rows      schedule.csv of one policy (columns are found by name)
#   density   density.csv: the share of the delays in each interval; where an interval has no width, the share exactly there
#   out       the picture: NAME.png or NAME.svg
#   title     and subtitle, both may be missing
#
# A panel a retry, at most eight, each on axes of its own. Areas are densities. A line with a knob is a share of the delays that
# are the same to the nanosecond; how large a share is written beside the largest, which sets the height of the others.

if (!exists("title")) title = ""
if (!exists("subtitle")) subtitle = ""

if (strlen(out) > 4 && out[strlen(out)-3:] eq ".svg") {
	set terminal svg size 1600,900 noenhanced font "Helvetica,20" background rgb "white" dynamic
} else {
	set terminal pngcairo size 1600,900 noenhanced font "Sans,17" background rgb "white"
}
set output out
set encoding utf8
set datafile separator ","
set datafile columnheaders

# Okabe and Ito's blue and vermilion; light against dark, so that they differ in grey too.
SPREAD = "#56B4E9"; ATOM = "#D55E00"

n = 0
array mean[8]; array most[8]; array p99[8]; array window[8]
stats rows using (i = int(column("retry")), n = i <= 8 && i > n ? i : n, 0) nooutput
do for [i = 1:n] { most[i] = NaN }
stats rows using (i = int(column("retry")), i <= 8 ? (mean[i] = column("delay_mean_s"), p99[i] = column("delay_p99_s")) : 0, 0) nooutput
stats rows using (i = int(column("retry")), x = column("delay_max_s"), i <= 8 && x == x ? (most[i] = x) : 0, 0) nooutput

columns = n < 4 ? n : n == 4 ? 2 : n <= 6 ? 3 : 4
lines = (n + columns - 1) / columns

# In the unit that fits: 250 ms, 1.5 s, 20 min.
unit(x) = x < 0.9995 ? "ms" : x < 600 ? "s" : x < 10800 ? "min" : "h"
size(x) = x < 0.9995 ? 1e-3 : x < 600 ? 1.0 : x < 10800 ? 60.0 : 3600.0
told(x) = sprintf("%.3g %s", x / size(x), unit(x))

# Of each panel the densest interval, and whether there is an atom.
array dense[8]; array single[8]; array where[8]; array many[8]
do for [i = 1:n] { dense[i] = 0.0; single[i] = 0.0; where[i] = 0.0; many[i] = 0 }
stats density using (i = int(column("retry")), w = column("to_s") - column("from_s"), s = column("share"), \
	i > n ? 0 : w > 0 ? (d = s / w, dense[i] = d > dense[i] ? d : dense[i]) : (many[i] = many[i] + 1, where[i] = s > single[i] ? column("from_s") : where[i], single[i] = s > single[i] ? s : single[i]), 0) nooutput

# The greatest size for a text in so many pixels.
fitted(text, pixels, most) = (size_ = pixels / (0.7 * (strlen(text) + 1)), sprintf(",%d", size_ > most ? most : size_ < 8 ? 8 : size_))
set multiplot
set label 1 title at screen 0.02, 0.962 left font fitted(title, 1540, 26)
set label 2 subtitle at screen 0.02, 0.912 left font fitted(subtitle, 1540, 18) textcolor rgb "#444444"
set label 3 "density: % of the delays per unit of the time axis" at screen 0.016, 0.46 center rotate by 90
set border 3 lw 1.5
set tics nomirror out
set style fill solid 1.0 noborder
unset key

left_ = 0.04; right_ = 0.99; top_ = 0.87; bottom_ = 0.02
pane = (right_ - left_) / columns; row_ = (top_ - bottom_) / lines
do for [i = 1:n] {
	at_ = (i - 1) % columns; line_ = (i - 1) / columns
	set lmargin at screen left_ + at_ * pane + 0.038
	set rmargin at screen left_ + (at_ + 1) * pane - 0.012
	set tmargin at screen top_ - line_ * row_ - 0.045
	set bmargin at screen top_ - (line_ + 1) * row_ + 0.09
	end = most[i] == most[i] ? most[i] : 1.5 * p99[i]
	if (end <= 0) { end = 1 }
	u = size(end)
	set xrange [-0.02 * end / u:1.06 * end / u]
	set xtics font ",15"
	set ytics autofreq nomirror
	set ytics font ",15"
	set xlabel "delay, " . unit(end) offset 0, 0.3
	decade = 10.0 ** floor(log10(end / u))
	tic = decade * (end / u < 2.5 * decade ? 0.5 : end / u < 6 * decade ? 1 : 2)
	set xtics tic
	# The areas leave room above them for what is written of atoms.
	high = dense[i] > 0 ? 100 * dense[i] * u : 1.0
	set yrange [0:(single[i] > 0 ? 1.45 : 1.2) * high]
	if (dense[i] <= 0) { unset ytics }
	set label 10 sprintf("retry %d", i) at graph 0, graph 1 left offset 0, 0.7 font ",19"
	set label 11 "mean " . told(mean[i]) at graph 1, graph 1 right \
		offset 0, 0.7 font ",15" textcolor rgb "#444444"
	set label 12 (many[i] == 0 ? "" : many[i] == 1 ? sprintf("%.3g %% are exactly %s", \
		100 * single[i], told(where[i])) : sprintf("%d values, up to %.3g %% each", many[i], 100 * single[i])) at graph 0.5, graph 0.94 center \
		font ",15" textcolor rgb ATOM front
	set arrow 1 from mean[i] / u, graph 0 to mean[i] / u, graph -0.035 nohead lw 4 lc rgb "#000000" front
	plot density using (int(column("retry")) == i && column("to_s") > column("from_s") ? (column("from_s") + column("to_s")) / 2 / u : NaN): \
		(100 * u * column("share") / (column("to_s") - column("from_s"))) with fillsteps lc rgb SPREAD notitle, \
		density using (int(column("retry")) == i && column("to_s") <= column("from_s") ? column("from_s") / u : NaN): \
		(1.22 * high * column("share") / (single[i] > 0 ? single[i] : 1)) with impulses lw 4 lc rgb ATOM notitle, \
		density using (int(column("retry")) == i && column("to_s") <= column("from_s") ? column("from_s") / u : NaN): \
		(1.22 * high * column("share") / (single[i] > 0 ? single[i] : 1)) with points pt 7 ps 1.6 lc rgb ATOM notitle
	unset label 1
	unset label 2
	unset label 3
}
unset multiplot
