#!/bin/sh
# What the shipped scenarios say of themselves in `expect` holds.
. "${srcdir:=.}/tests/tap.sh"

run "$STAMPEDE" check "$srcdir"/scenarios/*.yaml
for f in "$srcdir"/scenarios/*.yaml; do
	ok "${f##*/} is checked" grep -qF "$f: " "$work/out"
done
ok "all expectations of scenarios/ hold" [ "$code" = 0 ]
[ "$code" = 0 ] || grep -A1 '^not ok' "$work/out" | sed 's/^/# /'
finish
