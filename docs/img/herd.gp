# herd.gp - the picture at the top of README.md: no jitter against full jitter, from the mean series of a sweep.
#
#   build/stampede sweep scenarios/outage.yaml --axis fleet.retry.backoff.jitter=none,full --axis fleet.retry.budget=off \
#       --axis fleet.retry.hint.obey=0% --set duration=150s --no-chart -o out/herd
#   gnuplot -d docs/img/herd.gp
#
# In the folder of the sources; it reads out/herd/series/ and writes docs/img/herd.png.

set terminal pngcairo size 1200,720 noenhanced font "Sans,19" background rgb "white"
set output "docs/img/herd.png"
set encoding utf8
set datafile separator ","
set datafile columnheaders

array file[2] = ["out/herd/series/000.csv", "out/herd/series/001.csv"]
array label[2] = ["no jitter", "full jitter"]
capacity = 200; bin = 0.1

# The mean over the runs of each run's peak: what summary.csv and the README say.
array peak[2]
stats "out/herd/summary.csv" using (peak[int(column("point")) + 1] = column("after_fault_peak_x_capacity"), 0) nooutput

set xrange [0:150]
set logscale y
set yrange [30:20000]
set border 3 lw 1.5
set tics nomirror out
set ytics (100, "1,000" 1000, "10,000" 10000)
set grid ytics lc rgb "#dddddd" lw 1 lt 1
set object 1 rectangle from 10, graph 0 to 40, graph 1 fillcolor rgb "#000000" fillstyle solid 0.13 noborder behind
set arrow 1 from 0, capacity to 150, capacity nohead dashtype 2 lw 3 lc rgb "#000000" front

set multiplot
set label 2 "requests per second (log scale)" at screen 0.014, 0.52 center rotate by 90
do for [i = 1:2] {
	set lmargin at screen 0.125
	set rmargin at screen 0.985
	set tmargin at screen (i == 1 ? 0.925 : 0.485)
	set bmargin at screen (i == 1 ? 0.57 : 0.13)
	set format x (i == 2 ? "%g" : "")
	set label 3 (i == 2 ? "time, s" : "") at screen 0.555, 0.03 center
	set label 10 label[i] at graph 0, graph 1 left offset 0, 0.75 font "Sans Bold,22"
	set label 11 sprintf("busiest 0.1 s after the outage: %.2g x capacity", peak[i]) at graph 1, graph 1 right offset 0, 0.75 font ",22"
	set label 12 "outage" at 33, graph 0.88 center front
	set label 13 "capacity 200/s" at 99, capacity right offset 0, 0.65 front
	plot file[i] using (column("time_s") + bin / 2):(column("offered") / bin) with fillsteps fillstyle solid lc rgb "#D55E00" notitle, \
		"" using (column("time_s") + bin / 2):((o = column("offered") / bin) > 3 * capacity ? o : NaN) with impulses lw 3 lc rgb "#D55E00" notitle
	unset label 2
}
unset multiplot
