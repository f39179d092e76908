# sweep.gp - all points of a sweep, with 95 % intervals: of the service the peak after the fault and the recovery; of clients
# the share served, the last success where they come to an end, and the attempts an operation. Where there is no fault: the
# peak, the share, the attempts.
#
# By hand:  gnuplot -d -e "summary='out/x/summary.csv'; out='sweep.png'; array group[2]; group[1]='none'; group[2]='full'; \
#                          array row[3]; row[1]='obey 0%'; row[2]='obey 50%'; row[3]='obey 100%'; \
#                          array who[1]; who[1]='fleet'" plots/sweep.gp
#
#   summary   a sweep's summary.csv; its points go group by group, row by row
#   group     values of the first axis: one colour each; one element if there is one axis
#   row       values of the other axes, or of the one axis: one line each, downwards
#   who       groups of clients whose figures are shown, at most three; "" is all clients; all if missing
#   has_faults  0 or 1; 1 if missing
#   nearly    "T T ...", s: of each point the time by which clients that come to an end are done; "" or missing: all are held
#             to come to an end
#   groups    what the first axis is called, may be missing
#   figure    array of columns that are shown in place of all these; heading: array of what they are called; both may be missing
#   service   array of the names of several services; may be missing
#   letters   in the longest line of the rows' names, may be missing
#   out       the picture: NAME.png or NAME.svg
#   title     and subtitle, both may be missing
#
# Of several services the one is shown whose peak is the most times its capacity. A figure that no point has, has no panel.
# A mean over runs that never recovered is no number: such a point has its mark at the right end, in the column `never`.

if (!exists("title")) title = ""
if (!exists("subtitle")) subtitle = ""
if (!exists("groups")) groups = ""
if (!exists("has_faults")) has_faults = 1
if (!exists("nearly")) nearly = ""
if (!exists("service")) { array service[1]; service[1] = "" }
if (!exists("who")) { array who[1]; who[1] = "" }

set datafile separator ","
set datafile columnheaders

# The service that was overrun most.
chosen = ""; most_ = -1
do for [i = 1:|service|] {
	if (|service| > 1) { stats summary using (v = column(service[i] . ".offered_peak_x_capacity"), v > most_ ? (most_ = v, chosen = service[i]) : 0, 1) nooutput }
}
whose = chosen eq "" ? "" : chosen . "."
short(name) = strlen(name) > 15 ? name[1:14] . "..." : name
in_front = chosen eq "" ? "" : short(chosen) . ":\n"

# Who comes to an end: whose last success is early in some point. Of others it says when the run ended.
array ends[|who|]
do for [i = 1:|who|] {
	ends[i] = has_faults && words(nearly) == 0
	if (has_faults && words(nearly) > 0) {
		stats summary using (p = int(column("point")) + 1, column((who[i] eq "" ? "" : who[i] . ".") . "last_success_s") < \
			(p <= words(nearly) ? real(word(nearly, p)) : 0) ? (ends[i] = 1) : 0, 1) nooutput
	}
}

# The panels: the figure's column, what it is called, what it is multiplied by, and how its axis goes: log, share, or time.
np = (has_faults ? 2 : 1) + 2 * |who|
do for [i = 1:|who|] { np = np + ends[i] }
array name[np]; array called[np]; array factor[np]; array goes[np]
name[1] = whose . (has_faults ? "after_fault_peak_x_capacity" : "offered_peak_x_capacity")
called[1] = in_front . (has_faults ? "peak after fault,\nx capacity\n(log scale)" : "peak,\nx capacity\n(log scale)")
factor[1] = 1; goes[1] = "log"
k = 1
if (has_faults) { k = 2; name[2] = whose . "recovery_time_s"; called[2] = in_front . "service back\nto normal\nafter, s"; factor[2] = 1; goes[2] = "recovery" }
do for [i = 1:|who|] {
	of_whom = who[i] eq "" ? "" : who[i] . "."
	before = (who[i] eq "" ? "all clients" : short(who[i])) . ":\n"
	k = k + 1
	name[k] = of_whom . "success_share"; called[k] = before . "operations\nserved, %"; factor[k] = 100; goes[k] = "share"
	if (ends[i]) {
		k = k + 1
		name[k] = of_whom . "last_success_after_fault_s"; called[k] = before . "last ok after\nthe fault, s"; factor[k] = 1; goes[k] = "zero"
	}
	k = k + 1
	name[k] = of_whom . "amplification"; called[k] = before . "attempts\nan operation"; factor[k] = 1; goes[k] = "zero"
}

# Those that were asked for.
is_like(text, tail) = strlen(text) >= strlen(tail) && text[strlen(text) - strlen(tail) + 1:] eq tail
if (exists("figure")) {
	np = |figure|
	array name[np]; array called[np]; array factor[np]; array goes[np]
	do for [k = 1:np] {
		name[k] = figure[k]; called[k] = heading[k]
		goes[k] = is_like(name[k], "_share") ? "share" : is_like(name[k], "_x_capacity") ? "log" : is_like(name[k], "recovery_time_s") ? "recovery" : "zero"
		factor[k] = goes[k] eq "share" ? 100 : 1
		if (goes[k] eq "log") { called[k] = called[k] . "\n(log scale)" }
	}
}
# Of a time of recovery, the column of whether there was one.
came_back(k) = name[k][1:strlen(name[k]) - 15] . "recovered"

# Those that some point has.
m = 0
do for [k = 1:np] {
	has = 0
	stats summary using (v = column(name[k]), v == v ? (has = 1) : 0, 1) nooutput
	if (goes[k] eq "recovery") { stats summary using (column(came_back(k)) < 1 ? (has = 1) : 0, 1) nooutput }
	if (has) { m = m + 1; name[m] = name[k]; called[m] = called[k]; factor[m] = factor[k]; goes[m] = goes[k] }
}
np = m > 0 ? m : 1

ng = |group|
nr = |row|
if (!exists("letters")) {
	letters = 0
	do for [r = 1:nr] { if (strlen(row[r]) > letters) { letters = strlen(row[r]) } }
}
# Pixels: of the rows' names, and 250 at least for a panel and the gap after it.
names = 70 + 11 * (letters < 60 ? letters : 60)
width = names + 250 * np + 20 > 1600 ? names + 250 * np + 20 : 1600
# The legend, in as many lines as it takes.
array legend_x[ng]; array legend_line[ng]
lines = 1
along = 0.03 * width + 12.5 * strlen(groups)
do for [g = 1:ng] {
	if (ng > 1 && along + 36 + 12.5 * strlen(group[g]) > width && along > 0.02 * width) { lines = lines + 1; along = 0.02 * width }
	legend_x[g] = along; legend_line[g] = lines
	along = along + 72 + 12.5 * strlen(group[g])
}
down = 34 * (lines - 1)
height = 360 + nr * (30 + 18 * ng)
if (height < 900) height = 900
if (height > 4000) height = 4000
# Four lines below a panel of one of several services, and of figures that were asked for.
foot = chosen eq "" && !exists("figure") ? 160 : 190
height = height + down + foot - 160
if (strlen(out) > 4 && out[strlen(out)-3:] eq ".svg") {
	set terminal svg size width,height noenhanced font "Helvetica,22" background rgb "white" dynamic
} else {
	set terminal pngcairo size width,height noenhanced font "Sans,20" background rgb "white"
}
set output out
set encoding utf8

# Okabe and Ito's colours, and a mark of its own for each group.
COLOURS = "#D55E00 #0072B2 #009E73 #CC79A7 #E69F00 #56B4E9 #000000 #999999"
MARKS = "5 7 9 13 11 4 6 8"
colour(g) = word(COLOURS, (g - 1) % 8 + 1)
mark(g) = int(word(MARKS, (g - 1) % 8 + 1))
of(g) = int(column("point")) / nr == g - 1
line(g) = int(column("point")) % nr + 1 + (g - (ng + 1) / 2.0) * 0.8 / (ng > 1 ? ng : 2)

px(pixels) = pixels / real(height)
# The greatest size for a text in so many pixels.
fitted(text, pixels, most) = (size_ = pixels / (0.7 * (strlen(text) + 1)), sprintf(",%d", size_ > most ? most : size_ < 8 ? 8 : size_))
set multiplot
set label 1 title at screen 0.02, 1 - px(34) left font fitted(title, 0.96 * width, 26)
set label 2 subtitle at screen 0.02, 1 - px(80) left font fitted(subtitle, 0.96 * width, 18) textcolor rgb "#444444"
unset key
set label 3 groups at screen 0.02, 1 - px(130) left font ",18"
if (ng > 1) {
	do for [g = 1:ng] {
		set label 10 + g "" at screen (legend_x[g] + 16) / width, 1 - px(96 + 34 * legend_line[g]) point pt mark(g) ps 2 lc rgb colour(g)
		set label 30 + g group[g] at screen (legend_x[g] + 36) / width, 1 - px(96 + 34 * legend_line[g]) left font ",18"
	}
}

set tmargin at screen 1 - px(200 + down)
set bmargin at screen px(foot)
set border 1 lw 1.5
set xtics nomirror out font ",16"
set format x "%g"
set grid xtics lc rgb "#dddddd" lw 1 lt 1
set yrange [nr + 0.5:0.5]
# Labels, because a tic's text is a format.
unset ytics
do for [r = 1:nr-1] { set arrow 100 + r from graph 0, first r + 0.5 to graph 1, first r + 0.5 nohead lc rgb "#bbbbbb" lw 1 back }

left = names / real(width)
gap = 45.0 / width
w = (1 - 20.0 / width - left - gap * (np - 1)) / np

do for [k = 1:np] {
	col = name[k]
	f = factor[k]
	set lmargin at screen left + (k - 1) * (w + gap)
	set rmargin at screen left + (k - 1) * (w + gap) + w
	set xlabel called[k] font ",16"
	do for [r = 1:nr] { if (k == 1) { set label 100 + r row[r] at graph 0, first r right offset -1, 0 font (letters > 60 ? sprintf(",%d", 960 / letters) : ",16") } else { unset label 100 + r } }
	# Where a figure is absent or never, or all of them are, these stay as they are. Comparisons with no number are false.
	least = goes[k] eq "log" ? 0.6 : 1e300
	most = goes[k] eq "log" ? 2 : -1e300
	stats summary using (v = f * column(col), v < least ? (least = v) : 0, v > most ? (most = v) : 0, 1) nooutput
	# A small share that was asked for has an axis of its own.
	if (exists("figure") && goes[k] eq "share" && most < 20) { goes[k] = "zero" }
	if (goes[k] ne "share") { stats summary using (v = f * column(col . "_hi"), v > most ? (most = v) : 0, 1) nooutput }
	if (goes[k] eq "log") { stats summary using (v = f * column(col . "_lo"), v < least && v > least / 10 ? (least = v) : 0, 1) nooutput }
	if (goes[k] eq "share") { stats summary using (v = f * column(col . "_lo"), v < least ? (least = v > 0 ? v : 0) : 0, 1) nooutput }
	never = 0
	if (goes[k] eq "log") {
		set logscale x
		lo = least > 0.01 ? least / 1.5 : 0.01
		hi = most * 1.6
		set xrange [lo:hi]
		set xtics (0.01, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)
		if (hi / lo > 30) { set xtics (0.001, 0.01, 0.1, 1, 10, 100, 1000, 10000, 100000) }
		set arrow 1 from first 1, graph 0 to first 1, graph 1 nohead dashtype 2 lw 3 lc rgb "#000000"
		set label 4 "capacity" at first 1, graph 1 center offset 0, 0.7 font ",16"
	} else {
		greatest = most > 0 ? most : 1
		step = 10.0 ** floor(log10(greatest))
		step = greatest < 2 * step ? step / 2 : greatest < 5 * step ? step : 2 * step
		if (goes[k] eq "share") {
			from = least > 60 && least <= 100 ? floor(least / 20 - 0.01) * 20 : 0
			if (least > 90 && least <= 100) { from = 90 }
			set xrange [from:101.5]
			set xtics from, (from == 0 ? 25 : from < 80 ? 20 : from < 90 ? 10 : 5), 100
		} else {
			set xrange [0:(goes[k] eq "recovery" ? 1.2 : 1.08) * greatest]
			set xtics 0, (greatest >= 4 * step ? 2 * step : step), greatest
		}
		if (goes[k] eq "recovery") {
			never = 1.12 * greatest
			set object 1 rectangle from first 1.06 * greatest, graph 0 to graph 1, graph 1 fillcolor rgb "#dddddd" \
				fillstyle solid 0.6 noborder behind
			set label 4 "never" at first never, graph 1 center offset 0, 0.7 font ",16"
		}
	}
	# What an interval ends with where it would leave the panel, and of one run alone.
	low_ = goes[k] eq "log" ? lo : goes[k] eq "share" ? from : 0
	high_ = goes[k] eq "share" ? 100 : 1e300
	within(v, otherwise) = v != v ? otherwise : v < low_ ? low_ : v > high_ ? high_ : v
	plot for [g = 1:ng] summary using (of(g) ? f * column(col) : NaN):(line(g)):(within(f * column(col . "_lo"), f * column(col))):(within(f * column(col . "_hi"), f * column(col))) \
			with xerrorbars pt mark(g) ps 2 lw 2.5 lc rgb colour(g) notitle, \
		for [g = 1:ng] summary using (never > 0 && of(g) && column(came_back(k)) < 1 ? never : NaN):(line(g)) \
			with points pt mark(g) ps 2 lw 2.5 lc rgb colour(g) notitle
	unset arrow 1
	unset object 1
	unset logscale x
	do for [i = 1:4] { unset label i }
	do for [g = 1:ng] { unset label 10 + g; unset label 30 + g }
}
unset multiplot
