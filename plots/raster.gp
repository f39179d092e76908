# raster.gp - what each client does over time: a line a client, a dot an attempt.
#
# By hand:  gnuplot -d -e "trace='out/x/trace.csv'; out='raster.png'; array group[1]; group[1]='fleet'; from='0'; many='100'; end=240" plots/raster.gp
#
#   trace     trace.csv (columns are found by name)
#   out       the picture: NAME.png or NAME.svg
#   group     array of groups of clients; from, many: "LINE LINE ..." where each begins, and how many of its first clients it has
#   end       of the run, s
#   faults    "FROM TO FROM TO ..." in s, "" for none
#   title     may be missing

if (!exists("title")) title = ""
if (!exists("faults")) faults = ""

if (strlen(out) > 4 && out[strlen(out)-3:] eq ".svg") {
	set terminal svg size 1600,900 noenhanced font "Helvetica,22" background rgb "white" dynamic
} else {
	set terminal pngcairo size 1600,900 noenhanced font "Sans,20" background rgb "white"
}
set output out
set encoding utf8
set datafile separator ","
set datafile columnheaders

# Okabe and Ito's colours; the later a thing is in an operation's life, the darker.
SENT = "#56B4E9"; FAILED = "#D55E00"; GOOD = "#009E73"; LOST = "#000000"

n = |group|
lines = real(word(from, n)) + real(word(many, n))
shown = 0
do for [g = 1:n] { shown = shown + int(word(many, g)) }

# The greatest size for a text in so many pixels.
fitted(text, pixels, most) = (size_ = pixels / (0.7 * (strlen(text) + 1)), sprintf(",%d", size_ > most ? most : size_ < 8 ? 8 : size_))
# Room for the longest name.
letters = 0
do for [g = 1:n] { if (strlen(group[g]) > letters) { letters = strlen(group[g]) } }
left_ = 0.04 + 0.009 * letters
if (left_ < 0.12) { left_ = 0.12 }
if (left_ > 0.25) { left_ = 0.25 }
set lmargin at screen left_
set rmargin at screen 0.98
set tmargin at screen 0.82
set bmargin at screen 0.14
set label 1 title at screen 0.02, 0.955 left font fitted(title, 1540, 26)
set label 2 sprintf("a line each of %d clients, a dot each step of an attempt; grey: fault", shown) at screen 0.02, 0.905 left font ",18" textcolor rgb "#444444"
set border 3 lw 1.5
set tics nomirror out
set xlabel "time, s"
set xrange [0:end]
set yrange [-1:lines + 1]
unset ytics
do for [g = 1:n] {
	set label 10 + g group[g] at graph -0.012, first real(word(from, g)) + real(word(many, g)) / 2 right font fitted(group[g], 1600 * left_ - 30, 20)
	if (g > 1) { set arrow 100 + g from graph 0, first real(word(from, g)) - 0.5 to graph 1, first real(word(from, g)) - 0.5 nohead lw 1 lc rgb "#999999" front }
}
do for [i = 1:words(faults) / 2] {
	set object i rectangle from first real(word(faults, 2 * i - 1)), graph 0 to first real(word(faults, 2 * i)), graph 1 \
		fillcolor rgb "#e0e0e0" fillstyle solid 1.0 noborder behind
}
set key at screen 0.98, 0.87 right center horizontal samplen 1 reverse Left font ",18"

size_ = lines > 60 ? 0.6 : lines > 25 ? 0.9 : 1.3
# Of the event that is asked for, and of a client that has a line.
at(g, what) = strcol("event") eq what && strcol("clients") eq group[g] && column("client") < real(word(many, g)) ? column("time_s") : NaN
y(g) = real(word(from, g)) + column("client")
plot for [g = 1:n] trace using (at(g, "sent")):(y(g)) with points pt 7 ps size_ lc rgb SENT notitle, \
	for [g = 1:n] trace using (at(g, "failed")):(y(g)) with points pt 7 ps size_ lc rgb FAILED notitle, \
	for [g = 1:n] trace using (at(g, "succeeded")):(y(g)) with points pt 7 ps size_ lc rgb GOOD notitle, \
	for [g = 1:n] trace using (at(g, "given_up")):(y(g)) with points pt 2 ps 1.6 * size_ lw 2 lc rgb LOST notitle, \
	NaN with points pt 7 ps 1.5 lc rgb SENT title "sent", NaN with points pt 7 ps 1.5 lc rgb FAILED title "failed", \
	NaN with points pt 7 ps 1.5 lc rgb GOOD title "succeeded", NaN with points pt 2 ps 1.5 lw 2 lc rgb LOST title "given up"
