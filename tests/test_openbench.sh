#!/bin/bash
# What a worker of OpenBench does with an engine: make with its variables in the folder of the configuration, `EXE bench`, and the
# numbers read from the last lines by its patterns. The build takes a minute or more: long suite; its reading of the output: always.
cd "$(dirname "$0")/.." || exit 1
source tests/lib.sh
# The worker reads lines from the last, takes everything but letters and digits for blanks, and looks for these patterns,
# in letters of any size.
numbers() {
    tr -c 'a-zA-Z0-9\n' ' ' | tac | awk '
        { line = tolower($0) }
        !nps && match(line, /[0-9]+ +nps|nps +[0-9]+|nodes second +[0-9]+/) { nps = substr(line, RSTART, RLENGTH); gsub(/[^0-9]/, "", nps) }
        !bench && match(line, /[0-9]+ +nodes|nodes +[0-9]+|nodes searched +[0-9]+/) { bench = substr(line, RSTART, RLENGTH); gsub(/[^0-9]/, "", bench) }
        END { print bench, nps }'
}
depth=$([ "$LOVAC_TEST_LEVEL" = quick ] && echo 2 || echo 7)
out=$("$LOVAC" bench "$depth")
is "the last line is as it is wanted" "1" "$(tail -n 1 <<<"$out" | grep -cE '^[0-9]+ nodes [0-9]+ nps$')"
read -r bench nps < <(numbers <<<"$out")
is "the worker reads the signature" "$(sed -n 's/^Nodes  *//p' <<<"$out")" "$bench"
is "and the speed" "$(sed -n 's/^Nodes.second  *//p' <<<"$out")" "$nps"
if [ "$LOVAC_TEST_LEVEL" = long ]; then
    for cc in gcc clang; do
        command -v $cc >/dev/null || continue
        exe=openbench-$cc-1a2b3c4d
        exits "the worker's make with $cc" 0 make -C packaging/openbench EXE=$exe EVALFILE="$PWD/nets/chess.nnue" CC=$cc -j2
        read -r bench nps < <(cd packaging/openbench && "./$exe" bench | numbers)
        is "its bench" "$("$LOVAC" bench | sed -n 's/^Nodes  *//p')" "$bench"
        rm -f "packaging/openbench/$exe"
    done
else
    skip "the worker's build" "long suite only"
fi
finish
