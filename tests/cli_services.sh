#!/bin/sh
# Several services: each has figures of its own wherever figures are named, as groups of clients have.
. "${srcdir:=.}/tests/tap.sh"

# The shop's clients call the api, which tries the database twice. For two seconds that is too slow for it.
cat >"$work/shop.yaml" <<'YAML'
title: A shop
duration: 10s
services:
  api:
    workers: 50
    service_time: 1ms
    calls: {to: db, timeout: 100ms, retry: {attempts: 2, backoff: {shape: constant, base: 10ms}}}
  db: {workers: 2, service_time: exponential 10ms, queue: {limit: 20}}
clients:
  shop: {count: 50, workload: {kind: poisson, rate: 80/s}}
  crawler: {count: 5, workload: {kind: poisson, rate: 10/s}}
faults: [{at: 3s, for: 2s, effect: slow, factor: 4, service: db}]
expect:
  - db.amplification <= 1.9
  - db.utilisation < 20%
  - crawler.amplification == 1
sweep: {replications: 2}
YAML
column() { awk -F, -v name="$2" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) k = i } NR > 1 { print k ? $k : "none" }' "$1/summary.csv"; }

run "$STAMPEDE" run "$work/shop.yaml" --no-chart -o "$work/run"
ok "a run is done" exits 0
ok "an expectation of a service is judged by its figures" prints "holds: db.amplification <= 1.9 (1."
ok "also those that groups have not" prints "does not hold: db.utilisation < 20% ("
ok "beside one of a group" prints "holds: crawler.amplification == 1 (1)"
ok "the sentence says of which service it is" prints "; peak of api"
ok "the table of services has their peaks" prints "arrivals/op  attempts/op  served   p99 s    peak x  after"
ok "series.csv is of the first, series-db.csv of the other" [ -s "$work/run/series.csv" -a -s "$work/run/series-db.csv" -a ! -e "$work/run/series-api.csv" ]
ok "summary.json has both" grep -q '"services": {' "$work/run/summary.json"
echo old >"$work/run/load-db.png"
run "$STAMPEDE" run "$work/shop.yaml" --no-chart -o "$work/run" --seed 2 --force
ok "its chart goes with the results" [ ! -e "$work/run/load-db.png" ]

run "$STAMPEDE" sweep "$work/shop.yaml" --no-chart -o "$work/sweep" --axis services.db.workers=2,4 -j 1
ok "a sweep judges them, too" prints "holds at all 2 points: db.amplification <= 1.9"
ok "the table has the peak of a service that an axis names" prints " db"
for name in db.amplification db.utilisation api.wait_s_p99 shop.success_share; do
	ok "summary.csv has $name" [ "$(column "$work/sweep" $name | grep -c '^[0-9]')" = 2 ]
done
ok "the first service's figures are the run's" [ "$(column "$work/sweep" api.utilisation)" = "$(column "$work/sweep" utilisation)" ]
ok "more workers are less busy" [ "$(column "$work/sweep" db.utilisation | sort -g | head -1)" = "$(column "$work/sweep" db.utilisation | tail -1)" ]
ok "sweep.json has the services" grep -qF '"services": ["api", "db"],' "$work/sweep/sweep.json"
if command -v sqlite3 >/dev/null; then
	ok "sweep.db has a row a run and service" \
		[ "$(sqlite3 "$work/sweep/sweep.db" 'select group_concat(service || n, " ") from (select service, count(utilisation) as n from service_result group by 1)')" = "api4 db4" ]
fi
run "$STAMPEDE" sweep "$work/shop.yaml" --no-chart -o "$work/p" --precision '20% of db.goodput' -j 1
ok "a precision may be of one" prints "precision: 20 % of db.goodput reached at 1 of 1 point"
run "$STAMPEDE" check "$work/shop.yaml"
ok "check makes tests of them" grep -qF "not ok 2 - $work/shop.yaml: db.utilisation < 20%" "$work/out"

sed 's/attempts: 2/attempts: 1/' "$work/shop.yaml" >"$work/once.yaml"
run "$STAMPEDE" compare "$work/shop.yaml" "$work/once.yaml" --no-chart -o "$work/c" --figures db.amplification,db.utilisation --replications 4 -j 1
ok "compare shows them" prints "db, amplification: once is better than shop by"
ok "and says which service differs" prints "they differ in services.api"
run "$STAMPEDE" tune "$work/shop.yaml" --no-chart -o "$work/t" --goal 'min db.utilisation' --subject-to 'db.amplification <= 3' \
	--over services.db.workers=2..8 --points 4 --runs 32 -j 1 --quiet
ok "tune takes one as its goal, and as a bound" exits 0
ok "tune.csv has both" grep -q ',db.utilisation,.*,db.amplification,' "$work/t/tune.csv"

run "$STAMPEDE" run "$work/shop.yaml" --set 'expect=[bd.goodput > 1/s, shop.utilisation < 1, db.goodptu > 1/s]'
ok "a service misspelt is told" exits 2 "no group or service is named 'bd'; did you mean 'db'?"
ok "so is a figure that groups have not" exits 2 "'utilisation' is a figure of the whole run, not of a group"
ok "and a figure misspelt" exits 2 "no figure is named 'goodptu'; did you mean 'db.goodput'?"
sed 's/crawler/db/' "$work/shop.yaml" >"$work/clash.yaml"
run "$STAMPEDE" run "$work/clash.yaml"
ok "no group is called as a service is" exits 2 "$work/clash.yaml:11:3: clients: 'db' is a service, too"
cat >"$work/points.yaml" <<'YAML'
duration: 2s
services: {api: {workers: 2, service_time: 10ms, calls: {to: db}}, db: {workers: 2, service_time: 10ms}}
clients: {a: {count: 5, workload: once}}
sweep:
  axes:
    shape:
      tiers: {clients: {a: {count: 5, workload: once}}}
      one: {clients: {db: {count: 5, workload: once}}, services: {api: {workers: 2, service_time: 10ms}}}
YAML
run "$STAMPEDE" sweep "$work/points.yaml" --no-chart -o "$work/d"
ok "nor at another point" exits 2 "'db' is a group of clients at one point, and a service at another"
sed 's/^  api:/  only:/; /^    calls/d; /^  db: /d; s/, service: db//; s/db\./only./' "$work/shop.yaml" >"$work/only.yaml"
run "$STAMPEDE" run "$work/only.yaml" --no-chart -o "$work/o"
ok "a service alone has a name, too" prints "holds: only.utilisation < 20% ("
finish
