#!/bin/bash
# The search is the same whatever it was built with: the program under test, the builds of the tests and every vector code
# search the same nodes. The long suite builds more of them (bench/signature.sh).
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
if [ "$LOVAC_TEST_LEVEL" = long ]; then
    exits "compilers, optimisation, processors; bench within 10 s" 0 bench/signature.sh
    sed 's/^/# /' <<<"$out"
fi
finish
