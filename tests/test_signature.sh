#!/bin/bash
# The search is the same whatever it was built with: the program under test, the builds of the tests and every vector code
# search the same nodes, and as many as the newest "Bench: N" line of the git history says. The long suite builds more of them
# (bench/signature.sh). LOVAC_BENCH=N is the line that the next commit will have, to try a search before it is committed.
# shellcheck disable=SC2154
cd "$(dirname "$0")/.." || exit 1
. tests/lib.sh
depth=$([ "$LOVAC_TEST_LEVEL" = quick ] && echo 4 || echo 7)
nodes() { "$@" | sed -n 's/^Nodes  *//p'; }
wanted=$(nodes ./lovac bench "$depth")
has "bench tells its nodes" '^[1-9][0-9]+$' "$wanted"
is "the program under test" "$wanted" "$(nodes "$LOVAC" bench "$depth")"
is "again" "$wanted" "$(nodes "$LOVAC" bench "$depth")"
is "twice in one process" "$wanted" \
    "$(printf 'bench %s\nucinewgame\nbench %s\n' "$depth" "$depth" | "$LOVAC" | sed -n 's/^Nodes searched: //p' | uniq)"
for name in avx512-vbmi2 avx512-vnni avx512 avx2 sse4.1 neon plain; do
    if "$LOVAC" bench 1 --vector $name >/dev/null 2>&1; then
        is "vector code $name" "$wanted" "$(nodes "$LOVAC" bench "$depth" --vector $name)"
    fi
done
exits "unknown vector code" 2 "$LOVAC" bench --vector mmx
has "and what there is" 'plain' "$out"
is "the program's own net from a file" "$wanted" "$(nodes "$LOVAC" bench "$depth" --net nets/chess.nnue)"
hand=$(nodes "$LOVAC" bench "$depth" --net none)
has "without a net" '^[1-9][0-9]+$' "$hand"
hasnt "without a net the tree is another" "^$wanted\$" "$hand"
exits "a net that is not there" 1 "$LOVAC" bench --net nowhere.nnue
if [ "$LOVAC_TEST_LEVEL" != quick ]; then
    # Those older than the program itself are of an earlier state.
    for program in build/lovac-engine build/lovac-clang build/plain-*/lovac build/debug-*/lovac; do
        [ "$program" -nt lovac ] && is "$program" "$wanted" "$(nodes "$program" bench "$depth")"
    done
fi
# The number of the newest "Bench: N" line in the history of a folder; nothing where there is none.
bench_line() {
    local log
    log=$(git -C "$1" log -1 -E --grep='^Bench: [0-9]+$' --format=%B -- 2>/dev/null) || return 0
    sed -n 's/^Bench: \([0-9][0-9]*\)$/\1/p' <<<"$log" | tail -n 1
}
# That it finds the line is seen on a history of its own.
if command -v git >/dev/null; then
    commit() {
        git -C "$scratch/history" -c user.name=a -c user.email=a@b -c commit.gpgsign=false commit -q --allow-empty -m "$1"
    }
    is "no line where there is no history" "" "$(GIT_CEILING_DIRECTORIES=$scratch bench_line "$scratch")"
    git init -q "$scratch/history"
    commit "base: one" && is "no line in a history without one" "" "$(bench_line "$scratch/history")"
    commit $'search: two\n\nBench: 7' && commit $'search: three\n\nWhy.\n\nBench: 123'
    commit $'docs: four\n\nSee Bench: 5 of the commit before.\nNo functional change'
    is "the newest line counts, and only a line of its own" 123 "$(bench_line "$scratch/history")"
fi
if [ "$LOVAC_TEST_LEVEL" != quick ]; then
    line=${LOVAC_BENCH:-$(bench_line .)}
    full=$(nodes "$LOVAC" bench)
    if [ -z "$line" ]; then
        skip "bench as the history says" "no git history with a line 'Bench: N' here"
    elif [ "$full" = "$line" ]; then
        pass "bench as the history says ($line)"
    else
        fail "bench as the history says" "the newest line in the history: Bench: $line" "this program:                    Bench: $full" \
            "A search that is meant to be another ends its commit's message with 'Bench: $full'."
    fi
fi
if [ "$LOVAC_TEST_LEVEL" = long ]; then
    exits "compilers, optimisation, processors; bench within 10 s" 0 bench/signature.sh
    sed 's/^/# /' <<<"$out"
fi
finish
