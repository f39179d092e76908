#!/bin/sh
# What the shipped scenarios say of themselves in `expect` holds.
. "${srcdir:=.}/tests/tap.sh"

has_line() { grep -qF "[$1]($1.yaml): " "$srcdir/scenarios/README.md" && grep -qF "![](img/$1.png)" "$srcdir/scenarios/README.md" && [ -s "$srcdir/scenarios/img/$1.png" ]; }

run "$STAMPEDE" check "$srcdir"/scenarios/*.yaml
for f in "$srcdir"/scenarios/*.yaml; do
	story=${f##*/}
	ok "$story is checked" grep -qF "$f: " "$work/out"
	ok "$story is at most 110 columns wide" awk 'length > 110 { exit 1 }' "$f"
	ok "$story has its line in the index, and its picture" has_line "${story%.yaml}"
done
ok "all expectations of scenarios/ hold" [ "$code" = 0 ]
[ "$code" = 0 ] || grep -A1 '^not ok' "$work/out" | sed 's/^/# /'
finish
