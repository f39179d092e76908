#!/bin/sh
# gallery.sh - the small pictures of scenarios/README.md: a run or two of each story.
#
#   sh docs/img/gallery.sh [NAME...]        in the folder of the sources, with build/stampede there; needs jq
#
# One run each of seed 1; the data stay in out/gallery/.
set -eu
stampede=${STAMPEDE:-build/stampede}
work=out/gallery
mkdir -p "$work" scenarios/img
wanted=$*

# panel NAME FOLDER SETTINGS: a run; settings are parted by ';'.
panel() {
	name=$1 dir=$2 settings=$3
	set --
	while [ -n "$settings" ]; do
		set -- "$@" --set "${settings%%;*}"
		case $settings in
		*\;*) settings=${settings#*;} ;;
		*) settings= ;;
		esac
	done
	"$stampede" run "scenarios/$name.yaml" "$@" -o "$dir" --force --no-chart >/dev/null 2>"$work/err" || { cat "$work/err" >&2; exit 1; }
}

# Of another service than the first with of=SERVICE before it.
# story NAME LABEL SETTINGS [LABEL SETTINGS]: a picture with a panel for each.
story() {
	story=$1
	shift
	case " ${wanted:-$story} " in *" $story "*) ;; *) return 0 ;; esac
	n=0 arrays="array file[$(($# / 2))]; array label[$(($# / 2))];"
	while [ $# -gt 0 ]; do
		n=$((n + 1))
		panel "$story" "$work/$story-$n" "$2"
		arrays="$arrays file[$n]='$work/$story-$n/series${of:+-$of}.csv'; label[$n]='$1';"
		shift 2
	done
	capacity=$(jq '.capacity_per_s // 0' "$work/$story-$n/summary.json")
	[ -z "${of:-}" ] || capacity=0 # far above its load
	faults=$(jq -r '[.faults[]? | .from_s, .to_s] | join(" ")' "$work/$story-$n/summary.json")
	gnuplot -d -e "$arrays capacity=$capacity; faults='$faults'; out='scenarios/img/$story.png'" docs/img/gallery.gp
}

story lockstep 'no jitter' '' 'full jitter' 'backoff.jitter=full'
story outage 'no jitter' 'fleet.retry.backoff.jitter=none' 'full jitter' ''
story jitters 'additive 1 s' 'backoff.jitter=additive 1s' 'full' 'backoff.jitter=full'
story metastable 'no cure' '' 'a retry budget' 'retry.budget={kind: token-bucket, rate: 0/s, burst: 10, deposit: 0.1}'
story hedging 'hedged after 138 ms' '' 'at most one in ten' 'retry.budget={kind: window, ratio: 10%, min_rate: 0/s}'
story checkout 'two attempts' '' 'three attempts' 'attempts=3'
story aws-modes 'legacy' 'preset=aws-legacy' '2026' 'preset=aws-2026'
story retry-limit 'three retries at a time' 'preset=envoy' 'no limit' 'preset=istio'
story grpc-jitter 'full' 'backoff.jitter=full' '+-20 %' 'backoff.jitter=proportional 20%'
story clamped-jitter 'a floor that eats the jitter' 'preset=stripe' 'without the floor' 'preset=stripe;backoff.floor=0s'
story retry-after 'obeyed exactly' 'retry={preset: retryablehttp, attempts: unlimited}' 'with jitter' 'retry={preset: envoy-budget, attempts: unlimited, budget: off}'
story rate-limit 'Retry-After: 5' '' '1 s and up to 19 s more' 'service.hint={value: 1s, spread: 19s, form: ms}'
story cron 'all at midnight' 'duration=90s;bin=100ms' 'random sleep of 66 s' 'workload.spread=66s;duration=90s;bin=100ms'
story monitors 'in step' 'duration=2m;window=[]' 'random phase' 'workload.spread=10s;duration=2m;window=[]'
story reconnect 'no jitter' '' 'first delay of 5 to 35 s' 'backoff.jitter=range 5 35'
story lifetimes 'all live 600 s' 'lifetime=600s;bin=10s' '+-10 %' 'bin=10s'
story reset 'every success resets' '' 'one of 30 s does' 'backoff.reset=30s'
story upgrade 'nobody upgraded' 'old.count=1000' '1 % old clients' 'old.count=10'
story lifo 'fifo' '' 'lifo' 'queue.discipline=lifo'
story traced-day 'queue of 50' '' 'queue unlimited' 'queue.limit=unlimited'
story occ 'no jitter' 'backoff.jitter=none;duration=15s;bin=100ms' 'full jitter' 'duration=15s;bin=100ms'
story dates 'seconds' 'service.hint.form=seconds' 'a date' ''
story crash 'queue unlimited' '' 'queue of 150' 'service.queue.limit=150'
story coldstart 'room for 400' '' 'room for 40' 'service.queue.limit=40'
of=db
story tiers 'db, every tier retries' '' 'users alone do' 'services.api.calls.retry.attempts=1;services.logic.calls.retry.attempts=1'
story layers 'half of the queries fail' 'faults.share=50%' 'all of them' 'faults.share=100%'
