#!/bin/bash
# How well nets and searches judge quiet positions, beside a deep search of Stockfish: seconds for what a match needs an hour for.
#   bench/judge.sh [VALUE ...]     a net's file, or a player such as "lovac net=new.nnue nodes=1000" (the shipped net and the next one)
# Two tables: single positions, and siblings: what the moves of one even position lead to, of which only the differences count.
# The positions come from games of Stockfish at two strengths and against Ethereal, never from games of the nets that are judged: a
# player steers towards what it overestimates, and looks worse on its own games. They are made once and kept in FOLDER (data/judge);
# POSITIONS (3000) and NODES (100000, of the search that judges) say how many, and how deep.
# A lower error of single positions says little about play, the differences between siblings say more (nets/README.md); matches decide.
set -u
cd "$(dirname "$0")/.." || exit 1
PATH=$PATH:/usr/games
lovac=${LOVAC:-./lovac} folder=${FOLDER:-data/judge} positions=${POSITIONS:-3000} nodes=${NODES:-100000} cores=$(nproc)
for engine in stockfish ethereal-chess; do
    command -v $engine >/dev/null || { echo "$engine is not installed"; exit 0; }
done
[ -x "$lovac" ] || make -s || exit 1
make -s CONFIG=plain build/plain-gcc-native/bench/judge || exit 1
judge=build/plain-gcc-native/bench/judge

# Games of two players: games NAME PLAYER PLAYER.
games() {
    "$lovac" match "$2 name=a" "$3 name=b" --games $((positions / 20)) --openings random --seed 7 --restart --pgn "$folder/$1.pgn" >/dev/null
}

# What stockfish says of the positions that come in, on all cores: labels NAME WHAT NODES NUMBER.
labels() {
    local i
    cat >"$folder/in"
    for ((i = 0; i < cores; i++)); do
        awk -v n="$cores" -v i="$i" 'NR % n == i' "$folder/in" |
            "$judge" "$2" "stockfish option.Hash=32 nodes=$3" $(($4 / cores)) | part "$(printf %03d "$i")" >"$folder/part-$i.epd" &
    done
    wait
    cat "$folder"/part-*.epd >"$folder/$1.new" && mv "$folder/$1.new" "$folder/$1.epd"
    rm -f "$folder"/part-*.epd "$folder/in"
}

# Families of each part have numbers of their own.
part() {
    sed -E "s/id \"([0-9]+)\"/id \"\1$1\"/"
}

if ! [ -s "$folder/labelled.epd" ]; then
    mkdir -p "$folder" || exit 1
    echo "games of others, and their positions ..." >&2
    games even "stockfish option.Hash=16 nodes=6000" "stockfish option.Hash=16 nodes=4000" || exit 1
    games uneven "stockfish option.Hash=16 nodes=2500" "ethereal-chess option.Hash=16 depth=9" || exit 1
    "$lovac" convert "$folder"/even.pgn "$folder"/uneven.pgn --to fen --positions all --quiet |
        awk 'BEGIN {srand(7)} {printf "%.9f\t%s\n", rand(), $0}' | sort -k1,1n | cut -f2- >"$folder/positions.fen"
    labels labelled label "$nodes" "$positions" <"$folder/positions.fen"
fi
if ! [ -s "$folder/siblings.epd" ]; then
    echo "their siblings ..." >&2
    labels siblings siblings $((nodes / 5)) $((positions * 3)) <"$folder/labelled.epd"
fi
[ $# -gt 0 ] || set -- nets/chess.nnue nets/next/chess-384t.nnue "lovac nodes=1000" "lovac nodes=4000"
"$judge" "$folder/labelled.epd" "$@" && echo && "$judge" "$folder/siblings.epd" "$@"
