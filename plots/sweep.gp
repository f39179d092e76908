# sweep.gp - all points of a sweep: the peak after the fault, the share served, the recovery, with 95 % intervals. Where
# there is no fault: the peak, the share served, the attempts an operation.
#
# By hand:  gnuplot -d -e "summary='out/x/summary.csv'; out='sweep.png'; array group[2]; group[1]='none'; group[2]='full'; \
#                          array row[3]; row[1]='obey 0%'; row[2]='obey 50%'; row[3]='obey 100%'" plots/sweep.gp
#
#   summary   a sweep's summary.csv; its points go group by group, row by row
#   group     values of the first axis: one colour each; one element if there is one axis
#   row       values of the other axes, or of the one axis: one line each, downwards
#   has_faults  0 or 1; 1 if missing
#   groups    what the first axis is called, may be missing
#   letters   in the longest line of the rows' names, may be missing
#   out       the picture: NAME.png or NAME.svg
#   title     and subtitle, both may be missing
#
# A mean over runs that never recovered is no number: such a point has its mark at the right end, in the column `never`.

if (!exists("title")) title = ""
if (!exists("subtitle")) subtitle = ""
if (!exists("groups")) groups = ""
if (!exists("has_faults")) has_faults = 1
PEAK = has_faults ? "after_fault_peak_x_capacity" : "offered_peak_x_capacity"

ng = |group|
nr = |row|
height = 330 + nr * (30 + 18 * ng)
if (height < 900) height = 900
if (height > 4000) height = 4000
if (strlen(out) > 4 && out[strlen(out)-3:] eq ".svg") {
	set terminal svg size 1600,height noenhanced font "Helvetica,22" background rgb "white" dynamic
} else {
	set terminal pngcairo size 1600,height noenhanced font "Sans,20" background rgb "white"
}
set output out
set encoding utf8
set datafile separator ","
set datafile columnheaders

# Okabe and Ito's colours, and a mark of its own for each group.
COLOURS = "#D55E00 #0072B2 #009E73 #CC79A7 #E69F00 #56B4E9 #000000 #999999"
MARKS = "5 7 9 13 11 4 6 8"
colour(g) = word(COLOURS, (g - 1) % 8 + 1)
mark(g) = int(word(MARKS, (g - 1) % 8 + 1))
of(g) = int(column("point")) / nr == g - 1
line(g) = int(column("point")) % nr + 1 + (g - (ng + 1) / 2.0) * 0.8 / (ng > 1 ? ng : 2)
x(name, g) = of(g) ? column(name) : NaN

# Where a figure is absent or never, or all of them are, these stay as they are. Comparisons with no number are false.
p_min = 0.6; p_max = 2; s_min = 1; r_max = 0
stats summary using (v = column(PEAK), v < p_min ? (p_min = v) : 0, v > p_max ? (p_max = v) : 0, 1) nooutput
stats summary using (v = column("success_share"), v < s_min ? (s_min = v) : 0, 1) nooutput
stats summary using (v = column(has_faults ? "recovery_time_s_hi" : "amplification_hi"), v > r_max ? (r_max = v) : 0, 1) nooutput

px(pixels) = pixels / real(height)
set multiplot
set label 1 title at screen 0.02, 1 - px(34) left font (strlen(title) > 85 ? ",18" : ",26")
set label 2 subtitle at screen 0.02, 1 - px(80) left font ",18" textcolor rgb "#444444"
# The legend, in one line above all panels.
unset key
set label 3 groups at screen 0.02, 1 - px(130) left font ",18"
along = 0.03 + 0.0078 * strlen(groups)
if (ng > 1) {
	do for [g = 1:ng] {
		set label 10 + g group[g] at screen along + 0.01, 1 - px(130) left font ",18" \
			point pt mark(g) ps 2 lc rgb colour(g) offset 1.2, 0
		along = along + 0.045 + 0.0075 * strlen(group[g])
	}
}

set tmargin at screen 1 - px(200)
set bmargin at screen px(110)
set border 1 lw 1.5
set xtics nomirror out font ",16"
set grid xtics lc rgb "#dddddd" lw 1 lt 1
set yrange [nr + 0.5:0.5]
# Labels, because a tic's text is a format.
unset ytics
do for [r = 1:nr] { set label 100 + r row[r] at graph 0, first r right offset -1, 0 font ",16" }
do for [r = 1:nr-1] { set arrow 100 + r from graph 0, first r + 0.5 to graph 1, first r + 0.5 nohead lc rgb "#bbbbbb" lw 1 back }

if (!exists("letters")) {
	letters = 0
	do for [r = 1:nr] { if (strlen(row[r]) > letters) { letters = strlen(row[r]) } }
}
left = 0.04 + 0.0068 * (letters < 60 ? letters : 60)
w = (0.985 - left - 0.06) / 3

# --- peak after the fault
set lmargin at screen left
set rmargin at screen left + w
set xlabel (has_faults ? "peak after the fault, x capacity" : "peak, x capacity") font ",17"
set logscale x
lo = p_min > 0.01 ? p_min / 1.5 : 0.01
hi = p_max * 1.6
set xrange [lo:hi]
set xtics (0.01, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 10000)
if (hi / lo > 300) { set xtics (0.001, 0.01, 0.1, 1, 10, 100, 1000, 10000, 100000) }
set arrow 1 from first 1, graph 0 to first 1, graph 1 nohead dashtype 2 lw 3 lc rgb "#000000"
set label 4 "capacity" at first 1, graph 1 center offset 0, 0.7 font ",18"
plot for [g = 1:ng] summary using (x(PEAK, g)):(line(g)):(column(PEAK . "_lo")): \
	(column(PEAK . "_hi")) with xerrorbars pt mark(g) ps 2 lw 2.5 lc rgb colour(g) notitle
unset arrow 1
unset label
unset logscale x

# --- share served
set lmargin at screen left + w + 0.03
set rmargin at screen left + 2 * w + 0.03
set xlabel "operations served, %" font ",17"
set xrange [(s_min > 0.6 ? floor(10 * s_min - 0.1) * 10 : 0):100.5]
set xtics autofreq
plot for [g = 1:ng] summary using (100 * x("success_share", g)):(line(g)):(100 * column("success_share_lo")): \
	(100 * column("success_share_hi")) with xerrorbars pt mark(g) ps 2 lw 2.5 lc rgb colour(g) notitle

# --- recovery, or attempts
set lmargin at screen left + 2 * w + 0.06
set rmargin at screen 0.985
THIRD = has_faults ? "recovery_time_s" : "amplification"
set xlabel (has_faults ? "back to normal after, s" : "attempts an operation") font ",17"
greatest = r_max > 0 ? r_max : 1
step = 10.0 ** floor(log10(greatest))
step = greatest < 2 * step ? step / 2 : greatest < 5 * step ? step : 2 * step
never = 1.12 * greatest
set xrange [0:1.2 * greatest]
set xtics 0, step, greatest
if (has_faults) {
	set object 1 rectangle from first 1.06 * greatest, graph 0 to graph 1, graph 1 fillcolor rgb "#dddddd" fillstyle solid 0.6 \
		noborder behind
	set label 4 "never" at first never, graph 1 center offset 0, 0.7 font ",18"
}
plot for [g = 1:ng] summary using (x(THIRD, g)):(line(g)):(column(THIRD . "_lo")):(column(THIRD . "_hi")) \
		with xerrorbars pt mark(g) ps 2 lw 2.5 lc rgb colour(g) notitle, \
	for [g = 1:ng] summary using (has_faults && of(g) && column("recovered") < 1 ? never : NaN):(line(g)) \
		with points pt mark(g) ps 2 lw 2.5 lc rgb colour(g) notitle
unset multiplot
