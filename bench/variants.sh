#!/bin/bash
# What the other games cost chess: perft of Lovac beside a Lovac built for chess alone, in which the question
# "which rules?" is answered when it is compiled. Alternately on the same machine; the best of several rounds
# of each, since a busy machine only ever makes a round slower.
#   bench/variants.sh [ROUNDS]     (15)
set -u
cd "$(dirname "$0")/.." || exit 1
rounds=${1:-15}
alone=build/chess-only/lovac
make -s || exit 1
make -s BUILD=build/chess-only EXE=$alone CPPFLAGS=-DLOVAC_CHESS_ONLY || exit 1
kiwipete='r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1'
start='rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1'

speed() { "$1" perft "$2" --fen "$3" --quiet | sed -n 's/^Nodes\/s: //p'; }
measure() { # measure TITLE DEPTH FEN
    local i a b all=0 chess=0
    for ((i = 0; i < rounds; i++)); do
        a=$(speed ./lovac "$2" "$3") b=$(speed "$alone" "$2" "$3")
        [ "$a" -gt "$all" ] && all=$a
        [ "$b" -gt "$chess" ] && chess=$b
    done
    awk -v t="$1" -v a="$all" -v b="$chess" \
        'BEGIN {printf "%-20s %10.1f %10.1f %+8.1f %%\n", t, a / 1e6, b / 1e6, (b / a - 1) * 100}'
}
printf '%-20s %10s %10s %10s\n' "million nodes/s" "all games" "chess only" "cost"
measure "start, depth 6" 6 "$start"
measure "Kiwipete, depth 5" 5 "$kiwipete"
