#!/bin/sh
# schedule: the tables of a scenario's policies, what follows from them, and the chart.
. "${srcdir:=.}/tests/tap.sh"
outage=$srcdir/scenarios/outage.yaml

run "$STAMPEDE" schedule "$outage"
ok "every group has its table" [ "$(grep -c '^retry ' "$work/out")" = 2 ]
ok "a row a retry" [ "$(grep -c '^ *[0-9]* .* ms\| s$' "$work/out")" -ge 11 ]
ok "without a word" silent
run "$STAMPEDE" schedule "$outage" --group fleet
ok "--group chooses one" [ "$(grep -c '^retry ' "$work/out")" = 1 ]
ok "patience in words" prints "1 min 1 s on average, 2 min 2 s at the"
ok "the first window that is needed" prints "1000 clients against 200/s with 100/s of other load need a first window of at least 10 s; this"
ok "and the policy's own" prints "policy's is 500 ms wide: x 20 too narrow."
run "$STAMPEDE" schedule "$outage" --group fleet --clients 10 --capacity 400/s --background 100/s
ok "clients, capacity and background may be others" prints "10 clients against 400/s with 100/s of other load need a first window of at least 33.3 ms"
ok "and the window wide enough" prints "wide enough."
run "$STAMPEDE" schedule "$outage" --group fleet --background 200/s
ok "no window is wide enough for a service that is full" prints "find no window wide enough"
run "$STAMPEDE" schedule "$outage" --group fleet --set fleet.jitter=none --set fleet.retry.backoff.jitter=none
ok "paths are checked" exits 2 "no parameter is named 'fleet.jitter'"
run "$STAMPEDE" schedule "$outage" --group fleet --set fleet.retry.backoff.jitter=none --set fleet.timeout=2s
ok "without jitter there is no window" prints "come at one instant: no window at all."
ok "timeouts add to the patience" prints "timeout of 2 s, that is 18 s later"
run "$STAMPEDE" schedule "$outage" --group fleet --attempts 3
ok "--attempts" prints "fleet: 3 attempts"
run "$STAMPEDE" schedule "$outage" --group fleet --attempts 1
ok "one attempt has no schedule" prints "fleet: one attempt, no retry."
run "$STAMPEDE" schedule "$outage" --group fleet --set fleet.retry.attempts=unlimited
ok "without a limit" prints "fleet never gives up by itself."
run "$STAMPEDE" schedule "$outage" --group fleet --set fleet.retry.backoff.throttle.on=[429] \
	--set fleet.retry.backoff.throttle.base=2s
ok "throttling has a table of its own" prints "fleet, after throttling: 10 attempts"
ok "beside the usual one" prints "fleet, after usual failures: 10 attempts"
run "$STAMPEDE" schedule "$outage" --group fleet --set fleet.retry.backoff.throttle.on=[429] \
	--set fleet.retry.backoff.throttle.base=2s --outcome 429
ok "--outcome chooses" prints "fleet, after 429: 10 attempts"
ok "and the delay is that class's" prints "    1      0   1 s  1.98 s   2 s"
run "$STAMPEDE" schedule "$outage" --group fleet --outcome 404
ok "what is not retried has none" prints "fleet, after 404: one attempt, no retry."

# Services that call others: each has its table, against the capacity of the one that is called.
tiers=$srcdir/scenarios/tiers.yaml
run "$STAMPEDE" schedule "$tiers"
ok "services that call others have theirs below the groups'" [ "$(grep -c '^retry ' "$work/out")" = 3 ]
ok "a group's says whom it calls" prints "users, calling api: 3 attempts; shape constant; base 200ms"
ok "so does a service's" prints "api, calling logic: 3 attempts; shape constant; base 50ms"
ok "it is held against the capacity of the service that is called" prints "500 calls against 100000/s with 0/s of other load"
ok "and that of the next against the next" prints "500 calls against 5000/s with 0/s of other load need a first window of at least 100 ms"
ok "attempts multiply" prints "an operation makes up to 3 x 3 x 3 = 27 requests to db."
ok "those of a service, too" prints "an operation makes up to 3 x 3 = 9 requests to db."
run "$STAMPEDE" schedule "$tiers" --group logic --clients 100
ok "--group may be a service that calls another" prints "100 calls against 5000/s"
ok "of which alone it is then" [ "$(grep -c '^retry ' "$work/out")" = 1 ]
ok "at the end nothing multiplies" [ "$(grep -c multiply "$work/out")" = 0 ]
run "$STAMPEDE" schedule "$tiers" --group users --attempts 5 --clients 1000
ok "a group is held against the first service" prints "1000 clients against 100000/s"
ok "--attempts are multiplied, those behind as they are" prints "up to 5 x 3 x 3 = 45 requests"
run "$STAMPEDE" schedule "$tiers" --set services.logic.calls.retry.attempts=unlimited --group api
ok "without a limit there is no product" prints "makes requests to db without limit (3 x unlimited)."
run "$STAMPEDE" schedule "$tiers" --set users.retry.attempts=1 --group users
ok "one attempt is multiplied, too" prints "up to 1 x 3 x 3 = 9 requests"
run "$STAMPEDE" schedule "$tiers" --group db
ok "a service that calls nobody has no policy" exits 2 "--group: neither a group of clients nor a service that calls another is called 'db'"
run "$STAMPEDE" schedule "$tiers" --group logic --format csv
ok "CSV has it by the service's name" prints "logic,,2,0,0.025,"
run "$STAMPEDE" schedule "$srcdir/scenarios/occ.yaml" --clients 10
ok "what has no capacity is not overrun" [ "$(grep -c against "$work/out")" = 0 ]

run "$STAMPEDE" schedule "$outage" --format csv
ok "CSV has a head" prints "policy,failures,retry,delay_min_s,delay_mean_s,delay_sd_s,delay_p99_s,delay_max_s,window_s,at_floor,at_cap,earliest_s,mean_s,latest_s"
ok "and a row a retry" [ "$(wc -l <"$work/out")" = 12 ]
ok "in seconds" prints "fleet,,3,0,1,"
if command -v jq >/dev/null; then
	"$STAMPEDE" schedule "$outage" --format json >"$work/json"
	run jq -c '.schedules[0] | .patience_s.latest, .first_window.needed_s, .retries[8].delay_s.max' "$work/json"
	ok "JSON has the same" [ "$(tr '\n' ' ' <"$work/out")" = "121.5 10 30 " ]
	"$STAMPEDE" schedule "$tiers" --format json --attempts 2 >"$work/json"
	run jq -c '.schedules[1] | .policy, .calls, .first_window.capacity_per_s, .requests_most, .last' "$work/json"
	ok "also of services" [ "$(tr '\n' ' ' <"$work/out")" = '"api" "logic" 100000 4 "db" ' ]
	run jq -c .options "$work/json"
	ok "and what was asked for" prints '{"attempts":"2"}'
else
	skip "JSON has the same, also of services" "no jq"
fi

run "$STAMPEDE" schedule "$srcdir/scenarios/occ.yaml" --capacity 100/s
ok "but for one that is said" prints "clients against 100/s with"

run "$STAMPEDE" schedule kafka --attempts 6
ok "a preset has its schedule" prints "50 %"
ok "and no fleet" [ "$(grep -c 'clients against' "$work/out")" = 0 ]
run "$STAMPEDE" schedule aws-2026 --set timeout=2s --set attempts=4
ok "of each class of failures" prints "aws-2026, after throttling: 4 attempts"
ok "with --set over it" prints "timeout of 2 s, that is 6 s later"
run "$STAMPEDE" schedule stripe --clients 1000 --capacity 200/s
ok "a fleet and a service can be given" prints "no window at all"
run "$STAMPEDE" schedule stripe --clients 1000
ok "but not the one alone" exits 2 "--clients of a preset wants --capacity too"
run "$STAMPEDE" schedule kafak
ok "neither a file nor a preset" exits 2 "no file and no preset is named 'kafak'; did you mean 'kafka'?"

run "$STAMPEDE" schedule "$outage" --group fleat
ok "a group that is none is told" exits 2 "did you mean 'fleet'?"
run "$STAMPEDE" schedule "$outage" --clients many --capacity 5
ok "options are read like parameters" exits 2 "stampede: --clients: expects a whole number"
ok "all of them" exits 2 "stampede: --capacity: expects a rate"
run "$STAMPEDE" schedule "$outage" --plot -o "$work/plot"
ok "--plot wants one policy" exits 2 "--plot draws one policy: choose one by --group"
if [ -n "${GNUPLOT-}" ] && command -v "$GNUPLOT" >/dev/null; then
	run "$STAMPEDE" schedule "$outage" --plot --group fleet -o "$work/plot" --quiet
	ok "--plot draws" silent
	ok "a picture as PNG and SVG" [ -s "$work/plot/schedule.png" ] && [ -s "$work/plot/schedule.svg" ]
	ok "its data beside it" grep -q '^8,' "$work/plot/density.csv"
	rm "$work/plot/schedule.png"
	run "$STAMPEDE" plot "$work/plot"
	ok "plot draws it again" [ -s "$work/plot/schedule.png" ]
	run "$STAMPEDE" schedule "$tiers" --plot --group api --attempts 4 --clients 50 -o "$work/plot" --quiet --force
	ok "--plot draws a service's" silent
	run "$STAMPEDE" report "$work/plot" --quiet
	ok "a report tells how to have it again" grep -q "schedule scenario.yaml --plot --group api --attempts 4 --clients 50" "$work/plot/report.html"
else
	skip "--plot draws" "no gnuplot"
fi
finish
