# For the end-to-end scripts: source it, call the checks, end with `finish`. Speaks TAP.
#
#   is NAME EXPECTED ACTUAL        two texts are the same
#   has NAME PATTERN TEXT          the text has a match of the extended regular expression
#   hasnt NAME PATTERN TEXT        it has none
#   exits NAME STATUS COMMAND...   the command ends with that status; its output is then in $out (both streams)
#   skip NAME REASON
#
# $LOVAC is the program under test.
: "${LOVAC:=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)/lovac}"
: "${LOVAC_TEST_LEVEL:=short}"
export LC_ALL=C.UTF-8
tests_done=0 tests_failed=0 out=
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
export XDG_DATA_HOME=$scratch/data XDG_DATA_DIRS=$scratch/system # no tables of the user's or the system's

pass() { echo "ok $((++tests_done)) - $1"; }
fail() {
    echo "not ok $((++tests_done)) - $1"
    tests_failed=$((tests_failed + 1))
    shift
    printf '%s\n' "$@" | head -n 30 | sed 's/^/# /'
}
skip() { echo "ok $((++tests_done)) - $1 # SKIP $2"; }
is() { [ "$2" = "$3" ] && pass "$1" || fail "$1" "expected: $2" "got:      $3"; }
has() { grep -qE -e "$2" <<<"$3" && pass "$1" || fail "$1" "no match of: $2" "in: $3"; }
hasnt() { grep -qE -e "$2" <<<"$3" && fail "$1" "unwanted: $2" "in: $3" || pass "$1"; }
exits() {
    local name=$1 wanted=$2 got
    shift 2
    out=$("$@" 2>&1 </dev/null)
    got=$?
    [ "$got" = "$wanted" ] && pass "$name" || fail "$name" "expected exit status $wanted, got $got" "$out"
}
finish() {
    echo "1..$tests_done"
    [ $tests_failed = 0 ]
}
