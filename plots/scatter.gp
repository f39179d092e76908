# scatter.gp - a sample of many parameters: each figure against each parameter, a mark a point, with 95 % intervals.
#
# By hand:  gnuplot -d -e "summary='out/x/summary.csv'; out='scatter.png'; array axis[2]; axis[1]='base, s'; axis[2]='jitter'; \
#                          array at[2]; at[1]='0.1 0.5 2'; at[2]='1 2 1'; logs='1 0'; words_of='0 2'; \
#                          array called[2]; called[1]='full'; called[2]='none'" plots/scatter.gp
#
#   summary   a sweep's summary.csv; its first rows are shown, as many as `at` has numbers
#   axis      what each parameter is called, with its unit
#   at        of each parameter "X X ...": where each point lies; words are numbered from 1
#   logs      "1 0 ...": which parameters are laid out by ratio
#   words_of  "0 2 ...": how many words each parameter has, 0 of numbers
#   called    these words, those of the first parameter that has some first
#   nearly    s: the time by which clients that come to an end are done; 0 or missing: none do
#   service   array of the names of several services, of which that is shown whose peak is the most times its capacity; may be missing
#   who       the group of clients whose figures are shown; "" or missing: all clients
#   has_faults  0 or 1; 1 if missing
#   out       the picture: NAME.png or NAME.svg
#   title     and subtitle, both may be missing
#
# A row a figure, a column a parameter. Figures are those of curves.gp. A point with runs of which the figure is `never` has no mean: it is
# a triangle on the upper edge. Words are spread a little, so that marks do not hide each other.

if (!exists("title")) title = ""
if (!exists("subtitle")) subtitle = ""
if (!exists("has_faults")) has_faults = 1
if (!exists("nearly")) nearly = 0
if (!exists("who")) who = ""
if (!exists("service")) { array service[1]; service[1] = "" }

set datafile separator ","
set datafile columnheaders
whom = who eq "" ? "" : who . "."
before = who eq "" ? "" : who . ": "
na = |axis|
n = words(at[1])

# The service that was overrun most.
chosen = ""; most_ = -1
do for [i = 1:|service|] {
	if (|service| > 1) { stats summary every ::0::n-1 using (v = column(service[i] . ".offered_peak_x_capacity"), v > most_ ? (most_ = v, chosen = service[i]) : 0, 1) nooutput }
}
whose = chosen eq "" ? "" : chosen . "."
in_front = chosen eq "" ? "" : chosen . ": "

ends = 0
if (nearly > 0) { stats summary using (column(whom . "last_success_s") < nearly ? (ends = 1) : 0, 1) nooutput }

# The candidates: column, what it is called, what it is multiplied by, whether its axis may be logarithmic, whether it may be never.
array name[6]; array titled[6]; array factor[6]; array may_log[6]; array may_never[6]
name[1] = whose . (has_faults ? "after_fault_peak_x_capacity" : "offered_peak_x_capacity")
titled[1] = in_front . (has_faults ? "peak after the fault, x capacity" : "peak, x capacity"); factor[1] = 1; may_log[1] = 1; may_never[1] = 0
name[2] = whose . "recovery_time_s"; titled[2] = in_front . "back to normal after, s"; factor[2] = 1; may_log[2] = 0; may_never[2] = 1
name[3] = whom . "success_share"; titled[3] = before . "operations served, %"; factor[3] = 100; may_log[3] = 0; may_never[3] = 0
name[4] = whom . (ends ? "last_success_s" : "latency_s_p99")
titled[4] = before . (ends ? "the last is done after, s" : "latency, p99, s"); factor[4] = 1; may_log[4] = 1; may_never[4] = 0
name[5] = whom . (ends ? "attempts" : "amplification")
titled[5] = before . (ends ? "attempts in all" : "attempts an operation"); factor[5] = 1; may_log[5] = 1; may_never[5] = 0
name[6] = whose . "goodput_per_s"; titled[6] = in_front . "useful answers, 1/s"; factor[6] = 1; may_log[6] = 0; may_never[6] = 0

never(i) = may_never[i] && column(name[i] . "_never") > 0

# Which of them are shown, and the range of each.
array shown[6]; array least[6]; array most[6]; array has_never[6]
nf = 0
do for [i = 1:6] {
	lo = 1e300; hi = -1e300; nevers = 0
	stats summary every ::0::n-1 using (v = factor[i] * column(name[i]), v < lo ? (lo = v) : 0, v > hi ? (hi = v) : 0, 1) nooutput
	if (may_never[i] && has_faults) { stats summary every ::0::n-1 using (never(i) ? (nevers = 1) : 0, 1) nooutput }
	if ((hi >= lo || nevers) && !(i == 2 && !has_faults) && !(i == 3 && lo >= 99.9995) && !(i == 6 && (ends || has_faults))) {
		nf = nf + 1; shown[nf] = i; least[nf] = hi >= lo ? lo : 0; most[nf] = hi >= lo ? hi : 1; has_never[nf] = nevers
	}
}
if (nf == 0) { nf = 1; shown[1] = 5; least[1] = 0; most[1] = 1; has_never[1] = 0 }

LEFT = 150.0; PANEL = na == 1 ? 820.0 : na == 2 ? 560.0 : 400.0; TOP = 130.0; TALL = 330.0; FOOT = 150.0
width = LEFT + PANEL * na
width = width < 1000 ? 1000 : width
height = TOP + TALL * nf + FOOT
if (strlen(out) > 4 && out[strlen(out)-3:] eq ".svg") {
	set terminal svg size width,height noenhanced font "Helvetica,22" background rgb "white" dynamic
} else {
	set terminal pngcairo size width,height noenhanced font "Sans,20" background rgb "white"
}
set output out
set encoding utf8

px(pixels) = pixels / real(height)
wide(pixels) = pixels / real(width)
# The greatest size for a text in so many pixels.
fitted(text, pixels, most) = (size_ = pixels / (0.7 * (strlen(text) + 1)), sprintf(",%d", size_ > most ? most : size_ < 8 ? 8 : size_))
set multiplot
set label 1 title at screen 0.02, 1 - px(34) left font fitted(title, 0.96 * width, 26)
set label 2 subtitle at screen 0.02, 1 - px(76) left font fitted(subtitle, 0.96 * width, 18) textcolor rgb "#444444"
unset key
set border 3 lw 1.5
set errorbars 0
set tics nomirror out font ",15"
set grid lc rgb "#dddddd" lw 1 lt 1
size = n > 300 ? 0.6 : n > 100 ? 0.9 : 1.2

short(word) = strlen(word) > 22 ? word[1:20] . "..." : word

# Where a point lies on a parameter: words spread to both sides, evenly by the golden section.
frac(v) = v - floor(v)
x(p, a) = real(word(at[a], int(p) + 1)) + (int(word(words_of, a)) > 0 ? 0.5 * (frac(0.618034 * p) - 0.5) : 0)

do for [f = 1:nf] {
	i = shown[f]
	is_log = may_log[i] && least[f] > 0 && most[f] / least[f] >= 20
	bottom = is_log ? least[f] / 1.4 : i == 3 && least[f] > 60 ? floor(least[f] / 20 - 0.01) * 20 : 0
	top = is_log ? most[f] * 1.4 : i == 3 ? 101.5 : most[f] > 0 ? 1.12 * most[f] : 1
	if (i == 1) {
		bottom = is_log && bottom > 0.7 ? 0.7 : bottom
		top = top < 1.4 ? 1.4 : top
	}
	# What an interval ends with where it would leave the panel.
	limit = i == 3 ? 100 : top
	within(v) = v < bottom ? bottom : v > limit ? limit : v
	first_word = 0
	do for [a = 1:na] {
		set lmargin at screen wide(LEFT + PANEL * (a - 1))
		set rmargin at screen wide(LEFT + PANEL * a - 50)
		set tmargin at screen 1 - px(TOP + TALL * (f - 1) + 40)
		set bmargin at screen 1 - px(TOP + TALL * f - 45)
		unset logscale
		set xtics autofreq norotate center offset 0, 0
		set format x (f == nf ? "%g" : "")
		set format y (a == 1 ? "%g" : "")
		nw = int(word(words_of, a))
		if (nw > 0) {
			set xrange [0.5:nw + 0.5]
			longest = 0
			do for [k = 1:nw] { longest = strlen(called[first_word + k]) > longest ? strlen(called[first_word + k]) : longest }
			if (nw * longest > 28) { set xtics rotate by 20 right offset 1, 0 }
			set xtics ("" 1)
			do for [k = 1:nw] { set xtics add ((f == nf ? short(called[first_word + k]) : "") k) }
			first_word = first_word + nw
		} else {
			lo = real(word(at[a], 1)); hi = lo
			do for [k = 2:n] { v = real(word(at[a], k)); lo = v < lo ? v : lo; hi = v > hi ? v : hi }
			if (int(word(logs, a))) {
				set logscale x; set xrange [lo / 1.15:hi * 1.15]
				if (hi / lo < 100) {
					set xtics ("" 1e9 * hi)
					do for [d = floor(log10(lo)):ceil(log10(hi))] {
						do for [m in "1 2 5"] { v = m * 10 ** d; set xtics add ((f == nf ? sprintf("%g", v) : "") v) }
					}
				}
			} \
			else { pad = hi > lo ? 0.04 * (hi - lo) : 1; set xrange [lo - pad:hi + pad] }
		}
		if (is_log) { set logscale y }
		set yrange [bottom:top]
		called_ = axis[a] . (int(word(logs, a)) ? " (log scale)" : "")
		if (f == nf) { set label 6 called_ at screen wide(LEFT + PANEL * (a - 0.5) - 25), px(40) center font fitted(called_, PANEL - 20, 16) }
		heading = titled[i] . (is_log ? i == 1 ? " (log scale; dashed: capacity)" : " (log scale)" : i == 1 ? " (dashed: capacity)" : "")
		if (a == 1) { set label 3 heading at graph 0, graph 1 left offset -1, 1 font fitted(heading, width - LEFT, 18) }
		if (i == 1) { set arrow 1 from graph 0, first 1 to graph 1, first 1 nohead dashtype 2 lw 2.5 lc rgb "#000000" }
		if (has_never[f] && a == na) { set label 5 "never" at graph 1, graph 1 right offset 0, 1 font ",14" textcolor rgb "#D55E00" }
		plot summary every ::0::n-1 using (x(column("point"), a)):(factor[i] * column(name[i])):\
				(within(factor[i] * column(name[i] . "_lo"))):(within(factor[i] * column(name[i] . "_hi"))) with yerrorbars \
				pt 7 ps 0 lw 1 lc rgb "#C80072B2" notitle, \
			summary every ::0::n-1 using (x(column("point"), a)):(factor[i] * column(name[i])) with points pt 7 ps size lc rgb "#500072B2" notitle, \
			summary every ::0::n-1 using (x(column("point"), a)):(never(i) ? top : NaN) with points pt 9 ps size + 0.5 lc rgb "#D55E00" notitle
		unset arrow 1
		do for [l = 1:6] { unset label l }
	}
}
unset multiplot
