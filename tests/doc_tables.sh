#!/bin/sh
# The documents' tables are the program's, and nothing that there is goes unsaid.
#
#   STAMPEDE=build/stampede sh tests/doc_tables.sh --update      writes the tables into the documents anew
. "${srcdir:=.}/tests/tap.sh"

# The lines of FILE's table whose head begins with WORD.
table() { awk -v head="| $2 |" 'index($0, head) == 1 { inside = 1 } !/^\|/ { inside = 0 } inside' "$1"; }

# put FILE WORD: the same table becomes what is in $work/out.
put() {
	awk -v head="| $2 |" -v new="$work/out" '
	index($0, head) == 1 { inside = 1; while ((getline line < new) > 0) print line }
	!/^\|/ { inside = 0 }
	!inside' "$1" >"$work/new" && cat "$work/new" >"$1"
}

# FILE WORD COMMAND
check_table() {
	run "$STAMPEDE" "$3" --format md
	[ "$update" = no ] || put "$srcdir/$1" "$2"
	table "$srcdir/$1" "$2" >"$work/table"
	diff "$work/table" "$work/out" >"$work/diff"
	same=$?
	[ $same = 0 ] || sed 's/^/# /' "$work/diff" | head -10
	ok "$1 has the table of '$3 --format md' (if not: sh tests/doc_tables.sh --update)" [ $same = 0 ]
}

update=no
[ "${1-}" != --update ] || update=yes
check_table docs/parameters.md parameter params
check_table docs/model.md figure figures
check_table docs/presets.md preset presets

# Columns of series.csv.
run "$STAMPEDE" run "$srcdir/scenarios/lockstep.yaml" --no-chart --quiet -o "$work/lockstep"
missing=
for column in $(head -1 "$work/lockstep/series.csv" | tr , ' '); do
	grep -q "^| .*\`$column\`.* |" "$srcdir/docs/model.md" || missing="$missing $column"
done
ok "docs/model.md has every column of series.csv:${missing:- none is missing}" [ -z "$missing" ]

# Commands and options, in the man page's spelling.
man=$srcdir/docs/stampede.1
escaped() { printf '%s' "$1" | sed 's/-/\\-/g'; }
for c in $("$STAMPEDE" completion); do
	ok "the man page has the command $c" grep -q "^\\.It Cm $c\$" "$man"
	missing=
	for option in $("$STAMPEDE" completion "$c"); do
		name=${option%=}
		grep -qF "Fl $(escaped "${name#-}")" "$man" || missing="$missing $name"
	done
	ok "and its options:${missing:- none is missing}" [ -z "$missing" ]
done
for name in GNUPLOT STAMPEDE_PLOTS; do
	ok "the man page has the environment's $name" grep -q "^\\.It Ev $name\$" "$man"
done

if command -v groff >/dev/null; then
	run groff -mandoc -ww -Tutf8 "$man"
	ok "groff formats the man page without a warning" silent
else
	skip "groff formats the man page without a warning" "no groff"
fi

# The map of rooms.
missing=
for f in "$srcdir"/src/*/*.[ch]; do
	f=${f#"$srcdir/src/"}
	grep -qF "\`${f%.[ch]}\`" "$srcdir/README.md" || missing="$missing $f"
done
ok "README.md's map has every file of src/:${missing:- none is missing}" [ -z "$missing" ]
gone=
for f in $(grep '^| `' "$srcdir/README.md" | grep -o '`[a-z]*/[a-z_]*`' | tr -d '`'); do
	[ -f "$srcdir/src/$f.c" ] || [ -f "$srcdir/src/$f.h" ] || gone="$gone $f"
done
ok "and no other:${gone:- none}" [ -z "$gone" ]

for f in "$srcdir"/scenarios/*.yaml; do
	name=${f##*/}
	ok "$name says at its top what it asks" [ "$(head -c 2 "$f")" = "# " ]
done

# Links to files.
for doc in README.md docs/ci.md docs/model.md docs/parameters.md docs/presets.md docs/retrying.md; do
	missing=
	for link in $(grep -o '](\([^)#:]*\)[)#]' "$srcdir/$doc" | sed 's/^](//; s/[)#]$//'); do
		[ -e "$srcdir/$(dirname "$doc")/$link" ] || missing="$missing $link"
	done
	ok "the files that $doc links to are there:${missing:- none is missing}" [ -z "$missing" ]
done
finish
