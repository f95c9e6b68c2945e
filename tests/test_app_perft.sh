#!/bin/bash
# `lovac perft` from outside: counts, divide, threads, table, variants, bad positions.
source "$(dirname "$0")/lib.sh"

count() { "$LOVAC" perft "$@" 2>&1 | tail -n 1; }
is "chess, depth 0" "Nodes searched: 1" "$(count 0)"
is "chess, depth 1" "Nodes searched: 20" "$(count 1)"
is "chess, depth 4" "Nodes searched: 197281" "$(count 4)"
is "chess, depth 5, four threads" "Nodes searched: 4865609" "$(count 5 --threads 4)"
is "chess, depth 5, a table" "Nodes searched: 4865609" "$(count 5 --hash 16)"
is "chess, depth 6, table and threads" "Nodes searched: 119060324" "$(count 6 --hash 64 --threads 3)"
kiwipete='r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -'
is "a FEN" "Nodes searched: 4085603" "$(count 4 --fen "$kiwipete")"
is "mate" "Nodes searched: 0" "$(count 3 --fen 'rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3')"
is "horde32" "Nodes searched: 29350" "$(count 4 --variant horde32)"
is "legan" "Nodes searched: 112012" "$(count 5 --variant legan)"
is "corner 137" "Nodes searched: 161385" "$(count 4 --variant corner --start 137)"
is "fortress 137" "Nodes searched: 80792" "$(count 4 --variant fortress --start 137)"
is "massacre 1" "Nodes searched: 284774" "$(count 3 --variant massacre --start 1 --threads 2)"
is "chess960 518" "Nodes searched: 197281" "$(count 4 --variant chess960 --start 518)"

divided=$("$LOVAC" perft 4 --divide --threads 2)
is "divide has all first moves" 20 "$(grep -cE '^[a-h][1-8][a-h][1-8]: [0-9]+$' <<<"$divided")"
has "divide of e2e4" '^e2e4: 13160$' "$divided"
is "divide adds up" 197281 "$(sed -nE 's/^[a-h][1-8].*: //p' <<<"$divided" | awk '{n += $1} END {print n}')"
has "time" '^Time: [0-9.]+ s$' "$divided"
has "speed" '^Nodes/s: [0-9]+$' "$divided"
has "castling in Chess960 is king takes rook" '^e1h1: ' \
    "$("$LOVAC" perft 1 --divide --variant chess960 --fen '4k3/8/8/8/8/8/8/4K2R w H - 0 1')"
has "castling in chess is king to goal" '^e1g1: ' "$("$LOVAC" perft 1 --divide --fen '4k3/8/8/8/8/8/8/4K2R w K - 0 1')"

exits "no depth" 2 "$LOVAC" perft
exits "two depths" 2 "$LOVAC" perft 1 2
exits "a negative depth" 2 "$LOVAC" perft -1
exits "depth in words" 2 "$LOVAC" perft five
exits "a bad FEN" 2 "$LOVAC" perft 1 --fen 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQ1BNR w KQkq - 0 1'
has "says what is wrong" 'king' "$out"
exits "an unknown game" 2 "$LOVAC" perft 1 --variant ludo
has "lists the games" "unknown game 'ludo'; there are chess, .*massacre" "$out"
exits "a start out of range" 2 "$LOVAC" perft 1 --variant corner --start 360
exits "start and FEN" 2 "$LOVAC" perft 1 --start 1 --fen "$kiwipete"
if [ "$LOVAC_TEST_LEVEL" != quick ]; then
    (ulimit -v 2000000 && "$LOVAC" perft 3 --hash 1000000) >"$scratch/out" 2>&1
    is "a table that does not fit" 1 $?
    has "is refused in words" 'no memory for a table of 1000000 MB' "$(cat "$scratch/out")"
    # On a terminal a long count shows a bar; elsewhere never.
    bar=$(script -qec "'$LOVAC' perft 7 --threads 2" /dev/null </dev/null | tr '\r' '\n')
    has "a long count ends right" 'Nodes searched: 3195901860' "$bar"
    has "the bar tells share, rate and time left" '^perft \[#*\.*\] +[0-9]+% .*/s +[0-9]+:[0-9]{2}' "$bar"
fi
finish
