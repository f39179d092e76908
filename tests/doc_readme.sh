#!/bin/sh
# What the documents show is what the program does: the commands in the `console` blocks of README.md, docs/model.md and
# docs/ci.md, in the man page's examples and at the top of the scenarios are run in turn, and where a block shows output, it
# is compared. A line of three dots stands for any lines. Commands in a block `console fails` end with 1. Those in a
# block `console slow`, and a scenario's sweeps, are only held to their options and files. jq and sqlite3 are tried where they
# are installed.
. "${srcdir:=.}/tests/tap.sh"
srcdir=$(cd "$srcdir" && pwd)
mkdir "$work/scratch" "$work/blocks"
ln -s "$srcdir/scenarios" "$work/scratch/scenarios"

# Blocks of one form: a line "command", "fails" or "slow", a tab, the command in one line; then the lines that it should print.
from_markdown() {
	awk '
	/^```console/ { inside = 1; kind = /slow/ ? "slow" : /fails/ ? "fails" : "command"; next }
	/^```/ { inside = 0 }
	!inside { next }
	joined { sub(/^ */, ""); line = line " " $0 }
	!joined { line = $0 }
	{ joined = sub(/ *\\$/, "", line) }
	joined { next }
	line ~ /^\$ / { print kind "\t" substr(line, 3); next }
	{ print ">" line }' "$1"
}
from_man() {
	awk '
	/^\.Sh/ { examples = /EXAMPLES/ }
	/^\.Bd/ { inside = 1; next }
	/^\.Ed/ { inside = 0 }
	examples && inside && /^\$ / { print "command\t" substr($0, 3) }
	examples && inside && !/^\$ / { print ">" $0 }' "$1"
}

from_scenario() {
	awk '
	joined { sub(/^# */, ""); line = line " " $0 }
	!joined && !/^#   build\// { next }
	!joined { line = substr($0, 5) }
	{ joined = sub(/ *\\$/, "", line) }
	joined { next }
	{ print (line ~ /^[^ ]* sweep / ? "slow" : "command") "\t" line }' "$1"
}

# Whether $work/out has the lines of $1, told where they part.
as_shown() {
	awk '
	NR == FNR { want[++wants] = $0; next }
	{ got[++gots] = $0 }
	END {
		j = 1
		for (i = 1; i <= wants; i++) {
			if (want[i] == "...") { any = 1; continue }
			from = j
			while (any && j <= gots && got[j] != want[i])
				j++
			if (j > gots || got[j] != want[i]) {
				print "# shown:   " want[i]
				print "# printed: " got[from] (any ? " (and nothing of the kind below)" : "")
				exit 1
			}
			any = 0
			j++
		}
		if (!any && j <= gots) { print "# printed, not shown: " got[j]; exit 1 }
	}' "$1" "$work/out"
}

stampede() { command "$STAMPEDE" "$@"; }
has_gnuplot() { "${GNUPLOT:-gnuplot}" --version >/dev/null 2>&1; }
done_well() { [ "$code" = "${1:-0}" ] || { [ "$code" = 3 ] && ! has_gnuplot; }; }

# try DOCUMENT KIND COMMAND: in the scratch folder, for which the command was written.
try() {
	line=${3#build/}
	case $line in
	stampede\ *) ;;
	jq\ * | sqlite3\ *) command -v "${line%% *}" >/dev/null || return ;;
	*) return ;;
	esac
	ran=$3
	[ "$2" = slow ] && line="$line --help"
	(cd "$work/scratch" && eval "$line") >"$work/out" 2>&1 </dev/null
	code=$?
	cp "$work/out" "$work/err"
	for word in $line; do
		case $word in
		scenarios/*) ok "$1: $word is there" [ -f "$srcdir/$word" ] ;;
		esac
	done
	[ "$2" = fails ] && ends=1 || ends=0
	ok "$1: $ran" done_well "$ends"
	if [ "$2" != slow ] && [ -s "$work/want" ]; then
		ok "$1: what it prints is what is shown" as_shown "$work/want"
	fi
}

# The lines after a command are what it should print: so it is tried when they have all been read.
try_all() {
	tab=$(printf '\t')
	kind=
	while IFS= read -r block; do
		case $block in
		">"*)
			printf '%s\n' "${block#>}" >>"$work/want"
			continue
			;;
		esac
		[ -z "$kind" ] || try "$1" "$kind" "$command"
		kind=${block%%"$tab"*} command=${block#*"$tab"}
		: >"$work/want"
	done
	[ -z "$kind" ] || try "$1" "$kind" "$command"
}

from_markdown "$srcdir/README.md" >"$work/readme"
from_markdown "$srcdir/docs/model.md" >"$work/model"
from_markdown "$srcdir/docs/ci.md" >"$work/ci"
from_man "$srcdir/docs/stampede.1" >"$work/man"
try_all README.md <"$work/readme"
try_all docs/model.md <"$work/model"
try_all docs/ci.md <"$work/ci"
try_all docs/stampede.1 <"$work/man"
for scenario in "$srcdir"/scenarios/*.yaml; do
	from_scenario "$scenario" >"$work/commands"
	rm -rf "$work/scratch/out"
	try_all "${scenario##*/}" <"$work/commands"
	ok "${scenario##*/} has commands" [ -s "$work/commands" ]
done
ok "README.md and the man page have commands" [ "$tests" -ge 15 ]
finish
