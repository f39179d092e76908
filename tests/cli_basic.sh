#!/bin/sh
# The command line as a whole: help, version, and what is said of misuse.
. "${srcdir:=.}/tests/tap.sh"

run "$STAMPEDE" --help
cp "$work/out" "$work/help"
ok "--help prints the usage and says nothing else" silent
ok "--help begins with the usage" prints "usage: stampede COMMAND"
run "$STAMPEDE" help
ok "help is --help" cmp -s "$work/out" "$work/help"
run "$STAMPEDE"
ok "no command is misuse, told on stderr" exits 2 "usage: stampede COMMAND"
ok "and stdout stays empty" [ ! -s "$work/out" ]
run "$STAMPEDE" --version
ok "--version prints version, GSL and compiler" grep -qE '^GSL [0-9.]+, compiler ' "$work/out"
ok "--version has the program's version first" grep -qE '^stampede [0-9]+\.[0-9]+\.[0-9]+$' "$work/out"

commands=$("$STAMPEDE" completion)
for c in $commands; do
	grep -q "^  $c " "$work/help"
	ok "--help lists $c" [ $? = 0 ]
	run "$STAMPEDE" "$c" --help
	ok "$c --help says nothing but its usage" silent
	ok "$c --help begins with its usage" [ "$(head -1 "$work/out" | cut -d' ' -f1-3)" = "usage: stampede $c" ]
	cp "$work/out" "$work/one"
	missing=
	for option in $("$STAMPEDE" completion "$c"); do
		grep -qF -- "${option%=}" "$work/one" || missing="$missing $option"
	done
	ok "$c --help has every option" [ -z "$missing" ]
	ok "$c --help has lines of at most 100 columns" [ "$(awk 'length > 100' "$work/one" | wc -l)" = 0 ]
	run "$STAMPEDE" help "$c"
	ok "help $c is $c --help" cmp -s "$work/out" "$work/one"
	run "$STAMPEDE" "$c" --nonesuch
	ok "$c refuses an unknown option" exits 2 "unknown option '--nonesuch'"
	run "$STAMPEDE" "$c" a b c d e f g h i
	case $c in
	check) ok "$c takes any number of operands" exits 2 "i: cannot read the scenario" ;;
	compare) ok "$c takes any number of operands" exits 2 "no file and no preset is named 'a'" ;;
	merge) ok "$c takes any number of operands" exits 2 "no shard of a sweep is in 'i'" ;;
	*) ok "$c refuses operands it has no use for" exits 2 "one operand too many" ;;
	esac
done

run "$STAMPEDE" hlep
ok "an unknown command brings the nearest to mind" exits 2 "unknown command 'hlep'; did you mean 'help'?"
run "$STAMPEDE" xyzzy
ok "one that is near nothing does not" exits 2 "unknown command 'xyzzy'; stampede --help"
run "$STAMPEDE" --nonesuch
ok "an unknown option in the command's place" exits 2 "unknown option '--nonesuch'"
run "$STAMPEDE" completion --quite
ok "an unknown option brings the nearest to mind" exits 2 "did you mean '--quiet'?"
run "$STAMPEDE" completion --qui
ok "options are not abbreviated" exits 2 "unknown option '--qui'"
run "$STAMPEDE" completion --quiet=yes
ok "a switch takes no argument" exits 2 "option '--quiet' takes no argument"
run "$STAMPEDE" completion -qx
ok "an unknown letter is told" exits 2 "unknown option '-x' in '-qx'"
run "$STAMPEDE" completion -q -- --quite
ok "what follows -- is no option" exits 0

case " $(echo $commands) " in
*" sweep "*)
	run "$STAMPEDE" sweep
	ok "a missing operand is told" exits 2 "missing operand: usage: stampede sweep [OPTION...] FILE"
	run "$STAMPEDE" sweep x.yaml -o
	ok "a missing argument is told" exits 2 "option '-o' needs an argument: DIR"
	run "$STAMPEDE" sweep x.yaml -j many --threads=5000
	ok "a number that is none is told" exits 2 "option '-j', argument 'many': expected a whole number"
	ok "all of misuse is told at once" exits 2 "argument '5000'"
	run "$STAMPEDE" sweep x.yaml --set duration
	ok "a --set without a value is told" exits 2 "option '--set', argument 'duration': it lacks a '='"
	run "$STAMPEDE" sweep x.yaml --format=csv
	ok "an option of other commands is told" exits 2 "'stampede sweep' has no option '--format'"
	run "$STAMPEDE" sweep "$work/none.yaml"
	ok "a scenario that is not there is bad input" exits 2 "none.yaml"
	;;
esac

if [ -w /dev/full ]; then
	"$STAMPEDE" --help >/dev/full 2>"$work/err"
	code=$?
	ok "a full standard output is the machine's failure" exits 3 "cannot write standard output"
else
	skip "a full standard output is the machine's failure" "no /dev/full"
fi

if command -v bash >/dev/null; then
	run bash -c '. "$1/completions/stampede"; COMP_WORDS=("$2" h); COMP_CWORD=1; _stampede; echo "${COMPREPLY[@]}"' - \
		"$srcdir" "$STAMPEDE"
	ok "completion offers commands" prints help
	run bash -c '. "$1/completions/stampede"; COMP_WORDS=("$2" completion --q); COMP_CWORD=2; _stampede; echo "${COMPREPLY[@]}"' \
		- "$srcdir" "$STAMPEDE"
	ok "completion offers a command's options" prints --quiet
else
	skip "completion offers commands" "no bash"
	skip "completion offers a command's options" "no bash"
fi
finish
