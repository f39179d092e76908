#!/bin/sh
# What happens in the shipped scenarios, attempt by attempt, is what it was: tests/fingerprints.tsv says so.
#
#   STAMPEDE=build/stampede sh tests/cli_fingerprints.sh --pin      writes the fingerprints anew
. "${srcdir:=.}/tests/tap.sh"
pinned=$srcdir/tests/fingerprints.tsv
tab=$(printf '\t')

# fingerprint SCENARIO OPTIONS
fingerprint() {
	# shellcheck disable=SC2086
	run "$STAMPEDE" run "$srcdir/scenarios/$1" $2 --no-chart --quiet --force -o "$work/result"
	sed -n 's/^  "fingerprint": "\([0-9a-f]*\)",*$/\1/p' "$work/result/summary.json"
}

if [ "${1-}" = --pin ]; then
	while IFS= read -r line; do
		case $line in
		*.yaml"$tab"*)
			scenario=${line%%"$tab"*} rest=${line#*"$tab"}
			options=${rest%%"$tab"*}
			printf '%s\t%s\t%s\n' "$scenario" "$options" "$(fingerprint "$scenario" "$options")"
			;;
		*) printf '%s\n' "$line" ;;
		esac
	done <"$pinned" >"$work/new" && cat "$work/new" >"$pinned"
	for f in "$srcdir"/scenarios/*.yaml; do
		name=${f##*/}
		grep -q "^$name$tab" "$pinned" || printf '%s\t\t%s\n' "$name" "$(fingerprint "$name" "")" >>"$pinned"
	done
	exit
fi

# The same arithmetic, but not the same libm, is to be had elsewhere.
if [ "$(uname -m)" != x86_64 ] || ! getconf GNU_LIBC_VERSION >/dev/null 2>&1; then
	echo "1..0 # SKIP fingerprints are pinned for x86-64 with glibc"
	exit 0
fi

for f in "$srcdir"/scenarios/*.yaml; do
	name=${f##*/}
	ok "$name has a line in fingerprints.tsv" grep -q "^$name$tab" "$pinned"
done
grep "^[a-z].*\.yaml$tab" "$pinned" >"$work/lines"
while IFS= read -r line; do
	scenario=${line%%"$tab"*} rest=${line#*"$tab"}
	options=${rest%%"$tab"*} want=${rest#*"$tab"}
	rm -rf "$work/result"
	got=$(fingerprint "$scenario" "$options")
	[ "$got" = "$want" ] ||
		echo "# $scenario $options: fingerprint $got, pinned $want. Other things happen in it than before. If that is" \
			"meant: STAMPEDE=build/stampede sh tests/cli_fingerprints.sh --pin, and say why in the commit."
	ok "$scenario${options:+ $options}" [ "$got" = "$want" ]
done <"$work/lines"
finish
