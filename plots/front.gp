# front.gp - a tune's points: the goal's figure against that of the bound, with the front of those that none beats in both.
#
# By hand:  gnuplot -d -e "points='out/x/tune.csv'; out='front.png'; xcolumn='after_fault_peak_x_capacity'; ycolumn='recovery_time_s'; \
#                          bound=1.2" plots/front.gp
#
#   points    a tune's tune.csv
#   xcolumn   the bound's figure, xname what it is called (with its unit), xscale what it is multiplied by
#   ycolumn   the goal's, yname and yscale likewise
#   bound     the bound's value, not scaled; missing: no line
#   out       the picture: NAME.png or NAME.svg
#   title     and subtitle, both may be missing
#
# Intervals are 95 %. The best is shown by the runs that it was chosen by and by fresh ones, columns fresh_FIGURE. A point with a run that is `never` in either figure has no mean, and is not shown.

if (!exists("title")) title = ""
if (!exists("subtitle")) subtitle = ""
if (!exists("xname")) xname = xcolumn
if (!exists("yname")) yname = ycolumn
if (!exists("xscale")) xscale = 1
if (!exists("yscale")) yscale = 1

if (strlen(out) > 4 && out[strlen(out)-3:] eq ".svg") {
	set terminal svg size 1400,1000 noenhanced font "Helvetica,22" background rgb "white" dynamic
} else {
	set terminal pngcairo size 1400,1000 noenhanced font "Sans,20" background rgb "white"
}
set output out
set encoding utf8
set datafile separator ","
set datafile columnheaders
set datafile missing NaN # so that the front's line goes on over what is not on it

x(dummy) = xscale * column(xcolumn)
y(dummy) = yscale * column(ycolumn)

# A figure is never below 0, a share never above 100 %: nor are the ends of intervals drawn there.
within(v, scale) = v < 0 ? 0 : scale == 100 && v > 100 ? 100 : v

# The ranges of the means, and of the bound: an interval may leave the picture.
xlo = 1e300; xhi = -1e300; ylo = 1e300; yhi = -1e300; shown = 0; all = 0
stats points using (all = all + 1, 1) nooutput
stats points using (a = x(0), b = y(0), a == a && b == b ? (shown = shown + 1, a < xlo ? (xlo = a) : 0, a > xhi ? (xhi = a) : 0, b < ylo ? (ylo = b) : 0, b > yhi ? (yhi = b) : 0) : 0, 1) nooutput
if (shown == 0) { xlo = 0; xhi = 1; ylo = 0; yhi = 1 }
if (exists("bound")) {
	if (xscale * bound < xlo) { xlo = xscale * bound }
	if (xscale * bound > xhi) { xhi = xscale * bound }
}
if (xlo > 0 && xhi / xlo > 20) {
	set logscale x
	set xrange [xlo / 1.3 : xhi * 1.3]
} else {
	pad = xhi > xlo ? 0.06 * (xhi - xlo) : xhi != 0 ? 0.1 * abs(xhi) : 1
	set xrange [xlo - pad : xhi + pad]
}
if (ylo > 0 && yhi / ylo > 20) {
	set logscale y
	set yrange [ylo / 1.3 : yhi * 1.3]
} else {
	pad = yhi > ylo ? 0.06 * (yhi - ylo) : yhi != 0 ? 0.1 * abs(yhi) : 1
	set yrange [ylo - pad : yhi + pad]
}

# The greatest size for a text in so many pixels.
fitted(text, pixels, most) = (size_ = pixels / (0.7 * (strlen(text) + 1)), sprintf(",%d", size_ > most ? most : size_ < 8 ? 8 : size_))
set label 1 title at screen 0.02, 0.966 left font fitted(title, 1340, 26)
if (shown < all) { subtitle = sprintf("%s; %d of %d points have no mean, and are not shown", subtitle, all - shown, all) }
set label 2 subtitle at screen 0.02, 0.92 left font fitted(subtitle, 1340, 18) textcolor rgb "#444444"
set tmargin at screen 0.82
set bmargin at screen 0.12
set lmargin at screen 0.10
set rmargin at screen 0.97
# The legend in a line of its own: a key would take two, near the bound's name.
unset key
set label 11 "" at screen 0.03, 0.877 point pt 7 ps 1 lc rgb "#bbbbbb"
set label 12 "other points" at screen 0.045, 0.877 left font ",16"
set label 13 "" at screen 0.185, 0.877 point pt 7 ps 1.8 lc rgb "#0072B2"
set label 14 "beaten by none" at screen 0.2, 0.877 left font ",16"
set label 15 "" at screen 0.365, 0.877 point pt 6 ps 3.2 lw 4 lc rgb "#D55E00"
set label 16 "the best" at screen 0.385, 0.877 left font ",16"
set label 17 "" at screen 0.495, 0.877 point pt 5 ps 1.6 lc rgb "#D55E00"
set label 18 "the best in fresh runs" at screen 0.51, 0.877 left font ",16"
set border 3 lw 1.5
set tics nomirror out font ",18"
set format "%g"
set grid lc rgb "#dddddd" lw 1 lt 1
set xlabel xname font fitted(xname, 1200, 20)
set ylabel yname font fitted(yname, 690, 20)
# A decade or two on a logarithmic axis have more than its powers of ten.
if (xlo > 0 && xhi / xlo > 20 && xhi / xlo < 100) {
	set xtics ("" 10 * xhi)
	do for [d = floor(log10(xlo)):ceil(log10(xhi))] { do for [m in "1 2 5"] { v = m * 10.0 ** d; set xtics add (sprintf("%g", v) v) } }
}
if (ylo > 0 && yhi / ylo > 20 && yhi / ylo < 100) {
	set ytics ("" 10 * yhi)
	do for [d = floor(log10(ylo)):ceil(log10(yhi))] { do for [m in "1 2 5"] { v = m * 10.0 ** d; set ytics add (sprintf("%g", v) v) } }
}
if (exists("bound")) {
	set arrow 1 from first xscale * bound, graph 0 to first xscale * bound, graph 1 nohead dashtype 2 lw 3 lc rgb "#000000"
	set label 3 sprintf("bound %g", xscale * bound) at first xscale * bound, graph 1 center offset 0, 0.7 font ",16"
}

is_front(dummy) = column("front") > 0
is_best(dummy) = column("rank") == 1
plot points using (is_front(0) ? NaN : x(0)):(y(0)):(within(xscale * column(xcolumn . "_lo"), xscale)):(within(xscale * column(xcolumn . "_hi"), xscale)):(within(yscale * column(ycolumn . "_lo"), yscale)):(within(yscale * column(ycolumn . "_hi"), yscale)) \
		with xyerrorbars pt 7 ps 1 lw 1 lc rgb "#bbbbbb" notitle, \
	points using (is_front(0) ? x(0) : NaN):(y(0)) smooth unique with lines lw 2.5 lc rgb "#0072B2" notitle, \
	points using (is_front(0) ? x(0) : NaN):(y(0)):(within(xscale * column(xcolumn . "_lo"), xscale)):(within(xscale * column(xcolumn . "_hi"), xscale)):(within(yscale * column(ycolumn . "_lo"), yscale)):(within(yscale * column(ycolumn . "_hi"), yscale)) \
		with xyerrorbars pt 7 ps 1.8 lw 2 lc rgb "#0072B2" notitle, \
	points using (is_best(0) ? x(0) : NaN):(y(0)) with points pt 6 ps 3.2 lw 4 lc rgb "#D55E00" notitle, \
	points using (is_best(0) ? xscale * column("fresh_" . xcolumn) : NaN):(yscale * column("fresh_" . ycolumn)): \
		(within(xscale * column("fresh_" . xcolumn . "_lo"), xscale)):(within(xscale * column("fresh_" . xcolumn . "_hi"), xscale)): \
		(within(yscale * column("fresh_" . ycolumn . "_lo"), yscale)):(within(yscale * column("fresh_" . ycolumn . "_hi"), yscale)) \
		with xyerrorbars pt 5 ps 1.6 lw 2 lc rgb "#D55E00" notitle
