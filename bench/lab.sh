#!/bin/bash
# The laboratory's figures. Without a word: speed of matches and of self-play (two minutes on two cores). Words choose others:
#   bench/lab.sh match      1000 games at 5000 nodes, two at a time: games a second, share of the processors used
#   bench/lab.sh datagen    self-play at 1000 nodes: kept positions a second, bytes a half-move, check
#   bench/lab.sh kill       the same match killed twenty times: games in all, games twice
#   bench/lab.sh levels [GAMES [CONCURRENCY]]  200 games between neighbouring levels, and the levels beside other engines where
#                           these are installed; goes on where it was; ends with the table of docs/lab.md
#   bench/lab.sh fit FILE   the evaluation fitted to a file of games: loss on games held out
#   bench/lab.sh spsa       spoils six constants of the search and tunes them back (one hour; SPSA_PAIRS for less)
#   bench/lab.sh suites     WAC and STS where the collection of test data is
cd "$(dirname "$0")/.." || exit 1
lovac=${LOVAC:-./lovac}
data=${LOVAC_DATA:-../shared/data}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
PATH=$PATH:/usr/games

used() { # used NAME COMMAND...: the last lines of its output, and how much of the processors it used
    local name=$1
    shift
    echo "-- $name"
    { TIMEFORMAT='%R s, %U s of processor time'; time "$@" >"$work/out" 2>&1; } 2>"$work/time"
    tail -n 4 "$work/out"
    cat "$work/time"
}

do_match() {
    used "match, ${1:-1000} games at 5000 nodes, two at a time" "$lovac" match "lovac hash=8 name=one" "lovac hash=8 name=two" \
        --nodes 5000 --games "${1:-1000}" --concurrency 2 --every 1000000
}
do_datagen() {
    used "self-play, ${1:-3000} games at 1000 nodes" "$lovac" datagen "$work/a.games" --games "${1:-3000}" --threads 2 --quiet
    "$lovac" data check "$work/a.games" --quiet
}
do_kill() {
    local match=("$lovac" match "lovac hash=8 name=one" "lovac hash=8 name=two" --nodes 5000 --games 1000 --concurrency 2 --pgn "$work/k.pgn")
    for _ in $(seq 20); do
        "${match[@]}" >/dev/null 2>&1 &
        local pid=$!
        sleep $((RANDOM % 9 + 1))
        kill -9 $pid 2>/dev/null
        wait $pid 2>/dev/null
    done
    "${match[@]}" | tail -n 3
    echo "games: $(grep -c '^\[Event ' "$work/k.pgn"), twice: $(grep '^\[Round' "$work/k.pgn" | sort | uniq -d | wc -l)"
}
# Neighbouring levels meet, then engines that know their own rating (Stockfish weakened by UCI_Elo) and some at a fixed depth. All
# players are bound by nodes or depth, so that the machine does not matter. Stockfish chooses a weak move at the end of a certain
# depth, which follows from the rating: the depths here are one more, and save the time it would only wait.
anchors() {
    local sf="option.UCI_LimitStrength=true option.Hash=4 option.UCI_Elo"
    if command -v stockfish >/dev/null; then
        echo "3 4 5|stockfish name=stockfish-1350 depth=2 $sf=1350"
        echo "5 6 7|stockfish name=stockfish-1700 depth=4 $sf=1700"
        echo "7 8 9|stockfish name=stockfish-2000 depth=6 $sf=2000"
        echo "8 9 10|stockfish name=stockfish-2300 depth=7 $sf=2300"
        echo "10 11|stockfish name=stockfish-2600 depth=9 $sf=2600"
    fi
    command -v gnuchess >/dev/null && echo "5 6 7|gnuchess -u name=gnuchess-depth-2 depth=2"
    command -v toga2 >/dev/null && echo "7 8 9|toga2 name=toga2-depth-4 depth=4"
    command -v ethereal-chess >/dev/null && echo "6 7 8|ethereal-chess name=ethereal-depth-6 depth=6 option.Hash=4"
}
do_levels() { # levels [GAMES [CONCURRENCY]]: goes on where it was; games are kept while the levels and the net are the same
    local games=${1:-200} full=13000 i line where
    local options=(--games "$games" --concurrency "${2:-$(nproc)}" --every 1000000 --margin 1000)
    where=build/levels/$(cat src/engine/level.c nets/chess.nnue | cksum | cut -d' ' -f1)
    mkdir -p "$where" || return
    echo "games in $where; the last level with $full nodes a move"
    for i in $(seq 11); do
        "$lovac" match "lovac level=$((i + 1)) hash=4 name=level-$((i + 1)) nodes=$full" "lovac level=$i hash=4 name=level-$i nodes=$full" \
            "${options[@]}" --pgn "$where/pair.$i.pgn" | sed -n 2p
    done
    options[1]=$(((games + 1) / 2))
    anchors | while read -r line; do
        for i in ${line%%|*}; do
            "$lovac" match "lovac level=$i hash=4 name=level-$i nodes=$full" "${line#*|}" "${options[@]}" \
                --pgn "$where/$(sed 's/.*name=\([^ ]*\).*/\1/' <<<"$line").$i.pgn" </dev/null | sed -n 2p
        done
    done
    "$lovac" rate "$where"/*.pgn --quiet --csv | awk -F, -f bench/levels.awk
}
do_fit() { "$lovac" tune fit "$1" --to "$work/weights.inc"; }
do_spsa() {
    make -s CPPFLAGS=-DTUNE EXE="$work/lovac-tune" program || return
    local bad=FutilityMargin=190,NullMoveBase=2,ReductionBase=2900,QuietSeeDepthSquared=60,MoveCountBase=0,SingularMargin=150
    tr ',' '\n' <<<"$bad" >"$work/bad"
    "$work/lovac-tune" tune spsa "$work/state" --set "$bad" --only "$(sed 's/=.*//' "$work/bad" | paste -sd,)" --pairs "${SPSA_PAIRS:-12000}" \
        --nodes 2000 --pull 0.006 | tail -n 7
    "$work/lovac-tune" match "lovac name=spoilt tunables=$work/bad" "lovac name=standard" --nodes 2000 --games 1000 --every 1000000 | sed -n 2p
    "$work/lovac-tune" match "lovac name=tuned tunables=$work/state" "lovac name=standard" --nodes 2000 --games 1000 --every 1000000 | sed -n 2p
}
do_suites() {
    local wac=$data/suites/arasan/wacnew.epd sts=$data/suites/sts/STS1-STS15_LAN_v3.epd
    [ -e "$wac" ] && used "WAC, one second a position" "$lovac" analyse --epd "$wac" --movetime 1 --quiet
    [ -e "$sts" ] && used "STS, 100 000 nodes a position" "$lovac" analyse --epd "$sts" --nodes 100000 --quiet
}

[ -x "$lovac" ] || make -s || exit 1
if [ $# = 0 ]; then
    do_match 150
    do_datagen 400
else
    what=$1
    shift
    "do_$what" "$@"
fi
