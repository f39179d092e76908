# tap.sh - for the tests of the command line: run a command, then say what it should have done. To be sourced.
: "${srcdir:=.}" "${STAMPEDE:=stampede}"
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
tests=0

# run COMMAND...: keeps stdout and stderr in $work/out and $work/err, and the exit code.
run() {
	ran=$*
	"$@" >"$work/out" 2>"$work/err"
	code=$?
}

# ok NAME COMMAND...: the command succeeds.
ok() {
	tests=$((tests + 1))
	name=$1
	shift
	if "$@"; then
		echo "ok $tests - $name"
	else
		echo "not ok $tests - $name"
		echo "# last run: $ran (exit $code)"
		sed 's/^/# stdout: /' "$work/out" | head -20
		sed 's/^/# stderr: /' "$work/err" | head -20
	fi
}

skip() {
	tests=$((tests + 1))
	echo "ok $tests - $1 # SKIP $2"
}

# As commands for ok: the exit code and, if given, a piece of stderr; a piece of stdout.
exits() { [ "$code" = "$1" ] && { [ $# = 1 ] || grep -qF -- "$2" "$work/err"; }; }
prints() { [ "$code" = 0 ] && grep -qF -- "$1" "$work/out"; }
silent() { [ "$code" = 0 ] && ! [ -s "$work/err" ]; }

finish() { echo "1..$tests"; }
