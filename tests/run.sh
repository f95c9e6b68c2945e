#!/bin/bash
# Builds every configuration and runs all tests; prints one line for each test program and, last, how many
# single tests passed, failed and were skipped. Called by ./test, `make test` and `make test-long`.
#
#   tests/run.sh             everything
#   tests/run.sh perft play  only the programs and scripts whose name has one of these words in it
#
# Test programs (test_*.c) and scripts (test_*.sh, check_*.sh) speak TAP: "ok", "not ok", "# SKIP".
# LOVAC_TEST_LEVEL (quick, short, long) says how much they do; docs/tests.md explains.
# What failed among the others runs once more, alone; if it passes then, it is named as unsteady beside the sum.
set -u
cd "$(dirname "$0")/.." || exit 1
logs=build/test-logs
level=${LOVAC_TEST_LEVEL:-short}
cc=${CC:-gcc}
jobs=${LOVAC_TEST_JOBS:-$(nproc 2>/dev/null || echo 1)}
limit=$([ "$level" = long ] && echo 3600 || echo 900)

# Runs one program (arguments: label, level, command ...) and writes "passed failed skipped seconds" beside its log.
run_one() {
    local label=$1 log="$logs/$1.log" begin=$SECONDS status passed failed skipped planned
    shift
    export LOVAC_TEST_LEVEL=$1 CMOCKA_MESSAGE_OUTPUT=TAP
    shift
    timeout "$limit" "$@" >"$log" 2>&1 </dev/null
    status=$?
    skipped=$(grep -ciE '^(not )?ok.*# *skip' "$log")
    passed=$(grep -iE '^ok' "$log" | grep -ciEv '# *skip')
    failed=$(grep -iE '^not ok' "$log" | grep -ciEv '# *skip')
    planned=$(sed -n 's/^1\.\.\([0-9]*\).*/\1/p' "$log" | awk '{n += $1} END {print n + 0}')
    # A program that died, or ended before its time, has failed even if all it said was "ok".
    if [ "$failed" = 0 ] && { [ $status != 0 ] || [ $((passed + skipped)) = 0 ] ||
        [ "$planned" -gt $((passed + skipped)) ]; }; then
        echo "not ok - $label ended with status $status after $((passed + skipped)) of $planned tests" >>"$log"
        failed=1
    fi
    echo "$passed $failed $skipped" >"$logs/$label.result"
    printf '%-4s %-38s %4d passed%s%s  %ds\n' "$([ "$failed" = 0 ] && echo ok || echo FAIL)" "$label" "$passed" \
        "$([ "$failed" = 0 ] || echo ", $failed failed")" "$([ "$skipped" = 0 ] || echo ", $skipped skipped")" \
        $((SECONDS - begin))
    if [ "$failed" != 0 ]; then
        grep -iE -A 6 '^not ok|ERROR: |runtime error|Assertion' "$log" | grep -ivE '# *skip' | head -n 40 | sed 's/^/     | /'
        echo "     | (all of it: $log)"
    fi
}

if [ "${1:-}" = --one ]; then
    shift
    run_one "$@"
    exit 0
fi

build() { # build LABEL make-arguments...: a build that fails counts as a failed test
    local label=$1 begin=$SECONDS
    shift
    if make -s -k -j"$jobs" "$@" >"$logs/$label.log" 2>&1; then
        echo "1 0 0" >"$logs/$label.result"
        printf 'ok   %-38s %11s  %ds\n' "$label" '' $((SECONDS - begin))
    else
        echo "0 1 0" >"$logs/$label.result"
        printf 'FAIL %-38s\n' "$label"
        grep -E 'error|warning|undefined|\*\*\*' "$logs/$label.log" | head -n 20 | sed 's/^/     | /'
    fi
}

rm -rf "$logs"
mkdir -p "$logs"
begin=$SECONDS
echo "== building"
build build-release
for config in plain debug sanitize; do
    build "build-$config" "$config" CC="$cc"
done
# Without link-time optimisation, which would hide that something of another part is missing.
build build-engine CONFIG=plain PARTS=engine EXE=build/lovac-engine program
if command -v clang >/dev/null; then
    build build-clang CC=clang CONFIG=debug EXE=build/lovac-clang program tests
    [ -z "$(ls tests/fuzz/fuzz_*.c 2>/dev/null)" ] || build build-fuzz fuzz-build
fi

# Every test program runs optimised, with assertions and (a quick version) under the sanitizers; scripts drive the
# program as people get it, and the sanitized one.
# What takes longest must not be the last to begin, and what measures time should not stand beside another browser.
list_script() { # list_script NAME release|sanitize
    [ -e "tests/$1" ] || return 0
    if [ "$2" = release ]; then
        echo "$1 $level env LOVAC=$PWD/lovac tests/$1"
    else
        echo "$1-sanitize quick env LOVAC=$PWD/build/sanitize-$cc-native/lovac tests/$1"
    fi
}
early="test_web.sh test_server.sh test_lab.sh test_reliability.sh"
list_tests() {
    local t name
    list_script test_web.sh release
    for t in tests/test_*.c; do
        [ -e "$t" ] || continue
        name=$(basename "$t" .c)
        echo "$name $level build/plain-$cc-native/tests/$name"
    done
    for name in test_server.sh test_lab.sh test_reliability.sh; do
        list_script "$name" release
    done
    for name in $early; do
        list_script "$name" sanitize
    done
    for t in tests/test_*.c; do
        [ -e "$t" ] || continue
        name=$(basename "$t" .c)
        echo "$name-debug $level build/debug-$cc-native/tests/$name"
        echo "$name-sanitize quick build/sanitize-$cc-native/tests/$name"
    done
    for t in tests/check_*.sh; do
        name=$(basename "$t" .sh)
        echo "$name $level $t"
    done
    for t in tests/test_*.sh; do
        [ -e "$t" ] || continue
        name=$(basename "$t")
        [[ " $early " == *" $name "* ]] && continue
        list_script "$name" release
        list_script "$name" sanitize
    done
    for t in tests/fuzz/fuzz_*.c; do
        [ -e "$t" ] && command -v clang >/dev/null || continue
        name=$(basename "$t" .c)
        echo "$name quick tests/fuzz_smoke.sh $name"
    done
}
echo "== testing ($level)"
wanted=$(IFS='|' && echo "${*:-.}")
list_tests | grep -E "$wanted" | xargs -P "$jobs" -L 1 "$0" --one

# The line of every test that failed.
list_failed() {
    local line
    while read -r line; do
        read -r _ failed _ <"$logs/${line%% *}.result" && [ "$failed" != 0 ] && echo "$line"
    done < <(list_tests | grep -E "$wanted")
}
# Many at once say that something is broken, not that the machine was busy.
mapfile -t again < <(list_failed)
unsteady=
if [ ${#again[@]} -gt 0 ] && [ ${#again[@]} -le 3 ]; then
    echo "== once more, alone"
    for line in "${again[@]}"; do
        label=${line%% *}
        mv "$logs/$label.log" "$logs/$label.first.log"
        xargs -L 1 "$0" --one <<<"$line"
        read -r _ failed _ <"$logs/$label.result"
        [ "$failed" != 0 ] || unsteady+=" $label ($logs/$label.first.log)"
    done
fi
[ -z "$unsteady" ] || echo "== unsteady, passed only when run alone:$unsteady"

read -r passed failed skipped < <(cat "$logs"/*.result | awk '{p += $1; f += $2; s += $3} END {print p + 0, f + 0, s + 0}')
echo "== $((SECONDS - begin)) seconds"
echo "$passed passed, $failed failed$([ "$skipped" = 0 ] || echo ", $skipped skipped")"
[ "$failed" = 0 ]
